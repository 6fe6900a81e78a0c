//! `linspect check`: histories in, verdicts out.

mod job;
mod outputs;
mod table;
mod typed;

pub(crate) use job::{Checked, Job, Question};
pub(crate) use outputs::{show, write, write_page};
pub(crate) use typed::Typed;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::screen::Screen;
use crate::source::Source;
use rayon::prelude::*;
use std::path::PathBuf;

/// What is meant by the arguments.
pub(crate) struct Check {
    sources: Vec<Source>,
    job: Job,
    output: Output,
    /// Where HTML goes: a file, or a folder for several histories.
    html: Option<PathBuf>,
    /// Whether to say where the time went.
    timings: bool,
}

/// What goes to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    /// A report; a table for several histories.
    Text,
    /// A report for each of several histories.
    Details,
    /// Findings as JSON.
    Json,
}

impl Check {
    /// Checks every history and shows what came of it.
    pub(crate) fn run(&self, screen: &mut Screen) -> Result<Exit, Failure> {
        let progress = Progress::start(self.sources.len());
        // Order of the results is that of the arguments, whoever is done first.
        let results: Vec<Result<Checked, Failure>> = self
            .sources
            .par_iter()
            .map(|source| {
                let result = self.job.run(source);
                progress.step();
                result
            })
            .collect();
        drop(progress);
        self.show(&results, screen)?;
        let exits = results.iter().map(|result| match result {
            Ok(checked) => checked.exit,
            Err(failure) => failure.exit(),
        });
        Ok(exits.max().unwrap_or_default())
    }
}
