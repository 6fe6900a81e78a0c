//! What to do about a fault for which no atomic section was found, by rules that look at the failing run.
//!
//! Each rule names what it saw: a lock that one side holds and the other does not, locks that are taken in two orders,
//! memory that is freed while somebody uses it, a value that changes between two lines. Where no rule fits, nothing is
//! advised.

mod waits;

use linspect_report::finding::{
    Action, DataRace, Fault, Finding, Outcome, Side, Span, Step, Value, Verdict, Wait,
};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use waits::{not_woken, woken_too_early};

/// What rules advise about what is wrong, best first.
pub(crate) fn advice(finding: &Finding) -> Vec<String> {
    let steps = finding.interleaving.iter().flat_map(|run| &run.steps);
    let steps: Vec<&Step> = steps.collect();
    if let Some(said) = woken_by_nobody(&steps).or_else(|| late(&steps)) {
        return vec![said];
    }
    let Verdict::Faulty { fault } = &finding.verdict else {
        return Vec::new();
    };
    let held = held(&steps);
    let race = finding.data_races.first();
    let said = match (fault.kind.as_str(), race) {
        ("deadlock", _) => asleep(finding, fault)
            .or_else(|| deadlock(fault))
            .or_else(|| kept(finding, fault, &steps, &held))
            .or_else(|| not_woken(finding, fault, &steps))
            .or_else(|| held_for_ever(fault))
            .or_else(|| spinning(fault)),
        ("livelock", _) if fault.waits.len() == 1 => {
            held_for_ever(fault).or_else(|| spinning(fault))
        }
        ("livelock", _) => held_for_ever(fault).or_else(|| Some(
            "each undoes or waits for what the other does: let one of them win, or wait under a lock"
                .into(),
        )),
        (DataRace::FAULT, Some(race)) => Some(data_race(race, &steps, &held, finding)),
        (DataRace::HAND_OVER_FAULT, Some(race)) => Some(race.to_order()),
        ("leak", _) => lost(finding, &steps).or_else(|| {
            let at = fault.related.as_ref().or(fault.span.as_ref())?;
            Some(format!("free what {} allocates on every way out", place(at)))
        }),
        ("use after free" | "bad free", _) => unlocked(finding, &steps, &held).or_else(|| freed(fault, &steps)),
        _ => woken_too_early(finding, fault, &steps)
            .or_else(|| unlocked(finding, &steps, &held))
            .or_else(|| changes(finding, &steps, &held))
            .or_else(|| lost(finding, &steps))
            .or_else(|| order(finding)),
    };
    said.into_iter().collect()
}

/// For a thread that woke at a condition though nobody woke it, and went on.
fn woken_by_nobody(steps: &[&Step]) -> Option<String> {
    let step = steps.iter().find(|step| step.wakes_alone())?;
    let at = step.span.as_ref().map(|span| format!(" ({})", place(span)));
    Some(format!(
        "a wait may end though nobody ended it: wait in a loop that looks at the condition again{}",
        at.unwrap_or_default()
    ))
}

/// For a thread that went on late.
fn late(steps: &[&Step]) -> Option<String> {
    let step = steps.iter().find(|step| step.is_late())?;
    let at = step.span.as_ref().map(place).unwrap_or_default();
    Some(format!(
        "nobody promises that a thread goes on in time: an hour may have passed at {at}"
    ))
}

/// For operations that are futures and are never polled again.
fn asleep(finding: &Finding, fault: &Fault) -> Option<String> {
    let is_asleep = !fault.waits.is_empty() && fault.waits.iter().all(Wait::is_for_waker);
    let cancelled = Outcome::Returned(Value(linspect_core::value::Value::text("cancelled")));
    let gave_up = finding
        .history
        .operations
        .iter()
        .any(|o| o.outcome == cancelled);
    is_asleep.then(|| {
        match gave_up {
            // The smallest test has nothing in it that does not matter.
            true => "a future that is dropped while it waits must leave nothing behind: take its waker back, and hand on a wake-up that it got",
            false => "look again for what it waits for after its waker is stored, or store the waker under the lock",
        }
        .into()
    })
}

