//! Remembers explorations: those that results have, and those that are made now, which go to files while the search runs.

use super::record::{PartRecord, Record, client_word};
use super::result_file::{Identity, TaskResult, write_whole};
use super::tasks::PartTask;
use crate::error::Error;
use linspect_core::client::Client;
use linspect_core::machine::Subject;
use linspect_explore::search::{Explored, Plan, Recall, Recalled, WalkName, WalkRecord};
use linspect_explore::strategies::graph::WalkPart;
use linspect_vm::LoadedProgram;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// How long explorations are only in memory, at least, and as a part of the time since the first: a search of hours leaves hundreds of files, not thousands.
const SELDOM: Duration = Duration::from_secs(1);
const PART: u32 = 100;

/// Explorations of one program, to which one question was asked.
#[derive(Debug)]
pub struct Archive {
    identity: Identity,
    /// By what they were explored under, and by client: those from before, and those made now.
    known: RwLock<FxHashMap<(String, String), Record>>,
    /// By walk and part.
    parts: RwLock<FxHashMap<PartKey, WalkRecord>>,
    /// How many there were before.
    before: usize,
    made: Mutex<Made>,
    /// How many leaves of a part are walked before the rest is put off, if it is.
    each: Option<u64>,
    /// The parts that were, by walk.
    put_off: Mutex<BTreeMap<WalkKey, Vec<PartTask>>>,
}

/// What a walk is found by: what it was made under, its client, whether freed memory is never used again, and after how many steps a thread is stopped.
type WalkKey = (String, String, bool, u32);

type PartKey = (WalkKey, WalkPart);

/// What was explored by this process.
#[derive(Debug)]
struct Made {
    records: Vec<Record>,
    /// The last that was heard of each.
    parts: BTreeMap<(WalkKey, Vec<u32>), PartRecord>,
    /// Those among them that are settled, too.
    settled_parts: Vec<PartRecord>,
    /// How many of them are in their order, and whose number does not depend on how fast the cores are.
    settled: usize,
    /// Where they go; nowhere if they are only collected.
    folder: Option<PathBuf>,
    /// How many files there are.
    files: usize,
    start: Instant,
    saved: Instant,
    error: Option<Error>,
}

impl Archive {
    /// Knows `results`; what is explored from now on is collected, or goes to `folder`, where there are so many `files` from before.
    pub(super) fn new(
        identity: Identity,
        results: impl IntoIterator<Item = TaskResult>,
        folder: Option<PathBuf>,
        files: usize,
        each: Option<u64>,
    ) -> Self {
        let mut known: FxHashMap<_, _> = FxHashMap::default();
        let mut parts: FxHashMap<_, _> = FxHashMap::default();
        for result in results {
            known.extend(
                result
                    .records
                    .into_iter()
                    .map(|record| (record.key(), record)),
            );
            parts.extend(result.parts.into_iter().map(|part| {
                let PartRecord {
                    under,
                    task,
                    record,
                } = part;
                let walk = (under, task.client, task.fresh, task.steps);
                ((walk, task.part), record)
            }));
        }
        let is_begun = |(walk, _): &&PartKey| {
            let (under, client, ..) = walk;
            !known.contains_key(&(under.clone(), client.clone()))
        };
        let begun = parts.keys().filter(is_begun).count();
        let now = Instant::now();
        Self {
            identity,
            before: known.len() + begun,
            known: RwLock::new(known),
            parts: RwLock::new(parts),
            each,
            put_off: Mutex::default(),
            made: Mutex::new(Made {
                records: Vec::new(),
                parts: BTreeMap::new(),
                settled_parts: Vec::new(),
                settled: 0,
                folder,
                files,
                start: now,
                saved: now,
                error: None,
            }),
        }
    }

    /// How many explorations it knows from before.
    pub fn known(&self) -> usize {
        self.before
    }

    /// What was explored and settled, and which parts of clients were walked.
    pub(super) fn take_settled(&self) -> (Vec<Record>, Vec<PartRecord>) {
        let mut made = self.lock();
        let settled = std::mem::take(&mut made.settled);
        let records = made.records.drain(..).take(settled).collect();
        (records, std::mem::take(&mut made.settled_parts))
    }

    /// Which parts of walks were put off.
    pub(super) fn take_put_off(&self) -> Vec<PartTask> {
        let mut put_off = self.put_off.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *put_off)
            .into_values()
            .flatten()
            .collect()
    }

    /// Writes what is not in a file yet. An error of an earlier write is told now.
    pub fn save(&self) -> Result<(), Error> {
        let mut made = self.lock();
        made.save(&self.identity);
        made.error.take().map_or(Ok(()), Err)
    }

    fn lock(&self) -> MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same for a program as it is set up now.
    pub(crate) fn of<'a>(&'a self, code: &'a LoadedProgram) -> Setup<'a> {
        Setup {
            archive: self,
            code,
        }
    }
}

impl Made {
    fn save(&mut self, identity: &Identity) {
        let Some(folder) = &self.folder else {
            return;
        };
        let is_empty = self.records.is_empty() && self.parts.is_empty();
        if is_empty || self.error.is_some() {
            return;
        }
        let records = std::mem::take(&mut self.records);
        let parts = std::mem::take(&mut self.parts);
        let path = folder.join(format!("part-{:06}", self.files));
        self.files += 1;
        let parts = parts.into_values().collect();
        let text = TaskResult::new(identity.clone(), None, records, parts).text();
        self.error = write_whole(&path, &text).err();
        self.saved = Instant::now();
    }

