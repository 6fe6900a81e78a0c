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
    /// A branch of this call: up to the join, or to the end of the branch around it.
    Branch { frame: u32, join: Option<Pc> },
    /// Up to the release of this lock.
    Lock(Location),
    /// All that the thread does.
    Thread,
}

/// The scopes of all threads.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    stacks: FxHashMap<Lane, Vec<Scope>>,
    /// How many branches of a call wait for each place where they join.
    waiting: FxHashMap<(u32, Pc), usize>,
}

impl Scopes {
    pub(super) fn innermost(&self, lane: Lane) -> Option<u32> {
        self.stacks.get(&lane)?.last().map(|s| s.condition)
    }

    /// The innermost branch, in the user's own code if there is one.
    pub(super) fn branch(&self, lane: Lane) -> Option<u32> {
        let branches = || {
            let all = self.stacks.get(&lane).into_iter().flatten().rev();
            all.filter(|s| matches!(s.reach, Reach::Branch { .. }))
        };
        let own = branches().find(|s| s.own);
        own.or_else(|| branches().next()).map(|s| s.condition)
    }

    pub(super) fn open(&mut self, lane: Lane, scope: Scope) {
        if let Reach::Branch {
            frame,
            join: Some(join),
        } = scope.reach
        {
            *self.waiting.entry((frame, join)).or_default() += 1;
        }
        self.stacks.entry(lane).or_default().push(scope);
    }

    /// The call stands before `pc`: branches that join there end, and all that opened in them. Locks that were taken meanwhile stay.
    pub(super) fn arrive(&mut self, lane: Lane, call: u32, pc: Pc) {
        if self.waiting.contains_key(&(call, pc)) {
            self.close(lane, call, Some(pc));
        }
    }

    /// The call has returned.
    pub(super) fn leave(&mut self, lane: Lane, call: u32) {
        self.close(lane, call, None);
    }

    /// Closes branches of a call from the innermost one outwards: as long as some wait for `until`, or all.
    fn close(&mut self, lane: Lane, call: u32, until: Option<Pc>) {
        let Some(stack) = self.stacks.get_mut(&lane) else {
            return;
        };
        let mut at = stack.len();
        while at > 0 {
            at -= 1;
            match stack[at].reach {
                Reach::Lock(_) => {}
                Reach::Branch { frame, join } if frame == call => {
                    if until.is_some_and(|pc| !self.waiting.contains_key(&(call, pc))) {
                        return;
                    }
                    stack.remove(at);
                    if let Some(join) = join
                        && let Some(count) = self.waiting.get_mut(&(call, join))
                    {
                        *count -= 1;
                        if *count == 0 {
                            self.waiting.remove(&(call, join));
                        }
                    }
                }
                Reach::Branch { .. } | Reach::Thread => return,
            }
        }
    }

    /// The lock was released.
    pub(super) fn release(&mut self, lane: Lane, lock: Location) {
        if let Some(stack) = self.stacks.get_mut(&lane)
            && let Some(at) = stack.iter().rposition(|s| s.reach == Reach::Lock(lock))
        {
            stack.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(condition: u32, frame: u32, join: Option<Pc>) -> Scope {
        Scope {
            condition,
            reach: Reach::Branch { frame, join },
            own: true,
        }
    }

    const LOCK: Location = Location {
        allocation: 1,
        offset: 0,
        size: 4,
    };

    #[test]
    fn branches_end_where_they_join_and_locks_stay() {
        let mut scopes = Scopes::default();
        scopes.open(1, branch(10, 7, Some(5)));
        scopes.open(1, branch(11, 7, Some(5)));
        scopes.open(
            1,
            Scope {
                condition: 12,
                reach: Reach::Lock(LOCK),
                own: true,
            },
        );
        // The end of a loop reaches as far as the branch around it.
        scopes.open(1, branch(13, 7, None));
        scopes.arrive(1, 7, 4);
        assert_eq!(scopes.innermost(1), Some(13));
        scopes.arrive(1, 8, 5);
        assert_eq!(scopes.innermost(1), Some(13), "another call's");
        scopes.arrive(1, 7, 5);
        assert_eq!(scopes.innermost(1), Some(12));
        assert_eq!(scopes.branch(1), None);
        scopes.release(1, LOCK);
        assert_eq!(scopes.innermost(1), None);
    }

    #[test]
    fn a_return_ends_the_branches_of_its_call_only() {
        let mut scopes = Scopes::default();
        scopes.open(1, branch(10, 7, Some(5)));
        scopes.open(1, branch(11, 8, Some(5)));
        scopes.leave(1, 8);
        assert_eq!(scopes.innermost(1), Some(10));
        scopes.leave(1, 7);
        assert_eq!(scopes.innermost(1), None);
    }
}
