//! What the shell is told: the exit codes of cargo-nextest, where it has one.

use crate::failure::Failure;
use linspect_engine::frontend::LoadError;
use std::process::ExitCode;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything holds.
    Passed,
    /// It was typed wrong, or there is no package.
    Usage,
    /// Nothing is violated, but something could not be decided.
    Undecided,
    /// There is no harness and no threaded test, or the filter fits none.
    NothingToRun,
    /// Something is violated, or could not be run.
    Failed,
    /// cargo could not build it.
    BuildFailed,
}

impl Outcome {
    /// What a failure before anything ran is told as.
    pub(crate) fn of_failure(failure: &Failure) -> Self {
        match failure {
            Failure::Load(error) if matches!(**error, LoadError::Compile { .. }) => {
                Self::BuildFailed
            }
            Failure::Interrupted { .. } => Self::Undecided,
            _ => Self::Usage,
        }
    }

    pub(crate) fn of_count(count: usize) -> Self {
        if count == 0 {
            Self::NothingToRun
        } else {
            Self::Passed
        }
    }

    fn code(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::Usage => 2,
            Self::Undecided => 3,
            Self::NothingToRun => 4,
            Self::Failed => 100,
            Self::BuildFailed => 101,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        outcome.code().into()
    }
}
