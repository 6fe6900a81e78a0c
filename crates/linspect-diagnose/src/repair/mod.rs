//! Step 9: which code must be atomic. After Çirisci, Enea, Farzan and Mutluergil, *Root Causing Linearizability Violations*, CAV 2020.
//!
//! A repair is a set of source sections such that, were they atomic, no bad execution of the clients could happen: none that violates the property, and none that is
//! wrong in any other way that [`linspect_core::defect`] knows. It is found from all failing classes together,
//! ranked by how many good classes it disables, and then enforced in the machine: only what the re-check finds clean is called a repair. The best one is then
//! *validated* on clients that it was not made from; one that still fails is learned from in turn.

mod classes;
pub mod combine;
pub mod eliminators;
pub mod enforce;
mod measure;
pub mod orderings;
mod orders;
pub mod section;
pub(crate) mod source;
mod unseen;
mod widen;

pub use measure::{Measure, measure};
pub use unseen::{of_size, unseen};

use classes::{Optimal, Tested, Until};
use combine::{combine, eliminates};
use enforce::Atomicity;
use linspect_core::check::{Budget, Unlimited};
use linspect_core::client::Client;
use linspect_core::execution::{Execution, SiteId};
use linspect_core::machine::{Site, StartError, Subject};
use linspect_core::property::Property;
use linspect_explore::Bounds;
use section::Sections;
use widen::{EARLIER, Lines, RUNS};

/// How far to go.
#[derive(Clone, Copy)]
pub struct RepairOptions<'a> {
    /// Classes of one client.
    pub classes: usize,
    /// Classes of one client that a repair is validated on.
    pub unseen_classes: usize,
    /// Eliminators of one trace, and repairs kept while combining.
    pub repairs: usize,
    /// Points of one class that are looked at to decide its real time.
    pub points: usize,
    /// Rounds of repair and re-check, and clients that are learned from beyond the first.
    pub rounds: usize,
    /// Bounds on each run.
    pub bounds: Bounds,
    /// What ends it before. What was not re-checked then is no repair.
    pub budget: &'a dyn Budget,
}

impl RepairOptions<'_> {
    fn is_over(&self) -> bool {
        self.budget.exhausted(0).is_some()
    }
}

impl Default for RepairOptions<'_> {
    fn default() -> Self {
        Self {
            classes: 20_000,
            unseen_classes: 500,
            repairs: 64,
            points: 100_000,
            rounds: 8,
            bounds: Bounds::default(),
            budget: &Unlimited,
        }
    }
}

/// What must change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagnosis {
    /// The clients have no bad execution: all of them were looked at.
    Clean,
    /// It goes wrong even when every operation runs alone: no atomic section helps. A bad serial execution.
    Serial(Box<Execution>),
    /// Sections that must be atomic, best first; none if none was found within the limits.
    Sections(Vec<Repair>),
}

/// A re-checked repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// What must be atomic.
    pub sections: Sections,
    /// How many classes of good executions it disables.
    pub disabled: usize,
    /// Out of how many.
    pub good: usize,
    /// How many classes of bad executions it rules out.
    pub bad: usize,
    /// What the re-check of the clients that it was made from found.
    pub recheck: Recheck,
    /// What was found on clients that it was not made from; only the best repair is tried on them.
    pub validation: Option<Validation>,
}

/// What was found with a repair enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recheck {
    /// How many clients.
    pub clients: usize,
    /// Classes explored.
    pub executions: u64,
    /// Whether all were.
    pub exhausted: bool,
}

/// What was found with a repair enforced, on clients that it was not made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validation {
    /// How many clients were clean.
    pub clients: usize,
    /// For how many of them every class was explored.
    pub exhausted: usize,
    /// The most operations that one of them runs at once.
    pub operations: usize,
    /// Classes explored.
    pub executions: u64,
    /// How many clients say nothing of the repair, for they fail even when every operation runs alone: another fault, or not a use that the object allows.
    pub serial: usize,
    /// A client that still fails; the search for more that it needs was given up.
    pub failing: Option<Client>,
}

/// Finds out what must be atomic for `clients` never to violate the property that `property` makes for each; tries the best repair on the clients `unseen`.
pub fn repair<S: Subject, P: Property>(
    subject: &S,
    clients: &[Client],
    unseen: &[Client],
    property: &dyn Fn(&Client) -> P,
    effort: &RepairOptions<'_>,
) -> Result<Diagnosis, StartError> {
    let site = |id: SiteId| subject.site(id);
    let mut repairer = Repairer {
        subject,
        property,
        effort,
        site: &site,
        known: Vec::new(),
        bad: Vec::new(),
        good: Vec::new(),
        lines: Lines::default(),
        whole: true,
    };
    repairer.run(clients, unseen)
}

