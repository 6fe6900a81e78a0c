//! The labelled graph against the full tree, and critical data race sequences of small objects.

use linspect_core::check::Unlimited;
use linspect_core::check::brute::is_linearizable;
use linspect_core::client::Client;
use linspect_core::execution::{End, Execution, Step};
use linspect_core::machine::{Machine, Status, Subject};
use linspect_core::project::project;
use linspect_core::property::{Linearizable, Property};
use linspect_core::random::Random;
use linspect_core::schedule::{Choice, Schedule};
use linspect_core::spec::{Queue, Spec, Stack, Unfit};
use linspect_core::value::Value;
use linspect_diagnose::localise::{
    Dag, Fate, Granularity, Label, Localisation, contrast, decisive, fewest_switches, groups,
    localise,
};
use linspect_explore::subject_spec::SubjectSpec;
use linspect_toy::random::{self, Shape};
use linspect_toy::{Program, objects};

/// A pair of cells: `read` returns both at one moment, as `10 a + b`.
struct Pair;

impl Spec for Pair {
    type State = (i64, i64);
    type Call = (String, i64);

    fn name(&self) -> &str {
        "pair"
    }

    fn call(&self, method: &str, argument: &Value) -> Result<Self::Call, Unfit> {
        let argument = if let Value::Int(n) = argument { *n } else { 0 };
        Ok((method.to_string(), argument))
    }

    fn initial(&self) -> Self::State {
        (0, 0)
    }

    fn outcomes(
        &self,
        state: &Self::State,
        call: &Self::Call,
        each: &mut dyn FnMut(Value, Self::State),
    ) {
        match call.0.as_str() {
            "write_a" => each(Value::Unit, (call.1, state.1)),
            "write_b" => each(Value::Unit, (state.0, call.1)),
            _ => each(Value::Int(state.0 * 10 + state.1), *state),
        }
    }
}

fn graph<S: Spec>(program: &Program, client: &Client, spec: &S) -> Dag {
    graph_of(program, client, spec, 1_000_000)
}

/// Of at most so many states.
fn graph_of<S: Spec>(program: &Program, client: &Client, spec: &S, limit: usize) -> Dag {
    let mut machine = program.start(client).expect("starts");
    let mut property = Linearizable::new(spec, client, program.operations()).expect("fits");
    Dag::build(
        &mut machine,
        &mut property,
        &mut |_, _| true,
        limit,
        &Unlimited,
    )
}

fn word(dag: &Dag, schedule: &Schedule) -> String {
    let labels: Vec<String> = decisive(dag, schedule)
        .iter()
        .map(|d| d.label.to_string())
        .collect();
    labels.join(" ")
}

/// The client of Table 2 of the paper, row PairSnapshot.
const SNAPSHOT: (&str, [&str; 2]) = (
    "write_a=1 write_b=1",
    ["write_a=2 write_b=2 write_b=1 write_a=1", "read"],
);

/// Row PairSnapshot: five races that could have saved the run, then one that dooms it.
#[test]
fn pair_snapshot_is_decided_by_six_races() {
    let program = objects::pair_snapshot();
    let client = program.client(SNAPSHOT.0, &SNAPSHOT.1, "");
    let dag = graph(&program, &client, &Pair);
    assert!(dag.complete);
    let schedule = fewest_switches(&dag, &|wrong| wrong.violates).expect("it is not linearizable");
    assert_eq!(word(&dag, &schedule), "WG WG WG WG WG G");
    // The last race decides: let the other side win, and all is well.
    let contrast = contrast(&dag, &schedule).expect("most runs are good");
    let last = decisive(&dag, &schedule).pop().expect("six races");
    assert_eq!(contrast.differs_at, last.step);
    assert_eq!(contrast.schedule.0[..last.step], schedule.0[..last.step]);
    assert_eq!(word(&dag, &contrast.schedule), "WG WG WG WG WG G");
    let (all, dropped) = groups(&dag);
    assert!(!dropped);
    assert_eq!(
        all.iter().map(|g| g.runs).sum::<u128>(),
        dag.nodes[dag.root()].bad
    );
    for group in &all {
        assert_is_critical(&group.races.iter().map(|r| r.0).collect::<Vec<_>>());
    }
}

