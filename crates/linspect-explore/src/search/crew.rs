//! One client on all cores: its walk over execution graphs is cut into parts, and what they come to is put together in the order of the walk.
//!
//! The ways on from a graph depend on the graph alone, so whoever knows the path to a part can walk it. What a part comes to counts only when everything before it in the order of the walk does, and
//! only if nothing in it ends the walk: neither an error, nor a limit, nor a count that is reached with what came before. The first part in which something might is walked once more, by the one who holds
//! what came before, from exactly where it begins. So a finding and its counts are those of one core, byte for byte, however many there are and whoever is quicker.
//!
//! Whoever walks tells what it has seen every few leaves, and gives its last piece away if nobody else waits to be walked. What was told and cannot be added yet is put together in pairs of like size, so there is
//! little of it however long the walk is.

mod notes;

use super::Plan;
use super::coverage::Stopped;
use super::deepening::Deepening;
use super::recall::{Recall, WalkName};
use super::tally::{Summary, Tally};
use super::watcher::Watcher;
use crate::strategies::Leaf;
use crate::strategies::graph::{self, Rest, WalkPart};
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::execution::MemoryModel;
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_core::property::Property;
use linspect_core::run::Bounds;
use notes::Notes;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// After how many leaves what was seen is told.
pub(super) const LEAVES: u64 = 32;

/// What others need to walk parts of a client's graphs.
pub(super) struct Crew<'a, S, P> {
    pub(super) subject: &'a S,
    pub(super) client: &'a Client,
    /// Makes what judges the runs.
    pub(super) property: &'a (dyn Fn(&Client) -> Option<P> + Sync),
    /// What ends the walk for everybody.
    pub(super) budget: &'a (dyn Budget + Sync),
    /// Who remembers parts of the walk, if anybody does.
    pub(super) memory: Option<WalkMemory<'a>>,
}

/// Who remembers parts of walks, of a client whose freed memory is used again or never is.
#[derive(Clone, Copy)]
pub(super) struct WalkMemory<'a> {
    pub(super) recall: &'a dyn Recall,
    pub(super) fresh: bool,
}

impl<S, P> Clone for Crew<'_, S, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, P> Copy for Crew<'_, S, P> {}

/// A part of the walk, and what has become of it.
struct Part {
    id: u64,
    branch: WalkPart,
    state: State,
    /// Nobody needs it any more.
    dropped: Arc<AtomicBool>,
}

enum State {
    Waiting,
    Walked,
    Told(Box<Summary>),
    /// To be walked by the one who holds what came before: so many leaves, or all that are left of the whole walk.
    Again(Option<u64>),
}

/// All parts of the walk that were not added up, in its order.
#[derive(Default)]
struct Parts {
    list: Vec<Part>,
    next: u64,
}

impl Parts {
    fn push(&mut self, branch: WalkPart, state: State) {
        self.insert(self.list.len(), branch, state);
    }

    fn insert(&mut self, at: usize, branch: WalkPart, state: State) -> u64 {
        self.next += 1;
        let part = Part {
            id: self.next,
            branch,
            state,
            dropped: Arc::default(),
        };
        self.list.insert(at, part);
        self.next
    }

    fn position(&self, id: u64) -> Option<usize> {
        self.list.iter().position(|part| part.id == id)
    }

    /// Drops what comes from this place on.
    fn drop_from(&mut self, at: usize) {
        for part in self.list.drain(at..) {
            part.dropped.store(true, Ordering::Relaxed);
        }
    }

    /// Puts what was told before this place together, in pairs of like size.
    fn put_together(&mut self, mut at: usize) {
        while let Some(before) = at.checked_sub(2) {
            let [one, two] = &mut self.list[before..at] else {
                return;
            };
            let (State::Told(one), State::Told(two)) = (&mut one.state, &two.state) else {
                return;
            };
            if one.leaves() > two.leaves() {
                return;
            }
            let State::Told(two) = self.list.remove(at - 1).state else {
                return;
            };
            let State::Told(one) = &mut self.list[before].state else {
                return;
            };
            one.extend(*two);
            at -= 1;
        }
    }
}

/// The walk of one round, which several share.
struct Shared<'a, S, P> {
    crew: Crew<'a, S, P>,
    plan: &'a Plan,
    bounds: Bounds,
    parts: Mutex<Parts>,
    changed: Condvar,
}

/// What one who walks has seen since it last told.
struct Seen<'a, S, P> {
    watcher: Watcher<'a, S, P>,
    tally: Tally,
    /// Where that began.
    begin: WalkPart,
}

