//! Judging one schedule per class finds exactly what judging every schedule finds, for every object and many clients.

use linspect_core::client::{Client, Invocation};
use linspect_core::machine::{Machine, Subject};
use linspect_core::property::Linearizable;
use linspect_core::run::Follow;
use linspect_core::schedule::ThreadId;
use linspect_core::spec::{Counter, Queue, Spec, Stack};
use linspect_core::value::Value;
use linspect_explore::Bounds;
use linspect_explore::class::{ClassVerdict, Judge};
use linspect_explore::clients::{self, Sizes};
use linspect_explore::run::run;
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::naive::{self, Cache, naive};
use linspect_explore::subject_spec::SubjectSpec;
use linspect_toy::{Program, objects};
use std::ops::ControlFlow;

fn judge<'s, S: Spec>(
    program: &'s Program,
    spec: &'s S,
    client: &Client,
) -> Judge<Linearizable<'s, S>> {
    let property = Linearizable::new(spec, client, &program.declared).expect("the spec has these");
    Judge::new(property, 1_000_000)
}

/// Whether judging each class finds a violation; every one found is replayed.
fn by_class<S: Spec>(program: &Program, spec: &S, client: &Client, order: &[ThreadId]) -> bool {
    let mut machine = program.start(client).expect("it starts");
    let start = machine.snapshot();
    let mut judge_class = judge(program, spec, client);
    let mut bad = Vec::new();
    let options = exhaustive::Options {
        order: order.to_vec(),
        ..exhaustive::Options::default()
    };
    exhaustive(&mut machine, &options, &mut |leaf| {
        match judge_class.judge(leaf) {
            ClassVerdict::Good => {}
            ClassVerdict::Bad(schedule) => bad.push(schedule),
            ClassVerdict::Unknown => panic!("the classes are small"),
        }
        ControlFlow::Continue(())
    });
    for schedule in &bad {
        machine.restore(&start);
        let mut follow = Follow::new(schedule);
        let again = run(&mut machine, &mut follow, Bounds::default());
        assert!(follow.is_done());
        assert!(!judge_class.is_good(&again.leaf()), "{schedule:?}");
    }
    !bad.is_empty()
}

/// Whether judging every schedule finds one.
fn by_schedule<S: Spec>(program: &Program, spec: &S, client: &Client) -> bool {
    let mut machine = program.start(client).expect("it starts");
    let mut judge = judge(program, spec, client);
    let mut bad = false;
    let options = naive::Options {
        cache: Cache::Histories,
        ..naive::Options::default()
    };
    naive(&mut machine, options, &mut |leaf| {
        bad |= !judge.is_good(leaf);
        if bad {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    bad
}

/// Compares on all clients of the object up to a size; gives how many are bad and how many there are.
fn compare<S: Spec>(program: &Program, spec: &S, sizes: Sizes) -> (usize, usize) {
    let mut bad = 0;
    let mut count = 0;
    // Two values of each operation are enough to tell them apart.
    let mut declared = program.declared.clone();
    declared.iter_mut().for_each(|d| d.domain.truncate(2));
    for client in clients::enumerate(&declared, sizes) {
        let expected = by_schedule(program, spec, &client);
        assert_eq!(
            by_class(program, spec, &client, &[]),
            expected,
            "{}: {client:?}",
            program.name
        );
        bad += usize::from(expected);
        count += 1;
    }
    (bad, count)
}

fn up_to(threads: usize, operations: usize) -> Sizes {
    Sizes {
        threads,
        operations,
    }
}

#[test]
fn every_small_client_gets_the_verdict_of_the_oracle() {
    let stack = Stack::default();
    let queue = Queue::default();
    let counter = Counter::default();
    let check = |name: &str, seen: (usize, usize), expected: (usize, usize)| {
        assert_eq!(seen, expected, "bad clients of {name}, and all of them");
    };
    let small = up_to(2, 3);
    check(
        "treiber",
        compare(&objects::treiber(), &stack, small),
        (0, 33),
    );
    check(
        "blind pop",
        compare(&objects::treiber_blind_pop(), &stack, small),
        (2, 33),
    );
    check(
        "two stacks",
        compare(&objects::two_stacks(), &stack, up_to(2, 4)),
        (23, 159),
    );
    check(
        "afek",
        compare(&objects::afek_stack(), &stack, up_to(2, 4)),
        (0, 159),
    );
    check(
        "ms queue",
        compare(&objects::ms_queue(), &queue, up_to(2, 2)),
        (0, 6),
    );
    let constant = objects::ms_queue_constant_empty();
    check("constant", compare(&constant, &queue, up_to(2, 2)), (2, 10));
    check(
        "per thread",
        compare(&objects::per_thread_queue(), &queue, small),
        (4, 33),
    );
    check(
        "locked",
        compare(&objects::locked_counter(), &counter, up_to(3, 3)),
        (0, 15),
    );
    check(
        "early",
        compare(&objects::early_unlock(), &counter, up_to(3, 3)),
        (6, 15),
    );
    check(
        "spin",
        compare(&objects::spin_counter(), &counter, up_to(3, 3)),
        (0, 15),
    );
    check(
        "crossed",
        compare(&objects::crossed_locks(), &counter, small),
        (0, 11),
    );
    let striped = objects::striped_counter();
    check(
        "striped",
        compare(&striped, &SubjectSpec::new(&striped), up_to(3, 3)),
        (4, 175),
    );
    let pair = objects::pair_snapshot();
    check(
        "pair",
        compare(&pair, &SubjectSpec::new(&pair), small),
        (0, 140),
    );
}

fn call(operation: u16, argument: impl Into<Value>) -> Invocation {
    Invocation {
        operation,
        argument: argument.into(),
    }
}

fn client(threads: &[&[Invocation]]) -> Client {
    Client {
        threads: threads.iter().map(|t| t.to_vec()).collect(),
        ..Client::default()
    }
}

/// Faults that no conflict of accesses reveals: an exploration up to partial order that forgets real time misses them all.
#[test]
fn faults_without_conflicts_are_found_in_every_order() {
    fn check<S: Spec>(program: &Program, spec: &S, client: &Client) {
        let threads = client.threads.len() as ThreadId;
        let mut orders = vec![vec![]];
        for _ in 0..threads {
            orders = orders
                .into_iter()
                .flat_map(|order: Vec<ThreadId>| {
                    let rest = (0..threads)
                        .filter(|t| !order.contains(t))
                        .collect::<Vec<_>>();
                    rest.into_iter()
                        .map(move |t| [order.clone(), vec![t]].concat())
                })
                .collect();
        }
        for order in orders {
            assert!(
                by_class(program, spec, client, &order),
                "{} {order:?}",
                program.name
            );
        }
    }
    let queue = Queue::default();
    let both = client(&[&[call(0, 1), call(1, ())], &[call(0, 2), call(1, ())]]);
    check(&objects::per_thread_queue(), &queue, &both);
    check(&objects::two_stacks(), &Stack::default(), &both);
    let striped = objects::striped_counter();
    let adds = client(&[&[call(0, 1)], &[call(1, 10)], &[call(2, ())]]);
    check(&striped, &SubjectSpec::new(&striped), &adds);
    let constant = client(&[&[call(0, 1)], &[call(2, ())]]);
    check(&objects::ms_queue_constant_empty(), &queue, &constant);
}
