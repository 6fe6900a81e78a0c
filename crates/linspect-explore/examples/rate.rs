//! How many executions per second: `cargo run --release -p linspect-explore --example rate`.

use linspect_core::client::{Client, Invocation};
use linspect_core::machine::{Machine, Subject};
use linspect_core::property::Linearizable;
use linspect_core::spec::{Queue, Spec, Stack};
use linspect_core::value::Value;
use linspect_explore::Bounds;
use linspect_explore::class::{ClassVerdict, Judge};
use linspect_explore::run::run;
use linspect_explore::strategies::exhaustive::{Options, exhaustive};
use linspect_explore::strategies::random::Uniform;
use linspect_toy::{Program, objects};
use std::ops::ControlFlow;
use std::time::Instant;

fn main() {
    let stack = objects::treiber();
    let queue = objects::ms_queue();
    measure(
        "treiber 2+2",
        &stack,
        &Stack::default(),
        &client(&[&[0, 1], &[0, 1]]),
        1_000,
    );
    measure(
        "treiber 3+3",
        &stack,
        &Stack::default(),
        &client(&[&[0, 1, 0], &[1, 0, 1]]),
        1,
    );
    measure(
        "treiber 1+1+1+1",
        &stack,
        &Stack::default(),
        &client(&[&[0], &[0], &[1], &[1]]),
        1,
    );
    measure(
        "ms queue 2+2",
        &queue,
        &Queue::default(),
        &client(&[&[0, 1], &[0, 1]]),
        20,
    );
    measure(
        "ms queue 1+1+1",
        &queue,
        &Queue::default(),
        &client(&[&[0], &[0], &[1]]),
        1,
    );
}

fn client(threads: &[&[u16]]) -> Client {
    let mut next = 0;
    let mut call = |operation: &u16| {
        next += 1;
        Invocation {
            operation: *operation,
            argument: if *operation == 0 {
                Value::Int(next)
            } else {
                Value::Unit
            },
        }
    };
    Client {
        threads: threads
            .iter()
            .map(|t| t.iter().map(&mut call).collect())
            .collect(),
        ..Client::default()
    }
}

fn measure<S: Spec>(name: &str, program: &Program, spec: &S, client: &Client, times: u32) {
    let mut machine = program.start(client).expect("it starts");
    let start = machine.snapshot();
    let mut steps = 0;
    let mut executions = 0;
    let bare = Instant::now();
    for _ in 0..times {
        machine.restore(&start);
        executions += exhaustive(&mut machine, &Options::default(), &mut |leaf| {
            steps += leaf.trace.events().len();
            ControlFlow::Continue(())
        })
        .executions;
    }
    let bare = bare.elapsed().as_secs_f64();
    let judged = Instant::now();
    for _ in 0..times {
        machine.restore(&start);
        let property = Linearizable::new(spec, client, &program.declared).expect("it fits");
        let mut judge = Judge::new(property, 1_000_000);
        exhaustive(&mut machine, &Options::default(), &mut |leaf| {
            assert_eq!(judge.judge(leaf), ClassVerdict::Good);
            ControlFlow::Continue(())
        });
    }
    let judged = judged.elapsed().as_secs_f64();
    let sampled = Instant::now();
    for seed in 0..10_000 {
        machine.restore(&start);
        run(&mut machine, &mut Uniform::new(seed), Bounds::default());
    }
    let sampled = sampled.elapsed().as_secs_f64();
    println!(
        "{name:16} {executions:8} executions, {:3} steps each: {:7.0}/s exhaustive, {:7.0}/s judged, {:7.0}/s random",
        steps as u64 / executions,
        executions as f64 / bare,
        executions as f64 / judged,
        10_000.0 / sampled,
    );
}
