//! Every error message has an entry in docs/errors.md, and every error says where it is.

use crate::linspect::{repository, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The crates whose messages reach a user. Those of the zoo are about our own descriptions; those of diagnose stand only behind "the explanation does not stand
/// its own test".
const CRATES: [&str; 7] = ["cli", "engine", "core", "format", "vm", "explore", "report"];

/// What stands between the quotation marks at the beginning of `text`: a literal of Rust, read. Escapes of a line's end take the blanks behind them along.
fn literal(text: &str) -> Option<String> {
    let mut rest = text.trim_start().strip_prefix('"')?.chars().peekable();
    let mut out = String::new();
    loop {
        match rest.next()? {
            '"' => return Some(out),
            '\\' => match rest.next()? {
                '\n' => while rest.next_if(|c| c.is_whitespace()).is_some() {},
                'n' => out.push('\n'),
                c => out.push(c),
            },
            c => out.push(c),
        }
    }
}

/// A format as the page shows it: `…` for everything that differs.
fn shown(format: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for c in format.chars() {
        match c {
            '{' => {
                depth += 1;
                if depth == 1 {
                    out.push('…');
                }
            }
            '}' => depth -= 1,
            '\n' => {}
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// Whether it says anything itself, beside what is put into it.
fn has_words(message: &str) -> bool {
    message.chars().filter(|c| c.is_alphabetic()).count() > 1
}

/// The messages of a file: those of `#[error(…)]`, of wrong usage, and of what the machine cannot run.
fn messages(name: &str, text: &str) -> Vec<String> {
    let after = |mark: &'static str| text.split(mark).skip(1).filter_map(literal);
    let mut found: Vec<String> = after("#[error(").collect();
    if name == "cli" {
        found.extend(after("message: format!("));
        found.extend(after("message: "));
    }
    if name == "vm" {
        let quoted = text.match_indices('"');
        let literals = quoted.filter_map(|(at, _)| literal(&text[at..]));
        // What lies between two literals is no message.
        let is_refusal = |l: &String| l.contains("this machine ") && !l.contains("=>");
        found.extend(literals.filter(is_refusal));
    }
    found
}

fn walk(folder: &Path, name: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, name, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path).expect("a text");
            let texts = messages(name, &text);
            found.extend(texts.iter().map(|m| shown(m)).filter(|m| has_words(m)));
        }
    }
}

fn page() -> String {
    fs::read_to_string(repository().join("docs/errors.md")).expect("the page")
}

/// What the sources say, of all crates.
fn all_messages() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in CRATES {
        let sources = repository().join(format!("crates/linspect-{name}/src"));
        walk(&sources, name, &mut found);
    }
    found
}

#[test]
fn every_message_has_an_entry() {
    let (page, found) = (page(), all_messages());
    assert!(
        found.len() > 120,
        "only {} messages were found",
        found.len()
    );
    let missing: Vec<&String> = found.iter().filter(|m| !page.contains(*m)).collect();
    assert!(missing.is_empty(), "not in docs/errors.md: {missing:#?}");
}

#[test]
fn no_entry_is_about_nothing() {
    let (page, found) = (page(), all_messages());
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ``"));
    let entries = rows.filter_map(|row| row.split_once("`` |"));
    let old: Vec<&str> = entries
        .map(|(entry, _)| entry.trim())
        .filter(|entry| !found.contains(*entry))
        .collect();
    assert!(old.is_empty(), "no message says: {old:#?}");
}

#[test]
fn an_error_says_where_its_entry_is() {
    let root = repository();
    let page = fs::read_to_string(root.join("docs/errors.md")).expect("the page");
    for (arguments, section) in [
        (
            &["check", "nowhere.jsonl"][..],
            "## A file that cannot be read or written",
        ),
        (&["check", "Cargo.toml"], "## A file that is no history"),
        (&["test", "README.md"], "## Compilers and LLVM"),
        (
            &["test", "examples/rust/flag.rs", "--spec", "nothing"],
            "## Specifications and models",
        ),
        (
            &["test", "examples/rust/flag.rs", "--client", "give"],
            "## A client that cannot be understood",
        ),
        (
            &["replay", "L9:1", "examples/rust/flag.rs"],
            "## Replays and saved findings",
        ),
        (&["demo", "nothing"], "## The command line"),
    ] {
        assert!(page.contains(&format!("{section}\n")), "{section}");
        let done = run(arguments);
        assert_eq!(done.code, Some(2), "{arguments:?}: {done:?}");
        let anchor = section
            .trim_start_matches("## ")
            .to_lowercase()
            .replace(' ', "-");
        let line = format!("  more: docs/errors.md#{anchor}\n");
        assert!(done.err.ends_with(&line), "{arguments:?}: {done:?}");
    }
}
