//! The formats of `printf`, as C11 7.21.6.1 describes them and glibc fills in what is left open.
//!
//! What would be longer than anybody keeps is counted, not made. What is not known here is refused by name: wide characters, positional arguments.

use super::floating::{Float, number};

/// Where variadic arguments come from.
pub(super) trait Arguments {
    /// Why an argument cannot be read.
    type Error;
    /// The next argument, 8 bytes.
    fn next(&mut self) -> Result<u64, Self::Error>;
    /// The next argument, a `long double`: 64 bits of fraction, then sign and exponent.
    fn long_double(&mut self) -> Result<(u64, u16), Self::Error>;
    /// The string at an address, at most `max` bytes of it.
    fn string(&mut self, address: u64, max: Option<u64>) -> Result<Vec<u8>, Self::Error>;
    /// The text of the error that `errno` names.
    fn error_text(&mut self) -> Result<Vec<u8>, Self::Error>;
}

/// Why a text cannot be formatted.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trouble<E> {
    /// An argument cannot be read.
    Argument(E),
    /// This directive is not known here.
    Unknown(String),
}

impl<E> From<E> for Trouble<E> {
    fn from(error: E) -> Self {
        Self::Argument(error)
    }
}

/// What a format came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Formatted {
    /// The text, as far as there was room for it.
    pub(super) text: Vec<u8>,
    /// How long the whole is; nothing if that is more than an `int` holds.
    pub(super) len: Option<i32>,
    /// What `%n` asked for: where to write how much, in how many bytes.
    pub(super) counts: Vec<(u64, u64, usize)>,
}

/// Text of which the first part is kept and the rest counted.
struct Sink {
    kept: Vec<u8>,
    room: usize,
    len: u64,
}

impl Sink {
    fn put(&mut self, text: &[u8]) {
        let room = self.room - self.kept.len();
        self.kept.extend_from_slice(&text[..text.len().min(room)]);
        self.len = self.len.saturating_add(text.len() as u64);
    }

    fn fill(&mut self, byte: u8, count: u64) {
        let room = self.room - self.kept.len();
        let fits = usize::try_from(count).map_or(room, |count| count.min(room));
        self.kept.resize(self.kept.len() + fits, byte);
        self.len = self.len.saturating_add(count);
    }
}

/// What stands between `%` and the conversion.
#[derive(Clone, Copy, Default)]
pub(super) struct Directive {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    pub(super) alternate: bool,
    width: u64,
    pub(super) precision: Option<u64>,
    length: Length,
}

/// The length modifier.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Length {
    Char,
    Short,
    #[default]
    Int,
    Long,
    LongDouble,
}

impl Length {
    /// Bytes of an integer.
    fn bytes(self) -> usize {
        match self {
            Self::Char => 1,
            Self::Short => 2,
            Self::Int => 4,
            Self::Long | Self::LongDouble => 8,
        }
    }
}

/// A number in parts: a sign or prefix, zeros, digits, further zeros, an exponent.
#[derive(Default)]
pub(super) struct Number {
    pub(super) lead: String,
    pub(super) leading: u64,
    pub(super) digits: Vec<u8>,
    pub(super) trailing: u64,
    pub(super) tail: String,
}

/// The largest number that widths, precisions and results may be.
const MOST: u64 = i32::MAX as u64;

/// `format` with its arguments filled in; `room` bytes of it are kept.
pub(super) fn format<A: Arguments>(
    format: &[u8],
    args: &mut A,
    room: usize,
) -> Result<Formatted, Trouble<A::Error>> {
    let mut out = Sink {
        kept: Vec::new(),
        room,
        len: 0,
    };
    let mut counts = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.iter().position(|b| *b == b'%') {
        out.put(&rest[..at]);
        let mut reader = Reader {
            rest: &rest[at + 1..],
        };
        let directive = reader.directive(args)?;
        let conversion = reader.next_if(|_| true);
        let unknown = || {
            let directive = &rest[at..rest.len() - reader.rest.len()];
            Trouble::Unknown(String::from_utf8_lossy(directive).into_owned())
        };
        let Some(directive) = directive else {
            // A width or precision that no `int` holds: nothing more is printed.
            out.len = u64::MAX;
            break;
        };
        match conversion {
            Some(b'n') => counts.push((args.next()?, out.len, directive.length.bytes())),
            Some(conversion) if convert(conversion, directive, args, &mut out)? => {}
            _ => return Err(unknown()),
        }
        rest = reader.rest;
        if out.len > MOST {
            break;
        }
    }
    if out.len <= MOST {
        out.put(rest);
    }
    Ok(Formatted {
        text: out.kept,
        len: i32::try_from(out.len).ok(),
        counts,
    })
}

