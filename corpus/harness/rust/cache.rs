//! A map behind a lock that is released between look-up and insertion.

use std::collections::HashMap;
use std::sync::RwLock;

pub struct Cache {
    values: RwLock<HashMap<u8, u8>>,
}

impl Cache {
    pub fn new() -> Self {
        Self {
            values: RwLock::new(HashMap::new()),
        }
    }

    pub fn get_or_insert(&self, key: u8, value: u8) -> u8 {
        if let Some(found) = self.values.read().unwrap().get(&key) {
            return *found;
        }
        self.values.write().unwrap().insert(key, value);
        value
    }
}

linspect::harness! {
    cache: Cache = Cache::new();

    fn get_or_insert(&self, key: u8 in 1..=1, value: u8 in 1..=2) -> u8;
}
