//! A finding from a history and its verdict, bounded in size whatever their size.

use super::{
    Allowed, Because, Checked, Coverage, Evidence, Finding, History, Operation, Order, Outcome,
    Placed, Tool, VERSION, Value, Verdict,
};
use linspect_core::history as core;
use linspect_core::history::OpId;
use linspect_core::verdict as said;
use std::collections::BTreeSet;

/// A history of at most this many operations is kept whole.
pub const WHOLE_HISTORY: usize = 100_000;

/// Of a longer one, about this many operations around the failure are kept, beside the core.
pub const WINDOW: usize = 20_000;

/// Of an order of effects, at most this many last steps are kept.
pub const KEPT_STEPS: usize = 10_000;

/// The states along an order of effects take at most this many bytes; the last steps go first.
const STATE_BYTES: usize = 2_000_000;

/// A single state is cut to about this many bytes.
const ONE_STATE: usize = 4_000;

impl Finding {
    /// What a check of one recorded `history` found.
    pub fn of_history(history: &core::History, verdict: &said::Verdict, checked: Checked) -> Self {
        let verdict_view = match verdict {
            said::Verdict::Holds(witness) => Verdict::Holds {
                witness: witness.as_deref().map(order),
            },
            said::Verdict::Violated(evidence) => Verdict::Violated {
                evidence: Evidence::of(evidence),
            },
            said::Verdict::Unknown(limit) => Verdict::Unknown {
                reason: limit.to_string(),
            },
        };
        Self {
            version: VERSION,
            tool: Tool {
                name: "linspect".into(),
                version: env!("CARGO_PKG_VERSION").into(),
            },
            checked,
            coverage: Coverage::Recorded,
            weaker_orderings: None,
            spurious_wakeups: None,
            clients: Vec::new(),
            history: History::of(history, &kept(history, verdict)),
            verdict: verdict_view,
            minimal_test: None,
            interleaving: None,
            races: None,
            explanation: None,
            data_races: Vec::new(),
            repairs: None,
            advice: Vec::new(),
            replay: None,
            sources: None,
        }
    }
}

/// Which operations of `history` are kept, ascending.
fn kept(history: &core::History, verdict: &said::Verdict) -> Vec<OpId> {
    let len = history.operations.len();
    let all = OpId::try_from(len).expect("operation ids are 32 bits wide");
    if len <= WHOLE_HISTORY {
        return (0..all).collect();
    }
    let half = WINDOW as OpId / 2;
    let (middle, core) = match verdict {
        said::Verdict::Violated(evidence) => (evidence.refused, evidence.core.as_slice()),
        said::Verdict::Holds(_) | said::Verdict::Unknown(_) => (all, [].as_slice()),
    };
    let first = middle.saturating_sub(half);
    let last = middle.saturating_add(half).min(all);
    let mut ids: BTreeSet<OpId> = (first..last).collect();
    // The core is what the report is about; if nobody made it small, its end is.
    ids.extend(core.iter().rev().take(WHOLE_HISTORY - WINDOW));
    ids.into_iter().collect()
}

impl History {
    fn of(history: &core::History, keep: &[OpId]) -> Self {
        let operations = &history.operations;
        let clients: BTreeSet<u32> = operations.iter().map(|op| op.process).collect();
        Self {
            total: operations.len() as u64,
            clients: clients.len() as u64,
            pending: operations.iter().filter(|op| op.is_pending()).count() as u64,
            operations: keep.iter().map(|&id| operation(history, id)).collect(),
            recording: None,
        }
    }
}

fn operation(history: &core::History, id: OpId) -> Operation {
    let op = &history.operations[id as usize];
    Operation {
        id,
        process: op.process,
        method: history.name(op).into(),
        argument: Value(op.argument.clone()),
        outcome: match &op.outcome {
            core::Outcome::Returned(value) => Outcome::Returned(Value(value.clone())),
            core::Outcome::Unknown => Outcome::Unknown,
            core::Outcome::Pending => Outcome::Pending,
        },
        call: op.call,
        ret: (!op.is_pending()).then_some(op.ret),
    }
}

impl Evidence {
    fn of(evidence: &said::Evidence) -> Self {
        Self {
            part: evidence.part.clone().map(Value),
            headline: evidence.headline.as_ref().map(because),
            core: evidence.core.clone(),
            core_is_minimal: evidence.core_is_minimal,
            refused: evidence.refused,
            partial: order(&evidence.partial),
            allowed: evidence.allowed.iter().map(allowed).collect(),
            instead: (evidence.instead.as_ref())
                .map(|results| results.iter().cloned().map(Value).collect()),
            because: evidence.because.iter().map(because).collect(),
            decider: evidence.decider.to_string(),
        }
    }
}

