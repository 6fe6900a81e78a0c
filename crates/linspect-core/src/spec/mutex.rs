//! A lock that one holder has at a time.
//!
//! `lock`/`acquire` and `unlock`/`release` return nothing and are possible only while the lock is free or held,
//! respectively; `try_lock`/`try_acquire` returns whether it got the lock; `is_locked` looks. Who holds the lock is not
//! part of the specification.

use super::spelling::{Folded, Method};
use super::{Hold, Spec, Unfit, found_nothing};
use crate::history::Outcome;
use crate::value::Value;

/// A lock that one holder has at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutex;

/// A call of a [`Mutex`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MutexCall {
    /// Takes the lock when it is free.
    Lock,
    /// Takes the lock if it is free; returns whether it was.
    TryLock,
    /// Gives the lock back.
    Unlock,
    /// Whether somebody has the lock.
    IsLocked,
}

impl Spec for Mutex {
    /// Whether the lock is held.
    type State = bool;
    type Call = MutexCall;

    fn name(&self) -> &str {
        "mutex"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<MutexCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let nullary = |call| m.nothing(argument).map(|()| call);
        match Folded::new(method).as_str() {
            "lock" | "acquire" => nullary(MutexCall::Lock),
            "trylock" | "tryacquire" => nullary(MutexCall::TryLock),
            "unlock" | "release" => nullary(MutexCall::Unlock),
            "islocked" | "isheld" => nullary(MutexCall::IsLocked),
            _ => Err(m.unknown("lock, try_lock, unlock, is_locked")),
        }
    }

    fn outcome(&self, call: &MutexCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            MutexCall::Lock => method("lock").done(outcome, None),
            MutexCall::Unlock => method("unlock").done(outcome, None),
            MutexCall::TryLock => method("try_lock").truth(outcome),
            MutexCall::IsLocked => method("is_locked").truth(outcome),
        }
    }

    fn initial(&self) -> bool {
        false
    }

    fn outcomes(&self, held: &bool, call: &MutexCall, each: &mut dyn FnMut(Value, bool)) {
        match call {
            MutexCall::Lock if !held => each(Value::Unit, true),
            MutexCall::Unlock if *held => each(Value::Unit, false),
            MutexCall::Lock | MutexCall::Unlock => {}
            MutexCall::TryLock => each(Value::Bool(!held), true),
            MutexCall::IsLocked => each(Value::Bool(*held), *held),
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
            MutexCall::Lock => Hold::Takes,
            MutexCall::Unlock => Hold::GivesBack,
            // Whether it took the lock is not known before it has run.
            MutexCall::TryLock | MutexCall::IsLocked => Hold::Nothing,
        }
    }

    fn show(&self, held: &bool) -> String {
        String::from(if *held { "held" } else { "free" })
    }
}
