//! A search beyond one process: tasks that any number of processes run in any order, files with what they came to, and a merge that says what one process would have said.
//!
//! What the exploration of a client comes to depends on the program and on what was asked alone. So the merge is the search itself, which finds in an [`Archive`] what it
//! would explore, and its finding is that of one process, byte for byte. A checkpoint is the same in one process: what it has explored goes to files, and whoever goes on reads them.
//!
//! A folder has a `plan`, and `results`, one file for each task or part of a checkpoint. Each file is there as a whole or not at all (`result_file.rs`).

mod archive;
mod histories;
mod part;
mod record;
mod result_file;
mod tasks;

pub use archive::Archive;
pub use histories::{HistoryPlan, HistoryResults};
pub use tasks::PartTask;
pub(crate) use tasks::{ListedClient, Phases};

use crate::Scope;
use crate::error::Error;
use crate::events::Events;
use crate::investigate_once;
use crate::memory_models;
use crate::origin::{Loaded, ProgramOrigin};
use crate::request::{Request, Task};
use linspect_core::execution::MemoryModel;
use linspect_core::machine::Subject;
use linspect_explore::search::Method;
use result_file::{Identity, TaskResult, Unreadable, sealed, unsealed, write_whole};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tasks::{ShardTask, cut, cut_parts};

/// How many of the smallest clients are run to see which models matter.
const PROBED: usize = 64;

/// A search cut into tasks, or one that a process makes by itself and may go on with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShardPlan {
    #[serde(flatten)]
    identity: Identity,
    /// What was asked, as it was typed behind `linspect test`.
    words: Vec<String>,
    /// How many tasks were asked for.
    shards: usize,
    /// After how many executions of one client under C20 what is left of it becomes tasks.
    each: u64,
    /// In the order of one process, then what they left; none for a checkpoint.
    tasks: Vec<ShardTask>,
}

/// What one task came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskDone {
    /// How many clients were explored.
    pub clients: usize,
    /// How many parts of clients were walked.
    pub parts: usize,
    /// In how many executions.
    pub executions: u64,
    /// Whether something is wrong.
    pub wrong: bool,
}

/// The results in a folder.
#[derive(Debug, Default)]
pub struct Results {
    taken: Vec<TaskResult>,
    /// Files that are cut short or changed.
    pub damaged: Vec<PathBuf>,
    /// Files of another program, another version or another question.
    pub alien: Vec<PathBuf>,
    /// Tasks without a result, from 0.
    pub missing: Vec<usize>,
    /// How many files there are.
    files: usize,
}

/// How far the tasks of a plan are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardStatus {
    /// How many tasks have a result.
    pub done: usize,
    /// How many there are; none for a checkpoint.
    pub tasks: usize,
    /// Clients of the results.
    pub clients: usize,
    /// Parts of clients of the results.
    pub parts: usize,
    /// Executions of the results.
    pub executions: u64,
    /// The first task with something wrong.
    pub wrong: Option<usize>,
}

impl ShardPlan {
    /// Cuts what `request` asks about a program into at most so many tasks. Under C20 what is left of a client after so many executions in `each` becomes tasks later.
    pub fn new(
        loaded: &Loaded,
        request: &Request,
        words: Vec<String>,
        tasks: usize,
        each: u64,
        events: &dyn Events,
    ) -> Result<Self, Error> {
        if request.min_k {
            return Err(Error::NotSharded("--min-k"));
        }
        if request.effort.budget.is_some() {
            return Err(Error::NotSharded("--budget"));
        }
        let phases = memory_models::phases(loaded, request)?;
        let ask = |loaded: &Loaded, task| {
            let request = Request {
                task,
                ..request.clone()
            };
            investigate_once(loaded, &request, Scope::Whole, events)
        };
        let listed = ask(loaded, Task::List)?.listed;
        let phases = match phases {
            Phases::Both => {
                let smallest = listed.iter().take_while(|client| client.smallest);
                let probed = smallest.count().clamp(1, PROBED);
                let seen = ask(loaded, Task::Explore(0..probed))?;
                match seen.seen.weaker && !seen.seen.raced && !seen.wrong {
                    true => Phases::Both,
                    false => Phases::Strong,
                }
            }
            other => other,
        };
        Ok(Self {
            identity: identity(loaded, request),
            words,
            shards: tasks,
            each: each.max(1),
            tasks: cut(&listed, phases, tasks)
                .into_iter()
                .map(ShardTask::Clients)
                .collect(),
        })
    }

