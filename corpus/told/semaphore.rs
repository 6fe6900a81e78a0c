use std::sync::{Condvar, Mutex};

/// Permits; `acquire` waits for one.
pub struct Permits {
    free: Mutex<u32>,
    more: Condvar,
}

impl Permits {
    pub fn new(free: u32) -> Self {
        Permits { free: Mutex::new(free), more: Condvar::new() }
    }

    pub fn acquire(&self) {
        let mut free = self.free.lock().unwrap();
        while *free == 0 {
            free = self.more.wait(free).unwrap();
        }
        *free -= 1;
    }

    pub fn release(&self) {
        let mut free = self.free.lock().unwrap();
        *free += 1;
        // Nobody can be waiting if there was a permit already.
        if *free == 1 {
            self.more.notify_one();
        }
    }
}

linspect::harness! {
    permits: Permits = Permits::new(0);

    fn acquire(&self);
    fn release(&self);
}

// client: release release | acquire | acquire
// says: T3 acquire:16 while *free == 0 { object.free is 0
// says: T1 release:24 *free += 1; object.free := 2
// says: T1 release:26 if *free == 1 { object.free is 2
// says: nothing wakes T3 after T1's release:24 changes object.free (was 0 when T3 looked at acquire:16, is 1 now)
// never: look at the condition before waiting
// never: out of date
