//! Tasks that are histories: what `linspect check` would say of them, on many machines.

use super::{MergeArgs, PlanArgs, RunArgs, planned, say_refused};
use crate::command::check::{Check, listed};
use crate::command::report;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Files;
use crate::screen::Screen;
use crate::section::Section;
use clap::Parser as _;
use linspect_engine::shard::HistoryPlan;
use linspect_report::json;
use std::path::Path;

/// What may be typed behind `linspect shard merge FOLDER --` where the tasks are histories.
#[derive(Debug, clap::Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct MergedArgs {
    #[command(flatten)]
    files: Files,

    /// Print findings as JSON
    #[arg(long)]
    json: bool,
}

fn misread(error: &clap::Error, help: &'static str) -> Failure {
    Failure::Usage {
        message: format!("behind `--`: {}", error.to_string().trim_end()),
        help,
        section: Section::CommandLine,
    }
}

/// The check that these words mean.
fn check(words: &[String]) -> Result<Check, Failure> {
    Check::of_words(words).map_err(|error| {
        misread(
            &error,
            "write what you would write behind `linspect`: check FILES",
        )
    })?
}

pub(super) fn plan(
    typed: &PlanArgs,
    words: &[String],
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    let Some(files) = check(words)?.paths() else {
        return Err(Failure::Usage {
            message: "standard input cannot be read by several tasks".into(),
            help: "write it to a file first",
            section: Section::CommandLine,
        });
    };
    let plan = HistoryPlan::new(&files, words.to_vec(), typed.shards)?;
    plan.write(&typed.folder)?;
    screen.print(&planned(plan.tasks(), &typed.folder))?;
    Ok(Exit::Holds)
}

pub(super) fn run_tasks(
    plan: &HistoryPlan,
    typed: &RunArgs,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    let check = check(plan.words())?;
    let tasks = match typed.tasks.is_empty() {
        true => plan.results(&typed.folder)?.missing(),
        false => typed.tasks.clone(),
    };
    for task in tasks {
        let said = check.said(plan.task(task)?);
        plan.note(&typed.folder, task, &said)?;
        screen.print(&format!("task {task}: {} histories\n", said.len()))?;
    }
    Ok(Exit::Holds)
}

pub(super) fn merge(
    plan: &HistoryPlan,
    typed: &MergeArgs,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    let MergedArgs { files, json } = MergedArgs::try_parse_from(&typed.words)
        .map_err(|error| misread(&error, "give --json, --html, --sarif or --junit"))?;
    let results = plan.results(&typed.folder)?;
    say_refused(&results.damaged, &results.alien, screen);
    let said = plan.merge(results)?;
    let saved = json::read_all(&listed(&said)).map_err(|error| Failure::Finding {
        source_name: typed.folder.display().to_string(),
        error: Box::new(error),
    })?;
    if !json {
        return report::show(&saved, &files, false, screen);
    }
    screen.print(&listed(&said))?;
    report::write(&saved, &files, screen)
}

pub(super) fn status(
    plan: &HistoryPlan,
    folder: &Path,
    screen: &mut Screen,
) -> Result<Exit, Failure> {
    let results = plan.results(folder)?;
    say_refused(&results.damaged, &results.alien, screen);
    let missing = results.missing();
    let (tasks, all) = (plan.tasks(), plan.histories());
    let (done, decided) = (tasks - missing.len(), results.decided());
    let mut said = format!("{done} of {tasks} tasks done: {decided} of {all} histories\n");
    said += &super::no_result(&missing);
    screen.print(&said)?;
    Ok(match missing.is_empty() {
        true => Exit::Holds,
        false => Exit::Inconclusive,
    })
}
