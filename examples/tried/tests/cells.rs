//! Cells that hold one value.

use std::sync::Arc;

linspect::harness! {
    aarc: aarc::AtomicArc<u32> = aarc::AtomicArc::new(0);

    fn load(&self) -> Option<u32> => aarc.load().map(|g| *g);
    fn store(&self, value: u32 in 1..=2) => aarc.store(Some(&aarc::Arc::new(value)));
}

linspect::harness! {
    ach_cell: ach_cell::Cell<u32> = ach_cell::Cell::new();

    fn set(&self, value: u32 in 1..=2) -> bool => ach_cell.try_set(value).is_ok();
    fn get(&self) -> Option<u32> => ach_cell.try_get().ok().map(|v| *v);
    fn take(&self) -> Option<u32> => ach_cell.try_take().ok().flatten();
}

linspect::harness! {
    arc_cell: arc_cell::ArcCell<u32> = arc_cell::ArcCell::new(Arc::new(0));

    fn get(&self) -> u32 => *arc_cell.get();
    fn set(&self, value: u32 in 1..=2) -> u32 => *arc_cell.set(Arc::new(value));
}

linspect::harness! {
    atomic_box: atomic_box::AtomicBox<u32> = atomic_box::AtomicBox::new(0);

    fn load(&self) -> u32 => *atomic_box.load();
    fn swap(&self, value: u32 in 1..=2) -> u32 => **atomic_box.swap(value);
}

use std::sync::atomic::Ordering::SeqCst;

