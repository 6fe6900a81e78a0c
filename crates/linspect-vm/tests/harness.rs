//! An object with its harness: operations, steps, snapshots, replay.

use linspect_core::client::{Client, Invocation};
use linspect_core::execution::{Action, End, Ending, FaultKind};
use linspect_core::machine::{Machine, StartError, Status, Subject};
use linspect_core::schedule::{Choice, Schedule};
use linspect_core::value::Value;
use linspect_vm::{Chooser, LoadedProgram, Settings, frontend, run};
use std::path::Path;

const PUSH: u16 = 0;
const POP: u16 = 1;
const IS_EMPTY: u16 = 2;
const CONSTANT: u16 = 3;
const BOTH: u16 = 4;

fn treiber() -> LoadedProgram {
    harness("c/treiber.c")
}

fn harness(file: &str) -> LoadedProgram {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = frontend::Source {
        files: vec![root.join("../../corpus/harness").join(file)],
        c_flags: vec![format!("-I{}", root.join("include").display())],
        ..frontend::Source::default()
    };
    let program = frontend::load(&source).unwrap_or_else(|e| panic!("{e}"));
    LoadedProgram::new(program, Settings::default()).expect("a harness")
}

fn call(operation: u16, argument: impl Into<Value>) -> Invocation {
    Invocation {
        operation,
        argument: argument.into(),
    }
}

fn pop() -> Invocation {
    call(POP, Value::Unit)
}

fn returned(value: impl Into<Value>) -> Ending {
    Ending::Returned(value.into())
}

#[test]
fn a_harness_describes_its_operations() {
    let code = treiber();
    let names: Vec<&str> = code.operations().iter().map(|o| o.name.as_str()).collect();
    assert_eq!(names, ["push", "pop", "is_empty", "constant", "both"]);
    assert_eq!(code.operations()[0].domain, [Value::Int(1), Value::Int(2)]);
    assert_eq!(code.operations()[1].domain, [Value::Unit]);
    let spec = code.spec().expect("a specification");
    assert_eq!(spec.name, "stack");
    assert_eq!(spec.arguments, ".add = push, .remove = pop, .empty = -1");
}

#[test]
fn sequential_parts_run_before_and_after() {
    let client = Client {
        before: vec![
            call(PUSH, 1),
            call(IS_EMPTY, Value::Unit),
            call(PUSH, 2),
            pop(),
        ],
        threads: vec![],
        after: vec![pop(), pop(), call(IS_EMPTY, Value::Unit)],
        ..Client::default()
    };
    let ran = run(&treiber(), &client, &Chooser::Random(0), 100).expect("it starts");
    assert_eq!(
        ran.execution.before,
        [
            returned(Value::Unit),
            returned(false),
            returned(Value::Unit),
            returned(2)
        ]
    );
    assert_eq!(
        ran.execution.after,
        [returned(1), returned(-1), returned(true)]
    );
    assert_eq!(ran.execution.end, End::Complete);
}

#[test]
fn a_step_is_one_visible_access() {
    let code = treiber();
    let client = Client {
        before: vec![call(PUSH, 1)],
        threads: vec![
            vec![pop(), call(CONSTANT, Value::Unit)],
            vec![call(BOTH, Value::Unit)],
        ],
        ..Client::default()
    };
    let mut machine = code.start(&client).expect("it starts");
    let first = machine.step(Choice::of(0));
    let actions = |s: &linspect_core::execution::Step| {
        s.accesses.iter().map(|a| a.action).collect::<Vec<_>>()
    };
    assert_eq!(actions(&first), [Action::Read]);
    assert_eq!(first.called.map(|c| (c.thread, c.index)), Some((0, 0)));
    assert_eq!(first.returned, None);
    assert_eq!(machine.name(first.accesses[0].location), "stack.top");
    // top->next: the node was published by its push.
    assert_eq!(actions(&machine.step(Choice::of(0))), [Action::Read]);
    assert_eq!(actions(&machine.step(Choice::of(0))), [Action::CasOk]);
    let value = machine.step(Choice::of(0));
    assert_eq!(actions(&value), [Action::Read]);
    assert_eq!(value.returned.map(|r| r.1), Some(returned(1)));
    // An operation without visible access is a step of its own.
    assert_eq!(machine.next_site(0), None);
    let constant = machine.step(Choice::of(0));
    assert!(constant.accesses.is_empty() && constant.called.is_some());
    assert_eq!(constant.returned.map(|r| r.1), Some(returned(42)));
    assert_eq!(machine.status(0), Status::Done);
    // An atomic section is one step.
    let both = machine.step(Choice::of(1));
    assert_eq!(actions(&both), [Action::Read; 2]);
    let list = Value::list([Value::Int(-1), Value::Int(-1)]);
    assert_eq!(both.returned.map(|r| r.1), Some(Ending::Returned(list)));
    assert_eq!(machine.finish(), Ok(vec![]));
}

