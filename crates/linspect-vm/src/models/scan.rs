//! `sscanf` and `vsscanf`, as C11 7.21.6.2 describes them, in the C locale: text comes from a string, there is no input from elsewhere.
//!
//! What is not known here is refused by name: wide characters, positional arguments, allocation (`%m`), `long double`.

use super::ctype::is_space;
use super::format::{Arguments, Trouble};
use super::number::{double, float_text, saturated, single, whole};
use super::print::Source;
use super::{Reply, Table, int};
use crate::interp::{Cpu, Stop};
use crate::memory::Address;
use linspect_core::execution::FaultKind;

pub(super) const TABLE: Table = &[
    ("sscanf", slots),
    ("__isoc99_sscanf", slots),
    ("__isoc23_sscanf", slots),
    ("vsscanf", list),
    ("__isoc99_vsscanf", list),
    ("__isoc23_vsscanf", list),
];

fn slots(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    cpu.scan(a[0], a[1], Source::Slots(&a[2..]))
}

fn list(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    cpu.scan(a[0], a[1], Source::List(a[2]))
}

/// What a text came to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Scanned {
    /// What to write where.
    writes: Vec<(u64, Vec<u8>)>,
    /// How many fields were taken; −1 if the text ended before the first.
    fields: i32,
}

/// What stands between `%` and the conversion.
struct Directive {
    dropped: bool,
    width: usize,
    /// Bytes of a whole number, and of a floating-point number.
    bytes: (usize, usize),
}

/// A text that is taken from its beginning.
struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    fn skip_spaces(&mut self) {
        while self.0.first().is_some_and(|c| is_space(*c)) {
            self.0 = &self.0[1..];
        }
    }

    fn take(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }
}

/// Takes `text` apart as `format` says; where what is found is to be written the arguments say.
fn scan<A: Arguments>(
    format: &[u8],
    text: &[u8],
    arguments: &mut A,
) -> Result<Scanned, Trouble<A::Error>> {
    let all = text.len();
    let (mut text, mut format) = (Text(text), Text(format));
    let mut done = Scanned::default();
    while let Some(&c) = format.0.first() {
        if is_space(c) {
            format.skip_spaces();
            text.skip_spaces();
            continue;
        }
        format.take(1);
        if c != b'%' || format.0.first() == Some(&b'%') {
            if c == b'%' {
                format.take(1);
                text.skip_spaces();
            }
            match text.0.first() {
                Some(&found) if found == c => text.take(1),
                Some(_) => return Ok(done),
                None => return Ok(ended(done)),
            };
            continue;
        }
        let begin = format.0;
        let directive = directive(&mut format);
        let refuse = |rest: &[u8]| {
            let directive = &begin[..begin.len() - rest.len()];
            Trouble::Unknown(format!("%{}", String::from_utf8_lossy(directive)))
        };
        let Some(&conversion) = format.0.first() else {
            return Err(refuse(format.0));
        };
        format.take(1);
        if conversion == b'n' {
            let count = (all - text.0.len()) as u64;
            let place = arguments.next()?;
            done.writes
                .push((place, count.to_le_bytes()[..directive.bytes.0].to_vec()));
            continue;
        }
        if !matches!(conversion, b'c' | b'[') {
            text.skip_spaces();
        }
        if text.0.is_empty() {
            return Ok(ended(done));
        }
        let field = &text.0[..directive.width.min(text.0.len())];
        let (found, len) = match conversion {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' => {
                let base = match conversion {
                    b'd' | b'u' => 10,
                    b'o' => 8,
                    b'i' => 0,
                    _ => 16,
                };
                let bytes = match conversion {
                    b'p' => 8,
                    _ => directive.bytes.0,
                };
                let (number, len) = whole(field, base);
                let bits = match conversion {
                    b'd' | b'i' => saturated(number).cast_unsigned(),
                    _ => u64::try_from(number).unwrap_or_else(|_| match number < 0 {
                        true => saturated(number).cast_unsigned(),
                        false => u64::MAX,
                    }),
                };
                (bits.to_le_bytes()[..bytes].to_vec(), len as usize)
            }
            b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G' => {
                let number = float_text(field);
                let found = match directive.bytes.1 {
                    4 => single(&number).0.to_bits().to_le_bytes().to_vec(),
                    8 => double(&number).0.to_bits().to_le_bytes().to_vec(),
                    _ => return Err(refuse(format.0)),
                };
                (found, number.len as usize)
            }
            b's' => {
                let len = field.iter().take_while(|c| !is_space(**c)).count();
                (terminated(&field[..len]), len)
            }
            b'c' => {
                let width = match directive.width {
                    usize::MAX => 1,
                    width => width,
                };
                if text.0.len() < width {
                    return Ok(ended(done));
                }
                (text.0[..width].to_vec(), width)
            }
            b'[' => {
                let Some(set) = set(&mut format) else {
                    return Err(refuse(format.0));
                };
                let len = field.iter().take_while(|c| set[usize::from(**c)]).count();
                (terminated(&field[..len]), len)
            }
            _ => return Err(refuse(format.0)),
        };
        if len == 0 {
            return Ok(done);
        }
        text.take(len);
        if !directive.dropped {
            done.writes.push((arguments.next()?, found));
            done.fields += 1;
        }
    }
    Ok(done)
}

