//! The steps of a run in order, with their happens-before relation (Lamport 1978; Mattern's vector clocks 1989).
//!
//! Two steps are ordered if they belong to one thread, conflict in memory, create or join a thread, or if the first ended
//! what the second's thread waited for. A step with a fault ends the run, and so does the end of the process, so all others happen before it. Real time
//! is no part of it: see [`crate::class`].

use linspect_core::digest::digest;
use linspect_core::execution::{Access, Action, Location, Step};
use linspect_core::schedule::{Choice, ThreadId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Per thread, how many of its steps are in the past.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Clock(SmallVec<[u32; 6]>);

/// Clocks are copied for every step: at once, not number by number as a small vector clones itself.
impl Clone for Clock {
    fn clone(&self) -> Self {
        Self(SmallVec::from_slice(&self.0))
    }
}

impl Clock {
    /// How many steps of `thread` it has seen.
    #[inline]
    pub fn seen(&self, thread: ThreadId) -> u32 {
        self.0.get(usize::from(thread)).copied().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn see(&mut self, thread: ThreadId, count: u32) {
        let at = usize::from(thread);
        self.reach(at + 1);
        let seen = &mut self.0[at];
        *seen = (*seen).max(count);
    }

    #[inline]
    pub(crate) fn join(&mut self, other: &Self) {
        let theirs = other.0.as_slice();
        self.reach(theirs.len());
        for (mine, theirs) in self.0.as_mut_slice().iter_mut().zip(theirs) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Has an entry for each of `threads` threads.
    #[inline]
    fn reach(&mut self, threads: usize) {
        while self.0.len() < threads {
            self.0.push(0);
        }
    }
}

/// A step in its place.
#[derive(Clone, Debug)]
pub struct Event {
    /// What it did.
    pub step: Step,
    /// It is its thread's step number `position`, from 1.
    pub position: u32,
    /// What happened before it, itself included.
    pub clock: Clock,
}

impl Event {
    /// Who took the step.
    pub fn thread(&self) -> ThreadId {
        self.step.choice.thread
    }

    /// A digest of what it did and of what happened before it.
    pub(crate) fn digest(&self) -> u128 {
        let step = &self.step;
        let place = (self.thread(), self.position, &self.clock);
        digest(&(place, step.choice, &step.accesses, step.other))
    }

    /// Whether this happened before an event with clock `later`, or is that event.
    pub fn is_before(&self, later: &Clock) -> bool {
        later.seen(self.thread()) >= self.position
    }
}

/// The part of a step that decides what it depends on.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Footprint {
    /// Who, and which way.
    pub choice: Choice,
    /// The thread it creates or joins.
    pub other: Option<ThreadId>,
    /// What it accesses.
    pub accesses: SmallVec<[Access; 1]>,
    /// It has a fault: nothing comes after it, so runs that start with it stand for no others.
    pub fatal: bool,
}

impl Clone for Footprint {
    fn clone(&self) -> Self {
        Self {
            accesses: SmallVec::from_slice(&self.accesses),
            ..*self
        }
    }
}

impl Footprint {
    /// The footprint of `step`.
    pub fn of(step: &Step) -> Self {
        Self {
            choice: step.choice,
            other: step.other,
            accesses: SmallVec::from_slice(&step.accesses),
            fatal: step.fault.is_some(),
        }
    }

    /// The same without the values that were read and written, which differ from run to run and which only tallies look at.
    pub(crate) fn without_values(&self) -> Self {
        let mut bare = self.clone();
        for access in &mut bare.accesses {
            access.read = 0;
            if access.action != Action::Tally {
                access.written = 0;
            }
        }
        bare
    }

    /// Whether the process ends with it.
    fn ends_process(&self) -> bool {
        self.accesses.iter().any(|a| a.action == Action::Exit)
    }

    /// Whether the order of the two matters for what they do. Real time is not part of this relation.
    pub fn depends(&self, other: &Self) -> bool {
        self.choice.thread == other.choice.thread
            || self.other == Some(other.choice.thread)
            || other.other == Some(self.choice.thread)
            || self.ends_process()
            || other.ends_process()
            || self
                .accesses
                .iter()
                .any(|a| other.accesses.iter().any(|b| a.conflicts(b)))
    }
}

/// Steps of a short run: there is room for as many from the start.
const SHORT: usize = 32;

/// A sequence of steps and its happens-before relation, grown and shrunk at the end.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    events: Vec<Event>,
    /// Per thread, its events.
    threads: Vec<SmallVec<[usize; 16]>>,
    /// Per allocation, the events that access it.
    allocations: FxHashMap<u32, SmallVec<[usize; 8]>>,
    /// Per thread, the events that ended a wait of it.
    wakers: Vec<Vec<usize>>,
    /// Per thread, the event that created it.
    creators: Vec<Option<usize>>,
}

/// Where a step stands if it comes next.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Its clock.
    pub clock: Clock,
    /// The events of other threads that it conflicts with and that nothing else puts before it, latest first.
    pub races: SmallVec<[usize; 4]>,
}