impl<'a, S: Subject, P: Property> Shared<'a, S, P> {
    fn parts(&self) -> MutexGuard<'_, Parts> {
        // A panic leaves no part half changed.
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Walks the first part that waits, if there is one; `is_wanted` says now and then whether to give it back.
    fn help<'s>(&'s self, scope: &rayon::Scope<'s>, is_wanted: &mut dyn FnMut() -> bool) -> bool {
        let mut parts = self.parts();
        let waiting = |part: &&mut Part| matches!(part.state, State::Waiting);
        let Some(part) = parts.list.iter_mut().find(waiting) else {
            return false;
        };
        part.state = State::Walked;
        let (id, branch, dropped) = (part.id, part.branch.clone(), part.dropped.clone());
        drop(parts);
        // What goes wrong here is no result: it goes wrong again where everything before it is known.
        let walk = AssertUnwindSafe(|| self.walk(id, &branch, &dropped, scope, is_wanted));
        if !matches!(catch_unwind(walk), Ok(true)) {
            self.again(id);
        }
        true
    }

    /// Walks a part; false if something happened in it.
    fn walk<'s>(
        &'s self,
        id: u64,
        branch: &WalkPart,
        dropped: &AtomicBool,
        scope: &rayon::Scope<'s>,
        is_wanted: &mut dyn FnMut() -> bool,
    ) -> bool {
        let crew = self.crew;
        let Some(property) = (crew.property)(crew.client) else {
            return false;
        };
        let Ok(mut machine) = crew.subject.start(crew.client) else {
            return false;
        };
        machine.set_hurry(true);
        machine.set_retries(Retries::Park);
        let silent = &|_, _| {};
        let seen = RefCell::new(Seen {
            watcher: Watcher::new(
                crew.subject,
                crew.client,
                property,
                self.plan,
                crew.budget,
                silent,
            ),
            tally: Tally::default(),
            begin: branch.clone(),
        });
        let mut left = false;
        let options = graph::Options {
            model: MemoryModel::C20,
            bounds: self.bounds,
            budget: crew.budget,
        };
        let mut visit = |leaf: &Leaf<'_>| {
            let mut seen = seen.borrow_mut();
            let Seen { watcher, tally, .. } = &mut *seen;
            watcher.count(leaf, true, tally)
        };
        let mut breath = |rest: &mut dyn Rest| {
            left = dropped.load(Ordering::Relaxed);
            let mut seen = seen.borrow_mut();
            if !left && seen.watcher.leaves() >= LEAVES {
                left =
                    !self.tell(id, &mut seen, rest, scope) || (is_wanted() && self.give_back(id));
            }
            match left {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let walk = graph::part(&mut machine, &options, branch, &mut visit, &mut breath);
        if walk.stopped {
            return left;
        }
        let mut seen = seen.into_inner();
        let summary = seen.watcher.summary(&mut seen.tally, machine.has_reused());
        let mut parts = self.parts();
        if let Some(at) = parts.position(id) {
            parts.list[at].branch = seen.begin;
            parts.list[at].state = State::Told(Box::new(summary));
            parts.put_together(at + 1);
        }
        self.changed.notify_all();
        true
    }

    /// Tells what was seen, and gives a piece away if none waits; false if nobody needs this part any more.
    fn tell<'s>(
        &'s self,
        id: u64,
        seen: &mut Seen<'_, S, P>,
        rest: &mut dyn Rest,
        scope: &rayon::Scope<'s>,
    ) -> bool {
        let summary = seen.watcher.summary(&mut seen.tally, rest.has_reused());
        let begin = std::mem::replace(&mut seen.begin, rest.branch());
        let mut parts = self.parts();
        let Some(at) = parts.position(id) else {
            return false;
        };
        parts.insert(at, begin, State::Told(Box::new(summary)));
        let waits = |part: &Part| matches!(part.state, State::Waiting);
        if !parts.list.iter().any(waits)
            && let Some(piece) = rest.split()
        {
            parts.insert(at + 2, piece, State::Waiting);
            seen.begin = rest.branch();
            scope.spawn(|scope| {
                self.help(scope, &mut || false);
            });
        }
        parts.list[at + 1].branch = seen.begin.clone();
        parts.put_together(at + 1);
        self.changed.notify_all();
        true
    }

    /// Lets somebody else walk what is left of a part.
    fn give_back(&self, id: u64) -> bool {
        let mut parts = self.parts();
        if let Some(at) = parts.position(id) {
            parts.list[at].state = State::Waiting;
        }
        true
    }

    /// Notes that something happened in a part since what was told of it: it is to be walked again from there, and nothing behind it is needed before.
    fn again(&self, id: u64) {
        let mut parts = self.parts();
        if let Some(at) = parts.position(id) {
            parts.drop_from(at + 1);
            parts.list[at].state = State::Again(None);
            parts.list[at].branch.floor = 0;
        }
        self.changed.notify_all();
    }
}

/// What the one who holds what came before does next.
enum Next {
    /// Walks this again.
    Again(WalkPart, Option<u64>),
    Help,
    /// Nothing: others walk what is left.
    PutOff,
    /// Nothing, because everything was walked; or because it may not go on.
    End {
        is_whole: bool,
    },
}

