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
    if let Some(known) = Known::of(repair) {
        let whole = known.whole();
        // What it costs is said where there is room.
        let fits = !page.is_brief() || columns(&whole) + 11 <= page.width();
        let text = if fits { whole } else { known.short() };
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

/// What was run with a repair in place, and what came of it.
pub(crate) fn checked(repair: &Repair) -> Option<String> {
    Known::of(repair).map(|known| known.whole())
}

/// What is known of a repair.
struct Known {
    /// Which tests pass with it.
    tests: String,
    /// What it costs.
    price: String,
    /// What it leaves.
    races: String,
}

impl Known {
    fn of(repair: &Repair) -> Option<Self> {
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
        let mut tests = match exhausted {
            true => format!("{tests} under all schedules"),
            false => format!("{tests} in the {} executions tried", grouped(*executions)),
        };
        if let Some(validation) = repair.validation.as_ref().filter(|v| v.clients > 0) {
            tests += &others(validation);
        }
        let price = match disabled {
            0 => "; no correct schedule is lost".to_owned(),
            n => format!(
                "; less can overlap ({} of {} correct schedules stay)",
                grouped(good.saturating_sub(*n)),
                grouped(*good)
            ),
        };
        let left: Vec<String> = repair.races_left.iter().map(|v| names::phrase(v)).collect();
        let races = match left.is_empty() {
            true => String::new(),
            false => format!(
                "; it does not end the data race on {}: make that atomic, too, or let the section cover all of it",
                left.join(", ")
            ),
        };
        Some(Self {
            tests,
            price,
            races,
        })
    }

    fn whole(&self) -> String {
        format!("{}{}{}", self.tests, self.price, self.races)
    }

    fn short(&self) -> String {
        format!("{}{}", self.tests, self.races)
    }
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
