//! The history: its drawing, the argument why no order of its calls works, and the order that gets furthest.

use super::data::{keys, walked};
use crate::finding::{Evidence, Finding, Operation};
use crate::markup::text;
use crate::mention::pieces;
use crate::terminal::{count, grouped};
use std::fmt::Write;

/// The frame of the drawing and its controls.
pub(super) fn drawing(finding: &Finding) -> String {
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
    let minimal = match finding.evidence().filter(|e| e.core_is_minimal) {
        Some(evidence) if evidence.core.len() == 1 => {
            "<span>the failing part is wrong by itself</span>"
        }
        Some(_) => {
            "<span>without any one operation of the failing part, its others would pass</span>"
        }
        None => "",
    };
    format!(
        r#"<div id="history">
<div class="bar">
<span class="choice"{hide_choice} role="group" aria-label="Operations shown"><button id="show-part" title="f">Failing part <b>{part}</b></button><button id="show-whole" title="f">{whole}</button></span>
<span class="choice" role="group" aria-label="Horizontal scale"><button id="by-order" title="t">Order</button><button id="by-time" title="t">Real time</button></span>{filter}
<span class="grow"></span>
<span class="steps"{hide_steps}><button class="tool" id="step-back" title="←" aria-label="Step back">◀</button><output id="step" aria-live="polite"></output><button class="tool" id="step-on" title="→" aria-label="Step on">▶</button></span>
<span><button class="tool" id="zoom-out" title="−" aria-label="Zoom out">−</button> <button class="tool" id="zoom-in" title="+" aria-label="Zoom in">+</button> <button class="tool" id="zoom-fit" title="0">Fit</button></span>
</div>
<div id="timeline">
<svg id="map" aria-hidden="true" hidden></svg>
<div id="scroller"><svg id="rows" tabindex="0" role="listbox" aria-label="Operations; arrow keys up and down walk through them, left and right step through the order of effects"></svg></div>
<svg id="axis" aria-hidden="true" hidden></svg>
<svg id="states"{hide_steps} role="img" aria-label="State of the specification along the order of effects"></svg>
</div>
<div class="key"><span{hide_steps}><i class="dot"></i>takes effect here, in this order</span><span{hide_part}><i class="arrow">→</i>returned before the other was called</span><span{hide_part}><i class="red"></i>impossible</span>{pending}{disturbed}{minimal}</div>
</div>
"#,
        filter = filter(finding),
        disturbed = match &finding.history.recording {
            Some(recording) if !recording.disturbances.is_empty() =>
                "<span><i class=\"band\"></i>done to the system</span>",
            _ => "",
        },
        pending = if finding.history.pending > 0 {
            "<span><i class=\"dash\"></i>never returned</span>"
        } else {
            ""
        },
    )
}

/// What is said beside the drawing: the argument, the order of effects, the operation that is pointed at.
pub(super) fn panels(finding: &Finding) -> String {
    format!(
        "<div class=\"panels\">\n{}{}<section class=\"panel\" id=\"details\" aria-label=\"Details\"><h2>Details</h2><dl></dl></section>\n</div>\n",
        because(finding),
        order(finding),
    )
}

/// Of an object whose operations each have a key, those of one key alone.
fn filter(finding: &Finding) -> String {
    let keys = keys(finding);
    if keys.names.len() < 2 {
        return String::new();
    }
    let options: String = keys
        .names
        .iter()
        .take(KEYS_OFFERED)
        .map(|key| format!("<option value=\"{}\">", text(key)))
        .collect();
    format!(
        "\n<label class=\"filter\">key <input id=\"key\" list=\"keys\" size=\"8\" placeholder=\"all\" autocomplete=\"off\" spellcheck=\"false\"><datalist id=\"keys\">{options}</datalist></label>"
    )
}

/// More keys than these are typed, not chosen.
const KEYS_OFFERED: usize = 1_000;

/// The argument, each line linked to its operations.
fn because(finding: &Finding) -> String {
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
        "<section class=\"panel\" aria-label=\"Because\"><h2>Because</h2><ol class=\"because\">\n{lines}</ol></section>\n"
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
fn order(finding: &Finding) -> String {
    let Some(order) = finding.order() else {
        return String::new();
    };
    if finding.evidence().is_some_and(|e| !e.shows_order()) {
        return String::new();
    }
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
        "<section class=\"panel\" aria-label=\"Order of effects\"><h2>{heading} <small>{note}</small></h2><ol class=\"order\" id=\"order\">\n{items}</ol></section>\n"
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
