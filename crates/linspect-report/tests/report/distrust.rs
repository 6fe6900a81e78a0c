//! A finding is read from a file, and files can say anything: every text hostile, every number at an edge.

use crate::samples;
use linspect_report::finding::Finding;
use linspect_report::terminal::Options;
use linspect_report::{html, json, junit, sarif, terminal};
use serde_json::Value;

const HOSTILE: &str = "</script><img onerror=hostile>]]>\u{1b}[2J\u{7}\u{202e}\"'\\\n";

/// Changes every text and number of `value`, one after the other, and tries each change.
fn change_each(
    whole: &mut Value,
    pointer: &str,
    change: &dyn Fn(&Value) -> Vec<Value>,
    attempt: &mut dyn FnMut(&Value),
) {
    let Some(here) = whole.pointer(pointer).cloned() else {
        return;
    };
    let inner: Vec<String> = match &here {
        Value::Array(items) => (0..items.len()).map(|i| i.to_string()).collect(),
        Value::Object(members) => members.keys().cloned().collect(),
        _ => Vec::new(),
    };
    for name in inner {
        let name = name.replace('~', "~0").replace('/', "~1");
        change_each(whole, &format!("{pointer}/{name}"), change, attempt);
    }
    for changed in change(&here) {
        *whole.pointer_mut(pointer).expect("it was there") = changed;
        attempt(whole);
    }
    *whole.pointer_mut(pointer).expect("it was there") = here;
}

fn render_everything(finding: &Finding) {
    let options = Options {
        width: 60,
        ..Options::default()
    };
    let text = terminal::render(finding, &options);
    let drives = |c: char| c != '\n' && c.is_control() || c == '\u{202e}';
    assert!(!text.contains(drives), "{text:?}");
    let page = html::render(finding);
    assert!(!page.contains("<img onerror"), "{page}");
    assert!(!page.contains(drives), "{page}");
    let all = std::slice::from_ref(finding);
    let log = sarif::write(all);
    assert!(!log.contains(drives), "{log}");
    let log: Value = serde_json::from_str(&log).expect("SARIF is JSON");
    assert_eq!(log["version"], "2.1.0");
    let case = junit::TestCase {
        finding,
        took: None,
    };
    let suite = junit::write(&[case]);
    assert!(!suite.contains(drives), "{suite}");
    junit_parser::from_reader(suite.as_bytes()).expect("JUnit is XML");
    assert_eq!(
        json::read(&json::write(finding)).expect("it is read again"),
        *finding
    );
}

fn survive(change: &dyn Fn(&Value) -> Vec<Value>) {
    let mut rendered = 0;
    for (name, finding) in samples::all() {
        let mut value: Value = serde_json::from_str(&json::write(&finding)).expect("JSON");
        let mut seen = std::collections::BTreeSet::new();
        change_each(&mut value, "", change, &mut |changed| {
            if let Ok(finding) = json::read(&changed.to_string())
                && seen.insert(json::write(&finding))
            {
                render_everything(&finding);
                rendered += 1;
            }
        });
        assert!(!seen.is_empty(), "{name}");
    }
    assert!(rendered > 100, "{rendered} findings");
}

#[test]
fn no_text_of_a_finding_is_trusted() {
    survive(&|value| match value {
        Value::String(_) => vec![HOSTILE.into(), "".into()],
        _ => Vec::new(),
    });
}

#[test]
fn no_number_of_a_finding_is_trusted() {
    survive(&|value| match value {
        Value::Number(_) => [0, u64::from(u32::MAX), u64::MAX].map(Value::from).to_vec(),
        _ => Vec::new(),
    });
}

#[test]
fn no_list_of_a_finding_is_trusted() {
    survive(&|value| match value {
        Value::Array(items) => {
            let twice = items.iter().chain(items.iter().rev()).cloned().collect();
            vec![Value::Array(Vec::new()), Value::Array(twice)]
        }
        _ => Vec::new(),
    });
}
