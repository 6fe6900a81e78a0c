//! What a thread does when it goes on, and what has changed meanwhile.

use super::visits::Visit;
use crate::finding::{Action, Finding, Interleaving, Operation, Outcome};
use crate::names;

/// What the thread of `visit` does from there on, and what is out of date now. `visits` are all rows of the run.
pub(crate) fn goes_on(
    finding: &Finding,
    run: &Interleaving,
    visits: &[Visit<'_>],
    visit: &Visit<'_>,
) -> String {
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
    let call = |operation: u32| finding.history.get(operation).map(Operation::call_text);
    let mut calls: Vec<u32> = steps[begin..=end]
        .iter()
        .filter_map(|s| s.operation)
        .collect();
    calls.dedup();
    let is_new = |operation: &u32| {
        let before = steps[..begin].iter();
        !before.clone().any(|s| s.operation == Some(*operation))
    };
    // What never returned has no end.
    let is_over = |operation: &u32| {
        let mut after = steps[end + 1..].iter();
        let op = finding.history.get(*operation);
        op.is_some_and(|op| op.outcome != Outcome::Pending)
            && !after.any(|s| s.operation == Some(*operation))
    };
    let whole = calls.iter().all(|c| is_new(c) && is_over(c));
    let named: Option<Vec<String>> = calls.iter().map(|&c| call(c)).collect();
    match named.as_deref() {
        Some([one]) if whole => format!("{who} runs {one} to its end"),
        Some([one, two]) if whole => format!("{who} runs {one} and {two} to their end"),
        Some([one, .., last]) if whole => format!("{who} runs {one} … {last} to their end"),
        Some([one, ..]) if is_new(&calls[0]) => format!("{who} begins {one}"),
        _ if !ran_before => format!("{who} begins"),
        _ => {
            let why = stale(run, visits, begin, visit.thread);
            match why.or_else(|| too_late(finding, run, visits, begin, visit)) {
                Some(why) => format!("back to {who}: {why}"),
                None => format!("back to {who}"),
            }
        }
    }
}

/// What the thread of `visit`, which goes on at step `begin`, writes there only after another has read it.
fn too_late(
    finding: &Finding,
    run: &Interleaving,
    visits: &[Visit<'_>],
    begin: usize,
    visit: &Visit<'_>,
) -> Option<String> {
    let mine = (0..begin)
        .rev()
        .find(|&at| run.steps[at].thread == visit.thread)?;
    let writes = run.steps[visit.first..=visit.last].iter();
    let mut writes = writes
        .flat_map(|step| &step.accesses)
        .filter(|access| access.action.is_data() && access.writes() && !access.value.is_empty());
    writes.find_map(|write| {
        let reads = |at: &usize| {
            let mut accesses = run.steps[*at].accesses.iter();
            accesses.any(|a| a.action == Action::Read && a.variable == write.variable)
        };
        let read = (mine + 1..begin).rev().find(reads)?;
        let row = visits.iter().find(|v| (v.first..=v.last).contains(&read))?;
        let (who, step) = (finding.client(row.thread), row.number);
        let variable = &write.variable;
        // A row may be numbered by something else that it does.
        let is_shown = row.told && (step == read + 1 || row.variable() == variable);
        is_shown.then(|| format!("{who} has read {variable} at step {step} already"))
    })
}

/// What `thread` read before step `from`, others have changed since, and it has not looked at again.
fn stale(run: &Interleaving, visits: &[Visit<'_>], from: usize, thread: u32) -> Option<String> {
    let mine = (0..from).rev().find(|&at| run.steps[at].thread == thread)?;
    let meanwhile = &run.steps[mine + 1..from];
    for at in (0..=mine)
        .rev()
        .filter(|&at| run.steps[at].thread == thread)
    {
        for access in run.steps[at].accesses.iter().rev() {
            // What a library reads for itself is no look of the user's.
            let is_look = matches!(
                access.action,
                Action::Read | Action::CasFail | Action::CasGiveUp
            );
            if !is_look || run.steps[at].is_internal() {
                continue;
            }
            let changed = meanwhile
                .iter()
                .flat_map(|s| &s.accesses)
                .rev()
                .find(|other| {
                    other.action.is_data() && other.writes() && other.variable == access.variable
                });
            if let Some(now) =
                changed.filter(|now| now.value != access.value || now.value.is_empty())
            {
                let row = visits.iter().find(|v| (v.first..=v.last).contains(&at));
                if row.is_some_and(|row| !row.told) {
                    continue;
                }
                let step = row.map_or(at + 1, |row| row.number);
                let (was, is) = (names::value(&access.value), names::value(&now.value));
                let is_told = |value: &str| !value.is_empty() && !value.starts_with("a pointer");
                let values = is_told(&was) && is_told(&is);
                return Some(match (now.action, values) {
                    (Action::Free, _) => format!("what it read at step {step} is freed"),
                    (_, true) => {
                        format!("what it read at step {step} is out of date ({was}, now {is})")
                    }
                    (_, false) => format!("what it read at step {step} is out of date"),
                });
            }
        }
    }
    None
}
