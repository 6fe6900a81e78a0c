//! Every command that the documents show is run, and its output is compared with what they show.
//!
//! In a page a comment above a code block says what it is for:
//!
//! * `<!-- file: NAME -->`: the block is a file that the commands below it use;
//! * `<!-- not run: WHY -->`: the `console` block below is only shown.
//!
//! All other `console` blocks are run. What follows a `$ command` is its output: a line `…` stands for any lines, `…` in a line for any text. Where nothing
//! follows, only the exit code counts: it must not be that of an error.

use crate::linspect::repository;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

macro_rules! pages {
    ($($name:ident: $page:literal,)*) => {
        /// The pages with commands.
        const PAGES: &[&str] = &[$($page),*];
        $(#[test] fn $name() { replay($page) })*
    };
}

pages! {
    readme: "README.md",
    ci: "docs/ci.md",
    errors: "docs/errors.md",
    explain: "docs/explain.md",
    first_c: "docs/first-c.md",
    first_cpp: "docs/first-cpp.md",
    first_rust: "docs/first-rust.md",
    format: "docs/format.md",
    how_decisive_races: "docs/how-decisive-races.md",
    linearizability: "docs/linearizability.md",
    machine: "docs/machine.md",
    models: "docs/models.md",
    relaxed: "docs/relaxed.md",
    report: "docs/report.md",
    scale: "docs/scale.md",
    weak_memory: "docs/weak-memory.md",
}

/// A block of a page.
enum Block {
    File { name: String, text: String },
    Console { line: usize, text: String },
}

/// The blocks of a page that are used, in their order.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut comment = None;
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let content = line.trim_start();
        let indent = &line[..line.len() - content.len()];
        if let Some(inside) = content.strip_prefix("<!-- ") {
            comment = inside.strip_suffix(" -->");
        } else if let Some(language) = content.strip_prefix("```") {
            let body: Vec<&str> = lines
                .by_ref()
                .map(|(_, line)| line.strip_prefix(indent).unwrap_or(line))
                .take_while(|line| !line.starts_with("```"))
                .collect();
            let text = body.join("\n") + "\n";
            let said = comment.take().and_then(|c| c.split_once(": "));
            match (said, language) {
                (Some(("file", name)), _) => blocks.push(Block::File {
                    name: name.to_owned(),
                    text,
                }),
                (Some(("not run", _)), "console") => {}
                (_, "console") => blocks.push(Block::Console {
                    line: number + 1,
                    text,
                }),
                _ => {}
            }
        } else if !content.is_empty() {
            comment = None;
        }
    }
    blocks
}

/// The commands of a block, each with the lines that follow it.
fn commands(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            let command = command.split("  #").next().expect("a first part");
            commands.push((command.trim_end(), Vec::new()));
        } else {
            let (_, output) = commands.last_mut().expect("a command before its output");
            output.push(line);
        }
    }
    for (_, output) in &mut commands {
        while output.last().is_some_and(|line| line.is_empty()) {
            output.pop();
        }
    }
    commands
}

/// Whether a line is the one that is shown; `…` stands for any text. Blanks that keep words together are blanks.
fn same_line(shown: &str, said: &str) -> bool {
    let said = &*said.replace('\u{a0}', " ");
    let shown = &*shown.replace('\u{a0}', " ");
    let mut parts = shown.split('…');
    let first = parts.next().expect("a first part");
    let Some(mut rest) = said.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Whether these lines are those that are shown; a line `…` stands for any lines.
fn same(shown: &[&str], said: &[&str]) -> bool {
    match shown.split_first() {
        None => said.is_empty(),
        Some((&"…", shown)) => (0..=said.len()).any(|skip| same(shown, &said[skip..])),
        Some((first, shown)) => {
            let Some((line, said)) = said.split_first() else {
                return false;
            };
            same_line(first, line.trim_end()) && same(shown, said)
        }
    }
}

/// A folder with what the pages name: the commands on the PATH, the examples, the zoo and the corpus.
fn folder() -> io::Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    let root = repository().canonicalize()?;
    for name in ["examples", "zoo", "corpus"] {
        symlink(root.join(name), folder.path().join(name))?;
    }
    let commands = folder.path().join(".bin");
    fs::create_dir(&commands)?;
    symlink(env!("CARGO_BIN_EXE_linspect"), commands.join("linspect"))?;
    Ok(folder)
}

/// Runs the commands of a page in their order.
fn replay(page: &str) {
    let text = fs::read_to_string(repository().join(page)).expect("a page");
    let folder = folder().expect("a writable folder");
    let mut run = 0;
    for block in blocks(&text) {
        match block {
            Block::File { name, text } => {
                fs::write(folder.path().join(name), text).expect("a writable folder");
            }
            Block::Console { line, text } => {
                for (command, shown) in commands(&text) {
                    run += 1;
                    compare(folder.path(), &format!("{page}:{line}"), command, &shown);
                }
            }
        }
    }
    assert!(run > 0, "{page} shows nothing that is run");
}

fn compare(folder: &Path, place: &str, command: &str, shown: &[&str]) {
    let path = std::env::var("PATH").unwrap_or_default();
    let done = Command::new("bash")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", folder.join(".bin").display()))
        .env("COLUMNS", "80")
        .env_remove("NO_COLOR")
        .env_remove("GITHUB_ACTIONS")
        .output()
        .expect("bash");
    let out = String::from_utf8(done.stdout).expect("output is UTF-8");
    let err = String::from_utf8(done.stderr).expect("output is UTF-8");
    let is_error = shown.first().is_some_and(|l| l.starts_with("error:"));
    let code = done.status.code();
    assert_eq!(
        code == Some(2),
        is_error,
        "{place}: {command}: {code:?}\n{out}{err}"
    );
    if !shown.is_empty() {
        let said = if is_error { &err } else { &out };
        let said: Vec<&str> = said.trim_end().lines().collect();
        assert!(
            same(shown, &said),
            "{place}: {command}\nshown:\n{}\nsaid:\n{}\n{err}",
            shown.join("\n"),
            said.join("\n")
        );
    }
}

#[test]
fn every_page_with_commands_is_run() {
    let root = repository();
    let mut with_commands = Vec::new();
    for folder in ["", "docs"] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|e| e != "md") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a text");
            let consoles = |b: &Block| matches!(b, Block::Console { .. });
            if blocks(&text).iter().any(consoles) {
                let name = path.file_name().expect("a name").to_string_lossy();
                let name = Path::new(folder).join(&*name);
                with_commands.push(name.to_string_lossy().into_owned());
            }
        }
    }
    with_commands.sort();
    assert_eq!(with_commands, PAGES);
}

#[test]
fn lines_are_compared() {
    assert!(same_line("a … c", "a b c") && same_line("…", "") && same_line("a…b…c", "abbc"));
    assert!(!same_line("a … c", "a b") && !same_line("a", "ab") && !same_line("a…a", "a"));
    assert!(same(&["a", "…", "d"], &["a", "b", "c", "d"]) && same(&["…"], &[]));
    assert!(!same(&["a", "…", "d"], &["a", "b"]) && !same(&["a"], &["a", "b"]));
}
