//! Whether a history satisfies its specification.

#[doc(hidden)]
pub mod brute;
pub mod pattern;
#[doc(hidden)]
pub mod sample;
