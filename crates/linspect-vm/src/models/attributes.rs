//! Attributes of threads, locks and barriers. No schedule depends on them: they are kept where the caller has them, and given back.

use super::{Reply, Table, errno, int, ok};
use crate::interp::{Cpu, Stop};
use crate::memory::{Address, little_endian};

/// Where the attributes of a thread lie in its 56 bytes.
mod thread {
    pub(super) const STACK_SIZE: u64 = 0;
    pub(super) const GUARD_SIZE: u64 = 8;
    pub(super) const STACK: u64 = 16;
    pub(super) const DETACHED: u64 = 24;
    pub(super) const SCOPE: u64 = 28;
    pub(super) const INHERITS: u64 = 32;
    pub(super) const POLICY: u64 = 36;
    pub(super) const PRIORITY: u64 = 40;
    pub(super) const LEN: usize = 56;
}

/// A stack is as large as is usual, and the smallest that may be asked for.
const STACK_SIZE: u64 = 8 << 20;
const SMALLEST_STACK: u64 = 16 << 10;
const GUARD_SIZE: u64 = 4096;

pub(super) const TABLE: Table = &[
    ("pthread_attr_init", |cpu, a| cpu.thread_attributes(a[0])),
    ("pthread_getattr_np", |cpu, a| cpu.thread_attributes(a[1])),
    ("pthread_attr_destroy", |_, _| ok()),
    ("pthread_attr_setstacksize", |cpu, a| {
        cpu.set_stack_size(a[0], a[1])
    }),
    ("pthread_attr_getstacksize", |cpu, a| {
        cpu.give_long(a, thread::STACK_SIZE)
    }),
    ("pthread_attr_setstack", |cpu, a| {
        cpu.keep_long(a, thread::STACK)?;
        cpu.set_stack_size(a[0], a[2])
    }),
    ("pthread_attr_getstack", |cpu, a| {
        cpu.give_long(a, thread::STACK)?;
        cpu.give_long(&[a[0], a[2]], thread::STACK_SIZE)
    }),
    ("pthread_attr_setguardsize", |cpu, a| {
        cpu.keep_long(a, thread::GUARD_SIZE)
    }),
    ("pthread_attr_getguardsize", |cpu, a| {
        cpu.give_long(a, thread::GUARD_SIZE)
    }),
    ("pthread_attr_setdetachstate", |cpu, a| {
        cpu.keep_int(a, thread::DETACHED)
    }),
    ("pthread_attr_getdetachstate", |cpu, a| {
        cpu.give_int(a, thread::DETACHED)
    }),
    ("pthread_attr_setscope", |cpu, a| {
        cpu.keep_int(a, thread::SCOPE)
    }),
    ("pthread_attr_getscope", |cpu, a| {
        cpu.give_int(a, thread::SCOPE)
    }),
    ("pthread_attr_setinheritsched", |cpu, a| {
        cpu.keep_int(a, thread::INHERITS)
    }),
    ("pthread_attr_getinheritsched", |cpu, a| {
        cpu.give_int(a, thread::INHERITS)
    }),
    ("pthread_attr_setschedpolicy", |cpu, a| {
        cpu.keep_int(a, thread::POLICY)
    }),
    ("pthread_attr_getschedpolicy", |cpu, a| {
        cpu.give_int(a, thread::POLICY)
    }),
    // A `struct sched_param` is a number.
    ("pthread_attr_setschedparam", |cpu, a| {
        let priority = little_endian(&cpu.bytes(a[1], 4)?);
        cpu.keep_int(&[a[0], priority], thread::PRIORITY)
    }),
    ("pthread_attr_getschedparam", |cpu, a| {
        cpu.give_int(a, thread::PRIORITY)
    }),
    ("pthread_attr_setaffinity_np", |_, _| ok()),
    ("pthread_rwlockattr_init", |cpu, a| {
        cpu.keep_int(&[a[0], 0], 0)
    }),
    ("pthread_rwlockattr_destroy", |_, _| ok()),
    ("pthread_rwlockattr_setkind_np", |cpu, a| cpu.keep_int(a, 0)),
    ("pthread_rwlockattr_getkind_np", |cpu, a| cpu.give_int(a, 0)),
    ("pthread_rwlockattr_setpshared", |_, _| ok()),
    ("pthread_barrierattr_init", |cpu, a| {
        cpu.keep_int(&[a[0], 0], 0)
    }),
    ("pthread_barrierattr_destroy", |_, _| ok()),
    ("pthread_barrierattr_setpshared", |cpu, a| {
        cpu.keep_int(a, 0)
    }),
    ("pthread_barrierattr_getpshared", |cpu, a| {
        cpu.give_int(a, 0)
    }),
    ("pthread_condattr_setpshared", |_, _| ok()),
];

impl Cpu<'_> {
    fn thread_attributes(&mut self, at: Address) -> Result<Reply, Stop> {
        let mut all = [0; thread::LEN];
        for (place, value) in [
            (thread::STACK_SIZE, STACK_SIZE),
            (thread::GUARD_SIZE, GUARD_SIZE),
        ] {
            let place = place as usize;
            all[place..place + 8].copy_from_slice(&value.to_le_bytes());
        }
        self.write_bytes(at, &all)?;
        ok()
    }

    fn set_stack_size(&mut self, at: Address, size: u64) -> Result<Reply, Stop> {
        match size < SMALLEST_STACK {
            true => int(errno::EINVAL as i32),
            false => self.keep_long(&[at, size], thread::STACK_SIZE),
        }
    }

    /// Keeps the number `a[1]` in the attributes `a[0]`.
    fn keep_int(&mut self, a: &[u64], place: u64) -> Result<Reply, Stop> {
        self.write_bytes(a[0].wrapping_add(place), &(a[1] as u32).to_le_bytes())?;
        ok()
    }

    fn keep_long(&mut self, a: &[u64], place: u64) -> Result<Reply, Stop> {
        self.write_bytes(a[0].wrapping_add(place), &a[1].to_le_bytes())?;
        ok()
    }

    /// Writes what is kept in the attributes `a[0]` to `a[1]`.
    fn give_int(&mut self, a: &[u64], place: u64) -> Result<Reply, Stop> {
        let kept = self.bytes(a[0].wrapping_add(place), 4)?;
        self.write_bytes(a[1], &kept)?;
        ok()
    }

    fn give_long(&mut self, a: &[u64], place: u64) -> Result<Reply, Stop> {
        let kept = self.bytes(a[0].wrapping_add(place), 8)?;
        self.write_bytes(a[1], &kept)?;
        ok()
    }
}
