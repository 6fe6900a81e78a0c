#[path = "../src/pair_snapshot_fixed.rs"]
pub mod pair_snapshot_fixed;

use pair_snapshot_fixed::PairSnapshot;

linspect::harness! {
    snapshot: PairSnapshot = PairSnapshot::new();

    fn write(&self, i: usize in 0..=1, value: u32 in 1..=2);
    fn read(&self) -> (u32, u32);

    spec = snapshot(.initial = 1);
}
