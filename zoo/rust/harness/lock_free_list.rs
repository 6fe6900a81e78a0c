#[path = "../src/lock_free_list.rs"]
pub mod lock_free_list;

use lock_free_list::LockFreeSet;

linspect::harness! {
    set: LockFreeSet = LockFreeSet::new();

    fn insert(&self, key: u8 in 1..=3) -> bool;
    fn remove(&self, key: u8 in 1..=3) -> bool;
    fn contains(&self, key: u8 in 1..=3) -> bool;

    spec = set;
}
