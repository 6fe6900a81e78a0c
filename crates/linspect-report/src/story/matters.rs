//! Which steps of a run are told: those at which threads meet.
//!
//! A step matters where it reads what another thread wrote, or is overwritten before the reader has gone on; where a repair
//! is known, only what the repair is about counts, and of a repair only what this run was interrupted in.

use crate::finding::{
    Access, Action, Cause, Fault, Finding, Interleaving, Outcome, Span, Step, Verdict,
};
use std::collections::{BTreeMap, BTreeSet};

/// Which steps are told.
pub(super) fn matters(finding: &Finding, run: &Interleaving) -> Vec<bool> {
    let steps = &run.steps;
    let blocks: Vec<&Span> = finding
        .repairs
        .iter()
        .filter_map(|repairs| repairs.found.first())
        .flat_map(|repair| &repair.blocks)
        .collect();
    let interrupted: Vec<&Span> = blocks
        .iter()
        .copied()
        .filter(|b| run.interrupts(b))
        .collect();
    let blocks = if interrupted.is_empty() {
        blocks
    } else {
        interrupted
    };
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
    let tries = attempt(steps, &racing);
    let sleeper = finding.sleeper().filter(|s| s.cause != Cause::Unchanged);
    let slept: BTreeSet<usize> = sleeper.iter().flat_map(|s| s.decisive(steps)).collect();
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
        if step.wakes_alone() || step.is_late() {
            return true;
        }
        if !racing.is_empty() {
            return racing.contains(&at) || tries.contains(&at);
        }
        if !slept.is_empty() {
            return slept.contains(&at);
        }
        let is_data = !step.is_internal() && step.accesses.iter().any(|a| a.action.is_data());
        step.fault
            || meets.contains(&at)
            || keeps.contains(&at)
            || (about.is_empty() && last_race == Some(at))
            || (in_block(step) && step.matters && is_data && contended(step))
    };
    let mut told: Vec<bool> = (0..steps.len()).map(matters).collect();
    if let [only] = told_at(&told)[..]
        && steps[only].fault
    {
        for at in causes(steps, only).into_iter().chain(freed(steps, only)) {
            told[at] = true;
        }
    }
    if let (Some(_), Verdict::Faulty { fault }) = (finding.fails_late(), &finding.verdict)
        && let Some(free) = steps.iter().rposition(|step| frees_at(step, fault))
    {
        told[free] = true;
    }
    if told.contains(&true) {
        return told;
    }
    // One thread alone, or nobody could say what matters.
    let some = steps.iter().any(|step| step.matters);
    steps.iter().map(|step| !some || step.matters).collect()
}

/// The steps without which the rest is not understood.
pub(super) fn pinned(finding: &Finding, run: &Interleaving) -> BTreeSet<usize> {
    let sleeper = finding.sleeper();
    let sleeper = sleeper.filter(|s| s.cause != Cause::Unchanged);
    let mut pinned = results(finding, run);
    pinned.extend(sleeper.iter().flat_map(|s| s.decisive(&run.steps)));
    pinned
}

