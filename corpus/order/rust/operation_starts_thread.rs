// exit 0: LINEARIZABLE
// An operation waits for a thread that it started, also in the prefix of a client.
use std::sync::Mutex;
pub struct S(Mutex<u32>);
impl S {
    pub fn add(&self) -> u32 {
        let mut g = self.0.lock().unwrap();
        let v = *g;
        *g = std::thread::scope(|s| s.spawn(|| v + 1).join().unwrap());
        *g
    }
}
linspect::harness! { s: S = S(Mutex::new(0)); fn increment_and_get(&self) -> u32 => s.add(); spec = counter; }
