//! The failing run: steps and accesses.

use super::Span;
use crate::names;
use linspect_core::execution;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The failing run, step by step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Interleaving {
    /// All steps, in the order in which they ran; those that matter are marked.
    pub steps: Vec<Step>,
    /// The one different choice that saves the run, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contrast: Option<String>,
    /// What the threads are called, by number; whoever runs beside them is `main`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<String>,
    /// Whether no failing run of the test switches between threads less often.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fewest_switches: bool,
}

impl Interleaving {
    /// Who took a step, in the order of their numbers.
    pub fn running(&self) -> Vec<u32> {
        let threads: BTreeSet<u32> = self.steps.iter().map(|step| step.thread).collect();
        threads.into_iter().collect()
    }

    /// Whether some thread was in the middle of `block` while another took a step.
    pub fn interrupts(&self, block: &Span) -> bool {
        let lines = block.line..=block.last_line.max(block.line);
        let covers = |span: &&Span| span.file == block.file && lines.contains(&span.line);
        let line = |step: &Step| {
            let mut spans = step.span.iter().chain(&step.call);
            spans.find(covers).map(|span| span.line)
        };
        self.steps.iter().enumerate().any(|(at, step)| {
            let later = self.steps[at + 1..].iter().enumerate();
            let mut mine = later.filter(|(_, later)| later.thread == step.thread);
            let next = mine.find_map(|(n, later)| Some((n, later, line(later)?)));
            line(step)
                .zip(next)
                .is_some_and(|(begin, (n, later, end))| {
                    // A loop that comes back to its beginning is there anew.
                    n > 0 && begin <= end && later.operation == step.operation && {
                        let between = &self.steps[at + 1..=at + n];
                        between.iter().any(|step| step.thread != later.thread)
                    }
                })
        })
    }

    /// How often another thread goes on.
    pub fn switches(&self) -> usize {
        let pairs = self.steps.windows(2);
        pairs.filter(|w| w[0].thread != w[1].thread).count()
    }
}

/// One step of one thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Who took it, from 0.
    pub thread: u32,
    /// The operation of `history` that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<u32>,
    /// Where it stands in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// Where the operation's own code called the helper that it stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Span>,
    /// The source line, without its indentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What it accessed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accesses: Vec<Access>,
    /// What there is to say of it where that is no access: how it went wrong, or that it only returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether the run went wrong here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fault: bool,
    /// Whether the result depends on it; other steps are left out of the slice.
    pub matters: bool,
    /// What holds after it and is needed for the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant: Option<String>,
    /// The object's state after it as the harness prints it, where that has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// What threads may still read after it although it is no longer the newest, where that has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub older: Option<Vec<Older>>,
}

/// What a thread may still read although it is no longer the newest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Older {
    /// Who, from 0.
    pub thread: u32,
    /// Of what, by a stable name.
    pub variable: String,
    /// The values, oldest first.
    pub values: Vec<String>,
}

impl Step {
    /// What it did, in values: `head := node#2`; nothing if that is not known.
    pub fn effect(&self) -> String {
        match (&self.note, self.accesses.first()) {
            (Some(note), _) => note.clone(),
            (None, Some(access)) => access.effect(),
            (None, None) => String::new(),
        }
    }

    /// Whether its thread wakes in it though nobody wakes it.
    pub fn wakes_alone(&self) -> bool {
        let mut accesses = self.accesses.iter();
        accesses.any(|access| access.action == Action::SpuriousWake)
    }

    /// Whether its thread is late in it.
    pub fn is_late(&self) -> bool {
        let mut accesses = self.accesses.iter();
        accesses.any(|access| access.action == Action::Delay)
    }

    /// Whether it accesses what a library keeps for itself.
    pub(crate) fn is_internal(&self) -> bool {
        self.note.as_deref() == Some("")
    }

    /// The source line and what it did, on one line.
    pub fn text(&self) -> String {
        let (source, effect) = (self.source.as_deref().unwrap_or(""), self.effect());
        match (source.is_empty(), effect.is_empty()) {
            (false, false) => format!("{source}   {effect}"),
            _ => format!("{source}{effect}"),
        }
    }
}

/// One access to memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// What was accessed, by a stable name: `head`, `node#2.next`.
    pub variable: String,
    /// How.
    pub action: Action,
    /// Its value afterwards; empty where a library keeps it for itself.
    pub value: String,
}

/// What a thread does that wakes by itself.
const SPURIOUS: &str = "wakes though nobody woke it (a condition may)";

/// What it means that a thread is late.
const LATE: &str = "is late: an hour has passed when it asks for the time";

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Reads and writes in one step.
    Update,
    /// A compare-exchange that succeeded.
    CasOk,
    /// A compare-exchange that failed.
    CasFail,
    /// A compare-exchange that failed though it found what it expected.
    CasGiveUp,
    /// Takes a lock.
    Lock,
    /// Finds a lock taken.
    LockFail,
    /// Gives a lock back.
    Unlock,
    /// Begins to wait.
    Wait,
    /// Wakes who waits.
    Wake,
    /// Wakes though nobody woke it.
    SpuriousWake,
    /// Is late: much time has passed when it asks for it.
    Delay,
    /// Starts a thread.
    Spawn,
    /// Waits for the end of a thread.
    Join,
    /// A fence.
    Fence,
    /// Ends the process.
    Exit,
    /// Frees memory.
    Free,
    /// Counts one more owner.
    CountIn,
    /// Counts one owner less.
    CountOut,
}

