//! concurrent-queue: bounded, unbounded and closed, from two threads.

use concurrent_queue::{ConcurrentQueue, PopError};
use std::sync::Arc;

fn main() {
    let queue = Arc::new(ConcurrentQueue::bounded(8));
    let other = Arc::new(ConcurrentQueue::unbounded());
    let threads: Vec<_> = (1..=2)
        .map(|base| {
            let (queue, other) = (queue.clone(), other.clone());
            std::thread::spawn(move || {
                for i in 0..2 {
                    queue.push(base * 10 + i).unwrap();
                    other.push(base).unwrap();
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    queue.close();
    let sum: i32 = queue.try_iter().sum();
    let closed = matches!(queue.pop(), Err(PopError::Closed));
    println!("sum {sum}, closed {closed}, other {}", other.try_iter().sum::<i32>());
}
