//! One exploration as a line of a result file.
//!
//! A client and a run are written as a replay token, which is read for ever; what was covered as it is in memory, to the last bit.

use super::tasks::PartTask;
use linspect_core::client::Client;
use linspect_core::execution::SiteId;
use linspect_core::schedule::Schedule;
use linspect_explore::search::{
    Coverage, Explored, MemoryUse, Recalled, RecalledRun, WalkRecord, told,
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
    coverage: Coverage,
    #[serde(skip_serializing_if = "BTreeSet::is_empty", default)]
    weaker: BTreeSet<SiteId>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    sleeps: bool,
    counts: bool,
    returned: BTreeSet<u16>,
    memory: MemoryUse,
    reused: bool,
    fresh: bool,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    found: Vec<RunRecord>,
    /// Whether something of that is an error.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub(super) wrong: bool,
}

/// What a part of a walk came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartRecord {
    /// What it was explored under, beside what holds for the whole file.
    pub(super) under: String,
    pub(super) task: PartTask,
    pub(super) record: WalkRecord,
}

/// A line of a result file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Line {
    Part(PartRecord),
    Client(Box<Record>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct RunRecord {
    run: String,
    told: String,
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
            coverage: explored.coverage.clone(),
            weaker: explored.weaker.clone(),
            sleeps: explored.sleeps,
            counts: explored.counts,
            returned: explored.returned.clone(),
            memory: explored.memory,
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
        Some(Recalled {
            found: found.collect::<Option<_>>()?,
            explored: Explored {
                client,
                found: Vec::new(),
                coverage: self.coverage.clone(),
                weaker: self.weaker.clone(),
                sleeps: self.sleeps,
                counts: self.counts,
                returned: self.returned.clone(),
                memory: self.memory,
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
        self.coverage.executions()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::verdict::Limit;
    use linspect_explore::search::{Bound, Guarantee, Stopped};

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
                    Bound::States(12),
                    Bound::CutReads,
                    Bound::LateEnds,
                ],
            },
            sampled(Guarantee::None),
            sampled(guarantee),
            unknown(Stopped::Executions(20_000)),
            unknown(Stopped::Error),
            unknown(Stopped::Share),
            unknown(Stopped::Machine),
            unknown(Stopped::PutOff),
            unknown(Stopped::Limit(Limit::Time)),
            unknown(Stopped::Limit(Limit::Memory)),
            unknown(Stopped::Limit(Limit::Interrupted)),
        ] {
            let explored = Explored {
                client: Client::default(),
                found: Vec::new(),
                coverage,
                weaker: [3, 1].into(),
                sleeps: true,
                counts: true,
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