impl From<Action> for execution::Action {
    fn from(action: Action) -> Self {
        match action {
            Action::Read => Self::Read,
            Action::Write => Self::Write,
            Action::Update => Self::Update,
            Action::CasOk => Self::CasOk,
            Action::CasFail | Action::CasGiveUp => Self::CasFail,
            Action::Lock => Self::Lock,
            Action::LockFail => Self::LockFail,
            Action::Unlock => Self::Unlock,
            Action::Wait => Self::Wait,
            Action::Wake => Self::Wake,
            Action::SpuriousWake => Self::SpuriousWake,
            Action::Delay => Self::Delay,
            Action::Spawn => Self::Spawn,
            Action::Join => Self::Join,
            Action::Fence => Self::Fence,
            Action::Exit => Self::Exit,
            Action::Free => Self::Free,
            Action::CountIn | Action::CountOut => Self::Tally,
        }
    }
}

impl Action {
    /// Whether it may change what others read, as in the run itself.
    pub fn writes(self) -> bool {
        execution::Action::from(self).writes()
    }

    /// Whether it looks at what is there.
    pub fn reads(self) -> bool {
        matches!(
            self,
            Self::Read | Self::Update | Self::CasOk | Self::CasFail | Self::CasGiveUp
        )
    }

    /// Whether what it accesses has a value worth showing.
    pub fn has_value(self) -> bool {
        execution::Action::from(self).touches_memory()
    }

    /// Whether it is about data, not about who may go on.
    pub fn is_data(self) -> bool {
        matches!(
            self,
            Self::Read
                | Self::Write
                | Self::Update
                | Self::CasOk
                | Self::CasFail
                | Self::CasGiveUp
                | Self::Free
        )
    }
}

impl Access {
    /// Whether it may have changed what it accessed.
    pub fn writes(&self) -> bool {
        self.action.writes()
    }

    /// What it did, in a few words and values.
    pub fn effect(&self) -> String {
        let value = names::value(&self.value);
        let Some(variable) = names::variable(&self.variable) else {
            return self.unnamed_effect(&value);
        };
        match self.action {
            Action::Read if value.is_empty() => format!("reads {variable}"),
            Action::Write if value.is_empty() => format!("changes {variable}"),
            Action::Read => format!("{variable} is {value}"),
            Action::Write | Action::Update => format!("{variable} := {value}"),
            Action::CasOk => format!("{variable} := {value}"),
            Action::CasFail => format!("fails: {variable} is {value}"),
            Action::CasGiveUp => {
                format!("fails without reason: {variable} is {value}, as expected")
            }
            Action::Lock => format!("locks {variable}"),
            Action::LockFail => format!("finds {variable} locked"),
            Action::Unlock => format!("unlocks {variable}"),
            Action::Wait => format!("waits on {variable}"),
            Action::Wake => format!("wakes who waits on {variable}"),
            Action::SpuriousWake => SPURIOUS.into(),
            Action::Delay => LATE.into(),
            Action::Spawn => "starts a thread".into(),
            Action::Join => "joins a thread".into(),
            Action::Fence => "fence".into(),
            Action::Exit => "ends the process".into(),
            Action::Free => format!("frees {}", names::whole(&variable)),
            Action::CountIn => format!("counts one more owner in {variable}"),
            Action::CountOut => format!("counts itself out of {variable}"),
        }
    }

    /// The same for memory that has no name.
    fn unnamed_effect(&self, value: &str) -> String {
        if self.action.is_data() && value.starts_with("a pointer") {
            return String::new();
        }
        match self.action {
            Action::Read => format!("reads {value}"),
            Action::Write | Action::Update => format!("writes {value}"),
            Action::CasOk => format!("swaps in {value}"),
            Action::CasFail => format!("fails: finds {value}"),
            Action::CasGiveUp => format!("fails without reason: finds {value}, as expected"),
            Action::Lock => "takes a lock".into(),
            Action::LockFail => "finds a lock taken".into(),
            Action::Unlock => "gives a lock back".into(),
            Action::Wait => "waits".into(),
            Action::Wake => "wakes who waits".into(),
            Action::SpuriousWake => SPURIOUS.into(),
            Action::Delay => LATE.into(),
            Action::Spawn => "starts a thread".into(),
            Action::Join => "joins a thread".into(),
            Action::Fence => "fence".into(),
            Action::Exit => "ends the process".into(),
            Action::Free => "frees memory".into(),
            Action::CountIn => "counts one more owner".into(),
            Action::CountOut => "counts one owner less".into(),
        }
    }
}
