//! Findings as JSON: the published schema, the round trip, the refusals.

use crate::{golden, samples};
use linspect_report::json;
use serde_json::{Value, json};

fn schema() -> jsonschema::Validator {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/finding.schema.json"
    );
    let text = std::fs::read_to_string(path).expect("the published schema");
    let schema = serde_json::from_str(&text).expect("the schema is JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}

#[test]
fn golden_json() {
    golden::check("queue.json", &json::write(&samples::queue()));
    golden::check("hostile.json", &json::write(&samples::hostile()));
}

#[test]
fn reading_and_writing_gives_the_same_bytes() {
    for (_, finding) in samples::all() {
        let text = json::write(&finding);
        let again = json::read(&text).expect("what was written is read");
        assert_eq!(again, finding);
        assert_eq!(json::write(&again), text);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    }
}

#[test]
fn every_finding_fits_the_published_schema() {
    let schema = schema();
    for (_, finding) in samples::all() {
        let value: Value = serde_json::from_str(&json::write(&finding)).expect("JSON");
        let errors: Vec<String> = schema.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
}

#[test]
fn schema_and_reader_refuse_the_same_mistakes() {
    let schema = schema();
    let good: Value = serde_json::from_str(&json::write(&samples::queue())).expect("JSON");
    let mistakes: [(&str, Value); 7] = [
        ("/version", json!("one")),
        ("/verdict/answer", json!("maybe")),
        ("/verdict/evidence/core", json!("all of them")),
        ("/history/operations/0/argument", json!(1.5)),
        ("/history/operations/0/argument", json!({"a": 1})),
        (
            "/history/operations/0/outcome",
            json!({"returned": 1, "twice": 2}),
        ),
        ("/checked/criterion", json!({"name": "quasi"})),
    ];
    for (at, wrong) in mistakes {
        let mut bad = good.clone();
        *bad.pointer_mut(at).expect("the member exists") = wrong.clone();
        assert!(!schema.is_valid(&bad), "the schema takes {wrong} at {at}");
        let error = json::read(&bad.to_string()).expect_err("the reader takes it");
        assert!(
            error.to_string().starts_with("not a Linspect finding: "),
            "{error}"
        );
    }
    for member in ["tool", "checked", "coverage", "verdict", "history"] {
        let mut bad = good.clone();
        bad.as_object_mut().expect("an object").remove(member);
        assert!(!schema.is_valid(&bad));
        assert!(
            json::read(&bad.to_string()).is_err(),
            "{member} may be missing"
        );
    }
    let mut bad = good;
    bad["surprise"] = json!(1);
    assert!(!schema.is_valid(&bad));
    assert!(json::read(&bad.to_string()).is_err());
}

#[test]
fn another_version_is_named() {
    let error = json::read("{\"version\": 3, \"new\": []}").expect_err("version 3");
    assert_eq!(
        error.to_string(),
        "this finding has format version 3, but this Linspect reads versions 1 to 2: \
         use the Linspect that wrote it, or make the finding again"
    );
}

/// What version 1 kept as text is still told.
#[test]
fn findings_of_the_first_version_are_read() {
    let old = include_str!("../expected/first_version.json");
    let finding = json::read(old).expect("version 1");
    assert_eq!(finding.version, 2);
    let steps = &finding.interleaving.as_ref().expect("a run").steps;
    assert_eq!(steps.len(), 4);
    assert_eq!(steps[0].text(), "if self.0.load(SeqCst) {   object.0 → 0");
    let text = linspect_report::terminal::render(&finding, &Default::default());
    for part in [
        "take() returned true twice",
        "fix · take, lines 11–14, must be one step",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let again = json::write(&finding);
    assert_eq!(json::read(&again).expect("version 2"), finding);
}
