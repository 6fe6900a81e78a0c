// exit 0: LINEARIZABLE
// options: --operations 3 --threads 2
// A reader may read while it is written, and throws away what it read then. The race is meant.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering::*, fence};

pub struct SeqLock {
    version: AtomicUsize,
    data: UnsafeCell<(u32, u32)>,
}

unsafe impl Sync for SeqLock {}

impl SeqLock {
    fn write(&self, value: u32) {
        let version = self.version.load(Relaxed);
        self.version.store(version + 1, Relaxed);
        fence(Release);
        unsafe { self.data.get().write_volatile((value, value)) };
        self.version.store(version + 2, Release);
    }

    fn read(&self) -> (u32, u32) {
        loop {
            let before = self.version.load(Acquire);
            let copy = unsafe { self.data.get().read_volatile() };
            fence(Acquire);
            if before % 2 == 0 && self.version.load(Relaxed) == before {
                return copy;
            }
        }
    }
}

linspect::harness! {
    #[allow_race(data)]
    lock: SeqLock = SeqLock { version: AtomicUsize::new(0), data: UnsafeCell::new((0, 0)) };

    #[single_thread]
    fn write(&self, value: u32 in [1, 2]);
    fn read(&self) -> (u32, u32);
}
