//! Findings of version 1, made findings of version 2.
//!
//! Version 1 kept what a step did and what a repair was checked with as texts. They are kept as notes; what an access did
//! is no more than whether it wrote.

use super::VERSION;
use serde_json::{Map, Value, json};

/// Changes a finding of version 1 into one of version 2, as far as it has the form of one.
pub(crate) fn from_first_version(finding: &mut Value) {
    finding["version"] = json!(VERSION);
    for step in list(finding, "/interleaving/steps") {
        let Some(step) = step.as_object_mut() else {
            continue;
        };
        if let Some(Value::String(text)) = step.remove("text") {
            let (source, note) = text.split_once("   ").unwrap_or((&text, ""));
            put(step, "source", source);
            put(step, "note", note);
        }
        let accesses = step.get_mut("accesses").and_then(Value::as_array_mut);
        for access in accesses
            .into_iter()
            .flatten()
            .filter_map(Value::as_object_mut)
        {
            if let Some(Value::Bool(writes)) = access.remove("writes") {
                let action = if writes { "write" } else { "read" };
                access.insert("action".into(), json!(action));
            }
        }
    }
    for repair in list(finding, "/repairs/found") {
        if let Some(repair) = repair.as_object_mut()
            && let Some(Value::String(text)) = repair.remove("rechecked")
        {
            put(repair, "note", &text);
        }
    }
}

fn list<'a>(finding: &'a mut Value, path: &str) -> impl Iterator<Item = &'a mut Value> {
    let items = finding.pointer_mut(path).and_then(Value::as_array_mut);
    items.into_iter().flatten()
}

fn put(object: &mut Map<String, Value>, name: &str, text: &str) {
    if !text.is_empty() {
        object.insert(name.into(), json!(text));
    }
}
