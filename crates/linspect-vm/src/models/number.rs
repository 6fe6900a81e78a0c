//! Numbers read from text: `strtol`, `strtod` and their like, as C11 7.22.1 describes them, in the C locale.

use super::ctype::is_space;
use super::decimal::Decimal;
use super::{Reply, Table, errno, int, value};
use crate::interp::{Cpu, Stop};
use crate::memory::Address;

pub(super) const TABLE: Table = &[
    ("atoi", |cpu, a| {
        let (number, ..) = cpu.whole(a[0], 10)?;
        int(saturated(number) as i32)
    }),
    ("atol", decimal),
    ("atoll", decimal),
    ("strtol", signed),
    ("strtoll", signed),
    ("strtoimax", signed),
    ("__isoc23_strtol", signed),
    ("__isoc23_strtoll", signed),
    ("strtoul", unsigned),
    ("strtoull", unsigned),
    ("strtoumax", unsigned),
    ("__isoc23_strtoul", unsigned),
    ("__isoc23_strtoull", unsigned),
    ("atof", |cpu, a| {
        let text = cpu.float_text(a[0])?;
        value(double(&text).0.to_bits())
    }),
    ("strtod", |cpu, a| {
        let text = cpu.float_text(a[0])?;
        cpu.end_number(a[0], text.len, a[1])?;
        let (number, in_range) = double(&text);
        if !in_range {
            cpu.set_errno(errno::ERANGE)?;
        }
        value(number.to_bits())
    }),
    ("strtof", |cpu, a| {
        let text = cpu.float_text(a[0])?;
        cpu.end_number(a[0], text.len, a[1])?;
        let (number, in_range) = single(&text);
        if !in_range {
            cpu.set_errno(errno::ERANGE)?;
        }
        value(u64::from(number.to_bits()))
    }),
    ("abs", |_, a| int((a[0] as i32).wrapping_abs())),
    ("labs", |_, a| value((a[0] as i64).wrapping_abs() as u64)),
    ("llabs", |_, a| value((a[0] as i64).wrapping_abs() as u64)),
    ("imaxabs", |_, a| value((a[0] as i64).wrapping_abs() as u64)),
];

fn decimal(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let (number, ..) = cpu.whole(a[0], 10)?;
    value(saturated(number).cast_unsigned())
}

/// A base that there is: 0 asks the text.
fn is_base(base: u64) -> bool {
    matches!(base as u32, 0 | 2..=36)
}

fn signed(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    if !is_base(a[2]) {
        cpu.set_errno(errno::EINVAL)?;
        return value(0);
    }
    let (number, len) = cpu.whole(a[0], a[2] as u32)?;
    cpu.end_number(a[0], len, a[1])?;
    if i64::try_from(number).is_err() {
        cpu.set_errno(errno::ERANGE)?;
    }
    value(saturated(number).cast_unsigned())
}

fn unsigned(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    if !is_base(a[2]) {
        cpu.set_errno(errno::EINVAL)?;
        return value(0);
    }
    let (number, len) = cpu.whole(a[0], a[2] as u32)?;
    cpu.end_number(a[0], len, a[1])?;
    match u64::try_from(number.unsigned_abs()) {
        Ok(size) if number < 0 => value(size.wrapping_neg()),
        Ok(size) => value(size),
        Err(_) => {
            cpu.set_errno(errno::ERANGE)?;
            value(u64::MAX)
        }
    }
}

