//! The search that keeps a promise: quick clients first, then those that need longer, then what is left with few preemptions, then at random.
//!
//! A client that has taken its share of what is left is put back, so that one large client does not take everything. Clients are tried smallest first; those
//! that were put back come again with fewer threads first, for three threads have more schedules than two of the same size. The smallest of all come again before
//! any others are tried: if they take long, larger ones will, too, and a little of each would cover none.
//!
//! A client that is the only one has a share for a first look; one that takes longer is explored with few preemptions, then class by class, then state by state ([`crate::strategies::states`]):
//! where many orders lead to the same states, those come to an end, and a fault that few of many orders lead to is found.
//!
//! Where threads do more at first than later (they register themselves, they fill caches), the order of what they do at first multiplies the schedules of larger clients. As soon as
//! one of those has taken its share, the clients that are promised are explored with threads that have warmed up ([`crate::warm_up`]), those of two threads before those of three;
//! cold ones go on with what is left.

use super::coverage::Bound;
use super::ledger::{Covered, Ledger, LedgerEntry};
use super::memory_use::MemoryUse;
use super::recall::Recall;
use super::{DefectiveRun, Method, Plan, Progress, SearchError, SearchOutcome, Stopped, search_on};
use crate::promise::{Depth, PREEMPTIONS, Promise};
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::{MemoryModel, SiteId};
use linspect_core::machine::Subject;
use linspect_core::property::Property;
use linspect_core::random::Random;
use linspect_core::spec::Unfit;
use linspect_core::verdict::Limit;
use std::collections::BTreeSet;
use std::iter::Peekable;

/// A budget that can be spent in parts.
pub trait Purse: Sync {
    /// Until this part of the whole is used up, from 0 to 1.
    fn until(&self, part: f64) -> Box<dyn Budget + Sync + '_>;
}

/// The parts of the whole at which the smallest clients, quick clients, slow clients, clients with few preemptions and everything that is not random end.
const SMALLEST: f64 = 0.35;
const QUICK: f64 = 0.5;
const SLOW: f64 = 0.65;
const FEW: f64 = 0.8;

/// Where threads warm up: the parts at which quick clients, and those that warm up, end.
const QUICK_COLD: f64 = 0.4;
const WARM: f64 = 0.6;

/// The parts at which the first look at a client that is the only one, few preemptions and classes end; what is left up to [`FEW`] is for its states.
const LOOK: f64 = 0.02;
const ALONE_FEW: f64 = 0.1;
const CLASSES: f64 = 0.5;

/// There was no time left.
const TIME: Option<Stopped> = Some(Stopped::Limit(Limit::Time));

/// What part of what is left one client may take: when it is first tried, when it comes again, and at last.
const FIRST_SHARE: u32 = 64;
const SHARE: u32 = 8;
const LAST_SHARE: u32 = 2;

/// How many clients are taken at a time, and how many where the first that takes long ends it.
const CHUNK: usize = 64;
const SMALL_CHUNK: usize = 8;

/// How many clients that were not tried are run at random, at most.
const SAMPLED_CLIENTS: usize = 4_096;

/// Random runs of each client in the first round; each round has four times as many as the last.
const RUNS: u64 = 2;

/// How many rounds of random runs there are at most.
const ROUNDS: u32 = 8;

/// What was run at random beyond what was covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beyond {
    /// How many clients.
    pub clients: usize,
    /// How many executions of them.
    pub executions: u64,
}

/// What was found beside errors.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// With this client.
    pub client: Client,
    /// What.
    pub found: DefectiveRun,
    /// Whether freed memory is never used again there.
    pub fresh: bool,
}

/// What a search that keeps a promise came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// What became of each client.
    pub ledger: Ledger,
    /// What was run at random, if anything was left.
    pub beyond: Option<Beyond>,
    /// How many runs there were that turned back where others had been, if the only client was explored so, and not to its end.
    pub turned_back: Option<u64>,
    /// Why the search ended before everything was covered.
    pub stopped: Option<Stopped>,
    /// The first error, and its client.
    pub error: Option<(Client, DefectiveRun)>,
    /// Whether that was found where freed memory is never used again, and only there.
    pub fresh: bool,
    /// Where atomic accesses stand that are weaker than `seq_cst` or may fail without reason, of all runs.
    pub weaker: BTreeSet<SiteId>,
    /// Whether somebody slept in some run until he was woken.
    pub sleeps: bool,
    /// The operations that returned in some run.
    pub returned: BTreeSet<u16>,
    /// What became of memory in all runs.
    pub memory: MemoryUse,
    /// What else was found: data races, and bounds of the machine.
    pub notes: Vec<Note>,
    /// Why some client that was explored to its end is not covered all the same.
    pub unjudged: Option<Bound>,
    /// What could not be explored because Linspect itself went wrong, though something was found elsewhere.
    pub internal: Option<SearchError>,
}

