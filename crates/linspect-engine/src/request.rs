//! What is to be found out about a program, and how far to go.

use crate::long_clients::LongClients;
use crate::relaxation::Relax;
use crate::settings::RunSettings;
use crate::shard::{Archive, PartTask};
use crate::tree::TreeForm;
use linspect_diagnose::explain::Level;
use linspect_diagnose::localise::Granularity;
use linspect_explore::search::Method;
use linspect_explore::token::Token;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// What is to be found out, and how far to go.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where the finding comes from.
    pub task: Task,
    /// Whether the smallest k is asked for, for which the settings' `relax` could be.
    pub min_k: bool,
    /// This client only, as it is typed: `[push(1)] pop | push(2) pop [pop]`.
    pub client: Option<String>,
    /// How far to go.
    pub effort: Effort,
    /// How much the explanation takes into account; `None`: as much as it needs.
    pub level: Option<Level>,
    /// What was explored before, and where that goes which is explored now.
    pub archive: Option<Arc<Archive>>,
}

impl Default for Request {
    /// A search with everything as usual.
    fn default() -> Self {
        Self {
            task: Task::Search,
            min_k: false,
            client: None,
            effort: Effort::default(),
            level: None,
            archive: None,
        }
    }
}

impl Request {
    /// The option, if there is one, that asks for schedules: under C20 whole executions are explored, so it means sequential consistency.
    pub(super) fn only_schedules(&self) -> Option<&'static str> {
        let asked = [
            (self.effort.method != Method::Exhaustive, "--strategy"),
            (self.effort.long.is_some(), "--long"),
            (self.effort.tree.is_some(), "--tree"),
            (self.min_k, "--min-k"),
        ];
        let asked = asked.iter().find(|(is_asked, _)| *is_asked);
        asked.map(|(_, option)| *option)
    }

    /// How relaxed the object may be; nothing: not at all.
    pub(super) fn relax(&self, settings: &RunSettings) -> Option<Relax> {
        match self.min_k {
            true => Some(Relax::Least),
            false => settings.relax.map(Relax::By),
        }
    }
}

/// Where a finding comes from.
#[derive(Clone, Debug)]
pub enum Task {
    /// From clients, smallest first.
    Search,
    /// From clients under C20; if nothing is wrong, which orderings could be weaker.
    Orderings,
    /// From one run, seen again.
    Replay(Token),
    /// From one run, made smaller.
    Minimise(Token),
    /// From nowhere: only the clients are listed.
    List,
    /// From these clients, whatever others do; nothing is said of what is wrong with them.
    Explore(Range<usize>),
    /// From these parts of walks.
    Walk(Vec<PartTask>),
    /// From nowhere: only what an archive does not know is listed.
    Left,
}

/// How far to go.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Random clients instead of all small ones.
    pub long: Option<LongClients>,
    /// The most operations that run at once, if that was asked.
    pub operations: Option<usize>,
    /// The most threads, if that was asked.
    pub threads: Option<usize>,
    /// How schedules are chosen.
    pub method: Method,
    /// The most executions of one client, if that was asked.
    pub executions: Option<u64>,
    /// What counts as one event where the decisive races are named.
    pub granularity: Granularity,
    /// In which form the graph of all interleavings is wanted, if it is.
    pub tree: Option<TreeForm>,
    /// Processor time, on all processors together.
    pub budget: Option<Duration>,
    /// Bytes of the whole process.
    pub memory: usize,
    /// What of it the harness says, for the verdict: `budget = 10s`.
    pub declared: Vec<String>,
    /// Whether the harness says how schedules are chosen.
    pub method_is_declared: bool,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            long: None,
            operations: None,
            threads: None,
            method: Method::Exhaustive,
            executions: None,
            granularity: Granularity::All,
            tree: None,
            budget: Some(Duration::from_secs(30)),
            memory: 4 << 30,
            declared: Vec::new(),
            method_is_declared: false,
        }
    }
}
