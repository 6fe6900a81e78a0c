//! Harnesses of published crates; docs/tried.md says what became of them.

linspect::harness! {
    boxcar: boxcar::Vec<u32> = boxcar::Vec::new();
    fn push(&self, value: u32 in 1..=2) -> usize;
    fn get(&self, index: usize in 0..=1) -> Option<u32> => boxcar.get(index).copied();
    fn count(&self) -> usize;
}
linspect::harness! {
    append_only_vec: append_only_vec::AppendOnlyVec<u32> = append_only_vec::AppendOnlyVec::new();
    fn push(&self, value: u32 in 1..=2) -> usize;
    fn all(&self) -> Vec<u32> => append_only_vec.iter().copied().collect::<Vec<_>>();
    fn len(&self) -> usize;
}
linspect::harness! {
    concurrent_bag: orx_concurrent_bag::ConcurrentBag<u32> = orx_concurrent_bag::ConcurrentBag::new();
    fn push(&self, value: u32 in 1..=2) -> usize;
    fn len(&self) -> usize;
}
linspect::harness! {
    concurrent_vec: orx_concurrent_vec::ConcurrentVec<u32> = orx_concurrent_vec::ConcurrentVec::new();
    fn push(&self, value: u32 in 1..=2) -> usize;
    fn get(&self, index: usize in [0]) -> Option<u32> => concurrent_vec.get(index).map(|e| e.copied());
    fn set(&self, index: usize in [0], value: u32 in 3..=4) -> bool => concurrent_vec.get(index).map(|e| e.set(value)).is_some();
    fn len(&self) -> usize;
}
linspect::harness! {
    frozen_vec: elsa::sync::FrozenVec<Box<u32>> = elsa::sync::FrozenVec::new();
    fn push(&self, value: u32 in 1..=2) -> usize => frozen_vec.push_get_index(Box::new(value));
    fn get(&self, index: usize in 0..=1) -> Option<u32> => frozen_vec.get(index).copied();
}
linspect::harness! {
    lock_free_frozen_vec: elsa::sync::LockFreeFrozenVec<u32> = elsa::sync::LockFreeFrozenVec::new();
    fn push(&self, value: u32 in 1..=2) -> usize;
    fn get(&self, index: usize in 0..=1) -> Option<u32>;
}
linspect::harness! {
    object_pool: object_pool::Pool<u32> = object_pool::Pool::from_vec(vec![1]);
    fn take(&self) -> Option<u32> => object_pool.try_pull().map(|r| r.detach().1);
    fn put(&self, value: u32 in [2]) => object_pool.attach(value);
    fn len(&self) -> usize;
}
linspect::harness! {
    linear_pool: lockfree_object_pool::LinearObjectPool<u32> = lockfree_object_pool::LinearObjectPool::new(|| 0, |_| {});
    fn use_one(&self) => { let mut one = linear_pool.pull(); *one += 1; };
}
pub struct Cells;
impl opool::PoolAllocator<Box<u32>> for Cells {
    fn allocate(&self) -> Box<u32> { Box::new(0) }
}
linspect::harness! {
    opool: opool::Pool<Cells, Box<u32>> = opool::Pool::new(1, Cells);
    fn use_one(&self) => { let mut g = opool.get(); **g += 1; };
}
linspect::harness! {
    concurrent_pool: concurrent_pool::Pool<u32> = concurrent_pool::Pool::new(1, 2);
    fn use_one(&self) -> bool => match concurrent_pool.pull() { Some(mut e) => { *e.get_mut().unwrap() += 1; true } None => false };
}
linspect::harness! {
    byte_pool: byte_pool::BytePool<Vec<u8>> = byte_pool::BytePool::new();
    fn use_one(&self, size: usize in [1, 2]) -> usize => { let mut b = byte_pool.alloc(size); b[0] = 1; b.len() };
}
linspect::harness! {
    sharded_slab: sharded_slab::Slab<u32> = sharded_slab::Slab::new();
    fn put_take(&self, value: u32 in 1..=2) -> Option<u32> => { let key = sharded_slab.insert(value).unwrap(); sharded_slab.take(key) };
}
linspect::harness! {
    concurrent_arena: concurrent_arena::Arena<u32, 1, 64> = concurrent_arena::Arena::with_capacity(1);
    fn insert(&self, value: u32 in 1..=2) -> u32 => concurrent_arena::ArenaArc::slot(&concurrent_arena.insert(value));
    fn remove(&self, slot: u32 in [0]) -> bool => concurrent_arena.remove(slot).is_some();
    fn get(&self, slot: u32 in [0]) -> bool => concurrent_arena.get(slot).is_some();
}
linspect::harness! {
    idr: idr_ebr::Idr<u32> = idr_ebr::Idr::default();
    fn put(&self, value: u32 in 1..=2) -> bool => { let key = idr.insert(value).unwrap(); idr.remove(key) };
}