impl Kept {
    /// What an ordinary search came to, of `all` clients.
    pub fn of(outcome: &SearchOutcome, all: usize) -> Self {
        let mut kept = Self::default();
        for explored in &outcome.explored {
            let mut entry = LedgerEntry::new(explored.client.clone());
            entry.note(explored);
            kept.ledger.entries.push(entry);
        }
        kept.ledger.next = (outcome.explored.len() < all).then_some(0);
        kept.hear(outcome);
        kept
    }

    /// The clients up to the first with an error: what becomes of those behind it depends on how fast the cores are.
    pub fn needed(&self) -> impl Iterator<Item = &Client> {
        let error = self.error.as_ref().map(|(client, _)| client);
        let clients = self.ledger.entries.iter().map(|entry| &entry.client);
        let mut is_behind = false;
        clients.take_while(move |&client| {
            let was_behind = is_behind;
            is_behind |= Some(client) == error;
            !was_behind
        })
    }

    /// Notes what was found, and why a search stopped.
    fn hear(&mut self, outcome: &SearchOutcome) {
        let error = outcome.error();
        self.error = error.map(|(client, found)| (client.clone(), found.clone()));
        self.fresh = outcome.is_fresh();
        self.internal = self.internal.take().or_else(|| outcome.internal.clone());
        for explored in &outcome.explored {
            self.unjudged = self.unjudged.or_else(|| explored.coverage.unjudged());
            self.weaker.extend(&explored.weaker);
            self.sleeps |= explored.sleeps;
            self.returned.extend(&explored.returned);
            self.memory.extend(explored.memory);
            for found in explored.found.iter().filter(|f| !f.kind.is_error()) {
                let mut notes = self.notes.iter();
                if !notes.any(|note| is_said(&note.found.kind, &found.kind)) {
                    self.notes.push(Note {
                        client: explored.client.clone(),
                        found: found.clone(),
                        fresh: explored.fresh,
                    });
                }
            }
        }
        if self.stopped != Some(Stopped::Machine) {
            self.stopped = outcome.reason().or(self.stopped);
        }
    }

    /// Whether nothing more may be done.
    fn is_over(&self) -> bool {
        let limit = |limit| self.stopped == Some(Stopped::Limit(limit));
        let machine = self.stopped == Some(Stopped::Machine);
        self.error.is_some() || machine || limit(Limit::Interrupted) || limit(Limit::Memory)
    }
}

/// Whether a finding says nothing new beside another.
fn is_said(one: &Defect, other: &Defect) -> bool {
    match (one, other) {
        (Defect::DataRace(one), Defect::DataRace(other)) => one.places() == other.places(),
        _ => one == other,
    }
}

/// What is promised, and how far a search that keeps the promise may go.
#[derive(Clone, Copy)]
pub struct Keeping<'a> {
    /// How clients are explored.
    pub plan: &'a Plan,
    /// What is promised.
    pub promise: &'a Promise,
    /// What may be spent.
    pub purse: &'a dyn Purse,
    /// Hears how far the search is.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Whether to go beyond what is promised, given what was seen until then.
    pub beyond: &'a dyn Fn(&Kept) -> bool,
    /// Who remembers what was explored before, if anybody does.
    pub memory: Option<&'a dyn Recall>,
    /// The same client with threads that warm up, where that makes it smaller.
    pub warm: Option<&'a Twin<'a>>,
}

/// Gives a client whose threads warm up, if there is one.
pub type Twin<'a> = dyn Fn(&Client) -> Option<Client> + 'a;

