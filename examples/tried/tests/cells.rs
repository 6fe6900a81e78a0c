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
