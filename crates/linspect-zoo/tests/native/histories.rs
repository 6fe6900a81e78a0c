//! Random calls, what came of them, and whether that is right.

use crate::build::Binary;
use linspect_core::check::{Decision, Unlimited, decide};
use linspect_core::history::History;
use linspect_core::spec::{Builtin, Multiset};
use linspect_core::value::Value;
use linspect_core::verdict::Criterion;
use linspect_zoo::Object;
use std::fmt::Write;

/// An operation as the harness declares it.
struct Declared {
    name: String,
    domain: Vec<Vec<i64>>,
}

/// Calls per sequential history: as many as the arrays of bounded objects take.
const CALLS: u64 = 40;

/// `count` histories of one thread.
pub(crate) fn sequential(
    object: &Object,
    binary: &Binary,
    count: u32,
) -> Result<Vec<History>, String> {
    let operations = declared(binary)?;
    let mut random = Random(7);
    let mut script = String::new();
    let mut calls = Vec::new();
    for _ in 0..count {
        script.push_str("new\n");
        let mut held = 0;
        let mut history = Vec::new();
        for i in 1..=CALLS {
            let operation = &operations[random.below(operations.len())];
            let takes = operation.domain.is_empty();
            if object.blocks_when_empty && takes && held == 0 {
                continue;
            }
            held += if takes { -1 } else { 1 };
            let mut arguments = Vec::new();
            if !takes {
                arguments = operation.domain[random.below(operation.domain.len())].clone();
                if is_container(&object.spec) {
                    arguments[0] = i as i64;
                }
            }
            script.push_str(&operation.name);
            for argument in &arguments {
                write!(script, " {argument}").expect("a String takes it");
            }
            script.push('\n');
            history.push((operation.name.clone(), arguments));
        }
        calls.push(history);
    }
    let output = binary.run(&[], script)?;
    let mut lines = output.lines();
    let mut histories = Vec::new();
    for call in calls {
        let mut history = History::new();
        for (at, (name, arguments)) in (0..).zip(call) {
            let result = value(lines.next().ok_or("the program prints too little")?);
            history.push(0, &name, argument(&arguments), result, 2 * at, 2 * at + 1);
        }
        histories.push(history);
    }
    Ok(histories)
}

/// `rounds` histories of three threads.
pub(crate) fn parallel(
    object: &Object,
    binary: &Binary,
    rounds: u32,
) -> Result<Vec<History>, String> {
    let mut arguments = vec![rounds.to_string(), "3".into(), "4".into(), "7".into()];
    if is_container(&object.spec) {
        arguments.push("distinct".into());
    }
    let output = binary.run(&arguments, String::new())?;
    let mut histories = Vec::new();
    let mut operations = Vec::new();
    for line in output.lines() {
        if line != "end" {
            operations.push(operation(line).ok_or_else(|| format!("printed `{line}`"))?);
            continue;
        }
        operations.sort_by_key(|o| o.call);
        let mut history = History::new();
        for o in operations.drain(..) {
            history.push(o.thread, &o.name, o.argument, o.result, o.call, o.ret);
        }
        histories.push(history);
    }
    Ok(histories)
}

/// Whether `history` is linearizable. Of a relaxed object only that nothing is lost, doubled, or overlooked: see
/// [`crate::order`] for the rest.
pub(crate) fn check(object: &Object, history: &History) -> Result<(), String> {
    let unordered = Builtin::Multiset(Multiset {
        capacity: None,
        empty: Some(Value::Int(-1)),
    });
    let spec = if object.k.is_some() {
        &unordered
    } else {
        &object.spec
    };
    match decide(history, spec, Criterion::Linearizable, &Unlimited) {
        Ok(Decision::Holds(_)) => Ok(()),
        Ok(Decision::Violated { .. }) => Err(format!("wrong results: {}", show(history))),
        Ok(Decision::Unknown(limit)) => Err(limit.to_string()),
        Err(misfit) => Err(format!("{misfit}: {}", show(history))),
    }
}

pub(crate) fn show(history: &History) -> String {
    let mut text = String::new();
    for (id, o) in (0..).zip(&history.operations) {
        let (process, call, ret) = (o.process, o.call, o.ret);
        write!(text, "\n  T{process} [{call}, {ret}] {}", history.show(id))
            .expect("a String takes it");
    }
    text
}

/// Whether every value that goes in can be a new one.
fn is_container(spec: &Builtin) -> bool {
    matches!(
        spec,
        Builtin::Queue(_)
            | Builtin::Stack(_)
            | Builtin::Deque(_)
            | Builtin::PriorityQueue(_)
            | Builtin::Multiset(_)
    )
}

fn declared(binary: &Binary) -> Result<Vec<Declared>, String> {
    let list = binary.run(&["list".into()], String::new())?;
    list.lines()
        .map(|line| {
            let mut words = line.split(' ');
            let name = words.next().unwrap_or_default().to_owned();
            let numbers: Option<Vec<i64>> = words.map(|word| word.parse().ok()).collect();
            let numbers = numbers.ok_or_else(|| format!("listed `{line}`"))?;
            let (arity, values) = numbers.split_first().ok_or("lists no arity")?;
            let arity = usize::try_from(*arity).map_err(|e| e.to_string())?;
            let domain = values.chunks(arity.max(1)).map(<[i64]>::to_vec).collect();
            Ok(Declared { name, domain })
        })
        .collect()
}

struct Recorded {
    thread: u32,
    name: String,
    argument: Value,
    result: Value,
    call: u64,
    ret: u64,
}

/// `0 4 7 put 1 7 = true`: thread, call, return, operation, arguments, result.
fn operation(line: &str) -> Option<Recorded> {
    let (left, right) = line.split_once(" =")?;
    let mut words = left.split(' ');
    let thread = words.next()?.parse().ok()?;
    let call = words.next()?.parse().ok()?;
    let ret = words.next()?.parse().ok()?;
    let name = words.next()?.to_owned();
    let arguments: Vec<i64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
    Some(Recorded {
        thread,
        name,
        argument: argument(&arguments),
        result: value(right.trim()),
        call,
        ret,
    })
}

fn argument(arguments: &[i64]) -> Value {
    match arguments {
        [] => Value::Unit,
        [one] => Value::Int(*one),
        several => Value::list(several.iter().map(|&n| Value::Int(n))),
    }
}

/// A printed result; several values are a list.
fn value(text: &str) -> Value {
    let one = |word: &str| match word {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "nil" => Value::Nil,
        number => number.parse().map_or(Value::text(number), Value::Int),
    };
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        [] => Value::Unit,
        [word] => one(word),
        words => Value::list(words.iter().copied().map(one)),
    }
}

/// A small linear congruential generator: the same calls on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