    /// Whether it is time to write.
    fn is_due(&self) -> bool {
        let since = self.saved.elapsed();
        since >= SELDOM && since >= self.start.elapsed() / PART
    }
}

/// What is known of a program that is set up in one way.
pub(crate) struct Setup<'a> {
    archive: &'a Archive,
    code: &'a LoadedProgram,
}

impl Setup<'_> {
    /// What a client is explored under: what decides what its exploration comes to and is not the same for the whole search.
    fn under(&self, plan: &Plan) -> String {
        let model = self.code.memory_model();
        let shared = &self.code.settings().shared;
        let method = plan.method;
        let spurious = match self.code.settings().spurious {
            true => " spurious",
            false => "",
        };
        match plan.executions {
            Some(most) => format!("{model:?} {shared:?} {method:?} {most}{spurious}"),
            None => format!("{model:?} {shared:?} {method:?}{spurious}"),
        }
    }

    fn walk_key(&self, walk: &WalkName<'_>) -> WalkKey {
        let client = client_word(walk.client);
        (self.under(walk.plan), client, walk.fresh, walk.steps)
    }

    fn part_task(&self, walk: &WalkName<'_>, part: WalkPart) -> PartTask {
        PartTask {
            client: client_word(walk.client),
            shared: self.code.settings().shared.clone(),
            fresh: walk.fresh,
            steps: walk.steps,
            part,
        }
    }
}

impl Setup<'_> {
    /// Of what was explored and put off since the last time, keeps these clients alone, in this order: on several cores others may have been begun, too.
    pub(crate) fn settle<'c>(&self, clients: impl Iterator<Item = &'c Client>, plan: &Plan) {
        let under = self.under(plan);
        let words: Vec<String> = clients.map(client_word).collect();
        let mut made = self.archive.lock();
        let made = &mut *made;
        let settled = made.settled;
        let new = made.records.drain(settled..);
        let mut new: FxHashMap<_, _> = new.map(|record| (record.key(), record)).collect();
        let in_order = words
            .iter()
            .filter_map(|word| new.remove(&(under.clone(), word.clone())));
        made.records.extend(in_order);
        made.settled = made.records.len();
        let words: FxHashSet<String> = words.into_iter().collect();
        let is_kept = |(_, client, ..): &WalkKey| words.contains(client);
        let parts = std::mem::take(&mut made.parts).into_iter();
        let parts = parts.filter_map(|((walk, _), part)| is_kept(&walk).then_some(part));
        made.settled_parts.extend(parts);
        let put_off = self.archive.put_off.lock();
        let mut put_off = put_off.unwrap_or_else(PoisonError::into_inner);
        put_off.retain(|walk, _| walk.0 != under || is_kept(walk));
    }

    /// Keeps all parts that were walked since the last time.
    pub(super) fn settle_parts(&self) {
        let mut made = self.archive.lock();
        let made = &mut *made;
        let parts = std::mem::take(&mut made.parts);
        made.settled_parts.extend(parts.into_values());
    }
}

impl Recall for Setup<'_> {
    fn recall(&self, client: &Client, plan: &Plan) -> Option<Recalled> {
        let key = (self.under(plan), client_word(client));
        let known = self.archive.known.read();
        let known = known.unwrap_or_else(PoisonError::into_inner);
        known.get(&key)?.recalled(client)
    }

    fn note(&self, client: &Client, plan: &Plan, explored: &Explored) {
        let record = Record::new(&self.under(plan), client, explored);
        let known = self.archive.known.write();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        known.insert(record.key(), record.clone());
        drop(known);
        let mut made = self.archive.lock();
        made.records.push(record);
        if made.is_due() {
            made.save(&self.archive.identity);
        }
    }

    fn part(&self, walk: &WalkName<'_>, part: &WalkPart) -> Option<WalkRecord> {
        let parts = self.archive.parts.read();
        let parts = parts.unwrap_or_else(PoisonError::into_inner);
        parts.get(&(self.walk_key(walk), part.clone())).cloned()
    }

    fn note_part(&self, walk: &WalkName<'_>, part: &WalkPart, record: WalkRecord) {
        let key = self.walk_key(walk);
        let parts = self.archive.parts.write();
        let mut parts = parts.unwrap_or_else(PoisonError::into_inner);
        parts.insert((key.clone(), part.clone()), record.clone());
        drop(parts);
        let noted = PartRecord {
            under: self.under(walk.plan),
            task: self.part_task(walk, part.clone()),
            record,
        };
        let mut made = self.archive.lock();
        made.parts.insert((key, part.path.clone()), noted);
        if made.is_due() {
            made.save(&self.archive.identity);
        }
    }

    fn is_due(&self) -> bool {
        let made = self.archive.lock();
        made.folder.is_some() && made.is_due()
    }

    fn most_leaves(&self) -> Option<u64> {
        self.archive.each
    }

    fn put_off(&self, walk: &WalkName<'_>, parts: Vec<WalkPart>) {
        let tasks = parts.into_iter().map(|part| self.part_task(walk, part));
        let put_off = self.archive.put_off.lock();
        let mut put_off = put_off.unwrap_or_else(PoisonError::into_inner);
        put_off.insert(self.walk_key(walk), tasks.collect());
    }
}
