//! The test of a harness under plain `cargo test`: the operations one after the other, natively.
//!
//! All short sequences of operations and some long random ones are run twice, each time from the start: on the object and on its model if it
//! has one, else on the object both times. The results must be the same: a linearizable object is one whose results, operation by
//! operation, are those of some sequential run of its model, or of itself.

use crate::native::{self, Declared, Operation};
use crate::value::Value;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// Sequences that are enumerated: whole lengths as long as they fit.
const ENUMERATED: usize = 2_000;

/// Random sequences, and their length.
const RANDOM: usize = 100;
const LENGTH: usize = 24;

/// How long a sequence may take before its last operation is said to wait for another thread. Nothing is concluded from it but that.
const PATIENCE: Duration = Duration::from_secs(1);

/// Sequences that may wait before the rest is left to the machine.
const STUCK: usize = 3;

/// A call: which operation, with which of its arguments.
type Call = (usize, usize);

/// Something to run sequences on: how it is built, and its operations in the order of the object's.
#[derive(Clone)]
struct Side {
    build: extern "C-unwind" fn(),
    run: Vec<extern "C-unwind" fn()>,
}

/// Runs the operations that `declare` declares on objects that `build` makes, and on the model that `model` makes.
///
/// # Panics
/// If the same sequence of operations gave two different results.
pub fn test(
    build: extern "C-unwind" fn(),
    declare: extern "C-unwind" fn(),
    model: Option<extern "C-unwind" fn()>,
) {
    let Declared {
        operations,
        model_operations,
    } = native::declared(declare);
    let object = Side {
        build,
        run: operations.iter().map(|o| o.run).collect(),
    };
    let measure = match model {
        Some(build) => Side {
            build,
            run: operations
                .iter()
                .map(|o| in_model(o, &model_operations))
                .collect(),
        },
        None => object.clone(),
    };
    let sides = [object, measure];
    let start = || Runner::start(sides.clone(), &operations);
    let mut runner = start();
    let mut stuck: Vec<Vec<Call>> = Vec::new();
    for sequence in sequences(&operations) {
        if stuck.iter().any(|prefix| sequence.starts_with(prefix)) {
            continue;
        }
        let results = runner
            .run(0, &sequence)
            .and_then(|first| Ok((first, runner.run(1, &sequence)?)));
        match results {
            Ok((first, second)) => {
                compare(&operations, &sequence, &first, &second, model.is_some());
            }
            Err(finished) => {
                stuck.push(sequence[..=finished].to_vec());
                if stuck.len() == STUCK {
                    return;
                }
                runner = start();
            }
        }
    }
}

/// The model's operation of the same name.
fn in_model(
    operation: &Operation,
    model: &[(String, extern "C-unwind" fn())],
) -> extern "C-unwind" fn() {
    let name = &operation.name;
    let found = model.iter().find(|(n, _)| n == name);
    found
        .unwrap_or_else(|| panic!("the model has no operation `{name}`"))
        .1
}

fn compare(
    operations: &[Operation],
    sequence: &[Call],
    first: &[Value],
    second: &[Value],
    has_model: bool,
) {
    let Some(at) = (0..first.len()).find(|&i| first[i] != second[i]) else {
        return;
    };
    let calls: Vec<String> = sequence[..=at]
        .iter()
        .map(|call| spell(operations, *call))
        .collect();
    let (calls, first, second) = (calls.join(", "), &first[at], &second[at]);
    if has_model {
        panic!(
            "run alone, one after the other, {calls} ended with {first}; with the model it ends with {second}"
        );
    }
    panic!(
        "run alone, one after the other, {calls} ended with {first} the first time and with {second} the second; \
         an object whose results are not determined by its operations cannot be its own specification"
    );
}

fn spell(operations: &[Operation], (operation, argument): Call) -> String {
    let operation = &operations[operation];
    match operation.domain.get(argument) {
        None => format!("{}()", operation.name),
        Some(Value::List(list)) => {
            let list: Vec<String> = list.iter().map(|v| format!("{v}")).collect();
            format!("{}({})", operation.name, list.join(", "))
        }
        Some(value) => format!("{}({value})", operation.name),
    }
}

/// All sequences of every length that fits, then random ones.
fn sequences(operations: &[Operation]) -> Vec<Vec<Call>> {
    let calls: Vec<Call> = operations
        .iter()
        .enumerate()
        .flat_map(|(i, o)| (0..o.domain.len().max(1)).map(move |argument| (i, argument)))
        .collect();
    let mut all: Vec<Vec<Call>> = Vec::new();
    if calls.is_empty() {
        return all;
    }
    let mut longest = alloc::vec![Vec::new()];
    while longest[0].len() < LENGTH && all.len() + longest.len() * calls.len() <= ENUMERATED {
        longest = longest
            .iter()
            .flat_map(|s: &Vec<Call>| calls.iter().map(move |c| [s.as_slice(), &[*c]].concat()))
            .collect();
        all.extend(longest.iter().cloned());
    }
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        calls[(state % calls.len() as u64) as usize]
    };
    let is_allowed = |sequence: &Vec<Call>| {
        (0..sequence.len()).all(|last| {
            let calls = |name: &str| {
                let so_far = sequence[..=last].iter();
                so_far.filter(|c| operations[c.0].name == name).count()
            };
            let Operation {
                name,
                at_most,
                after,
                ..
            } = &operations[sequence[last].0];
            let called = calls(name);
            called <= *at_most && after.as_ref().is_none_or(|first| called <= calls(first))
        })
    };
    all.extend((0..RANDOM).map(|_| (0..LENGTH).map(|_| random()).collect()));
    all.retain(is_allowed);
    all
}

/// A thread that runs sequences, so that a stuck one does not take the test with it.
struct Runner {
    /// Which side to run on, and what.
    orders: Sender<(usize, Vec<Call>)>,
    /// The results of a whole sequence, from the start.
    results: Receiver<Vec<Value>>,
    /// How many operations of the sequence have returned.
    finished: Arc<AtomicUsize>,
}

impl Runner {
    fn start(sides: [Side; 2], operations: &[Operation]) -> Self {
        let (orders, ordered) = mpsc::channel::<(usize, Vec<Call>)>();
        let (done, results) = mpsc::channel();
        let finished = Arc::new(AtomicUsize::new(0));
        let (operations, progress) = (operations.to_vec(), Arc::clone(&finished));
        std::thread::spawn(move || {
            for (side, sequence) in ordered {
                let side = &sides[side];
                (side.build)();
                let mut results = Vec::new();
                for (operation, argument) in sequence {
                    progress.store(results.len(), Ordering::Relaxed);
                    let domain = &operations[operation].domain;
                    let argument = domain.get(argument).unwrap_or(&Value::Unit);
                    results.push(native::call(side.run[operation], argument));
                }
                if done.send(results).is_err() {
                    return;
                }
            }
        });
        Self {
            orders,
            results,
            finished,
        }
    }

    /// The results, or how many there were before an operation got stuck.
    fn run(&self, side: usize, sequence: &[Call]) -> Result<Vec<Value>, usize> {
        // A runner that is gone has panicked; that shows when its results are missing.
        let _ = self.orders.send((side, sequence.to_vec()));
        match self.results.recv_timeout(PATIENCE) {
            Ok(results) => Ok(results),
            Err(RecvTimeoutError::Timeout) => Err(self.finished.load(Ordering::Relaxed)),
            Err(RecvTimeoutError::Disconnected) => {
                panic!("an operation panicked when it was run alone (see above)")
            }
        }
    }
}
