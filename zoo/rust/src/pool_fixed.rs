//! A pool that spreads its items over two shelves.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A pool of items in no particular order.
#[derive(Default)]
pub struct Pool<T> {
    shelves: [Mutex<Vec<T>>; 2],
    /// How many items were put.
    turn: AtomicUsize,
}

impl<T> Pool<T> {
    /// An empty pool.
    pub fn new() -> Self {
        Self {
            shelves: [Mutex::new(Vec::new()), Mutex::new(Vec::new())],
            turn: AtomicUsize::new(0),
        }
    }

    /// Puts an item on the next shelf.
    pub fn put(&self, item: T) {
        let shelf = self.turn.fetch_add(1, Relaxed) % 2;
        self.shelves[shelf].lock().unwrap().push(item);
    }

    /// Takes any item, from the shelf filled longer ago if it can.
    pub fn take(&self) -> Option<T> {
        let shelf = self.turn.load(Relaxed) % 2;
        let mut first = self.shelves[0].lock().unwrap();
        let mut second = self.shelves[1].lock().unwrap();
        let (near, far) = if shelf == 0 {
            (&mut first, &mut second)
        } else {
            (&mut second, &mut first)
        };
        near.pop().or_else(|| far.pop())
    }
}
