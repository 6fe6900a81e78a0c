//! A register: `read` returns what was written last.
//!
//! `read`/`get`/`load` returns the value; `write`/`set`/`put`/`store` takes it and returns nothing.

use super::spelling::{Folded, Method};
use super::view::{RegisterLike, ValueAccess};
use super::{Family, Meeting, Sees, Spec, Unfit, read_meets, seen};
use crate::history::Outcome;
use crate::value::Value;

/// A register with an initial value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// What a read returns before any write.
    pub initial: Value,
}

impl Default for Register {
    fn default() -> Self {
        Self {
            initial: Value::Nil,
        }
    }
}

/// A call of a [`Register`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RegisterCall {
    /// Returns the value.
    Read,
    /// Replaces the value.
    Write(Value),
}

impl RegisterLike for Register {
    fn initial(&self) -> &Value {
        &self.initial
    }

    fn access(&self, name: &str) -> ValueAccess {
        access(name)
    }
}

/// What the method `name` of a register does.
pub(super) fn access(name: &str) -> ValueAccess {
    match method(name) {
        Some(Plain::Read) => ValueAccess::Read,
        Some(Plain::Write) => ValueAccess::Write,
        None => ValueAccess::Update,
    }
}

/// The methods of every register.
pub(super) enum Plain {
    Read,
    Write,
}

/// Which of them `name` is.
pub(super) fn method(name: &str) -> Option<Plain> {
    Some(match Folded::new(name).as_str() {
        "read" | "get" | "load" | "r" => Plain::Read,
        "write" | "set" | "put" | "store" | "w" => Plain::Write,
        _ => return None,
    })
}

impl Spec for Register {
    type State = Value;
    type Call = RegisterCall;

    fn name(&self) -> &str {
        "register"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<RegisterCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        match self::method(method) {
            Some(Plain::Read) => m.nothing(argument).map(|()| RegisterCall::Read),
            Some(Plain::Write) => m.value(argument).map(RegisterCall::Write),
            None => Err(m.unknown("read, write")),
        }
    }

    fn outcome(&self, call: &RegisterCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        match call {
            RegisterCall::Read => Ok(Method {
                spec: self.name(),
                name: "read",
            }
            .any(outcome)),
            RegisterCall::Write(v) => Method {
                spec: self.name(),
                name: "write",
            }
            .done(outcome, Some(v)),
        }
    }

    fn initial(&self) -> Value {
        self.initial.clone()
    }

    fn outcomes(&self, state: &Value, call: &RegisterCall, each: &mut dyn FnMut(Value, Value)) {
        match call {
            RegisterCall::Read => each(state.clone(), state.clone()),
            RegisterCall::Write(v) => each(Value::Unit, v.clone()),
        }
    }

    fn may_wait(&self, _call: &RegisterCall) -> bool {
        false
    }

    fn is_read_only(&self, call: &RegisterCall) -> bool {
        matches!(call, RegisterCall::Read)
    }

    fn family(&self, call: &RegisterCall, outcome: &Outcome) -> Family {
        match call {
            RegisterCall::Write(v) => Family::Of(v.clone()),
            RegisterCall::Read => seen(outcome),
        }
    }

    fn meets(&self, call: &RegisterCall, outcome: &Outcome) -> Meeting {
        match call {
            RegisterCall::Read => read_meets(outcome),
            RegisterCall::Write(v) => Meeting {
                sees: Sees::Nothing,
                leaves: Some(v.clone()),
            },
        }
    }

    fn show(&self, state: &Value) -> String {
        state.to_string()
    }
}
