//! The data races of a run, compared with their definition in C++20: two accesses that conflict, one of them plain, and no path of program order and
//! synchronisation from the one to the other. Paths are searched step by step, without clocks.

use linspect_core::check::Unlimited;
use linspect_core::defect::Racer;
use linspect_core::execution::{Access, Action, MemoryModel, Ordering, Step};
use linspect_core::machine::{Machine, Subject};
use linspect_core::property::FaultFree;
use linspect_core::random::Random;
use linspect_explore::Bounds;
use linspect_explore::races::races;
use linspect_explore::run::run;
use linspect_explore::strategies::Leaf;
use linspect_explore::strategies::naive::{self, naive};
use linspect_explore::strategies::random::Uniform;
use linspect_explore::strategies::states::states;
use linspect_toy::Program;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::ControlFlow;

/// Operations of a few accesses to two cells each, with any orderings and fences, some of them within a lock. Which cell an access goes to is in its source, or depends on the argument; some
/// look at the lock itself.
fn program(dice: &mut Random) -> String {
    let mut text = "object racy\nglobal x = 0\nglobal y = 0\nglobal guard = 0\n".to_owned();
    for name in ["a", "b", "c"] {
        writeln!(text, "op {name} 0 1").expect("a string");
        let locked = dice.percent(40);
        let accesses = 1 + dice.below(3);
        let (from, to) = (dice.below(accesses), accesses);
        for at in 0..accesses {
            if locked && at == from {
                text.push_str("lock guard\n");
            }
            if dice.percent(25) {
                let order = ["acq", "rel", "ar", "sc"][dice.below(4)];
                writeln!(text, "fence {order}").expect("a string");
            }
            let cell = ["x", "y", "x+arg"][dice.below(3)];
            let pick = |orders: &[&'static str], dice: &mut Random| match dice.percent(50) {
                true => "na",
                false => orders[dice.below(orders.len())],
            };
            let access = match dice.below(8) {
                0..3 => format!("r = read.{} {cell}", pick(&["rlx", "acq", "sc"], dice)),
                3..6 => format!("write.{} {cell} 1", pick(&["rlx", "rel", "sc"], dice)),
                6 => {
                    let order = ["rlx", "acq", "rel", "ar", "sc"][dice.below(5)];
                    format!("r = faa.{order} {cell} 1")
                }
                _ => "r = read.na guard".to_owned(),
            };
            writeln!(text, "{access}").expect("a string");
            if locked && at + 1 == to {
                text.push_str("unlock guard\n");
            }
        }
        text.push_str("return 0\n");
    }
    text
}

/// A fence or an access, in the order of the run.
#[derive(Clone, Copy)]
enum Deed {
    Fence(Ordering),
    Access(Access),
}

/// A deed, who did it, and as which of its steps.
struct Event {
    thread: u16,
    step: u32,
    deed: Deed,
}

fn events(steps: &[Step]) -> Vec<Event> {
    let mut taken = [0; 8];
    let mut events = Vec::new();
    for step in steps {
        let thread = step.choice.thread;
        let own = &mut taken[usize::from(thread)];
        let fences = step.aside.fences.iter().map(|order| Deed::Fence(*order));
        let deeds = fences.chain(step.accesses.iter().map(|a| Deed::Access(*a)));
        events.extend(deeds.map(|deed| Event {
            thread,
            step: *own,
            deed,
        }));
        *own += 1;
    }
    events
}

fn acquires(order: Ordering) -> bool {
    matches!(
        order,
        Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst
    )
}

fn releases(order: Ordering) -> bool {
    matches!(
        order,
        Ordering::Release | Ordering::AcqRel | Ordering::SeqCst
    )
}

fn is_data(access: &Access) -> bool {
    matches!(access.action, Action::Read | Action::Write | Action::Update)
}

/// The write that the read at `at` reads, if it is not what was there at first.
fn source(events: &[Event], at: usize, read: &Access, model: MemoryModel) -> Option<usize> {
    let writes = |i: &usize| match &events[*i].deed {
        Deed::Access(a) => is_data(a) && a.action.writes() && a.location == read.location,
        Deed::Fence(_) => false,
    };
    match model {
        MemoryModel::Sc => (0..at).rev().find(writes),
        MemoryModel::C20 => (0..at).filter(writes).find(|&i| {
            let event = &events[i];
            read.from
                .is_some_and(|f| (f.thread, f.step) == (event.thread, event.step))
        }),
    }
}

/// Everything that synchronises with something, and with what.
fn synchronisation(events: &[Event], model: MemoryModel) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let fences = |thread: u16, range: std::ops::Range<usize>, is: fn(Ordering) -> bool| {
        range.filter(move |&i| match events[i].deed {
            Deed::Fence(order) => events[i].thread == thread && is(order),
            Deed::Access(_) => false,
        })
    };
    for (at, event) in events.iter().enumerate() {
        let Deed::Access(access) = &event.deed else {
            continue;
        };
        if access.action == Action::Lock {
            pairs.extend((0..at).filter_map(|i| match &events[i].deed {
                Deed::Access(a) if a.action == Action::Unlock => Some((i, at)),
                _ => None,
            }));
        }
        if !matches!(access.action, Action::Read | Action::Update)
            || access.ordering == Ordering::Plain
        {
            continue;
        }
        let mut takes: Vec<usize> = fences(event.thread, at..events.len(), acquires).collect();
        takes.extend(acquires(access.ordering).then_some(at));
        // The write that it reads, and those whose release sequence that is in: it goes on through updates.
        let mut head = source(events, at, access, model);
        while let Some(write) = head {
            let Deed::Access(written) = &events[write].deed else {
                unreachable!("a fence writes nothing")
            };
            if written.ordering == Ordering::Plain {
                break;
            }
            let mut gives: Vec<usize> = fences(events[write].thread, 0..write, releases).collect();
            gives.extend(releases(written.ordering).then_some(write));
            pairs.extend(
                gives
                    .iter()
                    .flat_map(|g| takes.iter().map(move |t| (*g, *t))),
            );
            head = match written.action {
                Action::Update => source(events, write, written, model),
                _ => None,
            };
        }
    }
    pairs
}

