//! A counter whose methods take two locks in different orders, called by a plain program: `--functions Tally::increment,Tally::get --spec counter`.
use std::sync::Mutex;
use std::thread;

struct Tally {
    count: Mutex<u64>,
    calls: Mutex<u64>,
}

static TALLY: Tally = Tally {
    count: Mutex::new(0),
    calls: Mutex::new(0),
};

impl Tally {
    #[inline(never)]
    fn increment(&self) {
        let mut count = self.count.lock().unwrap();
        *self.calls.lock().unwrap() += 1;
        *count += 1;
    }

    #[inline(never)]
    fn get(&self) -> u64 {
        let mut calls = self.calls.lock().unwrap();
        *calls += 1;
        *self.count.lock().unwrap()
    }
}

fn main() {
    let other = thread::spawn(|| TALLY.increment());
    TALLY.get();
    other.join().unwrap();
}
