//! Why a table cannot be made.

use std::io;
use std::path::PathBuf;

/// Why a table cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// An object that cannot be tested.
    #[error("{0}")]
    Engine(#[from] linspect_engine::Error),
    /// A zoo that cannot be used.
    #[error("{0}; choose a folder that can be written with --out")]
    Zoo(#[from] linspect_zoo::ZooError),
    /// A case of the zoo that does not fit its object.
    #[error("{object}: {error}; correct the zoo's description")]
    Case {
        /// The object.
        object: String,
        /// What does not fit.
        error: String,
    },
    /// A file that cannot be written.
    #[error("cannot write {}: {error}; choose another folder with --out", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Standard output that cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}
