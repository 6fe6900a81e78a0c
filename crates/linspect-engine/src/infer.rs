//! Which object a history is of, when nobody says so: told from the names of its methods and the shapes of its values.

use linspect_core::history::{History, OpId};
use linspect_core::spec::{Builtin, Spec, Visitor};
use linspect_core::value::Value;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What the methods of a history tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inferred {
    /// This specification, and no other sensible one.
    Spec(&'static str),
    /// One of these.
    Ambiguous(Vec<&'static str>),
    /// None of those that are built in.
    Nothing,
}

/// Names that are used for one kind of object only, folded as specifications fold them.
const TELLING: [(&str, &[&str]); 6] = [
    ("queue", &["enqueue", "enq", "dequeue", "deq"]),
    ("mutex", &["lock", "unlock", "trylock"]),
    ("set", &["contains", "member", "lookup"]),
    ("pair-snapshot", &["scan", "update", "snapshot"]),
    (
        "deque",
        &["pushfront", "popfront", "pushback", "popback", "steal"],
    ),
    ("kv", &["append", "putifabsent"]),
];

/// Specifications that take so many names that fitting alone means little.
const BROAD: [&str; 3] = ["multiset", "deque", "pair-snapshot"];

/// How many operations are tried, beside the first of each method.
const TRIED: usize = 2_000;

/// The specification that `history` is of.
pub fn infer(history: &History) -> Inferred {
    let tried = sample(history);
    let fits = |name: &&'static str| {
        let fits = Fits {
            history,
            tried: &tried,
        };
        Builtin::named(name).is_ok_and(|spec| spec.visit(fits))
    };
    let mut fitting: Vec<&'static str> = Builtin::NAMES.into_iter().filter(fits).collect();
    let methods: FxHashSet<String> = history.methods.iter().map(|m| folded(m)).collect();
    for (spec, names) in TELLING {
        let is_told = names.iter().any(|&name| methods.contains(name));
        if is_told && fitting.contains(&spec) {
            return Inferred::Spec(spec);
        }
    }
    // A register without compare-and-set behaves alike under both specifications.
    if fitting.contains(&"register") {
        fitting.retain(|&name| name != "cas-register");
    }
    if fitting.iter().any(|name| !BROAD.contains(name)) {
        fitting.retain(|name| !BROAD.contains(name));
    }
    match *fitting {
        [] => Inferred::Nothing,
        [only] => Inferred::Spec(only),
        // Where nothing happened, it is right whatever it is.
        [first, ..] if history.operations.is_empty() => Inferred::Spec(first),
        _ => Inferred::Ambiguous(fitting),
    }
}

/// Whether the object called `spec` has a `read` that looks where each of `sent` says.
pub fn reads_at<'v>(spec: &Builtin, sent: impl Iterator<Item = &'v Value>) -> bool {
    struct Reads<I>(I);
    impl<'v, I: Iterator<Item = &'v Value>> Visitor for Reads<I> {
        type Output = bool;
        fn visit<S: Spec>(mut self, spec: &S) -> bool {
            self.0.all(|value| spec.call("read", value).is_ok())
        }
    }
    spec.visit(Reads(sent))
}

fn folded(method: &str) -> String {
    method.to_ascii_lowercase().replace(['-', '_'], "")
}

/// The first operations, and the first of each method.
fn sample(history: &History) -> Vec<OpId> {
    let mut seen = FxHashSet::default();
    (0..)
        .zip(&history.operations)
        .enumerate()
        .filter(|(i, (_, operation))| seen.insert(operation.method) || *i < TRIED)
        .map(|(_, (id, _))| id)
        .collect()
}

/// Whether a specification understands the operations tried.
struct Fits<'a> {
    history: &'a History,
    tried: &'a [OpId],
}

