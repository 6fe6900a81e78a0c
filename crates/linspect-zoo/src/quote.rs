//! Quoted source lines become places. Quotes survive edits that line numbers do not.

use crate::error::ZooError;
use crate::files;
use crate::manifest::Quote;

/// A line of a file of the zoo.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QuotedPlace {
    /// The file, as in [`crate::Object::files`].
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// The line that `quote` means, in one of `paths`.
pub(crate) fn find(name: &str, paths: &[String], quote: &Quote) -> Result<QuotedPlace, ZooError> {
    match quote {
        Quote::Only(text) => {
            let mut found: Vec<QuotedPlace> = paths
                .iter()
                .flat_map(|path| lines_with(path, text))
                .collect();
            match found.len() {
                1 => Ok(found.remove(0)),
                0 => Err(missing(name, paths, text)),
                count => Err(ZooError::AmbiguousLine {
                    name: name.to_owned(),
                    text: text.clone(),
                    count,
                }),
            }
        }
        Quote::After(anchor, text) => {
            let start = paths
                .iter()
                .find_map(|path| lines_with(path, anchor).next())
                .ok_or_else(|| missing(name, paths, anchor))?;
            lines_with(&start.file, text)
                .find(|place| place.line > start.line)
                .ok_or_else(|| missing(name, paths, text))
        }
    }
}

fn lines_with(path: &str, text: &str) -> impl Iterator<Item = QuotedPlace> {
    files::text(path)
        .unwrap_or_default()
        .lines()
        .zip(1..)
        .filter(move |(line, _)| line.contains(text))
        .map(move |(_, line)| QuotedPlace {
            file: path.to_owned(),
            line,
        })
}

fn missing(name: &str, paths: &[String], text: &str) -> ZooError {
    ZooError::NoLine {
        name: name.to_owned(),
        files: paths.join(", "),
        text: text.to_owned(),
    }
}
