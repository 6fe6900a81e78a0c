//! What counts as one event of an interleaving.
//!
//! Pattern words depend on it, and the paper does not say what its events are. Every access is the truth, and the default. *Conflicting* lets threads change only before
//! an access to a place that two threads access and one writes. *Folded* also makes one event of what its author wrote as one:
//!
//! * a locked region of several accesses, from the lock to the unlock (around a single one the lock makes nothing one that was not);
//! * an atomic update together with the reads that its comparison confirms, and a repeated read together with the first one, where both are written in
//!   the same call (a call that makes a single access stands for that access, so that it does not matter whether a load is wrapped).
//!
//! A fold that hides the fault is not made: it is then just what the author wrongly took for one event. Candidates are taken from the failing run, widest first.

use super::dag::Dag;
use crate::repair::eliminators::Segment;
use crate::repair::enforce::{Atomic, Atomicity};
use crate::repair::section::{Section, Sections};
use crate::repair::source::{self, Stacks};
use crate::trace::{ConflictTrace, EventIndex, Racing};
use linspect_core::client::Client;
use linspect_core::execution::{Access, Action, SiteId, Step};
use linspect_core::machine::{Machine, Site, StartError, Subject};
use linspect_core::schedule::{Schedule, ThreadId};
use rustc_hash::FxHashMap;

/// What counts as one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Granularity {
    /// Every visible access.
    #[default]
    All,
    /// Accesses to places that race; others belong to the one before.
    Conflicting,
    /// As written: locked regions and validated updates are one event each, too.
    Folded,
}

/// The graph of `client` at a coarser granularity than `all`, in which `walk` is a bad run, and what was made one event.
///
/// `graph` makes the graph of all interleavings of a machine.
pub(super) fn coarser<S: Subject>(
    subject: &S,
    client: &Client,
    granularity: Granularity,
    (all, walk): (&Dag, &Schedule),
    mut graph: impl FnMut(&mut Atomic<'_, S::Machine>) -> Dag,
) -> Result<(Dag, Atomicity), StartError> {
    let steps = || all.nodes.iter().flat_map(|n| &n.branches).map(|b| &b.step);
    let racing = Racing::of(steps());
    let site = |id: SiteId| subject.site(id);
    let mut build = |sections: Sections| -> Result<(Dag, Atomicity), StartError> {
        let atomicity = Atomicity::Races(sections, racing.clone());
        let mut machine = Atomic::new(subject.start(client)?, &atomicity, &site);
        Ok((graph(&mut machine), atomicity))
    };
    let mut kept = Sections::default();
    let mut best = build(kept.clone())?;
    if granularity != Granularity::Folded {
        return Ok(best);
    }
    for section in candidates(&mut subject.start(client)?, walk, &site) {
        if kept.iter().any(|k| k.covers(&section)) {
            continue;
        }
        let more = kept.union(&Sections::merge([section]));
        let tried = build(more.clone())?;
        if tried.0.nodes[tried.0.root()].bad > 0 {
            kept = more;
            best = tried;
        }
    }
    Ok(best)
}

/// What could be one event in the run `walk`, in the order in which it is tried.
fn candidates<M: Machine>(
    machine: &mut M,
    walk: &Schedule,
    site: &dyn Fn(SiteId) -> Site,
) -> Vec<Section> {
    let (execution, stacks) = source::stacks(machine, walk);
    let steps = execution.steps;
    let trace = ConflictTrace::of_steps(steps.iter());
    let run = Run {
        homes: homes(&steps, &stacks),
        steps: &steps,
        trace: &trace,
    };
    let segments = run.locked().into_iter().chain(run.validated());
    segments
        .filter_map(|segment| source::section(&trace, &stacks, segment, site))
        .collect()
}

/// Which call an access is written in, and in which of its rounds.
type Home = Option<(ThreadId, u32, u32)>;

/// Where each step is at home: in its innermost call that makes more than one access.
fn homes(steps: &[Step], stacks: &Stacks) -> Vec<Home> {
    let mut accesses: FxHashMap<(ThreadId, u32), usize> = FxHashMap::default();
    for (step, stack) in steps.iter().zip(stacks) {
        for frame in stack {
            *accesses
                .entry((step.choice.thread, frame.activation))
                .or_default() += 1;
        }
    }
    let home = |(step, stack): (&Step, &Vec<linspect_core::machine::Frame>)| {
        let thread = step.choice.thread;
        let frame = stack
            .iter()
            .rev()
            .find(|f| accesses[&(thread, f.activation)] > 1)?;
        Some((thread, frame.activation, frame.rounds))
    };
    steps.iter().zip(stacks).map(home).collect()
}

struct Run<'a> {
    steps: &'a [Step],
    trace: &'a ConflictTrace,
    homes: Vec<Home>,
}

impl Run<'_> {
    /// From every lock to its unlock, where there is more than one access between them.
    fn locked(&self) -> Vec<Segment> {
        let mut found = Vec::new();
        for (first, step) in self.steps.iter().enumerate() {
            for lock in step.accesses.iter().filter(|a| a.action == Action::Lock) {
                let unlocks = |other: &Step| {
                    other.choice.thread == step.choice.thread
                        && other
                            .accesses
                            .iter()
                            .any(|a| a.action == Action::Unlock && a.location == lock.location)
                };
                let Some(after) = self.steps[first..].iter().position(unlocks) else {
                    continue;
                };
                let region = &self.steps[first..=first + after];
                let own = |s: &&Step| s.choice.thread == step.choice.thread;
                if region.iter().filter(own).count() > 3 {
                    found.push(Segment {
                        first,
                        last: first + after,
                    });
                }
            }
        }
        found
    }

    /// From every read to what confirms it later in the same call.
    fn validated(&self) -> Vec<Segment> {
        let mut updates = Vec::new();
        let mut repeats = Vec::new();
        for last in 0..self.steps.len() {
            for first in (0..last).filter(|&first| self.is_same_call(first, last)) {
                let Some(confirmed) = self.confirms(first, last) else {
                    continue;
                };
                let segment = Segment { first, last };
                match confirmed {
                    By::Update => updates.push(segment),
                    By::Repeat => repeats.push(segment),
                }
            }
        }
        updates.extend(repeats);
        updates
    }

    fn is_same_call(&self, first: EventIndex, last: EventIndex) -> bool {
        let operation = |event: EventIndex| self.trace.events[event].operation;
        self.homes[first].is_some()
            && self.homes[first] == self.homes[last]
            && operation(first) == operation(last)
    }

    /// Whether `last` reads again what `first` read, and finds it unchanged.
    fn confirms(&self, first: EventIndex, last: EventIndex) -> Option<By> {
        let [read] = &self.steps[first].accesses[..] else {
            return None;
        };
        if read.action != Action::Read {
            return None;
        }
        let accesses = &self.steps[last].accesses;
        let same = |a: &Access| a.location == read.location && a.read == read.read;
        let reads = |a: &Access| matches!(a.action, Action::Read | Action::CasOk) && same(a);
        if !accesses.iter().any(reads) {
            return None;
        }
        let writes = |a: &Access| a.action.writes() && a.location == read.location;
        if accesses.iter().any(writes) {
            return Some(By::Update);
        }
        let thread = self.steps[first].choice.thread;
        let between = self.steps[first..=last].iter();
        let only_reads = between
            .filter(|s| s.choice.thread == thread)
            .all(|s| s.accesses.iter().all(|a| !a.action.writes()));
        only_reads.then_some(By::Repeat)
    }
}

/// What confirms a read.
enum By {
    Update,
    Repeat,
}
