//! One client on all cores under sequential consistency: whoever is idle walks pieces of the walk ahead of it ([`crate::strategies::exhaustive`]).
//!
//! The one who walks from the beginning comes to every piece in its turn. What was walked ahead it adds up then, as if it had been there itself; a piece in which the walk might end (an error, a count that is
//! reached, a round that is given up) it walks itself. So a finding and its counts are those of one core, byte for byte, however many there are and whoever is quicker. Whoever comes to a piece
//! that somebody else is still walking takes another piece meanwhile, and whoever walks a piece offers pieces of it in turn.

use super::Plan;
use super::crew::Crew;
use super::deepening::Deepening;
use super::tally::{Summary, Tally};
use super::unwritten::LeavesOut;
use super::watcher::Watcher;
use crate::strategies::Leaf;
use crate::strategies::exhaustive::{self, Helpers, Piece, WalkedPiece};
use crate::trace::Footprint;
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_core::property::Property;
use linspect_core::run::Bounds;
use linspect_core::verdict::Limit;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How many leaves a piece should have to be worth starting a machine, and how many must have been seen before that can be guessed.
const LEAVES: u64 = 64;

/// What has become of a piece.
enum State {
    Waiting(Piece),
    /// Somebody walks it, and leaves it if nobody needs it any more.
    Walked(Arc<AtomicBool>),
    Told(Box<Told>),
    /// It must be walked in its turn.
    Lost,
}

struct Told {
    outcome: WalkedPiece,
    summary: Summary,
}

/// The pieces that were offered, by number.
#[derive(Default)]
struct Board {
    pieces: BTreeMap<u64, State>,
    next: u64,
}

/// The walk of one round, which several share.
struct Shared<'a, S, P> {
    crew: Crew<'a, S, P>,
    plan: &'a Plan,
    bounds: Bounds,
    leaves_out: &'a LeavesOut,
    board: Mutex<Board>,
    changed: Condvar,
    waiting: AtomicUsize,
}

/// A piece that somebody has taken from the board.
struct Walked {
    number: u64,
    piece: Piece,
    dropped: Arc<AtomicBool>,
}

impl<S: Subject, P: Property> Shared<'_, S, P> {
    fn board(&self) -> MutexGuard<'_, Board> {
        // A panic leaves no piece half changed.
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first piece that waits is taken from the board.
    fn take(&self, board: &mut Board) -> Option<Walked> {
        let waits = |(_, state): &(&u64, &mut State)| matches!(state, State::Waiting(_));
        let (&number, state) = board.pieces.iter_mut().find(waits)?;
        let dropped = Arc::default();
        let walked = State::Walked(Arc::clone(&dropped));
        let State::Waiting(piece) = std::mem::replace(state, walked) else {
            unreachable!("it waits");
        };
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Some(Walked {
            number,
            piece,
            dropped,
        })
    }

    /// Walks a piece and tells what became of it.
    fn walk<'s>(&'s self, walked: Walked, scope: &rayon::Scope<'s>) {
        let number = walked.number;
        // What goes wrong here is no result: it goes wrong again in its turn.
        let walk = AssertUnwindSafe(|| self.ahead(walked, scope));
        let told = catch_unwind(walk).ok().flatten();
        let mut board = self.board();
        if let Some(state) = board.pieces.get_mut(&number) {
            *state = told.map_or(State::Lost, |told| State::Told(Box::new(told)));
        }
        self.changed.notify_all();
    }

    fn ahead<'s>(&'s self, walked: Walked, scope: &rayon::Scope<'s>) -> Option<Told> {
        let crew = self.crew;
        let budget = |memory| match walked.dropped.load(Ordering::Relaxed) {
            true => Some(Limit::Interrupted),
            false => crew.budget.exhausted(memory),
        };
        let property = (crew.property)(crew.client)?;
        let mut machine = crew.subject.start(crew.client).ok()?;
        machine.set_hurry(true);
        self.leaves_out.tell(&mut machine);
        let silent = &|_, _| {};
        let mut watcher = Watcher::new(
            crew.subject,
            crew.client,
            property,
            self.plan,
            &budget,
            silent,
        );
        let mut tally = Tally::default();
        let walker = Walker::new(self, scope, None, &mut watcher, &mut tally);
        let options = exhaustive::Options {
            bounds: self.bounds,
            budget: &budget,
            ..exhaustive::Options::default()
        };
        let visit = &mut |leaf: &Leaf<'_>| walker.see(leaf);
        let outcome = exhaustive::piece(&mut machine, &options, walked.piece, &walker, visit)?;
        drop(walker);
        let reused = machine.has_reused() || watcher.reused;
        let summary = watcher.summary(&mut tally, reused);
        Some(Told { outcome, summary })
    }
}

/// One who walks, from the beginning or a piece.
struct Walker<'w, 's, 'a, 'b, S: Subject, P: Property> {
    shared: &'s Shared<'a, S, P>,
    scope: &'w rayon::Scope<'s>,
    /// When the round is given up; only the one who walks from the beginning can tell.
    deepening: Option<&'w Deepening>,
    seen: RefCell<Seen<'w, 'b, S, P>>,
    offered: RefCell<Vec<u64>>,
}

struct Seen<'w, 'b, S, P> {
    watcher: &'w mut Watcher<'b, S, P>,
    tally: &'w mut Tally,
}

