//! The values and the judgement of Linspect, the linearizability debugger.
//!
//! This crate is pure: it knows no threads, no clocks, no files, no printing, no LLVM and no source
//! language. Its nouns are those of the pipeline (see ARCHITECTURE.md):
//!
//! * what is run: [`client::Client`], [`schedule::Schedule`], and the seam [`machine::Machine`];
//! * how it is run: [`run::run`]; what happened: [`execution::Execution`] and its projection [`history::History`]; what is wrong with that:
//!   [`defect::Defect`];
//! * what memory may do: [`consistency::Graph`];
//! * what should happen: [`spec::Spec`]; what is said of it: [`verdict::Verdict`].

pub mod check;
pub mod client;
pub mod consistency;
pub mod defect;
pub mod digest;
pub mod execution;
pub mod generate;
pub mod history;
pub mod machine;
pub mod orderings;
pub mod project;
pub mod property;
pub mod random;
pub mod run;
pub mod schedule;
pub mod spec;
pub mod statement;
pub mod unwritten;
pub mod value;
pub mod verdict;
