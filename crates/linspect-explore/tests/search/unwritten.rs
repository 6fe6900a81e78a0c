//! Clients with many executions are explored without reads of what nobody writes: what is found is what is found with all steps, and its run is told with all of them.

use linspect_core::check::Unlimited;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::Ordering;
use linspect_core::machine::Retries;
use linspect_core::property::Linearizable;
use linspect_core::random::Random;
use linspect_explore::search::{Coverage, Explored, Plan, explore};
use linspect_explore::subject_spec::SubjectSpec;
use linspect_toy::random::{self, Shape};
use linspect_toy::{Instruction, Program};

/// Everything that is wrong with a client, measured by the object itself. What is found was run again with every step.
fn explored(program: &Program, client: &Client, retries: Retries) -> Option<Explored> {
    let spec = SubjectSpec::new(program);
    let property = Linearizable::new(&spec, client, &program.declared).expect("its own operations");
    let plan = Plan {
        keep_going: true,
        retries,
        executions: Some(20_000),
        ..Plan::exhaustive()
    };
    let found = explore(
        program,
        client.clone(),
        property,
        &plan,
        &Unlimited,
        &|_, _| {},
    );
    let found = found.expect("it runs");
    matches!(found.coverage, Coverage::Exhausted { .. }).then_some(found)
}

/// Whether the same is wrong: of each kind the first that is found is told, so not who is in the deadlock.
fn is_same(one: &Explored, other: &Explored) -> bool {
    let is_in = |defect: &Defect, all: &Explored| all.found.iter().any(|f| f.kind.is_like(defect));
    one.found.len() == other.found.len() && one.found.iter().all(|f| is_in(&f.kind, other))
}

#[test]
fn what_is_found_does_not_depend_on_reads_that_cannot_matter() {
    let shape = Shape {
        cells: 4,
        threads: 3,
        operations: 2,
        accesses: 3,
        retries: true,
        atomics: true,
        locks: true,
        ..Shape::plain()
    };
    let programs = match std::env::var_os("LINSPECT_LONG") {
        Some(_) => 2_000,
        None => 150,
    };
    let (mut many, mut wrong) = (0, 0);
    for seed in 0..programs {
        let (mut program, client) = random::program(&mut Random::new(2_800_000 + seed), shape);
        for instruction in program.operations.iter_mut().flat_map(|o| &mut o.code) {
            match instruction {
                // Nobody writes the fourth place, and few the third.
                Instruction::Write { at, .. } if *at == 4.into() => *at = 1.into(),
                Instruction::Read { at, order, .. } if *at == 3.into() => *order = Ordering::Plain,
                _ => {}
            }
        }
        let Some(all) = explored(&program, &client, Retries::Wake) else {
            continue;
        };
        let fewer = explored(&program, &client, Retries::Park).expect("it has fewer executions");
        assert!(
            is_same(&fewer, &all),
            "seed {seed}\n{program:#?}\n{client:?}"
        );
        many += u64::from(fewer.coverage.executions() > 128);
        wrong += u64::from(!all.found.is_empty());
    }
    assert!(
        many > programs / 20 && wrong > programs / 4,
        "{many} have many executions, {wrong} are wrong"
    );
}

/// A place that is written only after hundreds of executions is taken for unwritten at first.
#[test]
fn a_place_that_is_written_late_is_read_in_time() {
    let text = |when: u32| {
        format!(
            "global a = 0
             global b = 0
             global c = 0
             global late = 0
             op set
               write a 1
               write b 1
               write c 1
               return
             op look
               p = read a
               q = read b
               r = read c
               s = read a
               k = set p*2+q*2+r*2+s=={when}
               if k==0 goto end
               write late 1
             end:
               return
             op get
               x = read late
               u = read a
               v = read b
               w = read c
               z = read late
               return x*2+z"
        )
    };
    // What `look` must have read: that `set` had not begun, or was over, or was somewhere between.
    for when in [0, 1, 3, 7, 15] {
        let program = Program::parse(&text(when)).expect("a well-formed program");
        let client = program.client("", &["set", "look", "get", "get"], "get");
        let all = explored(&program, &client, Retries::Wake).expect("few executions");
        let fewer = explored(&program, &client, Retries::Park).expect("few executions");
        assert!(all.coverage.executions() > 64);
        assert_eq!(fewer.coverage, all.coverage, "{when}");
        assert!(is_same(&fewer, &all), "{when}");
    }
}
