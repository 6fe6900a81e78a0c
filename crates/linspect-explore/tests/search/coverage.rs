//! What is said to be covered, and why it ended.

use crate::{call, search_all, threads, with_two_values};
use linspect_core::check::Unlimited;
use linspect_core::machine::{Retries, Subject};
use linspect_core::property::{FaultFree, Linearizable};
use linspect_core::spec::{Counter, Queue, Stack};
use linspect_core::verdict::Limit;
use linspect_explore::Bounds;
use linspect_explore::search::{Bound, Coverage, Guarantee, Method, Plan, Stopped, explore};
use linspect_explore::strategies::exhaustive;
use linspect_toy::{Program, objects};
use std::ops::ControlFlow;

#[test]
fn a_correct_object_is_exhausted() {
    let plan = Plan {
        retries: Retries::Park,
        ..Plan::exhaustive()
    };
    let program = with_two_values(objects::treiber());
    let outcome = search_all(&program, &Stack::default(), &plan);
    assert_eq!(outcome.error(), None);
    assert_eq!(outcome.stopped, None);
    let executions: u64 = outcome
        .explored
        .iter()
        .map(|e| e.coverage.executions())
        .sum();
    assert_eq!((outcome.explored.len(), executions), (223, 1_520));
}

/// Two threads that each start again when the other came between: there is a schedule for every number of rounds.
#[test]
fn loops_without_end_are_explored_deeper_and_deeper() {
    let program = Program::parse(
        "global x = 0
         op next
         again:
           a = faa x 1
           b = read x
           c = set a+1
           if b!=c goto again
           return a",
    )
    .expect("a well-formed program");
    let both = threads(&[&[call(0, ())], &[call(0, ())]]);
    let plan = Plan::exhaustive();
    let explored =
        explore(&program, both, FaultFree, &plan, &Unlimited, &|_, _| {}).expect("it runs");
    assert_eq!(explored.found, []);
    let Coverage::Bounded { executions, bounds } = explored.coverage else {
        panic!("{:?}", explored.coverage);
    };
    // Alone it takes 2 steps; 64 times that is where deepening ends.
    assert_eq!(bounds, [Bound::StepsPerThread(128)]);
    let mut machine = program.start(&explored.client).expect("it starts");
    let options = exhaustive::Options {
        bounds: Bounds {
            steps_per_thread: 128,
        },
        ..exhaustive::Options::default()
    };
    let walk = exhaustive::exhaustive(&mut machine, &options, &mut |_| ControlFlow::Continue(()));
    assert_eq!(executions, walk.executions);
}

#[test]
fn coverage_says_why_it_ended() {
    let program = objects::ms_queue();
    let client = threads(&[&[call(0, 1), call(1, ())], &[call(0, 2), call(1, ())]]);
    let queue = Queue::default();
    let covered = |plan: &Plan, limit: Option<Limit>| {
        let property = Linearizable::new(&queue, &client, &program.declared).expect("a queue");
        let explored = explore(
            &program,
            client.clone(),
            property,
            plan,
            &move |_| limit,
            &|_, _| {},
        );
        let explored = explored.expect("it runs");
        assert_eq!(explored.found, []);
        explored.coverage
    };
    let cut = Coverage::Exhausted {
        executions: 16,
        retries_cut: 48,
    };
    let cutting = Plan {
        retries: Retries::Park,
        ..Plan::exhaustive()
    };
    assert_eq!(covered(&cutting, None), cut);
    let plan = Plan {
        retries: Retries::Wake,
        ..Plan::exhaustive()
    };
    assert_eq!(
        covered(&plan, None),
        Coverage::Exhausted {
            executions: 222,
            retries_cut: 0,
        }
    );
    let Coverage::Unknown {
        executions: 1,
        reason,
        done,
    } = covered(&plan, Some(Limit::Time))
    else {
        panic!("a budget of nothing");
    };
    assert_eq!(reason.to_string(), "the time limit was reached");
    assert!(done > 0.0 && done < 1.0);
    let few = Plan {
        executions: Some(100),
        ..plan
    };
    let Coverage::Unknown {
        executions: 100,
        reason,
        done,
    } = covered(&few, None)
    else {
        panic!("a budget of 100");
    };
    assert_eq!(reason, Stopped::Executions(100));
    // 100 of 222 are done; the estimate must be of that order.
    assert!(done > 0.1 && done < 0.9, "{done}");
    let short = Plan {
        bounds: Bounds {
            steps_per_thread: 12,
        },
        ..plan
    };
    let Coverage::Bounded { bounds, .. } = covered(&short, None) else {
        panic!("retries need more steps");
    };
    assert_eq!(bounds, [Bound::StepsPerThread(12)]);
    let bounded = covered(&plan.with(Method::Bounded { preemptions: 1 }), None);
    let Coverage::Bounded { bounds, .. } = bounded else {
        panic!("{bounded:?}");
    };
    assert_eq!(bounds, [Bound::Preemptions(1)]);
    let sampled = covered(
        &plan.with(Method::Pct {
            depth: 2,
            runs: 50,
            seed: 7,
        }),
        None,
    );
    // enq and deq alone take 5 and 6 visible steps; 2 threads; 1/(2·22).
    let guarantee = Guarantee::Depth {
        depth: 2,
        threads: 2,
        steps: 22,
        probability: 1.0 / 44.0,
    };
    let Coverage::Sampled { executions, .. } = sampled else {
        panic!("{sampled:?}");
    };
    assert!((2..=50).contains(&executions), "{executions}");
    assert_eq!(
        sampled,
        Coverage::Sampled {
            executions,
            runs: 50,
            cut: None,
            seed: 7,
            guarantee
        }
    );
}

/// However often a client is run at random, no more is counted than it has classes.
#[test]
fn only_different_classes_are_counted() {
    let program = objects::early_unlock();
    let client = threads(&[&[call(0, ())], &[call(0, ())]]);
    let executions = |method| {
        let counter = Counter::default();
        let property = Linearizable::new(&counter, &client, &program.declared).expect("a counter");
        let plan = Plan {
            keep_going: true,
            ..Plan::exhaustive().with(method)
        };
        let explored = explore(
            &program,
            client.clone(),
            property,
            &plan,
            &Unlimited,
            &|_, _| {},
        );
        explored.expect("it runs").coverage.executions()
    };
    let all = executions(Method::Exhaustive);
    assert_eq!(
        executions(Method::Random {
            runs: 5_000,
            seed: 3
        }),
        all
    );
    assert_eq!(executions(Method::Random { runs: 1, seed: 3 }), 1);
}
