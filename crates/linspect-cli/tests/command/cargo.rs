//! `cargo linspect` in packages: what it finds, what it says, and what it tells the shell.

use crate::linspect::{Run, repository, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs `cargo linspect` in `folder`.
pub(crate) fn cargo_linspect(folder: &Path, arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-linspect"))
        // As cargo calls it.
        .arg("linspect")
        .args(arguments)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env("COLUMNS", "400")
        .env("CARGO_TERM_QUIET", "true")
        .stdin(Stdio::null())
        .output()
        .expect("the command starts");
    Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("output is UTF-8"),
    }
}

/// A package with these files, beside a manifest.
pub(crate) fn package(name: &str, files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let library = repository().join("crates/linspect");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dev-dependencies]\nlinspect = {{ path = {library:?} }}\n\n[workspace]\n"
    );
    write(folder.path(), "Cargo.toml", &manifest);
    for (path, text) in files {
        write(folder.path(), path, text);
    }
    folder
}

pub(crate) fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// The lines that say how something went, without the time.
pub(crate) fn lines(run: &Run) -> Vec<String> {
    let statuses = ["PASS", "FAIL", "UNKNOWN", "ERROR"];
    run.out
        .lines()
        .filter(|l| l.starts_with("  "))
        .filter_map(|l| l.trim_start().split_once(" ["))
        .filter(|(status, _)| statuses.contains(status))
        .filter_map(|(status, rest)| Some(format!("{status} {}", rest.split_once("] ")?.1)))
        .collect()
}

const FLAGS: &str = r#"
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

pub struct Flag(AtomicBool);