/// For threads that go round until another one changes something, which it would do only after its own loop.
fn spinning(fault: &Fault) -> Option<String> {
    let variable = |wait: &Wait| {
        let what = wait.what.strip_prefix("in a loop for a change of ")?;
        Some(what.to_owned())
    };
    let waits = fault.waits.iter().filter(|wait| !wait.is_join());
    let variables: Vec<String> = waits.map(variable).collect::<Option<_>>()?;
    match variables.len() {
        0 => None,
        1 => Some(format!(
            "nobody changes {} any more: change it before the end, or do not wait for it",
            variables[0]
        )),
        _ => Some(format!(
            "each waits for another to change {}: let one of them step back, or take a lock",
            variables.join(", ")
        )),
    }
}

/// For a thread that goes round for ever with a lock that another one waits for.
fn held_for_ever(fault: &Fault) -> Option<String> {
    let blocked = fault.waits.iter().find(|w| w.holder.is_some())?;
    let holder = fault
        .waits
        .iter()
        .find(|w| Some(&w.thread) == blocked.holder.as_ref())?;
    let goes_round = holder.what.starts_with("in a loop");
    let loop_at = holder.span.as_ref().filter(|_| goes_round)?;
    let waits_at = blocked.span.as_ref()?;
    let locks = holder.holds.join(", ");
    Some(format!(
        "{} goes round with {locks}, which {} waits for: give {locks} back in the loop, or wait there for a condition variable",
        place(loop_at),
        place(waits_at)
    ))
}

/// `list_size:78`, or the file and line.
fn place(span: &Span) -> String {
    match span.short_function() {
        "" => span.to_string(),
        function => format!("{function}:{}", span.line),
    }
}

/// `deposit:14–19`, or both places where they are in several functions.
fn lines(from: &Span, to: &Span) -> String {
    let same = from.file == to.file && from.function == to.function;
    match (same, from.line.cmp(&to.line)) {
        (true, Ordering::Less) => format!("{}–{}", place(from), to.line),
        (true, Ordering::Equal) => place(from),
        _ => format!("{} to {}", place(from), place(to)),
    }
}

/// Per step, the locks that its thread holds.
fn held(steps: &[&Step]) -> Vec<BTreeSet<String>> {
    let mut now: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    let mut held = Vec::with_capacity(steps.len());
    for step in steps {
        let mine = now.entry(step.thread).or_default();
        for access in &step.accesses {
            match access.action {
                Action::Lock => _ = mine.insert(access.variable.clone()),
                Action::Unlock => _ = mine.remove(&access.variable),
                _ => {}
            }
        }
        held.push(mine.clone());
    }
    held
}

fn deadlock(fault: &Fault) -> Option<String> {
    let waits = &fault.waits;
    for wait in waits {
        let lock = wait.what.strip_prefix("for ").unwrap_or(&wait.what);
        if wait.holder.as_deref() == Some(&wait.thread) {
            return Some(format!(
                "{} takes {lock} again while it holds it: give it back first, or do not take it twice",
                wait.thread
            ));
        }
    }
    // A cycle: each waits for what another holds.
    let cycle: Vec<&str> = waits
        .iter()
        .filter(|w| w.holder.is_some() && !w.holds.is_empty())
        .filter_map(|w| w.what.strip_prefix("for "))
        .collect();
    if cycle.len() > 1 {
        return Some(format!(
            "take {} in the same order everywhere",
            cycle.join(" and ")
        ));
    }
    None
}

/// For a lock that a thread has which waits for nothing: it has returned with it.
fn kept(
    finding: &Finding,
    fault: &Fault,
    steps: &[&Step],
    held: &[BTreeSet<String>],
) -> Option<String> {
    let wait = fault.waits.iter().find(|wait| {
        let waits = |holder: &String| fault.waits.iter().any(|other| other.thread == *holder);
        wait.holder.as_ref().is_some_and(|holder| !waits(holder))
    })?;
    let (lock, holder) = (wait.what.strip_prefix("for ")?, wait.holder.as_ref()?);
    let is_its = |at: &usize| finding.client(steps[*at].thread) == *holder;
    let last = (0..steps.len()).rev().find(is_its)?;
    let takes = |at: &usize| {
        let mut accesses = steps[*at].accesses.iter();
        is_its(at) && accesses.any(|a| a.action == Action::Lock && a.variable == lock)
    };
    let taken = (0..=last).rev().find(takes)?;
    held[last].contains(lock).then_some(())?;
    Some(format!(
        "{holder} takes {lock} in {} and does not give it back: give it back on every way out",
        place(steps[taken].span.as_ref()?)
    ))
}

