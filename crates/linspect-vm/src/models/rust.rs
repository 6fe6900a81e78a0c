//! What Rust's standard library needs: panics, system calls, and its locks' slow paths.
//!
//! Most of the library runs as it is. Only the contended paths of its locks are replaced, and the spinning of parking_lot's: they spin a
//! bounded number of times before they wait, which would be a hundred steps of nothing.

use super::{Model, Reply, Table, errno, nothing, value};
use crate::interp::{Cpu, Stop, Visibility};
use crate::memory::Address;
use crate::program::LockWord;
use crate::thread::{Exception, Gate, Opens, Pending};
use linspect_core::execution::{Action, FaultKind};
use std::borrow::Cow;

pub(super) const TABLE: Table = &[
    ("_Unwind_RaiseException", |cpu, a| {
        let message = cpu.panic_message();
        let site = cpu.site();
        cpu.throw(Exception {
            object: a[0],
            type_info: 0,
            message,
            site,
        })?;
        Ok(Reply::Moved)
    }),
    ("_Unwind_DeleteException", |_, _| nothing()),
    ("_Unwind_Backtrace", |_, _| super::int(5)),
    ("_Unwind_GetIP", |_, _| value(0)),
    ("_Unwind_GetIPInfo", |_, _| value(0)),
    ("_Unwind_FindEnclosingFunction", |_, _| value(0)),
    ("syscall", system_call),
    ("__rust_alloc_error_handler_should_panic_v2", |_, _| {
        value(0)
    }),
];

/// Functions of the library that are replaced even though their code is there, told by a part of their symbol.
const REPLACED: &[(&str, Model)] = &[
    ("3sys4sync5mutex5futex5Mutex14lock_contended", |cpu, a| {
        cpu.pass(Gate {
            address: a[0],
            opens: Opens::Zero,
        })?;
        cpu.write_int(a[0], 1)?;
        cpu.note_sync(Action::Lock, a[0], 0, 1);
        nothing()
    }),
    ("3sys4sync6rwlock5futex6RwLock14read_contended", |cpu, a| {
        cpu.pass(Gate {
            address: a[0],
            opens: Opens::RustRead,
        })?;
        let state = cpu.read_int(a[0])?;
        cpu.write_int(a[0], state.wrapping_add(1))?;
        cpu.note_sync(Action::Lock, a[0], state.into(), u64::from(state) + 1);
        nothing()
    }),
    (
        "3sys4sync6rwlock5futex6RwLock15write_contended",
        |cpu, a| {
            cpu.pass(Gate {
                address: a[0],
                opens: Opens::RustWrite,
            })?;
            let state = cpu.read_int(a[0])?;
            cpu.write_int(a[0], state | WRITE_LOCKED)?;
            cpu.note_sync(
                Action::Lock,
                a[0],
                state.into(),
                u64::from(state | WRITE_LOCKED),
            );
            nothing()
        },
    ),
    // parking_lot spins a few rounds before it waits, too. "Do not spin any longer" is an answer that its callers expect at any time.
    ("16parking_lot_core8spinwait8SpinWait4spin", |_, _| value(0)),
];

impl Cpu<'_> {
    /// The fast path of a lock: who does not find it free waits for it. Whether it was taken so: where nobody else runs,
    /// the library's own code does.
    pub(crate) fn take_lock(
        &mut self,
        address: Address,
        lock: LockWord,
        taken: u64,
    ) -> Result<bool, Stop> {
        let (opens, len) = match lock {
            LockWord::Zero => (Opens::Zero, 4),
            LockWord::LowBit => (Opens::LowBit, 1),
        };
        // Who looks into the libraries sees their own code do it.
        if self.settings.std_visible {
            return Ok(false);
        }
        let gate = Gate { address, opens };
        let visibility = self.admit_as(Pending::Gate(gate), address, true)?;
        if visibility != Visibility::Visible || !self.is_open(gate) {
            return Ok(false);
        }
        let free = self.check(self.memory.read(address, len))?;
        self.write_number(address, free | taken, len)?;
        self.note_sync_at(Action::Lock, address, len as u64, (free, free | taken));
        Ok(true)
    }
}

