//! The clients, with what must hold of their results.

use super::{ms_queue, ring, spin_counter, ticket_counter, treiber_stack};
use std::sync::Arc;
use std::thread;

/// Runs the two halves at the same time, each in a thread of its own.
fn both<T: Send + Sync + 'static, R: Send + 'static>(
    object: T,
    first: impl FnOnce(&T) -> R + Send + 'static,
    second: impl FnOnce(&T) -> R + Send + 'static,
) -> (R, R) {
    let object = Arc::new(object);
    let other = Arc::clone(&object);
    let one = thread::spawn(move || first(&object));
    let two = thread::spawn(move || second(&other));
    (one.join().expect("no panic"), two.join().expect("no panic"))
}

pub fn treiber_stack<const CAREFUL: bool>() {
    let half = |value: usize| {
        move |stack: &treiber_stack::Stack<CAREFUL>| {
            stack.push(value);
            stack.pop()
        }
    };
    let (a, b) = both(treiber_stack::Stack::new(), half(1), half(2));
    assert!(a.is_some() && b.is_some() && a != b, "{a:?} {b:?}");
}

pub fn ring<const CAREFUL: bool>() {
    let (_, [a, b]) = both(
        ring::Ring::<CAREFUL>::new(),
        |ring| {
            ring.enqueue(1);
            ring.enqueue(2);
            [None, None]
        },
        |ring| [ring.dequeue(), ring.dequeue()],
    );
    let seen: Vec<usize> = [a, b].into_iter().flatten().collect();
    assert!([1, 2].starts_with(&seen), "{seen:?}");
}

pub fn spin_counter<const CAREFUL: bool>() {
    let half = |counter: &spin_counter::Counter<CAREFUL>| {
        [counter.get_and_increment(), counter.get_and_increment()]
    };
    counted(both(spin_counter::Counter::new(), half, half));
}

pub fn ticket_counter<const CAREFUL: bool>() {
    let half = |counter: &ticket_counter::Counter<CAREFUL>| {
        [counter.get_and_increment(), counter.get_and_increment()]
    };
    counted(both(ticket_counter::Counter::new(), half, half));
}

fn counted(([a, b], [c, d]): ([usize; 2], [usize; 2])) {
    let mut all = [a, b, c, d];
    all.sort_unstable();
    assert!(all == [0, 1, 2, 3] && a < b && c < d, "{a} {b} {c} {d}");
}

pub fn ms_queue<const CAREFUL: bool>() {
    let half = |value: usize| {
        move |queue: &ms_queue::Queue<CAREFUL>| {
            queue.enqueue(value);
            queue.dequeue()
        }
    };
    let (a, b) = both(ms_queue::Queue::new(), half(1), half(2));
    assert!(a.is_some() && b.is_some() && a != b, "{a:?} {b:?}");
}
