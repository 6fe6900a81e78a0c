//! Orderings as repairs: which atomics must be stronger, so that a test that only weaker orderings break is right.
//!
//! Each set is explored under C20 before it is shown, with the test that failed and with others; one that breaks it is taken in, and the search begins again.

use super::investigate::{Investigation, Oracle, TRIAL_EXECUTIONS};
use crate::finding::narrate::Narrator;
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::{Execution, MemoryModel, Ordering};
use linspect_core::machine::Subject;
use linspect_core::orderings::{Kind, Orderings, Place};
use linspect_core::property::Property;
use linspect_core::spec::Unfit;
use linspect_diagnose::repair::orderings::{places, strengthen, strongest};
use linspect_explore::search::{Coverage, Found, Plan, explore};
use linspect_vm::{Code, Settings};

/// How often a test that a set does not repair is taken in.
const ROUNDS: usize = 4;

/// Executions of each test beside the one that failed.
const OTHER_EXECUTIONS: u64 = 200;

/// How many sets are named.
const MOST: usize = 3;

/// What the exploration of some clients came to.
enum Tried {
    /// Every execution is right.
    Right,
    /// Something is wrong in these.
    Wrong(Vec<Execution>),
    /// There was too much of it.
    Unknown,
}

impl Investigation<'_> {
    /// What stronger orderings repair `client`, in words; nothing if none do, or if that could not be found out.
    pub(super) fn stronger_orderings<P: Property>(
        &self,
        client: &Client,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        oracle: &Oracle<'_>,
        budget: &dyn Budget,
    ) -> Option<String> {
        let mut clients = vec![client.clone()];
        let others = (oracle.unseen)(client);
        for _ in 0..ROUNDS {
            let written = self.to_strengthen(&clients, property, budget)?;
            let mut is_enough = |orderings: &Orderings| match self.try_all(
                &clients,
                orderings,
                TRIAL_EXECUTIONS,
                property,
                budget,
            ) {
                Tried::Right => Some(true),
                Tried::Wrong(_) => Some(false),
                Tried::Unknown => None,
            };
            let found = strengthen(&written, &mut is_enough);
            let best = found.first()?;
            let mut right = 0;
            let breaks = others.iter().find(|other| {
                let other = std::slice::from_ref(*other);
                match self.try_all(other, best, OTHER_EXECUTIONS, property, budget) {
                    Tried::Right => right += 1,
                    Tried::Wrong(_) => return true,
                    Tried::Unknown => {}
                }
                false
            });
            match breaks {
                Some(other) if !clients.contains(other) => clients.push(other.clone()),
                Some(_) => return None,
                None => return Some(self.tell_orderings(&found, &written, right)),
            }
        }
        None
    }

    /// The atomics of `clients` that take part in what is wrong, as the source orders them, if the strongest orderings repair all of it.
    fn to_strengthen<P: Property>(
        &self,
        clients: &[Client],
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> Option<Orderings> {
        let mut written = Orderings::new();
        loop {
            let all = strongest(&written);
            match self.try_all(clients, &all, TRIAL_EXECUTIONS, property, budget) {
                Tried::Right => return (!written.is_empty()).then_some(written),
                Tried::Unknown => return None,
                Tried::Wrong(executions) => {
                    let before = written.len();
                    for (place, ordering) in places(&executions) {
                        written.entry(place).or_insert(ordering);
                    }
                    if written.len() == before {
                        return None;
                    }
                }
            }
        }
    }

    fn try_all<P: Property>(
        &self,
        clients: &[Client],
        orderings: &Orderings,
        executions: u64,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> Tried {
        let code = self.code.with_settings(Settings {
            memory_model: MemoryModel::C20,
            orderings: orderings.clone(),
            ..self.code.settings().clone()
        });
        let plan = Plan {
            executions: Some(executions),
            ..Plan::exhaustive()
        };
        for client in clients {
            let Ok(property) = property(client) else {
                return Tried::Unknown;
            };
            let explored = explore(&code, client.clone(), property, &plan, budget, &|_, _| {});
            let Ok(explored) = explored else {
                return Tried::Unknown;
            };
            let wrong = explored.found.iter();
            let wrong = wrong.filter(|found| self.is_bad(&code, client, found));
            let wrong: Vec<Execution> = wrong.map(|found| found.execution.clone()).collect();
            if !wrong.is_empty() {
                return Tried::Wrong(wrong);
            }
            if !matches!(explored.coverage, Coverage::Exhausted { .. }) {
                return Tried::Unknown;
            }
        }
        Tried::Right
    }

    fn is_bad(&self, code: &Code, client: &Client, found: &Found) -> bool {
        match &found.kind {
            Defect::DataRace(race) if self.races.fail => {
                let narrator = Narrator::new(code);
                let told = narrator.tell(client, &found.schedule).ok();
                let race = told.and_then(|told| {
                    self.tell_race(&narrator, client, &found.schedule, &told, race)
                });
                race.is_some()
            }
            Defect::DataRace(_) => false,
            kind => kind.is_error(),
        }
    }

    fn tell_orderings(&self, found: &[Orderings], written: &Orderings, others: usize) -> String {
        let tell = |set: &Orderings| {
            let mut changes: Vec<(&Place, &Ordering)> = set.iter().collect();
            changes.sort_by_key(|(place, _)| {
                let site = self.code.site(place.site);
                (site.file, site.line, place.kind)
            });
            let changes = changes
                .iter()
                .map(|(p, o)| self.tell_change(**p, written[p], **o));
            changes.collect::<Vec<_>>().join("; ")
        };
        let sets: Vec<String> = found.iter().take(MOST).map(tell).collect();
        let and = match others {
            0 => String::new(),
            1 => ", and so is one other test".to_owned(),
            others => format!(", and so are {others} other tests"),
        };
        format!(
            "stronger orderings: {}. Checked: then every execution of this test is right under C20{and}",
            sets.join("; or: ")
        )
    }

    /// `push:12 compare_exchange Relaxed → Release`.
    fn tell_change(&self, place: Place, from: Ordering, to: Ordering) -> String {
        let site = self.code.site(place.site);
        let is_rust = site.file.ends_with(".rs");
        let name = |ordering: Ordering| {
            let (rust, c) = match ordering {
                Ordering::Plain => ("plain", "plain"),
                Ordering::Relaxed => ("Relaxed", "memory_order_relaxed"),
                Ordering::Acquire => ("Acquire", "memory_order_acquire"),
                Ordering::Release => ("Release", "memory_order_release"),
                Ordering::AcqRel => ("AcqRel", "memory_order_acq_rel"),
                Ordering::SeqCst => ("SeqCst", "memory_order_seq_cst"),
            };
            if is_rust { rust } else { c }
        };
        let what = match place.kind {
            Kind::Load => "the load",
            Kind::Store => "the store",
            Kind::Update => "the read-modify-write",
            Kind::Failure => "where the exchange fails",
        };
        let file = site.file.rsplit('/').next().unwrap_or(&site.file);
        format!(
            "{file}:{} {what} `{}` → `{}`",
            site.line,
            name(from),
            name(to)
        )
    }
}
