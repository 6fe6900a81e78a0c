//! Each strategy does what its paper promises.

use linspect_core::check::Unlimited;
use linspect_core::client::{Client, Invocation};
use linspect_core::defect::{Race, Racer};
use linspect_core::execution::{
    Access, Action, End, Location, MemoryModel, Ordering, Published, Step,
};
use linspect_core::machine::{Machine, Subject};
use linspect_core::property::{FaultFree, Linearizable};
use linspect_core::random::Random;
use linspect_core::schedule::{Choice, ThreadId};
use linspect_core::spec::Counter;
use linspect_core::value::Value;
use linspect_explore::Bounds;
use linspect_explore::class::Judge;
use linspect_explore::races::races;
use linspect_explore::run::run;
use linspect_explore::strategies::bounded::bounded;
use linspect_explore::strategies::dpct::Dpct;
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::expected::Expected;
use linspect_explore::strategies::naive::{self, naive};
use linspect_explore::strategies::pct::{Pct, guarantee};
use linspect_explore::strategies::random::Uniform;
use linspect_explore::strategies::{Leaf, Strategy};
use linspect_explore::tight::Tight;
use linspect_explore::trace::Trace;
use linspect_toy::random::{self, Shape};
use linspect_toy::{Program, objects};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

fn call(operation: u16) -> Invocation {
    Invocation {
        operation,
        argument: Value::Unit,
    }
}

type History = (Tight, String);

fn history(leaf: &Leaf<'_>) -> History {
    (
        Tight::of(leaf.trace),
        format!("{:?} {:?}", leaf.end, leaf.after),
    )
}

/// Switches away from a thread that could go on, found by running the schedule again.
fn preemptions<M: Machine>(machine: &mut M, start: &M::Snapshot, leaf: &Leaf<'_>) -> u32 {
    machine.restore(start);
    let mut count = 0;
    let mut running: Option<ThreadId> = None;
    for step in leaf.trace.steps() {
        let next = step.choice.thread;
        let could = |t| machine.status(t) == linspect_core::machine::Status::Ready;
        count += u32::from(running.is_some_and(|t| t != next && could(t)));
        machine.step(step.choice);
        running = Some(next);
    }
    count
}

/// With every bound, exactly the histories that need so many preemptions are new.
#[test]
fn bounded_finds_each_history_at_its_bound() {
    let shape = Shape {
        atomics: true,
        locks: true,
        operations: 2,
        accesses: 1,
        ..Shape::plain()
    };
    for seed in 0..60 {
        let (program, client) = random::program(&mut Random::new(seed), shape);
        let mut machine = program.start(&client).expect("it starts");
        let start = machine.snapshot();
        let mut other = program.start(&client).expect("it starts");
        let mut needed: BTreeMap<History, u32> = BTreeMap::new();
        naive(&mut machine, naive::Options::default(), &mut |leaf| {
            let count = preemptions(&mut other, &start, leaf);
            let least = needed.entry(history(leaf)).or_insert(count);
            *least = count.min(*least);
            ControlFlow::Continue(())
        });
        let most = needed.values().copied().max().unwrap_or(0);
        let mut found: BTreeMap<History, u32> = BTreeMap::new();
        for bound in 0..=most {
            machine.restore(&start);
            bounded(
                &mut machine,
                Bounds::default(),
                bound,
                &Unlimited,
                &mut |leaf| {
                    assert_eq!(preemptions(&mut other, &start, leaf), bound);
                    found.entry(history(leaf)).or_insert(bound);
                    ControlFlow::Continue(())
                },
            );
        }
        assert_eq!(found, needed, "seed {seed}");
    }
}

/// Three threads of which the first two must be interrupted, the third run, and then the second go on before the first: depth 3. An order of priorities that
/// always lets the first go on first never sees it.
#[test]
fn pct_leaves_the_order_of_the_interrupted_to_chance() {
    let program = Program::parse(
        "object order
         global x = 0
         op first
           a = swap x 1
           b = read x
           if b==4 goto bad
           return 0
         bad:
           return 1
         op second
           a = read x
           if a!=1 goto end
           b = read x
           if b!=3 goto end
           c = swap x 4
         end:
           return 0
         op third
           a = read x
           if a!=1 goto end
           b = swap x 3
         end:
           return 0",
    )
    .expect("it is well formed");
    let client = Client {
        threads: vec![vec![call(0)], vec![call(1)], vec![call(2)]],
        ..Client::default()
    };
    let mut machine = program.start(&client).expect("it starts");
    let start = machine.snapshot();
    let (runs, steps) = (4_000, 7);
    let mut bad = 0;
    for seed in 0..runs {
        machine.restore(&start);
        let pct = &mut Pct::new(seed, 3, steps);
        let run = run(&mut machine, pct, Bounds::default());
        let saw = |value| {
            Some(linspect_core::execution::Ending::Returned(Value::Int(
                value,
            )))
        };
        let mut returned = run.trace.steps().filter_map(|s| s.returned.clone());
        bad += u64::from(returned.any(|(_, ending)| Some(ending) == saw(1)));
    }
    let promised = runs as f64 * guarantee(3, steps, 3);
    assert!(
        bad as f64 >= promised,
        "{bad} of {runs}, {promised} promised"
    );
}