impl<S: Subject, P: Property> Watcher<'_, S, P> {
    /// Walks the graphs of a client, whose start `machine` stands at, together with others; whether the walk was broken off.
    pub(super) fn walk_together<M: Machine>(
        &mut self,
        machine: &mut M,
        crew: Crew<'_, S, P>,
        deepening: &Deepening,
        tally: &mut Tally,
    ) -> bool {
        let start = machine.snapshot();
        let shared = Shared {
            crew,
            plan: self.plan,
            bounds: deepening.bounds(),
            parts: Mutex::default(),
            changed: Condvar::new(),
        };
        let mut notes = crew.memory.map(|memory| Notes {
            recall: memory.recall,
            walk: WalkName {
                client: crew.client,
                plan: self.plan,
                fresh: memory.fresh,
                steps: shared.bounds.steps_per_thread,
            },
            added: Some(None),
        });
        match &notes {
            Some(notes) => {
                if self.begin_walk(&shared, notes).is_break() {
                    return true;
                }
                let parts = &mut shared.parts();
                // Where something ends the walk, there is nothing behind it.
                let _ = self.recall_part(WalkPart::default(), notes, parts, machine, &start);
            }
            None => shared.parts().push(WalkPart::default(), State::Waiting),
        }
        rayon::in_place_scope(|scope| {
            loop {
                match self.next(&shared, deepening, tally, &mut notes) {
                    Next::End { is_whole } => return !is_whole,
                    Next::PutOff => return true,
                    Next::Again(branch, leaves) => {
                        machine.restore(&start);
                        if let Some(notes) = &mut notes {
                            notes.added = None;
                        }
                        if self.walk_again(machine, &branch, leaves, deepening, tally) {
                            shared.parts().drop_from(0);
                            return true;
                        }
                    }
                    Next::Help => {
                        let mut is_wanted = || {
                            let parts = &mut shared.parts();
                            self.add_up(parts, deepening, tally, &mut notes);
                            let first = parts.list.first().map(|part| &part.state);
                            matches!(first, Some(State::Again(_)))
                                || self.budget.exhausted(0).is_some()
                        };
                        shared.help(scope, &mut is_wanted);
                    }
                }
            }
        })
    }

    /// Waits until there is something to do.
    fn next(
        &mut self,
        shared: &Shared<'_, S, P>,
        deepening: &Deepening,
        tally: &mut Tally,
        notes: &mut Option<Notes<'_>>,
    ) -> Next {
        let mut parts = shared.parts();
        loop {
            self.add_up(&mut parts, deepening, tally, notes);
            let Some(first) = parts.list.first() else {
                return Next::End { is_whole: true };
            };
            if let State::Again(leaves) = first.state {
                return Next::Again(parts.list.remove(0).branch, leaves);
            }
            if self.budget.exhausted(0).is_some() {
                parts.drop_from(0);
                return Next::End { is_whole: false };
            }
            let waits = |part: &Part| matches!(part.state, State::Waiting);
            if parts.list.iter().any(waits) {
                return match notes {
                    Some(notes) if notes.recall.most_leaves().is_some() => {
                        self.stopped = Some(Stopped::PutOff);
                        notes.put_off(&mut parts);
                        Next::PutOff
                    }
                    _ => Next::Help,
                };
            }
            let woken = shared.changed.wait(parts);
            parts = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Adds up what was told of the first parts, up to one in which the walk might end; notes how far that is when it is time.
    fn add_up(
        &mut self,
        parts: &mut Parts,
        deepening: &Deepening,
        tally: &mut Tally,
        notes: &mut Option<Notes<'_>>,
    ) {
        self.add_told(parts, deepening, tally, notes);
        if let Some(notes) = notes
            && notes.recall.most_leaves().is_none()
            && notes.recall.is_due()
        {
            notes.note(parts);
        }
    }

    fn add_told(
        &mut self,
        parts: &mut Parts,
        deepening: &Deepening,
        tally: &mut Tally,
        notes: &mut Option<Notes<'_>>,
    ) {
        while let Some(first) = parts.list.first_mut()
            && let State::Told(summary) = &first.state
        {
            let leaves = self.executions + self.cut + summary.leaves();
            let is_last = self.plan.executions.is_some_and(|most| leaves >= most);
            if is_last || deepening.may_end_in(tally, &summary.tally) {
                // What was put together may have come from several parts; the leaves say where it ends.
                first.state = State::Again(Some(summary.leaves()));
                first.branch.floor = 0;
                return;
            }
            if let State::Told(summary) = parts.list.remove(0).state {
                if let Some(notes) = notes {
                    notes.add(&summary);
                }
                self.extend(*summary, tally);
            }
        }
    }

    /// Walks a part in which something happens, or may; whether the walk ends there.
    fn walk_again<M: Machine>(
        &mut self,
        machine: &mut M,
        branch: &WalkPart,
        mut leaves: Option<u64>,
        deepening: &Deepening,
        tally: &mut Tally,
    ) -> bool {
        let options = graph::Options {
            model: MemoryModel::C20,
            bounds: deepening.bounds(),
            budget: self.budget,
        };
        let mut is_over = false;
        let visit = &mut |leaf: &Leaf<'_>| {
            is_over = self.count(leaf, true, tally).is_break()
                || deepening.is_endless(tally.executions, tally.limited);
            if let Some(left) = &mut leaves {
                *left -= 1;
            }
            match is_over || leaves == Some(0) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let breath = &mut |_: &mut dyn Rest| ControlFlow::Continue(());
        let walk = graph::part(machine, &options, branch, visit, breath);
        is_over || walk.stopped && leaves != Some(0)
    }
}
