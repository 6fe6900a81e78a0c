//! Data races: which of them count, and what there is to say about them.

use super::counterexample::Counterexample;
use super::diagnose::kept;
use super::investigate::{Investigation, Oracle};
use super::narrate::{Narrator, Told, span};
use super::settings::{RaceIs, RunSettings};
use crate::error::Error;
use crate::internal::caught;
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::defect::{Defect, Race};
use linspect_core::execution::{Access, Action, Ordering};
use linspect_core::machine::Subject;
use linspect_core::property::Property;
use linspect_core::schedule::Schedule;
use linspect_core::spec::Unfit;
use linspect_explore::races::{Gap, races_of};
use linspect_explore::search::{Kept, Method, Note, Plan, SearchError, explore};
use linspect_report::finding::{self, Checked, Finding};
use linspect_vm::Code;

/// What a data race is called where it is a fault.
pub(super) const KIND: &str = "data race";

/// How many data races are told of.
const MOST: usize = 20;

/// Preemptions and executions for a shorter run that shows a race.
const PREEMPTIONS: u32 = 2;
const EXECUTIONS: u64 = 2_000;

/// Which data races count.
#[derive(Clone, Debug)]
pub(super) struct Races {
    /// Whether one is a fault, not a note.
    pub(super) fail: bool,
    /// Names of variables and fields that may be raced for.
    pub(super) allowed: Vec<String>,
}

impl Races {
    /// Those that count by the settings and the harness of `code`.
    pub(super) fn of(settings: &RunSettings, code: &Code) -> Self {
        let allowed = settings.allowed_races.iter().chain(code.allowed_races());
        Self {
            fail: settings.races != Some(RaceIs::Noted),
            allowed: allowed.cloned().collect(),
        }
    }
}

/// A data race that nobody allows, and the run that shows it.
pub(super) struct Raced {
    pub(super) client: Client,
    pub(super) schedule: Schedule,
    race: Race,
    /// Whether it was seen only where freed memory is never used again.
    pub(super) fresh: bool,
    pub(super) told: finding::DataRace,
}

impl Raced {
    /// The race as what is wrong.
    pub(super) fn verdict(&self) -> finding::Verdict {
        let [first, second] = &self.told.accesses[..] else {
            unreachable!("a race has two sides");
        };
        let fault = finding::Fault {
            kind: KIND.into(),
            message: format!(
                "{}: {} {}, {} {}, and nothing orders the two",
                self.told.variable, first.thread, first.does, second.thread, second.does
            ),
            span: second.span.clone(),
            related: first.span.clone(),
            waits: Vec::new(),
        };
        finding::Verdict::Faulty { fault }
    }
}

