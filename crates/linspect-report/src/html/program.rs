//! What a finding about a program adds to the page: the run, the decisions, the source, the test, the repairs.

use crate::finding::{
    DataRace, Finding, Interleaving, MinimalTest, Race, Repair, Side, SourceFile, Span, Step,
};
use crate::markup::{escape, text};
use crate::terminal::{circled, count, rechecked};
use crate::text::is_dangerous;
use std::fmt::Write;

/// A further view beside the history.
pub(super) struct View {
    /// The id of its element.
    pub(super) id: &'static str,
    /// What its tab says.
    pub(super) name: &'static str,
    /// Its content.
    pub(super) html: String,
}

/// The views that this finding has data for, in the order of reading.
pub(super) fn views(finding: &Finding) -> Vec<View> {
    let mut views = Vec::new();
    if let Some(run) = &finding.interleaving {
        views.push(View {
            id: "run",
            name: "Accesses",
            html: interleaving(finding, run),
        });
    }
    if let Some(why) = &finding.explanation {
        views.push(View {
            id: "why",
            name: "Why",
            html: super::explanation::view(finding, why),
        });
    }
    if let Some(races) = finding.races.as_ref().filter(|races| !races.is_empty()) {
        views.push(View {
            id: "decisions",
            name: "Decisions",
            html: decisions(finding, races),
        });
    }
    if !finding.data_races.is_empty() {
        views.push(View {
            id: "data-races",
            name: "Data races",
            html: data_races(&finding.data_races),
        });
    }
    if let Some(sources) = finding.sources.as_ref().filter(|files| !files.is_empty()) {
        views.push(View {
            id: "source",
            name: "Source",
            html: source(finding, sources),
        });
    }
    views
}

/// Accesses that nothing orders.
fn data_races(races: &[DataRace]) -> String {
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
            text(&race.variable),
            text(&race.unordered),
            text(&race.replay.command)
        );
    }
    format!(
        "<p class=\"about\">One of the two writes, one is not atomic, and nothing orders them: what is read can be anything.</p>\n{html}"
    )
}

/// Threads as columns, accesses with values, what holds in between.
fn interleaving(finding: &Finding, run: &Interleaving) -> String {
    let threads = run.running();
    let kept = run.steps.iter().filter(|step| step.matters).count();
    // Where nobody could say what matters, everything is shown.
    let (slice, slice_pressed) = if kept == 0 {
        ("", "false")
    } else {
        (" slice", "true")
    };
    let hide_slice = if kept == 0 { " hidden" } else { "" };
    let mut head = String::new();
    for &thread in &threads {
        let _ = write!(
            head,
            "<th scope=\"col\">{}</th>",
            text(&finding.client(thread))
        );
    }
    let mut rows = String::new();
    for (at, step) in run.steps.iter().enumerate() {
        rows.push_str(&row(finding, at, step, &threads));
    }
    let contrast = run.contrast.as_ref().map_or(String::new(), |contrast| {
        format!(
            "<p class=\"contrast\"><b>The one different choice that saves it:</b> {}</p>",
            text(contrast)
        )
    });
    let object = if run.steps.iter().any(|step| step.state.is_some()) {
        "<h2>Object</h2><p id=\"object\"></p>"
    } else {
        ""
    };
    format!(
        r#"<div class="bar"><span class="choice"{hide_slice} role="group" aria-label="Steps shown"><button id="run-slice" aria-pressed="{slice_pressed}">What matters <b>{kept}</b></button><button id="run-all" aria-pressed="false">All steps <b>{all}</b></button></span><span class="grow"></span>
<span class="steps"><button class="tool" id="run-back" aria-label="Step back" title="←">◀</button><output id="run-step" aria-live="polite"></output><button class="tool" id="run-on" aria-label="Step on" title="→">▶</button></span></div>
<div class="walk"><div class="run-frame"><table class="run{slice}" id="run-table"><thead><tr><th></th>{head}<th class="rail"></th></tr></thead><tbody>
{rows}</tbody></table><svg id="edges" aria-hidden="true"></svg></div>
<aside class="memory">{object}<h2>Memory <small id="memory-at"></small></h2><dl id="memory"></dl></aside></div>
{contrast}"#,
        all = run.steps.len(),
    )
}

