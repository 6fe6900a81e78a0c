//! What the later steps of the pipeline add to a finding.
//!
//! Only what every report needs is fixed here: texts, values and source positions. How a step came to
//! know them stays with that step.

use crate::names;
use linspect_core::project::{Origin, Projection};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// A test case: a sequential prefix, threads, a sequential suffix. Its failing run is the finding's `history`, and calls
/// are named by their operation there; a call that was never made is not listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MinimalTest {
    /// Calls made before the threads start.
    pub before: Vec<u32>,
    /// What each thread calls.
    pub threads: Vec<Vec<u32>>,
    /// Calls made when all threads have ended.
    pub after: Vec<u32>,
    /// Whether the removal of each operation was tried exhaustively, so that none can go.
    pub certified: bool,
    /// The same test as source code to paste into a project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl MinimalTest {
    /// How sure it is that this is the smallest test, and whether the threads show the fault by themselves, in words.
    pub fn promise(&self) -> String {
        let sure = if self.certified {
            "certified: no operation can be removed"
        } else {
            "not certified: not every smaller one was exhausted"
        };
        let late = if self.after.is_empty() {
            ""
        } else {
            "; only the calls after reveal the fault"
        };
        format!("{sure}{late}")
    }

    /// The test whose failing run was projected to `projection`, with this many threads.
    pub fn of(projection: &Projection, threads: usize, certified: bool) -> Self {
        let mut test = Self {
            before: Vec::new(),
            threads: vec![Vec::new(); threads],
            after: Vec::new(),
            certified,
            source: None,
        };
        for (id, origin) in (0..).zip(&projection.origins) {
            match origin {
                Origin::Before(_) => test.before.push(id),
                Origin::Thread(activation) => {
                    test.threads[usize::from(activation.thread)].push(id);
                }
                Origin::After(_) => test.after.push(id),
            }
        }
        test
    }
}

/// Clients of one size, and how thoroughly they were run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Clients {
    /// How many threads each has.
    pub threads: u64,
    /// How many operations each has.
    pub operations: u64,
    /// How many there were.
    pub clients: u64,
    /// Of how many all schedules were run.
    pub exhausted: u64,
    /// Of how many more all schedules were run that have few preemptions, or random ones.
    pub in_part: u64,
    /// How many executions that took.
    pub executions: u64,
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The first line, from 1.
    pub line: u32,
    /// The last line.
    pub last_line: u32,
    /// The function, in the source's words.
    pub function: String,
}

impl fmt::Display for Span {
    /// `list.rs:63`, `list.rs:63–64`: the file without its directories.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file_name(), self.line)?;
        if self.last_line > self.line {
            write!(f, "–{}", self.last_line)?;
        }
        Ok(())
    }
}

impl Span {
    /// The file without its directories.
    pub fn file_name(&self) -> &str {
        self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file)
    }

    /// The file, the first line and the last.
    pub fn lines(&self) -> (&str, u32, u32) {
        (&self.file, self.line, self.last_line.max(self.line))
    }

    /// The function without its path, arguments and type parameters: `remove`.
    pub fn short_function(&self) -> &str {
        bare(&self.function).1
    }

    /// The type that the function belongs to: `LockFreeSet`.
    pub fn owner(&self) -> Option<&str> {
        let (owner, _) = bare(&self.function);
        owner.starts_with(char::is_uppercase).then_some(owner)
    }

    /// `spans` in the order of the source; those that touch within one function become one.
    pub fn merged(spans: &[Self]) -> Vec<Self> {
        let mut sorted = spans.to_vec();
        sorted.sort_by(|a, b| (&a.file, a.line, a.last_line).cmp(&(&b.file, b.line, b.last_line)));
        let mut merged: Vec<Self> = Vec::new();
        for span in sorted {
            match merged.last_mut() {
                Some(last)
                    if last.file == span.file
                        && last.function == span.function
                        && span.line.saturating_sub(1) <= last.last_line.max(last.line) =>
                {
                    last.last_line = last
                        .last_line
                        .max(last.line)
                        .max(span.last_line)
                        .max(span.line);
                }
                _ => merged.push(span),
            }
        }
        merged
    }
}

