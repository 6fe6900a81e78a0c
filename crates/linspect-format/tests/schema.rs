//! The published schema and the reader agree on what a line is.

use linspect_format::{Format, NilRead, read};
use serde_json::Value;

fn schema() -> jsonschema::Validator {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/history.schema.json"
    );
    let text = std::fs::read_to_string(path).expect("docs/history.schema.json");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}

/// Whether the reader takes `line`, after what must stand before it.
fn is_read(line: &str) -> bool {
    let is_end = line.contains("\"ok\"") || line.contains("\"fail\"") || line.contains("\"info\"");
    let is_client = !line.contains("nemesis");
    let mut input = String::new();
    if is_end && is_client {
        let time = if line.contains("time\":") && !line.contains("time\":null") {
            ",\"time\":0"
        } else {
            ""
        };
        input = format!("{{\"process\":0,\"type\":\"invoke\",\"f\":\"f\"{time}}}\n");
    }
    input.push_str(line);
    match read(input.as_bytes(), Some(Format::JsonLines), NilRead::Absent) {
        Ok(_) => true,
        // A header or a nemesis alone is a good line of an empty history.
        Err(e) => e.to_string().contains("no operation in this history"),
    }
}

#[test]
fn schema_and_reader_agree() {
    let schema = schema();
    let good = [
        r#"{"linspect":1}"#,
        r#"{"linspect":1,"spec":"queue","initial":[1,null,"x",{}]}"#,
        r#"{"process":0,"type":"invoke","f":"f","value":1}"#,
        r#"{"process":0,"type":"ok","f":"f","value":null,"time":3}"#,
        r#"{"process":0,"type":"fail","f":"f","error":{"a":1.5}}"#,
        r#"{"process":0,"type":"info","f":"f","time":null}"#,
        r#"{"process":0,"type":"ok","f":"f","unknown":true}"#,
        r#"{"process":"nemesis","type":"info","f":"kill","value":1}"#,
        r#"{"process":4294967295,"f":"f","call":0}"#,
        r#"{"process":1,"f":"f","key":7,"value":{},"result":[],"call":0,"return":18446744073709551614}"#,
    ];
    let bad = [
        r#"{"linspect":2}"#,
        r#"{"linspect":1,"spec":3}"#,
        r#"{"linspect":1,"operations":-1}"#,
        r#"{"process":0,"type":"begin","f":"f"}"#,
        r#"{"process":-1,"type":"invoke","f":"f"}"#,
        r#"{"process":4294967296,"type":"invoke","f":"f"}"#,
        r#"{"process":"a","type":"invoke","f":"f"}"#,
        r#"{"process":0,"type":"invoke"}"#,
        r#"{"process":0,"f":"f"}"#,
        r#"{"type":"invoke","f":"f"}"#,
        r#"{"process":0,"type":"invoke","f":"f","value":1.5}"#,
        r#"{"process":0,"type":"invoke","f":"f","value":{"a":1}}"#,
        r#"{"process":0,"type":"invoke","f":"f","value":9223372036854775808}"#,
        r#"{"process":0,"type":"invoke","f":"f","time":-1}"#,
        r#"{"process":0,"type":"invoke","f":"f","call":1}"#,
        r#"{"process":0,"f":"f","call":"now"}"#,
        r#"{"process":0,"f":"f","call":1,"return":18446744073709551615}"#,
        r#"{"process":0,"f":5,"call":1}"#,
        r#"[]"#,
    ];
    for (lines, is_good) in [(&good[..], true), (&bad[..], false)] {
        for line in lines {
            let json: Value = serde_json::from_str(line).unwrap();
            assert_eq!(schema.is_valid(&json), is_good, "schema: {line}");
            assert_eq!(is_read(line), is_good, "reader: {line}");
        }
    }
}

#[test]
fn the_lines_of_the_documentation_are_lines() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/format.md");
    let text = std::fs::read_to_string(path).expect("docs/format.md");
    let schema = schema();
    let mut blocks = 0;
    for block in text.split("```json\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for line in block.lines() {
            let json: Value = serde_json::from_str(line).unwrap();
            assert!(schema.is_valid(&json), "{line}");
        }
        if !block.contains("\"operations\"") {
            read(block.as_bytes(), None, NilRead::Unknown).unwrap();
        }
        blocks += 1;
    }
    assert_eq!(blocks, 3);
}