/// Explores `clients`, smallest first, until the promise is kept and as far beyond as the purse goes, or until the first error.
pub fn keep<S: Subject, P: Property>(
    subject: &S,
    clients: impl Iterator<Item = Client>,
    property: impl Fn(&Client) -> Result<P, Unfit> + Sync,
    keeping: Keeping<'_>,
) -> Result<Kept, SearchError> {
    let Keeping {
        plan,
        promise,
        purse,
        progress,
        beyond,
        memory,
        warm,
    } = keeping;
    let mut keeper = Keeper {
        subject,
        property,
        plan,
        purse,
        progress,
        beyond,
        memory,
        warm,
        clients: clients.peekable(),
        kept: Kept::default(),
        tasks: 0,
        executions: 0,
    };
    keeper.run(promise)?;
    Ok(keeper.kept)
}

struct Keeper<'a, S, I: Iterator, F> {
    subject: &'a S,
    property: F,
    plan: &'a Plan,
    purse: &'a dyn Purse,
    progress: &'a (dyn Fn(Progress) + Sync),
    beyond: &'a dyn Fn(&Kept) -> bool,
    memory: Option<&'a dyn Recall>,
    warm: Option<&'a Twin<'a>>,
    /// Those not yet tried.
    clients: Peekable<I>,
    kept: Kept,
    /// How many explorations of clients there were so far, and executions in them.
    tasks: usize,
    executions: u64,
}

