//! Invariants of ARCHITECTURE.md that no compiler holds: who may drive a machine, who may say how a run ended, who may know of whom, that a name
//! means one thing, and how long a file is.

use crate::linspect::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Who drives a machine: the runner, walks that go back to earlier states, machines around machines, and who tells a run in other steps, looking ahead.
const DRIVERS: &[&str] = &[
    "linspect-core/src/run.rs",
    "linspect-diagnose/src/localise/dag.rs",
    "linspect-diagnose/src/repair/enforce.rs",
    "linspect-explore/src/alone.rs",
    "linspect-explore/src/partial_run.rs",
    "linspect-explore/src/search/reorder.rs",
    "linspect-explore/src/search/unwritten.rs",
    "linspect-explore/src/states.rs",
    "linspect-explore/src/strategies/exhaustive.rs",
    "linspect-explore/src/strategies/graph.rs",
];

#[test]
fn only_the_runner_and_walks_drive_a_machine() {
    let drives = |line: &str| {
        ["step", "finish"].iter().any(|verb| {
            ["machine", "vm"]
                .iter()
                .any(|noun| line.contains(&format!("{noun}.{verb}(")))
        })
    };
    let drivers = users(&|text| text.lines().any(drives));
    assert_eq!(drivers, DRIVERS, "run a schedule with `linspect_core::run`");
}

/// Who names which ends of a run. `run.rs` and whoever walks without it make them; `defect.rs` alone says what is wrong, and with `single_run.rs`, which shows
/// one run as it is, it alone tells all of them apart. The others ask for one end that means something to them: how far a run came, or that it never was
/// one of its own.
const ENDS: &[(&str, &str)] = &[
    (
        "linspect-core/src/defect.rs",
        "Complete Covered Cut Deadlock Fault Livelock StepLimit Suffix",
    ),
    ("linspect-core/src/project.rs", "Suffix"),
    (
        "linspect-core/src/property.rs",
        "Complete Covered Cut StepLimit",
    ),
    (
        "linspect-core/src/run.rs",
        "Complete Cut Deadlock Fault Livelock StepLimit Suffix",
    ),
    (
        "linspect-diagnose/src/explain/lines_not_run.rs",
        "Complete Suffix",
    ),
    ("linspect-diagnose/src/localise/dag.rs", "Fault Suffix"),
    (
        "linspect-diagnose/src/localise/old_read.rs",
        "Covered Cut Fault StepLimit",
    ),
    ("linspect-diagnose/src/minimise/explorer.rs", "Cut"),
    ("linspect-engine/src/replay.rs", "Cut"),
    (
        "linspect-engine/src/single_run.rs",
        "Complete Covered Cut Deadlock Fault Livelock StepLimit Suffix",
    ),
    (
        "linspect-engine/src/tree.rs",
        "Deadlock Fault Livelock Suffix",
    ),
    ("linspect-explore/src/partial_run.rs", "Covered Fault"),
    ("linspect-explore/src/run.rs", "Cut"),
    ("linspect-explore/src/search/client.rs", "Covered Cut"),
    ("linspect-explore/src/search/confirm.rs", "Cut"),
    ("linspect-explore/src/search/cut_reads.rs", "Covered"),
    ("linspect-explore/src/search/leads.rs", "Cut"),
    ("linspect-explore/src/search/prefix.rs", "Livelock"),
    ("linspect-explore/src/search/sampled.rs", "StepLimit"),
    ("linspect-explore/src/search/tally.rs", "Covered StepLimit"),
    ("linspect-explore/src/search/watcher.rs", "Cut"),
    ("linspect-explore/src/strategies/bounded.rs", "StepLimit"),
    (
        "linspect-explore/src/strategies/exhaustive.rs",
        "Covered StepLimit",
    ),
    (
        "linspect-explore/src/strategies/graph/show.rs",
        "Covered StepLimit",
    ),
    ("linspect-explore/src/strategies/naive.rs", "StepLimit"),
    (
        "linspect-explore/src/strategies/states.rs",
        "Covered Livelock",
    ),
    ("linspect-explore/src/warm_up.rs", "Complete"),
    ("linspect-vm/src/recording.rs", "Fault Suffix"),
    ("linspect-vm/src/run.rs", "Cut StepLimit"),
];

