//! `linspect test`: an object in, a verdict out, and for a violation everything that is known about it.

mod again;
mod client_text;
mod covered;
mod diagnose;
mod exploration;
mod investigate;
mod long;
mod mend;
mod narrate;
mod program;
mod races;
mod reasons;
mod regression;
mod relaxation;
mod replay;
mod settings;
mod spec;
mod tree;
mod typed;

pub(crate) use client_text::show as show_client;
pub(crate) use investigate::Investigated;
pub(crate) use long::depth;
pub(crate) use settings::{
    ProgramFiles, RunSettings, TypedAllocator, TypedStd, read as read_token, shared_word,
};
pub(crate) use typed::{Options, Typed};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Files;
use crate::internal;
use crate::interrupt;
use crate::screen::Screen;
use investigate::{Chosen, Effort, Investigation, Replay, Task};
use linspect_core::machine::Subject;
use linspect_core::spec::Erased;
use linspect_core::verdict::Criterion;
use linspect_diagnose::explain::Level;
use linspect_diagnose::localise::Granularity;
use linspect_explore::search::{Method, SearchError};
use linspect_explore::sequential::Sequential;
use linspect_explore::token::Token;
use linspect_report::{json, terminal};
use linspect_vm::Code;
use linspect_vm::frontend::{self, Entry, Source};
use long::Long;
use races::Races;
use regression::Regression;
use relaxation::{Order, Relax, SmallestK};
use spec::Measure;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How many seconds a test that is asked to stop has to say what it knows.
const LAST_WORDS: u64 = 15;

/// Where the program that is tested comes from.
pub(crate) enum Origin {
    /// Source files.
    Files(Source),
    /// A program that cargo has built with Linspect as its linker.
    Linked {
        bundle: PathBuf,
        entry: Entry,
        /// What it is called in reports.
        name: String,
    },
}

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
    origin: Origin,
    /// What decides what a schedule means.
    settings: RunSettings,
    /// Whether the smallest k is asked for, for which the settings' `relax` could be.
    min_k: bool,
    client: Option<String>,
    /// Random clients instead of all small ones.
    long: Option<Long>,
    /// The most operations that run at once, and the most threads, if that was asked.
    operations: Option<usize>,
    threads: Option<usize>,
    method: Method,
    granularity: Granularity,
    /// Where the graph of all interleavings goes.
    tree: Option<PathBuf>,
    budget: Option<Duration>,
    memory: usize,
    json: bool,
    files: Files,
    /// Where reports go.
    folder: PathBuf,
    /// How much the explanation takes into account; `None`: as much as it needs.
    level: Option<Level>,
    /// Whether only the explanation is asked for.
    explain_only: bool,
    /// Where the smallest test goes, as source.
    emit_test: Option<PathBuf>,
}

impl Test {
    /// The test of these files with everything as usual.
    pub(crate) fn of(files: Vec<PathBuf>, client: Option<String>, folder: PathBuf) -> Self {
        Self {
            origin: Origin::Files(Source {
                files,
                ..Source::default()
            }),
            settings: RunSettings::default(),
            min_k: false,
            client,
            long: None,
            operations: None,
            threads: None,
            method: Method::Exhaustive,
            granularity: Granularity::All,
            tree: None,
            budget: Some(Duration::from_secs(30)),
            memory: 4 << 30,
            json: false,
            files: Files::default(),
            folder,
            level: None,
            explain_only: false,
            emit_test: None,
        }
    }

    /// The same with these settings and arguments for clang.
    pub(crate) fn set(&mut self, settings: RunSettings, c_flags: Vec<String>) {
        self.settings = settings;
        if let Origin::Files(source) = &mut self.origin {
            source.c_flags = c_flags;
        }
    }

    /// The same with other outputs.
    pub(crate) fn write_to(&mut self, json: bool, files: Files) {
        self.json = json;
        self.files = files;
    }

    /// The same with clients of other sizes.
    pub(crate) fn allow_operations(&mut self, operations: usize) {
        self.operations = Some(operations);
    }

    /// The same with other limits.
    pub(crate) fn limit(&mut self, budget: Option<Duration>, memory: usize) {
        self.budget = budget;
        self.memory = memory;
    }

    /// Shows no more than the verdict and the explanation.
    pub(crate) fn explain_only(&mut self, level: Option<Level>, json: bool) {
        self.level = level;
        self.json = json;
        self.explain_only = true;
    }

    /// Loads the object, explores its clients, and shows what was found.
    pub(crate) fn run(&self, screen: &mut Screen) -> Result<Exit, Failure> {
        let code = self.load_aloud(screen)?;
        let investigated = self.investigate(&code, Task::Search)?;
        self.show(&investigated, screen)?;
        Ok(investigated.exit)
    }

    /// Loads the object and explores its clients.
    pub(crate) fn find_out(&self) -> Result<Investigated, Failure> {
        self.investigate(&self.load()?, Task::Search)
    }

