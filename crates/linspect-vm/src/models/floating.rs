//! Floating-point numbers as `printf` shows them: `%f`, `%e`, `%g` and `%a`, for `double` and for the `long double` of x86-64.

use super::decimal::Decimal;
use super::format::{Directive, Number};

/// A floating-point number of either width.
#[derive(Clone, Copy)]
pub(super) struct Float {
    negative: bool,
    value: FloatValue,
}

#[derive(Clone, Copy)]
enum FloatValue {
    Infinite,
    NotANumber,
    /// `mantissa · 2^exponent`, of which `%a` shows the bits from `point` downwards as a fraction.
    Finite {
        mantissa: u64,
        exponent: i32,
        point: u32,
    },
}

impl Float {
    pub(super) fn is_negative(self) -> bool {
        self.negative
    }

    pub(super) fn is_finite(self) -> bool {
        matches!(self.value, FloatValue::Finite { .. })
    }

    pub(super) fn of_double(x: f64) -> Self {
        const FRACTION: u32 = 52;
        let bits = x.to_bits();
        let fraction = bits & ((1 << FRACTION) - 1);
        let exponent = (bits >> FRACTION & 0x7ff) as i32;
        let value = match (exponent, fraction) {
            (0x7ff, 0) => FloatValue::Infinite,
            (0x7ff, _) => FloatValue::NotANumber,
            _ => FloatValue::Finite {
                mantissa: if exponent == 0 {
                    fraction
                } else {
                    fraction | 1 << FRACTION
                },
                exponent: exponent.max(1) - 1075,
                point: FRACTION,
            },
        };
        Self {
            negative: x.is_sign_negative(),
            value,
        }
    }

    pub(super) fn of_long_double(mantissa: u64, top: u16) -> Self {
        let exponent = i32::from(top & 0x7fff);
        let value = match (exponent, mantissa << 1) {
            (0x7fff, 0) => FloatValue::Infinite,
            (0x7fff, _) => FloatValue::NotANumber,
            _ => FloatValue::Finite {
                mantissa,
                exponent: exponent.max(1) - 16446,
                point: 60,
            },
        };
        Self {
            negative: top & 0x8000 != 0,
            value,
        }
    }
}

/// The number in parts, without its sign, as a conversion of `printf` shows it.
pub(super) fn number(float: Float, d: Directive, conversion: u8) -> Number {
    let named = |name: &str| Number {
        tail: name.to_owned(),
        ..Number::default()
    };
    let number = match float.value {
        FloatValue::Infinite => named("inf"),
        FloatValue::NotANumber => named("nan"),
        FloatValue::Finite {
            mantissa,
            exponent,
            point,
        } => {
            let exact = || Decimal::exact(mantissa, exponent);
            let places = d.precision.unwrap_or(6);
            match conversion.to_ascii_lowercase() {
                b'a' => hexadecimal(mantissa, exponent, point, d),
                b'f' => fixed(&exact(), places, d.alternate),
                b'e' => scientific(exact(), places, d.alternate),
                _ => general(exact(), d),
            }
        }
    };
    cased(number, conversion)
}

fn cased(mut number: Number, conversion: u8) -> Number {
    if conversion.is_ascii_uppercase() {
        number.lead.make_ascii_uppercase();
        number.digits.make_ascii_uppercase();
        number.tail.make_ascii_uppercase();
    }
    number
}

/// A number of places as far as digits can differ from zero, and the zeros beyond.
fn split(places: u64) -> (i64, u64) {
    /// A `long double` has fewer digits after its point, and before it.
    const ALL: u64 = 20_000;
    let own = places.min(ALL);
    (own as i64, places - own)
}