fn row(finding: &Finding, at: usize, step: &Step, threads: &[u32]) -> String {
    let race = finding
        .races
        .iter()
        .flatten()
        .position(|race| race.step as usize == at);
    let mark = race.map_or(String::new(), |n| {
        format!(
            "<span class=\"race\" title=\"decisive\">{}</span>",
            circled(n)
        )
    });
    let class = if step.matters { "" } else { " class=\"idle\"" };
    let place = step.span.as_ref().map_or(String::new(), |span| {
        format!("<span class=\"place\">{}</span> ", text(&span.to_string()))
    });
    let best = finding.repairs.iter().find_map(|r| r.found.first());
    let block = best.zip(step.span.as_ref()).is_some_and(|(repair, span)| {
        let covers = |b: &Span| b.file == span.file && (b.line..=b.last_line).contains(&span.line);
        repair.blocks.iter().any(covers)
    });
    let boxed = if block {
        " atomic\" title=\"would be one step with its neighbours"
    } else {
        ""
    };
    let mut cells = String::new();
    for &thread in threads {
        if thread == step.thread {
            let (source, effect) = (step.source.as_deref().unwrap_or(""), step.effect());
            let _ = write!(
                cells,
                "<td class=\"does{boxed}\">{place}<code>{}</code> <code class=\"effect\">{}</code></td>",
                text(source),
                text(&effect)
            );
        } else {
            cells.push_str("<td></td>");
        }
    }
    let mut rows = format!(
        "<tr data-run=\"{at}\"{class} tabindex=\"-1\"><td class=\"n\">{mark}</td>{cells}<td class=\"rail\"></td></tr>\n"
    );
    if let Some(invariant) = &step.invariant {
        let _ = writeln!(
            rows,
            "<tr class=\"holds\"><td></td><td colspan=\"{}\">{}</td><td class=\"rail\"></td></tr>",
            threads.len(),
            text(invariant)
        );
    }
    rows
}

/// The tree of interleavings, collapsed to the decisive nodes of the failing run.
fn decisions(finding: &Finding, races: &[Race]) -> String {
    let mut nodes = String::new();
    for (n, race) in races.iter().enumerate() {
        let _ = write!(
            nodes,
            "<li><div class=\"node\" data-go=\"{}\">{}</div><div class=\"sides\">",
            race.step,
            circled(n)
        );
        let (taken, others): (Vec<&Side>, Vec<&Side>) =
            race.sides.iter().partition(|side| side.taken);
        for side in taken.into_iter().chain(others) {
            nodes.push_str(&competitor(finding, side));
        }
        nodes.push_str("</div></li>\n");
    }
    format!(
        "<p class=\"about\">Each of these races could still have saved the run; the last one doomed it.</p>\n<ol class=\"tree\">\n{nodes}<li class=\"end\"><div class=\"node\">✗</div><div class=\"sides\"><p>The run fails.</p></div></li>\n</ol>"
    )
}

fn competitor(finding: &Finding, side: &Side) -> String {
    let fate = match (side.good, side.bad) {
        (_, 0) => "good",
        (0, _) => "bad",
        _ => "open",
    };
    let all = (side.good as f64 + side.bad as f64).max(1.0);
    // Rounded up to tenths, so that a single failing continuation among many is still visible.
    let share = (side.bad as f64 / all * 10.0).ceil() * 10.0;
    let (taken, when) = if side.taken {
        (" taken", "went first")
    } else {
        ("", "if it goes first")
    };
    let place = side.span.as_ref().map_or(String::new(), |span| {
        format!(" <span class=\"place\">{}</span>", text(&span.to_string()))
    });
    format!(
        "<div class=\"side {fate}{taken}\"><p><b>{}</b>{place} <code>{}</code></p><p class=\"fate\">{when}: {}</p><svg class=\"share\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"well\" width=\"100\" height=\"4\"/><rect class=\"badly\" width=\"{share:.0}\" height=\"4\"/></svg></div>",
        text(&finding.client(side.thread)),
        text(&side.text),
        side.promise()
    )
}

/// The source files, with the lines that races and repairs speak of.
fn source(finding: &Finding, sources: &[SourceFile]) -> String {
    let mut files = String::new();
    for (n, file) in sources.iter().enumerate() {
        let _ = write!(
            files,
            "<h3>{}</h3><div class=\"code\" data-file=\"{n}\" tabindex=\"0\">",
            text(&file.path)
        );
        for (number, line) in (1..).zip(file.text.lines()) {
            let marks = marks(finding, &file.path, number);
            let _ = write!(
                files,
                "<div class=\"line{}\" data-at=\"{n}:{number}\"><span class=\"n\">{number}</span><span class=\"race\">{}</span><code>{}</code></div>",
                marks.class,
                marks.races,
                code(line)
            );
        }
        files.push_str("</div>\n");
    }
    files
}

