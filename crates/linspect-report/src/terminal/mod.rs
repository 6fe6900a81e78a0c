//! The report as text, for 80 columns and wider.

mod explanation;
mod history;
mod page;
mod repair;
mod run;
mod test;
mod timeline;

use crate::finding::{Coverage, DataRace, Fault, Finding, Verdict};
pub(crate) use explanation::sentence;
use page::{Page, Role, Run};
pub(crate) use run::circled;
use std::time::Duration;

/// How to draw.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many columns there are; fewer than 40 count as 40.
    pub width: usize,
    /// Whether to use colours.
    pub color: bool,
    /// How long the run took, if that is to be shown. A finding has no clock.
    pub elapsed: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            width: 80,
            color: false,
            elapsed: None,
        }
    }
}

/// `finding` as lines of text, each ended by a line break.
pub fn render(finding: &Finding, options: &Options) -> String {
    let mut page = Page::new(options.width.max(40), options.color);
    verdict(&mut page, finding, options.elapsed);
    if let Verdict::Faulty { fault } = &finding.verdict {
        faulty(&mut page, fault);
    }
    if let Some(test) = &finding.minimal_test {
        test::minimal(&mut page, finding, test);
    }
    if let Some(evidence) = finding.evidence() {
        history::core(&mut page, finding, evidence);
        history::because(&mut page, finding, evidence);
    }
    match (&finding.interleaving, finding.evidence()) {
        // Without steps it only names the threads.
        (Some(run), _) if run.steps.is_empty() => {}
        (Some(run), _) => run::interleaving(&mut page, finding, run),
        (None, Some(evidence)) => history::order(&mut page, finding, evidence),
        (None, None) => {}
    }
    if let Some(races) = &finding.races {
        run::races(&mut page, finding, races);
    }
    if let Some(why) = &finding.explanation {
        explanation::explanation(&mut page, finding, why);
    }
    for race in &finding.data_races {
        data_race(&mut page, race);
    }
    if let Some(repairs) = &finding.repairs {
        repair::repairs(&mut page, finding, repairs);
    }
    if let Some(replay) = &finding.replay {
        page.blank();
        page.prose(
            2,
            4,
            &[
                Run::new(Role::Heading, "replay: "),
                Run::new(Role::Plain, &replay.command),
            ],
        );
    }
    page.finish()
}

/// The verdict and what it covers, for one line among others.
pub fn summary(finding: &Finding) -> String {
    let mut text = finding.headline();
    if let Verdict::Unknown { reason } = &finding.verdict {
        text = format!("{text}: {reason}");
    }
    format!("{text} · {}", coverage(finding))
}

/// What went wrong in the run itself.
fn faulty(page: &mut Page, fault: &Fault) {
    page.blank();
    let mut places = Vec::new();
    for (span, word) in [(&fault.span, "at"), (&fault.related, "see also")] {
        if let Some(span) = span {
            places.push(format!("{word} {span} in {}", span.function));
        }
    }
    let mut runs = vec![Run::new(Role::Bad, format!("✗ {}", fault.message))];
    if !places.is_empty() {
        runs.push(Run::new(Role::Plain, format!(" ({})", places.join("; "))));
    }
    page.prose(2, 4, &runs);
}

/// Two accesses, and what does not order them.
fn data_race(page: &mut Page, race: &DataRace) {
    page.blank();
    let heading = format!("data race on {}", race.variable);
    page.prose(2, 4, &[Run::new(Role::Heading, heading)]);
    for access in &race.accesses {
        let place = access.span.as_ref().map(ToString::to_string);
        let place = place.map_or_else(String::new, |place| format!("  {place}"));
        let text = format!("{}{place}  {}", access.thread, access.does);
        page.prose(4, 6, &[Run::new(Role::Plain, text)]);
    }
    page.prose(4, 6, &[Run::new(Role::Plain, &race.unordered)]);
    let replay = format!("replay: {}", race.replay.command);
    page.prose(4, 6, &[Run::new(Role::Muted, replay)]);
}

/// The verdict and what it covers, in one line.
fn verdict(page: &mut Page, finding: &Finding, elapsed: Option<Duration>) {
    let (role, mark) = match finding.verdict {
        Verdict::Holds { .. } => (Role::Good, '✓'),
        Verdict::Violated { .. } | Verdict::Faulty { .. } => (Role::Bad, '✗'),
        Verdict::Unknown { .. } => (Role::Doubt, '?'),
    };
    let mut runs = vec![
        Run::new(role, format!("{mark} {}", finding.headline())),
        Run::new(Role::Plain, format!(" · {}", finding.checked.source)),
        Run::new(Role::Plain, format!(" · {}", coverage(finding))),
    ];
    if let Verdict::Unknown { reason } = &finding.verdict {
        runs.push(Run::new(Role::Plain, format!(" · {reason}")));
    }
    if let Some(elapsed) = elapsed {
        runs.push(Run::new(Role::Muted, format!(" · {}", duration(elapsed))));
    }
    page.prose(0, 2, &runs);
    let limits = match (&finding.verdict, &finding.coverage) {
        (Verdict::Holds { .. }, Coverage::Recorded) => {
            "This covers the one recorded history, not other runs of the same system."
        }
        (Verdict::Unknown { .. }, Coverage::Recorded) => {
            "Neither a violation nor a proof: give it more time or memory, or a shorter history."
        }
        (Verdict::Unknown { .. }, _) => {
            "Neither a violation nor a proof: give it more time or memory, or smaller clients."
        }
        _ => return,
    };
    page.prose(2, 2, &[Run::new(Role::Muted, limits)]);
}

/// What the verdict covers, as a phrase.
pub(crate) fn coverage(finding: &Finding) -> String {
    match &finding.coverage {
        Coverage::Recorded => {
            let history = &finding.history;
            let pending = match history.pending {
                0 => String::new(),
                n => format!(", {n} of which never returned,"),
            };
            format!(
                "{}{pending} by {}",
                count(history.total, "operation"),
                count(history.clients, "client")
            )
        }
        Coverage::Exhausted {
            executions,
            retries_cut,
            memory_model,
        } => format!(
            "exhausted {}{} of this {} · {memory_model}",
            count(*executions, "execution"),
            match retries_cut {
                0 => String::new(),
                1 => " (1 retry cut)".into(),
                cut => format!(" ({} retries cut)", grouped(*cut)),
            },
            if finding.is_program() {
                "program"
            } else {
                "client"
            }
        ),
        Coverage::Bounded {
            executions,
            memory_model,
            bound,
        } => format!(
            "{} with {bound} · {memory_model}",
            count(*executions, "execution")
        ),
        Coverage::Sampled {
            executions,
            memory_model,
            seed,
            guarantee,
        } => format!(
            "sampled {} (seed {seed}; {guarantee}) · {memory_model}",
            count(*executions, "execution")
        ),
    }
}

/// `3 clients`, `1 client`, with thin groups of digits.
pub(crate) fn count(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(n))
}

/// `1 000 000`, joined by no-break spaces.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{a0}');
        }
        out.push(digit);
    }
    out
}

fn duration(elapsed: Duration) -> String {
    match elapsed.as_micros() {
        us if us < 1_000 => format!("{us} µs"),
        us if us < 1_000_000 => format!("{} ms", us / 1_000),
        us => format!("{}.{} s", us / 1_000_000, us / 100_000 % 10),
    }
}
