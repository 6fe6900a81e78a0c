//! Intrinsics: those that are instructions of the machine, those that fold away, those that unroll.

use super::arithmetic::{float_lanes, width};
use super::function::FunctionDecoder;
use super::shape::{Scalar, lanes};
use crate::llvm::opcode::{TypeKind, ValueKind};
use crate::llvm::value::Value;
use crate::program::{
    Compare, ExtendedOp, FloatOp, Inst, IntCast, IntOp, Intrinsic, MemoryOrder, Operand, Reg,
};

/// Intrinsics that say something to the compiler only.
const DROPPED: [&str; 15] = [
    "dbg.",
    "lifetime.",
    "assume",
    "donothing",
    "invariant.start",
    "invariant.end",
    "prefetch",
    "experimental.noalias.scope.decl",
    "sideeffect",
    "var.annotation",
    "pseudoprobe",
    "fake.use",
    "stackrestore",
    "instrprof",
    "x86.sse2.clflush",
];

/// Intrinsics that give back their first argument.
const IDENTITY: [&str; 9] = [
    "expect",
    "launder.invariant.group",
    "strip.invariant.group",
    "ptr.annotation",
    "annotation",
    "ssa.copy",
    "arithmetic.fence",
    "preserve.",
    // The argument is a thread-local, so its address is computed here.
    "threadlocal.address",
];

/// One intrinsic on scalars, lane by lane: name, operation, how many of its arguments count.
const ELEMENTWISE: [(&str, Intrinsic, u32); 43] = [
    ("abs", Intrinsic::Abs, 1),
    ("smax", Intrinsic::SMax, 2),
    ("smin", Intrinsic::SMin, 2),
    ("umax", Intrinsic::UMax, 2),
    ("umin", Intrinsic::UMin, 2),
    ("sadd.sat", Intrinsic::SAddSat, 2),
    ("uadd.sat", Intrinsic::UAddSat, 2),
    ("ssub.sat", Intrinsic::SSubSat, 2),
    ("usub.sat", Intrinsic::USubSat, 2),
    ("sshl.sat", Intrinsic::SShlSat, 2),
    ("ushl.sat", Intrinsic::UShlSat, 2),
    ("ctlz", Intrinsic::CountLeadingZeros, 1),
    ("cttz", Intrinsic::CountTrailingZeros, 1),
    ("ctpop", Intrinsic::CountOnes, 1),
    ("bswap", Intrinsic::ByteSwap, 1),
    ("bitreverse", Intrinsic::BitReverse, 1),
    ("fshl", Intrinsic::FunnelShiftLeft, 3),
    ("fshr", Intrinsic::FunnelShiftRight, 3),
    ("fabs", Intrinsic::FloatAbs, 1),
    ("sqrt", Intrinsic::Sqrt, 1),
    ("floor", Intrinsic::Floor, 1),
    ("ceil", Intrinsic::Ceil, 1),
    ("trunc", Intrinsic::TruncFloat, 1),
    ("round", Intrinsic::Round, 1),
    ("roundeven", Intrinsic::RoundEven, 1),
    ("rint", Intrinsic::RoundEven, 1),
    ("nearbyint", Intrinsic::RoundEven, 1),
    ("minnum", Intrinsic::FloatMin, 2),
    ("minimumnum", Intrinsic::FloatMin, 2),
    ("maxnum", Intrinsic::FloatMax, 2),
    ("maximumnum", Intrinsic::FloatMax, 2),
    ("copysign", Intrinsic::CopySign, 2),
    ("fma", Intrinsic::FusedMulAdd, 3),
    ("pow", Intrinsic::Pow, 2),
    ("powi", Intrinsic::PowI, 2),
    ("exp", Intrinsic::Exp, 1),
    ("exp2", Intrinsic::Exp2, 1),
    ("log", Intrinsic::Log, 1),
    ("log2", Intrinsic::Log2, 1),
    ("log10", Intrinsic::Log10, 1),
    ("sin", Intrinsic::Sin, 1),
    ("cos", Intrinsic::Cos, 1),
    ("is.fpclass", Intrinsic::IsFpClass, 2),
];

