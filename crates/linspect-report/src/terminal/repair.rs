//! What to make atomic, as snippets of the source.

use super::page::{Page, Role, Run};
use crate::finding::{Finding, Repair, Repairs, Span};
use crate::text::shown;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// Only so many repairs are printed; the first is the best.
const SHOWN_REPAIRS: usize = 2;

/// The repairs, best first.
pub(super) fn repairs(page: &mut Page, finding: &Finding, repairs: &Repairs) {
    for (i, repair) in repairs.found.iter().take(SHOWN_REPAIRS).enumerate() {
        page.blank();
        let note = format!(
            " ({} of {}; {})",
            i + 1,
            repairs.found.len(),
            rechecked(repair)
        );
        page.prose(
            2,
            4,
            &[
                Run::new(Role::Heading, "make atomic"),
                Run::new(Role::Muted, note),
            ],
        );
        one(page, finding, repair);
    }
    if let Some(note) = &repairs.note {
        page.blank();
        page.prose(2, 4, &[Run::new(Role::Plain, note)]);
    }
}

/// What was run with a repair in place, with all numbers.
pub(crate) fn rechecked(repair: &Repair) -> String {
    let mut parts: Vec<String> = repair.note.iter().cloned().collect();
    if let Some(recheck) = &repair.recheck {
        let clients = match recheck.clients {
            1 => "this client".to_string(),
            2 => "this and 1 larger client".to_string(),
            several => format!("this and {} larger clients", several.saturating_sub(1)),
        };
        let extent = match recheck.exhausted {
            true => "exhausted clean",
            false => "clean as far as explored",
        };
        parts.push(format!(
            "{clients} {extent}, {} executions",
            recheck.executions
        ));
        parts.push(format!(
            "{} of {} correct classes disabled",
            recheck.disabled, recheck.good
        ));
    }
    if let Some(v) = repair.validation.as_ref().filter(|v| v.clients > 0) {
        let mut clean = format!(
            "{} others of up to {} operations clean, {} of them exhausted, {} executions",
            v.clients, v.operations, v.exhausted, v.executions
        );
        if v.serial > 0 {
            clean += &format!(", {} wrong even serially", v.serial);
        }
        if v.fails {
            clean += ", but one still fails";
        }
        parts.push(clean);
    }
    parts.join("; ")
}

fn one(page: &mut Page, finding: &Finding, repair: &Repair) {
    for block in &repair.blocks {
        snippet(page, finding, block, AnnotationKind::Primary, "one step");
    }
    for other in &Span::merged(&repair.interfering) {
        snippet(page, finding, other, AnnotationKind::Context, "interferes");
    }
    if let Some(hint) = &repair.hint {
        page.prose(
            4,
            6,
            &[Run::new(Role::Good, "hint: "), Run::new(Role::Plain, hint)],
        );
    }
}

/// The lines of `span` with a label, or only where they stand if the source was not kept.
fn snippet(page: &mut Page, finding: &Finding, span: &Span, kind: AnnotationKind, label: &str) {
    let place = format!("{span} in {}", span.function);
    let room = page.width() - 24;
    let Some(lines) = finding
        .source(&span.file)
        .and_then(|text| Lines::of(text, span, room))
    else {
        page.prose(4, 6, &[Run::new(Role::Plain, format!("{label}: {place}"))]);
        return;
    };
    page.prose(4, 6, &[Run::new(Role::Muted, place)]);
    let report = &[Group::with_level(Level::NOTE).element(
        Snippet::source(lines.text.as_str())
            .line_start(span.line as usize)
            .fold(false)
            .annotation(kind.span(lines.marked.clone()).label(label)),
    )];
    let renderer = if page.has_color() {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.decor_style(DecorStyle::Unicode);
    // The first line is the frame's top, which would name the file.
    let drawn = renderer.render(report);
    page.drawn(4, drawn.split_once('\n').map_or("", |(_, rest)| rest));
}

/// The lines of a span without their common indentation, made harmless, and which bytes of them to mark.
struct Lines {
    text: String,
    marked: std::ops::Range<usize>,
}

impl Lines {
    fn of(source: &str, span: &Span, width: usize) -> Option<Self> {
        let first = (span.line as usize).checked_sub(1)?;
        let last = span.last_line.max(span.line) as usize;
        let lines: Vec<String> = source
            .lines()
            .skip(first)
            .take(last - first)
            .map(|line| line.replace('\t', "    "))
            .collect();
        let indent = |line: &String| line.len() - line.trim_start_matches(' ').len();
        let filled = lines.iter().filter(|line| !line.trim().is_empty());
        let common = filled.map(indent).min()?;
        let lines: Vec<_> = lines
            .iter()
            .map(|line| shown(line.get(common..).unwrap_or(""), width))
            .collect();
        let text = lines.join("\n");
        let start = text.len() - text.trim_start().len();
        let end = text.trim_end().len();
        Some(Self {
            text,
            marked: start..end,
        })
    }
}