fn contended() -> Client {
    Client {
        before: vec![],
        threads: vec![vec![call(PUSH, 1), pop()], vec![call(PUSH, 2), pop()]],
        after: vec![pop()],
        ..Client::default()
    }
}

#[test]
fn same_schedule_same_steps() {
    let code = treiber();
    for seed in 0..50 {
        let first = run(&code, &contended(), &Chooser::Random(seed), 1000).expect("it starts");
        assert_eq!(first.execution.end, End::Complete);
        let again = run(
            &code,
            &contended(),
            &Chooser::Given(first.schedule.clone()),
            1000,
        )
        .expect("it starts");
        assert_eq!(first.execution, again.execution);
    }
}

#[test]
fn snapshots_bring_everything_back() {
    let code = treiber();
    let mut machine = code.start(&contended()).expect("it starts");
    let mut saved = Vec::new();
    let mut schedule = Schedule::default();
    while let Some(thread) = (0..2).find(|t| machine.status(*t) == Status::Ready) {
        let print = machine.fingerprint();
        let snapshot = machine.snapshot();
        let choice = Choice::of(thread);
        let peeked = machine.peek(choice);
        assert_eq!(machine.fingerprint(), print);
        let step = machine.step(choice);
        assert_eq!(peeked, step);
        assert_ne!(machine.fingerprint(), print);
        saved.push((snapshot, print, step));
        schedule.0.push(choice);
    }
    // Forwards and backwards, in any order.
    for (i, (snapshot, print, step)) in saved.iter().enumerate().rev() {
        machine.restore(snapshot);
        assert_eq!(machine.fingerprint(), *print);
        assert_eq!(&machine.step(schedule.0[i]), step);
    }
    for (i, (snapshot, _, step)) in saved.iter().enumerate() {
        machine.restore(snapshot);
        assert_eq!(&machine.step(schedule.0[i]), step);
    }
}

/// What was read into a variable that nobody reads any more decides nothing.
#[test]
fn states_that_differ_in_what_nobody_will_read_are_one() {
    let code = harness("c/leftovers.c");
    let operation = |name: &str| {
        let at = code.operations().iter().position(|o| o.name == name);
        at.expect("an operation") as u16
    };
    let prints = |reader: &str| {
        let client = Client {
            threads: vec![
                vec![call(operation(reader), Value::Unit)],
                vec![call(operation("set"), 1)],
            ],
            ..Client::default()
        };
        [[0, 1], [1, 0]].map(|order| {
            let mut machine = code.start(&client).expect("it starts");
            for thread in order {
                machine.step(Choice::of(thread));
            }
            machine.fingerprint()
        })
    };
    let [before, after] = prints("look");
    assert_eq!(before, after);
    let [before, after] = prints("use");
    assert_ne!(before, after);
}

