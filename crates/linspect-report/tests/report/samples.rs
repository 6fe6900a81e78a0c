//! Findings to render, with evidence as the deciders give it.

use linspect_core::history::{History, NEVER, OpId, Operation, Outcome};
use linspect_core::value::Value;
use linspect_core::verdict::{
    Allowed, Because, Criterion, Decider, Evidence, Limit, Placed, Verdict,
};
use linspect_report::{Checked, Finding};

const UNIT: Value = Value::Unit;

pub(crate) fn finding(source: &str, spec: &str, history: &History, verdict: &Verdict) -> Finding {
    let checked = Checked::new(source, spec, Criterion::Linearizable);
    Finding::of_history(history, verdict, checked)
}

pub(crate) fn placed(steps: &[(OpId, &str)]) -> Vec<Placed> {
    steps
        .iter()
        .map(|&(operation, state)| Placed {
            operation,
            state: state.into(),
        })
        .collect()
}

fn allowed(states: &[(&str, &[Value])]) -> Vec<Allowed> {
    states
        .iter()
        .map(|&(state, results)| Allowed {
            state: state.into(),
            results: results.to_vec(),
        })
        .collect()
}

pub(crate) fn because(lines: &[(&str, &[OpId])]) -> Vec<Because> {
    lines
        .iter()
        .map(|&(text, operations)| Because {
            text: text.into(),
            operations: operations.to_vec(),
        })
        .collect()
}

/// All of the small ones, by name.
pub(crate) fn all() -> Vec<(&'static str, Finding)> {
    vec![
        ("queue", queue()),
        ("map", map()),
        ("mutex", mutex()),
        ("long_core", long_core(40)),
        ("hostile", hostile()),
        ("holds", holds()),
        ("unknown", unknown()),
        ("list", crate::program::list()),
        ("crash", crate::program::crash()),
        ("hostile_list", crate::program::hostile()),
    ]
}

/// A queue that hands out 2 before 1, inside a slightly longer history.
pub(crate) fn queue() -> Finding {
    let mut h = History::new();
    h.push(2, "enqueue", 7, UNIT, 10, 30);
    h.push(0, "dequeue", UNIT, 7, 40, 58);
    let enq1 = h.push(1, "enqueue", 1, UNIT, 62, 80);
    let enq2 = h.push(0, "enqueue", 2, UNIT, 90, 110);
    h.push(2, "enqueue", 3, UNIT, 95, 150);
    let deq2 = h.push(1, "dequeue", UNIT, 2, 120, 140);
    let deq1 = h.push(2, "dequeue", UNIT, 1, 160, 190);
    h.push(0, "dequeue", UNIT, 3, 200, 230);
    h.push(1, "dequeue", UNIT, Value::Nil, 240, 260);
    let evidence = Evidence {
        part: None,
        headline: because(&[(
            "1 was enqueued before 2, but dequeued after it.",
            &[enq1, enq2, deq2, deq1],
        )])
        .pop(),
        core: vec![enq1, enq2, deq2, deq1],
        core_is_minimal: true,
        refused: deq2,
        partial: placed(&[(enq1, "[1]"), (enq2, "[1, 2]")]),
        allowed: allowed(&[("[1, 2]", &[Value::Int(1)])]),
        instead: Some(vec![Value::Int(1)]),
        because: because(&[
            (
                "enqueue(1) returned before enqueue(2) was called, so 1 was ahead of 2.",
                &[enq1, enq2],
            ),
            (
                "dequeue() → 2 returned before dequeue() → 1 was called, so 2 left first.",
                &[deq2, deq1],
            ),
            ("A queue hands out 1 before 2: contradiction.", &[]),
        ]),
        decider: Decider::QueuePatterns,
    };
    finding(
        "broken_queue.jsonl",
        "queue",
        &h,
        &Verdict::Violated(Box::new(evidence)),
    )
}

