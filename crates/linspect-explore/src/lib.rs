//! Exploration: which schedules of which clients are run, and what is said of them.
//!
//! Programs are seen through [`linspect_core::machine::Machine`] only.

mod alone;
pub mod class;
pub mod clients;
pub mod defects;
pub mod detect;
pub mod external;
mod hand_over;
pub mod harness_check;
pub mod monitor;
mod partial_run;
mod prefix_cache;
pub mod progress;
pub mod promise;
pub mod races;
pub mod relaxed_model;
pub mod run;
pub mod search;
mod states;
pub mod strategies;
pub mod stuck;
pub mod subject_spec;
pub mod tight;
pub mod token;
pub mod trace;
pub mod warm_up;

pub use linspect_core::run::Bounds;
