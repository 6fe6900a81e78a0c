//! C++'s `std::cout`, `std::cerr` and `std::clog`: what `<<` prints, with the format that manipulators have set.
//!
//! Headers reach into a stream for its format, so the streams are laid out as libstdc++ lays them out on x86-64: a pointer to a virtual table, before which the offset of the base class stands,
//! then the base class with precision, width, flags and fill character. Other streams are objects of the program, which bring their own code
//! (`runtime/libstdcxx_streams.cpp`); the same functions print to both.

use super::format::{self, Arguments};
use super::{Reply, Table, nothing, value};
use crate::interp::{Cpu, Stop};
use crate::memory::{Address, Memory, MemoryError};
use crate::thread::After;
use linspect_core::execution::FaultKind;

pub(super) const TABLE: Table = &[
    ("_ZNSt8ios_base4InitC1Ev", |_, _| nothing()),
    ("_ZNSt8ios_base4InitD1Ev", |_, _| nothing()),
    ("_ZNSt8ios_base15sync_with_stdioEb", |_, _| value(1)),
    (
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
        string,
    ),
    (
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKa",
        string,
    ),
    (
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKh",
        string,
    ),
    (
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c",
        character,
    ),
    (
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a",
        character,
    ),
    (
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h",
        character,
    ),
    (
        "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l",
        |cpu, a| {
            let text = cpu.bytes(a[1], a[2])?;
            cpu.insert(a[0], &text)
        },
    ),
    (
        "_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE",
        |cpu, a| {
            // A string is where its text is, then how long it is.
            let (start, length) = (cpu.read_word(a[1])?, cpu.read_word(a[1].wrapping_add(8))?);
            let text = cpu.bytes(start, length)?;
            cpu.insert(a[0], &text)
        },
    ),
    ("_ZNSolsEs", |cpu, a| {
        cpu.insert_integer(a[0], a[1], 16, true)
    }),
    ("_ZNSolsEt", |cpu, a| {
        cpu.insert_integer(a[0], a[1], 16, false)
    }),
    ("_ZNSolsEi", |cpu, a| {
        cpu.insert_integer(a[0], a[1], 32, true)
    }),
    ("_ZNSolsEj", |cpu, a| {
        cpu.insert_integer(a[0], a[1], 32, false)
    }),
    ("_ZNSolsEl", |cpu, a| {
        cpu.insert_integer(a[0], a[1], 64, true)
    }),
    ("_ZNSolsEm", |cpu, a| {
        cpu.insert_integer(a[0], a[1], 64, false)
    }),
    ("_ZNSolsEx", |cpu, a| {
        cpu.insert_integer(a[0], a[1], 64, true)
    }),
    ("_ZNSolsEy", |cpu, a| {
        cpu.insert_integer(a[0], a[1], 64, false)
    }),
    ("_ZNSo9_M_insertIlEERSoT_", |cpu, a| {
        cpu.insert_integer(a[0], a[1], 64, true)
    }),
    ("_ZNSo9_M_insertImEERSoT_", |cpu, a| {
        cpu.insert_integer(a[0], a[1], 64, false)
    }),
    ("_ZNSo9_M_insertIxEERSoT_", |cpu, a| {
        cpu.insert_integer(a[0], a[1], 64, true)
    }),
    ("_ZNSo9_M_insertIyEERSoT_", |cpu, a| {
        cpu.insert_integer(a[0], a[1], 64, false)
    }),
    ("_ZNSolsEb", truth),
    ("_ZNSo9_M_insertIbEERSoT_", truth),
    ("_ZNSolsEf", |cpu, a| {
        let wide = f64::from(f32::from_bits(a[1] as u32));
        cpu.insert_float(a[0], &[wide.to_bits()], "")
    }),
    ("_ZNSolsEd", |cpu, a| cpu.insert_float(a[0], &a[1..2], "")),
    ("_ZNSo9_M_insertIdEERSoT_", |cpu, a| {
        cpu.insert_float(a[0], &a[1..2], "")
    }),
    ("_ZNSolsEe", |cpu, a| cpu.insert_float(a[0], &a[1..3], "L")),
    ("_ZNSo9_M_insertIeEERSoT_", |cpu, a| {
        cpu.insert_float(a[0], &a[1..3], "L")
    }),
    ("_ZNSolsEPKv", pointer),
    ("_ZNSo9_M_insertIPKvEERSoT_", pointer),
    ("_ZNSolsEDn", |cpu, a| cpu.insert(a[0], b"nullptr")),
    (
        "_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_",
        |cpu, a| cpu.write_stream(a[0], b"\n"),
    ),
    (
        "_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_",
        flush,
    ),
    (
        "_ZSt4endsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_",
        |cpu, a| cpu.write_stream(a[0], b"\0"),
    ),
    ("_ZNSolsEPFRSoS_E", |cpu, a| {
        cpu.enter_reply(a[1], &[a[0]], After::Result)
    }),
    ("_ZNSolsEPFRSt8ios_baseS0_E", manipulate),
    (
        "_ZNSolsEPFRSt9basic_iosIcSt11char_traitsIcEES3_E",
        manipulate,
    ),
    (
        "_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St5_Setw",
        |cpu, a| cpu.set_format(a[0], WIDTH, &u64::from(a[1] as u32).to_le_bytes()),
    ),
    (
        "_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St13_Setprecision",
        |cpu, a| cpu.set_format(a[0], PRECISION, &u64::from(a[1] as u32).to_le_bytes()),
    ),
    (
        "_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St8_SetfillIS3_E",
        |cpu, a| cpu.set_format(a[0], FILL, &[a[1] as u8]),
    ),
    (
        "_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St8_Setbase",
        |cpu, a| {
            let base = match a[1] as u32 {
                8 => OCT,
                10 => DEC,
                16 => HEX,
                _ => 0,
            };
            let Some(shape) = cpu.shape(a[0])? else {
                return its_own();
            };
            let flags = shape.flags & !(OCT | DEC | HEX) | base;
            cpu.set_format(a[0], FLAGS, &flags.to_le_bytes())
        },
    ),
    ("_ZNSo5flushEv", flush),
    ("_ZNSo3putEc", |cpu, a| {
        cpu.write_stream(a[0], &[a[1] as u8])
    }),
    ("_ZNSo5writeEPKcl", |cpu, a| {
        let text = cpu.bytes(a[1], a[2])?;
        cpu.write_stream(a[0], &text)
    }),
    ("_ZNKSt9basic_iosIcSt11char_traitsIcEE5widenEc", |_, a| {
        value(u64::from(a[1] as u8))
    }),
    ("_ZNKSt9basic_iosIcSt11char_traitsIcEE4fillEv", |cpu, a| {
        let fill = cpu.byte(a[0].wrapping_add(FILL))?;
        value(fill.into())
    }),
    ("_ZNSt9basic_iosIcSt11char_traitsIcEE4fillEc", |cpu, a| {
        let place = a[0].wrapping_add(FILL);
        let old = cpu.byte(place)?;
        cpu.write_bytes(place, &[a[1] as u8])?;
        value(old.into())
    }),
    ("_ZNKSt9basic_iosIcSt11char_traitsIcEE4goodEv", |cpu, a| {
        cpu.state(a[0], 1)
    }),
    ("_ZNKSt9basic_iosIcSt11char_traitsIcEE4failEv", |cpu, a| {
        cpu.state(a[0], 0)
    }),
    ("_ZNKSt9basic_iosIcSt11char_traitsIcEE3eofEv", |cpu, a| {
        cpu.state(a[0], 0)
    }),
    ("_ZNKSt9basic_iosIcSt11char_traitsIcEE3badEv", |cpu, a| {
        cpu.state(a[0], 0)
    }),
    (
        "_ZNKSt9basic_iosIcSt11char_traitsIcEE7rdstateEv",
        |cpu, a| cpu.state(a[0], 0),
    ),
    ("_ZNKSt9basic_iosIcSt11char_traitsIcEEntEv", |cpu, a| {
        cpu.state(a[0], 0)
    }),
    ("_ZNKSt9basic_iosIcSt11char_traitsIcEEcvbEv", |cpu, a| {
        cpu.state(a[0], 1)
    }),
];

