//! A search beyond one process: tasks that any number of processes run in any order, files with what they came to, and a merge that says what one process would have said.
//!
//! What the exploration of a client comes to depends on the program and on what was asked alone. So the merge is the search itself, which finds in an [`Archive`] what it
//! would explore, and its finding is that of one process, byte for byte. A checkpoint is the same in one process: what it has explored goes to files, and whoever goes on reads them.
//!
//! A folder has a `plan`, and `results`, one file for each task or part of a checkpoint. Each file is there as a whole or not at all (`result_file.rs`).

mod archive;
mod part;
mod record;
mod result_file;
mod tasks;

pub use archive::Archive;
pub(crate) use tasks::{ListedClient, Phases};

use crate::Scope;
use crate::error::Error;
use crate::events::Events;
use crate::investigate_once;
use crate::memory_models;
use crate::origin::{Loaded, ProgramOrigin};
use crate::request::{Request, Task};
use result_file::{Identity, TaskResult, Unreadable, sealed, unsealed, write_whole};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tasks::{Interval, cut};

/// How many of the smallest clients are run to see which models matter.
const PROBED: usize = 64;

/// A search cut into tasks, or one that a process makes by itself and may go on with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShardPlan {
    #[serde(flatten)]
    identity: Identity,
    /// What was asked, as it was typed behind `linspect test`.
    words: Vec<String>,
    /// In the order of one process; none for a checkpoint.
    tasks: Vec<Vec<Interval>>,
}

/// What one task came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskDone {
    /// How many clients were explored.
    pub clients: usize,
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
    /// Executions of the results.
    pub executions: u64,
    /// The first task with something wrong.
    pub wrong: Option<usize>,
}

impl ShardPlan {
    /// Cuts what `request` asks about a program into at most so many tasks.
    pub fn new(
        loaded: &Loaded,
        request: &Request,
        words: Vec<String>,
        tasks: usize,
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
                match seen.weaker && !seen.raced && !seen.wrong {
                    true => Phases::Both,
                    false => Phases::Strong,
                }
            }
            other => other,
        };
        Ok(Self {
            identity: identity(loaded, request),
            words,
            tasks: cut(&listed, phases, tasks),
        })
    }

    /// The plan of a folder.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("plan");
        let text = fs::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::NoPlan(folder.to_owned()),
            _ => Error::ShardRead { path, error },
        })?;
        let damaged = || Error::PlanDamaged(folder.to_owned());
        let text = unsealed(&text).ok_or_else(damaged)?;
        serde_json::from_str(text).map_err(|_| damaged())
    }

    /// Writes it to a folder that has no plan yet.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        if folder.join("plan").exists() {
            return Err(Error::PlanThere(folder.to_owned()));
        }
        let results = folder.join("results");
        fs::create_dir_all(&results).map_err(|error| Error::ShardWrite {
            path: results,
            error,
        })?;
        let text = serde_json::to_string_pretty(self).expect("plain data") + "\n";
        write_whole(&folder.join("plan"), &sealed(&text))
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
        let intervals = self.tasks.get(task).ok_or(Error::NoTask {
            task,
            tasks: self.tasks.len(),
        })?;
        let archive = Arc::new(Archive::new(self.identity.clone(), [], None, 0));
        for interval in intervals {
            let request = Request {
                task: Task::Explore(interval.clients()),
                archive: Some(Arc::clone(&archive)),
                ..request.clone()
            };
            let loaded = loaded.under(interval.model());
            if investigate_once(&loaded, &request, Scope::Whole, events)?.wrong {
                break;
            }
        }
        let result = TaskResult::new(self.identity.clone(), Some(task), archive.take_settled());
        write_whole(&folder.join("results").join(name(task)), &result.text())?;
        Ok(TaskDone {
            clients: result.head.clients,
            executions: result.head.executions,
            wrong: result.head.wrong,
        })
    }

    /// The results in `folder`.
    pub fn results(&self, folder: &Path) -> Result<Results, Error> {
        let folder = folder.join("results");
        let unread = |error| Error::ShardRead {
            path: folder.clone(),
            error,
        };
        let entries = fs::read_dir(&folder).map_err(unread)?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let mut paths: Vec<PathBuf> = paths.collect::<io::Result<_>>().map_err(unread)?;
        paths.sort();
        let mut results = Results::default();
        for path in paths {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            // What a process that was killed left unfinished.
            if file.starts_with('.') {
                continue;
            }
            results.files += 1;
            let text = fs::read(&path).map_err(|error| Error::ShardRead {
                path: path.clone(),
                error,
            })?;
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
        self.fits(loaded, request)?;
        let wrong = results.status(self).wrong.unwrap_or(usize::MAX);
        let missing = results.missing.iter().copied();
        let missing: Vec<usize> = missing.filter(|task| *task < wrong).collect();
        if !missing.is_empty() {
            return Err(Error::ResultsMissing {
                missing,
                tasks: self.tasks.len(),
            });
        }
        Ok(Archive::new(self.identity.clone(), results.taken, None, 0))
    }
}

impl Results {
    /// How far the tasks of `plan` are.
    pub fn status(&self, plan: &ShardPlan) -> ShardStatus {
        let heads = || self.taken.iter().map(|result| &result.head);
        let wrong = heads().filter(|head| head.wrong);
        ShardStatus {
            done: plan.tasks.len() - self.missing.len(),
            tasks: plan.tasks.len(),
            clients: heads().map(|head| head.clients).sum(),
            executions: heads().map(|head| head.executions).sum(),
            wrong: wrong.filter_map(|head| head.task).min(),
        }
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
    let archive = Archive::new(plan.identity, taken, Some(folder), results.files);
    Ok((archive, results))
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