/// A thread that only starts and joins others is none of those that are counted, so what its starting them costs is not lost.
#[test]
fn pct_does_not_interrupt_who_only_starts_others() {
    let program = Program::parse(
        "global x = 0
         op work
           a = read x
           write x a+1
           b = read x
           write x b+1
           return 0
         op main
           one = spawn 0 0
           two = spawn 0 0
           join one
           join two
           a = read x
           return a",
    )
    .expect("it is well formed");
    let client = Client {
        threads: vec![vec![call(1)]],
        ..Client::default()
    };
    let mut machine = program.start(&client).expect("it starts");
    let start = machine.snapshot();
    let expected = Expected::measure(&mut machine, Bounds::default());
    assert_eq!(
        (expected.threads_that_matter(), expected.steps_that_matter()),
        (2, 8)
    );
    let runs = 20_000;
    // Two of the four additions are lost: each thread is interrupted once.
    let two = Some(linspect_core::execution::Ending::Returned(Value::Int(2)));
    let mut bad_of = |strategy: &dyn Fn(u64) -> Pct| {
        let bad = |seed: &u64| {
            machine.restore(&start);
            let run = run(&mut machine, &mut strategy(*seed), Bounds::default());
            let mut returned = run.trace.steps().filter_map(|s| s.returned.clone());
            returned.any(|(_, ending)| Some(ending) == two)
        };
        (0..runs).filter(bad).count() as f64
    };
    let bad = bad_of(&|seed| Pct::of(seed, 3, &expected));
    let without = bad_of(&|seed| Pct::new(seed, 3, expected.steps));
    let promised = runs as f64 * guarantee(2, 8, 3);
    println!("{bad} of {runs}, {promised} promised, {without} if all threads count");
    assert!(
        bad >= promised && bad > 1.1 * without,
        "{bad}, {without} if all threads count"
    );
}

/// How many of `runs` runs of the early unlock with two threads are bad.
fn bad_runs(runs: u64, strategy: &mut dyn FnMut(u64) -> Box<dyn Strategy>) -> u64 {
    let program = objects::early_unlock();
    let client = Client {
        threads: vec![vec![call(0)], vec![call(0)]],
        ..Client::default()
    };
    let counter = Counter::default();
    let property = Linearizable::new(&counter, &client, &program.declared).expect("a counter");
    let mut judge = Judge::new(property, 1_000);
    let mut machine = program.start(&client).expect("it starts");
    let start = machine.snapshot();
    let mut bad = 0;
    for seed in 0..runs {
        machine.restore(&start);
        let run = run(&mut machine, &mut *strategy(seed), Bounds::default());
        bad += u64::from(!judge.is_good(&run.leaf()));
    }
    bad
}

#[test]
fn pct_keeps_its_promise() {
    let runs = 4_000;
    // Interrupting one thread between its unlock and its write is a fault of depth 2.
    let promised = runs as f64 * guarantee(2, 8, 2);
    let pct = bad_runs(runs, &mut |seed| Box::new(Pct::new(seed, 2, 8)));
    assert!(
        pct as f64 >= promised,
        "{pct} of {runs}, {promised} promised"
    );
    let dpct = bad_runs(runs, &mut |seed| {
        Box::new(Dpct::new(seed, 2, vec![vec![4], vec![4]]))
    });
    assert!(
        dpct as f64 >= promised,
        "{dpct} of {runs}, {promised} promised"
    );
    // Not knowing the length must not cost it.
    let unsure = bad_runs(runs, &mut |seed| {
        Box::new(Dpct::new(seed, 2, vec![vec![1], vec![1]]))
    });
    assert!(
        unsure as f64 >= promised,
        "{unsure} of {runs}, {promised} promised"
    );
    // Depth 1 is no preemption at all.
    assert_eq!(
        bad_runs(runs, &mut |seed| Box::new(Pct::new(seed, 1, 8))),
        0
    );
    let uniform = bad_runs(runs, &mut |seed| Box::new(Uniform::new(seed)));
    assert!(uniform > 0 && uniform < runs);
}

