//! A test of an object: which operations run, in which threads.

use crate::value::Value;

/// One call that a client makes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Invocation {
    /// Which operation: an index into [`crate::machine::Subject::operations`].
    pub operation: u16,
    /// With what.
    pub argument: Value,
}

/// A test case (Ps, Pc, Pr) of CGVT: a sequential prefix builds a state, a concurrent part triggers a fault,
/// a sequential suffix reveals it.
///
/// A plain program (`main` with threads of its own) is the client with no operations at all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Client {
    /// Ps: run one after the other before the threads start.
    pub before: Vec<Invocation>,
    /// Pc: what each thread runs, in order.
    pub threads: Vec<Vec<Invocation>>,
    /// Pr: run one after the other when all threads have ended.
    pub after: Vec<Invocation>,
}

impl Client {
    /// The operations that make it large: those of the prefix and of the threads.
    pub fn size(&self) -> usize {
        let concurrent: usize = self.threads.iter().map(Vec::len).sum();
        concurrent + self.before.len()
    }
}

/// An operation that a harness declares, and what may be passed to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The operation's name, as in histories.
    pub name: String,
    /// The arguments worth trying, smallest first; `[Unit]` for an operation without arguments.
    pub domain: Vec<Value>,
    /// Who may call it and how often.
    pub limits: Limits,
}

/// Constraints on the generation of clients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// One thread alone calls all operations of the same role (single producer, owner of a work-stealing deque).
    pub role: Option<String>,
    /// It is called at most this often in a whole client.
    pub at_most: Option<u32>,
    /// Each call takes up an earlier one of this operation in the same thread (unlock after lock).
    pub after: Option<u16>,
    /// Who has called it does not call it again before it has called an operation that takes this one up: a thread that holds a lock does not take it again.
    pub exclusive: bool,
    /// What it may return for no reason but that others run beside it, without having done anything; as the harness writes it.
    pub may_fail: Option<String>,
}
