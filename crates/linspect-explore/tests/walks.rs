//! What walks say of themselves: how far they are, how many runs were cut, and when they stop.

use linspect_core::check::Unlimited;
use linspect_core::execution::{Action, End, MemoryModel};
use linspect_core::machine::Subject;
use linspect_core::random::Random;
use linspect_core::verdict::Limit;
use linspect_explore::Bounds;
use linspect_explore::strategies::bounded::bounded;
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::graph::{self, graphs};
use linspect_explore::strategies::naive::{self, naive};
use linspect_explore::strategies::{Leaf, Visit, Walk};
use linspect_toy::random::{self, Shape};
use linspect_toy::{Program, ToyMachine, objects};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// The tree is divided evenly at every branch, so the parts that are done add up to all of it.
#[test]
fn a_walk_over_all_schedules_knows_how_far_it_is() {
    for seed in 0..20 {
        let (program, client) = random::program(&mut Random::new(seed), Shape::plain());
        let mut machine = program.start(&client).expect("it starts");
        let mut done = 0.0;
        naive(&mut machine, naive::Options::default(), &mut |leaf| {
            assert!(leaf.progress > done, "seed {seed}");
            done = leaf.progress;
            ControlFlow::Continue(())
        });
        assert!((done - 1.0).abs() < 1e-9, "seed {seed}: {done}");
    }
}

/// A walk over graphs leaves out branches that come to nothing, but what is done stays done and never is more than all.
#[test]
fn a_walk_over_graphs_knows_how_far_it_is() {
    let mut faulty = objects::asserting_counter();
    faulty.memory = MemoryModel::C20;
    let first = &faulty.declared[0].name.clone();
    let client = faulty.client("", &[first, first, first], "");
    let mut programs = vec![(faulty, client)];
    for seed in 0..20 {
        let (mut program, client) = random::program(&mut Random::new(seed), Shape::plain());
        program.memory = MemoryModel::C20;
        programs.push((program, client));
    }
    let mut faults = 0;
    for (program, client) in programs {
        let mut machine = program.start(&client).expect("it starts");
        let mut done = 0.0;
        let options = graph::Options::of(MemoryModel::C20);
        graphs(&mut machine, &options, &mut |leaf| {
            faults += u32::from(*leaf.end == End::Fault);
            let error = 1e-9;
            assert!(
                leaf.progress > done - error,
                "{} after {done}",
                leaf.progress
            );
            // A run that ends with a fault is shown before the rest of its branch, and adds nothing.
            assert!(leaf.progress > 0.0 || *leaf.end == End::Fault);
            done = leaf.progress;
            ControlFlow::Continue(())
        });
        assert!(done > 0.0 && done < 1.0 + 1e-9);
    }
    assert!(faults > 0);
}

/// Two threads of three steps each.
fn counted() -> (Program, linspect_core::client::Client) {
    let program = Program::parse(
        "object counted
         global x = 0
         op three
           a = faa x 1
           a = faa x 1
           a = faa x 1
           return a",
    )
    .expect("a program");
    let client = program.client("", &["three", "three"], "");
    (program, client)
}

/// A walk that shows its runs to whoever is given.
type AnyWalk<'a> = dyn Fn(&mut Visit<'_>) -> Walk + 'a;

/// Hands every walk there is under `memory` to `walk`.
fn walks(memory: MemoryModel, bounds: Bounds, walk: &mut dyn FnMut(&AnyWalk<'_>)) {
    let (mut program, client) = counted();
    program.memory = memory;
    let start = || -> ToyMachine { program.start(&client).expect("it starts") };
    if memory == MemoryModel::C20 {
        let options = graph::Options {
            bounds,
            ..graph::Options::of(memory)
        };
        walk(&|visit| graphs(&mut start(), &options, visit));
        return;
    }
    let options = exhaustive::Options {
        bounds,
        ..exhaustive::Options::default()
    };
    walk(&|visit| exhaustive(&mut start(), &options, visit));
    let options = naive::Options {
        bounds,
        ..naive::Options::default()
    };
    walk(&|visit| naive(&mut start(), options, visit));
    for preemptions in 0..3 {
        walk(&|visit| bounded(&mut start(), bounds, preemptions, &Unlimited, visit));
    }
}

/// A thread may take two of its three steps: every run is cut, and counted as such; with three steps none is.
#[test]
fn runs_that_reach_the_bound_are_counted() {
    for memory in [MemoryModel::Sc, MemoryModel::C20] {
        for (steps_per_thread, all_cut) in [(2, true), (3, false)] {
            let bounds = Bounds { steps_per_thread };
            walks(memory, bounds, &mut |walk| {
                let mut cut = 0;
                let mut shown = 0;
                let walked = walk(&mut |leaf: &Leaf<'_>| {
                    shown += 1;
                    cut += u64::from(*leaf.end == End::StepLimit);
                    ControlFlow::Continue(())
                });
                assert!(shown > 0);
                assert_eq!(walked.executions, shown);
                assert_eq!(walked.limited, cut);
                assert_eq!(cut, if all_cut { shown } else { 0 });
                assert!(!walked.stopped);
            });
        }
    }
}

