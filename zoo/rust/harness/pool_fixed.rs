#[path = "../src/pool_fixed.rs"]
pub mod pool_fixed;

use pool_fixed::Pool;

linspect::harness! {
    pool: Pool<i32> = Pool::new();

    fn put(&self, item: i32 in 1..=3);
    fn take(&self) -> Option<i32>;

    spec = pool;
}
