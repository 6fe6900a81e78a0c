//! What went wrong in one sentence, in the words of the specification or of the fault.
//!
//! A sentence says only what was found out: the decider's claim, the results that were put into the whole history and
//! decided, or the fault that the run ended with.

use crate::finding::{Action, Evidence, Fault, Finding, Operation, Outcome, Value, Verdict, Wait};
use crate::names;
use linspect_core::value::Value as Core;

/// What went wrong, ending with a full stop; nothing if nothing did.
pub(crate) fn sentence(finding: &Finding) -> Option<String> {
    let text = match &finding.verdict {
        Verdict::Violated { evidence } => violated(finding, evidence),
        Verdict::Faulty { fault } => faulty(finding, fault),
        Verdict::Holds { .. } | Verdict::Unknown { .. } => return None,
    };
    let text = text.trim_end();
    Some(match text.ends_with(['.', '!', '?', ':']) {
        true => text.to_owned(),
        false => format!("{text}."),
    })
}

fn violated(finding: &Finding, evidence: &Evidence) -> String {
    if let Some(headline) = &evidence.headline {
        return headline.text.clone();
    }
    let unexplained = || "No order of these calls gives these results".to_owned();
    let Some(op) = finding.history.get(evidence.refused) else {
        return unexplained();
    };
    let Outcome::Returned(result) = &op.outcome else {
        return unexplained();
    };
    let call = op.call_text();
    if let Some(text) = torn_pair(finding, evidence, op) {
        return text;
    }
    match (twins(finding, evidence), evidence.instead.as_deref()) {
        (Some((2, other)), _) => {
            format!("{call} returned {result} twice, but one of the two had to return {other}")
        }
        (Some((n, other)), _) => format!(
            "{call} returned {result} {n} times, but at least one of these had to return {other}"
        ),
        (None, Some(instead @ [_, ..])) => {
            format!(
                "{call} returned {result}, but only {} was possible",
                or(instead)
            )
        }
        (None, _) => unexplained(),
    }
}

/// What would have been right for the refused operation, as a remark beside it.
pub(crate) fn remark(finding: &Finding, evidence: &Evidence) -> Option<String> {
    if let Some((n, other)) = twins(finding, evidence) {
        return Some(match n {
            2 => format!("one of the two had to return {other}"),
            _ => format!("one of the {n} had to return {other}"),
        });
    }
    match evidence.instead.as_deref()? {
        [] => None,
        [Value(Core::Unit)] => None,
        [one] => Some(format!("only {one} would be right")),
        several if several.len() <= 6 => Some(format!("{} would be right", or(several))),
        several => Some(format!("{} other results would be right", several.len())),
    }
}

/// Operations that called and returned the same as the refused one, which had to return the other truth value: then not
/// all of them can be right.
fn twins(finding: &Finding, evidence: &Evidence) -> Option<(usize, bool)> {
    let op = finding.history.get(evidence.refused)?;
    let Outcome::Returned(Value(Core::Bool(said))) = op.outcome else {
        return None;
    };
    if evidence.instead.as_deref() != Some(&[Value(Core::Bool(!said))]) {
        return None;
    }
    let same = |o: &&Operation| {
        o.method == op.method && o.argument == op.argument && o.outcome == op.outcome
    };
    let all = || finding.history.operations.iter().filter(same);
    // It speaks of what is shown.
    let are_shown = all().all(|o| evidence.core.contains(&o.id));
    let n = all().count();
    (n > 1 && are_shown && !finding.history.is_window()).then_some((n, !said))
}

/// A snapshot that never was: every write overlaps it, so the results that were possible are all that ever was there.
fn torn_pair(finding: &Finding, evidence: &Evidence, op: &Operation) -> Option<String> {
    let is_pair = finding.checked.spec == "pair-snapshot" && !op.argument.0.items().is_empty();
    if finding.checked.spec != "pair-snapshot" || is_pair || finding.history.is_window() {
        return None;
    }
    let writes = finding.history.operations.iter();
    let mut writes = writes.filter(|o| !o.argument.0.items().is_empty());
    let overlaps = |w: &Operation| {
        w.ret.is_none_or(|ret| ret >= op.call) && op.ret.is_none_or(|ret| w.call <= ret)
    };
    let known = evidence.instead.as_deref().is_some_and(|i| !i.is_empty());
    (known && writes.all(overlaps)).then(|| {
        format!(
            "{} returned {}, a pair that never was",
            op.call_text(),
            op.outcome_text().trim_start_matches("→ ")
        )
    })
}