/// Theorem 3: (WG|BG|WBG)* (BG|G|WBG).
fn assert_is_critical(labels: &[Label]) {
    let (last, before) = labels.split_last().expect("a bad run has a decisive race");
    assert!(last.can_doom(), "{labels:?}");
    assert!(
        before.iter().all(|l| *l != Label::Gray && l.is_decisive()),
        "{labels:?}"
    );
}

/// Counts the runs below the machine's state in the unmerged tree, and compares every node with the graph's.
fn compare<M: Machine, P: Property>(
    machine: &mut M,
    property: &mut P,
    watch: &P::Watch,
    dag: &Dag,
    node: usize,
    budget: &mut u32,
) -> (u128, u128) {
    let threads = u16::try_from(machine.threads()).expect("few");
    let ready: Vec<u16> = (0..threads)
        .filter(|&t| machine.status(t) == Status::Ready)
        .collect();
    let expected = &dag.nodes[node];
    if ready.is_empty() {
        let waiting: Vec<u16> = (0..threads)
            .filter(|&t| machine.status(t) != Status::Done)
            .collect();
        let (end, after) = if waiting.is_empty() {
            (End::Complete, machine.finish().expect("no fault"))
        } else {
            (End::Deadlock(waiting), Vec::new())
        };
        let good = property.holds(watch, &end, &after);
        assert_eq!(
            (expected.good, expected.bad),
            (u128::from(good), u128::from(!good))
        );
        return (expected.good, expected.bad);
    }
    let here = machine.snapshot();
    let (mut good, mut bad) = (0, 0);
    let mut fates = Vec::new();
    for (i, thread) in ready.iter().enumerate() {
        *budget = budget.saturating_sub(1);
        machine.restore(&here);
        let step: Step = machine.step(Choice::of(*thread));
        let mut watch = watch.clone();
        property.observe(&mut watch, &step);
        let branch = &expected.branches[i];
        assert_eq!(branch.step, step);
        let (g, b) = compare(machine, property, &watch, dag, branch.to, budget);
        fates.push(Fate::of(g, b));
        good += g;
        bad += b;
        assert!(*budget > 0, "the tree is too large for this test");
    }
    assert_eq!((expected.good, expected.bad), (good, bad));
    assert_eq!(dag.label(node), Label::of(&fates));
    (good, bad)
}

fn agrees<S: Spec>(program: &Program, client: &Client, spec: &S) -> (u128, u128) {
    let dag = graph(program, client, spec);
    let mut machine = program.start(client).expect("starts");
    let mut property = Linearizable::new(spec, client, program.operations()).expect("fits");
    let watch = property.start(machine.prefix());
    compare(
        &mut machine,
        &mut property,
        &watch,
        &dag,
        dag.root(),
        &mut 3_000_000,
    )
}

/// Merging by state changes no label and no count.
#[test]
fn the_graph_is_the_tree() {
    let stack = objects::treiber();
    let queue = objects::ms_queue();
    let blind = objects::treiber_blind_pop();
    let pair = objects::pair_snapshot();
    let counts = [
        agrees(
            &stack,
            &stack.client("push=1", &["pop", "push=2"], ""),
            &Stack::default(),
        ),
        agrees(
            &stack,
            &stack.client("", &["push=1 pop", "push=2"], ""),
            &Stack::default(),
        ),
        agrees(
            &queue,
            &queue.client("", &["enq=1", "deq"], ""),
            &Queue::default(),
        ),
        agrees(
            &blind,
            &blind.client("push=1 push=2", &["pop", "pop"], ""),
            &Stack::default(),
        ),
        agrees(
            &blind,
            &blind.client("push=1 push=2", &["pop", "pop", "pop"], ""),
            &Stack::default(),
        ),
        agrees(&pair, &pair.client(SNAPSHOT.0, &SNAPSHOT.1, ""), &Pair),
    ];
    // (good, bad) runs; 10 + 60 are all the ways to interleave two pops of four steps.
    let expected = [(21, 0), (114, 0), (231, 0), (10, 60), (72, 34380), (111, 1)];
    assert_eq!(counts, expected);
}

