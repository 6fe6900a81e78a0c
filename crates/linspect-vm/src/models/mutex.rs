//! Locks: pthread mutexes (normal, recursive, error-checking), spin locks, read-write locks, C11's `mtx_*`.
//!
//! A lock's state is in the program's own memory, so that snapshots, digests and reports need nothing extra. Mutexes use glibc's
//! layout as far as static initialisers show it: word 0 locked, word 1 recursion, word 2 owner, word 4 kind.
//! Read-write locks: word 0 readers, word 1 writer. Zero bytes are an unlocked lock of the default kind.

use super::{Reply, Table, errno, int, ok};
use crate::interp::{Cpu, Stop};
use crate::memory::Address;
use crate::thread::{Gate, Opens};
use linspect_core::execution::{Action, FaultKind};

pub(super) const TABLE: Table = &[
    ("pthread_mutex_init", |cpu, a| {
        let kind = if a[1] == 0 { 0 } else { cpu.read_int(a[1])? };
        cpu.init_mutex(a[0], kind)
    }),
    ("pthread_mutex_destroy", |cpu, a| {
        cpu.touch_whole(a[0], 40)?;
        if cpu.read_int(a[0])? != 0 {
            return Err(cpu.misuse("a locked mutex is destroyed"));
        }
        cpu.write_int(a[0].wrapping_add(KIND), DESTROYED)?;
        ok()
    }),
    ("pthread_mutex_lock", |cpu, a| cpu.lock_mutex(a[0])),
    ("pthread_mutex_trylock", |cpu, a| {
        cpu.try_lock_mutex(a[0], errno::EBUSY)
    }),
    ("pthread_mutex_timedlock", |cpu, a| {
        timed_lock(cpu, a[0], a[1], errno::ETIMEDOUT)
    }),
    ("pthread_mutex_clocklock", |cpu, a| {
        timed_lock(cpu, a[0], a[2], errno::ETIMEDOUT)
    }),
    ("pthread_mutex_unlock", |cpu, a| cpu.unlock_mutex(a[0])),
    ("pthread_mutexattr_init", |cpu, a| {
        cpu.write_int(a[0], 0)?;
        ok()
    }),
    ("pthread_mutexattr_settype", |cpu, a| {
        cpu.write_int(a[0], a[1] as u32)?;
        ok()
    }),
    ("pthread_mutexattr_gettype", |cpu, a| {
        let kind = cpu.read_int(a[0])?;
        cpu.write_int(a[1], kind)?;
        ok()
    }),
    ("pthread_mutexattr_destroy", |_, _| ok()),
    ("pthread_mutexattr_setpshared", |_, _| ok()),
    ("pthread_mutexattr_setprotocol", |_, _| ok()),
    ("pthread_mutexattr_getpshared", |cpu, a| {
        cpu.give_number(a[1], 0)
    }),
    ("pthread_mutexattr_getprotocol", |cpu, a| {
        cpu.give_number(a[1], 0)
    }),
    ("pthread_mutexattr_getrobust", |cpu, a| {
        cpu.give_number(a[1], 0)
    }),
    ("pthread_mutexattr_setrobust", |cpu, a| match a[1] as u32 {
        0 => ok(),
        _ => Err(cpu.fault(
            FaultKind::Unsupported,
            "this machine does not model locks that tell that their owner has ended (robust ones)",
        )),
    }),
    // C11: mtx_plain 0, mtx_recursive 1, mtx_timed 2; results thrd_success 0, thrd_busy 1.
    ("mtx_init", |cpu, a| cpu.init_mutex(a[0], a[1] as u32 & 1)),
    ("mtx_destroy", |cpu, a| {
        cpu.touch_whole(a[0], 40)?;
        super::nothing()
    }),
    ("mtx_lock", |cpu, a| cpu.lock_mutex(a[0])),
    // thrd_timedout is 4.
    ("mtx_timedlock", |cpu, a| timed_lock(cpu, a[0], a[1], 4)),
    ("mtx_trylock", |cpu, a| cpu.try_lock_mutex(a[0], 1)),
    ("mtx_unlock", |cpu, a| cpu.unlock_mutex(a[0])),
    ("pthread_spin_init", |cpu, a| {
        cpu.fill_memory(a[0], 0, 4)?;
        ok()
    }),
    ("pthread_spin_destroy", |cpu, a| {
        cpu.touch_whole(a[0], 4)?;
        ok()
    }),
    ("pthread_spin_lock", |cpu, a| {
        cpu.was_made(a[0], "spin lock")?;
        cpu.pass(Gate {
            address: a[0],
            opens: Opens::Zero,
        })?;
        cpu.write_int(a[0], 1)?;
        cpu.note_sync(Action::Lock, a[0], 0, 1);
        ok()
    }),
    ("pthread_spin_trylock", |cpu, a| {
        cpu.was_made(a[0], "spin lock")?;
        cpu.step_if_concurrent()?;
        if cpu.read_int(a[0])? != 0 {
            cpu.note_sync(Action::LockFail, a[0], 1, 0);
            return int(errno::EBUSY as i32);
        }
        cpu.write_int(a[0], 1)?;
        cpu.note_sync(Action::Lock, a[0], 0, 1);
        ok()
    }),
    ("pthread_spin_unlock", |cpu, a| {
        if cpu.read_int(a[0])? == 0 {
            return Err(cpu.misuse("unlock of a spin lock that is not locked"));
        }
        cpu.step_if_concurrent()?;
        cpu.write_int(a[0], 0)?;
        cpu.note_sync(Action::Unlock, a[0], 1, 0);
        ok()
    }),
    ("pthread_rwlock_init", |cpu, a| {
        cpu.fill_memory(a[0], 0, 56)?;
        ok()
    }),
    ("pthread_rwlock_destroy", |cpu, a| {
        cpu.touch_whole(a[0], 56)?;
        ok()
    }),
    ("pthread_rwlock_rdlock", |cpu, a| {
        cpu.was_made(a[0], READ_WRITE)?;
        cpu.pass(Gate {
            address: a[0],
            opens: Opens::Read,
        })?;
        cpu.add_reader(a[0])
    }),
    ("pthread_rwlock_tryrdlock", |cpu, a| {
        cpu.try_read(a[0], errno::EBUSY)
    }),
    ("pthread_rwlock_timedrdlock", |cpu, a| {
        let reply = cpu.try_read(a[0], errno::ETIMEDOUT)?;
        cpu.waited(reply, a[1], errno::ETIMEDOUT)
    }),
    ("pthread_rwlock_clockrdlock", |cpu, a| {
        let reply = cpu.try_read(a[0], errno::ETIMEDOUT)?;
        cpu.waited(reply, a[2], errno::ETIMEDOUT)
    }),
    ("pthread_rwlock_wrlock", |cpu, a| {
        cpu.was_made(a[0], READ_WRITE)?;
        cpu.pass(Gate {
            address: a[0],
            opens: Opens::Write,
        })?;
        cpu.set_writer(a[0])
    }),
    ("pthread_rwlock_trywrlock", |cpu, a| {
        cpu.try_write(a[0], errno::EBUSY)
    }),
    ("pthread_rwlock_timedwrlock", |cpu, a| {
        let reply = cpu.try_write(a[0], errno::ETIMEDOUT)?;
        cpu.waited(reply, a[1], errno::ETIMEDOUT)
    }),
    ("pthread_rwlock_clockwrlock", |cpu, a| {
        let reply = cpu.try_write(a[0], errno::ETIMEDOUT)?;
        cpu.waited(reply, a[2], errno::ETIMEDOUT)
    }),
    ("pthread_rwlock_unlock", unlock_rwlock),
];

