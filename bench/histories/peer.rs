//! A peer to measure `linspect check` against: the published algorithm of the checker porcupine (Athalye, 2017), which is that
//! of Wing and Gong (1993) with the memory of Lowe (2017), after Horn and Kroening (2015): a doubly linked list of calls and
//! returns, a set of bits for what is placed, a table of pairs of such a set and a state, and one list per key of a map.
//!
//! It is not porcupine, which is written in Go; it is its algorithm, written anew and plainly, without garbage collection. It
//! shares nothing with Linspect.
//!
//!     rustc -O --edition 2024 peer.rs
//!     ./peer check  FILE.jsonl          prints `holds` or `violated`

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::ExitCode;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Value {
    None,
    Null,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Value>),
}

#[derive(Clone, Debug)]
struct Op {
    f: String,
    value: Value,
    /// Nothing if nobody knows.
    result: Option<Value>,
    call: u64,
    ret: Option<u64>,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["check", file] => {
            let text = std::fs::read_to_string(file).expect("a file that can be read");
            let (spec, ops) = read(&text);
            let holds = parts(&spec, ops).into_iter().all(|part| check(&spec, &part));
            println!("{}", if holds { "holds" } else { "violated" });
            ExitCode::from(u8::from(!holds))
        }
        _ => {
            eprintln!("peer check FILE");
            ExitCode::from(2)
        }
    }
}

// ---- Reading: JSON Lines as `linspect generate` writes them.

fn read(text: &str) -> (String, Vec<Op>) {
    let mut spec = String::new();
    let mut ops = Vec::new();
    for line in text.lines() {
        let mut op = Op { f: String::new(), value: Value::None, result: Some(Value::None), call: 0, ret: None };
        let mut rest = line.trim();
        let mut is_header = false;
        rest = rest.strip_prefix('{').expect("an object");
        while !rest.starts_with('}') {
            let key = text_of(value(&mut rest));
            rest = rest.strip_prefix(':').expect("a colon");
            let found = value(&mut rest);
            rest = rest.strip_prefix(',').unwrap_or(rest);
            match (key.as_str(), found) {
                ("linspect", _) => is_header = true,
                ("spec", Value::Text(name)) => spec = name,
                ("f", Value::Text(name)) => op.f = name,
                ("value", v) => op.value = v,
                ("result", v) => op.result = Some(v),
                ("call", Value::Int(t)) => op.call = t as u64,
                ("return", Value::Int(t)) => op.ret = Some(t as u64),
                _ => {}
            }
        }
        if op.ret.is_none() {
            op.result = None;
        }
        if !is_header {
            ops.push(op);
        }
    }
    (spec, ops)
}

fn text_of(value: Value) -> String {
    match value {
        Value::Text(text) => text,
        other => panic!("a text, not {other:?}"),
    }
}

fn value(rest: &mut &str) -> Value {
    *rest = rest.trim_start();
    for (word, value) in [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false)), ("{}", Value::None)] {
        if let Some(after) = rest.strip_prefix(word) {
            *rest = after;
            return value;
        }
    }
    if let Some(after) = rest.strip_prefix('"') {
        let (text, after) = after.split_once('"').expect("the end of a text");
        *rest = after;
        return Value::Text(text.to_owned());
    }
    if let Some(after) = rest.strip_prefix('[') {
        *rest = after;
        let mut items = Vec::new();
        while !rest.starts_with(']') {
            items.push(value(rest));
            *rest = rest.strip_prefix(',').unwrap_or(rest);
        }
        *rest = &rest[1..];
        return Value::List(items);
    }
    let end = rest.find(|c: char| c != '-' && !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, after) = rest.split_at(end);
    *rest = after;
    Value::Int(number.parse().expect("a number"))
}

/// One list per key of a map or element of a set.
fn parts(spec: &str, ops: Vec<Op>) -> Vec<Vec<Op>> {
    let mut parts: Vec<Vec<Op>> = Vec::new();
    let mut known: HashMap<Value, usize> = HashMap::new();
    for op in ops {
        let key = match (spec, &op.value) {
            ("kv", Value::List(items)) => items[0].clone(),
            ("kv" | "set", key) => key.clone(),
            _ => Value::None,
        };
        let at = *known.entry(key).or_insert_with(|| {
            parts.push(Vec::new());
            parts.len() - 1
        });
        parts[at].push(op);
    }
    parts
}

// ---- Models.

type State = Vec<Value>;

