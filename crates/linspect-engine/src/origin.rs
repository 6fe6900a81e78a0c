//! Where a program comes from, and how it is named where its runs are to be seen again.

use crate::client_text;
use crate::declared::DeclaredSettings;
use crate::error::Error;
use crate::finding::replay_command::ReplayCommand;
use crate::request::Task;
use crate::settings::RunSettings;
use linspect_core::execution::{MemoryModel, SiteId};
use linspect_core::machine::{StartError, Subject};
use linspect_explore::search::SearchError;
use linspect_vm::frontend::{self, Entry, Source};
use linspect_vm::{LoadedProgram, Settings};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the program that is tested comes from.
#[derive(Clone, Debug)]
pub enum ProgramOrigin {
    /// Source files.
    Files(Source),
    /// A program that cargo has built with Linspect as its linker.
    Linked {
        /// The program's bitcode.
        bundle: PathBuf,
        /// What of it is to run.
        entry: Entry,
        /// What it is called in reports.
        name: String,
    },
}

/// A program, loaded to be run under some settings.
pub struct Loaded {
    pub(super) origin: ProgramOrigin,
    pub(super) settings: RunSettings,
    pub(super) code: LoadedProgram,
    /// What it says about how far to go.
    pub(super) declared: DeclaredSettings,
    /// What of that decides what a schedule means, and counts.
    pub(super) said: Vec<String>,
}

impl Loaded {
    /// Whether threads can run beside each other at all.
    pub fn starts_threads(&self) -> bool {
        self.code.starts_threads()
    }

    /// Compiles and reads the program of `origin`, to be run as `settings` say.
    pub fn load(origin: ProgramOrigin, settings: RunSettings) -> Result<Self, Error> {
        let program = match &origin {
            ProgramOrigin::Files(source) => frontend::load(source)?,
            ProgramOrigin::Linked { bundle, entry, .. } => {
                frontend::cargo::load_bundle(bundle, entry)?
            }
        };
        let machine = settings.of_machine();
        let code = if settings.functions.is_empty() {
            LoadedProgram::new(program, machine)
        } else {
            LoadedProgram::observing(program, machine, &settings.functions)
        };
        let code = code.map_err(Error::Harness)?;
        let declared = DeclaredSettings::of(&code)?;
        let (settings, said) = declared.settle(settings);
        Ok(Self {
            origin,
            code: code.with_settings(settings.of_machine()),
            settings,
            declared,
            said,
        })
    }

    /// The same program under this memory model. One run is under sequential consistency unless its settings say something else.
    pub(super) fn under(&self, model: MemoryModel) -> Self {
        self.under_sharing(model, &BTreeSet::new())
    }

    /// The same, where what is allocated at these places counts as shared from its birth.
    pub(super) fn under_sharing(&self, model: MemoryModel, shared: &BTreeSet<SiteId>) -> Self {
        let mut machine = Settings {
            memory_model: model,
            ..self.code.settings().clone()
        };
        machine.shared.extend(shared);
        Self {
            origin: self.origin.clone(),
            settings: RunSettings {
                memory_model: Some(model).filter(|model| *model != MemoryModel::Sc),
                ..self.settings.clone()
            },
            code: self.code.with_settings(machine),
            declared: self.declared.clone(),
            said: self.said.clone(),
        }
    }

    /// The same program under sequential consistency, where each thread may wake once at a condition though nobody wakes it.
    pub(super) fn waking_alone(&self) -> Self {
        let mut waking = self.under(MemoryModel::Sc);
        waking.settings.spurious = true;
        waking.code = waking.code.with_settings(Settings {
            spurious: true,
            ..waking.code.settings().clone()
        });
        waking
    }

    /// The program's digest. A token whose fingerprint is another one was made before an edit.
    pub fn fingerprint(&self) -> u64 {
        self.code.fingerprint()
    }

    /// The program alone.
    pub fn into_code(self) -> LoadedProgram {
        self.code
    }

