//! `linspect test`: an object in, a verdict out, and for a violation everything that is known about it.

mod exploration;
mod typed;

pub(crate) use typed::{Options, TestArgs};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Files;
use crate::interrupt;
use crate::screen::Screen;
use exploration::Exploration;
use linspect_engine::shard::{self, Archive};
use linspect_engine::{
    AskedEffort, Investigated, Level, Loaded, Method, ProgramOrigin, Request, RunSettings,
    SmallestK, Task, Token,
};
use linspect_report::finding::Finding;
use linspect_report::{json, terminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many seconds a test that is asked to stop has to say what it knows.
const LAST_WORDS: u64 = 15;

/// Where a finding goes.
#[derive(Debug, clap::Args)]
pub(crate) struct Output {
    /// Print the finding as JSON
    #[arg(long)]
    json: bool,

    /// Where reports go
    #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
    out: PathBuf,

    /// Write the smallest test here, as source that includes the harness
    #[arg(long, value_name = "FILE")]
    emit_test: Option<PathBuf>,
}

/// What is meant by the arguments.
pub(crate) struct Test {
    origin: ProgramOrigin,
    /// What decides what a schedule means.
    settings: RunSettings,
    request: Request,
    /// Where the graph of all interleavings goes.
    tree: Option<PathBuf>,
    json: bool,
    files: Files,
    /// Where reports go.
    folder: PathBuf,
    /// Whether only the explanation is asked for.
    explain_only: bool,
    /// Where the smallest test goes, as source.
    emit_test: Option<PathBuf>,
    /// Where explorations are kept.
    kept: Option<KeptIn>,
    /// What of the effort was typed: the harness may say the rest.
    asked: AskedEffort,
}

/// A folder where explorations are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeptIn {
    /// From now on.
    New(PathBuf),
    /// From before; it goes on.
    Before(PathBuf),
}

impl Test {
    /// The test of these files with everything as usual.
    pub(crate) fn of(files: Vec<PathBuf>, client: Option<String>, folder: PathBuf) -> Self {
        Self {
            origin: ProgramOrigin::files(files),
            settings: RunSettings::default(),
            request: Request {
                client,
                ..Request::default()
            },
            tree: None,
            json: false,
            files: Files::default(),
            folder,
            explain_only: false,
            emit_test: None,
            kept: None,
            asked: AskedEffort::default(),
        }
    }

    /// The same with these settings and arguments for clang.
    pub(crate) fn set(&mut self, settings: RunSettings, c_flags: Vec<String>) {
        self.settings = settings;
        if let ProgramOrigin::Files(source) = &mut self.origin {
            source.c_flags = c_flags;
        }
    }

    /// The same with schedules of at most so many preemptions.
    pub(crate) fn preempt_at_most(&mut self, preemptions: u32) {
        self.request.effort.method = Method::Bounded { preemptions };
        self.asked.method = true;
    }

    /// The same with other outputs.
    pub(crate) fn write_to(&mut self, json: bool, files: Files) {
        self.json = json;
        self.files = files;
    }

    /// The same with reports elsewhere.
    pub(crate) fn report_in(&mut self, folder: PathBuf) {
        self.folder = folder;
    }

    /// The same with other limits.
    pub(crate) fn limit(&mut self, budget: Option<Duration>, memory: usize) {
        self.request.effort.budget = budget;
        self.request.effort.memory = memory;
        self.asked.budget = true;
    }

    /// Looks for orderings that could be weaker, too, with clients of at most so many operations.
    pub(crate) fn weaken_orderings(&mut self, operations: usize) {
        self.request.task = Task::Orderings;
        self.request.effort.operations = Some(operations);
    }

    /// Shows no more than the verdict and the explanation.
    pub(crate) fn explain_only(&mut self, level: Option<Level>, json: bool) {
        self.request.level = level;
        self.json = json;
        self.explain_only = true;
    }

    /// Loads the object, explores its clients, and shows what was found.
    pub(crate) fn run(mut self, screen: &mut Screen) -> Result<Exit, Failure> {
        if !self.json {
            crate::files::probe(&self.folder)?;
        }
        let loaded = self.load_aloud(screen)?;
        if !loaded.starts_threads() {
            screen.note("warning: the program starts no thread, so there is only one order to try");
        }
        self.keep(&loaded, screen)?;
        let exit = self.find_and_show(&loaded, screen)?;
        self.save()?;
        Ok(exit)
    }

    /// Keeps what was explored last.
    fn save(&self) -> Result<(), Failure> {
        match &self.request.archive {
            Some(archive) => Ok(archive.save()?),
            None => Ok(()),
        }
    }

