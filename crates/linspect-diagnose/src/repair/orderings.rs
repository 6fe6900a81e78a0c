//! Repairs that strengthen memory orderings, from one exploration.
//!
//! A stronger ordering only takes executions away, so nothing new can go wrong: a set of stronger orderings is a repair iff each bad execution is none any more, or is good, with
//! them. So only the bad executions of the weakest program are asked about, with other labels. From the strongest orderings everywhere one place after the
//! other is weakened as far as it goes; different orders of the places give different smallest sets. Whoever shows one explores it again.

use linspect_core::consistency::Graph;
use linspect_core::execution::{Access, Action, Execution, MemoryModel, Ordering, SiteId};
use linspect_core::property::Property;
use linspect_explore::external::{Judgement, Told, judge};
use std::collections::{BTreeMap, BTreeSet};

/// An atomic access in the source; an exchange that fails has an ordering of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Where it stands.
    pub site: SiteId,
    /// What it does there.
    pub kind: Kind,
}

/// What an atomic access does, as far as orderings go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It loads, or its exchange fails.
    Load,
    /// It stores.
    Store,
    /// It reads and writes.
    Update,
}

impl Place {
    fn of(access: &Access) -> Option<Self> {
        if access.ordering == Ordering::Plain {
            return None;
        }
        let kind = match access.action {
            Action::Read | Action::CasFail => Kind::Load,
            Action::Write => Kind::Store,
            Action::Update | Action::CasOk => Kind::Update,
            _ => return None,
        };
        let site = access.site;
        Some(Self { site, kind })
    }

    /// The orderings that it can have, weakest first.
    fn orderings(self) -> &'static [Ordering] {
        use Ordering as O;
        match self.kind {
            Kind::Load => &[O::Relaxed, O::Acquire, O::SeqCst],
            Kind::Store => &[O::Relaxed, O::Release, O::SeqCst],
            Kind::Update => &[O::Relaxed, O::Acquire, O::Release, O::AcqRel, O::SeqCst],
        }
    }
}

/// Whether `stronger` orders all that `weaker` does.
fn covers(stronger: Ordering, weaker: Ordering) -> bool {
    use Ordering as O;
    match (stronger, weaker) {
        (O::SeqCst, _) | (_, O::Relaxed | O::Plain) => true,
        (O::AcqRel, weaker) => weaker != O::SeqCst,
        (stronger, weaker) => stronger == weaker,
    }
}

/// The places to change, and how they are ordered then.
pub type Orderings = BTreeMap<Place, Ordering>;

/// The smallest sets of stronger orderings with which none of the `bad` executions, which are all there are under `model`, is one and bad; the fewest changes
/// first. Nothing if there is none. Of each execution no more than `limit` sets of messages are looked at.
pub fn strengthen<P: Property>(
    bad: &[Execution],
    property: &mut P,
    model: MemoryModel,
    limit: usize,
) -> Vec<Orderings> {
    let mut written: Orderings = Orderings::new();
    for access in bad.iter().flat_map(|e| &e.steps).flat_map(|s| &s.accesses) {
        if let Some(place) = Place::of(access) {
            written.insert(place, access.ordering);
        }
    }
    let places: Vec<Place> = written.keys().copied().collect();
    let strongest: Orderings = places.iter().map(|p| (*p, Ordering::SeqCst)).collect();
    let mut is_repaired = |orderings: &Orderings| {
        bad.iter()
            .all(|execution| is_good(execution, orderings, property, model, limit))
    };
    if bad.is_empty() || !is_repaired(&strongest) {
        return Vec::new();
    }
    let mut found = BTreeSet::new();
    for first in 0..places.len() {
        let mut orderings = strongest.clone();
        for place in places.iter().cycle().skip(first).take(places.len()) {
            let least = written[place];
            for &weaker in place.orderings().iter().filter(|o| covers(**o, least)) {
                let before = orderings.insert(*place, weaker);
                if is_repaired(&orderings) {
                    break;
                }
                orderings.extend(before.map(|before| (*place, before)));
            }
        }
        orderings.retain(|place, ordering| *ordering != written[place]);
        found.insert(orderings);
    }
    let mut found: Vec<Orderings> = found.into_iter().collect();
    found.sort_by_key(Orderings::len);
    found
}

/// Whether `execution`, ordered so, is none or is good.
fn is_good<P: Property>(
    execution: &Execution,
    orderings: &Orderings,
    property: &mut P,
    model: MemoryModel,
    limit: usize,
) -> bool {
    let mut execution = execution.clone();
    for access in execution.steps.iter_mut().flat_map(|s| &mut s.accesses) {
        if let Some(ordering) = Place::of(access).and_then(|place| orderings.get(&place)) {
            access.ordering = *ordering;
        }
    }
    let told = Told {
        before: &execution.before,
        steps: &execution.steps,
        after: &execution.after,
        end: &execution.end,
    };
    !Graph::of(&execution.steps).is_consistent(model)
        || judge(property, told, model, limit) == Judgement::Good
}
