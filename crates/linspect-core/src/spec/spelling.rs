//! How histories spell methods, arguments and results, and what the built-in specifications make of it.

use super::Unfit;
use crate::history::Outcome;
use crate::value::Value;

/// The longest method name of any built-in specification, folded.
const LONGEST: usize = 24;

/// A method name without case, `-` and `_`: `Try-Lock`, `tryLock` and `try_lock` are one method.
pub(super) struct Folded {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Folded {
    pub(super) fn new(method: &str) -> Self {
        let mut bytes = [0; LONGEST];
        let mut len = 0;
        for b in method.bytes().filter(|b| !matches!(b, b'-' | b'_')) {
            if len == LONGEST {
                return Self { bytes, len: 0 };
            }
            bytes[len] = b.to_ascii_lowercase();
            len += 1;
        }
        Self { bytes, len }
    }

    /// The folded name; empty if it is longer than any name there is.
    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

/// A specification's method, for reading its arguments and results and for naming it in errors.
#[derive(Clone, Copy)]
pub(super) struct Method<'a> {
    pub(super) spec: &'a str,
    pub(super) name: &'a str,
}

impl Method<'_> {
    pub(super) fn unknown(self, known: &str) -> Unfit {
        Unfit::Method {
            spec: self.spec.to_owned(),
            method: self.name.to_owned(),
            known: known.to_owned(),
        }
    }

    pub(super) fn bad_argument(self, wanted: &str, found: &Value) -> Unfit {
        Unfit::Argument {
            spec: self.spec.to_owned(),
            method: self.name.to_owned(),
            wanted: wanted.to_owned(),
            found: found.clone(),
        }
    }

    pub(super) fn bad_result(self, wanted: &str, found: &Value) -> Unfit {
        Unfit::Result {
            spec: self.spec.to_owned(),
            method: self.name.to_owned(),
            wanted: wanted.to_owned(),
            found: found.clone(),
        }
    }

    /// No argument. Jepsen calls such a method with `nil`.
    pub(super) fn nothing(self, argument: &Value) -> Result<(), Unfit> {
        if argument.is_nothing() {
            Ok(())
        } else {
            Err(self.bad_argument("no argument", argument))
        }
    }

    /// One value, which may itself be a list.
    pub(super) fn value(self, argument: &Value) -> Result<Value, Unfit> {
        match argument {
            Value::Unit => Err(self.bad_argument("a value", argument)),
            value => Ok(value.clone()),
        }
    }

    /// One value that may lie in a container: not one of the spellings of "there was nothing".
    pub(super) fn element(self, argument: &Value, empty: Option<&Value>) -> Result<Value, Unfit> {
        if *argument == Value::Unit || is_empty_mark(argument, empty) {
            return Err(self.bad_argument("a value that does not stand for emptiness", argument));
        }
        Ok(argument.clone())
    }

    /// A whole number, `default` if there is none.
    pub(super) fn number(self, argument: &Value, default: i64) -> Result<i64, Unfit> {
        match argument {
            Value::Unit | Value::Nil => Ok(default),
            Value::Int(n) => Ok(*n),
            found => Err(self.bad_argument("a whole number", found)),
        }
    }

    /// Nothing of interest was returned: `()`, `nil`, `true` or C's 1, `"ok"`, or the argument again.
    pub(super) fn done(
        self,
        outcome: &Outcome,
        argument: Option<&Value>,
    ) -> Result<Outcome, Unfit> {
        match outcome {
            Outcome::Returned(v)
                if is_done_mark(v) || *v == Value::Int(1) || argument == Some(v) =>
            {
                Ok(Outcome::Returned(Value::Unit))
            }
            Outcome::Returned(found) => Err(self.bad_result("nothing", found)),
            other => Ok(other.clone()),
        }
    }

