//! Intrinsics on scalars.

use super::float::{decode, encode};
use super::int::{mask_wide, sign_extend_wide};
use super::{Cpu, Stop};
use crate::program::{FloatKind, Function, Intrinsic, Reg};
use std::num::FpCategory;

impl Cpu<'_> {
    pub(super) fn intrinsic(
        &mut self,
        function: &Function,
        base: usize,
        op: Intrinsic,
        bits: u8,
        dst: Reg,
        args: u32,
    ) -> Result<(), Stop> {
        use Intrinsic as I;
        let slots = if bits > 64 { 2 } else { 1 };
        let arg = |cpu: &Self, n: usize| {
            cpu.get_sized_args(function, base, args as usize + n * slots, bits)
        };
        match op {
            I::SAddOverflow
            | I::UAddOverflow
            | I::SSubOverflow
            | I::USubOverflow
            | I::SMulOverflow
            | I::UMulOverflow => {
                let (value, overflow) = overflowing(op, bits, arg(self, 0), arg(self, 1));
                self.set_sized(base, dst, bits, value);
                self.set(base, dst + slots as u32, u64::from(overflow));
            }
            I::SCmp | I::UCmp => {
                let order = if op == I::SCmp {
                    sign_extend_wide(arg(self, 0), bits).cmp(&sign_extend_wide(arg(self, 1), bits))
                } else {
                    arg(self, 0).cmp(&arg(self, 1))
                };
                self.set(base, dst, order as i64 as u64);
            }
            I::SpinHint | I::VaEnd => {}
            I::VaStart => {
                let list = self.get(base, function.arguments[args as usize]);
                self.va_start(list)?;
            }
            I::VaCopy => {
                let to = self.get(base, function.arguments[args as usize]);
                let from = self.get(base, function.arguments[args as usize + 1]);
                self.memory
                    .copy(to, from, 24)
                    .map_err(|e| self.memory_fault(&e))?;
            }
            I::TypeIdFor => {
                let info = self.get(base, function.arguments[args as usize]);
                self.set(base, dst, super::unwind::selector(info));
            }
            I::ReturnAddress | I::FrameAddress => self.set(base, dst, 0),
            I::CycleCounter => {
                self.thread.clock = self.thread.clock.saturating_add(100);
                let clock = self.thread.clock;
                self.set(base, dst, clock);
            }
            I::Abs
            | I::SMax
            | I::SMin
            | I::UMax
            | I::UMin
            | I::SAddSat
            | I::UAddSat
            | I::SSubSat
            | I::USubSat
            | I::SShlSat
            | I::UShlSat => {
                let a = arg(self, 0);
                let b = if op == I::Abs { 0 } else { arg(self, 1) };
                let value = combine(op, bits, a, b);
                self.set_sized(base, dst, bits, value);
            }
            I::CountLeadingZeros
            | I::CountTrailingZeros
            | I::CountOnes
            | I::ByteSwap
            | I::BitReverse => {
                let value = twiddle(op, bits, arg(self, 0));
                self.set_sized(base, dst, bits, value);
            }
            I::FunnelShiftLeft | I::FunnelShiftRight => {
                let value = funnel(op, bits, arg(self, 0), arg(self, 1), arg(self, 2));
                self.set_sized(base, dst, bits, value);
            }
            _ => {
                let kind = if bits == 32 {
                    FloatKind::F32
                } else {
                    FloatKind::F64
                };
                let raw = |n: usize| {
                    function
                        .arguments
                        .get(args as usize + n)
                        .map_or(0, |o| self.get(base, *o))
                };
                let value = float_intrinsic(op, kind, raw);
                self.set(base, dst, value);
            }
        }
        Ok(())
    }

    fn get_sized_args(&self, function: &Function, base: usize, at: usize, bits: u8) -> u128 {
        let low = u128::from(self.get(base, function.arguments[at]));
        if bits > 64 {
            low | u128::from(self.get(base, function.arguments[at + 1])) << 64
        } else {
            low
        }
    }
}

fn overflowing(op: Intrinsic, bits: u8, a: u128, b: u128) -> (u128, bool) {
    use Intrinsic as I;
    let (x, y) = (sign_extend_wide(a, bits), sign_extend_wide(b, bits));
    let signed = |(value, over): (i128, bool)| {
        let masked = mask_wide(value as u128, bits);
        (masked, over || sign_extend_wide(masked, bits) != value)
    };
    let unsigned = |(value, over): (u128, bool)| {
        let masked = mask_wide(value, bits);
        (masked, over || masked != value)
    };
    match op {
        I::SAddOverflow => signed(x.overflowing_add(y)),
        I::SSubOverflow => signed(x.overflowing_sub(y)),
        I::SMulOverflow => signed(x.overflowing_mul(y)),
        I::UAddOverflow => unsigned(a.overflowing_add(b)),
        I::USubOverflow => unsigned(a.overflowing_sub(b)),
        _ => unsigned(a.overflowing_mul(b)),
    }
}