const READ_WRITE: &str = "read-write lock";
const RECURSION: u64 = 4;
const OWNER: u64 = 8;
const KIND: u64 = 16;
const RECURSIVE: u32 = 1;
const ERROR_CHECKING: u32 = 2;
const DESTROYED: u32 = u32::MAX;

/// A timed lock: it may always give up instead of waiting; then it is the time until which it may wait.
fn timed_lock(cpu: &mut Cpu<'_>, mutex: Address, until: Address, late: u32) -> Result<Reply, Stop> {
    let reply = cpu.try_lock_mutex(mutex, late)?;
    cpu.waited(reply, until, late)
}

fn unlock_rwlock(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let (readers, writer) = (cpu.read_int(a[0])?, cpu.read_int(a[0].wrapping_add(4))?);
    let me = cpu.me();
    if writer == 0 && readers == 0 {
        return Err(cpu.misuse("unlock of a read-write lock that is not locked"));
    }
    if writer != 0 && writer != me {
        return Err(cpu.misuse("unlock of a read-write lock that another thread holds for writing"));
    }
    cpu.step_if_concurrent()?;
    if writer != 0 {
        cpu.write_int(a[0].wrapping_add(4), 0)?;
    } else {
        cpu.write_int(a[0], readers - 1)?;
    }
    cpu.note_sync(Action::Unlock, a[0], 1, 0);
    ok()
}

