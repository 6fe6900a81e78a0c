//! Findings as JUnit XML, so that every CI shows them: one test case per finding, with the whole report as its failure.

use crate::finding::{Coverage, Finding, Verdict};
use crate::markup::{escape, text};
use crate::terminal::{self, Options};
use std::fmt::Write;
use std::time::Duration;

/// A finding, and how long it took to find, if that is known. A finding has no clock.
#[derive(Clone, Copy, Debug)]
pub struct TestCase<'a> {
    /// What was found.
    pub finding: &'a Finding,
    /// How long that took.
    pub took: Option<Duration>,
}

/// `cases` as one test suite. What could not be decided is an error, so that nobody takes it for a pass.
pub fn write(cases: &[TestCase<'_>]) -> String {
    let count = |wanted: fn(&Verdict) -> bool| {
        let found = cases.iter().filter(|case| wanted(&case.finding.verdict));
        found.count()
    };
    let failures = count(|v| matches!(v, Verdict::Violated { .. } | Verdict::Faulty { .. }));
    let errors = count(|v| matches!(v, Verdict::Unknown { .. }));
    let took: Option<Duration> = cases.iter().map(|case| case.took).sum();
    let counts = format!(
        "name=\"linspect\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"{}",
        cases.len(),
        time(took)
    );
    let mut written = String::new();
    for one in cases {
        written.push_str(&case(one));
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n<testsuite {counts} skipped=\"0\">\n{written}</testsuite>\n</testsuites>\n"
    )
}

/// Seconds, where they are known.
fn time(took: Option<Duration>) -> String {
    took.map_or_else(String::new, |took| {
        format!(" time=\"{:.3}\"", took.as_secs_f64())
    })
}

/// What CI servers call a test: the object, and what was tested of it. Both are the same whether it passes or fails.
///
/// `package::target harness` of cargo is a class with a test; a file is a class by its stem, or by its folder where it is
/// called `harness`, as many are.
fn names(finding: &Finding) -> (&str, &str) {
    let source = finding.checked.source.as_str();
    let is_path = |text: &str| {
        text.chars()
            .all(|c| c.is_alphanumeric() || "_:-".contains(c))
    };
    if let Some((binary, path)) = source.split_once(' ')
        && finding.coverage != Coverage::Recorded
        && is_path(binary)
        && is_path(path)
    {
        return (binary, path);
    }
    let mut parts = source.rsplit(['/', '\\']).filter(|part| !part.is_empty());
    let file = parts.next().unwrap_or(source);
    let stem = match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    };
    let class = match stem {
        "harness" => parts.next().unwrap_or(stem),
        _ => stem,
    };
    (class, source)
}

fn case(case: &TestCase<'_>) -> String {
    let finding = case.finding;
    let (class, name) = names(finding);
    let mut out = format!(
        "<testcase classname=\"{}\" name=\"{}\"{}",
        text(class),
        text(name),
        time(case.took)
    );
    let tag = match finding.verdict {
        Verdict::Holds { .. } if finding.data_races.is_empty() => {
            out.push_str("/>\n");
            return out;
        }
        Verdict::Holds { .. } => {
            let report = terminal::render(finding, &Options::default());
            let _ = write!(
                out,
                ">\n<system-out>{}</system-out>\n</testcase>\n",
                escape(&report)
            );
            return out;
        }
        Verdict::Violated { .. } | Verdict::Faulty { .. } => "failure",
        Verdict::Unknown { .. } => "error",
    };
    let report = terminal::render(finding, &Options::default());
    let _ = write!(
        out,
        ">\n<{tag} message=\"{}\" type=\"{}\">{}</{tag}>\n</testcase>\n",
        text(&crate::sentence::sentence(finding).unwrap_or_else(|| finding.headline())),
        text(&finding.checked.criterion.to_string()),
        escape(&report)
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Checked;
    use linspect_core::history::History;
    use linspect_core::verdict::{Criterion, Verdict as Decided};

    #[test]
    fn a_class_is_the_object() {
        for (source, expected) in [
            ("src/stack.rs", ("stack", "src/stack.rs")),
            ("c/queue/harness.c", ("queue", "c/queue/harness.c")),
            ("harness.c", ("harness", "harness.c")),
            ("flags::slow slow_flag", ("flags::slow", "slow_flag")),
            ("flags tests::flag", ("flags", "tests::flag")),
            ("my dir/a.c", ("a", "my dir/a.c")),
            ("standard input", ("standard input", "standard input")),
            ("", ("", "")),
        ] {
            let checked = Checked::new(source, "queue", Criterion::Linearizable);
            let mut finding = Finding::of_history(&History::new(), &Decided::Holds(None), checked);
            if source != "standard input" {
                finding.coverage = Coverage::Exhausted {
                    executions: 1,
                    retries_cut: 0,
                    memory_model: "SC".into(),
                };
            }
            assert_eq!(names(&finding), expected);
        }
    }
}
