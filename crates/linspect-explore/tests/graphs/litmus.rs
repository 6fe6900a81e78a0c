//! How many executions the tests of the literature have.

use super::client;
use linspect_core::execution::MemoryModel;
use linspect_core::machine::Subject;
use linspect_explore::strategies::graph::{self, graphs};
use linspect_toy::Program;
use std::ops::ControlFlow;

/// Executions under SC and under C20 of threads that are separated by `|`, their instructions by `;`.
#[track_caller]
fn check(threads: &str, sc: u64, c20: u64) {
    let mut text = String::from("global x = 0\nglobal y = 0\nglobal z = 0\n");
    for (i, thread) in threads.split('|').enumerate() {
        text.push_str(&format!("op t{i}\n"));
        for line in thread.split(';') {
            text.push_str(line.trim());
            text.push('\n');
        }
    }
    let mut program = Program::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    program.memory = MemoryModel::C20;
    let client = client(threads.split('|').count());
    let found = [MemoryModel::Sc, MemoryModel::C20].map(|model| {
        let mut machine = program.start(&client).expect("it starts");
        let options = graph::Options::of(model);
        graphs(&mut machine, &options, &mut |_| ControlFlow::Continue(())).executions
    });
    assert_eq!(found, [sc, c20], "{threads}");
}

#[test]
fn message_passing() {
    check(
        "write.rlx x 1; write.rlx y 1 | a = read.rlx y; b = read.rlx x",
        3,
        4,
    );
    check(
        "write.rlx x 1; write.rel y 1 | a = read.acq y; b = read.rlx x",
        3,
        3,
    );
    check(
        "write.rlx x 1; write.rel y 1 | a = read.acq y; if a==0 goto e; b = read.rlx x; e:",
        2,
        2,
    );
    check(
        "write.rlx x 1; write.rel y 1; write.rlx y 2 | a = read.acq y; if a==0 goto e; b = read.rlx x; e:",
        3,
        4,
    );
}

#[test]
fn store_and_load_buffering() {
    check(
        "write.rlx x 1; a = read.rlx y | write.rlx y 1; a = read.rlx x",
        3,
        4,
    );
    check(
        "write.rlx x 1; fence sc; a = read.rlx y | write.rlx y 1; fence sc; a = read.rlx x",
        3,
        3,
    );
    check(
        "a = read.rlx y; write.rlx x 1 | a = read.rlx x; write.rlx y 1",
        3,
        3,
    );
}

#[test]
fn two_writes_each() {
    check(
        "write.rlx x 1; write.rlx y 2 | write.rlx y 1; write.rlx x 2",
        3,
        4,
    );
    check(
        "write.rlx x 1; fence sc; write.rlx y 2 | write.rlx y 1; fence sc; write.rlx x 2",
        3,
        3,
    );
}

#[test]
fn coherence() {
    check(
        "write.rlx x 1; write.rlx x 2 | a = read.rlx x; b = read.rlx x",
        6,
        6,
    );
    check(
        "write.rlx x 1 | write.rlx x 2 | a = read.rlx x; b = read.rlx x | a = read.rlx x; b = read.rlx x",
        72,
        72,
    );
}

#[test]
fn three_and_four_threads() {
    check(
        "write.rlx x 1; write.rel y 1 | a = read.acq y; write.rel z a | b = read.acq z; c = read.rlx x",
        7,
        7,
    );
    check(
        "write.sc x 1 | write.sc y 1 | a = read.acq x; b = read.sc y | a = read.acq y; b = read.sc x",
        15,
        16,
    );
    check(
        "write.sc x 1; write.rel y 1 | a = faa.sc y 1; b = read.rlx y | write.sc y 3; c = read.sc x",
        18,
        // GenMC counts 22: it orders the two halves of an update, and so forbids what C++20 (P0668) means to allow here.
        24,
    );
}
