//! What to change: the best repair that was found and checked, else what a rule advises, else why there is nothing.

use crate::finding::{Finding, Repair, Span, Verdict};
use crate::names;

/// What to change.
pub(crate) enum Fix<'a> {
    /// Code that must be atomic, re-checked.
    Repair(&'a Repair),
    /// What a rule advises; not checked.
    Advice(String),
    /// Why nothing can be advised.
    None(String),
}

/// What to change; nothing where nothing is wrong, or nobody looked.
pub(crate) fn fix(finding: &Finding) -> Option<Fix<'_>> {
    if let Some(repair) = finding.repairs.as_ref().and_then(|r| r.found.first()) {
        return Some(Fix::Repair(repair));
    }
    if let Some(advice) = finding.advice.first() {
        return Some(Fix::Advice(names::phrase(advice)));
    }
    let note = finding.repairs.as_ref().and_then(|r| r.note.clone());
    if let Some(note) = note {
        return Some(Fix::None(note));
    }
    match &finding.verdict {
        Verdict::Faulty { .. } if finding.is_data_race() => {
            let race = finding.data_races.first()?;
            Some(Fix::Advice(names::phrase(&race.to_order())))
        }
        Verdict::Faulty { .. } if finding.interleaving.is_some() => {
            Some(Fix::None(undecided(finding)))
        }
        _ => None,
    }
}

/// Where to look when neither a repair nor a rule fits.
fn undecided(finding: &Finding) -> String {
    let last = finding.races.iter().flatten().last();
    let side = |taken: bool| {
        let mut sides = last?.sides.iter().filter(|side| side.taken == taken);
        let side = sides.next()?;
        let at = side.span.as_ref()?.in_function();
        Some(format!("{}'s {at}", finding.client(side.thread)))
    };
    match (side(true), side(false)) {
        (Some(taken), Some(other)) => {
            format!("no rule fits; {taken} came before {other}, and that decided the run")
        }
        _ if finding.races.as_ref().is_some_and(Vec::is_empty) => {
            "not a matter of threads: it fails whoever goes first".into()
        }
        _ if finding.races.is_none() => "not every order of the threads was looked at".into(),
        _ => "no order of the threads was found that avoids it".into(),
    }
}

/// Where the change is: the first block of the best repair, else where the run went wrong.
pub(crate) fn place(finding: &Finding) -> Option<&Span> {
    let best = finding
        .repairs
        .iter()
        .find_map(|repairs| repairs.found.first());
    let blocks = best.map_or(&[][..], |repair| &repair.blocks);
    // Of several, that in which this run was.
    let block = blocks.iter().find(|block| is_run(finding, block));
    let block = block.or(blocks.first());
    let fault = match &finding.verdict {
        Verdict::Faulty { fault } => fault.span.as_ref(),
        _ => None,
    };
    let races = finding.races.iter().flatten().rev();
    let race = races
        .flat_map(|race| race.sides.iter().filter(|side| side.taken))
        .find_map(|side| side.span.as_ref());
    // Else where the operation that nobody can explain ended.
    let refused = finding.evidence().map(|evidence| evidence.refused);
    let steps = finding
        .interleaving
        .iter()
        .flat_map(|run| run.steps.iter().rev());
    let mut mine = steps
        .clone()
        .filter(|step| step.operation.is_some() && step.operation == refused);
    let end = mine.find_map(|step| step.span.as_ref());
    // Called after the threads, it has no steps: then where they ended.
    let mut last = steps.filter_map(|step| step.span.as_ref());
    fault.or(block).or(race).or(end).or_else(|| last.next())
}

/// Whether a step of the failing run is in `block`.
fn is_run(finding: &Finding, block: &Span) -> bool {
    let lines = block.line..=block.last_line.max(block.line);
    let covers = |span: &Span| span.file == block.file && lines.contains(&span.line);
    let mut steps = finding.interleaving.iter().flat_map(|run| &run.steps);
    steps.any(|step| step.span.iter().chain(&step.call).any(covers))
}

/// `remove, lines 98–102, must be one step`; of several blocks each with its function and lines, and with its file if they
/// are in several.
pub(crate) fn blocks(repair: &Repair) -> String {
    if let [span] = &repair.blocks[..] {
        let lines = match span.last_line > span.line {
            true => format!("lines {}–{}", span.line, span.last_line),
            false => format!("line {}", span.line),
        };
        return match span.short_function() {
            "" => format!("{}, {lines}, must be one step", span.file_name()),
            function => format!("{function}, {lines}, must be one step"),
        };
    }
    let first = repair.blocks.first().map(|span| &span.file);
    let one_file = repair.blocks.iter().all(|span| Some(&span.file) == first);
    let one = |span: &Span| match (span.short_function(), one_file) {
        ("", _) => span.to_string(),
        (_, true) => span.in_function(),
        (function, false) => format!("{span} ({function})"),
    };
    let all: Vec<String> = repair.blocks.iter().map(one).collect();
    format!("make each of these one step: {}", all.join(", "))
}
