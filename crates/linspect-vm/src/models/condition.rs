//! Waiting: condition variables, semaphores, barriers, and the futex system call under Rust's locks.
//!
//! Waiters queue in the order in which they came and are woken in that order. A wait with a timeout may end at any time.
//!
//! POSIX, C, C++ and Rust let a wait at a condition end though nobody ended it. Where that is asked for ([`crate::Settings::spurious`]), the step in which a thread would go
//! to sleep has a second way: it lets the lock go and does not sleep. Whoever sleeps for a while and then wakes by itself has done nothing in between, and a wake-up that
//! met it would have been its own, so waking at once and going on at any later time is all that there is. A thread does it once at most.

use super::{Reply, Table, errno, int, nothing, ok};
use crate::interp::{Cpu, Stop, Visibility};
use crate::memory::Address;
use crate::thread::{After, Gate, Opens, Pending};
use crate::world::Waiter;
use linspect_core::execution::{Action, FaultKind};

pub(super) const TABLE: Table = &[
    ("pthread_cond_init", |cpu, a| {
        cpu.fill_memory(a[0], 0, 48)?;
        ok()
    }),
    ("pthread_cond_destroy", destroy),
    ("pthread_condattr_init", |_, _| ok()),
    ("pthread_condattr_setclock", |_, _| ok()),
    ("pthread_condattr_destroy", |_, _| ok()),
    ("pthread_cond_wait", |cpu, a| {
        cpu.wait_condition(a[0], a[1], None)
    }),
    ("pthread_cond_timedwait", |cpu, a| {
        cpu.wait_condition(a[0], a[1], Some((a[2], errno::ETIMEDOUT)))
    }),
    ("pthread_cond_clockwait", |cpu, a| {
        cpu.wait_condition(a[0], a[1], Some((a[3], errno::ETIMEDOUT)))
    }),
    ("pthread_cond_signal", |cpu, a| cpu.notify(a[0], 1)),
    ("pthread_cond_broadcast", |cpu, a| {
        cpu.notify(a[0], u64::MAX)
    }),
    ("cnd_init", |cpu, a| {
        cpu.fill_memory(a[0], 0, 48)?;
        ok()
    }),
    ("cnd_destroy", |cpu, a| {
        cpu.touch_whole(a[0], 48)?;
        nothing()
    }),
    ("cnd_wait", |cpu, a| cpu.wait_condition(a[0], a[1], None)),
    // thrd_timedout is 4.
    ("cnd_timedwait", |cpu, a| {
        cpu.wait_condition(a[0], a[1], Some((a[2], 4)))
    }),
    ("cnd_signal", |cpu, a| cpu.notify(a[0], 1)),
    ("cnd_broadcast", |cpu, a| cpu.notify(a[0], u64::MAX)),
    ("sem_init", |cpu, a| {
        cpu.fill_memory(a[0], 0, 32)?;
        cpu.write_int(a[0], a[2] as u32)?;
        ok()
    }),
    ("sem_destroy", |cpu, a| {
        cpu.touch_whole(a[0], 32)?;
        ok()
    }),
    ("sem_wait", |cpu, a| {
        cpu.was_made(a[0], "semaphore")?;
        cpu.pass(Gate {
            address: a[0],
            opens: Opens::Positive,
        })?;
        cpu.take_semaphore(a[0])
    }),
    ("sem_trywait", |cpu, a| {
        cpu.try_semaphore(a[0], errno::EAGAIN)
    }),
    ("sem_timedwait", |cpu, a| {
        cpu.try_semaphore_until(a[0], a[1])
    }),
    ("sem_clockwait", |cpu, a| {
        cpu.try_semaphore_until(a[0], a[2])
    }),
    ("sem_post", |cpu, a| {
        cpu.was_made(a[0], "semaphore")?;
        cpu.step_if_concurrent()?;
        let count = cpu.read_int(a[0])?;
        cpu.write_int(a[0], count.wrapping_add(1))?;
        cpu.note_sync(Action::Post, a[0], count.into(), u64::from(count) + 1);
        ok()
    }),
    ("sem_getvalue", |cpu, a| {
        if cpu.touch(a[1])? != Visibility::Visible {
            cpu.step_if_concurrent()?;
        }
        let count = cpu.read_int(a[0])?;
        cpu.write_bytes(a[1], &count.to_le_bytes())?;
        cpu.note_sync(Action::Read, a[0], count.into(), 0);
        ok()
    }),
    // A barrier: word 0 how many are to come, word 1 how many have.
    ("pthread_barrier_init", |cpu, a| {
        if a[2] as u32 == 0 {
            return int(errno::EINVAL as i32);
        }
        cpu.fill_memory(a[0], 0, 32)?;
        cpu.write_int(a[0], a[2] as u32)?;
        ok()
    }),
    ("pthread_barrier_destroy", |cpu, a| {
        cpu.touch_whole(a[0], 32)?;
        ok()
    }),
    ("pthread_barrier_wait", |cpu, a| cpu.wait_barrier(a[0])),
];

