//! Floating point, in the host's IEEE 754 arithmetic: `+ - * /`, square roots and conversions are exact to the bit everywhere.

use super::Cpu;
use super::int::{mask_wide, sign_extend_wide};
use crate::program::{FloatCompare, FloatKind, FloatOp, Inst};

impl Cpu<'_> {
    pub(super) fn float(&mut self, base: usize, inst: &Inst) {
        match *inst {
            Inst::Float {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                let value = arithmetic(op, kind, self.get(base, a), self.get(base, b));
                self.set(base, dst, value);
            }
            Inst::FloatNeg { kind, dst, a } => {
                let sign = match kind {
                    FloatKind::F32 => 1 << 31,
                    FloatKind::F64 => 1 << 63,
                };
                let value = self.get(base, a) ^ sign;
                self.set(base, dst, value);
            }
            Inst::FloatCompare {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                let (x, y) = (
                    decode(kind, self.get(base, a)),
                    decode(kind, self.get(base, b)),
                );
                self.set(base, dst, u64::from(compare(op, x, y)));
            }
            Inst::FloatCast { from, to, dst, a } => {
                let value = encode(to, decode(from, self.get(base, a)));
                self.set(base, dst, value);
            }
            Inst::FloatToInt {
                signed,
                from,
                bits,
                dst,
                a,
            } => {
                let value = to_int(decode(from, self.get(base, a)), signed, bits);
                self.set_sized(base, dst, bits, value);
            }
            Inst::IntToFloat {
                signed,
                bits,
                to,
                dst,
                a,
            } => {
                let value = from_int(self.get_sized(base, a, bits), signed, bits, to);
                self.set(base, dst, value);
            }
            _ => unreachable!("only float instructions come here"),
        }
    }
}

/// A float's value; every `float` is a `double`.
pub(super) fn decode(kind: FloatKind, bits: u64) -> f64 {
    match kind {
        FloatKind::F32 => f64::from(f32::from_bits(bits as u32)),
        FloatKind::F64 => f64::from_bits(bits),
    }
}

pub(super) fn encode(kind: FloatKind, value: f64) -> u64 {
    match kind {
        FloatKind::F32 => u64::from((value as f32).to_bits()),
        FloatKind::F64 => value.to_bits(),
    }
}

pub(super) fn arithmetic(op: FloatOp, kind: FloatKind, a: u64, b: u64) -> u64 {
    match kind {
        FloatKind::F32 => {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let value = match op {
                FloatOp::Add => a + b,
                FloatOp::Sub => a - b,
                FloatOp::Mul => a * b,
                FloatOp::Div => a / b,
                FloatOp::Rem => a % b,
            };
            u64::from(value.to_bits())
        }
        FloatKind::F64 => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let value = match op {
                FloatOp::Add => a + b,
                FloatOp::Sub => a - b,
                FloatOp::Mul => a * b,
                FloatOp::Div => a / b,
                FloatOp::Rem => a % b,
            };
            value.to_bits()
        }
    }
}

fn compare(op: FloatCompare, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    match op {
        FloatCompare::False => false,
        FloatCompare::True => true,
        FloatCompare::Oeq => a == b,
        FloatCompare::Ogt => a > b,
        FloatCompare::Oge => a >= b,
        FloatCompare::Olt => a < b,
        FloatCompare::Ole => a <= b,
        FloatCompare::One => !unordered && a != b,
        FloatCompare::Ord => !unordered,
        FloatCompare::Uno => unordered,
        FloatCompare::Ueq => unordered || a == b,
        FloatCompare::Ugt => unordered || a > b,
        FloatCompare::Uge => unordered || a >= b,
        FloatCompare::Ult => unordered || a < b,
        FloatCompare::Ule => unordered || a <= b,
        FloatCompare::Une => a != b,
    }
}

/// Saturates; NaN is 0.
fn to_int(value: f64, signed: bool, bits: u8) -> u128 {
    if signed {
        let (low, high) = (i128::MIN >> (128 - bits), i128::MAX >> (128 - bits));
        mask_wide((value as i128).clamp(low, high) as u128, bits)
    } else {
        (value as u128).min(mask_wide(u128::MAX, bits))
    }
}

fn from_int(value: u128, signed: bool, bits: u8, to: FloatKind) -> u64 {
    // Each format rounds once, from the integer itself.
    match (to, signed) {
        (FloatKind::F32, true) => u64::from((sign_extend_wide(value, bits) as f32).to_bits()),
        (FloatKind::F32, false) => u64::from((value as f32).to_bits()),
        (FloatKind::F64, true) => (sign_extend_wide(value, bits) as f64).to_bits(),
        (FloatKind::F64, false) => (value as f64).to_bits(),
    }
}
