//! Whether a history satisfies its specification.

pub mod pattern;
