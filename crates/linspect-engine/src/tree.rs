//! The graph of all interleavings as a file: DOT to draw, JSON to compute with.

use crate::finding::annotate::Annotator;
use linspect_core::execution::End;
use linspect_diagnose::localise::{
    Branch, Dag, Fate, Granularity, Group, Label, Localisation, Node, NodeId,
};
use serde_json::{Value, json};
use std::fmt::Write;

/// In which form the graph is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeForm {
    /// For Graphviz.
    Dot,
    /// For programs.
    Json,
}

/// The graph of `found` as text.
pub(super) fn write(form: TreeForm, found: &Localisation, annotator: &Annotator<'_>) -> String {
    match form {
        TreeForm::Json => format!("{}\n", json(found, annotator)),
        TreeForm::Dot => dot(&found.dag, annotator),
    }
}

/// What an edge says: who does what, and where.
fn deed(branch: &Branch, annotator: &Annotator<'_>) -> String {
    let thread = branch.step.choice.thread + 1;
    match branch.step.accesses.first() {
        Some(_) => format!("T{thread} {}", annotator.path(&branch.path)),
        None => format!("T{thread} returns"),
    }
}

fn dot(dag: &Dag, annotator: &Annotator<'_>) -> String {
    let mut text = String::from("digraph interleavings {\n  node [style=filled, shape=box];\n");
    for (id, node) in dag.nodes.iter().enumerate().rev() {
        let label = dag.label(id);
        let Node { good, bad, .. } = node;
        let _ = writeln!(
            text,
            "  n{id} [label=\"{}\\n{good} good, {bad} bad\", {}];",
            name(dag, id),
            style(label, node),
        );
    }
    for (id, node) in dag.nodes.iter().enumerate().rev() {
        for branch in &node.branches {
            let said = linspect_report::neutral(&deed(branch, annotator))
                .replace('\\', "\\\\")
                .replace('"', "\\\"");
            let _ = writeln!(text, "  n{id} -> n{} [label=\"{said}\"];", branch.to);
        }
    }
    text.push_str("}\n");
    text
}

/// A node's label, or how the run ends there.
fn name(dag: &Dag, id: NodeId) -> String {
    match &dag.nodes[id].end {
        Some(End::Deadlock(_)) => "deadlock".into(),
        Some(End::Livelock(_)) => "livelock".into(),
        Some(End::Fault | End::Suffix(_)) => "fault".into(),
        _ => dag.label(id).to_string(),
    }
}

fn style(label: Label, node: &Node) -> &'static str {
    match node.fate() {
        Fate::Good => "fillcolor=white",
        Fate::Bad => "fillcolor=black, fontcolor=white",
        Fate::Open if label.is_decisive() => "fillcolor=gold",
        Fate::Open => "fillcolor=gray85",
    }
}

fn json(found: &Localisation, annotator: &Annotator<'_>) -> Value {
    let dag = &found.dag;
    // A number of runs: exact if it is short, else its size; nothing if there were too many to count.
    let runs = |n: u128| match u64::try_from(n) {
        Ok(n) => json!(n),
        Err(_) if n < u128::MAX => json!(n as f64),
        Err(_) => Value::Null,
    };
    let node = |(id, node): (NodeId, &Node)| {
        let branches: Vec<Value> = node
            .branches
            .iter()
            .map(|b| {
                json!({
                    "thread": b.step.choice.thread,
                    "place": annotator.path(&b.path),
                    "accesses": b.step.accesses.len(),
                    "to": b.to,
                })
            })
            .collect();
        json!({
            "id": id,
            "label": name(dag, id),
            "good": runs(node.good),
            "bad": runs(node.bad),
            "branches": branches,
        })
    };
    let sequence = |g: &Group| {
        let race = |(label, paths): &(Label, Vec<linspect_diagnose::localise::Path>)| {
            let places: Vec<String> = paths.iter().map(|p| annotator.path(p)).collect();
            json!({ "label": label.to_string(), "places": places })
        };
        let races: Vec<Value> = g.races.iter().map(race).collect();
        json!({ "runs": runs(g.runs), "races": races })
    };
    let (groups, dropped) = found.groups();
    json!({
        "granularity": match found.granularity {
            Granularity::All => "all",
            Granularity::Conflicting => "conflicting",
            Granularity::Folded => "folded",
        },
        "root": dag.root(),
        "complete": dag.complete,
        "sequences": groups.iter().map(sequence).collect::<Vec<_>>(),
        "sequences_dropped": dropped,
        "nodes": dag.nodes.iter().enumerate().map(node).collect::<Vec<_>>(),
    })
}
