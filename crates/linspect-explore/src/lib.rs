//! Exploration: which schedules of which clients are run, and what is said of them.
//!
//! Programs are seen through [`linspect_core::machine::Machine`] only.

pub mod alone;
pub mod class;
pub mod clients;
mod course;
pub mod defects;
pub mod detect;
mod digest;
pub mod external;
pub mod promise;
pub mod races;
pub mod relaxed_model;
pub mod run;
pub mod search;
pub mod sequential;
mod states;
pub mod strategies;
pub mod stuck;
pub mod tight;
pub mod token;
pub mod trace;
pub mod watch;

pub use linspect_core::run::Bounds;
