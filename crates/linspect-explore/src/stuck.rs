//! Whether threads that wait for ever may: an operation that blocks is a fault only if it would not block alone.
//!
//! A `take` of an empty queue waits, and so it should. So a stuck run is justified iff for each operation that waits there is a serial run of
//! the object in which the operations that returned do so with the same results, in an order that real time allows, and this one then
//! blocks (stuck histories: Burckhardt, Dern, Musuvathi, Tan: "Line-Up: A Complete and Automatic Linearizability Checker", PLDI 2010).
//!
//! Operations may have to meet ([`Spec::together`](linspect_core::spec::Spec::together)): in a serial run those that wait for each other run in turn, each until it waits. So whoever
//! waits may also not be able to go on together: for each set of those who wait there is a serial run after which not all of them return, in whatever order they come.
//!
//! Under C20 the order in which a run is told is not real time: an operation that read an old value may have come before one that returned earlier. There an operation comes after those of
//! which its thread knew.
//!
//! An operation that by the specification never waits ([`Spec::may_wait`](linspect_core::spec::Spec::may_wait)) may still wait for what its caller can do something about: a queue that is full for the object,
//! though not for its specification. So one more operation, or two, must be able to let it go on. Where none can, it is a deadlock, also if nobody else runs. And where somebody waits for a
//! lock, some operation must still be able to do anything but wait, whatever the specification says: else an operation has returned without giving the lock back.
//!
//! Threads that the object starts itself run beside the operations of a serial run. They may wait for ever where no operation does: they wait for work. But who waits for
//! a lock that nobody gives back any more waits for no work.

use crate::alone::{self, Alone, Ways};
use crate::harness_check::{self, MEET};
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::consistency::{Graph, Synchronised};
use linspect_core::execution::{Ending, EventId, MemoryModel, Step};
use linspect_core::history::Outcome;
use linspect_core::machine::{Blocked, Machine, Status, Subject};
use linspect_core::project::outcome;
use linspect_core::run::{Bounds, Follow, Nobody, run};
use linspect_core::schedule::{Schedule, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Knows which operations of a client wait by themselves.
pub struct Stuck<'a, S> {
    subject: &'a S,
    client: &'a Client,
    known: FxHashMap<(Done, Vec<ThreadId>), bool>,
    /// How many operations may be run for an answer about a long client.
    most: usize,
}

/// The operations that returned, by thread.
type Done = Vec<Vec<Completed>>;

/// An operation that returned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Completed {
    ending: Ending,
    /// By thread, how many operations had returned when it was called.
    after: Vec<usize>,
}

impl<'a, S: Subject> Stuck<'a, S> {
    /// For the runs of `client`.
    pub fn new(subject: &'a S, client: &'a Client) -> Self {
        Self {
            subject,
            client,
            known: FxHashMap::default(),
            most: usize::MAX,
        }
    }

    /// Gives up on long clients, whose serial runs are too many to try all; nothing is then held against who waits. For whoever only guesses.
    #[must_use]
    pub fn guessing(self) -> Self {
        Self { most: MOST, ..self }
    }

    /// What the atomics of the runs may do.
    pub(crate) fn memory_model(&self) -> MemoryModel {
        self.subject.memory_model()
    }

    /// Whether there are no operations, but a program that may be meant to go on for ever.
    pub(crate) fn is_program(&self) -> bool {
        self.subject.is_program()
    }