struct Repairer<'a, S, P> {
    subject: &'a S,
    property: &'a dyn Fn(&Client) -> P,
    effort: &'a RepairOptions<'a>,
    site: &'a dyn Fn(SiteId) -> Site,
    /// The clients that were learned from, and whether each deadlocks as it is.
    known: Vec<(Client, bool)>,
    bad: Vec<Optimal>,
    good: Vec<Optimal>,
    /// Where accesses stand.
    lines: Lines,
    /// Whether every class of the known clients was looked at.
    whole: bool,
}

impl<'a, S: Subject, P: Property> Repairer<'a, S, P> {
    fn run(&mut self, clients: &[Client], unseen: &[Client]) -> Result<Diagnosis, StartError> {
        for client in clients {
            if let Some(serial) = self.learn(client, self.effort.classes)? {
                return Ok(Diagnosis::Serial(Box::new(serial)));
            }
        }
        if self.bad.is_empty() {
            return Ok(match self.whole {
                true => Diagnosis::Clean,
                false => Diagnosis::Sections(Vec::new()),
            });
        }
        let mut repairs = self.refine()?;
        for _ in 0..self.effort.rounds {
            let Some(best) = repairs.first_mut() else {
                break;
            };
            if self.effort.is_over() {
                break;
            }
            let (validation, left) = self.validate(&best.sections, unseen)?;
            best.validation = Some(validation.clone());
            let Some(client) = &validation.failing else {
                break;
            };
            self.learn(client, self.effort.unseen_classes)?;
            self.bad.extend(left);
            let better = self.refine()?;
            // What cannot be repaired together with the rest does not take back what was found.
            if better.is_empty() {
                break;
            }
            repairs = better;
        }
        Ok(Diagnosis::Sections(repairs))
    }

    fn tested<'c>(&'c self, client: &'c Client) -> Tested<'c, S, P> {
        Tested {
            subject: self.subject,
            client,
            property: self.property,
            effort: self.effort,
            site: self.site,
        }
    }

    /// Learns from so many classes of `client`; gives a bad execution in which every operation runs alone, if there is one.
    fn learn(&mut self, client: &Client, classes: usize) -> Result<Option<Execution>, StartError> {
        let tested = self.tested(client);
        let all = tested.plain(classes)?;
        if !all.bad.is_empty()
            && let Some(serial) = tested.serial_fault()?
        {
            return Ok(Some(serial));
        }
        let optimal = |s: &[_], of: &dyn Fn(&_) -> Result<Optimal, StartError>| {
            s.iter()
                .take_while(|_| !self.effort.is_over())
                .map(of)
                .collect::<Result<Vec<Optimal>, StartError>>()
        };
        let bad = optimal(&all.bad, &|schedule| tested.bad_class(schedule))?;
        let good = optimal(&all.good, &|schedule| tested.good_class(schedule))?;
        let mut lines = std::mem::take(&mut self.lines);
        let (some_bad, some_good) = (all.bad.iter().take(RUNS), all.good.iter().take(RUNS));
        for schedule in some_bad.chain(some_good) {
            self.tested(client).note_lines(schedule, &mut lines)?;
        }
        self.lines = lines;
        self.whole &= all.exhausted;
        self.bad.extend(bad);
        self.good.extend(good);
        self.known.push((client.clone(), all.deadlock));
        Ok(None)
    }

    /// Combines what is known of the bad classes, enforces the best, and learns from what still goes wrong.
    fn refine(&mut self) -> Result<Vec<Repair>, StartError> {
        for _ in 0..self.effort.rounds {
            let (candidates, _) = combine(&self.bad, self.effort.repairs);
            let mut ranked: Vec<(usize, Sections)> = candidates
                .into_iter()
                .filter(|c| !c.is_empty())
                .map(|c| (self.disabled(&c), c))
                .collect();
            ranked.sort();
            let mut clean = Vec::new();
            let mut waiting = Vec::new();
            let mut learned = false;
            for (_, sections) in ranked {
                if self.effort.is_over() {
                    return Ok(clean);
                }
                match self.recheck(&sections)? {
                    Checked::Clean(recheck) => clean.push(self.repaired(sections, recheck)),
                    // Nothing is learned twice: a class that a repair should rule out, and does not, ends that repair.
                    Checked::Fails(optimal) => {
                        if !optimal.is_empty() && !eliminates(&sections, &optimal) {
                            self.bad.push(optimal);
                            learned = true;
                        }
                    }
                    Checked::Waits => waiting.push(sections),
                }
            }
            if clean.is_empty() {
                clean = self.widen(waiting)?;
            }
            if !clean.is_empty() || !learned {
                return Ok(clean);
            }
        }
        Ok(Vec::new())
    }

    fn repaired(&self, sections: Sections, recheck: Recheck) -> Repair {
        Repair {
            disabled: self.disabled(&sections),
            sections,
            good: self.good.len(),
            bad: self.bad.len(),
            recheck,
            validation: None,
        }
    }