linspect::harness! {
    lazycell: lazycell::AtomicLazyCell<u32> = lazycell::AtomicLazyCell::new();
    fn fill(&self, value: u32 in 1..=2) -> bool => lazycell.fill(value).is_ok();
    fn get(&self) -> Option<u32>;
}
linspect::harness! {
    lazy_init: lazy_init::Lazy<u32> = lazy_init::Lazy::new();
    fn get_or_create(&self, value: u32 in 1..=2) -> u32 => *lazy_init.get_or_create(|| value);
    fn get(&self) -> Option<u32> => lazy_init.get().copied();
}
linspect::harness! {
    double_checked_cell: double_checked_cell::DoubleCheckedCell<u32> = double_checked_cell::DoubleCheckedCell::new();
    fn get_or_init(&self, value: u32 in 1..=2) -> u32 => *double_checked_cell.get_or_init(|| value);
    fn get(&self) -> Option<u32> => double_checked_cell.get().copied();
}
linspect::harness! {
    conquer_once: conquer_once::OnceCell<u32> = conquer_once::OnceCell::uninit();
    fn get_or_init(&self, value: u32 in 1..=2) -> u32 => *conquer_once.get_or_init(|| value);
    fn get(&self) -> Option<u32> => conquer_once.get().copied();
}
linspect::harness! {
    atomic_take: atomic_take::AtomicTake<Box<u32>> = atomic_take::AtomicTake::new(Box::new(7));
    fn take(&self) -> Option<u32> => atomic_take.take().map(|b| *b);
    fn is_taken(&self) -> bool;
}
linspect::harness! {
    atomic_once_cell: atomic_once_cell::AtomicOnceCell<u32> = atomic_once_cell::AtomicOnceCell::new();
    fn set(&self, value: u32 in 1..=2) -> bool => atomic_once_cell.set(value).is_ok();
    fn get(&self) -> Option<u32> => atomic_once_cell.get().copied();
}
linspect::harness! {
    rcu_cell: rcu_cell::RcuCell<u32> = rcu_cell::RcuCell::new(0);
    fn read(&self) -> Option<u32> => rcu_cell.read().map(|v| *v);
    fn write(&self, value: u32 in 1..=2) -> Option<u32> => rcu_cell.write(value).map(|v| *v);
    fn take(&self) -> Option<u32> => rcu_cell.take().map(|v| *v);
}
linspect::harness! {
    rcu_clean: rcu_clean::ArcRcu<u32> = rcu_clean::ArcRcu::new(0);
    #[single_thread]
    fn write(&self, value: u32 in 1..=2) => *rcu_clean.update() = value;
    fn read(&self) -> u32 => **rcu_clean;
}
linspect::harness! {
    atomicbox: atomicbox::AtomicOptionBox<u32> = atomicbox::AtomicOptionBox::none();
    fn swap(&self, value: u32 in 1..=2) -> Option<u32> => atomicbox.swap(Some(Box::new(value)), SeqCst).map(|b| *b);
    fn take(&self) -> Option<u32> => atomicbox.take(SeqCst).map(|b| *b);
}
linspect::harness! {
    atomic_option: atomic_option::AtomicOption<u32> = atomic_option::AtomicOption::empty();
    fn swap(&self, value: u32 in 1..=2) -> Option<u32> => atomic_option.swap(Box::new(value), SeqCst).map(|b| *b);
    fn try_store(&self, value: u32 in 1..=2) -> Option<u32> => atomic_option.try_store(Box::new(value), SeqCst).map(|b| *b);
    fn take(&self) -> Option<u32> => atomic_option.take(SeqCst).map(|b| *b);
}
linspect::harness! {
    option_lock: option_lock::OnceCell<u32> = option_lock::OnceCell::empty();
    fn set(&self, value: u32 in 1..=2) -> bool => option_lock.set(value).is_ok();
    fn get(&self) -> Option<u32> => option_lock.get().copied();
}
linspect::harness! {
    seq_lock: seqlock::SeqLock<(u32, u32)> = seqlock::SeqLock::new((0, 0));
    fn read(&self) -> (u32, u32);
    fn write(&self, value: u32 in 1..=2) => *seq_lock.lock_write() = (value, value);
}
linspect::harness! {
    ach_pool: ach_pool::Pool<u32, 2> = ach_pool::Pool::new();
    fn push(&self, value: u32 in [1]) -> bool => ach_pool.push(value).is_ok();
    fn pop(&self) -> Option<u32>;
}
linspect::harness! {
    once_cell: once_cell::sync::OnceCell<u32> = once_cell::sync::OnceCell::new();
    fn get_or_init(&self, value: u32 in 1..=2) -> u32 => *once_cell.get_or_init(|| value);
    fn set(&self, value: u32 in 1..=2) -> bool => once_cell.set(value).is_ok();
    fn get(&self) -> Option<u32> => once_cell.get().copied();
}
linspect::harness! {
    race_box: once_cell::race::OnceBox<u32> = once_cell::race::OnceBox::new();
    fn get_or_init(&self, value: u32 in 1..=2) -> u32 => *race_box.get_or_init(|| Box::new(value));
    fn set(&self, value: u32 in 1..=2) -> bool => race_box.set(Box::new(value)).is_ok();
    fn get(&self) -> Option<u32> => race_box.get().copied();
}
linspect::harness! {
    sync_cell: sync_cell::HeldSyncCell<u32> = sync_cell::HeldSyncCell::new(0);
    fn set(&self, value: u32 in 1..=2) => sync_cell.set(value);
    fn has_update(&self) -> bool;
}
linspect::harness! {
    atomic_cell: crossbeam_utils::atomic::AtomicCell<(u32, u32, u32)> = crossbeam_utils::atomic::AtomicCell::new((0, 0, 0));
    fn load(&self) -> (u32, u32, u32);
    fn swap(&self, value: u32 in 1..=2) -> u32 => atomic_cell.swap((value, value, value)).0;
    fn compare_exchange(&self, value: u32 in 1..=2) -> bool => atomic_cell.compare_exchange((0, 0, 0), (value, value, value)).is_ok();
}
linspect::harness! {
    hzrd: hzrd::HzrdCell<u32> = hzrd::HzrdCell::new(0);
    fn set(&self, value: u32 in 1..=2) => hzrd.set(value);
    fn get(&self) -> u32 => *hzrd.read();
}

pub struct Ends<A, B>(std::cell::UnsafeCell<A>, std::cell::UnsafeCell<B>);
unsafe impl<A, B> Sync for Ends<A, B> {}
impl<A, B> From<(A, B)> for Ends<A, B> {
    fn from((a, b): (A, B)) -> Self { Self(a.into(), b.into()) }
}
impl<A, B> Ends<A, B> {
    #[allow(clippy::mut_from_ref)]
    fn a(&self) -> &mut A { unsafe { &mut *self.0.get() } }
    #[allow(clippy::mut_from_ref)]
    fn b(&self) -> &mut B { unsafe { &mut *self.1.get() } }
}
linspect::harness! {
    triple_buffer: Ends<triple_buffer::Input<u32>, triple_buffer::Output<u32>> = triple_buffer::triple_buffer(&0).into();
    #[single_thread]
    fn write(&self, value: u32 in 1..=2) => triple_buffer.a().write(value);
    #[single_thread]
    fn read(&self) -> u32 => *triple_buffer.b().read();
    spec = register(.initial = 0);
}