/// A line of source: tabs stay, everything else that is dangerous becomes visible.
fn code(line: &str) -> String {
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

struct Marks {
    class: &'static str,
    races: String,
}

fn marks(finding: &Finding, path: &str, line: u32) -> Marks {
    let covers = |span: &Span| span.file == path && (span.line..=span.last_line).contains(&line);
    let races = finding.races.iter().flatten().enumerate();
    let decides = races.filter(|(_, race)| {
        race.sides
            .iter()
            .any(|side| side.span.as_ref().is_some_and(covers))
    });
    let best = finding
        .repairs
        .as_ref()
        .and_then(|repairs| repairs.found.first());
    let class = match best {
        Some(repair) if repair.blocks.iter().any(covers) => " atomic",
        Some(repair) if repair.interfering.iter().any(covers) => " interferes",
        _ => "",
    };
    Marks {
        class,
        races: decides.map(|(n, _)| circled(n)).collect(),
    }
}

/// The smallest test, one column per thread, with the results of its failing run.
pub(super) fn minimal_test(finding: &Finding, test: &MinimalTest) -> String {
    let call = |&id: &u32| {
        let Some(op) = finding.history.get(id) else {
            return String::new();
        };
        let refused = finding.evidence().is_some_and(|e| e.refused == id);
        let (class, mark) = if refused {
            (" refused", " ✗")
        } else {
            ("", "")
        };
        format!(
            "<button class=\"op{class}\" data-op=\"{id}\">{}{mark}</button>",
            text(&op.to_string())
        )
    };
    let alone = |when: &str, calls: &[u32]| match calls {
        [] => String::new(),
        calls => {
            let calls: Vec<String> = calls.iter().map(call).collect();
            format!(
                "<p><span class=\"when\">{when}</span> {}</p>",
                calls.join(" ")
            )
        }
    };
    let mut columns = String::new();
    for (thread, calls) in (0..).zip(&test.threads) {
        let calls: Vec<String> = calls.iter().map(call).collect();
        let _ = write!(
            columns,
            "<div><span class=\"when\">{}</span>{}</div>",
            text(&finding.client(thread)),
            calls.join("")
        );
    }
    let sure = test.promise();
    let source = test.source.as_ref().map_or(String::new(), |source| {
        let lines: Vec<String> = source.lines().map(code).collect();
        format!(
            "<details><summary>As source</summary><pre>{}</pre></details>",
            lines.join("\n")
        )
    });
    format!(
        "<section class=\"card\" aria-label=\"Smallest test\"><h2>Smallest test <small>{sure}</small></h2><div class=\"test\">{}<div class=\"threads\">{columns}</div>{}</div>{source}</section>\n",
        alone("before", &test.before),
        alone("after", &test.after),
    )
}

/// What to make atomic, best first.
pub(super) fn repairs(finding: &Finding) -> String {
    let Some(repairs) = &finding.repairs else {
        return String::new();
    };
    let mut items = String::new();
    for (i, repair) in repairs.found.iter().enumerate() {
        let content = repair_item(finding, repair);
        let places: Vec<String> = repair.blocks.iter().map(ToString::to_string).collect();
        // The best one is open; the others say where they are.
        let _ = match i {
            0 => writeln!(items, "<li>{content}</li>"),
            _ => writeln!(
                items,
                "<li><details><summary>or {}</summary>{content}</details></li>",
                text(&places.join(" and "))
            ),
        };
    }
    let note = repairs
        .note
        .as_ref()
        .map_or(String::new(), |note| format!("<p>{}</p>", text(note)));
    let found = match repairs.found.len() {
        0 => String::new(),
        n => format!(" <small>{}</small>", count(n as u64, "repair")),
    };
    format!(
        "<section class=\"card\" aria-label=\"Repairs\"><h2>Make atomic{found}</h2><ol class=\"repairs\">{items}</ol>{note}</section>\n"
    )
}

fn repair_item(finding: &Finding, repair: &Repair) -> String {
    let mut blocks = String::new();
    for block in &repair.blocks {
        blocks.push_str(&excerpt(finding, block, "one step"));
    }
    for other in &Span::merged(&repair.interfering) {
        blocks.push_str(&excerpt(finding, other, "interferes"));
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
fn excerpt(finding: &Finding, span: &Span, label: &str) -> String {
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

/// The command that shows it again.
pub(super) fn replay(finding: &Finding) -> String {
    finding.replay.as_ref().map_or(String::new(), |replay| {
        format!(
            "<p class=\"replay\">replay: <code>{}</code></p>",
            text(&replay.command)
        )
    })
}
