//! A counting semaphore.
//!
//! `acquire`/`wait`/`down`/`p` takes a number of permits (1 if none is given), is possible only while there are that many,
//! and returns nothing; `try_acquire` returns whether it got them; `release`/`post`/`signal`/`up`/`v` gives some back;
//! `available` counts them.

use super::spelling::{Folded, Method};
use super::{Goods, HandOver, Spec, Unfit, found_nothing};
use crate::history::Outcome;
use crate::value::Value;

/// A counting semaphore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Semaphore {
    /// The permits before any operation.
    pub permits: i64,
}

impl Default for Semaphore {
    fn default() -> Self {
        Self { permits: 1 }
    }
}

/// A call of a [`Semaphore`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SemaphoreCall {
    /// Takes permits when there are enough.
    Acquire(i64),
    /// Takes permits if there are enough; returns whether there were.
    TryAcquire(i64),
    /// Gives permits back.
    Release(i64),
    /// Counts the permits.
    Available,
}

impl Spec for Semaphore {
    type State = i64;
    type Call = SemaphoreCall;

    fn name(&self) -> &str {
        "semaphore"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<SemaphoreCall, Unfit> {
        let m = Method {
            spec: self.name(),
            name: method,
        };
        let permits = || match m.number(argument, 1)? {
            n if n < 0 => Err(m.bad_argument("a number of permits", argument)),
            n => Ok(n),
        };
        match Folded::new(method).as_str() {
            "acquire" | "wait" | "down" | "p" => permits().map(SemaphoreCall::Acquire),
            "tryacquire" | "trywait" | "trydown" => permits().map(SemaphoreCall::TryAcquire),
            "release" | "post" | "signal" | "up" | "v" => permits().map(SemaphoreCall::Release),
            "available" | "availablepermits" | "value" | "count" => {
                m.nothing(argument).map(|()| SemaphoreCall::Available)
            }
            _ => Err(m.unknown("acquire, try_acquire, release, available")),
        }
    }

    fn outcome(&self, call: &SemaphoreCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let method = |name| Method {
            spec: self.name(),
            name,
        };
        match call {
            SemaphoreCall::Acquire(n) => method("acquire").done(outcome, Some(&Value::Int(*n))),
            SemaphoreCall::Release(n) => method("release").done(outcome, Some(&Value::Int(*n))),
            SemaphoreCall::TryAcquire(_) => method("try_acquire").truth(outcome),
            SemaphoreCall::Available => method("available").count(outcome),
        }
    }

    fn initial(&self) -> i64 {
        self.permits
    }

    fn outcomes(&self, permits: &i64, call: &SemaphoreCall, each: &mut dyn FnMut(Value, i64)) {
        match call {
            SemaphoreCall::Acquire(n) if n <= permits => each(Value::Unit, permits - n),
            SemaphoreCall::Acquire(_) => {}
            SemaphoreCall::TryAcquire(n) if n <= permits => each(Value::Bool(true), permits - n),
            SemaphoreCall::TryAcquire(_) => each(Value::Bool(false), *permits),
            SemaphoreCall::Release(n) => each(Value::Unit, permits.saturating_add(*n)),
            SemaphoreCall::Available => each(Value::Int(*permits), *permits),
        }
    }

    fn may_wait(&self, call: &SemaphoreCall) -> bool {
        matches!(call, SemaphoreCall::Acquire(_))
    }

    fn is_read_only(&self, call: &SemaphoreCall) -> bool {
        matches!(call, SemaphoreCall::Available)
    }

    fn observes(&self, call: &SemaphoreCall, outcome: &Outcome) -> bool {
        self.is_read_only(call) || found_nothing(outcome)
    }

    fn hands_over(&self, call: &SemaphoreCall, outcome: &Outcome) -> HandOver {
        let permits = |n: &i64| Goods::Permits(n.unsigned_abs());
        match (call, outcome) {
            (SemaphoreCall::Release(n), _) => HandOver::Adds(permits(n)),
            (SemaphoreCall::Acquire(n), Outcome::Returned(_) | Outcome::Unknown)
            | (SemaphoreCall::TryAcquire(n), Outcome::Returned(Value::Bool(true))) => {
                HandOver::Takes(permits(n))
            }
            _ => HandOver::Nothing,
        }
    }

    fn stock(&self) -> u64 {
        u64::try_from(self.permits).unwrap_or(0)
    }

    fn show(&self, permits: &i64) -> String {
        match permits {
            1 => String::from("1 permit"),
            n => format!("{n} permits"),
        }
    }
}
