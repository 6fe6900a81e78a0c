//! A counter that its users own together: whoever counts has an `Arc` of its own for that time.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub struct Counter {
    shared: Mutex<Arc<AtomicUsize>>,
}

impl Counter {
    pub fn new() -> Self {
        Self {
            shared: Mutex::new(Arc::new(AtomicUsize::new(0))),
        }
    }

    pub fn get_and_increment(&self) -> usize {
        let own = Arc::clone(&self.shared.lock().unwrap());
        own.fetch_add(1, SeqCst)
    }
}