impl Visitor for Fits<'_> {
    type Output = bool;

    fn visit<S: Spec>(self, spec: &S) -> bool {
        let fits = |&id: &OpId| {
            let operation = &self.history.operations[id as usize];
            let call = spec.call(self.history.name(operation), &operation.argument);
            call.is_ok_and(|call| spec.outcome(&call, &operation.outcome).is_ok())
        };
        // Calls that failed are no operations: there are only their names.
        let was_tried = |name: &&Arc<str>| {
            let mut tried = self.tried.iter();
            tried.any(|&id| self.history.name(&self.history.operations[id as usize]) == &***name)
        };
        let mut others = self.history.methods.iter().filter(|name| !was_tried(name));
        self.tried.iter().all(fits) && others.all(|name| has_method(spec, name))
    }
}

/// Whether an object has a method of this name, with some usual argument.
fn has_method<S: Spec>(spec: &S, name: &str) -> bool {
    let pair = || Value::list([Value::Int(1), Value::Int(1)]);
    [
        Value::Unit,
        Value::Int(1),
        pair(),
        Value::list([Value::Int(1), pair()]),
    ]
    .iter()
    .any(|argument| spec.call(name, argument).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A method, its argument and its result.
    type Told<'a> = (&'a str, Value, Value);

    fn history(operations: &[Told<'_>]) -> History {
        let mut history = History::new();
        for (time, (name, argument, result)) in (0..).zip(operations) {
            let (argument, result) = (argument.clone(), result.clone());
            history.push(0, name, argument, result, 2 * time, 2 * time + 1);
        }
        history
    }

    #[test]
    fn names_tell_where_every_call_failed() {
        let mut failed = History::new();
        for name in ["write", "read"] {
            failed.method(name);
        }
        assert_eq!(infer(&failed), Inferred::Spec("register"));
    }

    #[test]
    fn usual_names_tell() {
        use Value::{Int, Nil, Unit};
        let pair = |a: i64, b: i64| Value::list([Int(a), Int(b)]);
        let told = |operations: &[Told<'_>]| infer(&history(operations));
        let cases: [(&[Told<'_>], &str); 9] = [
            (&[("enq", Int(1), Unit), ("deq", Unit, Int(1))], "queue"),
            (
                &[("write", Int(1), Unit), ("read", Nil, Int(1))],
                "register",
            ),
            (
                &[("read", Unit, Nil), ("cas", pair(0, 1), true.into())],
                "cas-register",
            ),
            (&[("put", pair(0, 5), Unit), ("get", Int(0), Int(5))], "kv"),
            (
                &[("add", Int(1), Unit), ("read", Unit, Value::list([Int(1)]))],
                "set",
            ),
            (&[("add", Int(1), Unit), ("read", Unit, Int(1))], "counter"),
            (
                &[
                    ("insert", Int(1), true.into()),
                    ("contains", Int(1), true.into()),
                ],
                "set",
            ),
            (
                &[("push_front", Int(1), Unit), ("pop_back", Unit, Int(1))],
                "deque",
            ),
            (&[("lock", Unit, Unit), ("unlock", Unit, Unit)], "mutex"),
        ];
        for (operations, spec) in cases {
            assert_eq!(told(operations), Inferred::Spec(spec), "{operations:?}");
        }
    }

    #[test]
    fn what_could_be_several_objects_is_not_guessed() {
        let both = history(&[
            ("push", Value::Int(1), Value::Unit),
            ("pop", Value::Unit, Value::Int(1)),
        ]);
        assert_eq!(
            infer(&both),
            Inferred::Ambiguous(vec!["queue", "stack", "priority-queue"])
        );
        let locks = history(&[("acquire", Value::Unit, Value::Unit)]);
        assert_eq!(
            infer(&locks),
            Inferred::Ambiguous(vec!["mutex", "semaphore"])
        );
        let strange = history(&[("frobnicate", Value::Unit, Value::Unit)]);
        assert_eq!(infer(&strange), Inferred::Nothing);
    }
}
