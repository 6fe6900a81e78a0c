//! A family's description, `zoo.toml`, as it is written.

use crate::error::ZooError;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A folder of the zoo. What stands at the top holds for all its objects unless they say otherwise.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Family {
    pub(crate) language: Language,
    pub(crate) spec: Option<String>,
    pub(crate) initial: Option<i64>,
    pub(crate) empty: Option<i64>,
    pub(crate) capacity: Option<usize>,
    #[serde(default)]
    pub(crate) object: Vec<ObjectEntry>,
    #[serde(default)]
    pub(crate) program: Vec<ProgramEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ObjectEntry {
    pub(crate) name: String,
    pub(crate) papers: Vec<Paper>,
    #[serde(default)]
    pub(crate) reconstruction: bool,
    pub(crate) files: Vec<String>,
    pub(crate) spec: Option<String>,
    pub(crate) initial: Option<i64>,
    pub(crate) k: Option<u32>,
    pub(crate) linearizable: bool,
    pub(crate) quasi: Option<bool>,
    #[serde(default)]
    pub(crate) serial: bool,
    #[serde(default = "yes")]
    pub(crate) sequential: bool,
    #[serde(default)]
    pub(crate) blocks_when_empty: bool,
    #[serde(default = "yes")]
    pub(crate) native_threads: bool,
    pub(crate) bug: Option<String>,
    pub(crate) twin: Option<String>,
    #[serde(default)]
    pub(crate) decisive: Vec<Quote>,
    #[serde(default)]
    pub(crate) repair: Vec<SectionEntry>,
    #[serde(default)]
    pub(crate) or_repair: Vec<SectionEntry>,
    #[serde(default)]
    pub(crate) client: Vec<CaseEntry>,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseEntry {
    pub(crate) row: String,
    pub(crate) before: Vec<String>,
    pub(crate) threads: Vec<Vec<String>>,
    pub(crate) after: Vec<String>,
    pub(crate) linearizable: Option<bool>,
    pub(crate) quasi: Option<bool>,
    pub(crate) long: Option<Long>,
    #[serde(default)]
    pub(crate) figures: BTreeMap<String, Figure>,
}

/// Long random clients in which the fault was found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Long {
    /// How many threads there are.
    pub threads: usize,
    /// How many operations each runs.
    pub operations: usize,
    /// The operations that are called.
    pub methods: Vec<String>,
    /// Arguments are 1 to this.
    pub values: i64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SectionEntry {
    pub(crate) first: Quote,
    pub(crate) last: Quote,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProgramEntry {
    pub(crate) name: String,
    pub(crate) papers: Vec<Paper>,
    pub(crate) row: String,
    #[serde(default)]
    pub(crate) reconstruction: bool,
    pub(crate) files: Vec<String>,
    pub(crate) kind: BugKind,
    pub(crate) bug: String,
    pub(crate) reflects: Vec<Quote>,
    #[serde(default)]
    pub(crate) or_reflects: Vec<Quote>,
    #[serde(default)]
    pub(crate) interferes: bool,
    #[serde(default)]
    pub(crate) figures: BTreeMap<String, Figure>,
}

/// Part of a source line: one that occurs in a single line, or the first one after a line with another text.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Quote {
    Only(String),
    After(String, String),
}

/// What an object or program is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// C11 with atomics and pthreads.
    C,
    /// C++17.
    Cpp,
    /// Rust.
    Rust,
}

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Paper {
    /// Chen, Zhang, Wu, Zhang: Interleaving-tree Based Fine-grained Linearizability Fault Localization.
    #[serde(rename = "FGVT")]
    Fgvt,
    /// Zhang, Wu, Zhang: Localization of Linearizability Faults on the Coarse-grained Level.
    #[serde(rename = "CGVT")]
    Cgvt,
    /// Zhang, Chattopadhyay, Wang: Round-Up: Runtime Checking Quasi Linearizability of Concurrent Data Structures.
    #[serde(rename = "RU")]
    Ru,
    /// Çirisci, Enea, Farzan, Mutluergil: Root Causing Linearizability Violations.
    #[serde(rename = "RC")]
    Rc,
    /// Holzer, Schwartz-Narbonne, Tabaei Befrouei, Weissenbacher, Wies: Error Invariants for Concurrent Traces.
    #[serde(rename = "EI")]
    Ei,
}

/// What kind of concurrency bug a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum BugKind {
    /// Atomicity violation: another thread's statement interrupts a region meant to be atomic.
    #[serde(rename = "AV")]
    Atomicity,
    /// Order violation: conflicting statements happen in the wrong order.
    #[serde(rename = "OV")]
    Order,
    /// Data race: two unsynchronised conflicting accesses.
    #[serde(rename = "DR")]
    DataRace,
    /// Linearizability violation of an object that the program uses.
    #[serde(rename = "LV")]
    Linearizability,
    /// A sequential bug, which shows in every order of the threads.
    #[serde(rename = "SB")]
    Sequential,
}

/// A figure that a paper gives, to compare with.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Figure {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// As the paper writes it.
    Text(String),
}

impl Family {
    pub(crate) fn parse(path: &str, text: &str) -> Result<Self, ZooError> {
        toml::from_str(text).map_err(|source| ZooError::Manifest {
            path: path.to_owned(),
            source: Box::new(source),
        })
    }
}
