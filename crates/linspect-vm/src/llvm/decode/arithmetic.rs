//! Arithmetic, comparisons, casts, selection; vectors lane by lane.

use super::function::FunctionDecoder;
use super::shape::{Scalar, lanes};
use crate::llvm::opcode::{Opcode, TypeKind};
use crate::llvm::value::Value;
use crate::program::{
    Compare, ExtendedOp, FloatCompare, FloatKind, FloatOp, Inst, IntCast, IntOp, Reg,
};

fn int_op(opcode: Opcode) -> Option<IntOp> {
    Some(match opcode {
        Opcode::Add => IntOp::Add,
        Opcode::Sub => IntOp::Sub,
        Opcode::Mul => IntOp::Mul,
        Opcode::UDiv => IntOp::UDiv,
        Opcode::SDiv => IntOp::SDiv,
        Opcode::URem => IntOp::URem,
        Opcode::SRem => IntOp::SRem,
        Opcode::Shl => IntOp::Shl,
        Opcode::LShr => IntOp::LShr,
        Opcode::AShr => IntOp::AShr,
        Opcode::And => IntOp::And,
        Opcode::Or => IntOp::Or,
        Opcode::Xor => IntOp::Xor,
        _ => return None,
    })
}

fn float_op(opcode: Opcode) -> Option<FloatOp> {
    Some(match opcode {
        Opcode::FAdd => FloatOp::Add,
        Opcode::FSub => FloatOp::Sub,
        Opcode::FMul => FloatOp::Mul,
        Opcode::FDiv => FloatOp::Div,
        Opcode::FRem => FloatOp::Rem,
        _ => return None,
    })
}

/// LLVM's numbers for predicates of `icmp`.
fn compare(raw: i32) -> Option<Compare> {
    Some(match raw {
        32 => Compare::Eq,
        33 => Compare::Ne,
        34 => Compare::Ugt,
        35 => Compare::Uge,
        36 => Compare::Ult,
        37 => Compare::Ule,
        38 => Compare::Sgt,
        39 => Compare::Sge,
        40 => Compare::Slt,
        41 => Compare::Sle,
        _ => return None,
    })
}

/// LLVM's numbers for predicates of `fcmp`.
fn float_compare(raw: i32) -> Option<FloatCompare> {
    use FloatCompare as F;
    let all = [
        F::False,
        F::Oeq,
        F::Ogt,
        F::Oge,
        F::Olt,
        F::Ole,
        F::One,
        F::Ord,
        F::Uno,
        F::Ueq,
        F::Ugt,
        F::Uge,
        F::Ult,
        F::Ule,
        F::Une,
        F::True,
    ];
    all.get(usize::try_from(raw).ok()?).copied()
}

/// A width that instructions can name.
pub(super) fn width(scalar: Scalar) -> Option<u8> {
    u8::try_from(scalar.bits()).ok().filter(|&bits| bits <= 128)
}

