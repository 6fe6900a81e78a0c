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
            Deed::Locks => self.took_what_was_held(mutex),
            Deed::Unlocks => self.gave_what_was_free(mutex),
            Deed::Refused => self.was_refused_what_was_free(mutex),
            _ => None,
        }
    }

    /// Whose lock an operation takes or gives back; the same for all where owners do not count.
    fn owner(&self, mutex: &Mutex, op: &Operation) -> Option<Value> {
        match mutex.call(self.history.name(op), &op.argument).ok()? {
            MutexCall::Lock(owner) | MutexCall::TryLock(owner) | MutexCall::Unlock(owner) => {
                Some(owner)
            }
            MutexCall::IsLocked => None,
        }
    }

    /// The anchor took the lock when somebody surely held it. Of a recursive one, somebody else.
    fn took_what_was_held(&self, mutex: &Mutex) -> Option<Because> {
        let own = self.owner(mutex, self.anchor.1)?;
        let mut owners: Vec<Value> = Vec::new();
        for lock in self.who(|deed| *deed == Deed::Locks) {
            let owner = self.owner(mutex, lock.1)?;
            let may_have = owners.contains(&owner) || mutex.recursive && owner == own;
            if !may_have {
                owners.push(owner);
            }
        }
        owners.iter().find_map(|owner| self.held_by(mutex, owner))
    }

    /// The anchor took the lock when `owner` surely held it.
    ///
    /// Whoever took it from some moment on and returned before the anchor was called gave it back, by a call that had not returned at that
    /// moment. Where there are too few such calls, one of them had the lock. The latest such moment is the one to speak of: it needs the fewest.
    fn held_by(&self, mutex: &Mutex, owner: &Value) -> Option<Because> {
        let (id, op) = self.anchor;
        let is_theirs = |doer: &Doer<'h>| self.owner(mutex, doer.1).as_ref() == Some(owner);
        let mut locks = self.who(|deed| *deed == Deed::Locks);
        locks.retain(|lock| lock.1.ret < op.call && is_theirs(lock));
        locks.sort_by_key(|lock| lock.1.call);
        let mut unlocks = self.who(|deed| matches!(deed, Deed::Unlocks | Deed::MayUnlock));
        unlocks.retain(|unlock| unlock.1.call <= op.ret && is_theirs(unlock));
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
        let text = match (holders, owner) {
            ([(_, holder)], Value::Unit) => format!(
                "{shown} of process {} took the lock while process {} held it.",
                op.process, holder.process
            ),
            ([_], owner) => format!("{shown} took the lock while owner {owner} held it."),
            (several, Value::Unit) => format!(
                "{shown} of process {} took the lock, which had been taken {} times from {} of process {} on and given back at most {}.",
                op.process,
                several.len(),
                self.shown(several[0]),
                several[0].1.process,
                times(given_back(from))
            ),
            (several, owner) => format!(
                "{shown} took the lock, which owner {owner} had taken {} times from {} on and given back at most {}.",
                several.len(),
                self.shown(several[0]),
                times(given_back(from))
            ),
        };
        Some(because(text, holders.iter().map(|lock| lock.0).chain([id])))
    }

    /// The anchor was refused the lock when nobody can have held it: since somebody gave it back, nobody can have taken it.
    fn was_refused_what_was_free(&self, mutex: &Mutex) -> Option<Because> {
        let (id, op) = self.anchor;
        let shown = self.shown(self.anchor);
        let mut takes = self.who(|deed| matches!(deed, Deed::Locks | Deed::MayLock));
        takes.retain(|take| take.1.call <= op.ret);
        if takes.is_empty() {
            let text = format!("{shown} was refused the lock, which nobody had taken.");
            return Some(because(text, [id]));
        }
        if mutex.recursive {
            // Its owner may have taken it more often than given it back.
            return None;
        }
        let mut gives = self.who(|deed| *deed == Deed::Unlocks);
        gives.retain(|give| give.1.ret < op.call);
        let since = |give: &Doer<'h>| takes.iter().all(|take| take.1.ret < give.1.call);
        let give = *gives.iter().rev().find(|give| since(give))?;
        let text = format!(
            "{shown} was refused the lock, which {} of process {} had given back, and which nobody had taken since.",
            self.shown(give),
            give.1.process
        );
        Some(because(text, [give.0, id]))
    }

    /// The anchor gave the lock back more often than anybody, or its owner, can have taken it.
    fn gave_what_was_free(&self, mutex: &Mutex) -> Option<Because> {
        let (id, op) = self.anchor;
        let owner = self.owner(mutex, op)?;
        let is_own = |doer: &Doer<'h>| self.owner(mutex, doer.1).as_ref() == Some(&owner);
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
