//! Where a history comes from.

use crate::failure::Failure;
use crate::interrupt;
use linspect_format::{Format, NilRead, Problem, Recorded};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};

/// A file, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source(OsString);

impl From<OsString> for Source {
    fn from(typed: OsString) -> Self {
        Self(typed)
    }
}

impl Source {
    /// Whether it is standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.0 == "-"
    }

    /// Its name in reports.
    pub(crate) fn name(&self) -> String {
        if self.is_stdin() {
            return "standard input".to_owned();
        }
        self.0.to_string_lossy().into_owned()
    }

    /// Its name without folders and extension, for files that are named after it.
    pub(crate) fn stem(&self) -> String {
        if self.is_stdin() {
            return "stdin".to_owned();
        }
        let path = std::path::Path::new(&self.0);
        path.file_stem().map_or_else(
            || "history".into(),
            |stem| stem.to_string_lossy().into_owned(),
        )
    }

    /// Reads the history in it.
    pub(crate) fn read(
        &self,
        format: Option<Format>,
        nil_read: NilRead,
    ) -> Result<Recorded, Failure> {
        let open = |error| Failure::Open {
            source_name: self.name(),
            error,
        };
        let input: Box<dyn Read> = if self.is_stdin() {
            Box::new(io::stdin().lock())
        } else {
            let file = File::open(&self.0).map_err(open)?;
            if file.metadata().map_err(open)?.is_dir() {
                return Err(open(io::Error::from(io::ErrorKind::IsADirectory)));
            }
            Box::new(file)
        };
        let source_name = self.name();
        linspect_format::read(Interruptible(input), format, nil_read).map_err(|error| {
            if interrupt::asked() && matches!(error.problem, Problem::Io(_)) {
                Failure::Interrupted { source_name }
            } else {
                Failure::Read { source_name, error }
            }
        })
    }
}

/// An input that ends with an error once somebody asked to stop.
struct Interruptible<R>(R);

impl<R: Read> Read for Interruptible<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if interrupt::asked() {
            // Not `ErrorKind::Interrupted`: that one means "try again".
            return Err(io::Error::other("interrupted by Ctrl-C"));
        }
        self.0.read(into)
    }
}
