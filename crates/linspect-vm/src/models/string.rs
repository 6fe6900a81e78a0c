//! `string.h` and `strings.h`.
//!
//! A call is one step: it reads and writes at once what the C library reads and writes byte by byte. Nothing is read that the C library need not
//! read: a search stops where it finds, a comparison at the first difference.

use super::{Reply, Table, int, nothing, value};
use crate::interp::{Cpu, Stop, Visibility, digest};
use crate::memory::Address;
use crate::program::MemoryOrder;
use linspect_core::execution::Action;

pub(super) const TABLE: Table = &[
    ("memcpy", copy),
    ("memmove", copy),
    ("__memcpy_chk", copy),
    ("__memmove_chk", copy),
    ("mempcpy", |cpu, a| {
        cpu.copy_memory(a[0], a[1], a[2])?;
        value(a[0].wrapping_add(a[2]))
    }),
    ("bcopy", |cpu, a| {
        cpu.copy_memory(a[1], a[0], a[2])?;
        nothing()
    }),
    ("memccpy", |cpu, a| {
        let bytes = cpu.bytes_until(a[1], a[3], |b| b == a[2] as u8)?;
        cpu.write_bytes(a[0], &bytes)?;
        let found = bytes.last() == Some(&(a[2] as u8));
        value(if found {
            a[0].wrapping_add(bytes.len() as u64)
        } else {
            0
        })
    }),
    ("memset", fill),
    ("__memset_chk", fill),
    ("explicit_bzero", |cpu, a| {
        cpu.fill_memory(a[0], 0, a[1])?;
        nothing()
    }),
    ("bzero", |cpu, a| {
        cpu.fill_memory(a[0], 0, a[1])?;
        nothing()
    }),
    ("memcmp", compare_bytes),
    ("bcmp", compare_bytes),
    ("memchr", |cpu, a| cpu.search(a[0], a[2], a[1] as u8)),
    ("rawmemchr", |cpu, a| cpu.search(a[0], u64::MAX, a[1] as u8)),
    ("memrchr", |cpu, a| {
        let bytes = cpu.bytes(a[0], a[2])?;
        let at = bytes.iter().rposition(|b| *b == a[1] as u8);
        found(a[0], at)
    }),
    ("memmem", |cpu, a| {
        let (text, what) = (cpu.bytes(a[0], a[1])?, cpu.bytes(a[2], a[3])?);
        found(a[0], position(&text, &what))
    }),
    ("strlen", |cpu, a| value(cpu.string(a[0])?.len() as u64)),
    ("strnlen", |cpu, a| {
        value(cpu.prefix(a[0], a[1])?.len() as u64)
    }),
    ("strcmp", |cpu, a| cpu.compare(a[0], a[1], u64::MAX, |b| b)),
    ("strcoll", |cpu, a| cpu.compare(a[0], a[1], u64::MAX, |b| b)),
    ("strncmp", |cpu, a| cpu.compare(a[0], a[1], a[2], |b| b)),
    ("strcasecmp", |cpu, a| {
        cpu.compare(a[0], a[1], u64::MAX, |b| b.to_ascii_lowercase())
    }),
    ("strncasecmp", |cpu, a| {
        cpu.compare(a[0], a[1], a[2], |b| b.to_ascii_lowercase())
    }),
    ("strcpy", |cpu, a| {
        let text = cpu.string(a[1])?;
        cpu.write_string(a[0], &text)?;
        value(a[0])
    }),
    ("__strcpy_chk", |cpu, a| {
        let text = cpu.string(a[1])?;
        cpu.write_string(a[0], &text)?;
        value(a[0])
    }),
    ("stpcpy", |cpu, a| {
        let text = cpu.string(a[1])?;
        cpu.write_string(a[0], &text)?;
        value(a[0].wrapping_add(text.len() as u64))
    }),
    ("strncpy", |cpu, a| {
        cpu.copy_padded(a[0], a[1], a[2])?;
        value(a[0])
    }),
    ("stpncpy", |cpu, a| {
        let len = cpu.copy_padded(a[0], a[1], a[2])?;
        value(a[0].wrapping_add(len))
    }),
    ("strcat", |cpu, a| cpu.append(a[0], a[1], u64::MAX)),
    ("strncat", |cpu, a| cpu.append(a[0], a[1], a[2])),
    ("strchr", |cpu, a| cpu.character(a[0], a[1] as u8)),
    ("index", |cpu, a| cpu.character(a[0], a[1] as u8)),
    ("strchrnul", |cpu, a| {
        let bytes = cpu.bytes_until(a[0], u64::MAX, |b| b == a[1] as u8 || b == 0)?;
        value(a[0].wrapping_add(bytes.len() as u64 - 1))
    }),
    ("strrchr", last_character),
    ("rindex", last_character),
    ("strstr", |cpu, a| {
        let (text, what) = (cpu.string(a[0])?, cpu.string(a[1])?);
        found(a[0], position(&text, &what))
    }),
    ("strcasestr", |cpu, a| {
        let (text, what) = (cpu.string(a[0])?, cpu.string(a[1])?);
        found(
            a[0],
            position(&text.to_ascii_lowercase(), &what.to_ascii_lowercase()),
        )
    }),
    ("strspn", |cpu, a| value(cpu.span(a[0], a[1], true)?)),
    ("strcspn", |cpu, a| value(cpu.span(a[0], a[1], false)?)),
    ("strpbrk", |cpu, a| {
        let at = a[0].wrapping_add(cpu.span(a[0], a[1], false)?);
        let ends = cpu.byte(at)? == 0;
        value(if ends { 0 } else { at })
    }),
    ("strsep", |cpu, a| cpu.separate(a[0], a[1])),
    ("strtok_r", |cpu, a| cpu.token(a[0], a[1], a[2])),
    ("__strtok_r", |cpu, a| cpu.token(a[0], a[1], a[2])),
    ("strdup", |cpu, a| cpu.duplicate(a[0], u64::MAX)),
    ("__strdup", |cpu, a| cpu.duplicate(a[0], u64::MAX)),
    ("strndup", |cpu, a| cpu.duplicate(a[0], a[1])),
    ("strerror", |cpu, a| {
        let text = error_text(a[0] as i32);
        cpu.text(&text)
    }),
    ("gnu_get_libc_version", |cpu, _| cpu.text(b"2.36")),
    ("__xpg_strerror_r", |cpu, a| {
        const ERANGE: i32 = 34;
        let text = error_text(a[0] as i32);
        let fits = (text.len() as u64).min(a[2].saturating_sub(1)) as usize;
        if a[2] > 0 {
            cpu.write_string(a[1], &text[..fits])?;
        }
        int(if fits < text.len() { ERANGE } else { 0 })
    }),
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
    let (left, right) = (cpu.bytes(a[0], a[2])?, cpu.bytes(a[1], a[2])?);
    let differ = left.iter().zip(&right).find(|(l, r)| l != r);
    int(differ.map_or(0, |(l, r)| i32::from(*l) - i32::from(*r)))
}

