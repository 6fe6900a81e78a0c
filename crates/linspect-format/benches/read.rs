//! How fast histories are read: `cargo bench -p linspect-format`. Prints the best of several runs.

use linspect_core::history::History;
use linspect_core::value::Value;
use linspect_format::{NilRead, Recorded, edn, jsonl, read};
use std::fmt::Write;
use std::time::Instant;

const OPERATIONS: u32 = 1_000_000;
const CLIENTS: u32 = 32;
const RUNS: u32 = 5;

fn main() {
    let recorded = queue();
    let mut whole = Vec::new();
    jsonl::write(&recorded, &mut whole).expect("writing to memory");
    let mut forms = Vec::new();
    edn::write(&recorded, &mut forms).expect("writing to memory");
    println!("{OPERATIONS} operations, {CLIENTS} clients, best of {RUNS} runs");
    measure("JSON Lines, whole operations", &whole, OPERATIONS);
    measure("JSON Lines, events", events().as_bytes(), 2 * OPERATIONS);
    measure("Jepsen EDN", &forms, 2 * OPERATIONS);
}

fn measure(name: &str, bytes: &[u8], lines: u32) {
    let best = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            let recorded = read(bytes, None, NilRead::Absent).expect("a history");
            let time = start.elapsed();
            assert_eq!(recorded.history.operations.len(), OPERATIONS as usize);
            time
        })
        .min()
        .expect("at least one run")
        .as_secs_f64();
    let megabytes = bytes.len() as f64 / 1e6;
    println!(
        "{name:30} {megabytes:6.1} MB {:7.1} ms {:6.0} MB/s {:5.2} M lines/s",
        best * 1e3,
        megabytes / best,
        f64::from(lines) / best / 1e6
    );
}

/// Rounds in which every client calls before any returns.
fn queue() -> Recorded {
    let mut history = History::new();
    for i in 0..OPERATIONS {
        let (round, client) = (u64::from(i / CLIENTS), i % CLIENTS);
        let call = 2 * round * u64::from(CLIENTS) + u64::from(client);
        let ret = call + u64::from(CLIENTS);
        let value = Value::Int(i64::from(i / 2));
        if i % 2 == 0 {
            history.push(client, "enqueue", value, Value::Unit, call, ret);
        } else {
            history.push(client, "dequeue", Value::Unit, value, call, ret);
        }
    }
    Recorded {
        history,
        ..Recorded::default()
    }
}

fn events() -> String {
    let mut text = String::new();
    for i in 0..OPERATIONS {
        let (client, value) = (i % CLIENTS, i / 2);
        let line = if i % 2 == 0 {
            writeln!(
                text,
                "{{\"process\":{client},\"type\":\"invoke\",\"f\":\"enqueue\",\"value\":{value}}}\n\
                 {{\"process\":{client},\"type\":\"ok\",\"f\":\"enqueue\"}}"
            )
        } else {
            writeln!(
                text,
                "{{\"process\":{client},\"type\":\"invoke\",\"f\":\"dequeue\"}}\n\
                 {{\"process\":{client},\"type\":\"ok\",\"f\":\"dequeue\",\"value\":{value}}}"
            )
        };
        line.expect("writing to memory");
    }
    text
}
