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
        Verdict::Faulty { fault } if fault.kind == "data race" => {
            let race = finding.data_races.first()?;
            Some(Fix::Advice(names::phrase(&format!(
                "order the two accesses of {}: {}",
                race.variable, race.unordered
            ))))
        }
        Verdict::Faulty { .. } if finding.interleaving.is_some() => Some(Fix::None(
            "no choice of a thread was found that saves the run, and no rule fits it".into(),
        )),
        _ => None,
    }
}

/// Where the change is: the first block of the best repair, else where the run went wrong.
pub(crate) fn place(finding: &Finding) -> Option<&Span> {
    let repairs = finding.repairs.iter().flat_map(|repairs| &repairs.found);
    let block = repairs.flat_map(|repair| &repair.blocks).next();
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
    let mut mine = steps.filter(|step| step.operation.is_some() && step.operation == refused);
    let end = mine.find_map(|step| step.span.as_ref());
    fault.or(block).or(race).or(end)
}

/// `remove, lines 98–102, must be one step`.
pub(crate) fn blocks(repair: &Repair) -> String {
    let one = |span: &Span| {
        let lines = match span.last_line > span.line {
            true => format!("lines {}–{}", span.line, span.last_line),
            false => format!("line {}", span.line),
        };
        match span.short_function() {
            "" => format!("{}, {lines}", span.file_name()),
            function => format!("{function}, {lines}"),
        }
    };
    let all: Vec<String> = repair.blocks.iter().map(one).collect();
    match all.len() {
        1 => format!("{}, must be one step", all[0]),
        _ => format!("{}: each must be one step", all.join("; ")),
    }
}
