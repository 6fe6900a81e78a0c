//! What an investigation covered, in the words of the report.

use super::annotate::Annotator;
use crate::investigate::{Investigation, TRIAL_EXECUTIONS};
use crate::long_clients::LongClients;
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::{FaultKind, MemoryModel};
use linspect_core::history::History;
use linspect_core::machine::Subject;
use linspect_core::property::Property;
use linspect_core::spec::Unfit;
use linspect_core::verdict::{Limit, Verdict};
use linspect_explore::promise::{Depth, Promise, PromisedLevel};
use linspect_explore::search::{
    Beyond, Bound, Coverage, Covered, Kept, Ledger, LedgerEntry, Note, Plan, Stopped, explore,
};
use linspect_report::finding::{self, Checked, Finding};
use linspect_report::terminal::grouped;
use std::collections::BTreeMap;

/// What part of what is left may be taken to tell what the smallest test covers: one line of the report, which must not hold it up.
const SHARE: u32 = 8;

/// What verdicts call sequential consistency.
const SC: &str = "SC";
/// What verdicts call the memory model of C++20, C and Rust as it is explored.
const C20: &str = "C20, no load buffering";

/// The operations that are promised where there are not too many clients.
const USUAL_OPERATIONS: usize = 4;

/// What was explored under SC is all that there is under C20.
pub(crate) fn rename_model(coverage: &mut finding::Coverage) {
    let (finding::Coverage::Exhausted { memory_model, .. }
    | finding::Coverage::Bounded { memory_model, .. }
    | finding::Coverage::Sampled { memory_model, .. }) = coverage
    else {
        return;
    };
    if let Some(rest) = memory_model.strip_prefix(SC) {
        *memory_model = format!("{C20}{rest}");
    }
}

/// Says that nobody wakes by himself in what was explored.
pub(crate) fn say_without_spurious(coverage: &mut finding::Coverage) {
    if let finding::Coverage::Exhausted { memory_model, .. }
    | finding::Coverage::Bounded { memory_model, .. }
    | finding::Coverage::Sampled { memory_model, .. } = coverage
    {
        memory_model.push_str(", no spurious wake-ups");
    }
}

/// What another finding about the same program, of which nothing is wrong either, adds to one: what `other` was explored for had a share of the time.
pub(crate) fn explored_beside(other: Finding, of: &str) -> finding::ExploredBeside {
    let mut coverage = other.coverage;
    // That is no limit that anybody set.
    if let finding::Coverage::Bounded { bound, .. } = &mut coverage {
        let limit = format!("then {}", Limit::Time);
        let used = format!("then the share of the time for {of} was used up");
        *bound = bound.replace(&limit, &used);
    }
    finding::ExploredBeside {
        coverage,
        undecided: match other.verdict {
            finding::Verdict::Unknown { reason } => Some(reason),
            _ => None,
        },
    }
}

