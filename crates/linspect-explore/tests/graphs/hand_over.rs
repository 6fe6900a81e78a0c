//! What is handed over without order, compared with happens-before as the axioms have it: in every execution of Treiber's stack and of a semaphore, whatever their orderings.

use crate::objects::{Orders, client, explore, treiber};
use linspect_core::client::{Client, Invocation};
use linspect_core::consistency::Graph;
use linspect_core::execution::{Ending, EventId, MemoryModel, Step};
use linspect_core::machine::Subject;
use linspect_core::property::Linearizable;
use linspect_core::random::Random;
use linspect_core::spec::{Semaphore, Stack};
use linspect_core::value::Value;
use linspect_explore::races::races;
use linspect_explore::strategies::graph::{self, graphs};
use linspect_toy::Program;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Whether some pop does not come after the push of what it returns. `pushes` says which thread pushes what, and as the how manieth of its operations.
fn is_unordered(steps: &[Step], pushes: &BTreeMap<i64, (u16, u16)>) -> bool {
    let hb = Graph::of(steps).happens_before(MemoryModel::C20);
    let mut taken: BTreeMap<u16, u32> = BTreeMap::new();
    let mut called: BTreeMap<(u16, u16), EventId> = BTreeMap::new();
    let mut popped: Vec<(i64, EventId)> = Vec::new();
    for step in steps {
        let thread = step.choice.thread;
        let number = taken.entry(thread).or_default();
        let event = EventId {
            thread,
            step: *number,
        };
        *number += 1;
        if let Some(id) = step.called {
            called.insert((id.thread, id.index), event);
        }
        if let Some((_, Ending::Returned(Value::Int(value)))) = step.returned {
            popped.push((value, event));
        }
    }
    let is_late = |(value, pop): &(i64, EventId)| {
        let push = pushes.get(value).and_then(|push| called.get(push));
        push.is_some_and(|push| push != pop && !hb.touches(*push, *pop))
    };
    popped.iter().any(is_late)
}