impl Investigation<'_> {
    /// The data races that a search found and nobody allows, smallest client first.
    pub(super) fn raced(&self, kept: &Kept) -> Vec<Raced> {
        let mut raced = Vec::new();
        for Note {
            client,
            found,
            fresh,
        } in &kept.notes
        {
            let Defect::DataRace(race) = &found.kind else {
                continue;
            };
            let code = self.code_of(*fresh);
            let here = code.as_ref().map(|code| self.in_fresh_memory(code));
            let here = here.as_ref().unwrap_or(self);
            let narrator = Narrator::new(here.code);
            let Ok(told) = narrator.tell(client, &found.schedule) else {
                continue;
            };
            let seen = here.tell_race(&narrator, client, &found.schedule, &told, race);
            raced.extend(seen.map(|seen| Raced {
                fresh: *fresh,
                ..seen
            }));
            if raced.len() == MOST {
                break;
            }
        }
        raced
    }

    /// The data races of one run that nobody allows.
    pub(super) fn raced_in(
        &self,
        narrator: &Narrator<'_>,
        client: &Client,
        schedule: &Schedule,
        told: &Told,
    ) -> Vec<Raced> {
        let races = races_of(told.execution.steps.iter(), self.code.memory_model());
        let raced = races
            .iter()
            .filter_map(|race| self.tell_race(narrator, client, schedule, told, race));
        raced.take(MOST).collect()
    }

    /// One line per race, where they are only noted.
    pub(super) fn race_notes(&self, raced: &[Raced]) -> Vec<String> {
        if self.races.fail {
            return Vec::new();
        }
        let place = |a: &finding::RacingAccess| {
            let span = a.span.as_ref();
            span.map_or_else(|| "somewhere".to_owned(), ToString::to_string)
        };
        let note = |raced: &Raced| {
            let places: Vec<String> = raced.told.accesses.iter().map(place).collect();
            format!("note: data race between {}", places.join(" and "))
        };
        raced.iter().map(note).collect()
    }

    /// The finding of a race, where nothing worse was found, and its smallest test. The race is the first of the finding's, as the run that is shown has it.
    pub(super) fn racy<P: Property>(
        &self,
        raced: &Raced,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        oracle: &Oracle<'_>,
        checked: Checked,
        budget: &dyn Budget,
        notes: &mut Vec<String>,
    ) -> Result<(Finding, Client), Error> {
        let narrator = Narrator::new(self.code);
        let smallest = self.smallest(raced, property, oracle, budget, notes)?;
        let (schedule, race) = self.clearest_race(&smallest, &raced.race, property, budget);
        // What comes after the threads does not race.
        let client = Client {
            after: Vec::new(),
            ..smallest.client
        };
        let (mut finding, told, projection) =
            self.describe(&narrator, &client, &schedule, oracle.verdict, checked)?;
        let again = self.tell_race(&narrator, &client, &schedule, &told, &race);
        let shown = again.as_ref().unwrap_or(raced);
        finding.verdict = shown.verdict();
        finding.data_races.push(shown.told.clone());
        if !self.is_program() {
            let (threads, certified) = (client.threads.len(), smallest.certified);
            finding.minimal_test = Some(finding::MinimalTest::of(&projection, threads, certified));
            let source = self.regression(&client, &finding);
            if let Some(minimal) = &mut finding.minimal_test {
                minimal.source = source;
            }
        }
        let mut steps = narrator.steps(&told, &projection, None);
        for (at, step) in steps.iter_mut().enumerate() {
            step.matters = [race.first.0, race.second.0].contains(&at);
        }
        finding.interleaving = Some(finding::Interleaving {
            steps,
            contrast: None,
            threads: self.threads(&told.execution),
            fewest_switches: false,
        });
        finding.replay = Some(self.replay.of(self.code, &client, &schedule));
        finding.sources = Some(narrator.sources(&finding));
        Ok((finding, client))
    }

    /// The smallest client that shows the same race, and a run of it.
    fn smallest<P: Property>(
        &self,
        raced: &Raced,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        oracle: &Oracle<'_>,
        budget: &dyn Budget,
        notes: &mut Vec<String>,
    ) -> Result<Counterexample, Error> {
        self.enter("looking for the smallest test");
        let told = Narrator::new(self.code).tell(&raced.client, &raced.schedule);
        let found = Counterexample {
            client: raced.client.clone(),
            schedule: raced.schedule.clone(),
            execution: told.map_err(SearchError::from)?.execution,
            defect: Defect::DataRace(raced.race.clone()),
            certified: false,
        };
        let test = caught("looking for the smallest test", || {
            self.minimise(&found, property, oracle.witness, oracle.declared, budget)
        });
        Ok(match kept(test, notes) {
            Some(test) => found.smaller(test),
            None => found,
        })
    }

    /// A run of `example`'s client with few preemptions that shows `race`; its own run, up to the race, if there is none.
    fn clearest_race<P: Property>(
        &self,
        example: &Counterexample,
        race: &Race,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> (Schedule, Race) {
        let plan = Plan {
            executions: Some(EXECUTIONS),
            keep_going: true,
            ..Plan::exhaustive().with(Method::Bounded {
                preemptions: PREEMPTIONS,
            })
        };
        let explored = property(&example.client).ok().and_then(|p| {
            let client = example.client.clone();
            explore(self.code, client, p, &plan, budget, &|_, _| {}).ok()
        });
        let found = explored.into_iter().flat_map(|e| e.found);
        let mut same = found.filter_map(|f| match f.kind {
            Defect::DataRace(seen) if seen.sites() == race.sites() => Some((f.schedule, seen)),
            _ => None,
        });
        same.next().unwrap_or_else(|| {
            let seen =
                races_of(example.execution.steps.iter(), self.code.memory_model()).into_iter();
            let mut seen = seen.filter(|seen| seen.sites() == race.sites());
            let seen = seen.next().unwrap_or_else(|| race.clone());
            let mut schedule = example.schedule.clone();
            schedule.0.truncate(seen.second.0 + 1);
            (schedule, seen)
        })
    }

    /// What there is to say of a race in a run; nothing if it is allowed.
    pub(super) fn tell_race(
        &self,
        narrator: &Narrator<'_>,
        client: &Client,
        schedule: &Schedule,
        told: &Told,
        race: &Race,
    ) -> Option<Raced> {
        let steps = &told.execution.steps;
        let (at, second) = race.second;
        let number = steps.get(at)?.accesses.iter().position(|a| *a == second)?;
        let variable = told.accesses.get(at)?.get(number)?.variable.clone();
        let sides = [race.first, race.second];
        let lines = sides.map(|(_, access)| {
            let site = narrator.user_site(access.site);
            narrator.line(&site.file, site.line).unwrap_or_default()
        });
        let is_allowed = |name: &String| {
            mentions(&variable, name) || lines.iter().all(|line| mentions(line, name))
        };
        if self.races.allowed.iter().any(is_allowed) {
            return None;
        }
        let accesses = sides.iter().enumerate().map(|(i, (step, access))| {
            let site = narrator.user_site(access.site);
            let unpublished = i == 0 && race.unpublished;
            let publishes = narrator.statement(told, *step).map(|s| span(&s));
            finding::RacingAccess {
                thread: narrator.thread(steps[*step].choice.thread),
                does: match (unpublished, publishes) {
                    (false, _) => does(access),
                    (true, Some(place)) => {
                        format!("let others reach it at {place}, after it allocated and wrote it")
                    }
                    (true, None) => "let others reach it, after it allocated and wrote it".into(),
                },
                span: (access.site != 0).then(|| span(&site)),
            }
        });
        let accesses = accesses.collect();
        Some(Raced {
            client: client.clone(),
            schedule: schedule.clone(),
            race: race.clone(),
            fresh: false,
            told: finding::DataRace {
                variable,
                accesses,
                unordered: unordered(narrator, &Gap::of(race, steps)),
                replay: self.replay.of(self.code, client, schedule),
            },
        })
    }
}

