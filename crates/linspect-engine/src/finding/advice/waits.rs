//! Rules for threads that wait at a condition variable or the like: nobody wakes them, or they go on too early.

use super::place;
use linspect_report::finding::{Access, Action, Cause, Fault, Finding, Step};

/// For a thread that waits at a condition variable or the like, and that nobody wakes.
pub(super) fn not_woken(finding: &Finding, fault: &Fault, steps: &[&Step]) -> Option<String> {
    let mut waits = fault.waits.iter();
    let waiting = waits.find(|wait| wait.woken_at().is_some())?;
    let at = waiting.span.as_ref().map(place).unwrap_or_default();
    let Some(sleeper) = finding.sleeper() else {
        return Some(format!(
            "nothing wakes {} at {at} any more: wake it after every change of what it waits for",
            waiting.thread
        ));
    };
    let (thread, variable) = (sleeper.thread, whole(&sleeper.saw.variable));
    let place_of = |step: usize| steps[step].span.as_ref().map(place);
    let whose = |step: usize| {
        Some(format!(
            "{}'s {}",
            finding.client(steps[step].thread),
            place_of(step)?
        ))
    };
    let looked = place_of(sleeper.looked)?;
    let values = match (sleeper.saw.value.as_str(), sleeper.now) {
        ("", _) | (_, None) => String::new(),
        (saw, Some(now)) => format!(" (was {saw} when {thread} looked at {looked}, is {now} now)"),
    };
    Some(match sleeper.cause {
        Cause::ChangedBefore { change, locked } => {
            let change = whose(change)?;
            let how = match locked {
                true => "change it and wake under the lock that it holds meanwhile",
                false => "look again after the lock is taken, and change it under that lock",
            };
            format!(
                "{change} changes {variable} after {thread} looked at {looked} and before it waits: {how}"
            )
        }
        Cause::ChangedSince { change } => format!(
            "nothing wakes {thread} after {} changes {variable}{values}: wake it there whenever somebody may wait",
            whose(change)?
        ),
        Cause::AnotherWoke { change, wake } => {
            let (change, wake) = (whose(change)?, whose(wake)?);
            let who = match change == wake {
                true => change,
                false => format!("{change} changes {variable}{values}, and {wake}"),
            };
            format!(
                "{who} wakes one thread, and that is not {thread}: wake all, or let those who wait for different things wait at different places"
            )
        }
        Cause::Unchanged if sleeper.now.is_some() => format!(
            "{variable} is {} again, as {thread} saw it at {looked}, and nobody is left who could wake it",
            sleeper.saw.value
        ),
        Cause::Unchanged => format!(
            "nobody changes {variable} after {thread} looked at {looked}, and nobody is left who could wake it"
        ),
    })
}

/// For a thread that waited, was woken, and went on without a look at what it had waited for, which another had changed by then.
pub(super) fn woken_too_early(finding: &Finding, fault: &Fault, steps: &[&Step]) -> Option<String> {
    let here = |at: usize| steps[at].span.as_ref().map(|span| (&span.file, span.line));
    let wrong = fault.span.as_ref().map(|span| (&span.file, span.line));
    let waited = |at: usize| {
        let mut accesses = steps[at].accesses.iter();
        accesses.find(|a| a.action == Action::Wait)
    };
    let waits = (0..steps.len())
        .rev()
        .filter_map(|at| Some((at, waited(at)?)));
    for (wait, place_of_wait) in waits {
        let (thread, operation) = (steps[wait].thread, steps[wait].operation);
        let mine = |at: &usize| steps[*at].thread == thread && steps[*at].operation == operation;
        let Some(goes_on) = (wait + 1..steps.len()).find(mine) else {
            continue;
        };
        let after = || (goes_on..steps.len()).filter(mine);
        let fails = |at: usize| steps[at].fault || (wrong.is_some() && here(at) == wrong);
        let wakes = |at: &usize| {
            let mut accesses = steps[*at].accesses.iter();
            accesses.any(|a| a.action == Action::Wake && a.variable == place_of_wait.variable)
        };
        // The last of these has woken it, if no earlier one has.
        let wake = (wait + 1..goes_on).rev().find(wakes);
        let Some(wake) = wake.filter(|_| after().any(fails)) else {
            continue;
        };
        let changes = |at: usize, variable: &str| {
            let writes = |a: &Access| a.writes() && a.action.is_data() && a.variable == variable;
            steps[at].thread != thread && steps[at].accesses.iter().any(writes)
        };
        let before = (0..wait).rev().filter(mine);
        let before = before.take_while(|&at| waited(at).is_none());
        for look in before.filter(|&at| steps[at].note.is_none()) {
            // A loop comes back to the line, and reads it there again.
            let looks_again = |read: &Access| {
                after().filter(|&at| here(at) == here(look)).any(|at| {
                    let mut accesses = steps[at].accesses.iter();
                    accesses.any(|a| a.action == Action::Read && a.variable == read.variable)
                })
            };
            let reads = |a: &&Access| a.action == Action::Read && !looks_again(a);
            let Some(read) = steps[look].accesses.iter().find(reads) else {
                continue;
            };
            let change = (wake + 1..goes_on).find(|&at| changes(at, &read.variable));
            if let Some(change) = change {
                let span = |at: usize| steps[at].span.as_ref().map(place);
                let who = finding.client(thread);
                return Some(format!(
                    "{}'s {} changes {} after {who} was woken and before it goes on, and {who} does not come back to {} to look again: put the wait ({}) into a loop (`while`)",
                    finding.client(steps[change].thread),
                    span(change)?,
                    whole(&read.variable),
                    span(look)?,
                    span(wait)?,
                ));
            }
        }
    }
    None
}

/// What a place without a name of its own is a part of.
fn whole(variable: &str) -> &str {
    match variable.rsplit_once('+') {
        Some((whole, offset)) if offset.bytes().all(|b| b.is_ascii_digit()) => whole,
        _ => variable,
    }
}
