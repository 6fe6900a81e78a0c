//! A lock that one holder has at a time.
//!
//! `lock`/`acquire` and `unlock`/`release` return nothing and are possible only while the lock is free or held,
//! respectively; `try_lock`/`try_acquire` returns whether it got the lock; `is_locked` looks. Who holds the lock is part of the
//! specification only of an *owned* one: its calls take their owner, and only who holds it can unlock.

use super::spelling::{Folded, Method};
use super::{Goods, HandOver, Hold, Spec, Unfit, found_nothing};
use crate::history::{History, Outcome};
use crate::value::Value;

/// A lock that one holder has at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutex {
    /// Whether only who locked can unlock.
    pub owned: bool,
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
            .map(|method| self.call(method, &Value::from(0)).is_err())
            .collect();
        for operation in &mut owned.operations {
            if operation.argument.is_nothing() && !looks[usize::from(operation.method)] {
                operation.argument = Value::Int(i64::from(operation.process));
            }
        }
        owned
    }
}

impl Spec for Mutex {
    /// Who holds the lock, if somebody does.
    type State = Option<Value>;
    type Call = MutexCall;

    fn name(&self) -> &str {
        if self.owned { "owned-mutex" } else { "mutex" }
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
            MutexCall::Lock(owner) => method("lock").done(outcome, Some(owner)),
            MutexCall::Unlock(owner) => method("unlock").done(outcome, Some(owner)),
            MutexCall::TryLock(_) => method("try_lock").truth(outcome),
            MutexCall::IsLocked => method("is_locked").truth(outcome),
        }
    }

    fn initial(&self) -> Option<Value> {
        None
    }

    fn outcomes(
        &self,
        holder: &Option<Value>,
        call: &MutexCall,
        each: &mut dyn FnMut(Value, Option<Value>),
    ) {
        let is_free = holder.is_none();
        match call {
            MutexCall::Lock(owner) if is_free => each(Value::Unit, Some(owner.clone())),
            MutexCall::TryLock(owner) if is_free => each(Value::Bool(true), Some(owner.clone())),
            MutexCall::TryLock(_) => each(Value::Bool(false), holder.clone()),
            MutexCall::Unlock(owner) if holder.as_ref() == Some(owner) => each(Value::Unit, None),
            MutexCall::Lock(_) | MutexCall::Unlock(_) => {}
            MutexCall::IsLocked => each(Value::Bool(!is_free), holder.clone()),
        }
    }

    fn is_read_only(&self, call: &MutexCall) -> bool {
        matches!(call, MutexCall::IsLocked)
    }

    fn observes(&self, call: &MutexCall, outcome: &Outcome) -> bool {
        self.is_read_only(call) || found_nothing(outcome)
    }

    fn hold(&self, call: &MutexCall) -> Hold {
        match call {
            MutexCall::Lock(_) => Hold::Takes,
            MutexCall::Unlock(_) => Hold::GivesBack,
            // Whether it took the lock is not known before it has run.
            MutexCall::TryLock(_) | MutexCall::IsLocked => Hold::Nothing,
        }
    }

    fn hands_over(&self, call: &MutexCall, outcome: &Outcome) -> HandOver {
        match (call, outcome) {
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

    fn show(&self, holder: &Option<Value>) -> String {
        match holder {
            None => String::from("free"),
            Some(Value::Unit) => String::from("held"),
            Some(owner) => format!("held by {owner}"),
        }
    }
}