impl<'m> FunctionDecoder<'_, 'm> {
    /// Decodes `i`, an instruction or a constant expression, if it only computes on registers. `false`: it is something else.
    pub(super) fn arithmetic(&mut self, opcode: Opcode, i: Value<'m>, dst: Reg) -> bool {
        let done = if let Some(op) = int_op(opcode) {
            self.integer(op, i, dst)
        } else if let Some(op) = float_op(opcode) {
            self.float(op, i, dst)
        } else {
            match opcode {
                Opcode::FNeg => self.negate(i, dst),
                Opcode::ICmp => self.compare(i, dst),
                Opcode::FCmp => self.compare_floats(i, dst),
                Opcode::Trunc => self.cast(IntCast::Trunc, i, dst),
                Opcode::ZExt => self.cast(IntCast::ZExt, i, dst),
                Opcode::SExt => self.cast(IntCast::SExt, i, dst),
                Opcode::PtrToInt | Opcode::IntToPtr | Opcode::PtrToAddr | Opcode::AddrSpaceCast => {
                    self.pointer_cast(i, dst)
                }
                Opcode::FPToUI => self.float_to_int(false, i, dst),
                Opcode::FPToSI => self.float_to_int(true, i, dst),
                Opcode::UIToFP => self.int_to_float(false, i, dst),
                Opcode::SIToFP => self.int_to_float(true, i, dst),
                Opcode::FPTrunc | Opcode::FPExt => self.float_cast(i, dst),
                Opcode::BitCast => self.bit_cast(i, dst),
                Opcode::Select => self.select(i, dst),
                Opcode::Freeze => {
                    let src = self.operand(i.operand(0));
                    let count = self.slots(i.ty());
                    self.push(Inst::Copy { dst, src, count });
                    Some(())
                }
                _ => return false,
            }
        };
        if done.is_none() {
            self.unsupported_instruction(i);
        }
        true
    }

    fn integer(&mut self, op: IntOp, i: Value<'m>, dst: Reg) -> Option<()> {
        let (scalar, count) = lanes(i.ty())?;
        let bits = width(scalar)?;
        let (a, b) = (self.operand(i.operand(0)), self.operand(i.operand(1)));
        for n in 0..count {
            if bits > 64 {
                let (a, b) = (a.slot(2 * n), b.slot(2 * n));
                self.push(Inst::Wide {
                    op,
                    bits,
                    dst: dst + 2 * n,
                    a,
                    b,
                });
            } else {
                self.push(Inst::Int {
                    op,
                    bits,
                    dst: dst + n,
                    a: a.slot(n),
                    b: b.slot(n),
                });
            }
        }
        Some(())
    }

    fn float(&mut self, op: FloatOp, i: Value<'m>, dst: Reg) -> Option<()> {
        if is_extended(i) {
            let op = match op {
                FloatOp::Add => ExtendedOp::Add,
                FloatOp::Sub => ExtendedOp::Sub,
                FloatOp::Mul => ExtendedOp::Mul,
                FloatOp::Div => ExtendedOp::Div,
                FloatOp::Rem => ExtendedOp::Rem,
            };
            return self.extended(op, i, dst);
        }
        let (kind, count) = float_lanes(i)?;
        let (a, b) = (self.operand(i.operand(0)), self.operand(i.operand(1)));
        for n in 0..count {
            self.push(Inst::Float {
                op,
                kind,
                dst: dst + n,
                a: a.slot(n),
                b: b.slot(n),
            });
        }
        Some(())
    }

    /// Arithmetic of `long double`.
    fn extended(&mut self, op: ExtendedOp, i: Value<'m>, dst: Reg) -> Option<()> {
        let a = self.operand(i.operand(0));
        let b = match i.operand_count() {
            1 => a,
            _ => self.operand(i.operand(1)),
        };
        self.push(Inst::Extended { op, dst, a, b });
        Some(())
    }

    fn negate(&mut self, i: Value<'m>, dst: Reg) -> Option<()> {
        if is_extended(i) {
            return self.extended(ExtendedOp::Neg, i, dst);
        }
        let (kind, count) = float_lanes(i)?;
        let a = self.operand(i.operand(0));
        for n in 0..count {
            self.push(Inst::FloatNeg {
                kind,
                dst: dst + n,
                a: a.slot(n),
            });
        }
        Some(())
    }

    fn compare(&mut self, i: Value<'m>, dst: Reg) -> Option<()> {
        let op = compare(i.integer_predicate())?;
        let (scalar, count) = lanes(i.operand(0).ty())?;
        let bits = width(scalar)?;
        let per = scalar.slots();
        let (a, b) = (self.operand(i.operand(0)), self.operand(i.operand(1)));
        for n in 0..count {
            let (a, b) = (a.slot(per * n), b.slot(per * n));
            self.push(Inst::Compare {
                op,
                bits,
                dst: dst + n,
                a,
                b,
            });
        }
        Some(())
    }

    fn compare_floats(&mut self, i: Value<'m>, dst: Reg) -> Option<()> {
        let op = float_compare(i.float_predicate())?;
        if is_extended(i.operand(0)) {
            return self.extended(ExtendedOp::Compare(op), i, dst);
        }
        let (kind, count) = float_lanes(i.operand(0))?;
        let (a, b) = (self.operand(i.operand(0)), self.operand(i.operand(1)));
        for n in 0..count {
            self.push(Inst::FloatCompare {
                op,
                kind,
                dst: dst + n,
                a: a.slot(n),
                b: b.slot(n),
            });
        }
        Some(())
    }

    fn cast(&mut self, op: IntCast, i: Value<'m>, dst: Reg) -> Option<()> {
        let (source, count) = lanes(i.operand(0).ty())?;
        let (result, _) = lanes(i.ty())?;
        let (from, to) = (width(source)?, width(result)?);
        let a = self.operand(i.operand(0));
        for n in 0..count {
            let a = a.slot(source.slots() * n);
            self.push(Inst::Cast {
                op,
                from,
                to,
                dst: dst + result.slots() * n,
                a,
            });
        }
        Some(())
    }

    /// Between pointers and integers: pointers are 64-bit integers.
    fn pointer_cast(&mut self, i: Value<'m>, dst: Reg) -> Option<()> {
        let (source, _) = lanes(i.operand(0).ty())?;
        let (result, _) = lanes(i.ty())?;
        let op = if result.bits() < source.bits() {
            IntCast::Trunc
        } else {
            IntCast::ZExt
        };
        if result.bits() != source.bits() {
            return self.cast(op, i, dst);
        }
        let src = self.operand(i.operand(0));
        let count = self.slots(i.ty());
        self.push(Inst::Copy { dst, src, count });
        Some(())
    }

    fn float_to_int(&mut self, signed: bool, i: Value<'m>, dst: Reg) -> Option<()> {
        if is_extended(i.operand(0)) {
            let bits = width(lanes(i.ty())?.0)?;
            return self.extended(ExtendedOp::ToInt { signed, bits }, i, dst);
        }
        let (from, count) = float_lanes(i.operand(0))?;
        let (result, _) = lanes(i.ty())?;
        let bits = width(result)?;
        let a = self.operand(i.operand(0));
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

    fn int_to_float(&mut self, signed: bool, i: Value<'m>, dst: Reg) -> Option<()> {
        if is_extended(i) {
            let bits = width(lanes(i.operand(0).ty())?.0)?;
            return self.extended(ExtendedOp::FromInt { signed, bits }, i, dst);
        }
        let (to, count) = float_lanes(i)?;
        let (source, _) = lanes(i.operand(0).ty())?;
        let bits = width(source)?;
        let a = self.operand(i.operand(0));
        for n in 0..count {
            let a = a.slot(source.slots() * n);
            self.push(Inst::IntToFloat {
                signed,
                bits,
                to,
                dst: dst + n,
                a,
            });
        }
        Some(())
    }

    fn float_cast(&mut self, i: Value<'m>, dst: Reg) -> Option<()> {
        if is_extended(i) {
            let (from, _) = float_lanes(i.operand(0))?;
            return self.extended(ExtendedOp::FromFloat(from), i, dst);
        }
        if is_extended(i.operand(0)) {
            let (to, _) = float_lanes(i)?;
            return self.extended(ExtendedOp::ToFloat(to), i, dst);
        }
        let (from, count) = float_lanes(i.operand(0))?;
        let (to, _) = float_lanes(i)?;
        let a = self.operand(i.operand(0));
        for n in 0..count {
            self.push(Inst::FloatCast {
                from,
                to,
                dst: dst + n,
                a: a.slot(n),
            });
        }
        Some(())
    }

    fn bit_cast(&mut self, i: Value<'m>, dst: Reg) -> Option<()> {
        let (source, from_lanes) = lanes(i.operand(0).ty())?;
        let (result, to_lanes) = lanes(i.ty())?;
        let src = self.operand(i.operand(0));
        if source.bits() == result.bits() {
            let count = self.slots(i.ty());
            self.push(Inst::Copy { dst, src, count });
        } else {
            self.push(Inst::Repack {
                dst,
                src,
                from: width(source)?,
                from_lanes: u16::try_from(from_lanes).ok()?,
                to: width(result)?,
                to_lanes: u16::try_from(to_lanes).ok()?,
            });
        }
        Some(())
    }

    fn select(&mut self, i: Value<'m>, dst: Reg) -> Option<()> {
        let cond = self.operand(i.operand(0));
        let (a, b) = (self.operand(i.operand(1)), self.operand(i.operand(2)));
        let total = self.slots(i.ty());
        if i.operand(0).ty().kind() != TypeKind::Vector {
            self.push(Inst::Select {
                dst,
                cond,
                a,
                b,
                count: total,
            });
            return Some(());
        }
        let (scalar, count) = lanes(i.ty())?;
        let per = scalar.slots();
        for n in 0..count {
            let (a, b) = (a.slot(per * n), b.slot(per * n));
            self.push(Inst::Select {
                dst: dst + per * n,
                cond: cond.slot(n),
                a,
                b,
                count: per,
            });
        }
        Some(())
    }
}

/// Whether it is a `long double` of x86-64.
fn is_extended(value: Value<'_>) -> bool {
    value.ty().kind() == TypeKind::X86Fp80
}

/// The float format of a value (or of its lanes) and the number of lanes.
pub(super) fn float_lanes(value: Value<'_>) -> Option<(FloatKind, u32)> {
    match lanes(value.ty())? {
        (Scalar::Float(kind), count) => Some((kind, count)),
        _ => None,
    }
}
