//! Why a violation is one, for a person: what was refused, how far one can get, and the argument in plain words.

pub(super) mod answer;
mod claim;
mod minimal_core;
pub(super) mod refusal;

use self::minimal_core::{ATTEMPT, Core, Judge, drop_families, find_support, shrink};
use self::refusal::Refusal;
use crate::check::search::walk::Start;
use crate::check::search::{Op, Role};
use crate::history::{History, OpId, Outcome, Time};
use crate::spec::Spec;
use crate::value::Value;
use crate::verdict::{Because, Decider, Evidence};
use rustc_hash::FxHashSet;
use std::cell::Cell;

/// What is known about a violation before it is explained.
pub(crate) struct Violation<'a, S: Spec> {
    pub(crate) history: &'a History,
    pub(crate) spec: &'a S,
    /// What the failing part is about.
    pub(crate) about: Option<Value>,
    /// Operations that violate together, sorted by call.
    pub(crate) ops: Vec<Op<'a, S>>,
    /// The one whose return nothing explains, if that is known.
    pub(crate) refused: Option<OpId>,
    /// How many operations the part has.
    pub(crate) of: usize,
    pub(crate) decider: Decider,
    /// What went wrong in one sentence, if that is known; it speaks of some of `ops`.
    pub(crate) headline: Option<Because>,
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
    evidence(violation, shorten(violation, judge), judge)
}

/// Shrinks `violation` to what happened at its very end, from everything that may have happened before; nothing if it does not begin there.
pub(crate) fn explain_end<S: Spec>(
    violation: &Violation<'_, S>,
    judge: &dyn Judge<S>,
) -> Option<Evidence> {
    let last = |&returns: &usize| shorten_end(violation, &violation.ops, returns, judge);
    let (sub, _) = LAST.iter().find_map(last)?;
    Some(evidence(violation, sub, judge))
}

/// Explains `violation`, whose operations are few and all belong to the reason.
pub(crate) fn quote<S: Spec>(violation: &Violation<'_, S>, judge: &dyn Judge<S>) -> Evidence {
    let ops = violation.ops.clone();
    let refusal = match judge.refusal(&ops, None) {
        Some(found) if violation.refused.is_none_or(|id| id == found.refused) => found,
        _ => Refusal {
            refused: violation.refused.unwrap_or(unexplained(&ops).refused),
            partial: Vec::new(),
            allowed: Vec::new(),
        },
    };
    let sub = Sub {
        ops,
        refusal,
        start: None,
    };
    evidence(violation, sub, judge)
}

fn evidence<S: Spec>(
    violation: &Violation<'_, S>,
    sub: Sub<'_, S>,
    judge: &dyn Judge<S>,
) -> Evidence {
    let because = match &violation.because {
        // A pattern speaks of its own operations: it still stands if they are all here.
        Some(lines) if sub.ops.len() == violation.ops.len() => lines.clone(),
        _ => argument(violation, &sub),
    };
    Evidence {
        part: violation.about.clone(),
        headline: violation.headline.clone(),
        core: sub.ops.iter().map(|op| op.id).collect(),
        core_is_minimal: sub.start.is_none() && is_minimal(&sub.ops, judge),
        refused: sub.refusal.refused,
        partial: sub.refusal.partial,
        allowed: sub.refusal.allowed,
        instead: None,
        because,
        decider: violation.decider,
    }
}

/// Whether it is found out that without any one of `ops`, which are wrong together, the others are right.
fn is_minimal<S: Spec>(ops: &[Op<'_, S>], judge: &dyn Judge<S>) -> bool {
    ops.len() <= FEW
        && (0..ops.len()).all(|left_out| {
            let mut others = ops.to_vec();
            others.remove(left_out);
            judge.refused(&others, None, &Cell::new(ATTEMPT)) == Some(None)
        })
}

/// The operations to show, and how they fail.
struct Sub<'o, S: Spec> {
    ops: Vec<Op<'o, S>>,
    refusal: Refusal,
    start: Option<Start<S>>,
}

/// Histories longer than this are shrunk from the end.
const LONG: usize = 400;
/// So many returns before the refused one are looked at then; fewer if that is too hard.
const ENDS: [usize; 2] = [150, 12];
/// And where only the very end matters.
const LAST: [usize; 2] = [1, 4];
/// So many operations are few enough for a reader even if some could be spared.
const FEW: usize = 12;

fn shorten<'o, S: Spec>(violation: &Violation<'o, S>, judge: &dyn Judge<S>) -> Sub<'o, S> {
    let ops = drop_families(violation.spec, &violation.ops, judge);
    let mut best: Option<Sub<'o, S>> = None;
    let whole = (ops.len() <= LONG).then_some(None);
    for end in whole.into_iter().chain(ENDS.map(Some)) {
        let sub = match end {
            None => Some(shorten_whole(violation.spec, &ops, judge)),
            Some(returns) => shorten_end(violation, &ops, returns, judge),
        };
        let Some((sub, is_small)) = sub else { continue };
        if best
            .as_ref()
            .is_none_or(|best| sub.ops.len() < best.ops.len())
        {
            let done = is_small || sub.ops.len() <= FEW;
            best = Some(sub);
            if done {
                break;
            }
        }
    }
    best.unwrap_or_else(|| shorten_whole(violation.spec, &ops, judge).0)
}