/// `%f`.
fn fixed(exact: &Decimal, precision: u64, point: bool) -> Number {
    let (places, trailing) = split(precision);
    let rounded = exact.clone().rounded(exact.point + places);
    let mut digits: Vec<u8> = (-rounded.point.max(1)..0)
        .map(|at| rounded.digit(at))
        .collect();
    if precision > 0 || point {
        digits.push(b'.');
    }
    digits.extend((0..places).map(|at| rounded.digit(at)));
    Number {
        digits,
        trailing,
        ..Number::default()
    }
}

/// `%e`: at least two digits of exponent.
fn scientific(exact: Decimal, precision: u64, point: bool) -> Number {
    let (places, trailing) = split(precision);
    let rounded = exact.rounded(places + 1);
    let power = match rounded.digits.is_empty() {
        true => 0,
        false => rounded.point - 1,
    };
    let digit = |at: i64| {
        let at = usize::try_from(at).ok();
        at.and_then(|at| rounded.digits.get(at).copied())
            .unwrap_or(b'0')
    };
    let mut digits = vec![digit(0)];
    if precision > 0 || point {
        digits.push(b'.');
    }
    digits.extend((1..=places).map(digit));
    let sign = if power < 0 { '-' } else { '+' };
    Number {
        digits,
        trailing,
        tail: format!("e{sign}{:02}", power.abs()),
        ..Number::default()
    }
}

/// `%g`: the shorter of `%e` and `%f`, without trailing zeros.
fn general(exact: Decimal, d: Directive) -> Number {
    let precision = d.precision.unwrap_or(6).max(1);
    let (significant, _) = split(precision);
    let rounded = exact.rounded(significant);
    let power = match rounded.digits.is_empty() {
        true => 0,
        false => rounded.point - 1,
    };
    let is_small = power < -4 || u64::try_from(power).is_ok_and(|power| power >= precision);
    let count = rounded.digits.len() as i64;
    // Without zeros at the end there are as many places as digits need them.
    let places = match (d.alternate, is_small) {
        (true, true) => precision - 1,
        (true, false) => precision.saturating_add_signed(-1 - power),
        (false, true) => u64::try_from(count - 1).unwrap_or(0),
        (false, false) => u64::try_from(count - rounded.point).unwrap_or(0),
    };
    if is_small {
        scientific(rounded, places, d.alternate)
    } else {
        fixed(&rounded, places, d.alternate)
    }
}

/// `%a`.
fn hexadecimal(mantissa: u64, exponent: i32, point: u32, d: Directive) -> Number {
    let mut whole = mantissa >> point;
    let mut fraction = mantissa & ((1 << point) - 1);
    let mut power = if mantissa == 0 {
        0
    } else {
        exponent + point.cast_signed()
    };
    let all = point / 4;
    let mut places = all;
    let mut trailing = 0;
    match d.precision {
        Some(precision) if precision < u64::from(all) => {
            places = precision as u32;
            let cut = 4 * (all - places);
            let (kept, rest) = (fraction >> cut, fraction & ((1 << cut) - 1));
            let half = 1 << (cut - 1);
            let odd = if places == 0 { whole } else { kept } & 1 == 1;
            fraction = kept + u64::from(rest > half || rest == half && odd);
            if fraction >> (4 * places) != 0 {
                fraction = 0;
                whole += 1;
            }
            if whole == 16 {
                whole = 1;
                power += 4;
            }
        }
        Some(precision) => trailing = precision - u64::from(all),
        None => {
            while places > 0 && fraction & 15 == 0 {
                fraction >>= 4;
                places -= 1;
            }
        }
    }
    let mut digits = format!("{whole:x}");
    if places > 0 || trailing > 0 || d.alternate {
        digits.push('.');
    }
    if places > 0 {
        digits.push_str(&format!("{fraction:0width$x}", width = places as usize));
    }
    let sign = if power < 0 { '-' } else { '+' };
    Number {
        lead: "0x".to_owned(),
        digits: digits.into_bytes(),
        trailing,
        tail: format!("p{sign}{}", power.abs()),
        ..Number::default()
    }
}