/// The lower 30 bits of a Rust read-write lock: number of readers, all ones for a writer.
pub(crate) const WRITE_LOCKED: u32 = (1 << 30) - 1;

pub(super) fn replacement(symbol: &str) -> Option<Model> {
    let flat = flat(symbol)?;
    REPLACED
        .iter()
        .find(|(part, _)| flat.contains(part))
        .map(|(_, model)| *model)
}

/// Whether a global is one of those in which the standard library counts panics.
pub(crate) fn counts_panics(symbol: &str) -> bool {
    let counters = ["18GLOBAL_PANIC_COUNT", "17LOCAL_PANIC_COUNT"];
    symbol.contains("PANIC_COUNT")
        && flat(symbol).is_some_and(|path| {
            path.contains("9panicking11panic_count")
                && counters.iter().any(|counter| path.contains(counter))
        })
}

/// The path of a Rust symbol. Both manglings write its parts with their lengths, but only the older one writes them side by side.
pub(super) fn flat(symbol: &str) -> Option<Cow<'_, str>> {
    if symbol.starts_with("_R") {
        Some(flatten(symbol).into())
    } else {
        symbol.starts_with("_ZN").then_some(symbol.into())
    }
}

/// A v0 symbol without the marks between its path's parts: `NvMNtNtNt…3sys4sync` and `…5mutex5futexNtB2_5Mutex14lock_contended`.
fn flatten(symbol: &str) -> String {
    let mut out = String::new();
    let mut rest = symbol;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits: String = rest[at..]
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        let start = at + digits.len();
        let len: usize = digits.parse().unwrap_or(0);
        match rest.get(start..start + len) {
            Some(name) if len > 0 && !name.starts_with('_') => {
                out.push_str(&digits);
                out.push_str(name);
                rest = &rest[start + len..];
            }
            _ => rest = &rest[start..],
        }
    }
    out
}

/// `syscall(2)`: a number and up to six arguments.
fn system_call(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    const GETTID: u64 = 186;
    const FUTEX: u64 = 202;
    const GETRANDOM: u64 = 318;
    const MEMBARRIER: u64 = 324;
    match a[0] {
        FUTEX => cpu.futex(&a[1..]),
        GETTID => value(1000 + u64::from(cpu.thread.id)),
        GETRANDOM => {
            cpu.random_bytes(a[1], a[2])?;
            value(a[2])
        }
        // Absent, as on an old kernel; callers have another way.
        MEMBARRIER => cpu.fail(errno::ENOSYS),
        number => Err(cpu.fault(
            FaultKind::Unsupported,
            &format!("this machine does not model system call {number}"),
        )),
    }
}

impl Cpu<'_> {
    /// What the panic hook has just printed: where, and the message.
    fn panic_message(&self) -> String {
        let text = String::from_utf8_lossy(&self.world.errors);
        let Some(at) = text.rfind("panicked at ") else {
            return "a panic".into();
        };
        let (place, rest) = text[at..].split_once('\n').unwrap_or((&text[at..], ""));
        let message = rest.split("\nnote: ").next().unwrap_or(rest).trim_end();
        let place = place.trim_end_matches(':');
        // The column says nothing to a reader of a line.
        let place = place.rsplit_once(':').map_or(place, |(place, _)| place);
        match message {
            "" => place.to_owned(),
            message => format!("{place}: {message}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_slow_paths_of_locks_in_both_manglings() {
        for symbol in [
            "_ZN3std3sys4sync5mutex5futex5Mutex14lock_contended17h0123456789abcdefE",
            "_RNvMNtNtNtNtCs4xZk_3std3sys4sync5mutex5futexNtB2_5Mutex14lock_contended",
            "_RNvMNtNtNtNtCs4xZk_3std3sys4sync6rwlock5futexNtB2_6RwLock15write_contended",
            "_ZN16parking_lot_core8spinwait8SpinWait4spin17h0123456789abcdefE",
        ] {
            assert!(replacement(symbol).is_some(), "{symbol}");
        }
        assert!(replacement("_ZN3std3sys4sync5mutex5futex5Mutex4lock17hE").is_none());
        assert!(replacement("lock_contended").is_none());
    }
}
