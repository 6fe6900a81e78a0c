//! A register with compare-and-set, as Jepsen tests them.
//!
//! `read` and `write` as for a [`super::Register`]; `cas`/`compare-and-set` takes `[from, to]` and returns whether the
//! value was `from`; `swap`/`get-and-set` takes the new value and returns the old one.

use super::register::{self, Plain};
use super::spelling::{Folded, Method};
use super::view::{RegisterLike, ValueAccess};
use super::{Family, Meeting, Sees, Spec, Unfit, cas_meets, found_nothing, read_meets, seen};
use crate::history::Outcome;
use crate::value::Value;

/// A register with compare-and-set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CasRegister {
    /// What a read returns before any write.
    pub initial: Value,
}

impl Default for CasRegister {
    fn default() -> Self {
        Self {
            initial: Value::Nil,
        }
    }
}

/// A call of a [`CasRegister`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CasRegisterCall {
    /// Returns the value.
    Read,
    /// Replaces the value.
    Write(Value),
    /// Replaces the value if it is the first by the second; returns whether it was.
    Cas(Value, Value),
    /// Replaces the value; returns the one before.
    Swap(Value),
}

impl RegisterLike for CasRegister {
    fn initial(&self) -> &Value {
        &self.initial
    }

    fn access(&self, name: &str) -> ValueAccess {
        register::access(name)
    }
}

impl Spec for CasRegister {
    type State = Value;
    type Call = CasRegisterCall;

    fn name(&self) -> &str {
        "cas-register"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<CasRegisterCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        match register::method(method) {
            Some(Plain::Read) => return m.nothing(argument).map(|()| CasRegisterCall::Read),
            Some(Plain::Write) => return m.value(argument).map(CasRegisterCall::Write),
            None => {}
        }
        match Folded::new(method).as_str() {
            "swap" | "exchange" | "getandset" => m.value(argument).map(CasRegisterCall::Swap),
            "cas" | "compareandset" | "compareandswap" | "compareexchange" => {
                match argument.items() {
                    [from, to] => Ok(CasRegisterCall::Cas(from.clone(), to.clone())),
                    _ => Err(m.bad_argument("two values, [from, to]", argument)),
                }
            }
            _ => Err(m.unknown("read, write, cas, swap")),
        }
    }

    fn outcome(&self, call: &CasRegisterCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            CasRegisterCall::Read => Ok(method("read").any(outcome)),
            CasRegisterCall::Swap(_) => Ok(method("swap").any(outcome)),
            CasRegisterCall::Write(v) => method("write").done(outcome, Some(v)),
            CasRegisterCall::Cas(from, to) => match outcome {
                // Jepsen completes a successful cas with its argument.
                Outcome::Returned(Value::List(pair)) if **pair == [from.clone(), to.clone()] => {
                    Ok(Outcome::Returned(Value::Bool(true)))
                }
                other => method("cas").truth(other),
            },
        }
    }

    fn initial(&self) -> Value {
        self.initial.clone()
    }

    fn outcomes(&self, state: &Value, call: &CasRegisterCall, each: &mut dyn FnMut(Value, Value)) {
        match call {
            CasRegisterCall::Read => each(state.clone(), state.clone()),
            CasRegisterCall::Write(v) => each(Value::Unit, v.clone()),
            CasRegisterCall::Swap(v) => each(state.clone(), v.clone()),
            CasRegisterCall::Cas(from, to) if from == state => each(Value::Bool(true), to.clone()),
            CasRegisterCall::Cas(..) => each(Value::Bool(false), state.clone()),
        }
    }

    fn may_wait(&self, _call: &CasRegisterCall) -> bool {
        false
    }

    fn is_read_only(&self, call: &CasRegisterCall) -> bool {
        matches!(call, CasRegisterCall::Read)
    }

    fn observes(&self, call: &CasRegisterCall, outcome: &Outcome) -> bool {
        self.is_read_only(call)
            || matches!(call, CasRegisterCall::Cas(..)) && found_nothing(outcome)
    }

    fn family(&self, call: &CasRegisterCall, outcome: &Outcome) -> Family {
        match call {
            CasRegisterCall::Write(v) => Family::Of(v.clone()),
            CasRegisterCall::Read => seen(outcome),
            CasRegisterCall::Cas(..) | CasRegisterCall::Swap(_) => Family::Mixed,
        }
    }

    fn meets(&self, call: &CasRegisterCall, outcome: &Outcome) -> Meeting {
        match call {
            CasRegisterCall::Read => read_meets(outcome),
            CasRegisterCall::Write(v) => Meeting {
                sees: Sees::Nothing,
                leaves: Some(v.clone()),
            },
            CasRegisterCall::Swap(v) => Meeting {
                leaves: Some(v.clone()),
                ..read_meets(outcome)
            },
            CasRegisterCall::Cas(from, to) => cas_meets(from, to, outcome),
        }
    }

    fn show(&self, state: &Value) -> String {
        state.to_string()
    }
}
