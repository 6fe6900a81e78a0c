//! Bitcode out of libraries: ar archives whose members are or carry it.

use super::assemble::Part;
use super::{LoadError, carried};
use crate::llvm::Version;
use object::read::archive::ArchiveFile;
use std::path::Path;

/// The bitcode of every member of the library at `path`.
pub(super) fn bitcode(path: &Path, producer: Version) -> Result<Vec<Part>, LoadError> {
    let bytes = super::read(path)?;
    let wrong = |reason: String| LoadError::Archive {
        path: path.to_owned(),
        reason,
    };
    let archive = ArchiveFile::parse(&*bytes).map_err(|e| wrong(format!("not an archive: {e}")))?;
    let mut parts = Vec::new();
    for member in archive.members() {
        let member = member.map_err(|e| wrong(format!("broken archive: {e}")))?;
        let data = member
            .data(&*bytes)
            .map_err(|e| wrong(format!("broken archive: {e}")))?;
        let name = String::from_utf8_lossy(member.name());
        for found in carried::modules(data) {
            parts.push(Part {
                name: format!("{}({name})", path.display()),
                producer,
                bytes: found.to_vec(),
            });
        }
    }
    Ok(parts)
}
