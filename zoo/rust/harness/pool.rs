#[path = "../src/pool.rs"]
pub mod pool;

use pool::Pool;

linspect::harness! {
    pool: Pool<i32> = Pool::new();

    fn put(&self, item: i32 in 1..=3);
    fn take(&self) -> Option<i32>;

    spec = pool;
}
