//! The documents: every link leads somewhere, every page of `docs` is in the table of contents, the first test goes as it says, and the pictures are current.

use crate::linspect::{repository, run};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// The fragments of a page. Of equal headings the second gets `-1`, the third `-2`.
fn fragments(text: &str) -> BTreeSet<String> {
    let mut code = false;
    let mut fragments = BTreeSet::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        } else if !code && line.starts_with('#') {
            let first = fragment(line);
            let numbered = (1..).map(|n| format!("{first}-{n}"));
            let mut names = std::iter::once(first.clone()).chain(numbered);
            let free = names.find(|name| !fragments.contains(name));
            fragments.extend(free);
        }
    }
    fragments
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

/// The book has what is in `docs` and nothing else.
#[test]
fn links_of_the_book_stay_in_the_book() {
    let mut leaving = Vec::new();
    for page in pages(&repository().join("docs")) {
        let text = fs::read_to_string(&page).expect("a text");
        let out = links(&text).into_iter().filter(|l| l.starts_with(".."));
        leaving.extend(out.map(|link| format!("{}: {link}", page.display())));
    }
    assert_eq!(leaving, Vec::<String>::new());
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

/// The report below the command in a page.
fn report_in<'a>(page: &'a str, command: &str) -> &'a str {
    let (_, rest) = page.split_once(command).expect(command);
    rest.split_once("\n```").expect("the end of a block").0
}

/// `docs/pictures` makes them anew.
#[test]
fn the_pictures_are_current() {
    let root = repository();
    let read = |path: &str| fs::read_to_string(root.join(path)).expect(path);
    let noted = read("docs/images/flag.txt");
    let (digest, report) = noted.split_once('\n').expect("a digest and a report");
    let mut assets = Sha256::new();
    for name in ["history.js", "layout.js", "page.js", "report.css", "run.js"] {
        assets.update(read(&format!(
            "crates/linspect-report/src/html/assets/{name}"
        )));
    }
    let assets: String = assets
        .finalize()
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    assert_eq!(digest, assets, "the page has changed: run docs/pictures");
    // What the README quotes is compared with what is said elsewhere.
    let quoted = read("README.md");
    let quoted = report_in(&quoted, "$ linspect test flag.rs\n");
    assert_eq!(report.trim_end(), quoted, "run docs/pictures");

    let folder = tempfile::tempdir().expect("a temporary directory");
    let drawn = Command::new(root.join("docs/pictures"))
        .arg("--drawings")
        .arg(folder.path())
        .status();
    assert!(drawn.expect("bash").success());
    let mut drawings = 0;
    for entry in fs::read_dir(folder.path()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        let now = fs::read_to_string(&path).expect("a drawing");
        assert_eq!(
            now,
            read(&format!("docs/images/{name}")),
            "{name}: run docs/pictures"
        );
        drawings += 1;
    }
    assert!(drawings > 3);
}

#[test]
fn the_workflow_is_the_one_that_is_written() {
    let root = repository();
    let page = fs::read_to_string(root.join("docs/ci.md")).expect("a page");
    let workflow = root.join("crates/linspect-cli/src/cargo/init/workflow.yml");
    assert!(page.contains(&fs::read_to_string(workflow).expect("a workflow")));
}

/// The README's fix of one line is one.
#[test]
fn the_fix_of_the_readme_is_one() {
    let readme = fs::read_to_string(repository().join("README.md")).expect("the README");
    let fix = "!self.0.swap(true, Ordering::SeqCst)";
    assert!(readme.contains(&format!(
        "The fix is one line: `{fix}` in place of lines 8 to 12"
    )));
    let code = report_in(&readme, "```rust\n");
    let lines: Vec<&str> = code.lines().collect();
    let mended = [&lines[..7], &[fix], &lines[12..]].concat().join("\n");
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("flag.rs");
    fs::write(&file, mended).expect("a writable folder");
    let out = folder.path().join("out");
    let path = |p: &Path| p.to_str().expect("UTF-8").to_owned();
    let done = run(&[
        "test",
        &path(&file),
        "--max-operations",
        "3",
        "--out",
        &path(&out),
    ]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
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
fn the_first_tests_go_as_their_pages_say() {
    let pages = ["first-rust", "first-c", "first-cpp"];
    let pages = pages.map(|page| repository().join(format!("docs/{page}.md")));
    let page = pages.map(|page| fs::read_to_string(page).expect("a page"));
    let page = page.concat();
    let folder = tempfile::tempdir().expect("a temporary directory");
    let out = folder.path().join("out");
    let options = [
        "--max-operations",
        "3",
        "--out",
        out.to_str().expect("UTF-8"),
    ];
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
