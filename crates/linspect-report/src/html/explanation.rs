//! Why the run fails: threads as columns, what holds between the lines, and who gets in whose way.

use crate::finding::Finding;
use crate::finding::explanation::{Dependency, Explanation, Reason, Role};
use crate::markup::text;
use crate::terminal::sentence;
use std::fmt::Write;

/// The slice as a table, its dependencies and what is left out.
pub(super) fn view(finding: &Finding, why: &Explanation) -> String {
    let mut threads: Vec<u32> = why.lines.iter().map(|l| l.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let mut head = String::new();
    for thread in &threads {
        let _ = write!(
            head,
            "<th scope=\"col\">{}</th>",
            text(&finding.client(*thread))
        );
    }
    let mut rows = String::new();
    // Lines of the harness and of libraries are not kept as source.
    for line in why.lines.iter().filter(|line| !line.text.is_empty()) {
        rows.push_str(&row(line, &threads));
    }
    let mut between = String::new();
    let between_lines = why.links.iter().filter(|l| why.is_told(l));
    for link in between_lines.filter(|l| l.kind != Dependency::Control) {
        let thread = |line: u32| why.lines.get(line as usize).map(|l| l.thread);
        if thread(link.from) != thread(link.to) {
            let _ = writeln!(between, "<li>{}</li>", text(&sentence(finding, why, link)));
        }
    }
    let mut absent = String::new();
    for line in why.absent.iter().filter(|line| !line.text.is_empty()) {
        let decided = line.decided_at.as_ref().map_or(String::new(), |at| {
            format!(", decided at {}", text(&at.to_string()))
        });
        let because: String = line
            .because
            .iter()
            .map(|b| format!("<br>because of {}", text(b)))
            .collect();
        let _ = writeln!(
            absent,
            "<li><b>{}</b> <span class=\"place\">{}</span> <code>{}</code>{decided}{because}</li>",
            text(&finding.client(line.thread)),
            text(&line.span.to_string()),
            text(&line.text)
        );
    }
    if !absent.is_empty() {
        absent = format!(
            "<p class=\"about\">Not executed, but in the nearest good run:</p><ul>{absent}</ul>"
        );
    }
    format!(
        "<p class=\"about\">The lines that the failure depends on, and what holds between them ({}: {}). {}.</p>\n<table class=\"slice\"><thead><tr><th></th>{head}</tr></thead><tbody>\n{rows}</tbody></table>\n<ul>{between}</ul>{absent}",
        text(&why.level),
        why.level_in_words(),
        why.left_out(),
    )
}

fn row(line: &Reason, threads: &[u32]) -> String {
    let mark = if line.switch {
        "<span class=\"race\" title=\"this switch matters\">⇄</span>"
    } else {
        ""
    };
    let reason = match line.role {
        Role::Value => "its value matters",
        Role::Guard => "which way it decides matters",
        Role::Hazard => "only when it happens matters",
    };
    let mut cells = String::new();
    for thread in threads {
        if *thread == line.thread {
            let _ = write!(
                cells,
                "<td class=\"does\" title=\"{reason}\"><span class=\"place\">{}</span> <code>{}</code> <code class=\"effect\">{}</code></td>",
                text(&line.span.to_string()),
                text(&line.text),
                text(line.deed.as_deref().unwrap_or(""))
            );
        } else {
            cells.push_str("<td></td>");
        }
    }
    let mut rows = format!("<tr><td class=\"n\">{mark}</td>{cells}</tr>\n");
    if !line.invariant.is_empty() {
        let _ = writeln!(
            rows,
            "<tr class=\"holds\"><td></td><td colspan=\"{}\">{}</td></tr>",
            threads.len(),
            text(&line.invariant.join(" ∧ "))
        );
    }
    rows
}