fn last_character(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let mut text = cpu.string(a[0])?;
    text.push(0);
    found(a[0], text.iter().rposition(|b| *b == a[1] as u8))
}

/// The address `at` bytes from `start`, or null.
fn found(start: Address, at: Option<usize>) -> Result<Reply, Stop> {
    value(at.map_or(0, |at| start.wrapping_add(at as u64)))
}

/// Where `what` first is in `text`.
fn position(text: &[u8], what: &[u8]) -> Option<usize> {
    (0..=text.len()).find(|at| text[*at..].starts_with(what))
}

/// The text of an error number, as the C library of this system has it.
pub(super) fn error_text(number: i32) -> Vec<u8> {
    if number == 0 {
        return b"Success".to_vec();
    }
    let text = std::io::Error::from_raw_os_error(number).to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    text.as_bytes().to_vec()
}

impl Cpu<'_> {
    /// A text of the library's own.
    fn text(&mut self, text: &[u8]) -> Result<Reply, Stop> {
        let room = text.len() as u64 + 1;
        let allocated = self.memory.allocate_private(self.thread.lane, room);
        let address = self.check(allocated)?;
        self.write_string(address, text)?;
        value(address)
    }

    /// Notes that a call has ended the use of what lies there: a lock, a condition.
    pub(super) fn touch_whole(&mut self, address: Address, len: u64) -> Result<(), Stop> {
        let visibility = self.touch(address)?;
        self.check(self.memory.check(address, len.min(4)).map(|_| ()))?;
        if visibility == Visibility::Visible {
            self.note(Action::Write, address, len, 0, 0, MemoryOrder::Plain);
        }
        Ok(())
    }

    /// Makes the running call a step of its own, if others can reach what is at `address`; whether they can.
    pub(super) fn touch(&mut self, address: Address) -> Result<Visibility, Stop> {
        // All that a call touches belongs to one step.
        let granted = self.grant;
        self.grant |= self.stepped;
        let visibility = self.admit(address, false);
        if self.stepped {
            self.grant = granted;
        }
        self.stepped |= matches!(visibility, Ok(Visibility::Visible));
        visibility
    }

    /// Notes that a call has read these bytes.
    fn note_bytes(&mut self, visibility: Visibility, address: Address, bytes: &[u8]) {
        if visibility == Visibility::Visible && !bytes.is_empty() {
            let (len, read) = (bytes.len() as u64, digest(bytes));
            self.note(Action::Read, address, len, read, 0, MemoryOrder::Plain);
        }
    }

    pub(super) fn byte(&mut self, address: Address) -> Result<u8, Stop> {
        Ok(self.bytes(address, 1)?[0])
    }

    /// The bytes at `address`.
    pub(super) fn bytes(&mut self, address: Address, len: u64) -> Result<Vec<u8>, Stop> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let visibility = self.touch(address)?;
        let bytes = self.check(self.memory.read_bytes(address, len))?.to_vec();
        self.note_bytes(visibility, address, &bytes);
        Ok(bytes)
    }

    pub(super) fn string(&mut self, address: Address) -> Result<Vec<u8>, Stop> {
        let mut text = self.bytes_until(address, u64::MAX, |b| b == 0)?;
        text.pop();
        Ok(text)
    }

    /// The bytes at `address` up to the first that is `last`, which is included; at most `max`.
    pub(super) fn bytes_until(
        &mut self,
        address: Address,
        max: u64,
        last: impl Fn(u8) -> bool,
    ) -> Result<Vec<u8>, Stop> {
        if max == 0 {
            return Ok(Vec::new());
        }
        let visibility = self.touch(address)?;
        let (block, at) = self.check(self.memory.check(address, 1))?;
        let there = &block.bytes()[at..];
        let most = usize::try_from(max).unwrap_or(usize::MAX).min(there.len());
        let end = there[..most].iter().position(|b| last(*b));
        let len = end.map_or(max, |end| end as u64 + 1);
        let bytes = self.check(self.memory.read_bytes(address, len))?.to_vec();
        self.note_bytes(visibility, address, &bytes);
        Ok(bytes)
    }

    /// The string at `address`, at most `max` bytes of it.
    fn prefix(&mut self, address: Address, max: u64) -> Result<Vec<u8>, Stop> {
        let mut text = self.bytes_until(address, max, |b| b == 0)?;
        text.pop_if(|last| *last == 0);
        Ok(text)
    }

    pub(super) fn write_bytes(&mut self, address: Address, bytes: &[u8]) -> Result<(), Stop> {
        if bytes.is_empty() {
            return Ok(());
        }
        let visibility = self.touch(address)?;
        self.put(address, bytes, visibility)?;
        if visibility == Visibility::Visible {
            let (len, written) = (bytes.len() as u64, digest(bytes));
            self.note(Action::Write, address, len, 0, written, MemoryOrder::Plain);
        }
        Ok(())
    }

    pub(super) fn write_string(&mut self, address: Address, text: &[u8]) -> Result<(), Stop> {
        let mut bytes = text.to_vec();
        bytes.push(0);
        self.write_bytes(address, &bytes)
    }

    /// `memchr`.
    fn search(&mut self, start: Address, len: u64, wanted: u8) -> Result<Reply, Stop> {
        let bytes = self.bytes_until(start, len, |b| b == wanted)?;
        found(start, bytes.iter().position(|b| *b == wanted))
    }

    /// `strchr`.
    fn character(&mut self, start: Address, wanted: u8) -> Result<Reply, Stop> {
        let bytes = self.bytes_until(start, u64::MAX, |b| b == wanted || b == 0)?;
        found(start, bytes.iter().position(|b| *b == wanted))
    }

    /// The difference of the first bytes that differ, as glibc gives it.
    fn compare(
        &mut self,
        left: Address,
        right: Address,
        max: u64,
        folded: fn(u8) -> u8,
    ) -> Result<Reply, Stop> {
        let seen = [self.touch(left)?, self.touch(right)?];
        let mut read = [Vec::new(), Vec::new()];
        let mut difference = 0;
        for i in 0..max {
            let both = [left.wrapping_add(i), right.wrapping_add(i)];
            for (read, at) in read.iter_mut().zip(both) {
                read.push(self.check(self.memory.read(at, 1))? as u8);
            }
            let [l, r] = [&read[0], &read[1]].map(|read| folded(read[read.len() - 1]));
            difference = i32::from(l) - i32::from(r);
            if l != r || l == 0 {
                break;
            }
        }
        self.note_bytes(seen[0], left, &read[0]);
        self.note_bytes(seen[1], right, &read[1]);
        int(difference)
    }

    /// `strncpy`: the string, then zeros; how long the string was.
    fn copy_padded(&mut self, to: Address, from: Address, size: u64) -> Result<u64, Stop> {
        let text = self.prefix(from, size)?;
        let len = text.len() as u64;
        // Bounds before bytes: a hostile size must not cost memory.
        if size > 0 {
            self.check(self.memory.check(to, size).map(|_| ()))?;
        }
        let mut padded = text;
        padded.resize(size as usize, 0);
        self.write_bytes(to, &padded)?;
        Ok(len)
    }

    fn append(&mut self, to: Address, from: Address, max: u64) -> Result<Reply, Stop> {
        let end = to.wrapping_add(self.string(to)?.len() as u64);
        let text = self.prefix(from, max)?;
        self.write_string(end, &text)?;
        value(to)
    }

    /// How many bytes of the string at `text` are, or are not, in the string at `set`.
    fn span(&mut self, text: Address, set: Address, inside: bool) -> Result<u64, Stop> {
        let set = self.string(set)?;
        let stops = |b: u8| b == 0 || set.contains(&b) != inside;
        let bytes = self.bytes_until(text, u64::MAX, stops)?;
        Ok(bytes.len() as u64 - 1)
    }

    /// `strtok_r`.
    fn token(&mut self, text: Address, set: Address, saved: Address) -> Result<Reply, Stop> {
        // Before anything changes.
        self.touch(saved)?;
        let start = match text {
            0 => self.pointer_at(saved)?,
            text => text,
        };
        if start == 0 {
            return value(0);
        }
        let start = start.wrapping_add(self.span(start, set, true)?);
        if self.byte(start)? == 0 {
            self.write_pointer(saved, start)?;
            return value(0);
        }
        let mut end = start.wrapping_add(self.span(start, set, false)?);
        if self.byte(end)? != 0 {
            self.write_bytes(end, &[0])?;
            end = end.wrapping_add(1);
        }
        self.write_pointer(saved, end)?;
        value(start)
    }

    /// `strsep`.
    fn separate(&mut self, text: Address, set: Address) -> Result<Reply, Stop> {
        let start = self.pointer_at(text)?;
        if start == 0 {
            return value(0);
        }
        let end = start.wrapping_add(self.span(start, set, false)?);
        if self.byte(end)? == 0 {
            self.write_pointer(text, 0)?;
        } else {
            self.write_bytes(end, &[0])?;
            self.write_pointer(text, end.wrapping_add(1))?;
        }
        value(start)
    }

    /// The pointer at `address`, which others may see read.
    fn pointer_at(&mut self, address: Address) -> Result<Address, Stop> {
        let bytes = self.bytes(address, 8)?;
        Ok(u64::from_le_bytes(bytes.try_into().unwrap_or_default()))
    }

    /// Writes a pointer or a handle that a call gives back where its caller wants it.
    pub(super) fn write_pointer(&mut self, address: Address, value: u64) -> Result<(), Stop> {
        self.write_bytes(address, &value.to_le_bytes())
    }

    fn duplicate(&mut self, from: Address, max: u64) -> Result<Reply, Stop> {
        let text = self.prefix(from, max)?;
        let Reply::Value(copy) = self.malloc(text.len() as u64 + 1, false)? else {
            return value(0);
        };
        if copy != 0 {
            self.write_string(copy, &text)?;
        }
        value(copy)
    }

    /// The text of the thread's `errno`.
    pub(super) fn error_text(&self) -> Result<Vec<u8>, Stop> {
        let number = match self.thread.errno {
            0 => 0,
            address => self.read_int(address)?,
        };
        Ok(error_text(number.cast_signed()))
    }
}
