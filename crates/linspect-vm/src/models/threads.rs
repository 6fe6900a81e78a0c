//! Threads: pthreads and C11's `thrd_*`, keys, the functions called at a thread's end.

use super::{Reply, Table, errno, int, nothing, ok, value};
use crate::interp::{Cpu, Stop};
use crate::memory::Address;
use crate::memory::address::MAX_LANES;
use crate::thread::Pending;
use crate::world::Spawn;
use linspect_core::execution::{Access, Action, FaultKind, Location, Ordering};
use linspect_core::schedule::ThreadId;

pub(super) const TABLE: Table = &[
    ("pthread_create", |cpu, a| {
        let id = cpu.spawn(a[2], a[3])?;
        cpu.give_handle(a[0], handle(id))?;
        ok()
    }),
    ("thrd_create", |cpu, a| {
        let id = cpu.spawn(a[1], a[2])?;
        cpu.give_handle(a[0], handle(id))?;
        ok()
    }),
    ("pthread_join", |cpu, a| {
        let result = cpu.join(a[0])?;
        if a[1] != 0 {
            cpu.give_handle(a[1], result)?;
        }
        ok()
    }),
    ("thrd_join", |cpu, a| {
        let result = cpu.join(a[0])?;
        if a[1] != 0 {
            cpu.stepped = true;
            cpu.write_bytes(a[1], &(result as u32).to_le_bytes())?;
        }
        ok()
    }),
    ("pthread_detach", |cpu, a| cpu.detach(a[0])),
    ("thrd_detach", |cpu, a| cpu.detach(a[0])),
    ("pthread_self", |cpu, _| value(handle(cpu.thread.id))),
    ("thrd_current", |cpu, _| value(handle(cpu.thread.id))),
    ("pthread_equal", |_, a| int(i32::from(a[0] == a[1]))),
    ("thrd_equal", |_, a| int(i32::from(a[0] == a[1]))),
    ("gettid", |cpu, _| int(1000 + i32::from(cpu.thread.id))),
    ("pthread_setname_np", |cpu, a| {
        let name = cpu.string(a[1])?;
        if name.len() > 15 {
            return int(errno::ERANGE as i32);
        }
        let names = &mut cpu.world_mut().names;
        names.retain(|(thread, _)| handle(*thread) != a[0]);
        names.extend(a[0].checked_sub(1).map(|thread| (thread as ThreadId, name)));
        names.sort_unstable();
        ok()
    }),
    ("pthread_getname_np", |cpu, a| {
        let mut named = cpu.world.names.iter();
        let name = named.find(|(thread, _)| handle(*thread) == a[0]);
        let name = name.map_or(b"thread".to_vec(), |(_, name)| name.clone());
        cpu.write_string(a[1], &name)?;
        ok()
    }),
    ("pthread_setaffinity_np", |_, _| ok()),
    ("pthread_getaffinity_np", |cpu, a| {
        cpu.processors(a[1], a[2])
    }),
    ("pthread_getcpuclockid", |cpu, a| {
        const OF_THREAD: u32 = 3;
        cpu.give_number(a[1], OF_THREAD)
    }),
    ("pthread_setconcurrency", |_, _| ok()),
    ("pthread_getconcurrency", |_, _| ok()),
    ("pthread_setschedparam", |_, _| ok()),
    ("pthread_getschedparam", |cpu, a| {
        cpu.give_number(a[1], 0)?;
        cpu.give_number(a[2], 0)
    }),
    ("pthread_setschedprio", |_, _| ok()),
    ("pthread_key_create", |cpu, a| {
        cpu.touch(a[0])?;
        cpu.world_mut().keys.push(a[1]);
        let key = cpu.world.keys.len() as u32 - 1;
        cpu.write_bytes(a[0], &key.to_le_bytes())?;
        ok()
    }),
    ("tss_create", |cpu, a| {
        cpu.touch(a[0])?;
        cpu.world_mut().keys.push(a[1]);
        let key = cpu.world.keys.len() as u32 - 1;
        cpu.write_bytes(a[0], &key.to_le_bytes())?;
        ok()
    }),
    ("pthread_key_delete", |cpu, a| {
        if let Some(destructor) = cpu.world_mut().keys.get_mut(a[0] as usize) {
            *destructor = 0;
        }
        ok()
    }),
    ("tss_delete", |_, _| nothing()),
    ("pthread_getspecific", |cpu, a| {
        value(cpu.key_value(a[0] as u32))
    }),
    ("tss_get", |cpu, a| value(cpu.key_value(a[0] as u32))),
    ("pthread_setspecific", |cpu, a| {
        cpu.set_key(a[0] as u32, a[1])
    }),
    ("tss_set", |cpu, a| cpu.set_key(a[0] as u32, a[1])),
    ("__cxa_thread_atexit_impl", |cpu, a| {
        cpu.thread.at_exit.push((a[0], a[1]));
        ok()
    }),
    ("__cxa_thread_atexit", |cpu, a| {
        cpu.thread.at_exit.push((a[0], a[1]));
        ok()
    }),
    ("pthread_atfork", |_, _| ok()),
    // Nobody is cancelled.
    ("pthread_testcancel", |_, _| nothing()),
    ("pthread_cancel", |cpu, _| {
        Err(cpu.fault(
            FaultKind::Unsupported,
            "this machine does not model pthread_cancel",
        ))
    }),
];

/// A `pthread_t`: never 0.
pub(super) fn handle(thread: ThreadId) -> u64 {
    u64::from(thread) + 1
}

