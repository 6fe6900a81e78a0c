//! Each rule on a run that it is made for, and on one that it must not speak of.

use super::advice;
use linspect_core::history::History;
use linspect_core::verdict::{Criterion, Verdict as Decided};
use linspect_report::Checked;
use linspect_report::finding::{
    Access, Action, Fault, Finding, Interleaving, Race, Side, Span, Step, Verdict, Wait,
};

fn span(function: &str, line: u32) -> Span {
    Span {
        file: "a.c".into(),
        line,
        last_line: line,
        function: function.into(),
    }
}

/// A step of `thread` in `function:line` that does this to a variable.
fn step(thread: u32, function: &str, line: u32, action: Action, variable: &str) -> Step {
    Step {
        thread,
        operation: None,
        span: Some(span(function, line)),
        call: None,
        source: None,
        accesses: vec![Access {
            variable: variable.into(),
            action,
            value: "0".into(),
        }],
        note: None,
        fault: false,
        matters: true,
        invariant: None,
        state: None,
        older: None,
    }
}

fn finding(kind: &str, mut steps: Vec<Step>) -> Finding {
    let checked = Checked::new("a.c", "program", Criterion::Linearizable);
    let mut finding = Finding::of_history(&History::new(), &Decided::Holds(None), checked);
    if let Some(last) = steps.last_mut() {
        last.fault = true;
    }
    finding.verdict = Verdict::Faulty {
        fault: Fault {
            kind: kind.into(),
            message: String::new(),
            span: steps.last().and_then(|step| step.span.clone()),
            related: None,
            waits: Vec::new(),
        },
    };
    finding.interleaving = Some(Interleaving {
        steps,
        contrast: None,
        threads: Vec::new(),
        fewest_switches: false,
    });
    finding
}

fn wait(thread: &str, lock: &str, holder: &str, holds: &[&str]) -> Wait {
    Wait {
        thread: thread.into(),
        what: format!("for {lock}"),
        holder: Some(holder.into()),
        holds: holds.iter().map(ToString::to_string).collect(),
        span: None,
    }
}

fn with_waits(waits: Vec<Wait>) -> Finding {
    let mut finding = finding("deadlock", Vec::new());
    if let Verdict::Faulty { fault } = &mut finding.verdict {
        fault.waits = waits;
    }
    finding
}

#[test]
fn locks_in_two_orders() {
    let waits = vec![wait("T1", "b", "T2", &["a"]), wait("T2", "a", "T1", &["b"])];
    assert_eq!(
        advice(&with_waits(waits)),
        ["take b and a in the same order everywhere"]
    );
    let again = vec![wait("T1", "a", "T1", &["a"])];
    assert_eq!(
        advice(&with_waits(again)),
        ["T1 takes a again while it holds it: give it back first, or do not take it twice"]
    );
    // One who waits for a lock that somebody keeps who waits for nothing: no order is to blame.
    let kept = vec![wait("T1", "a", "T2", &[])];
    assert_eq!(advice(&with_waits(kept)), Vec::<String>::new());
}

#[test]
fn a_read_without_the_lock_of_the_writer() {
    let steps = |locked: bool| {
        let mut steps = vec![
            step(0, "size", 7, Action::Read, "list.head"),
            step(1, "remove", 2, Action::Lock, "list.lock"),
            step(1, "remove", 3, Action::Write, "list.head"),
            step(1, "remove", 4, Action::Unlock, "list.lock"),
            step(0, "size", 8, Action::Read, "node#1.next"),
        ];
        if locked {
            steps.insert(0, step(0, "size", 6, Action::Lock, "list.lock"));
        }
        steps
    };
    assert_eq!(
        advice(&finding("null pointer dereference", steps(false))),
        [
            "size:7 reads list.head without list.lock, under which T2's remove changes it: take it there"
                .replace("T2", "client 1")
        ]
    );
    // The standard library's own books are nobody's to lock.
    let mut books = steps(false);
    for access in books.iter_mut().flat_map(|step| &mut step.accesses) {
        access.variable = format!("std::panicking::{}", access.variable);
    }
    let said = advice(&finding("null pointer dereference", books));
    assert!(
        said.iter().all(|said| !said.contains("take it there")),
        "{said:?}"
    );
    // With the lock held there is nothing to take.
    let said = advice(&finding("null pointer dereference", steps(true)));
    assert!(
        said.iter().all(|text| !text.contains("without")),
        "{said:?}"
    );
}

#[test]
fn a_lost_update_is_named_and_an_undisturbed_one_is_not() {
    let update = |between: bool| {
        let mut steps = vec![
            step(0, "add", 3, Action::Read, "n"),
            step(0, "add", 4, Action::Write, "n"),
            step(2, "check", 9, Action::Read, "ok"),
        ];
        if between {
            steps.insert(1, step(1, "add", 4, Action::Write, "n"));
        }
        advice(&finding("assertion failed", steps))
    };
    assert_eq!(
        update(true),
        [
            "add:3–4 reads n and then writes it, and client 1's add:4 comes in between: hold one lock over add:3–4, or make it one atomic step"
        ]
    );
    assert_eq!(update(false), Vec::<String>::new());
}

