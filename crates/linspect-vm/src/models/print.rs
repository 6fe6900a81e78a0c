//! Output: `printf` and its family, `puts`, `write`. Everything printed is captured; nothing is read, no file is opened.

use super::format::{self, Arguments, Formatted, Trouble};
use super::{Reply, Table, errno, int, value};
use crate::interp::{Cpu, Stop};
use crate::memory::{Address, Memory, MemoryError};
use crate::world::MOST_OUTPUT;
use linspect_core::execution::FaultKind;

pub(super) const TABLE: Table = &[
    ("printf", |cpu, a| {
        cpu.print(OUTPUT, a[0], Source::Slots(&a[1..]))
    }),
    ("__printf_chk", |cpu, a| {
        cpu.print(OUTPUT, a[1], Source::Slots(&a[2..]))
    }),
    ("fprintf", |cpu, a| {
        cpu.print_to(a[0], a[1], Source::Slots(&a[2..]))
    }),
    ("__fprintf_chk", |cpu, a| {
        cpu.print_to(a[0], a[2], Source::Slots(&a[3..]))
    }),
    ("dprintf", |cpu, a| match a[0] as u32 {
        1 | 2 => cpu.print(u64::from(a[0] as u32), a[1], Source::Slots(&a[2..])),
        _ => cpu.fail_int(errno::EBADF),
    }),
    ("vprintf", |cpu, a| {
        cpu.print(OUTPUT, a[0], Source::List(a[1]))
    }),
    ("vfprintf", |cpu, a| {
        cpu.print_to(a[0], a[1], Source::List(a[2]))
    }),
    ("sprintf", |cpu, a| {
        cpu.print_into(a[0], u64::MAX, a[1], Source::Slots(&a[2..]))
    }),
    ("vsprintf", |cpu, a| {
        cpu.print_into(a[0], u64::MAX, a[1], Source::List(a[2]))
    }),
    ("snprintf", |cpu, a| {
        cpu.print_into(a[0], a[1], a[2], Source::Slots(&a[3..]))
    }),
    ("vsnprintf", |cpu, a| {
        cpu.print_into(a[0], a[1], a[2], Source::List(a[3]))
    }),
    ("asprintf", |cpu, a| {
        cpu.print_anew(a[0], a[1], Source::Slots(&a[2..]))
    }),
    ("vasprintf", |cpu, a| {
        cpu.print_anew(a[0], a[1], Source::List(a[2]))
    }),
    ("puts", |cpu, a| {
        let mut text = cpu.string(a[0])?;
        text.push(b'\n');
        cpu.emit(&text)
    }),
    ("fputs", |cpu, a| {
        let text = cpu.string(a[0])?;
        let to = cpu.descriptor(a[1])?;
        cpu.emit_to(to, &text);
        int(1)
    }),
    ("putchar", |cpu, a| {
        cpu.emit(&[a[0] as u8])?;
        int(i32::from(a[0] as u8))
    }),
    ("putc", put),
    ("fputc", put),
    ("_IO_putc", put),
    ("fwrite", |cpu, a| {
        let len = a[1].saturating_mul(a[2]);
        let text = cpu.bytes(a[0], len)?;
        let to = cpu.descriptor(a[3])?;
        cpu.emit_to(to, &text);
        value(if len == 0 { 0 } else { a[2] })
    }),
    ("write", |cpu, a| {
        let to = u64::from(a[0] as u32);
        if !matches!(to, 1 | 2) {
            return cpu.fail(errno::EBADF);
        }
        let text = cpu.bytes(a[1], a[2])?;
        cpu.emit_to(to, &text);
        value(a[2])
    }),
    ("writev", |cpu, a| {
        let to = u64::from(a[0] as u32);
        if !matches!(to, 1 | 2) {
            return cpu.fail(errno::EBADF);
        }
        let mut total = 0_u64;
        for i in 0..u64::from(a[2] as u32) {
            let part = a[1].wrapping_add(16 * i);
            let (start, len) = (cpu.read_word(part)?, cpu.read_word(part.wrapping_add(8))?);
            let text = cpu.bytes(start, len)?;
            cpu.emit_to(to, &text);
            total = total.saturating_add(len);
        }
        value(total)
    }),
    ("fflush", |_, _| int(0)),
    ("setvbuf", |_, _| int(0)),
    ("setbuf", |_, _| super::nothing()),
    ("setlinebuf", |_, _| super::nothing()),
    ("fileno", |cpu, a| {
        let to = cpu.descriptor(a[0])?;
        int(to as i32)
    }),
    ("perror", |cpu, a| {
        let mut text = Vec::new();
        if a[0] != 0 {
            text = cpu.string(a[0])?;
        }
        if !text.is_empty() {
            text.extend(b": ");
        }
        text.extend(cpu.error_text()?);
        text.push(b'\n');
        cpu.emit_to(ERRORS, &text);
        super::nothing()
    }),
    ("isatty", |_, _| int(0)),
];

