//! Runs one object of the zoo for one table.

use super::row::Row;
use crate::failure::Failure;
use crate::limits::Limits;
use linspect_core::check::visit_relaxed;
use linspect_core::client::Client;
use linspect_core::execution::SiteId;
use linspect_core::machine::Subject;
use linspect_core::property::Linearizable;
use linspect_core::spec::{Erased, Spec, Visitor};
use linspect_diagnose::localise::{Localisation, localise};
use linspect_diagnose::repair::{self, Diagnosis, repair};
use linspect_explore::search::{Coverage, Kind, Plan, SearchError, explore};
use linspect_vm::frontend::{Source, load};
use linspect_vm::{Code, Settings};
use linspect_zoo::{Case, Figure, Object, Paper, Section};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long one row may take.
const ROW: Duration = Duration::from_secs(20);

/// States that localisation looks at.
const STATES: usize = 500_000;

/// The rows of `object` in the tables of `paper`.
pub(super) fn of(object: &Object, paper: Paper, folder: &Path) -> Result<Vec<Row>, Failure> {
    let files = object.harness.iter().chain(&object.files);
    let source = Source {
        // A Rust harness names the object's file itself.
        files: files
            .filter(|f| !f.starts_with("rust/src/"))
            .map(|f| folder.join(f))
            .collect(),
        ..Source::default()
    };
    let program = load(&source).map_err(|error| Failure::Load(Box::new(error)))?;
    let code = Code::new(program, Settings::default()).map_err(Failure::Harness)?;
    let mut rows = Vec::new();
    for case in &object.cases {
        let client = case
            .client(code.operations())
            .map_err(|error| Failure::Usage {
                message: format!("{}: {error}", object.name),
                help: "correct the zoo's description",
            })?;
        let bench = Bench {
            object,
            case,
            client: &client,
            code: &code,
            folder,
        };
        match paper {
            Paper::Fgvt if !case.linearizable => rows.push(object.spec.visit(Races(&bench))),
            Paper::Rc if !case.linearizable => rows.push(object.spec.visit(Sections(&bench))),
            _ => rows.extend(bench.verdicts()?),
        }
    }
    Ok(rows)
}

struct Bench<'a> {
    object: &'a Object,
    case: &'a Case,
    client: &'a Client,
    code: &'a Code,
    folder: &'a Path,
}

impl Bench<'_> {
    fn row(&self, theirs: String, ours: String, reached: bool, start: Instant) -> Row {
        Row {
            name: self.case.row.clone(),
            object: self.object.name.clone(),
            theirs,
            ours,
            reached,
            time: start.elapsed(),
        }
    }

    /// The verdict, and for a relaxed object the relaxed one, too.
    fn verdicts(&self) -> Result<Vec<Row>, Failure> {
        let mut rows =
            vec![
                self.object
                    .spec
                    .visit(Holds(self, "linearizable", self.case.linearizable)),
            ];
        if let (Some(k), Some(expected)) = (self.object.k, self.case.quasi) {
            let name = format!("{k}-quasi-linearizable");
            rows.extend(visit_relaxed(
                &self.object.spec,
                k,
                Holds(self, &name, expected),
            ));
        }
        Ok(rows)
    }

    /// Lines of the user's code, as (file, line).
    fn line(&self, site: SiteId) -> (String, u32) {
        let site = self.code.user_site(site);
        let prefix = format!("{}/", self.folder.display());
        (site.file.trim_start_matches(&prefix).to_owned(), site.line)
    }
}

/// Whether every execution of the client is good.
struct Holds<'a>(&'a Bench<'a>, &'a str, bool);

impl Visitor for Holds<'_> {
    type Output = Row;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Row
    where
        S::State: Send,
        S::Call: Send,
    {
        let Self(bench, name, expected) = self;
        let start = Instant::now();
        let erased = Erased::new(spec);
        let say = |holds: bool| format!("{}{name}", if holds { "" } else { "not " });
        let found = Linearizable::new(&erased, bench.client, bench.code.operations())
            .map_err(SearchError::from)
            .and_then(|property| {
                let limits = Limits::start(Some(ROW), usize::MAX);
                explore(
                    bench.code,
                    bench.client.clone(),
                    property,
                    &Plan::exhaustive(),
                    &limits,
                    &|_, _| {},
                )
            });
        let (ours, reached) = match found {
            Err(error) => (error.to_string(), false),
            Ok(explored) => {
                let bad = explored.found.iter().find(|f| f.kind.is_error());
                let executions = explored.coverage.executions();
                match (bad.map(|f| &f.kind), &explored.coverage) {
                    (Some(Kind::Violation), _) => (
                        format!("{}, {executions} executions", say(false)),
                        !expected,
                    ),
                    (Some(other), _) => (format!("{other:?}"), false),
                    (None, Coverage::Exhausted { .. }) => (
                        format!("{}, exhausted {executions} executions", say(true)),
                        expected,
                    ),
                    (None, coverage) => (format!("unknown: {coverage:?}"), false),
                }
            }
        };
        bench.row(say(expected), ours, reached, start)
    }
}

