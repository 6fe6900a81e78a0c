//! Specifications as the specialised deciders see them: without states, by what single operations do.

use crate::history::{Operation, Outcome};
use crate::value::Value;

/// What a method of a container does; all containers with `put` and `take` share these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Puts its argument in.
    Put,
    /// Takes out what is due and returns it.
    Take,
    /// Takes out its argument and returns whether it was there.
    TakeThis,
    /// Returns what is due.
    Peek,
    /// Counts the values.
    Size,
    /// Whether there are none.
    IsEmpty,
}

/// A specification of a container with `put` and `take`, as the specialised deciders see it.
pub(crate) trait Container {
    /// What the method `name` does; `None` for a method that changes nothing (or does not exist).
    fn access(&self, name: &str) -> Option<Access>;

    /// Whether the result `value` says that there was nothing.
    fn is_empty_mark(&self, value: &Value) -> bool;

    /// Whether it can refuse a value because it is full.
    fn is_bounded(&self) -> bool {
        false
    }
}

/// What an operation does to the register.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RegisterDeed<'h> {
    /// Returned this value.
    Read(&'h Value),
    /// Wrote this value.
    Write(&'h Value),
    /// Changed nothing and said nothing.
    Irrelevant,
    /// Changed nothing, but said something that zones do not know.
    LeftOut,
    /// Changed something, in a way that zones do not know.
    Beyond,
}

impl<'h> RegisterDeed<'h> {
    /// What a read does that ended so.
    pub(crate) fn read(outcome: &'h Outcome) -> Self {
        match outcome {
            Outcome::Returned(Value::Unit) | Outcome::Unknown | Outcome::Pending => {
                Self::Irrelevant
            }
            Outcome::Returned(value) => Self::Read(value),
        }
    }
}

/// What a method of a register or of a map does to its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueAccess {
    /// Returns the value.
    Read,
    /// Replaces the value by its argument.
    Write,
    /// Looks at the value and says something about it.
    Look,
    /// Changes the value in another way, unless it returns `false`.
    Update,
}

/// A specification whose histories can be read as those of a register.
pub(crate) trait RegisterLike {
    /// The value before any write.
    fn initial(&self) -> &Value;

    /// What the method `name` does.
    fn access(&self, name: &str) -> ValueAccess;

    /// What `op`, whose method does `access`, does.
    fn deed<'h>(&'h self, access: ValueAccess, op: &'h Operation) -> RegisterDeed<'h> {
        match (access, &op.outcome) {
            (ValueAccess::Read, outcome) => RegisterDeed::read(outcome),
            (ValueAccess::Write, _) => RegisterDeed::Write(&op.argument),
            (ValueAccess::Look, _)
            | (ValueAccess::Update, Outcome::Returned(Value::Bool(false))) => RegisterDeed::LeftOut,
            (ValueAccess::Update, _) => RegisterDeed::Beyond,
        }
    }
}