/// Where not everything could be looked at, only what was is called sure.
#[test]
fn what_was_not_looked_at_is_not_sure() {
    let program = objects::treiber_blind_pop();
    let client = program.client("push=1 push=2", &["pop", "pop", "pop"], "");
    let all = graph(&program, &client, &Stack::default());
    let end = all.nodes.len();
    let (mut sure, mut unsure) = (0, 0);
    for limit in (1..end).step_by(7) {
        let part = graph_of(&program, &client, &Stack::default(), limit);
        let Some(schedule) = fewest_switches(&part, &|wrong| wrong.violates) else {
            continue;
        };
        let mut node = all.root();
        let mut races = decisive(&part, &schedule).into_iter().peekable();
        for (step, choice) in schedule.0.iter().enumerate() {
            let to = |choice: Choice| {
                let mut branches = all.nodes[node].branches.iter();
                let branch = branches.find(|b| b.step.choice == choice);
                &all.nodes[branch.expect("a step of the client").to]
            };
            if let Some(race) = races.next_if(|race| race.step == step) {
                for side in &race.sides {
                    let is = to(side.step.choice);
                    match side.fate {
                        Fate::Good => assert_eq!(is.bad, 0, "{limit}"),
                        Fate::Bad => assert_eq!(is.good, 0, "{limit}"),
                        Fate::Open => {}
                    }
                    sure += usize::from(side.whole);
                    unsure += usize::from(!side.whole);
                }
            }
            let mut branches = all.nodes[node].branches.iter();
            let taken = branches.find(|b| b.step.choice == *choice);
            node = taken.expect("a run of the client").to;
        }
    }
    assert!(sure > 0 && unsure > 0, "{sure} {unsure}");
}

/// A client of a program, and what it should do.
struct World<'a, S> {
    program: &'a Program,
    client: &'a Client,
    spec: &'a S,
}

impl<S: Spec> World<'_, S> {
    fn localise(&self, granularity: Granularity) -> Option<Localisation> {
        let mut property =
            Linearizable::new(self.spec, self.client, self.program.operations()).expect("fits");
        localise(
            self.program,
            self.client,
            &mut property,
            &|wrong| wrong.violates,
            granularity,
            1_000_000,
            &Unlimited,
        )
        .expect("starts")
    }

    /// Forces each side of each decisive race to win, and runs everything that can follow. Each history is judged on its own, by definition.
    fn verify(&self, found: &Localisation) {
        for race in &found.races {
            for side in &race.sides {
                let mut machine = self.program.start(self.client).expect("starts");
                let mut steps = Vec::new();
                let forced = side.step.choice;
                for choice in found.schedule.0[..race.step].iter().chain([&forced]) {
                    steps.push(machine.step(*choice));
                }
                let seen = self.outcomes(&mut machine, &mut steps);
                assert_eq!(seen, (side.good, side.bad), "{race:?}");
                assert_eq!(Fate::of(seen.0, seen.1), side.fate);
            }
        }
    }

    /// How many of all runs from here are linearizable, and how many are not.
    fn outcomes<M: Machine>(&self, machine: &mut M, steps: &mut Vec<Step>) -> (u128, u128) {
        let threads = u16::try_from(machine.threads()).expect("few");
        let ready: Vec<u16> = (0..threads)
            .filter(|&t| machine.status(t) == Status::Ready)
            .collect();
        let here = machine.snapshot();
        if ready.is_empty() {
            let done = (0..threads).all(|t| machine.status(t) == Status::Done);
            let after = if done {
                machine.finish().expect("no fault")
            } else {
                Vec::new()
            };
            let execution = Execution {
                before: machine.prefix().to_vec(),
                steps: steps.clone(),
                after,
                end: End::Complete,
            };
            machine.restore(&here);
            let history = project(&execution, self.client, self.program.operations()).history;
            let good = is_linearizable(self.spec, &history).expect("fits");
            return (u128::from(good), u128::from(!good));
        }
        let (mut good, mut bad) = (0, 0);
        for thread in ready {
            machine.restore(&here);
            steps.push(machine.step(Choice::of(thread)));
            let (g, b) = self.outcomes(machine, steps);
            steps.pop();
            good += g;
            bad += b;
        }
        (good, bad)
    }
}