fn because(line: &said::Because) -> Because {
    Because {
        text: line.text.clone(),
        operations: line.operations.clone(),
    }
}

fn allowed(allowed: &said::Allowed) -> Allowed {
    Allowed {
        state: cut(&allowed.state),
        results: allowed.results.iter().cloned().map(Value).collect(),
    }
}

fn order(placed: &[said::Placed]) -> Order {
    let mut bytes = 0;
    let mut steps: Vec<Placed> = placed
        .iter()
        .rev()
        .take(KEPT_STEPS)
        .map(|step| Placed {
            operation: step.operation,
            state: cut(&step.state),
        })
        .take_while(|step| {
            bytes += step.state.len();
            bytes <= STATE_BYTES
        })
        .collect();
    steps.reverse();
    Order {
        total: placed.len() as u64,
        steps,
    }
}

/// `state`, or its beginning with the number of bytes that are missing.
fn cut(state: &str) -> String {
    if state.len() <= ONE_STATE {
        return state.into();
    }
    let end = (0..=ONE_STATE)
        .rev()
        .find(|&at| state.is_char_boundary(at))
        .unwrap_or(0);
    format!("{} … ({} more bytes)", &state[..end], state.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::history::History as CoreHistory;
    use linspect_core::value::Value as CoreValue;
    use linspect_core::verdict::Criterion;

    fn long(n: u64) -> CoreHistory {
        let mut history = CoreHistory::new();
        for i in 0..n {
            history.push(
                (i % 8) as u32,
                "write",
                i as i64,
                CoreValue::Unit,
                2 * i,
                2 * i + 1,
            );
        }
        history
    }

    fn violated(core: Vec<OpId>, refused: OpId) -> said::Verdict {
        said::Verdict::Violated(Box::new(said::Evidence {
            part: None,
            headline: None,
            core,
            core_is_minimal: true,
            refused,
            partial: Vec::new(),
            allowed: Vec::new(),
            instead: None,
            because: Vec::new(),
            decider: said::Decider::Search,
        }))
    }

    fn check(n: u64, verdict: &said::Verdict) -> Finding {
        let checked = Checked::new("x", "register", Criterion::Linearizable);
        Finding::of_history(&long(n), verdict, checked)
    }

    #[test]
    fn a_history_within_the_limit_is_kept_whole() {
        let finding = check(WHOLE_HISTORY as u64, &violated(vec![0, 7], 7));
        assert!(!finding.history.is_window());
        assert_eq!(finding.history.operations.len(), WHOLE_HISTORY);
    }

    #[test]
    fn a_longer_one_becomes_a_window_with_the_core() {
        let finding = check(150_000, &violated(vec![3, 140_000], 140_000));
        let ids: Vec<u32> = finding.history.operations.iter().map(|op| op.id).collect();
        assert_eq!(ids.len(), 1 + WINDOW);
        assert_eq!((ids[0], ids[1], ids[WINDOW]), (3, 130_000, 149_999));
        assert_eq!(
            finding.history.get(140_000).map(|op| op.call),
            Some(280_000)
        );
        assert_eq!(finding.history.get(4), None);
        assert_eq!(
            (finding.history.total, finding.history.clients),
            (150_000, 8)
        );
    }

    #[test]
    fn a_core_that_nobody_made_small_is_bounded_too() {
        let finding = check(150_000, &violated((0..150_000).collect(), 149_999));
        assert_eq!(finding.history.operations.len(), WHOLE_HISTORY - WINDOW);
    }

    #[test]
    fn states_are_cut_and_the_last_steps_kept() {
        let placed: Vec<said::Placed> = (0..3_000)
            .map(|operation| said::Placed {
                operation,
                state: "é".repeat(3_000),
            })
            .collect();
        let order = order(&placed);
        assert_eq!(order.total, 3_000);
        assert_eq!(order.steps.last().map(|step| step.operation), Some(2_999));
        assert!(order.steps[0].state.ends_with("é … (2000 more bytes)"));
        assert_eq!(order.left_out(), 3_000 - order.steps.len() as u64);
        assert_eq!(order.steps.len(), STATE_BYTES / order.steps[0].state.len());
    }
}
