//! What the instructions of a decoded program compute, compare and order.

use serde::{Deserialize, Serialize};

/// Integer arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as LLVM names them")]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// Predicates of `icmp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as LLVM names them")]
pub enum Compare {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// Changes of an integer's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as LLVM names them")]
pub enum IntCast {
    Trunc,
    ZExt,
    SExt,
}

/// Float arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as LLVM names them")]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// Float formats. Others are [`super::Inst::Unsupported`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FloatKind {
    /// `float`: 32 bits.
    F32,
    /// `double`: 64 bits.
    F64,
}

/// Predicates of `fcmp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as LLVM names them")]
pub enum FloatCompare {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Uno,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    True,
}

/// Arithmetic and conversions of x86-64's `long double`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExtendedOp {
    /// `fadd`.
    Add,
    /// `fsub`.
    Sub,
    /// `fmul`.
    Mul,
    /// `fdiv`.
    Div,
    /// `frem`.
    Rem,
    /// `fneg`, of the left operand.
    Neg,
    /// `fabs`, of the left operand.
    Abs,
    /// The left operand with the sign of the right one.
    CopySign,
    /// The smaller one; the other one if one is no number.
    Min,
    /// The larger one; the other one if one is no number.
    Max,
    /// `floor`, of the left operand.
    Floor,
    /// `ceil`, of the left operand.
    Ceil,
    /// `trunc`, of the left operand.
    Trunc,
    /// `round`, of the left operand: halves away from zero.
    Round,
    /// `rint`, of the left operand: halves to the even number.
    RoundEven,
    /// `fcmp`.
    Compare(FloatCompare),
    /// `fpext` from this format, of the left operand.
    FromFloat(FloatKind),
    /// `fptrunc` to this format, of the left operand.
    ToFloat(FloatKind),
    /// `sitofp`, `uitofp`, of the left operand.
    FromInt {
        /// Whether the integer is signed.
        signed: bool,
        /// Its width, 1..=128.
        bits: u8,
    },
    /// `fptosi`, `fptoui`, of the left operand; out of range it saturates.
    ToInt {
        /// Whether the integer is signed.
        signed: bool,
        /// Its width, 1..=128.
        bits: u8,
    },
}

impl ExtendedOp {
    /// How many slots the left operand has; the right one, which only some look at, has two.
    pub fn left_slots(self) -> u32 {
        match self {
            Self::FromFloat(_) => 1,
            Self::FromInt { bits, .. } => 1 + u32::from(bits > 64),
            _ => 2,
        }
    }

    /// How many slots the result has.
    pub fn result_slots(self) -> u32 {
        match self {
            Self::Compare(_) | Self::ToFloat(_) => 1,
            Self::ToInt { bits, .. } => 1 + u32::from(bits > 64),
            _ => 2,
        }
    }
}

/// What an `atomicrmw` stores, from the old value and its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as LLVM names them")]
pub enum AtomicOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin,
    UIncWrap,
    UDecWrap,
    USubCond,
    USubSat,
}

/// A memory ordering in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemoryOrder {
    /// Not atomic.
    Plain,
    /// `unordered` and `monotonic`.
    Relaxed,
    /// `acquire`.
    Acquire,
    /// `release`.
    Release,
    /// `acq_rel`.
    AcqRel,
    /// `seq_cst`.
    SeqCst,
}

/// When a compare-exchange fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failing {
    /// If it finds another value.
    Strong,
    /// At any time, without a reason.
    Weak,
    /// Never: it takes a lock, and who fails to would only wait for it.
    Waits(LockWord),
}

/// How a word says that a lock is free, and how it is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LockWord {
    /// It is 0, and gets another value.
    Zero,
    /// The lowest bit of its one byte is 0, and is set. The other bits say who waits.
    LowBit,
    /// The lower 30 bits count its readers, and are all set to take it. A writer that finds readers sets the highest one.
    ReadWrite,
    /// It is the word of a one-time initialisation, whose function is behind a gate of its own; from here on it runs.
    Once,
}
