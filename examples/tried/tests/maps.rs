//! Harnesses of published crates; docs/tried.md says what became of them.

use std::collections::hash_map::DefaultHasher;
use std::hash::BuildHasherDefault;
type Plain = BuildHasherDefault<DefaultHasher>;

linspect::harness! {
    papaya: papaya::HashMap<u32, u32, Plain> = papaya::HashMap::with_hasher(Plain::default());
    fn insert(&self, key: u32 in [1], value: u32 in 7..=8) -> Option<u32> => papaya.pin().insert(key, value).copied();
    fn get(&self, key: u32 in [1]) -> Option<u32> => papaya.pin().get(&key).copied();
    fn remove(&self, key: u32 in [1]) -> Option<u32> => papaya.pin().remove(&key).copied();
}
linspect::harness! {
    scc_map: scc::HashMap<u32, u32, Plain> = scc::HashMap::with_hasher(Plain::default());
    fn insert(&self, key: u32 in [1], value: u32 in 7..=8) -> bool => scc_map.insert_sync(key, value).is_ok();
    fn get(&self, key: u32 in [1]) -> Option<u32> => scc_map.read_sync(&key, |_, v| *v);
    fn remove(&self, key: u32 in [1]) -> Option<u32> => scc_map.remove_sync(&key).map(|(_, v)| v);
}
linspect::harness! {
    scc_tree: scc::TreeIndex<u32, u32> = scc::TreeIndex::new();
    fn insert(&self, key: u32 in 1..=2, value: u32 in [7]) -> bool => scc_tree.insert_sync(key, value).is_ok();
    fn get(&self, key: u32 in 1..=2) -> Option<u32> => scc_tree.read_sync(&key, |_, v| *v);
    fn remove(&self, key: u32 in 1..=2) -> bool => scc_tree.remove_sync(&key);
}
linspect::harness! {
    flurry: flurry::HashMap<u32, u32, Plain> = flurry::HashMap::with_hasher(Plain::default());
    fn insert(&self, key: u32 in [1], value: u32 in 7..=8) -> Option<u32> => flurry.pin().insert(key, value).copied();
    fn get(&self, key: u32 in [1]) -> Option<u32> => flurry.pin().get(&key).copied();
    fn remove(&self, key: u32 in [1]) -> Option<u32> => flurry.pin().remove(&key).copied();
}
linspect::harness! {
    cht: cht::HashMap<u32, u32, Plain> = cht::HashMap::with_hasher(Plain::default());
    fn insert(&self, key: u32 in 1..=2, value: u32 in [7]) -> Option<u32>;
    fn get(&self, key: u32 in 1..=2) -> Option<u32> => cht.get(&key);
    fn remove(&self, key: u32 in 1..=2) -> Option<u32> => cht.remove(&key);
}
linspect::harness! {
    contrie: contrie::ConMap<u32, u32, Plain> = contrie::ConMap::with_hasher(Plain::default());
    fn insert(&self, key: u32 in 1..=2, value: u32 in [7]) -> Option<u32> => contrie.insert(key, value).map(|e| *e.value());
    fn get(&self, key: u32 in 1..=2) -> Option<u32> => contrie.get(&key).map(|e| *e.value());
    fn remove(&self, key: u32 in 1..=2) -> Option<u32> => contrie.remove(&key).map(|e| *e.value());
}
linspect::harness! {
    cuckoo: lockfree_cuckoohash::LockFreeCuckooHash<u32, u32> = lockfree_cuckoohash::LockFreeCuckooHash::with_capacity(4);
    fn insert(&self, key: u32 in 1..=2, value: u32 in 7..=8) -> bool;
    fn get(&self, key: u32 in 1..=2) -> Option<u32> => cuckoo.get(&key, &lockfree_cuckoohash::pin()).copied();
    fn remove(&self, key: u32 in 1..=2) -> bool => cuckoo.remove(&key);
}
linspect::harness! {
    chashmap: chashmap::CHashMap<u32, u32> = chashmap::CHashMap::with_capacity(2);
    fn insert(&self, key: u32 in 1..=2, value: u32 in [7]) -> Option<u32>;
    fn get(&self, key: u32 in 1..=2) -> Option<u32> => chashmap.get(&key).map(|v| *v);
    fn remove(&self, key: u32 in 1..=2) -> Option<u32> => chashmap.remove(&key);
    fn len(&self) -> usize;
}
linspect::harness! {
    quick_cache: quick_cache::sync::Cache<u32, u32> = quick_cache::sync::Cache::new(10);
    fn insert(&self, key: u32 in [1], value: u32 in 7..=8);
    fn get(&self, key: u32 in [1]) -> Option<u32> => quick_cache.get(&key);
    fn remove(&self, key: u32 in [1]) -> Option<u32> => quick_cache.remove(&key).map(|(_, v)| v);
}
linspect::harness! {
    kovan_map: kovan_map::HashMap<u32, u32> = kovan_map::HashMap::with_capacity(4);
    fn insert(&self, key: u32 in [1], value: u32 in 7..=8) -> Option<u32>;
    fn get(&self, key: u32 in [1]) -> Option<u32> => kovan_map.get(&key);
    fn remove(&self, key: u32 in [1]) -> Option<u32> => kovan_map.remove(&key);
}
linspect::harness! {
    sdd_queue: sdd::Queue<u32> = sdd::Queue::default();
    fn push(&self, value: u32 in 1..=2) => { sdd_queue.push(value); };
    fn pop(&self) -> Option<u32> => sdd_queue.pop().map(|e| **e);
    spec = queue;
}
linspect::harness! {
    sdd_stack: sdd::Stack<u32> = sdd::Stack::default();
    fn push(&self, value: u32 in 1..=2) => { sdd_stack.push(value); };
    fn pop(&self) -> Option<u32> => sdd_stack.pop().map(|e| **e);
    spec = stack;
}
