//! What is found: violations, deadlocks, livelocks, faults, by every method, and by its token again.

use crate::{call, threads};
use linspect_core::check::Unlimited;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::{End, FaultKind};
use linspect_core::machine::Subject;
use linspect_core::property::{FaultFree, Linearizable};
use linspect_core::run::{Follow, Nobody, run};
use linspect_core::schedule::Choice;
use linspect_core::spec::Counter;
use linspect_explore::Bounds;
use linspect_explore::search::{Coverage, Method, Plan, Stopped, explore};
use linspect_explore::subject_spec::SubjectSpec;
use linspect_explore::token::Token;
use linspect_toy::{Program, objects};

/// Explores one client.
fn one(program: &Program, client: &Client, plan: &Plan) -> Vec<(Defect, Coverage)> {
    let explored = explore(
        program,
        client.clone(),
        FaultFree,
        plan,
        &Unlimited,
        &|_, _| {},
    )
    .expect("it runs");
    explored
        .found
        .into_iter()
        .map(|f| (f.kind, explored.coverage.clone()))
        .collect()
}

#[test]
fn deadlocks_livelocks_and_faults_are_findings() {
    let crossed = threads(&[&[call(0, ())], &[call(1, 1)]]);
    let found = one(
        &objects::crossed_locks(),
        &crossed,
        &Plan::exhaustive().with(Method::Exhaustive),
    );
    assert_eq!(found[0].0, Defect::Deadlock(vec![0, 1]));
    assert_eq!(found.len(), 1, "what is wrong by itself needs no property");

    let waits = Program::parse(
        "global x = 0\nop wait\nagain:\na = read x\nif a!=0 goto end\nspin again\nend:\nreturn",
    )
    .unwrap();
    let found = one(
        &waits,
        &threads(&[&[call(0, ())], &[call(0, ())]]),
        &Plan::exhaustive(),
    );
    assert_eq!(found.len(), 1, "each waits alone, too: {found:?}");

    let both = threads(&[&[call(0, ())], &[call(0, ())]]);
    let found = one(&objects::asserting_counter(), &both, &Plan::exhaustive());
    let (Defect::Fault(fault), Coverage::Unknown { reason, .. }) = &found[0] else {
        panic!("{found:?}");
    };
    assert_eq!(
        (fault.kind, *reason),
        (FaultKind::Assertion, Stopped::Error)
    );
}

/// The kinds of errors that a client has when the object is measured by itself.
fn errors(program: &Program, client: &Client) -> Vec<Defect> {
    let spec = SubjectSpec::new(program);
    let property = Linearizable::new(&spec, client, &program.declared).expect("its own operations");
    let plan = Plan {
        keep_going: true,
        ..Plan::exhaustive()
    };
    let explored = explore(
        program,
        client.clone(),
        property,
        &plan,
        &Unlimited,
        &|_, _| {},
    )
    .expect("it runs");
    assert!(matches!(explored.coverage, Coverage::Exhausted { .. }));
    let found = explored.found.into_iter().map(|f| f.kind);
    found.filter(Defect::is_error).collect()
}

#[test]
fn waiting_is_an_error_only_where_serial_runs_do_not_wait() {
    let crossed = threads(&[&[call(0, ())], &[call(1, 1)]]);
    assert_eq!(
        errors(&objects::crossed_locks(), &crossed),
        [Defect::Deadlock(vec![0, 1])]
    );

    let polite = Program::parse(
        "global x = 0\nglobal y = 0\n\
         op left\nwrite x 1\nagain:\na = read y\nif a==0 goto end\nspin again\nend:\nwrite x 0\nreturn\n\
         op right\nwrite y 1\nagain:\na = read x\nif a==0 goto end\nspin again\nend:\nwrite y 0\nreturn",
    )
    .unwrap();
    let both = threads(&[&[call(0, ())], &[call(1, ())]]);
    assert_eq!(errors(&polite, &both), [Defect::Livelock(vec![0, 1])]);

    // More takes than puts: somebody waits, as in every serial run.
    let buffer = objects::one_place_buffer();
    let takers = threads(&[&[call(0, 1)], &[call(1, ())], &[call(1, ())]]);
    assert_eq!(errors(&buffer, &takers), []);
}

#[test]
fn every_method_finds_the_early_unlock() {
    let program = objects::early_unlock();
    let client = threads(&[&[call(0, ())], &[call(0, ())]]);
    let counter = Counter::default();
    for method in [
        Method::Exhaustive,
        Method::Bounded { preemptions: 1 },
        Method::Random { runs: 200, seed: 1 },
        Method::Pct {
            depth: 2,
            runs: 200,
            seed: 1,
        },
        Method::Dpct {
            depth: 2,
            runs: 200,
            seed: 1,
        },
    ] {
        let plan = Plan::exhaustive().with(method);
        let property = Linearizable::new(&counter, &client, &program.declared).expect("a counter");
        let explored = explore(
            &program,
            client.clone(),
            property,
            &plan,
            &Unlimited,
            &|_, _| {},
        );
        let explored = explored.expect("it runs");
        let found = explored.error().unwrap_or_else(|| panic!("{method:?}"));
        assert_eq!(found.kind, Defect::Violation);
        // Its token brings it back.
        let token = Token {
            fingerprint: program.fingerprint(),
            client: client.clone(),
            schedule: found.schedule.clone(),
            settings: Vec::new(),
        };
        let token: Token = token.to_string().parse().expect("a token");
        let mut machine = program.start(&token.client).expect("it starts");
        let mut follow = Follow::new(&token.schedule);
        let again = run(&mut machine, &mut follow, Bounds::NONE, &mut Nobody);
        assert!(follow.is_done());
        assert_eq!(again, found.execution);
    }
}

#[test]
fn after_an_edit_the_longest_prefix_is_followed() {
    let old = objects::early_unlock();
    let client = threads(&[&[call(0, ())], &[call(0, ())]]);
    // Thread 0 locks, reads, unlocks; then thread 1 does it all.
    let order = [0, 0, 0, 1, 1, 1, 1, 0];
    let schedule = linspect_core::schedule::Schedule(order.map(Choice::of).to_vec());
    let followed = |program: &Program| {
        let mut machine = program.start(&client).expect("it starts");
        let mut follow = Follow::new(&schedule);
        let run = run(&mut machine, &mut follow, Bounds::NONE, &mut Nobody);
        (follow.followed(), run.end)
    };
    assert_eq!(followed(&old), (8, End::Complete));
    // The repaired one unlocks after the write: at the fourth choice thread 1 cannot lock.
    let new = objects::locked_counter();
    assert_ne!(old.fingerprint(), new.fingerprint());
    assert_eq!(followed(&new), (3, End::Cut));
}
