use std::sync::{Condvar, Mutex};

/// Nobody gives a permit back.
pub struct Permits {
    free: Mutex<u32>,
    more: Condvar,
}

impl Permits {
    pub fn acquire(&self) {
        let mut free = self.free.lock().unwrap();
        while *free == 0 {
            free = self.more.wait(free).unwrap();
        }
        *free -= 1;
    }
}

fn main() {
    let permits = Permits { free: Mutex::new(1), more: Condvar::new() };
    std::thread::scope(|scope| {
        scope.spawn(|| permits.acquire());
        scope.spawn(|| permits.acquire());
    });
}

// says: nobody changes
// says: nobody is left who could wake it
// never: looked at acquire:12, is
// never: wake it there
