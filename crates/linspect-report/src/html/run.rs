//! The failing run as one view: lanes, source, steps and memory, all at the same step.

use super::program::{code, marks};
use crate::finding::{Finding, Interleaving, SourceFile, Span, Verdict};
use crate::markup::text;
use crate::names;
use crate::story::{Visit, fails_after, goes_on, visits};
use std::fmt::Write;

/// The run, if there is one to step through.
pub(super) fn run(finding: &Finding) -> Option<&Interleaving> {
    let run = finding.interleaving.as_ref()?;
    (!run.steps.is_empty()).then_some(run)
}

/// The whole view.
pub(super) fn stage(finding: &Finding, run: &Interleaving) -> String {
    let visits = visits(finding, run);
    let told = visits.iter().filter(|visit| visit.told).count();
    let hide_choice = if told == visits.len() { " hidden" } else { "" };
    let sources = finding.sources.as_deref().unwrap_or(&[]);
    let no_source = if sources.is_empty() { " no-source" } else { "" };
    let object = match run.steps.iter().any(|step| step.state.is_some()) {
        true => "<h3>object</h3><p class=\"state\" id=\"object\"></p>",
        false => "",
    };
    let model = match finding.order().is_some_and(|order| !order.steps.is_empty()) {
        true => "<h3>model</h3><p class=\"state\" id=\"model\"></p>",
        false => "",
    };
    format!(
        r#"<section class="card stage" aria-label="The failing run">
<div class="bar"><span class="steps"><button class="tool" id="switch-back" aria-label="Back to the switch before" title="p">◀ switch</button><button class="tool" id="run-back" aria-label="Step back" title="←">◀</button><output id="run-step" aria-live="polite"></output><button class="tool" id="run-on" aria-label="Step on" title="→">▶</button><button class="tool" id="switch-on" aria-label="On to the next switch" title="n">switch ▶</button></span><span class="grow"></span>
<span class="choice"{hide_choice} role="group" aria-label="Steps shown"><button id="run-told" title="a">What matters <b>{told}</b></button><button id="run-all" title="a">All <b>{all}</b></button></span></div>
<div id="lanes" tabindex="0" role="slider" aria-label="Step of the run" aria-valuemin="1" aria-valuemax="{last}" aria-valuenow="1"></div>
<div class="columns{no_source}">
<section class="column" id="source" aria-label="Source">{source}</section>
<section class="column" aria-label="What happens"><h2>What happens</h2><ol id="walk" class="told">
{rows}</ol></section>
<section class="column" aria-label="Memory"><h2>Memory <small>after this step</small></h2>{object}{model}<div id="memory"></div></section>
</div>
</section>
"#,
        all = visits.len(),
        last = run.steps.len(),
        source = source(finding, run, sources, &visits),
        rows = rows(finding, run, &visits),
    )
}

/// The class of a thread's colour.
fn colour(run: &Interleaving, thread: u32) -> String {
    let before = run.running().partition_point(|&other| other < thread);
    format!("t{}", before % 4)
}

