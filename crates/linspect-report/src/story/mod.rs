//! How it happens: the failing run, told in the few rows that matter.
//!
//! A row is one visit of one source line. A row matters where threads meet: it reads what another thread wrote, or is
//! overwritten before the reader has gone on; where a repair is known, only what the repair is about counts. Rows that
//! repeat are told once. Each time another thread goes on, a rule says what it does.

mod matters;
mod switch;
mod visits;

pub(crate) use switch::goes_on;
pub(crate) use visits::{Visit, visits};

use crate::finding::{Finding, Interleaving, Verdict, Wait};

/// The rows, and out of how many steps they are.
pub(crate) struct Story<'a> {
    pub(crate) rows: Vec<Row<'a>>,
    /// How many rows of the run are told.
    pub(crate) told: usize,
    /// Whether those are all.
    pub(crate) is_all: bool,
}

/// One row.
pub(crate) enum Row<'a> {
    /// A visit of a source line.
    Visit(Visit<'a>),
    /// Another thread goes on: what it does.
    Switch {
        /// The thread that goes on.
        thread: u32,
        /// What it does, and what has changed meanwhile.
        text: String,
    },
    /// In the end a thread waits for ever.
    Waits(&'a Wait),
    /// Rows that are left out.
    Left(String),
}

/// The story of `run` in about `most` rows.
pub(crate) fn story<'a>(finding: &'a Finding, run: &'a Interleaving, most: usize) -> Story<'a> {
    let all = visits(finding, run);
    let told: Vec<&Visit<'_>> = all.iter().filter(|visit| visit.told).collect();
    let switches = told
        .windows(2)
        .filter(|w| w[0].thread != w[1].thread)
        .count();
    let ruled = switches <= RULED && told.len() + switches <= most.max(RULED);
    let rule = |at: usize| {
        let visit = told[at];
        let switched = at > 0 && told[at - 1].thread != visit.thread;
        (switched && ruled).then(|| goes_on(finding, run, &all, visit))
    };
    let rules: Vec<Option<String>> = (0..told.len()).map(rule).collect();
    let (told, is_all) = (told.len(), told.len() == all.len());
    let mut rows = Vec::new();
    for (visit, rule) in all.into_iter().filter(|visit| visit.told).zip(rules) {
        rows.extend(rule.map(|text| Row::Switch {
            thread: visit.thread,
            text,
        }));
        rows.push(Row::Visit(visit));
    }
    let mut rows = shorten(fold_rounds(rows), most);
    if let Verdict::Faulty { fault } = &finding.verdict {
        let waits = fault.waits.iter().filter(|wait| wait.span.is_some());
        rows.extend(waits.take(WAITS).map(Row::Waits));
    }
    Story { rows, told, is_all }
}

/// So many threads that wait are told of.
const WAITS: usize = 6;

/// More switches than these are not each given a rule.
const RULED: usize = 4;

/// Rows that repeat are told once at the beginning and once at the end.
fn fold_rounds(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    const LONGEST_ROUND: usize = 8;
    let same = |a: &Row<'_>, b: &Row<'_>| match (a, b) {
        (Row::Visit(a), Row::Visit(b)) => {
            a.thread == b.thread && a.span == b.span && a.source == b.source
        }
        (Row::Switch { thread: a, .. }, Row::Switch { thread: b, .. }) => a == b,
        _ => false,
    };
    let rounds = |at: usize, period: usize| {
        let mut n = 1;
        while rows.len() >= at + (n + 1) * period
            && (0..period).all(|i| same(&rows[at + i], &rows[at + n * period + i]))
        {
            n += 1;
        }
        n
    };
    let mut plan = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let best = (1..=LONGEST_ROUND)
            .map(|period| (period, rounds(at, period)))
            .find(|&(_, n)| n > 3);
        match best {
            Some((period, n)) => {
                plan.push((at..at + period, Some(n - 2)));
                plan.push((at + (n - 1) * period..at + n * period, None));
                at += n * period;
            }
            None => {
                plan.push((at..at + 1, None));
                at += 1;
            }
        }
    }
    let mut rows: Vec<Option<Row<'_>>> = rows.into_iter().map(Some).collect();
    let mut told = Vec::new();
    for (range, more) in plan {
        told.extend(rows[range].iter_mut().filter_map(Option::take));
        told.extend(more.map(|more| Row::Left(format!("… {more} more rounds"))));
    }
    told
}

/// Of too many rows, the first and the last.
fn shorten(rows: Vec<Row<'_>>, most: usize) -> Vec<Row<'_>> {
    if rows.len() <= most {
        return rows;
    }
    let head = (most.saturating_sub(1) / 3).max(1);
    let tail = most.saturating_sub(head + 1).max(1);
    let left = rows.len().saturating_sub(head + tail);
    let skipped = rows.len() - tail;
    let mut told: Vec<Row<'_>> = Vec::new();
    for (i, row) in rows.into_iter().enumerate() {
        if i == head {
            told.push(Row::Left(format!("… {left} more rows")));
        }
        if i < head || i >= skipped {
            told.push(row);
        }
    }
    told
}
