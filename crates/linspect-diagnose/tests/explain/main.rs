//! Explanations of small recordings: the paper's figures, what a slice may leave out, what a reader sees, and random traces certified step by step.

mod figures;
mod random;
mod reading;
mod slicing;
mod trace;

use linspect_core::statement::Recording;
use linspect_diagnose::explain::{Explained, Hazards, Level, Role, explain};
use std::collections::BTreeSet;
use trace::Trace;

/// The paper's encodings, with either reading of hazards.
const LEVELS: [Level; 6] = {
    let [data, hazard, control, full] = Level::ALL;
    let hazards = Hazards::All;
    let (all_hazard, all_full) = (Level { hazards, ..hazard }, Level { hazards, ..full });
    [data, hazard, control, full, all_hazard, all_full]
};

fn certified(recording: &Recording, level: Level) -> Explained<'_> {
    let explained = explain(recording, level).expect("the recording is complete");
    explained.certify().expect("the explanation is sound");
    explained
}

fn kept<'a>(trace: &'a Trace, explained: &Explained<'_>) -> BTreeSet<&'a str> {
    let values = explained
        .slice
        .kept
        .iter()
        .filter(|(_, r)| **r != Role::Guard);
    trace.labels(values.map(|(i, _)| *i))
}

fn set<'a>(labels: &[&'a str]) -> BTreeSet<&'a str> {
    labels.iter().copied().collect()
}