/// The model for the symbol of a function that the program has code for, which runs for its own streams.
pub(crate) fn of_streams(symbol: &str) -> Option<super::Model> {
    let mut all = TABLE.iter();
    all.find(|(name, _)| *name == symbol)
        .map(|(_, model)| *model)
}

/// The stream is the program's own, and so is the code for it.
fn its_own() -> Result<Reply, Stop> {
    Ok(Reply::Itself(After::Result))
}

fn flush(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    match cpu.shape(a[0])? {
        Some(_) => value(a[0]),
        None => its_own(),
    }
}

/// The streams that there are: `cout`, and those for errors.
pub(crate) const STREAMS: [&str; 3] = ["_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"];

/// Where the base class lies in a stream, and its members in the base class.
const BASE: u64 = 8;
const PRECISION: u64 = 8;
const WIDTH: u64 = 16;
const FLAGS: u64 = 24;
const FILL: u64 = 224;
const SIZE: u64 = 272;

const BOOLALPHA: u32 = 1;
const DEC: u32 = 1 << 1;
const FIXED: u32 = 1 << 2;
const HEX: u32 = 1 << 3;
const INTERNAL: u32 = 1 << 4;
const LEFT: u32 = 1 << 5;
const OCT: u32 = 1 << 6;
const SCIENTIFIC: u32 = 1 << 8;
const SHOWBASE: u32 = 1 << 9;
const SHOWPOINT: u32 = 1 << 10;
const SHOWPOS: u32 = 1 << 11;
const SKIPWS: u32 = 1 << 12;
const UPPERCASE: u32 = 1 << 14;

