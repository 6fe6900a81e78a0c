//! A specification written as rules, without a line of Rust.
//!
//! The state is one [`Value`]. A call has rules `state -> state returns result when condition`, of which the first that fits
//! counts; where none fits, the call is not possible in that state. Names stand for whatever is there; a name that comes twice stands for the
//! same both times; `..rest` stands for the rest of a list.
//!
//! ```
//! use linspect_core::spec::Rulebook;
//!
//! let queue = Rulebook::new("queue", "[]", None, &[
//!     ("enqueue(x)", &["[..q] -> [..q, x]"]),
//!     ("dequeue()", &["[x, ..q] -> [..q] returns x", "[] -> [] returns nil"]),
//! ])?;
//! let counter = Rulebook::new("counter", "0", None, &[("add(n)", &["c -> c + n"]), ("read()", &["c -> c returns c"])])?;
//! # Ok::<(), linspect_core::spec::BadRule>(())
//! ```

mod parse;
mod term;

use self::parse::Parser;
use self::term::{Comparison, Term};
use super::spelling::Method;
use super::{Spec, Unfit};
use crate::history::Outcome;
use crate::value::Value;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// A specification written as rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rulebook {
    name: String,
    initial: Value,
    calls: Vec<Rules>,
    /// Whether there is one such object per value of the first parameter.
    is_per: bool,
}

/// What is wrong with a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: {problem}")]
pub struct BadRule {
    /// What was read.
    pub text: String,
    /// What is wrong with it.
    pub problem: String,
}

/// The rules of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rules {
    method: String,
    parameters: Vec<Term>,
    rules: Vec<Rule>,
}

/// `from -> to returns result when conditions`
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    from: Term,
    to: Term,
    returns: Option<Term>,
    conditions: Vec<Comparison>,
}

/// A call of a [`Rulebook`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RulebookCall {
    /// Which call of the model.
    rules: usize,
    /// Which object, if there are many.
    object: Value,
    /// What it was called with.
    argument: Value,
    /// What its names stand for.
    bound: Bound,
}

/// What names stand for, by number.
type Bound = SmallVec<[Option<Value>; 4]>;

/// Per object its state, sorted by object; those in their initial state are left out.
type States = SmallVec<[(Value, Value); 1]>;

impl Rulebook {
    /// The model called `name` that starts as `initial` and has these calls, each with its rules. `per` names the first parameter of
    /// every call, if there is one such object per value of it.
    pub fn new(
        name: &str,
        initial: &str,
        per: Option<&str>,
        calls: &[(impl AsRef<str>, &[impl AsRef<str>])],
    ) -> Result<Self, BadRule> {
        let bad = |text: &str, problem: String| BadRule {
            text: text.to_owned(),
            problem,
        };
        let mut names = Vec::new();
        let start = Parser::new(initial).only_term(&mut names);
        let start = start.map_err(|problem| bad(initial, problem))?;
        let initial = start
            .value(&Bound::new())
            .ok_or_else(|| bad(initial, "the initial state has no names in it".into()))?;
        let mut all = Vec::new();
        for (call, rules) in calls {
            let call = call.as_ref();
            let mut names = Vec::new();
            let signature = Parser::new(call).signature(&mut names);
            let (method, parameters) = signature.map_err(|problem| bad(call, problem))?;
            if per.is_some_and(|per| names.first().map(String::as_str) != Some(per))
                || per.is_some() && !matches!(parameters.first(), Some(Term::Name(0)))
            {
                let problem = format!("its first parameter must be `{}`", per.unwrap_or_default());
                return Err(bad(call, problem));
            }
            let rules: Result<Vec<Rule>, BadRule> = rules
                .iter()
                .map(|rule| {
                    let rule = rule.as_ref();
                    let parsed = Parser::new(rule).rule(&mut names.clone());
                    parsed.map_err(|problem| bad(rule, problem))
                })
                .collect();
            let rules = rules?;
            if rules.is_empty() {
                return Err(bad(call, "a call needs a rule".into()));
            }
            all.push(Rules {
                method: folded(&method),
                parameters,
                rules,
            });
        }
        if all.is_empty() {
            return Err(bad(name, "a model needs a call".into()));
        }
        // `set(0)` before `set(x)`, whatever the order in which they are told.
        all.sort_by_key(|rules| rules.parameters.iter().map(Term::names).sum::<usize>());
        Ok(Self {
            name: name.to_owned(),
            initial,
            calls: all,
            is_per: per.is_some(),
        })
    }

    fn state<'s>(&'s self, states: &'s States, object: &Value) -> &'s Value {
        match states.binary_search_by(|(other, _)| other.cmp(object)) {
            Ok(at) => &states[at].1,
            Err(_) => &self.initial,
        }
    }

    fn with_state(&self, states: &States, object: &Value, state: Value) -> States {
        let mut next = states.clone();
        let is_initial = state == self.initial;
        match next.binary_search_by(|(other, _)| other.cmp(object)) {
            Ok(at) if is_initial => drop(next.remove(at)),
            Ok(at) => next[at].1 = state,
            Err(_) if is_initial => {}
            Err(at) => next.insert(at, (object.clone(), state)),
        }
        next
    }
}

impl Rule {
    /// The result and the state after it, if it fits.
    fn apply(&self, state: &Value, bound: &Bound) -> Option<(Value, Value)> {
        let mut bound = bound.clone();
        if !self.from.matches(state, &mut bound) {
            return None;
        }
        for Comparison { left, right, holds } in &self.conditions {
            let (left, right) = (left.value(&bound)?, right.value(&bound)?);
            if !holds.contains(&left.cmp(&right)) {
                return None;
            }
        }
        let result = match &self.returns {
            Some(returns) => returns.value(&bound)?,
            None => Value::Unit,
        };
        Some((result, self.to.value(&bound)?))
    }