    /// The plan of a folder.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let damaged = || Error::PlanDamaged(folder.to_owned());
        let text = read_plan_text(folder)?;
        let plan: Self = serde_json::from_str(&text).map_err(|_| damaged())?;
        let is_readable = |task: &ShardTask| match task {
            ShardTask::Clients(_) => true,
            ShardTask::Parts(parts) => parts.iter().all(PartTask::is_readable),
        };
        match plan.tasks.iter().all(is_readable) {
            true => Ok(plan),
            false => Err(damaged()),
        }
    }

    /// Writes it to a folder that has no plan yet.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        write_plan(folder, self)
    }

    /// What was asked, as it was typed behind `linspect test`.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// How many tasks there are.
    pub fn tasks(&self) -> usize {
        self.tasks.len()
    }

    /// Refuses another program, and another question.
    fn fits(&self, loaded: &Loaded, request: &Request) -> Result<(), Error> {
        let now = identity(loaded, request);
        let differs = if self.identity.linspect != now.linspect {
            "version of Linspect"
        } else if self.identity.fingerprint != now.fingerprint {
            "program"
        } else if self.identity.asked != now.asked {
            "list of options"
        } else {
            return Ok(());
        };
        Err(Error::OtherPlan(differs))
    }

    /// Runs one task and writes what it came to into `folder`.
    pub fn run(
        &self,
        loaded: &Loaded,
        request: &Request,
        folder: &Path,
        task: usize,
        events: &dyn Events,
    ) -> Result<TaskDone, Error> {
        self.fits(loaded, request)?;
        let shard = self.tasks.get(task).ok_or(Error::NoTask {
            task,
            tasks: self.tasks.len(),
        })?;
        let (identity, each) = (self.identity.clone(), Some(self.each));
        let archive = Arc::new(Archive::new(identity.clone(), [], None, 0, each));
        let ask = |loaded: &Loaded, task| {
            let mut request = Request {
                task,
                archive: Some(Arc::clone(&archive)),
                ..request.clone()
            };
            // Under C20 all executions are walked, whatever the harness says of schedules.
            if loaded.code.memory_model() == MemoryModel::C20
                && loaded.bounds_schedules_only(&request.effort)
            {
                request.effort.method = Method::Exhaustive;
            }
            investigate_once(loaded, &request, Scope::Whole, events)
        };
        match shard {
            ShardTask::Clients(intervals) => {
                for interval in intervals {
                    let loaded = loaded.under(interval.model());
                    if ask(&loaded, Task::Explore(interval.clients()))?.wrong {
                        break;
                    }
                }
            }
            ShardTask::Parts(parts) => {
                let setups: BTreeSet<_> = parts.iter().map(|part| &part.shared).collect();
                for shared in setups {
                    let loaded = loaded.under_sharing(MemoryModel::C20, shared);
                    let parts = parts.iter().filter(|part| part.shared == *shared);
                    ask(&loaded, Task::Walk(parts.cloned().collect()))?;
                }
            }
        }
        let (records, parts) = archive.take_settled();
        let result = TaskResult::new(identity, Some(task), records, parts);
        write_whole(&folder.join("results").join(name(task)), &result.text())?;
        Ok(TaskDone {
            clients: result.head.clients,
            parts: result.head.parts,
            executions: result.head.executions,
            wrong: result.head.wrong,
        })
    }

    /// The results in `folder`.
    pub fn results(&self, folder: &Path) -> Result<Results, Error> {
        let mut results = Results::default();
        for (path, text) in result_texts(folder)? {
            results.files += 1;
            match TaskResult::read(&text) {
                Ok(result) if result.head.identity == self.identity => results.taken.push(result),
                Ok(_) | Err(Unreadable::Unknown) => results.alien.push(path),
                Err(Unreadable::Damaged) => results.damaged.push(path),
            }
        }
        let has = |task: usize| results.taken.iter().any(|r| r.head.task == Some(task));
        results.missing = (0..self.tasks.len()).filter(|task| !has(*task)).collect();
        Ok(results)
    }

    /// What the results know, for the search that says what they come to. Those of tasks behind the first with something wrong are not needed.
    pub fn merge(
        &self,
        loaded: &Loaded,
        request: &Request,
        results: Results,
    ) -> Result<Archive, Error> {
        self.known(loaded, request, results, None)
    }

    fn known(
        &self,
        loaded: &Loaded,
        request: &Request,
        results: Results,
        each: Option<u64>,
    ) -> Result<Archive, Error> {
        self.fits(loaded, request)?;
        let missing = results.needed(self);
        if !missing.is_empty() {
            return Err(Error::ResultsMissing {
                missing,
                tasks: self.tasks.len(),
            });
        }
        let identity = self.identity.clone();
        Ok(Archive::new(identity, results.taken, None, 0, each))
    }

    /// Once all tasks have results, makes tasks of what they left, if they left anything; says how many.
    pub fn extend(
        &mut self,
        loaded: &Loaded,
        request: &Request,
        folder: &Path,
        events: &dyn Events,
    ) -> Result<usize, Error> {
        let results = self.results(folder)?;
        let archive = Arc::new(self.known(loaded, request, results, Some(0))?);
        // Where no client is explored under C20, none is cut.
        if !self.tasks.iter().any(ShardTask::is_weak) {
            return Ok(0);
        }
        let request = Request {
            task: Task::Left,
            archive: Some(Arc::clone(&archive)),
            ..request.clone()
        };
        crate::investigate(loaded, &request, events)?;
        let more = cut_parts(archive.take_put_off(), self.shards);
        let count = more.len();
        if count > 0 {
            self.tasks.extend(more);
            replace_plan(folder, self)?;
        }
        Ok(count)
    }

    /// Whether a task has clients, and comes behind another in the order of one process.
    fn is_behind(&self, task: usize, other: usize) -> bool {
        match (&self.tasks[task], &self.tasks[other]) {
            (ShardTask::Clients(_), ShardTask::Clients(_)) => task > other,
            (ShardTask::Parts(parts), ShardTask::Parts(others)) => parts
                .iter()
                .all(|part| others.iter().any(|other| part.is_behind(other))),
            _ => false,
        }
    }
}

