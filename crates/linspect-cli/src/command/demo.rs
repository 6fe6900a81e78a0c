//! `linspect demo`: a broken object taken apart.

use super::check::{Job, Question, show, write_page};
use super::zoo;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::section::Section;
use linspect_core::spec::Options;
use linspect_core::verdict::Criterion;
use linspect_engine::clock_budget::ClockBudget;
use linspect_format::NilRead;
use linspect_zoo::Zoo;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Options of `linspect demo`.
#[derive(Debug, clap::Args)]
pub(crate) struct DemoArgs {
    /// Which demonstration
    #[arg(value_name = "NAME", default_value = "lock-free-list")]
    name: String,

    /// Show what there is
    #[arg(long)]
    list: bool,

    /// Where reports go
    #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
    out: PathBuf,
}

/// A demonstration: its name, what it shows, and the entry of the zoo; none for a recorded history.
struct Demo {
    name: &'static str,
    shows: &'static str,
    entry: Option<&'static str>,
}

const DEMOS: [Demo; 5] = [
    Demo {
        name: "lock-free-list",
        shows: "Rust: a set that marks removed nodes without compare-exchange",
        entry: Some("rust_lock_free_list"),
    },
    Demo {
        name: "queue",
        shows: "Rust: a Michael-Scott queue that swings its head without compare-exchange",
        entry: Some("rust_ms_queue"),
    },
    Demo {
        name: "stack",
        shows: "C++: a lock-free free list that takes a top that came back for one that stayed",
        entry: Some("cpp_index_stack"),
    },
    Demo {
        name: "list-size",
        shows: "C: a list with a lock whose size looks without it",
        entry: Some("linked_list"),
    },
    Demo {
        name: "history",
        shows: "a recorded history of a queue in which a later value overtakes an earlier one",
        entry: None,
    },
];

/// Runs a demonstration. One that shows its violation has succeeded.
pub(crate) fn run(typed: &DemoArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    if typed.list {
        let line = |demo: &Demo| format!("{:<16} {}\n", demo.name, demo.shows);
        screen.print(&DEMOS.iter().map(line).collect::<String>())?;
        return Ok(Exit::Holds);
    }
    let demo = DEMOS
        .iter()
        .find(|d| d.name == typed.name)
        .ok_or_else(|| Failure::Usage {
            message: format!("there is no demonstration `{}`", typed.name),
            help: "see `linspect demo --list`",
            section: Section::CommandLine,
        })?;
    screen.note(&format!("{}\n", demo.shows));
    let exit = match demo.entry {
        None => history(&typed.out.join("demo.html"), screen)?,
        Some(entry) => object(entry, &typed.out, screen)?,
    };
    Ok(match exit {
        Exit::Violation => Exit::Holds,
        other => other,
    })
}

/// Tests an object of the zoo, from its own sources.
fn object(entry: &str, out: &Path, screen: &mut Screen) -> Result<Exit, Failure> {
    let zoo = Zoo::bundled().map_err(Failure::Zoo)?;
    let exit = zoo::test(&zoo, entry, out, screen)?;
    screen.note("next:   linspect test YOUR-HARNESS   (docs/harness.md says how to write one)");
    Ok(exit)
}

/// What three clients of a queue saw.
const HISTORY: &str = include_str!("demo.jsonl");
const NAME: &str = "demo.jsonl";

/// Checks the bundled history.
fn history(page: &Path, screen: &mut Screen) -> Result<Exit, Failure> {
    let start = Instant::now();
    let recorded =
        linspect_format::read(HISTORY.as_bytes(), None, NilRead::Absent).map_err(|error| {
            Failure::Read {
                source_name: NAME.to_owned(),
                error,
            }
        })?;
    let job = Job {
        spec: None,
        options: Options::default(),
        format: None,
        question: Question::Whether(Criterion::Linearizable),
        timeout: None,
        memory: usize::MAX,
    };
    let limits = ClockBudget::start(job.timeout, job.memory);
    let checked = job.decide(NAME, &recorded, start.elapsed(), limits)?;
    show(&checked, screen)?;
    write_page(page, &checked.finding)?;
    screen.note(&format!(
        "\nreport: {}\nnext:   linspect check YOUR-HISTORY   (docs/format.md says how to record one)",
        page.display()
    ));
    Ok(checked.exit)
}