/// The path of a function and its name, both without arguments, type parameters and closures.
fn bare(function: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    let mut parts: Vec<(usize, usize)> = vec![(0, 0)];
    for (at, c) in function.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => break,
            ':' if depth == 0 => parts.push((at + 1, at + 1)),
            _ if depth == 0 => {
                if let Some(part) = parts.last_mut() {
                    part.1 = at + c.len_utf8();
                }
            }
            _ => {}
        }
    }
    let text = |&(from, to): &(usize, usize)| function[from..to].split('<').next().unwrap_or("");
    let is_name = |part: &&str| !part.is_empty() && !part.starts_with('{');
    let mut names = parts.iter().map(text).filter(is_name).rev();
    let name = names.next().unwrap_or("");
    (names.next().unwrap_or(""), name)
}

/// Two accesses that race: one writes, one is not atomic, and nothing orders them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DataRace {
    /// What both access, by a stable name.
    pub variable: String,
    /// The two, in the order of the run that shows them.
    pub accesses: Vec<RacingAccess>,
    /// What does not order them, as a sentence.
    pub unordered: String,
    /// How to see it happen again.
    pub replay: Replay,
}

/// One of two accesses that race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RacingAccess {
    /// What the thread is called.
    pub thread: String,
    /// What it does: `reads it`.
    pub does: String,
    /// Where it stands in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

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
    /// Its value afterwards.
    pub value: String,
}

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

impl Action {
    /// Whether it may change what it accesses.
    pub fn writes(self) -> bool {
        !matches!(self, Self::Read | Self::CasFail | Self::Fence)
    }

    /// Whether it looks at what is there.
    pub fn reads(self) -> bool {
        matches!(
            self,
            Self::Read | Self::Update | Self::CasOk | Self::CasFail
        )
    }

    /// Whether what it accesses has a value worth showing.
    pub fn has_value(self) -> bool {
        !matches!(self, Self::Spawn | Self::Join | Self::Fence | Self::Exit)
    }

    /// Whether it is about data, not about who may go on.
    pub fn is_data(self) -> bool {
        matches!(
            self,
            Self::Read | Self::Write | Self::Update | Self::CasOk | Self::CasFail | Self::Free
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
            Action::Read => format!("{variable} is {value}"),
            Action::Write | Action::Update => format!("{variable} := {value}"),
            Action::CasOk => format!("{variable} := {value}, swapped"),
            Action::CasFail => format!("{variable} is {value}, swap fails"),
            Action::Lock => format!("locks {variable}"),
            Action::LockFail => format!("finds {variable} locked"),
            Action::Unlock => format!("unlocks {variable}"),
            Action::Wait => format!("waits on {variable}"),
            Action::Wake => format!("wakes who waits on {variable}"),
            Action::Spawn => "starts a thread".into(),
            Action::Join => "joins a thread".into(),
            Action::Fence => "fence".into(),
            Action::Exit => "ends the process".into(),
            Action::Free => format!("frees {variable}"),
            Action::CountIn => format!("counts one more owner in {variable}"),
            Action::CountOut => format!("counts itself out of {variable}"),
        }
    }

