//! How it happens: the failing run, told in the few rows that matter.
//!
//! A row is one visit of one source line. A row matters where threads meet: it reads what another thread wrote, or is
//! overwritten before the reader has gone on; where a repair is known, only what the repair is about counts. Rows that
//! repeat are told once. Each time another thread goes on, a rule says what it does.

use crate::finding::{Action, Finding, Interleaving, Span, Step, Verdict, Wait};
use std::collections::{BTreeMap, BTreeSet};

/// The rows, and out of how many steps they are.
pub(crate) struct Story<'a> {
    pub(crate) rows: Vec<Row<'a>>,
    /// How many rows of the run are told.
    pub(crate) told: usize,
    /// How many rows there are in all.
    pub(crate) all: usize,
}

/// One row.
pub(crate) enum Row<'a> {
    /// A visit of a source line.
    Visit(Visit<'a>),
    /// Another thread goes on: what it does.
    Switch {
        /// The thread that goes on.
        thread: u32,
        /// What it does, and what has changed meanwhile.
        text: String,
    },
    /// In the end a thread waits for ever.
    Waits(&'a Wait),
    /// Rows that are left out.
    Left(String),
}

/// One visit of a source line by one thread.
pub(crate) struct Visit<'a> {
    /// The numbers of its steps, from 0.
    pub(crate) first: usize,
    pub(crate) last: usize,
    pub(crate) thread: u32,
    pub(crate) span: Option<&'a Span>,
    pub(crate) source: &'a str,
    pub(crate) effect: String,
    pub(crate) fault: bool,
}

/// The story of `run` in about `most` rows.
pub(crate) fn story<'a>(finding: &'a Finding, run: &'a Interleaving, most: usize) -> Story<'a> {
    let visits = visits(run);
    let all = visits.len();
    let matters = matters(finding, run);
    let visits: Vec<Visit<'a>> = visits
        .into_iter()
        .filter(|visit| (visit.first..=visit.last).any(|at| matters[at]))
        .map(|visit| visit.with_effect(run, &matters))
        .collect();
    let told = visits.len();
    let switches = visits
        .windows(2)
        .filter(|w| w[0].thread != w[1].thread)
        .count();
    let ruled = switches <= RULED && told + switches <= most.max(RULED);
    let mut rows = Vec::new();
    let mut before: Option<u32> = None;
    for visit in visits {
        let switched = before.is_some_and(|thread| thread != visit.thread);
        before = Some(visit.thread);
        if switched && ruled {
            let text = goes_on(finding, run, &visit);
            rows.push(Row::Switch {
                thread: visit.thread,
                text,
            });
        }
        rows.push(Row::Visit(visit));
    }
    let mut rows = shorten(fold_rounds(rows), most);
    if let Verdict::Faulty { fault } = &finding.verdict {
        let waits = fault.waits.iter().filter(|wait| wait.span.is_some());
        rows.extend(waits.take(WAITS).map(Row::Waits));
    }
    Story { rows, told, all }
}

/// So many threads that wait are told of.
const WAITS: usize = 6;

/// More switches than these are not each given a rule.
const RULED: usize = 4;

/// Consecutive steps of one thread on one source line.
fn visits(run: &Interleaving) -> Vec<Visit<'_>> {
    let mut visits: Vec<Visit<'_>> = Vec::new();
    for (at, step) in run.steps.iter().enumerate() {
        let source = step.source.as_deref().unwrap_or("");
        let same = |visit: &Visit<'_>| {
            let before = &run.steps[visit.last];
            let place = |s: &Step| s.span.as_ref().map(|s| (s.file.clone(), s.line));
            before.thread == step.thread
                && before.operation == step.operation
                && step.span.is_some()
                && place(before) == place(step)
                && !visit.fault
                && !step.fault
        };
        match visits.last_mut().filter(|visit| same(visit)) {
            Some(visit) => {
                visit.last = at;
                visit.fault = step.fault;
            }
            None => visits.push(Visit {
                first: at,
                last: at,
                thread: step.thread,
                span: step.span.as_ref(),
                source,
                effect: String::new(),
                fault: step.fault,
            }),
        }
    }
    visits
}

impl Visit<'_> {
    /// The same with what its steps that matter did.
    fn with_effect(mut self, run: &Interleaving, matters: &[bool]) -> Self {
        let steps = (self.first..=self.last).filter(|&at| matters[at]);
        let mut effects: Vec<String> = Vec::new();
        for effect in steps.map(|at| run.steps[at].effect()) {
            if !effect.is_empty() && !effects.contains(&effect) {
                effects.push(effect);
            }
        }
        self.effect = effects.join(", ");
        // The source says what was asserted.
        if self.fault && self.effect.starts_with("assertion `") {
            self.effect = "fails".into();
        }
        self
    }
}