impl Results {
    /// How far the tasks of `plan` are.
    pub fn status(&self, plan: &ShardPlan) -> ShardStatus {
        let heads = || self.taken.iter().map(|result| &result.head);
        ShardStatus {
            done: plan.tasks.len() - self.missing.len(),
            tasks: plan.tasks.len(),
            clients: heads().map(|head| head.clients).sum(),
            parts: heads().map(|head| head.parts).sum(),
            executions: heads().map(|head| head.executions).sum(),
            wrong: self.wrong().min(),
        }
    }

    /// Tasks with something wrong.
    fn wrong(&self) -> impl Iterator<Item = usize> {
        let wrong = self.taken.iter().filter(|result| result.head.wrong);
        wrong.filter_map(|result| result.head.task)
    }

    /// Tasks without a result that are not behind one with something wrong.
    pub fn needed(&self, plan: &ShardPlan) -> Vec<usize> {
        let missing = self.missing.iter().copied();
        missing
            .filter(|task| !self.wrong().any(|wrong| plan.is_behind(*task, wrong)))
            .collect()
    }
}

/// The archive of a search whose explorations go to `folder` while it runs: a new one, or one to go on with. Gives the results that could not be taken, too.
pub fn checkpoint(
    loaded: &Loaded,
    request: &Request,
    folder: &Path,
    goes_on: bool,
) -> Result<(Archive, Results), Error> {
    if request.min_k {
        return Err(Error::NotSharded("--min-k"));
    }
    let plan = match goes_on {
        true => ShardPlan::read(folder)?,
        false => {
            let plan = ShardPlan {
                identity: identity(loaded, request),
                words: Vec::new(),
                shards: 0,
                each: 0,
                tasks: Vec::new(),
            };
            plan.write(folder)?;
            plan
        }
    };
    plan.fits(loaded, request)?;
    let mut results = plan.results(folder)?;
    let taken = std::mem::take(&mut results.taken);
    let folder = folder.join("results");
    let archive = Archive::new(plan.identity, taken, Some(folder), results.files, None);
    Ok((archive, results))
}

