//! A place where two callers meet and each leaves with what the other brought.
//!
//! `exchange(v)` waits for another caller, and both take effect at one moment. `exchange_timeout(v)` may give up and returns nothing then; `try_exchange(v)` meets only somebody
//! who waits. (Concurrency-aware linearizability: Hemed, Rinetzky, Vafeiadis: "Modular Verification of Concurrency-Aware Linearizability", DISC 2015, whose example this is.)

use super::rendezvous::Patience;
use super::spelling::{Folded, Method};
use super::{Spec, Unfit};
use crate::history::Outcome;
use crate::value::Value;

/// A place where two callers exchange what they bring.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchanger;

/// A call of an [`Exchanger`]: what is brought, and how long it waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExchangerCall {
    brings: Value,
    patience: Patience,
}

impl Spec for Exchanger {
    type State = ();
    type Call = ExchangerCall;

    fn name(&self) -> &str {
        "exchanger"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<ExchangerCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let patience = match Folded::new(method).as_str() {
            "exchange" | "swap" => Patience::Waits,
            "exchangetimeout" | "swaptimeout" => Patience::MayGiveUp,
            "tryexchange" | "tryswap" => Patience::Tries,
            _ => return Err(m.unknown("exchange, try_exchange, exchange_timeout")),
        };
        let brings = m.element(argument, None)?;
        Ok(ExchangerCall { brings, patience })
    }

    fn outcome(&self, _call: &ExchangerCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let name = "exchange";
        let spec = self.name();
        Method { spec, name }.taken(outcome, None)
    }

    fn initial(&self) {}

    fn outcomes(&self, (): &(), call: &ExchangerCall, each: &mut dyn FnMut(Value, ())) {
        if call.patience != Patience::Waits {
            each(Value::Nil, ());
        }
    }

    fn most_together(&self) -> usize {
        2
    }

    fn together(&self, (): &(), calls: &[&ExchangerCall], each: &mut dyn FnMut(&[Value], ())) {
        if let [a, b] = calls
            && (a.patience != Patience::Tries || b.patience != Patience::Tries)
        {
            each(&[b.brings.clone(), a.brings.clone()], ());
        }
    }

    fn show(&self, (): &()) -> String {
        String::from("nobody has met")
    }
}