    /// Whether after these steps each of the `waiting` threads would wait after some serial run, too.
    pub fn is_serial<'s>(
        &mut self,
        steps: impl Iterator<Item = &'s Step> + Clone,
        waiting: &[ThreadId],
    ) -> bool {
        if self.is_program() {
            return false;
        }
        let threads = self.client.threads.len();
        let is_own = |thread: &ThreadId| usize::from(*thread) >= threads;
        if waiting.iter().any(is_own) && self.is_locked_out(steps.clone(), waiting) {
            return false;
        }
        let told = completed(steps, threads, self.memory_model());
        let (client, done) = without_failures(self.client, self.subject.operations(), told.clone());
        let mut operations = waiting.to_vec();
        operations.retain(|&t| usize::from(t) < threads);
        sets(&operations).into_iter().all(|set| {
            let key = (told.clone(), set);
            if let Some(&known) = self.known.get(&key) {
                return known;
            }
            let mut at_lock = false;
            let serial = self.subject.start(&client).is_ok_and(|mut machine| {
                let mut order = SerialRun::new(&mut machine, &done);
                if done.iter().map(Vec::len).sum::<usize>() > LONG {
                    order.left = self.most;
                }
                let waits = order.leads_to_wait(&key.1);
                at_lock = order.at_lock;
                waits
            });
            let serial = serial && !self.is_held_up(&client, &done, &key.1, at_lock);
            self.known.insert(key, serial);
            serial
        })
    }

    /// Whether the only one of `waiting` is in an operation that never waits, and nobody can let it go on: neither one more operation nor two after any serial run
    /// in which those that returned do so, and this one then waits. Or whether it stands at a lock, and after any such run every operation waits.
    fn is_held_up(
        &self,
        client: &Client,
        done: &Done,
        waiting: &[ThreadId],
        at_lock: bool,
    ) -> bool {
        let &[thread] = waiting else {
            return false;
        };
        let at = usize::from(thread);
        let Some(call) = client.threads[at].get(done[at].len()) else {
            return false;
        };
        let declared = self.subject.operations();
        let never = declared[usize::from(call.operation)].limits.never_waits;
        if !never && !at_lock {
            return false;
        }
        let calls = harness_check::calls(self.subject);
        let mut beside = client.clone();
        beside.after.clear();
        beside
            .threads
            .extend(calls.into_iter().map(|call| vec![call]));
        let helpers = client.threads.len()..beside.threads.len();
        let mut done = done.clone();
        done.resize(beside.threads.len(), Vec::new());
        self.subject.start(&beside).is_ok_and(|mut machine| {
            let mut order = SerialRun::new(&mut machine, &done);
            (order.helpers, order.only_locks) = (helpers, !never);
            !order.leads_to_wait(waiting)
        })
    }

    /// Whether after these steps one of the object's own threads that are `waiting` stands at a lock.
    fn is_locked_out<'s>(
        &self,
        steps: impl Iterator<Item = &'s Step>,
        waiting: &[ThreadId],
    ) -> bool {
        let schedule = Schedule(steps.map(|step| step.choice).collect());
        let threads = self.client.threads.len();
        self.subject.start(self.client).is_ok_and(|mut machine| {
            let follow = &mut Follow::new(&schedule);
            run(&mut machine, follow, Bounds::NONE, &mut Nobody);
            let mut own = waiting.iter().filter(|&&t| usize::from(t) >= threads);
            own.any(|&t| matches!(machine.status(t), Status::Blocked(Blocked::Lock { .. })))
        })
    }
}

/// The client and what returned, without operations that failed as they may beside others: these have done nothing, and a serial run has nobody beside them.
fn without_failures(client: &Client, declared: &[Declared], done: Done) -> (Client, Done) {
    let fails = |(one, call): (&Completed, &Invocation)| {
        let limits = &declared[usize::from(call.operation)].limits;
        let text = limits.may_fail.as_deref();
        text.is_some_and(|text| is_failure(&one.ending, text))
    };
    let of_thread = |(done, calls): (&Vec<Completed>, &Vec<Invocation>)| -> Vec<bool> {
        done.iter().zip(calls).map(fails).collect()
    };
    let failed: Vec<Vec<bool>> = done.iter().zip(&client.threads).map(of_thread).collect();
    if !failed.iter().flatten().any(|failed| *failed) {
        return (client.clone(), done);
    }
    let stays = |thread: usize, at: usize| failed[thread].get(at) != Some(&true);
    let mut left = client.clone();
    for (thread, calls) in left.threads.iter_mut().enumerate() {
        let mut at = 0..;
        calls.retain(|_| at.next().is_none_or(|at| stays(thread, at)));
    }
    let count =
        |(thread, most): (usize, &usize)| (0..*most).filter(|at| stays(thread, *at)).count();
    let kept = done.into_iter().enumerate().map(|(thread, done)| {
        let kept = done.into_iter().enumerate();
        let kept = kept.filter(|(at, _)| stays(thread, *at));
        let kept = kept.map(|(_, one)| Completed {
            after: one.after.iter().enumerate().map(count).collect(),
            ending: one.ending,
        });
        kept.collect()
    });
    let kept = kept.collect();
    (left, kept)
}

/// Whether an operation ended with what stands for failure, as a harness writes it: `nil`, `false`, `(-1)`.
fn is_failure(ending: &Ending, text: &str) -> bool {
    let bare = text.trim_matches(|c| matches!(c, '(' | ')' | ' '));
    matches!(outcome(ending), Outcome::Returned(value) if value.to_string() == bare)
}

