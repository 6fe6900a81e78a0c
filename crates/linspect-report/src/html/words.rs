//! The words of the page, in the order of every report.

use super::data::walked;
use super::program::{View, replay, views};
use crate::finding::{Coverage, Evidence, Finding, Operation, Span, Verdict};
use crate::markup::{escape, text};
use crate::mention::pieces;
use crate::terminal::{self, Options, count, coverage, grouped};
use std::fmt::Write;

/// The verdict, what it covers, and in one sentence what is impossible.
pub(super) fn header(finding: &Finding) -> String {
    let criterion = finding.checked.criterion;
    let (mark, says) = match finding.verdict {
        Verdict::Holds { .. } => ("✓", criterion.to_string()),
        Verdict::Violated { .. } => ("✗", format!("not {criterion}")),
        Verdict::Faulty { ref fault } => ("✗", fault.kind.clone()),
        Verdict::Unknown { .. } => ("?", format!("undecided whether {criterion}")),
    };
    let mut rest = says.chars();
    let first: String = rest
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let says = text(&(first + rest.as_str()));
    let decider = finding.evidence().map_or(String::new(), |evidence| {
        format!(" · decided by {}", text(&evidence.decider))
    });
    format!(
        r#"<header class="verdict">
<div class="mark" aria-hidden="true">{mark}</div>
<div><h1>{says} <span class="spec">{spec}</span></h1>
<p class="coverage"><b>{source}</b> · {coverage}{decider}{limits}</p>{replay}</div>
<div class="tools"><button class="tool" id="theme" title="light or dark (d)" aria-label="Switch between light and dark">◐</button></div>
{conclusion}</header>
"#,
        spec = text(&finding.checked.spec),
        source = text(&finding.checked.source),
        coverage = text(&coverage(finding)),
        limits = limits(finding),
        replay = replay(finding),
        conclusion = conclusion(finding),
    )
}

fn limits(finding: &Finding) -> String {
    match (&finding.verdict, &finding.coverage) {
        (Verdict::Holds { .. }, Coverage::Recorded) => {
            " · covers this one recorded history, not other runs of the same system".into()
        }
        (Verdict::Unknown { reason }, _) => {
            format!(" · {}: neither a violation nor a proof", text(reason))
        }
        _ => String::new(),
    }
}

fn conclusion(finding: &Finding) -> String {
    if let Verdict::Faulty { fault } = &finding.verdict {
        let place = |span: &Option<Span>, word: &str| {
            span.as_ref().map_or(String::new(), |span| {
                format!(" {word} {}", text(&format!("{span} in {}", span.function)))
            })
        };
        return format!(
            "<p class=\"conclusion\"><code class=\"impossible\">{}</code>{}{}</p>\n",
            text(&fault.message),
            place(&fault.span, "at"),
            place(&fault.related, "· see also")
        );
    }
    let Some(evidence) = finding.evidence() else {
        return String::new();
    };
    let Some(refused) = finding.history.get(evidence.refused) else {
        return String::new();
    };
    let results = evidence.instead.iter().flatten().take(6).map(|result| {
        format!(
            "<code class=\"allowed\">→&nbsp;{}</code>",
            text(&result.to_string())
        )
    });
    let results: Vec<String> = results.collect();
    let instead = match (&evidence.instead, results.as_slice()) {
        (None, _) => String::new(),
        (_, []) => ": no result was allowed".into(),
        (_, [one]) => format!(": only {one} was allowed"),
        (_, several) => format!(": allowed were {}", several.join(" or ")),
    };
    let headline = evidence.headline.as_ref().map_or(String::new(), |said| {
        format!("<p class=\"conclusion\">{}</p>\n", text(&said.text))
    });
    let part = evidence.part.as_ref().map_or(String::new(), |part| {
        format!(" (in <code>{}</code>)", text(&part.to_string()))
    });
    format!(
        r#"{headline}<p class="conclusion"><button class="op impossible" data-op="{id}">{op}</button> by {client}{part} is impossible{instead}.</p>
"#,
        id = refused.id,
        op = text(&refused.to_string()),
        client = text(&finding.client(refused.process)),
    )
}

