//! What queues, stacks and priority queues have in common: their calls, and how these are spelled.

use super::spelling::Method;
use super::view::{Access, Container};
use super::{
    Family, Goods, HandOver, Meeting, Sees, Unfit, added, found_nothing, hands_out, put_meets,
    seen, take_meets, taken,
};
use crate::history::Outcome;
use crate::value::Value;

/// A call of a [`Queue`](super::Queue), a [`Stack`](super::Stack) or a [`PriorityQueue`](super::PriorityQueue).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ContainerCall {
    /// Puts a value in.
    Put(Value),
    /// Removes the value that is due and returns it.
    Take,
    /// Shows the value that is due.
    Peek,
    /// Counts the values.
    Size,
    /// Whether there are none.
    IsEmpty,
}

impl ContainerCall {
    /// See [`Spec::may_wait`](super::Spec::may_wait).
    pub(super) fn may_wait(&self, container: &impl Container) -> bool {
        match self {
            Self::Put(_) => container.is_bounded(),
            Self::Take | Self::Peek => true,
            Self::Size | Self::IsEmpty => false,
        }
    }

    pub(super) fn is_read_only(&self) -> bool {
        matches!(self, Self::Peek | Self::Size | Self::IsEmpty)
    }

    /// See [`Spec::observes`](super::Spec::observes).
    pub(super) fn observes(&self, outcome: &Outcome) -> bool {
        self.is_read_only() || found_nothing(outcome)
    }

    /// See [`Spec::family`](super::Spec::family).
    pub(super) fn family(&self, outcome: &Outcome, container: &impl Container) -> Family {
        match self {
            Self::Put(_) if container.is_bounded() && !added(outcome) => Family::Mixed,
            Self::Put(v) => Family::Of(v.clone()),
            Self::Take => taken(outcome),
            Self::Peek => seen(outcome),
            Self::IsEmpty if *outcome == Outcome::Returned(Value::Bool(true)) => Family::Alike,
            Self::IsEmpty | Self::Size => Family::Mixed,
        }
    }

    /// See [`Spec::meets`](super::Spec::meets).
    pub(super) fn meets(&self, outcome: &Outcome, container: &impl Container) -> Meeting {
        match self {
            // Whether it is refused depends on how many there are.
            Self::Put(v) if container.is_bounded() && !added(outcome) => Meeting {
                sees: match outcome {
                    Outcome::Pending => Sees::Nothing,
                    _ => Sees::Anything,
                },
                leaves: Some(v.clone()),
            },
            Self::Put(v) => put_meets(v),
            Self::Take => take_meets(outcome),
            Self::Peek => super::read_meets(outcome),
            Self::Size | Self::IsEmpty => super::look_meets(outcome),
        }
    }

    /// See [`Spec::hands_over`](super::Spec::hands_over).
    pub(super) fn hands_over(&self, outcome: &Outcome) -> HandOver {
        match self {
            Self::Put(value) => HandOver::Adds(Goods::Value(value.clone())),
            Self::Take => hands_out(outcome),
            Self::Peek | Self::Size | Self::IsEmpty => HandOver::Nothing,
        }
    }
}

/// What a container and its methods are called.
pub(super) struct Words {
    pub(super) container: &'static str,
    pub(super) put: &'static str,
    pub(super) take: &'static str,
    /// Whether a value may be refused.
    pub(super) refuses: bool,
}

impl Words {
    fn method<'a>(&'a self, name: &'a str) -> Method<'a> {
        Method {
            spec: self.container,
            name,
        }
    }

    /// The call of `method` of `container`, which spells "there was nothing" also as `empty`.
    pub(super) fn call(
        &self,
        container: &impl Container,
        empty: Option<&Value>,
        method: &str,
        argument: &Value,
    ) -> Result<ContainerCall, Unfit> {
        let m = self.method(method);
        let nullary = |call| m.nothing(argument).map(|()| call);
        match container.access(method) {
            Some(Access::Put) => m.element(argument, empty).map(ContainerCall::Put),
            Some(Access::Take) => nullary(ContainerCall::Take),
            Some(Access::Peek) => nullary(ContainerCall::Peek),
            Some(Access::Size) => nullary(ContainerCall::Size),
            Some(Access::IsEmpty) => nullary(ContainerCall::IsEmpty),
            Some(Access::TakeThis) | None => {
                let Self { put, take, .. } = self;
                Err(m.unknown(&format!("{put}, {take}, peek, size, is_empty")))
            }
        }
    }

    /// See [`Spec::outcome`](super::Spec::outcome).
    pub(super) fn outcome(
        &self,
        call: &ContainerCall,
        outcome: &Outcome,
        empty: Option<&Value>,
    ) -> Result<Outcome, Unfit> {
        match call {
            ContainerCall::Put(v) if self.refuses => {
                self.method(self.put).done_or_not(outcome, Some(v))
            }
            ContainerCall::Put(v) => self.method(self.put).done(outcome, Some(v)),
            ContainerCall::Take => self.method(self.take).taken(outcome, empty),
            ContainerCall::Peek => self.method("peek").taken(outcome, empty),
            ContainerCall::Size => self.method("size").count(outcome),
            ContainerCall::IsEmpty => self.method("is_empty").truth(outcome),
        }
    }
}
