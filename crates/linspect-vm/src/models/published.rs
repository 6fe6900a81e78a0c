//! Locks of published libraries: Rust's standard library, parking_lot, dashmap; and where a thread of the first parks, which may end by itself.
//!
//! Their code is taken for right: whoever cannot have such a lock at once waits at a gate, in place of the code that counts rounds, queues and
//! parks, and whoever can have it takes it in one step. Words of locks stay what the libraries make of them, so the code that is not replaced (to try, to
//! wait for a time, to give back) goes on with them. A function is told by its name and by its file, which must be one that is published: a lock that is only called like these
//! may be what is tested. `--std visible` runs the libraries' own code, except for parking_lot's spinning.
//!
//! A writer that finds readers closes the lock to further readers before it waits, where its library does so: whoever reads twice waits for it, and
//! it for them. dashmap's does not.

use super::{Model, Reply, nothing, value};
use crate::interp::{Cpu, Stop, Visibility};
use crate::memory::Address;
use crate::program::{Failing, Function, Inst, LockWord, Origin, Program};
use crate::thread::{After, Gate, Opens, Pending};
use linspect_core::execution::Action;

/// The lower 30 bits of a Rust read-write lock: number of readers, all ones for a writer.
pub(crate) const WRITE_LOCKED: u32 = (1 << 30) - 1;
/// In a Rust read-write lock: readers wait, writers wait.
pub(crate) const READERS_WAITING: u32 = 1 << 30;
pub(crate) const WRITERS_WAITING: u32 = 1 << 31;
/// The standard library's one-time initialisation.
pub(crate) const ONCE: &str = "std::sys::sync::once::futex::Once::call";
/// Where a thread of the standard library sleeps until another one unparks it, by the module that it is in since Rust 1.93, and before.
const PARK: [&str; 2] = ["std::thread::functions::park", "std::thread::park"];

/// In parking_lot's read-write lock: a writer has it, or waits for the last readers to go; the readers, counted from this bit on.
pub(crate) const PARKING_WRITER: u64 = 1 << 3;
pub(crate) const PARKING_READER: u64 = 1 << 4;
/// There, too: a reader that may become the writer.
pub(crate) const PARKING_UPGRADABLE: u64 = 1 << 2;
/// In dashmap's read-write lock: the readers, counted from this bit on; all ones from there for a writer.
pub(crate) const DASHMAP_READER: u64 = 1 << 2;
pub(crate) const DASHMAP_WRITER: u64 = !(DASHMAP_READER - 1);

/// Functions of the standard library.
const STANDARD: &[(&str, Model)] = &[
    (
        "std::sys::sync::mutex::futex::Mutex::lock_contended",
        |cpu, a| {
            let takes = |_| 1;
            cpu.take_published((a[0], 4), Opens::Zero, takes)
        },
    ),
    ("std::sys::sync::rwlock::futex::RwLock::read", read),
    (
        "std::sys::sync::rwlock::futex::RwLock::read_contended",
        |cpu, a| cpu.take_published((a[0], 4), Opens::RustRead, |word| word + 1),
    ),
    (
        "std::sys::sync::rwlock::futex::RwLock::write_contended",
        write,
    ),
    (
        "std::sys::sync::rwlock::futex::RwLock::wake_writer_or_readers",
        let_go,
    ),
    (ONCE, |cpu, a| cpu.enter_once(a[0], a[1])),
];

/// Functions of a crate: its name with the version that a model is of, the file, what is before and after the number of the implementation, the model.
type Method = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Model,
);

const CRATES: &[Method] = &[
    (
        "/parking_lot-0.12.",
        "/src/raw_rwlock.rs",
        "parking_lot::raw_rwlock::",
        "::lock_shared",
        |cpu, a| cpu.take_published((a[0], 8), Opens::ParkingRead, |word| word + PARKING_READER),
    ),
    (
        "/parking_lot-0.12.",
        "/src/raw_rwlock.rs",
        "parking_lot::raw_rwlock::",
        "::lock_exclusive",
        |cpu, a| cpu.take_parking(a[0]),
    ),
    (
        "/dashmap-6.",
        "/src/lock.rs",
        "dashmap::lock::",
        "::lock_shared",
        |cpu, a| cpu.take_published((a[0], 8), Opens::DashmapRead, |word| word + DASHMAP_READER),
    ),
    (
        "/dashmap-6.",
        "/src/lock.rs",
        "dashmap::lock::",
        "::lock_exclusive",
        |cpu, a| cpu.take_published((a[0], 8), Opens::DashmapWrite, |word| word | DASHMAP_WRITER),
    ),
    // parking_lot spins a few rounds before it waits. "Do not spin any longer" is an answer that its callers expect at any time.
    (
        "/parking_lot_core-0.9.",
        "/src/spinwait.rs",
        "parking_lot_core::spinwait::SpinWait",
        "::spin",
        |_, _| value(0),
    ),
];

