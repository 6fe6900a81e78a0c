//! Data races that a search finds, compared with those of all schedules, each run by itself.

use linspect_core::check::Unlimited;
use linspect_core::client::Client;
use linspect_core::defect::{Defect, Race, RacePlace};
use linspect_core::execution::{MemoryModel, Ordering};
use linspect_core::machine::{Additions, Machine, Subject};
use linspect_core::property::FaultFree;
use linspect_core::random::Random;
use linspect_explore::races::{depends_on_additions, races};
use linspect_explore::search::{Coverage, Plan, explore};
use linspect_explore::strategies::Leaf;
use linspect_explore::strategies::naive::{self, naive};
use linspect_toy::random::{self, Shape};
use linspect_toy::{Instruction, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// A random program whose data is in the first place; what is added to is in the second, and the third orders threads in other ways.
fn program(seed: u64) -> (Program, Client) {
    let shape = Shape {
        additions: true,
        operations: 1,
        accesses: 6,
        cells: 3,
        ..Shape::plain()
    };
    let (mut program, client) = random::program(&mut Random::new(1_200_000 + seed), shape);
    for instruction in program.operations.iter_mut().flat_map(|o| &mut o.code) {
        match instruction {
            Instruction::Read { at, order, .. } | Instruction::Write { at, order, .. }
                if *at != 3.into() =>
            {
                (*at, *order) = (1.into(), Ordering::Plain);
            }
            Instruction::FetchAdd { at, .. } => *at = 2.into(),
            _ => {}
        }
    }
    (program, client)
}

fn programs() -> u64 {
    match std::env::var_os("LINSPECT_LONG") {
        Some(_) => 4_000,
        None => 400,
    }
}

type Places = BTreeSet<(RacePlace, RacePlace)>;

fn places(steps: &[Race]) -> Places {
    steps.iter().map(Race::places).collect()
}

/// The races of the runs of a class.
#[derive(Default)]
struct Class {
    all: BTreeSet<Places>,
    /// Of those that say that there are no others.
    sure: BTreeSet<Places>,
}

/// Whoever runs one run of a class is told if others of it may have other races, because they make their additions in another order.
#[test]
fn a_run_tells_whether_its_races_depend_on_the_order_of_additions() {
    let mut differ = 0;
    for seed in 0..programs() {
        let (program, client) = program(seed);
        let mut machine = program.start(&client).expect("it starts");
        machine.set_additions(Additions::Unordered);
        let mut classes: BTreeMap<String, Class> = BTreeMap::new();
        naive(&mut machine, naive::Options::default(), &mut |leaf| {
            let found = races(leaf.trace.steps(), MemoryModel::Sc, &mut FaultFree);
            let depends = depends_on_additions(leaf.trace.steps(), &found, &mut FaultFree);
            let class = classes.entry(class(leaf)).or_default();
            class.all.insert(places(&found));
            class.sure.extend((!depends).then(|| places(&found)));
            ControlFlow::Continue(())
        });
        for Class { all, sure } in classes.values() {
            let are_all = |sure: &Places| all.iter().all(|races| races.is_subset(sure));
            assert!(
                sure.iter().all(are_all),
                "seed {seed}: {all:?}\n{program:#?}"
            );
            differ += u64::from(all.len() > 1);
        }
    }
    assert!(
        differ > programs() / 10,
        "{differ} classes have runs with other races"
    );
}

/// What each thread did, and what came before it.
fn class(leaf: &Leaf<'_>) -> String {
    let events = leaf.trace.events().iter();
    let mut lines: Vec<String> = events
        .map(|e| format!("{} {} {:?} {:?}", e.thread(), e.position, e.clock, e.step))
        .collect();
    lines.sort();
    lines.join("\n")
}

/// No race is lost with the runs that are left out because their additions come in another order.
#[test]
fn races_do_not_hide_behind_the_order_of_additions() {
    let mut hidden = 0;
    for seed in 0..programs() {
        let (program, client) = program(seed);
        let mut all = Places::new();
        let mut free = false;
        let mut machine = program.start(&client).expect("it starts");
        naive(&mut machine, naive::Options::default(), &mut |leaf| {
            let found = races(leaf.trace.steps(), MemoryModel::Sc, &mut FaultFree);
            free |= found.is_empty();
            all.extend(places(&found));
            ControlFlow::Continue(())
        });
        let plan = Plan {
            keep_going: true,
            ..Plan::exhaustive()
        };
        let explored = explore(
            &program,
            client.clone(),
            FaultFree,
            &plan,
            &Unlimited,
            &|_, _| {},
        )
        .expect("it runs");
        let Coverage::Exhausted { .. } = explored.coverage else {
            panic!("seed {seed}: {:?}", explored.coverage);
        };
        let races = explored.found.iter().filter_map(|found| match &found.kind {
            Defect::DataRace(race) => Some(race.places()),
            _ => None,
        });
        let found: Places = races.collect();
        assert_eq!(found, all, "seed {seed}\n{program:#?}\n{client:?}");
        hidden += u64::from(free && !all.is_empty());
    }
    assert!(
        hidden > programs() / 20,
        "{hidden} programs have runs with and without races"
    );
}
