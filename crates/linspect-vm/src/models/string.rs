//! `string.h`, `ctype.h` and number parsing.
//!
//! Contents are read at once: a string that another thread changes meanwhile is a race anyway. Copies are steps like `memcpy`.

use super::{Reply, Table, int, value};
use crate::interp::{Cpu, Stop};
use crate::memory::Address;

pub(super) const TABLE: Table = &[
    ("memcpy", copy),
    ("memmove", copy),
    ("__memcpy_chk", copy),
    ("__memmove_chk", copy),
    ("mempcpy", |cpu, a| {
        cpu.copy_memory(a[0], a[1], a[2])?;
        value(a[0] + a[2])
    }),
    ("memset", fill),
    ("__memset_chk", fill),
    ("bzero", |cpu, a| {
        cpu.fill_memory(a[0], 0, a[1])?;
        value(0)
    }),
    ("memcmp", compare_bytes),
    ("bcmp", compare_bytes),
    ("memchr", |cpu, a| {
        let bytes = cpu.check(cpu.memory.read_bytes(a[0], a[2]))?;
        let at = bytes.iter().position(|b| *b == a[1] as u8);
        value(at.map_or(0, |at| a[0] + at as u64))
    }),
    ("memrchr", |cpu, a| {
        let bytes = cpu.check(cpu.memory.read_bytes(a[0], a[2]))?;
        let at = bytes.iter().rposition(|b| *b == a[1] as u8);
        value(at.map_or(0, |at| a[0] + at as u64))
    }),
    ("strlen", |cpu, a| {
        value(cpu.check(cpu.memory.read_c_string(a[0]))?.len() as u64)
    }),
    ("strnlen", |cpu, a| {
        let len = (0..a[1])
            .map(|i| cpu.memory.read(a[0] + i, 1))
            .take_while(|b| !matches!(b, Ok(0)))
            .collect::<Result<Vec<_>, _>>();
        value(cpu.check(len)?.len() as u64)
    }),
    ("strcmp", |cpu, a| {
        int(difference(&cpu.string(a[0])?, &cpu.string(a[1])?))
    }),
    ("strncmp", |cpu, a| {
        int(difference(
            &cpu.prefix(a[0], a[2])?,
            &cpu.prefix(a[1], a[2])?,
        ))
    }),
    ("strcasecmp", |cpu, a| {
        let lower = |s: Vec<u8>| s.to_ascii_lowercase();
        int(difference(
            &lower(cpu.string(a[0])?),
            &lower(cpu.string(a[1])?),
        ))
    }),
    ("strcpy", |cpu, a| {
        let text = cpu.string(a[1])?;
        cpu.write_string(a[0], &text)?;
        value(a[0])
    }),
    ("strncpy", |cpu, a| {
        let mut text = cpu.prefix(a[1], a[2])?;
        text.resize(a[2] as usize, 0);
        let written = cpu.memory.write_bytes(a[0], &text);
        cpu.check(written)?;
        value(a[0])
    }),
    ("strcat", |cpu, a| {
        let end = a[0] + cpu.string(a[0])?.len() as u64;
        let text = cpu.string(a[1])?;
        cpu.write_string(end, &text)?;
        value(a[0])
    }),
    ("strchr", |cpu, a| {
        let mut text = cpu.string(a[0])?;
        text.push(0);
        let at = text.iter().position(|b| *b == a[1] as u8);
        value(at.map_or(0, |at| a[0] + at as u64))
    }),
    ("strrchr", |cpu, a| {
        let mut text = cpu.string(a[0])?;
        text.push(0);
        let at = text.iter().rposition(|b| *b == a[1] as u8);
        value(at.map_or(0, |at| a[0] + at as u64))
    }),
    ("strstr", |cpu, a| {
        let (text, what) = (cpu.string(a[0])?, cpu.string(a[1])?);
        let at = (0..=text.len()).find(|at| text[*at..].starts_with(&what));
        value(at.map_or(0, |at| a[0] + at as u64))
    }),
    ("strdup", |cpu, a| {
        let text = cpu.string(a[0])?;
        let Reply::Value(copy) = cpu.malloc(text.len() as u64 + 1, false)? else {
            return value(0);
        };
        if copy != 0 {
            cpu.write_string(copy, &text)?;
        }
        value(copy)
    }),
    ("strerror", |_, _| value(0)),
    ("__xpg_strerror_r", |cpu, a| {
        if a[2] > 0 {
            cpu.write_string(a[1], &b"error"[..(a[2] as usize - 1).min(5)])?;
        }
        int(0)
    }),
    ("atoi", |cpu, a| int(parse(&cpu.string(a[0])?, 10).0 as i32)),
    ("atol", |cpu, a| {
        value(parse(&cpu.string(a[0])?, 10).0 as u64)
    }),
    ("atoll", |cpu, a| {
        value(parse(&cpu.string(a[0])?, 10).0 as u64)
    }),
    ("strtol", to_number),
    ("strtoll", to_number),
    ("strtoul", to_number),
    ("strtoull", to_number),
    ("isdigit", |_, a| ctype(a[0], |c| c.is_ascii_digit())),
    ("isalpha", |_, a| ctype(a[0], |c| c.is_ascii_alphabetic())),
    ("isalnum", |_, a| ctype(a[0], |c| c.is_ascii_alphanumeric())),
    ("isspace", |_, a| {
        ctype(a[0], |c| c.is_ascii_whitespace() || c == 11)
    }),
    ("isupper", |_, a| ctype(a[0], |c| c.is_ascii_uppercase())),
    ("islower", |_, a| ctype(a[0], |c| c.is_ascii_lowercase())),
    ("isprint", |_, a| ctype(a[0], |c| (32..127).contains(&c))),
    ("toupper", |_, a| {
        int(change_case(a[0], u8::to_ascii_uppercase as fn(&u8) -> u8))
    }),
    ("tolower", |_, a| {
        int(change_case(a[0], u8::to_ascii_lowercase as fn(&u8) -> u8))
    }),
    ("abs", |_, a| int((a[0] as i32).wrapping_abs())),
    ("labs", |_, a| value((a[0] as i64).wrapping_abs() as u64)),
    ("llabs", |_, a| value((a[0] as i64).wrapping_abs() as u64)),
];

