//! `ctype.h`, in the C locale: the functions, and the tables behind glibc's macros.

use super::{Reply, Table, int, value};
use crate::interp::{Cpu, Stop};
use crate::memory::Address;

pub(super) const TABLE: Table = &[
    ("isdigit", |_, a| test(a[0], DIGIT)),
    ("isalpha", |_, a| test(a[0], ALPHA)),
    ("isalnum", |_, a| test(a[0], ALNUM)),
    ("isspace", |_, a| test(a[0], SPACE)),
    ("isupper", |_, a| test(a[0], UPPER)),
    ("islower", |_, a| test(a[0], LOWER)),
    ("isprint", |_, a| test(a[0], PRINT)),
    ("isgraph", |_, a| test(a[0], GRAPH)),
    ("ispunct", |_, a| test(a[0], PUNCT)),
    ("iscntrl", |_, a| test(a[0], CNTRL)),
    ("isblank", |_, a| test(a[0], BLANK)),
    ("isxdigit", |_, a| test(a[0], XDIGIT)),
    ("isascii", |_, a| int(i32::from(a[0] as u32 & !0x7f == 0))),
    ("toascii", |_, a| int((a[0] & 0x7f) as i32)),
    ("toupper", |_, a| int(changed(a[0], u8::to_ascii_uppercase))),
    ("tolower", |_, a| int(changed(a[0], u8::to_ascii_lowercase))),
    ("__ctype_b_loc", |cpu, _| {
        cpu.table(0, |c| classes(c).to_le_bytes().to_vec())
    }),
    ("__ctype_tolower_loc", |cpu, _| {
        cpu.table(1, |c| {
            i32::from(c.to_ascii_lowercase()).to_le_bytes().to_vec()
        })
    }),
    ("__ctype_toupper_loc", |cpu, _| {
        cpu.table(2, |c| {
            i32::from(c.to_ascii_uppercase()).to_le_bytes().to_vec()
        })
    }),
];

/// The bits of glibc's table on a little-endian machine.
const UPPER: u16 = 1 << 8;
const LOWER: u16 = 1 << 9;
const ALPHA: u16 = 1 << 10;
const DIGIT: u16 = 1 << 11;
const XDIGIT: u16 = 1 << 12;
const SPACE: u16 = 1 << 13;
const PRINT: u16 = 1 << 14;
const GRAPH: u16 = 1 << 15;
const BLANK: u16 = 1;
const CNTRL: u16 = 1 << 1;
const PUNCT: u16 = 1 << 2;
const ALNUM: u16 = 1 << 3;

/// The classes of a character.
fn classes(c: u8) -> u16 {
    let of = |holds: bool, class: u16| if holds { class } else { 0 };
    of(c.is_ascii_uppercase(), UPPER)
        | of(c.is_ascii_lowercase(), LOWER)
        | of(c.is_ascii_alphabetic(), ALPHA)
        | of(c.is_ascii_digit(), DIGIT)
        | of(c.is_ascii_hexdigit(), XDIGIT)
        | of(is_space(c), SPACE)
        | of(matches!(c, 32..127), PRINT)
        | of(c.is_ascii_graphic(), GRAPH)
        | of(matches!(c, b' ' | b'\t'), BLANK)
        | of(c.is_ascii_control(), CNTRL)
        | of(c.is_ascii_punctuation(), PUNCT)
        | of(c.is_ascii_alphanumeric(), ALNUM)
}

/// Rust leaves the vertical tab out.
pub(super) fn is_space(c: u8) -> bool {
    c.is_ascii_whitespace() || c == 11
}

/// What glibc's functions return: the bit of the class.
fn test(c: u64, class: u16) -> Result<Reply, Stop> {
    let classes = u8::try_from(c as u32).map_or(0, classes);
    int(i32::from(classes & class))
}

fn changed(c: u64, to: fn(&u8) -> u8) -> i32 {
    u8::try_from(c as u32).map_or(c as i32, |c| i32::from(to(&c)))
}

impl Cpu<'_> {
    /// The address of a pointer to entry 0 of a table for −128 to 255, made when a thread first asks for it.
    fn table(&mut self, which: usize, entry: fn(u8) -> Vec<u8>) -> Result<Reply, Stop> {
        if self.thread.tables[which] == 0 {
            // The negative ones are the same characters seen as `signed char`, except EOF.
            let entry_of = |c: i32| match u8::try_from(c) {
                Ok(c) => entry(c),
                Err(_) if c == -1 => vec![0; entry(0).len()],
                Err(_) => entry((c + 256) as u8),
            };
            let size = entry(0).len() as u64;
            let bytes: Vec<u8> = (-128..256).flat_map(entry_of).collect();
            let lane = self.thread.lane;
            let made = self.memory.allocate_private(lane, 8 + bytes.len() as u64);
            let address: Address = self.check(made)?;
            let filled = self
                .memory
                .write(address, address + 8 + 128 * size, 8)
                .and_then(|()| self.memory.write_bytes(address + 8, &bytes));
            self.check(filled)?;
            self.thread.tables[which] = address;
        }
        value(self.thread.tables[which])
    }
}
