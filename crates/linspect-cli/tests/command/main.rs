//! The command from end to end.

mod architecture;
mod bad_harness;
mod bad_input;
mod beside;
mod cargo;
mod command_line;
mod corpus;
mod dependencies;
mod detection;
mod determinism;
mod diagnosis;
mod disk;
mod examples;
mod explain;
mod hostile;
mod limits;
mod linspect;
mod minimise;
mod objects;
mod regression;
mod relaxation;
mod replay;
mod reports;
mod run;
mod schedules;
mod stale;
