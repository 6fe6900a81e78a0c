//! What the shell is told.

use linspect_core::verdict::Verdict;
use linspect_report::finding::{self, Finding};
use std::process::ExitCode;

/// How a run ended. Several results together end as the one that is latest here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything that was checked holds.
    #[default]
    Holds,
    /// Something could not be decided within the limits.
    Inconclusive,
    /// Something is violated.
    Violation,
    /// Something could not be checked at all.
    Error,
}

impl Exit {
    pub(crate) fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Holds(_) => Self::Holds,
            Verdict::Violated(_) => Self::Violation,
            Verdict::Unknown(_) => Self::Inconclusive,
        }
    }

    /// How a run ended that came to `finding`.
    pub(crate) fn of_finding(finding: &Finding) -> Self {
        match finding.verdict {
            finding::Verdict::Holds { .. } => Self::Holds,
            finding::Verdict::Violated { .. } | finding::Verdict::Faulty { .. } => Self::Violation,
            finding::Verdict::Unknown { .. } => Self::Inconclusive,
        }
    }

    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Holds => 0,
            Self::Violation => 1,
            Self::Error => 2,
            Self::Inconclusive => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}
