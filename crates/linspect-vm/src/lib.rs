//! The machine: runs unmodified C, C++ and Rust from LLVM bitcode, deterministically.
//!
//! Source becomes bitcode (`frontend`), bitcode becomes a [`program::Program`] (`llvm`, the only foreign code), and a
//! machine runs the program one visible access at a time. This crate runs and records; it never judges.

pub mod frontend;
mod llvm;
pub mod program;
