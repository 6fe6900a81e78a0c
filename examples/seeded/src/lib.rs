//! Simple generic structures, each with one fault. The faulty lines are marked.

pub mod once;
pub mod ring;
pub mod stack;