fn copy(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    cpu.copy_memory(a[0], a[1], a[2])?;
    value(a[0])
}

fn fill(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    cpu.fill_memory(a[0], a[1] as u8, a[2])?;
    value(a[0])
}

fn compare_bytes(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let left = cpu.check(cpu.memory.read_bytes(a[0], a[2]))?;
    let right = cpu.check(cpu.memory.read_bytes(a[1], a[2]))?;
    int(difference(left, right))
}

/// The difference of the first bytes that differ, as glibc gives it; the end counts as 0.
fn difference(left: &[u8], right: &[u8]) -> i32 {
    let byte = |s: &[u8], i| s.get(i).copied().map_or(0, i32::from);
    (0..left.len().max(right.len()))
        .map(|i| byte(left, i) - byte(right, i))
        .find(|d| *d != 0)
        .unwrap_or(0)
}

fn ctype(c: u64, test: impl Fn(u8) -> bool) -> Result<Reply, Stop> {
    int(i32::from(u8::try_from(c as u32).is_ok_and(test)))
}

fn change_case(c: u64, to: fn(&u8) -> u8) -> i32 {
    u8::try_from(c as u32).map_or(c as i32, |c| i32::from(to(&c)))
}

fn to_number(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let text = cpu.string(a[0])?;
    let (number, used) = parse(&text, a[2] as u32);
    if a[1] != 0 {
        cpu.write_word(a[1], a[0] + used as u64)?;
    }
    value(number as u64)
}

/// The number at the start of `text` and how many bytes it takes.
fn parse(text: &[u8], base: u32) -> (i64, usize) {
    let mut at = text.iter().take_while(|c| c.is_ascii_whitespace()).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let hexadecimal = matches!(text.get(at..at + 2), Some(b"0x" | b"0X"));
    let base = match base {
        0 | 16 if hexadecimal => {
            at += 2;
            16
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base.min(36),
    };
    let start = at;
    let mut number = 0i64;
    while let Some(digit) = text.get(at).and_then(|c| char::from(*c).to_digit(base)) {
        number = number
            .wrapping_mul(i64::from(base))
            .wrapping_add(i64::from(digit));
        at += 1;
    }
    let used = if at == start { 0 } else { at };
    (
        if negative {
            number.wrapping_neg()
        } else {
            number
        },
        used,
    )
}

impl Cpu<'_> {
    fn string(&self, address: Address) -> Result<Vec<u8>, Stop> {
        self.check(self.memory.read_c_string(address))
            .map(<[u8]>::to_vec)
    }

    /// The string at `address`, at most `max` bytes of it.
    fn prefix(&self, address: Address, max: u64) -> Result<Vec<u8>, Stop> {
        let mut text = Vec::new();
        for i in 0..max {
            match self.check(self.memory.read(address + i, 1))? {
                0 => break,
                byte => text.push(byte as u8),
            }
        }
        Ok(text)
    }

    pub(super) fn write_string(&mut self, address: Address, text: &[u8]) -> Result<(), Stop> {
        let mut bytes = text.to_vec();
        bytes.push(0);
        let written = self.memory.write_bytes(address, &bytes);
        self.check(written)
    }
}
