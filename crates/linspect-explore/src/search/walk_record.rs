//! A part of a client's walk over execution graphs as it was written down: what was seen of it, and the parts that are left.
//!
//! The ways on from a graph depend on the graph alone, so what a part comes to depends on its path alone. A part that is walked until so many leaves were seen leaves the same
//! pieces whoever walks it, and each of them is a part again. What was found on the way is kept as a run that shows it, and run again when it is read.

use super::crew::Crew;
use super::leads::Lead;
use super::tally::{Summary, Tally};
use super::watcher::Watcher;
use super::{Plan, SearchError, Stopped};
use crate::races::races;
use crate::strategies::Leaf;
use crate::strategies::graph::{self, Rest, WalkPart};
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::MemoryModel;
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_core::property::Property;
use linspect_core::run::{Bounds, Follow, Nobody, run};
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use linspect_core::spec::Unfit;
use linspect_core::verdict::Limit;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::ops::ControlFlow;

/// What became of a part of a walk, piece by piece, in the order of the walk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WalkRecord {
    pub(super) pieces: Vec<Piece>,
    /// Whether an error was found.
    pub wrong: bool,
}

/// A piece of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Piece {
    /// Nothing in it ends the walk.
    Told(Box<ToldPiece>),
    /// It was not walked.
    Left(WalkPart),
    /// Something in it ends the walk: whoever knows what came before walks it once more.
    Ends(WalkPart),
}

/// What was seen of a piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ToldPiece {
    pub(super) begin: WalkPart,
    summary: Summary,
    leads: Vec<RaceRun>,
}

/// A run that shows a data race: nothing else that is found lets a walk go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct RaceRun {
    schedule: Vec<(ThreadId, u8)>,
    told: String,
}

impl ToldPiece {
    pub(super) fn new(begin: WalkPart, mut summary: Summary) -> Self {
        let leads = std::mem::take(&mut summary.leads);
        let leads = leads.into_iter().map(|lead| RaceRun {
            schedule: lead
                .schedule
                .0
                .iter()
                .map(|c| (c.thread, c.branch))
                .collect(),
            told: format!("{:?}", lead.kind),
        });
        Self {
            begin,
            leads: leads.collect(),
            summary,
        }
    }

    /// How many leaves there were.
    pub(super) fn leaves(&self) -> u64 {
        self.summary.leaves()
    }
}

impl WalkRecord {
    /// How many executions were run.
    pub fn executions(&self) -> u64 {
        let told = self.pieces.iter().map(|piece| match piece {
            Piece::Told(told) => told.summary.executions,
            Piece::Left(_) | Piece::Ends(_) => 0,
        });
        told.sum()
    }

    /// Where something ends the walk, if that is in this part.
    pub fn end(&self) -> Option<&WalkPart> {
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Ends(part) => Some(part),
            Piece::Told(_) | Piece::Left(_) => None,
        })
    }
}

impl<S: Subject, P: Property> Watcher<'_, S, P> {
    /// What a piece came to, the races in it run again; nothing if they do not show again.
    pub(super) fn summary_of<M: Machine>(
        &mut self,
        told: &ToldPiece,
        machine: &mut M,
        start: &M::Snapshot,
    ) -> Option<Summary> {
        let model = self.stuck.memory_model();
        let mut summary = told.summary.clone();
        for lead in &told.leads {
            let choices = lead.schedule.iter();
            let choices = choices.map(|&(thread, branch)| Choice { thread, branch });
            let schedule = Schedule(choices.collect());
            machine.restore(start);
            let follow = &mut Follow::new(&schedule);
            let execution = run(machine, follow, Bounds::NONE, &mut Nobody);
            let shown = races(execution.steps.iter(), model, self.judge.property());
            let mut shown = shown.into_iter().map(Defect::DataRace);
            summary.leads.push(Lead {
                kind: shown.find(|kind| format!("{kind:?}") == lead.told)?,
                schedule,
                stuck: false,
                messages: Vec::new(),
                has_all_steps: false,
            });
        }
        Some(summary)
    }
}