const OVERFLOW: [(&str, Intrinsic); 6] = [
    ("sadd.with.overflow", Intrinsic::SAddOverflow),
    ("uadd.with.overflow", Intrinsic::UAddOverflow),
    ("ssub.with.overflow", Intrinsic::SSubOverflow),
    ("usub.with.overflow", Intrinsic::USubOverflow),
    ("smul.with.overflow", Intrinsic::SMulOverflow),
    ("umul.with.overflow", Intrinsic::UMulOverflow),
];

/// Intrinsics without lanes: name, operation, how many arguments count.
const PLAIN: [(&str, Intrinsic, usize); 12] = [
    ("x86.sse2.pause", Intrinsic::SpinHint, 0),
    ("aarch64.isb", Intrinsic::SpinHint, 0),
    ("aarch64.hint", Intrinsic::SpinHint, 0),
    ("va_start", Intrinsic::VaStart, 1),
    ("va_end", Intrinsic::VaEnd, 1),
    ("va_copy", Intrinsic::VaCopy, 2),
    ("eh.typeid.for", Intrinsic::TypeIdFor, 1),
    ("returnaddress", Intrinsic::ReturnAddress, 1),
    ("frameaddress", Intrinsic::FrameAddress, 1),
    ("readcyclecounter", Intrinsic::CycleCounter, 0),
    ("readsteadycounter", Intrinsic::CycleCounter, 0),
    ("x86.rdtsc", Intrinsic::CycleCounter, 0),
];

/// Fences of x86 by name, for what assembly of the same name is one.
const FENCES: [(&str, MemoryOrder); 3] = [
    ("x86.sse2.mfence", MemoryOrder::SeqCst),
    ("x86.sse2.lfence", MemoryOrder::Acquire),
    ("x86.sse.sfence", MemoryOrder::Release),
];

/// Those on `long double`.
const EXTENDED: [(&str, ExtendedOp); 13] = [
    ("fabs", ExtendedOp::Abs),
    ("copysign", ExtendedOp::CopySign),
    ("minnum", ExtendedOp::Min),
    ("maxnum", ExtendedOp::Max),
    ("minimumnum", ExtendedOp::Min),
    ("maximumnum", ExtendedOp::Max),
    ("floor", ExtendedOp::Floor),
    ("ceil", ExtendedOp::Ceil),
    ("trunc", ExtendedOp::Trunc),
    ("round", ExtendedOp::Round),
    ("rint", ExtendedOp::RoundEven),
    ("nearbyint", ExtendedOp::RoundEven),
    ("roundeven", ExtendedOp::RoundEven),
];

