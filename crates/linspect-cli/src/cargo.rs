//! `cargo linspect`: the harnesses and threaded tests of a package, one line each, and a report where something is wrong.

mod init;
mod items;
mod outcome;
mod package;
mod typed;

pub(crate) use typed::CargoArgs;

use crate::command::test::{Options, Test};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Files;
use crate::pages::Pages;
use crate::screen::Screen;
use crate::section::Section;
use items::{Item, Selection};
use linspect_engine::{Investigated, ProgramOrigin, interrupt, read_token};
use linspect_report::{Finding, junit, terminal};
use outcome::Outcome;
use package::Located;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

impl CargoArgs {
    /// Does what was typed.
    pub(crate) fn run(self, screen: &mut Screen) -> Outcome {
        let done = match self.command {
            Some(typed::Command::Init(init)) => init::run(&init, screen).map(|()| Outcome::Passed),
            Some(typed::Command::Replay(replay)) => replay_one(&replay, screen),
            Some(typed::Command::Test(test)) => run_all(&test, screen),
            None => run_all(&self.test, screen),
        };
        done.unwrap_or_else(|failure| {
            screen.failure(&failure);
            Outcome::of_failure(&failure)
        })
    }
}

/// Builds, finds, runs and counts.
fn run_all(typed: &typed::Test, screen: &mut Screen) -> Result<Outcome, Failure> {
    crate::cores::limit(typed.package.jobs);
    let located = Located::find(&typed.package)?;
    let Selection { items, left_out } = find(typed, &located)?;
    let is_nothing = items.is_empty();
    let items = match typed.partition {
        Some(partition) => partition.of(items),
        None => items,
    };
    if items.is_empty() && !is_nothing {
        screen.note("    Nothing to run in this partition");
        return Ok(Outcome::Passed);
    }
    if typed.list {
        let names: String = items.iter().map(|i| format!("{}\n", i.name())).collect();
        screen.print(&names)?;
        return Ok(Outcome::of_count(items.len()));
    }
    let aloud = !typed.options.json;
    if aloud {
        screen.note(&format!("    Starting {}", items::count(&items)));
        if !left_out.is_empty() {
            screen.note(&format!(
                "    Left out tests: {left_out}; `cargo test` runs them"
            ));
        }
    }
    let (start, mut tally) = (Instant::now(), Tally::default());
    let mut tested: Vec<Tested> = Vec::new();
    let mut pages = Pages::new(typed.options.outputs.html.as_deref(), items.len());
    for item in &items {
        if interrupt::asked() {
            break;
        }
        let page = pages.of(&item.name());
        let (exit, found) = run_item(item, &typed.options, page, &located.reports, screen)?;
        tally.add(exit);
        tested.extend(found);
        if exit > Exit::Inconclusive && typed.fail_fast {
            break;
        }
    }
    // All of them in one file: one per item would overwrite each other.
    let cases = tested.iter().map(|tested| junit::TestCase {
        finding: &tested.finding,
        took: Some(tested.took),
    });
    let cases: Vec<junit::TestCase<'_>> = cases.collect();
    let written = typed.options.outputs.write_for_machines(&cases)?;
    if aloud {
        written.iter().for_each(|place| screen.note(place));
        screen.note(&tally.summary(items.len(), start.elapsed()));
        for violation in tested.iter().filter_map(Tested::violation) {
            screen.note(&violation);
        }
    }
    Ok(tally.outcome(items.len()))
}

/// What came of one.
struct Tested {
    name: String,
    finding: Finding,
    took: Duration,
    page: Option<PathBuf>,
}

impl Tested {
    /// What is violated, where to change it and where the page is, in one line; nothing if nothing is.
    fn violation(&self) -> Option<String> {
        if Exit::of_finding(&self.finding) != Exit::Violation {
            return None;
        }
        let mut line = format!("        FAIL {}", self.name);
        if let Some(place) = self.finding.place() {
            line += &format!(" · {place}");
        }
        if let Some(page) = &self.page {
            line += &format!(" · {}", page.display());
        }
        Some(line)
    }
}

/// What is to run, of what there is.
fn find(typed: &typed::Test, located: &Located) -> Result<Selection, Failure> {
    let targets = located.build(&typed.package)?;
    items::find(&targets, &typed.filters)
}

/// Runs one; says in one line how it went, and in a report what went wrong.
fn run_item(
    item: &Item,
    options: &Options,
    page: Option<PathBuf>,
    reports: &Path,
    screen: &mut Screen,
) -> Result<(Exit, Option<Tested>), Failure> {
    let start = Instant::now();
    let mut test = Test::new(item.origin(), options, reports.to_owned())?;
    test.write_to(
        options.json,
        Files {
            html: page,
            ..Files::default()
        },
    );
    let found_out = test.find_out_of(&item.name(), screen);
    let tested = |investigated: Investigated, page| Tested {
        name: item.name(),
        finding: investigated.finding,
        took: start.elapsed(),
        page,
    };
    if options.json {
        let investigated = found_out?;
        let page = test.show(&investigated, screen)?;
        let exit = Exit::of_finding(&investigated.finding);
        return Ok((exit, Some(tested(investigated, page))));
    }
    match found_out {
        Ok(investigated) => {
            let exit = Exit::of_finding(&investigated.finding);
            let said = summary(&investigated);
            screen.print(&line(exit, start.elapsed(), &item.name(), &said, screen))?;
            let mut page = None;
            if exit == Exit::Violation {
                screen.print("\n")?;
                page = test.show(&investigated, screen)?;
                screen.print("\n")?;
            } else {
                screen.announce(&investigated.finding);
                if let Some(smallest) = &investigated.smallest_k {
                    screen.note(&smallest.said);
                }
                investigated.notes.iter().for_each(|note| screen.note(note));
            }
            Ok((exit, Some(tested(investigated, page))))
        }
        Err(failure) => {
            let said = "could not be run";
            let exit = failure.exit();
            screen.print(&line(exit, start.elapsed(), &item.name(), said, screen))?;
            screen.failure(&failure);
            Ok((exit, None))
        }
    }
}