    /// Refuses a task that is about another program: a run to be seen again whose client this one does not have, because it was made with another harness,
    /// or before an edit; a run to be made smaller of a program that has changed.
    pub fn can(&self, task: &Task) -> Result<(), Error> {
        match task {
            Task::Search
            | Task::Orderings
            | Task::List
            | Task::Explore(_)
            | Task::Walk(_)
            | Task::Left => Ok(()),
            Task::Replay(token) => client_text::fits(&token.client, self.code.operations()),
            Task::Minimise(token) if token.fingerprint == self.code.fingerprint() => Ok(()),
            Task::Minimise(_) => Err(Error::Changed(self.origin.name())),
        }
    }

    /// Does something with the program; again, with more memory shared from its birth, whenever threads were seen to hide some.
    pub(super) fn sharing_what_is_hidden<T>(
        &self,
        investigate: &impl Fn(&LoadedProgram) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut sharing = None;
        loop {
            let code = sharing.as_ref().unwrap_or(&self.code);
            let investigated = investigate(code);
            let mut hidden = code.take_hidden();
            if let Err(Error::Search(error)) = &investigated
                && let SearchError::Hidden(fault) = &**error
            {
                // Of the first client that showed any: which others did depends on how fast the cores are.
                hidden = fault.related.into_iter().collect();
            }
            if hidden.is_empty() {
                return investigated.map_err(|error| placed(code, error));
            }
            sharing = Some(code.sharing(hidden));
        }
    }
}

/// What cannot be run, with its line.
fn placed(code: &LoadedProgram, error: Error) -> Error {
    let Error::Search(mut error) = error else {
        return error;
    };
    if let SearchError::Unsupported(fault)
    | SearchError::Start(StartError::Constructor(fault) | StartError::Prefix { fault, .. }) =
        &mut *error
    {
        let place = code.user_site(fault.site);
        if place.line != 0 {
            fault.message = format!("{}:{}: {}", place.file, place.line, fault.message);
        }
    }
    Error::Search(error)
}

impl ProgramOrigin {
    /// These source files, the harness first.
    pub fn files<P: Into<PathBuf>>(files: impl IntoIterator<Item = P>) -> Self {
        Self::Files(Source {
            files: files.into_iter().map(Into::into).collect(),
            ..Source::default()
        })
    }

    /// The source files, the harness first; none if there are only binaries.
    pub fn sources(&self) -> &[PathBuf] {
        match self {
            Self::Files(source) => &source.files,
            Self::Linked { .. } => &[],
        }
    }

    /// What it is called in reports.
    pub fn name(&self) -> String {
        match self {
            Self::Files(source) => {
                let first = source.files.first().map(PathBuf::as_path);
                first.map_or_else(String::new, |path| path.display().to_string())
            }
            Self::Linked { name, .. } => name.clone(),
        }
    }

    /// How its runs under `settings` are seen again.
    pub(super) fn replay_command(&self, settings: &RunSettings) -> ReplayCommand {
        match self {
            Self::Files(source) => {
                let files: Vec<String> = source.files.iter().map(|f| operand(f)).collect();
                let words: Vec<String> = files.iter().map(|f| quoted(f)).collect();
                let flags = source.c_flags.iter();
                let mut settings = settings.words();
                settings.extend(flags.map(|flag| format!("--cflag={flag}")));
                ReplayCommand {
                    command: "linspect replay",
                    what: words.join(" "),
                    files,
                    settings,
                }
            }
            Self::Linked { name, .. } => ReplayCommand {
                command: "cargo linspect replay",
                what: format!("'{name}'"),
                files: Vec::new(),
                settings: settings.words(),
            },
        }
    }
}

/// A path as it can be typed after a command of ours in a shell.
pub fn typed_path(path: &Path) -> String {
    quoted(&operand(path))
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
    use linspect_vm::Reuse;

    #[test]
    fn a_test_can_be_typed_again() {
        let origin = ProgramOrigin::Files(Source {
            files: vec!["a file.c".into(), "b.c".into()],
            c_flags: vec!["-DTWO WORDS".into()],
            ..Source::default()
        });
        let settings = RunSettings {
            spec: Some("queue(.empty = -1)".into()),
            allocator: Some(Reuse::Fresh),
            ..RunSettings::default()
        };
        let replay = origin.replay_command(&settings);
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