impl Investigation<'_> {
    /// What to say when every run was good: it holds if the promise was kept.
    pub(crate) fn nothing_found(
        &self,
        kept: &Kept,
        promise: &Promise,
        checked: Checked,
    ) -> Finding {
        let mut finding = Finding::of_history(&History::new(), &Verdict::Holds(None), checked);
        finding.coverage = self.explored(kept, promise);
        finding.clients = sizes(&kept.ledger);
        let interrupted = kept.stopped == Some(Stopped::Limit(Limit::Interrupted));
        let reason = match kept.ledger.broken(promise) {
            Some(level) => self.broken(kept, level),
            None if interrupted => Limit::Interrupted.to_string(),
            None => match self.steps_bound(kept, promise) {
                Some(bound) => format!("some runs were cut: {bound}"),
                None if kept.ledger.excluded() == kept.ledger.entries.len() => {
                    finding::Verdict::NO_RUN_IS_LEFT.to_owned()
                }
                None => return finding,
            },
        };
        finding.verdict = finding::Verdict::Unknown { reason };
        finding
    }

    /// The bound on steps at which runs that were promised whole were cut, if any were.
    fn steps_bound(&self, kept: &Kept, promise: &Promise) -> Option<Bound> {
        if self.effort.method.depth() == Depth::Sampled {
            return None;
        }
        let levels = promise.levels.iter();
        let steps = levels.filter_map(|level| kept.ledger.fewest_steps(*level));
        steps.min().map(Bound::StepsPerThread)
    }

    /// What was explored.
    fn explored(&self, kept: &Kept, promise: &Promise) -> finding::Coverage {
        let ledger = &kept.ledger;
        let method = self.effort.method;
        let memory_model = self.memory_model();
        let alone = ledger.next.is_none() && ledger.entries.len() == 1;
        let beyond = kept.beyond.filter(|beyond| beyond.clients > 0);
        let executions = ledger.executions() + beyond.map_or(0, |b| b.executions);
        let whole = |e: &LedgerEntry| e.covered == Covered::Exhausted && e.cut.is_none();
        if alone && whole(&ledger.entries[0]) {
            return finding::Coverage::Exhausted {
                executions,
                retries_cut: ledger.entries[0].retries_cut,
                memory_model,
            };
        }
        let mut parts = match self.effort.long {
            Some(LongClients {
                threads,
                operations,
            }) => vec![format!(
                "{} random clients of {threads} threads with {operations} operations each",
                ledger
                    .entries
                    .iter()
                    .filter(|e| e.covered != Covered::No)
                    .count()
            )],
            None if alone && !ledger.entries[0].covered.is(method.depth()) => {
                vec![self.in_part(&ledger.entries[0])]
            }
            None => covered(ledger, promise, method.depth()),
        };
        let unfinished =
            ledger.next.is_some() || ledger.entries.iter().any(|e| !e.covered.is(method.depth()));
        if let Some(reason) = kept.stopped.filter(|_| unfinished) {
            parts.push(format!("then {}", self.why(kept, reason)));
        }
        if promise.usual && promise.operations() < USUAL_OPERATIONS {
            parts.push(format!(
                "no more than {} operations are promised, for there are over {} larger clients",
                promise.operations(),
                Promise::enough_clients() - 1
            ));
        }
        parts.extend(kept.turned_back.map(turned_back));
        parts.extend(beyond.map(|beyond| said(beyond, alone)));
        let said = parts.join("; ");
        match method.depth() {
            Depth::Sampled => finding::Coverage::Sampled {
                executions,
                memory_model,
                seed: method.seed(),
                guarantee: said,
            },
            Depth::Exhausted | Depth::States | Depth::Preemptions(_) => {
                finding::Coverage::Bounded {
                    executions,
                    memory_model,
                    bound: said,
                }
            }
        }
    }

    /// What of the only client was covered, of which not all schedules were run.
    fn in_part(&self, entry: &LedgerEntry) -> String {
        let part = match entry.covered {
            Covered::Preemptions(most) => format!(", but all with at most {most} preemptions"),
            Covered::States(all) => format!(
                ", but all {} states, data races only in these executions",
                grouped(all)
            ),
            Covered::No | Covered::Sampled | Covered::Exhausted => String::new(),
        };
        let steps = match entry.cut {
            Some(most) => format!(" and at most {most} steps per thread"),
            None => String::new(),
        };
        format!("not all schedules of this {}{part}{steps}", self.noun())
    }

    /// Why a level of the promise was not kept.
    fn broken(&self, kept: &Kept, level: PromisedLevel) -> String {
        let ledger = &kept.ledger;
        let reason = kept.stopped.map(|reason| self.why(kept, reason));
        let unjudged = || kept.unjudged.map(unjudged);
        let reason = reason.or_else(unjudged);
        let reason = reason.unwrap_or_else(|| "not everything could be judged".into());
        if ledger.entries.is_empty() && ledger.next.is_none() {
            return "there is no client of at least two threads".into();
        }
        if level.operations == usize::MAX {
            return reason;
        }
        let of = match ledger.has_all(level) {
            true => format!(" of {}", ledger.of(level).count()),
            false => String::new(),
        };
        format!(
            "{reason} when {}{of} clients of {} were covered{}, and all are promised",
            ledger.covered(level),
            size(ledger, level),
            match level.depth {
                Depth::Preemptions(most) => format!(" with at most {most} preemptions"),
                Depth::Exhausted | Depth::States | Depth::Sampled => String::new(),
            }
        )
    }

    /// Why a search ended, in words.
    fn why(&self, kept: &Kept, reason: Stopped) -> String {
        match reason {
            Stopped::Machine => self.bound(&kept.notes),
            other => other.to_string(),
        }
    }

    /// What is explored where it is one.
    fn noun(&self) -> &'static str {
        match self.code.is_program() {
            true => "program",
            false => "client",
        }
    }

    /// What one run covers.
    pub(crate) fn one_schedule(&self) -> finding::Coverage {
        finding::Coverage::Bounded {
            executions: 1,
            memory_model: self.memory_model(),
            bound: "one schedule".into(),
        }
    }

    /// Which bound of the machine a run reached, and where.
    fn bound(&self, notes: &[Note]) -> String {
        let faults = notes.iter().filter_map(|note| match &note.found.kind {
            Defect::Fault(fault) if fault.kind == FaultKind::Limit => Some(fault),
            _ => None,
        });
        let annotator = Annotator::new(self.code);
        let places = faults.map(|fault| match (fault.site, &fault.message) {
            (0, message) => message.clone(),
            (site, message) => format!("{}: {message}", annotator.place(site)),
        });
        places
            .last()
            .unwrap_or_else(|| Stopped::Machine.to_string())
    }

    pub(crate) fn memory_model(&self) -> String {
        let allocator = match self.code.settings().reuse {
            linspect_vm::Reuse::Lifo => "reuse",
            linspect_vm::Reuse::Fresh => "fresh",
            linspect_vm::Reuse::Both => "reuse and fresh",
        };
        let threads = match self.code.starts_threads() {
            true => "",
            false => ", no thread is started",
        };
        let numbers = match self.code.narrows() {
            true => ", unknown numbers 0 to 3, -1 and the extremes",
            false => "",
        };
        let cpus = match self.code.settings().cpus {
            1 => ", one processor",
            _ => "",
        };
        let model = match self.code.memory_model() {
            MemoryModel::Sc => SC,
            MemoryModel::C20 => C20,
        };
        let spurious = match self.code.settings().spurious && !self.is_weak() {
            true => ", one spurious wake-up or delay per thread",
            false => "",
        };
        let declared = match &self.effort.declared[..] {
            [] => String::new(),
            declared => format!("; as the harness says: {}", declared.join(", ")),
        };
        format!("{model}, allocator {allocator}{cpus}{spurious}{threads}{numbers}{declared}")
    }

    /// What the report says was covered: the smallest test with all its schedules. Nothing if it cannot be explored.
    pub(crate) fn coverage<P: Property>(
        &self,
        client: &Client,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> Option<finding::Coverage> {
        let memory_model = self.memory_model();
        let plan = Plan {
            executions: Some(TRIAL_EXECUTIONS),
            keep_going: true,
            ..Plan::exhaustive()
        };
        let share = budget.share(SHARE);
        let budget = share.as_deref().unwrap_or(budget);
        let explored = property(client)
            .ok()
            .and_then(|p| explore(self.code, client.clone(), p, &plan, budget, &|_, _| {}).ok());
        let coverage = explored?.coverage;
        if coverage.executions() == 0 {
            return None;
        }
        Some(match coverage {
            Coverage::Exhausted {
                executions,
                retries_cut,
            } => finding::Coverage::Exhausted {
                executions,
                retries_cut,
                memory_model,
            },
            coverage => finding::Coverage::Bounded {
                executions: coverage.executions(),
                memory_model,
                bound: format!("not all schedules of this {}", self.noun()),
            },
        })
    }

    /// What the search covered until it found something.
    pub(crate) fn until_found(&self, executions: u64) -> finding::Coverage {
        finding::Coverage::Bounded {
            executions,
            memory_model: self.memory_model(),
            bound: "until the first error".into(),
        }
    }
}

