//! How it happens: the failing run, told in the few rows that matter.
//!
//! A row is one visit of one source line. A row matters where threads meet: it reads what another thread wrote, or is
//! overwritten before the reader has gone on; where a repair is known, only what the repair is about counts. Rows that
//! repeat are told once. Each time another thread goes on, a rule says what it does.

mod matters;
mod switch;
mod visits;

use visits::is_change;

pub(crate) use switch::goes_on;
pub(crate) use visits::{Visit, visits};

use crate::finding::{Finding, Interleaving, Span, Verdict, Wait};
use std::collections::BTreeSet;

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
    /// It goes wrong after the last step.
    Fails(Failing<'a>),
    /// Rows that are left out.
    Left(String),
}

impl<'a> Row<'a> {
    fn visit(&self) -> Option<&Visit<'a>> {
        match self {
            Self::Visit(visit) => Some(visit),
            Self::Switch { .. } | Self::Waits(_) | Self::Fails(_) | Self::Left(_) => None,
        }
    }
}

/// How many rows there may be.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// About so many, if some are left out.
    pub(crate) most: usize,
    /// So many if none are.
    pub(crate) whole: usize,
}

/// The story of `run`, as far as there is `room` for it.
pub(crate) fn story<'a>(finding: &'a Finding, run: &'a Interleaving, room: Room) -> Story<'a> {
    let most = room.most;
    let all = visits(finding, run);
    let told: Vec<&Visit<'_>> = all.iter().filter(|visit| visit.told).collect();
    let switches = told
        .windows(2)
        .filter(|w| w[0].thread != w[1].thread)
        .count();
    // A rule at each, and a row between them.
    let ruled = switches <= RULED && 2 * switches < most + RULED;
    let rule = |at: usize| {
        let visit = told[at];
        let switched = at > 0 && told[at - 1].thread != visit.thread;
        (switched && ruled).then(|| goes_on(finding, run, &all, visit))
    };
    let rules: Vec<Option<String>> = (0..told.len()).map(rule).collect();
    let (count, tells_all) = (all.len(), told.len() == all.len());
    let mut rows = Vec::new();
    for (visit, rule) in all.into_iter().filter(|visit| visit.told).zip(rules) {
        rows.extend(rule.map(|text| Row::Switch {
            thread: visit.thread,
            text,
        }));
        rows.push(Row::Visit(visit));
    }
    let mut rows = fold_rounds(rows);
    let waits = match &finding.verdict {
        Verdict::Faulty { fault } => &fault.waits[..],
        _ => &[],
    };
    if !(tells_all && rows.len() <= room.whole) {
        let pinned = matters::pinned(finding, run);
        let waiting = |visit: &Visit<'_>| {
            let mut waits = waits.iter();
            waits.any(|wait| {
                wait.thread == finding.client(visit.thread) && wait.span.as_ref() == visit.span
            })
        };
        thin(&mut rows, &waiting, &pinned, most);
    }
    let mut rows = shorten(rows, most);
    forget_unseen(&mut rows);
    let told = rows.iter().filter(|row| row.visit().is_some()).count();
    if let Verdict::Faulty { fault } = &finding.verdict {
        let waits = fault.waits.iter().filter(|wait| wait.span.is_some());
        let (joining, others): (Vec<&Wait>, Vec<&Wait>) = waits.partition(|wait| wait.is_join());
        let waits = others.into_iter().chain(joining);
        rows.extend(waits.take(WAITS).map(Row::Waits));
    }
    rows.extend(fails_after(finding, run).map(Row::Fails));
    let is_all = told == count;
    Story { rows, told, is_all }
}

/// Where a program, or a call after all others, goes wrong once nobody can interfere any more, which is no step.
pub(crate) struct Failing<'a> {
    /// The thread, if it is one of those that took steps.
    pub(crate) thread: Option<u32>,
    pub(crate) who: String,
    pub(crate) span: &'a Span,
    pub(crate) source: &'a str,
    pub(crate) effect: &'static str,
}

