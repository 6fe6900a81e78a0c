//! What repair does within limits: few classes, no time, sections around locks; and what it measures and validates with.

use linspect_core::client::Client;
use linspect_core::machine::{Machine, Subject};
use linspect_core::project::outcome;
use linspect_core::property::Linearizable;
use linspect_core::schedule::{Choice, Schedule};
use linspect_core::spec::{Spec, Stack};
use linspect_core::verdict::Limit;
use linspect_diagnose::repair::eliminators::eliminators;
use linspect_diagnose::repair::enforce::{Atomic, Atomicity};
use linspect_diagnose::repair::section::{Section, Sections};
use linspect_diagnose::repair::{
    Diagnosis, Measure, Repair, RepairOptions, measure, of_size, repair,
};
use linspect_diagnose::trace::{ConflictTrace, Racing};
use linspect_explore::strategies::Leaf;
use linspect_explore::strategies::exhaustive::{Options, exhaustive};
use linspect_explore::subject_spec::SubjectSpec;
use linspect_toy::objects::figure_1;
use linspect_toy::{Program, objects};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

fn diagnose<S: Spec>(
    program: &Program,
    client: &Client,
    spec: &S,
    effort: &RepairOptions<'_>,
) -> Diagnosis {
    let property = |c: &Client| Linearizable::new(spec, c, program.operations()).expect("fits");
    let clients = std::slice::from_ref(client);
    repair(program, clients, &[], &property, effort).expect("starts")
}

/// Per repair: its sections; good, bad, executions and whether these are all.
type Figures = (Vec<String>, [u64; 3], bool);

fn figures(diagnosis: &Diagnosis) -> Vec<Figures> {
    let Diagnosis::Sections(repairs) = diagnosis else {
        panic!("{diagnosis:?}");
    };
    let one = |r: &Repair| {
        let sections = r.sections.iter().map(ToString::to_string).collect();
        let counts = [r.good as u64, r.bad as u64, r.recheck.executions];
        (sections, counts, r.recheck.exhausted)
    };
    repairs.iter().map(one).collect()
}

/// The client has 88 good and 67 bad classes, and 30 once `pop` is repaired (counted in `repair.rs`). Fewer are fewer, and a re-check of fewer is still one.
#[test]
fn no_more_classes_are_looked_at_than_may_be() {
    let stack = figure_1();
    let client = stack.client("", &["push=1", "push=2 pop", "pop"], "");
    for classes in [2, 3, 5, 10, 20, 30, 31, 70, 155, 156] {
        let effort = RepairOptions {
            classes,
            ..RepairOptions::default()
        };
        let found = figures(&diagnose(&stack, &client, &Stack::default(), &effort));
        let [(sections, [good, bad, executions], exhausted)] = &found[..] else {
            panic!("{found:?}");
        };
        assert_eq!(*sections, ["pop figure_1:4–5"], "{classes} classes");
        assert_eq!(good + bad, classes.min(155) as u64);
        assert_eq!(*executions, classes.min(30) as u64);
        assert_eq!(*exhausted, classes > 30, "{classes} classes");
    }
}

/// Whoever has not looked at all classes does not know that there is no bad one.
#[test]
fn what_was_not_looked_at_is_not_clean() {
    let stack = figure_1();
    let client = stack.client("", &["push=1", "push=2 pop", "pop"], "");
    let nothing = Diagnosis::Sections(Vec::new());
    // The first class happens to be a good one.
    let one = RepairOptions {
        classes: 1,
        ..RepairOptions::default()
    };
    assert_eq!(diagnose(&stack, &client, &Stack::default(), &one), nothing);
    let over = |_: usize| Some(Limit::Time);
    let late = RepairOptions {
        budget: &over,
        ..RepairOptions::default()
    };
    assert_eq!(diagnose(&stack, &client, &Stack::default(), &late), nothing);
}

/// Pushes and pops have a fault each. Few classes show one of them, the re-check of its repair shows the other, and that is learned from.
#[test]
fn a_recheck_that_fails_teaches_what_is_missing() {
    let stack = Program::parse(
        "object twice_broken
         global top = 0
         global items[8] = 0
         op push 1 2
           n = read top
           write items+n arg
           write top n+1
           return
         op pop
           n = read top
           if n==0 goto empty
           v = read items+n-1
           write top n-1
           return v
         empty:
           return nil",
    )
    .expect("a program");
    let client = stack.client("push=1 push=2", &["pop push=1", "pop push=2"], "pop pop");
    for (classes, learned) in [(3, 1), (10_000, 0)] {
        let effort = RepairOptions {
            classes,
            ..RepairOptions::default()
        };
        let found = figures(&diagnose(&stack, &client, &Stack::default(), &effort));
        let [(sections, [good, bad, _], _)] = &found[..] else {
            panic!("{found:?}");
        };
        assert_eq!(*sections, ["pop twice_broken:1–4", "push twice_broken:1–3"]);
        // All classes, counted where all are looked at.
        let looked_at = classes.min(20 + 34) as u64;
        assert_eq!(good + bad, looked_at + learned, "{classes} classes");
    }
}