/// Reads directives.
struct Reader<'f> {
    rest: &'f [u8],
}

impl Reader<'_> {
    fn next_if(&mut self, test: impl Fn(u8) -> bool) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        test(first).then(|| {
            self.rest = rest;
            first
        })
    }

    /// A number, 0 without digits; nothing if it is too large.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        while let Some(digit) = self.next_if(|c| c.is_ascii_digit()) {
            number = number
                .saturating_mul(10)
                .saturating_add(u64::from(digit - b'0'));
        }
        Some(number).filter(|n| *n < MOST)
    }

    /// What stands between `%` and the conversion; nothing if a number in it is too large.
    fn directive<A: Arguments>(&mut self, args: &mut A) -> Result<Option<Directive>, A::Error> {
        let mut d = Directive::default();
        let mut fits = true;
        while let Some(flag) = self.next_if(|c| b"-0+ #'I".contains(&c)) {
            match flag {
                b'-' => d.left = true,
                b'0' => d.zero = true,
                b'+' => d.plus = true,
                b' ' => d.space = true,
                b'#' => d.alternate = true,
                // Groups of digits and other digits are the same in the C locale.
                _ => {}
            }
        }
        if self.next_if(|c| c == b'*').is_some() {
            let width = args.next()? as i32;
            d.left |= width < 0;
            d.width = width.unsigned_abs().into();
        } else {
            match self.number() {
                Some(width) => d.width = width,
                None => fits = false,
            }
        }
        if self.next_if(|c| c == b'.').is_some() {
            if self.next_if(|c| c == b'*').is_some() {
                // A negative precision is none.
                d.precision = u64::try_from(args.next()? as i32).ok();
            } else {
                match self.number() {
                    Some(precision) => d.precision = Some(precision),
                    None => fits = false,
                }
            }
        }
        while let Some(modifier) = self.next_if(|c| b"hljztLq".contains(&c)) {
            d.length = match (modifier, d.length) {
                (b'h', Length::Short) => Length::Char,
                (b'h', _) => Length::Short,
                (b'L', _) => Length::LongDouble,
                _ => Length::Long,
            };
        }
        Ok(fits.then_some(d))
    }
}

