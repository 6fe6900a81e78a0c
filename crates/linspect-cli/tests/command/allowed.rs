//! What a finding says would have been right, and what it calls impossible, asked of brute force.

use linspect_core::check::brute;
use linspect_core::history::{self, History, NEVER, OpId};
use linspect_core::spec::{Builtin, Spec, Visitor};
use linspect_core::value::Value;
use linspect_report::Finding;
use linspect_report::finding::{Criterion, Evidence, Outcome, Verdict};

/// How many sets of allowed results, and how many sentences, were found right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    pub(crate) sets: usize,
    pub(crate) sentences: usize,
}

/// Compares the evidence of `finding`, of an object that should be a `spec`, with brute force.
pub(crate) fn compare(name: &str, finding: &Finding, spec: &Builtin) -> Compared {
    match &finding.verdict {
        Verdict::Violated { evidence } if finding.checked.criterion == Criterion::Linearizable => {
            let history = recorded(finding, evidence);
            spec.visit(Question {
                name,
                finding,
                evidence,
                history,
            })
        }
        _ => Compared::default(),
    }
}

/// The history of a finding, as far as it belongs to the part that fails; and the numbers of its operations.
fn recorded(finding: &Finding, evidence: &Evidence) -> (History, Vec<u32>) {
    assert!(!finding.history.is_window(), "tests are small");
    let mut history = History::new();
    let mut ids = Vec::new();
    for op in &finding.history.operations {
        let argument = op.argument.0.clone();
        let part = evidence.part.as_ref().map(|part| &part.0);
        if part.is_some() && argument.items().first() != part {
            continue;
        }
        let method = history.method(&op.method);
        history.operations.push(history::Operation {
            process: op.process,
            method,
            argument,
            outcome: match &op.outcome {
                Outcome::Returned(value) => history::Outcome::Returned(value.0.clone()),
                Outcome::Unknown => history::Outcome::Unknown,
                Outcome::Pending => history::Outcome::Pending,
            },
            call: op.call,
            ret: op.ret.unwrap_or(NEVER),
        });
        ids.push(op.id);
    }
    (history, ids)
}

struct Question<'a> {
    name: &'a str,
    finding: &'a Finding,
    evidence: &'a Evidence,
    history: (History, Vec<u32>),
}

impl Visitor for Question<'_> {
    type Output = Compared;

    fn visit<S: Spec>(self, spec: &S) -> Compared {
        let Self {
            name,
            finding,
            evidence,
            history: (history, ids),
        } = self;
        let holds = |history: &History| brute::is_linearizable(spec, history).expect("known calls");
        let at = |id: &u32| ids.iter().position(|other| other == id).expect("a part");
        let some = |of: &[u32]| {
            let of: Vec<OpId> = of.iter().map(|id| at(id) as OpId).collect();
            history.restrict(&of)
        };
        assert!(!holds(&history), "{name}: nothing is wrong");
        assert!(!holds(&some(&evidence.core)), "{name}: the core is right");
        let mut compared = Compared::default();
        if let Some(headline) = &evidence.headline {
            let fails = !holds(&some(&headline.operations));
            assert!(fails, "{name}: {headline:?} in {:?}", finding.history);
            compared.sentences = 1;
        }
        let Some(instead) = &evidence.instead else {
            return compared;
        };
        let refused = at(&evidence.refused);
        let op = &history.operations[refused];
        let call = spec.call(history.name(op), &op.argument).expect("known");
        let spelled =
            |value: &Value| spec.outcome(&call, &history::Outcome::Returned(value.clone()));
        let instead: Vec<_> = instead
            .iter()
            .map(|v| spelled(&v.0).expect("known"))
            .collect();
        for candidate in candidates(&history) {
            let Ok(said) = spelled(&candidate) else {
                continue;
            };
            if matches!(said, history::Outcome::Unknown) {
                continue;
            }
            let mut other = history.clone();
            other.operations[refused].outcome = history::Outcome::Returned(candidate.clone());
            assert_eq!(
                holds(&other),
                instead.contains(&said),
                "{name}: → {candidate}, where {instead:?} are said to be right: {:?}",
                finding.history
            );
        }
        compared.sets = 1;
        compared
    }
}

/// Every value of a history, pairs of them, and a few others.
fn candidates(history: &History) -> Vec<Value> {
    let mut values: Vec<Value> = (-3..12).map(Value::Int).collect();
    for op in &history.operations {
        values.extend(op.argument.items().iter().cloned());
        values.extend(op.outcome.value().cloned());
    }
    values.sort();
    values.dedup();
    let single: Vec<Value> = values
        .iter()
        .filter(|v| matches!(v, Value::Int(_)))
        .cloned()
        .collect();
    for first in &single {
        let pairs = single.iter().map(|second| [first.clone(), second.clone()]);
        values.extend(pairs.map(Value::list));
    }
    values.extend([
        Value::Unit,
        Value::Nil,
        Value::Bool(true),
        Value::Bool(false),
    ]);
    values
}
