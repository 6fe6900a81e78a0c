//! Why a history is wrong: the smallest failing part, the argument, the order that got furthest.

use super::page::{Page, Role, Run};
use super::{count, grouped, timeline};
use crate::finding::{Evidence, Finding, Operation};
use crate::mention::pieces;
use crate::text::{columns, shown};

/// Of a core that nobody could make small, only the end is drawn.
const DRAWN_OPERATIONS: usize = 24;

/// Of a long order of effects, only the end is shown.
const SHOWN_STEPS: usize = 12;

/// Of the states in which the refused operation is stuck, only so many are shown.
const SHOWN_STATES: usize = 4;

/// The smallest failing part, and what the impossible result could have been, if that is known.
pub(super) fn core(page: &mut Page, finding: &Finding, evidence: &Evidence) {
    part(page, finding, evidence);
    let remark = crate::sentence::remark(finding, evidence);
    if let Some((remark, refused)) = remark.zip(finding.history.get(evidence.refused)) {
        let runs = [
            Run::new(Role::Bad, format!("✗ {refused}")),
            Run::new(
                Role::Plain,
                format!(" by {}: {remark}", finding.client(refused.process)),
            ),
        ];
        page.prose(4, 6, &runs);
    }
}

/// The smallest failing part, drawn along real time.
fn part(page: &mut Page, finding: &Finding, evidence: &Evidence) {
    let operations: Vec<&Operation> = evidence
        .core
        .iter()
        .filter_map(|&id| finding.history.get(id))
        .collect();
    let drawn = &operations[operations.len().saturating_sub(DRAWN_OPERATIONS)..];
    page.blank();
    page.prose(2, 4, &core_heading(finding, evidence));
    if drawn.len() < evidence.core.len() {
        let left_out = evidence.core.len() - drawn.len();
        let text = format!(
            "{} before these left out",
            count(left_out as u64, "operation")
        );
        page.line(4, &[Run::new(Role::Muted, text)]);
    }
    let bands = timeline::bands(finding, drawn, evidence.refused, page.width() - 4);
    for (i, band) in bands.iter().enumerate() {
        if i > 0 {
            page.blank();
        }
        for row in band {
            page.line(4, row);
        }
    }
}

fn core_heading(finding: &Finding, evidence: &Evidence) -> Vec<Run> {
    let (size, total) = (evidence.core.len() as u64, finding.history.total);
    let size = match (size, total) {
        (1, 1) => String::from("the only operation"),
        _ if size == total => format!("all {}", count(total, "operation")),
        _ => format!("{} of {}", grouped(size), count(total, "operation")),
    };
    let minimal = match (evidence.core.len(), evidence.core_is_minimal && total > 1) {
        (_, false) => "",
        (1, true) => ", wrong by itself",
        (_, true) => "; without any one of them the others would pass",
    };
    let mut runs = vec![Run::new(Role::Heading, "smallest failing part")];
    if let Some(part) = &evidence.part {
        runs.push(Run::new(Role::Plain, format!(" of {part}")));
    }
    runs.push(Run::new(Role::Muted, format!(" ({size}{minimal})")));
    runs
}

/// The argument, line by line.
pub(super) fn because(page: &mut Page, finding: &Finding, evidence: &Evidence) {
    if evidence.because.is_empty() {
        return;
    }
    page.blank();
    let by = format!(" (decided by {})", evidence.decider);
    page.line(
        2,
        &[
            Run::new(Role::Heading, "because"),
            Run::new(Role::Muted, by),
        ],
    );
    for (i, line) in evidence.because.iter().enumerate() {
        let mut runs = vec![Run::new(Role::Muted, format!("{} ", i + 1))];
        for piece in pieces(line, &finding.history) {
            let role = match piece.operation {
                None => Role::Plain,
                Some(id) if id == evidence.refused => Role::Bad,
                Some(_) => Role::Operation,
            };
            runs.push(Run::new(role, piece.text));
        }
        page.prose(4, 6, &runs);
    }
}