/// Where `main`, or a call after all others, goes wrong after the last step of the run.
pub(crate) fn fails_after<'a>(finding: &'a Finding, run: &'a Interleaving) -> Option<Failing<'a>> {
    let Verdict::Faulty { fault } = &finding.verdict else {
        return None;
    };
    let main = run.steps.last().map(|step| step.thread);
    let main = main.filter(|&thread| finding.is_program() && finding.client(thread) == "main");
    let who = match (main, finding.fails_late()) {
        (Some(main), _) => finding.client(main),
        (None, Some(_)) => "after".into(),
        (None, None) => return None,
    };
    let span = fault.span.as_ref()?;
    if !fault.waits.is_empty() || run.steps.iter().any(|step| step.fault) {
        return None;
    }
    let line = (span.line as usize).checked_sub(1);
    let lines = finding.source(&span.file).map(str::lines);
    Some(Failing {
        thread: main,
        who,
        span,
        source: lines
            .zip(line)
            .and_then(|(mut lines, at)| lines.nth(at))
            .map_or("", str::trim),
        effect: match fault.kind.as_str() {
            "assertion failed" => "fails",
            "use after free" => "uses memory that was freed",
            _ => "goes wrong here",
        },
    })
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

/// Of too many rows, those without which the rest is still understood are left out: first reads, then writes, then what a
/// thread does last before another goes on. What a rule speaks of, what made that out of date, the fault and the end stay.
fn thin(
    rows: &mut Vec<Row<'_>>,
    waiting: &dyn Fn(&Visit<'_>) -> bool,
    pinned: &BTreeSet<usize>,
    most: usize,
) {
    let spoken_of: Vec<usize> = (0..rows.len())
        .filter(|&at| is_spoken_of(rows, at))
        .collect();
    let is_pinned = |at: usize| {
        let visit = rows[at].visit();
        visit.is_some_and(|visit| pinned.range(visit.first..=visit.last).next().is_some())
    };
    let kept = |at: usize| {
        let Some(visit) = rows[at].visit() else {
            return true;
        };
        let outdates = spoken_of.iter().any(|&read| {
            let of = rows[read].visit().map_or("", |read| read.variable());
            let other = rows[read].visit().map(|read| read.thread) != Some(visit.thread);
            other && read < at && !of.is_empty() && visit.changes(of)
        });
        let is_end = rows[at + 1..].iter().all(|row| row.visit().is_none());
        let frees = visit.effect.starts_with("frees ");
        visit.fault || is_end || outdates || frees || is_pinned(at) || spoken_of.contains(&at)
    };
    // Where a thread waits in the end is told there.
    let is_wait = |at: usize| {
        let is_waiting = rows[at].visit().is_some_and(waiting);
        is_waiting && !is_pinned(at) && !spoken_of.contains(&at)
    };
    let thread = |at: usize| rows[at].visit().map(|visit| visit.thread);
    // From the switch before a row to the next one.
    let stretch = |at: usize| {
        let same = |other: &usize| thread(*other).is_none_or(|t| Some(t) == thread(at));
        let before = (0..at)
            .rev()
            .take_while(same)
            .filter(|&i| thread(i).is_some());
        let after = (at + 1..rows.len())
            .take_while(same)
            .filter(|&i| thread(i).is_some());
        (before.collect::<Vec<_>>(), after.collect::<Vec<_>>())
    };
    let mut rest: Vec<(u8, usize)> = Vec::new();
    for at in (0..rows.len()).filter(|&at| !kept(at) || is_wait(at)) {
        if is_wait(at) {
            rest.push((0, at));
            continue;
        }
        let (before, after) = stretch(at);
        let writes = rows[at].visit().is_some_and(|v| is_change(&v.effect));
        match (after.is_empty(), writes) {
            (false, false) => rest.push((0, at)),
            (false, true) => rest.push((1, at)),
            (true, _) if before.into_iter().any(kept) => rest.push((2, at)),
            (true, _) => {}
        }
    }
    rest.sort_unstable();
    rest.truncate(rows.len().saturating_sub(most));
    let mut at = 0;
    rows.retain(|_| {
        let keep = !rest.iter().any(|&(_, left_out)| left_out == at);
        at += 1;
        keep
    });
}

/// Whether a rule names the step of the row at `at`.
fn is_spoken_of(rows: &[Row<'_>], at: usize) -> bool {
    let Some(visit) = rows[at].visit() else {
        return false;
    };
    let name = format!("step {} ", visit.number);
    rows.iter()
        .any(|row| matches!(row, Row::Switch { text, .. } if text.contains(&name)))
}

/// No rule speaks of a step that is not shown.
fn forget_unseen(rows: &mut [Row<'_>]) {
    let shown: Vec<usize> = rows
        .iter()
        .filter_map(Row::visit)
        .map(|v| v.number)
        .collect();
    for row in rows {
        if let Row::Switch { text, .. } = row
            && let Some((before, after)) = text.split_once(" step ")
        {
            let digits = after.split(|c: char| !c.is_ascii_digit()).next();
            let number = digits.and_then(|digits| digits.parse().ok());
            if number.is_some_and(|number: usize| !shown.contains(&number)) {
                let begin = before.split_once(": ").map_or(before, |(begin, _)| begin);
                *text = begin.to_owned();
            }
        }
    }
}

/// Of too many rows, the first and the last.
fn shorten(rows: Vec<Row<'_>>, most: usize) -> Vec<Row<'_>> {
    // A row that says how many are missing should stand for some.
    if rows.len() <= most + 2 {
        return rows;
    }
    let head = (most.saturating_sub(1) / 3).max(1);
    let tail = most.saturating_sub(head + 1).max(1);
    let skipped = rows.len() - tail;
    let visits = rows[head..skipped].iter().filter_map(Row::visit);
    let left = visits.count();
    let mut told: Vec<Row<'_>> = Vec::new();
    for (i, row) in rows.into_iter().enumerate() {
        if i == head {
            told.push(Row::Left(format!("… {left} more steps")));
        }
        if i < head || i >= skipped {
            told.push(row);
        }
    }
    told
}
