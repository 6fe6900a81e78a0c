//! arc-swap: read-copy-update of a shared value, from two threads.

use arc_swap::ArcSwap;
use std::sync::Arc;

fn main() {
    let shared = Arc::new(ArcSwap::from_pointee(vec![0]));
    let threads: Vec<_> = (1..=2)
        .map(|n| {
            let shared = shared.clone();
            std::thread::spawn(move || {
                shared.rcu(|old| {
                    let mut new = old.to_vec();
                    new.push(n);
                    new
                });
                shared.load().len()
            })
        })
        .collect();
    let seen: Vec<usize> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    assert!(seen.iter().all(|&n| (2..=3).contains(&n)));
    let mut all = shared.load_full().to_vec();
    all.sort_unstable();
    println!("{all:?}");
}