/// Every promise about a race is kept.
#[test]
fn forcing_a_side_has_the_promised_consequence() {
    let pair = objects::pair_snapshot();
    let blind = objects::treiber_blind_pop();
    let world = World {
        program: &pair,
        client: &pair.client(SNAPSHOT.0, &SNAPSHOT.1, ""),
        spec: &Pair,
    };
    let found = world.localise(Granularity::All).expect("a fault");
    assert_eq!(found.races.len(), 6);
    world.verify(&found);
    for threads in [&["pop", "pop"][..], &["pop", "pop", "pop"]] {
        let world = World {
            program: &blind,
            client: &blind.client("push=1 push=2", threads, ""),
            spec: &Stack::default(),
        };
        let found = world.localise(Granularity::All).expect("a fault");
        assert!(!found.races.is_empty());
        world.verify(&found);
    }
}

/// Labels, words and promises of random programs; a fault that is there can be seen at every granularity, one that is not at none.
#[test]
fn random_programs_keep_their_promises() {
    let programs = if std::env::var_os("LINSPECT_LONG").is_some() {
        1000
    } else {
        100
    };
    let mut dice = Random::new(6);
    let mut faulty = 0;
    for i in 0..programs {
        let shape = Shape {
            threads: 2 + usize::from(i % 4 == 0),
            operations: if i % 4 == 0 { 1 } else { 2 },
            accesses: if i % 4 == 0 { 2 } else { 3 },
            atomics: i % 2 == 0,
            locks: i % 3 == 0,
            ..Shape::plain()
        };
        let (program, client) = random::program(&mut dice, shape);
        let spec = SubjectSpec::new(&program);
        let world = World {
            program: &program,
            client: &client,
            spec: &spec,
        };
        let Some(found) = world.localise(Granularity::All) else {
            assert!(world.localise(Granularity::Conflicting).is_none());
            continue;
        };
        faulty += 1;
        assert_eq!(
            agrees(&program, &client, &spec),
            (
                found.dag.nodes[found.dag.root()].good,
                found.dag.nodes[found.dag.root()].bad
            )
        );
        world.verify(&found);
        for granularity in [Granularity::Conflicting, Granularity::Folded] {
            let coarse = world.localise(granularity).expect("the fault is there");
            assert_eq!(coarse.granularity, granularity, "{program:?} {client:?}");
            assert!(coarse.dag.nodes.len() <= found.dag.nodes.len());
            for group in &coarse.groups().0 {
                assert_may_be_critical(&group.races);
            }
        }
        for group in &found.groups().0 {
            assert_may_be_critical(&group.races);
        }
    }
    assert!(faulty * 10 > programs, "{faulty} of {programs} are faulty");
}

/// A run that cannot but fail has no race; every other bad run has a critical sequence.
fn assert_may_be_critical(races: &[(Label, Vec<linspect_diagnose::localise::Path>)]) {
    let labels: Vec<Label> = races.iter().map(|r| r.0).collect();
    if !labels.is_empty() {
        assert_is_critical(&labels);
    }
}
