//! The first lines of a report, and the last.

use super::page::{Page, Role, Run};
use super::{Detail, Options, count, coverage, coverages, duration};
use crate::finding::{Coverage, Finding, RacingAccess, Verdict};
use crate::names;
use crate::text::columns;
use std::time::Duration;

/// The verdict and what it covers, where nothing is wrong.
pub(super) fn verdict(page: &mut Page, finding: &Finding, elapsed: Option<Duration>) {
    let (role, mark) = match finding.verdict {
        Verdict::Holds { .. } => (Role::Good, '✓'),
        Verdict::Violated { .. } | Verdict::Faulty { .. } => (Role::Bad, '✗'),
        Verdict::Unknown { .. } => (Role::Doubt, '?'),
    };
    let mut runs = vec![
        Run::new(role, format!("{mark} {}", finding.headline())),
        Run::new(Role::Plain, format!(" · {}", finding.checked.source)),
        Run::new(Role::Plain, " · "),
    ];
    let coverages = coverages(finding);
    runs.extend(coverages.iter().map(|part| Run::new(Role::Plain, part)));
    if let Verdict::Unknown { reason } = &finding.verdict {
        runs.push(Run::new(Role::Plain, format!(" · {reason}")));
    }
    if let Some(elapsed) = elapsed {
        runs.push(Run::new(Role::Muted, format!(" · {}", duration(elapsed))));
    }
    page.prose(0, 2, &runs);
    let limits = match (&finding.verdict, &finding.coverage) {
        (Verdict::Holds { .. }, Coverage::Recorded) => {
            "This covers the one recorded history, not other runs of the same system."
        }
        (Verdict::Unknown { .. }, Coverage::Recorded) => {
            "Neither a violation nor a proof: give it more time or memory (--timeout 5m, --memory 8G), or a shorter history."
        }
        (Verdict::Unknown { reason }, _) if reason == Verdict::NO_RUN_IS_LEFT => {
            "Neither a violation nor a proof: look at linspect_assume, __VERIFIER_assume, or abort in a task of the competition."
        }
        (Verdict::Unknown { .. }, _) => {
            "Neither a violation nor a proof: give it more time or memory (--budget 5m, --memory 8G), or a smaller client (--client)."
        }
        _ => return,
    };
    page.prose(2, 2, &[Run::new(Role::Muted, limits)]);
}

/// What is wrong with what, and where.
pub(super) fn wrong(page: &mut Page, finding: &Finding, elapsed: Option<Duration>) {
    let mut runs = vec![Run::new(Role::Bad, format!("✗ {}", finding.fault_name()))];
    runs.push(Run::new(Role::Plain, format!(" · {}", finding.subject())));
    match (&finding.coverage, crate::fix::place(finding)) {
        (Coverage::Recorded, _) => {
            runs.push(Run::new(Role::Plain, format!(" · {}", coverage(finding))));
        }
        // The file is said once.
        (_, Some(span)) if finding.subject().starts_with(span.file_name()) => {
            runs.push(Run::new(Role::Plain, format!(" · {}", span.in_function())));
        }
        (_, Some(span)) => runs.push(Run::new(Role::Plain, format!(" · {span}"))),
        (_, None) => {}
    }
    if let Some(elapsed) = elapsed {
        runs.push(Run::new(Role::Muted, format!(" · {}", duration(elapsed))));
    }
    page.prose(0, 2, &runs);
}

/// What went wrong, in one sentence.
pub(super) fn sentence(page: &mut Page, finding: &Finding) {
    if let Some(sentence) = crate::sentence::sentence(finding) {
        page.blank();
        page.prose(2, 2, &[Run::new(Role::Plain, sentence)]);
    }
}

