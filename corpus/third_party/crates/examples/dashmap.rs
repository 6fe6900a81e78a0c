//! dashmap: a sharded hash map, from two threads.

use dashmap::DashMap;
use std::sync::Arc;

fn main() {
    let map = Arc::new(DashMap::with_shard_amount(2));
    let threads: Vec<_> = (0..2)
        .map(|t| {
            let map = map.clone();
            std::thread::spawn(move || {
                map.insert(t, t * 10);
                *map.entry(7).or_insert(0) += 1;
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let mut all: Vec<(i32, i32)> = map.iter().map(|e| (*e.key(), *e.value())).collect();
    all.sort_unstable();
    println!("{all:?} {:?}", map.remove(&7));
}
