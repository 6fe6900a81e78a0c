//! Specialised deciders: what is linear or nearly so for one type under a condition, each in a file of its own.

mod completion;
mod cover;
mod intern;
mod lifetimes;
pub mod pattern;
mod pool_patterns;
mod priority_sweep;
mod queue_patterns;
mod register_zones;
mod segment_tree;
mod set_element;
mod set_reads;
mod slots;
mod stack_intervals;