/// The order of effects that got furthest, with the states along it.
pub(super) fn order(page: &mut Page, finding: &Finding, evidence: &Evidence) {
    let order = &evidence.partial;
    let shown = &order.steps[order.steps.len().saturating_sub(SHOWN_STEPS)..];
    let left_out = order.total.saturating_sub(shown.len() as u64);
    page.blank();
    page.prose(
        2,
        4,
        &[
            Run::new(Role::Heading, "furthest order of effects"),
            Run::new(
                Role::Muted,
                format!(
                    " ({} of {} placed, then stuck)",
                    order.total,
                    count(evidence.core.len() as u64, "operation")
                ),
            ),
        ],
    );
    if left_out > 0 {
        let text = format!("{} before these left out", count(left_out, "step"));
        page.line(4, &[Run::new(Role::Muted, text)]);
    }
    let mut table = Vec::new();
    for (i, step) in shown.iter().enumerate() {
        table.push(StepRow {
            number: left_out.saturating_add(i as u64 + 1).to_string(),
            operation: finding.history.get(step.operation),
            state: step.state.clone(),
            role: Role::Operation,
        });
    }
    table.extend(stuck(finding, evidence));
    steps(page, finding, &table);
}

/// Why the refused operation cannot be next, in each state that was reached.
fn stuck<'a>(finding: &'a Finding, evidence: &Evidence) -> Vec<StepRow<'a>> {
    let refused = finding.history.get(evidence.refused);
    let row = |i: usize, state| StepRow {
        number: if i == 0 { "✗".into() } else { String::new() },
        operation: refused.filter(|_| i == 0),
        state,
        role: Role::Bad,
    };
    if evidence.allowed.is_empty() {
        return vec![row(0, "cannot be placed".into())];
    }
    let mut rows = Vec::new();
    for (i, allowed) in evidence.allowed.iter().take(SHOWN_STATES).enumerate() {
        let results: Vec<String> = allowed.results.iter().map(|r| format!("→ {r}")).collect();
        let text = match results.as_slice() {
            [] => format!("not possible in {}", allowed.state),
            results => format!("in {} only {}", allowed.state, results.join(" or ")),
        };
        rows.push(row(i, text));
    }
    if let Some(more @ 1..) = evidence.allowed.len().checked_sub(SHOWN_STATES) {
        rows.push(row(
            SHOWN_STATES,
            format!("and so in {}", count(more as u64, "other state")),
        ));
    }
    rows
}

struct StepRow<'a> {
    number: String,
    operation: Option<&'a Operation>,
    state: String,
    role: Role,
}

fn steps(page: &mut Page, finding: &Finding, table: &[StepRow<'_>]) {
    let page_third = page.width() / 3;
    let name = |row: &StepRow<'_>| {
        let text = row.operation.map_or(String::new(), ToString::to_string);
        shown(&text, page_third).into_owned()
    };
    let client = |row: &StepRow<'_>| {
        row.operation
            .map_or(String::new(), |op| finding.client(op.process))
    };
    let widest = |text: &dyn Fn(&StepRow<'_>) -> String| {
        table
            .iter()
            .map(|row| columns(&text(row)))
            .max()
            .unwrap_or(0)
    };
    let number_width = widest(&|row| row.number.clone());
    let name_width = widest(&name);
    let client_width = widest(&client);
    let before = 4 + number_width + 2 + name_width + 2 + client_width + 2;
    let room = page.width().saturating_sub(before).max(8);
    for row in table {
        let name = name(row);
        let pad = name_width - columns(&name);
        page.line(
            4,
            &[
                Run::new(Role::Muted, format!("{:>number_width$}  ", row.number)),
                Run::new(row.role, &name),
                Run::new(Role::Plain, " ".repeat(pad + 2)),
                Run::new(Role::Muted, format!("{:<client_width$}  ", client(row))),
                Run::new(Role::Plain, shown(&row.state, room)),
            ],
        );
    }
}
