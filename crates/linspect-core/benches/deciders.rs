//! How long the deciders take on synthetic histories: `cargo bench -p linspect-core`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use linspect_core::check::holds;
use linspect_core::generate::{PlantedFault, Workload};
use linspect_core::spec::Builtin;

fn main() {
    divan::main();
}

const TYPES: [&str; 7] = [
    "register",
    "kv",
    "set",
    "multiset",
    "queue",
    "stack",
    "priority-queue",
];
const OPERATIONS: usize = 100_000;

#[divan::bench(args = TYPES, sample_count = 10, sample_size = 1)]
fn right(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, None);
}

#[divan::bench(args = TYPES, sample_count = 10, sample_size = 1)]
fn wrong(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, Some(PlantedFault::Stale));
}

fn measure(bencher: Bencher<'_, '_>, name: &str, fault: Option<PlantedFault>) {
    let workload = Workload {
        spec: Builtin::named(name).expect("a built-in specification"),
        operations: OPERATIONS,
        clients: 32,
        values: None,
        unknown: 0,
        fault,
        seed: 1,
    };
    let history = workload.generate();
    bencher
        .counter(ItemsCount::new(OPERATIONS))
        .bench_local(|| holds(black_box(&history), &workload.spec));
}