/// Whether `name` is the intrinsic `base`, with or without type suffixes: `ctlz.i64` is `ctlz`, `round.f64` is not `roundeven`.
fn is(name: &str, base: &str) -> bool {
    name.strip_prefix(base)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl<'m> FunctionDecoder<'_, 'm> {
    /// Decodes a call of the intrinsic `symbol`.
    pub(super) fn intrinsic(&mut self, i: Value<'m>, symbol: &str, dst: Reg) {
        let name = symbol.strip_prefix("llvm.").unwrap_or(symbol);
        if DROPPED.iter().any(|d| name.starts_with(d)) {
            return;
        }
        let done = self
            .memory_intrinsic(i, name)
            .or_else(|| self.folded(i, name, dst))
            .or_else(|| self.extended_intrinsic(i, name, dst))
            .or_else(|| self.elementwise(i, name, dst))
            .or_else(|| self.multiply_add(i, name, dst))
            .or_else(|| self.overflow(i, name, dst))
            .or_else(|| self.three_way(i, name, dst))
            .or_else(|| self.saturating_cast(i, name, dst))
            .or_else(|| self.reduce(i, name, dst))
            .or_else(|| self.vector_intrinsic(i, name, dst))
            .or_else(|| self.plain(i, name, dst));
        if done.is_none() {
            self.unsupported(&format!("the intrinsic `{symbol}`"));
        }
    }

    fn memory_intrinsic(&mut self, i: Value<'m>, name: &str) -> Option<()> {
        let copy = is(name, "memcpy") || is(name, "memmove");
        if !copy && !is(name, "memset") {
            return None;
        }
        let arguments = i.arguments();
        let dst = self.operand(arguments[0]);
        let second = self.operand(arguments[1]);
        let len = self.operand(arguments[2]);
        self.push(if copy {
            Inst::MemCopy {
                dst,
                src: second,
                len,
                may_overlap: is(name, "memmove"),
            }
        } else {
            Inst::MemSet {
                dst,
                byte: second,
                len,
            }
        });
        Some(())
    }

    /// Intrinsics with a fixed answer, or that are another instruction.
    fn folded(&mut self, i: Value<'m>, name: &str, dst: Reg) -> Option<()> {
        let count = self.slots(i.ty());
        if IDENTITY.iter().any(|d| name.starts_with(d)) {
            let src = self.operand(i.arguments()[0]);
            self.push(Inst::Copy { dst, src, count });
        } else if is(name, "is.constant")
            || is(name, "stacksave")
            || is(name, "allow.runtime.check")
            || is(name, "allow.ubsan.check")
        {
            let src = self.number(0);
            self.push(Inst::Copy { dst, src, count });
        } else if let Some((_, order)) = FENCES.iter().find(|(fence, _)| is(name, fence)) {
            self.push(Inst::Fence {
                order: *order,
                compiler_only: false,
            });
        } else if is(name, "x86.rdtscp") {
            let args = self.arguments(Vec::new());
            self.push(Inst::Intrinsic {
                op: Intrinsic::CycleCounter,
                bits: 0,
                dst,
                args,
            });
            // The number of the processor.
            let src = self.number(0);
            self.push(Inst::Copy {
                dst: dst + 1,
                src,
                count: 1,
            });
        } else if is(name, "objectsize") {
            // The second argument asks for the least size that is certain (0) instead of the most (unknown: -1).
            let least = i.arguments()[1];
            let least = least.kind() == ValueKind::ConstantInt && least.low_bits() != 0;
            let bits = i.ty().integer_width()?;
            let most = u64::MAX >> (64 - bits.clamp(1, 64));
            let src = self.number(if least { 0 } else { most });
            self.push(Inst::Copy { dst, src, count });
        } else if is(name, "ptrmask") {
            let (a, b) = (
                self.operand(i.arguments()[0]),
                self.operand(i.arguments()[1]),
            );
            self.push(Inst::Int {
                op: IntOp::And,
                bits: 64,
                dst,
                a,
                b,
            });
        } else if is(name, "trap") || is(name, "debugtrap") || is(name, "ubsantrap") {
            self.push(Inst::Unreachable { trap: true });
        } else {
            return None;
        }
        Some(())
    }

    fn extended_intrinsic(&mut self, i: Value<'m>, name: &str, dst: Reg) -> Option<()> {
        if i.ty().kind() != TypeKind::X86Fp80 {
            return None;
        }
        let arguments = i.arguments();
        let a = self.operand(arguments[0]);
        let b = arguments.get(1).map_or(a, |b| self.operand(*b));
        if is(name, "fmuladd") {
            let product = self.fresh(2);
            self.push(Inst::Extended {
                op: ExtendedOp::Mul,
                dst: product,
                a,
                b,
            });
            let b = self.operand(arguments[2]);
            self.push(Inst::Extended {
                op: ExtendedOp::Add,
                dst,
                a: Operand::reg(product),
                b,
            });
            return Some(());
        }
        let &(_, op) = EXTENDED.iter().find(|(base, _)| is(name, base))?;
        self.push(Inst::Extended { op, dst, a, b });
        Some(())
    }

    fn elementwise(&mut self, i: Value<'m>, name: &str, dst: Reg) -> Option<()> {
        let &(_, op, arity) = ELEMENTWISE.iter().find(|(base, ..)| is(name, base))?;
        let arguments = i.arguments();
        let (scalar, count) = lanes(arguments[0].ty())?;
        if matches!(scalar, Scalar::OpaqueFloat(_)) {
            return None;
        }
        let bits = width(scalar)?;
        let (result, _) = lanes(i.ty())?;
        let mut operands = Vec::new();
        for &argument in arguments.iter().take(arity as usize) {
            let vector = lanes(argument.ty())?;
            let stride = if vector.1 == count {
                vector.0.slots()
            } else {
                0
            };
            operands.push((self.operand(argument), stride, vector.0.slots()));
        }
        for n in 0..count {
            let slots: Vec<_> = operands
                .iter()
                .flat_map(|&(operand, stride, slots)| {
                    (0..slots).map(move |s| operand.slot(stride * n + s))
                })
                .collect();
            let args = self.arguments(slots);
            self.push(Inst::Intrinsic {
                op,
                bits,
                dst: dst + result.slots() * n,
                args,
            });
        }
        Some(())
    }

    /// `fmuladd` may round once or twice; processors without a fused instruction, and so compilers that target them, round twice.
    fn multiply_add(&mut self, i: Value<'m>, name: &str, dst: Reg) -> Option<()> {
        if !is(name, "fmuladd") {
            return None;
        }
        let arguments = i.arguments();
        let (kind, count) = float_lanes(i)?;
        let (a, b) = (self.operand(arguments[0]), self.operand(arguments[1]));
        let c = self.operand(arguments[2]);
        for n in 0..count {
            let product = self.fresh(1);
            self.push(Inst::Float {
                op: FloatOp::Mul,
                kind,
                dst: product,
                a: a.slot(n),
                b: b.slot(n),
            });
            self.push(Inst::Float {
                op: FloatOp::Add,
                kind,
                dst: dst + n,
                a: Operand::reg(product),
                b: c.slot(n),
            });
        }
        Some(())
    }

    /// `{ T, i1 }`; a vector of them is two vectors.
    fn overflow(&mut self, i: Value<'m>, name: &str, dst: Reg) -> Option<()> {
        let &(_, op) = OVERFLOW.iter().find(|(base, _)| is(name, base))?;
        let arguments = i.arguments();
        let (scalar, count) = lanes(arguments[0].ty())?;
        let (bits, per) = (width(scalar)?, scalar.slots());
        let (a, b) = (self.operand(arguments[0]), self.operand(arguments[1]));
        let pair = if count == 1 { dst } else { self.fresh(per + 1) };
        for n in 0..count {
            let slots: Vec<_> = [a, b]
                .iter()
                .flat_map(|o| (0..per).map(move |s| o.slot(per * n + s)))
                .collect();
            let args = self.arguments(slots);
            self.push(Inst::Intrinsic {
                op,
                bits,
                dst: pair,
                args,
            });
            if count > 1 {
                self.push(Inst::Copy {
                    dst: dst + per * n,
                    src: Operand::reg(pair),
                    count: per,
                });
                self.push(Inst::Copy {
                    dst: dst + per * count + n,
                    src: Operand::reg(pair + per),
                    count: 1,
                });
            }
        }
        Some(())
    }

    fn three_way(&mut self, i: Value<'m>, name: &str, dst: Reg) -> Option<()> {
        let op = match () {
            () if is(name, "scmp") => Intrinsic::SCmp,
            () if is(name, "ucmp") => Intrinsic::UCmp,
            () => return None,
        };
        let arguments = i.arguments();
        let (scalar, count) = lanes(arguments[0].ty())?;
        let (bits, per) = (width(scalar)?, scalar.slots());
        let to = width(lanes(i.ty())?.0)?;
        let (a, b) = (self.operand(arguments[0]), self.operand(arguments[1]));
        for n in 0..count {
            let slots: Vec<_> = [a, b]
                .iter()
                .flat_map(|o| (0..per).map(move |s| o.slot(per * n + s)))
                .collect();
            let args = self.arguments(slots);
            self.push(Inst::Intrinsic {
                op,
                bits,
                dst: dst + n,
                args,
            });
            self.push(Inst::Cast {
                op: IntCast::Trunc,
                from: 64,
                to,
                dst: dst + n,
                a: Operand::reg(dst + n),
            });
        }
        Some(())
    }

    fn saturating_cast(&mut self, i: Value<'m>, name: &str, dst: Reg) -> Option<()> {
        let signed = is(name, "fptosi.sat");
        if !signed && !is(name, "fptoui.sat") {
            return None;
        }
        let (from, count) = float_lanes(i.arguments()[0])?;
        let (result, _) = lanes(i.ty())?;
        let bits = width(result)?;
        let a = self.operand(i.arguments()[0]);
        for n in 0..count {
            self.push(Inst::FloatToInt {
                signed,
                from,
                bits,
                dst: dst + result.slots() * n,
                a: a.slot(n),
            });
        }
        Some(())
    }

    /// `vector.reduce.*`: the lanes one after the other.
    fn reduce(&mut self, i: Value<'m>, name: &str, dst: Reg) -> Option<()> {
        let rest = name.strip_prefix("vector.reduce.")?;
        let operation = rest.split('.').next()?;
        let arguments = i.arguments();
        let vector = *arguments.last()?;
        let (scalar, count) = lanes(vector.ty())?;
        let bits = width(scalar).filter(|&b| b <= 64)?;
        let a = self.operand(vector);
        let here = Operand::reg(dst);
        let float = match operation {
            "fadd" => Some(FloatOp::Add),
            "fmul" => Some(FloatOp::Mul),
            _ => None,
        };
        let start = if float.is_some() {
            self.operand(arguments[0])
        } else {
            a
        };
        self.push(Inst::Copy {
            dst,
            src: start,
            count: 1,
        });
        for n in u32::from(float.is_none())..count {
            let b = a.slot(n);
            let int = |op| Inst::Int {
                op,
                bits,
                dst,
                a: here,
                b,
            };
            let inst = match operation {
                "add" => int(IntOp::Add),
                "mul" => int(IntOp::Mul),
                "and" => int(IntOp::And),
                "or" => int(IntOp::Or),
                "xor" => int(IntOp::Xor),
                "smax" | "smin" | "umax" | "umin" | "fmax" | "fmin" => {
                    let op = match operation {
                        "smax" => Intrinsic::SMax,
                        "smin" => Intrinsic::SMin,
                        "umax" => Intrinsic::UMax,
                        "umin" => Intrinsic::UMin,
                        "fmax" => Intrinsic::FloatMax,
                        _ => Intrinsic::FloatMin,
                    };
                    let args = self.arguments([here, b]);
                    Inst::Intrinsic {
                        op,
                        bits,
                        dst,
                        args,
                    }
                }
                _ => Inst::Float {
                    op: float?,
                    kind: float_lanes(vector)?.0,
                    dst,
                    a: here,
                    b,
                },
            };
            self.push(inst);
        }
        Some(())
    }

    /// Vector instructions of x86 that Rust's library calls directly (it looks at 16 control bytes of a hash table at once).
    fn vector_intrinsic(&mut self, i: Value<'m>, name: &str, dst: Reg) -> Option<()> {
        if !is(name, "x86.sse2.pmovmskb.128") {
            return None;
        }
        let vector = i.arguments()[0];
        let (_, count) = lanes(vector.ty())?;
        let a = self.operand(vector);
        let signs = self.fresh(count);
        let zero = self.number(0);
        for n in 0..count {
            self.push(Inst::Compare {
                op: Compare::Slt,
                bits: 8,
                dst: signs + n,
                a: a.slot(n),
                b: zero,
            });
        }
        let (from_lanes, to) = (u16::try_from(count).ok()?, u8::try_from(count).ok()?);
        self.push(Inst::Repack {
            dst,
            src: Operand::reg(signs),
            from: 1,
            from_lanes,
            to,
            to_lanes: 1,
        });
        Some(())
    }

    fn plain(&mut self, i: Value<'m>, name: &str, dst: Reg) -> Option<()> {
        let &(_, op, arity) = PLAIN.iter().find(|(base, ..)| is(name, base))?;
        let mut slots = Vec::new();
        for argument in i.arguments().into_iter().take(arity) {
            slots.push(self.operand(argument));
        }
        let args = self.arguments(slots);
        self.push(Inst::Intrinsic {
            op,
            bits: 0,
            dst,
            args,
        });
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_up_to_type_suffixes() {
        assert!(is("ctlz.i64", "ctlz"));
        assert!(is("x86.sse2.pause", "x86.sse2.pause"));
        assert!(!is("roundeven.f64", "round"));
        let rounded = ELEMENTWISE
            .iter()
            .find(|(base, ..)| is("roundeven.f64", base));
        assert_eq!(rounded.map(|e| e.1), Some(Intrinsic::RoundEven));
    }
}
