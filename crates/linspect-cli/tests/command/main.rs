//! The command from end to end.

mod bad_input;
mod command_line;
mod corpus;
mod linspect;
mod objects;
mod run;
