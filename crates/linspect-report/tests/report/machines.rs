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
