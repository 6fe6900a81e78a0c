//! A double-ended queue for work stealing: the owner works at the back, thieves steal at the front.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// A double-ended queue.
#[derive(Default)]
pub struct Deque<T> {
    items: Mutex<VecDeque<T>>,
    /// How many items there are, for those who only want to know whether to try.
    len: AtomicUsize,
}

impl<T> Deque<T> {
    /// An empty queue.
    pub fn new() -> Self {
        Self {
            items: Mutex::new(VecDeque::new()),
            len: AtomicUsize::new(0),
        }
    }

    /// Puts `item` at the back.
    pub fn push_back(&self, item: T) {
        let mut items = self.items.lock().unwrap();
        items.push_back(item);
        self.len.store(items.len(), SeqCst);
    }

    /// Takes the item at the back.
    pub fn pop_back(&self) -> Option<T> {
        self.pop(VecDeque::pop_back)
    }

    /// Takes the item at the front.
    pub fn pop_front(&self) -> Option<T> {
        self.pop(VecDeque::pop_front)
    }

    fn pop(&self, take: impl Fn(&mut VecDeque<T>) -> Option<T>) -> Option<T> {
        if self.len.load(SeqCst) == 0 {
            return None;
        }
        let mut items = self.items.lock().unwrap();
        let item = take(&mut items);
        self.len.store(items.len(), SeqCst);
        item
    }
}
