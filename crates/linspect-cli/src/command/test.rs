//! `linspect test`: an object in, a verdict out, and for a violation everything that is known about it.

mod client_text;
mod investigate;
mod narrate;
mod spec;
mod typed;

pub(crate) use investigate::Investigated;
pub(crate) use typed::{Options, Typed, TypedStd};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use investigate::{Effort, Investigation, Replay};
use linspect_core::machine::Subject;
use linspect_core::spec::Erased;
use linspect_diagnose::localise::Granularity;
use linspect_explore::search::Method;
use linspect_explore::sequential::Sequential;
use linspect_explore::token::Token;
use linspect_report::{json, terminal};
use linspect_vm::frontend::{self, Entry, Source};
use linspect_vm::{Code, Settings};
use spec::Measure;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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

/// What is meant by the arguments.
pub(crate) struct Test {
    origin: Origin,
    settings: Settings,
    spec: Option<String>,
    client: Option<String>,
    operations: usize,
    threads: usize,
    method: Method,
    granularity: Granularity,
    budget: Option<Duration>,
    memory: usize,
    json: bool,
    /// Where reports go.
    folder: PathBuf,
}

impl Test {
    /// The test of these files with everything as usual.
    pub(crate) fn of(files: Vec<PathBuf>, client: Option<String>, folder: PathBuf) -> Self {
        Self {
            origin: Origin::Files(Source {
                files,
                ..Source::default()
            }),
            settings: Settings::default(),
            spec: None,
            client,
            operations: 4,
            threads: 3,
            method: Method::Exhaustive,
            granularity: Granularity::All,
            budget: Some(Duration::from_secs(30)),
            memory: 4 << 30,
            json: false,
            folder,
        }
    }

    /// Loads the object, explores its clients, and shows what was found.
    pub(crate) fn run(&self, screen: &mut Screen) -> Result<Exit, Failure> {
        let code = self.load_aloud(screen)?;
        let investigated = self.investigate(&code, None)?;
        self.show(&investigated, screen)?;
        Ok(investigated.exit)
    }

    /// Loads the object and explores its clients.
    pub(crate) fn find_out(&self) -> Result<Investigated, Failure> {
        self.investigate(&self.load()?, None)
    }

    /// Runs the schedule of `token` again, and shows what happened.
    pub(crate) fn replay(&self, token: &Token, screen: &mut Screen) -> Result<Exit, Failure> {
        let code = self.load_aloud(screen)?;
        if token.fingerprint != code.fingerprint() {
            screen.note("the program has changed since the token was made: its schedule is followed as far as it goes");
        }
        let investigated = self.investigate(&code, Some(token))?;
        self.show(&investigated, screen)?;
        Ok(investigated.exit)
    }

    fn load(&self) -> Result<Code, Failure> {
        let program = match &self.origin {
            Origin::Files(source) => frontend::load(source),
            Origin::Linked { bundle, entry, .. } => frontend::cargo::load_bundle(bundle, entry),
        };
        let program = program.map_err(|error| Failure::Load(Box::new(error)))?;
        Code::new(program, self.settings.clone()).map_err(Failure::Harness)
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

    fn investigate(&self, code: &Code, token: Option<&Token>) -> Result<Investigated, Failure> {
        let client = match &self.client {
            Some(text) => Some(client_text::parse(text, code.operations())?),
            None => None,
        };
        let investigation = Investigation {
            code,
            name: self.name(),
            replay: self.replay_command(),
            client,
            token,
            effort: Effort {
                operations: self.operations,
                threads: self.threads,
                method: self.method,
                granularity: self.granularity,
                budget: self.budget,
                memory: self.memory,
            },
        };
        if code.operations().is_empty() {
            return investigation.plain();
        }
        match spec::choose(self.spec.as_deref(), code)? {
            Measure::Builtin(spec) => spec.visit(investigation),
            Measure::Itself => investigation.against(&Erased::new(&Sequential::new(code))),
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
                let files: Vec<String> = source
                    .files
                    .iter()
                    .map(|f| f.display().to_string())
                    .collect();
                Replay {
                    command: "linspect replay",
                    what: files.join(" "),
                }
            }
            Origin::Linked { name, .. } => Replay {
                command: "cargo linspect replay",
                what: format!("'{name}'"),
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
            return screen.print(&json::write(finding));
        }
        let options = terminal::Options {
            width: screen.width,
            color: screen.color,
            elapsed: Some(investigated.elapsed),
        };
        screen.print(&terminal::render(finding, &options))?;
        for note in &investigated.notes {
            screen.note(note);
        }
        if investigated.exit == Exit::Violation {
            let stem = self.stem();
            let page = self.folder.join(format!("{stem}.html"));
            let data = self.folder.join(format!("{stem}.json"));
            super::check::write_page(&page, finding)?;
            super::check::write(&data, |file| {
                file.write_all(json::write(finding).as_bytes())
            })?;
            screen.note(&format!(
                "report: {}   data: {}",
                page.display(),
                data.display()
            ));
        }
        Ok(())
    }
}
