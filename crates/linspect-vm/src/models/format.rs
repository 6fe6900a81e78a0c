//! The formats of `printf`, as C11 7.21.6.1 describes them, except `%n`.

/// Where variadic arguments come from.
pub(super) trait Arguments {
    /// Why an argument cannot be read.
    type Error;
    /// The next argument, 8 bytes.
    fn next(&mut self) -> Result<u64, Self::Error>;
    /// The string at an address, at most `max` bytes of it.
    fn string(&mut self, address: u64, max: Option<usize>) -> Result<Vec<u8>, Self::Error>;
}

#[derive(Default)]
struct Directive {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    /// Bytes of an integer argument.
    size: u32,
}

/// `format` with its arguments filled in.
pub(super) fn format<A: Arguments>(format: &[u8], args: &mut A) -> Result<Vec<u8>, A::Error> {
    let mut out = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut d = Directive {
            size: 4,
            ..Directive::default()
        };
        while let Some(flag) = rest.next_if(|c| b"-0+ #".contains(c)) {
            match flag {
                b'-' => d.left = true,
                b'0' => d.zero = true,
                b'+' => d.plus = true,
                b' ' => d.space = true,
                _ => d.alternate = true,
            }
        }
        if rest.next_if_eq(&b'*').is_some() {
            let width = args.next()? as i32;
            d.left |= width < 0;
            d.width = width.unsigned_abs() as usize;
        }
        while let Some(c) = rest.next_if(u8::is_ascii_digit) {
            d.width = (d.width * 10 + usize::from(c - b'0')).min(1 << 16);
        }
        if rest.next_if_eq(&b'.').is_some() {
            let mut precision = 0;
            if rest.next_if_eq(&b'*').is_some() {
                precision = (args.next()? as i32).max(0) as usize;
            }
            while let Some(c) = rest.next_if(u8::is_ascii_digit) {
                precision = (precision * 10 + usize::from(c - b'0')).min(1 << 16);
            }
            d.precision = Some(precision);
        }
        while let Some(c) = rest.next_if(|c| b"hljztLq".contains(c)) {
            d.size = match (c, d.size) {
                (b'h', 2) => 1,
                (b'h', _) => 2,
                _ => 8,
            };
        }
        match rest.next() {
            Some(conversion) => convert(conversion, &d, args, &mut out)?,
            None => out.push(b'%'),
        }
    }
    Ok(out)
}

fn convert<A: Arguments>(
    conversion: u8,
    d: &Directive,
    args: &mut A,
    out: &mut Vec<u8>,
) -> Result<(), A::Error> {
    match conversion {
        b'%' => out.push(b'%'),
        b'c' => {
            let c = args.next()? as u8;
            pad(out, d, &[c]);
        }
        b's' => {
            let address = args.next()?;
            let text = if address == 0 {
                b"(null)".to_vec()
            } else {
                args.string(address, d.precision)?
            };
            pad(out, d, &text);
        }
        b'd' | b'i' => {
            let shift = 64 - 8 * d.size;
            let n = ((args.next()? << shift) as i64) >> shift;
            integer(out, d, n < 0, n.unsigned_abs().to_string(), "");
        }
        b'u' | b'x' | b'X' | b'o' => {
            let shift = 64 - 8 * d.size;
            let n = args.next()? << shift >> shift;
            let (digits, prefix) = match conversion {
                b'u' => (n.to_string(), ""),
                b'x' => (format!("{n:x}"), "0x"),
                b'X' => (format!("{n:X}"), "0X"),
                _ => (format!("{n:o}"), "0"),
            };
            let unsigned = Directive {
                plus: false,
                space: false,
                ..*d
            };
            let prefix = if d.alternate && n != 0 { prefix } else { "" };
            integer(out, &unsigned, false, digits, prefix);
        }
        b'p' => {
            let n = args.next()?;
            let text = if n == 0 {
                "(nil)".into()
            } else {
                format!("{n:#x}")
            };
            pad(out, d, text.as_bytes());
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
            let x = f64::from_bits(args.next()?);
            float(out, d, conversion, x);
        }
        other => out.extend([b'%', other]),
    }
    Ok(())
}