#[test]
fn a_visitor_stops_a_walk() {
    for memory in [MemoryModel::Sc, MemoryModel::C20] {
        walks(memory, Bounds::default(), &mut |walk| {
            let mut shown = 0;
            let walked = walk(&mut |_: &Leaf<'_>| {
                shown += 1;
                ControlFlow::Break(())
            });
            assert!(walked.stopped);
            assert_eq!((shown, walked.executions), (1, 1));
        });
    }
}

/// Budgets are asked in the middle of a walk, and one that is exhausted ends it.
#[test]
fn a_budget_stops_a_walk() {
    let (mut program, client) = counted();
    let asked = Cell::new(0);
    let over = |_: usize| {
        asked.set(asked.get() + 1);
        (asked.get() > 1).then_some(Limit::Time)
    };
    program.memory = MemoryModel::C20;
    let mut machine = program.start(&client).expect("it starts");
    let whole = graphs(
        &mut machine,
        &graph::Options::of(MemoryModel::C20),
        &mut |_| ControlFlow::Continue(()),
    );
    assert!(!whole.stopped);
    let options = graph::Options {
        budget: &over,
        ..graph::Options::of(MemoryModel::C20)
    };
    let mut machine = program.start(&client).expect("it starts");
    let walked = graphs(&mut machine, &options, &mut |_| ControlFlow::Continue(()));
    assert!(walked.stopped);
    assert!(walked.executions < whole.executions);
    assert_eq!(asked.get(), 2, "it stops at once");
}

/// Two threads of three steps that have nothing to do with each other: 24 steps lead through 16 states, and whoever comes to a state again is cut.
#[test]
fn runs_that_are_cut_because_others_did_the_same_are_counted() {
    let program = Program::parse(
        "object apart
         global x = 0
         global y = 0
         op left
           a = read x
           a = read x
           a = read x
           return 0
         op right
           a = read y
           a = read y
           a = read y
           return 0",
    )
    .expect("a program");
    let client = program.client("", &["left", "right"], "");
    let mut machine = program.start(&client).expect("it starts");
    let options = naive::Options {
        cache: naive::Cache::Classes,
        ..naive::Options::default()
    };
    let walked = naive(&mut machine, options, &mut |_| ControlFlow::Continue(()));
    assert_eq!((walked.executions, walked.redundant), (1, 24 + 1 - 16));
}

/// What each operation returned, and how it ended.
type Outcome = (Vec<String>, String);

fn outcome(leaf: &Leaf<'_>) -> Outcome {
    let returned = leaf.trace.steps().filter_map(|step| step.returned.as_ref());
    let mut returned: Vec<String> = returned.map(|r| format!("{r:?}")).collect();
    returned.sort();
    (returned, format!("{:?}", leaf.end))
}

/// What happens at each place, in order: a write or an operation on a lock, and the reads of it. Two runs are of the same graph if this is the same.
fn graph_of(leaf: &Leaf<'_>) -> String {
    let mut places: BTreeMap<String, Vec<Vec<[usize; 2]>>> = BTreeMap::new();
    let mut taken = [0; 8];
    for step in leaf.trace.steps() {
        let thread = usize::from(step.choice.thread);
        for access in &step.accesses {
            let place = places.entry(format!("{:?}", access.location));
            let place = place.or_insert_with(|| vec![vec![[usize::MAX; 2]]]);
            if access.action != Action::Read {
                place.push(Vec::new());
            }
            let last = place.last_mut().expect("at least what was there at first");
            last.push([thread, taken[thread]]);
            last[1..].sort_unstable();
        }
        taken[thread] += 1;
    }
    format!("{places:?}")
}

