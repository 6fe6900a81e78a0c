//! The command from end to end.

mod bad_input;
mod cargo;
mod command_line;
mod corpus;
mod linspect;
mod objects;
mod run;