/// The descriptors of what is captured.
const OUTPUT: u64 = 1;
const ERRORS: u64 = 2;

fn put(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let to = cpu.descriptor(a[1])?;
    cpu.emit_to(to, &[a[0] as u8]);
    int(i32::from(a[0] as u8))
}

/// Where the arguments of a format are.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// In the call itself, one slot each.
    Slots(&'a [u64]),
    /// In a `va_list` of the x86-64 ABI, as `va_start` fills it: all in the overflow area.
    List(Address),
}

/// Arguments as they are taken.
pub(super) struct Taken<'a> {
    source: Source<'a>,
    /// Slots taken so far, or the address of the next.
    next: u64,
    memory: &'a Memory,
    error: Vec<u8>,
    /// The strings that were read, with how much of them.
    strings: Vec<(Address, u64)>,
}

impl Arguments for Taken<'_> {
    type Error = MemoryError;

    fn next(&mut self) -> Result<u64, MemoryError> {
        let at = self.next;
        match self.source {
            Source::Slots(slots) => {
                self.next += 1;
                // Too few arguments are undefined; zeros do no harm.
                Ok(slots.get(at as usize).copied().unwrap_or(0))
            }
            Source::List(_) => {
                self.next = at.wrapping_add(8);
                self.memory.read(at, 8)
            }
        }
    }

    fn long_double(&mut self) -> Result<(u64, u16), MemoryError> {
        Ok((self.next()?, self.next()? as u16))
    }

    fn string(&mut self, address: u64, max: Option<u64>) -> Result<Vec<u8>, MemoryError> {
        let mut text = Vec::new();
        while max.is_none_or(|max| (text.len() as u64) < max) {
            match self
                .memory
                .read(address.wrapping_add(text.len() as u64), 1)?
            {
                0 => break,
                byte => text.push(byte as u8),
            }
        }
        let end = u64::from(max != Some(text.len() as u64));
        self.strings.push((address, text.len() as u64 + end));
        Ok(text)
    }

    fn error_text(&mut self) -> Result<Vec<u8>, MemoryError> {
        Ok(self.error.clone())
    }
}

/// As much of `text` as is kept: a program that prints without end must not fill the memory.
fn append(captured: &mut Vec<u8>, text: &[u8]) {
    let room = MOST_OUTPUT.saturating_sub(captured.len());
    captured.extend_from_slice(&text[..text.len().min(room)]);
}

