//! Integer arithmetic on 1 to 128 bits.

use crate::program::{Compare, IntCast, IntOp};
use smallvec::SmallVec;

#[inline(always)]
pub(crate) fn mask(value: u64, bits: u8) -> u64 {
    if bits >= 64 {
        value
    } else {
        value & ((1 << bits) - 1)
    }
}

pub(crate) fn mask_wide(value: u128, bits: u8) -> u128 {
    if bits >= 128 {
        value
    } else {
        value & ((1 << bits) - 1)
    }
}

#[inline(always)]
pub(crate) fn sign_extend(value: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits.clamp(1, 64));
    ((value << shift) as i64) >> shift
}

pub(crate) fn sign_extend_wide(value: u128, bits: u8) -> i128 {
    let shift = 128 - u32::from(bits.clamp(1, 128));
    ((value << shift) as i128) >> shift
}

/// `a op b` on `bits` of at most 64; `None` for a division that cannot be done.
#[inline(always)]
pub(crate) fn compute(op: IntOp, bits: u8, a: u64, b: u64) -> Option<u64> {
    let value = match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::UDiv => a.checked_div(b)?,
        IntOp::URem => a.checked_rem(b)?,
        IntOp::SDiv => {
            let (a, b) = (sign_extend(a, bits), sign_extend(b, bits));
            if b == -1 && a == i64::MIN >> (64 - u32::from(bits)) {
                return None;
            }
            a.checked_div(b)? as u64
        }
        IntOp::SRem => {
            let (a, b) = (sign_extend(a, bits), sign_extend(b, bits));
            if b == -1 && a == i64::MIN >> (64 - u32::from(bits)) {
                return None;
            }
            a.checked_rem(b)? as u64
        }
        // A shift by the width or more is poison: 0 here.
        IntOp::Shl => {
            if b < u64::from(bits) {
                a << b
            } else {
                0
            }
        }
        IntOp::LShr => {
            if b < u64::from(bits) {
                a >> b
            } else {
                0
            }
        }
        IntOp::AShr => {
            if b < u64::from(bits) {
                (sign_extend(a, bits) >> b) as u64
            } else {
                0
            }
        }
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
    };
    Some(mask(value, bits))
}

/// The same on up to 128 bits.
pub(crate) fn compute_wide(op: IntOp, bits: u8, a: u128, b: u128) -> Option<u128> {
    let (signed_a, signed_b) = (sign_extend_wide(a, bits), sign_extend_wide(b, bits));
    let in_range = b < u128::from(bits);
    let value = match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::UDiv => a.checked_div(b)?,
        IntOp::URem => a.checked_rem(b)?,
        IntOp::SDiv => signed_a.checked_div(signed_b)? as u128,
        IntOp::SRem => signed_a.checked_rem(signed_b)? as u128,
        IntOp::Shl if in_range => a << b,
        IntOp::LShr if in_range => a >> b,
        IntOp::AShr if in_range => (signed_a >> b) as u128,
        IntOp::Shl | IntOp::LShr | IntOp::AShr => 0,
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
    };
    Some(mask_wide(value, bits))
}

#[inline(always)]
pub(crate) fn compare(op: Compare, bits: u8, a: u64, b: u64) -> bool {
    match op {
        Compare::Eq => a == b,
        Compare::Ne => a != b,
        Compare::Ugt => a > b,
        Compare::Uge => a >= b,
        Compare::Ult => a < b,
        Compare::Ule => a <= b,
        Compare::Sgt => sign_extend(a, bits) > sign_extend(b, bits),
        Compare::Sge => sign_extend(a, bits) >= sign_extend(b, bits),
        Compare::Slt => sign_extend(a, bits) < sign_extend(b, bits),
        Compare::Sle => sign_extend(a, bits) <= sign_extend(b, bits),
    }
}

pub(crate) fn compare_wide(op: Compare, bits: u8, a: u128, b: u128) -> bool {
    let (x, y) = (sign_extend_wide(a, bits), sign_extend_wide(b, bits));
    match op {
        Compare::Eq => a == b,
        Compare::Ne => a != b,
        Compare::Ugt => a > b,
        Compare::Uge => a >= b,
        Compare::Ult => a < b,
        Compare::Ule => a <= b,
        Compare::Sgt => x > y,
        Compare::Sge => x >= y,
        Compare::Slt => x < y,
        Compare::Sle => x <= y,
    }
}

