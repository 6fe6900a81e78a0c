//! A counter.
//!
//! `read`/`get`/`value` returns the count. `increment`/`inc`/`add` and `decrement`/`dec`/`subtract` take an amount (1 if
//! none is given) and return nothing; a 1 that comes back where no amount was given could be the count after it, so it is refused. `fetch_add`/`get_and_increment`/… return the count before, `add_and_get`/
//! `increment_and_get`/… the count after.

use super::spelling::{Folded, Method};
use super::{Spec, Unfit};
use crate::history::Outcome;
use crate::value::Value;

/// A counter with an initial count. It wraps around as a 64-bit number does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// The count before any operation.
    pub initial: i64,
}

/// A call of a [`Counter`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CounterCall {
    /// Returns the count.
    Read,
    /// Adds an amount.
    Add(i64),
    /// Adds one, or takes one away; no amount was given.
    Step(i64),
    /// Adds an amount and returns the count before.
    FetchAdd(i64),
    /// Adds an amount and returns the count after.
    AddFetch(i64),
}

impl Spec for Counter {
    type State = i64;
    type Call = CounterCall;

    fn name(&self) -> &str {
        "counter"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<CounterCall, Unfit> {
        use CounterCall::{Add, AddFetch, FetchAdd, Read, Step};
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let up = || m.number(argument, 1);
        let down = || up().map(i64::wrapping_neg);
        let change = |amount| match argument {
            Value::Int(_) => Add(amount),
            _ => Step(amount),
        };
        match Folded::new(method).as_str() {
            "read" | "get" | "load" | "value" | "count" => m.nothing(argument).map(|()| Read),
            "add" | "inc" | "incr" | "increment" => up().map(change),
            "sub" | "dec" | "decr" | "decrement" | "subtract" => down().map(change),
            "fetchadd" | "getandadd" | "fetchandadd" | "getandincrement" | "getandinc" => {
                up().map(FetchAdd)
            }
            "fetchsub" | "getandsub" | "fetchandsub" | "getanddecrement" | "getanddec" => {
                down().map(FetchAdd)
            }
            "addandget" | "incrementandget" | "incandget" | "addandfetch" => up().map(AddFetch),
            "subandget" | "decrementandget" | "decandget" | "subandfetch" => down().map(AddFetch),
            _ => Err(m.unknown(
                "read, increment, decrement, fetch_add, fetch_sub, add_and_get, sub_and_get",
            )),
        }
    }

    fn outcome(&self, call: &CounterCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            CounterCall::Read => method("read").count(outcome),
            CounterCall::FetchAdd(_) => method("fetch_add").count(outcome),
            CounterCall::AddFetch(_) => method("add_and_get").count(outcome),
            CounterCall::Step(_) => match outcome {
                Outcome::Returned(found @ Value::Int(1)) => {
                    let wanted = "nothing (an increment that returns the count after it is an increment_and_get)";
                    Err(method("increment or decrement").bad_result(wanted, found))
                }
                other => method("increment or decrement").done(other, None),
            },
            // Jepsen completes an addition with its amount.
            CounterCall::Add(n) => method("increment or decrement").done(
                match outcome {
                    Outcome::Returned(Value::Int(m)) if m.wrapping_abs() == n.wrapping_abs() => {
                        &Outcome::Returned(Value::Unit)
                    }
                    other => other,
                },
                None,
            ),
        }
    }

    fn initial(&self) -> i64 {
        self.initial
    }

    fn outcomes(&self, state: &i64, call: &CounterCall, each: &mut dyn FnMut(Value, i64)) {
        match call {
            CounterCall::Read => each(Value::Int(*state), *state),
            CounterCall::Add(n) | CounterCall::Step(n) => {
                each(Value::Unit, state.wrapping_add(*n));
            }
            CounterCall::FetchAdd(n) => each(Value::Int(*state), state.wrapping_add(*n)),
            CounterCall::AddFetch(n) => {
                let after = state.wrapping_add(*n);
                each(Value::Int(after), after);
            }
        }
    }

    fn may_wait(&self, _call: &CounterCall) -> bool {
        false
    }

    fn is_read_only(&self, call: &CounterCall) -> bool {
        matches!(
            call,
            CounterCall::Read
                | CounterCall::Add(0)
                | CounterCall::FetchAdd(0)
                | CounterCall::AddFetch(0)
        )
    }

    fn show(&self, state: &i64) -> String {
        state.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two increments that both return 1 lose an update if that is the count; nobody says that it is not.
    #[test]
    fn a_number_that_may_be_the_count_is_refused() {
        let counter = Counter::default();
        let one = Outcome::Returned(Value::Int(1));
        let call = |argument| counter.call("increment", argument).expect("a call");
        assert!(counter.outcome(&call(&Value::Unit), &one).is_err());
        // Jepsen completes an addition with its amount.
        let nothing = Outcome::Returned(Value::Unit);
        let jepsen = counter.outcome(&call(&Value::Int(1)), &one);
        assert_eq!(jepsen.ok(), Some(nothing));
    }
}
