//! Many recorded histories as tasks: a plan of files, what was said of each of them, and all of it in their order again.

use super::result_file::{sealed, unsealed, write_whole};
use super::{name, read_plan_text};
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

/// Histories cut into tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryPlan {
    /// The version of Linspect.
    linspect: String,
    /// What was asked, as it was typed behind `linspect check`.
    check: Vec<String>,
    /// What the files had in them.
    histories: Vec<HistoryFile>,
    /// Files that follow each other, for each task.
    tasks: Vec<Range<usize>>,
}

/// A file with a history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct HistoryFile {
    path: PathBuf,
    digest: String,
    bytes: u64,
}

impl HistoryFile {
    fn of(path: &Path) -> Result<Self, Error> {
        let unread = |error| Error::ShardRead {
            path: path.to_owned(),
            error,
        };
        let mut file = fs::File::open(path).map_err(unread)?;
        let mut digest = DigestOf(Xxh3Default::new());
        let bytes = io::copy(&mut file, &mut digest).map_err(unread)?;
        Ok(Self {
            path: path.to_owned(),
            digest: format!("{:032x}", digest.0.digest128()),
            bytes,
        })
    }
}

/// The digest of what is written to it: a history may be larger than memory.
struct DigestOf(Xxh3Default);

impl io::Write for DigestOf {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The first line of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct HistoryHead {
    /// The digest of the plan.
    plan: String,
    task: usize,
}

/// What is known of the tasks of a plan.
#[derive(Debug, Default)]
pub struct HistoryResults {
    /// What was said of the histories of each task that has a result.
    said: Vec<Option<Vec<String>>>,
    /// Files that are cut short or changed.
    pub damaged: Vec<PathBuf>,
    /// Files of another plan.
    pub alien: Vec<PathBuf>,
}

impl HistoryResults {
    /// Tasks without a result, from 0.
    pub fn missing(&self) -> Vec<usize> {
        let tasks = self.said.iter().enumerate();
        tasks
            .filter_map(|(task, said)| said.is_none().then_some(task))
            .collect()
    }

    /// How many histories were decided.
    pub fn decided(&self) -> usize {
        self.said.iter().flatten().map(Vec::len).sum()
    }
}

impl HistoryPlan {
    /// Cuts these files into at most so many tasks of about as many bytes.
    pub fn new(files: &[PathBuf], words: Vec<String>, tasks: usize) -> Result<Self, Error> {
        let histories = files.iter().map(|path| HistoryFile::of(path));
        let histories: Vec<HistoryFile> = histories.collect::<Result<_, _>>()?;
        Ok(Self {
            linspect: env!("CARGO_PKG_VERSION").to_owned(),
            check: words,
            tasks: cut(&histories, tasks),
            histories,
        })
    }

    /// What was asked, as it was typed behind `linspect check`.
    pub fn words(&self) -> &[String] {
        &self.check
    }

    /// How many tasks there are.
    pub fn tasks(&self) -> usize {
        self.tasks.len()
    }

    /// How many histories there are.
    pub fn histories(&self) -> usize {
        self.histories.len()
    }

    /// Writes it to a folder that has no plan yet.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        super::write_plan(folder, self)
    }

    /// The plan of a folder, if it is one of histories.
    pub fn read(folder: &Path) -> Result<Option<Self>, Error> {
        Ok(serde_json::from_str(&read_plan_text(folder)?).ok())
    }

    fn digest(&self) -> String {
        let text = serde_json::to_string(self).expect("plain data");
        format!("{:032x}", xxh3_128(text.as_bytes()))
    }

    /// The histories of a task; they are the ones that the plan was made of.
    pub fn task(&self, task: usize) -> Result<Range<usize>, Error> {
        let range = self.tasks.get(task).ok_or(Error::NoTask {
            task,
            tasks: self.tasks.len(),
        })?;
        if self.linspect != env!("CARGO_PKG_VERSION") {
            return Err(Error::OtherPlan("version of Linspect"));
        }
        for history in &self.histories[range.clone()] {
            if HistoryFile::of(&history.path)? != *history {
                return Err(Error::OtherPlan("history"));
            }
        }
        Ok(range.clone())
    }

