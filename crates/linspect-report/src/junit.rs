//! Findings as JUnit XML, so that every CI shows them: one test case per finding, with the whole report as its failure.

use crate::finding::{Finding, Verdict};
use crate::markup::{escape, text};
use crate::terminal::{self, Options};
use std::fmt::Write;

/// `findings` as one test suite. What could not be decided is an error, so that nobody takes it for a pass.
pub fn write(findings: &[Finding]) -> String {
    let count =
        |wanted: fn(&Verdict) -> bool| findings.iter().filter(|f| wanted(&f.verdict)).count();
    let failures = count(|v| matches!(v, Verdict::Violated { .. } | Verdict::Faulty { .. }));
    let errors = count(|v| matches!(v, Verdict::Unknown { .. }));
    let counts = format!(
        "name=\"linspect\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"",
        findings.len()
    );
    let mut cases = String::new();
    for finding in findings {
        cases.push_str(&case(finding));
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n<testsuite {counts} skipped=\"0\">\n{cases}</testsuite>\n</testsuites>\n"
    )
}

fn case(finding: &Finding) -> String {
    let mut out = format!(
        "<testcase classname=\"{}\" name=\"{}\"",
        text(&finding.checked.spec),
        text(&finding.checked.source)
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