fn data_race(
    race: &DataRace,
    steps: &[&Step],
    held: &[BTreeSet<String>],
    finding: &Finding,
) -> String {
    let variable = &race.variable;
    let locks = |n: usize| {
        let access = race.accesses.get(n)?;
        let span = access.span.as_ref()?;
        let is_there = |step: &&Step| {
            let here = step.span.as_ref();
            finding.client(step.thread) == access.thread
                && here.is_some_and(|s| s.file == span.file && s.line == span.line)
        };
        let is_it = |step: &&Step| {
            let mut accesses = step.accesses.iter();
            is_there(step) && accesses.any(|a| a.variable == *variable && a.action.is_data())
        };
        // Its line may do more than the access, such as giving a lock back.
        let last = steps.iter().rposition(is_it);
        let at = last.or_else(|| steps.iter().rposition(is_there))?;
        Some((held[at].clone(), span))
    };
    if let (Some((first, one)), Some((second, other))) = (locks(0), locks(1)) {
        if let Some(lock) = first.intersection(&second).next() {
            return format!(
                "{} and {} both hold {lock}, but only for reading: whoever changes {variable} must take it for writing",
                place(one),
                place(other)
            );
        }
        let (lock, without, with) = match (first.first(), second.first()) {
            (Some(lock), None) => (Some(lock), other, one),
            (None, Some(lock)) => (Some(lock), one, other),
            _ => (None, one, other),
        };
        if let Some(lock) = lock {
            return format!(
                "{} accesses {variable} without {lock}, which {} holds: take it there",
                place(without),
                place(with)
            );
        }
    }
    match race.unordered.starts_with("nothing that both do") {
        true => format!("make {variable} atomic, or take one lock around both accesses"),
        false => race.to_order(),
    }
}

fn freed(fault: &Fault, steps: &[&Step]) -> Option<String> {
    let freed = fault.related.as_ref()?;
    let used = fault.span.as_ref()?;
    let alone = steps.windows(2).all(|w| w[0].thread == w[1].thread);
    if alone {
        let (freed, used) = (place(freed), place(used));
        return Some(format!(
            "{freed} frees it: nothing may use it after that, as {used} does"
        ));
    }
    Some(format!(
        "{} frees it while {} can still reach it: free it only when nobody does (reference count, hazard pointers, epochs), or hold one lock over both",
        place(freed),
        place(used)
    ))
}

/// Whether the standard library of Rust keeps it: nobody else can take its locks.
fn is_of_library(variable: &str) -> bool {
    let libraries = ["std::", "core::", "alloc::"];
    libraries
        .iter()
        .any(|library| variable.starts_with(library))
}

/// The thread that went wrong accesses without a lock what another thread changes under one.
fn unlocked(finding: &Finding, steps: &[&Step], held: &[BTreeSet<String>]) -> Option<String> {
    let wrong = steps.iter().rposition(|s| s.fault)?;
    let thread = steps[wrong].thread;
    for at in (0..=wrong)
        .rev()
        .filter(|&at| steps[at].thread == thread && held[at].is_empty())
    {
        let accesses = steps[at].accesses.iter();
        for access in accesses.filter(|a| a.action.is_data() && !is_of_library(&a.variable)) {
            let changes = (0..wrong).rev().find(|&other| {
                steps[other].thread != thread
                    && !held[other].is_empty()
                    && steps[other]
                        .accesses
                        .iter()
                        .any(|o| o.writes() && o.action.is_data() && o.variable == access.variable)
            });
            let Some(other) = changes else { continue };
            let (mine, theirs) = (steps[at].span.as_ref()?, steps[other].span.as_ref()?);
            let lock = held[other].first()?;
            let does = if access.writes() { "writes" } else { "reads" };
            return Some(format!(
                "{} {does} {} without {lock}, under which {}'s {} changes it: take it there",
                place(mine),
                access.variable,
                finding.client(steps[other].thread),
                theirs.short_function()
            ));
        }
    }
    None
}