/// What was tried, where the page is, how to see it again.
pub(super) fn last(page: &mut Page, finding: &Finding, options: &Options) {
    let mut lines: Vec<Vec<Run>> = Vec::new();
    // What is to be copied is never broken over lines.
    let mut whole: Vec<Vec<Run>> = Vec::new();
    if finding.coverage != Coverage::Recorded {
        lines.push(vec![
            Run::new(Role::Muted, "tried\u{a0}\u{a0} "),
            Run::new(Role::Plain, tried(finding)),
        ]);
    }
    if !finding.data_races.is_empty() && !finding.is_data_race() && options.detail == Detail::Usual
    {
        let races = count(finding.data_races.len() as u64, "data race");
        let mut on: Vec<String> = Vec::new();
        for race in &finding.data_races {
            on.extend(names::variable(&race.variable).filter(|name| !on.contains(name)));
        }
        let on = match &on[..] {
            [] => String::new(),
            [one] => format!(" on {one}"),
            [one, two] => format!(" on {one} and {two}"),
            [one, ..] => format!(" on {one} and others"),
        };
        // Two places say where to look.
        let first = &finding.data_races[0];
        let side = |access: &RacingAccess| {
            let place = access.span.as_ref().map(|span| format!(" at {span}"));
            format!(
                "{} {}{}",
                access.thread,
                access.does,
                place.unwrap_or_default()
            )
        };
        let sides: Vec<String> = first.accesses.iter().map(side).collect();
        let said = match &finding.data_races[..] {
            [_] => format!("{races}{on}: {} (-v)", sides.join(", ")),
            _ => format!("{races}{on} (-v)"),
        };
        lines.push(vec![
            Run::new(Role::Muted, "also\u{a0}\u{a0}\u{a0} "),
            Run::new(Role::Plain, said),
        ]);
    }
    if let Some(place) = &options.page {
        whole.push(vec![Run::new(Role::Muted, "page    "), Run::whole(place)]);
    }
    let own = finding.replay.as_ref().map(|replay| &replay.command);
    let short = options
        .replay
        .as_ref()
        .filter(|_| options.detail != Detail::Most);
    if let Some(command) = short.or(own) {
        whole.push(vec![Run::new(Role::Muted, "replay  "), Run::whole(command)]);
    }
    let hints = finding.coverage == Coverage::Recorded && options.detail != Detail::Most;
    if !lines.is_empty() || !whole.is_empty() || hints {
        page.blank();
    }
    for line in lines {
        page.prose(2, 10, &line);
    }
    // On one line where there is room, if need be without saying what is what.
    let width = |runs: &[Run]| runs.iter().map(|run| columns(&run.1)).sum::<usize>();
    if let [first, second] = &mut whole[..] {
        let labels = width(&first[..1]) + width(&second[..1]);
        let both = width(first) + width(second) + 5;
        if both > page.width() && both - labels <= page.width() {
            first.remove(0);
            second.remove(0);
        }
        if width(first) + width(second) + 5 <= page.width() {
            first.push(Run::new(Role::Muted, " · "));
            first.append(second);
            whole.pop();
        }
    }
    for line in &whole {
        page.line(2, line);
    }
    if hints {
        page.line(2, &[Run::new(Role::Muted, "-v gives the argument in full")]);
    }
}

/// What was tried, in words.
fn tried(finding: &Finding) -> String {
    let what = if finding.is_program() {
        "program"
    } else {
        "test"
    };
    match &finding.coverage {
        Coverage::Recorded => String::new(),
        Coverage::Exhausted {
            executions,
            memory_model,
            ..
        } => format!(
            "every schedule of this {what} ({}) · {}",
            count(*executions, "execution"),
            model(memory_model)
        ),
        Coverage::Bounded {
            executions,
            memory_model,
            bound,
        } => format!(
            "{}, {bound} · {}",
            count(*executions, "execution"),
            model(memory_model)
        ),
        Coverage::Sampled { memory_model, .. } => {
            let said = coverage(finding);
            let said = said.strip_suffix(memory_model).unwrap_or(&said);
            format!("{said}{}", model(memory_model))
        }
    }
}

/// A memory model in words; what else was chosen follows as it is.
fn model(text: &str) -> String {
    match text.split_once(',').unwrap_or((text, "")) {
        ("SC", rest) => {
            // What is usual need not be said.
            let rest = rest.replacen(" allocator reuse and fresh", "", 1);
            match rest.trim_start_matches(',') {
                "" => "sequential consistency".into(),
                rest if rest.starts_with(';') => format!("sequential consistency{rest}"),
                rest => format!("sequential consistency,{rest}"),
            }
        }
        _ => text.to_owned(),
    }
}