    /// The same for memory that has no name.
    fn unnamed_effect(&self, value: &str) -> String {
        match self.action {
            Action::Read => format!("reads {value}"),
            Action::Write | Action::Update => format!("writes {value}"),
            Action::CasOk => format!("swaps in {value}"),
            Action::CasFail => format!("finds {value}, swap fails"),
            Action::Lock => "takes a lock".into(),
            Action::LockFail => "finds a lock taken".into(),
            Action::Unlock => "gives a lock back".into(),
            Action::Wait => "waits".into(),
            Action::Wake => "wakes who waits".into(),
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

/// A decisive race: who goes first decides how the run can end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Race {
    /// The step of the interleaving at which it was decided, from 0.
    pub step: u32,
    /// The competitors; exactly one of them went first in this run.
    pub sides: Vec<Side>,
}

/// One competitor of a race, and what follows if it goes first, as verified by execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Who it is.
    pub thread: u32,
    /// What it would do: `CAS(head, 1 → 2)`.
    pub text: String,
    /// Where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// Whether it went first in this run.
    pub taken: bool,
    /// How many continuations then end well. Where there are too many for 64 bits, both numbers are divided by the same power of two; the largest
    /// 64-bit number stands for more than could be counted.
    pub good: u64,
    /// How many end badly.
    pub bad: u64,
}

/// More continuations than this are told as a share of all.
const COUNTED: u64 = 1_000_000;

impl Side {
    /// What follows if it goes first, in words.
    pub fn promise(&self) -> String {
        let all = self.good.saturating_add(self.bad);
        match (self.good, self.bad) {
            (_, 0) => "every continuation is correct".into(),
            (0, _) => "every continuation fails".into(),
            (u64::MAX, _) | (_, u64::MAX) => "some continuations fail".into(),
            (_, bad) if all <= COUNTED => format!("{bad} of {all} continuations fail"),
            (_, bad) => match bad as f64 / all as f64 {
                share if share < 0.001 => "fewer than 1 in 1000 continuations fail".into(),
                share if share < 0.01 => "fewer than 1 in 100 continuations fail".into(),
                share if share > 0.99 => "nearly every continuation fails".into(),
                share => format!("about {:.0} % of the continuations fail", share * 100.0),
            },
        }
    }
}

/// What to make atomic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Repairs {
    /// The repairs, best first; each was re-checked.
    pub found: Vec<Repair>,
    /// What else there is to say, such as that the object is wrong even when every method runs alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One way to make the violation impossible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Repair {
    /// The blocks that must each be one step.
    pub blocks: Vec<Span>,
    /// The statements of other threads that interfere.
    pub interfering: Vec<Span>,
    /// What was run with the repair in place, all of it clean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recheck: Option<Recheck>,
    /// What is known of it beyond the clients that it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<Validation>,
    /// The change in the idiom of the language, where its shape is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What else there is to say of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What was run with a repair in place, all of it clean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Recheck {
    /// How many clients: the failing one first.
    pub clients: u64,
    /// Whether all their executions were run.
    pub exhausted: bool,
    /// How many executions.
    pub executions: u64,
    /// Classes of correct executions before the repair.
    pub good: u64,
    /// How many of these it makes impossible.
    pub disabled: u64,
}

/// What is known of a repair beyond the clients that it was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Validation {
    /// How many other clients were run.
    pub clients: u64,
    /// Of how many all executions were run.
    pub exhausted: u64,
    /// How many operations the largest has.
    pub operations: u64,
    /// How many executions.
    pub executions: u64,
    /// How many clients are wrong even if each operation runs alone: they say nothing about the repair.
    #[serde(default)]
    pub serial: u64,
    /// Whether one of them still fails.
    #[serde(default)]
    pub fails: bool,
}

/// How to see it happen again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// The exact command.
    pub command: String,
    /// The token in it, which names the schedule.
    pub token: String,
    /// What was typed after `linspect test`, as far as it says what the program is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
}

/// Something that no correct program does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// What kind of wrong, such as `use after free` or `deadlock`.
    pub kind: String,
    /// In words, with the values.
    pub message: String,
    /// Where it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// The other place that belongs to it: the allocation of a leak, the free of a use after free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub related: Option<Span>,
    /// Where nobody can go on: who waits for what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<Wait>,
}

/// A thread that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// What the thread is called.
    pub thread: String,
    /// What for, as a phrase: `for b`.
    pub what: String,
    /// Who holds that, if it is a lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<String>,
    /// The locks that it holds itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<String>,
    /// Where it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
}

/// A source file as it was when the finding was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// The path, as spans name it.
    pub path: String,
    /// The text.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn functions_are_named_without_their_path() {
        for (function, owner, name) in [
            ("list_size", None, "list_size"),
            ("a::b::LockFreeSet::remove", Some("LockFreeSet"), "remove"),
            ("a::Stack<T>::pop", Some("Stack"), "pop"),
            ("a::Stack<T>::pop::{closure#0}", Some("Stack"), "pop"),
            (
                "Queue<int, std::less<int>>::push(int const&)",
                Some("Queue"),
                "push",
            ),
            ("map::get<u8>", None, "get"),
            ("", None, ""),
        ] {
            let span = Span {
                file: "a".into(),
                line: 1,
                last_line: 1,
                function: function.into(),
            };
            assert_eq!((span.owner(), span.short_function()), (owner, name));
        }
    }

    #[test]
    fn neighbouring_spans_become_one() {
        let span = |line, last_line, function: &str| Span {
            file: "a.c".into(),
            line,
            last_line,
            function: function.into(),
        };
        let spans = [
            span(9, 9, "g"),
            span(5, 5, "f"),
            span(4, 4, "f"),
            span(6, 7, "f"),
            span(8, 8, "g"),
        ];
        assert_eq!(Span::merged(&spans), [span(4, 7, "f"), span(8, 9, "g")]);
    }
}
