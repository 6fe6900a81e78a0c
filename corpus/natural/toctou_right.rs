// verdict: holds
// options: --memory-model sc
use std::collections::HashMap;
use std::sync::RwLock;
pub struct Cache(RwLock<HashMap<u8, u8>>);
impl Cache {
    fn get_or(&self, k: u8, v: u8) -> u8 {
        if let Some(x) = self.0.read().unwrap().get(&k) {
            return *x;
        }
        *self.0.write().unwrap().entry(k).or_insert(v)
    }
}
linspect::harness! { c: Cache = Cache(RwLock::new(HashMap::new()));
fn get_or(&self, k: u8 in [1], v: u8 in [1, 2]) -> u8; }
