//! Failing runs in which an exchange fails though it finds what it expects.

use linspect_report::finding::{Action, Finding, Step};

/// The note on such an exchange, if the run has one.
pub(crate) fn given_up(finding: &Finding) -> Option<String> {
    let mut steps = finding.interleaving.iter().flat_map(|run| &run.steps);
    let gives_up = |step: &&Step| {
        let mut accesses = step.accesses.iter();
        accesses.any(|access| access.action == Action::CasGiveUp)
    };
    let step = steps.find(gives_up)?;
    let place = step.span.as_ref();
    let place = place.map_or(String::new(), |span| format!(" at {span}"));
    Some(format!(
        "note: the exchange{place} fails though it finds what it expects, as compare_exchange_weak may: try again in a loop, or use compare_exchange"
    ))
}
