//! Binary floating-point numbers in decimal, exactly.
//!
//! `m·2^e` has finitely many decimal digits: those of `m·2^e` itself, or of `m·5^k` with the point `k` places from the right where `e = -k`. With all digits at hand,
//! rounding to any number of them is rounding once, half to even, as C libraries do.

use num_bigint::BigUint;

/// A number that is not negative: `0.d₁d₂d₃… · 10^point`, without zeros at either end; no digits are zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    /// ASCII digits.
    pub(super) digits: Vec<u8>,
    pub(super) point: i64,
}

impl Decimal {
    /// `mantissa · 2^exponent`.
    pub(super) fn exact(mantissa: u64, exponent: i32) -> Self {
        let mantissa = BigUint::from(mantissa);
        let (whole, places) = if exponent >= 0 {
            (mantissa << exponent.unsigned_abs(), 0)
        } else {
            let places = exponent.unsigned_abs();
            (
                mantissa * BigUint::from(5_u32).pow(places),
                i64::from(places),
            )
        };
        Self::of(whole.to_str_radix(10).as_bytes(), -places)
    }

    /// What these digits with so many further zeros (fewer: decimal places) say.
    pub(super) fn of(digits: &[u8], zeros: i64) -> Self {
        let point = digits.len() as i64 + zeros;
        let leading = digits.iter().take_while(|d| **d == b'0').count();
        let mut digits = digits[leading..].to_vec();
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        let point = if digits.is_empty() {
            0
        } else {
            point - leading as i64
        };
        Self { digits, point }
    }

    /// Rounded to `count` digits; the number of a digit is counted from the first, so that 0 and fewer leave nothing, or one more before it.
    pub(super) fn rounded(mut self, count: i64) -> Self {
        if count >= self.digits.len() as i64 {
            return self;
        }
        let Ok(keep) = usize::try_from(count) else {
            return Self::of(&[], 0);
        };
        let rest = self.digits.split_off(keep);
        let odd = self.digits.last().is_some_and(|d| (d - b'0') % 2 == 1);
        let up = match rest[0] {
            b'5' => rest.len() > 1 || odd,
            first => first > b'5',
        };
        if up {
            let nines = self.digits.iter().rev().take_while(|d| **d == b'9').count();
            self.digits.truncate(keep - nines);
            match self.digits.last_mut() {
                Some(last) => *last += 1,
                None => {
                    self.digits.push(b'1');
                    self.point += 1;
                }
            }
        }
        let zeros = self.point - self.digits.len() as i64;
        Self::of(&self.digits, zeros)
    }

    /// The digit before which there are `before` others since the point: 0 is the first after it, -1 the one before it.
    pub(super) fn digit(&self, before: i64) -> u8 {
        let at = usize::try_from(before + self.point).ok();
        at.and_then(|at| self.digits.get(at).copied())
            .unwrap_or(b'0')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: &Decimal) -> String {
        let digits = String::from_utf8_lossy(&number.digits);
        format!("0.{digits}e{}", number.point)
    }

    #[test]
    fn numbers_are_exact() {
        assert_eq!(text(&Decimal::exact(5, -1)), "0.25e1");
        assert_eq!(text(&Decimal::exact(3, 10)), "0.3072e4");
        assert_eq!(text(&Decimal::exact(1, -4)), "0.625e-1");
        assert_eq!(text(&Decimal::exact(0, 7)), "0.e0");
    }

    #[test]
    fn rounding_is_half_to_even() {
        let round =
            |mantissa, exponent, count| text(&Decimal::exact(mantissa, exponent).rounded(count));
        assert_eq!(round(5, -1, 1), "0.2e1");
        assert_eq!(round(7, -1, 1), "0.4e1");
        assert_eq!(round(999, 0, 2), "0.1e4");
        assert_eq!(round(5, 0, 0), "0.e0");
        assert_eq!(round(6, 0, 0), "0.1e2");
        assert_eq!(round(6, 0, -1), "0.e0");
    }
}
