//! Hints.

pub use std::hint::spin_loop;

/// Says that this place is never reached. As with loom it panics if it is.
///
/// # Safety
/// There is nothing to keep to; the function of the standard library is unsafe, too.
#[track_caller]
pub unsafe fn unreachable_unchecked() -> ! {
    unreachable!("unreachable_unchecked was reached!");
}