#[test]
fn only_the_classifier_says_what_an_end_means() {
    let mut found = Vec::new();
    for (path, text) in sources() {
        let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
        let code: String = code.flat_map(|l| [l, "\n"]).collect();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut ends = BTreeSet::new();
        for (at, prefix) in code.match_indices("End::") {
            if !code[..at].ends_with(is_word) && !code[..at].ends_with("Until::") {
                let rest = &code[at + prefix.len()..];
                ends.insert(rest.split(|c| !is_word(c)).next().unwrap_or_default());
            }
        }
        if !ends.is_empty() {
            found.push((path, ends.into_iter().collect::<Vec<_>>().join(" ")));
        }
    }
    let expected = ENDS.iter().map(|(p, e)| ((*p).to_owned(), (*e).to_owned()));
    let expected: Vec<_> = expected.collect();
    assert_eq!(found, expected, "ask `linspect_core::defect`");
}

/// Which crates of ours each one is built with. No analysis knows the report, and the command line knows no analysis.
const KNOWS: &[(&str, &[&str])] = &[
    ("linspect", &["linspect-macros"]),
    (
        "linspect-bench",
        &[
            "linspect-core",
            "linspect-diagnose",
            "linspect-engine",
            "linspect-explore",
            "linspect-report",
            "linspect-testkit",
            "linspect-vm",
            "linspect-zoo",
        ],
    ),
    (
        "linspect-cli",
        &[
            "linspect",
            "linspect-core",
            "linspect-engine",
            "linspect-format",
            "linspect-report",
            "linspect-zoo",
        ],
    ),
    ("linspect-core", &[]),
    ("linspect-diagnose", &["linspect-core", "linspect-explore"]),
    (
        "linspect-engine",
        &[
            "linspect-core",
            "linspect-diagnose",
            "linspect-explore",
            "linspect-format",
            "linspect-report",
            "linspect-vm",
        ],
    ),
    ("linspect-explore", &["linspect-core"]),
    ("linspect-format", &["linspect-core"]),
    ("linspect-loom", &[]),
    ("linspect-macros", &[]),
    ("linspect-report", &["linspect-core"]),
    ("linspect-testkit", &[]),
    ("linspect-toy", &["linspect-core"]),
    (
        "linspect-vm",
        &["linspect", "linspect-core", "linspect-loom"],
    ),
    ("linspect-zoo", &["linspect-core"]),
];

