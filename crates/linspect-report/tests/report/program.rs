//! A finding about a program, with everything the later steps add: the set of a lock-free list that removes twice.

use crate::samples::{because, placed};
use linspect_core::history::History;
use linspect_core::value::Value;
use linspect_core::verdict::{Allowed, Criterion, Decider, Evidence, Verdict};
use linspect_report::finding::explanation::{Absent, Dependency, Explanation, Link, Reason, Role};
use linspect_report::finding::{
    Access, Action, Coverage, Fault, Interleaving, MinimalTest, Race, Recheck, Repair, Repairs,
    Replay, Side, SourceFile, Span, Step, Validation, Verdict as Said,
};
use linspect_report::{Checked, Finding};

const FILE: &str = "src/list.rs";

const SOURCE: &str = "\
impl List {
    pub fn remove(&self, key: u8) -> bool {
        let mut pred = &self.head;
        loop {
            let curr = pred.next.load(Acquire);
            if curr.is_null() || curr.key > key {
                return false;
            }
            if curr.key == key {
                if curr.marked.load(Acquire) {
                    return false;
                }
                curr.marked.store(true, Release);
                pred.next.store(curr.next, Release);
                return true;
            }
            pred = curr;
        }
    }
}
";

fn span(line: u32, last_line: u32) -> Span {
    Span {
        file: FILE.into(),
        line,
        last_line,
        function: "List::remove".into(),
    }
}

fn step(thread: u32, line: u32, matters: bool, access: (&str, Action, &str)) -> Step {
    let source = SOURCE.lines().nth(line as usize - 1).map(str::trim);
    Step {
        thread,
        operation: Some(thread + 1),
        span: Some(span(line, line)),
        call: None,
        source: source.map(Into::into),
        accesses: vec![Access {
            variable: access.0.into(),
            action: access.1,
            value: access.2.into(),
        }],
        note: None,
        fault: false,
        matters,
        invariant: None,
        state: None,
        older: None,
    }
}

fn side(thread: u32, line: u32, text: &str, taken: bool, good: u64, bad: u64) -> Side {
    Side {
        thread,
        text: text.into(),
        span: Some(span(line, line)),
        taken,
        good,
        bad,
        partly: false,
    }
}

/// The whole report of the sketch.
pub(crate) fn list() -> Finding {
    let mut h = History::new();
    let insert = h.push(2, "insert", 1, true, 2, 3);
    let first = h.push(0, "remove", 1, true, 4, 19);
    let second = h.push(1, "remove", 1, true, 6, 17);
    let evidence = Evidence {
        part: None,
        headline: None,
        core: vec![insert, first, second],
        core_is_minimal: true,
        refused: second,
        partial: placed(&[(insert, "{1}"), (first, "{}")]),
        allowed: vec![Allowed {
            state: "{}".into(),
            results: vec![Value::Bool(false)],
        }],
        instead: Some(vec![Value::Bool(false)]),
        because: because(&[
            (
                "insert(1) → true returned before both removes were called, and nothing else inserts 1",
                &[insert],
            ),
            (
                "exactly one of remove(1) → true and remove(1) → true can have removed it; both say they did",
                &[first, second],
            ),
        ]),
        decider: Decider::Search,
    };
    let checked = Checked::new("LockFreeSet", "set", Criterion::Linearizable);
    let mut finding = Finding::of_history(&h, &Verdict::Violated(Box::new(evidence)), checked);
    finding.coverage = Coverage::Exhausted {
        executions: 20,
        retries_cut: 0,
        memory_model: "SC".into(),
    };
    finding.minimal_test = Some(MinimalTest {
        before: vec![insert],
        threads: vec![vec![first], vec![second]],
        after: vec![],
        certified: true,
        source: Some("let set = LockFreeSet::new();\nset.insert(1);\n…".into()),
    });
    finding.interleaving = Some(run());
    finding.races = Some(vec![
        Race {
            step: 4,
            sides: vec![
                side(0, 10, "curr.marked.load()", true, 6, 14),
                side(1, 13, "curr.marked.store(true)", false, 10, 0),
            ],
        },
        Race {
            step: 5,
            sides: vec![
                side(1, 13, "curr.marked.store(true)", true, 0, 6),
                side(0, 13, "curr.marked.store(true)", false, 2, 4),
            ],
        },
    ]);
    finding.explanation = Some(explanation());
    finding.repairs = Some(Repairs {
        found: vec![
            Repair {
                blocks: vec![span(10, 13)],
                interfering: vec![span(13, 13)],
                recheck: Some(Recheck {
                    clients: 1,
                    exhausted: true,
                    executions: 12,
                    good: 6,
                    disabled: 0,
                }),
                validation: Some(Validation {
                    clients: 212,
                    exhausted: 212,
                    operations: 6,
                    executions: 4_000,
                    serial: 0,
                    fails: false,
                }),
                hint: Some(
                    "compare_exchange(false, true) on curr.marked does both in one step".into(),
                ),
                note: None,
                races_left: Vec::new(),
            },
            Repair {
                blocks: vec![span(5, 13)],
                interfering: vec![],
                recheck: None,
                validation: None,
                hint: None,
                note: Some("a block that an older version found".into()),
                races_left: Vec::new(),
            },
        ],
        note: None,
    });
    finding.replay = Some(Replay {
        command: "linspect replay L1:7f3a90c2".into(),
        token: "L1:7f3a90c2".into(),
        arguments: Vec::new(),
    });
    finding.sources = Some(vec![SourceFile {
        path: FILE.into(),
        text: SOURCE.into(),
    }]);
    finding
}

