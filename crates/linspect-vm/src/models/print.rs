//! Output: `printf` and its family, `puts`, `write`. Everything printed is captured; nothing is read, no file is opened.

use super::format::{self, Arguments};
use super::{Reply, Table, errno, int, value};
use crate::interp::{Cpu, Stop};
use crate::memory::{Address, Memory, MemoryError};
use crate::world::MOST_OUTPUT;

pub(super) const TABLE: Table = &[
    ("printf", |cpu, a| cpu.print(a[0], &a[1..])),
    ("__printf_chk", |cpu, a| cpu.print(a[1], &a[2..])),
    ("fprintf", |cpu, a| cpu.print(a[1], &a[2..])),
    ("__fprintf_chk", |cpu, a| cpu.print(a[2], &a[3..])),
    ("dprintf", |cpu, a| cpu.print(a[1], &a[2..])),
    ("vprintf", |cpu, a| {
        let text = cpu.formatted_list(a[0], a[1])?;
        cpu.emit(&text)
    }),
    ("vfprintf", |cpu, a| {
        let text = cpu.formatted_list(a[1], a[2])?;
        cpu.emit(&text)
    }),
    ("sprintf", |cpu, a| {
        let text = cpu.formatted(a[1], &a[2..])?;
        cpu.write_string(a[0], &text)?;
        int(text.len() as i32)
    }),
    ("snprintf", |cpu, a| {
        let text = cpu.formatted(a[2], &a[3..])?;
        cpu.write_bounded(a[0], a[1], &text)
    }),
    ("vsnprintf", |cpu, a| {
        let text = cpu.formatted_list(a[2], a[3])?;
        cpu.write_bounded(a[0], a[1], &text)
    }),
    ("puts", |cpu, a| {
        let mut text = cpu.check(cpu.memory.read_c_string(a[0]))?.to_vec();
        text.push(b'\n');
        cpu.emit(&text)
    }),
    ("fputs", |cpu, a| {
        let text = cpu.check(cpu.memory.read_c_string(a[0]))?.to_vec();
        cpu.emit(&text)
    }),
    ("putchar", |cpu, a| {
        cpu.emit(&[a[0] as u8])?;
        int(i32::from(a[0] as u8))
    }),
    ("putc", put),
    ("fputc", put),
    ("_IO_putc", put),
    ("fwrite", |cpu, a| {
        let text = cpu
            .check(cpu.memory.read_bytes(a[0], a[1].saturating_mul(a[2])))?
            .to_vec();
        cpu.emit(&text)?;
        value(a[2])
    }),
    ("write", |cpu, a| {
        if !matches!(a[0], 1 | 2) {
            return cpu.fail(errno::EINVAL);
        }
        let text = cpu.check(cpu.memory.read_bytes(a[1], a[2]))?.to_vec();
        cpu.emit_to(a[0], &text);
        value(a[2])
    }),
    ("writev", |cpu, a| {
        let mut total = 0;
        for i in 0..a[2] & 0xffff_ffff {
            let (start, len) = (
                cpu.read_word(a[1] + 16 * i)?,
                cpu.read_word(a[1] + 16 * i + 8)?,
            );
            let text = cpu.check(cpu.memory.read_bytes(start, len))?.to_vec();
            cpu.emit_to(a[0], &text);
            total += len;
        }
        value(total)
    }),
    ("read", |_, _| value(0)),
    ("fflush", |_, _| int(0)),
    ("setvbuf", |_, _| int(0)),
    ("setbuf", |_, _| super::nothing()),
    ("perror", |cpu, a| {
        let mut text = cpu.check(cpu.memory.read_c_string(a[0]))?.to_vec();
        text.extend(b": error\n");
        cpu.emit(&text)
    }),
    ("isatty", |_, _| int(0)),
];

fn put(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    cpu.emit(&[a[0] as u8])?;
    int(i32::from(a[0] as u8))
}

/// Arguments of the call itself, one slot each.
struct Slots<'a> {
    slots: std::slice::Iter<'a, u64>,
    memory: &'a Memory,
}

impl Arguments for Slots<'_> {
    type Error = MemoryError;
    fn next(&mut self) -> Result<u64, MemoryError> {
        // Too few arguments are undefined; zeros do no harm.
        Ok(self.slots.next().copied().unwrap_or(0))
    }
    fn string(&mut self, address: u64, max: Option<usize>) -> Result<Vec<u8>, MemoryError> {
        read_string(self.memory, address, max)
    }
}

/// Arguments of a `va_list` of the x86-64 ABI, as `va_start` fills it: all in the overflow area.
struct List<'a> {
    next: Address,
    memory: &'a Memory,
}

impl Arguments for List<'_> {
    type Error = MemoryError;
    fn next(&mut self) -> Result<u64, MemoryError> {
        self.next += 8;
        self.memory.read(self.next - 8, 8)
    }
    fn string(&mut self, address: u64, max: Option<usize>) -> Result<Vec<u8>, MemoryError> {
        read_string(self.memory, address, max)
    }
}

fn read_string(
    memory: &Memory,
    address: Address,
    max: Option<usize>,
) -> Result<Vec<u8>, MemoryError> {
    let Some(max) = max else {
        return memory.read_c_string(address).map(<[u8]>::to_vec);
    };
    let mut text = Vec::new();
    while text.len() < max {
        match memory.read(address + text.len() as u64, 1)? {
            0 => break,
            byte => text.push(byte as u8),
        }
    }
    Ok(text)
}

/// As much of `text` as is kept: a program that prints without end must not fill the memory.
fn append(captured: &mut Vec<u8>, text: &[u8]) {
    let room = MOST_OUTPUT.saturating_sub(captured.len());
    captured.extend_from_slice(&text[..text.len().min(room)]);
}

impl Cpu<'_> {
    /// Captures output.
    pub(super) fn emit(&mut self, text: &[u8]) -> Result<Reply, Stop> {
        self.thread.spin.reset();
        append(&mut self.world_mut().output, text);
        int(text.len() as i32)
    }

    /// Captures output to a file descriptor: 2 is kept apart.
    fn emit_to(&mut self, descriptor: u64, text: &[u8]) {
        self.thread.spin.reset();
        if descriptor == 2 {
            append(&mut self.world_mut().errors, text);
        } else {
            append(&mut self.world_mut().output, text);
        }
    }

    fn print(&mut self, format: Address, args: &[u64]) -> Result<Reply, Stop> {
        let text = self.formatted(format, args)?;
        self.emit(&text)
    }

    fn formatted(&self, text: Address, args: &[u64]) -> Result<Vec<u8>, Stop> {
        let template = self.check(self.memory.read_c_string(text))?;
        let mut slots = Slots {
            slots: args.iter(),
            memory: self.memory,
        };
        self.check(format::format(template, &mut slots))
    }

    fn formatted_list(&self, text: Address, list: Address) -> Result<Vec<u8>, Stop> {
        let template = self.check(self.memory.read_c_string(text))?;
        let mut list = List {
            next: self.read_word(list + 8)?,
            memory: self.memory,
        };
        self.check(format::format(template, &mut list))
    }

    /// `snprintf`: as much as fits, and how much there was.
    fn write_bounded(&mut self, to: Address, size: u64, text: &[u8]) -> Result<Reply, Stop> {
        if size > 0 {
            let fits = text.len().min(size as usize - 1);
            self.write_string(to, &text[..fits])?;
        }
        int(text.len() as i32)
    }
}
