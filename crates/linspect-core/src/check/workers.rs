//! Who does independent pieces of work. This crate knows no threads; whoever has some can lend them.

/// Does many things, in any order, perhaps at once.
pub trait Workers {
    /// Calls `job` once with each number below `count`, and returns when all is done.
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync));
}

/// One after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Workers for Alone {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(job);
    }
}
