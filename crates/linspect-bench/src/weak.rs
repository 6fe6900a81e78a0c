//! `linspect-bench weak`: faults of orderings, found by a user who gives no option, with the repair that is expected, which leaves nothing wrong under C20.

use crate::failure::Failure;
use crate::print;
use crate::row::Row;
use cpu_time::ProcessTime;
use linspect_engine::{
    Investigated, Loaded, MemoryModel, ProgramOrigin, Request, RunSettings, Silence, Verdict,
    investigate,
};
use linspect_report::finding::Coverage;
use linspect_testkit::orderings::{difference, expected, repaired};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How much processor time a fault may take, from the loaded program to the checked repair.
const BAR: Duration = Duration::from_secs(10);

/// Operations of the clients with which a repaired file is tried.
const OPERATIONS: usize = 2;

/// Options of `weak`.
#[derive(Debug, clap::Args)]
pub(crate) struct WeakArgs {
    /// Only those whose name contains this
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,

    /// Print rows as JSON
    #[arg(long)]
    json: bool,

    /// Where the faults are
    #[arg(long, value_name = "FOLDER", default_value = "corpus/orderings")]
    folder: PathBuf,

    /// Where repaired files go
    #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
    out: PathBuf,
}

/// Tests all whose names contain `only`, prints a row for each, and says whether all are as they should be.
pub(crate) fn run(typed: &WeakArgs) -> Result<bool, Failure> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&typed.folder)? {
        files.push(entry?.path());
    }
    files.retain(|file| name(file).contains(&typed.only));
    files.sort();
    let folder = typed.out.join("repaired");
    std::fs::create_dir_all(&folder)?;
    let mut short = 0;
    for file in &files {
        let row = row(file, &folder)?;
        short += usize::from(!row.reached);
        print(&if typed.json { row.json() } else { row.text() })?;
    }
    if !typed.json {
        print(&format!(
            "{} of {} rows reached\n",
            files.len() - short,
            files.len()
        ))?;
    }
    Ok(short == 0)
}

fn name(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn row(file: &Path, folder: &Path) -> Result<Row, Failure> {
    let (name, text) = (name(file), std::fs::read_to_string(file)?);
    let changes = expected(&text);
    let start = ProcessTime::now();
    let found = find(file, RunSettings::default(), None)?;
    let time = start.elapsed();
    let advice = found.finding.advice.first().cloned().unwrap_or_default();
    let mut wrong = difference(&advice, &name, &changes);
    let is_found = matches!(
        found.finding.verdict,
        Verdict::Violated { .. } | Verdict::Faulty { .. }
    );
    if !is_found {
        wrong.insert(0, "not found".to_owned());
    }
    let twin = folder.join(&name);
    std::fs::write(&twin, repaired(&text, &changes)).map_err(|error| Failure::Write {
        path: twin.clone(),
        error,
    })?;
    let [weak, strong] = [MemoryModel::C20, MemoryModel::Sc].map(|model| {
        let settings = RunSettings {
            memory_model: Some(model),
            ..RunSettings::default()
        };
        find(&twin, settings, Some(OPERATIONS))
    });
    let (weak, strong) = (weak?, strong?);
    if !matches!(weak.finding.verdict, Verdict::Holds { .. }) {
        wrong.push("the repaired file is not right under C20".to_owned());
    }
    let ours = match wrong.is_empty() {
        true => format!(
            "{}, {} changed; repaired {} executions under C20, {} under SC",
            found.finding.headline(),
            changes.len(),
            executions(&weak),
            executions(&strong)
        ),
        false => wrong.join("; "),
    };
    let row = Row {
        name: name.clone(),
        object: String::new(),
        theirs: format!("{} changes", changes.len()),
        ours,
        reached: wrong.is_empty(),
        time,
    };
    Ok(row.within(BAR))
}

fn find(
    file: &Path,
    settings: RunSettings,
    operations: Option<usize>,
) -> Result<Investigated, Failure> {
    let loaded = Loaded::load(ProgramOrigin::files([file]), settings)?;
    let mut request = Request::default();
    request.effort.operations = operations;
    Ok(investigate(&loaded, &request, &Silence)?)
}

fn executions(found: &Investigated) -> u64 {
    match &found.finding.coverage {
        Coverage::Exhausted { executions, .. }
        | Coverage::Bounded { executions, .. }
        | Coverage::Sampled { executions, .. } => *executions,
        Coverage::Recorded => 0,
    }
}
