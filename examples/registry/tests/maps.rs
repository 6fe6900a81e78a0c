//! dashmap.

use dashmap::DashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::BuildHasherDefault;

type Map = DashMap<u32, u32, BuildHasherDefault<DefaultHasher>>;

linspect::harness! {
    map: Map = DashMap::with_hasher_and_shard_amount(BuildHasherDefault::default(), 2);

    fn insert(&self, key: u32 in 1..=2, value: u32 in [7]) -> Option<u32>;
    fn get(&self, key: u32 in 1..=2) -> Option<u32> => map.get(&key).map(|v| *v);
    fn remove(&self, key: u32 in 1..=2) -> Option<u32> => map.remove(&key).map(|(_, v)| v);
}