impl Flag {
    pub fn new() -> Self {
        Self(AtomicBool::new(false))
    }
    pub fn take(&self) -> bool {
        !self.0.swap(true, SeqCst)
    }
    pub fn take_slowly(&self) -> bool {
        if self.0.load(SeqCst) {
            return false;
        }
        self.0.store(true, SeqCst);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    linspect::harness! {
        flag: Flag = Flag::new();

        fn take(&self) -> bool;
    }

    #[test]
    fn one_of_two_takes_it() {
        let flag = Flag::new();
        let (a, b) = thread::scope(|s| {
            let other = s.spawn(|| flag.take());
            (flag.take(), other.join().unwrap())
        });
        assert!(a != b);
    }

    #[test]
    fn alone() {
        assert!(Flag::new().take());
    }

    #[test]
    #[should_panic]
    fn panics() {
        thread::spawn(|| panic!("on purpose")).join().unwrap();
    }

    #[test]
    #[ignore = "slow"]
    fn ignored() {
        thread::spawn(|| ()).join().unwrap();
    }
}
"#;

const SLOW: &str = r#"
use flags::Flag;
use std::thread;

linspect::harness! {
    slow_flag: Flag = Flag::new();

    fn take(&self) -> bool => slow_flag.take_slowly();
}

#[test]
fn one_of_two_takes_it_slowly() {
    let flag = Flag::new();
    let (a, b) = thread::scope(|s| {
        let other = s.spawn(|| flag.take_slowly());
        (flag.take_slowly(), other.join().unwrap())
    });
    assert!(a != b, "both took it");
}
"#;

#[test]
fn harnesses_and_threaded_tests_are_found_and_run() {
    let folder = package("flags", &[("src/lib.rs", FLAGS), ("tests/slow.rs", SLOW)]);
    let all = cargo_linspect(folder.path(), &[]);
    assert_eq!(all.code, Some(100), "{all:?}");
    let exhausted = "SC, allocator reuse and fresh";
    let said = lines(&all);
    assert_eq!(said.len(), 4, "{all:?}");
    assert!(
        said[0].starts_with("PASS flags tests::flag · LINEARIZABLE (")
            && said[0].ends_with(exhausted)
    );
    assert!(
        said[1].starts_with("PASS flags tests::one_of_two_takes_it · "),
        "{said:?}"
    );
    assert!(
        said[2].starts_with("FAIL flags::slow slow_flag · NOT LINEARIZABLE ("),
        "{said:?}"
    );
    assert!(
        said[3].starts_with("FAIL flags::slow one_of_two_takes_it_slowly · "),
        "{said:?}"
    );
    // The line of the fault, in the library that the test was linked with.
    assert!(all.out.contains("lib.rs:14–17"), "{}", all.out);
    assert!(all.out.contains("both took it"), "{}", all.out);
    for part in [
        "Starting 2 harnesses and 2 threaded tests",
        "Left out tests: 1 without threads, 1 with #[should_panic]; `cargo test` runs them",
        "4 run: 2 passed, 2 failed",
    ] {
        assert!(all.err.contains(part), "{part}\n{}", all.err);
    }
    let report = folder
        .path()
        .join("target/linspect/reports/flags--slow-slow_flag.html");
    assert!(report.exists(), "{}", all.err);
    // The last lines say what is violated, where to change it and where the page is.
    let last: Vec<&str> = all.err.lines().rev().take(2).collect();
    assert!(
        last[1].starts_with("        FAIL flags::slow slow_flag · lib.rs:14–17 · ")
            && last[1].ends_with("flags--slow-slow_flag.html"),
        "{last:?}"
    );
    assert!(
        last[0].starts_with("        FAIL flags::slow one_of_two_takes_it_slowly · "),
        "{last:?}"
    );

    // One file has them all, and each has a page of its own.
    let mut written = vec!["--junit", "all.xml", "--sarif", "all.sarif"];
    written.extend(["--html", "pages"]);
    let again = cargo_linspect(folder.path(), &[&["slow"], &written[..]].concat());
    assert_eq!(again.code, Some(100), "{again:?}");
    let suite = fs::read_to_string(folder.path().join("all.xml")).expect("JUnit");
    for part in [
        "<testsuite name=\"linspect\" tests=\"2\" failures=\"2\" errors=\"0\" time=\"",
        "<testcase classname=\"flags::slow\" name=\"slow_flag\" time=\"",
        "<testcase classname=\"flags::slow\" name=\"one_of_two_takes_it_slowly\" time=\"",
    ] {
        assert!(suite.contains(part), "{part}\n{suite}");
    }
    let log = fs::read_to_string(folder.path().join("all.sarif")).expect("SARIF");
    let log: serde_json::Value = serde_json::from_str(&log).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 2, "{log}");
    for page in ["slow_flag", "one_of_two_takes_it_slowly"] {
        let page = format!("pages/flags-slow-{page}.html");
        assert!(folder.path().join(&page).exists(), "{page}: {again:?}");
    }

    // A token is replayed by the same command.
    let data = fs::read_to_string(report.with_extension("json")).expect("the finding");
    let finding: serde_json::Value = serde_json::from_str(&data).expect("JSON");
    let token = finding["replay"]["token"].as_str().expect("a token");
    let again = cargo_linspect(folder.path(), &["replay", token, "slow_flag"]);
    assert_eq!(again.code, Some(100), "{again:?}");
    assert!(again.out.contains("NOT LINEARIZABLE"), "{}", again.out);

