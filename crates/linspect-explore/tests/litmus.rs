//! Exact numbers for small programs: how many runs are explored, against how many classes there are.
//!
//! Classes are counted by walking the tree of schedules and cutting it where an equivalent prefix was seen, which shares no code
//! with the reduction except the happens-before relation; that relation is compared with its definition elsewhere.

use linspect_core::client::{Client, Invocation};
use linspect_core::execution::End;
use linspect_core::machine::{Machine, Subject};
use linspect_core::value::Value;
use linspect_explore::class;
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::naive::{self, Cache, naive};
use linspect_toy::{Program, objects};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

#[derive(Debug, PartialEq, Eq)]
struct Counts {
    /// Runs that the reduction shows: one per class.
    classes: u64,
    /// Among them, deadlocks.
    deadlocks: u64,
    /// Distinct tight histories of all classes.
    histories: usize,
}

fn counts(program: &Program, client: &Client) -> Counts {
    let mut machine = program.start(client).expect("it starts");
    let start = machine.snapshot();
    let mut deadlocks = 0;
    let mut histories = BTreeSet::new();
    let walk = exhaustive(&mut machine, &exhaustive::Options::default(), &mut |leaf| {
        deadlocks += u64::from(matches!(leaf.end, End::Deadlock(_) | End::Livelock(_)));
        class::histories(leaf.trace, &mut |tight| {
            histories.insert((tight, format!("{:?}", leaf.after)));
        });
        ControlFlow::Continue(())
    });
    assert_eq!(walk.redundant, 0);
    machine.restore(&start);
    let options = naive::Options {
        cache: Cache::Classes,
        ..naive::Options::default()
    };
    let oracle = naive(&mut machine, options, &mut |_| ControlFlow::Continue(()));
    assert_eq!(walk.executions, oracle.executions, "{}", program.name);
    Counts {
        classes: walk.executions,
        deadlocks,
        histories: histories.len(),
    }
}

fn check(program: &Program, threads: &str, expected: [u64; 3]) {
    let client = client(program, threads);
    let counts = counts(program, &client);
    let seen = [counts.classes, counts.deadlocks, counts.histories as u64];
    assert_eq!(
        seen, expected,
        "{} `{threads}`: classes, deadlocks, histories",
        program.name
    );
}

/// `push 1, pop | pop`.
fn client(program: &Program, threads: &str) -> Client {
    let call = |text: &str| {
        let mut words = text.split_whitespace();
        let name = words.next().expect("a call has a name");
        let at = program.declared.iter().position(|d| d.name == name);
        Invocation {
            operation: at.unwrap_or_else(|| panic!("no operation {name}")) as u16,
            argument: words
                .next()
                .map_or(Value::Unit, |v| Value::Int(v.parse().expect("a number"))),
        }
    };
    let thread = |text: &str| text.split(',').map(call).collect();
    Client {
        threads: threads.split('|').map(thread).collect(),
        ..Client::default()
    }
}

fn program(text: &str) -> Program {
    Program::parse(text).expect("a well-formed program")
}

/// Shapes whose numbers follow by hand: one-step operations never overlap, so n of them have n! histories.
#[test]
fn shapes_of_the_textbook() {
    let cell = program("global x = 0\nop w 1\nwrite x arg\nop r\na = read x\nreturn a");
    // n writers of one cell: n! orders.
    check(&cell, "w 1 | w 1", [2, 0, 2]);
    check(&cell, "w 1 | w 1 | w 1", [6, 0, 6]);
    check(&cell, "w 1 | w 1 | w 1 | w 1", [24, 0, 24]);
    // Readers only: one class.
    check(&cell, "r | r | r", [1, 0, 6]);
    // One writer, n readers: each reader before or after it.
    check(&cell, "w 1 | r | r", [4, 0, 6]);
    check(&cell, "w 1 | r | r | r", [8, 0, 24]);
    // Store buffering: of the four results only 0,0 is impossible.
    let buffer = program(
        "global x[2] = 0
         op both
           write x+tid 1
           a = read 1-tid+x
           return a",
    );
    check(&buffer, "both | both", [3, 0, 3]);
    // An operation without accesses is a step of its own and commutes with everything.
    let quiet = program("global x = 0\nop w 1\nwrite x arg\nop n\nreturn 7");
    check(&quiet, "w 1 | n", [1, 0, 2]);
    // The environment decides: two ways each.
    let decide = program("op d\na = choose 2\nreturn a");
    check(&decide, "d | d", [4, 0, 8]);
}

#[test]
fn blocking() {
    // n critical sections: n! orders. A lock and an unlock cannot be reversed.
    let section = program("global m = 0\nop s\nlock m\nunlock m");
    check(&section, "s | s", [2, 0, 2]);
    check(&section, "s | s | s", [6, 0, 6]);
    // Two locks in opposite order: either first, or the deadlock.
    check(
        &objects::crossed_locks(),
        "get_and_inc | get_and_add 1",
        [3, 1, 5],
    );
    // The dining philosophers: two orders per fork, 8 in all, without the two circles, and one deadlock.
    let table = program(
        "global forks[3] = 0
         op eat
           lock forks+tid
           lock tid+1%3+forks
           unlock forks+tid
           unlock tid+1%3+forks",
    );
    check(&table, "eat | eat | eat", [7, 1, 16]);
    // An attempt to lock either gets it before or after the section, or fails inside.
    let attempt = program(
        "global m = 0\nop s\nlock m\nunlock m\nop t\na = trylock m\nif a==0 goto no\nunlock m\nno:\nreturn a",
    );
    check(&attempt, "s | t", [3, 0, 3]);
    check(
        &objects::spin_counter(),
        "get_and_inc | get_and_inc",
        [6, 0, 4],
    );
    check(&objects::one_place_buffer(), "put 1 | take", [2, 0, 2]);
    check(
        &objects::one_place_buffer(),
        "put 1, put 2 | take, take",
        [8, 0, 8],
    );
    check(
        &objects::one_place_buffer(),
        "take | take | put 1",
        [8, 8, 8],
    );
    // Thread creation and join order nothing but themselves.
    let spawner = program(
        "global x = 0
         op child 1
           write x arg
         op main
           t = spawn 0 1
           write x 2
           join t
           a = read x
           return a",
    );
    check(&spawner, "main", [2, 0, 2]);
}

#[test]
fn objects_of_the_papers() {
    check(
        &objects::treiber(),
        "push 1, pop | push 2, pop",
        [46, 0, 32],
    );
    check(&objects::treiber(), "push 1 | push 2 | pop", [22, 0, 22]);
    check(
        &objects::ms_queue(),
        "enq 1, deq | enq 2, deq",
        [222, 0, 30],
    );
    check(
        &objects::afek_stack(),
        "push 1, pop | push 2, pop",
        [8, 0, 32],
    );
    check(
        &objects::two_stacks(),
        "push 1, pop | push 2, pop",
        [1, 0, 19],
    );
    check(
        &objects::per_thread_queue(),
        "enq 1, deq | enq 2, deq",
        [1, 0, 19],
    );
    check(
        &objects::striped_counter(),
        "add_first 1 | add_second 10 | sum",
        [4, 0, 12],
    );
    check(
        &objects::locked_counter(),
        "get_and_inc | get_and_inc | get_and_inc",
        [6, 0, 6],
    );
    check(
        &objects::pair_snapshot(),
        "write_a 1, write_b 1 | read",
        [6, 0, 8],
    );
}
