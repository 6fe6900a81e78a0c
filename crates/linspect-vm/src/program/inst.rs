//! The instructions of a decoded program.
//!
//! Operands name the first slot of a run (see the parent module). Scalars of up to 64 bits arrive zero-extended and must leave
//! zero-extended; the interpreter masks results to `bits`.

use super::intrinsic::Intrinsic;
use super::operator::{
    AtomicOp, Compare, ExtendedOp, Failing, FloatCompare, FloatKind, FloatOp, IntCast, IntOp,
    MemoryOrder,
};
use super::{EdgeId, FunctionId, GlobalId, LayoutId, Operand, Reg, StrId};
use serde::{Deserialize, Serialize};

/// One instruction. Scalar: vectors are unrolled by the decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Inst {
    /// `dst = a op b` on integers of `bits` 1..=64; one slot each.
    Int {
        /// What to compute.
        op: IntOp,
        /// Width.
        bits: u8,
        /// Result.
        dst: Reg,
        /// Left.
        a: Operand,
        /// Right.
        b: Operand,
    },
    /// `dst = a op b` on integers of `bits` 65..=128; two slots each (shift amounts too).
    Wide {
        /// What to compute.
        op: IntOp,
        /// Width.
        bits: u8,
        /// Result.
        dst: Reg,
        /// Left.
        a: Operand,
        /// Right.
        b: Operand,
    },
    /// `dst = a cmp b` as 0 or 1, on integers of `bits` 1..=128 (pointers: 64).
    Compare {
        /// The predicate.
        op: Compare,
        /// Width of the operands.
        bits: u8,
        /// Result, one slot.
        dst: Reg,
        /// Left.
        a: Operand,
        /// Right.
        b: Operand,
    },
    /// `trunc`, `zext`, `sext`; widths 1..=128. `ptrtoint` and `inttoptr` are casts from and to 64 bits, or copies.
    Cast {
        /// How.
        op: IntCast,
        /// Source width.
        from: u8,
        /// Result width.
        to: u8,
        /// Result.
        dst: Reg,
        /// Source.
        a: Operand,
    },
    /// `dst = a op b` on floats; one slot each.
    Float {
        /// What to compute.
        op: FloatOp,
        /// Format.
        kind: FloatKind,
        /// Result.
        dst: Reg,
        /// Left.
        a: Operand,
        /// Right.
        b: Operand,
    },
    /// `fneg`.
    FloatNeg {
        /// Format.
        kind: FloatKind,
        /// Result.
        dst: Reg,
        /// Source.
        a: Operand,
    },
    /// `fcmp`.
    FloatCompare {
        /// The predicate.
        op: FloatCompare,
        /// Format of the operands.
        kind: FloatKind,
        /// Result, 0 or 1.
        dst: Reg,
        /// Left.
        a: Operand,
        /// Right.
        b: Operand,
    },
    /// `fptrunc`, `fpext`: between formats.
    FloatCast {
        /// Source format.
        from: FloatKind,
        /// Result format.
        to: FloatKind,
        /// Result.
        dst: Reg,
        /// Source.
        a: Operand,
    },
    /// `fptosi`, `fptoui` (out of range: saturates, NaN: 0; so also `llvm.fpto*i.sat`).
    FloatToInt {
        /// Whether the integer is signed.
        signed: bool,
        /// Source format.
        from: FloatKind,
        /// Result width, 1..=128.
        bits: u8,
        /// Result.
        dst: Reg,
        /// Source.
        a: Operand,
    },
    /// `sitofp`, `uitofp`.
    IntToFloat {
        /// Whether the integer is signed.
        signed: bool,
        /// Source width, 1..=128.
        bits: u8,
        /// Result format.
        to: FloatKind,
        /// Result.
        dst: Reg,
        /// Source.
        a: Operand,
    },
    /// `dst = a op b` on `long double`.
    Extended {
        /// What to compute.
        op: ExtendedOp,
        /// Result.
        dst: Reg,
        /// Left.
        a: Operand,
        /// Right; the same as the left where there is none.
        b: Operand,
    },
    /// `dst[0..count] = src[0..count]`: bitcasts between equal layouts, `freeze`, `extractvalue`, `insertvalue`, shuffles, elements.
    /// Source and destination runs may overlap (all sources are read first).
    Copy {
        /// Result.
        dst: Reg,
        /// Source.
        src: Operand,
        /// Slots.
        count: u32,
    },
    /// `dst = cond ? a : b`, `count` slots, with a scalar condition.
    Select {
        /// Result.
        dst: Reg,
        /// Condition, 0 or 1.
        cond: Operand,
        /// If 1.
        a: Operand,
        /// If 0.
        b: Operand,
        /// Slots.
        count: u32,
    },
    /// `dst = src[index * stride ..][.. stride]`: `extractelement` with a run-time index (out of range: 0).
    Extract {
        /// Result, `stride` slots.
        dst: Reg,
        /// First slot of the vector.
        src: Operand,
        /// Lane.
        index: Operand,
        /// Lanes of the vector.
        lanes: u16,
        /// Slots per lane, 1 or 2.
        stride: u8,
    },
    /// `dst[index * stride ..][.. stride] = value`: `insertelement` with a run-time index. Copy the vector to `dst` first.
    Insert {
        /// First slot of the vector that is changed.
        dst: Reg,
        /// The element.
        value: Operand,
        /// Lane.
        index: Operand,
        /// Lanes of the vector.
        lanes: u16,
        /// Slots per lane, 1 or 2.
        stride: u8,
    },
    /// The bits of `src` (laid out as lanes of `from` bits, lowest first, bit-packed) read again as lanes of `to` bits: bitcasts
    /// such as `<16 x i1>` to `i16` or `<2 x i64>` to `<16 x i8>`. `from * from_lanes` = `to * to_lanes`. Lanes of more than 64 bits take two slots.
    Repack {
        /// Result.
        dst: Reg,
        /// Source.
        src: Operand,
        /// Bits per source lane.
        from: u8,
        /// Source lanes.
        from_lanes: u16,
        /// Bits per result lane.
        to: u8,
        /// Result lanes.
        to_lanes: u16,
    },
    /// `dst = base + offset` bytes: `getelementptr` with constant indices.
    Offset {
        /// Result.
        dst: Reg,
        /// Pointer.
        base: Operand,
        /// Bytes.
        offset: i64,
    },
    /// `dst = base + sext(index) * scale` bytes: one run-time index of a `getelementptr`.
    Index {
        /// Result.
        dst: Reg,
        /// Pointer.
        base: Operand,
        /// Index, signed.
        index: Operand,
        /// Width of the index, 1..=64.
        bits: u8,
        /// Bytes per element.
        scale: u32,
    },
    /// Stack memory of `size * count` bytes, freed when the function returns. Each execution makes a new one.
    Alloca {
        /// Its address.
        dst: Reg,
        /// Bytes per element.
        size: u32,
        /// Elements; almost always the constant 1.
        count: Operand,
        /// log2 of the alignment.
        align_log2: u8,
        /// The variable's name, or the empty string.
        name: StrId,
    },
    /// The address of a thread-local global in the running thread (also `llvm.threadlocal.address`).
    TlsAddress {
        /// Result.
        dst: Reg,
        /// A global with `thread_local`.
        global: GlobalId,
    },
    /// A scalar load of `bits` 1..=128 (`ceil(bits / 8)` bytes).
    Load {
        /// Result.
        dst: Reg,
        /// Address.
        addr: Operand,
        /// Width.
        bits: u8,
        /// `Plain` if not atomic.
        order: MemoryOrder,
        /// Whether the source says `volatile`.
        volatile: bool,
    },
    /// A load of an aggregate or a vector: one access, several slots.
    LoadRun {
        /// Result.
        dst: Reg,
        /// Address.
        addr: Operand,
        /// What lies there.
        layout: LayoutId,
    },
    /// A scalar store of `bits` 1..=128.
    Store {
        /// Address.
        addr: Operand,
        /// What.
        value: Operand,
        /// Width.
        bits: u8,
        /// `Plain` if not atomic.
        order: MemoryOrder,
        /// Whether the source says `volatile`.
        volatile: bool,
    },
    /// A store of an aggregate or a vector: one access, several slots.
    StoreRun {
        /// Address.
        addr: Operand,
        /// What.
        value: Operand,
        /// How it lies there.
        layout: LayoutId,
    },
    /// `cmpxchg`: `dst` gets the old value (1 or 2 slots), the slot after it 1 iff it was exchanged.
    CompareExchange {
        /// Result: old value, then success.
        dst: Reg,
        /// Address.
        addr: Operand,
        /// Compared with.
        expected: Operand,
        /// Stored if equal.
        new: Operand,
        /// Width, 1..=128.
        bits: u8,
        /// Ordering on success.
        success: MemoryOrder,
        /// Ordering on failure.
        failure: MemoryOrder,
        /// Whether it can fail.
        failing: Failing,
    },
    /// `atomicrmw`: `dst` gets the old value.
    AtomicUpdate {
        /// What is stored.
        op: AtomicOp,
        /// The old value.
        dst: Reg,
        /// Address.
        addr: Operand,
        /// The operand.
        value: Operand,
        /// Width, 1..=128.
        bits: u8,
        /// Ordering.
        order: MemoryOrder,
        /// Whether nobody uses the old value.
        discards: bool,
    },
    /// `fence`.
    Fence {
        /// Ordering.
        order: MemoryOrder,
        /// Whether it only binds the compiler (`syncscope("singlethread")`).
        compiler_only: bool,
    },
    /// `llvm.memcpy`, `llvm.memmove` and their inline forms.
    MemCopy {
        /// To.
        dst: Operand,
        /// From.
        src: Operand,
        /// Bytes, zero-extended.
        len: Operand,
        /// Whether the two may overlap (memmove).
        may_overlap: bool,
    },
    /// `llvm.memset`.
    MemSet {
        /// To.
        dst: Operand,
        /// The byte.
        byte: Operand,
        /// Bytes, zero-extended.
        len: Operand,
    },
    /// Another intrinsic on scalars. Arguments are `arguments[args..]`, as many slots as the intrinsic takes.
    Intrinsic {
        /// Which.
        op: Intrinsic,
        /// Width of its integer, 1..=128; 32 or 64 for floats; 0 if it has none.
        bits: u8,
        /// Result.
        dst: Reg,
        /// First argument slot in [`super::Function::arguments`].
        args: u32,
    },
    /// A direct call or invoke. An invoke is followed by a `Jump` to its normal destination.
    Call {
        /// Who.
        callee: FunctionId,
        /// First argument slot in [`super::Function::arguments`].
        args: u32,
        /// Argument slots, variadic ones included (a variadic argument takes its slots as usual).
        count: u16,
        /// First slot of the result; meaningless if there is none.
        dst: Reg,
        /// To the landing pad, or [`super::NO_EDGE`]: the exception goes on to the caller.
        unwind: EdgeId,
    },
    /// A call through a pointer.
    CallIndirect {
        /// Address of the function.
        callee: Operand,
        /// First argument slot in [`super::Function::arguments`].
        args: u32,
        /// Argument slots.
        count: u16,
        /// First slot of the result.
        dst: Reg,
        /// To the landing pad, or [`super::NO_EDGE`].
        unwind: EdgeId,
    },
    /// First instruction of a landing pad's block: `dst` gets the exception (pointer) and the selector.
    LandingPad {
        /// Two slots.
        dst: Reg,
        /// Index into [`super::Function::landing_pads`].
        pad: u32,
    },
    /// Goes on unwinding.
    Resume {
        /// The two slots of the landing pad.
        value: Operand,
    },
    /// `br` without condition.
    Jump {
        /// Where to.
        edge: EdgeId,
    },
    /// `br` with condition.
    Branch {
        /// 0 or 1.
        cond: Operand,
        /// If 1.
        then: EdgeId,
        /// If 0.
        otherwise: EdgeId,
    },
    /// `switch` on `bits` 1..=128.
    Switch {
        /// On what.
        value: Operand,
        /// Width.
        bits: u8,
        /// Index into [`super::Function::switches`].
        table: u32,
    },
    /// `ret`.
    Return {
        /// First slot; meaningless if `count` is 0.
        value: Operand,
        /// Slots.
        count: u32,
    },
    /// `unreachable`, `llvm.trap`, `llvm.debugtrap`: getting here is a fault.
    Unreachable {
        /// Whether it is a trap, rather than a promise of the compiler.
        trap: bool,
    },
    /// Something that cannot be run. The text names it.
    Unsupported {
        /// What, in words.
        what: StrId,
    },
}
