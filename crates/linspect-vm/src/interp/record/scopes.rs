//! Which condition decided that the running statement is executed at all: dynamic control dependence, one stack per thread.
//!
//! A branch decides what follows up to where its ways meet again; a lock decides what follows up to its release. The rounds of a loop depend on each
//! other. After Xin and Zhang, *Efficient Online Detection of Dynamic Control Dependence*.

use crate::memory::Lane;
use crate::program::Pc;
use linspect_core::execution::Location;
use rustc_hash::FxHashMap;

/// A condition and how far it reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    /// The condition's index in the recording.
    pub(super) condition: u32,
    /// How far.
    pub(super) reach: Reach,
    /// Whether it stands in the user's code.
    pub(super) own: bool,
}

/// How far a condition reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// A branch of this call: up to the join, or to the end of the call.
    Branch { frame: u32, join: Option<Pc> },
    /// Up to the release of this lock.
    Lock(Location),
    /// All that the thread does.
    Thread,
}

/// The scopes of all threads.
#[derive(Debug, Default)]
pub(super) struct Scopes(FxHashMap<Lane, Vec<Scope>>);

impl Scopes {
    pub(super) fn innermost(&self, lane: Lane) -> Option<u32> {
        self.0.get(&lane)?.last().map(|s| s.condition)
    }

    /// The innermost branch, in the user's own code if there is one.
    pub(super) fn branch(&self, lane: Lane) -> Option<u32> {
        let branches = || {
            let all = self.0.get(&lane).into_iter().flatten().rev();
            all.filter(|s| matches!(s.reach, Reach::Branch { .. }))
        };
        let own = branches().find(|s| s.own);
        own.or_else(|| branches().next()).map(|s| s.condition)
    }

    pub(super) fn open(&mut self, lane: Lane, scope: Scope) {
        self.0.entry(lane).or_default().push(scope);
    }

    /// The call stands before `pc`: branches that join there end. Locks that were taken meanwhile stay.
    pub(super) fn arrive(&mut self, lane: Lane, call: u32, pc: Pc) {
        self.close(lane, |reach| match reach {
            Reach::Lock(_) => Verdict::Skip,
            Reach::Branch { frame, join } if frame == call && join == Some(pc) => Verdict::Close,
            Reach::Branch { .. } | Reach::Thread => Verdict::Stop,
        });
    }

    /// The call has returned.
    pub(super) fn leave(&mut self, lane: Lane, call: u32) {
        self.close(lane, |reach| match reach {
            Reach::Lock(_) => Verdict::Skip,
            Reach::Branch { frame, .. } if frame == call => Verdict::Close,
            Reach::Branch { .. } | Reach::Thread => Verdict::Stop,
        });
    }

    /// The lock was released.
    pub(super) fn release(&mut self, lane: Lane, lock: Location) {
        if let Some(stack) = self.0.get_mut(&lane)
            && let Some(at) = stack.iter().rposition(|s| s.reach == Reach::Lock(lock))
        {
            stack.remove(at);
        }
    }

    fn close(&mut self, lane: Lane, verdict: impl Fn(Reach) -> Verdict) {
        let Some(stack) = self.0.get_mut(&lane) else {
            return;
        };
        let mut at = stack.len();
        while at > 0 {
            at -= 1;
            match verdict(stack[at].reach) {
                Verdict::Close => {
                    stack.remove(at);
                }
                Verdict::Skip => {}
                Verdict::Stop => return,
            }
        }
    }
}

enum Verdict {
    Close,
    Skip,
    Stop,
}
