//! A lock that one holder has at a time.
//!
//! `lock`/`acquire` and `unlock`/`release` return nothing and are possible only while the lock is free or held,
//! respectively; `try_lock`/`try_acquire` returns whether it got the lock; `is_locked` looks. Who holds the lock is part of the
//! specification only of an *owned* one: its calls take their owner, and only who holds it can unlock: to others `unlock` returns false. Nor can the owner lock again: that
//! waits, or returns false. A *recursive* one is owned, can be locked again by its owner, and is free when it was unlocked as often.

use super::spelling::{Folded, Method};
use super::{Goods, HandOver, Hold, Spec, Unfit, found_nothing};
use crate::history::{History, Outcome};
use crate::value::Value;

/// A lock that one holder has at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutex {
    /// Whether only who locked can unlock.
    pub owned: bool,
    /// Whether the owner can lock again.
    pub recursive: bool,
}

/// A call of a [`Mutex`], with its owner; `()` where owners do not count.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MutexCall {
    /// Takes the lock when it is free.
    Lock(Value),
    /// Takes the lock if it is free; returns whether it was.
    TryLock(Value),
    /// Gives the lock back.
    Unlock(Value),
    /// Whether somebody has the lock.
    IsLocked,
}

impl Mutex {
    /// `history` with the calling process as whoever locks and unlocks, where nobody is named.
    pub fn with_processes_as_owners(&self, history: &History) -> History {
        let mut owned = history.clone();
        let looks: Vec<bool> = (history.methods.iter())
            .map(|method| matches!(self.call(method, &Value::from(0)), Ok(MutexCall::IsLocked)))
            .collect();
        for operation in &mut owned.operations {
            if operation.argument.is_nothing() && !looks[usize::from(operation.method)] {
                operation.argument = Value::Int(i64::from(operation.process));
            }
        }
        owned
    }

    /// The lock after its owner locks again; nothing if that is impossible.
    fn again(&self, held: &Held) -> Option<Held> {
        let (owner, times) = held;
        self.recursive.then(|| (owner.clone(), times + 1))
    }
}

/// Who holds a lock, and how many times.
type Held = (Value, u32);

impl Spec for Mutex {
    /// Who holds the lock, if somebody does.
    type State = Option<Held>;
    type Call = MutexCall;

    fn name(&self) -> &str {
        match (self.owned, self.recursive) {
            (_, true) => "recursive-mutex",
            (true, false) => "owned-mutex",
            (false, false) => "mutex",
        }
    }

    fn call(&self, method: &str, argument: &Value) -> Result<MutexCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let owner = || match argument {
            _ if !self.owned => m.nothing(argument).map(|()| Value::Unit),
            Value::Unit | Value::Nil => Err(m.bad_argument("its owner", argument)),
            owner => Ok(owner.clone()),
        };
        match Folded::new(method).as_str() {
            "lock" | "acquire" => owner().map(MutexCall::Lock),
            "trylock" | "tryacquire" => owner().map(MutexCall::TryLock),
            "unlock" | "release" => owner().map(MutexCall::Unlock),
            // Who looks does not count.
            "islocked" | "isheld" if self.owned => Ok(MutexCall::IsLocked),
            "islocked" | "isheld" => m.nothing(argument).map(|()| MutexCall::IsLocked),
            _ => Err(m.unknown("lock, try_lock, unlock, is_locked")),
        }
    }

    fn outcome(&self, call: &MutexCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            MutexCall::Lock(owner) if self.owned => {
                method("lock").done_or_not(outcome, Some(owner))
            }
            MutexCall::Unlock(owner) if self.owned => {
                method("unlock").done_or_not(outcome, Some(owner))
            }
            MutexCall::Lock(owner) => method("lock").done(outcome, Some(owner)),
            MutexCall::Unlock(owner) => method("unlock").done(outcome, Some(owner)),
            MutexCall::TryLock(_) => method("try_lock").truth(outcome),
            MutexCall::IsLocked => method("is_locked").truth(outcome),
        }
    }

    fn initial(&self) -> Option<Held> {
        None
    }

    fn outcomes(
        &self,
        held: &Option<Held>,
        call: &MutexCall,
        each: &mut dyn FnMut(Value, Option<Held>),
    ) {
        let refused = Value::Bool(false);
        let is_own = |owner: &Value| held.as_ref().is_some_and(|(holder, _)| holder == owner);
        match (call, held) {
            (MutexCall::Lock(owner), None) => each(Value::Unit, Some((owner.clone(), 1))),
            (MutexCall::TryLock(owner), None) => each(true.into(), Some((owner.clone(), 1))),
            (MutexCall::Lock(owner), Some(own)) if self.owned && is_own(owner) => {
                match self.again(own) {
                    Some(again) => each(Value::Unit, Some(again)),
                    None => each(refused, held.clone()),
                }
            }
            (MutexCall::TryLock(owner), Some(own)) if is_own(owner) => match self.again(own) {
                Some(again) => each(true.into(), Some(again)),
                None => each(refused, held.clone()),
            },
            (MutexCall::TryLock(_), Some(_)) => each(refused, held.clone()),
            (MutexCall::Unlock(owner), Some((_, times))) if is_own(owner) => {
                let rest = times - 1;
                each(Value::Unit, (rest > 0).then(|| (owner.clone(), rest)));
            }
            (MutexCall::Unlock(_), _) if self.owned => each(refused, held.clone()),
            (MutexCall::Lock(_) | MutexCall::Unlock(_), _) => {}
            (MutexCall::IsLocked, _) => each(Value::Bool(held.is_some()), held.clone()),
        }
    }

    fn asks_who(&self) -> bool {
        self.owned
    }

    fn may_wait(&self, call: &MutexCall) -> bool {
        matches!(call, MutexCall::Lock(_))
    }

    fn is_read_only(&self, call: &MutexCall) -> bool {
        matches!(call, MutexCall::IsLocked)
    }

    fn observes(&self, call: &MutexCall, outcome: &Outcome) -> bool {
        self.is_read_only(call) || found_nothing(outcome)
    }

    fn hold(&self, call: &MutexCall) -> Hold {
        match call {
            // Whoever did not lock may try to unlock, and is refused.
            _ if self.owned => Hold::Nothing,
            MutexCall::Lock(_) => Hold::Takes,
            MutexCall::Unlock(_) => Hold::GivesBack,
            // Whether it took the lock is not known before it has run.
            MutexCall::TryLock(_) | MutexCall::IsLocked => Hold::Nothing,
        }
    }

    fn hands_over(&self, call: &MutexCall, outcome: &Outcome) -> HandOver {
        match (call, outcome) {
            // Whether it gives anything back depends on who holds the lock, and how often.
            _ if self.owned => HandOver::Nothing,
            (MutexCall::Unlock(_), _) => HandOver::Adds(Goods::Lock),
            (MutexCall::Lock(_), Outcome::Returned(_) | Outcome::Unknown)
            | (MutexCall::TryLock(_), Outcome::Returned(Value::Bool(true))) => {
                HandOver::Takes(Goods::Lock)
            }
            _ => HandOver::Nothing,
        }
    }

    fn stock(&self) -> u64 {
        1
    }

    fn show(&self, held: &Option<Held>) -> String {
        match held {
            None => String::from("free"),
            Some((Value::Unit, _)) => String::from("held"),
            Some((owner, 1)) => format!("held by {owner}"),
            Some((owner, times)) => format!("held by {owner}, {times} times"),
        }
    }
}