#[test]
fn addresses_do_not_depend_on_the_interleaving() {
    let code = treiber();
    let locations = |seed| {
        let ran = run(&code, &contended(), &Chooser::Random(seed), 1000).expect("it starts");
        let mut found: Vec<_> = ran
            .execution
            .steps
            .iter()
            .flat_map(|s| s.accesses.iter().map(|a| a.location))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    // Two threads push one node each: whoever is first, each node has the place that its thread gives it.
    let all: std::collections::BTreeSet<_> = (0..50).flat_map(locations).collect();
    let allocations: std::collections::BTreeSet<u32> = all.iter().map(|l| l.allocation).collect();
    assert_eq!(allocations.len(), 3, "the stack and two nodes: {all:?}");
}

/// Who is woken by another thread tells of its return, although it touches nothing any more.
#[test]
fn a_woken_operation_returns() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("barrier.c");
    let source = "
        #include <linspect.h>
        #include <pthread.h>
        static pthread_barrier_t barrier;
        LINSPECT_SETUP { pthread_barrier_init(&barrier, 0, 2); }
        LINSPECT_OP(meet, pthread_barrier_wait(&barrier))";
    std::fs::write(&path, source).expect("a source");
    let program = frontend::load(&frontend::Source::file(path)).unwrap_or_else(|e| panic!("{e}"));
    let code = LoadedProgram::new(program, Settings::default()).expect("a harness");
    let client = Client {
        threads: vec![vec![call(0, Value::Unit)], vec![call(0, Value::Unit)]],
        ..Client::default()
    };
    for seed in 0..8 {
        let ran = run(&code, &client, &Chooser::Random(seed), 100).expect("it starts");
        assert_eq!(ran.execution.end, End::Complete);
        let returned = ran.execution.steps.iter().filter(|s| s.returned.is_some());
        assert_eq!(returned.count(), 2);
    }
}

/// Alone, an operation that comes back to a state it was in waits for ever, whatever it writes on the way; a long one is only long.
#[test]
fn sequential_operations_that_never_end_are_found_soon() {
    let code = harness("c/endless.c");
    let [spoil, retry, count] = [0, 1, 2].map(|operation| call(operation, Value::Unit));
    let client = |calls: &[&Invocation]| Client {
        after: calls.iter().map(|c| (*c).clone()).collect(),
        ..Client::default()
    };
    let mut machine = code
        .start(&client(&[&retry, &count, &spoil, &retry, &count]))
        .expect("it starts");
    let endings = machine.finish().expect("no fault");
    assert_eq!(
        endings,
        [returned(7), returned(50_000), Ending::Returned(Value::Unit)]
    );
    let most = 3_000_000;
    assert!(machine.instructions() < most, "{}", machine.instructions());
    let stuck = Client {
        before: vec![spoil, retry],
        ..Client::default()
    };
    let error = code.start(&stuck).err();
    assert_eq!(error, Some(StartError::PrefixBlocks { index: 1 }));
}

/// The results of an operation that is called four times, one call after the other.
fn four_times(code: &LoadedProgram, operation: u16) -> Vec<Ending> {
    let client = Client {
        after: vec![call(operation, Value::Unit); 4],
        ..Client::default()
    };
    let ran = run(code, &client, &Chooser::Random(0), 100).expect("it starts");
    ran.execution.after
}

#[test]
fn nested_options_and_results_are_told_apart() {
    let code = harness("rust/nested.rs");
    let text = |tag: &str| Value::text(tag);
    let some = |value: Value| Value::list([text("some"), value]);
    let nested = some(some(Value::Nil));
    assert_eq!(
        four_times(&code, 0),
        [Value::Nil, some(Value::Nil), nested, Value::Int(7)].map(returned)
    );
    let err = || Value::list([text("err"), Value::Int(1)]);
    let inside = Value::list([text("ok"), err()]);
    assert_eq!(
        four_times(&code, 1),
        [err(), inside, Value::Int(1), Value::Int(2)].map(returned)
    );
    let pair = |tag: &str, value: Value| Value::list([text(tag), value]);
    assert_eq!(
        four_times(&code, 2),
        [
            Value::Nil,
            some(pair("some", Value::Nil)),
            pair("none", Value::Nil),
            some(pair("some", Value::Int(1))),
        ]
        .map(returned)
    );
}

