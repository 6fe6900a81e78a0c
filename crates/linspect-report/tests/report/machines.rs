//! SARIF against the schema that OASIS publishes (a copy is in `tests/schemas`), JUnit through a parser of its own.

use crate::{golden, samples};
use linspect_report::{Finding, junit, sarif};
use serde_json::Value;

fn all() -> Vec<Finding> {
    samples::all()
        .into_iter()
        .map(|(_, finding)| finding)
        .collect()
}

#[test]
fn sarif_fits_the_schema_of_2_1_0() {
    let schema = include_str!("../schemas/sarif-2.1.0.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let log: Value = serde_json::from_str(&sarif::write(&all())).expect("JSON");
    let errors: Vec<String> = validator.iter_errors(&log).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let empty: Value = serde_json::from_str(&sarif::write(&[])).expect("JSON");
    assert!(validator.is_valid(&empty));
    let mut wrong = log;
    wrong["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(!validator.is_valid(&wrong), "the schema refuses nothing");
}

/// What GitHub asks of a log beyond the schema; what breaks a rule of it is named.
fn broken_rules(log: &Value) -> Vec<String> {
    let mut broken = Vec::new();
    let mut rule = |holds: bool, what: String| {
        if !holds {
            broken.push(what);
        }
    };
    let text = |value: &Value| value["text"].as_str().map_or(0, str::len);
    for run in log["runs"].as_array().into_iter().flatten() {
        let rules = run["tool"]["driver"]["rules"].as_array();
        let rules: Vec<&Value> = rules.into_iter().flatten().collect();
        for r in &rules {
            let id = r["id"].as_str().unwrap_or_default();
            rule(!id.is_empty(), "a rule without an id".into());
            for part in ["shortDescription", "fullDescription", "help"] {
                let length = text(&r[part]);
                rule((1..=1024).contains(&length), format!("{id}: {part}"));
            }
            let level = r["defaultConfiguration"]["level"].as_str();
            rule(level.is_some(), format!("{id}: no level"));
        }
        let results = run["results"].as_array();
        let results: Vec<&Value> = results.into_iter().flatten().collect();
        rule(results.len() <= 25_000, "too many results".into());
        for (n, result) in results.iter().enumerate() {
            let id = &result["ruleId"];
            rule(
                rules.iter().any(|r| r["id"] == *id),
                format!("{n}: rule {id}"),
            );
            rule(text(&result["message"]) > 0, format!("{n}: no message"));
            let prints = result["partialFingerprints"].as_object();
            rule(
                prints.is_some_and(|p| !p.is_empty()),
                format!("{n}: no fingerprint"),
            );
            let flows = result["codeFlows"].as_array().into_iter().flatten();
            let flows = flows
                .flat_map(|flow| flow["threadFlows"].as_array())
                .flatten();
            let steps = flows
                .flat_map(|flow| flow["locations"].as_array())
                .flatten();
            let steps: Vec<&Value> = steps.map(|step| &step["location"]).collect();
            rule(steps.len() <= 10_000, format!("{n}: too many steps"));
            let located = result["locations"].as_array();
            rule(
                located.is_some_and(|l| l.len() == 1),
                format!("{n}: not at one place"),
            );
            let related = result["relatedLocations"].as_array();
            let places = located.into_iter().chain(related).flatten();
            for place in places.chain(steps).map(|place| &place["physicalLocation"]) {
                let uri = place["artifactLocation"]["uri"]
                    .as_str()
                    .unwrap_or_default();
                let is_relative = !uri.is_empty() && !uri.contains([':', '\\', ' ']);
                rule(is_relative, format!("{n}: {uri:?} is not relative"));
                let line = place["region"]["startLine"].as_u64();
                let end = place["region"]["endLine"].as_u64().or(line);
                rule(
                    line.is_some_and(|line| line > 0) && end >= line,
                    format!("{n}: {place}"),
                );
            }
        }
    }
    broken
}

#[test]
fn sarif_keeps_the_rules_of_github() {
    let findings = [crate::program::list()];
    let log: Value = serde_json::from_str(&sarif::write(&findings)).expect("JSON");
    assert_eq!(broken_rules(&log), Vec::<String>::new());
    // Each of them can be broken.
    for (place, wrong) in [
        ("/runs/0/tool/driver/rules/0/help/text", Value::Null),
        (
            "/runs/0/tool/driver/rules/0/fullDescription/text",
            "".into(),
        ),
        ("/runs/0/results/0/ruleId", "unknown".into()),
        ("/runs/0/results/0/message/text", "".into()),
        ("/runs/0/results/0/partialFingerprints", Value::Null),
        ("/runs/0/results/0/locations", Value::Null),
        (
            "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri",
            "file:///list.rs".into(),
        ),
        (
            "/runs/0/results/0/locations/0/physicalLocation/region/startLine",
            0.into(),
        ),
        (
            "/runs/0/results/0/codeFlows/0/threadFlows/0/locations/0/location/physicalLocation/region/startLine",
            Value::Null,
        ),
    ] {
        let mut other = log.clone();
        *other.pointer_mut(place).expect(place) = wrong;
        assert_eq!(broken_rules(&other).len(), 1, "{place}");
    }
}

#[test]
fn sarif_points_at_the_lines() {
    golden::check("list.sarif", &sarif::write(&[crate::program::list()]));
    let log: Value = serde_json::from_str(&sarif::write(&all())).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let levels: Vec<&str> = results.iter().filter_map(|r| r["level"].as_str()).collect();
    assert_eq!(levels.iter().filter(|level| **level == "error").count(), 8);
    assert_eq!(levels.iter().filter(|level| **level == "none").count(), 2);
}

#[test]
fn junit_is_read_by_a_parser() {
    let all = all();
    let took = Some(std::time::Duration::from_millis(1_250));
    let case = |finding| junit::TestCase { finding, took };
    let cases: Vec<_> = all.iter().map(case).collect();
    let xml = junit::write(&cases);
    let report = junit_parser::from_reader(xml.as_bytes()).expect("JUnit");
    assert_eq!((report.tests, report.failures, report.errors), (10, 8, 1));
    let cases = &report.suites[0].cases;
    assert_eq!(cases[0].original_name, "broken_queue.jsonl");
    assert_eq!(cases[0].classname.as_deref(), Some("broken_queue"));
    assert!((cases[0].time - 1.25).abs() < 1e-9, "{}", cases[0].time);
    assert!((report.time - 12.5).abs() < 1e-9, "{}", report.time);
    let untimed = junit::TestCase {
        took: None,
        ..case(&all[0])
    };
    assert!(!junit::write(&[untimed]).contains("time="));
    let junit_parser::TestStatus::Failure(failure) = &cases[0].status else {
        panic!("{:?}", cases[0].status)
    };
    assert_eq!(
        failure.message,
        "1 was enqueued before 2, but dequeued after it."
    );
    assert!(
        failure
            .text
            .contains("✗ dequeue() → 2 by client 1: only 1 would be right")
    );
    assert!(xml.chars().all(|c| c == '\n' || !c.is_control()));
}