/// A key of a map whose read goes back in time, with operations that overlap, never returned, or are unknown.
pub(crate) fn map() -> Finding {
    let mut h = History::new();
    let key = |v: Value| Value::list([Value::text("x"), v]);
    let put1 = h.push(0, "put", key(Value::text("one")), UNIT, 1, 4);
    let put2 = h.push(1, "put", key(Value::text("two")), UNIT, 3, 9);
    let get2 = h.push(2, "get", "x", "two", 5, 7);
    let lost = pending(&mut h, 3, "put", key(Value::text("three")), 6);
    let get1 = h.push(0, "get", "x", "one", 10, 12);
    h.push(2, "get", "y", Value::Nil, 11, 13);
    let evidence = Evidence {
        part: Some(Value::text("x")),
        headline: None,
        core: vec![put1, put2, get2, lost, get1],
        core_is_minimal: false,
        refused: get1,
        partial: placed(&[(put1, "\"one\""), (put2, "\"two\""), (get2, "\"two\"")]),
        allowed: allowed(&[
            ("\"two\"", &[Value::text("two")]),
            ("\"three\"", &[Value::text("three")]),
        ]),
        instead: Some(vec![Value::text("two"), Value::text("three")]),
        because: because(&[
            (
                "put(\"x\", \"one\") returned before get(\"x\") → \"two\" was called, so \"two\" was written after \"one\".",
                &[put1, get2],
            ),
            (
                "get(\"x\") → \"one\" was called after put(\"x\", \"two\") returned: \"one\" was overwritten.",
                &[get1, put2],
            ),
            (
                "put(\"x\", \"three\") never returned, but if it took effect it could only have written \"three\".",
                &[lost],
            ),
        ]),
        decider: Decider::Search,
    };
    finding("kv.txt", "kv", &h, &Verdict::Violated(Box::new(evidence)))
}

/// A mutex held twice: the refused call is not possible at all.
pub(crate) fn mutex() -> Finding {
    let mut h = History::new();
    let a = h.push(0, "acquire", UNIT, UNIT, 1, 2);
    let b = h.push(1, "acquire", UNIT, UNIT, 3, 4);
    let evidence = Evidence {
        part: None,
        headline: None,
        core: vec![a, b],
        core_is_minimal: true,
        refused: b,
        partial: placed(&[(a, "held")]),
        allowed: allowed(&[("held", &[])]),
        instead: Some(Vec::new()),
        because: because(&[("acquire() by client 0 returned, and nobody released.", &[a])]),
        decider: Decider::Search,
    };
    finding(
        "lock.edn",
        "mutex",
        &h,
        &Verdict::Violated(Box::new(evidence)),
    )
}

/// A core that the limits did not let anybody make small: `n` operations of 3 clients, two in flight at a time.
pub(crate) fn long_core(n: u32) -> Finding {
    let mut h = History::new();
    for i in 0..n {
        let (call, process) = (u64::from(i) * 10, i % 3);
        h.push(process, "write", i64::from(i), UNIT, call, call + 14);
    }
    let call = u64::from(n) * 10 + 20;
    let read = h.push(0, "read", UNIT, -1, call, call + 5);
    let steps: Vec<(OpId, String)> = (0..n).map(|i| (i, i.to_string())).collect();
    let evidence = Evidence {
        part: None,
        headline: None,
        core: (0..=read).collect(),
        core_is_minimal: false,
        refused: read,
        partial: steps
            .into_iter()
            .map(|(operation, state)| Placed { operation, state })
            .collect(),
        allowed: allowed(&[
            (&(n - 1).to_string(), &[Value::Int(i64::from(n) - 1)]),
            (&(n - 2).to_string(), &[Value::Int(i64::from(n) - 2)]),
        ]),
        instead: None,
        because: because(&[("read() → -1 returned a value that nobody wrote.", &[read])]),
        decider: Decider::RegisterZones,
    };
    finding(
        "long.jsonl",
        "register",
        &h,
        &Verdict::Violated(Box::new(evidence)),
    )
}

