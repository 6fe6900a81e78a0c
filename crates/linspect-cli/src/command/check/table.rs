//! Many results, one line each.

use super::Checked;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::source::Source;
use anstyle::{AnsiColor, Style};
use linspect_core::check::MinK;
use linspect_report::neutral;
use std::fmt::Write;

/// A line per history and a sum.
pub(super) fn render(
    sources: &[Source],
    results: &[Result<Checked, Failure>],
    screen: &Screen,
) -> String {
    let names: Vec<String> = sources
        .iter()
        .map(|source| neutral(&source.name()).into_owned())
        .collect();
    let longest = names.iter().map(|name| name.chars().count()).max();
    let width = longest
        .unwrap_or_default()
        .min(screen.width.saturating_sub(60).max(20));
    let mut text = String::new();
    for (name, result) in names.iter().zip(results) {
        let name = shortened(name, width);
        let (exit, rest) = match result {
            Ok(checked) => (checked.exit, details(checked)),
            Err(failure) => (failure.exit(), String::new()),
        };
        let word = painted(word(exit), exit, screen.color);
        let _ = writeln!(text, "{name:width$}  {word}  {rest}");
    }
    let _ = writeln!(text, "{}", sum(results));
    text
}

fn details(checked: &Checked) -> String {
    let history = &checked.finding.history;
    let k = match checked.smallest_k {
        Some(MinK::From(k)) => format!("  smallest k: {k}"),
        Some(MinK::AtLeast(k, _)) => format!("  smallest k: {k} or more"),
        Some(MinK::Never) => "  no k".to_owned(),
        None => String::new(),
    };
    format!(
        "{:15} {:>9} operations {:>4} clients {:>9.1} ms{k}",
        checked.finding.checked.spec,
        history.total,
        history.clients,
        checked.deciding.as_secs_f64() * 1e3
    )
}

fn sum(results: &[Result<Checked, Failure>]) -> String {
    let count = |wanted| {
        let exits = results.iter().map(|result| match result {
            Ok(checked) => checked.exit,
            Err(failure) => failure.exit(),
        });
        exits.filter(|&exit| exit == wanted).count()
    };
    format!(
        "{} histories: {} hold, {} violated, {} undecided, {} not checked",
        results.len(),
        count(Exit::Holds),
        count(Exit::Violation),
        count(Exit::Inconclusive),
        count(Exit::Error)
    )
}

/// All of the same length, so that columns stay columns.
fn word(exit: Exit) -> &'static str {
    match exit {
        Exit::Holds => "holds    ",
        Exit::Violation => "VIOLATED ",
        Exit::Inconclusive => "undecided",
        Exit::Error => "ERROR    ",
    }
}

fn painted(word: &str, exit: Exit, color: bool) -> String {
    if !color {
        return word.to_owned();
    }
    let color = match exit {
        Exit::Holds => AnsiColor::Green,
        Exit::Violation | Exit::Error => AnsiColor::Red,
        Exit::Inconclusive => AnsiColor::Yellow,
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    format!("{style}{word}{style:#}")
}

/// The end of a long name says more than its beginning.
fn shortened(name: &str, width: usize) -> String {
    let length = name.chars().count();
    if length <= width {
        return name.to_owned();
    }
    let kept: String = name.chars().skip(length + 1 - width).collect();
    format!("…{kept}")
}