/// A setting that says what it was before: the first of its values, enabled or deferred.
impl Cpu<'_> {
    /// Starts a thread that calls the function at `start` with `argument`.
    pub(super) fn spawn(&mut self, start: Address, argument: u64) -> Result<ThreadId, Stop> {
        let Some(function) = self.resolve(start) else {
            return Err(self.misuse("a thread is created with a pointer to no function"));
        };
        // In a step that began as something else, creation is the next one, so that the new thread comes after a step that says so.
        if self.world.concurrent || self.record.tells {
            self.claim(Pending::Access)?;
        }
        let id = self.world.ended.len();
        if id + 1 >= usize::from(MAX_LANES) {
            let message = format!("more than {} threads", MAX_LANES - 1);
            return Err(self.fault(FaultKind::Limit, &message));
        }
        let id = id as ThreadId;
        self.memory.publish(argument);
        self.world_mut().ended.push(None);
        self.world_mut().unjoined.push(id);
        let (view, clock) = (self.known(), self.thread.clock);
        self.world_mut().spawned.push(Spawn {
            id,
            function,
            argument,
            at_exit: None,
            view,
            clock,
        });
        self.note_other(Action::Spawn, id);
        self.world_mut().update_concurrency();
        Ok(id)
    }

    /// Writes what a thread's start or end gives back. It belongs to the same step: a thread that begins comes after it.
    pub(super) fn give_handle(&mut self, to: Address, value: u64) -> Result<(), Stop> {
        self.stepped = true;
        self.write_pointer(to, value)
    }

    /// Waits for a thread to end: its result.
    /// The thread with this handle, which is to be waited for or let go.
    fn thread_of(&self, handle: u64, what: &str) -> Result<ThreadId, Stop> {
        match handle.checked_sub(1).map(ThreadId::try_from) {
            Some(Ok(id)) if usize::from(id) < self.world.ended.len() => Ok(id),
            _ => Err(self.misuse(&format!("{what} of a thread that does not exist"))),
        }
    }

    /// Lets a thread go: nobody may join it any more.
    fn detach(&mut self, handle: u64) -> Result<Reply, Stop> {
        let id = self.thread_of(handle, "detach")?;
        if self.world.detached.contains(&id) {
            return Err(self.misuse("detach of a thread that was detached before"));
        }
        let detached = &mut self.world_mut().detached;
        detached.push(id);
        detached.sort_unstable();
        ok()
    }

    pub(super) fn join(&mut self, handle: u64) -> Result<u64, Stop> {
        let id = self.thread_of(handle, "join")?;
        if id == self.thread.id {
            return Err(self.misuse("a thread joins itself"));
        }
        if !self.world.unjoined.contains(&id) {
            return Err(self.misuse("join of a thread that was joined before"));
        }
        if self.world.detached.contains(&id) {
            return Err(self.misuse("join of a thread that was detached"));
        }
        self.claim_always(Pending::Join(id))?;
        let result = self.world.ended[usize::from(id)].unwrap_or(0);
        let known = self
            .world
            .last_views
            .iter()
            .find(|(thread, _)| *thread == id);
        if let Some((_, view)) = known.cloned() {
            self.come_after(&view);
        }
        self.outlast(id);
        self.note_other(Action::Join, id);
        self.world_mut().unjoined.retain(|t| *t != id);
        self.world_mut().update_concurrency();
        Ok(result)
    }

    /// Takes a step even in the sequential part of a client, where it can only wait in vain.
    fn claim_always(&mut self, pending: Pending) -> Result<(), Stop> {
        let ready = match &pending {
            Pending::Join(id) => self.world.ended[usize::from(*id)].is_some(),
            _ => true,
        };
        if !self.world.concurrent && ready {
            return Ok(());
        }
        self.claim(pending)
    }

    /// Records that the thread is late.
    pub(crate) fn note_delay(&mut self) {
        self.note_beside(Action::Delay, 0);
    }

    fn note_other(&mut self, action: Action, other: ThreadId) {
        if self.record.tells {
            self.record.other = Some(other);
        }
        self.note_beside(action, other.into());
    }

    /// Records what accesses no memory.
    fn note_beside(&mut self, action: Action, offset: u32) {
        let site = self.site();
        self.thread.spin.reset();
        if self.record.tells {
            self.record.accesses.push(Access {
                action,
                location: Location {
                    allocation: 0,
                    offset,
                    size: 0,
                },
                read: 0,
                written: 0,
                ordering: Ordering::SeqCst,
                site,
                from: None,
                after: None,
            });
        }
    }

    fn key_value(&self, key: u32) -> u64 {
        self.thread
            .keys
            .iter()
            .find(|(k, _)| *k == key)
            .map_or(0, |(_, v)| *v)
    }

    fn set_key(&mut self, key: u32, value: u64) -> Result<Reply, Stop> {
        if key as usize >= self.world.keys.len() {
            return int(errno::EINVAL as i32);
        }
        match self.thread.keys.iter_mut().find(|(k, _)| *k == key) {
            Some(slot) => slot.1 = value,
            None => self.thread.keys.push((key, value)),
        }
        ok()
    }

    /// What is left to call before the thread has really ended: destructors of thread-locals, then of keys, then what `exit` calls.
    pub(crate) fn next_at_exit(&mut self) -> Option<(Address, u64)> {
        if let Some(call) = self.thread.at_exit.pop() {
            return Some(call);
        }
        let keys = &self.world.keys;
        let due = self
            .thread
            .keys
            .iter_mut()
            .find(|(key, v)| *v != 0 && keys.get(*key as usize).is_some_and(|d| *d != 0));
        if let Some((key, v)) = due {
            return Some((keys[*key as usize], std::mem::take(v)));
        }
        if self.thread.exiting {
            return self.world_mut().at_exit.pop();
        }
        None
    }
}