#[test]
fn memory_that_is_freed_too_early() {
    let mut one = finding(
        "use after free",
        vec![
            step(0, "pop", 5, Action::Read, "top"),
            step(1, "pop", 9, Action::Free, "node#1"),
            step(0, "pop", 6, Action::Read, "node#1.next"),
        ],
    );
    if let Verdict::Faulty { fault } = &mut one.verdict {
        fault.related = Some(span("pop", 9));
    }
    let said = advice(&one);
    assert!(
        said[0].starts_with("pop:9 frees it while pop:6 can still reach it"),
        "{said:?}"
    );
}

/// Only where the other order was found to end well is it advised.
#[test]
fn the_order_that_saves_the_run() {
    let side = |line, taken, good, bad| Side {
        thread: u32::from(taken),
        text: String::new(),
        span: Some(span("f", line)),
        taken,
        good,
        bad,
        partly: false,
    };
    let steps = vec![
        step(1, "use", 2, Action::Read, "ready"),
        step(0, "check", 9, Action::Read, "seen"),
    ];
    let mut one = finding("assertion failed", steps);
    let race = |good, bad| {
        Some(vec![Race {
            step: 0,
            sides: vec![side(7, false, good, bad), side(2, true, 0, 3)],
        }])
    };
    one.races = race(4, 0);
    let said = advice(&one);
    assert!(
        said[0].starts_with("let f:7 come before f:2, then every run ends well"),
        "{said:?}"
    );
    one.races = race(4, 1);
    assert_eq!(advice(&one), Vec::<String>::new());
    // Two threads at one place have no order in the source.
    one.races = Some(vec![Race {
        step: 0,
        sides: vec![side(2, false, 4, 0), side(2, true, 0, 3)],
    }]);
    assert_eq!(advice(&one), Vec::<String>::new());
}

/// Whoever waits in a loop has looked again, whatever goes wrong later.
#[test]
fn only_a_wait_without_a_loop_is_told_to_have_one() {
    let run = |loops: bool, early: bool| {
        let mut steps = vec![
            step(0, "take", 2, Action::Lock, "m"),
            step(0, "take", 3, Action::Read, "n"),
            step(0, "take", 4, Action::Wait, "c"),
            step(1, "put", 8, Action::Write, "n"),
            step(1, "put", 9, Action::Wake, "c"),
            step(2, "take", 6, Action::Write, "n"),
            step(0, "take", 4, Action::Lock, "m"),
            step(0, "take", 6, Action::Read, "n"),
        ];
        if loops {
            steps.insert(7, step(0, "take", 3, Action::Read, "n"));
        }
        if early {
            // Woken only after the change.
            steps.insert(6, step(1, "put", 9, Action::Wake, "c"));
        }
        advice(&finding("assertion failed", steps))
    };
    let said = run(false, false);
    assert_eq!(
        said,
        [
            "client 2's take:6 changes n after client 0 was woken and before it goes on, and client 0 does not come back to take:3 to look again: put the wait (take:4) into a loop (`while`)"
        ]
    );
    for (loops, early) in [(true, false), (false, true)] {
        let said = run(loops, early);
        assert!(
            said.iter().all(|text| !text.contains("into a loop")),
            "{said:?}"
        );
    }
}

/// What is said of a thread that nobody wakes depends on what became of what it looked at.
#[test]
fn why_nobody_wakes_a_sleeper() {
    let valued = |mut step: Step, value: &str| {
        step.accesses[0].value = value.into();
        step
    };
    let look = || {
        vec![
            step(0, "take", 2, Action::Lock, "m"),
            valued(step(0, "take", 3, Action::Read, "n"), "0"),
        ]
    };
    let sleep = || step(0, "take", 4, Action::Wait, "c");
    let put = |value: &str| valued(step(1, "put", 8, Action::Write, "n"), value);
    let wake = || step(1, "put", 9, Action::Wake, "c");
    let said = |more: Vec<Step>| {
        let steps: Vec<Step> = look().into_iter().chain(more).collect();
        let mut one = finding("deadlock", steps);
        if let Verdict::Faulty { fault } = &mut one.verdict {
            fault.waits = vec![Wait {
                thread: "client 0".into(),
                what: "to be woken at c".into(),
                holder: None,
                holds: Vec::new(),
                span: Some(span("take", 4)),
            }];
        }
        advice(&one).remove(0)
    };
    for (more, begin) in [
        (
            vec![sleep(), put("1")],
            "nothing wakes client 0 after client 1's put:8 changes n (was 0 when client 0 looked at take:3, is 1 now)",
        ),
        (
            vec![sleep(), wake(), put("1")],
            "nothing wakes client 0 after client 1's put:8",
        ),
        (
            vec![put("1"), wake(), sleep()],
            "client 1's put:8 changes n after client 0 looked at take:3 and before it waits: change it and wake under the lock",
        ),
        (
            vec![sleep(), put("1"), wake()],
            "client 1's put:8 changes n (was 0 when client 0 looked at take:3, is 1 now), and client 1's put:9 wakes one thread, and that is not client 0",
        ),
        (
            vec![sleep()],
            "nobody changes n after client 0 looked at take:3",
        ),
        (
            vec![sleep(), put("1"), put("0")],
            "n is 0 again, as client 0 saw it at take:3",
        ),
    ] {
        let text = said(more);
        assert!(text.starts_with(begin), "{text}\nnot: {begin}");
    }
}
