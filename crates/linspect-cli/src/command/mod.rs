//! The subcommands, one per file.

mod check;
mod demo;
mod generate;
mod test;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;

/// What to do.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Decide whether recorded histories are linearizable, and say why not
    Check(check::Typed),
    /// Make a synthetic history, right or wrong
    Generate(generate::Typed),
    /// Test a concurrent object in C, C++ or Rust, and say why it is wrong
    Test(test::Typed),
    /// See a broken queue taken apart
    Demo(demo::Typed),
}

impl Command {
    /// Does it.
    pub(crate) fn run(self, screen: &mut Screen) -> Result<Exit, Failure> {
        match self {
            Self::Check(typed) => check::Check::try_from(typed)?.run(screen),
            Self::Generate(typed) => generate::run(&typed, screen),
            Self::Test(typed) => test::Test::try_from(typed)?.run(screen),
            Self::Demo(typed) => demo::run(&typed, screen),
        }
    }
}