/// Makes the memory at `stream` a stream that nobody has used.
pub(crate) fn lay_out(memory: &mut Memory, stream: Address) -> Result<(), MemoryError> {
    if memory.room(stream) < SIZE {
        return Ok(());
    }
    let table = memory.allocate_private(0, 32)?;
    memory.write(table, BASE, 8)?;
    memory.write(stream, table + 24, 8)?;
    let base = stream + BASE;
    memory.write(base + PRECISION, 6, 8)?;
    memory.write(base + FLAGS, u64::from(DEC | SKIPWS), 4)?;
    // The fill character, and that it has been set.
    memory.write(base + FILL, u64::from(b' ') | 1 << 8, 2)
}

fn string(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let text = cpu.string(a[1])?;
    cpu.insert(a[0], &text)
}

fn character(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    cpu.insert(a[0], &[a[1] as u8])
}

fn truth(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let holds = a[1] & 1 == 1;
    let Some(Shape { flags, .. }) = cpu.shape(a[0])? else {
        return its_own();
    };
    match (flags & BOOLALPHA != 0, holds) {
        (false, _) => cpu.insert_integer(a[0], a[1] & 1, 64, true),
        (true, true) => cpu.insert(a[0], b"true"),
        (true, false) => cpu.insert(a[0], b"false"),
    }
}

fn pointer(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let text = match a[1] {
        0 => "0".to_owned(),
        address => format!("{address:#x}"),
    };
    cpu.insert(a[0], text.as_bytes())
}

/// Calls a manipulator with the base class of a stream; the result is the stream.
fn manipulate(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    if cpu.shape(a[0])?.is_none() {
        return its_own();
    }
    match cpu.thread.phase {
        0 => cpu.enter_reply(a[1], &[a[0].wrapping_add(BASE)], After::Again(1)),
        _ => value(a[0]),
    }
}

/// What a stream's next number looks like.
struct Shape {
    flags: u32,
    precision: u64,
    width: u64,
    fill: u8,
}

/// The arguments of a format that is made here.
struct Given<'a>(std::slice::Iter<'a, u64>);

impl Arguments for Given<'_> {
    type Error = ();
    fn next(&mut self) -> Result<u64, ()> {
        self.0.next().copied().ok_or(())
    }
    fn long_double(&mut self) -> Result<(u64, u16), ()> {
        Ok((self.next()?, self.next()? as u16))
    }
    fn string(&mut self, _: u64, _: Option<u64>) -> Result<Vec<u8>, ()> {
        Err(())
    }
    fn error_text(&mut self) -> Result<Vec<u8>, ()> {
        Err(())
    }
}

