//! `linspect shard`: a long test as tasks that any engine runs on any number of machines.

mod histories;
mod submit;

use super::test::{Test, TestArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::section::Section;
use linspect_engine::Silence;
use linspect_engine::shard::{HistoryPlan, ShardPlan};
use std::path::{Path, PathBuf};

/// What to do with tasks.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum ShardCommand {
    /// Cut a test into tasks: a folder that all machines see
    #[command(after_help = EXAMPLES)]
    Plan(PlanArgs),
    /// Run tasks, and write what each came to
    Run(RunArgs),
    /// Say what all tasks together came to, as one process would
    Merge(MergeArgs),
    /// Say how far it is
    Status(StatusArgs),
    /// Write the job of an engine that runs the tasks, and say how it is started
    Submit(submit::SubmitArgs),
}

const EXAMPLES: &str = "\
Examples:
  linspect shard plan nightly --shards 100 -- stack.rs --max-operations 6
  linspect shard run nightly 17             one task, on any machine that sees the folder
  linspect shard run nightly                all that have no result yet, on this machine
  linspect shard status nightly
  linspect shard merge nightly              the same finding as `linspect test` of one process
  linspect shard submit nightly --to slurm
  linspect shard plan logs --shards 9 -- check logs/*.jsonl --spec queue

docs/scale.md says what it costs and how failures are handled.";

/// What `linspect shard plan` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct PlanArgs {
    /// Where the tasks and their results go
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Into how many tasks
    #[arg(long, value_name = "N", default_value_t = 100)]
    shards: usize,

    /// Under C20: after how many executions of one client what is left of it becomes tasks
    #[arg(long, value_name = "EXECUTIONS", default_value_t = 100_000)]
    each: u64,

    /// What would be typed behind `linspect test`: files and options; or `check` and what would be typed behind that
    #[arg(last = true, required = true, value_name = "TEST")]
    words: Vec<String>,
}

/// What `linspect shard run` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// The folder of the plan
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Which tasks, from 0 [default: all that have no result yet]
    #[arg(value_name = "TASK")]
    tasks: Vec<usize>,
}

/// What `linspect shard merge` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct MergeArgs {
    /// The folder of the plan
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// More options of `linspect test`, such as --json or --html FILE
    #[arg(last = true, value_name = "OPTION")]
    words: Vec<String>,
}

/// What `linspect shard status` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct StatusArgs {
    /// The folder of the plan
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Does it.
pub(crate) fn run(typed: ShardCommand, screen: &mut Screen) -> Result<Exit, Failure> {
    match typed {
        ShardCommand::Plan(typed) => plan(typed, screen),
        ShardCommand::Run(typed) => run_tasks(&typed, screen),
        ShardCommand::Merge(typed) => merge(&typed, screen),
        ShardCommand::Status(typed) => status(&typed, screen),
        ShardCommand::Submit(typed) => submit::run(&typed, screen),
    }
}

/// The test that these words mean.
fn test(words: &[String]) -> Result<Test, Failure> {
    let typed = TestArgs::of_words(words).map_err(|error| Failure::Usage {
        message: format!("behind `--`: {}", error.to_string().trim_end()),
        help: "write what you would write behind `linspect test`",
        section: Section::CommandLine,
    })?;
    Test::try_from(typed)
}

fn plan(typed: PlanArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    if let [first, rest @ ..] = &typed.words[..]
        && first == "check"
    {
        return histories::plan(&typed, rest, screen);
    }
    let mut test = test(&typed.words)?;
    let (loaded, request) = test.loaded()?;
    let (shards, each) = (typed.shards, typed.each);
    let plan = ShardPlan::new(&loaded, request, typed.words, shards, each, &Silence)?;
    plan.write(&typed.folder)?;
    screen.print(&planned(plan.tasks(), &typed.folder))?;
    Ok(Exit::Holds)
}

/// What to do with so many tasks.
fn planned(tasks: usize, folder: &Path) -> String {
    let folder = linspect_engine::typed_path(folder);
    format!(
        "{tasks} tasks in {folder}\n  one of them:   linspect shard run {folder} 0\n  all of them:   linspect shard submit {folder} --to parallel\n  the finding:   linspect shard merge {folder}\n"
    )
}

fn run_tasks(typed: &RunArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    if let Some(plan) = HistoryPlan::read(&typed.folder)? {
        return histories::run_tasks(&plan, typed, screen);
    }
    let mut plan = ShardPlan::read(&typed.folder)?;
    let mut test = test(plan.words())?;
    let (loaded, request) = test.loaded()?;
    let mut run = |plan: &ShardPlan, task| -> Result<(), Failure> {
        let done = plan.run(&loaded, request, &typed.folder, task, &Silence)?;
        let walked = walked(done.clients, done.parts, done.executions);
        let said = if done.wrong { "wrong" } else { "nothing wrong" };
        screen.print(&format!("task {task}: {walked}, {said}\n"))
    };
    for &task in &typed.tasks {
        run(&plan, task)?;
    }
    if !typed.tasks.is_empty() {
        return Ok(Exit::Holds);
    }
    loop {
        for task in plan.results(&typed.folder)?.needed(&plan) {
            run(&plan, task)?;
        }
        if plan.extend(&loaded, request, &typed.folder, &Silence)? == 0 {
            return Ok(Exit::Holds);
        }
    }
}

/// What was explored, in words.
fn walked(clients: usize, parts: usize, executions: u64) -> String {
    match parts {
        0 => format!("{clients} clients, {executions} executions"),
        _ => format!("{clients} clients, {parts} parts of clients, {executions} executions"),
    }
}

fn merge(typed: &MergeArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    if let Some(plan) = HistoryPlan::read(&typed.folder)? {
        return histories::merge(&plan, typed, screen);
    }
    let mut plan = ShardPlan::read(&typed.folder)?;
    let results = plan.results(&typed.folder)?;
    say_refused(&results.damaged, &results.alien, screen);
    let words = [plan.words(), &typed.words].concat();
    let mut test = test(&words)?;
    let (loaded, request) = test.loaded()?;
    let more = plan.extend(&loaded, request, &typed.folder, &Silence)?;
    if more > 0 {
        let folder = linspect_engine::typed_path(&typed.folder);
        screen.note(&format!(
            "not finished: what the tasks left is {more} tasks more; run them and merge again:\n  linspect shard run {folder}\n  linspect shard submit {folder} --to parallel"
        ));
        return Ok(Exit::Inconclusive);
    }
    let archive = plan.merge(&loaded, request, results)?;
    test.show_merged(&loaded, archive, screen)
}

fn status(typed: &StatusArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    if let Some(plan) = HistoryPlan::read(&typed.folder)? {
        return histories::status(&plan, &typed.folder, screen);
    }
    let plan = ShardPlan::read(&typed.folder)?;
    let results = plan.results(&typed.folder)?;
    say_refused(&results.damaged, &results.alien, screen);
    let status = results.status(&plan);
    let walked = walked(status.clients, status.parts, status.executions);
    let mut said = match status.tasks {
        0 => format!("a checkpoint: {walked}\n"),
        tasks => format!("{} of {tasks} tasks done: {walked}\n", status.done),
    };
    if let Some(task) = status.wrong {
        said += &format!("something is wrong in task {task}; what is behind it is not needed\n");
    }
    let missing = results.needed(&plan);
    said += &no_result(&missing);
    screen.print(&said)?;
    Ok(match missing.is_empty() {
        true => Exit::Holds,
        false => Exit::Inconclusive,
    })
}

/// Which tasks have no result, in words.
fn no_result(missing: &[usize]) -> String {
    let numbers: Vec<String> = missing.iter().map(ToString::to_string).collect();
    match missing.is_empty() {
        true => String::new(),
        false => format!("no result yet: {}\n", numbers.join(" ")),
    }
}

/// Says which files are no results of this plan, and why.
fn say_refused(damaged: &[PathBuf], alien: &[PathBuf], screen: &mut Screen) {
    let mut say = |path: &Path, why: &str| {
        let path = path.display();
        screen.note(&format!("warning: {path} is not used: {why}"));
    };
    for path in damaged {
        say(path, "it is damaged: its digest is another one");
    }
    for path in alien {
        say(
            path,
            "it is of another program, another version or other options",
        );
    }
}
