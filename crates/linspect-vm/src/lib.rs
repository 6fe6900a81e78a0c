//! The machine: runs unmodified C, C++ and Rust from LLVM bitcode, deterministically.
//!
//! Source becomes bitcode (`frontend`), bitcode becomes a [`program::Program`] (`llvm`, the only foreign code), and a
//! machine runs the program one visible access at a time. This crate runs and records; it never judges.

mod copies;
mod deadline;
mod deciding;
mod demangle;
mod failure;
mod fingerprint;
pub mod frontend;
pub mod harness;
mod image;
mod interp;
mod large_numbers;
mod leak;
mod liveness;
mod llvm;
mod machine;
pub mod memory;
mod models;
mod naming;
mod observed;
pub mod program;
mod recording;
mod run;
mod settings;
mod settled;
mod slots;
mod spin;
mod stack;
mod subject;
mod thread;
mod times;
mod world;

pub use large_numbers::LargeNumbers;
pub use machine::{Snapshot, Vm};
pub use memory::Reuse;
pub use run::{Chooser, Ran, run};
pub use settings::Settings;
pub use subject::{CodeError, LoadedProgram};
pub use world::MOST_OUTPUT;