    /// Runs the schedule of `token` again, and shows what happened.
    pub(crate) fn replay(&self, token: &Token, screen: &mut Screen) -> Result<Exit, Failure> {
        let code = self.load_aloud(screen)?;
        client_text::fits(&token.client, code.operations())?;
        if token.fingerprint != code.fingerprint() {
            screen.note("the program has changed since the token was made: its schedule is followed as far as it goes");
        }
        let investigated = self.investigate(&code, Task::Replay(token))?;
        self.show(&investigated, screen)?;
        Ok(investigated.exit)
    }

    /// Makes the test of `token` smaller, for as long as `budget` says, and writes what there is to say of it.
    pub(crate) fn minimise(
        mut self,
        token: &Token,
        budget: Option<Duration>,
        output: Output,
        screen: &mut Screen,
    ) -> Result<Exit, Failure> {
        self.budget = budget;
        self.json = output.json;
        self.folder = output.out;
        self.emit_test = output.emit_test;
        let code = self.load_aloud(screen)?;
        if token.fingerprint != code.fingerprint() {
            return Err(Failure::Usage {
                message: format!("{} has changed since the finding was made", self.name()),
                help: "test it again with `linspect test`",
            });
        }
        let investigated = self.investigate(&code, Task::Minimise(token))?;
        self.show(&investigated, screen)?;
        Ok(investigated.exit)
    }

    fn load(&self) -> Result<Code, Failure> {
        interrupt::grant(LAST_WORDS);
        let program = match &self.origin {
            Origin::Files(source) => frontend::load(source),
            Origin::Linked { bundle, entry, .. } => frontend::cargo::load_bundle(bundle, entry),
        };
        let program = program.map_err(|error| Failure::Load(Box::new(error)))?;
        let settings = self.settings.of_machine();
        let functions = &self.settings.functions;
        let code = if functions.is_empty() {
            Code::new(program, settings)
        } else {
            Code::observing(program, settings, functions)
        };
        code.map_err(Failure::Harness)
    }

    fn load_aloud(&self, screen: &mut Screen) -> Result<Code, Failure> {
        let start = Instant::now();
        let code = self.load()?;
        if !self.json {
            let name = self.name();
            screen.note(&format!(
                "loaded {name} in {:.2} s",
                start.elapsed().as_secs_f64()
            ));
        }
        Ok(code)
    }

    /// Finds out what `task` asks. A panic on the way is the end of this test, not of those beside it.
    fn investigate(&self, code: &Code, task: Task<'_>) -> Result<Investigated, Failure> {
        internal::caught("testing this", || self.investigate_uncaught(code, task))
            .unwrap_or_else(|error| Err(Failure::Internal(error)))
    }

    /// Starts again with more memory shared from its birth whenever threads were seen to hide some.
    fn investigate_uncaught(&self, code: &Code, task: Task<'_>) -> Result<Investigated, Failure> {
        let investigated = self.investigate_as_set_up(code, task);
        let mut hidden = code.take_hidden();
        if let Err(Failure::Search(error)) = &investigated
            && let SearchError::Hidden(fault) = &**error
        {
            // Of the first client that showed any: which others did depends on how fast the cores are.
            hidden = fault.related.into_iter().collect();
        }
        if hidden.is_empty() {
            return investigated;
        }
        self.investigate_uncaught(&code.sharing(hidden), task)
    }

    fn investigate_as_set_up(&self, code: &Code, task: Task<'_>) -> Result<Investigated, Failure> {
        let declared = code.operations();
        let clients = match (self.client.as_deref().or(code.client()), self.long) {
            (Some(text), _) => Some(vec![client_text::parse(text, declared)?]),
            (None, Some(long)) => Some(long.clients(declared, self.method.seed())),
            (None, None) => None,
        };
        let clients = clients.map(|clients| Chosen::named(clients, self.method));
        let investigation = Investigation {
            code,
            name: self.name(),
            replay: self.replay_command(),
            files: self.sources(),
            clients,
            criterion: Criterion::Linearizable,
            task,
            quiet: self.json,
            level: self.level,
            races: Races::of(&self.settings, code),
            effort: Effort {
                long: self.long,
                operations: self.operations,
                threads: self.threads,
                method: self.method,
                granularity: self.granularity,
                tree: self.tree.clone(),
                budget: self.budget,
                memory: self.memory,
            },
        };
        if code.operations().is_empty() {
            return match self.relax() {
                Relax::No => investigation.plain(),
                _ => Err(relaxation::no_operations()),
            };
        }
        let measure = if code.is_program() {
            spec::of_program(self.settings.spec.as_deref(), &self.name(), code)?
        } else {
            spec::choose(self.settings.spec.as_deref(), code)?
        };
        if !code.is_program() {
            spec::inspect(code, &measure)?;
        }
        match measure {
            Measure::Builtin(spec) => {
                relaxation::investigate(investigation, &Order::Builtin(&spec), self.relax())
            }
            Measure::Model(model) => {
                relaxation::investigate(investigation, &Order::Model(&model), self.relax())
            }
            Measure::Itself if self.relax() != Relax::No => {
                Err(relaxation::rigid("the object's own sequential behaviour"))
            }
            Measure::Itself => investigation.against(&Erased::new(&Sequential::new(code))),
        }
    }

