//! What a check says about one history, and how it knows.

use crate::history::OpId;
use crate::value::Value;
use std::fmt;

/// Which correctness condition is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Criterion {
    /// Linearizability (Herlihy and Wing 1990).
    Linearizable,
    /// Causal k-quasi-linearizability: an element is overtaken at most `k` times and overtakes at most `k`.
    Quasi {
        /// The relaxation; 0 is linearizability.
        k: u32,
    },
    /// Quasi-linearizability to the letter of Round-Up's Definition 4.
    QuasiLiteral {
        /// The quasi factor.
        k: u32,
    },
    /// Only restriction 1 of Definition 4: who overtakes is bounded, who is overtaken is not.
    QuasiRestriction1 {
        /// The quasi factor.
        k: u32,
    },
    /// Sequential consistency: only the order within each process counts.
    Sequential,
    /// Quiescent consistency: only operations separated by a moment without any operation are ordered.
    Quiescent,
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linearizable => f.write_str("linearizability"),
            Self::Quasi { k } => write!(f, "{k}-quasi-linearizability"),
            Self::QuasiLiteral { k } => write!(f, "literal {k}-quasi-linearizability"),
            Self::QuasiRestriction1 { k } => {
                write!(f, "{k}-quasi-linearizability, restriction 1 only")
            }
            Self::Sequential => f.write_str("sequential consistency"),
            Self::Quiescent => f.write_str("quiescent consistency"),
        }
    }
}

/// The answer for one history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The criterion holds; one order of effects that shows it, where the decider made one.
    Holds(Option<Vec<Placed>>),
    /// It does not, and this is why.
    Violated(Box<Evidence>),
    /// Nobody knows: the check stopped first.
    Unknown(Limit),
}

/// Why a check stopped without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Limit {
    /// Time ran out.
    #[error("the time limit was reached")]
    Time,
    /// Memory ran out.
    #[error("the memory limit was reached")]
    Memory,
    /// Somebody asked to stop.
    #[error("it was interrupted")]
    Interrupted,
}

/// One operation in an order of effects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Which operation.
    pub operation: OpId,
    /// The specification's state after it, as text.
    pub state: String,
}

/// Why a history violates its criterion. Operation ids refer to the history that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The independent part that fails, such as the key of a map.
    pub part: Option<Value>,
    /// What went wrong in one sentence, true of the whole history, and the operations that it speaks of; all are in `core`.
    pub headline: Option<Because>,
    /// A small failing sub-history, sorted by call. By itself it violates the criterion, and in the whole history it does
    /// so whichever of the other operations took effect while they ran; except where all that happened before matters, as
    /// with a counter: then `core` is the end of it, and `because` says from which states.
    pub core: Vec<OpId>,
    /// Whether it was found out that without any one operation of `core` the others satisfy the criterion.
    pub core_is_minimal: bool,
    /// The operation whose return could not be explained: the shortest failing prefix of the core ends with its return.
    pub refused: OpId,
    /// A longest order of effects of operations of the core that the specification allows.
    pub partial: Vec<Placed>,
    /// What `refused` could return in states that are reached with operations of the core.
    pub allowed: Vec<Allowed>,
    /// Every result with which `refused` would let the whole part satisfy the criterion, ascending; nothing if that was not
    /// found out.
    pub instead: Option<Vec<Value>>,
    /// The argument in plain words, one line each, in reading order.
    pub because: Vec<Because>,
    /// Which decider said no.
    pub decider: Decider,
}

/// What a call may return from one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// The state, as text.
    pub state: String,
    /// The results possible there; empty: the call is not possible there at all.
    pub results: Vec<Value>,
}

/// One line of the argument, and the operations that it speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Because {
    /// The line.
    pub text: String,
    /// What it speaks of, in the order of the text.
    pub operations: Vec<OpId>,
}

/// The algorithms that decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Decider {
    /// Zones of written values (Gibbons and Korach).
    RegisterZones,
    /// Bad patterns of queues.
    QueuePatterns,
    /// Bad patterns of pools.
    PoolPatterns,
    /// Critical intervals of stacks.
    StackIntervals,
    /// Critical values of priority queues.
    PrioritySweep,
    /// One insert and one remove per set element.
    SetElement,
    /// Reads of a whole set that only grows.
    SetReads,
    /// Just-in-time search (Lowe).
    Search,
    /// Lock-step search for Definition 4 of Round-Up.
    QuasiSearch,
}

impl fmt::Display for Decider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RegisterZones => "register zones",
            Self::QueuePatterns => "queue patterns",
            Self::PoolPatterns => "pool patterns",
            Self::StackIntervals => "stack intervals",
            Self::PrioritySweep => "priority sweep",
            Self::SetElement => "set element",
            Self::SetReads => "set reads",
            Self::Search => "search",
            Self::QuasiSearch => "quasi search",
        })
    }
}
