//! A program that is tested for one purpose, as it is typed: what `linspect explain` and `linspect orderings` have in common.

use super::settings::{ProgramFiles, RunOptions};
use super::test::Test;
use crate::units::{self, TimeLimit};
use std::path::PathBuf;

/// What is tested, and where reports go.
#[derive(Debug, clap::Args)]
pub(crate) struct TestedProgram {
    #[command(flatten)]
    program: ProgramFiles,

    #[command(flatten)]
    settings: RunOptions,

    /// This client only: `[push(1)] pop | push(2) pop [pop]` is a prefix, two threads, a suffix
    #[arg(long, value_name = "CLIENT")]
    client: Option<String>,

    /// How much memory the process may take
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes)]
    memory: usize,

    /// Where reports go
    #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
    out: PathBuf,
}

impl TestedProgram {
    /// The test of it.
    pub(crate) fn test(self, budget: TimeLimit) -> Test {
        let mut test = Test::of(self.program.all(), self.client, self.out);
        test.set(self.settings.into(), self.program.c_flags);
        test.limit(budget, self.memory);
        test
    }
}
