//! `linspect demo`: a broken queue taken apart.

use super::check::{Job, Question, show, write_page};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use linspect_core::spec::Options;
use linspect_core::verdict::Criterion;
use linspect_format::NilRead;
use std::path::PathBuf;
use std::time::Instant;

/// Options of `linspect demo`.
#[derive(Debug, clap::Args)]
pub(crate) struct Typed {
    /// Where the HTML report goes
    #[arg(long, value_name = "OUT", default_value = "linspect-out/demo.html")]
    html: PathBuf,
}

/// What three clients of a queue saw in which a later value overtakes an earlier one.
const HISTORY: &str = include_str!("demo.jsonl");
const NAME: &str = "demo.jsonl";

/// Checks the bundled history and writes its report. A demonstration that shows the violation has succeeded.
pub(crate) fn run(typed: &Typed, screen: &mut Screen) -> Result<Exit, Failure> {
    screen.note("checking a bundled history of a broken queue (three clients) …\n");
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
    let checked = job.decide(NAME, &recorded, start.elapsed())?;
    show(&checked, screen)?;
    write_page(&typed.html, &checked.finding)?;
    screen.note(&format!(
        "\nreport: {}\nnext:   linspect check YOUR-HISTORY   (docs/format.md says how to record one)",
        typed.html.display()
    ));
    Ok(match checked.exit {
        Exit::Violation => Exit::Holds,
        other => other,
    })
}
