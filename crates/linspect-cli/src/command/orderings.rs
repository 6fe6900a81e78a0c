//! `linspect orderings`: which atomics are ordered more strongly than the tests need.

use super::tested_program::TestedProgram;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::units::{self, TimeLimit};

/// Options of `linspect orderings`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct OrderingsArgs {
    #[command(flatten)]
    tested: TestedProgram,

    /// The most operations that run at once
    #[arg(long, value_name = "N", default_value_t = 3)]
    max_operations: usize,

    /// How much processor time it may take
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = units::timeout)]
    budget: TimeLimit,
}

const EXAMPLES: &str = "\
Examples:
  linspect orderings stack.rs                     which orderings could be weaker?
  linspect orderings queue.c --max-operations 4   with larger tests

Orderings that are too weak are found by `linspect test`, which names the repair. docs/weak-memory.md says what is explored.

Exit codes: 0 nothing is wrong, 1 a violation was found, 2 error, 3 inconclusive.";

/// Explores the object under C20, then with weaker orderings.
pub(crate) fn run(typed: OrderingsArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut test = typed.tested.test(typed.budget);
    test.weaken_orderings(typed.max_operations);
    test.run(screen)
}
