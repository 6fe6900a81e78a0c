//! Finds and runs the compilers.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Why a tool could not be run.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// It did not start.
    #[error("{} could not be started: {reason}", .tool.display())]
    Start {
        /// The tool.
        tool: PathBuf,
        /// Why.
        reason: std::io::Error,
    },
    /// It said no to a question that always has an answer.
    #[error("`{} {}` failed: {messages}", .tool.display(), .arguments.join(" "))]
    Failed {
        /// The tool.
        tool: PathBuf,
        /// What it was asked.
        arguments: Vec<String>,
        /// What it said.
        messages: String,
    },
}

/// Runs `tool` to its end. No shell is involved.
pub(super) fn run(tool: &Path, arguments: &[impl AsRef<OsStr>]) -> Result<Output, CommandError> {
    Command::new(tool)
        .args(arguments)
        .stdin(Stdio::null())
        // Messages and dates in the user's language would make results depend on the machine.
        .env("LC_ALL", "C")
        .output()
        .map_err(|reason| CommandError::Start {
            tool: tool.to_owned(),
            reason,
        })
}

/// `path` as an argument that no tool takes for an option.
pub(super) fn operand(path: &Path) -> OsString {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        return Path::new(".").join(path).into();
    }
    path.into()
}

/// Runs `tool` and gives what it printed.
pub(super) fn ask(tool: &Path, arguments: &[&str]) -> Result<String, CommandError> {
    let output = run(tool, arguments)?;
    if !output.status.success() {
        return Err(CommandError::Failed {
            tool: tool.to_owned(),
            arguments: arguments.iter().map(|&a| a.to_owned()).collect(),
            messages: messages(&output),
        });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What a tool complained about.
pub(super) fn messages(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr)
        .trim_end()
        .to_owned()
}

/// The first of `names` that is a file on the PATH.
pub(super) fn find(names: impl IntoIterator<Item = String>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names
        .into_iter()
        .find_map(|name| places.iter().map(|p| p.join(&name)).find(|p| p.is_file()))
}

/// What tells the tool at `path` from another one under the same name, or from what it was: where it is, and when it was changed. A script may
/// look at anything: what tells it apart is the whole environment, too.
pub(super) fn stamp(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut out = format!("{path:?}");
    if let Ok(about) = std::fs::metadata(&path) {
        let place = (about.dev(), about.ino(), about.size());
        let changed = (about.mtime(), about.mtime_nsec());
        let moved = (about.ctime(), about.ctime_nsec());
        out += &format!(" {place:?} {changed:?} {moved:?}");
    }
    let mut start = [0; 2];
    let read = std::fs::File::open(&path).and_then(|mut file| file.read_exact(&mut start));
    if read.is_ok() && start == *b"#!" {
        let mut environment: Vec<_> = std::env::vars_os().collect();
        environment.sort();
        out += &format!(" {environment:?}");
    }
    out
}

/// The files a make rule `target: a b \ c` depends on, as compilers write them.
pub(super) fn dependencies(rule: &str) -> Vec<PathBuf> {
    let rule = rule.replace("\\\n", " ");
    let Some((_, files)) = rule.lines().next().and_then(|l| l.split_once(": ")) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut name = String::new();
    let mut rest = files.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' if rest.peek().is_some_and(|&n| n == ' ' || n == '#') => name.extend(rest.next()),
            '$' if rest.peek() == Some(&'$') => name.extend(rest.next()),
            c if c.is_whitespace() => {
                if !name.is_empty() {
                    out.push(PathBuf::from(std::mem::take(&mut name)));
                }
            }
            c => name.push(c),
        }
    }
    if !name.is_empty() {
        out.push(PathBuf::from(name));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn make_rules_are_read() {
        let rule = "out.o: a.c /usr/include/stdio.h \\\n  b\\ c.h $$x.h\n\na.c:\n";
        let expected = ["a.c", "/usr/include/stdio.h", "b c.h", "$x.h"].map(PathBuf::from);
        assert_eq!(dependencies(rule), expected);
        assert_eq!(dependencies(""), Vec::<PathBuf>::new());
    }
}
