//! The axioms of the memory models on executions of the literature. Random programs are compared with axioms written a second time in `linspect-explore`.

use linspect_core::consistency::{Effect, Graph};
use linspect_core::execution::{EventId, MemoryModel, Ordering};

/// `T.N`: step N of thread T. A line is an event: `0.1 R x 1.0 acq` reads what 1.0 wrote, `W x - rel` writes directly after what was there at the start, `U` does
/// both, `F sc` is a fence; `0.1 > 1.0` is synchronisation from outside. Reads come after what they read.
fn graph(text: &str) -> Graph {
    let mut graph = Graph::default();
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let id = event(words[0]);
        match words[1..] {
            [">", to] => graph.synchronise(id, event(to)),
            ["F", order] => graph.event(id, (0, 0), Effect::Fence, ordering(order)),
            [kind, cell, other, order] => {
                let other = (other != "-").then(|| event(other));
                let effect = match kind {
                    "R" => Effect::Read(other),
                    "W" => Effect::Write(other),
                    _ => Effect::Update(other),
                };
                let cell = (1, u32::from(cell.as_bytes()[0]));
                graph.event(id, cell, effect, ordering(order));
            }
            _ => panic!("{line}"),
        }
    }
    graph
}

fn event(text: &str) -> EventId {
    let (thread, step) = text.split_once('.').expect("thread.step");
    EventId {
        thread: thread.parse().expect("a thread"),
        step: step.parse().expect("a step"),
    }
}

fn ordering(text: &str) -> Ordering {
    match text {
        "na" => Ordering::Plain,
        "rlx" => Ordering::Relaxed,
        "acq" => Ordering::Acquire,
        "rel" => Ordering::Release,
        "ar" => Ordering::AcqRel,
        "sc" => Ordering::SeqCst,
        _ => panic!("{text}"),
    }
}

#[track_caller]
fn check(text: &str, sc: bool, c20: bool) {
    let graph = graph(text);
    let found = [MemoryModel::Sc, MemoryModel::C20].map(|m| graph.is_consistent(m));
    assert_eq!(found, [sc, c20], "SC, C20 of{text}");
}

#[test]
fn message_passing() {
    let stale = |write: &str, read: &str| {
        format!("0.0 W x - rlx\n0.1 W y - {write}\n1.0 R y 0.1 {read}\n1.1 R x - rlx")
    };
    check(&stale("rlx", "acq"), false, true);
    check(&stale("rel", "rlx"), false, true);
    check(&stale("rel", "acq"), false, false);
    // C++20: a later store of the same thread does not go on with the release sequence; an update does.
    let then = |middle: &str, order: &str| {
        format!(
            "0.0 W x - rlx\n0.1 W y - rel\n0.2 {middle} y 0.1 {order}\n1.0 R y 0.2 acq\n1.1 R x - rlx"
        )
    };
    check(&then("W", "rlx"), false, true);
    check(&then("U", "rlx"), false, false);
    let fences =
        "0.0 W x - rlx\n0.1 F rel\n0.1 W y - rlx\n1.0 R y 0.1 rlx\n1.1 F acq\n1.1 R x - rlx";
    check(fences, false, false);
    // Synchronisation from outside is as good as any.
    check("0.0 W x - rlx\n0.0 > 1.0\n1.0 R x - rlx", false, false);
    check("0.0 W x - rlx\n1.0 R x - rlx\n", true, true);
}

#[test]
fn store_buffering() {
    let both = |write: &str, read: &str| {
        format!("0.0 W x - {write}\n0.1 R y - {read}\n1.0 W y - {write}\n1.1 R x - {read}")
    };
    check(&both("rel", "acq"), false, true);
    check(&both("sc", "sc"), false, false);
    check(&both("sc", "acq"), false, true);
    let fenced = "0.0 W x - rlx\n0.1 F sc\n0.1 R y - rlx\n1.0 W y - rlx\n1.1 F sc\n1.1 R x - rlx";
    check(fenced, false, false);
}

#[test]
fn coherence_and_atomicity() {
    // Two reads see two writes in opposite orders.
    check(
        "0.0 W x - rlx\n1.0 W x 0.0 rlx\n2.0 R x 1.0 rlx\n2.1 R x 0.0 rlx",
        false,
        false,
    );
    // 2+2W: each thread's first write comes last.
    let twice = |order: &str| {
        format!("0.0 W x - {order}\n1.0 W y - {order}\n0.1 W y - {order}\n1.1 W x - {order}")
    };
    check(&twice("rel"), false, true);
    check(&twice("sc"), false, false);
    check("0.0 U x - rlx\n1.0 U x - rlx", false, false);
    check("0.0 U x - rlx\n1.0 W x - rlx", false, false);
    check("0.0 U x - rlx\n1.0 U x 0.0 rlx", true, true);
}

/// The examples by which RC11 is told from C11 and from a single order of all seq_cst events.
#[test]
fn partial_sequential_consistency() {
    let iriw = |read: &str| {
        format!(
            "0.0 W x - sc\n1.0 W y - sc\n2.0 R x 0.0 {read}\n2.1 R y - sc\n3.0 R y 1.0 {read}\n3.1 R x - sc"
        )
    };
    check(&iriw("acq"), false, true);
    check(&iriw("sc"), false, false);
    // Z6.U
    check(
        "0.0 W x - sc\n0.1 W y - rel\n1.0 U y 0.1 sc\n2.0 W y 1.0 sc\n1.1 R y 2.0 rlx\n2.1 R x - sc",
        false,
        true,
    );
}