/// The frame of the drawing and its controls.
pub(super) fn history(finding: &Finding) -> String {
    let kept = finding.history.operations.len() as u64;
    let part = finding.evidence().map_or(0, |evidence| evidence.core.len());
    let hide_part = if part == 0 { " hidden" } else { "" };
    let hide_choice = match part as u64 {
        0 => " hidden",
        part if part == kept => " hidden",
        _ => "",
    };
    let hide_steps = match finding.order() {
        Some(order) if !order.steps.is_empty() => "",
        _ => " hidden",
    };
    let whole = if finding.history.is_window() {
        format!(
            "Around the failure <b>{} of {}</b>",
            grouped(kept),
            grouped(finding.history.total)
        )
    } else {
        format!("Whole history <b>{}</b>", grouped(kept))
    };
    let views = views(finding);
    let mut panels = String::new();
    for View { id, name, html } in &views {
        let _ = writeln!(
            panels,
            "<div id=\"{id}\" role=\"tabpanel\" aria-label=\"{name}\" hidden>{html}</div>"
        );
    }
    let minimal = match finding.evidence() {
        Some(evidence) if evidence.core_is_minimal => {
            "<span>without any one operation of the failing part, the rest would pass</span>"
        }
        _ => "",
    };
    format!(
        r#"<section class="card" aria-label="Views">
{tabs}<div id="history" role="tabpanel" aria-label="History">
<div class="bar">
<span class="choice"{hide_choice} role="group" aria-label="Operations shown"><button id="show-part" title="f">Failing part <b>{part}</b></button><button id="show-whole" title="f">{whole}</button></span>
<span class="choice" role="group" aria-label="Horizontal scale"><button id="by-order" title="t">Order</button><button id="by-time" title="t">Real time</button></span>
<span class="grow"></span>
<span class="steps"{hide_steps}><button class="tool" id="step-back" title="←" aria-label="Step back">◀</button><output id="step" aria-live="polite"></output><button class="tool" id="step-on" title="→" aria-label="Step on">▶</button></span>
<span><button class="tool" id="zoom-out" title="−" aria-label="Zoom out">−</button> <button class="tool" id="zoom-in" title="+" aria-label="Zoom in">+</button> <button class="tool" id="zoom-fit" title="0">Fit</button></span>
</div>
<div id="timeline">
<svg id="map" aria-hidden="true" hidden></svg>
<div id="scroller"><svg id="rows" tabindex="0" role="listbox" aria-label="Operations; arrow keys up and down walk through them, left and right step through the order of effects"></svg></div>
<svg id="states"{hide_steps} role="img" aria-label="State of the specification along the order of effects"></svg>
</div>
<div class="key"><span{hide_steps}><i class="dot"></i>takes effect here, in this order</span><span{hide_part}><i class="arrow">→</i>returned before the other was called</span><span{hide_part}><i class="red"></i>impossible</span>{pending}{minimal}</div>
</div>
{panels}</section>
"#,
        tabs = tabs(&views),
        pending = if finding.history.pending > 0 {
            "<span><i class=\"dash\"></i>never returned</span>"
        } else {
            ""
        },
    )
}

fn tabs(views: &[View]) -> String {
    if views.is_empty() {
        return String::new();
    }
    let mut tabs = String::from(
        "<button role=\"tab\" aria-selected=\"true\" aria-controls=\"history\">History</button>",
    );
    for View { id, name, .. } in views {
        let _ = write!(
            tabs,
            "<button role=\"tab\" aria-selected=\"false\" aria-controls=\"{id}\">{name}</button>"
        );
    }
    format!("<div class=\"tabs\" role=\"tablist\">{tabs}</div>\n")
}

/// The argument, each line linked to its operations.
pub(super) fn because(finding: &Finding) -> String {
    let Some(evidence) = finding.evidence().filter(|e| !e.because.is_empty()) else {
        return String::new();
    };
    let mut lines = String::new();
    for (i, line) in evidence.because.iter().enumerate() {
        let _ = write!(lines, "<li data-line=\"{i}\">");
        for piece in pieces(line, &finding.history) {
            match piece.operation {
                None => lines.push_str(&text(piece.text)),
                Some(id) => lines.push_str(&link(id, piece.text, evidence)),
            }
        }
        lines.push_str("</li>\n");
    }
    format!(
        "<section class=\"card\" aria-label=\"Because\"><h2>Because</h2><ol class=\"because\">\n{lines}</ol></section>\n"
    )
}