impl<'w, 's, 'a, 'b, S: Subject, P: Property> Walker<'w, 's, 'a, 'b, S, P> {
    fn new(
        shared: &'s Shared<'a, S, P>,
        scope: &'w rayon::Scope<'s>,
        deepening: Option<&'w Deepening>,
        watcher: &'w mut Watcher<'b, S, P>,
        tally: &'w mut Tally,
    ) -> Self {
        Self {
            shared,
            scope,
            deepening,
            seen: RefCell::new(Seen { watcher, tally }),
            offered: RefCell::default(),
        }
    }

    fn see(&self, leaf: &Leaf<'_>) -> ControlFlow<()> {
        let Seen { watcher, tally } = &mut *self.seen.borrow_mut();
        watcher.count(leaf, self.shared.leaves_out.retries == Retries::Park, tally)?;
        let is_endless = |d: &Deepening| d.is_endless(tally.executions, tally.limited);
        match self.deepening.is_some_and(is_endless) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// What became of a piece, which is not needed any more; meanwhile other pieces are walked.
    fn wait_for(&self, number: u64) -> Option<Box<Told>> {
        let shared = self.shared;
        let mut board = shared.board();
        while let Some(State::Walked(_)) = board.pieces.get(&number) {
            if let Some(other) = shared.take(&mut board) {
                drop(board);
                shared.walk(other, self.scope);
                board = shared.board();
            } else {
                let woken = shared.changed.wait(board);
                board = woken.unwrap_or_else(PoisonError::into_inner);
            }
        }
        match board.pieces.remove(&number)? {
            State::Told(told) => Some(told),
            State::Waiting(_) => {
                shared.waiting.fetch_sub(1, Ordering::Relaxed);
                None
            }
            State::Walked(_) | State::Lost => None,
        }
    }
}

impl<S: Subject, P: Property> Helpers for Walker<'_, '_, '_, '_, S, P> {
    fn wanted(&self) -> Option<u64> {
        let is_enough = self.shared.waiting.load(Ordering::Relaxed) >= rayon::current_num_threads();
        let watcher = &self.seen.borrow().watcher;
        (!is_enough && watcher.executions + watcher.cut >= LEAVES).then_some(LEAVES)
    }

    fn offer(&self, piece: Piece) -> u64 {
        let shared = self.shared;
        let mut board = shared.board();
        board.next += 1;
        let number = board.next;
        board.pieces.insert(number, State::Waiting(piece));
        shared.waiting.fetch_add(1, Ordering::Relaxed);
        drop(board);
        self.offered.borrow_mut().push(number);
        // Whoever waits for a piece may take this one.
        shared.changed.notify_all();
        self.scope.spawn(move |scope| {
            let taken = shared.take(&mut shared.board());
            if let Some(walked) = taken {
                shared.walk(walked, scope);
            }
        });
        number
    }

    fn fetch(&self, number: u64, sleep: &[Footprint]) -> Option<WalkedPiece> {
        let Told { outcome, summary } = *self.wait_for(number)?;
        let Seen { watcher, tally } = &mut *self.seen.borrow_mut();
        let leaves = watcher.executions + watcher.cut + summary.leaves();
        let most = self.shared.plan.executions;
        let may_end = most.is_some_and(|most| leaves >= most)
            || self
                .deepening
                .is_some_and(|d| d.may_end_in(tally, &summary.tally));
        if may_end || !outcome.begins_with(sleep) {
            return None;
        }
        watcher.extend(summary, tally);
        Some(outcome)
    }
}

impl<S: Subject, P: Property> Drop for Walker<'_, '_, '_, '_, S, P> {
    /// Nobody needs what was offered and not fetched.
    fn drop(&mut self) {
        let mut board = self.shared.board();
        for number in self.offered.get_mut() {
            match board.pieces.remove(number) {
                Some(State::Walked(dropped)) => dropped.store(true, Ordering::Relaxed),
                Some(State::Waiting(_)) => {
                    self.shared.waiting.fetch_sub(1, Ordering::Relaxed);
                }
                Some(State::Told(_) | State::Lost) | None => {}
            }
        }
    }
}

impl<S: Subject, P: Property> Watcher<'_, S, P> {
    /// Walks the classes of a client, whose start `machine` stands at, while others walk pieces ahead; whether the walk was broken off.
    pub(super) fn walk_ahead<M: Machine>(
        &mut self,
        machine: &mut M,
        crew: Crew<'_, S, P>,
        leaves_out: &LeavesOut,
        deepening: &Deepening,
        tally: &mut Tally,
    ) -> bool {
        let bounds = deepening.bounds();
        let shared = Shared {
            crew,
            plan: self.plan,
            bounds,
            leaves_out,
            board: Mutex::default(),
            changed: Condvar::new(),
            waiting: AtomicUsize::new(0),
        };
        let options = exhaustive::Options {
            bounds,
            budget: self.budget,
            ..exhaustive::Options::default()
        };
        rayon::in_place_scope(|scope| {
            let walker = Walker::new(&shared, scope, Some(deepening), self, tally);
            let visit = &mut |leaf: &Leaf<'_>| walker.see(leaf);
            exhaustive::together(machine, &options, &walker, visit).stopped
        })
    }
}
