//! The head of the page: what is wrong in one sentence, and what to change.

use super::program::{code, excerpt};
use crate::finding::{Coverage, Finding, Repair, Span, Verdict};
use crate::fix::{self, Fix};
use crate::markup::text;
use crate::sentence::sentence;
use crate::terminal::{checked, coverage};
use std::fmt::Write;

/// The verdict, the sentence, the fix, and the tools of the page.
pub(super) fn head(finding: &Finding) -> String {
    let mark = match finding.verdict {
        Verdict::Holds { .. } => "✓",
        Verdict::Violated { .. } | Verdict::Faulty { .. } => "✗",
        Verdict::Unknown { .. } => "?",
    };
    format!(
        r#"<header class="head">
<div class="mark" aria-hidden="true">{mark}</div>
<div class="says"><h1>{says}</h1>
<p class="what">{what}</p></div>
<div class="tools"><label class="search" for="search" title="press /"><span aria-hidden="true">⌕</span><input id="search" type="search" placeholder="search  /" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="hits" aria-label="Search calls, values, clients, steps and lines"></label><button class="tool" id="theme" title="light or dark (d)" aria-label="Switch between light and dark">◐</button><ul id="hits" role="listbox" aria-label="Found" hidden></ul></div>
{fix}</header>
"#,
        says = text(&says(finding)),
        what = what(finding),
        fix = fix(finding),
    )
}

/// The sentence that is read first.
fn says(finding: &Finding) -> String {
    if let Some(sentence) = sentence(finding) {
        return sentence.trim_end_matches('.').to_owned();
    }
    let criterion = finding.checked.criterion;
    match (&finding.verdict, &finding.coverage) {
        (Verdict::Holds { .. }, Coverage::Recorded) => format!("This history is {criterion}"),
        (Verdict::Holds { .. }, _) => format!("Every run that was tried is {criterion}"),
        (Verdict::Unknown { reason }, _) => format!("Undecided: {reason}"),
        (Verdict::Violated { .. } | Verdict::Faulty { .. }, _) => finding.headline(),
    }
}

/// Which fault of what, and where.
fn what(finding: &Finding) -> String {
    let is_wrong = matches!(
        finding.verdict,
        Verdict::Violated { .. } | Verdict::Faulty { .. }
    );
    let mut parts = Vec::new();
    if is_wrong {
        parts.push(format!("<b>{}</b>", text(&finding.fault_name())));
        let subject = finding.subject();
        // The file is said once.
        let place = fix::place(finding).map(|span| match subject.starts_with(span.file_name()) {
            true => span.in_function(),
            false => span.to_string(),
        });
        parts.push(text(&subject));
        parts.extend(place.map(|place| text(&place)));
    } else {
        parts.push(format!("<b>{}</b>", text(&finding.headline())));
    }
    if !is_wrong {
        parts.push(text(&finding.checked.source));
    }
    if finding.coverage == Coverage::Recorded {
        parts.push(text(&coverage(finding)));
    }
    if let Some(part) = finding.evidence().and_then(|e| e.part.as_ref()) {
        let what = match finding.checked.spec.as_str() {
            "kv" => "key",
            "set" | "multiset" => "element",
            _ => "part",
        };
        parts.push(format!("{what} <code>{}</code>", text(&part.to_string())));
    }
    match (&finding.verdict, &finding.coverage) {
        (Verdict::Holds { .. }, Coverage::Recorded) => {
            parts.push("this one recording, not other runs of the same system".into());
        }
        (Verdict::Unknown { .. }, _) => parts.push("neither a violation nor a proof".into()),
        _ => {}
    }
    parts.join(" · ")
}

fn fix(finding: &Finding) -> String {
    let (class, word, says, more) = match fix::fix(finding) {
        None => return String::new(),
        Some(Fix::Repair(repair)) => ("", "Fix", repaired(repair), lines(finding, repair)),
        Some(Fix::Advice(advice)) => ("", "Fix", advice, String::new()),
        Some(Fix::None(why)) => (" none", "No fix", why, String::new()),
    };
    let copied = match fix::place(finding) {
        Some(span) => format!("{span}: {says}"),
        None => says.clone(),
    };
    let copy = match class {
        "" => format!(
            "<button class=\"tool\" data-copy=\"{}\">copy</button>",
            text(&copied)
        ),
        _ => String::new(),
    };
    format!(
        "<div class=\"fix{class}\"><p><b>{word}</b> {} {copy}</p>{more}</div>\n",
        with_code(&says)
    )
}

/// What stands between backticks is code.
fn with_code(says: &str) -> String {
    let mut html = String::new();
    for (i, part) in says.split('`').enumerate() {
        match i % 2 {
            0 => html.push_str(&text(part)),
            _ => html.push_str(&format!("<code>{}</code>", text(part))),
        }
    }
    html
}

/// `remove, lines 98–102, must be one step: use …`.
fn repaired(repair: &Repair) -> String {
    let blocks = fix::blocks(repair);
    match &repair.hint {
        Some(hint) => format!("{blocks}: {hint}"),
        None => blocks,
    }
}

/// What was checked, and the lines that must be one step.
fn lines(finding: &Finding, repair: &Repair) -> String {
    let mut html = String::new();
    if let Some(checked) = checked(repair) {
        let _ = write!(
            html,
            "<p class=\"rechecked\">checked: {}</p>",
            text(&checked)
        );
    }
    let blocks: String = repair
        .blocks
        .iter()
        .map(|block| excerpt(finding, block, "one step"))
        .collect();
    let others: String = Span::merged(&repair.interfering)
        .iter()
        .map(|other| excerpt(finding, other, "gets in between"))
        .collect();
    let _ = write!(
        html,
        "<details><summary>show the lines</summary>{blocks}{others}</details>"
    );
    html
}

/// The regression test as source code.
pub(super) fn test_source(finding: &Finding) -> Option<String> {
    let test = finding.minimal_test.as_ref()?;
    let source = test.source.as_ref()?;
    let lines: Vec<String> = source.lines().map(code).collect();
    Some(format!(
        "<p class=\"about\">{}. <button class=\"tool\" data-copy-from=\"test-source\">copy</button></p><pre id=\"test-source\">{}</pre>",
        text(&test.promise()),
        lines.join("\n")
    ))
}