/// Which steps are told.
fn matters(finding: &Finding, run: &Interleaving) -> Vec<bool> {
    let steps = &run.steps;
    let blocks: Vec<&Span> = finding
        .repairs
        .iter()
        .filter_map(|repairs| repairs.found.first())
        .flat_map(|repair| &repair.blocks)
        .collect();
    let inside = |span: &Span| {
        let covers = |b: &&&Span| {
            b.file == span.file && (b.line..=b.last_line.max(b.line)).contains(&span.line)
        };
        blocks.iter().any(|b| covers(&b))
    };
    let in_block = |step: &Step| {
        step.span.as_ref().is_some_and(inside) || step.call.as_ref().is_some_and(inside)
    };
    // What the repair is about; everything where there is none.
    let about: BTreeSet<&str> = steps
        .iter()
        .filter(|step| in_block(step))
        .flat_map(|step| &step.accesses)
        .map(|access| access.variable.as_str())
        .collect();
    let counts = |variable: &str| about.is_empty() || about.contains(variable);
    let stuck = finding.is_stuck();
    let meets = meetings(steps, &counts, stuck);
    let keeps = match stuck {
        true => locks_kept(steps),
        false => BTreeSet::new(),
    };
    let racing = finding.racing_steps();
    let last_race = finding
        .races
        .iter()
        .flatten()
        .last()
        .map(|r| r.step as usize);
    let contended = |step: &Step| {
        let shared = |variable: &str| {
            let touch = |s: &&Step| s.accesses.iter().any(|a| a.variable == variable);
            let others = steps.iter().filter(|s| s.thread != step.thread);
            others.clone().any(|s| touch(&s))
        };
        step.accesses.iter().any(|a| shared(&a.variable))
    };
    let matters = |at: usize| {
        let step = &steps[at];
        if !racing.is_empty() {
            return racing.contains(&at);
        }
        let is_data = step.accesses.iter().any(|a| a.action.is_data());
        step.fault
            || meets.contains(&at)
            || keeps.contains(&at)
            || (about.is_empty() && last_race == Some(at))
            || (in_block(step) && step.matters && is_data && contended(step))
    };
    let told: Vec<bool> = (0..steps.len()).map(matters).collect();
    if told.contains(&true) {
        return told;
    }
    // One thread alone, or nobody could say what matters.
    let some = steps.iter().any(|step| step.matters);
    steps.iter().map(|step| !some || step.matters).collect()
}

/// The steps that take a lock which is not given back.
fn locks_kept(steps: &[Step]) -> BTreeSet<usize> {
    let mut taken: BTreeMap<(u32, &str), usize> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        for access in &step.accesses {
            let lock = (step.thread, access.variable.as_str());
            match access.action {
                Action::Lock => _ = taken.insert(lock, at),
                Action::Unlock => _ = taken.remove(&lock),
                _ => {}
            }
        }
    }
    taken.into_values().collect()
}

/// The steps at which one thread meets what another did: a write and the first and last of another's reads of it, a
/// read and the write that makes it out of date, a write and the one that overwrites it.
fn meetings(steps: &[Step], counts: &impl Fn(&str) -> bool, with_locks: bool) -> BTreeSet<usize> {
    #[derive(Default)]
    struct Cell {
        write: Option<(usize, u32)>,
        /// Per thread, its last read since.
        reads: BTreeMap<u32, usize>,
    }
    let mut cells: BTreeMap<&str, Cell> = BTreeMap::new();
    let mut met = BTreeSet::new();
    let mut last_read: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        for access in &step.accesses {
            let is_lock = matches!(
                access.action,
                Action::Lock | Action::LockFail | Action::Unlock
            );
            let told = access.action.is_data() || (with_locks && is_lock);
            if !told || !counts(&access.variable) {
                continue;
            }
            let cell = cells.entry(&access.variable).or_default();
            let foreign = cell.write.filter(|&(_, thread)| thread != step.thread);
            if access.action != Action::Write
                && let Some((write, _)) = foreign
            {
                met.insert(write);
                if last_read.insert((write, step.thread), at).is_none() {
                    met.insert(at);
                }
            }
            if access.writes() {
                let readers = cell
                    .reads
                    .iter()
                    .filter(|(thread, _)| **thread != step.thread);
                let readers: Vec<usize> = readers.map(|(_, &read)| read).collect();
                if !readers.is_empty() || foreign.is_some() {
                    met.insert(at);
                    met.extend(readers);
                    met.extend(foreign.map(|(write, _)| write));
                }
                cell.write = Some((at, step.thread));
                cell.reads.clear();
            } else {
                cell.reads.insert(step.thread, at);
            }
        }
    }
    met.extend(last_read.into_values());
    met
}

