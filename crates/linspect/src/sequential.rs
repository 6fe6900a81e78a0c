//! The test of a harness under plain `cargo test`: the operations one after the other, natively.
//!
//! All short sequences of operations and some long random ones are run twice, each time on a fresh object. The results must be the same,
//! because a linearizable object is one whose results, operation by operation, are those of some sequential run.

use crate::native::{self, Operation};
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

/// Runs the operations that `declare` declares on objects that `build` makes.
///
/// # Panics
/// If the same sequence of operations gave two different results.
pub fn test(build: extern "C-unwind" fn(), declare: extern "C-unwind" fn()) {
    let operations = native::operations(declare);
    let mut runner = Runner::start(build, &operations);
    let mut stuck: Vec<Vec<Call>> = Vec::new();
    for sequence in sequences(&operations) {
        if stuck.iter().any(|prefix| sequence.starts_with(prefix)) {
            continue;
        }
        let results = runner
            .run(&sequence)
            .and_then(|first| Ok((first, runner.run(&sequence)?)));
        match results {
            Ok((first, second)) => compare(&operations, &sequence, &first, &second),
            Err(finished) => {
                stuck.push(sequence[..=finished].to_vec());
                if stuck.len() == STUCK {
                    return;
                }
                runner = Runner::start(build, &operations);
            }
        }
    }
}

fn compare(operations: &[Operation], sequence: &[Call], first: &[Value], second: &[Value]) {
    let Some(at) = (0..first.len()).find(|&i| first[i] != second[i]) else {
        return;
    };
    let calls: Vec<String> = sequence[..=at]
        .iter()
        .map(|call| spell(operations, *call))
        .collect();
    panic!(
        "run alone, one after the other, {} ended with {} the first time and with {} the second; \
         an object whose results are not determined by its operations cannot be its own specification",
        calls.join(", "),
        first[at],
        second[at],
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
    while all.len() + longest.len() * calls.len() <= ENUMERATED {
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
        let calls = |operation| sequence.iter().filter(|c| c.0 == operation).count();
        (0..operations.len()).all(|o| calls(o) <= operations[o].at_most)
    };
    all.extend((0..RANDOM).map(|_| (0..LENGTH).map(|_| random()).collect()));
    all.retain(is_allowed);
    all
}

/// A thread that runs sequences, so that a stuck one does not take the test with it.
struct Runner {
    orders: Sender<Vec<Call>>,
    /// The results of a whole sequence, on a fresh object.
    results: Receiver<Vec<Value>>,
    /// How many operations of the sequence have returned.
    finished: Arc<AtomicUsize>,
}

impl Runner {
    fn start(build: extern "C-unwind" fn(), operations: &[Operation]) -> Self {
        let (orders, ordered) = mpsc::channel::<Vec<Call>>();
        let (done, results) = mpsc::channel();
        let finished = Arc::new(AtomicUsize::new(0));
        let (operations, progress) = (operations.to_vec(), Arc::clone(&finished));
        std::thread::spawn(move || {
            for sequence in ordered {
                build();
                let mut results = Vec::new();
                for (operation, argument) in sequence {
                    progress.store(results.len(), Ordering::Relaxed);
                    let operation = &operations[operation];
                    let argument = operation.domain.get(argument).unwrap_or(&Value::Unit);
                    results.push(native::call(operation.run, argument));
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
    fn run(&self, sequence: &[Call]) -> Result<Vec<Value>, usize> {
        // A runner that is gone has panicked; that shows when its results are missing.
        let _ = self.orders.send(sequence.to_vec());
        match self.results.recv_timeout(PATIENCE) {
            Ok(results) => Ok(results),
            Err(RecvTimeoutError::Timeout) => Err(self.finished.load(Ordering::Relaxed)),
            Err(RecvTimeoutError::Disconnected) => {
                panic!("an operation panicked when it was run alone (see above)")
            }
        }
    }
}
