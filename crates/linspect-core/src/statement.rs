//! A run statement by statement, with values: what an explanation reads.
//!
//! A machine records one [`Statement`] per instruction that computes or moves a value, in the order of the schedule. Every address is
//! concrete in a recorded run, so each accessed piece of memory is a variable of its own.
//!
//! Compound instructions are spelled out. A compare-exchange is `old := cell`, `ok := old = expected`, the condition `ok`, and in its
//! scope `cell := new`; acquiring a lock is the condition `lock = 0` and `lock := thread`. What belongs to one step of the execution carries its
//! number, so nothing can come between.

use crate::execution::{Activation, Location, SiteId};
use crate::machine::StartError;
use crate::schedule::ThreadId;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// A variable of a recorded run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// A register of one activation of a function.
    Register {
        /// The activation, counted over the run.
        frame: u32,
        /// The register.
        slot: u32,
    },
    /// A piece of memory.
    Cell(Location),
}

/// What a statement reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A constant, sign-extended.
    Constant(i64),
    /// A variable.
    Variable(Variable),
}

/// How a value is computed from the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The operand itself: a load, a store, a phi, a parameter. A second operand is the pointer that an access to memory goes through.
    Copy,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// 1 if the relation holds between the two operands, else 0.
    Compare(Relation),
    /// The same for two addresses, whose order means nothing to a reader.
    CompareAddresses(Relation),
    /// The second operand if the first is not 0, else the third.
    Select,
    /// The low bits of the operand.
    Truncate,
    /// The operand, of this many bits, with zeros in front.
    ZeroExtend(u8),
    /// The operand, of this many bits, with its sign in front.
    SignExtend(u8),
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Some other function of the operands: division, shifts, floating point.
    Function,
    /// Nothing in the run explains it: the result of an external call, an allocation, a clock.
    Input,
}

/// A relation between two whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// Equal.
    Eq,
    /// Different.
    Ne,
    /// Signed less.
    Lt,
    /// Signed less or equal.
    Le,
    /// Signed greater.
    Gt,
    /// Signed greater or equal.
    Ge,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Unsigned greater.
    Ugt,
    /// Unsigned greater or equal.
    Uge,
}

impl Relation {
    /// Whether it holds between `a` and `b`, both sign-extended from the same width.
    pub fn holds(self, a: i64, b: i64) -> bool {
        // Sign extension keeps the unsigned order of equally wide numbers.
        let (u, v) = (a.cast_unsigned(), b.cast_unsigned());
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Lt => a < b,
            Self::Le => a <= b,
            Self::Gt => a > b,
            Self::Ge => a >= b,
            Self::Ult => u < v,
            Self::Ule => u <= v,
            Self::Ugt => u > v,
            Self::Uge => u >= v,
        }
    }

    /// The relation that holds iff this one does not.
    pub fn negated(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Lt => Self::Ge,
            Self::Ge => Self::Lt,
            Self::Gt => Self::Le,
            Self::Le => Self::Gt,
            Self::Ult => Self::Uge,
            Self::Uge => Self::Ult,
            Self::Ugt => Self::Ule,
            Self::Ule => Self::Ugt,
        }
    }
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Gives `target` a value.
    Assign {
        /// What changes.
        target: Variable,
        /// How the value is computed.
        rule: Rule,
        /// From what.
        operands: SmallVec<[Operand; 2]>,
        /// Bits of the result; for a comparison, of its operands.
        width: u8,
        /// The value in this run, sign-extended.
        value: i64,
    },
    /// A branch, or a lock being free: the run went on because the operand was (not) 0.
    Condition {
        /// What was tested.
        operand: Operand,
        /// Whether it was different from 0.
        holds: bool,
    },
}

/// One statement of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Who executed it.
    pub thread: ThreadId,
    /// The step of the execution that it belongs to.
    pub step: u32,
    /// Where it stands.
    pub site: SiteId,
    /// Whether it is code of a library, inlined or called, at that place.
    pub library: bool,
    /// The innermost condition (its index in the recording) that decided that it was executed at all.
    pub scope: Option<u32>,
    /// What it does.
    pub effect: Effect,
}

/// What should have held at the end of a recording and did not: one of the alternatives, each a conjunction.
///
/// An assertion `c` is `[[(c, Ne, 0)]]`. For a history the alternatives are the allowed combinations of results.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Claim {
    /// The alternatives.
    pub any_of: Vec<Vec<(Operand, Relation, i64)>>,
}

/// A recorded run that violates a claim.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The statements, in the order of execution.
    pub statements: Vec<Statement>,
    /// What they violate, evaluated after the last one.
    pub claim: Claim,
    /// Values of memory and registers from before the recording: all that is read before it is assigned.
    pub initial: FxHashMap<Variable, i64>,
    /// Names of variables, where debug information gives one.
    pub names: FxHashMap<Variable, Arc<str>>,
    /// What the operations of a client returned, in the order of their returns.
    pub results: Vec<Returned>,
}

/// What an operation of a recorded client returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// Which operation; those of the sequential suffix belong to the thread [`ThreadId::MAX`].
    pub operation: Activation,
    /// One operand for each of the [`parts`] of the result.
    pub parts: Vec<Operand>,
}

/// A value as numbers, one per item, so that results can be spoken of in a [`Claim`].
pub fn parts(value: &Value) -> Vec<i64> {
    match value {
        Value::List(items) => items.iter().flat_map(parts).collect(),
        Value::Int(n) => vec![*n],
        Value::Bool(b) => vec![i64::from(*b)],
        Value::Nil => vec![NIL],
        Value::Unit => Vec::new(),
        Value::Text(text) => vec![digest(text)],
    }
}

/// The part that stands for nothing.
pub const NIL: i64 = i64::MIN;

/// A number for a text (FNV-1a): texts are only compared.
fn digest(text: &str) -> i64 {
    let step = |h: u64, b: u8| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step).cast_signed()
}

/// Why a run could not be recorded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The machine has no statements to record.
    #[error("this machine does not record statements")]
    Unsupported,
    /// The run did not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The schedule is not one of this program.
    #[error(
        "step {step} of the schedule is not possible: the program is another one; test it again for a new schedule"
    )]
    Diverged {
        /// The first step that is not possible.
        step: usize,
    },
}
