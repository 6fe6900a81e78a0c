//! Bitcode out of Rust libraries: ar archives whose members are bitcode, or ELF objects that carry it in a section.

use super::LoadError;
use super::assemble::Part;
use crate::llvm::Version;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};
use std::path::Path;

/// Where rustc keeps the bitcode of a compiled object.
const SECTION: &str = ".llvmbc";

/// First bytes of raw bitcode, and of bitcode in its wrapper.
const RAW: [u8; 4] = *b"BC\xC0\xDE";
const WRAPPED: [u8; 4] = [0xDE, 0xC0, 0x17, 0x0B];

/// Whether `bytes` are bitcode.
pub(super) fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(&RAW) || bytes.starts_with(&WRAPPED)
}

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
        if let Some(found) = in_object(data) {
            let name = format!("{}({name})", path.display());
            parts.push(Part {
                name,
                producer,
                bytes: found.to_vec(),
            });
        }
    }
    Ok(parts)
}

/// The bitcode that an object file is or carries.
pub(super) fn in_object(data: &[u8]) -> Option<&[u8]> {
    if is_bitcode(data) {
        return Some(data);
    }
    let object = object::File::parse(data).ok()?;
    let section = object.section_by_name(SECTION)?;
    section.data().ok().filter(|d| is_bitcode(d))
}
