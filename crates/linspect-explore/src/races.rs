//! Data races: two accesses to the same bytes, one a write, one not atomic, that no synchronisation orders.
//!
//! Vector clocks per thread and per synchronising location, as in FastTrack (Flanagan and Freund, PLDI 2009). Happens-before here is
//! that of the language (locks, acquire and release, thread creation and join), not that of [`crate::trace`].

use crate::trace::{Clock, Trace};
use linspect_core::defect::Race;
use linspect_core::execution::{Access, Action, Location, Ordering, Step};
use linspect_core::schedule::ThreadId;
use rustc_hash::FxHashMap;

/// The data races of a run, one per pair of source positions.
pub fn races(trace: &Trace) -> Vec<Race> {
    races_of(trace.steps())
}

/// The data races of these steps of a run, from its start.
pub fn races_of<'a>(steps: impl Iterator<Item = &'a Step> + Clone) -> Vec<Race> {
    let plain = |a: &Access| a.ordering == Ordering::Plain && a.action.touches_memory();
    if !steps.clone().any(|s| s.accesses.iter().any(plain)) {
        return Vec::new();
    }
    let mut detector = Detector::default();
    for (index, step) in steps.enumerate() {
        detector.step(index, step);
    }
    detector.races
}

#[derive(Default)]
struct Detector {
    threads: Vec<Clock>,
    /// What was released through a location.
    released: FxHashMap<Location, Clock>,
    /// Accesses so far, per allocation.
    past: FxHashMap<u32, Vec<Past>>,
    races: Vec<Race>,
}

struct Past {
    step: usize,
    thread: ThreadId,
    time: u32,
    access: Access,
}

impl Detector {
    fn step(&mut self, index: usize, step: &Step) {
        let thread = step.choice.thread;
        let slot = usize::from(thread);
        let other = step.other.map_or(0, usize::from);
        let needed = slot.max(other) + 1;
        if self.threads.len() < needed {
            self.threads.resize(needed, Clock::default());
        }
        for access in &step.accesses {
            self.acquire(slot, access);
        }
        if step.other.is_some() {
            // A created thread has no past; a joined one has no future: one rule serves both.
            let theirs = self.threads[other].clone();
            self.threads[slot].join(&theirs);
        }
        let time = self.threads[slot].seen(thread) + 1;
        self.threads[slot].see(thread, time);
        for access in &step.accesses {
            if access.action.touches_memory() && !synchronises(access.action) {
                self.record(index, thread, time, *access);
            }
        }
        for access in &step.accesses {
            self.release(slot, access);
        }
        if step.other.is_some() {
            let mine = self.threads[slot].clone();
            self.threads[other].join(&mine);
        }
    }

    fn acquire(&mut self, slot: usize, access: &Access) {
        let acquires = match access.action {
            Action::Lock | Action::Wait | Action::Wake | Action::Post => true,
            Action::Read | Action::Update | Action::CasOk | Action::CasFail => matches!(
                access.ordering,
                Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst
            ),
            _ => false,
        };
        if acquires && let Some(clock) = self.released.get(&access.location) {
            self.threads[slot].join(clock);
        }
    }

    fn release(&mut self, slot: usize, access: &Access) {
        let strong = matches!(
            access.ordering,
            Ordering::Release | Ordering::AcqRel | Ordering::SeqCst
        );
        match access.action {
            Action::Unlock | Action::Wait | Action::Wake | Action::Post => {
                self.publish(slot, access.location);
            }
            // A read-modify-write continues the release sequence, a plain or relaxed store ends it.
            Action::Update | Action::CasOk if strong => self.publish(slot, access.location),
            Action::Write if strong => {
                self.released.remove(&access.location);
                self.publish(slot, access.location);
            }
            Action::Write => {
                self.released.remove(&access.location);
            }
            _ => {}
        }
    }

    fn publish(&mut self, slot: usize, location: Location) {
        let mine = self.threads[slot].clone();
        self.released.entry(location).or_default().join(&mine);
    }

    fn record(&mut self, index: usize, thread: ThreadId, time: u32, access: Access) {
        let past = self.past.entry(access.location.allocation).or_default();
        for earlier in past.iter() {
            let plain = earlier.access.ordering == Ordering::Plain
                || access.ordering == Ordering::Plain
                || access.action == Action::Free
                || earlier.access.action == Action::Free;
            let ordered = self.threads[usize::from(thread)].seen(earlier.thread) >= earlier.time;
            if plain && !ordered && earlier.access.conflicts(&access) {
                let race = Race {
                    first: (earlier.step, earlier.access),
                    second: (index, access),
                };
                if !self.races.iter().any(|r| r.sites() == race.sites()) {
                    self.races.push(race);
                }
            }
        }
        // Whoever is not ordered after an access is not ordered after a later one of the same thread either.
        let same = |p: &Past| {
            p.thread == thread
                && p.access.site == access.site
                && p.access.location == access.location
                && p.access.action == access.action
        };
        let new = Past {
            step: index,
            thread,
            time,
            access,
        };
        match past.iter_mut().find(|p| same(p)) {
            Some(old) => *old = new,
            None => past.push(new),
        }
    }
}

/// Whether it is synchronisation itself, not an access to data.
fn synchronises(action: Action) -> bool {
    matches!(
        action,
        Action::Lock
            | Action::LockFail
            | Action::Unlock
            | Action::Wait
            | Action::Wake
            | Action::Post
    )
}