/// The decisive races of the client.
struct Races<'a>(&'a Bench<'a>);

impl Visitor for Races<'_> {
    type Output = Row;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Row
    where
        S::State: Send,
        S::Call: Send,
    {
        let Self(bench) = self;
        let start = Instant::now();
        let pattern = match bench.case.figures.get("pattern") {
            Some(Figure::Text(text)) => text.clone(),
            other => format!("{other:?}"),
        };
        let erased = Erased::new(spec);
        let property = Linearizable::new(&erased, bench.client, bench.code.operations());
        let machine = bench.code.start(bench.client);
        let (Ok(mut property), Ok(mut machine)) = (property, machine) else {
            return bench.row(pattern, "the client does not start".into(), false, start);
        };
        let Some(found) = localise(&mut machine, &mut property, STATES) else {
            return bench.row(pattern, "no bad run".into(), false, start);
        };
        let time = start.elapsed();
        let expected: BTreeSet<(String, u32)> = bench
            .object
            .decisive
            .iter()
            .map(|p| (p.file.clone(), p.line))
            .collect();
        let seen = decisive_lines(bench, &found);
        let missing: Vec<String> = expected
            .difference(&seen)
            .map(|(f, l)| format!("{f}:{l}"))
            .collect();
        let words: BTreeSet<String> = found
            .groups
            .iter()
            .map(|g| word(g.races.iter().map(|r| r.0.to_string())))
            .collect();
        let ours = format!(
            "{}{}; {} states, {} edges; lines missing: {}",
            word(found.races.iter().map(|r| r.label.to_string())),
            if words.contains(&pattern) {
                " (their word is among ours)"
            } else {
                ""
            },
            found.dag.nodes.len(),
            found.dag.edges(),
            if missing.is_empty() {
                "none".to_string()
            } else {
                missing.join(", ")
            },
        );
        let mut row = bench.row(
            pattern,
            ours,
            missing.is_empty() && found.dag.complete,
            start,
        );
        row.time = time;
        row
    }
}

fn word(labels: impl Iterator<Item = String>) -> String {
    labels.collect::<Vec<_>>().join(" ")
}

/// Lines at which some decisive race of some bad run is fought.
fn decisive_lines(bench: &Bench<'_>, found: &Localisation) -> BTreeSet<(String, u32)> {
    let shown = found.races.iter().flat_map(|r| &r.sides);
    let shown = shown.filter_map(|s| s.step.accesses.first().map(|a| a.site));
    let all = found
        .groups
        .iter()
        .flat_map(|g| g.races.iter().flat_map(|r| r.1.iter().copied()));
    shown.chain(all).map(|site| bench.line(site)).collect()
}

/// The sections that must be atomic.
struct Sections<'a>(&'a Bench<'a>);

impl Visitor for Sections<'_> {
    type Output = Row;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Row
    where
        S::State: Send,
        S::Call: Send,
    {
        let Self(bench) = self;
        let start = Instant::now();
        let show = |s: &Section| format!("{}:{}–{}", s.first.file, s.first.line, s.last.line);
        let theirs: Vec<String> = bench.object.repair.iter().map(show).collect();
        let erased = Erased::new(spec);
        let property = || {
            Linearizable::new(&erased, bench.client, bench.code.operations())
                .expect("the case fits its specification")
        };
        let diagnosis = repair(
            bench.code,
            bench.client,
            &property,
            &repair::Effort::default(),
        );
        let (ours, reached) = match diagnosis {
            Err(error) => (error.to_string(), false),
            Ok(Diagnosis::Clean) => ("no bad run".into(), false),
            Ok(Diagnosis::Serial(_)) => ("wrong even serially".into(), bench.object.serial),
            Ok(Diagnosis::Sections(repairs)) => {
                let prefix = format!("{}/", bench.folder.display());
                let parts = |r: &repair::Repair| -> Vec<String> {
                    let one = |s: &repair::section::Section| {
                        let file = s.file.trim_start_matches(&prefix);
                        format!("{file}:{}–{}", s.first, s.last)
                    };
                    r.sections.iter().map(one).collect()
                };
                // The truth is one of the original sections, or several where the client needs them.
                let is_true = |r: &repair::Repair| parts(r).iter().all(|p| theirs.contains(p));
                let best = repairs.first().map(|r| r.disabled);
                let first: Vec<&repair::Repair> = repairs
                    .iter()
                    .filter(|r| Some(r.disabled) == best)
                    .collect();
                let rank = repairs.iter().position(is_true);
                let shown: Vec<String> = first.iter().map(|r| parts(r).join(" + ")).collect();
                let text = format!(
                    "{}; rank of the truth: {}; {} bad and {} good classes",
                    shown.join(" or "),
                    rank.map_or_else(|| "none".to_string(), |r| (r + 1).to_string()),
                    repairs.first().map_or(0, |r| r.bad),
                    repairs.first().map_or(0, |r| r.good),
                );
                (text, first.into_iter().any(is_true))
            }
        };
        bench.row(theirs.join(" or "), ours, reached, start)
    }
}