/// A busy queue: `n` operations by `clients`; near the end two values leave in the wrong order.
pub(crate) fn busy_queue(n: u32, clients: u32) -> Finding {
    let mut h = History::new();
    let mut core = Vec::new();
    // Pairs of enqueue and dequeue, each client in turn, with about as many operations in flight as clients.
    for i in 0..n / 2 {
        let (client, turn) = (i % clients, u64::from(i) * 40);
        let long = u64::from(i.wrapping_mul(2_654_435_761) >> 24);
        h.push(
            client,
            "enqueue",
            i64::from(i),
            UNIT,
            turn,
            turn + 300 + long,
        );
    }
    let enqueues = h.operations.len() as OpId;
    let end = u64::from(n / 2) * 40 + 2_000;
    let wrong = n / 2 - n / 20 - 1;
    for i in 0..n / 2 {
        let (client, turn) = (i % clients, end + u64::from(i) * 40);
        let value = match i {
            i if i == wrong => wrong + clients,
            i if i == wrong + clients => wrong,
            i => i,
        };
        h.push(
            client,
            "dequeue",
            UNIT,
            i64::from(value),
            turn,
            turn + 300 + u64::from(i % 7) * 30,
        );
        if value != i {
            core.extend([value, enqueues + i]);
        }
    }
    core.sort_unstable();
    let [enq1, enq2, deq2, deq1] = core[..] else {
        panic!("two values change places")
    };
    let (first, second) = (i64::from(wrong), i64::from(wrong + clients));
    let line = |a: &str, b: &str| format!("{a} returned before {b} was called.");
    let evidence = Evidence {
        part: None,
        headline: None,
        core,
        core_is_minimal: true,
        refused: deq2,
        partial: placed(&[
            (enq1, &format!("[{first}]")),
            (enq2, &format!("[{first}, {second}]")),
        ]),
        allowed: allowed(&[(&format!("[{first}, {second}]"), &[Value::Int(first)])]),
        instead: Some(vec![Value::Int(first)]),
        because: because(&[
            (
                &line(&format!("enqueue({first})"), &format!("enqueue({second})")),
                &[enq1, enq2],
            ),
            (
                &line(
                    &format!("dequeue() → {second}"),
                    &format!("dequeue() → {first}"),
                ),
                &[deq2, deq1],
            ),
            (
                "A queue hands out what was put in first: contradiction.",
                &[],
            ),
        ]),
        decider: Decider::QueuePatterns,
    };
    finding(
        "busy.jsonl",
        "queue",
        &h,
        &Verdict::Violated(Box::new(evidence)),
    )
}

/// Everything a hostile file can put into a finding.
pub(crate) fn hostile() -> Finding {
    const EVIL: &str = "</script><script>document.title='pwned'</script><!-- \u{1b}[2J\u{202e}\u{0}'\"&lt;\u{2028}";
    let mut h = History::new();
    let write = h.push(0, "write<!--<script>", EVIL, UNIT, 1, 2);
    let read = h.push(1, "read\u{7}", UNIT, "]]>", 3, 4);
    let evidence = Evidence {
        part: Some(Value::text(EVIL)),
        headline: None,
        core: vec![write, read],
        core_is_minimal: true,
        refused: read,
        partial: vec![Placed {
            operation: write,
            state: EVIL.into(),
        }],
        allowed: vec![Allowed {
            state: EVIL.into(),
            results: vec![Value::text(EVIL)],
        }],
        instead: Some(vec![Value::text(EVIL)]),
        because: vec![Because {
            text: EVIL.into(),
            operations: vec![write],
        }],
        decider: Decider::Search,
    };
    let source = "</title><img src=x onerror=alert(1)>\u{202e}gpj.exe\u{1b}]0;x\u{7}";
    finding(
        source,
        "reg<b>ister",
        &h,
        &Verdict::Violated(Box::new(evidence)),
    )
}

/// A text of `bytes` bytes wherever one can stand.
pub(crate) fn huge_value(bytes: usize) -> Finding {
    let huge = "x".repeat(bytes);
    let mut h = History::new();
    let write = h.push(0, "write", huge.as_str(), UNIT, 1, 2);
    let read = h.push(1, "read", UNIT, huge.as_str(), 3, 4);
    let evidence = Evidence {
        part: Some(Value::text(&huge)),
        headline: None,
        core: vec![write, read],
        core_is_minimal: true,
        refused: read,
        partial: vec![Placed {
            operation: write,
            state: huge.clone(),
        }],
        allowed: allowed(&[(&huge, &[Value::text(&huge)])]),
        instead: Some(vec![Value::text(&huge)]),
        because: because(&[(&huge, &[write])]),
        decider: Decider::Search,
    };
    finding(
        "huge.jsonl",
        "register",
        &h,
        &Verdict::Violated(Box::new(evidence)),
    )
}

/// A register that is fine, with the order that shows it.
pub(crate) fn holds() -> Finding {
    let mut h = History::new();
    let write = h.push(0, "write", 1, UNIT, 1, 5);
    let read = h.push(1, "read", UNIT, 1, 2, 3);
    let witness = placed(&[(write, "1"), (read, "1")]);
    finding("fine.jsonl", "register", &h, &Verdict::Holds(Some(witness)))
}

/// A check that ran out of time.
pub(crate) fn unknown() -> Finding {
    let mut h = History::new();
    h.push(0, "write", 1, UNIT, 1, 5);
    finding("hard.jsonl", "register", &h, &Verdict::Unknown(Limit::Time))
}

fn pending(h: &mut History, process: u32, name: &str, argument: Value, call: u64) -> OpId {
    let method = h.method(name);
    h.operations.push(Operation {
        process,
        method,
        argument,
        outcome: Outcome::Pending,
        call,
        ret: NEVER,
    });
    (h.operations.len() - 1) as OpId
}