/// The text has ended before the next field.
fn ended(done: Scanned) -> Scanned {
    Scanned {
        fields: if done.fields == 0 { -1 } else { done.fields },
        ..done
    }
}

fn terminated(text: &[u8]) -> Vec<u8> {
    [text, b"\0"].concat()
}

fn directive(format: &mut Text<'_>) -> Directive {
    let dropped = format.0.first() == Some(&b'*');
    format.take(usize::from(dropped));
    let digits = format.0.iter().take_while(|c| c.is_ascii_digit()).count();
    let width = format.take(digits).iter().fold(0_usize, |width, digit| {
        width
            .saturating_mul(10)
            .saturating_add(usize::from(digit - b'0'))
    });
    let (len, bytes) = match format.0 {
        [b'h', b'h', ..] => (2, (1, 4)),
        [b'h', ..] => (1, (2, 4)),
        [b'l', b'l', ..] => (2, (8, 16)),
        [b'l' | b'j' | b'z' | b't', ..] => (1, (8, 8)),
        [b'L' | b'q', ..] => (1, (8, 16)),
        _ => (0, (4, 4)),
    };
    format.take(len);
    Directive {
        dropped,
        width: if width == 0 { usize::MAX } else { width },
        bytes,
    }
}

/// The bytes that a set such as `[^a-z]` names, of which the opening bracket was taken; nothing if it does not end.
fn set(format: &mut Text<'_>) -> Option<[bool; 256]> {
    let others = format.0.first() == Some(&b'^');
    format.take(usize::from(others));
    let at_first = usize::from(format.0.first() == Some(&b']'));
    let len = at_first + format.0.get(at_first..)?.iter().position(|c| *c == b']')?;
    let members = format.take(len);
    format.take(1);
    let mut set = [others; 256];
    let mut at = 0;
    while at < members.len() {
        let last = match members.get(at + 1..at + 3) {
            Some([b'-', last]) => *last,
            _ => members[at],
        };
        for byte in members[at]..=last {
            set[usize::from(byte)] = !others;
        }
        at += if last == members[at] { 1 } else { 3 };
    }
    Some(set)
}

impl Cpu<'_> {
    fn scan(&mut self, text: Address, format: Address, source: Source<'_>) -> Result<Reply, Stop> {
        let (text, format) = (self.string(text)?, self.string(format)?);
        let mut taken = self.variadic_arguments(source)?;
        let scanned = match scan(&format, &text, &mut taken) {
            Ok(scanned) => scanned,
            Err(Trouble::Argument(error)) => return Err(self.memory_fault(&error)),
            Err(Trouble::Unknown(directive)) => {
                let message =
                    format!("this machine does not model `{directive}` in a format of sscanf");
                return Err(self.fault(FaultKind::Unsupported, &message));
            }
        };
        for (place, bytes) in &scanned.writes {
            self.write_bytes(*place, bytes)?;
        }
        int(scanned.fields)
    }
}
