//! Runs one object of the zoo for one table.

use crate::cgvt::Smallest;
use crate::failure::Failure;
use crate::races::Races;
use crate::repaired::Repaired;
use crate::row::Row;
use crate::sections::Sections;
use linspect_core::check::visit_relaxed;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::SiteId;
use linspect_core::machine::Subject;
use linspect_core::property::Linearizable;
use linspect_core::spec::{Erased, Spec, Visitor};
use linspect_engine::clock_budget::ClockBudget;
use linspect_engine::{Loaded, ProgramOrigin, RunSettings};
use linspect_explore::search::{Bound, Coverage, Plan, SearchError, explore};
use linspect_vm::LoadedProgram;
use linspect_vm::frontend::Source;
use linspect_zoo::{Case, Object, Paper};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long one row may take.
const ROW: Duration = Duration::from_secs(20);

/// The row of `object` in the table of repairs to the end; none if no client of it is known to fail.
pub(crate) fn repaired(object: &Object, folder: &Path) -> Result<Option<Row>, Failure> {
    if object.cases.iter().all(|c| c.linearizable) {
        return Ok(None);
    }
    let code = load_object(object, folder)?;
    let wrong: Vec<&Case> = object.cases.iter().filter(|c| !c.linearizable).collect();
    let clients = wrong.iter().map(|case| client(object, case, &code));
    let clients: Vec<Client> = clients.collect::<Result<_, _>>()?;
    let (Some(case), Some(client)) = (wrong.first(), clients.first()) else {
        return Ok(None);
    };
    let bench = Bench {
        object,
        case,
        client,
        code: &code,
    };
    let repaired = Repaired {
        bench: &bench,
        clients: &clients,
    };
    Ok(Some(object.spec.visit(repaired)))
}

/// The rows of `object` in the tables of `paper`.
pub(crate) fn of(object: &Object, paper: Paper, folder: &Path) -> Result<Vec<Row>, Failure> {
    let code = load_object(object, folder)?;
    let mut rows = Vec::new();
    let table = match paper {
        Paper::Fgvt => "FGVT ",
        Paper::Rc => "RC",
        Paper::Cgvt => "CGVT ",
        _ => "",
    };
    for case in object.cases.iter().filter(|c| c.row.starts_with(table)) {
        let client = client(object, case, &code)?;
        let bench = Bench {
            object,
            case,
            client: &client,
            code: &code,
        };
        if let (Paper::Cgvt, Some(long)) = (paper, &case.long) {
            rows.push(object.spec.visit(Smallest::new(object, case, long, &code)?));
            continue;
        }
        match paper {
            Paper::Fgvt => rows.push(object.spec.visit(Races(&bench))),
            Paper::Rc if !case.linearizable => rows.push(object.spec.visit(Sections(&bench))),
            _ => rows.extend(bench.verdicts()?),
        }
    }
    Ok(rows)
}

pub(crate) fn load_object(object: &Object, folder: &Path) -> Result<LoadedProgram, Failure> {
    let files = object.harness.iter().chain(&object.files);
    let source = Source {
        // A Rust harness names the object's file itself.
        files: files
            .filter(|f| !f.starts_with("rust/src/"))
            .map(|f| folder.join(f))
            .collect(),
        ..Source::default()
    };
    load(source)
}

/// Loads a program as a user does who says nothing else.
pub(crate) fn load(source: Source) -> Result<LoadedProgram, Failure> {
    let loaded = Loaded::load(ProgramOrigin::Files(source), RunSettings::default())?;
    Ok(loaded.into_code())
}

fn client(object: &Object, case: &Case, code: &LoadedProgram) -> Result<Client, Failure> {
    case.client(code.operations())
        .map_err(|error| Failure::Case {
            object: object.name.clone(),
            error: error.to_string(),
        })
}

pub(crate) struct Bench<'a> {
    pub(crate) object: &'a Object,
    pub(crate) case: &'a Case,
    pub(crate) client: &'a Client,
    pub(crate) code: &'a LoadedProgram,
}

impl Bench<'_> {
    pub(crate) fn row(&self, theirs: String, ours: String, reached: bool, start: Instant) -> Row {
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

    /// A file as the zoo calls it.
    pub(crate) fn zoo_path(&self, file: &str) -> String {
        let mut known = self.object.files.iter().chain(&self.object.harness);
        known
            .find(|path| Path::new(file).ends_with(path))
            .map_or_else(|| file.to_owned(), Clone::clone)
    }

    /// A line of the user's code, as (file, line).
    pub(crate) fn line(&self, site: SiteId) -> (String, u32) {
        let site = self.code.user_site(site);
        (self.zoo_path(&site.file), site.line)
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
                let limits = ClockBudget::start(Some(ROW), usize::MAX);
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
                    (Some(Defect::Violation), _) => (
                        format!("{}, {executions} executions", say(false)),
                        !expected,
                    ),
                    (Some(other), _) => (format!("{other:?}"), false),
                    (None, Coverage::Exhausted { .. }) => (
                        format!("{}, exhausted {executions} executions", say(true)),
                        expected,
                    ),
                    // The papers ask for programs that terminate and name no bound; ours is part of the row.
                    (None, Coverage::Bounded { bounds, .. }) => {
                        let bounds: Vec<String> = bounds.iter().map(Bound::to_string).collect();
                        let bounds = bounds.join(", ");
                        (
                            format!("{} with {bounds}, {executions} executions", say(true)),
                            expected,
                        )
                    }
                    (None, coverage) => (format!("unknown: {coverage:?}"), false),
                }
            }
        };
        bench.row(say(expected), ours, reached, start)
    }
}
