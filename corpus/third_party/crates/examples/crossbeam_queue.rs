//! crossbeam-queue: the bounded and the unbounded queue, from two threads.

use crossbeam_queue::{ArrayQueue, SegQueue};
use std::sync::Arc;

fn main() {
    let bounded = Arc::new(ArrayQueue::new(4));
    let unbounded = Arc::new(SegQueue::new());
    let threads: Vec<_> = (1..=2)
        .map(|base| {
            let (bounded, unbounded) = (bounded.clone(), unbounded.clone());
            std::thread::spawn(move || {
                for i in 0..2 {
                    bounded.push(base * 10 + i).unwrap();
                    unbounded.push(base * 100 + i);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert!(bounded.push(0).is_err());
    let sum = |next: &dyn Fn() -> Option<i32>| std::iter::from_fn(next).sum::<i32>();
    println!("bounded {}, unbounded {}", sum(&|| bounded.pop()), sum(&|| unbounded.pop()));
}