#[test]
fn uniform_choice_reaches_everything() {
    for seed in 0..20 {
        let (program, client) = random::program(&mut Random::new(seed), Shape::plain());
        let mut machine = program.start(&client).expect("it starts");
        let start = machine.snapshot();
        let mut all = BTreeSet::new();
        let options = naive::Options::default();
        naive(&mut machine, options, &mut |leaf| {
            all.insert(history(leaf));
            ControlFlow::Continue(())
        });
        let mut seen = BTreeSet::new();
        for i in 0..3_000 {
            machine.restore(&start);
            let run = run(&mut machine, &mut Uniform::new(i), Bounds::default());
            seen.insert(history(&run.leaf()));
        }
        assert_eq!(seen, all);
    }
}

/// A fault cuts its run short; still every fault that some schedule reaches is reached.
#[test]
fn every_fault_is_found() {
    let mut with_faults = 0;
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let shape = Shape {
            threads: 2 + random.below(2),
            operations: 1,
            atomics: true,
            ..Shape::plain()
        };
        let (mut program, client) = random::program(&mut random, shape);
        for operation in &mut program.operations {
            // The result must not be 4, or 1, or whatever it is: sometimes it is.
            let condition = linspect_toy::Expression {
                first: linspect_toy::Operand::Register(0),
                rest: vec![(
                    linspect_toy::Operator::Unequal,
                    linspect_toy::Operand::Constant(random.below(3) as i64),
                )],
            };
            let at = operation.code.len() - 1;
            if operation.registers > 1 {
                operation
                    .code
                    .insert(at, linspect_toy::Instruction::Assert { condition });
            }
        }
        let faults = |program: &Program, reduced: bool| {
            let mut found = BTreeSet::new();
            let Ok(mut machine) = program.start(&client) else {
                return found;
            };
            let mut visit = |leaf: &Leaf<'_>| {
                if *leaf.end == End::Fault {
                    let step = leaf.trace.steps().last().expect("the fault's step");
                    found.insert((step.choice, format!("{:?} {:?}", step.fault, step.accesses)));
                }
                ControlFlow::Continue(())
            };
            if reduced {
                exhaustive(&mut machine, &exhaustive::Options::default(), &mut visit);
            } else {
                naive(&mut machine, naive::Options::default(), &mut visit);
            }
            found
        };
        let expected = faults(&program, false);
        with_faults += usize::from(!expected.is_empty());
        assert_eq!(faults(&program, true), expected, "seed {seed}");
    }
    assert!(with_faults > 500, "{with_faults}");
}

fn trace(steps: &[(ThreadId, Action, u32, Ordering)]) -> Trace {
    let mut trace = Trace::default();
    for (site, &(thread, action, allocation, ordering)) in (0..).zip(steps) {
        let step = Step {
            choice: Choice::of(thread),
            called: None,
            invocation: None,
            accesses: [Access {
                action,
                location: Location {
                    allocation,
                    offset: 0,
                    size: 8,
                },
                read: 0,
                written: 0,
                ordering,
                site,
                from: None,
                after: None,
            }]
            .into_iter()
            .collect(),
            returned: None,
            other: None,
            fault: None,
            aside: linspect_core::execution::Aside::default(),
        };
        let placement = trace.place(&step, &trace.past(thread));
        trace.push(step, placement.clock);
    }
    trace
}

/// Where the two accesses stand, sorted.
fn sites(race: &Race) -> (u32, u32) {
    let site = |racer: &Racer| racer.access().expect("an access").site;
    let (a, b) = (site(&race.first.1), site(&race.second.1));
    (a.min(b), a.max(b))
}

