// exit 0: FREE OF FAULTS
// Whoever is the last of three owners finds what the others wrote, and the value is dropped once.
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct Sum(AtomicUsize);

impl Drop for Sum {
    fn drop(&mut self) {
        assert_eq!(*self.0.get_mut(), 2);
        DROPPED.fetch_add(1, Relaxed);
    }
}

fn main() {
    let sum = Arc::new(Sum(AtomicUsize::new(0)));
    let threads = [0, 1].map(|_| {
        let sum = Arc::clone(&sum);
        thread::spawn(move || {
            sum.0.fetch_add(1, Relaxed);
        })
    });
    drop(sum);
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(DROPPED.load(Relaxed), 1);
}
