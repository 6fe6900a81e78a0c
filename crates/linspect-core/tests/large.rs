//! Long histories: the specialised deciders take them, and what they say against a history is short and checked.

use linspect_core::check::{Alone, Answer, Unlimited, check};
use linspect_core::generate::{PlantedFault, Workload};
use linspect_core::spec::Builtin;
use linspect_core::verdict::{Criterion, Decider, Verdict};

fn answer(name: &str, fault: Option<PlantedFault>) -> Answer {
    let workload = Workload {
        spec: Builtin::named(name).expect("a built-in specification"),
        operations: 10_000,
        clients: 32,
        values: None,
        unknown: 0,
        fault,
        seed: 3,
    };
    let history = workload.generate();
    let criterion = Criterion::Linearizable;
    check(&history, &workload.spec, criterion, &Alone, &Unlimited).expect("generated calls are fit")
}

/// A right history is decided by `decider` alone; of a wrong one at most `core` operations are shown.
fn check_type(name: &str, decider: Decider, core: usize) {
    let right = answer(name, None);
    assert!(matches!(right.verdict, Verdict::Holds(_)), "{name}");
    assert_eq!(right.deciders, [decider], "{name}");
    for fault in PlantedFault::ALL {
        let Verdict::Violated(evidence) = answer(name, Some(fault)).verdict else {
            panic!("{name} {fault:?} was not noticed")
        };
        assert!(
            evidence.core.len() <= core,
            "{name} {fault:?}: {evidence:?}"
        );
        assert!(
            !evidence.because.is_empty(),
            "{name} {fault:?}: {evidence:?}"
        );
    }
}

#[test]
fn registers() {
    check_type("register", Decider::RegisterZones, 6);
    check_type("kv", Decider::RegisterZones, 6);
}

#[test]
fn sets() {
    check_type("set", Decider::SetElement, 6);
}

#[test]
fn queues_and_pools() {
    check_type("queue", Decider::QueuePatterns, 6);
    check_type("multiset", Decider::PoolPatterns, 6);
}

#[test]
fn stacks() {
    check_type("stack", Decider::StackIntervals, 12);
}

#[test]
fn priority_queues() {
    check_type("priority-queue", Decider::PrioritySweep, 8);
}