/// The steps that wrote what the refused operation returned: what its reads saw, or what there was in the end if it was called
/// after the threads.
fn results(finding: &Finding, run: &Interleaving) -> BTreeSet<usize> {
    let steps = &run.steps;
    let refused = finding.evidence().map(|evidence| evidence.refused);
    let Some(op) = refused.and_then(|refused| finding.history.get(refused)) else {
        return BTreeSet::new();
    };
    let returned: Vec<String> = match &op.outcome {
        Outcome::Returned(value) if value.0.items().is_empty() => vec![value.to_string()],
        Outcome::Returned(value) => value.0.items().iter().map(ToString::to_string).collect(),
        _ => return BTreeSet::new(),
    };
    let writer = |before: usize, variable: &str| {
        let writes = |a: &Access| a.writes() && a.action.is_data() && a.variable == variable;
        let write = steps[..before]
            .iter()
            .rposition(|s| s.accesses.iter().any(writes))?;
        let access = steps[write].accesses.iter().rfind(|a| writes(a))?;
        returned.contains(&access.value).then_some(write)
    };
    let mine: Vec<usize> = (0..steps.len())
        .filter(|&at| steps[at].operation == Some(op.id))
        .collect();
    let accesses = |at: usize| steps[at].accesses.iter();
    match mine.is_empty() {
        true => {
            let variables = steps.iter().flat_map(|step| &step.accesses);
            variables
                .filter_map(|a| writer(steps.len(), &a.variable))
                .collect()
        }
        false => {
            let reads = mine
                .iter()
                .flat_map(|&at| accesses(at).map(move |a| (at, a)));
            let reads = reads.filter(|(_, a)| a.action.reads());
            reads
                .filter_map(|(at, a)| writer(at, &a.variable))
                .collect()
        }
    }
}

fn told_at(told: &[bool]) -> Vec<usize> {
    (0..told.len()).filter(|&at| told[at]).collect()
}

/// The write and the read through which the threads of a race met in between, if they did: somebody meant them to order it.
fn attempt(steps: &[Step], racing: &[usize]) -> Vec<usize> {
    let (Some(&first), Some(&last)) = (racing.iter().min(), racing.iter().max()) else {
        return Vec::new();
    };
    let (one, other) = (steps[first].thread, steps[last].thread);
    let met = |read: usize| {
        let reads = |a: &&Access| a.action.reads() && !a.value.is_empty();
        let mut reads = steps[read].accesses.iter().filter(reads);
        reads.find_map(|read_of| {
            let writes = |a: &Access| a.writes() && a.variable == read_of.variable;
            let writes =
                |at: &usize| steps[*at].thread == one && steps[*at].accesses.iter().any(writes);
            Some([(first + 1..read).rev().find(writes)?, read])
        })
    };
    let mine = |at: &usize| steps[*at].thread == other && !steps[*at].is_internal();
    let mut reads = (first + 1..last).rev().filter(mine);
    reads.find_map(met).into_iter().flatten().collect()
}

/// The writes of what the statement at `fault` names: where the threads did not meet, these made it fail.
fn causes(steps: &[Step], fault: usize) -> Vec<usize> {
    let source = steps[fault].source.as_deref().unwrap_or_default();
    let is_name = |c: char| c.is_alphanumeric() || "_.[]".contains(c);
    let reads: BTreeSet<&str> = source.split(|c| !is_name(c)).collect();
    let writes = |at: &usize| {
        let mut accesses = steps[*at].accesses.iter();
        accesses.any(|a| a.writes() && a.action.is_data() && reads.contains(a.variable.as_str()))
    };
    (0..fault).filter(writes).collect()
}

/// Where what the step at `fault` uses was freed, and what its thread did last before that.
fn freed(steps: &[Step], fault: usize) -> Vec<usize> {
    let note = steps[fault].note.as_deref().unwrap_or_default();
    let frees = |step: &Step| {
        let mut accesses = step.accesses.iter();
        accesses.any(|a| a.action == Action::Free && note.contains(&a.variable))
    };
    let Some(free) = steps[..fault].iter().rposition(frees) else {
        return Vec::new();
    };
    let mine = |step: &Step| {
        let is_data = step.accesses.iter().any(|a| a.action.is_data());
        step.thread == steps[fault].thread && is_data && !step.is_internal()
    };
    let before = steps[..free].iter().rposition(mine);
    before.into_iter().chain([free]).collect()
}

/// Whether `step` frees memory in the line that `fault` names beside its own.
fn frees_at(step: &Step, fault: &Fault) -> bool {
    step.accesses.iter().any(|a| a.action == Action::Free)
        && step.span.is_some()
        && (step.span == fault.related || step.call == fault.related)
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
    let mine = steps.iter().enumerate().filter(|(_, s)| !s.is_internal());
    for (at, step) in mine {
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