    /// As [`Method::done`], but `false` or C's 0 says that it was not done.
    pub(super) fn done_or_not(
        self,
        outcome: &Outcome,
        argument: Option<&Value>,
    ) -> Result<Outcome, Unfit> {
        match outcome {
            Outcome::Returned(v @ Value::Bool(false)) => Ok(Outcome::Returned(v.clone())),
            Outcome::Returned(v @ Value::Int(0)) if argument != Some(v) => {
                Ok(Outcome::Returned(Value::Bool(false)))
            }
            other => self.done(other, argument),
        }
    }

    /// A truth value.
    pub(super) fn truth(self, outcome: &Outcome) -> Result<Outcome, Unfit> {
        match outcome {
            Outcome::Returned(v) => match v {
                Value::Bool(_) => Ok(outcome.clone()),
                Value::Int(n @ (0 | 1)) => Ok(Outcome::Returned(Value::Bool(*n == 1))),
                Value::Unit => Ok(Outcome::Unknown),
                found => Err(self.bad_result("true or false", found)),
            },
            other => Ok(other.clone()),
        }
    }

    /// Whether something changed: a truth value, or one of the spellings of "done", which do not say.
    pub(super) fn changed(self, outcome: &Outcome, argument: &Value) -> Result<Outcome, Unfit> {
        match outcome {
            Outcome::Returned(Value::Bool(_)) => Ok(outcome.clone()),
            Outcome::Returned(v) if is_done_mark(v) || v == argument => Ok(Outcome::Unknown),
            other => self.truth(other),
        }
    }

    /// As [`Method::done`] for a method that takes `[key, value]`.
    pub(super) fn written(
        self,
        outcome: &Outcome,
        key: &Value,
        value: &Value,
    ) -> Result<Outcome, Unfit> {
        match outcome {
            Outcome::Returned(Value::List(pair)) if **pair == [key.clone(), value.clone()] => {
                Ok(Outcome::Returned(Value::Unit))
            }
            other => self.done(other, Some(value)),
        }
    }

    /// All values of a container, in any order.
    pub(super) fn collection(self, outcome: &Outcome) -> Result<Outcome, Unfit> {
        match outcome {
            Outcome::Returned(v) => match v {
                Value::List(items) => {
                    let mut items = items.to_vec();
                    items.sort_unstable();
                    Ok(Outcome::Returned(Value::list(items)))
                }
                Value::Unit => Ok(Outcome::Unknown),
                found => Err(self.bad_result("a list of values", found)),
            },
            other => Ok(other.clone()),
        }
    }

    /// A whole number.
    pub(super) fn count(self, outcome: &Outcome) -> Result<Outcome, Unfit> {
        match outcome {
            Outcome::Returned(v) => match v {
                Value::Int(_) => Ok(outcome.clone()),
                Value::Unit => Ok(Outcome::Unknown),
                found => Err(self.bad_result("a whole number", found)),
            },
            other => Ok(other.clone()),
        }
    }

    /// An element of a container, or `nil` where there was none.
    pub(super) fn taken(self, outcome: &Outcome, empty: Option<&Value>) -> Result<Outcome, Unfit> {
        Ok(match outcome {
            Outcome::Returned(Value::Unit) => Outcome::Unknown,
            Outcome::Returned(v) if is_empty_mark(v, empty) => Outcome::Returned(Value::Nil),
            other => other.clone(),
        })
    }

    /// Any value; `()` is none.
    pub(super) fn any(self, outcome: &Outcome) -> Outcome {
        match outcome {
            Outcome::Returned(Value::Unit) => Outcome::Unknown,
            other => other.clone(),
        }
    }
}

/// Whether a container that returns `v` says that it had nothing; `empty` is the object's own spelling, such as -1.
pub(crate) fn is_empty_mark(v: &Value, empty: Option<&Value>) -> bool {
    match v {
        Value::Nil | Value::Bool(false) => true,
        Value::Text(s) => &**s == "empty" || empty == Some(v),
        other => empty == Some(other),
    }
}

fn is_done_mark(v: &Value) -> bool {
    match v {
        Value::Unit | Value::Nil | Value::Bool(true) => true,
        Value::Text(s) => &**s == "ok",
        _ => false,
    }
}
