//! How it happens, as rows: step, thread, place, source, effect.

use super::page::{Page, Role, Run};
use super::{count, grouped};
use crate::finding::{Finding, Interleaving, Span};
use crate::names;
use crate::story::{Room, Row, Visit, story};
use crate::text::{columns, shown};

/// Columns beyond which effects would stand too far from their statements.
const WIDEST: usize = 110;

/// The rows that matter, as many as there is room for.
pub(super) fn how(page: &mut Page, finding: &Finding, run: &Interleaving, room: Room) {
    let told = story(finding, run, room);
    page.blank();
    let mut note = String::new();
    if run.running().len() > 1 {
        note += &format!(" · {}", switches(run));
    }
    let steps = run.steps.len() as u64;
    note += &match told.is_all {
        true if steps == 1 => " · 1 step".into(),
        true => format!(" · all {}", count(steps, "step")),
        false => format!(
            " · {} of {}",
            grouped(told.told as u64),
            count(steps, "step")
        ),
    };
    if !told.is_all && page.is_brief() {
        note += " (all: -v)";
    }
    page.prose(
        2,
        4,
        &[
            Run::new(Role::Heading, "how it happens"),
            Run::new(Role::Muted, note),
        ],
    );
    let visits = || {
        told.rows.iter().filter_map(|row| match row {
            Row::Visit(visit) => Some(visit),
            Row::Switch { .. } | Row::Waits(_) | Row::Fails(_) | Row::Left(_) => None,
        })
    };
    let widest = |text: &dyn Fn(&Visit<'_>) -> String| {
        visits()
            .map(|visit| columns(&text(visit)))
            .max()
            .unwrap_or(0)
    };
    let number = |visit: &Visit<'_>| visit.number.to_string();
    let who = |visit: &Visit<'_>| finding.client(visit.thread);
    let place_of = |visit: &Visit<'_>| visit.span.map_or(String::new(), Span::in_function);
    let numbers = widest(&number);
    // Who goes on no more, and where.
    let ends = || {
        told.rows.iter().filter_map(|row| match row {
            Row::Waits(wait) => Some((wait.thread.clone(), wait.span.as_ref())),
            Row::Fails(end) => Some((end.who.clone(), Some(end.span))),
            _ => None,
        })
    };
    let width = page.width().min(WIDEST);
    let ending = ends().map(|(thread, _)| columns(&thread)).max();
    let names = widest(&who).max(ending.unwrap_or(0));
    let stands = ends().filter_map(|(_, span)| span);
    let stands = stands.map(|span| columns(&span.in_function())).max();
    let places = widest(&place_of).max(stands.unwrap_or(0)).min(width / 4);
    let before = 4 + numbers + 2 + names + 2 + places + 2;
    let room = width.saturating_sub(before).max(16);
    for row in &told.rows {
        match row {
            Row::Visit(visit) => {
                let (source, effect) = parts(visit, room);
                let effect_role = if visit.fault { Role::Bad } else { Role::Plain };
                page.line(
                    4,
                    &[
                        Run::new(Role::Muted, format!("{:>numbers$}  ", number(visit))),
                        Run::new(
                            Role::Thread(visit.thread),
                            format!("{:<names$}  ", who(visit)),
                        ),
                        Run::new(
                            Role::Muted,
                            format!("{:<places$}  ", shown(&place_of(visit), places)),
                        ),
                        Run::new(Role::Plain, source),
                        Run::new(effect_role, effect),
                    ],
                );
            }
            Row::Switch { thread, text } => {
                let indent = 4 + numbers + 2;
                let room = width.saturating_sub(indent + 3);
                let text = shown(without_remark(text, room.saturating_sub(3)), room - 3);
                let rest = room.saturating_sub(columns(&text) + 1);
                page.line(
                    indent,
                    &[
                        Run::new(Role::Muted, "── "),
                        Run::new(Role::Thread(*thread), &text),
                        Run::new(Role::Muted, format!(" {}", "─".repeat(rest))),
                    ],
                );
            }
            Row::Waits(wait) => {
                let at = wait.span.as_ref().map_or(String::new(), Span::in_function);
                let holder = wait
                    .holder
                    .as_ref()
                    .map(|who| format!(", which {who} holds"));
                let text = format!(
                    "waits {}{}",
                    names::phrase(&wait.what),
                    holder.unwrap_or_default()
                );
                let text = shown(&text, room.saturating_sub(2)).into_owned();
                page.line(
                    4,
                    &[
                        Run::new(Role::Muted, format!("{:>numbers$}  ", "")),
                        Run::new(Role::Plain, format!("{:<names$}  ", wait.thread)),
                        Run::new(Role::Muted, format!("{:<places$}  ", shown(&at, places))),
                        Run::new(Role::Bad, format!("✗ {text}")),
                    ],
                );
            }
            Row::Fails(end) => {
                let effect = format!("✗ {}", end.effect);
                let source = shown(end.source, room.saturating_sub(columns(&effect) + 2));
                page.line(
                    4,
                    &[
                        Run::new(Role::Muted, format!("{:>numbers$}  ", "")),
                        Run::new(Role::Plain, format!("{:<names$}  ", end.who)),
                        Run::new(
                            Role::Muted,
                            format!("{:<places$}  ", shown(&end.span.in_function(), places)),
                        ),
                        Run::new(Role::Plain, format!("{source}  ")),
                        Run::new(Role::Bad, effect),
                    ],
                );
            }
            Row::Left(text) => page.line(4 + numbers + 2, &[Run::new(Role::Muted, text)]),
        }
    }
}

fn switches(run: &Interleaving) -> String {
    match run.switches() {
        1 => "1 switch".into(),
        n => format!("{} switches", grouped(n as u64)),
    }
}

/// What a rule says; without the values at its end where these do not fit.
fn without_remark(text: &str, room: usize) -> &str {
    match text.find(" (") {
        Some(at) if columns(text) > room && text.ends_with(')') => &text[..at],
        _ => text,
    }
}

/// The source of a visit and what it did, together at most `room` columns wide; what it did goes first.
fn parts(visit: &Visit<'_>, room: usize) -> (String, String) {
    let mark = if visit.fault { "✗ " } else { "" };
    let least = columns(visit.source).min(room / 4);
    let mut effect = format!("{mark}{}", visit.effect);
    if columns(&effect) + least + 2 > room {
        effect = format!("{mark}{}", visit.short_effect);
    }
    if effect.is_empty() {
        return (shown(visit.source, room).into_owned(), String::new());
    }
    if visit.source.is_empty() {
        return (String::new(), shown(&effect, room).into_owned());
    }
    let effect = shown(&effect, room.saturating_sub(least + 2)).into_owned();
    let left = room.saturating_sub(columns(&effect) + 2);
    let source = shown(visit.source, left).into_owned();
    // Effects stand below each other where there is room.
    let column = (room / 2).max(columns(&source));
    let column = column.min(left);
    let gap = " ".repeat(column.saturating_sub(columns(&source)) + 2);
    (format!("{source}{gap}"), effect)
}