/// What the thread of `visit` does from there on, and what is out of date now.
fn goes_on(finding: &Finding, run: &Interleaving, visit: &Visit<'_>) -> String {
    let steps = &run.steps;
    let who = finding.client(visit.thread);
    // The steps that it takes without a break.
    let begin = (0..=visit.first)
        .rev()
        .take_while(|&at| steps[at].thread == visit.thread)
        .last()
        .unwrap_or(visit.first);
    let end = (visit.first..steps.len())
        .take_while(|&at| steps[at].thread == visit.thread)
        .last()
        .unwrap_or(visit.first);
    let ran_before = steps[..begin].iter().any(|s| s.thread == visit.thread);
    let call = |at: usize| {
        let operation = steps[at].operation?;
        Some((operation, finding.history.get(operation)?.call_text()))
    };
    let is_new = |operation: u32| {
        !steps[..begin]
            .iter()
            .any(|s| s.operation == Some(operation))
    };
    let is_over = |operation: u32| {
        !steps[end + 1..]
            .iter()
            .any(|s| s.operation == Some(operation))
    };
    match call(begin) {
        Some((operation, call)) if is_new(operation) => match is_over(operation) {
            true => format!("{who} runs {call} to its end"),
            false => format!("{who} begins {call}"),
        },
        _ if !ran_before => format!("{who} begins"),
        _ => match stale(run, begin, visit.thread) {
            Some(stale) => format!("back to {who}: {stale}"),
            None => format!("back to {who}"),
        },
    }
}

/// What `thread` read before step `from`, others have changed since, and it has not looked at again.
fn stale(run: &Interleaving, from: usize, thread: u32) -> Option<String> {
    let mine = (0..from).rev().find(|&at| run.steps[at].thread == thread)?;
    let meanwhile = &run.steps[mine + 1..from];
    for at in (0..=mine)
        .rev()
        .filter(|&at| run.steps[at].thread == thread)
    {
        for access in run.steps[at].accesses.iter().rev() {
            if !matches!(access.action, Action::Read | Action::CasFail) {
                continue;
            }
            let changed = meanwhile
                .iter()
                .flat_map(|s| &s.accesses)
                .rev()
                .find(|other| {
                    other.action.is_data() && other.writes() && other.variable == access.variable
                });
            if let Some(now) = changed.filter(|now| now.value != access.value) {
                return Some(match now.action {
                    Action::Free => format!("what it read at step {} is freed", at + 1),
                    _ => format!(
                        "what it read at step {} is out of date ({}, now {})",
                        at + 1,
                        access.value,
                        now.value
                    ),
                });
            }
        }
    }
    None
}

/// Rows that repeat are told once at the beginning and once at the end.
fn fold_rounds(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    const LONGEST_ROUND: usize = 8;
    let same = |a: &Row<'_>, b: &Row<'_>| match (a, b) {
        (Row::Visit(a), Row::Visit(b)) => {
            a.thread == b.thread && a.span == b.span && a.source == b.source
        }
        (Row::Switch { thread: a, .. }, Row::Switch { thread: b, .. }) => a == b,
        _ => false,
    };
    let rounds = |at: usize, period: usize| {
        let mut n = 1;
        while rows.len() >= at + (n + 1) * period
            && (0..period).all(|i| same(&rows[at + i], &rows[at + n * period + i]))
        {
            n += 1;
        }
        n
    };
    let mut plan = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let best = (1..=LONGEST_ROUND)
            .map(|period| (period, rounds(at, period)))
            .find(|&(_, n)| n > 3);
        match best {
            Some((period, n)) => {
                plan.push((at..at + period, Some(n - 2)));
                plan.push((at + (n - 1) * period..at + n * period, None));
                at += n * period;
            }
            None => {
                plan.push((at..at + 1, None));
                at += 1;
            }
        }
    }
    let mut rows: Vec<Option<Row<'_>>> = rows.into_iter().map(Some).collect();
    let mut told = Vec::new();
    for (range, more) in plan {
        told.extend(rows[range].iter_mut().filter_map(Option::take));
        told.extend(more.map(|more| Row::Left(format!("… {more} more rounds"))));
    }
    told
}

/// Of too many rows, the first and the last.
fn shorten(rows: Vec<Row<'_>>, most: usize) -> Vec<Row<'_>> {
    if rows.len() <= most {
        return rows;
    }
    let head = (most.saturating_sub(1) / 3).max(1);
    let tail = most.saturating_sub(head + 1).max(1);
    let left = rows.len().saturating_sub(head + tail);
    let skipped = rows.len() - tail;
    let mut told: Vec<Row<'_>> = Vec::new();
    for (i, row) in rows.into_iter().enumerate() {
        if i == head {
            told.push(Row::Left(format!("… {left} more rows")));
        }
        if i < head || i >= skipped {
            told.push(row);
        }
    }
    told
}
