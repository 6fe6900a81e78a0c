//! What happened: the failing run reduced to the steps that matter, and the races that decided it.

use super::page::{Page, Role, Run};
use super::{count, grouped};
use crate::finding::{Finding, Interleaving, Race, Step};
use crate::text::{columns, shown};

/// Of a very long slice, only so many steps are printed.
const SHOWN_STEPS: usize = 60;

/// The steps that matter, in the order in which they ran.
pub(super) fn interleaving(page: &mut Page, finding: &Finding, run: &Interleaving) {
    let races = finding.races.as_deref().unwrap_or(&[]);
    let all = run.steps.iter().enumerate();
    let mut kept: Vec<(usize, &Step)> = all.clone().filter(|(_, step)| step.matters).collect();
    if kept.is_empty() {
        // Nobody could say what matters.
        kept = all.collect();
    }
    let shown_steps = &kept[kept.len().saturating_sub(SHOWN_STEPS)..];
    page.blank();
    let left_out = run.steps.len() - kept.len();
    let mut note = format!(
        " ({} of {}",
        grouped(shown_steps.len() as u64),
        count(run.steps.len() as u64, "step")
    );
    if left_out > 0 {
        note += &format!(
            "; {} not affect the result",
            if left_out == 1 {
                "1 does".into()
            } else {
                format!("{left_out} do")
            }
        );
    }
    if run.fewest_switches {
        let switches = match run.switches() {
            1 => "1 switch".into(),
            n => format!("{n} switches"),
        };
        note += &format!("; {switches}, no failing run has fewer");
    }
    note.push(')');
    page.prose(
        2,
        4,
        &[
            Run::new(Role::Heading, "what happened"),
            Run::new(Role::Muted, note),
        ],
    );
    let place = |step: &Step| {
        step.span
            .as_ref()
            .map_or(String::new(), ToString::to_string)
    };
    let width = shown_steps
        .iter()
        .map(|(_, step)| columns(&place(step)))
        .max()
        .unwrap_or(0)
        .min(30);
    let names = shown_steps
        .iter()
        .map(|(_, step)| columns(&finding.client(step.thread)))
        .max()
        .unwrap_or(0)
        .max(3);
    let mut last = None;
    for &(at, step) in shown_steps {
        let mark = races
            .iter()
            .position(|race| race.step as usize == at)
            .map_or("  ".into(), |n| format!("{} ", circled(n)));
        let role = if last == Some(step.thread) {
            Role::Muted
        } else {
            Role::Operation
        };
        last = Some(step.thread);
        let before = 4 + 2 + names + 1 + width + 2;
        let (source, effect) = parts(step, page.width().saturating_sub(before));
        page.line(
            4,
            &[
                Run::new(Role::Doubt, mark),
                Run::new(role, format!("{:<names$} ", finding.client(step.thread))),
                Run::new(
                    Role::Muted,
                    format!("{:<width$}  ", shown(&place(step), width)),
                ),
                Run::new(Role::Plain, source),
                Run::new(Role::Operation, effect),
            ],
        );
        if let Some(invariant) = &step.invariant {
            let text = format!("⎡\u{a0}{invariant}\u{a0}⎤");
            page.prose(before, before + 2, &[Run::new(Role::Muted, text)]);
        }
        if let Some(state) = &step.state {
            let runs = [
                Run::new(Role::Muted, "object: "),
                Run::new(Role::Plain, state),
            ];
            page.prose(before, before + 8, &runs);
        }
    }
    if let Some(contrast) = &run.contrast {
        page.blank();
        let runs = [
            Run::new(Role::Heading, "the one different choice that saves it: "),
            Run::new(Role::Plain, contrast),
        ];
        page.prose(2, 4, &runs);
    }
}

/// The source of a step and what it meant, together at most `room` columns wide; what it meant goes first.
fn parts(step: &Step, room: usize) -> (String, String) {
    let (source, effect) = (step.source.as_deref().unwrap_or(""), step.effect());
    if effect.is_empty() {
        return (shown(source, room).into_owned(), String::new());
    }
    let effect = shown(&effect, room * 2 / 3).into_owned();
    let source = shown(source, room.saturating_sub(columns(&effect) + 2));
    (format!("{source}  "), effect)
}

/// Each race with both sides and what follows from each.
pub(super) fn races(page: &mut Page, finding: &Finding, races: &[Race]) {
    if races.is_empty() {
        return;
    }
    page.blank();
    page.line(2, &[Run::new(Role::Heading, "decisive races")]);
    let sides = races.iter().flat_map(|race| &race.sides);
    let names = sides
        .map(|side| columns(&finding.client(side.thread)))
        .max()
        .unwrap_or(0);
    for (n, race) in races.iter().enumerate() {
        let mut sides: Vec<_> = race.sides.iter().collect();
        sides.sort_by_key(|side| !side.taken);
        for (i, side) in sides.iter().enumerate() {
            let mark = if i == 0 { circled(n) } else { ' ' };
            let place = side
                .span
                .as_ref()
                .map_or(String::new(), |span| format!("{span}  "));
            let (role, says) = if side.taken {
                (Role::Bad, "went first: ")
            } else {
                (Role::Good, "if it goes first, ")
            };
            page.prose(
                4,
                10,
                &[
                    Run::new(Role::Doubt, format!("{mark}\u{a0}")),
                    Run::new(
                        Role::Operation,
                        format!("{:\u{a0}<names$}\u{a0}\u{a0}", finding.client(side.thread)),
                    ),
                    Run::new(Role::Muted, place),
                    Run::new(Role::Plain, format!("{} · {says}", side.text)),
                    Run::new(role, side.promise()),
                ],
            );
        }
    }
}

/// ① and so on.
fn circled(n: usize) -> char {
    char::from_u32(0x2460 + n.min(19) as u32).unwrap_or('•')
}
