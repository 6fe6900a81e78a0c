//! A place where so many callers wait for each other and then go on together, again and again.
//!
//! `wait`/`arrive_and_wait` returns nothing, or whether the caller is the one of its round who leads: then exactly one of each round does.

use super::spelling::{Folded, Method};
use super::{Spec, Unfit};
use crate::history::Outcome;
use crate::value::Value;

/// A place where so many callers wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Barrier {
    /// How many go on together.
    pub parties: usize,
}

impl Default for Barrier {
    fn default() -> Self {
        Self { parties: 2 }
    }
}

impl Spec for Barrier {
    type State = ();
    type Call = ();

    fn name(&self) -> &str {
        "barrier"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<(), Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        match Folded::new(method).as_str() {
            "wait" | "await" | "arriveandwait" | "meet" => m.nothing(argument),
            _ => Err(m.unknown("wait")),
        }
    }

    fn outcome(&self, (): &(), outcome: &Outcome) -> Result<Outcome, Unfit> {
        let name = "wait";
        let spec = self.name();
        Method { spec, name }.truth(outcome)
    }

    fn initial(&self) {}

    fn outcomes(&self, (): &(), (): &(), each: &mut dyn FnMut(Value, ())) {
        if self.parties == 1 {
            each(Value::Bool(true), ());
        }
    }

    fn most_together(&self) -> usize {
        self.parties
    }

    fn together(&self, (): &(), calls: &[&()], each: &mut dyn FnMut(&[Value], ())) {
        if calls.len() != self.parties {
            return;
        }
        for leader in 0..calls.len() {
            let results: Vec<Value> = (0..calls.len())
                .map(|caller| Value::Bool(caller == leader))
                .collect();
            each(&results, ());
        }
    }

    fn show(&self, (): &()) -> String {
        String::from("nobody waits")
    }
}
