//! What a finding about a program adds below its run: the choices, the repairs, the data races.

use crate::finding::{DataRace, Finding, Race, Repair, Side, Span};
use crate::markup::{escape, text};
use crate::terminal::rechecked;
use crate::text::is_dangerous;
use std::fmt::Write;

/// Accesses that nothing orders.
pub(super) fn data_races(races: &[DataRace]) -> String {
    let mut html = String::new();
    for race in races {
        let mut accesses = String::new();
        for access in &race.accesses {
            let place = access.span.as_ref().map_or(String::new(), |span| {
                format!("<span class=\"place\">{}</span> ", text(&span.to_string()))
            });
            let _ = write!(
                accesses,
                "<li><b>{}</b> {place}{}</li>",
                text(&access.thread),
                text(&access.does)
            );
        }
        let _ = write!(
            html,
            "<section><h2>{}</h2>\n<ul>{accesses}</ul>\n<p>{}</p>\n<p><code>{}</code></p></section>\n",
            text(&race.title()),
            text(&race.unordered),
            text(&race.replay.command)
        );
    }
    let about = match races.iter().all(|race| race.hand_over) {
        true => {
            "Whoever takes a value out must come after whoever added it, or what was written for it is not there."
        }
        false => {
            "One of the two writes, one is not atomic, and nothing orders them: what is read can be anything."
        }
    };
    format!("<p class=\"about\">{about}</p>\n{html}")
}

/// The tree of interleavings, collapsed to the decisive nodes of the failing run.
pub(super) fn decisions(finding: &Finding) -> Option<String> {
    let races: &[Race] = finding.races.as_deref().unwrap_or_default();
    let run = finding.interleaving.as_ref();
    let contrast = run.and_then(|run| run.contrast.as_ref()).map(|contrast| {
        format!(
            "<p class=\"about\"><b>The one different choice that saves it:</b> {}</p>",
            text(contrast)
        )
    });
    if races.is_empty() {
        return contrast;
    }
    let mut nodes = String::new();
    for (n, race) in races.iter().enumerate() {
        let _ = write!(
            nodes,
            "<li><button class=\"node\" data-go=\"{}\" title=\"go to this step\">{}</button><div class=\"sides\">",
            race.step,
            n + 1
        );
        let (taken, others): (Vec<&Side>, Vec<&Side>) =
            race.sides.iter().partition(|side| side.taken);
        for side in taken.into_iter().chain(others) {
            nodes.push_str(&competitor(finding, side));
        }
        nodes.push_str("</div></li>\n");
    }
    let contrast = contrast.unwrap_or_default();
    Some(format!(
        "{contrast}<p class=\"about\">Each of these races could still have saved the run; the last one doomed it.</p>\n<ol class=\"tree\">\n{nodes}<li class=\"end\"><div class=\"node\">✗</div><div class=\"sides\"><p>The run fails.</p></div></li>\n</ol>"
    ))
}

fn competitor(finding: &Finding, side: &Side) -> String {
    let fate = match (side.good, side.bad) {
        _ if side.partly => "open",
        (_, 0) => "good",
        (0, _) => "bad",
        _ => "open",
    };
    let all = (side.good as f64 + side.bad as f64).max(1.0);
    let share = side.bad as f64 / all * 100.0;
    let (taken, when) = if side.taken {
        (" taken", "went first")
    } else {
        ("", "if it goes first")
    };
    let place = side.span.as_ref().map_or(String::new(), |span| {
        format!(" <span class=\"place\">{}</span>", text(&span.to_string()))
    });
    format!(
        "<div class=\"side {fate}{taken}\"><p><b>{}</b>{place} <code>{}</code></p><p class=\"fate\">{when}: {}</p><svg class=\"share\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"well\" width=\"100\" height=\"4\"/><rect class=\"badly\" width=\"{share:.2}\" height=\"4\"/></svg></div>",
        text(&finding.client(side.thread)),
        text(&side.text),
        side.promise()
    )
}

/// A line of source: tabs stay, everything else that is dangerous becomes visible.
pub(super) fn code(line: &str) -> String {
    let mut out = String::new();
    for c in line.chars() {
        if is_dangerous(c) && c != '\t' {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    escape(&out)
}

/// How the best repair marks a line of source.
pub(super) fn marks(finding: &Finding, path: &str, line: u32) -> &'static str {
    let covers = |span: &Span| {
        span.file == path && (span.line..=span.last_line.max(span.line)).contains(&line)
    };
    let best = finding.repairs.iter().find_map(|r| r.found.first());
    match best {
        Some(repair) if repair.blocks.iter().any(covers) => " atomic",
        Some(repair) if repair.interfering.iter().any(covers) => " interferes",
        _ => "",
    }
}

/// What else could be made atomic instead of what the head of the page says.
pub(super) fn other_repairs(finding: &Finding) -> Option<String> {
    let repairs = finding.repairs.as_ref()?;
    let mut items = String::new();
    for repair in repairs.found.iter().skip(1) {
        let _ = writeln!(items, "<li>{}</li>", repair_item(finding, repair));
    }
    if items.is_empty() {
        return None;
    }
    let note = repairs.note.as_ref().map_or(String::new(), |note| {
        format!("<p class=\"about\">{}</p>", text(note))
    });
    Some(format!("<ol class=\"repairs\">{items}</ol>{note}"))
}

fn repair_item(finding: &Finding, repair: &Repair) -> String {
    let mut blocks = String::new();
    for block in &repair.blocks {
        blocks.push_str(&excerpt(finding, block, "one step"));
    }
    for other in &Span::merged(&repair.interfering) {
        blocks.push_str(&excerpt(finding, other, "gets in between"));
    }
    let hint = repair.hint.as_ref().map_or(String::new(), |hint| {
        format!("<p class=\"hint\">{}</p>", text(hint))
    });
    format!(
        "{blocks}{hint}<p class=\"rechecked\">✓ {}</p>",
        text(&rechecked(repair))
    )
}

/// The lines of a span, or where they stand if the source was not kept.
pub(super) fn excerpt(finding: &Finding, span: &Span, label: &str) -> String {
    let place = format!("{span} in {}", span.function);
    let class = if label == "one step" {
        "atomic"
    } else {
        "interferes"
    };
    let lines = finding.source(&span.file).map_or(String::new(), |source| {
        let first = span.line.max(1) as usize - 1;
        let many = (span.last_line.max(span.line) - span.line) as usize + 1;
        let lines: Vec<&str> = source.lines().skip(first).take(many).collect();
        let indent = |line: &&str| line.len() - line.trim_start().len();
        let filled = lines.iter().filter(|line| !line.trim().is_empty());
        let common = filled.map(indent).min().unwrap_or(0);
        let lines: Vec<String> = lines
            .iter()
            .map(|line| code(line.get(common..).unwrap_or("")))
            .collect();
        format!("<pre class=\"excerpt {class}\">{}</pre>", lines.join("\n"))
    });
    format!(
        "<p class=\"where\">{} <b class=\"{class}\">{label}</b></p>{lines}",
        text(&place)
    )
}