    /// Knows what was explored before, and keeps what is explored now, if that was asked for.
    fn keep(&mut self, loaded: &Loaded, screen: &mut Screen) -> Result<(), Failure> {
        let (folder, goes_on) = match &self.kept {
            Some(KeptIn::New(folder)) => (folder, false),
            Some(KeptIn::Before(folder)) => (folder, true),
            None => return Ok(()),
        };
        let (archive, left) = shard::checkpoint(loaded, &self.request, folder, goes_on)?;
        if goes_on && !self.json {
            let clients = archive.known();
            screen.note(&format!("going on: {clients} explorations are known"));
        }
        for path in left.damaged.iter().chain(&left.alien) {
            let path = path.display();
            screen.note(&format!("warning: {path} is not used: it is damaged"));
        }
        self.request.archive = Some(Arc::new(archive));
        Ok(())
    }

    /// The program, and what is asked about it: for whoever cuts that into tasks.
    pub(crate) fn loaded(&mut self) -> Result<(Loaded, &Request), Failure> {
        Ok((self.load()?, &self.request))
    }

    /// Shows what was found by a search that knows what `archive` does.
    pub(crate) fn show_merged(
        mut self,
        loaded: &Loaded,
        archive: Archive,
        screen: &mut Screen,
    ) -> Result<Exit, Failure> {
        self.request.archive = Some(Arc::new(archive));
        self.find_and_show(loaded, screen)
    }

    /// Loads the object and explores its clients.
    pub(crate) fn find_out(&mut self) -> Result<Investigated, Failure> {
        let loaded = self.load()?;
        self.investigate(&loaded)
    }

    /// The same of an object called `name`, one of several: what is kept goes to a folder for each.
    pub(crate) fn find_out_of(
        &mut self,
        name: &str,
        screen: &mut Screen,
    ) -> Result<Investigated, Failure> {
        let loaded = self.load()?;
        let own = |folder: &Path| folder.join(name.replace(|c: char| !c.is_alphanumeric(), "-"));
        self.kept = self.kept.take().map(|kept| match kept {
            KeptIn::Before(folder) if own(&folder).exists() => KeptIn::Before(own(&folder)),
            KeptIn::New(folder) | KeptIn::Before(folder) => KeptIn::New(own(&folder)),
        });
        self.keep(&loaded, screen)?;
        let found = self.investigate(&loaded)?;
        self.save()?;
        Ok(found)
    }

    /// Runs the schedule of `token` again, and shows what happened, with what is `known` of this run since it was found.
    pub(crate) fn replay(
        mut self,
        token: Token,
        known: Option<Finding>,
        screen: &mut Screen,
    ) -> Result<Exit, Failure> {
        let loaded = self.load_aloud(screen)?;
        let changed = token.fingerprint != loaded.fingerprint();
        self.request.task = Task::Replay(token);
        loaded.can(&self.request.task)?;
        if changed {
            screen.note("the program has changed since the token was made: its schedule is followed as far as it goes");
        }
        let mut investigated = self.investigate(&loaded)?;
        if let Some(known) = known.filter(|_| !changed) {
            investigated.finding.take_over(known);
        }
        self.show(&investigated, screen)?;
        Ok(Exit::of_finding(&investigated.finding))
    }

    /// Makes the test of `token` smaller, for as long as `budget` says, and writes what there is to say of it.
    pub(crate) fn minimise(
        mut self,
        token: Token,
        budget: Option<Duration>,
        output: Output,
        screen: &mut Screen,
    ) -> Result<Exit, Failure> {
        self.request.task = Task::Minimise(token);
        self.request.effort.budget = budget;
        self.asked.budget = true;
        self.json = output.json;
        self.folder = output.out;
        self.emit_test = output.emit_test;
        self.run(screen)
    }

    /// Loads the program, which may say how far to go.
    fn load(&mut self) -> Result<Loaded, Failure> {
        interrupt::grant(LAST_WORDS);
        let loaded = Loaded::load(self.origin.clone(), self.settings.clone())?;
        loaded.complete(&mut self.request.effort, self.asked);
        Ok(loaded)
    }

    fn load_aloud(&mut self, screen: &mut Screen) -> Result<Loaded, Failure> {
        let start = Instant::now();
        let loaded = self.load()?;
        if !self.json {
            let name = self.origin.name();
            screen.note(&format!(
                "loaded {name} in {:.2} s",
                start.elapsed().as_secs_f64()
            ));
        }
        Ok(loaded)
    }

    fn find_and_show(&self, loaded: &Loaded, screen: &mut Screen) -> Result<Exit, Failure> {
        let investigated = self.investigate(loaded)?;
        self.show(&investigated, screen)?;
        Ok(Exit::of_finding(&investigated.finding))
    }

