//! The clients, with what must hold of their results.

use super::{buffer, ms_queue, ring, shared_counter, spin_counter, ticket_counter, treiber_stack};
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

/// Runs three parts at the same time, each in a thread of its own.
fn three<T: Send + Sync + 'static, R: Send + 'static>(
    object: T,
    parts: [fn(&T) -> R; 3],
) -> [R; 3] {
    let object = Arc::new(object);
    let start = |part: fn(&T) -> R| {
        let object = Arc::clone(&object);
        thread::spawn(move || part(&object))
    };
    parts.map(start).map(|part| part.join().expect("no panic"))
}

pub fn treiber_stack_three() {
    let [_, popped, _] = three(
        treiber_stack::Stack::<true>::new(),
        [
            |stack| {
                stack.push(1);
                None
            },
            |stack| stack.pop(),
            |stack| {
                stack.push(2);
                None
            },
        ],
    );
    assert!(popped.is_none_or(|value| value == 1 || value == 2));
}

pub fn ms_queue_three() {
    let [_, taken, _] = three(
        ms_queue::Queue::<true>::new(),
        [
            |queue| {
                queue.enqueue(1);
                None
            },
            |queue| queue.dequeue(),
            |queue| {
                queue.enqueue(2);
                None
            },
        ],
    );
    assert!(taken.is_none_or(|value| value == 1 || value == 2));
}

pub fn ticket_counter_three() {
    let mut all = three(
        ticket_counter::Counter::<true>::new(),
        [|counter| counter.get_and_increment(); 3],
    );
    all.sort_unstable();
    assert_eq!(all, [0, 1, 2]);
}

/// Runs the two halves at the same time, the second in the calling thread.
fn beside<T: Send + Sync + 'static, R: Send + 'static>(
    object: T,
    first: impl FnOnce(&T) -> R + Send + 'static,
    second: impl FnOnce(&T) -> R,
) -> (R, R) {
    let object = Arc::new(object);
    let other = Arc::clone(&object);
    let one = thread::spawn(move || first(&object));
    let two = second(&other);
    (one.join().expect("no panic"), two)
}

pub fn treiber_stack_calling() {
    let half = |value: usize| {
        move |stack: &treiber_stack::Stack<true>| {
            stack.push(value);
            stack.pop()
        }
    };
    let (a, b) = beside(treiber_stack::Stack::new(), half(1), half(2));
    assert!(a.is_some() && b.is_some() && a != b, "{a:?} {b:?}");
}

pub fn ring_calling() {
    let (_, [a, b]) = beside(
        ring::Ring::<true>::new(),
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

pub fn buffer() {
    let (_, taken) = both(
        buffer::Buffer::new(),
        |buffer| {
            buffer.enqueue(1);
            buffer.enqueue(2);
            [0, 0]
        },
        |buffer| [buffer.dequeue(), buffer.dequeue()],
    );
    assert_eq!(taken, [1, 2]);
}

pub fn shared_counter() {
    let half = |counter: &shared_counter::Counter| {
        [counter.get_and_increment(), counter.get_and_increment()]
    };
    counted(both(shared_counter::Counter::new(), half, half));
}
