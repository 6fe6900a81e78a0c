//! A sequential model and printed states: a cache that asks twice whether a key is there.
//!
//!     linspect test examples/rust/cache.rs

use std::collections::BTreeMap;
use std::sync::Mutex;

#[derive(Default)]
pub struct Cache(Mutex<BTreeMap<u8, u8>>);

impl Cache {
    pub fn get(&self, key: u8) -> Option<u8> {
        self.0.lock().unwrap().get(&key).copied()
    }

    /// Gives what is there, or puts `value` there.
    pub fn get_or_put(&self, key: u8, value: u8) -> u8 {
        if let Some(known) = self.get(key) {
            return known;
        }
        // Between the two locks somebody else may have put something there.
        self.0.lock().unwrap().insert(key, value);
        value
    }
}

linspect::harness! {
    cache: Cache = Cache::default();

    fn get(&self, key: u8 in [1]) -> Option<u8>;
    fn get_or_put(&self, key: u8 in [1], value: u8 in [7, 8]) -> u8;

    model plain: BTreeMap<u8, u8> = BTreeMap::new();
    fn get(&mut self, key: u8) -> Option<u8> => plain.get(&key).copied();
    fn get_or_put(&mut self, key: u8, value: u8) -> u8 => *plain.entry(key).or_insert(value);
    show model = format!("{plain:?}");

    show = match cache.0.try_lock() {
        Ok(map) => format!("{map:?}"),
        Err(_) => "locked".to_string(),
    };
}