pub(crate) fn cast(op: IntCast, from: u8, to: u8, value: u128) -> u128 {
    match op {
        IntCast::Trunc | IntCast::ZExt => mask_wide(value, to),
        IntCast::SExt => mask_wide(sign_extend_wide(value, from) as u128, to),
    }
}

/// The same between widths of at most 64 bits.
#[inline(always)]
pub(crate) fn cast_narrow(op: IntCast, from: u8, to: u8, value: u64) -> u64 {
    match op {
        IntCast::Trunc | IntCast::ZExt => mask(value, to),
        IntCast::SExt => mask(sign_extend(value, from) as u64, to),
    }
}

/// Lanes of `from` bits read again as lanes of `to` bits.
pub(crate) fn repack(
    run: &[u64],
    from: u8,
    from_lanes: u16,
    to: u8,
    to_lanes: u16,
) -> SmallVec<[u64; 8]> {
    let mut bytes = vec![0u8; (usize::from(from) * usize::from(from_lanes)).div_ceil(8) + 16];
    let stride = if from > 64 { 2 } else { 1 };
    for lane in 0..usize::from(from_lanes) {
        let low = u128::from(run[lane * stride]);
        let high = if stride == 2 {
            u128::from(run[lane * stride + 1]) << 64
        } else {
            0
        };
        write_bits(&mut bytes, lane * usize::from(from), from, low | high);
    }
    let mut out = SmallVec::new();
    for lane in 0..usize::from(to_lanes) {
        let value = read_bits(&bytes, lane * usize::from(to), to);
        out.push(value as u64);
        if to > 64 {
            out.push((value >> 64) as u64);
        }
    }
    out
}

/// `bits` bits from bit `at` on; bits beyond the end are 0.
pub(crate) fn read_bits(bytes: &[u8], at: usize, bits: u8) -> u128 {
    if at.is_multiple_of(8) && bits.is_multiple_of(8) {
        let mut word = [0; 16];
        let len = usize::from(bits / 8);
        if let Some(source) = bytes.get(at / 8..at / 8 + len) {
            word[..len].copy_from_slice(source);
            return u128::from_le_bytes(word);
        }
    }
    (0..usize::from(bits))
        .filter(|i| {
            bytes
                .get((at + i) / 8)
                .is_some_and(|b| b >> ((at + i) % 8) & 1 == 1)
        })
        .fold(0, |value, i| value | 1 << i)
}

/// Sets `bits` bits from bit `at` on. A whole number of bytes at a byte is written with its padding bits zero.
pub(crate) fn write_bits(bytes: &mut [u8], at: usize, bits: u8, value: u128) {
    for i in 0..usize::from(bits) {
        let Some(byte) = bytes.get_mut((at + i) / 8) else {
            return;
        };
        let bit = 1 << ((at + i) % 8);
        if value >> i & 1 == 1 {
            *byte |= bit;
        } else {
            *byte &= !bit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small widths, exhaustively, against arithmetic on wider integers.
    #[test]
    fn four_bits_agree_with_wide_arithmetic() {
        let ops = [
            IntOp::Add,
            IntOp::Sub,
            IntOp::Mul,
            IntOp::UDiv,
            IntOp::SDiv,
            IntOp::URem,
            IntOp::SRem,
            IntOp::Shl,
            IntOp::LShr,
            IntOp::AShr,
            IntOp::And,
            IntOp::Or,
            IntOp::Xor,
        ];
        for op in ops {
            for a in 0..16u64 {
                for b in 0..16u64 {
                    let wide = compute_wide(op, 4, a.into(), b.into()).map(|v| v as u64);
                    let overflows = matches!(op, IntOp::SDiv | IntOp::SRem) && a == 8 && b == 15;
                    let expected = if overflows { None } else { wide };
                    assert_eq!(compute(op, 4, a, b), expected, "{op:?} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn bits_are_packed_lowest_first() {
        let lanes: Vec<u64> = (0..16)
            .map(|i| u64::from(0b1000_0000_0000_0101u32 >> i & 1))
            .collect();
        assert_eq!(
            repack(&lanes, 1, 16, 16, 1).as_slice(),
            [0b1000_0000_0000_0101]
        );
        assert_eq!(repack(&[0b101], 3, 1, 1, 3).as_slice(), [1, 0, 1]);
        assert_eq!(repack(&[1, 2], 64, 2, 128, 1).as_slice(), [1, 2]);
        assert_eq!(
            repack(&[0x0403_0201, 0x0807_0605], 32, 2, 8, 8).as_slice(),
            [1, 2, 3, 4, 5, 6, 7, 8]
        );
    }
}