/// The verdict in a few words, with what it covers.
fn summary(investigated: &Investigated) -> String {
    terminal::summary(&investigated.finding)
}

/// One line: how it went, how long it took, what it was, what is known about it. What does not fit goes below.
fn line(exit: Exit, took: Duration, name: &str, said: &str, screen: &Screen) -> String {
    let status = screen.status(
        match exit {
            Exit::Holds => "PASS",
            Exit::Violation => "FAIL",
            Exit::Inconclusive => "UNKNOWN",
            Exit::Error => "ERROR",
        },
        exit,
    );
    let head = format!("{status} [{:>8.3}s] {name}", took.as_secs_f64());
    let width = STATUS + 13 + name.chars().count() + 3 + said.chars().count();
    if width <= screen.width {
        format!("{head} · {said}\n")
    } else {
        let indent = " ".repeat(STATUS + 13);
        let lines = wrap(said, screen.width.saturating_sub(STATUS + 13).max(20));
        let below: String = lines.iter().map(|l| format!("{indent}{l}\n")).collect();
        format!("{head}\n{below}")
    }
}

/// Columns of a status.
pub(crate) const STATUS: usize = 12;

/// Breaks `text` between words into lines of at most `width` columns.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("never empty");
        let length = last.chars().count();
        if length > 0 && length + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if length > 0 {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

/// How many went how.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    undecided: usize,
    errors: usize,
}

impl Tally {
    fn add(&mut self, exit: Exit) {
        *match exit {
            Exit::Holds => &mut self.passed,
            Exit::Violation => &mut self.failed,
            Exit::Inconclusive => &mut self.undecided,
            Exit::Error => &mut self.errors,
        } += 1;
    }

    fn ran(&self) -> usize {
        self.passed + self.failed + self.undecided + self.errors
    }

    fn summary(&self, planned: usize, took: Duration) -> String {
        let mut parts = vec![format!("{} passed", self.passed)];
        for (count, what) in [
            (self.failed, "failed"),
            (self.undecided, "undecided"),
            (self.errors, "could not be run"),
            (planned - self.ran(), "not started"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        format!(
            "     Summary [{:>8.3}s] {} run: {}",
            took.as_secs_f64(),
            self.ran(),
            parts.join(", ")
        )
    }

    fn outcome(&self, planned: usize) -> Outcome {
        if planned == 0 {
            Outcome::NothingToRun
        } else if self.failed + self.errors > 0 {
            Outcome::Failed
        } else if self.undecided > 0 || self.ran() < planned {
            Outcome::Undecided
        } else {
            Outcome::Passed
        }
    }
}

/// Sees one run again.
fn replay_one(typed: &typed::Replay, screen: &mut Screen) -> Result<Outcome, Failure> {
    let (token, settings, _) = read_token(&typed.token)?;
    let located = Located::find(&typed.test.package)?;
    let found = find(&typed.test, &located)?;
    let [item] = &found.items[..] else {
        return Err(Failure::Usage {
            message: format!("{} fit, and a token is for one", items::count(&found.items)),
            help: "name it as the report does: `cargo linspect replay TOKEN 'package::target name'`",
            section: Section::CommandLine,
        });
    };
    let typed = &typed.test.options;
    let mut test = Test::new(item.origin(), typed, located.reports.clone())?;
    test.set(typed.settings().or(settings), Vec::new());
    Ok(match test.replay(token, None, screen)? {
        Exit::Holds => Outcome::Passed,
        Exit::Inconclusive => Outcome::Undecided,
        Exit::Violation | Exit::Error => Outcome::Failed,
    })
}

impl Item {
    fn origin(&self) -> ProgramOrigin {
        ProgramOrigin::Linked {
            bundle: self.bundle.clone(),
            entry: self.entry.clone(),
            name: self.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_not_torn() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("incomprehensible", 5), ["incomprehensible"]);
    }

    #[test]
    fn the_worst_decides() {
        let tally = |passed, failed, undecided| Tally {
            passed,
            failed,
            undecided,
            errors: 0,
        };
        assert_eq!(tally(0, 0, 0).outcome(0), Outcome::NothingToRun);
        assert_eq!(tally(2, 0, 0).outcome(2), Outcome::Passed);
        assert_eq!(tally(1, 0, 0).outcome(2), Outcome::Undecided);
        assert_eq!(tally(1, 1, 1).outcome(3), Outcome::Failed);
    }
}