/// What runs in place of `function`, if it is one of a published lock.
pub(crate) fn published(program: &Program, function: &Function) -> Option<Model> {
    let name = program.text(function.name);
    let site = program.sites.get(function.site as usize)?;
    if site.origin == Origin::Sync {
        let (_, model) = STANDARD.iter().find(|(path, _)| *path == name)?;
        return (name != ONCE || says_where_it_begins(function)).then_some(*model);
    }
    if site.origin == Origin::Trusted {
        return PARK.contains(&name).then_some(|cpu, _| cpu.park());
    }
    let file = program.text(site.file);
    let is = |&&(package, path, module, method, _): &&Method| {
        is_published(file, package, path) && name.starts_with(module) && name.ends_with(method)
    };
    CRATES.iter().find(is).map(|(.., model)| *model)
}

/// Whether `file` is the one at `path` of `package`, as a registry has published it.
pub(crate) fn is_published(file: &str, package: &str, path: &str) -> bool {
    file.contains("/registry/src/") && file.contains(package) && file.ends_with(path)
}

/// Whether the code of a one-time initialisation shows where what is initialised begins to run: else it runs as it is.
fn says_where_it_begins(function: &Function) -> bool {
    let begins = |inst: &Inst| {
        matches!(
            inst,
            Inst::CompareExchange {
                failing: Failing::Waits(LockWord::Once),
                ..
            }
        )
    };
    function.code.iter().any(begins)
}

fn read(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    cpu.take_published((a[0], 4), Opens::RustRead, |word| word + 1)
}

fn write(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    if cpu.settings.std_visible {
        return cpu.own_code();
    }
    loop {
        cpu.pass(Gate {
            address: a[0],
            opens: Opens::RustWrite,
        })?;
        if cpu.take_to_write(a[0])? {
            return nothing();
        }
    }
}

/// The last reader has gone, in the step that runs, and somebody waits: who waits may try again.
fn let_go(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    if cpu.settings.std_visible {
        return cpu.own_code();
    }
    if cpu.is_weak() {
        cpu.step_if_concurrent()?;
    }
    let state = cpu.read_int(a[0])?;
    let free = state & !(READERS_WAITING | WRITERS_WAITING);
    cpu.write_int(a[0], free)?;
    cpu.note_sync(Action::Unlock, a[0], state.into(), free.into());
    nothing()
}