    /// Finds out what is asked, and says how far it is.
    fn investigate(&self, loaded: &Loaded) -> Result<Investigated, Failure> {
        let events = Exploration::new(self.json);
        Ok(linspect_engine::investigate(
            loaded,
            &self.request,
            &events,
        )?)
    }

    /// What reports are called: after the file of the object, for many harnesses are called `harness`. The report of one run leaves that of its test alone.
    fn stem(&self) -> String {
        let name = self.origin.name();
        let stem = match &self.origin {
            ProgramOrigin::Files(source) => {
                let stem = |path: &Path| {
                    let stem = path.file_stem().unwrap_or_default();
                    stem.to_string_lossy().into_owned()
                };
                let stems = source.files.iter().map(|path| stem(path));
                let own = stems.into_iter().find(|stem| stem != "harness");
                own.unwrap_or_else(|| stem(Path::new(&name)))
            }
            ProgramOrigin::Linked { .. } => {
                name.replace(|c: char| !c.is_alphanumeric() && c != '_', "-")
            }
        };
        match self.request.task {
            Task::Replay(_) => stem + "-replay",
            _ => stem,
        }
    }

    /// Prints the report, and writes it for a violation. Gives where the page is, if there is one.
    pub(crate) fn show(
        &self,
        investigated: &Investigated,
        screen: &mut Screen,
    ) -> Result<Option<PathBuf>, Failure> {
        let finding = &investigated.finding;
        screen.announce(finding);
        if self.json {
            // Printed first: what cannot be written must not take it away.
            screen.print(&json::write(finding))?;
            self.files.write(finding, Some(investigated.elapsed))?;
            self.write_tree(investigated)?;
            self.emit(investigated, screen)?;
            return Ok(self.files.html.clone());
        }
        let mut files = self.files.clone();
        // What cannot be written must not take the report away: it is printed first.
        let saved = (Exit::of_finding(finding) == Exit::Violation)
            .then(|| crate::files::save(&self.folder, &self.stem(), finding));
        let mut options = screen.options(screen.elapsed(investigated.elapsed));
        if let Some(Ok(data)) = &saved {
            files.html.get_or_insert(data.with_extension("html"));
            options.page = files.html.as_ref().map(|page| page.display().to_string());
            options.replay = self.replayed_from(data);
        }
        let mut shown = finding.clone();
        if self.explain_only && finding.explanation.is_some() {
            (shown.races, shown.repairs) = (None, None);
            options.detail = terminal::Detail::Most;
            if let Some(run) = &mut shown.interleaving {
                run.steps.clear();
                run.contrast = None;
            }
        }
        screen.print(&terminal::render(&shown, &options))?;
        if let Some(SmallestK { said, less }) = &investigated.smallest_k {
            screen.print(&format!("  {said}\n"))?;
            if let Some(less) = less {
                screen.print(&format!("\n{}", terminal::render(less, &options)))?;
            }
        }
        if let Some(said) = &investigated.orderings {
            screen.print(&format!("\n  {said}\n"))?;
        }
        let all = options.detail == terminal::Detail::Most || self.explain_only;
        for note in investigated.notes(all) {
            screen.note(note);
        }
        if let Some(data) = saved.transpose()? {
            screen.note(&format!("data: {}", data.display()));
        }
        for place in files.write(finding, Some(investigated.elapsed))? {
            if options.page.is_none() || !place.starts_with("report: ") {
                screen.note(&place);
            }
        }
        self.write_tree(investigated)?;
        self.emit(investigated, screen)?;
        Ok(files.html)
    }

    /// Writes the graph of all interleavings, if that was asked for.
    fn write_tree(&self, investigated: &Investigated) -> Result<(), Failure> {
        match (&self.tree, &investigated.tree) {
            (Some(path), Some(text)) => crate::files::write(path, text),
            _ => Ok(()),
        }
    }

    /// The command that shows the run of a saved finding again, where a file says which program it was.
    fn replayed_from(&self, data: &Path) -> Option<String> {
        let files = matches!(self.origin, ProgramOrigin::Files(_));
        files.then(|| format!("linspect replay {}", linspect_engine::typed_path(data)))
    }

    /// Writes the smallest test, if that was asked for.
    fn emit(&self, investigated: &Investigated, screen: &mut Screen) -> Result<(), Failure> {
        let Some(path) = &self.emit_test else {
            return Ok(());
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let sources = self.origin.sources();
        let Some(text) = investigated.regression(sources, folder) else {
            screen.note(&format!(
                "no test was written to {}: {}",
                path.display(),
                if Exit::of_finding(&investigated.finding) == Exit::Violation {
                    "it needs a harness in C, C++ or Rust"
                } else {
                    "nothing is wrong"
                }
            ));
            return Ok(());
        };
        crate::files::write(path, &text)?;
        screen.note(&format!("test: {}", path.display()));
        Ok(())
    }
}