    /// Begins sections that make threads wait for ever earlier, until nobody does.
    fn widen(&self, waiting: Vec<Sections>) -> Result<Vec<Repair>, StartError> {
        let mut clean: Vec<Repair> = Vec::new();
        for mut sections in waiting {
            for _ in 0..EARLIER {
                let Some(wider) = self.lines.wider(&sections) else {
                    break;
                };
                sections = wider;
                match self.recheck(&sections)? {
                    Checked::Waits => {}
                    Checked::Fails(_) => break,
                    Checked::Clean(recheck) => {
                        clean.push(self.repaired(sections, recheck));
                        break;
                    }
                }
            }
        }
        Ok(best_first(clean))
    }

    /// Enforces `sections` and explores every client that is known.
    fn recheck(&self, sections: &Sections) -> Result<Checked, StartError> {
        let atomicity = Atomicity::Sections(sections.clone());
        let until = Until {
            classes: self.effort.classes,
            bad: true,
        };
        let mut recheck = Recheck {
            clients: self.known.len(),
            executions: 0,
            exhausted: true,
        };
        for (client, deadlocks) in &self.known {
            let tested = self.tested(client);
            let found = tested.enforced(&atomicity, until)?;
            // Cut short by the clock it is neither clean nor anything to learn from.
            if found.bad.is_empty() && !found.exhausted && self.effort.is_over() {
                return Ok(Checked::Fails(Optimal::new()));
            }
            // A section around a wait would make others wait for ever: that is no repair.
            if found.executions == 0 || found.strays || (found.deadlock && !deadlocks) {
                return Ok(Checked::Waits);
            }
            if let Some(schedule) = found.bad.first() {
                return Ok(Checked::Fails(tested.enforced_class(schedule, &atomicity)?));
            }
            recheck.executions += found.executions;
            recheck.exhausted &= found.exhausted;
        }
        Ok(Checked::Clean(recheck))
    }

    /// Enforces `sections` and explores clients that are not known, until one fails; then also gives what would rule out what still goes wrong.
    fn validate(
        &self,
        sections: &Sections,
        unseen: &[Client],
    ) -> Result<(Validation, Option<Optimal>), StartError> {
        let atomicity = Atomicity::Sections(sections.clone());
        let until = Until {
            classes: self.effort.unseen_classes,
            bad: true,
        };
        let mut validation = Validation::default();
        let is_known = |client: &&Client| self.known.iter().any(|(known, _)| known == *client);
        for client in unseen.iter().filter(|c| !is_known(c)) {
            if self.effort.is_over() {
                break;
            }
            let tested = self.tested(client);
            let found = tested.enforced(&atomicity, until)?;
            if let Some(schedule) = found.bad.first() {
                if tested.serial_fault()?.is_some() {
                    validation.serial += 1;
                    continue;
                }
                validation.failing = Some(client.clone());
                let left = tested.enforced_class(schedule, &atomicity)?;
                return Ok((validation, Some(left)));
            }
            if found.strays {
                continue;
            }
            let operations = client.threads.iter().map(Vec::len).sum();
            validation.clients += 1;
            validation.exhausted += usize::from(found.exhausted);
            validation.operations = validation.operations.max(operations);
            validation.executions += found.executions;
        }
        Ok((validation, None))
    }

    fn disabled(&self, sections: &Sections) -> usize {
        self.good
            .iter()
            .filter(|class| eliminates(sections, class))
            .count()
    }
}

/// Those that disable least first, each once.
fn best_first(mut repairs: Vec<Repair>) -> Vec<Repair> {
    repairs.sort_by(|a, b| (a.disabled, &a.sections).cmp(&(b.disabled, &b.sections)));
    repairs.dedup_by(|a, b| a.sections == b.sections);
    repairs
}

/// What came of enforcing a repair.
enum Checked {
    Clean(Recheck),
    /// Some class is still bad; what would rule it out.
    Fails(Optimal),
    /// Threads wait for ever that did not before.
    Waits,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair::section::Section;

    #[test]
    fn repairs_come_once_and_the_least_harmful_first() {
        let repair = |first: u32, disabled: usize| Repair {
            sections: Sections::merge([Section {
                file: "object".into(),
                function: "operation".into(),
                first,
                last: 9,
            }]),
            disabled,
            good: 5,
            bad: 1,
            recheck: Recheck {
                clients: 1,
                executions: 1,
                exhausted: true,
            },
            validation: None,
        };
        let all = [(3, 2), (1, 0), (2, 2), (1, 0), (2, 2)];
        let sorted = best_first(
            all.map(|(first, disabled)| repair(first, disabled))
                .to_vec(),
        );
        assert_eq!(sorted, [repair(1, 0), repair(2, 2), repair(3, 2)]);
    }
}
