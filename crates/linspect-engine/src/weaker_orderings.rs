//! Orderings that are stronger than what was explored needs.
//!
//! One atomic after the other, the dearest first, is made as weak as it can be while every execution of every client stays right under C20; what was weakened before stays so. So all changes that
//! are named were explored together. Nothing is known of larger clients.

use super::investigate::{Investigation, TRIAL_EXECUTIONS};
use crate::orderings::Tried;
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::execution::Ordering;
use linspect_core::orderings::{Orderings, Place};
use linspect_core::property::Property;
use linspect_core::spec::Unfit;
use linspect_diagnose::repair::orderings::places;
use linspect_explore::search::{Covered, Kept};
use linspect_vm::Chooser;
use linspect_vm::program::Origin;

/// How many random runs of a client show which atomics it has.
const RUNS: u64 = 4;

/// How long such a run may be.
const STEPS: usize = 10_000;

impl Investigation<'_> {
    /// Which orderings could be weaker, in words: for clients that were exhausted, and nothing was wrong.
    pub(super) fn weaker_orderings<P: Property>(
        &self,
        kept: &Kept,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> String {
        let entries = kept.ledger.entries.iter();
        let exhausted = entries.filter(|entry| entry.covered == Covered::Exhausted);
        let mut clients: Vec<Client> = exhausted.map(|entry| entry.client.clone()).collect();
        let written = self.atomics(&clients);
        let mut dearest: Vec<(Place, Ordering)> = written.iter().map(|(p, o)| (*p, *o)).collect();
        dearest.sort_by_key(|(_, ordering)| std::cmp::Reverse(cost(*ordering)));
        let mut weakened = Orderings::new();
        let mut unknown = 0;
        for (place, ordering) in dearest {
            let all = place.orderings().iter();
            let mut is_known = true;
            for &weaker in all.filter(|o| **o != ordering && ordering.covers(**o)) {
                let mut orderings = weakened.clone();
                orderings.insert(place, weaker);
                match self.first_wrong(&mut clients, &orderings, property, budget) {
                    Tried::Right => {
                        weakened = orderings;
                        break;
                    }
                    Tried::Wrong(_) => {}
                    Tried::Unknown => is_known = false,
                }
            }
            unknown += usize::from(!is_known && !weakened.contains_key(&place));
        }
        self.tell_weaker(&weakened, &written, clients.len(), unknown)
    }

    /// The atomics of the user's code that some runs of `clients` had, as they are ordered.
    fn atomics(&self, clients: &[Client]) -> Orderings {
        let mut written = Orderings::new();
        for client in clients {
            let run = |seed| linspect_vm::run(self.code, client, &Chooser::Random(seed), STEPS);
            let runs = (0..RUNS).filter_map(|seed| run(seed).ok());
            let executions: Vec<_> = runs.map(|ran| ran.execution).collect();
            written.extend(places(&executions));
        }
        written.retain(|place, _| {
            let origin = self.code.origin(place.site);
            matches!(origin, Origin::User | Origin::Plumbing)
        });
        written
    }

    /// Explores `clients` until one of them is wrong, which is the first from then on: what breaks one change is likely to break the next.
    fn first_wrong<P: Property>(
        &self,
        clients: &mut [Client],
        orderings: &Orderings,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> Tried {
        for i in 0..clients.len() {
            let one = std::slice::from_ref(&clients[i]);
            match self.try_all(one, orderings, TRIAL_EXECUTIONS, property, budget) {
                Tried::Right => {}
                Tried::Wrong(executions) => {
                    clients[..=i].rotate_right(1);
                    return Tried::Wrong(executions);
                }
                Tried::Unknown => return Tried::Unknown,
            }
        }
        Tried::Right
    }

    fn tell_weaker(
        &self,
        weakened: &Orderings,
        written: &Orderings,
        clients: usize,
        unknown: usize,
    ) -> String {
        let mut places: Vec<&Place> = weakened.keys().collect();
        places.sort_by_key(|place| {
            let site = self.code.user_site(place.site);
            (site.file, site.line, place.kind)
        });
        let tests = match clients {
            1 => "the one test that was explored".to_owned(),
            n => format!("the {n} tests that were explored"),
        };
        let mut text = match (weakened.len(), written.len()) {
            (_, 0) => return "orderings · no atomics were run".to_owned(),
            (0, all) => {
                format!("orderings · {tests} need each of the {all} orderings as it is")
            }
            (_, all) => {
                let mut text = format!(
                    "orderings · {} of {all} are stronger than {tests} need. All of these together still pass:",
                    weakened.len()
                );
                for place in places {
                    let change = self.tell_change(*place, written[place], weakened[place]);
                    text += &format!("\n    {change}");
                }
                text
            }
        };
        if unknown > 0 {
            text +=
                &format!("\n  There was no time for {unknown} of them: --budget gives it more.");
        }
        text + "\n  Larger tests may need what these do not: read this as questions, not as changes to make."
    }
}

/// How much an ordering costs on a processor that reorders.
fn cost(ordering: Ordering) -> u8 {
    match ordering {
        Ordering::Plain | Ordering::Relaxed => 0,
        Ordering::Acquire => 1,
        Ordering::Release => 2,
        Ordering::AcqRel => 3,
        Ordering::SeqCst => 4,
    }
}
