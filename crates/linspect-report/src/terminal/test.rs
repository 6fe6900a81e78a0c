//! The smallest test, one column per thread, with the results of its failing run.

use super::page::{Page, Role, Run};
use crate::finding::{Finding, MinimalTest};
use crate::text::{columns, shown};

/// The test as a table.
pub(super) fn minimal(page: &mut Page, finding: &Finding, test: &MinimalTest) {
    page.blank();
    page.prose(
        2,
        4,
        &[
            Run::new(Role::Heading, "smallest test"),
            Run::new(Role::Muted, format!(" ({})", test.promise())),
        ],
    );
    alone(page, finding, "before", &test.before);
    let count = test.threads.len().max(1);
    let gap = 3;
    let room = (page.width() - 4) / count - gap;
    let cells: Vec<Vec<Cell>> = test
        .threads
        .iter()
        .map(|calls| {
            calls
                .iter()
                .map(|&id| Cell::of(finding, id, room))
                .collect()
        })
        .collect();
    let width = |thread: &[Cell]| {
        let widest = thread.iter().map(|cell| columns(&cell.text)).max();
        widest.unwrap_or(0).max(2) + gap
    };
    let mut head = Vec::new();
    for (i, thread) in cells.iter().enumerate() {
        let name = format!("{:<1$}", finding.client(i as u32), width(thread));
        head.push(Run::new(Role::Muted, name));
    }
    page.line(4, &head);
    let rows = cells.iter().map(Vec::len).max().unwrap_or(0);
    for row in 0..rows {
        let mut line = Vec::new();
        for thread in &cells {
            let (role, text) = thread
                .get(row)
                .map_or((Role::Plain, ""), |cell| (cell.role, cell.text.as_str()));
            line.push(Run::new(role, text));
            line.push(Run::new(
                Role::Plain,
                " ".repeat(width(thread) - columns(text)),
            ));
        }
        page.line(4, &line);
    }
    alone(page, finding, "after", &test.after);
}

/// Calls that nobody runs beside.
fn alone(page: &mut Page, finding: &Finding, when: &str, calls: &[u32]) {
    if calls.is_empty() {
        return;
    }
    let mut runs = vec![Run::new(Role::Muted, format!("{when:<6} "))];
    for (i, &id) in calls.iter().enumerate() {
        if i > 0 {
            runs.push(Run::new(Role::Plain, "; "));
        }
        let cell = Cell::of(finding, id, page.width());
        runs.push(Run::new(cell.role, cell.text));
    }
    page.prose(4, 11, &runs);
}

struct Cell {
    role: Role,
    text: String,
}

impl Cell {
    fn of(finding: &Finding, id: u32, room: usize) -> Self {
        let refused = finding.evidence().is_some_and(|e| e.refused == id);
        let text = finding
            .history
            .get(id)
            .map_or(String::new(), ToString::to_string);
        let (role, mark) = if refused {
            (Role::Bad, " ✗")
        } else {
            (Role::Operation, "")
        };
        Self {
            role,
            text: format!("{}{mark}", shown(&text, room.saturating_sub(2).max(8))),
        }
    }
}
