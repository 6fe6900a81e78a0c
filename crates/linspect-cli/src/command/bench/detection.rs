//! `linspect bench detection`: every object and program of the zoo with a known fault, as a user would test it, and how long it takes until the fault
//! is seen and until everything is said about it.

use super::super::test::Test;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Files;
use crate::screen::Screen;
use linspect_engine::Investigated;
use linspect_report::finding::{Finding, Operation};
use linspect_zoo::Zoo;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Operations that are tried when the usual number shows nothing.
const LARGER: usize = 5;

/// Something with a known fault.
struct Faulty<'a> {
    name: &'a str,
    files: Vec<&'a String>,
}

/// Tests all whose names contain `only`, and prints a line for each; a violation if one was missed.
pub(super) fn run(
    only: &str,
    json: bool,
    out: &Path,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    let zoo = Zoo::bundled().map_err(Failure::Zoo)?;
    let folder = out.join("zoo");
    Zoo::extract(&folder).map_err(Failure::Zoo)?;
    let faulty: Vec<Faulty<'_>> = faulty(&zoo).filter(|f| f.name.contains(only)).collect();
    let (mut missed, mut larger) = (0, 0);
    let mut times = Vec::new();
    for Faulty { name, files } in &faulty {
        let files: Vec<PathBuf> = files.iter().map(|f| folder.join(f)).collect();
        let mut test = Test::of(files, None, out.to_owned());
        test.write_to(true, Files::default());
        let mut found = test.find_out()?;
        if !is_found(&found) {
            // What a user does who is told that it holds for so many operations, and does not believe it.
            let searched = found.searched;
            test.allow_operations(LARGER);
            found = test.find_out()?;
            found.searched += searched;
            found.elapsed += searched;
            larger += 1;
        }
        missed += usize::from(!is_found(&found));
        times.push(found.searched);
        let line = if json {
            as_json(name, &found)
        } else {
            as_text(name, &found)
        };
        screen.print(&line)?;
    }
    times.sort_unstable();
    if let (false, Some(longest)) = (json, times.last()) {
        screen.print(&format!(
            "{} of {} found, {} of them only with --operations {LARGER}; half within {} ms, all within {} ms\n",
            faulty.len() - missed,
            faulty.len(),
            larger - missed,
            milliseconds(times[times.len() / 2]),
            milliseconds(*longest),
        ))?;
    }
    Ok(if missed == 0 {
        Exit::Holds
    } else {
        Exit::Violation
    })
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
        }
    });
    objects.chain(zoo.programs.iter().map(|program| Faulty {
        name: &program.name,
        files: program.files.iter().collect(),
    }))
}

fn is_found(found: &Investigated) -> bool {
    Exit::of_finding(&found.finding) == Exit::Violation
}

fn as_text(name: &str, found: &Investigated) -> String {
    let mark = if is_found(found) { "✓" } else { "✗" };
    format!(
        "{mark} {name:<34} {:>6} ms {:>6} ms  {}\n",
        milliseconds(found.searched),
        milliseconds(found.elapsed),
        said(&found.finding)
    )
}

fn as_json(name: &str, found: &Investigated) -> String {
    let row = json!({
        "name": name,
        "found": is_found(found),
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
