//! The machine under C20, against the litmus tests: every schedule and every way of each step is tried, and whoever breaks the axiom of `seq_cst` is left out.

use crate::litmus::{Language, client, corpus, litmus_tests, weak};
use linspect_core::client::Client;
use linspect_core::consistency::{Cell, Graph, cell};
use linspect_core::execution::{
    Access, Action, Ending, EventId, Location, MemoryModel, Ordering, Step,
};
use linspect_core::machine::{Machine, Retries, Status, Subject};
use linspect_core::schedule::{Choice, ThreadId};
use linspect_explore::strategies::graph::{Options, graphs};
use linspect_vm::{LoadedProgram, Vm};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::ControlFlow;

/// An execution: by thread what its steps do and whose writes they read, by cell its writes in modification order.
type Execution = (
    BTreeMap<ThreadId, Vec<(Action, Location, Option<EventId>)>>,
    BTreeMap<Cell, Vec<EventId>>,
);

/// All executions, as graphs, each with what its threads read.
#[derive(Default)]
struct Executions {
    seen: HashSet<Execution>,
    graphs: HashSet<Execution>,
    outcomes: BTreeSet<String>,
    /// What operations returned, by thread.
    results: BTreeSet<String>,
}

impl Executions {
    fn of(code: &LoadedProgram, client: &Client) -> Self {
        let mut all = Self::default();
        let mut vm = code.start(client).expect("it starts");
        vm.set_retries(Retries::Park);
        all.go_on(&mut vm, &mut Vec::new());
        all
    }

    fn go_on(&mut self, vm: &mut Vm, steps: &mut Vec<Step>) {
        if !self.seen.insert(execution(steps)) || !Graph::of(&*steps).orders_seq_cst() {
            return;
        }
        let threads = 0..vm.threads() as ThreadId;
        let ready: Vec<ThreadId> = threads.filter(|t| vm.status(*t) == Status::Ready).collect();
        if ready.is_empty() {
            self.graphs.insert(execution(steps));
            self.outcomes.insert(outcome(steps));
            self.results.insert(results(steps));
        }
        for thread in ready {
            for branch in 0..vm.alternatives(thread) {
                let here = vm.snapshot();
                let step = vm.step(Choice { thread, branch });
                assert!(step.fault.is_none(), "{:?}", step.fault);
                check_named(vm, &here, &step);
                steps.push(step);
                self.go_on(vm, steps);
                steps.pop();
                vm.restore(&here);
            }
        }
    }
}

/// Whether a machine could have taken another message; synchronisation always takes the newest.
fn is_atomic(access: &Access) -> bool {
    let by_instruction = matches!(
        access.action,
        Action::Read | Action::Write | Action::Update | Action::CasOk
    );
    by_instruction && !matches!(access.ordering, Ordering::Plain | Ordering::SeqCst)
}

/// Whoever wants a step to use a message by its writer gets the way that was taken, or one before it that uses the same.
fn check_named(vm: &mut Vm, before: &linspect_vm::Snapshot, step: &Step) {
    let Some(access) = step.accesses.iter().find(|a| a.action != Action::Fence) else {
        return;
    };
    let after = vm.snapshot();
    vm.restore(before);
    let event = if access.action == Action::Write {
        access.after
    } else {
        access.from
    };
    let named = vm.message(step.choice.thread, event);
    if is_atomic(access) {
        assert!(
            named.is_some_and(|way| way <= step.choice.branch),
            "{access:?}"
        );
    }
    vm.restore(&after);
}

fn execution(steps: &[Step]) -> Execution {
    let graph = Graph::of(steps);
    let mut execution = Execution::default();
    for step in steps {
        let thread = execution.0.entry(step.choice.thread).or_default();
        let told = |a: &Access| (a.action, a.location, a.from);
        thread.extend(step.accesses.iter().map(told));
        for access in &step.accesses {
            let cell = cell(access.location);
            execution.1.insert(cell, graph.writes(cell).collect());
        }
    }
    execution
}

/// What each thread reads.
fn outcome(steps: &[Step]) -> String {
    let threads = steps.iter().map(|s| s.choice.thread).max().unwrap_or(0);
    let reads = |thread: ThreadId| {
        let own = steps.iter().filter(|s| s.choice.thread == thread);
        let reads = own
            .flat_map(|s| &s.accesses)
            .filter(|a| !matches!(a.action, Action::Write | Action::Fence));
        let reads: Vec<String> = reads.map(|a| a.read.to_string()).collect();
        reads.join(",")
    };
    let all: Vec<String> = (0..=threads).map(reads).collect();
    all.join("|")
}

/// What each thread's operations returned; `-` if its operation did not.
fn results(steps: &[Step]) -> String {
    let mut all = BTreeMap::new();
    for step in steps {
        if step.called.is_some() {
            all.insert(step.choice.thread, "-".to_owned());
        }
        if let Some((_, ending)) = &step.returned {
            let value = match ending {
                Ending::Returned(value) => value.to_string(),
                Ending::Threw(message) => message.clone(),
            };
            all.insert(step.choice.thread, value);
        }
    }
    let all: Vec<String> = all.into_values().collect();
    all.join(" ")
}

