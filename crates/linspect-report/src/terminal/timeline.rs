//! Operations as bars along real time, one row per client, in bands that fit the width.
//!
//! Only what real time decides is drawn to scale: a run of calls without a return between them shares one
//! column, so does a run of returns, and `a` precedes `b` iff `a`'s bar ends left of where `b`'s begins.

use super::page::{Role, Run};
use crate::finding::{Finding, Operation};
use crate::text::{columns, shown};

/// One drawn row: the client's name, then the bars.
pub(super) type Row = Vec<Run>;

/// The operations as bands of rows, each at most `width` columns wide.
pub(super) fn bands(
    finding: &Finding,
    operations: &[&Operation],
    refused: u32,
    width: usize,
) -> Vec<Vec<Row>> {
    let gutter = operations
        .iter()
        .map(|op| columns(&finding.client(op.process)))
        .max()
        .unwrap_or(0)
        + 2;
    let room = width.saturating_sub(gutter).max(12);
    let bars = bars(finding, operations, refused, room);
    let end = bars.iter().map(|bar| bar.last).max().map_or(0, |c| c + 1);
    let fits = |from, to, gap| *positions(&bars, from, to, gap).last().unwrap_or(&0) < room;
    // Loose bars read better, but one band reads better still.
    let gap = if fits(0, end, 2) { 2 } else { 1 };
    let mut bands = Vec::new();
    let mut from = 0;
    while from < end {
        let mut to = from + 1;
        while to < end && fits(from, to + 1, gap) {
            to += 1;
        }
        bands.push(draw(&bars, from, &positions(&bars, from, to, gap), gutter));
        from = to;
    }
    bands
}

/// An operation from its first to its last column.
struct Bar {
    client: String,
    row: (u32, usize),
    label: String,
    refused: bool,
    pending: bool,
    first: usize,
    last: usize,
}

fn bars(finding: &Finding, operations: &[&Operation], refused: u32, room: usize) -> Vec<Bar> {
    // Calls come before returns of the same time: equal times overlap.
    let mut events: Vec<(u64, bool, usize)> = Vec::new();
    for (i, op) in operations.iter().enumerate() {
        events.push((op.call, false, i));
        events.push((op.ret.unwrap_or(u64::MAX), true, i));
    }
    events.sort_unstable();
    let mut spans = vec![(0, 0); operations.len()];
    let mut column = 0;
    for (at, &(_, is_return, op)) in events.iter().enumerate() {
        column += usize::from(at > 0 && events[at - 1].1 != is_return);
        if is_return {
            spans[op].1 = column;
        } else {
            spans[op].0 = column;
        }
    }
    let mut rows: Vec<(u32, usize, usize)> = Vec::new();
    let mut bars = Vec::new();
    for (op, (first, last)) in operations.iter().zip(spans) {
        let is_refused = op.id == refused;
        let mark = if is_refused { " ✗" } else { "" };
        bars.push(Bar {
            client: finding.client(op.process),
            row: row(&mut rows, op.process, first, last),
            label: format!("{}{mark}", shown(&op.to_string(), room - 6)),
            refused: is_refused,
            pending: op.ret.is_none(),
            first,
            last,
        });
    }
    bars.sort_by_key(|bar| bar.row);
    bars
}

/// A row of this process that is free from `first`; a client with several operations in flight has several.
fn row(
    rows: &mut Vec<(u32, usize, usize)>,
    process: u32,
    first: usize,
    last: usize,
) -> (u32, usize) {
    let mut lane = 0;
    for (owner, taken, until) in rows.iter_mut().filter(|row| row.0 == process) {
        if *until < first {
            *until = last;
            return (*owner, *taken);
        }
        lane += 1;
    }
    rows.push((process, lane, last));
    (process, lane)
}

/// The text position of each column of the band `from..to`, and last of the band's end, such that every label fits
/// its bar.
fn positions(bars: &[Bar], from: usize, to: usize, gap: usize) -> Vec<usize> {
    let mut at: Vec<usize> = Vec::with_capacity(to - from + 1);
    for column in from..=to {
        let mut x = at.last().map_or(0, |&before| before + gap);
        if column == to {
            x = x.saturating_sub(gap);
        }
        for bar in bars {
            let ends_here = bar.last == column || (column == to && bar.last >= to);
            if ends_here && (from..column).contains(&bar.first) {
                x = x.max(at[bar.first - from] + columns(&bar.label) + 3);
            }
        }
        at.push(x);
    }
    at
}

fn draw(bars: &[Bar], from: usize, at: &[usize], gutter: usize) -> Vec<Row> {
    let to = from + at.len() - 1;
    let mut rows: Vec<Row> = Vec::new();
    let mut current = None;
    let mut cursor = 0;
    for bar in bars.iter().filter(|bar| bar.first < to && bar.last >= from) {
        if current != Some(bar.row) {
            current = Some(bar.row);
            cursor = 0;
            rows.push(vec![Run::new(
                Role::Muted,
                format!("{:<gutter$}", bar.client),
            )]);
        }
        let begins = bar.first >= from;
        let ends = bar.last < to;
        let start = if begins { at[bar.first - from] } else { 0 };
        let stop = at[bar.last.min(to) - from];
        let row = rows.last_mut().expect("pushed above");
        row.push(Run::new(
            Role::Plain,
            " ".repeat(start.saturating_sub(cursor)),
        ));
        row.push(segment(bar, begins, ends, stop.max(start) - start + 1));
        cursor = stop + 1;
    }
    rows
}

/// The part of a bar that lies in a band, `width` columns wide.
fn segment(bar: &Bar, begins: bool, ends: bool, width: usize) -> Run {
    let line = if bar.refused { '═' } else { '─' };
    let left = match (begins, bar.refused) {
        (false, _) => '┄',
        (true, false) => '├',
        (true, true) => '╞',
    };
    let right = match (ends, bar.pending, bar.refused) {
        (false, _, _) => '┄',
        (true, true, _) => '┈',
        (true, false, false) => '┤',
        (true, false, true) => '╡',
    };
    let label = if begins {
        format!(" {} ", bar.label)
    } else {
        String::new()
    };
    let fill = width.saturating_sub(columns(&label) + 2);
    let mut text = String::from(left);
    text.push_str(&label);
    text.extend(std::iter::repeat_n(line, fill));
    text.push(right);
    let role = if bar.refused {
        Role::Bad
    } else {
        Role::Operation
    };
    Run(role, text)
}
