//! What all threads of a machine share besides memory.

use crate::harness::Harness;
use crate::memory::{Address, View};
use crate::times::Times;
use linspect_core::schedule::ThreadId;

/// A thread in a wait queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Waiter {
    pub(crate) thread: ThreadId,
    /// Which queue: the address of a condition variable, futex or barrier.
    pub(crate) address: Address,
}

/// A thread that a step has created and that has not run yet.
#[derive(Clone, Debug)]
pub(crate) struct Spawn {
    pub(crate) id: ThreadId,
    pub(crate) function: u32,
    pub(crate) argument: u64,
    /// What it calls when it ends.
    pub(crate) at_exit: Option<(Address, u64)>,
    /// What its creator knows.
    pub(crate) view: View,
    /// What time it is for its creator.
    pub(crate) clock: u64,
}

/// What is called when a signal is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Handler {
    pub(crate) number: u32,
    pub(crate) address: Address,
    pub(crate) flags: u32,
}

/// What all threads share besides memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    /// Whether accesses to shared memory are visible: a client's threads run, or a plain program has threads.
    pub(crate) concurrent: bool,
    /// Whether it is a plain program, so that `concurrent` follows from its threads.
    pub(crate) plain: bool,
    /// Threads by number: the result of those that have ended.
    pub(crate) ended: Vec<Option<u64>>,
    /// Under C20, threads by number: what those that have ended knew.
    pub(crate) last_views: Vec<(ThreadId, View)>,
    /// Whether it runs under C20.
    pub(crate) weak: bool,
    /// Threads that were created and not joined.
    pub(crate) unjoined: Vec<ThreadId>,
    /// Threads that nobody may join any more.
    pub(crate) detached: Vec<ThreadId>,
    /// Wait queues, all in one, first come first.
    pub(crate) waiting: Vec<Waiter>,
    /// Threads that the current step has woken.
    pub(crate) woken: Vec<ThreadId>,
    /// Threads that the current step has created.
    pub(crate) spawned: Vec<Spawn>,
    /// What the program has printed.
    pub(crate) output: Vec<u8>,
    /// What it has printed as errors.
    pub(crate) errors: Vec<u8>,
    /// What its harness has declared.
    pub(crate) harness: Harness,
    /// How the process ended, if it did.
    pub(crate) exited: Option<i32>,
    /// What `exit` calls, last first: function and argument.
    pub(crate) at_exit: Vec<(Address, u64)>,
    /// Handlers of signals, by number; those that are not here have the usual ones.
    pub(crate) handlers: Vec<Handler>,
    /// Names that threads were given, by thread.
    pub(crate) names: Vec<(ThreadId, Vec<u8>)>,
    /// The signals that threads have blocked, by thread.
    pub(crate) blocked_signals: Vec<(ThreadId, u64)>,
    /// Destructors of keys, by key.
    pub(crate) keys: Vec<Address>,
    /// What time it was for whom.
    pub(crate) times: Times,
}

/// How much of what a program prints is kept.
pub const MOST_OUTPUT: usize = 1 << 20;

impl World {
    /// Takes up to `count` threads out of the queue of `address`, first come first.
    pub(crate) fn wake(&mut self, address: Address, count: u64) -> u64 {
        let mut woken = 0;
        let list = &mut self.woken;
        self.waiting.retain(|w| {
            let wake = w.address == address && woken < count;
            if wake {
                woken += 1;
                list.push(w.thread);
            }
            !wake
        });
        woken
    }

    /// Recomputes whether a plain program has threads that run beside its main one.
    pub(crate) fn update_concurrency(&mut self) {
        if self.plain {
            // Under C20 what threads have written stays theirs when they have ended: only a step says whose write it reads.
            self.concurrent = !self.unjoined.is_empty() || self.weak && self.concurrent;
        }
    }
}
