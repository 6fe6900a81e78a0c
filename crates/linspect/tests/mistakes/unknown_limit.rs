//~ `#[once]` says nothing about an operation; there are #[single_thread], #[single_thread(owner)], #[at_most(1)], #[after(lock)], #[may_fail(false)] and #[cancel]
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Flag(AtomicBool);

#[derive(Clone)]
pub struct Letter;

impl Flag {
    pub fn take(&self) -> bool {
        !self.0.swap(true, Ordering::SeqCst)
    }

    pub fn put<T>(&self, _value: T) {}
}

linspect::harness! {
    flag: Flag = Flag(AtomicBool::new(false));

    #[once] fn take(&self) -> bool;
}
