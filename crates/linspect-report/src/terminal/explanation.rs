//! Why the run fails: the lines that matter, what holds between them, and who gets in whose way.

use super::page::{Page, Role, Run};
use crate::finding::Finding;
use crate::finding::explanation::{Dependency, Explanation, Link, Reason, Role as Why};
use crate::text::{columns, shown};

/// Of a longer slice, only lines that access memory are printed, and of these the last.
const SHOWN_LINES: usize = 24;

/// Only so many conjuncts of an invariant are printed.
const SHOWN_CONJUNCTS: usize = 4;

/// Only so many dependencies between threads are printed.
const SHOWN_LINKS: usize = 8;

/// The slice with its invariants.
pub(super) fn explanation(page: &mut Page, finding: &Finding, why: &Explanation) {
    page.blank();
    let note = format!(
        " ({} of {} lines; {}: {})",
        why.lines.len(),
        why.executed,
        why.level,
        why.level_in_words()
    );
    page.prose(
        2,
        4,
        &[
            Run::new(Role::Heading, "why it fails"),
            Run::new(Role::Muted, note),
        ],
    );
    // Lines of the harness and of libraries are not kept as source.
    let told = why.lines.iter().filter(|line| !line.text.is_empty());
    let mut lines: Vec<&Reason> = told.collect();
    if lines.len() > SHOWN_LINES {
        lines.retain(|l| l.deed.is_some() || l.switch);
        lines.drain(..lines.len().saturating_sub(SHOWN_LINES));
    }
    let unprinted = why.lines.len() - lines.len();
    let width = lines
        .iter()
        .map(|l| columns(&l.span.to_string()))
        .max()
        .unwrap_or(0)
        .min(30);
    let mut last = None;
    for line in lines.iter().copied() {
        reason(page, finding, line, width, last == Some(line.thread));
        last = Some(line.thread);
    }
    let between = why
        .links
        .iter()
        .filter(|l| l.kind != Dependency::Control)
        .filter(|l| thread(why, l.from) != thread(why, l.to))
        .filter(|l| why.is_told(l));
    for link in between.take(SHOWN_LINKS) {
        let text = sentence(finding, why, link);
        page.prose(4, 6, &[Run::new(Role::Plain, text)]);
    }
    for absent in why.absent.iter().filter(|absent| !absent.text.is_empty()) {
        let decided = absent
            .decided_at
            .as_ref()
            .map_or(String::new(), |at| format!(", decided at {at}"));
        let text = format!(
            "not executed, but in the nearest good run: {} {}  {}{decided}",
            finding.client(absent.thread),
            absent.span,
            absent.text
        );
        page.prose(
            4,
            6,
            &[
                Run::new(Role::Doubt, "∅\u{a0}"),
                Run::new(Role::Plain, text),
            ],
        );
        for line in &absent.because {
            page.prose(6, 8, &[Run::new(Role::Muted, format!("because of {line}"))]);
        }
    }
    let mut rest = why.left_out();
    if unprinted > 0 {
        rest = format!("{unprinted} lines that matter, too, are in the HTML report; {rest}");
    }
    page.prose(4, 6, &[Run::new(Role::Muted, rest)]);
}

fn thread(why: &Explanation, line: u32) -> Option<u32> {
    why.lines.get(line as usize).map(|l| l.thread)
}

fn reason(page: &mut Page, finding: &Finding, line: &Reason, width: usize, same: bool) {
    let mark = if line.switch { "⇄ " } else { "  " };
    let name = finding.client(line.thread);
    let name_width = columns(&name).max(4) + 1;
    let before = 4 + 2 + name_width + width + 2;
    let room = page.width().saturating_sub(before);
    let deed = line.deed.as_deref().unwrap_or("");
    let deed = shown(deed, room * 2 / 3);
    let source = shown(&line.text, room.saturating_sub(columns(&deed) + 2));
    let role = match line.role {
        Why::Value => Role::Plain,
        Why::Guard | Why::Hazard => Role::Muted,
    };
    let client = if same { Role::Muted } else { Role::Operation };
    page.line(
        4,
        &[
            Run::new(Role::Doubt, mark),
            Run::new(client, format!("{name:<name_width$}")),
            Run::new(
                Role::Muted,
                format!("{:<width$}  ", shown(&line.span.to_string(), width)),
            ),
            Run::new(role, format!("{source}  ")),
            Run::new(Role::Operation, deed),
        ],
    );
    if !line.invariant.is_empty() {
        let first = &line.invariant[..line.invariant.len().min(SHOWN_CONJUNCTS)];
        let mut text = first.join(" ∧ ").replace(' ', "\u{a0}");
        if first.len() < line.invariant.len() {
            text += &format!(" ∧ {} more", line.invariant.len() - first.len());
        }
        let text = text.replace("\u{a0}∧\u{a0}", " ∧ ");
        let indent = 4 + 2 + name_width;
        let holds = format!("⎡\u{a0}{text}\u{a0}⎤");
        page.prose(indent, indent + 2, &[Run::new(Role::Muted, holds)]);
    }
}

/// A dependency between threads, as a sentence.
pub(crate) fn sentence(finding: &Finding, why: &Explanation, link: &Link) -> String {
    let place = |line: u32| {
        why.lines.get(line as usize).map_or(String::new(), |l| {
            format!("{} {}", finding.client(l.thread), l.span)
        })
    };
    let (from, to) = (place(link.from), place(link.to));
    let what = link.variable.as_deref().unwrap_or("it");
    match link.kind {
        Dependency::Raw => format!("raw: {to} reads {what} as {from} wrote it"),
        Dependency::War => format!("war: {to} overwrites {what} after {from} has read it"),
        Dependency::Waw => format!("waw: {to} overwrites {what} that {from} wrote"),
        Dependency::Control => format!("ctrl: {to} runs because of {from}"),
    }
}
