//! What clients of an object saw: operations with closed real-time intervals.
//!
//! Operation `a` *precedes* `b` iff `a.ret < b.call`, or one process did both, `a` first. Equal times of different
//! processes overlap: a coarse clock does not tell which came first. A pending operation may take effect at any time after
//! its call, or never.

use crate::value::Value;
use std::fmt;
use std::sync::Arc;

/// A point in real time. Only the order of times matters.
pub type Time = u64;

/// The return time of an operation that never returned.
pub const NEVER: Time = Time::MAX;

/// An operation's index in its [`History`].
pub type OpId = u32;

/// How an operation ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It returned this value.
    Returned(Value),
    /// It took effect and returned, but nobody knows what: any result matches.
    Unknown,
    /// It has not returned: it may have taken effect, with any result, or not.
    Pending,
}

impl Outcome {
    /// The known result, if there is one.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Self::Returned(v) => Some(v),
            Self::Unknown | Self::Pending => None,
        }
    }
}

/// One call of one operation by one process, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Who called. A process has at most one operation in flight, unless the format says otherwise.
    pub process: u32,
    /// What was called, an index into [`History::methods`].
    pub method: u16,
    /// With what; several arguments are a [`Value::List`], none is [`Value::Unit`].
    pub argument: Value,
    /// What came back.
    pub outcome: Outcome,
    /// When it was called.
    pub call: Time,
    /// When it returned; [`NEVER`] iff the outcome is [`Outcome::Pending`].
    pub ret: Time,
}

impl Operation {
    /// Whether this operation ended before `other` began.
    pub fn precedes(&self, other: &Self) -> bool {
        self.ret < other.call
    }

    /// Whether this operation never returned.
    pub fn is_pending(&self) -> bool {
        matches!(self.outcome, Outcome::Pending)
    }
}

/// A recorded behaviour of one object: its operations, in order of their calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Method names; operations refer to them by index.
    pub methods: Vec<Arc<str>>,
    /// The operations, sorted by call time.
    pub operations: Vec<Operation>,
    /// Whether operations that one process began and ended at one moment of the clock stand in the order in which it did
    /// them. If not, nobody knows that order.
    pub keeps_turns: bool,
}

impl History {
    /// An empty history.
    pub fn new() -> Self {
        Self::default()
    }

    /// The index of method `name`, added if it is new.
    ///
    /// # Panics
    /// If a history has more than 65 536 methods.
    pub fn method(&mut self, name: &str) -> u16 {
        let at = self
            .methods
            .iter()
            .position(|m| &**m == name)
            .unwrap_or_else(|| {
                self.methods.push(Arc::from(name));
                self.methods.len() - 1
            });
        u16::try_from(at).expect("a history has at most 65 536 methods")
    }

    /// The name of `op`'s method.
    pub fn name(&self, op: &Operation) -> &str {
        &self.methods[usize::from(op.method)]
    }

    /// Adds an operation that returned; for tests and examples. Keep call times ascending.
    pub fn push(
        &mut self,
        process: u32,
        name: &str,
        argument: impl Into<Value>,
        result: impl Into<Value>,
        call: Time,
        ret: Time,
    ) -> OpId {
        let method = self.method(name);
        self.operations.push(Operation {
            process,
            method,
            argument: argument.into(),
            outcome: Outcome::Returned(result.into()),
            call,
            ret,
        });
        OpId::try_from(self.operations.len() - 1).expect("fewer than 2^32 operations")
    }

    /// The history of the operations `keep`, in the same real time.
    pub fn restrict(&self, keep: &[OpId]) -> Self {
        Self {
            methods: self.methods.clone(),
            operations: keep
                .iter()
                .map(|&id| self.operations[id as usize].clone())
                .collect(),
            keeps_turns: self.keeps_turns,
        }
    }

    /// `op` as a person writes it: `enqueue(1) → true`.
    pub fn show(&self, id: OpId) -> impl fmt::Display + '_ {
        let result = true;
        ShowOperation {
            history: self,
            id,
            result,
        }
    }

    /// `op` without what came of it: `enqueue(1)`.
    pub fn show_call(&self, id: OpId) -> impl fmt::Display + '_ {
        let result = false;
        ShowOperation {
            history: self,
            id,
            result,
        }
    }
}

struct ShowOperation<'a> {
    history: &'a History,
    id: OpId,
    /// Whether to say what came of it.
    result: bool,
}

impl fmt::Display for ShowOperation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let op = &self.history.operations[self.id as usize];
        write!(f, "{}(", self.history.name(op))?;
        for (i, item) in op.argument.items().iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{item}")?;
        }
        f.write_str(")")?;
        match &op.outcome {
            _ if !self.result => Ok(()),
            Outcome::Returned(Value::Unit) => Ok(()),
            Outcome::Returned(v) => write!(f, " → {v}"),
            Outcome::Unknown => f.write_str(" → ?"),
            Outcome::Pending => f.write_str(" … never returned"),
        }
    }
}
