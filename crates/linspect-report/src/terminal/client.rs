//! The client with the results of its failing run, one row per thread, the impossible result marked.

use super::page::{Page, Role, Run};
use crate::finding::{Finding, MinimalTest, Operation, Verdict};
use crate::sentence;
use crate::text::{columns, shown};

/// Only so many lines are spent on one thread.
const LINES: usize = 2;

/// The client: who called what, and what came back.
pub(super) fn client(page: &mut Page, finding: &Finding, test: &MinimalTest) {
    let mut rows: Vec<(String, Option<u32>, &[u32])> = Vec::new();
    if !test.before.is_empty() {
        rows.push(("before".into(), None, &test.before));
    }
    for (thread, calls) in (0..).zip(&test.threads) {
        rows.push((finding.client(thread), Some(thread), calls));
    }
    if !test.after.is_empty() {
        rows.push(("after".into(), None, &test.after));
    }
    page.blank();
    let gutter = rows.iter().map(|r| columns(&r.0)).max().unwrap_or(0).max(6) + 2;
    for (name, thread, calls) in rows {
        row(page, finding, (&name, thread), calls, gutter);
    }
}

fn row(page: &mut Page, finding: &Finding, who: (&str, Option<u32>), calls: &[u32], gutter: usize) {
    let (name, thread) = who;
    let role = thread.map_or(Role::Muted, Role::Thread);
    let indent = 4 + gutter;
    let room = page.width().saturating_sub(indent).max(16);
    let cells: Vec<Cell> = calls
        .iter()
        .filter_map(|&id| finding.history.get(id))
        .map(|op| Cell::of(finding, op, room))
        .collect();
    let lines = arranged(cells, room);
    let name = format!("{:<gutter$}", shown(name, gutter));
    for (i, line) in lines.iter().enumerate() {
        let mut runs = match i {
            0 => vec![Run::new(role, &name)],
            _ => vec![Run::new(Role::Plain, " ".repeat(gutter))],
        };
        for (i, cell) in line.iter().enumerate() {
            if i > 0 {
                runs.push(Run::new(Role::Plain, "  "));
            }
            runs.push(Run::new(cell.role, &cell.text));
        }
        page.line(4, &runs);
    }
    if lines.is_empty() {
        page.line(4, &[Run::new(role, name)]);
    }
}

/// The cells in lines; of many, those around the impossible one.
fn arranged(cells: Vec<Cell>, room: usize) -> Vec<Vec<Cell>> {
    let width = |cells: &[Cell]| -> usize { cells.iter().map(|c| columns(&c.text) + 2).sum() };
    if width(&cells) <= LINES * room {
        let mut lines: Vec<Vec<Cell>> = Vec::new();
        for cell in cells {
            match lines.last_mut() {
                Some(line) if width(line) + columns(&cell.text) <= room => line.push(cell),
                _ => lines.push(vec![cell]),
            }
        }
        return lines;
    }
    let marked = cells.iter().position(|c| c.role == Role::Bad);
    let last = marked.map_or(cells.len(), |at| (at + 2).min(cells.len()));
    let mut line: Vec<Cell> = Vec::new();
    let (mut before, after) = (last, cells.len() - last);
    for cell in cells.into_iter().take(last).rev() {
        if width(&line) + columns(&cell.text) + 24 > room {
            break;
        }
        before -= 1;
        line.push(cell);
    }
    if before > 0 {
        line.push(Cell::muted(format!("… {before} before")));
    }
    line.reverse();
    if after > 0 {
        line.push(Cell::muted(format!("… {after} more")));
    }
    vec![line]
}

struct Cell {
    role: Role,
    text: String,
}

impl Cell {
    fn of(finding: &Finding, op: &Operation, room: usize) -> Self {
        let wrong = match &finding.verdict {
            Verdict::Violated { evidence } if evidence.refused == op.id => {
                let remark = sentence::remark(finding, evidence);
                Some(remark.unwrap_or_else(|| "impossible".into()))
            }
            Verdict::Faulty { .. } if is_faulty(finding, op) => Some("goes wrong here".into()),
            _ => None,
        };
        let test = finding.minimal_test.as_ref();
        let text = test.map_or_else(|| op.to_string(), |test| test.shown(op));
        // Where nobody is stuck, the run was only ended there.
        let is_ended = matches!(finding.verdict, Verdict::Faulty { .. }) && !finding.is_stuck();
        let text = match is_ended {
            true => text.replace("… never returned", "… was still running"),
            false => text,
        };
        match wrong {
            None => Self {
                role: Role::Plain,
                text: shown(&text, room / 2).into_owned(),
            },
            Some(remark) => Self {
                role: Role::Bad,
                text: format!(
                    "{}  ✗ {remark}",
                    text.replace(" … was still running", "")
                        .replace(" … never returned", "")
                ),
            },
        }
    }

    fn muted(text: String) -> Self {
        Self {
            role: Role::Muted,
            text,
        }
    }
}

/// Whether the run went wrong in `op`.
fn is_faulty(finding: &Finding, op: &Operation) -> bool {
    if finding.fails_late().is_some_and(|late| late.id == op.id) {
        return true;
    }
    let steps = finding.interleaving.iter().flat_map(|run| &run.steps);
    let mut faulty = steps.filter(|step| step.fault);
    faulty.any(|step| step.operation == Some(op.id))
}
