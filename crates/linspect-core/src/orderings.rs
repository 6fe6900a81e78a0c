//! Where atomic accesses stand in the source, and how they are ordered.

use crate::execution::{Access, Action, Ordering, SiteId};
use std::collections::BTreeMap;

/// An atomic access in the source; an exchange that fails has an ordering of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Where it stands.
    pub site: SiteId,
    /// What it does there.
    pub kind: Kind,
}

/// What an atomic access does, as far as orderings go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// It loads.
    Load,
    /// It stores.
    Store,
    /// It reads and writes.
    Update,
    /// It is an exchange that failed: a load with an ordering of its own.
    Failure,
}

/// How places are ordered.
pub type Orderings = BTreeMap<Place, Ordering>;

impl Place {
    /// The place of an access, if it is atomic.
    pub fn of(access: &Access) -> Option<Self> {
        if access.ordering == Ordering::Plain {
            return None;
        }
        let kind = match access.action {
            Action::Read => Kind::Load,
            Action::CasFail => Kind::Failure,
            Action::Write => Kind::Store,
            Action::Update | Action::CasOk | Action::Tally | Action::Add => Kind::Update,
            _ => return None,
        };
        let site = access.site;
        Some(Self { site, kind })
    }

    /// The orderings that it can have, weakest first.
    pub fn orderings(self) -> &'static [Ordering] {
        use Ordering as O;
        match self.kind {
            Kind::Load | Kind::Failure => &[O::Relaxed, O::Acquire, O::SeqCst],
            Kind::Store => &[O::Relaxed, O::Release, O::SeqCst],
            Kind::Update => &[O::Relaxed, O::Acquire, O::Release, O::AcqRel, O::SeqCst],
        }
    }
}

impl Ordering {
    /// Whether it orders all that `weaker` does.
    pub fn covers(self, weaker: Self) -> bool {
        match (self, weaker) {
            (Self::SeqCst, _) | (_, Self::Relaxed | Self::Plain) => true,
            (Self::AcqRel, weaker) => weaker != Self::SeqCst,
            (stronger, weaker) => stronger == weaker,
        }
    }
}
