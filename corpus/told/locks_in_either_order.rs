//! Two locks are taken in one order by who adds and in the other by who removes: to hold the first for longer would end in a deadlock.
use std::collections::BTreeSet;
use std::sync::Mutex;
pub struct S {
    l0: Mutex<BTreeSet<u32>>,
    l1: Mutex<BTreeSet<u32>>,
}
impl S {
    pub fn insert(&self, k: u32) -> bool {
        let new = self.l0.lock().unwrap().insert(k);
        if new {
            self.l1.lock().unwrap().insert(k);
        }
        new
    }
    pub fn remove(&self, k: u32) -> bool {
        self.l1.lock().unwrap().remove(&k);
        self.l0.lock().unwrap().remove(&k)
    }
    pub fn contains(&self, k: u32) -> bool {
        self.l1.lock().unwrap().contains(&k)
    }
}
linspect::harness! {
    s: S = S { l0: Default::default(), l1: Default::default() };
    fn insert(&self, k: u32 in [1]) -> bool;
    fn remove(&self, k: u32 in [1]) -> bool;
    fn contains(&self, k: u32 in [1]) -> bool;
}

// says: hold one and the same lock
// never: hold the lock until