/// The levels that were covered, the largest of all threads first, and no level that another one contains.
fn covered(ledger: &Ledger, promise: &Promise, depth: Depth) -> Vec<String> {
    let mut kept: Vec<PromisedLevel> = ledger.largest(depth).into_iter().collect();
    let threads = ledger.entries.iter().map(|e| e.client.threads.len()).max();
    for level in promise.levels.iter().rev() {
        let level = PromisedLevel {
            threads: level.threads.min(threads.unwrap_or(0)),
            ..*level
        };
        if ledger.keeps(level) && !kept.iter().any(|other| contains(ledger, other, &level)) {
            kept.push(level);
        }
    }
    if kept.is_empty() || ledger.entries.is_empty() {
        let done = ledger
            .entries
            .iter()
            .filter(|e| e.covered.is(depth))
            .count();
        let of = match ledger.next {
            None => format!(" of {}", ledger.entries.len()),
            Some(_) => String::new(),
        };
        let clients = match (done, &ledger.next) {
            (1, Some(_)) => "1 client".to_owned(),
            _ => format!("{done}{of} clients"),
        };
        return vec![clients];
    }
    let warm_up = promise.warm_up.as_deref().unwrap_or_default();
    let said = kept.iter().map(|level| words(ledger, *level, warm_up));
    let mut said: Vec<String> = said.collect();
    said.dedup();
    said
}

/// Whether every client of `level` that there is belongs to `other` and is covered there as thoroughly.
fn contains(ledger: &Ledger, other: &PromisedLevel, level: &PromisedLevel) -> bool {
    let as_thorough = match (other.depth, level.depth) {
        (Depth::Exhausted, _) | (_, Depth::Sampled) | (Depth::States, Depth::States) => true,
        (Depth::Preemptions(most), Depth::Preemptions(asked)) => most >= asked,
        _ => false,
    };
    let belongs = |entry: &LedgerEntry| {
        other.asks(&entry.client) && (level.warm || !entry.is_warm_only(*other))
    };
    as_thorough && ledger.of(*level).all(belongs)
}