/// Every row of the run; those that are not told are hidden at first.
fn rows(finding: &Finding, run: &Interleaving, visits: &[Visit<'_>]) -> String {
    let mut html = String::new();
    let (mut before, mut told_before): (Option<u32>, Option<u32>) = (None, None);
    for (at, visit) in visits.iter().enumerate() {
        let switched = before.is_some_and(|thread| thread != visit.thread);
        let told_switch = visit.told && told_before.is_some_and(|thread| thread != visit.thread);
        let class = match (switched, told_switch) {
            (false, false) => None,
            (true, true) => Some(""),
            (true, false) => Some(" untold"),
            (false, true) => Some(" summary"),
        };
        if let Some(class) = class {
            let _ = writeln!(
                html,
                "<li class=\"switch {}{class}\"><span>{}</span></li>",
                colour(run, visit.thread),
                text(&goes_on(finding, run, visits, visit))
            );
        }
        before = Some(visit.thread);
        if visit.told {
            told_before = Some(visit.thread);
        }
        html.push_str(&row(finding, run, at, visit));
    }
    if let Verdict::Faulty { fault } = &finding.verdict {
        for wait in &fault.waits {
            let holder = wait
                .holder
                .as_ref()
                .map(|who| format!(", which {who} holds"));
            let place = wait.span.as_ref().map(Span::in_function);
            let thread = run.running().into_iter();
            let mut thread = thread.filter(|&thread| finding.client(thread) == wait.thread);
            let colour = thread.next().map(|thread| colour(run, thread));
            let colour = colour.unwrap_or_default();
            let _ = writeln!(
                html,
                "<li class=\"wait {colour}\"><span class=\"n\"></span><span class=\"who\">{}</span><span class=\"place\">{}</span><span class=\"effect bad\">✗ waits {}{}</span></li>",
                text(&wait.thread),
                text(&place.unwrap_or_default()),
                text(&names::phrase(&wait.what)),
                text(&holder.unwrap_or_default())
            );
        }
    }
    if let Some(end) = fails_after(finding, run) {
        let _ = writeln!(
            html,
            "<li class=\"wait {}\"><span class=\"n\"></span><span class=\"who\">{}</span><span class=\"place\">{}</span><code>{}</code><span class=\"effect bad\">✗ {}</span></li>",
            end.thread
                .map_or(String::new(), |thread| colour(run, thread)),
            text(&end.who),
            text(&end.span.in_function()),
            text(end.source),
            end.effect
        );
    }
    html
}

fn row(finding: &Finding, run: &Interleaving, at: usize, visit: &Visit<'_>) -> String {
    let untold = if visit.told { "" } else { " untold" };
    let place = visit
        .span
        .map_or(String::new(), |span| match span.short_function() {
            "" => span.to_string(),
            function => format!("{function}:{}", span.line),
        });
    let (bad, cross) = match visit.fault {
        true => (" bad", "✗ "),
        false => ("", ""),
    };
    format!(
        "<li class=\"step {}{untold}\" data-visit=\"{at}\"><span class=\"n\">{}</span><span class=\"who\">{}</span><span class=\"place\">{}</span><code>{}</code><span class=\"effect{bad}\">{cross}{}</span></li>\n",
        colour(run, visit.thread),
        visit.number,
        text(&finding.client(visit.thread)),
        text(&place),
        text(visit.source),
        text(&visit.effect)
    )
}

/// The source files; each line with the steps that stand on it.
fn source(
    finding: &Finding,
    run: &Interleaving,
    sources: &[SourceFile],
    visits: &[Visit<'_>],
) -> String {
    let mut html = String::new();
    for (n, file) in sources.iter().enumerate() {
        let name = file.path.rsplit(['/', '\\']).next().unwrap_or(&file.path);
        let _ = write!(
            html,
            "<div class=\"file\"><h2 title=\"{}\">{}</h2><div class=\"code\">",
            text(&file.path),
            text(name)
        );
        for (number, line) in (1..).zip(file.text.lines()) {
            let mut steps = String::new();
            let here = visits.iter().enumerate().filter(|(_, visit)| {
                visit.told
                    && visit
                        .span
                        .is_some_and(|span| span.file == file.path && span.line == number)
            });
            for (at, visit) in here.take(STEPS_PER_LINE) {
                let _ = write!(
                    steps,
                    "<button class=\"at {}\" data-visit=\"{at}\" tabindex=\"-1\">{}</button>",
                    colour(run, visit.thread),
                    visit.number
                );
            }
            let _ = write!(
                html,
                "<div class=\"line{}\" data-at=\"{n}:{number}\"><span class=\"n\">{number}</span><code>{}</code><span class=\"ats\">{steps}</span></div>",
                marks(finding, &file.path, number),
                code(line)
            );
        }
        html.push_str("</div></div>\n");
    }
    html
}

/// More steps than these are not written beside one line.
const STEPS_PER_LINE: usize = 8;