impl Trace {
    /// The events so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The steps so far.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = &Step> + Clone {
        self.events.iter().map(|event| &event.step)
    }

    /// The events of `thread`.
    pub fn of_thread(&self, thread: ThreadId) -> &[usize] {
        self.threads
            .get(usize::from(thread))
            .map_or(&[], SmallVec::as_slice)
    }

    /// A digest that two traces share iff they are equivalent: every thread takes the same steps, and the same steps happen before each.
    pub fn signature(&self) -> u128 {
        // A sum does not depend on the order of its terms.
        let digests = self.events.iter().map(Event::digest);
        digests.fold(0, |sum: u128, digest| sum.wrapping_add(digest))
    }

    /// What happens before the next step of `thread` whatever that step does.
    pub fn past(&self, thread: ThreadId) -> Clock {
        let slot = usize::from(thread);
        let last = self.of_thread(thread).last().copied();
        let mut clock = match last.or_else(|| self.creators.get(slot).copied().flatten()) {
            Some(event) => self.events[event].clock.clone(),
            None => Clock::default(),
        };
        for &waker in self.wakers.get(slot).into_iter().flatten().rev() {
            if last.is_some_and(|last| waker < last) {
                break;
            }
            clock.join(&self.events[waker].clock);
        }
        clock
    }

    /// Where `step` stands if it comes next; `past` is [`Trace::past`] of its thread.
    pub fn place(&self, step: &Step, past: &Clock) -> Placement {
        let thread = step.choice.thread;
        let mut clock = past.clone();
        if let Some(other) = step.other
            && let Some(&last) = self.of_thread(other).last()
        {
            clock.join(&self.events[last].clock);
        }
        if step.ends_process() {
            let lasts = self.threads.iter().filter_map(|events| events.last());
            lasts.for_each(|&last| clock.join(&self.events[last].clock));
        }
        let mut conflicts: SmallVec<[usize; 8]> = SmallVec::new();
        for access in &step.accesses {
            if access.action.touches_memory() || access.action == Action::Spawn {
                self.conflicts(access, |event| conflicts.push(event));
            }
        }
        // Those of one access are in order.
        if step.accesses.len() > 1 {
            conflicts.sort_unstable_by(|a, b| b.cmp(a));
            conflicts.dedup();
        }
        let mut races = SmallVec::new();
        for index in conflicts {
            let event = &self.events[index];
            if !event.is_before(&clock) {
                races.push(index);
                clock.join(&event.clock);
            }
        }
        if step.fault.is_some() {
            // It ends the run, so none of these steps can come after it in an equivalent one.
            for last in self.threads.iter().filter_map(|events| events.last()) {
                clock.join(&self.events[*last].clock);
            }
        }
        let position = self.of_thread(thread).len() as u32 + 1;
        clock.see(thread, position);
        Placement { clock, races }
    }

    /// Reports the events that conflict with `access`, latest first, down to one that all earlier ones happen before.
    #[inline]
    fn conflicts(&self, access: &Access, mut each: impl FnMut(usize)) {
        for index in self.accessing(access.location) {
            let mut covered = false;
            let mut conflicts = false;
            for earlier in &self.events[index].step.accesses {
                if earlier.conflicts(access) {
                    conflicts = true;
                    // Most writes do not conflict with a wake-up, so they do not come after all that came before them; those that count
                    // or add may be unordered before this one.
                    let orders = earlier.action.meets_wake() || !access.action.meets_wake();
                    covered |= earlier.action.writes()
                        && !matches!(earlier.action, Action::Wake | Action::Tally | Action::Add)
                        && orders
                        && contains(earlier.location, access.location);
                }
            }
            if conflicts {
                each(index);
            }
            if covered {
                return;
            }
        }
    }

    /// The events that access the allocation of `location`, latest first.
    pub fn accessing(&self, location: Location) -> impl Iterator<Item = usize> + '_ {
        let all = self.allocations.get(&location.allocation);
        all.into_iter().flatten().rev().copied()
    }

    /// Appends `step`, placed at `clock`.
    pub fn push(&mut self, step: Step, clock: Clock) {
        let index = self.events.len();
        if index == self.events.capacity() {
            self.events.reserve(SHORT.max(index));
            self.allocations.reserve(SHORT / 2);
        }
        let thread = usize::from(step.choice.thread);
        grow(&mut self.threads, thread);
        self.threads[thread].push(index);
        for access in &step.accesses {
            let all = self
                .allocations
                .entry(access.location.allocation)
                .or_default();
            if all.last() != Some(&index) {
                all.push(index);
            }
        }
        if let Some(other) = step.other.map(usize::from) {
            grow(&mut self.creators, other);
            if self.of_thread(other as ThreadId).is_empty() && self.creators[other].is_none() {
                self.creators[other] = Some(index);
            }
        }
        self.events.push(Event {
            position: self.threads[thread].len() as u32,
            step,
            clock,
        });
    }

    /// Notes that the last step ended what `thread` waited for.
    pub fn woke(&mut self, thread: ThreadId) {
        let last = self.events.len() - 1;
        grow(&mut self.wakers, usize::from(thread));
        self.wakers[usize::from(thread)].push(last);
    }

    /// Takes the last step back.
    pub fn pop(&mut self) -> Option<Event> {
        let event = self.events.pop()?;
        let index = self.events.len();
        self.threads[usize::from(event.thread())].pop();
        for access in &event.step.accesses {
            if let Some(all) = self.allocations.get_mut(&access.location.allocation)
                && all.last() == Some(&index)
            {
                all.pop();
            }
        }
        for wakers in &mut self.wakers {
            if wakers.last() == Some(&index) {
                wakers.pop();
            }
        }
        if let Some(other) = event.step.other
            && self.creators[usize::from(other)] == Some(index)
        {
            self.creators[usize::from(other)] = None;
        }
        Some(event)
    }
}

