//! What time it is for whom.
//!
//! Each thread has a clock of its own, which its questions, sleeping and waiting advance. Who reads what another thread has written, is started by it or has waited for its end is never
//! earlier than that thread was then: the clocks of systems do not go back. So what a thread is told depends on what happened before, and on nothing else in a schedule.

use crate::interp::{Cpu, Whose};
use crate::memory::Address;
use crate::thread::Thread;
use linspect_core::execution::{Action, EventId, Location};
use linspect_core::schedule::ThreadId;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How late a thread is that is late.
const DELAY: u64 = 3_600_000_000_000;

/// Where a time is kept for whoever comes after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kept {
    /// Under sequential consistency: by byte of an allocation.
    Byte(u32, u32),
    /// Under C20: by the step that wrote.
    Event(EventId),
    /// By thread that has ended.
    End(ThreadId),
}

/// What time it was for those who wrote, or have ended, last.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct Times {
    kept: Rc<BTreeMap<Kept, u64>>,
    /// Whether a thread of a program that has several has asked.
    pub(crate) asked: bool,
}

impl Times {
    fn keep(&mut self, place: Kept, time: u64) {
        let kept = Rc::make_mut(&mut self.kept).entry(place).or_default();
        *kept = time.max(*kept);
    }

    /// Keeps what time it was when a thread ended.
    pub(crate) fn end(&mut self, thread: ThreadId, time: u64) {
        if time > 0 {
            self.keep(Kept::End(thread), time);
        }
    }
}

impl Cpu<'_> {
    /// What an access means for the times. Those that may change places with all of their like neither learn from each other nor need to.
    pub(crate) fn note_time(&mut self, action: Action, location: Location, source: Whose) {
        if self.thread.clock == 0 && self.world.times.kept.is_empty() {
            return;
        }
        let learns = !matches!(
            action,
            Action::Write | Action::Add | Action::Tally | Action::Free | Action::Wake
        );
        let tells = action.writes() && !matches!(action, Action::Free | Action::Wake);
        if self.is_weak() {
            if let (true, Some(event)) = (learns, source.from) {
                self.learn_time(Kept::Event(event));
            }
            if tells {
                self.tell_time_at(Kept::Event(self.event()));
            }
        } else {
            self.pass_bytes(location, learns, tells);
        }
    }

    /// Nobody who has met the others at `address` is earlier than any of them.
    pub(crate) fn meet(&mut self, address: Address) {
        let location = self.location(address, 1);
        self.pass_bytes(location, true, true);
    }

    /// Comes after the end of `thread`.
    pub(crate) fn outlast(&mut self, thread: ThreadId) {
        self.learn_time(Kept::End(thread));
    }

    fn pass_bytes(&mut self, location: Location, learns: bool, tells: bool) {
        for byte in location.offset..location.offset.saturating_add(location.size) {
            let place = Kept::Byte(location.allocation, byte);
            if learns {
                self.learn_time(place);
            }
            if tells {
                self.tell_time_at(place);
            }
        }
    }

    fn learn_time(&mut self, place: Kept) {
        let time = self.world.times.kept.get(&place).copied().unwrap_or(0);
        self.thread.clock = self.thread.clock.max(time);
    }

    fn tell_time_at(&mut self, place: Kept) {
        let time = self.thread.clock;
        if time > 0 {
            self.world_mut().times.keep(place, time);
        }
    }

    /// Whether the thread, which asks for the time, is late: once at most, where threads of a program may also wake without reason.
    pub(crate) fn be_late(&mut self) -> Result<(), crate::interp::Stop> {
        if !self.world.plain || !self.world.concurrent {
            return Ok(());
        }
        if !self.world.times.asked {
            self.world_mut().times.asked = true;
        }
        if self.may_wake_alone() && self.choose_among_threads(2)? == Some(1) {
            self.thread.woke_alone = true;
            self.note_delay();
            self.thread.clock = self.thread.clock.saturating_add(DELAY);
        }
        Ok(())
    }
}

/// Sets the clocks of threads that run one after the other to the latest.
pub(crate) fn align<'a>(threads: impl Iterator<Item = &'a mut Rc<Thread>>) {
    let threads: Vec<_> = threads.collect();
    let latest = threads.iter().map(|t| t.clock).max().unwrap_or(0);
    for thread in threads {
        if thread.clock < latest {
            Rc::make_mut(thread).clock = latest;
        }
    }
}
