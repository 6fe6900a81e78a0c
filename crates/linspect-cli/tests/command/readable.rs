//! What a person reads of a failure: short, the fix near the top, and only words of the source. Every entry of the zoo shows
//! the fault that is known of it, and its fixed twin none.

use crate::allowed::{Compared, compare};
use crate::linspect::{Run, command, repository};
use linspect_report::Finding;
use linspect_report::finding::Span;
use linspect_zoo::Zoo;
use std::path::Path;

/// One failing report.
struct Report {
    name: String,
    lines: Vec<String>,
    finding: Option<Finding>,
}

impl Report {
    /// What a command printed, and the finding that it saved in `folder`.
    fn of(name: &str, printed: &str, folder: &Path) -> Self {
        assert!(printed.starts_with('✗'), "{name}:\n{printed}");
        let saved = std::fs::read_dir(folder.join("linspect-out")).into_iter();
        let saved = saved.flatten().map(|file| file.expect("readable").path());
        let mut saved = saved.filter(|path| path.extension().is_some_and(|e| e == "json"));
        let text = saved
            .next()
            .map(|path| std::fs::read_to_string(path).expect("readable"));
        Self {
            name: name.into(),
            lines: printed.trim_end().lines().map(String::from).collect(),
            finding: text.map(|text| linspect_report::json::read(&text).expect("a finding")),
        }
    }

    /// The line, from 1, that says what to change or why there is nothing to.
    fn fix_line(&self) -> Option<usize> {
        let is_fix = |line: &String| line.starts_with("  fix ·") || line.starts_with("  no fix ·");
        self.lines.iter().position(is_fix).map(|at| at + 1)
    }

    /// What stands in it that no source has.
    fn foreign_words(&self) -> Vec<String> {
        let words = self.lines.iter();
        let words = words.flat_map(|line| line.split([' ', '(', ',']));
        let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        let is_foreign = |word: &&str| {
            let numbered = ["memory#", "block#"].iter();
            let mut numbered = numbered.filter_map(|mark| word.split_once(mark));
            let offset = word
                .rsplit_once('+')
                .is_some_and(|(name, rest)| name.contains(['.', '#']) && is_number(rest));
            let mangled = ["_ZN", "_RN"].iter().any(|mark| word.contains(mark));
            numbered.any(|(_, rest)| is_number(rest)) || offset || mangled
        };
        let mut foreign: Vec<String> = words.filter(is_foreign).map(String::from).collect();
        let text = self.lines.join("\n");
        let phrases = ["an address", "a pointer", "part of ", "_M_", ".poison"];
        let said = phrases.into_iter().filter(|phrase| text.contains(phrase));
        foreign.extend(said.map(String::from));
        // Rust has no word for the lock of a lock.
        let is_rust = |finding: &Finding| finding.checked.source.ends_with(".rs");
        let words = ["lock := ", "lock is "].into_iter();
        let words =
            words.filter(|word| self.finding.as_ref().is_some_and(is_rust) && text.contains(word));
        foreign.extend(words.map(String::from));
        foreign
    }

    /// Steps that are told and stand in code that is not the user's.
    fn internal_rows(&self) -> Vec<Span> {
        let steps = self
            .finding
            .iter()
            .flat_map(|finding| &finding.interleaving);
        let steps = steps.flat_map(|run| &run.steps).filter(|step| step.matters);
        let spans = steps.filter_map(|step| step.span.clone());
        let is_internal = |span: &Span| {
            let parts = [
                "/rustc/",
                "/usr/include",
                "/usr/lib",
                "crates/linspect/src",
                "linspect.h",
            ];
            parts.iter().any(|part| span.file.contains(part))
        };
        spans.filter(is_internal).collect()
    }
}

/// Runs a command in a folder of its own, on 80 columns.
fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = command(arguments);
    let done = command.current_dir(folder).env("COLUMNS", "80").output();
    let done = done.expect("it runs");
    Run {
        code: done.status.code(),
        out: String::from_utf8(done.stdout).expect("UTF-8"),
        err: String::from_utf8(done.stderr).expect("UTF-8"),
    }
}

