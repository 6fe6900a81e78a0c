//! Diagnosis of a failing run: what must be atomic, and why.
//!
//! This crate sees a program only through [`linspect_core::machine`]; it knows no LLVM and no source language.

pub mod explain;
pub mod localise;
pub mod minimise;
pub mod repair;
pub mod trace;