    fn changes_nothing(&self) -> bool {
        self.from == self.to && self.from.is_plain()
    }

    /// Whether it may return `value`.
    fn may_return(&self, value: &Value) -> bool {
        match &self.returns {
            None => *value == Value::Unit,
            Some(Term::Value(only)) => only == value,
            Some(_) => true,
        }
    }
}

impl Spec for Rulebook {
    type State = States;
    type Call = RulebookCall;

    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, method: &str, argument: &Value) -> Result<RulebookCall, Unfit> {
        let m = Method {
            spec: &self.name,
            name: method,
        };
        let name = folded(method);
        let mut wanted = Vec::new();
        for (rules, call) in self.calls.iter().enumerate() {
            if call.method != name {
                continue;
            }
            let given = match &call.parameters[..] {
                // A method without parameters; Jepsen calls it with nil.
                [] if argument.is_nothing() => &[][..],
                [_] if *argument != Value::Unit => std::slice::from_ref(argument),
                _ => argument.items(),
            };
            let mut bound = Bound::new();
            if given.len() == call.parameters.len()
                && (call.parameters.iter().zip(given)).all(|(p, v)| p.matches(v, &mut bound))
            {
                return Ok(RulebookCall {
                    rules,
                    object: match given.first() {
                        Some(object) if self.is_per => object.clone(),
                        _ => Value::Unit,
                    },
                    argument: argument.clone(),
                    bound,
                });
            }
            wanted.push(match call.parameters.len() {
                0 => String::from("no argument"),
                1 => String::from("one argument"),
                n => format!("{n} arguments"),
            });
        }
        if wanted.is_empty() {
            let mut known: Vec<&str> = self.calls.iter().map(|c| &*c.method).collect();
            known.sort_unstable();
            known.dedup();
            return Err(m.unknown(&known.join(", ")));
        }
        wanted.dedup();
        Err(m.bad_argument(
            &format!("{}, as the model says", wanted.join(" or ")),
            argument,
        ))
    }

    fn outcome(&self, call: &RulebookCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        let rules = &self.calls[call.rules];
        let method = Method {
            spec: &self.name,
            name: &rules.method,
        };
        let all = |is: fn(&Rule) -> bool| rules.rules.iter().all(is);
        let is_argument = |v: &Value| *v != Value::Unit && *v == call.argument;
        if all(|rule| rule.returns.is_none()) {
            return match outcome {
                // Jepsen repeats the argument of whoever only acknowledges.
                Outcome::Returned(v) if is_argument(v) => Ok(Outcome::Returned(Value::Unit)),
                other => method.done(other, call.bound.last().and_then(Option::as_ref)),
            };
        }
        if all(|rule| matches!(rule.returns, Some(Term::Value(Value::Bool(_))))) {
            return match outcome {
                Outcome::Returned(v) if is_argument(v) => Ok(Outcome::Returned(Value::Bool(true))),
                other => method.truth(other),
            };
        }
        Ok(method.any(outcome))
    }

    fn initial(&self) -> States {
        States::new()
    }

    fn outcomes(&self, states: &States, call: &RulebookCall, each: &mut dyn FnMut(Value, States)) {
        let state = self.state(states, &call.object);
        let mut rules = self.calls[call.rules].rules.iter();
        if let Some((result, next)) = rules.find_map(|rule| rule.apply(state, &call.bound)) {
            each(result, self.with_state(states, &call.object, next));
        }
    }

    fn is_read_only(&self, call: &RulebookCall) -> bool {
        let rules = &self.calls[call.rules].rules;
        rules.iter().all(Rule::changes_nothing)
    }

    fn observes(&self, call: &RulebookCall, outcome: &Outcome) -> bool {
        let rules = &self.calls[call.rules].rules;
        let may = |rule: &&Rule| outcome.value().is_none_or(|value| rule.may_return(value));
        rules.iter().filter(may).all(Rule::changes_nothing)
    }

    fn part(&self, call: &RulebookCall) -> Option<Value> {
        self.is_per.then(|| call.object.clone())
    }

    fn weight(&self, states: &States) -> usize {
        let of = |value: &Value| match value {
            Value::List(items) => items.len() * size_of::<Value>(),
            Value::Text(text) => text.len(),
            _ => 0,
        };
        let spilled = if states.spilled() {
            states.capacity()
        } else {
            0
        };
        spilled * size_of::<(Value, Value)>()
            + states
                .iter()
                .map(|(object, state)| of(object) + of(state))
                .sum::<usize>()
    }

    fn show(&self, states: &States) -> String {
        if !self.is_per {
            return self.state(states, &Value::Unit).to_string();
        }
        let shown: Vec<String> = states.iter().map(|(o, s)| format!("{o}: {s}")).collect();
        format!("{{{}}}", shown.join(", "))
    }
}

/// A method without case, `-` and `_`.
fn folded(method: &str) -> String {
    let kept = method.chars().filter(|c| !matches!(c, '-' | '_'));
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

/// The orders that a comparison allows.
const ORDERS: [(&str, &[Ordering]); 6] = [
    ("<=", &[Ordering::Less, Ordering::Equal]),
    (">=", &[Ordering::Greater, Ordering::Equal]),
    ("!=", &[Ordering::Less, Ordering::Greater]),
    ("=", &[Ordering::Equal]),
    ("<", &[Ordering::Less]),
    (">", &[Ordering::Greater]),
];
