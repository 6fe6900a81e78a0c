//! Random histories, written and read again; and bytes that are anything.

use linspect_core::history::{History, NEVER, Operation, Outcome};
use linspect_core::value::Value;
use linspect_format::{Format, NilRead, Recorded, edn, jsonl, read};
use proptest::prelude::*;

/// The full counts only where there is time for them.
fn cases(full: u32) -> ProptestConfig {
    let is_long = std::env::var_os("LINSPECT_LONG").is_some();
    ProptestConfig::with_cases(if is_long { full } else { full / 10 })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Unit),
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        ".{0,8}".prop_map(Value::text),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop::collection::vec(inner, 0..4).prop_map(Value::list)
    })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        4 => value().prop_map(Outcome::Returned),
        1 => Just(Outcome::Unknown),
        1 => Just(Outcome::Pending),
    ]
}

/// A few processes, each with operations one after the other.
fn history() -> impl Strategy<Value = History> {
    let operation = ("[a-z_]{1,8}", value(), outcome(), 0..5u64, 0..5u64);
    let process = prop::collection::vec(operation, 0..8);
    prop::collection::vec(process, 1..5)
        .prop_filter("a history has operations", |p| {
            p.iter().any(|p| !p.is_empty())
        })
        .prop_map(|processes| {
            let mut history = History::new();
            for (process, operations) in (0..).zip(processes) {
                let mut now = 0;
                for (method, argument, outcome, pause, length) in operations {
                    let call = now + pause;
                    let is_pending = outcome == Outcome::Pending;
                    // Strictly later, so that an order of events alone tells the operations of a process apart.
                    now = call + length + 1;
                    let method = history.method(&method);
                    history.operations.push(Operation {
                        process,
                        method,
                        argument,
                        outcome,
                        call,
                        ret: if is_pending { NEVER } else { call + length },
                    });
                }
            }
            history
                .operations
                .sort_by_key(|operation| (operation.call, operation.ret));
            history
        })
}

fn recorded(history: History) -> Recorded {
    Recorded {
        history,
        ..Recorded::default()
    }
}

/// The operations by name, as methods are numbered in order of appearance.
fn named(history: &History) -> Vec<(String, Operation)> {
    let named = |op: &Operation| {
        (
            history.name(op).to_owned(),
            Operation {
                method: 0,
                ..op.clone()
            },
        )
    };
    history.operations.iter().map(named).collect()
}

proptest! {
    #![proptest_config(cases(5_000))]

    #[test]
    fn json_lines_keep_everything(history in history(), spec in "\\PC{0,5}", initial in value()) {
        let mut written = recorded(history);
        written.spec = Some(spec);
        written.initial = Some(initial);
        let mut bytes = Vec::new();
        jsonl::write(&written, &mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let again = read(&*bytes, None, NilRead::Unknown).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(again.format, Format::JsonLines);
        prop_assert_eq!(named(&again.history), named(&written.history), "{}", text);
        prop_assert_eq!((again.spec, again.initial), (written.spec, written.initial));
    }

    #[test]
    fn edn_keeps_operations_and_their_order(mut history in history()) {
        // EDN has one word for nothing, and a pending call blocks its process.
        for operation in &mut history.operations {
            operation.argument = without_unit(&operation.argument);
            if let Outcome::Returned(value) = &operation.outcome {
                operation.outcome = Outcome::Returned(without_unit(value));
            }
        }
        let pending: Vec<(u32, u64)> = history.operations.iter().filter(|o| o.is_pending()).map(|o| (o.process, o.call)).collect();
        history.operations.retain(|o| !pending.iter().any(|&(p, call)| p == o.process && call < o.call));
        prop_assume!(!history.operations.is_empty());
        let written = recorded(history);
        let mut bytes = Vec::new();
        edn::write(&written, &mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let again = read(&*bytes, Some(Format::Edn), NilRead::Absent).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        let timeless = |history: &History| -> Vec<(String, Operation)> {
            named(history).into_iter().map(|(n, o)| (n, Operation { call: 0, ret: 0, ..o })).collect()
        };
        prop_assert_eq!(timeless(&again.history), timeless(&written.history), "{}", text);
        let (a, b) = (&again.history.operations, &written.history.operations);
        for i in 0..a.len() {
            for j in 0..a.len() {
                prop_assert_eq!(a[i].precedes(&a[j]), b[i].precedes(&b[j]), "{} {}\n{}", i, j, text);
            }
        }
    }
}

/// `value` without anything that EDN cannot tell from nil.
fn without_unit(value: &Value) -> Value {
    match value {
        Value::Unit | Value::Nil => Value::Int(0),
        Value::List(items) => Value::list(items.iter().map(without_unit)),
        other => other.clone(),
    }
}

const FORMATS: [Option<Format>; 5] = [
    None,
    Some(Format::JsonLines),
    Some(Format::Edn),
    Some(Format::Etcd),
    Some(Format::Kv),
];

/// Pieces of all formats.
const PIECES: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "#",
    "#{",
    "#_",
    "\"",
    "\\",
    ":",
    ",",
    ";",
    "\n",
    " ",
    "\t",
    "{\"process\":0,",
    "\"type\":\"invoke\",",
    "\"type\":\"ok\",",
    "\"f\":\"read\"",
    "\"value\":",
    "\"call\":3,",
    "\"return\":2,",
    "{:process 0 ",
    ":type :invoke ",
    ":type :ok ",
    ":f :read",
    ":key 1 ",
    ":value ",
    "INFO  jepsen.util - 0",
    "\t:invoke",
    "\t:ok",
    "\t:cas",
    "[1 2]",
    "nil",
    "-1",
    "99999999999999999999",
    "\u{feff}",
    "é",
];

proptest! {
    #![proptest_config(cases(50_000))]

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in FORMATS {
            let _ = read(&*bytes, format, NilRead::Unknown);
        }
    }

    #[test]
    fn no_pieces_make_it_panic(pieces in prop::collection::vec(0..PIECES.len(), 0..60)) {
        let text: String = pieces.into_iter().map(|i| PIECES[i]).collect();
        for format in FORMATS {
            let _ = read(text.as_bytes(), format, NilRead::Unknown);
        }
    }
}