    /// Writes what was said of the histories of a task.
    pub fn note(&self, folder: &Path, task: usize, said: &[String]) -> Result<(), Error> {
        let head = HistoryHead {
            plan: self.digest(),
            task,
        };
        let mut text = serde_json::to_string(&head).expect("plain data") + "\n";
        for said in said {
            text += &(serde_json::to_string(said).expect("a text") + "\n");
        }
        write_whole(&folder.join("results").join(name(task)), &sealed(&text))
    }

    /// The results in `folder`.
    pub fn results(&self, folder: &Path) -> Result<HistoryResults, Error> {
        let mut results = HistoryResults {
            said: vec![None; self.tasks.len()],
            ..HistoryResults::default()
        };
        for (path, bytes) in super::result_texts(folder)? {
            let Some(text) = unsealed(&bytes) else {
                results.damaged.push(path);
                continue;
            };
            match self.said(text) {
                Some((task, said)) => results.said[task] = Some(said),
                None => results.alien.push(path),
            }
        }
        Ok(results)
    }

    /// What a result says, if it is one of this plan.
    fn said(&self, text: &str) -> Option<(usize, Vec<String>)> {
        let mut lines = text.lines();
        let head: HistoryHead = serde_json::from_str(lines.next()?).ok()?;
        let said = lines.map(serde_json::from_str);
        let said: Vec<String> = said.collect::<Result<_, _>>().ok()?;
        let is_whole = self.tasks.get(head.task)?.len() == said.len();
        (head.plan == self.digest() && is_whole).then_some((head.task, said))
    }

    /// What was said of all histories, in their order.
    pub fn merge(&self, results: HistoryResults) -> Result<Vec<String>, Error> {
        let missing = results.missing();
        if !missing.is_empty() {
            return Err(Error::ResultsMissing {
                missing,
                tasks: self.tasks.len(),
            });
        }
        Ok(results.said.into_iter().flatten().flatten().collect())
    }
}

/// Cuts files into at most so many tasks of about as many bytes. No task is empty.
fn cut(histories: &[HistoryFile], tasks: usize) -> Vec<Range<usize>> {
    let weight = |history: &HistoryFile| u128::from(history.bytes) + 1;
    let whole: u128 = histories.iter().map(weight).sum();
    let tasks = tasks.clamp(1, histories.len().max(1));
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut before = 0;
    for (i, history) in histories.iter().enumerate() {
        let due = before * tasks as u128 >= whole * out.len() as u128;
        let must = tasks - out.len() >= histories.len() - i;
        let begins = out.len() < tasks && (due || must);
        match out.last_mut() {
            Some(last) if !begins => last.end = i + 1,
            _ => out.push(i..i + 1),
        }
        before += weight(history);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many tasks there are, each file is in one of them, in their order, and none is empty.
    #[test]
    fn nothing_is_left_out_and_nothing_comes_twice() {
        for bytes in [
            vec![0; 9],
            vec![1, 1000, 1, 1, 1],
            (0..40).collect(),
            vec![5],
        ] {
            let file = |&bytes: &u64| HistoryFile {
                path: PathBuf::new(),
                digest: String::new(),
                bytes,
            };
            let files: Vec<HistoryFile> = bytes.iter().map(file).collect();
            for tasks in [1, 2, 7, 100] {
                let cut = cut(&files, tasks);
                assert_eq!(cut.len(), tasks.min(files.len()), "{bytes:?} {tasks}");
                assert!(cut.iter().all(|range| !range.is_empty()));
                let all: Vec<usize> = cut.into_iter().flatten().collect();
                assert_eq!(all, Vec::from_iter(0..files.len()));
            }
        }
    }
}
