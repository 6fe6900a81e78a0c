//! What stands below the view: everything else that is known, folded.

use super::{explanation, head, history, program, run};
use crate::finding::{Coverage, Finding, Verdict};
use crate::markup::{escape, text};
use crate::terminal::{self, Detail, Options, coverage, grouped};
use std::fmt::Write;

/// A section that opens.
struct Section {
    id: &'static str,
    title: &'static str,
    html: String,
    open: bool,
}

/// The folded sections, in the order of the questions that they answer.
pub(super) fn more(finding: &Finding) -> String {
    let mut sections = Vec::new();
    let mut section = |id, title, html: Option<String>| {
        sections.extend(html.map(|html| Section {
            id,
            title,
            html,
            open: false,
        }));
    };
    if run::run(finding).is_some() && finding.evidence().is_some() {
        let html = format!("{}{}", history::drawing(finding), history::panels(finding));
        section("why-order", "Why no order of the calls works", Some(html));
    }
    section("choices", "Other choices", program::decisions(finding));
    section(
        "slice",
        "Proof slice: what the failure depends on",
        finding
            .explanation
            .as_ref()
            .map(|why| explanation::view(finding, why)),
    );
    section("repairs", "Other repairs", program::other_repairs(finding));
    section(
        "data-races",
        "Data races",
        (!finding.data_races.is_empty()).then(|| program::data_races(&finding.data_races)),
    );
    section(
        "test",
        "The smallest test, as source",
        head::test_source(finding),
    );
    let covers = match finding.replay {
        Some(_) => "What was tried, and how to see it again",
        None => "What was covered",
    };
    section("coverage", covers, covered(finding));
    section("as-text", "As text", Some(as_text(finding)));
    if matches!(
        finding.verdict,
        Verdict::Holds { .. } | Verdict::Unknown { .. }
    ) {
        for section in sections
            .iter_mut()
            .filter(|section| section.id == "coverage")
        {
            section.open = true;
        }
    }
    let mut html = String::new();
    for Section {
        id,
        title,
        html: content,
        open,
    } in sections
    {
        let open = if open { " open" } else { "" };
        let _ = writeln!(
            html,
            "<details class=\"card more\" id=\"{id}\"{open}><summary>{title}</summary>\n<div class=\"inside\">{content}</div></details>"
        );
    }
    html
}

/// What the verdict covers: in words, as a table of clients, and the command that shows the run again.
fn covered(finding: &Finding) -> Option<String> {
    if finding.coverage == Coverage::Recorded {
        return None;
    }
    let mut html = format!("<p class=\"about\">{}</p>", text(&coverage(finding)));
    if !finding.clients.is_empty() {
        let mut rows = String::new();
        for size in &finding.clients {
            let all = size.clients.max(1) as f64;
            let whole = size.exhausted as f64 / all * 100.0;
            let part = size.in_part as f64 / all * 100.0;
            let _ = writeln!(
                rows,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"filled\"><svg class=\"share\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"ground\" width=\"100\" height=\"4\"/><rect class=\"whole\" width=\"{whole:.2}\" height=\"4\"/><rect class=\"partly\" x=\"{whole:.2}\" width=\"{part:.2}\" height=\"4\"/></svg></td></tr>",
                size.threads,
                size.operations,
                grouped(size.clients),
                grouped(size.exhausted),
                grouped(size.in_part),
                grouped(size.executions),
            );
        }
        let _ = write!(
            html,
            "<table class=\"sizes\"><thead><tr><th>threads</th><th>operations</th><th>clients</th><th>all schedules</th><th>in part</th><th>executions</th><th></th></tr></thead><tbody>\n{rows}</tbody></table>"
        );
        if matches!(finding.verdict, Verdict::Holds { .. }) {
            html.push_str("<p class=\"about\">Larger clients may still fail; the operations took only the arguments of the harness.</p>");
        }
    }
    if let Some(replay) = &finding.replay {
        let _ = write!(
            html,
            "<p class=\"about\">see it again: <code id=\"replay\">{}</code> <button class=\"tool\" data-copy-from=\"replay\">copy</button></p>",
            text(&replay.command)
        );
    }
    Some(html)
}

/// The same report as plain text, for those who cannot see the drawing or want to paste it.
fn as_text(finding: &Finding) -> String {
    let options = Options {
        width: 100,
        detail: Detail::Most,
        ..Options::default()
    };
    format!(
        "<p class=\"about\"><button class=\"tool\" data-copy-from=\"text\">copy</button></p><pre id=\"text\">{}</pre>",
        escape(&terminal::render(finding, &options))
    )
}

/// Who made this, and the keys.
pub(super) fn footer(finding: &Finding) -> String {
    let steps = match run::run(finding) {
        Some(_) => {
            "<kbd>←</kbd> <kbd>→</kbd> step · <kbd>n</kbd> <kbd>p</kbd> switch · <kbd>a</kbd> what matters or all · "
        }
        None => "",
    };
    // With a run, the history has them while it has the focus.
    let history = match run::run(finding).is_some() || finding.history.operations.is_empty() {
        false => {
            "<kbd>←</kbd> <kbd>→</kbd> order of effects · <kbd>j</kbd> <kbd>k</kbd> calls · <kbd>f</kbd> failing part or whole · <kbd>t</kbd> order or time · <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom · <kbd>[</kbd> <kbd>]</kbd> pan · "
        }
        true => "",
    };
    format!(
        "<footer><span>{} {}</span><span class=\"keys\">{steps}{history}<kbd>/</kbd> search · <kbd>d</kbd> dark · <kbd>Esc</kbd> back</span></footer>\n",
        text(&finding.tool.name),
        text(&finding.tool.version)
    )
}