fn or(values: &[Value]) -> String {
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    match texts.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

fn faulty(finding: &Finding, fault: &Fault) -> String {
    let who = who(finding);
    let message = fault.message.trim();
    match fault.kind.as_str() {
        "null pointer dereference" => match null_read(finding) {
            Some(variable) => format!(
                "{who} went through a null pointer: {} is 0",
                names::phrase(variable)
            ),
            None => format!("{who} went through a null pointer"),
        },
        "use after free" => match &fault.related {
            Some(freed) => format!("{who} uses memory that was freed at {freed}"),
            None => format!("{who} uses memory that was freed"),
        },
        "assertion failed" => {
            // Where it stands is said elsewhere.
            let end = message.find("` failed").map_or(message.len(), |at| at + 8);
            let claim = capital(&message[..end]);
            // `assert_eq!` says the values itself, each in a line of its own.
            let sides: Vec<&str> = message[end..].lines().map(str::trim).collect();
            let sides = sides
                .iter()
                .filter(|s| s.starts_with("left: ") || s.starts_with("right: "));
            let sides: Vec<String> = sides.map(|s| s.replacen(": ", " is ", 1)).collect();
            match (asserted(finding, &message[..end]), &sides[..]) {
                (_, [left, right]) => format!("{claim}: {left}, {right}"),
                (Some(values), _) => format!("{claim}: {values}"),
                (None, _) => claim,
            }
        }
        "deadlock" if !fault.waits.is_empty() => {
            stuck(fault, "neither can go on", "none can go on")
        }
        "livelock" if !fault.waits.is_empty() && fault.waits.iter().any(|w| w.holder.is_some()) => {
            stuck(fault, "neither can go on", "none can go on")
        }
        "livelock" if !fault.waits.is_empty() => {
            stuck(fault, "both go round for ever", "all go round for ever")
        }
        _ if finding.is_data_race() => data_race(finding).unwrap_or_else(|| capital(message)),
        _ => capital(&names::phrase(message)),
    }
}

/// Who waits for what, and who has it.
fn stuck(fault: &Fault, two: &str, more: &str) -> String {
    // Who only waits for the end of others is told last.
    let (joining, others): (Vec<&Wait>, Vec<&Wait>) =
        fault.waits.iter().partition(|wait| wait.is_join());
    let said: Vec<String> = others
        .into_iter()
        .chain(joining)
        .map(|wait| {
            let holds = match wait.holds.as_slice() {
                [] => String::new(),
                locks => format!(" holds {} and", names::phrase(&locks.join(", "))),
            };
            let holder = wait.holder.as_ref().map_or_else(String::new, |holder| {
                match *holder == wait.thread {
                    true => ", which it holds itself".into(),
                    false
                        if fault
                            .waits
                            .iter()
                            .any(|w| w.thread == *holder && !w.holds.is_empty()) =>
                    {
                        String::new()
                    }
                    false => format!(", which {holder} holds"),
                }
            });
            format!(
                "{}{holds} waits {}{holder}",
                wait.thread,
                names::phrase(&wait.what)
            )
        })
        .collect();
    let end = match fault.waits.len() {
        1 => "it never goes on",
        2 => two,
        _ => more,
    };
    format!("{}: {end}", said.join("; "))
}

fn data_race(finding: &Finding) -> Option<String> {
    let race = finding.data_races.first()?;
    let [first, second] = &race.accesses[..] else {
        return None;
    };
    let side = |access: &crate::finding::RacingAccess| {
        let place = access.span.as_ref().map(|span| format!(" at {span}"));
        format!(
            "{} {}{}",
            access.thread,
            access.does,
            place.unwrap_or_default()
        )
    };
    let so = match race.hand_over {
        true => format!(
            ": what {} wrote before need not be there for {}",
            first.thread, second.thread
        ),
        false => String::new(),
    };
    Some(format!(
        "{}: {} and {}, and nothing orders the two{so}",
        names::phrase(&race.variable),
        side(first),
        side(second)
    ))
}

/// Who went wrong: `T2's size()`.
pub(crate) fn who(finding: &Finding) -> String {
    if let Some(op) = finding.fails_late() {
        return format!("{}, called after all others,", op.call_text());
    }
    let steps = finding.interleaving.iter().flat_map(|run| &run.steps);
    let Some(step) = steps.clone().rev().find(|s| s.fault).or(steps.last()) else {
        return "It".into();
    };
    let name = finding.client(step.thread);
    let op = step.operation.and_then(|id| finding.history.get(id));
    match op {
        Some(op) => format!("{name}'s {}", op.call_text()),
        None => name,
    }
}

/// What the thread that crashed read last, if that was the null pointer.
fn null_read(finding: &Finding) -> Option<&str> {
    let steps = &finding.interleaving.as_ref()?.steps;
    let crash = steps.iter().rposition(|step| step.fault)?;
    let mine = steps[..=crash].iter().rev();
    let mut reads = mine
        .filter(|step| step.thread == steps[crash].thread)
        .flat_map(|step| step.accesses.iter().rev())
        .filter(|access| access.action == Action::Read);
    let last = reads.next()?;
    matches!(last.value.as_str(), "0" | "null").then_some(last.variable.as_str())
}

/// The last values of what an assertion names.
fn asserted(finding: &Finding, claim: &str) -> Option<String> {
    let steps = &finding.interleaving.as_ref()?.steps;
    let words: Vec<&str> = claim
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.' || c == '[' || c == ']'))
        .collect();
    let mut values: Vec<(&str, &str)> = Vec::new();
    for access in steps.iter().flat_map(|step| &step.accesses) {
        let name = access.variable.as_str();
        if access.action.is_data() && !access.value.is_empty() && words.contains(&name) {
            values.retain(|(known, _)| *known != name);
            values.push((name, &access.value));
        }
    }
    let said: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("{name} is {value}"))
        .collect();
    (!said.is_empty() && said.len() <= 4).then(|| said.join(", "))
}

pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