/// The thread that went wrong read something that another changed before it had done with it.
fn changes(finding: &Finding, steps: &[&Step], held: &[BTreeSet<String>]) -> Option<String> {
    let mut in_line = None;
    let wrong = steps.iter().rposition(|s| s.fault)?;
    let thread = steps[wrong].thread;
    for other in (0..wrong).rev().filter(|&at| steps[at].thread != thread) {
        for write in steps[other]
            .accesses
            .iter()
            .filter(|a| a.writes() && a.action.is_data())
        {
            let read = (0..other).rev().find(|&at| {
                steps[at].thread == thread
                    && steps[at]
                        .accesses
                        .iter()
                        .any(|a| a.variable == write.variable)
            });
            let Some(read) = read else { continue };
            let (from, by) = (steps[read].span.as_ref()?, steps[other].span.as_ref()?);
            let to = steps[wrong].span.as_ref()?;
            if from.function != to.function {
                continue;
            }
            let lines = lines(from, to);
            let also = match by.function == from.function {
                true => String::new(),
                false => format!(" and over {}", place(by)),
            };
            let kept = held[read].intersection(&held[other]);
            let let_go = kept.into_iter().find(|lock| held[wrong].contains(*lock));
            let how = match let_go {
                Some(lock) => format!(
                    "{lock} is given back in between: keep it, or look at {} again once it is taken again",
                    write.variable
                ),
                None => format!("hold one lock over {lines}{also}"),
            };
            let text = format!(
                "{}'s {} changes {} while {} is in {lines}: {how}",
                finding.client(steps[other].thread),
                place(by),
                write.variable,
                finding.client(thread),
            );
            // What was read and used in one line says less than what was read before.
            if from.line != to.line {
                return Some(text);
            }
            in_line = in_line.or(Some(text));
        }
    }
    in_line
}

/// The last choice that could have saved the run: whoever should have gone first, and whoever did.
fn order(finding: &Finding) -> Option<String> {
    let races = finding.races.iter().flatten().rev();
    races.into_iter().find_map(|race| {
        let went = race.sides.iter().find(|side| side.taken)?;
        let saves = |side: &&Side| !side.taken && !side.partly && side.bad == 0 && side.good > 0;
        let should = race.sides.iter().find(saves)?;
        let (first, then) = (place(should.span.as_ref()?), place(went.span.as_ref()?));
        // Of two threads at one place the source cannot say which comes first.
        (first != then).then(|| format!(
            "let {first} come before {then}, then every run ends well: make the latter wait, or hold one lock over what belongs together"
        ))
    })
}

/// Some thread read a value, another changed it, and the first wrote it as if nothing had happened.
fn lost(finding: &Finding, steps: &[&Step]) -> Option<String> {
    for (last, write) in steps.iter().enumerate().rev() {
        for access in write.accesses.iter().filter(|a| a.action == Action::Write) {
            let touches = |at: &usize| {
                let mut all = steps[*at].accesses.iter();
                all.any(|a| a.variable == access.variable && a.action.is_data())
            };
            let mut before = (0..last).rev().filter(touches);
            let Some(between) = before.next().filter(|&at| steps[at].thread != write.thread) else {
                continue;
            };
            let changed = steps[between]
                .accesses
                .iter()
                .any(|a| a.variable == access.variable && a.writes());
            let read = before.find(|&at| steps[at].thread == write.thread);
            let Some(read) = read.filter(|_| changed) else {
                continue;
            };
            let places = [read, last, between].map(|at| steps[at].span.as_ref());
            let [Some(from), Some(to), Some(other)] = places else {
                continue;
            };
            let lines = lines(from, to);
            return Some(format!(
                "{lines} reads {} and then writes it, and {}'s {} comes in between: hold one lock over {lines}, or make it one atomic step",
                access.variable,
                finding.client(steps[between].thread),
                place(other)
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests;
