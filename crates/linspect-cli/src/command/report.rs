//! `linspect report`: shows saved findings again, several as one. Nothing is run; every form has the bytes of the original run.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{Files, read_finding};
use crate::pages::Pages;
use crate::screen::Screen;
use linspect_report::json::SavedResult;
use linspect_report::{Finding, html, json, junit, terminal};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Options of `linspect report`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReportArgs {
    /// Findings: what --json printed, or .json files beside reports; `-` is standard input
    #[arg(value_name = "FINDING", required = true)]
    findings: Vec<PathBuf>,

    #[command(flatten)]
    files: Files,

    /// Print it as JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  linspect report linspect-out/queue.json                    the report in the terminal
  linspect report linspect-out/queue.json --html queue.html  as a page
  linspect test queue.rs --json | linspect report - --sarif queue.sarif
  linspect report part-*.json --sarif all.sarif --junit all.xml --html pages/
                                                             all parts of `cargo linspect --partition … --json` as one

Exit codes: the worst of the runs that made the findings; 2 if one cannot be read.";

/// Renders saved findings.
pub(crate) fn run(typed: &ReportArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let several = typed.findings.len() > 1;
    let read = typed.findings.iter().map(|path| read(path, several));
    let saved = dealt_back(read.collect::<Result<_, _>>()?);
    show(&saved, &typed.files, typed.json, screen)
}

/// Prints saved findings, and writes them to files.
pub(crate) fn show(
    saved: &[SavedResult],
    files: &Files,
    json: bool,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    for (i, finding) in findings(saved).enumerate() {
        let options = screen.options(None);
        let text = match json {
            true => json::write(finding),
            false => terminal::render(finding, &options),
        };
        let apart = if i > 0 && !json { "\n" } else { "" };
        screen.print(&format!("{apart}{text}"))?;
    }
    write(saved, files, screen)
}

fn findings(saved: &[SavedResult]) -> impl Iterator<Item = &Finding> {
    saved.iter().filter_map(|saved| match saved {
        SavedResult::Finding(finding) => Some(&**finding),
        SavedResult::Failed(_) => None,
    })
}

/// Writes saved findings to files, and says what could not be run.
pub(crate) fn write(
    saved: &[SavedResult],
    files: &Files,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    let mut failed = Exit::Holds;
    for saved in saved {
        if let SavedResult::Failed(why) = saved {
            failed = Exit::Error;
            screen.note(&format!("error: {why}"));
        }
    }
    let findings: Vec<&Finding> = findings(saved).collect();
    let mut pages = Pages::new(files.html.as_deref(), findings.len());
    for finding in &findings {
        if let Some(page) = pages.of(&finding.checked.source) {
            crate::files::write(&page, &html::render(finding))?;
            screen.note(&format!("report: {}", page.display()));
        }
    }
    let cases = findings.iter().map(|finding| junit::TestCase {
        finding,
        took: None,
    });
    for place in files.write_for_machines(&cases.collect::<Vec<_>>())? {
        screen.note(&place);
    }
    let exits = findings.iter().map(|finding| Exit::of_finding(finding));
    Ok(exits.chain([failed]).max().unwrap_or(failed))
}

/// What was dealt out to several parts one by one, in its order again.
fn dealt_back<T>(parts: Vec<Vec<T>>) -> Vec<T> {
    let mut parts: Vec<_> = parts.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(parts.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return all;
        }
    }
}

/// The findings of a file. Of several parts, one may be empty.
fn read(path: &Path, may_be_empty: bool) -> Result<Vec<SavedResult>, Failure> {
    let open = |error| Failure::Open {
        source_name: path.display().to_string(),
        error,
    };
    let text = match path.as_os_str() == "-" {
        true => read_finding(std::io::stdin().lock()),
        false => File::open(path).and_then(read_finding),
    };
    let text = text.map_err(open)?;
    if may_be_empty && text.trim().is_empty() {
        return Ok(Vec::new());
    }
    json::read_all(&text).map_err(|error| Failure::Finding {
        source_name: path.display().to_string(),
        error: Box::new(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many parts there are, and whether or not some are empty: the order from before.
    #[test]
    fn parts_come_back_in_their_order() {
        for (items, parts) in [(7, 3), (6, 3), (2, 4), (0, 2), (5, 1)] {
            let part = |part| (part..items).step_by(parts).collect();
            let back: Vec<usize> = dealt_back((0..parts).map(part).collect());
            assert_eq!(back, Vec::from_iter(0..items));
        }
    }
}
