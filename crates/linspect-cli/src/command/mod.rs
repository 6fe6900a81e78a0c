//! The subcommands, one per file.

mod bench;
mod check;
pub(crate) mod compiler;
mod demo;
mod explain;
mod generate;
mod manual;
mod minimise;
mod orderings;
mod replay;
mod report;
mod run;
mod settings;
mod shard;
pub(crate) mod test;
mod tested_program;
mod zoo;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;

/// What to do.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Compile C as `cc` does, with bitcode in what is made: `CC="linspect cc" make`
    #[command(disable_help_flag = true)]
    Cc(compiler::CompilerArgs),
    /// Compile C++ as `c++` does, with bitcode in what is made: `CXX="linspect c++" make`
    #[command(name = "c++", disable_help_flag = true)]
    Cxx(compiler::CompilerArgs),
    /// Decide whether recorded histories are linearizable, and say why not
    Check(check::CheckArgs),
    /// Make a synthetic history, right or wrong
    Generate(generate::GenerateArgs),
    /// Test a concurrent object in C, C++ or Rust, and say why it is wrong
    Test(Box<test::TestArgs>),
    /// Say why a failing run fails: the lines that matter, and what holds between them
    Explain(explain::ExplainArgs),
    /// Say which atomics are ordered more strongly than the tests need
    Orderings(orderings::OrderingsArgs),
    /// Make the test of a finding smaller, with another budget
    Minimise(minimise::MinimiseArgs),
    /// See a run that was found again
    Replay(replay::ReplayArgs),
    /// Show a saved finding again: as text, HTML, JSON, SARIF or JUnit
    Report(report::ReportArgs),
    /// List the bundled objects of the literature, or test one
    Zoo(zoo::ZooArgs),
    /// Compare with the literature: a command of its own
    #[command(hide = true)]
    Bench(bench::BenchArgs),
    /// Cut a long test into tasks for many machines, and put together what they come to
    #[command(subcommand)]
    Shard(shard::ShardCommand),
    /// Run a program once, under a random or a given schedule
    Run(run::RunArgs),
    /// See a broken object taken apart
    Demo(demo::DemoArgs),
    /// Print what a shell needs to complete commands and options
    Completions(manual::TypedCompletions),
    /// Print the manual page
    Man(manual::TypedManual),
}

impl Command {
    /// Does it.
    pub(crate) fn run(self, screen: &mut Screen) -> Result<Exit, Failure> {
        match self {
            Self::Cc(typed) => typed.run(compiler::Compiler::C, screen),
            Self::Cxx(typed) => typed.run(compiler::Compiler::Cxx, screen),
            Self::Check(typed) => check::Check::try_from(typed)?.run(screen),
            Self::Generate(typed) => generate::run(&typed, screen),
            Self::Test(typed) => test::Test::try_from(*typed)?.run(screen),
            Self::Explain(typed) => explain::run(typed, screen),
            Self::Orderings(typed) => orderings::run(typed, screen),
            Self::Minimise(typed) => minimise::run(typed, screen),
            Self::Replay(typed) => replay::run(typed, screen),
            Self::Zoo(typed) => zoo::run(&typed, screen),
            Self::Bench(typed) => Err(bench::moved(&typed)),
            Self::Shard(typed) => shard::run(typed, screen),
            Self::Run(typed) => run::run(&typed, screen),
            Self::Report(typed) => report::run(&typed, screen),
            Self::Demo(typed) => demo::run(&typed, screen),
            Self::Completions(typed) => manual::completions(&typed, screen),
            Self::Man(typed) => manual::manual(&typed, screen),
        }
    }
}