/// A repair from the first `unlock` to the second `lock` would wait for the other thread's `guard` while it holds `other`; one from the first `lock` does not.
#[test]
fn a_section_that_would_wait_begins_earlier() {
    let gap = Program::parse(
        "object gap
         global guard = 0
         global other = 0
         global count = 0
         op bump
           lock guard
           v = read count
           unlock guard
           lock other
           lock guard
           write count v+1
           unlock guard
           unlock other
           return v",
    )
    .expect("a program");
    let client = gap.client("", &["bump", "bump"], "");
    let spec = SubjectSpec::new(&gap);
    let found = figures(&diagnose(&gap, &client, &spec, &RepairOptions::default()));
    let sections: Vec<_> = found.iter().map(|(sections, _, _)| sections).collect();
    assert_eq!(sections, [&["bump gap:1–4"]]);
    // Each `bump` as a whole before or after the other.
    assert_eq!(found[0].1[2], 2);
}

/// What others see of a section that takes a lock is what it reads or writes there: a lock tells less.
#[test]
fn a_section_stands_where_it_reads_or_writes() {
    let program = Program::parse(
        "object locked
         global guard = 0
         global x = 0
         op get
           lock guard
           v = read x
           unlock guard
           return v
         op set 1
           lock guard
           write x arg
           unlock guard
           return",
    )
    .expect("a program");
    let client = program.client("", &["get", "set=1"], "");
    let mut machine = program.start(&client).expect("starts");
    let start = machine.snapshot();
    let steps = [0, 0, 0, 1, 1, 1].map(|thread| machine.step(Choice::of(thread)));
    machine.restore(&start);
    let all = |function: &str| Section {
        file: "locked".into(),
        function: function.into(),
        first: 1,
        last: 3,
    };
    let sections = Sections::merge([all("get"), all("set")]);
    let atomicity = Atomicity::Races(sections, Racing::of(steps.iter()));
    let site = |id| program.site(id);
    let atomic = Atomic::new(machine, &atomicity, &site);
    for thread in 0..2 {
        let stack = atomic.stack(thread);
        let frame = stack.last().expect("it is in its operation");
        assert_eq!(site(frame.site).line, 2, "thread {thread}");
    }
}

/// The two `pop`s read the top, its link, write the top and read the value: eight events. Of those on the same cell in different threads the reads of `top`
/// conflict with the other's write, and the writes with each other.
#[test]
fn a_failing_trace_is_measured() {
    let stack = objects::treiber_blind_pop();
    let client = stack.client("push=1 push=2", &["pop", "pop"], "");
    let spec = Stack::default();
    let property = |c: &Client| Linearizable::new(&spec, c, stack.operations()).expect("fits");
    let effort = RepairOptions::default();
    let found = measure(&stack, &client, &property, &effort).expect("starts");
    let expected = Measure {
        events: 8,
        conflicts: 3,
        eliminators: 1,
    };
    assert_eq!(found, Some(expected));
    let alone = stack.client("push=1 push=2", &["pop"], "");
    let found = measure(&stack, &alone, &property, &effort).expect("starts");
    assert_eq!(found, None);
}

#[test]
fn eliminators_are_cut_only_where_there_are_more() {
    let stack = figure_1();
    let client = stack.client("push=1 push=2", &["pop", "pop", "pop"], "");
    let mut machine = stack.start(&client).expect("starts");
    let turns = [0, 1, 2, 0, 1, 2, 0, 1, 2];
    let steps = turns.map(|thread| machine.step(Choice::of(thread)));
    let trace = ConflictTrace::of_steps(steps.iter());
    let all = eliminators(&trace, &[], 1_000);
    assert!(!all.cut);
    let count = all.found.len();
    assert!(count > 1, "{all:?}");
    assert_eq!(eliminators(&trace, &[], count), all);
    let fewer = eliminators(&trace, &[], count - 1);
    assert!(fewer.cut);
    assert_eq!(fewer.found.len(), count - 1);
}

