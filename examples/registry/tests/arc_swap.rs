//! arc-swap.

use arc_swap::ArcSwap;
use std::sync::Arc;

linspect::harness! {
    cell: ArcSwap<u32> = ArcSwap::from_pointee(0);

    fn load(&self) -> u32 => **cell.load();
    fn load_full(&self) -> u32 => *cell.load_full();
    fn store(&self, value: u32 in 1..=2) => cell.store(Arc::new(value));
    fn swap(&self, value: u32 in 1..=2) -> u32 => *cell.swap(Arc::new(value));
}

linspect::harness! {
    counter: ArcSwap<u32> = ArcSwap::from_pointee(0);

    fn add(&self, by: u32 in [1, 10]) -> u32 => *counter.rcu(|n| **n + by);
    fn get(&self) -> u32 => **counter.load();
}