fn contains(outer: Location, inner: Location) -> bool {
    outer.allocation == inner.allocation
        && outer.offset <= inner.offset
        && inner.offset + inner.size <= outer.offset + outer.size
}

fn grow<T: Default + Clone>(list: &mut Vec<T>, index: usize) {
    if list.len() <= index {
        list.resize(index + 1, T::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::execution::Ordering;
    use linspect_core::random::Random;

    fn random_step(rng: &mut Random) -> Step {
        let actions = [
            Action::Read,
            Action::Write,
            Action::Update,
            Action::CasFail,
            Action::Free,
            Action::Wait,
            Action::Wake,
            Action::Tally,
        ];
        let accesses = (0..rng.below(3))
            .map(|_| Access {
                action: actions[rng.below(actions.len())],
                location: Location {
                    allocation: rng.below(2) as u32,
                    offset: rng.below(4) as u32,
                    size: 1 + rng.below(3) as u32,
                },
                read: 0,
                written: rng.below(2) as u64,
                ordering: Ordering::SeqCst,
                site: 0,
                from: None,
                after: None,
            })
            .collect();
        Step {
            choice: Choice::of(rng.below(3) as ThreadId),
            called: None,
            invocation: None,
            accesses,
            returned: None,
            other: None,
            fault: None,
            aside: linspect_core::execution::Aside::default(),
        }
    }

    /// Clocks and races must be what the definition says: the transitive closure of pairwise dependence.
    #[test]
    fn clocks_are_the_closure_of_dependence() {
        let mut rng = Random::new(1);
        for _ in 0..2_000 {
            let mut trace = Trace::default();
            let mut before: Vec<Vec<bool>> = Vec::new();
            for n in 0..12 {
                let step = random_step(&mut rng);
                let mut past = vec![false; n];
                let mut races = Vec::new();
                let mut own = vec![false; n];
                for i in (0..n)
                    .rev()
                    .filter(|&i| trace.events[i].thread() == step.choice.thread)
                {
                    own[i] = true;
                    (0..i).for_each(|k| own[k] |= before[i][k]);
                }
                for i in (0..n).rev() {
                    if Footprint::of(&trace.events[i].step).depends(&Footprint::of(&step)) {
                        if !past[i] && !own[i] {
                            races.push(i);
                        }
                        past[i] = true;
                        (0..i).for_each(|k| past[k] |= before[i][k]);
                    }
                }
                let placement = trace.place(&step, &trace.past(step.choice.thread));
                assert_eq!(
                    placement.races.as_slice(),
                    races,
                    "{:?} then {step:?}",
                    trace.events
                );
                for (i, event) in trace.events.iter().enumerate() {
                    assert_eq!(event.is_before(&placement.clock), past[i]);
                }
                before.push(past);
                // Shrinking must leave no trace.
                trace.push(step.clone(), placement.clock.clone());
                trace.pop();
                trace.push(step, placement.clock);
            }
        }
    }
}