/// What an access does, in words.
fn does(access: &Access) -> String {
    let atomically = match access.ordering {
        Ordering::Plain => "",
        _ => " atomically",
    };
    match access.action {
        Action::Free => "frees it".into(),
        Action::Read | Action::CasFail => format!("reads it{atomically}"),
        _ => format!("writes it{atomically}"),
    }
}

/// What comes closest to ordering a race, and why it does not.
fn unordered(narrator: &Narrator<'_>, gap: &Gap) -> String {
    let (Some(given), Some(taken)) = (gap.given, gap.taken) else {
        return "nothing that both do lies between: no lock, no atomic, no start or end of a thread"
            .into();
    };
    let place = |access: Access| narrator.place(access.site);
    let releases = format!("the write at {} does not release", place(given));
    let acquires = format!("the read of it at {} does not acquire", place(taken));
    match gap.lacks() {
        (true, true) => format!("{releases}, and {acquires}"),
        (true, false) => releases,
        (false, true) => acquires,
        (false, false) => format!(
            "the read at {} of what was written at {} comes too late or too early to order them",
            place(taken),
            place(given)
        ),
    }
}

/// Whether `name` is a word of `text`.
fn mentions(text: &str, name: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn names_are_whole_words() {
        assert!(mentions("object.data[3].value", "data"));
        assert!(mentions("self.data.get().read()", "data"));
        assert!(!mentions("object.metadata", "data"));
    }
}
