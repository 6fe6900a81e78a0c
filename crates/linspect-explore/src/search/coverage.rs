//! What a verdict covers.

use linspect_core::verdict::Limit;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the exploration of one client covers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Coverage {
    /// Every schedule; this many executions stand for all of them.
    Exhausted {
        /// How many.
        executions: u64,
        /// Runs beside them in which a thread tried in vain.
        retries_cut: u64,
    },
    /// Every schedule within bounds.
    Bounded {
        /// How many executions.
        executions: u64,
        /// The bounds.
        bounds: Vec<Bound>,
    },
    /// Some schedules, chosen at random.
    Sampled {
        /// How many classes of equivalent ones.
        executions: u64,
        /// How many schedules.
        runs: u64,
        /// After how many steps a thread was stopped, if one was.
        cut: Option<u32>,
        /// Where the random numbers started.
        seed: u64,
        /// What this promises.
        guarantee: Guarantee,
    },
    /// Nobody knows: it stopped before.
    Unknown {
        /// How many executions there were.
        executions: u64,
        /// Why it stopped.
        reason: Stopped,
        /// Roughly which part was done, from 0 to 1.
        #[serde(with = "bits")]
        done: f64,
    },
}

impl Coverage {
    /// How many runs beside them were cut because a thread tried in vain.
    pub fn retries_cut(&self) -> u64 {
        match self {
            Self::Exhausted { retries_cut, .. } => *retries_cut,
            Self::Bounded { .. } | Self::Sampled { .. } | Self::Unknown { .. } => 0,
        }
    }

    /// How many executions there were.
    pub fn executions(&self) -> u64 {
        match self {
            Self::Exhausted { executions, .. }
            | Self::Bounded { executions, .. }
            | Self::Sampled { executions, .. }
            | Self::Unknown { executions, .. } => *executions,
        }
    }

    /// After how many steps a thread was stopped, if one was.
    pub fn steps_bound(&self) -> Option<u32> {
        match self {
            Self::Sampled { cut, .. } => *cut,
            Self::Bounded { bounds, .. } => bounds.iter().find_map(|bound| match bound {
                Bound::StepsPerThread(most) => Some(*most),
                _ => None,
            }),
            Self::Exhausted { .. } | Self::Unknown { .. } => None,
        }
    }

    /// Why not everything was judged although the end was reached, if so.
    pub fn unjudged(&self) -> Option<Bound> {
        let Self::Bounded { bounds, .. } = self else {
            return None;
        };
        let unjudged = |bound: &&Bound| {
            matches!(
                bound,
                Bound::ClassSize(_) | Bound::CutReads | Bound::LateEnds
            )
        };
        bounds.iter().find(unjudged).copied()
    }

    /// How many schedules were run.
    fn runs(&self) -> u64 {
        match self {
            Self::Sampled { runs, .. } => *runs,
            _ => self.executions(),
        }
    }

    /// What both cover together, of the same client in two surroundings: as much as the weaker of them, with the executions of both.
    pub(super) fn and(self, mut other: Self) -> Self {
        let all = self.executions() + other.executions();
        let all_runs = self.runs() + other.runs();
        let cut = self.retries_cut() + other.retries_cut();
        let mut weaker = match (&self, &mut other) {
            (Self::Unknown { .. }, _) => self,
            (_, Self::Unknown { .. }) | (Self::Exhausted { .. }, _) => other,
            (Self::Bounded { bounds, .. }, Self::Bounded { bounds: more, .. }) => {
                more.extend(
                    bounds
                        .iter()
                        .filter(|b| !more.contains(b))
                        .copied()
                        .collect::<Vec<_>>(),
                );
                other
            }
            _ => self,
        };
        match &mut weaker {
            Self::Exhausted {
                executions,
                retries_cut,
            } => (*executions, *retries_cut) = (all, cut),
            Self::Sampled {
                executions, runs, ..
            } => (*executions, *runs) = (all, all_runs),
            Self::Bounded { executions, .. } | Self::Unknown { executions, .. } => {
                *executions = all;
            }
        }
        weaker
    }
}

/// What bounds a coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bound {
    /// At most so many preemptions.
    Preemptions(u32),
    /// A thread was stopped after so many steps.
    StepsPerThread(u32),
    /// Classes with more points than this were judged by one schedule.
    ClassSize(usize),
    /// These are all states, with every history; of data races only those of the runs that show them were seen.
    States(u64),
    /// Data races of plain reads in attempts that were cut may be missed.
    CutReads,
    /// The process may end while threads go round for ever, and how it ends then was not seen.
    LateEnds,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Preemptions(most) => write!(f, "at most {most} preemptions"),
            Self::StepsPerThread(most) => write!(f, "at most {most} steps per thread"),
            Self::ClassSize(most) => write!(f, "one schedule of classes with over {most} points"),
            Self::States(all) => write!(f, "all {all} states, data races only in these executions"),
            Self::CutReads => write!(f, "no data races of reads in attempts that were cut"),
            Self::LateEnds => write!(f, "no ends of the process while threads go round for ever"),
        }
    }
}

/// What sampling promises.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Guarantee {
    /// Nothing.
    None,
    /// One run finds a fault of this depth with at least this probability.
    Depth {
        /// The depth.
        depth: u32,
        /// The number of threads.
        threads: usize,
        /// The number of steps assumed.
        steps: u64,
        /// The probability.
        #[serde(with = "bits")]
        probability: f64,
    },
}

/// Why something stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum Stopped {
    /// The budget ended.
    #[error(transparent)]
    Limit(
        #[from]
        #[serde(with = "WrittenLimit")]
        Limit,
    ),
    /// So many executions were allowed.
    #[error("the limit of {0} executions was reached")]
    Executions(u64),
    /// One client has taken its share of what was left.
    #[error("the time limit was reached")]
    Share,
    /// An error was found.
    #[error("an error was found")]
    Error,
    /// A run could not go on; what was found says where and why.
    #[error("a run reached a bound of the machine")]
    Machine,
    /// What is left was put off: others walk it.
    #[error("what is left of a client was put off")]
    PutOff,
}

/// How a limit of the core, which writes nothing, is written.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Limit")]
enum WrittenLimit {
    Time,
    Memory,
    Interrupted,
}

/// Numbers with fractions are written as their bits, so that they come back as they were.
pub(super) mod bits {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(in crate::search) fn serialize<S: Serializer>(
        value: &f64,
        into: S,
    ) -> Result<S::Ok, S::Error> {
        into.serialize_u64(value.to_bits())
    }

    pub(in crate::search) fn deserialize<'a, D: Deserializer<'a>>(
        from: D,
    ) -> Result<f64, D::Error> {
        u64::deserialize(from).map(f64::from_bits)
    }
}
