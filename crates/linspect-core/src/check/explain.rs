//! Why a violation is one, for a person: what was refused, how far one can get, and the argument in plain words.

use super::core::{Core, Judge, shrink};
use super::search::{Op, Refusal, Role};
use crate::history::{History, OpId};
use crate::spec::Spec;
use crate::value::Value;
use crate::verdict::{Allowed, Because, Decider, Evidence};
use std::fmt::Write;

/// What is known about a violation before it is explained.
pub(crate) struct Violation<'a, S: Spec> {
    pub(crate) history: &'a History,
    pub(crate) spec: &'a S,
    /// What the failing part is about.
    pub(crate) about: Option<Value>,
    /// Operations that violate together, sorted by call.
    pub(crate) ops: Vec<Op<'a, S>>,
    /// How many operations the part has.
    pub(crate) of: usize,
    pub(crate) decider: Decider,
    /// The decider's own argument, where it has one.
    pub(crate) because: Option<Vec<Because>>,
    /// How "took effect before" is known.
    pub(crate) order: Ordered,
}

/// What orders two operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ordered {
    /// One returned before the other was called.
    RealTime,
    /// There was quiet in between.
    Quiet,
    /// One process did both.
    Process,
}

/// Shrinks and explains `violation`.
pub(crate) fn explain<S: Spec>(violation: &Violation<'_, S>, judge: &dyn Judge<S>) -> Evidence {
    let Violation { spec, ops, .. } = violation;
    let core = shrink(*spec, ops, judge);
    let (shown, refusal) = look_closely(ops, &core, judge);
    let because = match &violation.because {
        // A pattern speaks of its own operations: it still stands if they are all here.
        Some(lines) if shown.len() == ops.len() => lines.clone(),
        _ => argument(violation, &shown, &refusal),
    };
    Evidence {
        part: violation.about.clone(),
        core: shown.iter().map(|op| op.id).collect(),
        core_is_minimal: core.is_minimal,
        refused: refusal.refused,
        partial: refusal.partial,
        allowed: refusal.allowed,
        because,
        decider: violation.decider,
    }
}

/// The operations to show, and how they fail. The support is taken as recorded, if the same operation is refused then.
fn look_closely<'o, S: Spec>(
    ops: &[Op<'o, S>],
    core: &Core,
    judge: &dyn Judge<S>,
) -> (Vec<Op<'o, S>>, Refusal) {
    let mut positions = [core.kept.as_slice(), &core.support].concat();
    positions.sort_unstable();
    let recorded: Vec<Op<'o, S>> = positions.iter().map(|&i| ops[i]).collect();
    let mut optional = recorded.clone();
    for (op, i) in optional.iter_mut().zip(&positions) {
        if core.support.contains(i) {
            op.role = Role::Optional;
        }
    }
    let refusal = match (judge.refusal(&recorded), judge.refusal(&optional)) {
        (Some(a), Some(b)) if a.refused != b.refused => b,
        (Some(a), _) => a,
        (None, b) => b.unwrap_or_else(|| unexplained(&recorded)),
    };
    (recorded, refusal)
}

/// When the budget ends before a close look: the last return is as good a place to point at as any.
fn unexplained<S: Spec>(ops: &[Op<'_, S>]) -> Refusal {
    let last = ops.iter().max_by_key(|op| op.to).map_or(0, |op| op.id);
    Refusal {
        refused: last,
        partial: Vec::new(),
        allowed: Vec::new(),
    }
}

/// So many orders and states are worth reading.
const LINES: usize = 8;
const STATES: usize = 5;

/// The argument for the operations of the core.
fn argument<S: Spec>(
    violation: &Violation<'_, S>,
    core: &[Op<'_, S>],
    refusal: &Refusal,
) -> Vec<Because> {
    let mut lines: Vec<Because> = Vec::new();
    let orders = orders(violation, core);
    let skipped = orders.len().saturating_sub(LINES);
    if skipped > 0 {
        lines.push(Because {
            text: format!("{skipped} earlier pairs are ordered in the same way."),
            operations: Vec::new(),
        });
    }
    for &(first, second) in &orders[skipped..] {
        lines.push(Because {
            text: violation.order.says(
                &violation.history.show(first).to_string(),
                &violation.history.show(second).to_string(),
            ),
            operations: vec![first, second],
        });
    }
    lines.push(contradiction(violation.history, refusal));
    let others = violation.of - core.len();
    if others > 0 {
        let text = if others == 1 {
            String::from("The other operation cannot explain this, whether it took effect or not.")
        } else {
            format!(
                "The other {others} operations cannot explain this, whichever of them took effect."
            )
        };
        lines.push(Because {
            text,
            operations: Vec::new(),
        });
    }
    lines
}

impl Ordered {
    fn says(self, first: &str, second: &str) -> String {
        match self {
            Self::RealTime => {
                format!("`{first}` returned before `{second}` was called, so it took effect first.")
            }
            Self::Process => {
                format!(
                    "One process did `{first}` and then `{second}`, so they took effect in this order."
                )
            }
            Self::Quiet => format!(
                "Between `{first}` and `{second}` nothing was going on, so the former took effect first."
            ),
        }
    }
}

/// Which operation surely comes right before which, in reading order.
fn orders<S: Spec>(violation: &Violation<'_, S>, core: &[Op<'_, S>]) -> Vec<(OpId, OpId)> {
    let process = |op: &Op<'_, S>| violation.history.operations[op.id as usize].process;
    let apart = |a, b| violation.order == Ordered::Process && process(a) != process(b);
    // Nobody reads more than the last few lines of a long argument.
    let core = &core[core.len().saturating_sub(200)..];
    let mut orders = Vec::new();
    for b in core {
        // Everything that precedes `b`, except what precedes something that precedes `b`.
        let before = core.iter().filter(|a| a.to < b.from && !apart(a, b));
        let latest = before.clone().map(|a| a.from).max();
        for a in before {
            if latest.is_some_and(|from| a.to >= from) {
                orders.push((a.id, b.id));
            }
        }
    }
    orders
}

/// The last line: what the refused operation would have had to do.
fn contradiction(history: &History, refusal: &Refusal) -> Because {
    let shown = history.show(refusal.refused);
    let text = match refusal.allowed.as_slice() {
        [] => format!("Nothing explains `{shown}`."),
        [only] => format!(
            "So `{shown}` took effect in state {}, {}.",
            short(&only.state),
            instead(only)
        ),
        several => {
            let mut text = format!(
                "In every order of effects that is left, `{shown}` finds one of these states:"
            );
            for (i, one) in several.iter().take(STATES).enumerate() {
                let comma = if i > 0 { ";" } else { "" };
                let _ = write!(text, "{comma} {}, {}", short(&one.state), instead(one));
            }
            if several.len() > STATES {
                let _ = write!(text, "; and {} more", several.len() - STATES);
            }
            text.push('.');
            text
        }
    };
    Because {
        text,
        operations: vec![refusal.refused],
    }
}

fn instead(allowed: &Allowed) -> String {
    match allowed.results.as_slice() {
        [] => String::from("where it is not possible"),
        [only] => format!("where it returns {}", short(&only.to_string())),
        several => {
            let few = several.iter().take(STATES);
            let words: Vec<String> = few.map(|v| short(&v.to_string())).collect();
            format!("where it returns one of {}", words.join(", "))
        }
    }
}

/// Enough of a long text to recognise it by.
fn short(text: &str) -> String {
    const LONG: usize = 100;
    match text.char_indices().nth(LONG) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