#[test]
fn each_part_knows_only_what_it_should() {
    let mut found = BTreeMap::new();
    for package in entries(&repository().join("crates")) {
        let manifest = std::fs::read_to_string(package.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let name = package.file_name().unwrap().to_str().unwrap().to_owned();
        let known = manifest.get("dependencies").and_then(|d| d.as_table());
        let known = known.into_iter().flat_map(|d| d.keys().cloned());
        let ours: BTreeSet<String> = known.filter(|n| n.starts_with("linspect")).collect();
        found.insert(name, ours);
    }
    let expected = KNOWS.iter().map(|(name, known)| {
        let known = known.iter().map(ToString::to_string).collect();
        ((*name).to_owned(), known)
    });
    assert_eq!(found, expected.collect());
}

/// The engine knows no command line, prints nothing and ends nothing.
#[test]
fn the_engine_leaves_the_terminal_alone() {
    let engine = users(&|text| {
        let forbidden = [
            "println!",
            "eprintln!",
            "clap::",
            "process::exit",
            "ExitCode",
        ];
        let mut code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
        code.any(|line| forbidden.iter().any(|word| line.contains(word)))
    });
    let engine = engine.iter().filter(|f| f.starts_with("linspect-engine/"));
    assert_eq!(engine.collect::<Vec<_>>(), Vec::<&String>::new());
}

/// What the pipeline knows of reports: the finding as a whole, what is checked, and the verdict. Their parts are made in `finding/`.
const WHOLE: &[&str] = &["Checked", "Finding", "Verdict", "neutral"];

#[test]
fn only_one_place_of_the_engine_makes_report_types() {
    let mut found = Vec::new();
    let mut imports = 0;
    for (path, text) in sources() {
        if !path.starts_with("linspect-engine/src/") {
            continue;
        }
        for rest in text.split("linspect_report::").skip(1) {
            imports += 1;
            let end = rest.find([';', '(']).unwrap_or(rest.len());
            let names = rest[..end].trim_start_matches("finding::");
            let mut names = names.trim_matches(['{', '}']).split(',').map(str::trim);
            let is_part = |name: &str| !name.is_empty() && !WHOLE.contains(&name);
            if names.any(is_part) && !path.starts_with("linspect-engine/src/finding/") {
                found.push(format!("{path}: {}", &rest[..end]));
            }
        }
    }
    assert!(imports > 10, "only {imports} imports were looked at");
    assert!(found.is_empty(), "belongs to finding/: {found:#?}");
}

/// Names of public types that mean different things in different places, and in how many. Shorten it; do not make it longer.
const SAME_NAME: &[(&str, usize)] = &[
    ("Cell", 2),
    ("Effect", 2),
    ("Kind", 3),
    ("Operand", 2),
    ("Options", 5),
    ("Site", 2),
];

/// One public type name, one meaning. What `linspect_report::finding` calls like its original is the same thing in the form that is saved; the testkit is a
/// second opinion and has a language of its own, and so has the toy machine; the names in `linspect-loom` are loom's.
#[test]
fn one_public_type_name_has_one_meaning() {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in sources() {
        let apart = [
            "linspect-loom/",
            "linspect-testkit/",
            "linspect-toy/",
            "linspect-report/src/finding/",
        ];
        if apart.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        for name in text.lines().filter_map(public_type) {
            found
                .entry(name.to_owned())
                .or_default()
                .insert(path.clone());
        }
    }
    found.retain(|_, places| places.len() > 1);
    let counts = found
        .iter()
        .map(|(name, places)| (name.as_str(), places.len()));
    let counts: Vec<(&str, usize)> = counts.collect();
    assert_eq!(counts, SAME_NAME, "find names of their own in {found:#?}");
}

/// How many lines a file has at most, tests among them.
const LINES: usize = 600;

/// A file has one job: whoever needs more lines has two.
#[test]
fn no_file_is_too_long() {
    let mut long = Vec::new();
    let mut files = 0;
    visit(&repository(), &mut |path, text| {
        files += 1;
        if text.lines().count() > LINES {
            long.push(path.to_owned());
        }
    });
    assert!(files > 500, "only {files} files were looked at");
    assert!(long.is_empty(), "more than {LINES} lines: {long:#?}");
}

/// The code map names every crate, and what is said to be somewhere is there.
#[test]
fn the_documents_know_the_code() {
    let read = |name| std::fs::read_to_string(repository().join(name)).unwrap();
    let (map, guide) = (read("ARCHITECTURE.md"), read("CONTRIBUTING.md"));
    for package in entries(&repository().join("crates")) {
        let name = package.file_name().unwrap().to_str().unwrap();
        let entry = format!("\n    crates/{name} ");
        assert!(map.contains(&entry), "{name} is not in the code map");
    }
    let mut paths = 0;
    for text in [&map, &guide] {
        for rest in text.split("crates/").skip(1) {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || "-_./".contains(c)));
            let path = rest[..end.unwrap_or(rest.len())].trim_end_matches('.');
            paths += 1;
            assert!(
                repository().join("crates").join(path).exists(),
                "crates/{path} is not there"
            );
        }
    }
    assert!(paths > 20, "only {paths} paths were looked at");
}

/// The type that a line defines for everybody.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let (kind, rest) = rest.split_once(' ')?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    ["struct", "enum", "trait", "type"]
        .contains(&kind)
        .then(|| &rest[..end])
}

/// The source files, without their unit tests, whose text `uses` something.
fn users(uses: &dyn Fn(&str) -> bool) -> Vec<String> {
    let using = sources().into_iter().filter(|(_, text)| uses(text));
    using.map(|(path, _)| path).collect()
}

/// Every source file of every crate by its path, without its unit tests.
fn sources() -> BTreeMap<String, String> {
    let crates = repository().join("crates");
    let mut found = BTreeMap::new();
    for package in entries(&crates) {
        visit(&package.join("src"), &mut |path, text| {
            let name = path.strip_prefix(&crates).unwrap().to_str().unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            found.insert(name.to_owned(), code.to_owned());
        });
    }
    found
}

/// Shows every source file under `folder` and its text; what was built, and what is hidden, is left out.
fn visit(folder: &Path, each: &mut dyn FnMut(&Path, &str)) {
    for path in entries(folder) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if name == "target" || name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            visit(&path, each);
        } else if path.extension().is_some_and(|e| e == "rs") {
            each(&path, &std::fs::read_to_string(&path).unwrap());
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}
