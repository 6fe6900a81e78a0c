//! What to change, and what is known of the change.

use super::grouped;
use super::page::{Page, Role, Run};
use crate::finding::{Finding, Recheck, Repair, Span, Validation};
use crate::fix::{Fix, fix};
use crate::names;
use crate::text::{columns, fit, neutral, shown};

/// What to change; nothing if nothing is known.
pub(super) fn brief(page: &mut Page, finding: &Finding) {
    let Some(fix) = fix(finding) else { return };
    page.blank();
    match fix {
        Fix::Repair(repair) => repaired(page, finding, repair),
        Fix::Advice(text) => page.prose(
            2,
            4,
            &[
                Run::new(Role::Good, "fix"),
                Run::new(Role::Plain, format!(" · {text}")),
            ],
        ),
        Fix::None(text) => page.prose(
            2,
            4,
            &[
                Run::new(Role::Heading, "no fix"),
                Run::new(Role::Plain, format!(" · {text}")),
            ],
        ),
    }
}

fn repaired(page: &mut Page, finding: &Finding, repair: &Repair) {
    page.prose(
        2,
        4,
        &[
            Run::new(Role::Good, "fix"),
            Run::new(Role::Plain, format!(" · {}", crate::fix::blocks(repair))),
        ],
    );
    let mut hinted = false;
    if let [block] = &repair.blocks[..] {
        hinted = excerpt(page, finding, block, repair.hint.as_deref());
    }
    if let Some(hint) = repair.hint.as_deref().filter(|_| !hinted) {
        page.prose(4, 4, &[Run::new(Role::Plain, hint)]);
    }
    if let Some(text) = checked(repair) {
        page.prose(
            2,
            4,
            &[
                Run::new(Role::Muted, "checked: "),
                Run::new(Role::Muted, text),
            ],
        );
    }
}

/// The last line of a block, where the change usually is, with the hint below it.
fn excerpt(page: &mut Page, finding: &Finding, block: &Span, hint: Option<&str>) -> bool {
    let Some(source) = finding.source(&block.file) else {
        return false;
    };
    let last = block.last_line.max(block.line);
    let line = source.lines().nth((last as usize).saturating_sub(1));
    let Some((line, hint)) = line.map(str::trim).filter(|l| l.len() > 1).zip(hint) else {
        return false;
    };
    let gutter = last.to_string().len();
    let room = page.width().saturating_sub(4 + gutter + 3);
    page.line(
        4,
        &[
            Run::new(Role::Muted, format!("{last} │ ")),
            Run::new(Role::Plain, shown(&line.replace('\t', " "), room)),
        ],
    );
    let indent = 4 + gutter + 3;
    for (i, part) in wrapped(hint, room.saturating_sub(2)).iter().enumerate() {
        let mark = if i == 0 { "^ " } else { "  " };
        page.line(
            indent - 2,
            &[
                Run::new(Role::Muted, "│ "),
                Run::new(Role::Good, mark),
                Run::new(Role::Plain, part),
            ],
        );
    }
    true
}

/// `text` in lines of at most `room` columns.
fn wrapped(text: &str, room: usize) -> Vec<String> {
    let text = neutral(text);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(fit(word, room).into_owned()),
        }
    }
    lines
}

/// What was run with a repair in place.
pub(crate) fn checked(repair: &Repair) -> Option<String> {
    let Recheck {
        clients,
        exhausted,
        executions,
        good,
        disabled,
    } = repair.recheck.as_ref()?;
    let tests = match clients {
        1 => "this test then passes".to_owned(),
        2 => "this and 1 larger test then pass".to_owned(),
        n => format!(
            "this and {} larger tests then pass",
            grouped(n.saturating_sub(1))
        ),
    };
    let mut text = match exhausted {
        true => format!("{tests} under all schedules"),
        false => format!("{tests} in the {} executions tried", grouped(*executions)),
    };
    if let Some(validation) = repair.validation.as_ref().filter(|v| v.clients > 0) {
        text += &others(validation);
    }
    text += &match disabled {
        0 => "; nothing right is lost".to_owned(),
        n => format!(
            "; {} of {} right ways to run become impossible",
            grouped(*n),
            grouped(*good)
        ),
    };
    if !repair.races_left.is_empty() {
        let names: Vec<String> = repair.races_left.iter().map(|v| names::phrase(v)).collect();
        text += &format!(
            "; the data race on {} may stay: make it atomic, or let the section cover all of it",
            names.join(", ")
        );
    }
    Some(text)
}

fn others(validation: &Validation) -> String {
    let Validation {
        clients,
        exhausted,
        fails,
        ..
    } = validation;
    match (fails, exhausted == clients) {
        (true, _) => "; but a larger test still fails".into(),
        (false, true) => format!(", so do {} others", grouped(*clients)),
        (false, false) => format!(", {} others as far as tried", grouped(*clients)),
    }
}
