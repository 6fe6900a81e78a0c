//! A little language of concurrent objects and programs, and everything about them by brute force.
//!
//! Linspect is compared with it: random modules are written as C and Rust, Linspect judges what it loads from there, and here the same module is
//! judged by walking every interleaving of its statements. Nothing is shared with Linspect, which `Cargo.toml` holds: there are no dependencies.
//!
//! [`language`] says what a module is, [`generate`] draws one, [`emit`] writes it as source, [`explore`] walks all interleavings, [`judge`] says what is wrong with
//! them, [`count`] how many there are, and [`shrink`] makes a module small that shows a disagreement. [`litmus`] reads the litmus tests of the corpus and writes them as source; [`orderings`] reads which changes repair a fault of orderings.
//! [`weak`] is another, smaller language for what weaker orderings allow.

pub mod client;
pub mod code;
pub mod count;
pub mod emit;
pub mod explore;
pub mod generate;
pub mod judge;
pub mod language;
pub mod litmus;
pub mod machine;
pub mod orderings;
pub mod random;
pub mod shrink;
pub mod weak;