/// Shrinks all of it; also says whether nothing more can be left out.
fn shorten_whole<'o, S: Spec>(
    spec: &S,
    ops: &[Op<'o, S>],
    judge: &dyn Judge<S>,
) -> (Sub<'o, S>, bool) {
    let core = shrink(spec, ops, None, judge);
    let (ops, refusal) = look_closely(ops, &core, None, judge);
    let start = None;
    (
        Sub {
            ops,
            refusal,
            start,
        },
        core.is_minimal,
    )
}

/// Shrinks what happened from `returns` returns before the refusal on, and then sees whether what happened before matters.
fn shorten_end<'o, S: Spec>(
    violation: &Violation<'o, S>,
    ops: &[Op<'o, S>],
    returns: usize,
    judge: &dyn Judge<S>,
) -> Option<(Sub<'o, S>, bool)> {
    let spec = violation.spec;
    let (start, end) = split(violation, ops, returns, judge)?;
    let mut core = shrink(spec, &end, Some(&start), judge);
    // The same operations, as positions in the whole.
    let kept: Vec<usize> = (0..ops.len())
        .filter(|&i| core.kept.iter().any(|&k| end[k].id == ops[i].id))
        .collect();
    if let Some(support) = find_support(spec, ops, &kept, judge) {
        core.kept = kept;
        core.support = support;
        let (ops, refusal) = look_closely(ops, &core, None, judge);
        let start = None;
        let sub = Sub {
            ops,
            refusal,
            start,
        };
        return Some((sub, core.is_minimal));
    }
    let (ops, refusal) = look_closely(&end, &core, Some(&start), judge);
    let start = Some(start);
    let sub = Sub {
        ops,
        refusal,
        start,
    };
    Some((sub, core.is_minimal))
}

/// Everything that may have happened some time before the refusal, and the operations from then on.
fn split<'o, S: Spec>(
    violation: &Violation<'o, S>,
    ops: &[Op<'o, S>],
    returns: usize,
    judge: &dyn Judge<S>,
) -> Option<(Start<S>, Vec<Op<'o, S>>)> {
    let refused = match violation.refused {
        Some(known) if ops.len() == violation.ops.len() => known,
        _ => judge.refused(ops, None, &Cell::new(u64::MAX))??,
    };
    let mut in_order: Vec<&Op<'o, S>> = ops
        .iter()
        .filter(|op| *op.outcome != Outcome::Pending)
        .collect();
    in_order.sort_by_key(|op| op.to);
    let at = in_order.iter().position(|op| op.id == refused)?;
    let over = at.checked_sub(returns)?;
    let start = judge.start_after(ops, over)?;
    let over: FxHashSet<OpId> = in_order[..over].iter().map(|op| op.id).collect();
    let last = in_order[at].to;
    let end = up_to(ops, last).filter(|op| !over.contains(&op.id));
    Some((start, end.collect()))
}

/// What was called up to `end`. Who returned only later need not have taken effect by then: what explains it may still come.
fn up_to<'a, 'o, S: Spec>(
    ops: &'a [Op<'o, S>],
    end: Time,
) -> impl Iterator<Item = Op<'o, S>> + use<'a, 'o, S> {
    let called = ops.iter().copied().filter(move |op| op.from <= end);
    called.map(move |op| match op.to > end {
        true => Op {
            role: Role::Optional,
            ..op
        },
        false => op,
    })
}

/// The support is taken as recorded, if the same operation is refused then.
fn look_closely<'o, S: Spec>(
    ops: &[Op<'o, S>],
    core: &Core,
    start: Option<&Start<S>>,
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
    let close = |ops: &[Op<'o, S>]| judge.refusal(ops, start);
    let refusal = match (close(&recorded), close(&optional)) {
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
fn argument<S: Spec>(violation: &Violation<'_, S>, sub: &Sub<'_, S>) -> Vec<Because> {
    let core = sub.ops.as_slice();
    let mut lines: Vec<Because> = Vec::new();
    if let Some(start) = &sub.start {
        lines.push(beginning(violation.spec, start));
    }
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
    let refused = sub.refusal.refused;
    let shown = violation.history.show(refused);
    lines.push(Because {
        text: match core.len() {
            1 => format!("Nothing explains `{shown}`."),
            _ => format!("No order of these effects explains `{shown}`."),
        },
        operations: vec![refused],
    });
    let before = sub.start.as_ref().map_or(0, |start| start.over);
    let others = violation.of - core.len() - before;
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

/// What came before.
fn beginning<S: Spec>(spec: &S, start: &Start<S>) -> Because {
    let mut states: Vec<String> = start
        .configs
        .iter()
        .map(|(state, _)| short(&spec.show(state)))
        .collect();
    states.sort();
    states.dedup();
    let over = start.over;
    let text = match states.as_slice() {
        [only] => format!("The first {over} operations to return lead to state {only}."),
        [few @ .., last] if few.len() < STATES => format!(
            "The first {over} operations to return lead to state {} or {last}.",
            few.join(", ")
        ),
        many => format!(
            "The first {over} operations to return lead to one of {} states.",
            many.len()
        ),
    };
    Because {
        text,
        operations: Vec::new(),
    }
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

/// Enough of a long text to recognise it by.
fn short(text: &str) -> String {
    const LONG: usize = 100;
    match text.char_indices().nth(LONG) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
