//! The command line of Linspect. Only this crate prints, reads clocks and takes signals.

use clap::Parser;

/// The linearizability debugger.
#[derive(Debug, Parser)]
#[command(name = "linspect", version)]
struct Typed {}

fn main() {
    Typed::parse();
}