/// The state after `op`, if it can happen.
fn step(spec: &str, state: &State, op: &Op) -> Option<State> {
    let says = |result: Value| op.result.as_ref().is_none_or(|seen| *seen == result);
    let done = |next: State| Some(next);
    let pair = |at: usize| match &op.value {
        Value::List(items) => items[at].clone(),
        other => other.clone(),
    };
    let top = |state: &State, front: bool| {
        let item = if front { state.first() } else { state.last() };
        item.cloned().unwrap_or(Value::Null)
    };
    match (spec, op.f.as_str()) {
        ("register" | "cas-register", "write") => done(vec![op.value.clone()]),
        ("register" | "cas-register", "read") => {
            says(state.first().cloned().unwrap_or(Value::Null)).then(|| state.clone())
        }
        ("cas-register", "cas") => {
            let holds = state.first().unwrap_or(&Value::Null) == &pair(0);
            says(Value::Bool(holds)).then(|| if holds { vec![pair(1)] } else { state.clone() })
        }
        ("kv", "put") => done(vec![pair(1)]),
        ("kv", "get") => says(state.first().cloned().unwrap_or(Value::Null)).then(|| state.clone()),
        ("set", name) => {
            let there = !state.is_empty();
            let (result, next) = match name {
                "add" | "insert" => (!there, true),
                "remove" => (there, false),
                _ => (there, there),
            };
            says(Value::Bool(result)).then(|| if next { vec![Value::None] } else { Vec::new() })
        }
        (_, "enqueue" | "push" | "push_back") => done([state.as_slice(), &[op.value.clone()]].concat()),
        (_, "push_front") => done([&[op.value.clone()], state.as_slice()].concat()),
        (_, name @ ("dequeue" | "pop_front" | "pop" | "pop_back")) => {
            let front = matches!(name, "dequeue" | "pop_front");
            says(top(state, front)).then(|| match (state.len(), front) {
                (0, _) => Vec::new(),
                (_, true) => state[1..].to_vec(),
                (n, false) => state[..n - 1].to_vec(),
            })
        }
        (spec, name) => panic!("{spec} has no {name}"),
    }
}

// ---- The algorithm.

const NONE: usize = usize::MAX;

struct Entry {
    op: usize,
    /// For a call, its return.
    matching: usize,
    next: usize,
    before: usize,
}

fn check(spec: &str, ops: &[Op]) -> bool {
    let mut events: Vec<(u64, bool, usize)> = Vec::new();
    for (i, op) in ops.iter().enumerate() {
        events.push((op.call, false, i));
        events.push((op.ret.unwrap_or(u64::MAX), true, i));
    }
    events.sort();
    // Entry 0 is the head.
    let mut list = vec![Entry { op: NONE, matching: NONE, next: NONE, before: NONE }];
    let mut calls = vec![0; ops.len()];
    for &(_, returns, op) in &events {
        let at = list.len();
        list[at - 1].next = at;
        list.push(Entry { op, matching: NONE, next: NONE, before: at - 1 });
        if returns {
            list[calls[op]].matching = at;
        } else {
            calls[op] = at;
        }
    }
    let mut state: State = Vec::new();
    let mut placed = vec![0_u64; ops.len().div_ceil(64)];
    let mut seen: HashMap<u64, Vec<(Vec<u64>, State)>> = HashMap::new();
    let mut stack: Vec<(usize, State)> = Vec::new();
    let mut at = list[0].next;
    while list[0].next != NONE {
        let (op, matching) = (list[at].op, list[at].matching);
        if matching == NONE {
            let Some((call, before)) = stack.pop() else { return false };
            state = before;
            placed[list[call].op / 64] &= !(1 << (list[call].op % 64));
            unlift(&mut list, call);
            at = list[call].next;
            continue;
        }
        if let Some(next) = step(spec, &state, &ops[op]) {
            let mut with = placed.clone();
            with[op / 64] |= 1 << (op % 64);
            let mut hasher = DefaultHasher::new();
            with.hash(&mut hasher);
            let known = seen.entry(hasher.finish()).or_default();
            if !known.iter().any(|(p, s)| *p == with && *s == next) {
                known.push((with.clone(), next.clone()));
                stack.push((at, std::mem::replace(&mut state, next)));
                placed = with;
                lift(&mut list, at);
                at = list[0].next;
                continue;
            }
        }
        at = list[at].next;
    }
    true
}

fn lift(list: &mut [Entry], call: usize) {
    for at in [call, list[call].matching] {
        let (before, next) = (list[at].before, list[at].next);
        list[before].next = next;
        if next != NONE {
            list[next].before = before;
        }
    }
}

fn unlift(list: &mut [Entry], call: usize) {
    for at in [list[call].matching, call] {
        let (before, next) = (list[at].before, list[at].next);
        list[before].next = at;
        if next != NONE {
            list[next].before = at;
        }
    }
}
