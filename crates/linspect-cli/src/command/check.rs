//! `linspect check`: histories in, verdicts out.

mod job;
mod outputs;
mod streamed;
mod table;
mod typed;

pub(crate) use job::{Checked, Job, Question};
pub(crate) use outputs::{listed, show, write_page};
pub(crate) use typed::CheckArgs;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Files;
use crate::progress::Progress;
use crate::screen::Screen;
use crate::source::Source;
use rayon::prelude::*;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What is meant by the arguments.
pub(crate) struct Check {
    sources: Vec<Source>,
    job: Job,
    /// Whether to decide while reading.
    is_streamed: bool,
    output: Output,
    /// Where HTML goes: a file, or a folder for several histories.
    html: Option<PathBuf>,
    /// Where findings go for machines.
    machines: Files,
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
        if self.sources.is_empty() {
            screen.note("Nothing to check in this partition");
            return Ok(Exit::Holds);
        }
        let (done, total) = (Arc::new(AtomicUsize::new(0)), self.sources.len());
        let progress = (self.output != Output::Json).then(|| said(Arc::clone(&done), total));
        let results = self.results(&self.sources, &done);
        drop(progress);
        self.show(&results, screen)?;
        let exits = results.iter().map(|result| match result {
            Ok(checked) => checked.exit,
            Err(failure) => failure.exit(),
        });
        Ok(exits.max().unwrap_or_default())
    }
}

impl Check {
    /// What comes of some of its histories, in their order, whoever is done first.
    fn results(&self, sources: &[Source], done: &AtomicUsize) -> Vec<Result<Checked, Failure>> {
        let result = |source: &Source| {
            let result = match self.is_streamed {
                true => self.job.run_streamed(source),
                false => self.job.run(source),
            };
            done.fetch_add(1, Ordering::Relaxed);
            result
        };
        sources.par_iter().map(result).collect()
    }

    /// What is said of some of its histories, as JSON.
    pub(crate) fn said(&self, which: Range<usize>) -> Vec<String> {
        let results = self.results(&self.sources[which], &AtomicUsize::new(0));
        results.iter().map(outputs::item).collect()
    }

    /// Its files; nothing if one of them is standard input.
    pub(crate) fn paths(&self) -> Option<Vec<PathBuf>> {
        self.sources.iter().map(Source::path).collect()
    }
}

/// Says how many of several checks are done.
fn said(done: Arc<AtomicUsize>, total: usize) -> Progress {
    let start = Instant::now();
    Progress::start(move || {
        let (done, seconds) = (done.load(Ordering::Relaxed), start.elapsed().as_secs());
        format!("… {done} of {total} decided after {seconds} s (Ctrl-C ends with what is known)")
    })
}