fn pad(out: &mut Vec<u8>, d: &Directive, text: &[u8]) {
    let fill = d.width.saturating_sub(text.len());
    if !d.left {
        out.resize(out.len() + fill, b' ');
    }
    out.extend(text);
    if d.left {
        out.resize(out.len() + fill, b' ');
    }
}

fn sign(d: &Directive, negative: bool) -> &'static str {
    match (negative, d.plus, d.space) {
        (true, _, _) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn integer(out: &mut Vec<u8>, d: &Directive, negative: bool, mut digits: String, prefix: &str) {
    if d.precision == Some(0) && digits == "0" {
        digits.clear();
    }
    let lead = format!("{}{prefix}", sign(d, negative));
    let mut least = d.precision.unwrap_or(0);
    if d.zero && !d.left && d.precision.is_none() {
        least = d.width.saturating_sub(lead.len());
    }
    let zeros = "0".repeat(least.saturating_sub(digits.len()));
    pad(out, d, format!("{lead}{zeros}{digits}").as_bytes());
}

fn float(out: &mut Vec<u8>, d: &Directive, conversion: u8, x: f64) {
    let upper = conversion.is_ascii_uppercase();
    let precision = d.precision.unwrap_or(6);
    let size = x.abs();
    let mut digits = if !x.is_finite() {
        if x.is_nan() {
            "nan".into()
        } else {
            "inf".into()
        }
    } else {
        match conversion.to_ascii_lowercase() {
            b'f' => format!("{size:.precision$}"),
            b'e' => exponent(size, precision),
            _ => general(size, precision.max(1), d.alternate),
        }
    };
    if upper {
        digits = digits.to_uppercase();
    }
    let lead = sign(d, x.is_sign_negative() && !x.is_nan());
    let zeros = if d.zero && !d.left && x.is_finite() {
        d.width.saturating_sub(lead.len() + digits.len())
    } else {
        0
    };
    pad(
        out,
        d,
        format!("{lead}{}{digits}", "0".repeat(zeros)).as_bytes(),
    );
}

/// `%e`: at least two digits of exponent.
fn exponent(x: f64, precision: usize) -> String {
    let text = format!("{x:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// `%g`: the shorter of `%e` and `%f`, without trailing zeros.
fn general(x: f64, precision: usize, keep_zeros: bool) -> String {
    let scientific = exponent(x, precision - 1);
    let (mantissa, power) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let trim = |text: &str| {
        if keep_zeros || !text.contains('.') {
            text.to_owned()
        } else {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    if power < -4 || power >= precision as i32 {
        let sign = if power < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trim(mantissa), power.abs())
    } else {
        let decimals = (precision as i32 - 1 - power) as usize;
        trim(&format!("{x:.decimals$}"))
    }
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
        fn string(&mut self, _: u64, max: Option<usize>) -> Result<Vec<u8>, ()> {
            Ok(b"text"[..max.unwrap_or(4).min(4)].to_vec())
        }
    }

    #[track_caller]
    fn check(text: &str, args: &[u64], expected: &str) {
        let out = format(text.as_bytes(), &mut List(args.iter())).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
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
            "%s|%6s|%-6s|%.2s|%c%%",
            &[1, 1, 1, 1, 65],
            "text|  text|text  |te|A%",
        );
        check("%.3d|%6.3d|%.0d", &[5, 5, 0], "005|   005|");
        check("%p %p", &[0, 0x10], "(nil) 0x10");
        let f = |x: f64| x.to_bits();
        check(
            "%f %.2f %8.3f %e",
            &[f(1.5), f(2.345), f(-1.0), f(12345.678)],
            "1.500000 2.35 -0001.000 1.234568e+04"
                .replace("-0001.000", "  -1.000")
                .as_str(),
        );
        check(
            "%g %g %g %g %G",
            &[f(0.0001), f(0.00001), f(1e6), f(123456.0), f(1e-10)],
            "0.0001 1e-05 1e+06 123456 1E-10",
        );
        check("%*d|%.*f", &[4, 2, 1, f(0.25)], "   2|0.2");
        check("%f %5.1f|", &[f(f64::INFINITY), f(f64::NAN)], "inf   nan|");
    }
}