/// An operation that is one step of the atomic machine is all of its steps in the plain one.
#[test]
fn a_schedule_of_whole_operations_is_spelled_out() {
    let stack = objects::treiber_blind_pop();
    let client = stack.client("push=1 push=2", &["pop", "pop"], "");
    let site = |id| stack.site(id);
    let machine = stack.start(&client).expect("starts");
    let mut atomic = Atomic::new(machine, &Atomicity::Operations, &site);
    let schedule = Schedule([1, 0].map(Choice::of).to_vec());
    let (plain, begins) = atomic.spell_out(&schedule);
    let expected = [1, 1, 1, 1, 0, 0, 0, 0].map(Choice::of);
    assert_eq!(plain.0, expected);
    assert_eq!(begins, [0, 4]);
}

/// With one value to push there are three clients of two threads with an operation each, and two prefixes of at most one call.
#[test]
fn clients_of_the_same_size_are_all_of_them() {
    let stack = Program::parse(
        "object small
         global top = 0
         op push 1
           write top arg
           return
         op pop
           v = read top
           return v",
    )
    .expect("a program");
    let like = stack.client("push=1", &["pop", "push=1"], "");
    let found = of_size(&Stack::default(), stack.operations(), &like).expect("fits");
    let shapes = found
        .iter()
        .map(|c| c.threads.iter().map(Vec::len).collect());
    let shapes: Vec<Vec<usize>> = shapes.collect();
    assert_eq!(shapes, vec![vec![1, 1]; 3 * 2]);
    let prefixed = found.iter().filter(|c| c.before == like.before);
    assert_eq!(prefixed.count(), 3);
}

/// All results of runs of `machine`, by thread.
fn results<M: Machine>(machine: &mut M) -> BTreeSet<Vec<String>> {
    let mut all = BTreeSet::new();
    let mut visit = |leaf: &Leaf<'_>| {
        let returned = leaf.trace.steps().filter_map(|step| step.returned.as_ref());
        let mut one: Vec<String> = returned
            .map(|(id, ending)| format!("{} {:?}", id.thread, outcome(ending)))
            .collect();
        one.sort();
        all.insert(one);
        ControlFlow::Continue(())
    };
    exhaustive(machine, &Options::default(), &mut visit);
    all
}

/// A choice in the middle of a section goes every way, as the same choice does before the section.
#[test]
fn a_choice_in_a_section_goes_every_way() {
    let number = |inside: bool| {
        let (before, middle) = if inside {
            ("", "way = choose 3")
        } else {
            ("way = choose 3", "")
        };
        Program::parse(&format!(
            "object number
             global x = 0
             op next
               {before}
               v = read x
               {middle}
               write x v+way+1
               return v"
        ))
        .expect("a program")
    };
    let enforced = |program: &Program, first: u32| {
        let client = program.client("", &["next", "next"], "");
        let section = Section {
            file: "number".into(),
            function: "next".into(),
            first,
            last: 3,
        };
        let atomicity = Atomicity::Sections(Sections::merge([section]));
        let site = |id| program.site(id);
        let machine = program.start(&client).expect("starts");
        let mut atomic = Atomic::new(machine, &atomicity, &site);
        let found = results(&mut atomic);
        assert!(!atomic.strays());
        found
    };
    let inside = enforced(&number(true), 1);
    let before = enforced(&number(false), 2);
    // Either thread reads 1, 2 or 3 from the other.
    assert_eq!(before.len(), 6);
    assert!(inside.is_superset(&before), "{inside:?}");
}

/// A section that waits in one way of a choice and not in another is none that this machine can try.
#[test]
fn a_choice_to_wait_in_a_section_is_noticed() {
    let program = Program::parse(
        "object gate
         global guard = 0
         global x = 0
         op open
           way = choose 2
           if way==0 goto out
           lock guard
           write x 1
           unlock guard
         out:
           return",
    )
    .expect("a program");
    let client = program.client("", &["open", "open"], "");
    let section = Section {
        file: "gate".into(),
        function: "open".into(),
        first: 1,
        last: 4,
    };
    let atomicity = Atomicity::Sections(Sections::merge([section]));
    let site = |id| program.site(id);
    let machine = program.start(&client).expect("starts");
    let mut atomic = Atomic::new(machine, &atomicity, &site);
    let found = results(&mut atomic);
    assert_eq!((found.len(), atomic.strays()), (1, true));
}
