//! Findings where GitHub Actions shows them: an annotation at the line to change, and a part of the step's summary.

use crate::finding::{Coverage, Finding, Verdict};
use crate::fix::{self, Fix};
use crate::sentence::sentence;
use crate::terminal::{self, Options, coverage};
use crate::text::neutral;

/// What a history from a pipe is called.
const STDIN: &str = "standard input";

/// The workflow command that puts what is wrong at its line; nothing if nothing is wrong. Paths below `root` are
/// named as the repository does.
pub fn annotation(finding: &Finding, root: Option<&str>) -> Option<String> {
    let level = match &finding.verdict {
        Verdict::Violated { .. } | Verdict::Faulty { .. } => "error",
        Verdict::Unknown { .. } => "warning",
        Verdict::Holds { .. } => return None,
    };
    let title = format!("{} · {}", name(finding), finding.subject());
    let mut properties = String::new();
    let in_repository = |path: &str| {
        let below = root.and_then(|root| path.strip_prefix(root));
        property(below.map_or(path, |path| path.trim_start_matches('/')))
    };
    let source = finding.checked.source.as_str();
    if finding.coverage == Coverage::Recorded {
        // A history has no line to change; where it came from a pipe, it has no file either.
        if source != STDIN {
            properties = format!("file={},", in_repository(source));
        }
    } else if let Some(span) = fix::place(finding) {
        let (file, first, last) = span.lines();
        properties = format!("file={},line={first},endLine={last},", in_repository(file));
    }
    let said = match &finding.verdict {
        Verdict::Unknown { reason } => format!("{reason}: neither a violation nor a proof"),
        _ => sentence(finding).unwrap_or_default(),
    };
    let advice = match fix::fix(finding) {
        Some(Fix::Repair(repair)) => {
            let hint = repair.hint.as_ref().map(|hint| format!(": {hint}"));
            format!("\nfix: {}{}", fix::blocks(repair), hint.unwrap_or_default())
        }
        Some(Fix::Advice(advice)) => format!("\nfix: {advice}"),
        Some(Fix::None(_)) | None => String::new(),
    };
    Some(format!(
        "::{level} {properties}title={}::{}",
        property(&title),
        message(&format!("{said}{advice}"))
    ))
}

/// The finding as Markdown: a heading, and for what is wrong the report.
pub fn summary(finding: &Finding) -> String {
    let mark = match finding.verdict {
        Verdict::Holds { .. } => "✓",
        Verdict::Violated { .. } | Verdict::Faulty { .. } => "✗",
        Verdict::Unknown { .. } => "?",
    };
    let source = neutral(&finding.checked.source).replace('`', "'");
    let heading = format!("### {mark} {} · `{source}`\n\n", name(finding));
    if matches!(finding.verdict, Verdict::Holds { .. }) {
        return format!("{heading}{}\n\n", coverage(finding).replace('<', "&lt;"));
    }
    let options = Options {
        width: 100,
        ..Options::default()
    };
    // A line of the report cannot end this: none begins with a backtick.
    format!(
        "{heading}```text\n{}```\n\n",
        terminal::render(finding, &options)
    )
}

fn name(finding: &Finding) -> String {
    match finding.verdict {
        Verdict::Violated { .. } | Verdict::Faulty { .. } => finding.fault_name(),
        Verdict::Holds { .. } | Verdict::Unknown { .. } => finding.headline(),
    }
}

/// Text after the colons: percent and line breaks would be read as something else.
fn message(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| neutral(line).replace('%', "%25"))
        .collect();
    lines.join("%0A")
}

/// A property: colons and commas as well.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Checked;
    use linspect_core::history::History;
    use linspect_core::verdict::{Criterion, Verdict as Decided};

    #[test]
    fn what_a_text_says_cannot_become_a_command() {
        assert_eq!(message("a\n::error::b 5%\r"), "a%0A::error::b 5%25\\r");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }

    #[test]
    fn a_fault_stands_at_its_line_and_a_pass_nowhere() {
        let checked = Checked::new("a.c", "program", Criterion::Linearizable);
        let mut finding = Finding::of_history(&History::new(), &Decided::Holds(None), checked);
        finding.coverage = Coverage::Bounded {
            executions: 3,
            memory_model: "SC".into(),
            bound: "one schedule".into(),
        };
        assert_eq!(annotation(&finding, None), None);
        assert!(
            summary(&finding).starts_with("### ✓ LINEARIZABLE (program) · `a.c`\n\n3 executions")
        );
        finding.verdict = Verdict::Faulty {
            fault: crate::finding::Fault {
                kind: "use after free".into(),
                message: String::new(),
                span: Some(crate::finding::Span {
                    file: "/home/ci/repo/src/a.c".into(),
                    line: 7,
                    last_line: 7,
                    function: "pop".into(),
                }),
                related: None,
                waits: Vec::new(),
            },
        };
        let said = annotation(&finding, Some("/home/ci/repo")).expect("it is wrong");
        assert!(
            said.starts_with("::error file=src/a.c,line=7,endLine=7,title=USE AFTER FREE · pop"),
            "{said}"
        );
        assert!(summary(&finding).contains("```text\n✗ USE AFTER FREE"));
    }
}