/// Pairs of places in the source that race.
type Races = BTreeSet<[u32; 2]>;

fn defined(steps: &[Step], model: MemoryModel) -> Races {
    let events = events(steps);
    let count = events.len();
    let mut before = vec![vec![false; count]; count];
    for (a, b) in synchronisation(&events, model) {
        before[a][b] = true;
    }
    for later in 0..count {
        for earlier in (0..later).rev() {
            let direct = events[earlier].thread == events[later].thread;
            let through = (earlier + 1..later).any(|m| before[earlier][m] && before[m][later]);
            before[earlier][later] |= direct || through;
        }
    }
    let mut found = Races::new();
    for later in 0..count {
        for earlier in (0..later).filter(|&e| !before[e][later]) {
            let (Deed::Access(a), Deed::Access(b)) = (&events[earlier].deed, &events[later].deed)
            else {
                continue;
            };
            let writes = a.action.writes() || b.action.writes();
            let plain = a.ordering == Ordering::Plain || b.ordering == Ordering::Plain;
            if is_data(a) && is_data(b) && writes && plain && a.location == b.location {
                let mut sites = [a.site, b.site];
                sites.sort_unstable();
                found.insert(sites);
            }
        }
    }
    found
}

#[test]
fn races_are_what_they_are_defined_to_be() {
    let programs = if std::env::var_os("LINSPECT_LONG").is_some() {
        40_000
    } else {
        4_000
    };
    for model in [MemoryModel::Sc, MemoryModel::C20] {
        let mut dice = Random::new(18);
        let mut counts = [0; 2];
        for seed in 0..programs {
            let text = program(&mut dice);
            let mut program = Program::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            program.memory = model;
            let client = program.client("", &["a=0 a=1 b=0", "b=1 c=0", "c=1"], "");
            let mut machine = program.start(&client).expect("it starts");
            let run = run(&mut machine, &mut Uniform::new(seed), Bounds::default());
            let steps: Vec<Step> = run.trace.steps().cloned().collect();
            let found = races(run.trace.steps(), model, &mut FaultFree);
            let site = |racer: &Racer| racer.access().expect("an access").site;
            let found = found.iter().map(|race| {
                let mut sites = [site(&race.first.1), site(&race.second.1)];
                sites.sort_unstable();
                sites
            });
            let (found, expected): (Races, Races) = (found.collect(), defined(&steps, model));
            counts[usize::from(expected.is_empty())] += 1;
            assert_eq!(
                found, expected,
                "{model:?}, seed {seed}\n{text}\n{steps:#?}"
            );
        }
        assert!(counts.iter().all(|n| *n > 100), "{counts:?}");
    }
}

/// Who goes through states forgets what happened before what. Where all atomics are `seq_cst`, that hides no race: it shows some iff some schedule has one.
#[test]
fn states_show_a_race_iff_some_schedule_has_one() {
    let programs = if std::env::var_os("LINSPECT_LONG").is_some() {
        5_000
    } else {
        500
    };
    let mut dice = Random::new(29);
    let mut counts = [0; 2];
    for seed in 0..programs {
        let mut text = program(&mut dice);
        for weaker in [
            ".rlx",
            ".acq",
            ".rel",
            ".ar",
            "fence acq",
            "fence rel",
            "fence ar",
        ] {
            let strong = if weaker.starts_with('.') {
                ".sc"
            } else {
                "fence sc"
            };
            text = text.replace(weaker, strong);
        }
        let mut program = Program::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let client = program.client("", &["a=0", "b=1", "c=0"], "");
        program.memory = MemoryModel::Sc;
        let mut machine = program.start(&client).expect("it starts");
        let start = machine.snapshot();
        let races_of = |leaf: &Leaf<'_>, any: &mut bool| {
            let found = races(leaf.trace.steps(), MemoryModel::Sc, &mut FaultFree);
            *any = *any || !found.is_empty();
            ControlFlow::Continue(())
        };
        let mut expected = false;
        let all = naive::Options::default();
        naive(&mut machine, all, &mut |leaf| races_of(leaf, &mut expected));
        machine.restore(&start);
        let mut found = false;
        let walk = states(&mut machine, u64::MAX, &Unlimited, &mut |leaf| {
            races_of(leaf, &mut found)
        });
        assert!(!walk.walk.stopped && walk.weaker.is_empty());
        counts[usize::from(expected)] += 1;
        assert_eq!(found, expected, "seed {seed}\n{text}");
    }
    assert!(counts.iter().all(|n| *n > 50), "{counts:?}");
}
