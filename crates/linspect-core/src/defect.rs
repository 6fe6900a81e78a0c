//! What is wrong with a run: the one place that says so.
//!
//! The search, the minimiser, the replay, the re-check of a repair and the report all ask here, so that a run which one of them calls
//! bad is bad for all of them.

use crate::execution::{Access, End, Ending, Execution, Fault, FaultKind, SiteId, Step};
use crate::property::Property;
use crate::schedule::ThreadId;
use crate::spec::Goods;

/// Something wrong with a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A step or the suffix went wrong.
    Fault(Fault),
    /// An operation ended by an exception or panic, with this message.
    Panic(String),
    /// These threads wait, and would not if operations ran one after the other.
    Deadlock(Vec<ThreadId>),
    /// These threads go round in loops that nobody will end, and would not if operations ran one after the other.
    Livelock(Vec<ThreadId>),
    /// The property does not hold.
    Violation,
    /// Two accesses that are not ordered and not atomic, or something that is handed over without order.
    DataRace(Race),
}

/// Two things that threads do in a run and that nothing orders, though something must.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The earlier step of the run, from 0, and what races in it.
    pub first: (usize, Racer),
    /// The later step and what races in it.
    pub second: (usize, Racer),
}

/// One of the two that race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Racer {
    /// An access.
    Access(Access),
    /// All that was written before others could reach it; its site is where that was allocated, its step the one that published it.
    Unpublished(Access),
    /// The caller of an operation that adds something to the object, or of one that took it out: the one must be able to tell the other whatever belongs to it.
    HandOver(Handed),
}

/// Goods on their way through an object from one thread to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handed {
    /// The operation that adds it or takes it out.
    pub operation: u16,
    /// What is handed over.
    pub goods: Goods,
}

/// Where something that races stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RacePlace {
    /// At this place in the source.
    Site(SiteId),
    /// At the call or the return of this operation.
    Operation(u16),
}

impl Racer {
    /// The access to memory, if it is one.
    pub fn access(&self) -> Option<&Access> {
        match self {
            Self::Access(access) | Self::Unpublished(access) => Some(access),
            Self::HandOver(_) => None,
        }
    }

    fn place(&self) -> RacePlace {
        match self {
            Self::Access(access) | Self::Unpublished(access) => RacePlace::Site(access.site),
            Self::HandOver(handed) => RacePlace::Operation(handed.operation),
        }
    }
}

impl Race {
    /// The two places, sorted.
    pub fn places(&self) -> (RacePlace, RacePlace) {
        let (a, b) = (self.first.1.place(), self.second.1.place());
        (a.min(b), a.max(b))
    }

    /// Whether something is handed over that nothing orders, not an access.
    pub fn is_hand_over(&self) -> bool {
        matches!(self.second.1, Racer::HandOver(_))
    }
}

/// Whether these threads, which wait at the end of a run, would wait after some serial run, too: a `take` of an empty queue waits, and so it should.
pub type WaitsSerially<'a> = dyn FnMut(&[ThreadId]) -> bool + 'a;

impl Defect {
    /// Whether it ends the search. A data race may be meant; a bound of the machine, what it cannot run and what threads hid from it say nothing about
    /// the program.
    pub fn is_error(&self) -> bool {
        match self {
            Self::DataRace(_) => false,
            Self::Fault(fault) => !matches!(
                fault.kind,
                FaultKind::Limit | FaultKind::Unsupported | FaultKind::Hidden
            ),
            Self::Panic(_) | Self::Deadlock(_) | Self::Livelock(_) | Self::Violation => true,
        }
    }

    /// Whether it is a bound of the machine, which says nothing about the program.
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::Fault(fault) if fault.kind == FaultKind::Limit)
    }

    /// Whether memory was used, or freed, after it was freed.
    pub fn is_use_of_freed_memory(&self) -> bool {
        let Self::Fault(fault) = self else {
            return false;
        };
        matches!(fault.kind, FaultKind::UseAfterFree | FaultKind::BadFree)
    }

    /// Whether the two are of one kind: whoever looks for one has found it in the other. Threads that wait for ever may do so in loops or not; a data race
    /// is between the same two places.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Deadlock(_) | Self::Livelock(_), Self::Deadlock(_) | Self::Livelock(_)) => true,
            (Self::DataRace(a), Self::DataRace(b)) => a.places() == b.places(),
            (a, b) => {
                a.is_error() == b.is_error()
                    && std::mem::discriminant(a) == std::mem::discriminant(b)
            }
        }
    }

    /// Everything that is wrong with a run, the worst first: what the machine saw, then operations that panicked, then threads that wait for ever (whoever panicked may be why), then what the
    /// property says.
    pub fn all_in<P: Property>(
        execution: &Execution,
        property: &mut P,
        waits_serially: &mut WaitsSerially<'_>,
    ) -> Vec<Self> {
        let Execution {
            before,
            steps,
            after,
            end,
        } = execution;
        let mut defects = Self::of_course(steps.iter(), after, end, waits_serially);
        let mut watch = property.start(before);
        for step in steps {
            property.observe(&mut watch, step);
        }
        if !property.holds(&watch, end, after) {
            let limits = defects.iter().position(|defect| !defect.is_error());
            defects.insert(limits.unwrap_or(defects.len()), Self::Violation);
        }
        defects
    }

    /// What is wrong with how a run went, the worst first, whatever a property says of it: its steps, the results of its suffix, and how it ended.
    pub fn of_course<'s>(
        steps: impl DoubleEndedIterator<Item = &'s Step> + Clone,
        after: &[Ending],
        end: &End,
        waits_serially: &mut WaitsSerially<'_>,
    ) -> Vec<Self> {
        let fault = match end {
            End::Fault => steps.clone().next_back().and_then(|s| s.fault.clone()),
            End::Suffix(fault) => Some(fault.clone()),
            _ => None,
        };
        let mut defects = Vec::from_iter(fault.map(Self::Fault));
        let returned = steps.filter_map(|s| s.returned.as_ref()).map(|r| &r.1);
        let threw = returned.chain(after).find_map(|ending| match ending {
            Ending::Threw(message) => Some(Self::Panic(message.clone())),
            Ending::Returned(_) => None,
        });
        defects.extend(threw);
        match end {
            End::Deadlock(waiting) => {
                if !waits_serially(waiting) {
                    defects.push(Self::Deadlock(waiting.clone()));
                }
            }
            End::Livelock(waiting) => {
                if !waits_serially(waiting) {
                    defects.push(Self::Livelock(waiting.clone()));
                }
            }
            End::Fault
            | End::Suffix(_)
            | End::Complete
            | End::StepLimit
            | End::Cut
            | End::Covered => {}
        }
        defects.sort_by_key(|defect| !defect.is_error());
        defects
    }
}