fn link(id: u32, words: &str, evidence: &Evidence) -> String {
    let refused = if id == evidence.refused {
        " refused"
    } else {
        ""
    };
    format!(
        "<button class=\"op{refused}\" data-op=\"{id}\">{}</button>",
        text(words)
    )
}

/// The order of effects that got furthest, or the witness.
pub(super) fn order(finding: &Finding) -> String {
    let Some(order) = finding.order() else {
        return String::new();
    };
    let (left_out, steps) = walked(order);
    let mut items = String::new();
    if left_out > 0 {
        let _ = writeln!(
            items,
            "<li class=\"left-out\">{} before these left out</li>",
            text(&count(left_out, "step"))
        );
    }
    let mut walked = 0;
    for (i, step) in steps.iter().enumerate() {
        let Some(op) = finding.history.get(step.operation) else {
            continue;
        };
        walked += 1;
        let number = left_out.saturating_add(i as u64 + 1);
        items.push_str(&item(
            walked,
            &number.to_string(),
            op,
            &text(&step.state),
            "",
        ));
    }
    let refused = finding
        .evidence()
        .and_then(|evidence| Some((evidence, finding.history.get(evidence.refused)?)));
    if let Some((evidence, op)) = refused {
        items.push_str(&item(
            walked + 1,
            "✗",
            op,
            &stuck(evidence),
            " class=\"stuck\"",
        ));
    }
    let (heading, note) = match finding.evidence() {
        Some(evidence) => (
            "Furthest order of effects",
            format!(
                "{} of {} placed, then stuck",
                grouped(order.total),
                grouped(evidence.core.len() as u64)
            ),
        ),
        None => ("An order of effects that explains it", String::new()),
    };
    format!(
        "<section class=\"card\" aria-label=\"Order of effects\"><h2>{heading} <small>{note}</small></h2><ol class=\"order\" id=\"order\">\n{items}</ol></section>\n"
    )
}

fn item(step: usize, number: &str, op: &Operation, state: &str, class: &str) -> String {
    format!(
        "<li data-step=\"{step}\"{class}><span class=\"n\">{number}</span><span class=\"op\">{}</span><span class=\"state\">{state}</span></li>\n",
        text(&op.to_string())
    )
}

/// Why the refused operation cannot be next.
fn stuck(evidence: &Evidence) -> String {
    let Some(allowed) = evidence.allowed.first() else {
        return "cannot be placed".into();
    };
    let more = match evidence.allowed.len() {
        1 => String::new(),
        n => format!(", and so in {}", count(n as u64 - 1, "other state")),
    };
    let results: Vec<String> = allowed.results.iter().map(|r| format!("→ {r}")).collect();
    let says = match results.as_slice() {
        [] => format!("not possible in {}{more}", allowed.state),
        results => format!("in {} only {}{more}", allowed.state, results.join(" or ")),
    };
    text(&says)
}

/// The same report as plain text, for those who cannot see the drawing or want to paste it.
pub(super) fn as_text(finding: &Finding) -> String {
    let options = Options {
        width: 100,
        ..Options::default()
    };
    format!(
        "<details class=\"card text\"><summary>As text</summary><pre>{}</pre></details>\n",
        escape(&terminal::render(finding, &options))
    )
}

/// Who made this, and the keys.
pub(super) fn footer(finding: &Finding) -> String {
    format!(
        "<footer><span>{} {}</span><span class=\"keys\"><kbd>←</kbd> <kbd>→</kbd> step · <kbd>j</kbd> <kbd>k</kbd> walk operations · <kbd>f</kbd> failing part or whole · <kbd>t</kbd> order or time · <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom · <kbd>[</kbd> <kbd>]</kbd> pan · <kbd>d</kbd> dark · <kbd>Esc</kbd> back to the impossible one</span></footer>\n",
        text(&finding.tool.name),
        text(&finding.tool.version)
    )
}
