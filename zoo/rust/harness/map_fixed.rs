#[path = "../src/map_fixed.rs"]
pub mod map_fixed;

use map_fixed::OnceMap;

linspect::harness! {
    map: OnceMap = OnceMap::new();

    fn put_if_absent(&self, key: u8 in 1..=2, value: i32 in [7, 8]) -> bool;
    fn remove(&self, key: u8 in 1..=2) -> bool;
    fn get(&self, key: u8 in 1..=2) -> Option<i32>;

    spec = map;
}