/// Every set of these threads but the empty one, small ones first; none of more than meet at most.
fn sets(threads: &[ThreadId]) -> Vec<Vec<ThreadId>> {
    let mut all: Vec<Vec<ThreadId>> = vec![Vec::new()];
    for &thread in threads {
        let small = all.iter().filter(|set| set.len() < MEET);
        let with: Vec<_> = small.map(|set| [&set[..], &[thread]].concat()).collect();
        all.extend(with);
    }
    all.sort_by_key(Vec::len);
    all.split_off(1)
}

/// The operations of a run that returned.
fn completed<'s>(
    steps: impl Iterator<Item = &'s Step> + Clone,
    threads: usize,
    model: MemoryModel,
) -> Done {
    let graph = (model == MemoryModel::C20).then(|| Graph::of(steps.clone()));
    let knows = graph.as_ref().map(|graph| Synchronised::of(graph, model));
    let mut done: Done = vec![Vec::new(); threads];
    let mut called = vec![Vec::new(); threads];
    // By thread, the steps in which its operations returned.
    let mut returns: Vec<Vec<EventId>> = vec![Vec::new(); threads];
    let mut taken: FxHashMap<ThreadId, u32> = FxHashMap::default();
    for step in steps {
        let thread = step.choice.thread;
        let count = taken.entry(thread).or_default();
        let event = EventId {
            thread,
            step: *count,
        };
        *count += 1;
        if let Some(activation) = step.called {
            let is_before = |returned: &&EventId| match &knows {
                Some(knows) => knows.has(**returned, event),
                None => true,
            };
            let before = |all: &Vec<EventId>| all.iter().filter(is_before).count();
            called[usize::from(activation.thread)] = returns.iter().map(before).collect();
        }
        if let Some((activation, ending)) = &step.returned {
            let thread = usize::from(activation.thread);
            returns[thread].push(event);
            done[thread].push(Completed {
                ending: ending.clone(),
                after: std::mem::take(&mut called[thread]),
            });
        }
    }
    done
}

/// A serial run, as far as it has come.
struct SerialRun<'a, M> {
    machine: &'a mut M,
    done: &'a Done,
    /// How many operations of each thread it has run.
    taken: Vec<usize>,
    /// Where it was and found no way on: different orders often lead to one state.
    dead_ends: FxHashSet<(Vec<usize>, u128)>,
    /// How many operations may still be run.
    left: usize,
    /// The threads that call one operation each to let go on who waits, if somebody has to be able to.
    helpers: Range<usize>,
    /// Whether only who waits for a lock has to be let go on, for which it is enough that somebody does anything but wait.
    only_locks: bool,
    /// Whether the only one who waits stood at a lock.
    at_lock: bool,
}

/// A client with more operations than `LONG` is a long one; who guesses runs `MOST` operations for it.
const LONG: usize = 16;
const MOST: usize = 2_000;

impl<'a, M: Machine> SerialRun<'a, M> {
    /// Nothing has been run.
    fn new(machine: &'a mut M, done: &'a Done) -> Self {
        Self {
            taken: vec![0; done.len()],
            dead_ends: FxHashSet::default(),
            left: usize::MAX,
            helpers: 0..0,
            only_locks: false,
            at_lock: false,
            machine,
            done,
        }
    }

    /// Whether some way on has the results of the run and then lets somebody of `waiting` wait, if the object's own threads run when they must or as soon as they can.
    fn leads_to_wait(&mut self, waiting: &[ThreadId]) -> bool {
        let here = self.machine.snapshot();
        if self.leads_on(waiting) {
            return true;
        }
        self.machine.restore(&here);
        alone::settle(self.machine, self.done.len()) && self.leads_on(waiting)
    }

