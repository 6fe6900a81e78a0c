//! Every form of the macro compiles, and outside the machine it does nothing.

use linspect::Observe;
use std::collections::BTreeMap;
use std::sync::Mutex;

#[derive(Default)]
struct Map(Mutex<BTreeMap<u8, &'static str>>);

struct Size(usize);

impl Observe for Size {
    fn observe(&self) {
        self.0.observe();
    }
}

impl Map {
    fn put(&self, key: u8, value: &'static str) -> Option<&'static str> {
        self.0.lock().unwrap().insert(key, value)
    }
    fn get(&self, key: u8) -> Result<String, ()> {
        self.0
            .lock()
            .unwrap()
            .get(&key)
            .map(ToString::to_string)
            .ok_or(())
    }
    fn clear(&self) {
        self.0.lock().unwrap().clear();
    }
}

type Key = u8;
type Text = &'static str;

linspect::harness! {
    map: Map = Map::default();

    fn put(&self, key: Key in 1..=2, value: Text in ["a", "b"]) -> Option<Text>;
    fn get(&self, key: u8 in [1, 2],) -> Result<String, ()>;
    fn clear(&self);
    fn size(&self) -> Size => Size(map.0.lock().unwrap().len());
    fn pairs(&self) -> Vec<(u8, Text)> => map.0.lock().unwrap().iter().map(|(k, v)| (*k, *v)).collect();

    spec = kv(.missing = nil);
}

#[test]
fn outside_the_machine_nothing_happens() {
    linspect_object();
    linspect_declare_harness();
    assert_eq!(Map::default().get(1), Err(()));
    // SAFETY: it was filled above.
    let map = unsafe { LINSPECT_OBJECT.get() };
    assert!(map.0.lock().unwrap().is_empty());
}
