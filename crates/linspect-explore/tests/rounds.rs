//! Programs from which no run ends, whoever goes on: a search that turns back where it has been before shows each.
//!
//! The oracle asks every state by itself whether an end can be reached from it: a fixed point over the whole graph, without components.

use linspect_core::check::Unlimited;
use linspect_core::client::{Client, Invocation};
use linspect_core::execution::End;
use linspect_core::machine::{Machine, Status, Subject};
use linspect_core::random::Random;
use linspect_core::run::{Bounds, Follow, Nobody, run};
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use linspect_core::value::Value;
use linspect_explore::strategies::states::states;
use linspect_toy::Program;
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::ControlFlow;

/// Operations that go round until they read what they look for, and change something as they do.
fn program(rng: &mut Random) -> (Program, Client) {
    let threads = 2 + rng.below(2);
    let mut text = String::from("global x = 0\nglobal y = 0\n");
    for operation in 0..threads {
        let _ = write!(text, "op f{operation}\na = set 0\nagain:\n");
        for _ in 0..1 + rng.below(3) {
            let cell = ["x", "y"][rng.below(2)];
            let number = rng.below(3);
            let line = match rng.below(5) {
                0 => format!("a = read {cell}"),
                1 => format!("write {cell} {number}"),
                2 => format!("write {cell} a+1%3"),
                3 => format!("a = swap {cell} {number}"),
                _ => format!("a = cas {cell} {number} 2"),
            };
            let _ = writeln!(text, "{line}");
        }
        let _ = writeln!(text, "b = read {}", ["x", "y"][rng.below(2)]);
        let _ = writeln!(
            text,
            "if b{}{} goto again",
            ["==", "!="][rng.below(2)],
            rng.below(3)
        );
        let _ = writeln!(text, "return unit");
    }
    let program = Program::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let call = |operation: usize| Invocation {
        operation: operation as u16,
        argument: Value::Unit,
    };
    let client = Client {
        threads: (0..threads).map(|t| vec![call(t)]).collect(),
        ..Client::default()
    };
    (program, client)
}

fn ways<M: Machine>(machine: &M) -> Vec<Choice> {
    let threads = 0..machine.threads() as ThreadId;
    let ready = threads.filter(|&t| machine.status(t) == Status::Ready);
    ready.map(|thread| Choice { thread, branch: 0 }).collect()
}

/// Whether there is a state from which no end can be reached.
fn can_be_caught<M: Machine>(machine: &mut M) -> bool {
    let mut known = HashMap::from([(machine.fingerprint(), 0)]);
    let mut states = vec![(machine.snapshot(), ways(machine))];
    let mut steps: Vec<Vec<usize>> = Vec::new();
    while let Some((here, ways_on)) = states.get(steps.len()).cloned() {
        let mut leads_to = Vec::new();
        for choice in ways_on {
            machine.restore(&here);
            machine.step(choice);
            let next = states.len();
            let to = *known.entry(machine.fingerprint()).or_insert(next);
            if to == next {
                states.push((machine.snapshot(), ways(machine)));
            }
            leads_to.push(to);
        }
        steps.push(leads_to);
    }
    let mut ends: Vec<bool> = states.iter().map(|(_, ways)| ways.is_empty()).collect();
    loop {
        let more: Vec<usize> = (0..steps.len())
            .filter(|&s| !ends[s] && steps[s].iter().any(|&to| ends[to]))
            .collect();
        if more.is_empty() {
            return ends.contains(&false);
        }
        more.into_iter().for_each(|state| ends[state] = true);
    }
}

#[test]
fn rounds_without_a_way_out_are_shown() {
    let (mut caught, mut free) = (0, 0);
    let programs = if std::env::var_os("LINSPECT_LONG").is_some() {
        20_000
    } else {
        2_000
    };
    for seed in 0..programs {
        let (program, client) = program(&mut Random::new(seed));
        let mut machine = program.start(&client).expect("it starts");
        let start = machine.snapshot();
        let expected = can_be_caught(&mut machine);
        machine.restore(&start);
        let mut shown = Vec::new();
        let all = states(&mut machine, u64::MAX, &Unlimited, &mut |leaf| {
            if let End::Livelock(threads) = leaf.end {
                let choices = leaf.trace.steps().map(|step| step.choice);
                shown.push((Schedule(choices.collect()), threads.clone()));
            }
            ControlFlow::Continue(())
        });
        assert!(!all.walk.stopped);
        assert_eq!(!shown.is_empty(), expected, "seed {seed}\n{program:#?}");
        *(if expected { &mut caught } else { &mut free }) += 1;
        for (schedule, threads) in shown {
            machine.restore(&start);
            let told = run(
                &mut machine,
                &mut Follow::new(&schedule),
                Bounds::NONE,
                &mut Nobody,
            );
            assert_eq!(
                told.end,
                End::Livelock(threads),
                "seed {seed}\n{program:#?}"
            );
        }
    }
    assert!(
        caught > programs / 10 && free > programs / 10,
        "{caught} and {free}"
    );
}
