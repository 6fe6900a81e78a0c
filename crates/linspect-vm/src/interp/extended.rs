//! `long double` of x86-64: 80 bits in two slots, computed in software, exact to the bit.

use super::Cpu;
use super::float::{decode, encode};
use crate::program::{ExtendedOp, FloatCompare, FloatKind, Operand, Reg};
use rustc_apfloat::ieee::{Double, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

impl Cpu<'_> {
    pub(super) fn extended(
        &mut self,
        base: usize,
        op: ExtendedOp,
        dst: Reg,
        a: Operand,
        b: Operand,
    ) {
        let number = |cpu: &Self, at: Operand| {
            let bits = cpu.get_sized(base, at, 80);
            X87DoubleExtended::from_bits(bits)
        };
        let value = match op {
            ExtendedOp::Add => (number(self, a) + number(self, b)).value,
            ExtendedOp::Sub => (number(self, a) - number(self, b)).value,
            ExtendedOp::Mul => (number(self, a) * number(self, b)).value,
            ExtendedOp::Div => (number(self, a) / number(self, b)).value,
            ExtendedOp::Rem => number(self, a).c_fmod(number(self, b)).value,
            ExtendedOp::Neg => -number(self, a),
            ExtendedOp::Abs => number(self, a).abs(),
            ExtendedOp::CopySign => number(self, a).copy_sign(number(self, b)),
            ExtendedOp::Min => number(self, a).min(number(self, b)),
            ExtendedOp::Max => number(self, a).max(number(self, b)),
            ExtendedOp::Floor => whole(number(self, a), Round::TowardNegative),
            ExtendedOp::Ceil => whole(number(self, a), Round::TowardPositive),
            ExtendedOp::Trunc => whole(number(self, a), Round::TowardZero),
            ExtendedOp::Round => whole(number(self, a), Round::NearestTiesToAway),
            ExtendedOp::RoundEven => whole(number(self, a), Round::NearestTiesToEven),
            ExtendedOp::Compare(predicate) => {
                let order = number(self, a).partial_cmp(&number(self, b));
                return self.set(base, dst, u64::from(holds(predicate, order)));
            }
            ExtendedOp::FromFloat(kind) => {
                let double = decode(kind, self.get(base, a));
                extended(double)
            }
            ExtendedOp::ToFloat(kind) => {
                let bits = narrowed(number(self, a), kind);
                return self.set(base, dst, bits);
            }
            ExtendedOp::FromInt { signed, bits } => {
                let value = self.get_sized(base, a, bits);
                match signed {
                    true => {
                        let unused = 128 - u32::from(bits);
                        let value = (value << unused).cast_signed() >> unused;
                        X87DoubleExtended::from_i128(value).value
                    }
                    false => X87DoubleExtended::from_u128(value).value,
                }
            }
            ExtendedOp::ToInt { signed, bits } => {
                let (number, width) = (number(self, a), usize::from(bits));
                let exact = &mut false;
                let value = match signed {
                    true => {
                        let value = number.to_i128_r(width, Round::TowardZero, exact).value;
                        value.cast_unsigned() & u128::MAX >> (128 - u32::from(bits))
                    }
                    false => number.to_u128_r(width, Round::TowardZero, exact).value,
                };
                return self.set_sized(base, dst, bits, value);
            }
        };
        self.set_sized(base, dst, 80, value.to_bits());
    }
}

fn whole(number: X87DoubleExtended, way: Round) -> X87DoubleExtended {
    number.round_to_integral(way).value
}

fn extended(number: f64) -> X87DoubleExtended {
    let double = Double::from_bits(number.to_bits().into());
    double.convert(&mut false).value
}

/// Rounded once to a narrower format.
fn narrowed(number: X87DoubleExtended, kind: FloatKind) -> u64 {
    match kind {
        FloatKind::F64 => {
            let double: Double = number.convert(&mut false).value;
            double.to_bits() as u64
        }
        FloatKind::F32 => {
            let single: rustc_apfloat::ieee::Single = number.convert(&mut false).value;
            encode(kind, f64::from(f32::from_bits(single.to_bits() as u32)))
        }
    }
}

fn holds(predicate: FloatCompare, order: Option<Ordering>) -> bool {
    use FloatCompare as F;
    let is = |wanted: Ordering| order == Some(wanted);
    let (less, equal, greater) = (
        is(Ordering::Less),
        is(Ordering::Equal),
        is(Ordering::Greater),
    );
    let unordered = order.is_none();
    match predicate {
        F::False => false,
        F::True => true,
        F::Oeq => equal,
        F::Ogt => greater,
        F::Oge => greater || equal,
        F::Olt => less,
        F::Ole => less || equal,
        F::One => less || greater,
        F::Ord => !unordered,
        F::Uno => unordered,
        F::Ueq => unordered || equal,
        F::Ugt => unordered || greater,
        F::Uge => !less,
        F::Ult => unordered || less,
        F::Ule => !greater,
        F::Une => !equal,
    }
}
