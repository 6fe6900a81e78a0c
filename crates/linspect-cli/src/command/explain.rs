//! `linspect explain`: why a failing run fails, as a slice of its lines with what holds between them.

use super::tested_program::TestedProgram;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::units::{self, TimeLimit};
use linspect_engine::{Hazards, Level};

/// Options of `linspect explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    tested: TestedProgram,

    /// What to take into account
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    level: TypedLevel,

    /// Which writes of other threads count where hazards do
    #[arg(long, value_name = "WHICH", default_value = "nearest")]
    hazards: TypedHazards,

    /// How much processor time it may take, as for `linspect test`
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = units::timeout)]
    budget: TimeLimit,

    /// Print the finding as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  linspect explain account.c                  the smallest slice that shows the race
  linspect explain account.c --level all      with every branch and every write in between
  linspect explain stack.rs --client '[push(1)] pop | pop'
  linspect explain queue.c --functions enq,deq  a main whose calls of enq and deq are the object's

docs/explain.md says how to read it.

Exit codes: 0 nothing fails, 1 a failure was found, 2 error, 3 inconclusive.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TypedLevel {
    /// The smallest that shows the accesses that decided the run
    Auto,
    /// Data only
    Ds,
    /// Data, and writes that came between
    Hs,
    /// Data, and the branches taken
    Cs,
    /// Everything
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TypedHazards {
    /// The nearest of each other thread
    Nearest,
    /// All
    All,
}

/// Finds a failing run and explains it.
pub(crate) fn run(typed: ExplainArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let level = match typed.level {
        TypedLevel::Auto => None,
        TypedLevel::Ds => Some(Level::DATA),
        TypedLevel::Hs => Some(Level::HAZARD),
        TypedLevel::Cs => Some(Level::CONTROL),
        TypedLevel::All => Some(Level::FULL),
    };
    let level = level.map(|level| match typed.hazards {
        TypedHazards::All if level.hazards != Hazards::Ignored => Level {
            hazards: Hazards::All,
            ..level
        },
        _ => level,
    });
    let mut test = typed.tested.test(typed.budget);
    test.explain_only(level, typed.json);
    test.run(screen)
}