fn run() -> Interleaving {
    let next = "head.next";
    let marked = "node#1.marked";
    let (read, write) = (Action::Read, Action::Write);
    let mut steps = vec![
        step(0, 5, true, (next, read, "node#1")),
        step(1, 5, true, (next, read, "node#1")),
        step(0, 6, false, ("node#1.key", read, "1")),
        step(1, 10, true, (marked, read, "false")),
        step(0, 10, true, (marked, read, "false")),
        step(1, 13, true, (marked, write, "true")),
        step(1, 14, false, (next, write, "null")),
        step(0, 13, true, (marked, write, "true")),
        step(0, 14, false, (next, write, "null")),
    ];
    steps[1].invariant = Some("both threads hold curr = node#1, and node#1.marked = false".into());
    Interleaving {
        steps,
        contrast: Some("at ① let T2 go first (list.rs:13)".into()),
        threads: Vec::new(),
        fewest_switches: false,
    }
}

fn explanation() -> Explanation {
    let reason = |thread, line, text: &str, deed: Option<&str>, role, invariant: &[&str]| Reason {
        thread,
        span: span(line, line),
        text: text.into(),
        deed: deed.map(Into::into),
        role,
        switch: false,
        invariant: invariant.iter().map(ToString::to_string).collect(),
    };
    let test = "if curr.marked.load(Acquire) {";
    let read = Some("node#1.marked → 0");
    let mark = "curr.marked.store(true, Release);";
    let mut lines = vec![
        reason(1, 10, test, read, Role::Guard, &["node#1.marked = 0"]),
        reason(0, 10, test, read, Role::Guard, &[]),
        reason(1, 13, mark, Some("node#1.marked := 1"), Role::Hazard, &[]),
        reason(
            0,
            15,
            "return true;",
            None,
            Role::Value,
            &["T1.result = 1", "T2.result = 1"],
        ),
    ];
    lines[1].switch = true;
    lines[2].switch = true;
    Explanation {
        level: "ds+cs+hs".into(),
        reflects: true,
        lines,
        links: vec![
            Link {
                from: 1,
                to: 2,
                kind: Dependency::War,
                variable: Some("node#1.marked".into()),
            },
            Link {
                from: 1,
                to: 3,
                kind: Dependency::Control,
                variable: None,
            },
        ],
        executed: 17,
        statements: 60,
        kept: 14,
        absent: vec![Absent {
            thread: 0,
            span: span(11, 11),
            text: "return false;".into(),
            decided_at: Some(span(10, 10)),
            because: vec!["T2 list.rs:13  curr.marked.store(true, Release);".into()],
        }],
    }
}

/// The same program crashing instead, with no more known than where.
pub(crate) fn crash() -> Finding {
    let mut finding = list();
    finding.checked = Checked::new("LockFreeSet", "set", Criterion::Linearizable);
    finding.verdict = Said::Faulty {
        fault: Fault {
            kind: "use after free".into(),
            message: "read of node#1.next, which T2 has freed".into(),
            span: Some(span(5, 5)),
            related: Some(span(14, 14)),
            waits: Vec::new(),
        },
    };
    finding.races = None;
    finding.explanation = None;
    finding.repairs = Some(Repairs {
        found: vec![],
        note: Some(
            "The object is wrong even when every method runs alone: no block can repair it.".into(),
        ),
    });
    finding.sources = None;
    finding
}

/// The same with a hostile text in every place where the program under test can put one.
pub(crate) fn hostile() -> Finding {
    const EVIL: &str =
        "</script><script>document.title='pwned'</script><!--\u{1b}[2J\u{202e}</pre>";
    const FREE: [&str; 17] = [
        "text",
        "deed",
        "because",
        "level",
        "invariant",
        "variable",
        "value",
        "function",
        "effect",
        "hint",
        "command",
        "path",
        "file",
        "contrast",
        "note",
        "source",
        "memory_model",
    ];
    fn poison(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Array(items) => items.iter_mut().for_each(poison),
            serde_json::Value::Object(members) => {
                for (key, member) in members {
                    match member {
                        serde_json::Value::String(text) if FREE.contains(&key.as_str()) => {
                            text.push_str(EVIL);
                        }
                        serde_json::Value::Array(items) if FREE.contains(&key.as_str()) => {
                            for item in items {
                                match item {
                                    serde_json::Value::String(text) => text.push_str(EVIL),
                                    other => poison(other),
                                }
                            }
                        }
                        other => poison(other),
                    }
                }
            }
            _ => {}
        }
    }
    let text = linspect_report::json::write(&list());
    let mut value = serde_json::from_str(&text).expect("JSON");
    poison(&mut value);
    linspect_report::json::read(&value.to_string()).expect("still a finding")
}
