//~ `flag` is the object: give the argument of `put` another name
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

    fn take(&self) -> bool;
    fn put(&self, flag: Letter in [Letter]);
}
