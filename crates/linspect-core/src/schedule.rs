//! Which thread goes next, step by step.

/// A thread of an execution. Thread 0 is the first of the client (`main` of a plain program); threads
/// started later count on in the order of their creation. Creations are steps that conflict with each other, so that order, and with it every
/// number, is the same in all equivalent schedules.
pub type ThreadId = u16;

/// One decision: `thread` takes its next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Choice {
    /// Who goes.
    pub thread: ThreadId,
    /// Which of the step's alternatives (see [`crate::machine::Machine::alternatives`]); 0 almost always.
    pub branch: u8,
}

impl Choice {
    /// The only way `thread` can go on.
    pub fn of(thread: ThreadId) -> Self {
        Self { thread, branch: 0 }
    }
}

/// The decisions of one execution, in order. Together with a program and a client it determines the execution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Schedule(pub Vec<Choice>);