impl<S, P, I, F> Keeper<'_, S, I, F>
where
    S: Subject,
    P: Property,
    I: Iterator<Item = Client>,
    F: Fn(&Client) -> Result<P, Unfit> + Sync,
{
    fn run(&mut self, promise: &Promise) -> Result<(), SearchError> {
        if self.plan.method != Method::Exhaustive {
            self.take(usize::MAX, 1.0, None)?;
            self.kept.ledger.next = self.clients.peek().map(Client::size);
            return Ok(());
        }
        if promise.usual {
            if let Some(smallest) = promise.levels.first() {
                self.take(smallest.operations, SMALLEST, Some(FIRST_SHARE))?;
                self.again(Depth::Exhausted, SMALLEST, Some(LAST_SHARE))?;
            }
            match self.warm {
                Some(twin) => self.warm_up(promise, twin)?,
                None => self.take(promise.operations(), QUICK, Some(FIRST_SHARE))?,
            }
            self.again(Depth::Exhausted, SLOW, Some(SHARE))?;
            for level in &promise.levels {
                if let Depth::Preemptions(_) = level.depth {
                    if let Some(twin) = self.warm {
                        self.explore_warm(promise, twin, level.depth, FEW)?;
                    }
                    self.again(level.depth, FEW, Some(SHARE))?;
                }
            }
            if !(self.beyond)(&self.kept) {
                self.kept.ledger.next = self.clients.peek().map(Client::size);
                return Ok(());
            }
        }
        if self.is_alone() && !self.is_weak() {
            self.explore_alone()?;
        } else {
            let alone = self.is_alone();
            self.take(usize::MAX, FEW, (!alone).then_some(SHARE))?;
            if !alone {
                self.again(Depth::Exhausted, FEW, Some(LAST_SHARE))?;
            }
        }
        self.kept.ledger.next = self.clients.peek().map(Client::size);
        match self.is_weak() || !(self.beyond)(&self.kept) {
            true => Ok(()),
            false => self.sample(),
        }
    }

    /// Whether only whole executions can be judged: few preemptions mean nothing there, and random runs could break the axiom of `seq_cst`.
    fn is_weak(&self) -> bool {
        self.subject.memory_model() == MemoryModel::C20
    }

    /// Whether there is one client only.
    fn is_alone(&self) -> bool {
        self.kept.ledger.entries.is_empty() && self.clients.size_hint().1 == Some(1)
    }

    /// Explores the only client there is.
    fn explore_alone(&mut self) -> Result<(), SearchError> {
        let rest = [
            (Depth::Preemptions(PREEMPTIONS), ALONE_FEW),
            (Depth::Exhausted, CLASSES),
            (Depth::States, FEW),
        ];
        self.take(usize::MAX, LOOK, None)?;
        for (depth, part) in rest {
            let before = self.executions;
            // Steps that had to be bounded may lead to few states.
            let is_cut = self.kept.ledger.entries.iter().any(|e| e.cut.is_some());
            if self.kept.is_over() || self.kept.stopped != TIME && !is_cut {
                break;
            }
            match depth {
                Depth::States => {
                    self.explore_states(part)?;
                    self.note_states(self.executions - before);
                }
                _ => self.again(depth, part, None)?,
            }
        }
        Ok(())
    }

    /// Explores the only client state by state.
    fn explore_states(&mut self, part: f64) -> Result<(), SearchError> {
        let plan = Plan {
            share: None,
            ..self.plan_of(Depth::States)
        };
        let budget = self.purse.until(part);
        let all = 0..self.kept.ledger.entries.len();
        self.explore(&Vec::from_iter(all), &plan, &*budget)?;
        Ok(())
    }

    /// After so many runs of the only client that turned back in known states.
    fn note_states(&mut self, executions: u64) {
        if self.kept.stopped == Some(Stopped::Limit(Limit::Memory)) {
            // What is known of the states was given back: there is room for random runs.
            self.kept.stopped = TIME;
        }
        for entry in &mut self.kept.ledger.entries {
            match entry.covered {
                // No race can be missing.
                Covered::States(_) if self.kept.weaker.is_empty() => {
                    entry.covered = Covered::Exhausted;
                }
                Covered::States(_) | Covered::Exhausted => {}
                _ => self.kept.turned_back = Some(executions),
            }
        }
    }

    /// Tries the clients of at most this size that were not tried, until this part of the budget is used up.
    fn take(&mut self, size: usize, part: f64, share: Option<u32>) -> Result<(), SearchError> {
        self.take_until(size, part, share, CHUNK, |_| false)
    }

    /// The same, so many at a time, until those that were just tried are `enough`.
    fn take_until(
        &mut self,
        size: usize,
        part: f64,
        share: Option<u32>,
        chunk: usize,
        enough: impl Fn(&[LedgerEntry]) -> bool,
    ) -> Result<(), SearchError> {
        let budget = self.purse.until(part);
        while !self.kept.is_over() {
            let begin = self.kept.ledger.entries.len();
            while self.kept.ledger.entries.len() < begin + chunk
                && let Some(client) = self.clients.next_if(|client| client.size() <= size)
            {
                self.kept.ledger.entries.push(LedgerEntry::new(client));
            }
            let end = self.kept.ledger.entries.len();
            let plan = Plan {
                share,
                ..*self.plan
            };
            let whole = self.explore(&Vec::from_iter(begin..end), &plan, &*budget)?;
            if begin == end || !whole || enough(&self.kept.ledger.entries[begin..end]) {
                break;
            }
        }
        Ok(())
    }

    /// Tries those clients again that are not covered so thoroughly, fewer threads first, until this part of the budget is used up.
    fn again(&mut self, depth: Depth, part: f64, share: Option<u32>) -> Result<(), SearchError> {
        let entries = &self.kept.ledger.entries;
        let mut left: Vec<usize> = (0..entries.len())
            .filter(|&i| !entries[i].covered.is(depth))
            .collect();
        left.sort_by_key(|&i| {
            let client = &entries[i].client;
            (client.size() > 2, client.threads.len(), client.size())
        });
        let plan = self.plan_of(depth);
        let budget = self.purse.until(part);
        if !self.kept.is_over() {
            self.explore(&left, &Plan { share, ..plan }, &*budget)?;
        }
        Ok(())
    }

    /// Tries the promised clients until one takes long; then those that are left, with threads that have warmed up.
    fn warm_up(&mut self, promise: &Promise, twin: &Twin<'_>) -> Result<(), SearchError> {
        let size = promise.operations();
        let slow = |tried: &[LedgerEntry]| tried.iter().any(|e| !e.covered.is(Depth::Exhausted));
        self.take_until(size, QUICK_COLD, Some(FIRST_SHARE), SMALL_CHUNK, slow)?;
        let rest = std::iter::from_fn(|| self.clients.next_if(|client| client.size() <= size));
        self.kept.ledger.entries.extend(rest.map(LedgerEntry::new));
        self.explore_warm(promise, twin, Depth::Exhausted, WARM)
    }

    /// Tries those clients with threads that have warmed up for which that is enough and that are not covered so thoroughly, fewer threads first, until this part of the
    /// budget is used up.
    fn explore_warm(
        &mut self,
        promise: &Promise,
        twin: &Twin<'_>,
        depth: Depth,
        part: f64,
    ) -> Result<(), SearchError> {
        let is_enough = |client: &Client| {
            let smallest = promise.levels.first();
            let mut levels = promise.levels.iter().filter(|l| l.warm && l.depth == depth);
            !smallest.is_some_and(|level| level.asks(client))
                && levels.any(|level| level.asks(client))
        };
        for share in [FIRST_SHARE, SHARE] {
            let entries = self.kept.ledger.entries.iter().enumerate();
            let left = entries.filter(|(_, e)| !e.covered.is(depth) && !e.warm.is(depth));
            let left = left.filter(|(_, e)| is_enough(&e.client));
            let mut left: Vec<(usize, Client)> = left
                .filter_map(|(i, e)| Some((i, twin(&e.client)?)))
                .collect();
            left.sort_by_key(|(_, client)| (client.threads.len(), client.size()));
            if self.kept.is_over() {
                break;
            }
            let plan = Plan {
                share: Some(share),
                ..self.plan_of(depth)
            };
            let budget = self.purse.until(part);
            let (which, clients): (Vec<usize>, Vec<Client>) = left.into_iter().unzip();
            let outcome = self.search(clients, &plan, &*budget)?;
            for (explored, &i) in outcome.explored.iter().zip(&which) {
                self.kept.ledger.entries[i].note_warm(explored);
            }
            self.kept.hear(&outcome);
        }
        Ok(())
    }

    /// How clients are covered so thoroughly.
    fn plan_of(&self, depth: Depth) -> Plan {
        match depth {
            Depth::Preemptions(preemptions) => self.plan.with(Method::Bounded { preemptions }),
            Depth::States => self.plan.with(Method::States),
            Depth::Exhausted | Depth::Sampled => *self.plan,
        }
    }

    /// Explores these entries; whether all of them were tried.
    fn explore(
        &mut self,
        which: &[usize],
        plan: &Plan,
        budget: &(dyn Budget + Sync),
    ) -> Result<bool, SearchError> {
        let entries = &self.kept.ledger.entries;
        let clients: Vec<Client> = which.iter().map(|&i| entries[i].client.clone()).collect();
        let outcome = self.search(clients, plan, budget)?;
        for (explored, &i) in outcome.explored.iter().zip(which) {
            self.kept.ledger.entries[i].note(explored);
        }
        self.kept.hear(&outcome);
        Ok(outcome.explored.len() == which.len() && !outcome.is_out_of_budget())
    }

    fn search(
        &mut self,
        clients: Vec<Client>,
        plan: &Plan,
        budget: &(dyn Budget + Sync),
    ) -> Result<SearchOutcome, SearchError> {
        let (tasks, before) = (self.tasks, self.executions);
        self.tasks += clients.len();
        let outcome = search_on(
            self.subject,
            clients.into_iter(),
            &self.property,
            plan,
            budget,
            &|progress| {
                (self.progress)(Progress {
                    client: tasks + progress.client,
                    executions: before + progress.executions,
                    ..progress
                });
            },
            self.memory,
        )?;
        self.executions += outcome.executions();
        Ok(outcome)
    }

    /// Runs those clients at random that are not exhausted, until the budget is used up: each a few times, in random order, so that all sizes have their share,
    /// then each more often. A fault that needs a larger client is then often found, though nothing is proved of it.
    fn sample(&mut self) -> Result<(), SearchError> {
        let entries = self.kept.ledger.entries.iter();
        let left = entries.filter(|e| !e.covered.is(Depth::Exhausted));
        let mut clients: Vec<Client> = left.map(|e| e.client.clone()).collect();
        clients.extend(self.clients.by_ref().take(SAMPLED_CLIENTS));
        if clients.is_empty() || self.kept.is_over() {
            return Ok(());
        }
        Random::new(clients.len() as u64).shuffle(&mut clients);
        let budget = self.purse.until(1.0);
        let mut beyond = Beyond::default();
        for round in 0..ROUNDS {
            let method = Method::Mixed {
                runs: RUNS << (2 * round),
                seed: u64::from(round),
            };
            let outcome = self.search(clients.clone(), &self.plan.with(method), &*budget)?;
            beyond.clients = beyond.clients.max(outcome.explored.len());
            beyond.executions += outcome.executions();
            self.kept.hear(&outcome);
            if self.kept.error.is_some() || outcome.is_out_of_budget() {
                break;
            }
        }
        self.kept.beyond = Some(beyond);
        Ok(())
    }
}
