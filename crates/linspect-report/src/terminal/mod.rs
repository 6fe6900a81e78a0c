//! The report as text, for 80 columns and wider.

mod client;
mod explanation;
mod fix;
mod head;
mod history;
mod page;
mod repair;
mod run;
mod story;
mod timeline;

use crate::finding::{Coverage, DataRace, ExploredBeside, Finding, Verdict};
use crate::story::Room;
pub(crate) use explanation::sentence;
pub(crate) use fix::checked;

use page::{Page, Role, Run};
pub(crate) use repair::rechecked;
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
    /// How much to say.
    pub detail: Detail,
    /// Where the page of the finding is, if there is one.
    pub page: Option<String>,
    /// The command that shows the run again, if it is a shorter one than the finding's own.
    pub replay: Option<String>,
}

/// How much to say of what is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The verdict and one sentence.
    Least,
    /// What is understood in half a minute.
    #[default]
    Usual,
    /// Everything.
    Most,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            width: 80,
            color: false,
            elapsed: None,
            detail: Detail::default(),
            page: None,
            replay: None,
        }
    }
}

/// What to change stands at the latest in this line if steps are left out before it.
const FIX_LINE: usize = 16;

/// And in this one if none are.
const FIX_LINE_AFTER_ALL: usize = 18;

/// And there are never fewer rows than these before it.
const FEWEST_ROWS: usize = 5;

/// `finding` as lines of text, each ended by a line break.
pub fn render(finding: &Finding, options: &Options) -> String {
    let page = Page::new(options.width.max(40), options.color);
    let mut page = page.brief(options.detail != Detail::Most);
    match &finding.verdict {
        Verdict::Holds { .. } | Verdict::Unknown { .. } => {
            head::verdict(&mut page, finding, options.elapsed);
            for race in &finding.data_races {
                data_race(&mut page, race);
            }
        }
        Verdict::Violated { .. } | Verdict::Faulty { .. } => wrong(&mut page, finding, options),
    }
    page.finish()
}

/// What is wrong: in one sentence, in the results, in the steps, and what to change.
fn wrong(page: &mut Page, finding: &Finding, options: &Options) {
    head::wrong(page, finding, options.elapsed);
    head::sentence(page, finding);
    if options.detail == Detail::Least {
        return;
    }
    match (&finding.minimal_test, finding.evidence()) {
        (Some(test), _) => client::client(page, finding, test),
        (None, Some(evidence)) => history::core(page, finding, evidence),
        (None, None) => {}
    }
    // Without steps it only names the threads.
    let run = finding
        .interleaving
        .as_ref()
        .filter(|run| !run.steps.is_empty());
    if let Some(run) = run {
        let before = |line: usize| line.saturating_sub(page.lines() + 4).max(FEWEST_ROWS);
        let (most, whole) = (before(FIX_LINE), before(FIX_LINE_AFTER_ALL));
        story::how(page, finding, run, Room { most, whole });
    }
    fix::brief(page, finding);
    if options.detail == Detail::Most {
        everything(page, finding);
    }
    head::last(page, finding, options);
}

/// All that is known beside the short report.
fn everything(page: &mut Page, finding: &Finding) {
    if let Some(test) = &finding.minimal_test {
        page.blank();
        let note = format!(" ({})", test.promise());
        page.prose(
            2,
            4,
            &[
                Run::new(Role::Heading, "smallest test"),
                Run::new(Role::Muted, note),
            ],
        );
    }
    if let Some(evidence) = finding.evidence() {
        history::because(page, finding, evidence);
        if evidence.shows_order() {
            history::order(page, finding, evidence);
        }
    }
    if let Some(run) = finding
        .interleaving
        .as_ref()
        .filter(|run| !run.steps.is_empty())
    {
        run::interleaving(page, finding, run);
    }
    if let Some(races) = &finding.races {
        run::races(page, finding, races);
    }
    if let Some(why) = &finding.explanation {
        explanation::explanation(page, finding, why);
    }
    for race in &finding.data_races {
        data_race(page, race);
    }
    if let Some(repairs) = &finding.repairs {
        repair::repairs(page, finding, repairs);
    }
}

/// The verdict and what it covers, for one line among others.
pub fn summary(finding: &Finding) -> String {
    let mut text = finding.headline();
    if let Verdict::Unknown { reason } = &finding.verdict {
        text = format!("{text}: {reason}");
    }
    format!("{text} · {}", coverage(finding))
}

/// Two accesses, and what does not order them.
fn data_race(page: &mut Page, race: &DataRace) {
    page.blank();
    page.prose(2, 4, &[Run::new(Role::Heading, race.title())]);
    for access in &race.accesses {
        let place = access.span.as_ref().map(ToString::to_string);
        let place = place.map_or_else(String::new, |place| format!("  {place}"));
        let text = format!("{}{place}  {}", access.thread, access.does);
        page.prose(4, 6, &[Run::new(Role::Plain, text)]);
    }
    page.prose(4, 6, &[Run::new(Role::Plain, &race.unordered)]);
    page.line(
        4,
        &[
            Run::new(Role::Muted, "replay  "),
            Run::whole(&race.replay.command),
        ],
    );
}

/// What the verdict covers, as a phrase.
pub(crate) fn coverage(finding: &Finding) -> String {
    coverages(finding).concat()
}

/// The same in parts: what was explored first, then what was explored beside it.
fn coverages(finding: &Finding) -> Vec<String> {
    let mut parts = vec![explored(finding, &finding.coverage)];
    let beside = [
        ("weaker orderings", &finding.weaker_orderings),
        ("spurious wake-ups", &finding.spurious_wakeups),
    ];
    for (what, beside) in beside {
        let Some(ExploredBeside {
            coverage,
            undecided,
        }) = beside
        else {
            continue;
        };
        let part = if undecided.is_some() { ", in part" } else { "" };
        let explored = explored(finding, coverage);
        parts.push(format!("; {what}{part}: {explored}"));
    }
    parts
}

/// What was explored, as a phrase.
fn explored(finding: &Finding, coverage: &Coverage) -> String {
    match coverage {
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
            "{}, {bound} · {memory_model}",
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
