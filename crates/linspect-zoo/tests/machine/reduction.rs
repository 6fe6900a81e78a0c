//! The reduction in the machine: every tight history that walking all schedules shows, and no other.
//!
//! Small programs by the thousand are compared in `linspect-explore`; here the steps, dependences and snapshots are those of
//! compiled code.

use crate::{files, load};
use linspect_core::client::{Client, Declared};
use linspect_core::execution::End;
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_explore::class;
use linspect_explore::clients::{Sizes, enumerate};
use linspect_explore::strategies::Leaf;
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::naive::{self, Cache, naive};
use linspect_explore::tight::Tight;
use linspect_vm::{LoadedProgram, Vm};
use linspect_zoo::Zoo;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

/// Lock-free and locked, linked and in arrays, right and wrong, with and without conflicts between the threads.
const OBJECTS: [&str; 14] = [
    "afek_stack",
    "coarse_list",
    "constant_is_empty",
    "herlihy_wing_queue",
    "iqueue",
    "lock_free_list",
    "ms_queue",
    "pair_snapshot",
    "quasi_queue",
    "snark",
    "striped_counter",
    "thread_local_queue",
    "treiber_stack",
    "two_stack_pool",
];

/// Schedules that are walked one by one; where there are more, runs are cut where state and history so far are known.
const SCHEDULES: u64 = 1_000;

/// Clients of each object.
const CLIENTS: usize = 4;

type Histories = BTreeSet<(Tight, String, String)>;

fn seen(tight: Tight, leaf: &Leaf<'_>) -> (Tight, String, String) {
    let end = format!("{:?}", leaf.end);
    (tight, end, format!("{:?}", leaf.after))
}

fn reduced(machine: &mut Vm, retries: Retries) -> Histories {
    let mut histories = Histories::new();
    machine.set_retries(retries);
    let walk = exhaustive(machine, &exhaustive::Options::default(), &mut |leaf| {
        if *leaf.end == End::Covered {
            return ControlFlow::Continue(());
        }
        class::histories(leaf.trace, &mut |tight| {
            histories.insert(seen(tight, leaf));
        });
        ControlFlow::Continue(())
    });
    machine.set_retries(Retries::Wake);
    assert_eq!(walk.redundant, 0);
    histories
}

/// Whether `stronger` has the results, the end and the suffix of `history`, and orders at least as much.
fn dominates(stronger: &(Tight, String, String), history: &(Tight, String, String)) -> bool {
    let (results, before) = history.0.parts();
    let (other_results, more) = stronger.0.parts();
    (&stronger.1, &stronger.2, other_results) == (&history.1, &history.2, results)
        && before.iter().all(|(call, b)| more[call].is_superset(b))
}

/// What walking all schedules shows, or nothing if there are more than `most`.
fn all(machine: &mut Vm, cache: Cache, most: u64) -> Option<Histories> {
    let mut histories = Histories::new();
    let mut schedules = 0;
    let options = naive::Options {
        cache,
        ..naive::Options::default()
    };
    let walk = naive(machine, options, &mut |leaf| {
        histories.insert(seen(Tight::of(leaf.trace), leaf));
        schedules += 1;
        if schedules > most {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    (!walk.stopped).then_some(histories)
}

/// Clients of one operation in each of two threads, on the object as built and after its first operation; then longer ones.
fn clients(declared: &[Declared]) -> Vec<Client> {
    let sizes = Sizes {
        threads: 2,
        operations: 3,
    };
    let concurrent: Vec<Client> = enumerate(declared, sizes)
        .filter(|client| client.threads.len() == 2)
        .collect();
    let first = concurrent[0].threads[0][..1].to_vec();
    let prepared = concurrent.iter().map(|client| Client {
        before: first.clone(),
        after: first.clone(),
        ..client.clone()
    });
    let pairs = concurrent.iter().cloned().zip(prepared);
    pairs
        .flat_map(|(plain, prepared)| [plain, prepared])
        .collect()
}

/// Both ways to explore a client show what walking all schedules does: without cutting retries exactly that, with it what orders most. Whether the schedules
/// were walked one by one.
pub(crate) fn compare(code: &LoadedProgram, client: &Client, name: &str) -> bool {
    let mut machine = code.start(client).expect("it starts");
    let start = machine.snapshot();
    let found = reduced(&mut machine, Retries::Wake);
    machine.restore(&start);
    let cut = reduced(&mut machine, Retries::Park);
    machine.restore(&start);
    let each = all(&mut machine, Cache::Off, SCHEDULES);
    let one_by_one = each.is_some();
    let expected = each.unwrap_or_else(|| {
        machine.restore(&start);
        all(&mut machine, Cache::Histories, u64::MAX).expect("no limit")
    });
    assert_eq!(found, expected, "{name}: {client:?}");
    assert!(cut.is_subset(&expected), "{name}: {client:?}");
    let covered = |h| cut.contains(h) || cut.iter().any(|c| dominates(c, h));
    assert!(expected.iter().all(covered), "{name}: {client:?}");
    one_by_one
}

#[test]
fn exploration_shows_the_histories_of_all_schedules() {
    let zoo = Zoo::bundled().expect("the zoo is in order");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reduction");
    Zoo::extract(&folder).expect("extracts");
    let (mut compared, mut walked) = (0, 0);
    for name in OBJECTS {
        let object = zoo.objects.iter().find(|o| o.name == name);
        let object = object.unwrap_or_else(|| panic!("no {name} in the zoo"));
        let code = load(&folder, &files(object)).unwrap_or_else(|e| panic!("{name}: {e}"));
        for client in clients(code.operations()).into_iter().take(CLIENTS) {
            walked += u64::from(compare(&code, &client, name));
            compared += 1;
        }
    }
    assert!(compared >= 40 && walked >= 20, "{compared}, {walked}");
}
