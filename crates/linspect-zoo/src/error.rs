//! What can be wrong with the zoo's descriptions.

use linspect_core::spec::{BadChoice, Unfit};
use std::path::PathBuf;

/// A mistake in a description, or a folder that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ZooError {
    /// A description is not what it should be.
    #[error("zoo/{path}: {source}")]
    Manifest {
        /// The description.
        path: String,
        /// What the parser says.
        source: Box<toml::de::Error>,
    },
    /// A description names a file that is not there.
    #[error("{name}: there is no file zoo/{path}")]
    NoFile {
        /// The object or program.
        name: String,
        /// The file.
        path: String,
    },
    /// A quoted line is not in the sources.
    #[error("{name}: no line of {files} contains `{text}`")]
    NoLine {
        /// The object or program.
        name: String,
        /// Where it was looked for.
        files: String,
        /// The quote.
        text: String,
    },
    /// A quoted line is in the sources more than once.
    #[error(
        "{name}: {count} lines contain `{text}`; quote it as [\"a line before it\", \"{text}\"]"
    )]
    AmbiguousLine {
        /// The object or program.
        name: String,
        /// The quote.
        text: String,
        /// How often.
        count: usize,
    },
    /// An object without a specification.
    #[error("{name}: has no `spec`, and neither has its family")]
    NoSpec {
        /// The object.
        name: String,
    },
    /// A specification that does not exist.
    #[error("{name}: {source}")]
    Spec {
        /// The object.
        name: String,
        /// Why not.
        source: Box<BadChoice>,
    },
    /// A call that cannot be read.
    #[error("{name}: cannot read the call `{text}`; write it as `method(1, 2)`")]
    Call {
        /// The object.
        name: String,
        /// The call.
        text: String,
    },
    /// A call that the specification does not have.
    #[error("{name}: {source}")]
    Unfit {
        /// The object.
        name: String,
        /// Why not.
        source: Box<Unfit>,
    },
    /// Two entries of one name.
    #[error("the name `{name}` is given twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// A twin that does not exist.
    #[error("{name}: there is no object `{twin}` to be its twin")]
    NoTwin {
        /// The object.
        name: String,
        /// Its twin.
        twin: String,
    },
    /// A file could not be written.
    #[error("cannot write {}: {source}", .path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}