/// A part of the walk of one client, to be walked by itself.
pub struct PartOfWalk<'a, S> {
    /// Whose client.
    pub subject: &'a S,
    /// Which client.
    pub client: &'a Client,
    /// How it is explored.
    pub plan: &'a Plan,
    /// After how many steps a thread is stopped.
    pub steps: u32,
    /// Which part.
    pub part: &'a WalkPart,
    /// How many leaves are walked; what is left then is left.
    pub leaves: u64,
}

/// Walks parts of clients' walks under C20, each up to so many leaves, several at a time.
pub fn walk_parts<S: Subject, P: Property>(
    parts: &[PartOfWalk<'_, S>],
    property: &(impl Fn(&Client) -> Result<P, Unfit> + Sync),
    budget: &(dyn Budget + Sync),
) -> Result<Vec<WalkRecord>, WalkStopped> {
    let walk = |walked: &PartOfWalk<'_, S>| {
        let crew = Crew {
            subject: walked.subject,
            client: walked.client,
            property: &|client: &Client| property(client).ok(),
            budget,
            memory: None,
        };
        let bounds = Bounds {
            steps_per_thread: walked.steps,
        };
        crew.walk_leaves(walked.plan, bounds, walked.part, walked.leaves)
    };
    parts.par_iter().map(walk).collect()
}

/// Why a part of a walk has no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkStopped {
    /// A limit was reached.
    Limit(Limit),
    /// The client cannot be run.
    Error(SearchError),
}

impl<S: Subject, P: Property> Crew<'_, S, P> {
    /// Walks a part alone, up to so many leaves: what it comes to depends on neither cores nor clocks.
    pub(super) fn walk_leaves(
        &self,
        plan: &Plan,
        bounds: Bounds,
        part: &WalkPart,
        most: u64,
    ) -> Result<WalkRecord, WalkStopped> {
        let start = self.subject.start(self.client);
        let mut machine = start.map_err(|error| WalkStopped::Error(error.into()))?;
        machine.set_hurry(true);
        machine.set_retries(Retries::Park);
        let Some(property) = (self.property)(self.client) else {
            let ends = vec![Piece::Ends(part.clone())];
            return Ok(WalkRecord {
                pieces: ends,
                wrong: false,
            });
        };
        let silent = &|_, _| {};
        let watcher = Watcher::new(
            self.subject,
            self.client,
            property,
            plan,
            self.budget,
            silent,
        );
        let seen = RefCell::new((watcher, Tally::default()));
        let mut all: Option<Summary> = None;
        let tell = |all: &mut Option<Summary>, reused| {
            let (watcher, tally) = &mut *seen.borrow_mut();
            let more = watcher.summary(tally, reused);
            match all {
                Some(all) => all.extend(more),
                None => *all = Some(more),
            }
        };
        let mut begin = part.clone();
        let mut left = None;
        let mut leaves = 0;
        let options = graph::Options {
            model: MemoryModel::C20,
            bounds,
            budget: self.budget,
        };
        let mut visit = |leaf: &Leaf<'_>| {
            let (watcher, tally) = &mut *seen.borrow_mut();
            watcher.count(leaf, true, tally)
        };
        let mut breath = |rest: &mut dyn Rest| {
            let since = seen.borrow().0.leaves();
            if since < super::crew::LEAVES && leaves + since < most {
                return ControlFlow::Continue(());
            }
            leaves += since;
            tell(&mut all, rest.has_reused());
            begin = rest.branch();
            if leaves < most {
                return ControlFlow::Continue(());
            }
            left = Some(rest.pieces());
            ControlFlow::Break(())
        };
        let walk = graph::part(&mut machine, &options, part, &mut visit, &mut breath);
        let mut ends = None;
        let mut wrong = false;
        if walk.stopped && left.is_none() {
            if let Some(limit) = self.budget.exhausted(0) {
                return Err(WalkStopped::Limit(limit));
            }
            wrong = seen.borrow().0.stopped == Some(Stopped::Error);
            ends = Some(WalkPart { floor: 0, ..begin });
        } else if left.is_none() {
            tell(&mut all, machine.has_reused());
        }
        let told = all.map(|all| Piece::Told(Box::new(ToldPiece::new(part.clone(), all))));
        let left = left.into_iter().flatten().map(Piece::Left);
        let ends = ends.into_iter().map(Piece::Ends);
        Ok(WalkRecord {
            pieces: told.into_iter().chain(left).chain(ends).collect(),
            wrong,
        })
    }
}