    fn leads_on(&mut self, waiting: &[ThreadId]) -> bool {
        let state = (self.taken.clone(), self.machine.fingerprint());
        if self.dead_ends.contains(&state) {
            return false;
        }
        if self.left == 0 {
            return true;
        }
        let here = self.machine.snapshot();
        let due: Vec<ThreadId> = (0..self.done.len())
            .filter(|&next| self.is_due(next))
            .map(|next| next as ThreadId)
            .collect();
        let mut waits = Vec::new();
        for &next in &due {
            let mut ways = Ways::default();
            loop {
                let ended = self.run(next, &mut ways);
                if ended == Alone::Waits && !waits.contains(&next) {
                    waits.push(next);
                }
                if ended == Alone::Ended(self.next(next).ending.clone())
                    && self.took(&[next], waiting)
                {
                    return true;
                }
                self.machine.restore(&here);
                if !ways.advance() {
                    break;
                }
            }
        }
        for set in sets(&due) {
            if set.len() < 2 || !set.iter().any(|thread| waits.contains(thread)) {
                continue;
            }
            for order in alone::orders(set.len()) {
                let threads: Vec<ThreadId> = order.iter().map(|&at| set[at]).collect();
                let wanted = threads
                    .iter()
                    .map(|&thread| self.next(thread).ending.clone());
                let wanted: Vec<Ending> = wanted.collect();
                self.left = self.left.saturating_sub(1);
                if alone::together(self.machine, self.done.len(), &threads) == Some(wanted)
                    && self.took(&threads, waiting)
                {
                    return true;
                }
                self.machine.restore(&here);
            }
        }
        let complete = (0..self.done.len()).all(|t| self.taken[t] == self.done[t].len());
        let found = complete && self.waits(waiting);
        if !found {
            self.dead_ends.insert(state);
        }
        found
    }

    /// Whether the next operation of a thread that returned may come now.
    fn is_due(&self, thread: usize) -> bool {
        let operation = self.done[thread].get(self.taken[thread]);
        operation.is_some_and(|operation| {
            let mut before = self.taken.iter().zip(&operation.after);
            before.all(|(taken, after)| taken >= after)
        })
    }

    fn next(&self, thread: ThreadId) -> &Completed {
        let thread = usize::from(thread);
        &self.done[thread][self.taken[thread]]
    }

    /// Goes on after the next operations of `threads`.
    fn took(&mut self, threads: &[ThreadId], waiting: &[ThreadId]) -> bool {
        for &thread in threads {
            self.taken[usize::from(thread)] += 1;
        }
        let found = self.leads_to_wait(waiting);
        for &thread in threads {
            self.taken[usize::from(thread)] -= 1;
        }
        found
    }

    /// Whether these threads do not all return, in whatever order they come.
    fn waits(&mut self, waiting: &[ThreadId]) -> bool {
        let here = self.machine.snapshot();
        if let [thread] = waiting {
            let mut ways = Ways::default();
            loop {
                if self.run(*thread, &mut ways) == Alone::Waits && self.can_be_let_go(*thread) {
                    return true;
                }
                self.machine.restore(&here);
                if !ways.advance() {
                    return false;
                }
            }
        }
        alone::orders(waiting.len()).into_iter().all(|order| {
            let threads: Vec<ThreadId> = order.iter().map(|&at| waiting[at]).collect();
            let met = alone::together(self.machine, self.done.len(), &threads);
            self.machine.restore(&here);
            met.is_none()
        })
    }

    /// Whether one or two of the helpers let `thread`, which waits, go on; where there are no helpers, nobody need be able to.
    fn can_be_let_go(&mut self, thread: ThreadId) -> bool {
        let status = self.machine.status(thread);
        self.at_lock = matches!(status, Status::Blocked(Blocked::Lock { .. }));
        if self.helpers.is_empty() || self.only_locks && !self.at_lock {
            return true;
        }
        if self.only_locks {
            let here = self.machine.snapshot();
            return self.helpers.clone().any(|helper| {
                self.machine.restore(&here);
                self.run(helper as ThreadId, &mut Ways::default()) != Alone::Waits
            });
        }
        let goes_on =
            |run: &mut Self| matches!(run.run(thread, &mut Ways::default()), Alone::Ended(_));
        let here = self.machine.snapshot();
        for first in self.helpers.clone() {
            self.machine.restore(&here);
            self.run(first as ThreadId, &mut Ways::default());
            let once = self.machine.snapshot();
            if goes_on(self) {
                return true;
            }
            for second in self.helpers.clone().filter(|&second| second != first) {
                self.machine.restore(&once);
                self.run(second as ThreadId, &mut Ways::default());
                if goes_on(self) {
                    return true;
                }
            }
        }
        false
    }

    fn run(&mut self, thread: ThreadId, ways: &mut Ways) -> Alone {
        self.left = self.left.saturating_sub(1);
        alone::run(self.machine, self.done.len(), thread, ways)
    }
}