    /// How strict to be.
    fn relax(&self) -> Relax {
        match self.settings.relax {
            _ if self.min_k => Relax::Least,
            Some(k) => Relax::By(k),
            None => Relax::No,
        }
    }

    /// The source files, the harness first.
    fn sources(&self) -> &[PathBuf] {
        match &self.origin {
            Origin::Files(source) => &source.files,
            Origin::Linked { .. } => &[],
        }
    }

    fn name(&self) -> String {
        match &self.origin {
            Origin::Files(source) => {
                let first = source.files.first().map(PathBuf::as_path);
                first.map_or_else(String::new, |path| path.display().to_string())
            }
            Origin::Linked { name, .. } => name.clone(),
        }
    }

    /// What reports are called.
    fn stem(&self) -> String {
        let name = self.name();
        match &self.origin {
            Origin::Files(_) => {
                let stem = Path::new(&name).file_stem().unwrap_or_default();
                stem.to_string_lossy().into_owned()
            }
            Origin::Linked { .. } => name.replace(|c: char| !c.is_alphanumeric() && c != '_', "-"),
        }
    }

    fn replay_command(&self) -> Replay {
        match &self.origin {
            Origin::Files(source) => {
                let files: Vec<String> = source.files.iter().map(|f| operand(f)).collect();
                let words: Vec<String> = files.iter().map(|f| quoted(f)).collect();
                let flags = source.c_flags.iter();
                let mut settings = self.settings.words();
                settings.extend(flags.map(|flag| format!("--cflag={flag}")));
                Replay {
                    command: "linspect replay",
                    what: words.join(" "),
                    files,
                    settings,
                }
            }
            Origin::Linked { name, .. } => Replay {
                command: "cargo linspect replay",
                what: format!("'{name}'"),
                files: Vec::new(),
                settings: self.settings.words(),
            },
        }
    }

    /// Prints the report, and writes it for a violation.
    pub(crate) fn show(
        &self,
        investigated: &Investigated,
        screen: &mut Screen,
    ) -> Result<(), Failure> {
        let finding = &investigated.finding;
        if self.json {
            // Printed first: what cannot be written must not take it away.
            screen.print(&json::write(finding))?;
            self.files.write(finding)?;
            return self.emit(investigated, screen);
        }
        let options = terminal::Options {
            width: screen.width,
            color: screen.color,
            elapsed: screen.elapsed(investigated.elapsed),
        };
        let mut shown = finding.clone();
        if self.explain_only && finding.explanation.is_some() {
            (shown.races, shown.repairs) = (None, None);
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
        for note in &investigated.notes {
            screen.note(note);
        }
        let mut files = self.files.clone();
        if investigated.exit == Exit::Violation {
            let data = crate::files::save(&self.folder, &self.stem(), finding)?;
            screen.note(&format!("data: {}", data.display()));
            files.html.get_or_insert(data.with_extension("html"));
        }
        for place in files.write(finding)? {
            screen.note(&place);
        }
        self.emit(investigated, screen)
    }

    /// Writes the smallest test, if that was asked for.
    fn emit(&self, investigated: &Investigated, screen: &mut Screen) -> Result<(), Failure> {
        let Some(path) = &self.emit_test else {
            return Ok(());
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let text = investigated.test.as_ref().and_then(|(client, declared)| {
            Regression::new(self.sources(), client, declared)?.text(&investigated.finding, folder)
        });
        let Some(text) = text else {
            screen.note(&format!(
                "no test was written to {}: {}",
                path.display(),
                if investigated.exit == Exit::Violation {
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

/// A file as it can be typed: no option of ours.
fn operand(file: &Path) -> String {
    let dash = if file.as_os_str().as_encoded_bytes().starts_with(b"-") {
        "./"
    } else {
        ""
    };
    format!("{dash}{}", file.display())
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_can_be_typed_again() {
        let mut test = Test::of(vec!["a file.c".into(), "b.c".into()], None, PathBuf::new());
        let settings = RunSettings {
            spec: Some("queue(.empty = -1)".into()),
            allocator: Some(TypedAllocator::Fresh),
            ..RunSettings::default()
        };
        test.set(settings, vec!["-DTWO WORDS".into()]);
        let replay = test.replay_command();
        assert_eq!(replay.what, "'a file.c' b.c");
        assert_eq!(
            replay.settings,
            [
                "--spec=queue(.empty = -1)",
                "--allocator=fresh",
                "--cflag=-DTWO WORDS"
            ]
        );
    }
}
