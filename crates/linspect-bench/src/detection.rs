//! `linspect-bench detection`: every object and program of the zoo with a known fault, as a user would test it, and how long it takes until the fault
//! is seen and until everything is said about it.

use crate::failure::Failure;
use crate::print;
use linspect_engine::{
    Effort, Investigated, Loaded, ProgramOrigin, Request, RunSettings, Silence, investigate,
};
use linspect_report::finding::{Finding, Operation, Span, Verdict};
use linspect_vm::frontend::Source;
use linspect_zoo::{Object, Zoo, ZooProgram};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// Operations that are tried when the usual number shows nothing.
const LARGER: usize = 5;

/// Something with a known fault.
struct Faulty<'a> {
    name: &'a str,
    files: Vec<&'a String>,
    entry: Entry<'a>,
}

enum Entry<'a> {
    Object(&'a Object),
    Program(&'a ZooProgram),
}

impl Faulty<'_> {
    /// Whether the described fault was found, not just any.
    fn is_found(&self, found: &Investigated) -> bool {
        let finding = &found.finding;
        let is_wrong = matches!(
            finding.verdict,
            Verdict::Violated { .. } | Verdict::Faulty { .. }
        );
        is_wrong
            && match self.entry {
                // A relaxed object that is as it should be: all that is known of it is that it is not linearizable.
                Entry::Object(object) if object.quasi == Some(true) => true,
                Entry::Object(object) => object.is_described(
                    finding.repaired_blocks().map(Span::lines),
                    finding.decided_at().map(Span::lines),
                    finding.is_sequential(),
                ),
                Entry::Program(program) => program.is_described(finding.slice().map(Span::lines)),
            }
    }
}

/// Options of `detection`.
#[derive(Debug, clap::Args)]
pub(crate) struct DetectionArgs {
    /// Only those whose name contains this
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,

    /// Print rows as JSON
    #[arg(long)]
    json: bool,

    /// Where sources go
    #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
    out: PathBuf,
}

/// Tests all whose names contain `only`, prints a line for each, and says whether the described fault of each was found.
pub(crate) fn run(typed: &DetectionArgs) -> Result<bool, Failure> {
    let DetectionArgs { only, json, out } = typed;
    let zoo = Zoo::bundled()?;
    let folder = out.join("zoo");
    Zoo::extract(&folder)?;
    let faulty: Vec<Faulty<'_>> = faulty(&zoo).filter(|f| f.name.contains(only)).collect();
    let (mut missed, mut larger) = (0, 0);
    let mut times = Vec::new();
    for entry in &faulty {
        let files: Vec<PathBuf> = entry.files.iter().map(|f| folder.join(f)).collect();
        let origin = ProgramOrigin::Files(Source {
            files,
            ..Source::default()
        });
        let loaded = Loaded::load(origin, RunSettings::default())?;
        let mut found = investigate(&loaded, &Request::default(), &Silence)?;
        if !entry.is_found(&found) {
            // What a user does who is told that it holds for so many operations, and does not believe it.
            let searched = found.searched;
            let more = Request {
                effort: Effort {
                    operations: Some(LARGER),
                    ..Effort::default()
                },
                ..Request::default()
            };
            found = investigate(&loaded, &more, &Silence)?;
            found.searched += searched;
            found.elapsed += searched;
            larger += 1;
        }
        let is_found = entry.is_found(&found);
        missed += usize::from(!is_found);
        times.push(found.searched);
        let line = if *json {
            as_json(entry.name, is_found, &found)
        } else {
            as_text(entry.name, is_found, &found)
        };
        print(&line)?;
    }
    times.sort_unstable();
    if let (false, Some(longest)) = (json, times.last()) {
        print(&format!(
            "{} of {} found, {} of them only with --max-operations {LARGER}; half within {} ms, all within {} ms\n",
            faulty.len() - missed,
            faulty.len(),
            larger - missed,
            milliseconds(times[times.len() / 2]),
            milliseconds(*longest),
        ))?;
    }
    Ok(missed == 0)
}

/// All objects and programs with a fault. Relaxed objects are tested as everything is: for being linearizable.
fn faulty(zoo: &Zoo) -> impl Iterator<Item = Faulty<'_>> {
    let objects = zoo.objects.iter().filter(|o| o.bug.is_some());
    let objects = objects.map(|object| {
        let files = object.harness.iter().chain(&object.files);
        Faulty {
            name: &object.name,
            // A Rust harness names the object's file itself.
            files: files.filter(|f| !f.starts_with("rust/src/")).collect(),
            entry: Entry::Object(object),
        }
    });
    objects.chain(zoo.programs.iter().map(|program| Faulty {
        name: &program.name,
        files: program.files.iter().collect(),
        entry: Entry::Program(program),
    }))
}

fn as_text(name: &str, is_found: bool, found: &Investigated) -> String {
    let mark = if is_found { "✓" } else { "✗" };
    format!(
        "{mark} {name:<34} {:>6} ms {:>6} ms  {}\n",
        milliseconds(found.searched),
        milliseconds(found.elapsed),
        said(&found.finding)
    )
}

fn as_json(name: &str, is_found: bool, found: &Investigated) -> String {
    let row = json!({
        "name": name,
        "found": is_found,
        "detected_ms": milliseconds(found.searched),
        "explained_ms": milliseconds(found.elapsed),
        "says": said(&found.finding),
    });
    format!("{row}\n")
}

/// The verdict, and the smallest test of an object.
fn said(finding: &Finding) -> String {
    let verdict = finding.headline();
    let Some(test) = &finding.minimal_test else {
        return verdict;
    };
    let calls = |ids: &Vec<u32>| {
        let operations = ids.iter().filter_map(|id| finding.history.get(*id));
        let texts: Vec<String> = operations.map(Operation::call_text).collect();
        texts.join(" ")
    };
    let threads: Vec<String> = test.threads.iter().map(calls).collect();
    let before = match calls(&test.before) {
        before if before.is_empty() => before,
        before => format!("[{before}] "),
    };
    format!("{verdict}: {before}{}", threads.join(" ∥ "))
}

fn milliseconds(time: Duration) -> u128 {
    time.as_millis()
}