/// The outcomes of all schedules, and those of all graphs under SC.
fn outcomes(program: &mut Program, threads: &[&str]) -> [BTreeSet<Outcome>; 2] {
    let client = program.client("", threads, "");
    program.memory = MemoryModel::Sc;
    let mut expected = BTreeSet::new();
    let mut machine = program.start(&client).expect("it starts");
    exhaustive(&mut machine, &exhaustive::Options::default(), &mut |leaf| {
        expected.insert(outcome(leaf));
        ControlFlow::Continue(())
    });
    program.memory = MemoryModel::C20;
    let mut found = BTreeSet::new();
    let mut machine = program.start(&client).expect("it starts");
    let options = graph::Options::of(MemoryModel::Sc);
    let mut all = BTreeSet::new();
    graphs(&mut machine, &options, &mut |leaf| {
        found.insert(outcome(leaf));
        assert!(all.insert(graph_of(leaf)), "the same graph again");
        ControlFlow::Continue(())
    });
    [expected, found]
}

/// Threads that sleep until somebody wakes them: graphs have the outcomes that schedules have, deadlocks among them.
#[test]
fn graphs_wake_who_sleeps() {
    let mut program = objects::one_place_buffer();
    let names: Vec<String> = program.declared.iter().map(|d| d.name.clone()).collect();
    let (put, take) = (format!("{}=1", names[0]), names[1].clone());
    let mut stuck = 0;
    for threads in [
        vec![put.clone(), take.clone()],
        vec![take.clone(), put.clone(), take.clone()],
        vec![put.clone(), put.clone()],
        vec![put.clone(), put, take],
    ] {
        let threads: Vec<&str> = threads.iter().map(String::as_str).collect();
        let [expected, found] = outcomes(&mut program, &threads);
        assert_eq!(found, expected, "{threads:?}");
        let deadlocks = found.iter().filter(|(_, end)| end.starts_with("Deadlock"));
        stuck += deadlocks.count();
    }
    assert!(stuck > 0);
}

/// Who wakes without the lock is known to whoever was woken by nothing but the waking: what that one writes, the other has not read before.
#[test]
fn who_was_woken_comes_after_who_woke() {
    let mut program = Program::parse(
        "object bell
         global guard = 0
         global bell = 0
         global x = 0
         op sleep
           lock guard
           wait bell guard
           unlock guard
           write x 1
           return 0
         op ring
           r = read x
           wake bell
           return r",
    )
    .expect("a program");
    for threads in [
        vec!["ring", "sleep"],
        vec!["sleep", "ring"],
        vec!["ring", "sleep", "ring"],
        vec!["sleep", "ring", "sleep"],
        vec!["ring", "ring", "sleep"],
    ] {
        let [expected, found] = outcomes(&mut program, &threads);
        assert_eq!(found, expected, "{threads:?}");
    }
}

/// Operations that lock, look, write, wake and wait as they like: whoever sleeps first is woken first, and each order of the sleepers is a run of its own.
#[test]
fn sleepers_of_random_programs_are_woken_as_in_all_schedules() {
    let programs = if std::env::var_os("LINSPECT_LONG").is_some() {
        2_000
    } else {
        100
    };
    let mut dice = Random::new(18);
    let (mut slept, mut woken) = (0, 0);
    for seed in 0..programs {
        let mut text = "object bells\nglobal guard = 0\nglobal bell = 0\nglobal x = 0\n".to_owned();
        for name in ["a", "b", "c"] {
            text += &format!("op {name}\nr = set 0\n");
            let waits = dice.percent(60);
            text += ["r = read x\n", "write x 1\n", "wake bell\n"][dice.below(3)];
            if waits {
                text += "lock guard\n";
                text += ["", "wake bell\n", "r = read x\n"][dice.below(3)];
                text += "wait bell guard\n";
                text += ["", "wake bell\n", "write x 3\n"][dice.below(3)];
                text += "unlock guard\n";
                text += ["", "wake bell\n", "write x 4\n"][dice.below(3)];
            }
            text += "return r\n";
        }
        let mut program = Program::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let [expected, found] = outcomes(&mut program, &["a", "b", "c"]);
        assert_eq!(found, expected, "seed {seed}\n{text}");
        let stuck = |(_, end): &&Outcome| end.starts_with("Deadlock");
        slept += usize::from(expected.iter().any(|o| stuck(&o)));
        woken += usize::from(text.contains("wait") && expected.iter().any(|o| !stuck(&o)));
    }
    assert!(slept > 20 && woken > 20, "{slept} {woken}");
}
