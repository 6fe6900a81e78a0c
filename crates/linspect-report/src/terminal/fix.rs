//! What to change, and what is known of the change.

use super::grouped;
use super::page::{Page, Role, Run};
use crate::finding::{Finding, Recheck, Repair, Validation};
use crate::fix::{Fix, fix};
use crate::names;
use crate::text::columns;

/// What to change; nothing if nothing is known.
pub(super) fn brief(page: &mut Page, finding: &Finding) {
    let Some(fix) = fix(finding) else { return };
    page.blank();
    match fix {
        Fix::Repair(repair) => repaired(page, repair),
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

fn repaired(page: &mut Page, repair: &Repair) {
    page.prose(
        2,
        4,
        &[
            Run::new(Role::Good, "fix"),
            Run::new(Role::Plain, format!(" · {}", crate::fix::blocks(repair))),
        ],
    );
    if let Some(hint) = repair.hint.as_deref() {
        page.prose(4, 6, &[Run::new(Role::Plain, at_line(repair, hint))]);
    }
    if let Some(mut text) = checked(repair) {
        // What goes without saying is said where there is room.
        if page.is_brief() && columns(&text) + 11 > page.width() {
            text = text.replace(NOTHING_LOST, "");
        }
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

/// An atomic operation is to be written at the last line of a block; other hints name their lines.
fn at_line(repair: &Repair, hint: &str) -> String {
    match &repair.blocks[..] {
        [block] if hint.starts_with("use `") => {
            format!("line {}: {hint}", block.last_line.max(block.line))
        }
        _ => hint.to_owned(),
    }
}

/// Every right way to run stays possible.
const NOTHING_LOST: &str = "; no correct schedule is lost";

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
        0 => NOTHING_LOST.to_owned(),
        n => format!(
            "; {} of {} correct schedules are lost",
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
