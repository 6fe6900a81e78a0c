//! Where a history comes from.

use crate::failure::Failure;
use linspect_core::check::Budget;
use linspect_core::verdict::Limit;
use linspect_engine::clock_budget::ClockBudget;
use linspect_format::{Format, NilRead, ReadError, Recorded};
use std::cell::Cell;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

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

    /// Where it lies; nothing for standard input.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        (!self.is_stdin()).then(|| PathBuf::from(&self.0))
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

    /// Reads the history in it, within `limits`.
    pub(crate) fn read(
        &self,
        format: Option<Format>,
        nil_read: NilRead,
        limits: &ClockBudget,
    ) -> Result<Recorded, Failure> {
        let reached = Cell::new(None);
        let input = Limited {
            input: self.open()?,
            limits,
            bytes: Some(0),
            reached: &reached,
        };
        linspect_format::read(input, format, nil_read)
            .map_err(|error| self.unread(error, reached.get()))
    }

    /// Reads the history in it part by part, within `limits`, until `each` says no.
    pub(crate) fn read_parts(
        &self,
        size: usize,
        limits: &ClockBudget,
        each: &mut dyn FnMut(Recorded) -> bool,
    ) -> Result<(), Failure> {
        let reached = Cell::new(None);
        let input = Limited {
            input: self.open()?,
            limits,
            bytes: None,
            reached: &reached,
        };
        linspect_format::read_parts(input, size, each)
            .map_err(|error| self.unread(error, reached.get()))
    }

    fn open(&self) -> Result<Box<dyn Read>, Failure> {
        let open = |error| Failure::Open {
            source_name: self.name(),
            error,
        };
        if self.is_stdin() {
            return Ok(Box::new(io::stdin().lock()));
        }
        let file = File::open(&self.0).map_err(open)?;
        if file.metadata().map_err(open)?.is_dir() {
            return Err(open(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        Ok(Box::new(file))
    }

    fn unread(&self, error: ReadError, reached: Option<Limit>) -> Failure {
        let source_name = self.name();
        match reached {
            Some(Limit::Interrupted) => Failure::Interrupted { source_name },
            Some(limit) => Failure::Limit { source_name, limit },
            None => Failure::Read { source_name, error },
        }
    }
}

/// An input that ends with an error once a limit is reached, such as somebody who asked to stop.
struct Limited<'a, R> {
    input: R,
    limits: &'a ClockBudget,
    /// How many were read, if they are kept.
    bytes: Option<usize>,
    reached: &'a Cell<Option<Limit>>,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // What was read takes about as much memory as its text, and up to twice that while it grows.
        if let Some(limit) = self
            .limits
            .exhausted(self.bytes.unwrap_or(0).saturating_mul(2))
        {
            self.reached.set(Some(limit));
            // Not `ErrorKind::Interrupted`: that one means "try again".
            return Err(io::Error::other(limit.to_string()));
        }
        let count = self.input.read(into)?;
        self.bytes = self.bytes.map(|bytes| bytes + count);
        Ok(count)
    }
}
