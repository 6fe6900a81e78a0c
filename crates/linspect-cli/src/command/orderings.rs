//! `linspect orderings`: which atomics are ordered more strongly than the tests need.

use super::settings::{ProgramFiles, RunOptions};
use super::test::Test;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::units;
use std::path::PathBuf;
use std::time::Duration;

/// Options of `linspect orderings`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct OrderingsArgs {
    #[command(flatten)]
    program: ProgramFiles,

    #[command(flatten)]
    settings: RunOptions,

    /// This client only: `[push(1)] pop | push(2) pop [pop]` is a prefix, two threads, a suffix
    #[arg(long, value_name = "CLIENT")]
    client: Option<String>,

    /// The most operations that run at once
    #[arg(long, value_name = "N", default_value_t = 3)]
    max_operations: usize,

    /// How much processor time it may take
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = units::timeout)]
    budget: TimeLimit,

    /// How much memory the process may take
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    memory: usize,

    /// Where reports go
    #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
    out: PathBuf,
}

/// Clap would take an `Option` for an optional argument.
type TimeLimit = Option<Duration>;

const EXAMPLES: &str = "\
Examples:
  linspect orderings stack.rs                     which orderings could be weaker?
  linspect orderings queue.c --max-operations 4   with larger tests

Orderings that are too weak are found by `linspect test`, which names the repair. docs/weak-memory.md says what is explored.

Exit codes: 0 nothing is wrong, 1 a violation was found, 2 error, 3 inconclusive.";

/// Explores the object under C20, then with weaker orderings.
pub(crate) fn run(typed: OrderingsArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut test = Test::of(typed.program.files, typed.client, typed.out);
    test.set(typed.settings.into(), typed.program.c_flags);
    test.limit(typed.budget, typed.memory);
    test.weaken_orderings(typed.max_operations);
    test.run(screen)
}