impl Cpu<'_> {
    /// What owners of locks are known by: never 0.
    pub(super) fn me(&self) -> u32 {
        u32::from(self.thread.lane) + 1
    }

    /// What a timed lock replies: if that is `late`, it is the time until which it may wait.
    fn waited(&mut self, reply: Reply, until: Address, late: u32) -> Result<Reply, Stop> {
        if matches!(reply, Reply::Value(code) if code == u64::from(late)) {
            self.wait_until(until)?;
        }
        Ok(reply)
    }

    /// Whether a lock that nobody waits for can be taken; notes it if not.
    fn is_free(&mut self, address: Address, opens: Opens) -> Result<bool, Stop> {
        self.was_made(address, READ_WRITE)?;
        self.step_if_concurrent()?;
        let is_open = self.is_open(Gate { address, opens });
        if !is_open {
            self.note_sync(Action::LockFail, address, 0, 0);
        }
        Ok(is_open)
    }

    fn try_read(&mut self, lock: Address, taken: u32) -> Result<Reply, Stop> {
        match self.is_free(lock, Opens::Read)? {
            true => self.add_reader(lock),
            false => int(taken as i32),
        }
    }

    fn try_write(&mut self, lock: Address, taken: u32) -> Result<Reply, Stop> {
        match self.is_free(lock, Opens::Write)? {
            true => self.set_writer(lock),
            false => int(taken as i32),
        }
    }

    fn init_mutex(&mut self, mutex: Address, kind: u32) -> Result<Reply, Stop> {
        self.fill_memory(mutex, 0, 40)?;
        self.write_int(mutex.wrapping_add(KIND), kind)?;
        ok()
    }

    fn kind(&self, mutex: Address) -> Result<u32, Stop> {
        self.was_made(mutex, "mutex")?;
        match self.read_int(mutex.wrapping_add(KIND))? {
            DESTROYED => Err(self.misuse("a mutex is used that was destroyed")),
            kind => Ok(kind & 3),
        }
    }

    /// Whether what is locked was initialised: memory that nobody has written is no lock.
    pub(super) fn was_made(&self, lock: Address, what: &str) -> Result<(), Stop> {
        match self.check(self.memory.bits(lock, 4))? {
            (_, true) => Ok(()),
            (_, false) => Err(self.misuse(&format!("a {what} is used that was never initialised"))),
        }
    }

    /// Takes a recursive mutex once more if the thread has it already.
    fn lock_again(&mut self, mutex: Address) -> Result<bool, Stop> {
        if self.kind(mutex)? != RECURSIVE || self.read_int(mutex.wrapping_add(OWNER))? != self.me()
        {
            return Ok(false);
        }
        let count = self.read_int(mutex.wrapping_add(RECURSION))?;
        self.write_int(mutex.wrapping_add(RECURSION), count.wrapping_add(1))?;
        Ok(true)
    }

    pub(super) fn lock_mutex(&mut self, mutex: Address) -> Result<Reply, Stop> {
        if self.lock_again(mutex)? {
            return ok();
        }
        if self.kind(mutex)? == ERROR_CHECKING
            && self.read_int(mutex.wrapping_add(OWNER))? == self.me()
        {
            return int(errno::EDEADLK as i32);
        }
        self.pass(Gate {
            address: mutex,
            opens: Opens::Mutex,
        })?;
        self.take_mutex(mutex)
    }

    pub(super) fn take_mutex(&mut self, mutex: Address) -> Result<Reply, Stop> {
        self.write_int(mutex, 1)?;
        let me = self.me();
        self.write_int(mutex.wrapping_add(OWNER), me)?;
        self.note_sync(Action::Lock, mutex, 0, 1);
        ok()
    }

    fn try_lock_mutex(&mut self, mutex: Address, busy: u32) -> Result<Reply, Stop> {
        if self.lock_again(mutex)? {
            return ok();
        }
        self.step_if_concurrent()?;
        if self.read_int(mutex)? != 0 {
            self.note_sync(Action::LockFail, mutex, 1, 0);
            return int(busy as i32);
        }
        self.take_mutex(mutex)
    }

    pub(super) fn unlock_mutex(&mut self, mutex: Address) -> Result<Reply, Stop> {
        if !self.holds_mutex(mutex)? {
            if self.kind(mutex)? == ERROR_CHECKING {
                return int(errno::EPERM as i32);
            }
            return Err(self.misuse("unlock of a mutex that this thread does not hold"));
        }
        let count = self.read_int(mutex.wrapping_add(RECURSION))?;
        if count > 0 {
            self.write_int(mutex.wrapping_add(RECURSION), count - 1)?;
            return ok();
        }
        self.step_if_concurrent()?;
        self.drop_mutex(mutex)?;
        ok()
    }

    pub(super) fn holds_mutex(&self, mutex: Address) -> Result<bool, Stop> {
        Ok(self.read_int(mutex)? != 0 && self.read_int(mutex.wrapping_add(OWNER))? == self.me())
    }

    /// Unlocks without a step of its own.
    pub(super) fn drop_mutex(&mut self, mutex: Address) -> Result<(), Stop> {
        self.write_int(mutex, 0)?;
        self.write_int(mutex.wrapping_add(OWNER), 0)?;
        self.note_sync(Action::Unlock, mutex, 1, 0);
        Ok(())
    }

    fn add_reader(&mut self, lock: Address) -> Result<Reply, Stop> {
        let readers = self.read_int(lock)?;
        self.write_int(lock, readers.wrapping_add(1))?;
        self.note_sync(
            Action::Lock,
            lock,
            u64::from(readers),
            u64::from(readers) + 1,
        );
        ok()
    }

    fn set_writer(&mut self, lock: Address) -> Result<Reply, Stop> {
        let me = self.me();
        self.write_int(lock.wrapping_add(4), me)?;
        self.note_sync(Action::Lock, lock, 0, 1);
        ok()
    }
}
