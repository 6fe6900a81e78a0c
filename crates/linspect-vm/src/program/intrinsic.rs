//! The intrinsics of a decoded program.

use serde::{Deserialize, Serialize};

/// Intrinsics that are no instruction of their own. `n` is a slot run of the intrinsic's width (two slots over 64 bits).
///
/// Dropped by the decoder, not listed: `llvm.dbg.*`, `lifetime.*`, `assume`, `donothing`, `invariant.*`, `prefetch`, `experimental.noalias.scope.decl`.
/// Folded by it: `expect*`, `launder.invariant.group`, `strip.invariant.group`, `ptr.annotation`, `threadlocal.address`, `is.constant` (0),
/// `objectsize` (−1 or 0), `stacksave`/`stackrestore` (0), `vector.reduce.*` (unrolled), `ptrmask` (`And`), empty inline assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Intrinsic {
    /// `(n) → n`.
    Abs,
    /// `(n, n) → n`.
    SMax,
    /// `(n, n) → n`.
    SMin,
    /// `(n, n) → n`.
    UMax,
    /// `(n, n) → n`.
    UMin,
    /// `llvm.scmp`: `(n, n) → i32`, of which the decoder truncates if needed: result −1, 0, 1 in 64 bits.
    SCmp,
    /// `llvm.ucmp`: as `SCmp`.
    UCmp,
    /// `(n, n) → {n, i1}`.
    SAddOverflow,
    /// `(n, n) → {n, i1}`.
    UAddOverflow,
    /// `(n, n) → {n, i1}`.
    SSubOverflow,
    /// `(n, n) → {n, i1}`.
    USubOverflow,
    /// `(n, n) → {n, i1}`.
    SMulOverflow,
    /// `(n, n) → {n, i1}`.
    UMulOverflow,
    /// `(n, n) → n`.
    SAddSat,
    /// `(n, n) → n`.
    UAddSat,
    /// `(n, n) → n`.
    SSubSat,
    /// `(n, n) → n`.
    USubSat,
    /// `(n, n) → n`.
    SShlSat,
    /// `(n, n) → n`.
    UShlSat,
    /// `(n) → n`; of 0: the width.
    CountLeadingZeros,
    /// `(n) → n`; of 0: the width.
    CountTrailingZeros,
    /// `(n) → n`.
    CountOnes,
    /// `(n) → n`.
    ByteSwap,
    /// `(n) → n`.
    BitReverse,
    /// `(n, n, n) → n`.
    FunnelShiftLeft,
    /// `(n, n, n) → n`.
    FunnelShiftRight,
    /// `(f) → f`.
    FloatAbs,
    /// `(f) → f`.
    Sqrt,
    /// `(f) → f`.
    Floor,
    /// `(f) → f`.
    Ceil,
    /// `(f) → f`.
    TruncFloat,
    /// `(f) → f`: `round`, half away from zero.
    Round,
    /// `(f) → f`: `rint`, `nearbyint`, `roundeven`.
    RoundEven,
    /// `(f, f) → f`: `minnum`, `minimumnum`.
    FloatMin,
    /// `(f, f) → f`: `maxnum`, `maximumnum`.
    FloatMax,
    /// `(f, f) → f`.
    CopySign,
    /// `(f, f, f) → f`: `fma`, `fmuladd`.
    FusedMulAdd,
    /// `(f, f) → f`.
    Pow,
    /// `(f, i32) → f`.
    PowI,
    /// `(f) → f`.
    Exp,
    /// `(f) → f`.
    Exp2,
    /// `(f) → f`.
    Log,
    /// `(f) → f`.
    Log2,
    /// `(f) → f`.
    Log10,
    /// `(f) → f`.
    Sin,
    /// `(f) → f`.
    Cos,
    /// `llvm.is.fpclass`: `(f, i32 mask) → i1`.
    IsFpClass,
    /// `x86.sse2.pause`, `aarch64.isb` and other spin hints: `() → ()`. A scheduling point that changes nothing.
    SpinHint,
    /// `llvm.va_start(ptr)`.
    VaStart,
    /// `llvm.va_end(ptr)`.
    VaEnd,
    /// `llvm.va_copy(ptr to, ptr from)`.
    VaCopy,
    /// `llvm.eh.typeid.for(ptr) → i32`.
    TypeIdFor,
    /// `llvm.returnaddress(i32) → ptr`: always null.
    ReturnAddress,
    /// `llvm.frameaddress(i32) → ptr`: always null.
    FrameAddress,
    /// `llvm.readcyclecounter() → i64`: the machine's deterministic clock.
    CycleCounter,
}
