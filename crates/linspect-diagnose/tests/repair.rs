//! Repairs of small objects: found, ranked, enforced.

use linspect_core::check::Unlimited;
use linspect_core::client::Client;
use linspect_core::machine::{Machine, Subject};
use linspect_core::property::Linearizable;
use linspect_core::random::Random;
use linspect_core::schedule::Choice;
use linspect_core::spec::{Spec, Stack};
use linspect_diagnose::localise::Dag;
use linspect_diagnose::repair::eliminators::eliminators;
use linspect_diagnose::repair::enforce::{Atomic, Atomicity};
use linspect_diagnose::repair::section::{Section, Sections};
use linspect_diagnose::repair::{Diagnosis, RepairOptions, repair, unseen};
use linspect_diagnose::trace::ConflictTrace;
use linspect_explore::subject_spec::SubjectSpec;
use linspect_toy::objects::figure_1;
use linspect_toy::random::{self, Shape};
use linspect_toy::{Program, objects};

fn diagnose<S: Spec>(program: &Program, client: &Client, spec: &S) -> Diagnosis {
    let property = |c: &Client| Linearizable::new(spec, c, program.operations()).expect("fits");
    let clients = std::slice::from_ref(client);
    repair(program, clients, &[], &property, &RepairOptions::default()).expect("starts")
}

/// Per repair: its sections, and how many good classes it disables, of good and of bad ones.
fn sections(diagnosis: &Diagnosis) -> Vec<(Vec<String>, [usize; 3])> {
    let Diagnosis::Sections(repairs) = diagnosis else {
        panic!("{diagnosis:?}");
    };
    repairs
        .iter()
        .map(|r| {
            assert!(r.recheck.exhausted && r.recheck.executions > 0);
            (
                r.sections.iter().map(ToString::to_string).collect(),
                [r.disabled, r.good, r.bad],
            )
        })
        .collect()
}

#[test]
fn a_correct_object_needs_nothing() {
    let stack = objects::treiber();
    let client = stack.client("push=1", &["pop", "push=2 pop"], "pop");
    assert_eq!(
        diagnose(&stack, &client, &Stack::default()),
        Diagnosis::Clean
    );
}

#[test]
fn a_blind_pop_must_be_atomic_from_read_to_write() {
    let stack = objects::treiber_blind_pop();
    let client = stack.client("push=1 push=2", &["pop", "pop"], "");
    // From reading the top to writing it.
    let expected = [(vec!["pop treiber_blind_pop:1–5".to_string()], [0, 2, 2])];
    assert_eq!(
        sections(&diagnose(&stack, &client, &Stack::default())),
        expected
    );
}

/// Figure 2 of the paper.
#[test]
fn the_stack_of_afek_is_repaired_in_pop_first() {
    let stack = figure_1();
    let client = stack.client("", &["push=1", "push=2 pop", "pop"], "");
    let expected = [(vec!["pop figure_1:4–5".to_string()], [57, 88, 67])];
    assert_eq!(
        sections(&diagnose(&stack, &client, &Stack::default())),
        expected
    );
}

#[test]
fn two_stacks_are_wrong_even_serially() {
    let pool = objects::two_stacks();
    let client = pool.client("", &["push=1", "push=2"], "pop");
    let Diagnosis::Serial(execution) = diagnose(&pool, &client, &Stack::default()) else {
        panic!("no section helps");
    };
    assert_eq!(execution.steps.len(), 2, "every operation is one step");
}

/// A pair of cells that is read one after the other.
fn loose_pair() -> Program {
    Program::parse(
        "object loose_pair
         global a = 0
         global b = 0
         op write_a 1
           write a arg
           return
         op write_b 1
           write b arg
           return
         op read
           x = read a
           y = read b
           return x*10+y",
    )
    .expect("a program")
}

/// `a` is read before it is written, `b` after: no conflict goes from the one writer to the other, only real time does.
#[test]
fn a_class_without_a_conflict_cycle_is_repaired_through_real_time() {
    let pair = loose_pair();
    let client = pair.client("", &["write_a=1", "write_b=1", "read"], "");
    let spec = SubjectSpec::new(&pair);
    let mut machine = pair.start(&client).expect("starts");
    let bad = [2, 0, 1, 2].map(|thread| machine.step(Choice::of(thread)));
    let trace = ConflictTrace::of_steps(bad.iter());
    assert!(eliminators(&trace, &[], 10).found.is_empty());
    let real_time = eliminators(&trace, &[(1, 2)], 10).found;
    assert_eq!(real_time.len(), 1, "{real_time:?}");
    // Of four classes one has a bad execution, and good ones, too.
    let expected = [(vec!["read loose_pair:1–2".to_string()], [0, 3, 1])];
    assert_eq!(sections(&diagnose(&pair, &client, &spec)), expected);
}

