//! Locks that were taken and given back: who cannot have had one.

use super::because;
use super::deed::Deed;
use super::values::{Doer, Look};
use crate::history::Operation;
use crate::spec::{Mutex, MutexCall, Spec};
use crate::value::Value;
use crate::verdict::Because;

impl<'h> Look<'h> {
    /// The anchor took a lock that was held, or gave one back that was not.
    pub(super) fn lock(&self, mutex: &Mutex, deed: &Deed) -> Option<Because> {
        match deed {
            Deed::Locks => self.took_what_was_held(),
            Deed::Unlocks if !self.anchor.1.is_pending() => self.gave_what_was_free(mutex),
            _ => None,
        }
    }

    /// The anchor took the lock when it was surely held.
    ///
    /// Whoever took it from some moment on and returned before the anchor was called gave it back, by a call that had not returned at that
    /// moment. Where there are too few such calls, one of them had the lock. The latest such moment is the one to speak of: it needs the fewest.
    fn took_what_was_held(&self) -> Option<Because> {
        let (id, op) = self.anchor;
        let mut locks = self.who(|deed| *deed == Deed::Locks);
        locks.retain(|lock| lock.1.ret < op.call);
        locks.sort_by_key(|lock| lock.1.call);
        let mut unlocks = self.who(|deed| *deed == Deed::Unlocks);
        unlocks.retain(|unlock| unlock.1.call <= op.ret);
        unlocks.sort_by_key(|unlock| unlock.1.ret);
        let given_back = |from: usize| {
            let since = locks[from].1.call;
            unlocks.len() - unlocks.partition_point(|unlock| unlock.1.ret < since)
        };
        let from = (0..locks.len())
            .rev()
            .find(|&from| given_back(from) < locks.len() - from)?;
        let shown = self.shown(self.anchor);
        let holders = &locks[from..];
        let text = match holders {
            [(_, holder)] => format!(
                "{shown} of process {} took the lock while process {} held it.",
                op.process, holder.process
            ),
            several => format!(
                "{shown} of process {} took the lock, which had been taken {} times from {} of process {} on and given back at most {}.",
                op.process,
                several.len(),
                self.shown(several[0]),
                several[0].1.process,
                times(given_back(from))
            ),
        };
        Some(because(text, holders.iter().map(|lock| lock.0).chain([id])))
    }

    /// The anchor gave the lock back more often than anybody, or its owner, can have taken it.
    fn gave_what_was_free(&self, mutex: &Mutex) -> Option<Because> {
        let (id, op) = self.anchor;
        let owner_of =
            |op: &Operation| match mutex.call(self.history.name(op), &op.argument).ok()? {
                MutexCall::Lock(owner) | MutexCall::TryLock(owner) | MutexCall::Unlock(owner) => {
                    Some(owner)
                }
                MutexCall::IsLocked => None,
            };
        let owner = owner_of(op)?;
        let is_own = |doer: &Doer<'h>| owner_of(doer.1).as_ref() == Some(&owner);
        let takes = self.who(|deed| matches!(deed, Deed::Locks | Deed::MayLock));
        let taken = takes
            .iter()
            .filter(|take| take.1.call <= op.ret && is_own(take))
            .count();
        let mut before = self.who(|deed| *deed == Deed::Unlocks);
        before.retain(|unlock| unlock.1.ret < op.call && is_own(unlock));
        if taken > before.len() {
            return None;
        }
        let shown = self.shown(self.anchor);
        let (most, back) = (times(taken), times(before.len()));
        let text = match (taken, owner) {
            (0, Value::Unit) => format!(
                "{shown} of process {} gave the lock back, which nobody had taken.",
                op.process
            ),
            (0, owner) => format!("{shown} gave the lock back, which owner {owner} had not taken."),
            (_, Value::Unit) => format!(
                "{shown} of process {} gave the lock back, which had been taken at most {most} and was given back {back} before.",
                op.process
            ),
            (_, owner) => format!(
                "{shown} gave the lock back, which owner {owner} had taken at most {most} and had given back {back}."
            ),
        };
        Some(because(
            text,
            before.iter().map(|unlock| unlock.0).chain([id]),
        ))
    }
}

/// How often, in words.
fn times(count: usize) -> String {
    match count {
        1 => String::from("once"),
        _ => format!("{count} times"),
    }
}