/// Converts the next argument; whether the conversion is one that is known.
fn convert<A: Arguments>(
    conversion: u8,
    d: Directive,
    args: &mut A,
    out: &mut Sink,
) -> Result<bool, A::Error> {
    match conversion {
        b'%' => out.put(b"%"),
        b'c' | b's' if d.length == Length::Long => return Ok(false),
        b'c' => {
            let c = args.next()? as u8;
            pad(out, d, &[c]);
        }
        b's' => {
            let address = args.next()?;
            let text = match address {
                0 if d.precision.is_none_or(|most| most >= 6) => b"(null)".to_vec(),
                0 => Vec::new(),
                _ => args.string(address, d.precision)?,
            };
            pad(out, d, &text);
        }
        b'm' => {
            let mut text = args.error_text()?;
            text.truncate(d.precision.map_or(usize::MAX, |most| most as usize));
            pad(out, d, &text);
        }
        b'd' | b'i' => {
            let shift = 64 - 8 * d.length.bytes() as u32;
            let n = (args.next()? << shift).cast_signed() >> shift;
            integer(out, d, sign(d, n < 0), n.unsigned_abs().to_string());
        }
        b'u' | b'x' | b'X' | b'o' => {
            let shift = 64 - 8 * d.length.bytes() as u32;
            let n = args.next()? << shift >> shift;
            let (digits, prefix) = match conversion {
                b'u' => (n.to_string(), ""),
                b'x' => (format!("{n:x}"), "0x"),
                b'X' => (format!("{n:X}"), "0X"),
                _ => (format!("{n:o}"), ""),
            };
            let mut d = d;
            let least = d.precision.unwrap_or(0).max(u64::from(n != 0));
            if conversion == b'o' && d.alternate && least <= digits.len() as u64 && n != 0 {
                d.precision = Some(digits.len() as u64 + 1);
            } else if conversion == b'o' && d.alternate && n == 0 {
                d.precision = Some(d.precision.unwrap_or(1).max(1));
            }
            let prefix = if d.alternate && n != 0 { prefix } else { "" };
            integer(out, d, prefix, digits);
        }
        b'p' => match args.next()? {
            0 => pad(out, d, b"(nil)"),
            n => {
                let lead = format!("{}0x", sign(d, false));
                integer(out, d, &lead, format!("{n:x}"));
            }
        },
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let float = if d.length == Length::LongDouble {
                let (fraction, top) = args.long_double()?;
                Float::of_long_double(fraction, top)
            } else {
                Float::of_double(f64::from_bits(args.next()?))
            };
            floating(out, d, conversion, float);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn pad(out: &mut Sink, d: Directive, text: &[u8]) {
    let fill = d.width.saturating_sub(text.len() as u64);
    if !d.left {
        out.fill(b' ', fill);
    }
    out.put(text);
    if d.left {
        out.fill(b' ', fill);
    }
}

fn sign(d: Directive, negative: bool) -> &'static str {
    match (negative, d.plus, d.space) {
        (true, _, _) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn integer(out: &mut Sink, d: Directive, lead: &str, mut digits: String) {
    if d.precision == Some(0) && digits == "0" {
        digits.clear();
    }
    let leading = d.precision.unwrap_or(0);
    let number = Number {
        lead: lead.to_owned(),
        leading: leading.saturating_sub(digits.len() as u64),
        digits: digits.into_bytes(),
        ..Number::default()
    };
    let zero = d.zero && d.precision.is_none();
    place(out, Directive { zero, ..d }, number);
}

/// Puts a number into its field.
fn place(out: &mut Sink, d: Directive, mut number: Number) {
    let parts = number.lead.len() + number.digits.len() + number.tail.len();
    let len = (parts as u64)
        .saturating_add(number.leading)
        .saturating_add(number.trailing);
    let fill = d.width.saturating_sub(len);
    if d.zero && !d.left {
        number.leading = number.leading.saturating_add(fill);
    } else if !d.left {
        out.fill(b' ', fill);
    }
    out.put(number.lead.as_bytes());
    out.fill(b'0', number.leading);
    out.put(&number.digits);
    out.fill(b'0', number.trailing);
    out.put(number.tail.as_bytes());
    if d.left {
        out.fill(b' ', fill);
    }
}

/// A floating-point number; what is no number is not filled up with zeros.
fn floating(out: &mut Sink, d: Directive, conversion: u8, float: Float) {
    let zero = d.zero && float.is_finite();
    let mut number = number(float, d, conversion);
    number.lead.insert_str(0, sign(d, float.is_negative()));
    place(out, Directive { zero, ..d }, number);
}

#[cfg(test)]
mod tests {
    use super::*;

    struct List<'a>(std::slice::Iter<'a, u64>);

    impl Arguments for List<'_> {
        type Error = ();
        fn next(&mut self) -> Result<u64, ()> {
            self.0.next().copied().ok_or(())
        }
        fn long_double(&mut self) -> Result<(u64, u16), ()> {
            Ok((self.next()?, self.next()? as u16))
        }
        fn string(&mut self, _: u64, max: Option<u64>) -> Result<Vec<u8>, ()> {
            Ok(b"text"[..max.unwrap_or(4).min(4) as usize].to_vec())
        }
        fn error_text(&mut self) -> Result<Vec<u8>, ()> {
            Ok(b"Success".to_vec())
        }
    }

    #[track_caller]
    fn check(text: &str, args: &[u64], expected: &str) {
        let out = format(text.as_bytes(), &mut List(args.iter()), 1 << 20).unwrap();
        assert_eq!(String::from_utf8(out.text).unwrap(), expected);
        assert_eq!(out.len, Some(expected.len() as i32));
    }

    /// Expected texts are those of glibc's printf.
    #[test]
    fn formats_as_glibc_does() {
        check(
            "%d|%5d|%-5d|%05d|%+d",
            &[7, 7, 7, 7, 7],
            "7|    7|7    |00007|+7",
        );
        check(
            "%d %ld %hhd",
            &[u64::from(u32::MAX), u64::MAX, 0x1ff],
            "-1 -1 -1",
        );
        check(
            "%u %lu",
            &[u64::MAX, u64::MAX],
            "4294967295 18446744073709551615",
        );
        check(
            "%x %#x %08X %o %#o",
            &[255, 255, 255, 8, 8],
            "ff 0xff 000000FF 10 010",
        );
        check(
            "%#o %#.0o %#.3o %#x %#.0x|",
            &[0, 0, 8, 0, 0],
            "0 0 010 0 |",
        );
        check(
            "%s|%6s|%-6s|%.2s|%c%%",
            &[1, 1, 1, 1, 65],
            "text|  text|text  |te|A%",
        );
        check(
            "%.3d|%6.3d|%.0d|%07.3d",
            &[5, 5, 0, 5],
            "005|   005||    005",
        );
        check("%p %p", &[0, 0x10], "(nil) 0x10");
        let minus_one = u64::from(u32::MAX);
        check("%.*s|%.*d", &[minus_one, 1, minus_one, 0], "text|0");
        let f = |x: f64| x.to_bits();
        check(
            "%f %.2f %8.3f %e",
            &[f(1.5), f(2.345), f(-1.0), f(12345.678)],
            "1.500000 2.35   -1.000 1.234568e+04",
        );
        check(
            "%g %g %g %g %G",
            &[f(0.0001), f(0.00001), f(1e6), f(123456.0), f(1e-10)],
            "0.0001 1e-05 1e+06 123456 1E-10",
        );
        check(
            "%#g %#.0f %#.0e %g %g",
            &[f(1.0), f(3.0), f(3.0), f(0.0), f(100.0)],
            "1.00000 3. 3.e+00 0 100",
        );
        check("%*d|%.*f", &[4, 2, 1, f(0.25)], "   2|0.2");
        check(
            "%f %5.1f|%05f",
            &[f(f64::INFINITY), f(f64::NAN), f(-f64::INFINITY)],
            "inf   nan| -inf",
        );
        check(
            "%a %a %.1a %a %.0a",
            &[f(1.0), f(-0.5), f(1.97), f(0.0), f(1.97)],
            "0x1p+0 -0x1p-1 0x2.0p+0 0x0p+0 0x2p+0",
        );
        check(
            "%Lf %La",
            &[0xa000_0000_0000_0000, 0x4000, 0xa000_0000_0000_0000, 0x4000],
            "2.500000 0xap-2",
        );
    }

    #[test]
    fn what_nobody_keeps_is_only_counted() {
        let format = |text: &str, args: &[u64]| {
            let mut list = List(args.iter());
            format(text.as_bytes(), &mut list, 4).unwrap()
        };
        let out = format("%*d%n", &[2_000_000_000, 1, 0x40]);
        assert_eq!(out.text, b"    ");
        assert_eq!(out.len, Some(2_000_000_000));
        assert_eq!(out.counts, [(0x40, 2_000_000_000, 4)]);
        assert_eq!(format("%.70000f", &[1.0_f64.to_bits()]).len, Some(70_002));
        assert_eq!(
            format("%*d%*d", &[2_000_000_000, 1, 2_000_000_000, 1]).len,
            None
        );
        assert_eq!(format("%99999999999d", &[1]).len, None);
    }

    #[test]
    fn what_is_not_known_is_named() {
        let unknown = |text: &str| {
            let Err(Trouble::Unknown(directive)) =
                format(text.as_bytes(), &mut List([1].iter()), 9)
            else {
                panic!("{text} is known");
            };
            directive
        };
        assert_eq!(unknown("a %ls b"), "%ls");
        assert_eq!(unknown("%1$d"), "%1$");
        assert_eq!(unknown("100%"), "%");
    }
}
