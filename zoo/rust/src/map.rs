//! A map whose keys are given a value once.

use std::collections::BTreeMap;
use std::sync::RwLock;

/// A map from small numbers to numbers.
#[derive(Default)]
pub struct OnceMap {
    entries: RwLock<BTreeMap<u8, i32>>,
}

impl OnceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of `key`.
    pub fn get(&self, key: u8) -> Option<i32> {
        self.entries.read().unwrap().get(&key).copied()
    }

    /// Gives `key` a value; false, and nothing changed, if it has one.
    pub fn put_if_absent(&self, key: u8, value: i32) -> bool {
        if self.get(key).is_some() {
            return false;
        }
        self.entries.write().unwrap().insert(key, value);
        true
    }

    /// Removes `key`; false if it was not there.
    pub fn remove(&self, key: u8) -> bool {
        self.entries.write().unwrap().remove(&key).is_some()
    }
}