impl Cpu<'_> {
    fn own_code(&self) -> Result<Reply, Stop> {
        Ok(Reply::Itself(After::Result))
    }

    /// Takes a lock of so many bytes as soon as it opens.
    fn take_published(
        &mut self,
        (address, len): (Address, usize),
        opens: Opens,
        taken: fn(u64) -> u64,
    ) -> Result<Reply, Stop> {
        if self.settings.std_visible {
            return self.own_code();
        }
        self.pass(Gate { address, opens })?;
        self.take_word(address, len, taken)?;
        nothing()
    }

    fn take_word(
        &mut self,
        address: Address,
        len: usize,
        taken: impl Fn(u64) -> u64,
    ) -> Result<u64, Stop> {
        let free = self.check(self.memory.read(address, len))?;
        let now = taken(free);
        if self.world.concurrent {
            self.keep_word(address, len);
        }
        self.write_number(address, now, len)?;
        if self.world.concurrent {
            self.note_sync_at(Action::Lock, address, len as u64, (free, now));
        }
        Ok(free)
    }

    /// parking_lot's lock for writing: first no other writer can have it, then the readers go.
    fn take_parking(&mut self, address: Address) -> Result<Reply, Stop> {
        if self.settings.std_visible {
            return self.own_code();
        }
        if self.thread.phase == 0 {
            let opens = Opens::ParkingWrite;
            self.pass(Gate { address, opens })?;
            let before = self.take_word(address, 8, |word| word | PARKING_WRITER)?;
            if before < PARKING_READER {
                return nothing();
            }
            self.thread.phase = 1;
        }
        let opens = Opens::ParkingReaders;
        self.pass(Gate { address, opens })?;
        self.take_word(address, 8, |word| word)?;
        nothing()
    }

    /// One-time initialisation: whoever comes while it runs waits, and whoever begins it does so in the step in which it looks.
    fn enter_once(&mut self, word: Address, ignores_poison: u64) -> Result<Reply, Stop> {
        const POISONED: u32 = 2;
        if self.ends_in_silence(word)? {
            return nothing();
        }
        let gate = Gate {
            address: word,
            opens: Opens::RustOnce,
        };
        let as_it_is = self.settings.std_visible
            || self.is_weak()
            || self.thread.atomic > 0
            || !self.world.concurrent
            || self.is_internal(word)
            || (self.read_int(word)? & 3 == POISONED && ignores_poison & 1 == 0);
        if as_it_is {
            return self.own_code();
        }
        self.pass(gate)?;
        self.thread.atomic += 1;
        Ok(Reply::Itself(After::Atomic))
    }

    /// Whether what is to be done once is the end of Rust's runtime, and nobody could tell whether it was done: no other thread is left, and nobody has
    /// used the buffer of the output that it would write out.
    fn ends_in_silence(&self, word: Address) -> Result<bool, Stop> {
        let Some((_, output)) = self.image.runtime_end.filter(|(end, _)| *end == word) else {
            return Ok(false);
        };
        let global = &self.image.program.globals[output as usize];
        let mut fresh = self.image.initial_bytes(output);
        fresh.resize(global.size as usize, 0);
        let address = self.image.globals[output as usize];
        let now = self.memory.read_bytes(address, global.size);
        let is_fresh = now.map_err(|e| self.memory_fault(&e))? == fresh;
        Ok(is_fresh && self.world.unjoined.is_empty() && !self.settings.std_visible)
    }

    /// What is initialised begins to run.
    pub(crate) fn leave_once(&mut self) {
        if let Some(frame) = self.thread.frames.last_mut()
            && frame.after == After::Atomic
        {
            frame.after = After::Result;
            self.thread.atomic -= 1;
        }
    }

    /// Takes a Rust read-write lock to write, or tells its readers that a writer waits. Whether it was taken.
    fn take_to_write(&mut self, address: Address) -> Result<bool, Stop> {
        let free = self.take_word(address, 4, |state| match state as u32 & WRITE_LOCKED {
            0 => state | u64::from(WRITE_LOCKED),
            _ => state | u64::from(WRITERS_WAITING),
        })?;
        Ok(free as u32 & WRITE_LOCKED == 0)
    }

    /// The fast path of a lock: who does not find it free waits for it. Whether it was taken so; nothing where the library's own code
    /// is to do it, as where nobody else runs.
    pub(crate) fn take_lock(
        &mut self,
        address: Address,
        lock: LockWord,
        taken: u64,
    ) -> Result<Option<bool>, Stop> {
        let (opens, len) = match lock {
            LockWord::Zero => (Opens::Zero, 4),
            LockWord::LowBit => (Opens::LowBit, 1),
            LockWord::ReadWrite => (Opens::RustWrite, 4),
            LockWord::Once => return Ok(None),
        };
        // Who looks into the libraries sees their own code do it.
        if self.settings.std_visible {
            return Ok(None);
        }
        let gate = Gate { address, opens };
        let visibility = self.admit_as(Pending::Gate(gate), address, true)?;
        if visibility != Visibility::Visible || !self.is_open(gate) {
            return Ok(None);
        }
        if lock == LockWord::ReadWrite {
            return self.take_to_write(address).map(Some);
        }
        self.take_word(address, len, |free| free | taken)?;
        Ok(Some(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Site;

    fn is_replaced(name: &str, file: &str, origin: Origin) -> bool {
        let mut program = Program::new();
        program.strings.extend([name.to_owned(), file.to_owned()]);
        program.sites.push(Site {
            file: 2,
            function: 1,
            origin,
            ..Site::default()
        });
        let function = Function {
            name: 1,
            site: 1,
            ..Function::default()
        };
        published(&program, &function).is_some()
    }

    #[test]
    fn locks_are_told_by_name_and_published_file() {
        let std = "/rustc/59807616e1fa/library/std/src/sys/sync/rwlock/futex.rs";
        let read = "std::sys::sync::rwlock::futex::RwLock::read";
        assert!(is_replaced(read, std, Origin::Sync));
        assert!(!is_replaced(read, "src/lib.rs", Origin::User));
        assert!(!is_replaced(
            "std::sys::sync::rwlock::futex::RwLock::try_read",
            std,
            Origin::Sync
        ));
        assert!(is_replaced("std::thread::park", std, Origin::Trusted));
        assert!(!is_replaced("std::thread::park", std, Origin::User));
        assert!(!is_replaced("std::thread::spawn", std, Origin::Trusted));
        // Its code does not show where what is initialised begins.
        assert!(!is_replaced(ONCE, std, Origin::Sync));
        let registry = "/home/me/.cargo/registry/src/index-1949cf8c6b5b557f";
        let shared = "dashmap::lock::{impl#0}::lock_shared";
        let of = |file: &str| is_replaced(shared, file, Origin::User);
        assert!(of(&format!("{registry}/dashmap-6.1.0/src/lock.rs")));
        assert!(!of(&format!("{registry}/dashmap-5.5.3/src/lock.rs")));
        assert!(!of("/home/me/dashmap-6.1.0/src/lock.rs"));
        assert!(!of("vendor/dashmap/src/lock.rs"));
    }
}