fn destroy(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    cpu.touch_whole(a[0], 48)?;
    if cpu.world.waiting.iter().any(|w| w.address == a[0]) {
        return Err(cpu.misuse("a condition variable that a thread waits on is destroyed"));
    }
    ok()
}

impl Cpu<'_> {
    /// Puts the thread into the queue of `address`; its model is called again when it is woken or its time is over.
    pub(super) fn queue(&mut self, address: Address, timed: bool) -> Stop {
        if self.thread.atomic > 0 {
            return self.fault(
                FaultKind::Misuse,
                "a thread blocks inside an atomic section",
            );
        }
        let thread = self.thread.id;
        self.world_mut().waiting.push(Waiter { thread, address });
        self.thread.phase = 1;
        self.thread.site = self.site();
        self.thread.pending = Pending::Wait { address, timed };
        Stop::Suspended
    }

    /// Whether the thread is still in the queue where it put itself: then its time is over, which is a step.
    pub(super) fn times_out(&mut self, address: Address) -> Result<bool, Stop> {
        let me = self.thread.id;
        let here = |w: &Waiter| w.thread == me && w.address == address;
        if !self.world.waiting.iter().any(here) {
            return Ok(false);
        }
        self.claim(Pending::Wait {
            address,
            timed: true,
        })?;
        self.world_mut().waiting.retain(|w| !here(w));
        self.note_sync(Action::Wait, address, 0, 0);
        Ok(true)
    }

    /// Takes the step in which the thread goes to sleep. Whether it wakes at once though nobody wakes it.
    ///
    /// There are two ways wherever the thread has not used them up, whatever others did: so steps that commute still do.
    fn step_to_sleep(&mut self) -> Result<bool, Stop> {
        if !self.may_wake_alone() {
            self.step_if_concurrent()?;
            return Ok(false);
        }
        self.claim(Pending::Choose(2))?;
        Ok(self.thread.branch.take() == Some(1))
    }

    /// Whether the thread may still wake though nobody wakes it.
    pub(crate) fn may_wake_alone(&self) -> bool {
        let interrupted = self.world.concurrent && self.thread.atomic == 0;
        self.settings.spurious && interrupted && !self.is_weak() && !self.thread.woke_alone
    }

    /// Wakes at `address` though nobody has woken the thread.
    fn wake_alone(&mut self, (address, len): (Address, u64), value: u64) {
        self.thread.woke_alone = true;
        self.note_sync_at(Action::SpuriousWake, address, len, (value, value));
        // It will not do so again: what it does now it does in another state.
        self.thread.spin.reset();
    }

    /// `std::thread::park`, which may return without a reason and leave what it waits for as it is. Its code on this system never does.
    pub(super) fn park(&mut self) -> Result<Reply, Stop> {
        if self.may_wake_alone() && self.step_to_sleep()? {
            // It touches nothing that others can reach.
            self.wake_alone((0, 0), 0);
            return nothing();
        }
        Ok(Reply::Itself(After::Result))
    }

    /// Waits on a condition. With `timeout`, a time and a reply, it may end by itself: then it is that time, and the reply is given.
    pub(super) fn wait_condition(
        &mut self,
        condition: Address,
        mutex: Address,
        timeout: Option<(Address, u32)>,
    ) -> Result<Reply, Stop> {
        if self.thread.phase == 0 {
            if !self.holds_mutex(mutex)? {
                return Err(self.misuse("a thread waits on a condition without holding the mutex"));
            }
            if !self.step_to_sleep()? {
                self.wait_with(condition, mutex)?;
                self.note_sync(Action::Wait, condition, 0, 0);
                self.drop_mutex(mutex)?;
                return Err(self.queue(condition, timeout.is_some()));
            }
            self.wake_alone((condition, 4), 0);
            self.drop_mutex(mutex)?;
            self.thread.phase = 2;
        }
        if self.thread.phase == 1 {
            self.thread.phase = if self.times_out(condition)? { 3 } else { 2 };
        }
        self.pass(Gate {
            address: mutex,
            opens: Opens::Mutex,
        })?;
        let timed_out = self.thread.phase == 3;
        self.take_mutex(mutex)?;
        match timeout {
            Some((time, reply)) if timed_out => {
                self.wait_until(time)?;
                int(reply as i32)
            }
            _ => ok(),
        }
    }

    /// Whoever waits at one condition at one time waits with one mutex: which, is kept in the condition.
    fn wait_with(&mut self, condition: Address, mutex: Address) -> Result<(), Stop> {
        const MUTEX: u64 = 40;
        let kept = condition.wrapping_add(MUTEX);
        let others = self.world.waiting.iter().any(|w| w.address == condition);
        if others && self.read_word(kept)? != mutex {
            let message = "two threads wait at one condition, each with another mutex";
            return Err(self.misuse(message));
        }
        self.write_word(kept, mutex)
    }

    /// Wakes up to `count` threads. The condition is looked at even if nobody waits: it may not have been freed.
    pub(super) fn notify(&mut self, condition: Address, count: u64) -> Result<Reply, Stop> {
        self.step_if_concurrent()?;
        self.read_int(condition)?;
        let woken = self.world_mut().wake(condition, count);
        self.note_sync(Action::Wake, condition, 0, woken);
        ok()
    }

    fn take_semaphore(&mut self, semaphore: Address) -> Result<Reply, Stop> {
        let count = self.read_int(semaphore)?;
        self.write_int(semaphore, count.saturating_sub(1))?;
        self.note_sync(
            Action::Wait,
            semaphore,
            count.into(),
            u64::from(count.saturating_sub(1)),
        );
        ok()
    }

    fn try_semaphore(&mut self, semaphore: Address, otherwise: u32) -> Result<Reply, Stop> {
        self.step_if_concurrent()?;
        if self.read_int(semaphore)? == 0 {
            self.note_sync(Action::LockFail, semaphore, 0, 0);
            return self.fail_int(otherwise);
        }
        self.take_semaphore(semaphore)
    }

    /// Gives up at once where it would have to wait: then it is the time until which it may.
    fn try_semaphore_until(&mut self, semaphore: Address, time: Address) -> Result<Reply, Stop> {
        let reply = self.try_semaphore(semaphore, errno::ETIMEDOUT)?;
        if !matches!(reply, Reply::Value(0)) {
            self.wait_until(time)?;
        }
        Ok(reply)
    }

    fn wait_barrier(&mut self, barrier: Address) -> Result<Reply, Stop> {
        const SERIAL_THREAD: i32 = -1;
        if self.thread.phase == 1 {
            self.acquire_from(barrier, 4);
            self.meet(barrier);
            return ok();
        }
        self.step_if_concurrent()?;
        self.meet(barrier);
        let (needed, come) = (
            self.read_int(barrier)?,
            self.read_int(barrier.wrapping_add(4))?.wrapping_add(1),
        );
        if come < needed {
            self.write_int(barrier.wrapping_add(4), come)?;
            self.note_sync(Action::Wait, barrier, 0, come.into());
            return Err(self.queue(barrier, false));
        }
        self.write_int(barrier.wrapping_add(4), 0)?;
        let waiting = self.world.waiting.iter();
        let here = waiting.filter(|w| w.address == barrier);
        self.record.aside.let_go.extend(here.map(|w| w.thread));
        let woken = self.world_mut().wake(barrier, u64::MAX);
        self.note_sync(Action::Wake, barrier, 0, woken);
        int(SERIAL_THREAD)
    }

    /// The futex system call: wait if the word has the expected value, wake.
    pub(super) fn futex(&mut self, a: &[u64]) -> Result<Reply, Stop> {
        const WAIT: u64 = 0;
        const WAKE: u64 = 1;
        const WAIT_BITSET: u64 = 9;
        const WAKE_BITSET: u64 = 10;
        let (word, operation) = (a[0], a[1] & 0x7f);
        match operation {
            WAIT | WAIT_BITSET => {
                if self.thread.phase == 1 {
                    if !self.times_out(word)? {
                        return super::value(0);
                    }
                    match operation {
                        WAIT => self.wait_for(a[3])?,
                        _ => self.wait_until(a[3])?,
                    }
                    return self.fail(errno::ETIMEDOUT);
                }
                let wakes = self.step_to_sleep()?;
                self.pass_kernel();
                let now = self.read_int(word)?;
                if now != a[2] as u32 {
                    self.note_sync(Action::Read, word, now.into(), 0);
                    return self.fail(errno::EAGAIN);
                }
                if wakes {
                    self.wake_alone((word, 4), now.into());
                    return super::value(0);
                }
                self.note_sync(Action::Wait, word, now.into(), now.into());
                Err(self.queue(word, a[3] != 0))
            }
            WAKE | WAKE_BITSET => {
                self.step_if_concurrent()?;
                self.pass_kernel();
                let woken = self.world_mut().wake(word, u64::from(a[2] as u32));
                self.note_sync(Action::Wake, word, 0, woken);
                super::value(woken)
            }
            _ => {
                let message = format!("this machine does not model futex operation {operation}");
                Err(self.fault(FaultKind::Unsupported, &message))
            }
        }
    }
}