#[test]
fn a_value_is_handed_over_if_its_push_happens_before_its_pop() {
    let mut dice = Random::new(20);
    let mut of = |orders: &[&'static str]| orders[dice.below(orders.len())];
    let mut counts = [0; 2];
    for round in 0..crate::count(200) {
        let orders = Orders {
            push_load: of(&["rlx", "acq"]),
            push: of(&["rlx", "rel", "ar"]),
            pop_load: of(&["rlx", "acq", "sc"]),
            pop: of(&["rlx", "acq", "rel", "ar"]),
            node: "rlx",
        };
        let program = treiber(orders);
        let text = of(&["ar/ar", "a/rr", "a/a/r", "aa/r"]);
        let client = client(text);
        let spec = Stack::default();
        let mut property = Linearizable::new(&spec, &client, &program.declared).expect("a stack");
        let mut pushes = BTreeMap::new();
        for (thread, operations) in (0..).zip(&client.threads) {
            for (index, operation) in (0..).zip(operations) {
                if let Value::Int(value) = operation.argument {
                    pushes.insert(value, (thread, index));
                }
            }
        }
        explore(&program, &client, MemoryModel::C20, &mut |steps, _| {
            let expected = is_unordered(steps, &pushes);
            let found = races(steps.iter(), MemoryModel::C20, &mut property);
            assert!(found.iter().all(linspect_core::defect::Race::is_hand_over));
            assert_eq!(
                !found.is_empty(),
                expected,
                "round {round}: {text}\n{steps:#?}"
            );
            counts[usize::from(expected)] += 1;
        });
    }
    assert!(counts.iter().all(|n| *n > 200), "{counts:?}");
}

/// A semaphore whose operations read and exchange the number of its permits with these orderings.
fn semaphore(permits: i64, orders: [&str; 4]) -> Program {
    let [release_load, release, acquire_load, acquire] = orders;
    let text = format!(
        "object semaphore
         global permits = {permits}
         op release
         again:
           n = read.{release_load} permits
           ok = cas.{release}.rlx permits n n+1
           if ok==0 goto again
           return
         op try_acquire
         again:
           n = read.{acquire_load} permits
           if n!=0 goto some
           return 0
         some:
           ok = cas.{acquire}.rlx permits n n-1
           if ok==0 goto again
           return 1"
    );
    let mut program = Program::parse(&text).expect("a program");
    program.memory = MemoryModel::C20;
    program
}

/// Whether everybody who took a permit can have it from the stock or from somebody who comes before and gives it to nobody else: every way is tried.
fn is_served(stock: i64, givers: &[Vec<bool>], given: &mut Vec<bool>) -> bool {
    let Some((first, rest)) = givers.split_first() else {
        return true;
    };
    if stock > 0 && is_served(stock - 1, rest, given) {
        return true;
    }
    (0..first.len()).any(|giver| {
        if !first[giver] || given[giver] {
            return false;
        }
        given[giver] = true;
        let served = is_served(stock, rest, given);
        given[giver] = false;
        served
    })
}

/// For everybody who took a permit in a run, who gave one back before.
fn givers(steps: &[Step]) -> Vec<Vec<bool>> {
    let hb = Graph::of(steps).happens_before(MemoryModel::C20);
    let mut counts: BTreeMap<u16, u32> = BTreeMap::new();
    let mut called: BTreeMap<(u16, u16), EventId> = BTreeMap::new();
    let (mut released, mut acquired) = (Vec::new(), Vec::new());
    for step in steps {
        let thread = step.choice.thread;
        let count = counts.entry(thread).or_default();
        let event = EventId {
            thread,
            step: *count,
        };
        *count += 1;
        if let Some(id) = step.called {
            called.insert((id.thread, id.index), event);
        }
        match &step.returned {
            Some((id, Ending::Returned(Value::Unit))) => {
                released.push(called[&(id.thread, id.index)]);
            }
            Some((_, Ending::Returned(Value::Int(1)))) => acquired.push(event),
            _ => {}
        }
    }
    let comes_before =
        |release: &EventId, acquire: &EventId| release != acquire && hb.touches(*release, *acquire);
    let row = |acquire: &EventId| released.iter().map(|r| comes_before(r, acquire)).collect();
    acquired.iter().map(row).collect()
}

#[test]
fn a_permit_is_handed_over_if_a_release_of_its_own_happens_before_its_acquire() {
    let mut dice = Random::new(21);
    let mut counts = [0; 2];
    for round in 0..crate::count(300) {
        let orders = [
            *dice.pick(&["rlx", "acq"]),
            *dice.pick(&["rlx", "rel", "ar"]),
            *dice.pick(&["rlx", "acq", "sc"]),
            *dice.pick(&["rlx", "acq", "rel", "ar"]),
        ];
        let permits = dice.below(3) as i64;
        let program = semaphore(permits, orders);
        let text = *dice.pick(&[
            "ar/ar", "a/rr", "a/r/r", "ra/ra", "aa/rr", "ra/ra/a", "a/a/r/r",
        ]);
        let call = |c: char| Invocation {
            operation: u16::from(c == 'a'),
            argument: Value::Unit,
        };
        let client = Client {
            threads: text
                .split('/')
                .map(|t| t.chars().map(call).collect())
                .collect(),
            ..Client::default()
        };
        let spec = Semaphore { permits };
        let mut property =
            Linearizable::new(&spec, &client, &program.declared).expect("a semaphore");
        let mut machine = program.start(&client).expect("it starts");
        graphs(
            &mut machine,
            &graph::Options::of(MemoryModel::C20),
            &mut |leaf| {
                let steps = leaf.execution().steps;
                let givers = givers(&steps);
                let releases = givers.first().map_or(0, Vec::len);
                let expected = !is_served(permits, &givers, &mut vec![false; releases]);
                let found = races(steps.iter(), MemoryModel::C20, &mut property);
                assert_eq!(
                    !found.is_empty(),
                    expected,
                    "round {round}: {text} {permits} {orders:?}\n{steps:#?}"
                );
                counts[usize::from(expected)] += 1;
                ControlFlow::Continue(())
            },
        );
    }
    assert!(counts.iter().all(|n| *n > 100), "{counts:?}");
}