pub(super) fn saturated(number: i128) -> i64 {
    number.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// The text of a floating-point number.
#[derive(Debug, Default, PartialEq)]
pub(super) struct FloatText {
    negative: bool,
    kind: FloatKind,
    /// Bytes from where the search began; 0 if there is no number.
    pub(super) len: u64,
}

#[derive(Debug, Default, PartialEq)]
enum FloatKind {
    /// Digits without sign, a point after so many of them, an exponent.
    Decimal(Vec<u8>, i64),
    /// The value's bits, the lowest of them standing for this power of two, and whether there was more after them.
    Hexadecimal(u64, i64, bool),
    Infinity,
    NotANumber,
    #[default]
    Nothing,
}

/// The double nearest to a text, and whether it is in the range of doubles.
pub(super) fn double(text: &FloatText) -> (f64, bool) {
    let (size, in_range) = match &text.kind {
        FloatKind::Decimal(digits, zeros) => {
            let wanted = Decimal::of(digits, *zeros);
            let number: f64 = spelt(&wanted).parse().unwrap_or(0.0);
            let bits = number.to_bits();
            // Numbers too small for all their bits are out of range where bits are lost.
            let is_tiny = bits >> 52 == 0 && Decimal::exact(bits, -1074) != wanted;
            (number, number.is_finite() && !is_tiny)
        }
        FloatKind::Hexadecimal(bits, power, more) => nearest(*bits, *power, *more, 53, -1074, 1023),
        FloatKind::Infinity => (f64::INFINITY, true),
        FloatKind::NotANumber => (f64::NAN, true),
        FloatKind::Nothing => (0.0, true),
    };
    (if text.negative { -size } else { size }, in_range)
}

/// The float nearest to a text, and whether it is in the range of floats.
pub(super) fn single(text: &FloatText) -> (f32, bool) {
    let (size, in_range) = match &text.kind {
        FloatKind::Decimal(digits, zeros) => {
            let wanted = Decimal::of(digits, *zeros);
            let number: f32 = spelt(&wanted).parse().unwrap_or(0.0);
            let bits = number.to_bits();
            let is_tiny = bits >> 23 == 0 && Decimal::exact(bits.into(), -149) != wanted;
            (number, number.is_finite() && !is_tiny)
        }
        FloatKind::Hexadecimal(bits, power, more) => {
            let (number, in_range) = nearest(*bits, *power, *more, 24, -149, 127);
            (number as f32, in_range)
        }
        FloatKind::Infinity => (f32::INFINITY, true),
        FloatKind::NotANumber => (f32::NAN, true),
        FloatKind::Nothing => (0.0, true),
    };
    (if text.negative { -size } else { size }, in_range)
}

/// A decimal as Rust reads it.
fn spelt(number: &Decimal) -> String {
    let digits = String::from_utf8_lossy(&number.digits);
    format!("0.{digits}0e{}", number.point)
}

/// `bits·2^power` rounded half to even to so many bits, none of them below the lowest power of two; more than `highest` is infinite.
fn nearest(
    bits: u64,
    power: i64,
    more: bool,
    precision: i64,
    lowest: i64,
    highest: i64,
) -> (f64, bool) {
    if bits == 0 {
        return (0.0, true);
    }
    let top = power + 63 - i64::from(bits.leading_zeros());
    if top > highest {
        return (f64::INFINITY, false);
    }
    let last = (top - precision + 1).max(lowest);
    let cut = last - power;
    let (mut kept, inexact) = match cut {
        ..=0 => (u128::from(bits) << -cut, more),
        1..=64 => {
            let wide = u128::from(bits);
            let (kept, rest) = (wide >> cut, wide & ((1 << cut) - 1));
            let half = 1_u128 << (cut - 1);
            let up = rest > half || rest == half && (more || kept & 1 == 1);
            (kept + u128::from(up), rest != 0 || more)
        }
        _ => (0, true),
    };
    let mut last = last;
    while kept != 0 && kept & 1 == 0 {
        kept >>= 1;
        last += 1;
    }
    // A double has more room than needed for the steps below, except at its lower end, where halving is exact as well.
    let mut number = kept as f64;
    for _ in 0..last.unsigned_abs() {
        number = if last > 0 { number * 2.0 } else { number / 2.0 };
    }
    let size = power_of(number);
    if size > highest {
        return (f64::INFINITY, false);
    }
    (number, !(inexact && top < lowest + precision - 1))
}

/// The exponent of the largest power of two in a number.
fn power_of(number: f64) -> i64 {
    if number == 0.0 {
        return i64::MIN;
    }
    (number.to_bits() >> 52 & 0x7ff) as i64 - 1023
}

impl Cpu<'_> {
    fn set_errno(&mut self, number: u32) -> Result<(), Stop> {
        let address = self.errno()?;
        self.write_int(address, number)
    }

    /// Tells where a number ended.
    fn end_number(&mut self, start: Address, len: u64, end: Address) -> Result<(), Stop> {
        if end == 0 {
            return Ok(());
        }
        self.write_pointer(end, start.wrapping_add(len))
    }

    /// What `parse` finds at the start of the text at `address`, and how many bytes it takes. The byte after them is read, too.
    fn parsed<T>(
        &mut self,
        address: Address,
        parse: impl Fn(&[u8]) -> (T, u64),
    ) -> Result<(T, u64), Stop> {
        let (block, at) = self.check(self.memory.check(address, 1))?;
        let there = &block.bytes()[at..];
        let end = there.iter().position(|b| *b == 0).unwrap_or(there.len());
        let (number, len) = parse(&there[..end]);
        self.bytes(address, len + 1)?;
        Ok((number, len))
    }

    /// The whole number at `address` in `base`, as far as 128 bits hold it, and how many bytes it takes.
    fn whole(&mut self, address: Address, base: u32) -> Result<(i128, u64), Stop> {
        self.parsed(address, |text| whole(text, base))
    }

    fn float_text(&mut self, address: Address) -> Result<FloatText, Stop> {
        let parse = |text: &[u8]| {
            let found = float_text(text);
            let len = found.len;
            (found, len)
        };
        Ok(self.parsed(address, parse)?.0)
    }
}