/// The text of the plan in a folder.
fn read_plan_text(folder: &Path) -> Result<String, Error> {
    let path = folder.join("plan");
    let text = fs::read(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::NoPlan(folder.to_owned()),
        _ => Error::ShardRead { path, error },
    })?;
    let text = unsealed(&text).map(str::to_owned);
    text.ok_or_else(|| Error::PlanDamaged(folder.to_owned()))
}

/// Writes a plan to a folder that has none yet.
fn write_plan(folder: &Path, plan: &impl Serialize) -> Result<(), Error> {
    if folder.join("plan").exists() {
        return Err(Error::PlanThere(folder.to_owned()));
    }
    let results = folder.join("results");
    fs::create_dir_all(&results).map_err(|error| Error::ShardWrite {
        path: results,
        error,
    })?;
    replace_plan(folder, plan)
}

/// Writes a plan in the place of the one that is there.
fn replace_plan(folder: &Path, plan: &impl Serialize) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(plan).expect("plain data") + "\n";
    write_whole(&folder.join("plan"), &sealed(&text))
}

/// The results in a folder with a plan, as they are, in the order of their names.
fn result_texts(folder: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, Error> {
    let folder = folder.join("results");
    let unread = |path: &Path| {
        let path = path.to_owned();
        |error| Error::ShardRead { path, error }
    };
    let entries = fs::read_dir(&folder).map_err(unread(&folder))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let paths: io::Result<Vec<PathBuf>> = paths.collect();
    let mut paths = paths.map_err(unread(&folder))?;
    // What a process that was killed left unfinished.
    paths.retain(|path| {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        !file.starts_with('.')
    });
    paths.sort();
    let read = |path: PathBuf| match fs::read(&path) {
        Ok(text) => Ok((path, text)),
        Err(error) => Err(unread(&path)(error)),
    };
    paths.into_iter().map(read).collect()
}

/// What the result of a task is called.
fn name(task: usize) -> String {
    format!("task-{task:06}")
}

/// What results must have in common. Limits of time and memory decide only how far a search goes, never what the exploration of a client comes to.
fn identity(loaded: &Loaded, request: &Request) -> Identity {
    let mut asked = loaded.settings.words();
    if let ProgramOrigin::Files(source) = &loaded.origin {
        asked.extend(source.c_flags.iter().map(|flag| format!("--cflag={flag}")));
    }
    let Request { client, effort, .. } = request;
    let (operations, threads) = (effort.operations, effort.threads);
    let (method, executions, long) = (effort.method, effort.executions, effort.long);
    asked.push(format!(
        "{client:?} {operations:?} {threads:?} {method:?} {executions:?} {long:?}"
    ));
    Identity {
        linspect: env!("CARGO_PKG_VERSION").to_owned(),
        fingerprint: format!("{:016x}", loaded.fingerprint()),
        asked: asked.join(" "),
    }
}