#[test]
fn data_races_are_what_the_languages_call_so() {
    use Action::{CasOk, Fence, Lock, Read, Tally, Unlock, Write};
    use Ordering::{Acquire, Plain, Relaxed, Release, SeqCst};
    let check = |steps: &[(ThreadId, Action, u32, Ordering)], expected: &[(u32, u32)]| {
        let found = races(trace(steps).steps(), MemoryModel::Sc, &mut FaultFree);
        let found: Vec<_> = found.iter().map(sites).collect();
        assert_eq!(found, expected, "{steps:?}");
    };
    check(&[(0, Write, 1, Plain), (1, Read, 1, Plain)], &[(0, 1)]);
    check(&[(0, Read, 1, Plain), (1, Read, 1, Plain)], &[]);
    check(&[(0, Write, 1, SeqCst), (1, Read, 1, Relaxed)], &[]);
    check(&[(0, Write, 1, SeqCst), (1, Read, 1, Plain)], &[(0, 1)]);
    // Message passing: release and acquire order the data, relaxed does not.
    let message = |store, load| {
        [
            (0, Write, 1, Plain),
            (0, Write, 2, store),
            (1, Read, 2, load),
            (1, Read, 1, Plain),
        ]
    };
    check(&message(Release, Acquire), &[]);
    check(&message(SeqCst, SeqCst), &[]);
    check(&message(Relaxed, Acquire), &[(0, 3)]);
    check(&message(Release, Relaxed), &[(0, 3)]);
    // A compare-exchange in between keeps the release going, a relaxed store ends it.
    let between = |action| {
        [
            (0, Write, 1, Plain),
            (0, Write, 2, Release),
            (2, action, 2, Relaxed),
            (1, Read, 2, Acquire),
            (1, Read, 1, Plain),
        ]
    };
    check(&between(CasOk), &[]);
    check(&between(Write), &[(0, 4)]);
    // A later relaxed store of the same thread releases nothing either (C++20).
    check(
        &[
            (0, Write, 1, Plain),
            (0, Write, 2, Release),
            (0, Write, 2, Relaxed),
            (1, Read, 2, Acquire),
            (1, Read, 1, Plain),
        ],
        &[(0, 4)],
    );
    // Fences: a release fence before a relaxed store, an acquire fence after a relaxed load.
    let fenced = |first, second| {
        [
            (0, Write, 1, Plain),
            (0, Fence, 0, first),
            (0, Write, 2, Relaxed),
            (1, Read, 2, Relaxed),
            (1, Fence, 0, second),
            (1, Read, 1, Plain),
        ]
    };
    check(&fenced(Release, Acquire), &[]);
    check(&fenced(SeqCst, SeqCst), &[]);
    check(&fenced(Acquire, Acquire), &[(0, 5)]);
    check(&fenced(Release, Release), &[(0, 5)]);
    // A fence before the load takes nothing over.
    check(
        &[
            (0, Write, 1, Plain),
            (0, Write, 2, Release),
            (1, Fence, 0, Acquire),
            (1, Read, 2, Relaxed),
            (1, Read, 1, Plain),
        ],
        &[(0, 4)],
    );
    // Owners that count themselves out: only the last one acquires, from all others.
    check(
        &[
            (0, Write, 1, Plain),
            (0, Tally, 2, Release),
            (1, Tally, 2, Release),
            (1, Fence, 0, Acquire),
            (1, Read, 1, Plain),
        ],
        &[],
    );
    // Locks.
    check(
        &[
            (0, Lock, 9, SeqCst),
            (0, Write, 1, Plain),
            (0, Unlock, 9, SeqCst),
            (1, Lock, 9, SeqCst),
            (1, Write, 1, Plain),
            (1, Unlock, 9, SeqCst),
            (2, Read, 1, Plain),
        ],
        &[(1, 6), (4, 6)],
    );
}

/// What is written before others can reach it counts as written at the step that publishes it.
#[test]
fn what_is_published_races_with_who_does_not_acquire_it() {
    use Action::{Read, Write};
    use Ordering::{Acquire, Plain, Relaxed, Release};
    let node = Published {
        location: Location {
            allocation: 7,
            offset: 0,
            size: 8,
        },
        allocated: 40,
    };
    for (store, load, races_at) in [
        (Release, Acquire, None),
        (Relaxed, Acquire, Some((2, 40))),
        (Release, Relaxed, Some((2, 40))),
    ] {
        let events = trace(&[
            (0, Write, 1, store),
            (1, Read, 1, load),
            (1, Read, 7, Plain),
        ]);
        let mut steps: Vec<_> = events.steps().cloned().collect();
        steps[0].aside.published.push(node);
        let found = races(steps.iter(), MemoryModel::Sc, &mut FaultFree);
        let sites: Vec<_> = found.iter().map(sites).collect();
        assert_eq!(sites, Vec::from_iter(races_at), "{store:?} {load:?}");
        for race in found {
            assert!(matches!(race.first.1, Racer::Unpublished(_)));
            let lacks = (store != Release, load != Acquire);
            assert_eq!(
                linspect_explore::races::Gap::of(&race, &steps).lacks(),
                lacks
            );
        }
    }
}
