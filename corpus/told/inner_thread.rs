use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// Adds twice, the second time in a thread of its own that it waits for.
pub struct Sum(AtomicU32);

impl Sum {
    pub fn add_both(&self, first: u32, second: u32) {
        std::thread::scope(|scope| {
            scope.spawn(|| self.0.fetch_add(second, SeqCst));
            self.0.fetch_add(first, SeqCst);
        });
    }

    pub fn get(&self) -> u32 {
        self.0.load(SeqCst)
    }
}

linspect::harness! {
    sum: Sum = Sum(AtomicU32::new(0));

    fn add_both(&self, first: u32 in [1], second: u32 in [2]);
    fn get(&self) -> u32;
}

// says: NOT LINEARIZABLE
// never: it is wrong even when every operation runs alone
