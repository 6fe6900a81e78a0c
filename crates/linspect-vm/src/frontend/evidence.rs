//! What a compiler says after compiling that it has looked at: files, files that were not there, variables of the environment.

use super::{LARGEST, bounded, command};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A digest.
pub(super) type Sum = [u8; 32];

/// What decided beside what was known before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Evidence {
    /// Files with their digests; without one: there was no such file.
    files: BTreeMap<PathBuf, Option<Sum>>,
    /// Variables with their values; without one: it was not set.
    variables: BTreeMap<String, Option<String>>,
}

impl Evidence {
    /// Takes in the files of a make rule as they are now, and the variables that rustc names in it.
    pub(super) fn add_rule(&mut self, rule: &str) {
        for file in command::dependencies(rule) {
            self.add(file);
        }
        for line in rule.lines() {
            if let Some(variable) = line.strip_prefix("# env-dep:") {
                let (name, value) = match variable.split_once('=') {
                    Some((name, value)) => (name, Some(unescaped(value))),
                    None => (variable, None),
                };
                self.variables.insert(unescaped(name), value);
            }
        }
    }

    /// Takes in a file as it is now.
    pub(super) fn add(&mut self, file: PathBuf) {
        let sum = digest_of(&file);
        self.files.insert(file, sum);
    }

    /// Takes in where else rustc looks for its modules: a second file for one of them is an error.
    pub(super) fn add_other_places(&mut self) {
        let known: Vec<PathBuf> = self.files.keys().cloned().collect();
        for file in known {
            if let Some(other) = other_place(&file) {
                self.files
                    .entry(other)
                    .or_insert_with_key(|path| digest_of(path));
            }
        }
    }

    /// Takes in more.
    pub(super) fn extend(&mut self, more: Self) {
        self.files.extend(more.files);
        self.variables.extend(more.variables);
    }

    /// Whether all of it is as it was.
    pub(super) fn holds(&self) -> bool {
        self.files.iter().all(|(path, sum)| digest_of(path) == *sum)
            && self
                .variables
                .iter()
                .all(|(name, value)| std::env::var(name).ok() == *value)
    }
}

/// `a/b.rs` and `a/b/mod.rs` are two places for one module.
fn other_place(file: &Path) -> Option<PathBuf> {
    if file.file_name()? == "mod.rs" {
        return Some(file.parent()?.with_extension("rs"));
    }
    let is_module = file.extension()? == "rs";
    is_module.then(|| file.with_extension("").join("mod.rs"))
}

/// rustc writes a line break as `\n` and a backslash as `\\`.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

pub(super) fn digest(bytes: &[u8]) -> Sum {
    Sha256::digest(bytes).into()
}

/// The digest of a file, if there is one at `path`.
pub(super) fn digest_of(path: &Path) -> Option<Sum> {
    bounded(path, LARGEST).ok().map(|bytes| digest(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_read_from_the_rule() {
        let mut evidence = Evidence::default();
        evidence.add_rule(
            "out.bc: no/such/a.rs\n\nno/such/a.rs:\n\n# env-dep:MODE=a\\nb\\\\c\n# env-dep:LEVEL\n",
        );
        let expected = [
            ("LEVEL".to_owned(), None),
            ("MODE".to_owned(), Some("a\nb\\c".to_owned())),
        ];
        assert_eq!(evidence.variables, expected.into());
        assert_eq!(
            evidence.files.keys().collect::<Vec<_>>(),
            [Path::new("no/such/a.rs")]
        );
    }

    #[test]
    fn evidence_holds_until_something_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.rs");
        std::fs::write(&file, "mod b;").expect("written");
        let mut evidence = Evidence::default();
        evidence.add(file.clone());
        evidence.add_other_places();
        assert!(evidence.holds());
        std::fs::create_dir(folder.path().join("a")).expect("a folder");
        assert!(evidence.holds());
        std::fs::write(folder.path().join("a/mod.rs"), "").expect("written");
        assert!(!evidence.holds());
        std::fs::remove_file(folder.path().join("a/mod.rs")).expect("removed");
        std::fs::write(&file, "mod c;").expect("written");
        assert!(!evidence.holds());
    }

    #[test]
    fn a_module_has_two_places() {
        let of = |path: &str| other_place(Path::new(path));
        assert_eq!(of("a/b.rs"), Some("a/b/mod.rs".into()));
        assert_eq!(of("a/b/mod.rs"), Some("a/b.rs".into()));
        assert_eq!(of("a/table.txt"), None);
    }
}
