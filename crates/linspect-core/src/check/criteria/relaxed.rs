//! Quasi-linearizability as linearizability with respect to a relaxed specification: *causal k*.
//!
//! After Definition 4 of Lu Zhang, Arijit Chattopadhyay and Chao Wang, *Round-Up: runtime checking quasi
//! linearizability of concurrent data structures*, ASE 2013, and Afek, Korland and Yanovsky, *Quasi-linearizability:
//! relaxed consistency for improved concurrency*, OPODIS 2010.
//!
//! The elements stand in a line in the order in which a strict object would hand them out. Two restrictions hold when one
//! is taken:
//!
//! 1. at most `k` elements stand before it (it overtakes at most `k`);
//! 2. none of them was overtaken `k` times before.
//!
//! Round-Up words the second as "returned by one of the first k", but its examples, its notion of lateness and the counts
//! in its tables fit only k+1, which is what is said here. For queues this is the displacement of Definition 4 once the
//! elements left over are completed in their order. Unlike Definition 4 it never lets an operation be explained by
//! a later one, so it has an answer for every history, not only for complete ones. With k = 0 it is linearizability.

use crate::history::Outcome;
use crate::spec::{ContainerCall, Family, PriorityQueue, Queue, Spec, Stack, Unfit};
use crate::value::Value;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::fmt;

/// A container whose order can be relaxed.
pub(crate) trait Ordered: Spec<Call = ContainerCall> {
    /// Where a new element goes: before the first one for which this holds.
    fn goes_before(&self, new: &Value, old: &Value) -> bool;

    /// Whether handing out `taken` is at the expense of `first`, which stands before it.
    fn overtakes(&self, taken: &Value, first: &Value) -> bool;

    /// How many elements it holds at most.
    fn capacity(&self) -> Option<usize> {
        None
    }
}

impl Ordered for Queue {
    fn goes_before(&self, _new: &Value, _old: &Value) -> bool {
        false
    }

    fn overtakes(&self, _taken: &Value, _first: &Value) -> bool {
        true
    }

    fn capacity(&self) -> Option<usize> {
        self.capacity
    }
}

impl Ordered for Stack {
    fn goes_before(&self, _new: &Value, _old: &Value) -> bool {
        true
    }

    fn overtakes(&self, _taken: &Value, _first: &Value) -> bool {
        true
    }

    fn capacity(&self) -> Option<usize> {
        self.capacity
    }
}

impl Ordered for PriorityQueue {
    fn goes_before(&self, new: &Value, old: &Value) -> bool {
        self.compare(new, old) == Ordering::Less
    }

    fn overtakes(&self, taken: &Value, first: &Value) -> bool {
        // Among equals the strict object has no favourites either.
        self.compare(first, taken) == Ordering::Less
    }
}

/// `inner`, with its order relaxed.
pub(crate) struct Relaxed<'a, S> {
    pub(crate) inner: &'a S,
    pub(crate) k: usize,
    /// Whether restriction 2 holds too.
    pub(crate) patience: bool,
}

/// The elements in the order in which a strict object would hand them out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Line(SmallVec<[Waiting; 4]>);

/// An element, and how often it was overtaken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Waiting {
    element: Value,
    overtaken: usize,
}

impl<S: Ordered> Relaxed<'_, S> {
    fn put(&self, line: &Line, element: &Value) -> Line {
        let mut next = line.clone();
        let at = line
            .0
            .iter()
            .position(|old| self.inner.goes_before(element, &old.element));
        next.0.insert(
            at.unwrap_or(line.0.len()),
            Waiting {
                element: element.clone(),
                overtaken: 0,
            },
        );
        next
    }

    /// The line without the element at `at`, if it may be taken.
    fn take(&self, line: &Line, at: usize) -> Option<Line> {
        let taken = &line.0[at].element;
        let mut next = line.clone();
        let mut before = 0;
        for first in &mut next.0[..at] {
            if self.inner.overtakes(taken, &first.element) {
                before += 1;
                if before > self.k || self.patience && first.overtaken >= self.k {
                    return None;
                }
                // Without restriction 2 nobody asks, and equal lines should be equal.
                first.overtaken += usize::from(self.patience);
            }
        }
        next.0.remove(at);
        Some(next)
    }
}

impl<S: Ordered> Spec for Relaxed<'_, S> {
    type State = Line;
    type Call = ContainerCall;

    fn name(&self) -> &str {
        self.inner.name()
    }

    fn call(&self, method: &str, argument: &Value) -> Result<ContainerCall, Unfit> {
        let call = self.inner.call(method, argument)?;
        // Nobody defined what a relaxed `peek` returns.
        if call == ContainerCall::Peek {
            return Err(Unfit::Method {
                spec: format!("relaxed {}", self.inner.name()),
                method: method.to_owned(),
                known: String::from("operations that add, take, count"),
            });
        }
        Ok(call)
    }

    fn outcome(&self, call: &ContainerCall, outcome: &Outcome) -> Result<Outcome, Unfit> {
        self.inner.outcome(call, outcome)
    }

    fn initial(&self) -> Line {
        Line::default()
    }

    fn outcomes(&self, line: &Line, call: &ContainerCall, each: &mut dyn FnMut(Value, Line)) {
        let len = line.0.len();
        match call {
            ContainerCall::Put(_) if self.inner.capacity().is_some_and(|most| len >= most) => {
                each(Value::Bool(false), line.clone());
            }
            ContainerCall::Put(element) => each(Value::Unit, self.put(line, element)),
            ContainerCall::Take if len == 0 => each(Value::Nil, line.clone()),
            ContainerCall::Take => {
                for at in 0..len {
                    if let Some(next) = self.take(line, at) {
                        each(line.0[at].element.clone(), next);
                    }
                }
            }
            ContainerCall::Size => {
                each(
                    Value::Int(i64::try_from(len).unwrap_or(i64::MAX)),
                    line.clone(),
                );
            }
            ContainerCall::IsEmpty => each(Value::Bool(len == 0), line.clone()),
            ContainerCall::Peek => {}
        }
    }

    fn successors(
        &self,
        line: &Line,
        call: &ContainerCall,
        outcome: &Outcome,
        each: &mut dyn FnMut(Line),
    ) {
        if let (ContainerCall::Take, Outcome::Returned(result)) = (call, outcome)
            && *result != Value::Nil
        {
            for at in (0..line.0.len()).filter(|&at| line.0[at].element == *result) {
                if let Some(next) = self.take(line, at) {
                    each(next);
                }
            }
            return;
        }
        self.outcomes(line, call, &mut |result, next| {
            if outcome.value().is_none_or(|seen| *seen == result) {
                each(next);
            }
        });
    }

    fn nothing(&self) -> Option<&Value> {
        self.inner.nothing()
    }

    fn is_read_only(&self, call: &ContainerCall) -> bool {
        self.inner.is_read_only(call)
    }

    fn observes(&self, call: &ContainerCall, outcome: &Outcome) -> bool {
        self.inner.observes(call, outcome)
    }

    fn family(&self, call: &ContainerCall, outcome: &Outcome) -> Family {
        self.inner.family(call, outcome)
    }

    fn weight(&self, line: &Line) -> usize {
        if line.0.spilled() {
            line.0.capacity() * size_of::<Waiting>()
        } else {
            0
        }
    }

    fn show(&self, line: &Line) -> String {
        line.to_string()
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, waiting) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{}", waiting.element)?;
            if waiting.overtaken > 0 {
                write!(f, " (overtaken {}×)", waiting.overtaken)?;
            }
        }
        f.write_str("]")
    }
}
