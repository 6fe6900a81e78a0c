//! Golden texts. Each was read: the usual report at 80 columns, everything at 140.

use crate::{golden, samples};
use linspect_report::terminal::{Detail, Options, render};
use linspect_report::{Finding, html};
use std::time::Duration;

fn check(name: &str, finding: &Finding) {
    for (width, detail) in [(80, Detail::Usual), (140, Detail::Most)] {
        let text = render(
            finding,
            &Options {
                width,
                detail,
                ..Options::default()
            },
        );
        golden::check(&format!("{name}.{width}.txt"), &text);
        let wrong = text.starts_with('✗') && detail == Detail::Usual;
        assert!(!wrong || text.lines().count() <= 40, "{text}");
        for line in text.lines() {
            // What is to be copied stays whole.
            let copied = line.trim_start().starts_with("replay  ");
            assert!(
                copied || unicode_width::UnicodeWidthStr::width(line) <= width,
                "too wide: {line}"
            );
            assert_eq!(line, line.trim_end(), "trailing space");
        }
    }
}

#[test]
fn golden_texts() {
    for (name, finding) in samples::all() {
        check(name, &finding);
    }
}

/// "0 of 4 placed" would be said of operations of which the first could well be placed.
#[test]
fn an_order_that_nobody_looked_for_is_not_shown() {
    let mut finding = samples::queue();
    let all = Options {
        detail: Detail::Most,
        ..Options::default()
    };
    let heading = |finding: &Finding| {
        let text = render(finding, &all).contains("furthest order of effects");
        let page = html::render(finding).contains("Furthest order of effects");
        [text, page]
    };
    assert_eq!(heading(&finding), [true, true]);
    let linspect_report::finding::Verdict::Violated { evidence } = &mut finding.verdict else {
        panic!("a wrong queue")
    };
    evidence.partial.steps.clear();
    evidence.partial.total = 0;
    evidence.allowed.clear();
    assert_eq!(heading(&finding), [false, false]);
}

#[test]
fn colours_and_time_when_asked_for() {
    let options = Options {
        width: 100,
        color: true,
        elapsed: Some(Duration::from_micros(3_210)),
        ..Options::default()
    };
    golden::check("queue.color.txt", &render(&samples::queue(), &options));
}

#[test]
fn nothing_hostile_reaches_the_terminal() {
    let text = render(&samples::hostile(), &Options::default());
    assert!(
        text.chars().all(|c| c == '\n' || !c.is_control()),
        "{text:?}"
    );
    assert!(!text.contains(['\u{202e}', '\u{2028}']), "{text:?}");
}

#[test]
fn a_huge_value_does_not_flood_the_terminal() {
    let text = render(&samples::huge_value(1_000_000), &Options::default());
    assert!(text.lines().count() < 60, "{} lines", text.lines().count());
}

/// No terminal is too narrow, and a finding that somebody changed by hand is rendered all the same.
#[test]
fn narrow_terminals_and_wrong_totals_are_survived() {
    for (name, finding) in samples::all() {
        for width in [1, 10, 20, 30, 40, 60] {
            let options = Options {
                width,
                ..Options::default()
            };
            assert!(render(&finding, &options).lines().count() > 0, "{name}");
        }
        let mut changed: serde_json::Value =
            serde_json::from_str(&linspect_report::json::write(&finding)).expect("JSON");
        if let Some(total) = changed.pointer_mut("/verdict/evidence/partial/total") {
            *total = 0.into();
        }
        let changed = linspect_report::json::read(&changed.to_string()).expect("a finding");
        assert!(!render(&changed, &Options::default()).is_empty());
        assert!(!html::render(&changed).is_empty());
    }
}