impl Cpu<'_> {
    /// The format of a stream; nothing, if it is one of the program's own.
    fn shape(&mut self, stream: Address) -> Result<Option<Shape>, Stop> {
        if !self.image.ostreams.contains(&stream) {
            return Ok(None);
        }
        let base = stream.wrapping_add(BASE);
        Ok(Some(Shape {
            flags: self.read_int(base + FLAGS)?,
            precision: self.read_word(base + PRECISION)?,
            width: self.read_word(base + WIDTH)?,
            fill: self.check(self.memory.read(base + FILL, 1))? as u8,
        }))
    }

    /// What a question for the state of the stream with this base class is answered: nothing ever goes wrong with `cout` and the like.
    fn state(&mut self, base: Address, answer: u64) -> Result<Reply, Stop> {
        match self.shape(base.wrapping_sub(BASE))? {
            Some(_) => value(answer),
            None => its_own(),
        }
    }

    /// Changes the format of a stream.
    fn set_format(&mut self, stream: Address, member: u64, bytes: &[u8]) -> Result<Reply, Stop> {
        if self.shape(stream)?.is_none() {
            return its_own();
        }
        self.write_bytes(stream.wrapping_add(BASE + member), bytes)?;
        value(stream)
    }

    /// Prints as it is.
    fn write_stream(&mut self, stream: Address, text: &[u8]) -> Result<Reply, Stop> {
        if self.shape(stream)?.is_none() {
            return its_own();
        }
        if stream == self.image.ostreams[0] {
            self.emit(text)?;
        } else {
            self.emit_error(text);
        }
        value(stream)
    }

    /// Prints a text in the field that the stream has for it; the next field is as wide as it needs to be.
    fn insert(&mut self, stream: Address, text: &[u8]) -> Result<Reply, Stop> {
        let Some(shape) = self.shape(stream)? else {
            return its_own();
        };
        let missing = shape.width.saturating_sub(text.len() as u64);
        if missing > 0 {
            let Ok(missing) = usize::try_from(missing.min(crate::world::MOST_OUTPUT as u64)) else {
                return value(stream);
            };
            let fill = vec![shape.fill; missing];
            let signed = usize::from(matches!(text.first(), Some(b'-' | b'+')));
            let lead = match text.get(..2) {
                Some(b"0x" | b"0X") => 2,
                _ => signed,
            };
            let at = match shape.flags & (LEFT | INTERNAL) {
                LEFT => text.len(),
                INTERNAL => lead,
                _ => 0,
            };
            let text = [&text[..at], &fill, &text[at..]].concat();
            self.write_stream(stream, &text)?;
        } else {
            self.write_stream(stream, text)?;
        }
        if shape.width != 0 {
            self.write_word(stream.wrapping_add(BASE + WIDTH), 0)?;
        }
        value(stream)
    }

    fn insert_integer(
        &mut self,
        stream: Address,
        bits: u64,
        width: u32,
        signed: bool,
    ) -> Result<Reply, Stop> {
        let Some(Shape { flags, .. }) = self.shape(stream)? else {
            return its_own();
        };
        let unused = 64 - width;
        let unsigned = bits << unused >> unused;
        let number = (bits << unused).cast_signed() >> unused;
        let show = |on: u32, text: &'static str| if flags & on != 0 { text } else { "" };
        let mut text = match flags & (DEC | HEX | OCT) {
            HEX if unsigned != 0 => format!("{}{unsigned:x}", show(SHOWBASE, "0x")),
            HEX => "0".to_owned(),
            OCT if unsigned != 0 => format!("{}{unsigned:o}", show(SHOWBASE, "0")),
            OCT => "0".to_owned(),
            _ if signed && number < 0 => number.to_string(),
            _ if signed => format!("{}{unsigned}", show(SHOWPOS, "+")),
            _ => unsigned.to_string(),
        };
        if flags & UPPERCASE != 0 {
            text.make_ascii_uppercase();
        }
        self.insert(stream, text.as_bytes())
    }

    fn insert_float(&mut self, stream: Address, bits: &[u64], length: &str) -> Result<Reply, Stop> {
        let Some(shape) = self.shape(stream)? else {
            return its_own();
        };
        let flag = |on: u32, text: &'static str| if shape.flags & on != 0 { text } else { "" };
        let conversion = match shape.flags & (FIXED | SCIENTIFIC) {
            FIXED => "f",
            SCIENTIFIC => "e",
            0 => "g",
            _ => "a",
        };
        let conversion = match shape.flags & UPPERCASE {
            0 => conversion.to_owned(),
            _ => conversion.to_uppercase(),
        };
        // Hexadecimal numbers have all their digits.
        let precision = match conversion.as_str() {
            "a" | "A" => String::new(),
            _ => format!(".{}", shape.precision.min(1 << 16)),
        };
        let template = format!(
            "%{}{}{precision}{length}{conversion}",
            flag(SHOWPOS, "+"),
            flag(SHOWPOINT, "#")
        );
        let made = format::format(template.as_bytes(), &mut Given(bits.iter()), usize::MAX);
        match made {
            Ok(made) => self.insert(stream, &made.text),
            Err(_) => Err(self.fault(FaultKind::Unsupported, "a number that cannot be printed")),
        }
    }
}