/// All entries with `LINSPECT_LONG`, else every tenth.
fn each() -> usize {
    match std::env::var_os("LINSPECT_LONG") {
        Some(_) => 1,
        None => 10,
    }
}

/// The reports of the zoo's faults; what is right holds.
fn zoo() -> Vec<Report> {
    let zoo = Zoo::bundled().expect("the zoo is well described");
    let objects = zoo.objects.iter();
    let objects = objects.map(|o| (&o.name, o.linearizable || o.quasi == Some(true)));
    let programs = zoo.programs.iter().map(|p| (&p.name, false));
    let all: Vec<(&String, bool)> = objects.chain(programs).collect();
    let mut reports = Vec::new();
    let mut held = 0;
    let mut compared = Compared::default();
    for &(name, is_right) in all.iter().step_by(each()) {
        let folder = tempfile::tempdir().expect("a folder");
        let done = run_in(folder.path(), &["zoo", "run", name]);
        let (code, says) = match is_right {
            true => (0, "known to be right: nothing found ✓"),
            false => (1, "known fault: found ✓"),
        };
        assert_eq!(done.code, Some(code), "{name}: {}{}", done.out, done.err);
        assert!(done.err.contains(says), "{name}: {}", done.err);
        match is_right {
            true => held += 1,
            false => reports.push(Report::of(name, &done.out, folder.path())),
        }
        let finding = reports.last().and_then(|report| report.finding.as_ref());
        if let (false, Some(object), Some(finding)) = (is_right, zoo.object(name), finding) {
            let Compared { sets, sentences } = compare(name, finding, &object.spec);
            compared.sets += sets;
            compared.sentences += sentences;
        }
    }
    println!("zoo: {} show their fault, {held} hold", reports.len());
    println!("brute force agrees: {compared:?}");
    assert!(compared.sets * 4 > reports.len(), "{compared:?}");
    assert!(compared.sentences * 10 > reports.len(), "{compared:?}");
    reports
}

/// The reports of the demonstrations and of the examples that are wrong.
fn others() -> Vec<Report> {
    let demos = ["lock-free-list", "queue", "stack", "list-size", "history"];
    let demos = demos.map(|name| vec!["demo".to_owned(), name.to_owned()]);
    let examples = [
        "c/stack.c",
        "c/accounts.c",
        "c/stripes.cpp",
        "c/deque.c",
        "rust/flag.rs",
        "rust/cache.rs",
        "programs/counter.c",
    ];
    let examples = examples.map(|file| {
        let path = repository().join("examples").join(file);
        let path = path.canonicalize().expect("an example");
        vec!["test".to_owned(), path.to_str().expect("UTF-8").to_owned()]
    });
    let report = |typed: &Vec<String>| {
        let folder = tempfile::tempdir().expect("a folder");
        let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
        let done = run_in(folder.path(), &typed);
        Report::of(typed[1], &done.out, folder.path())
    };
    demos.iter().chain(&examples).map(report).collect()
}

#[test]
fn failing_reports_are_short_and_speak_of_the_source() {
    let mut reports = zoo();
    reports.extend(others());
    let mut counts: Vec<usize> = reports.iter().map(|report| report.lines.len()).collect();
    counts.sort_unstable();
    let (median, most) = (counts[counts.len() / 2], counts[counts.len() - 1]);
    println!(
        "{} reports: median {median} lines, at most {most}",
        counts.len()
    );
    assert!(counts.len() >= 15, "{counts:?}");
    assert!(median <= 22, "{counts:?}");
    assert!(most <= 40, "{counts:?}");
    let mut fixes = 0;
    for report in &reports {
        let (name, text) = (&report.name, report.lines.join("\n"));
        assert_eq!(
            report.foreign_words(),
            Vec::<String>::new(),
            "{name}:\n{text}"
        );
        let internal = report.internal_rows();
        assert_eq!(internal, Vec::<Span>::new(), "{name}:\n{text}");
        // A history has no code to change.
        if report.finding.is_some() {
            fixes += 1;
            let fix = report.fix_line();
            assert!(
                fix.is_some_and(|line| line <= 20),
                "{name}: {fix:?}\n{text}"
            );
        }
    }
    assert_eq!(
        fixes,
        reports.len() - 1,
        "all but the history of the demonstration"
    );
}