fn combine(op: Intrinsic, bits: u8, a: u128, b: u128) -> u128 {
    use Intrinsic as I;
    let (x, y) = (sign_extend_wide(a, bits), sign_extend_wide(b, bits));
    let (low, high) = (i128::MIN >> (128 - bits), i128::MAX >> (128 - bits));
    let top = mask_wide(u128::MAX, bits);
    let value = match op {
        I::Abs => x.wrapping_abs() as u128,
        I::SMax => x.max(y) as u128,
        I::SMin => x.min(y) as u128,
        I::UMax => a.max(b),
        I::UMin => a.min(b),
        I::SAddSat => x.saturating_add(y).clamp(low, high) as u128,
        I::SSubSat => x.saturating_sub(y).clamp(low, high) as u128,
        I::UAddSat => a.saturating_add(b).min(top),
        I::USubSat => a.saturating_sub(b),
        I::UShlSat => {
            let shifted = mask_wide(a.checked_shl(b as u32).unwrap_or(0), bits);
            if shifted.checked_shr(b as u32) == Some(a) {
                shifted
            } else {
                top
            }
        }
        _ => {
            let shifted = mask_wide(a.checked_shl(b as u32).unwrap_or(0), bits);
            if sign_extend_wide(shifted, bits).checked_shr(b as u32) == Some(x) {
                shifted
            } else if x < 0 {
                low as u128
            } else {
                high as u128
            }
        }
    };
    mask_wide(value, bits)
}

fn twiddle(op: Intrinsic, bits: u8, a: u128) -> u128 {
    let unused = 128 - u32::from(bits);
    match op {
        Intrinsic::CountLeadingZeros => u128::from(a.leading_zeros() - unused),
        Intrinsic::CountTrailingZeros => u128::from(a.trailing_zeros().min(u32::from(bits))),
        Intrinsic::CountOnes => u128::from(a.count_ones()),
        Intrinsic::ByteSwap => a.swap_bytes() >> unused,
        _ => a.reverse_bits() >> unused,
    }
}

fn funnel(op: Intrinsic, bits: u8, a: u128, b: u128, by: u128) -> u128 {
    let width = u32::from(bits);
    let by = (by % u128::from(width)) as u32;
    let value = match (op, by) {
        (Intrinsic::FunnelShiftLeft, 0) => a,
        (Intrinsic::FunnelShiftLeft, by) => a << by | b >> (width - by),
        (_, 0) => b,
        (_, by) => a << (width - by) | b >> by,
    };
    mask_wide(value, bits)
}

fn float_intrinsic(op: Intrinsic, kind: FloatKind, raw: impl Fn(usize) -> u64) -> u64 {
    use Intrinsic as I;
    let a = decode(kind, raw(0));
    let b = || decode(kind, raw(1));
    let value = match op {
        I::FloatAbs => a.abs(),
        I::Sqrt => a.sqrt(),
        I::Floor => a.floor(),
        I::Ceil => a.ceil(),
        I::TruncFloat => a.trunc(),
        I::Round => a.round(),
        I::RoundEven => a.round_ties_even(),
        I::FloatMin => a.min(b()),
        I::FloatMax => a.max(b()),
        I::CopySign => a.copysign(b()),
        I::FusedMulAdd => {
            let c = decode(kind, raw(2));
            if kind == FloatKind::F32 {
                return u64::from((a as f32).mul_add(b() as f32, c as f32).to_bits());
            }
            a.mul_add(b(), c)
        }
        I::Pow => a.powf(b()),
        I::PowI => a.powi(raw(1) as i32),
        I::Exp => a.exp(),
        I::Exp2 => a.exp2(),
        I::Log => a.ln(),
        I::Log2 => a.log2(),
        I::Log10 => a.log10(),
        I::Sin => a.sin(),
        I::Cos => a.cos(),
        I::IsFpClass => return u64::from(raw(1) & fp_class(kind, raw(0)) != 0),
        _ => unreachable!("integer intrinsics are handled before"),
    };
    encode(kind, value)
}

/// The bit of `llvm.is.fpclass`'s mask that describes a float.
fn fp_class(kind: FloatKind, bits: u64) -> u64 {
    let (category, negative, quiet) = match kind {
        FloatKind::F32 => {
            let f = f32::from_bits(bits as u32);
            (f.classify(), f.is_sign_negative(), bits >> 22 & 1 == 1)
        }
        FloatKind::F64 => {
            let f = f64::from_bits(bits);
            (f.classify(), f.is_sign_negative(), bits >> 51 & 1 == 1)
        }
    };
    match (category, negative) {
        (FpCategory::Nan, _) => 1 << u32::from(quiet),
        (FpCategory::Infinite, true) => 1 << 2,
        (FpCategory::Normal, true) => 1 << 3,
        (FpCategory::Subnormal, true) => 1 << 4,
        (FpCategory::Zero, true) => 1 << 5,
        (FpCategory::Zero, false) => 1 << 6,
        (FpCategory::Subnormal, false) => 1 << 7,
        (FpCategory::Normal, false) => 1 << 8,
        (FpCategory::Infinite, false) => 1 << 9,
    }
}
