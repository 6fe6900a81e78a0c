//! What is handed over without order, compared with happens-before as the axioms have it: in every execution of Treiber's stack, whatever its orderings.

use crate::objects::{Orders, client, explore, treiber};
use linspect_core::consistency::Graph;
use linspect_core::execution::{Ending, EventId, MemoryModel, Step};
use linspect_core::property::{Linearizable, Property};
use linspect_core::random::Random;
use linspect_core::spec::Stack;
use linspect_core::value::Value;
use linspect_explore::races::races;
use std::collections::BTreeMap;

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
            let found = races(steps.iter(), MemoryModel::C20, |step| property.hands(step));
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