/// `bump` reads the count, waits until the gate is open, and then writes.
#[test]
fn a_section_around_a_wait_is_no_repair() {
    let gate = Program::parse(
        "object gate
         global guard = 0
         global opened = 0
         global open = 0
         global count = 0
         op bump
           lock guard
           v = read count
         again:
           o = read open
           if o==1 goto go
           wait opened guard
           goto again
         go:
           write count v+1
           unlock guard
           return v
         op open
           lock guard
           write open 1
           wake opened
           wake opened
           unlock guard
           return",
    )
    .expect("a program");
    let client = gate.client("", &["bump", "bump", "open"], "");
    let spec = SubjectSpec::new(&gate);
    assert_eq!(
        diagnose(&gate, &client, &spec),
        Diagnosis::Sections(Vec::new())
    );
}

/// What one client cannot teach, another does: pushes and pops of this stack have a fault each.
#[test]
fn a_repair_is_validated_on_clients_that_it_was_not_made_from() {
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
    let spec = Stack::default();
    let pops = stack.client("push=1 push=2", &["pop", "pop"], "");
    // From one client follows one section.
    let alone = [(vec!["pop twice_broken:1–4".to_string()], [0, 2, 2])];
    assert_eq!(sections(&diagnose(&stack, &pops, &spec)), alone);
    let others = unseen(&spec, stack.operations(), 12, 0).expect("fits");
    let property = |c: &Client| Linearizable::new(&spec, c, stack.operations()).expect("fits");
    let clients = [pops];
    let found = repair(
        &stack,
        &clients,
        &others,
        &property,
        &RepairOptions::default(),
    );
    let Ok(Diagnosis::Sections(found)) = found else {
        panic!("{found:?}");
    };
    let best = &found[0];
    let lines: Vec<String> = best.sections.iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["pop twice_broken:1–4", "push twice_broken:1–3"]);
    let validation = best.validation.as_ref().expect("the best is validated");
    assert_eq!(validation.failing, None);
    // Some of the twelve were learned from; the others are clean.
    assert!(best.recheck.clients > 1, "{best:?}");
    assert_eq!(best.recheck.clients - 1 + validation.clients, 12);
    assert_eq!(validation.operations, 6);
}

/// Sections one line shorter, or one fewer.
fn smaller(sections: &Sections) -> Vec<Sections> {
    let all: Vec<Section> = sections.iter().cloned().collect();
    let mut found = Vec::new();
    for (i, section) in all.iter().enumerate() {
        let (mut later, mut earlier) = (section.clone(), section.clone());
        later.first += 1;
        earlier.last -= 1;
        for shrunk in [later, earlier] {
            let mut others = all.clone();
            others.remove(i);
            // A section of one line is no section.
            if shrunk.first < shrunk.last {
                others.push(shrunk);
            }
            found.push(Sections::merge(others));
        }
    }
    found
}

/// Enforced, a repair leaves no bad schedule, and anything smaller leaves one. Judged on all schedules, without reduction.
#[test]
fn repairs_of_random_programs_repair_and_nothing_smaller_does() {
    let programs = if std::env::var_os("LINSPECT_LONG").is_some() {
        600
    } else {
        60
    };
    let mut dice = Random::new(9);
    let mut repaired = [0; 3];
    for i in 0..programs {
        let shape = Shape {
            operations: 1,
            accesses: 3,
            threads: 2 + usize::from(i % 3 == 0),
            atomics: i % 2 == 0,
            ..Shape::plain()
        };
        let (program, client) = random::program(&mut dice, shape);
        let spec = SubjectSpec::new(&program);
        let repairs = match diagnose(&program, &client, &spec) {
            Diagnosis::Clean | Diagnosis::Serial(_) => continue,
            Diagnosis::Sections(repairs) => repairs,
        };
        assert!(!repairs.is_empty(), "{program:?} {client:?}");
        let site = |id| program.site(id);
        let is_clean = |sections: Sections| {
            let atomicity = Atomicity::Sections(sections);
            let machine = program.start(&client).expect("starts");
            let mut machine = Atomic::new(machine, &atomicity, &site);
            let mut property =
                Linearizable::new(&spec, &client, program.operations()).expect("fits");
            let dag = Dag::build(
                &mut machine,
                &mut property,
                &mut |_, _| true,
                1_000_000,
                &Unlimited,
            );
            assert!(dag.complete);
            dag.nodes[dag.root()].bad == 0
        };
        for repair in &repairs {
            repaired[repair.sections.iter().count().min(2)] += 1;
            assert!(is_clean(repair.sections.clone()), "{repair:?}");
            for smaller in smaller(&repair.sections) {
                assert!(!is_clean(smaller), "{repair:?} {program:?} {client:?}");
            }
        }
    }
    assert!(repaired[1] > 5, "{repaired:?}");
}
