//! Files that findings are written to: whole, or not at all.

use crate::failure::Failure;
use linspect_report::{Finding, html, json, junit, sarif};
use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where else a finding goes.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Files {
    /// Write the report as one HTML page
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,

    /// Write SARIF 2.1.0, which code hosts show beside the lines
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) sarif: Option<PathBuf>,

    /// Write JUnit XML, which CI servers show as a test
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) junit: Option<PathBuf>,
}

impl Files {
    /// Writes `finding`, which took so long to find, to each of them, and says where.
    pub(crate) fn write(
        &self,
        finding: &Finding,
        took: Option<Duration>,
    ) -> Result<Vec<String>, Failure> {
        let mut written = Vec::new();
        if let Some(path) = &self.html {
            write(path, &html::render(finding))?;
            written.push(format!("report: {}", path.display()));
        }
        written.extend(self.write_for_machines(&[junit::TestCase { finding, took }])?);
        Ok(written)
    }

    /// Writes what was found of several objects to one file each for code hosts and CI servers, and says where.
    pub(crate) fn write_for_machines(
        &self,
        cases: &[junit::TestCase<'_>],
    ) -> Result<Vec<String>, Failure> {
        let mut written = Vec::new();
        if let Some(path) = &self.sarif {
            let findings = cases.iter().map(|case| case.finding);
            write(path, &sarif::write(findings))?;
            written.push(format!("SARIF: {}", path.display()));
        }
        if let Some(path) = &self.junit {
            write(path, &junit::write(cases))?;
            written.push(format!("JUnit: {}", path.display()));
        }
        Ok(written)
    }
}

/// Larger files are nobody's finding.
const LARGEST: u64 = 256 << 20;

/// Saves `finding` in `folder` as `stem.json`, or as `stem-2.json` and so on where that name belongs to another file's. Gives its path.
pub(crate) fn save(folder: &Path, stem: &str, finding: &Finding) -> Result<PathBuf, Failure> {
    let text = json::write(finding);
    let mut number = 1;
    loop {
        let path = folder.join(match number {
            1 => format!("{stem}.json"),
            _ => format!("{stem}-{number}.json"),
        });
        let made = replace(&path, Place::Free, |file| file.write_all(text.as_bytes()));
        match made {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| path.clone()).map_err(unwritten(&path)),
        }
        if is_about(&path, &finding.checked.source) {
            return write(&path, &text).map(|()| path);
        }
        number += 1;
    }
}

/// Whether the file at `path` is a finding about `source`.
fn is_about(path: &Path, source: &str) -> bool {
    // Nobody waits for the other end of a pipe, or follows a link that somebody else laid.
    let file = std::fs::symlink_metadata(path).is_ok_and(|m| m.is_file() && m.len() <= LARGEST);
    let text = file.then(|| std::fs::read_to_string(path).unwrap_or_default());
    text.and_then(|text| json::read(&text).ok())
        .is_some_and(|finding| finding.checked.source == source)
}

/// The text of a finding. Whatever else somebody gives, such as a device without end, is not read for ever.
pub(crate) fn read_finding(input: impl Read) -> io::Result<String> {
    let mut text = String::new();
    input.take(LARGEST + 1).read_to_string(&mut text)?;
    match text.len() as u64 > LARGEST {
        true => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("no finding is larger than {} MiB", LARGEST >> 20),
        )),
        false => Ok(text),
    }
}

/// Writes a file with this text.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    stream(path, |file| file.write_all(text.as_bytes()))
}

/// Lets `write` write a file, and makes the folders it lies in. Whoever reads it sees the old one or the new one, never a part.
pub(crate) fn stream(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    replace(path, Place::Any, write).map_err(unwritten(path))
}

fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> Failure {
    let path = path.to_owned();
    |error| Failure::Write { path, error }
}

/// Where a file may go.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Where nothing is.
    Free,
    /// In the place of an old one as well.
    Any,
}

fn make_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| match error.kind() {
        // "File exists" would be no answer to somebody who wants to write one.
        io::ErrorKind::AlreadyExists => io::Error::from(io::ErrorKind::NotADirectory),
        _ => error,
    })
}

/// Finds out whether files can be made in `folder`, before anybody waits for them. Makes nothing that another run could see, use or miss: where `folder` is not there yet, the nearest folder above it is asked.
pub(crate) fn probe(folder: &Path) -> Result<(), Failure> {
    let is_there = |f: &&Path| f.symlink_metadata().is_ok();
    let above = folder.ancestors().find(is_there).unwrap_or(Path::new("."));
    // A file without a name: not even a run that is killed here leaves it.
    let file = tempfile::tempfile_in(above);
    file.map(drop).map_err(unwritten(folder))
}

fn replace(
    path: &Path,
    place: Place,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    make_folder(folder)?;
    // Something like /dev/stdout is written to, not replaced.
    if place == Place::Any && std::fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        let mut file = BufWriter::new(File::create(path)?);
        write(&mut file)?;
        return file.flush();
    }
    let fresh = tempfile::Builder::new()
        .prefix(".linspect-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)?;
    let mut file = BufWriter::new(fresh);
    write(&mut file)?;
    let fresh = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    match place {
        Place::Free => fresh.persist_noclobber(path),
        Place::Any => fresh.persist(path),
    }
    .map_err(|e| e.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_probed_without_a_trace() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        probe(folder).expect("it is there");
        probe(&folder.join("a/b")).expect("it can be made");
        assert_eq!(std::fs::read_dir(folder).expect("a folder").count(), 0);
        std::fs::write(folder.join("file"), "").expect("written");
        assert!(probe(&folder.join("file")).is_err());
        assert!(probe(&folder.join("file/b")).is_err());
        std::os::unix::fs::symlink("nowhere", folder.join("link")).expect("a link");
        assert!(probe(&folder.join("link")).is_err());
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a/b.txt");
        write(&path, "long text").expect("written");
        write(&path, "short").expect("written again");
        assert_eq!(std::fs::read_to_string(&path).expect("readable"), "short");
        let inside = std::fs::read_dir(folder.path().join("a")).expect("a folder");
        assert_eq!(inside.count(), 1);
        assert!(write(folder.path(), "a folder is no file").is_err());
    }
}
