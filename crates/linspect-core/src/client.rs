//! A test of an object: which operations run, in which threads.

use crate::schedule::ThreadId;
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
    /// Ps: run one after the other before the threads run beside each other.
    pub before: Vec<Invocation>,
    /// Who runs the first operations of Ps: threads of Pc that warm up, each on its own, so that what a thread does at first (it registers itself, it fills its
    /// cache) is done before others run beside it. All other operations of Ps belong to no thread of Pc.
    pub warm: Vec<ThreadId>,
    /// Pc: what each thread runs, in order.
    pub threads: Vec<Vec<Invocation>>,
    /// Pr: run one after the other when all threads have ended.
    pub after: Vec<Invocation>,
}

impl Client {
    /// The operations that make it large: those of the prefix and of the threads, but for warm-ups.
    pub fn size(&self) -> usize {
        let concurrent: usize = self.threads.iter().map(Vec::len).sum();
        concurrent + self.before.len() - self.warm.len()
    }

    /// Whether threads warm up before others run beside them.
    pub fn is_warm(&self) -> bool {
        !self.warm.is_empty()
    }

    /// Which thread of Pc runs this operation of Ps, if one does.
    pub fn warms_up(&self, before: usize) -> Option<ThreadId> {
        self.warm.get(before).copied()
    }

    /// Takes an operation out of Ps.
    pub fn remove_before(&mut self, at: usize) {
        self.before.remove(at);
        if at < self.warm.len() {
            self.warm.remove(at);
        }
    }

    /// Takes out the warm-ups of a thread that is no more; those behind it have moved up.
    pub fn forget_thread(&mut self, gone: usize) {
        let mut at = 0;
        while let Some(&thread) = self.warm.get(at) {
            if usize::from(thread) == gone {
                self.remove_before(at);
            } else {
                self.warm[at] -= ThreadId::from(usize::from(thread) > gone);
                at += 1;
            }
        }
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
    /// By the specification it never waits for others ([`Spec::may_wait`](crate::spec::Spec::may_wait)): only those may hold it up who can let it go on, too.
    pub never_waits: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warm_ups_go_with_their_threads() {
        let call = |operation| Invocation {
            operation,
            argument: Value::Unit,
        };
        let mut client = Client {
            before: (0..4).map(call).collect(),
            warm: vec![0, 1, 2],
            threads: vec![vec![call(4)], vec![call(5)], vec![call(6), call(7)]],
            after: vec![call(8)],
        };
        assert_eq!(client.size(), 5);
        client.forget_thread(1);
        client.threads.remove(1);
        assert_eq!(client.before, [call(0), call(2), call(3)]);
        assert_eq!(client.warm, [0, 1]);
        client.remove_before(2);
        client.remove_before(0);
        assert_eq!((client.before, client.warm), (vec![call(2)], vec![1]));
    }
}
