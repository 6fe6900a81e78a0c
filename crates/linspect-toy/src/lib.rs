//! A toy machine: tiny programs over shared cells, for tests and examples.
//!
//! It takes steps exactly as [`linspect_core::execution`] defines them, so whatever is shown for it holds for any
//! [`linspect_core::machine::Machine`]. Programs are written in a small assembly ([`Program::parse`]); the papers' small
//! objects stand in [`objects`], random programs come from [`random`].

mod assembly;
mod client;
mod machine;
pub mod objects;
mod program;
pub mod random;
mod retry;
mod thread;
mod unwritten;
mod visible;
mod weak;

pub use assembly::ParseError;
pub use machine::ToyMachine;
pub use program::{Expression, Instruction, Operand, Operation, Operator, Program, Result};
pub use retry::Flaw;