/// The clients that were run, by size.
fn sizes(ledger: &Ledger) -> Vec<finding::Clients> {
    let mut sizes: BTreeMap<(usize, usize), finding::Clients> = BTreeMap::new();
    for entry in &ledger.entries {
        let (threads, operations) = (entry.client.threads.len(), entry.client.size());
        let size = sizes
            .entry((threads, operations))
            .or_insert(finding::Clients {
                threads: threads as u64,
                operations: operations as u64,
                clients: 0,
                exhausted: 0,
                in_part: 0,
                executions: 0,
            });
        size.clients += 1;
        size.executions += entry.executions;
        match entry.covered {
            Covered::Exhausted if entry.cut.is_none() => size.exhausted += 1,
            Covered::No if entry.warm == Covered::No => {}
            Covered::No
            | Covered::Exhausted
            | Covered::States(_)
            | Covered::Preemptions(_)
            | Covered::Sampled => size.in_part += 1,
        }
    }
    sizes.into_values().collect()
}

/// How large the clients of a level are. What comes before the threads counts, so there can be larger clients than those whose operations are all concurrent.
fn size(ledger: &Ledger, level: PromisedLevel) -> String {
    let PromisedLevel {
        operations,
        threads,
        ..
    } = level;
    let concurrent = |e: &LedgerEntry| e.client.threads.iter().map(Vec::len).sum::<usize>();
    let concurrent = ledger.of(level).map(concurrent).max();
    match concurrent.filter(|n| *n < operations) {
        Some(n) => {
            format!("at most {operations} operations, {n} of them concurrent, in {threads} threads")
        }
        None => format!("at most {operations} operations in {threads} threads"),
    }
}

/// A level that was covered, of an object whose threads warm up so, if they do.
fn words(ledger: &Ledger, level: PromisedLevel, warm_up: &str) -> String {
    let clients = match ledger.entries.len() {
        1 => "this client".to_owned(),
        _ => format!(
            "all {} clients of {}",
            ledger.of(level).count(),
            size(ledger, level)
        ),
    };
    let steps = match ledger.fewest_steps(level) {
        Some(most) => format!(" with at most {most} steps per thread"),
        None => String::new(),
    };
    let warm = ledger.of(level).filter(|e| e.is_warm_only(level)).count();
    let warm = match warm {
        0 => String::new(),
        n => {
            format!(" ({n} of them only with threads that had called {warm_up} before, each alone)")
        }
    };
    match level.depth {
        Depth::Exhausted => format!("{clients}, each exhausted{steps}{warm}"),
        Depth::States => format!(
            "{clients}, all {} states, data races only in these executions",
            grouped(states(ledger, level))
        ),
        Depth::Preemptions(most) => format!("{clients}, at most {most} preemptions{steps}{warm}"),
        Depth::Sampled => format!("{clients}{steps}"),
    }
}

/// How many states the clients of a level have, those that were explored by their states.
fn states(ledger: &Ledger, level: PromisedLevel) -> u64 {
    let states = |entry: &LedgerEntry| match entry.covered {
        Covered::States(all) => all,
        _ => 0,
    };
    ledger.of(level).map(states).sum()
}

fn turned_back(executions: u64) -> String {
    let executions = grouped(executions);
    format!("{executions} executions that turn back in known states")
}

fn said(beyond: Beyond, alone: bool) -> String {
    let executions = grouped(beyond.executions);
    let clients = match beyond.clients {
        1 if alone => "it".to_owned(),
        1 => "1 more client".to_owned(),
        n => format!("{n} more clients"),
    };
    format!("{executions} random executions of {clients}")
}

/// Why the executions of a client say less than all of it, in words.
fn unjudged(bound: Bound) -> String {
    match bound {
        Bound::CutReads => "a data race could hide in attempts that fail and are made again, where memory that others write is read plainly".into(),
        Bound::LateEnds => "the process may end while threads go round for ever, and how it ends then was not seen".into(),
        other => format!("only {other} could be judged"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::verdict::Criterion;

    /// Nobody set the limit that ends what is explored beside sequential consistency.
    #[test]
    fn a_share_that_is_used_up_is_no_limit_that_was_reached() {
        let explored = |end: &str| {
            let checked = Checked::new("a.rs", "queue", Criterion::Linearizable);
            let mut weak = Finding::of_history(&History::new(), &Verdict::Holds(None), checked);
            weak.coverage = finding::Coverage::Bounded {
                executions: 7,
                memory_model: "C20".into(),
                bound: format!("all 3 clients; then {end}"),
            };
            match explored_beside(weak, "weaker orderings").coverage {
                finding::Coverage::Bounded { bound, .. } => bound,
                _ => unreachable!("the kind of coverage stays"),
            }
        };
        let time = explored("the time limit was reached");
        assert_eq!(
            time,
            "all 3 clients; then the share of the time for weaker orderings was used up"
        );
        let memory = explored("the memory limit was reached");
        assert_eq!(memory, "all 3 clients; then the memory limit was reached");
    }
}
