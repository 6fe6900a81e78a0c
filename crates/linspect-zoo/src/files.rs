//! The embedded files.

use crate::error::ZooError;
use std::fs;
use std::path::Path;

/// Path below `zoo` and text of every file, sorted by path.
pub(crate) const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

pub(crate) fn text(path: &str) -> Option<&'static str> {
    FILES
        .binary_search_by_key(&path, |&(path, _)| path)
        .ok()
        .map(|at| FILES[at].1)
}

pub(crate) fn extract(folder: &Path) -> Result<(), ZooError> {
    for &(path, text) in FILES {
        let path = folder.join(path);
        let failed = |source| ZooError::Write {
            path: path.clone(),
            source,
        };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::write(&path, text).map_err(failed)?;
    }
    Ok(())
}