impl Cpu<'_> {
    /// Captures output.
    pub(super) fn emit(&mut self, text: &[u8]) -> Result<Reply, Stop> {
        self.emit_to(OUTPUT, text);
        int(text.len() as i32)
    }

    /// Captures what is printed as errors.
    pub(super) fn emit_error(&mut self, text: &[u8]) {
        self.emit_to(ERRORS, text);
    }

    /// Captures output to a file descriptor: 2 is kept apart.
    fn emit_to(&mut self, descriptor: u64, text: &[u8]) {
        self.thread.spin.reset();
        if descriptor == ERRORS {
            append(&mut self.world_mut().errors, text);
        } else {
            append(&mut self.world_mut().output, text);
        }
    }

    /// The descriptor of a stream: there are only those that a program starts with.
    fn descriptor(&self, stream: Address) -> Result<u64, Stop> {
        if stream == 0 {
            return Err(self.check::<()>(Err(MemoryError::Null(0))).unwrap_err());
        }
        Ok(match self.image.streams.iter().position(|s| *s == stream) {
            Some(descriptor) => descriptor as u64,
            None => OUTPUT,
        })
    }

    /// `format` with its arguments filled in, of which `room` bytes are kept; `%n` has been answered.
    fn formatted(
        &mut self,
        template: Address,
        source: Source<'_>,
        room: usize,
    ) -> Result<Formatted, Stop> {
        let error = self.error_text()?;
        let template = self.check(self.memory.read_c_string(template))?;
        let mut taken = Taken {
            error,
            ..self.variadic_arguments(source)?
        };
        let formatted = format::format(template, &mut taken, room);
        let strings = taken.strings;
        let formatted = match formatted {
            Ok(formatted) => formatted,
            Err(Trouble::Argument(error)) => return Err(self.memory_fault(&error)),
            Err(Trouble::Unknown(directive)) => {
                let message =
                    format!("this machine does not model `{directive}` in a format of printf");
                return Err(self.fault(FaultKind::Unsupported, &message));
            }
        };
        for (address, len) in strings {
            self.bytes(address, len)?;
        }
        for &(address, count, bytes) in &formatted.counts {
            self.write_bytes(address, &count.to_le_bytes()[..bytes])?;
        }
        Ok(formatted)
    }

    /// The arguments of a call from the first one on.
    pub(super) fn variadic_arguments<'a>(&'a self, source: Source<'a>) -> Result<Taken<'a>, Stop> {
        let next = match source {
            Source::Slots(_) => 0,
            Source::List(list) => self.read_word(list.wrapping_add(8))?,
        };
        Ok(Taken {
            source,
            next,
            memory: self.memory,
            error: Vec::new(),
            strings: Vec::new(),
        })
    }

    /// What a function of the family returns.
    fn length(&mut self, formatted: &Formatted) -> Result<Reply, Stop> {
        match formatted.len {
            Some(len) => int(len),
            None => self.fail_int(errno::EOVERFLOW),
        }
    }

    fn print(
        &mut self,
        descriptor: u64,
        template: Address,
        source: Source<'_>,
    ) -> Result<Reply, Stop> {
        let formatted = self.formatted(template, source, MOST_OUTPUT)?;
        self.emit_to(descriptor, &formatted.text);
        self.length(&formatted)
    }

    fn print_to(
        &mut self,
        stream: Address,
        template: Address,
        source: Source<'_>,
    ) -> Result<Reply, Stop> {
        let descriptor = self.descriptor(stream)?;
        self.print(descriptor, template, source)
    }

    /// `snprintf`: as much as fits into `size` bytes, and how much there was.
    fn print_into(
        &mut self,
        to: Address,
        size: u64,
        template: Address,
        source: Source<'_>,
    ) -> Result<Reply, Stop> {
        // No more than there is room for at all, and one byte that is too much.
        let there = self.memory.room(to).saturating_add(1);
        let room = size.saturating_sub(1).min(there);
        let formatted = self.formatted(template, source, room as usize)?;
        if size > 0 {
            self.write_string(to, &formatted.text)?;
        }
        self.length(&formatted)
    }

    /// `asprintf`: into memory of its own.
    fn print_anew(
        &mut self,
        to: Address,
        template: Address,
        source: Source<'_>,
    ) -> Result<Reply, Stop> {
        let formatted = self.formatted(template, source, MOST_OUTPUT)?;
        if formatted
            .len
            .is_some_and(|len| len as usize > formatted.text.len())
        {
            return Err(self.fault(FaultKind::Limit, "asprintf of more than a mebibyte"));
        }
        // Whatever is a step comes before what is changed.
        self.bytes(to, 8)?;
        let Reply::Value(copy) = self.malloc(formatted.text.len() as u64 + 1, false)? else {
            return int(-1);
        };
        self.write_string(copy, &formatted.text)?;
        self.write_bytes(to, &copy.to_le_bytes())?;
        self.length(&formatted)
    }
}
