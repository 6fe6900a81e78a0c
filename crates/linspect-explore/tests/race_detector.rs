//! The data races of a run, compared with their definition: two accesses that conflict, one of them plain, and no path of program order and synchronisation
//! from the one to the other. Paths are searched step by step, without clocks.

use linspect_core::defect::Racer;
use linspect_core::execution::{Access, Action, MemoryModel, Ordering, Step};
use linspect_core::machine::Subject;
use linspect_core::random::Random;
use linspect_explore::Bounds;
use linspect_explore::races::{nothing_handed, races};
use linspect_explore::run::run;
use linspect_explore::strategies::random::Uniform;
use linspect_toy::Program;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Operations of a few accesses to two cells each, plain or sequentially consistent, some of them within a lock.
fn program(dice: &mut Random) -> String {
    let mut text = "object racy\nglobal x = 0\nglobal y = 0\nglobal guard = 0\n".to_owned();
    for name in ["a", "b", "c"] {
        writeln!(text, "op {name}").expect("a string");
        let locked = dice.percent(40);
        let accesses = 1 + dice.below(3);
        let (from, to) = (dice.below(accesses), accesses);
        for at in 0..accesses {
            if locked && at == from {
                text.push_str("lock guard\n");
            }
            let cell = ["x", "y"][dice.below(2)];
            let order = ["na", "na", "sc"][dice.below(3)];
            let access = match dice.percent(50) {
                true => format!("r = read.{order} {cell}"),
                false => format!("write.{order} {cell} 1"),
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

/// Whether `later` is synchronised with `earlier`: the lock that was let go, or a value that was written.
fn synchronises(steps: &[Step], earlier: usize, later: usize) -> bool {
    let pairs = |a: &Access, b: &Access| {
        let same = a.location == b.location;
        let lock = a.action == Action::Unlock && b.action == Action::Lock;
        // Everybody reads what was written last.
        let between = || {
            steps[earlier + 1..later].iter().any(|s| {
                let mut writes = s.accesses.iter().filter(|w| w.action == Action::Write);
                writes.any(|w| w.location == a.location)
            })
        };
        let atomic = |a: &Access| a.ordering == Ordering::SeqCst;
        let read = a.action == Action::Write && b.action == Action::Read;
        same && (lock || read && atomic(a) && atomic(b) && !between())
    };
    let accesses = |at: usize| &steps[at].accesses;
    accesses(earlier)
        .iter()
        .any(|a| accesses(later).iter().any(|b| pairs(a, b)))
}

/// Pairs of places in the source that race.
type Races = BTreeSet<[u32; 2]>;

fn defined(steps: &[Step]) -> Races {
    let mut before = vec![vec![false; steps.len()]; steps.len()];
    for later in 0..steps.len() {
        for earlier in (0..later).rev() {
            let direct = steps[earlier].choice.thread == steps[later].choice.thread
                || synchronises(steps, earlier, later);
            let through = (earlier + 1..later).any(|m| before[earlier][m] && before[m][later]);
            before[earlier][later] = direct || through;
        }
    }
    let mut found = Races::new();
    for later in 0..steps.len() {
        for earlier in (0..later).filter(|&e| !before[e][later]) {
            for a in &steps[earlier].accesses {
                for b in &steps[later].accesses {
                    let data = |a: &Access| matches!(a.action, Action::Read | Action::Write);
                    let writes = a.action == Action::Write || b.action == Action::Write;
                    let plain = a.ordering == Ordering::Plain || b.ordering == Ordering::Plain;
                    if data(a) && data(b) && writes && plain && a.location == b.location {
                        let mut sites = [a.site, b.site];
                        sites.sort_unstable();
                        found.insert(sites);
                    }
                }
            }
        }
    }
    found
}

#[test]
fn races_are_what_they_are_defined_to_be() {
    let programs = if std::env::var_os("LINSPECT_LONG").is_some() {
        20_000
    } else {
        2_000
    };
    let mut dice = Random::new(18);
    let mut counts = [0; 2];
    for seed in 0..programs {
        let text = program(&mut dice);
        let program = Program::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let client = program.client("", &["a b", "b c", "c"], "");
        let mut machine = program.start(&client).expect("it starts");
        let run = run(&mut machine, &mut Uniform::new(seed), Bounds::default());
        let steps: Vec<Step> = run.trace.steps().cloned().collect();
        let found = races(run.trace.steps(), MemoryModel::Sc, nothing_handed);
        let site = |racer: &Racer| racer.access().expect("an access").site;
        let found = found.iter().map(|race| {
            let mut sites = [site(&race.first.1), site(&race.second.1)];
            sites.sort_unstable();
            sites
        });
        let (found, expected): (Races, Races) = (found.collect(), defined(&steps));
        counts[usize::from(expected.is_empty())] += 1;
        assert_eq!(found, expected, "seed {seed}\n{text}\n{steps:#?}");
    }
    assert!(counts.iter().all(|n| *n > 100), "{counts:?}");
}