/// How a client of one thread ends.
fn ends(file: &str, calls: &[(u16, Value)]) -> Result<(), (FaultKind, String)> {
    let code = harness(file);
    let invocations = calls
        .iter()
        .map(|(operation, argument)| call(*operation, argument.clone()));
    let client = Client {
        threads: vec![invocations.collect()],
        ..Client::default()
    };
    let ran = run(&code, &client, &Chooser::Random(0), 1000).expect("it starts");
    match ran.execution.end {
        End::Complete => Ok(()),
        End::Suffix(fault) => Err((fault.kind, fault.message)),
        other => panic!("{file}: {other:?}"),
    }
}

#[test]
fn the_object_is_destroyed_at_the_end() {
    let (put, forget) = (|n: i64| (0, Value::Int(n)), || (1, Value::Unit));
    assert_eq!(ends("rust/dropped.rs", &[put(1)]), Ok(()));
    assert_eq!(ends("rust/dropped.rs", &[put(13), forget()]), Ok(()));
    let (kind, message) = ends("rust/dropped.rs", &[put(1), put(13)]).expect_err("it panics");
    assert_eq!(kind, FaultKind::Abort);
    assert!(
        message.contains("nobody took the unlucky token"),
        "{message}"
    );

    let (peek, take) = ((0, Value::Unit), (1, Value::Unit));
    assert_eq!(ends("c/teardown.c", std::slice::from_ref(&peek)), Ok(()));
    let (kind, message) = ends("c/teardown.c", &[peek, take]).expect_err("freed twice");
    assert_eq!(kind, FaultKind::BadFree, "{message}");

    let (enter, leave) = ((0, Value::Unit), (1, Value::Unit));
    let cpp = "cpp/destructor.cpp";
    assert_eq!(ends(cpp, &[enter.clone(), leave.clone()]), Ok(()));
    let (kind, message) = ends(cpp, &[leave, enter]).expect_err("an assertion");
    assert_eq!(kind, FaultKind::Assertion, "{message}");
}

#[test]
fn rust_is_checked_as_under_cargo_test() {
    let code = harness("rust/checked.rs");
    let endings = |calls: &[Invocation]| {
        let client = Client {
            after: calls.to_vec(),
            ..Client::default()
        };
        let ran = run(&code, &client, &Chooser::Random(0), 100).expect("it starts");
        ran.execution.after
    };
    let threw = |ending: &Ending, what: &str| match ending {
        Ending::Threw(message) => assert!(message.contains(what), "{message}"),
        other => panic!("{other:?}"),
    };
    let results = endings(&[call(0, 1), call(1, Value::Unit)]);
    assert_eq!(results[0], returned(251));
    threw(&results[1], "251 is odd");
    let results = endings(&[call(0, 10)]);
    threw(&results[0], "attempt to add with overflow");
}

/// A panic is an outcome with its place, however often a thread panics.
#[test]
fn a_thread_may_panic_again() {
    let code = harness("rust/panics.rs");
    let [take, panicking] = [0, 1].map(|operation| call(operation, Value::Unit));
    let calls = [&take, &take, &take, &panicking, &take].map(Clone::clone);
    let client = Client {
        threads: vec![calls.to_vec()],
        ..Client::default()
    };
    let ran = run(&code, &client, &Chooser::Random(0), 100).expect("it starts");
    let steps = ran.execution.steps.iter();
    let endings: Vec<Ending> = steps
        .filter_map(|s| s.returned.clone().map(|(_, ending)| ending))
        .collect();
    assert_eq!(ran.execution.end, End::Complete, "{endings:?}");
    assert_eq!(endings.len(), 5);
    assert_eq!(endings[0], returned(1));
    assert_eq!(endings[3], returned(false));
    for again in [1, 2, 4] {
        let Ending::Threw(message) = &endings[again] else {
            panic!("{:?}", endings[again]);
        };
        assert!(message.ends_with("panics.rs:9: sold out"), "{message}");
    }
}
