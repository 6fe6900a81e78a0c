//! How long a check may go on.
//!
//! Deciders know no clocks and no allocator: they ask, regularly, whoever does.

use crate::verdict::Limit;

/// Says when to stop.
///
/// Any `Fn(usize) -> Option<Limit>` is a budget.
pub trait Budget {
    /// Whether a check that holds about `memory` bytes must stop now, and why. Asked often: must be quick.
    fn exhausted(&self, memory: usize) -> Option<Limit>;

    /// A budget within this one for whoever asks: one of `of` parts of what is left now. None where there is nothing to divide.
    fn share(&self, _of: u32) -> Option<Box<dyn Budget + '_>> {
        None
    }
}

impl<F: Fn(usize) -> Option<Limit>> Budget for F {
    fn exhausted(&self, memory: usize) -> Option<Limit> {
        self(memory)
    }
}

/// No limit at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Budget for Unlimited {
    fn exhausted(&self, _memory: usize) -> Option<Limit> {
        None
    }
}