    // Filters, and what else the shell is told.
    let good = cargo_linspect(folder.path(), &["tests::"]);
    assert_eq!((good.code, lines(&good).len()), (Some(0), 2), "{good:?}");
    let none = cargo_linspect(folder.path(), &["unicorn"]);
    assert_eq!(none.code, Some(4), "{none:?}");
    let listed = cargo_linspect(folder.path(), &["--list", "--test", "slow"]);
    assert_eq!(
        listed.out,
        "flags::slow slow_flag\nflags::slow one_of_two_takes_it_slowly\n"
    );
    // Three jobs for two items: each is in one, and the third job has nothing to do.
    for (part, item) in [
        ("count:1/3", "flags::slow slow_flag\n"),
        ("count:2/3", "flags::slow one_of_two_takes_it_slowly\n"),
        ("count:3/3", ""),
    ] {
        let words = ["--list", "--test", "slow", "--partition", part];
        let listed = cargo_linspect(folder.path(), &words);
        assert_eq!((listed.code, listed.out.as_str()), (Some(0), item));
    }
    // What the jobs print is one report again: that of one job, in its order.
    let parts = ["1", "2", "3"].map(|part| {
        let partition = format!("count:{part}/3");
        let words = ["slow", "--json", "--partition", &partition];
        let run = cargo_linspect(folder.path(), &words);
        let name = format!("part-{part}.json");
        write(folder.path(), &name, &run.out);
        folder.path().join(name).display().to_string()
    });
    let place = |name: &str| folder.path().join(name).display().to_string();
    let parts = parts.iter().map(String::as_str);
    let (sarif, junit, pages) = (place("merged.sarif"), place("merged.xml"), place("merged/"));
    let forms = ["--sarif", &sarif, "--junit", &junit, "--html", &pages];
    let words: Vec<&str> = ["report"].into_iter().chain(parts).chain(forms).collect();
    let merged = run(&words);
    assert_eq!(merged.code, Some(1), "{merged:?}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!(read("merged.sarif"), read("all.sarif"));
    let untimed = |text: String| {
        let pieces = text.split(" time=\"").enumerate();
        let pieces = pieces.map(|(i, piece)| match i {
            0 => piece.to_owned(),
            _ => piece.split_once('"').expect("a value").1.to_owned(),
        });
        pieces.collect::<String>()
    };
    assert_eq!(untimed(read("merged.xml")), untimed(read("all.xml")));
    for page in ["slow_flag", "one_of_two_takes_it_slowly"] {
        let page = format!("flags-slow-{page}.html");
        assert_eq!(
            read(&format!("merged/{page}")),
            read(&format!("pages/{page}"))
        );
    }
    write(folder.path(), "src/lib.rs", "pub fn broken( {}\n");
    let broken = cargo_linspect(folder.path(), &[]);
    assert_eq!(broken.code, Some(101), "{broken:?}");
    let nowhere = cargo_linspect(Path::new("/"), &[]);
    assert_eq!(nowhere.code, Some(2), "{nowhere:?}");
}

/// A fresh package, `init`, and then both `cargo linspect` and `cargo test` do something sensible.
#[test]
fn init_makes_a_package_that_passes() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    write(
        folder.path(),
        "Cargo.toml",
        "[package]\nname = \"fresh\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\n[workspace]\n",
    );
    write(folder.path(), "src/lib.rs", "");
    let init = cargo_linspect(folder.path(), &["init"]);
    assert_eq!(init.code, Some(0), "{init:?}");
    for file in [
        "tests/linspect.rs",
        "vendor/linspect/src/lib.rs",
        ".github/workflows/linspect.yml",
    ] {
        assert!(folder.path().join(file).exists(), "{file}: {init:?}");
    }
    let workflow = folder.path().join(".github/workflows/linspect.yml");
    let workflow = fs::read_to_string(workflow).expect("a workflow");
    for part in [
        "cargo linspect --workspace --sarif linspect.sarif --junit linspect.xml",
        "github/codeql-action/upload-sarif@v3",
        "sarif_file: linspect.sarif",
        "security-events: write",
        "linspect.xml",
    ] {
        assert!(workflow.contains(part), "{workflow}");
    }
    // The command of the workflow writes what the workflow uploads.
    let typed = workflow
        .lines()
        .find_map(|l| l.split_once("cargo linspect --workspace "));
    let typed: Vec<&str> = typed.expect("a command").1.split(' ').collect();
    let ran = cargo_linspect(folder.path(), &typed);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for file in ["linspect.sarif", "linspect.xml"] {
        assert!(folder.path().join(file).exists(), "{file}: {ran:?}");
    }
    assert!(lines(&ran)[0].starts_with("PASS fresh::linspect mailbox"));
    assert!(ran.out.contains("LINEARIZABLE ("), "{ran:?}");
    // In parts, there is a job for each of them, and one that reports all.
    let path = folder.path().join(".github/workflows/linspect.yml");
    fs::remove_file(&path).expect("a workflow");
    let parts = cargo_linspect(folder.path(), &["init", "--parts", "12"]);
    assert_eq!(parts.code, Some(0), "{parts:?}");
    let workflow = fs::read_to_string(&path).expect("a workflow");
    for part in [
        "part: [\"01\", \"02\", ",
        "\"11\", \"12\"]",
        "--partition count:${{ matrix.part }}/12 --json > linspect-${{ matrix.part }}.json",
        "linspect report linspect-*.json --sarif linspect.sarif",
    ] {
        assert!(workflow.contains(part), "{part}\n{workflow}");
    }
    let again = cargo_linspect(folder.path(), &["init"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.err.contains("Kept tests/linspect.rs"), "{again:?}");
    let plain = Command::new("cargo")
        .args(["test", "--quiet", "--test", "linspect"])
        .current_dir(folder.path())
        .output()
        .expect("cargo starts");
    assert!(plain.status.success(), "{plain:?}");
    assert!(
        String::from_utf8_lossy(&plain.stdout).contains("1 passed"),
        "{plain:?}"
    );
}

/// Faults in generic, inlined code are found and named by their line.
#[test]
fn seeded_faults_are_diagnosed() {
    let package = repository().join("examples/seeded");
    let out = tempfile::tempdir().expect("a temporary directory");
    let out = out.path().to_str().expect("UTF-8");
    let run = cargo_linspect(&package, &["--out", out]);
    assert_eq!(run.code, Some(100), "{run:?}");
    assert_eq!(lines(&run).len(), 3, "{run:?}");
    // Each is the object of its own harness, though all are one program.
    for headline in ["· Once, as it", "· Ring, as it", "· Stack, as a"] {
        assert!(run.out.contains(headline), "{headline}: {run:?}");
    }
    for name in ["once", "ring", "stack"] {
        let (line, text) = fault(&package.join(format!("src/{name}.rs")));
        let data = PathBuf::from(out).join(format!("seeded--harness-{name}.json"));
        let finding = fs::read_to_string(&data).unwrap_or_else(|e| panic!("{name}: {e}\n{run:?}"));
        let finding: serde_json::Value = serde_json::from_str(&finding).expect("JSON");
        let races = finding["races"].to_string();
        let place = format!("src/{name}.rs");
        assert!(
            names_line(&finding["races"], &place, line),
            "{name}: no race is at {place}:{line} ({text}): {races}"
        );
    }
}

/// Crates of the registry, as they are, hold for the smallest clients: the queues in everyday runs, all in long ones.
#[test]
fn crates_of_the_registry_hold() {
    let package = repository().join("examples/registry");
    let mut arguments = vec!["--locked", "--strategy", "bounded", "--preemptions", "1"];
    arguments.extend(["--threads", "2", "--operations", "2", "--budget", "none"]);
    let count = if std::env::var_os("LINSPECT_LONG").is_some() {
        arguments.extend([
            "arc_swap", "channels", "deque", "epoch", "locks", "maps", "queues",
        ]);
        16
    } else {
        arguments.extend(["--test", "queues"]);
        5
    };
    let run = cargo_linspect(&package, &arguments);
    assert_eq!((run.code, lines(&run).len()), (Some(0), count), "{run:?}");
}

/// What is found in published crates, by the name of its harness in `examples/found`.
const PUBLISHED_FAULTS: [(&str, &str); 25] = [
    ("ach_ring", "NOT LINEARIZABLE"),
    ("arc_rcu", "DATA RACE"),
    ("arena", "LIVELOCK"),
    ("atomic_once", "NOT LINEARIZABLE"),
    ("chash_map", "PANIC"),
    ("con_queue", "USE AFTER FREE"),
    ("con_vec", "NOT LINEARIZABLE"),
    ("conquer_once", "PANIC"),
    ("dead_queue", "NOT LINEARIZABLE"),
    ("latch", "NOT LINEARIZABLE"),
    ("lazy_cell", "NOT LINEARIZABLE"),
    ("leap_map", "READ OF UNINITIALISED MEMORY"),
    ("lock_free", "USE AFTER FREE"),
    ("lock_free_stack", "USE AFTER FREE"),
    ("lockfree_queue", "NOT LINEARIZABLE"),
    ("magnetic_queue", "DATA RACE"),
    ("mpmc_queue", "NOT LINEARIZABLE"),
    ("nolock_ncq", "NOT LINEARIZABLE"),
    ("npnc_queue", "NOT LINEARIZABLE"),
    ("one_place", "NOT LINEARIZABLE"),
    ("ring", "NOT LINEARIZABLE"),
    ("scq", "NOT LINEARIZABLE"),
    ("single", "NOT LINEARIZABLE"),
    ("skip_set", "NOT LINEARIZABLE"),
    ("thing_buf", "NOT LINEARIZABLE"),
];

/// Faults in published crates: the document names every version that is pinned, and long runs find all of them again.
#[test]
fn published_faults_are_found_again() {
    let package = repository().join("examples/found");
    let document = fs::read_to_string(repository().join("docs/found.md")).expect("the document");
    let manifest = fs::read_to_string(package.join("Cargo.toml")).expect("the manifest");
    let pinned: Vec<String> = manifest
        .lines()
        .filter_map(|l| {
            let (name, version) = l.split_once(" = ")?;
            let version = version.split_once("\"=")?.1.split('"').next()?;
            Some(format!("{name} {version}"))
        })
        .collect();
    assert!(pinned.len() > 10, "{pinned:?}");
    for crate_and_version in pinned {
        assert!(
            document.contains(&crate_and_version),
            "docs/found.md does not name {crate_and_version}"
        );
    }
    if std::env::var_os("LINSPECT_LONG").is_none() {
        return;
    }
    let out = tempfile::tempdir().expect("a temporary directory");
    let out = out.path().to_str().expect("UTF-8");
    let run = cargo_linspect(&package, &["--locked", "--budget", "5m", "--out", out]);
    assert_eq!(run.code, Some(100), "{run:?}");
    let said = lines(&run);
    assert_eq!(said.len(), PUBLISHED_FAULTS.len(), "{said:?}");
    for (line, (name, verdict)) in said.iter().zip(PUBLISHED_FAULTS) {
        let start = format!("FAIL found {name} · {verdict}");
        assert!(line.starts_with(&start), "{line:?} is not {start:?}");
    }
}

/// The line that is marked as the fault of a file.
fn fault(path: &Path) -> (u64, String) {
    let source = fs::read_to_string(path).expect("the source");
    let (at, text) = source
        .lines()
        .enumerate()
        .find(|(_, l)| l.contains("// FAULT"))
        .expect("a fault is marked");
    (at as u64 + 1, text.trim().to_owned())
}

/// Whether some span in `value` is at this line of this file.
fn names_line(value: &serde_json::Value, file: &str, line: u64) -> bool {
    match value {
        serde_json::Value::Object(fields) => {
            let is_here = fields.get("line").and_then(serde_json::Value::as_u64) == Some(line)
                && fields
                    .get("file")
                    .and_then(serde_json::Value::as_str)
                    .is_some_and(|f| f.ends_with(file));
            is_here || fields.values().any(|v| names_line(v, file, line))
        }
        serde_json::Value::Array(values) => values.iter().any(|v| names_line(v, file, line)),
        _ => false,
    }
}
