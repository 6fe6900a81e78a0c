//! The documents: every link leads somewhere, every page of `docs` is in the table of contents, and the first test goes as it says.

use crate::linspect::{repository, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The Markdown files of a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.sort();
    pages
}

/// The text outside code.
fn prose(text: &str) -> String {
    let mut code = false;
    let mut out = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        } else if !code {
            for (i, part) in line.split('`').enumerate() {
                out.push_str(if i % 2 == 0 { part } else { "_" });
            }
            out.push('\n');
        }
    }
    out
}

/// The targets of `[text](target)`.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let after = prose.split("](").skip(1);
    after
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target.to_owned())
        .collect()
}

/// A heading as the fragment of an address, the way GitHub and mdBook make it.
fn fragment(heading: &str) -> String {
    heading
        .trim_start_matches('#')
        .trim()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| match c {
            ' ' => '-',
            c => c.to_ascii_lowercase(),
        })
        .collect()
}

fn fragments(text: &str) -> BTreeSet<String> {
    let mut code = false;
    let is_heading = |line: &&str| {
        if line.trim_start().starts_with("```") {
            code = !code;
        }
        !code && line.starts_with('#')
    };
    text.lines().filter(is_heading).map(fragment).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let root = repository();
    let mut broken = Vec::new();
    let mut seen = 0;
    for page in ["", "docs", "examples"]
        .map(|f| pages(&root.join(f)))
        .concat()
    {
        let text = fs::read_to_string(&page).expect("a text");
        for target in links(&text) {
            if target.contains("://") {
                continue;
            }
            seen += 1;
            let (path, anchor) = match target.split_once('#') {
                Some((path, anchor)) => (path, Some(anchor)),
                None => (target.as_str(), None),
            };
            let file = match path {
                "" => page.clone(),
                _ => page.parent().expect("a folder").join(path),
            };
            let leads = match anchor {
                _ if !file.exists() => false,
                Some(anchor) => {
                    let there = fs::read_to_string(&file).unwrap_or_default();
                    fragments(&there).contains(anchor)
                }
                None => true,
            };
            if !leads {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(seen > 50, "only {seen} links were found");
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let docs = repository().join("docs");
    let contents = fs::read_to_string(docs.join("SUMMARY.md")).expect("a table of contents");
    let listed: BTreeSet<String> = links(&contents).into_iter().collect();
    let name = |page: PathBuf| page.file_name().map(|n| n.to_string_lossy().into_owned());
    let there: BTreeSet<String> = pages(&docs).into_iter().filter_map(name).collect();
    let missing: Vec<&String> = there
        .difference(&listed)
        .filter(|n| *n != "SUMMARY.md")
        .collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}

/// The objects of the first test, what is said of them, and what the page says must be changed in them.
const FIRST: [(&str, &str, &str, &str); 3] = [
    (
        "tickets.rs",
        "NOT LINEARIZABLE",
        "        let next = self.0.load(Ordering::SeqCst);
        self.0.store(next + 1, Ordering::SeqCst);
        next
",
        "        self.0.fetch_add(1, Ordering::SeqCst)
",
    ),
    (
        "slot.c",
        "NOT LINEARIZABLE",
        "    if (atomic_load(&slot) != 0)
        return 0;
    atomic_store(&slot, value);
    return 1;
",
        "    int nothing = 0;
    return atomic_compare_exchange_strong(&slot, &nothing, value);
",
    ),
    (
        "stack.cpp",
        "ASSERTION FAILED",
        "        if (empty())
            return -1;
        std::lock_guard<std::mutex> guard(mutex);
",
        "        std::lock_guard<std::mutex> guard(mutex);
        if (values.empty())
            return -1;
",
    ),
];

#[test]
fn the_first_test_goes_as_the_page_says() {
    let page = fs::read_to_string(repository().join("docs/first-test.md")).expect("a page");
    let folder = tempfile::tempdir().expect("a temporary directory");
    let out = folder.path().join("out");
    let options = ["--operations", "3", "--out", out.to_str().expect("UTF-8")];
    for (name, said, wrong, right) in FIRST {
        let file = repository().join("examples/first").join(name);
        let text = fs::read_to_string(&file).expect("an example");
        assert!(page.contains(&text), "{name} is not what the page shows");
        let test = |file: &Path| {
            let file = file.to_str().expect("UTF-8");
            run(&[&["test", file], &options[..]].concat())
        };
        let found = test(&file);
        assert_eq!(found.code, Some(1), "{name}: {}{}", found.out, found.err);
        assert!(found.out.contains(said), "{name}: {}", found.out);
        assert!(text.contains(wrong), "{name}");
        let mended = folder.path().join(name);
        fs::write(&mended, text.replace(wrong, right)).expect("a writable folder");
        let holds = test(&mended);
        assert_eq!(holds.code, Some(0), "{name}: {}{}", holds.out, holds.err);
    }
}