/// Runs the operations `NAME_0`, `NAME_1` … beside each other: what they return, in all executions in which all of them do.
fn returned(code: &LoadedProgram, name: &str, threads: usize) -> Vec<String> {
    let found = Executions::of(code, &client(code, name, threads));
    let all = found.results.into_iter();
    all.filter(|r| !r.contains('-')).collect()
}

fn compare(language: Language) {
    let (code, tests) = litmus_tests(language);
    let code = weak(&code);
    let mut wrong = Vec::new();
    for litmus in tests {
        let client = client(&code, &litmus.name, litmus.threads.len());
        let found = Executions::of(&code, &client);
        if (found.graphs.len(), &found.outcomes) != (litmus.c20, &litmus.outcomes) {
            wrong.push(format!(
                "{}: {} executions, expected {}; {:?}, expected {:?}",
                litmus.name,
                found.graphs.len(),
                litmus.c20,
                found.outcomes,
                litmus.outcomes
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn litmus_tests_in_c_have_the_executions_of_the_axioms() {
    compare(Language::C);
}

#[test]
fn litmus_tests_in_rust_have_the_executions_of_the_axioms() {
    compare(Language::Rust);
}

#[test]
fn whatever_synchronises_in_c_orders_what_is_relaxed() {
    let code = weak(&corpus("sync.c"));
    let returned = |name, threads| returned(&code, name, threads);
    assert_eq!(
        returned("unsynchronised", 2),
        ["0 0", "0 1", "0 10", "0 11"]
    );
    assert_eq!(returned("mutex", 2), ["0 0", "0 11"]);
    assert_eq!(returned("rwlock", 2), ["0 0", "0 11"]);
    assert_eq!(returned("semaphore", 2), ["0 1"]);
    assert_eq!(returned("barrier", 2), ["1 1"]);
    assert_eq!(returned("condition", 2), ["0 1"]);
    assert_eq!(returned("once", 2), ["1 1"]);
    assert_eq!(returned("spawn", 1), ["12"]);
}

#[test]
fn whatever_synchronises_in_rust_orders_what_is_relaxed() {
    let code = weak(&corpus("sync.rs"));
    let returned = |name, threads| returned(&code, name, threads);
    assert_eq!(returned("mutex", 2), ["0 0", "0 11"]);
    assert_eq!(returned("rwlock", 2), ["0 0", "0 11"]);
    assert_eq!(returned("barrier", 2), ["1 1"]);
    assert_eq!(returned("condition", 2), ["0 1"]);
    assert_eq!(returned("once", 2), ["1 1"]);
    assert_eq!(returned("channel", 2), ["0 1"]);
    assert_eq!(returned("spawn", 1), ["12"]);
    assert_eq!(returned("arc", 1), ["7"]);
}

#[test]
fn only_weak_exchanges_fail_without_a_reason() {
    let code = weak(&corpus("sync.c"));
    assert_eq!(returned(&code, "weak", 1), ["0", "11"]);
    assert_eq!(returned(&code, "strong", 1), ["11"]);
    assert_eq!(returned(&code, "count_failures", 1), ["0", "1"]);
}

/// A loop that forgets that an exchange failed without reason has no executions for it; they are as many as if exchanges never did.
#[test]
fn exchanges_that_fail_in_vain_are_not_explored() {
    let code = weak(&corpus("sync.c"));
    let walk = |name| {
        let mut vm = code.start(&client(&code, name, 2)).expect("it starts");
        vm.set_retries(Retries::Park);
        let mut all = Vec::new();
        graphs(&mut vm, &Options::of(MemoryModel::C20), &mut |leaf| {
            let steps: Vec<Step> = leaf.trace.steps().cloned().collect();
            all.push(results(&steps));
            ControlFlow::Continue(())
        });
        all.sort();
        all
    };
    let (weakly, strongly) = (walk("add_weakly"), walk("add_strongly"));
    assert_eq!(weakly, strongly);
    assert!(strongly.contains(&"0 1".to_owned()), "{strongly:?}");
    assert_eq!(
        returned(&code, "add_weakly", 2),
        returned(&code, "add_strongly", 2)
    );
}

#[test]
fn memory_that_is_used_again_has_no_old_messages() {
    let code = weak(&corpus("sync.c"));
    assert_eq!(returned(&code, "reuse", 1), ["33"]);
    assert_eq!(returned(&code, "locals", 1), ["63"]);
}

#[test]
fn accesses_of_different_sizes_that_are_ordered_see_each_other() {
    let code = weak(&corpus("sync.c"));
    assert_eq!(returned(&code, "mixed", 1), ["83"]);
}