/// Blanks and a sign: how many bytes, and whether it is minus.
fn start(text: &[u8]) -> (usize, bool) {
    let at = text.iter().take_while(|c| is_space(**c)).count();
    let sign = text.get(at).filter(|c| matches!(c, b'-' | b'+'));
    (at + usize::from(sign.is_some()), sign == Some(&b'-'))
}

fn has_prefix(text: &[u8], prefix: &[u8]) -> bool {
    let there = text.get(..prefix.len());
    there.is_some_and(|there| there.eq_ignore_ascii_case(prefix))
}

pub(super) fn whole(text: &[u8], base: u32) -> (i128, u64) {
    let (mut at, negative) = start(text);
    let is_digit = |at: usize, base| text.get(at).is_some_and(|c| char::from(*c).is_digit(base));
    let base = match base {
        0 | 16 if has_prefix(&text[at..], b"0x") && is_digit(at + 2, 16) => {
            at += 2;
            16
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    let first = at;
    let mut number = 0_i128;
    while let Some(digit) = text.get(at).and_then(|c| char::from(*c).to_digit(base)) {
        number = number
            .saturating_mul(base.into())
            .saturating_add(digit.into());
        at += 1;
    }
    let len = if at == first { 0 } else { at as u64 };
    (if negative { -number } else { number }, len)
}

pub(super) fn float_text(text: &[u8]) -> FloatText {
    let (at, negative) = start(text);
    let rest = &text[at..];
    let found = |kind, len: usize| FloatText {
        negative,
        kind,
        len: (at + len) as u64,
    };
    if has_prefix(rest, b"infinity") {
        return found(FloatKind::Infinity, 8);
    }
    if has_prefix(rest, b"inf") {
        return found(FloatKind::Infinity, 3);
    }
    if has_prefix(rest, b"nan") {
        let word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
        let inside = rest
            .get(4..)
            .unwrap_or_default()
            .iter()
            .take_while(|c| word(c))
            .count();
        let closed = rest.get(3) == Some(&b'(') && rest.get(4 + inside) == Some(&b')');
        return found(FloatKind::NotANumber, if closed { inside + 5 } else { 3 });
    }
    if has_prefix(rest, b"0x")
        && let Some((digits, zeros, len)) = digits(&rest[2..], 16, b'p', 4)
    {
        let (mut bits, mut dropped, mut more) = (0_u64, 0_i64, false);
        for digit in digits {
            if bits >> 60 == 0 {
                bits = bits << 4 | u64::from(char::from(digit).to_digit(16).unwrap_or(0));
            } else {
                dropped += 4;
                more |= digit != b'0';
            }
        }
        return found(FloatKind::Hexadecimal(bits, zeros + dropped, more), len + 2);
    }
    match digits(rest, 10, b'e', 1) {
        Some((digits, zeros, len)) => found(FloatKind::Decimal(digits, zeros), len),
        None => FloatText::default(),
    }
}

/// Digits with a point somewhere and perhaps an exponent: the digits, what power of the exponent's base the last of them stands for, and the length. Each place counts
/// as so many powers.
fn digits(text: &[u8], base: u32, mark: u8, per_place: i64) -> Option<(Vec<u8>, i64, usize)> {
    let mut digits = Vec::new();
    let (mut at, mut places, mut point) = (0, 0_i64, false);
    while let Some(&c) = text.get(at) {
        match c {
            b'.' if !point => point = true,
            _ if char::from(c).is_digit(base) => {
                digits.push(c);
                places += i64::from(point);
            }
            _ => break,
        }
        at += 1;
    }
    if digits.is_empty() {
        return None;
    }
    let mut power = 0_i64;
    if text.get(at).is_some_and(|c| c.eq_ignore_ascii_case(&mark)) {
        let negative = text.get(at + 1) == Some(&b'-');
        let signed = usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
        let exponent: Vec<u8> = text[at + 1 + signed..]
            .iter()
            .copied()
            .take_while(u8::is_ascii_digit)
            .collect();
        if !exponent.is_empty() {
            at += 1 + signed + exponent.len();
            for digit in exponent {
                power = (power * 10 + i64::from(digit - b'0')).min(1 << 20);
            }
            power = if negative { -power } else { power };
        }
    }
    Some((digits, power - per_place * places, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As glibc reads them.
    #[test]
    fn whole_numbers_are_read() {
        for (text, base, expected) in [
            (" \x0b-12x", 10, (-12, 5)),
            ("0x1f", 0, (31, 4)),
            ("0x", 16, (0, 1)),
            ("0xg", 0, (0, 1)),
            ("077", 0, (63, 3)),
            ("z", 36, (35, 1)),
            ("-", 10, (0, 0)),
            ("", 10, (0, 0)),
            ("99999999999999999999", 10, (99_999_999_999_999_999_999, 20)),
        ] {
            assert_eq!(whole(text.as_bytes(), base), expected, "{text}");
        }
    }

    #[test]
    fn floating_point_numbers_are_read() {
        for (text, expected, in_range, len) in [
            ("1.5x", 1.5, true, 3),
            ("-.5e1", -5.0, true, 5),
            ("1e", 1.0, true, 1),
            ("1e+", 1.0, true, 1),
            ("0x1.8p1", 3.0, true, 7),
            ("0x", 0.0, true, 1),
            ("0x.p1", 0.0, true, 1),
            ("1e400", f64::INFINITY, false, 5),
            ("1e-400", 0.0, false, 6),
            ("4.9406564584124654e-324", f64::from_bits(1), false, 23),
            ("0x1p-1074", f64::from_bits(1), true, 9),
            ("0x1p1024", f64::INFINITY, false, 8),
            ("-inf", f64::NEG_INFINITY, true, 4),
            ("infinite", f64::INFINITY, true, 3),
            ("x", 0.0, true, 0),
        ] {
            let read = float_text(text.as_bytes());
            assert_eq!(read.len, len, "{text}");
            assert_eq!(double(&read), (expected, in_range), "{text}");
        }
        assert_eq!(float_text(b"nan(a_1)z").len, 8);
        assert_eq!(single(&float_text(b"0x1.000001p0")), (1.0, true));
        assert_eq!(single(&float_text(b"3.5e38")), (f32::INFINITY, false));
    }
}
