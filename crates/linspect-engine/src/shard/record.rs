//! One exploration as a line of a result file.
//!
//! A client and a run are written as a replay token, which is read for ever; numbers with fractions as their bits, so that they come back as they were.

use linspect_core::client::Client;
use linspect_core::execution::SiteId;
use linspect_core::schedule::Schedule;
use linspect_core::verdict::Limit;
use linspect_explore::search::{
    Bound, Coverage, Explored, Guarantee, MemoryUse, Recalled, RecalledRun, Stopped, told,
};
use linspect_explore::token::Token;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// One exploration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    /// What it was explored under, beside what holds for the whole file.
    pub(super) under: String,
    /// The client that was to be explored.
    pub(super) client: String,
    /// The one that was explored in its place, if it was another.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    explored: Option<String>,
    coverage: CoverageRecord,
    #[serde(skip_serializing_if = "BTreeSet::is_empty", default)]
    weaker: BTreeSet<SiteId>,
    returned: BTreeSet<u16>,
    /// Whether memory was shared, and freed.
    memory: (bool, bool),
    reused: bool,
    fresh: bool,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    found: Vec<RunRecord>,
    /// Whether something of that is an error.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub(super) wrong: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct RunRecord {
    run: String,
    told: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum CoverageRecord {
    Exhausted {
        executions: u64,
        retries_cut: u64,
    },
    Bounded {
        executions: u64,
        bounds: Vec<BoundRecord>,
    },
    Sampled {
        executions: u64,
        runs: u64,
        cut: Option<u32>,
        seed: u64,
        guarantee: Option<GuaranteeRecord>,
    },
    Unknown {
        executions: u64,
        reason: StoppedRecord,
        done_bits: u64,
    },
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum BoundRecord {
    Preemptions(u32),
    StepsPerThread(u32),
    ClassSize(usize),
    CutReads,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct GuaranteeRecord {
    depth: u32,
    threads: usize,
    steps: u64,
    probability_bits: u64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum StoppedRecord {
    Time,
    Memory,
    Interrupted,
    Executions(u64),
    Share,
    Error,
    Machine,
}

/// A client in one word.
pub(super) fn client_word(client: &Client) -> String {
    run_word(client, &Schedule::default())
}

fn run_word(client: &Client, schedule: &Schedule) -> String {
    let token = Token {
        fingerprint: 0,
        client: client.clone(),
        schedule: schedule.clone(),
        settings: Vec::new(),
    };
    token.to_string()
}

impl Record {
    /// What the exploration of `client` came to.
    pub(super) fn new(under: &str, client: &Client, explored: &Explored) -> Self {
        let found = explored.found.iter().map(|run| RunRecord {
            run: run_word(&explored.client, &run.schedule),
            told: told(run),
        });
        Self {
            under: under.to_owned(),
            client: client_word(client),
            explored: (explored.client != *client).then(|| client_word(&explored.client)),
            coverage: CoverageRecord::from(&explored.coverage),
            weaker: explored.weaker.clone(),
            returned: explored.returned.clone(),
            memory: (explored.memory.shared, explored.memory.freed),
            reused: explored.reused,
            fresh: explored.fresh,
            found: found.collect(),
            wrong: explored.error().is_some(),
        }
    }

    /// The exploration of `client`; nothing if the line says something that no exploration does.
    pub(super) fn recalled(&self, client: &Client) -> Option<Recalled> {
        let client = match &self.explored {
            Some(word) => word.parse::<Token>().ok()?.client,
            None => client.clone(),
        };
        let found = self.found.iter().map(|run| {
            let token: Token = run.run.parse().ok()?;
            Some(RecalledRun {
                schedule: token.schedule,
                told: run.told.clone(),
            })
        });
        let (shared, freed) = self.memory;
        Some(Recalled {
            found: found.collect::<Option<_>>()?,
            explored: Explored {
                client,
                found: Vec::new(),
                coverage: Coverage::from(&self.coverage),
                weaker: self.weaker.clone(),
                returned: self.returned.clone(),
                memory: MemoryUse { shared, freed },
                reused: self.reused,
                fresh: self.fresh,
            },
        })
    }

    /// What it is found by.
    pub(super) fn key(&self) -> (String, String) {
        (self.under.clone(), self.client.clone())
    }

    /// How many executions it took.
    pub(super) fn executions(&self) -> u64 {
        Coverage::from(&self.coverage).executions()
    }
}

impl From<&Coverage> for CoverageRecord {
    fn from(coverage: &Coverage) -> Self {
        match *coverage {
            Coverage::Exhausted {
                executions,
                retries_cut,
            } => Self::Exhausted {
                executions,
                retries_cut,
            },
            Coverage::Bounded {
                executions,
                ref bounds,
            } => Self::Bounded {
                executions,
                bounds: bounds.iter().map(|bound| (*bound).into()).collect(),
            },
            Coverage::Sampled {
                executions,
                runs,
                cut,
                seed,
                guarantee,
            } => Self::Sampled {
                executions,
                runs,
                cut,
                seed,
                guarantee: match guarantee {
                    Guarantee::None => None,
                    Guarantee::Depth {
                        depth,
                        threads,
                        steps,
                        probability,
                    } => Some(GuaranteeRecord {
                        depth,
                        threads,
                        steps,
                        probability_bits: probability.to_bits(),
                    }),
                },
            },
            Coverage::Unknown {
                executions,
                reason,
                done,
            } => Self::Unknown {
                executions,
                reason: reason.into(),
                done_bits: done.to_bits(),
            },
        }
    }
}

impl From<&CoverageRecord> for Coverage {
    fn from(record: &CoverageRecord) -> Self {
        match *record {
            CoverageRecord::Exhausted {
                executions,
                retries_cut,
            } => Self::Exhausted {
                executions,
                retries_cut,
            },
            CoverageRecord::Bounded {
                executions,
                ref bounds,
            } => Self::Bounded {
                executions,
                bounds: bounds.iter().map(|bound| (*bound).into()).collect(),
            },
            CoverageRecord::Sampled {
                executions,
                runs,
                cut,
                seed,
                guarantee,
            } => Self::Sampled {
                executions,
                runs,
                cut,
                seed,
                guarantee: guarantee.map_or(Guarantee::None, |g| Guarantee::Depth {
                    depth: g.depth,
                    threads: g.threads,
                    steps: g.steps,
                    probability: f64::from_bits(g.probability_bits),
                }),
            },
            CoverageRecord::Unknown {
                executions,
                reason,
                done_bits,
            } => Self::Unknown {
                executions,
                reason: reason.into(),
                done: f64::from_bits(done_bits),
            },
        }
    }
}

impl From<Bound> for BoundRecord {
    fn from(bound: Bound) -> Self {
        match bound {
            Bound::Preemptions(most) => Self::Preemptions(most),
            Bound::StepsPerThread(most) => Self::StepsPerThread(most),
            Bound::ClassSize(most) => Self::ClassSize(most),
            Bound::CutReads => Self::CutReads,
        }
    }
}

impl From<BoundRecord> for Bound {
    fn from(record: BoundRecord) -> Self {
        match record {
            BoundRecord::Preemptions(most) => Self::Preemptions(most),
            BoundRecord::StepsPerThread(most) => Self::StepsPerThread(most),
            BoundRecord::ClassSize(most) => Self::ClassSize(most),
            BoundRecord::CutReads => Self::CutReads,
        }
    }
}

impl From<Stopped> for StoppedRecord {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Limit(Limit::Time) => Self::Time,
            Stopped::Limit(Limit::Memory) => Self::Memory,
            Stopped::Limit(Limit::Interrupted) => Self::Interrupted,
            Stopped::Executions(most) => Self::Executions(most),
            Stopped::Share => Self::Share,
            Stopped::Error => Self::Error,
            Stopped::Machine => Self::Machine,
        }
    }
}

impl From<StoppedRecord> for Stopped {
    fn from(record: StoppedRecord) -> Self {
        match record {
            StoppedRecord::Time => Self::Limit(Limit::Time),
            StoppedRecord::Memory => Self::Limit(Limit::Memory),
            StoppedRecord::Interrupted => Self::Limit(Limit::Interrupted),
            StoppedRecord::Executions(most) => Self::Executions(most),
            StoppedRecord::Share => Self::Share,
            StoppedRecord::Error => Self::Error,
            StoppedRecord::Machine => Self::Machine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of coverage comes back as it was, to the last bit.
    #[test]
    fn what_is_written_is_read() {
        let guarantee = Guarantee::Depth {
            depth: 3,
            threads: 2,
            steps: 71,
            probability: 0.1 + 0.2,
        };
        let sampled = |guarantee| Coverage::Sampled {
            executions: 5,
            runs: 9,
            cut: Some(7),
            seed: u64::MAX,
            guarantee,
        };
        let unknown = |reason| Coverage::Unknown {
            executions: 1,
            reason,
            done: 1.0 / 3.0,
        };
        for coverage in [
            Coverage::Exhausted {
                executions: u64::MAX,
                retries_cut: 2,
            },
            Coverage::Bounded {
                executions: 3,
                bounds: vec![
                    Bound::Preemptions(2),
                    Bound::StepsPerThread(300),
                    Bound::ClassSize(1_000_000),
                    Bound::CutReads,
                ],
            },
            sampled(Guarantee::None),
            sampled(guarantee),
            unknown(Stopped::Executions(20_000)),
            unknown(Stopped::Error),
            unknown(Stopped::Share),
            unknown(Stopped::Machine),
            unknown(Stopped::Limit(Limit::Time)),
            unknown(Stopped::Limit(Limit::Memory)),
            unknown(Stopped::Limit(Limit::Interrupted)),
        ] {
            let explored = Explored {
                client: Client::default(),
                found: Vec::new(),
                coverage,
                weaker: [3, 1].into(),
                returned: [7].into(),
                memory: MemoryUse {
                    shared: true,
                    freed: false,
                },
                reused: true,
                fresh: false,
            };
            let record = Record::new("sc", &explored.client, &explored);
            let line = serde_json::to_string(&record).expect("it is data");
            let record: Record = serde_json::from_str(&line).expect("it was written here");
            let recalled = record.recalled(&Client::default()).expect("a client");
            assert_eq!(recalled.explored, explored, "{line}");
        }
    }
}
