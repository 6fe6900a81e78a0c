//! Data races: two accesses to the same bytes, one a write, one not atomic, that no synchronisation orders.
//!
//! Vector clocks per thread and per location, as in FastTrack (Flanagan and Freund, PLDI 2009). Happens-before here is that of C++20 and Rust,
//! not that of [`crate::trace`]: locks, creation and join of threads, and atomics only as far as their orderings say. What a location
//! releases is what its last write releases: the clock of a release store or of the last release fence before a relaxed one; a
//! read-modify-write goes on with what it read (release sequences), any other store ends that. An acquire takes it over at once, a relaxed read
//! with the next acquire fence (Lahav, Vafeiadis, Kang, Hur and Dreyer, PLDI 2017, with C++20's shorter release sequences).
//!
//! Under C20 a read need not read what was written last: what it takes over is what the write releases that it reads.
//!
//! What a thread writes while nobody else can reach it is in no step. It counts as one write of everything published, at the step that
//! publishes it.
//!
//! What one thread puts into an object and another takes out of it is handed over, see `hand_over.rs`. That is asked only of runs without races of accesses: whoever allows
//! those means something that the models do not say.

use crate::hand_over::HandOvers;
use crate::trace::Clock;
use linspect_core::consistency::{Cell, cell};
use linspect_core::defect::{Race, Racer};
use linspect_core::execution::{
    Access, Action, EventId, Location, MemoryModel, Ordering, Published, Step,
};
use linspect_core::property::{Hands, Property};
use linspect_core::schedule::ThreadId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What comes closest to ordering a race: a value that one thread gives and the other takes, though not so that the one comes before the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    /// The write of the first thread, at or after its access.
    pub given: Option<Access>,
    /// The read of it by the second thread, before its access.
    pub taken: Option<Access>,
}

impl Gap {
    /// The last value that the second thread takes from the first between the two accesses, in the run that `steps` are.
    pub fn of(race: &Race, steps: &[Step]) -> Self {
        let thread = |at: usize| steps[at].choice.thread;
        let (from, to) = (race.first.0, race.second.0);
        let atomics = |at: usize| {
            let accesses = steps[at].accesses.iter();
            accesses.filter(|a| a.ordering != Ordering::Plain && !synchronises(a.action))
        };
        let reads = |a: &&Access| a.action != Action::Write && a.action.touches_memory();
        // Whoever has taken a value out may have learnt of it in the step in which it returns.
        let end = to + usize::from(race.is_hand_over());
        let taken = (from..end).filter(|at| thread(*at) == thread(to));
        for at in taken.rev() {
            for read in atomics(at).filter(reads) {
                let earlier = (from..at).rev();
                let mut writes = earlier.flat_map(|w| atomics(w).map(move |a| (w, a)));
                let source = writes.find(|(_, a)| a.action.writes() && a.conflicts(read));
                if let Some((writer, given)) = source
                    && thread(writer) == thread(from)
                {
                    return Self {
                        given: Some(*given),
                        taken: Some(*read),
                    };
                }
            }
        }
        Self::default()
    }

    /// Whether what is given is released, and whether what is taken is acquired, each where it is known.
    pub fn lacks(&self) -> (bool, bool) {
        let lacks = |access: Option<Access>, has: fn(Ordering) -> bool| {
            access.is_some_and(|a| !has(a.ordering))
        };
        (
            lacks(self.given, Ordering::releases),
            lacks(self.taken, Ordering::acquires),
        )
    }
}

/// The data races of these steps of a run, from its start: one per pair of places. `property` says what they hand over.
pub fn races<'a, P: Property>(
    steps: impl Iterator<Item = &'a Step> + Clone,
    model: MemoryModel,
    property: &mut P,
) -> Vec<Race> {
    detect(steps, model, Synchronising::All, property)
}

/// Whether a run of a class is free of races only by the order in which it makes additions that commute ([`Action::Add`]), under sequential consistency.
///
/// If not, no run of the class has others: what orders two accesses without these additions orders them in every run of it.
pub fn depends_on_additions<'a, P: Property>(
    steps: impl Iterator<Item = &'a Step> + Clone,
    known: &[Race],
    property: &mut P,
) -> bool {
    let adds = |access: &Access| access.action == Action::Add;
    steps.clone().any(|step| step.accesses.iter().any(adds))
        && detect(
            steps,
            MemoryModel::Sc,
            Synchronising::AllButAdditions,
            property,
        ) != known
}

/// Which updates acquire what they read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Synchronising {
    #[default]
    All,
    /// All but additions that commute.
    AllButAdditions,
}

fn detect<'a, P: Property>(
    steps: impl Iterator<Item = &'a Step> + Clone,
    model: MemoryModel,
    synchronising: Synchronising,
    property: &mut P,
) -> Vec<Race> {
    // Where all atomics are seq_cst, whatever a thread learns without a race of accesses it comes after.
    let handed = match steps.clone().any(|s| s.accesses.iter().any(is_weaker)) {
        true => steps.clone().map(|step| property.hands(step)).collect(),
        false => Vec::new(),
    };
    let raced_for = raced_for(steps.clone());
    if raced_for.is_empty() && handed.iter().all(|hands: &Hands| hands.taken.is_none()) {
        return Vec::new();
    }
    let mut detector = Detector {
        releases: Releases {
            model,
            ..Releases::default()
        },
        synchronising,
        past: raced_for.into_iter().map(|a| (a, Vec::new())).collect(),
        hand_overs: HandOvers::new(property.stock()),
        ..Detector::default()
    };
    let mut handed = handed.into_iter();
    for (index, step) in steps.enumerate() {
        detector.step(index, step, handed.next().unwrap_or_default());
    }
    match detector.races.is_empty() {
        true => detector.hand_overs.unordered,
        false => detector.races,
    }
}

/// The allocations with a plain access that several threads access, sorted: no others can be raced for.
fn raced_for<'a>(steps: impl Iterator<Item = &'a Step> + Clone) -> Vec<u32> {
    let is_plain = |access: &Access| is_data(access) && access.ordering == Ordering::Plain;
    let has_plain =
        |step: &Step| !step.aside.published.is_empty() || step.accesses.iter().any(is_plain);
    if !steps.clone().any(has_plain) {
        return Vec::new();
    }
    let mut all: SmallVec<[(u32, ThreadId, bool); 64]> = SmallVec::new();
    for step in steps {
        let thread = step.choice.thread;
        let published = step.aside.published.iter();
        all.extend(published.map(|p| (p.location.allocation, thread, true)));
        let accesses = step.accesses.iter().filter(|a| is_data(a));
        all.extend(accesses.map(|a| {
            let is_plain = a.ordering == Ordering::Plain;
            (a.location.allocation, thread, is_plain)
        }));
    }
    all.sort_unstable();
    let by_allocation = all.chunk_by(|a, b| a.0 == b.0);
    let raced_for = by_allocation.filter(|accesses| {
        let by_several = accesses.first().map(|a| a.1) != accesses.last().map(|a| a.1);
        by_several && accesses.iter().any(|(.., is_plain)| *is_plain)
    });
    raced_for.map(|accesses| accesses[0].0).collect()
}

/// Whether it is an access to data, not synchronisation itself.
fn is_data(access: &Access) -> bool {
    access.action.touches_memory() && !synchronises(access.action)
}

fn is_weaker(access: &Access) -> bool {
    !matches!(access.ordering, Ordering::Plain | Ordering::SeqCst)
}

#[derive(Default)]
struct Detector {
    threads: Vec<View>,
    releases: Releases,
    synchronising: Synchronising,
    /// The allocations that can be raced for, sorted, and the accesses to each so far.
    past: Vec<(u32, Vec<Past>)>,
    races: Vec<Race>,
    hand_overs: HandOvers,
}

/// What was released so far.
#[derive(Default)]
struct Releases {
    model: MemoryModel,
    /// Per allocation, what the last write of each location releases.
    locations: FxHashMap<u32, SmallVec<[(Location, Clock); 2]>>,
    /// Under C20, what each write releases.
    messages: FxHashMap<(Cell, EventId), Clock>,
}

impl Releases {
    /// Adds what whoever acquires what `access` reads comes after.
    fn join_taken(&self, access: &Access, clock: &mut Clock) {
        match (self.model, access.from) {
            (MemoryModel::Sc, _) => self.join_location(access.location, clock),
            (MemoryModel::C20, None) => {}
            (MemoryModel::C20, Some(event)) => {
                if let Some(message) = self.messages.get(&(cell(access.location), event)) {
                    clock.join(message);
                }
            }
        }
    }

    /// Adds what whoever acquires `location` comes after.
    fn join_location(&self, location: Location, clock: &mut Clock) {
        let released = self.locations.get(&location.allocation);
        for (place, released) in released.into_iter().flatten() {
            if place.overlaps(&location) {
                clock.join(released);
            }
        }
    }

    /// The write of `event` to `location` releases `clock`.
    fn put(&mut self, location: Location, event: EventId, clock: Clock) {
        if self.model == MemoryModel::C20 {
            let message = (cell(location), event);
            self.messages.insert(message, clock.clone());
        }
        let released = self.locations.entry(location.allocation).or_default();
        released.retain(|(old, _)| !contains(location, *old));
        if clock != Clock::default() {
            released.push((location, clock));
        }
    }
}

/// What a thread knows to have happened.
#[derive(Clone, Default)]
struct View {
    /// How many steps it has begun.
    steps: u32,
    now: Clock,
    /// What it has read without acquiring it.
    acquirable: Clock,
    /// What its last release fence came after.
    fenced: Clock,
    /// The moment after its last access. Fences between that and the next one may belong to the operation that it calls then.
    passed: u32,
}

struct Past {
    step: usize,
    thread: ThreadId,
    time: u32,
    access: Access,
    unpublished: bool,
}

impl Detector {
    fn step(&mut self, index: usize, step: &Step, hands: Hands) {
        let thread = step.choice.thread;
        let slot = usize::from(thread);
        let other = step.other.map_or(0, usize::from);
        let let_go = step.aside.let_go.iter().copied().map(usize::from).max();
        let needed = slot.max(other).max(let_go.unwrap_or(0)) + 1;
        if self.threads.len() < needed {
            self.threads.resize(needed, View::default());
        }
        self.threads[slot].steps += 1;
        if step.other.is_some() {
            // A created thread has no past; a joined one has no future: one rule serves both.
            if let Ok([mine, theirs]) = self.threads.get_disjoint_mut([slot, other]) {
                mine.now.join(&theirs.now);
            }
        }
        if self.threads[slot].passed == 0 {
            self.threads[slot].passed = self.tick(thread);
        }
        if let Some(handed) = hands.added {
            let time = self.threads[slot].passed;
            self.hand_overs.add(index, thread, time, handed);
        }
        for ordering in &step.aside.fences {
            self.fence(slot, *ordering);
        }
        let mut time = self.tick(thread);
        for published in &step.aside.published {
            self.record(index, thread, time, written(published), true);
        }
        for access in &step.accesses {
            self.acquire(slot, access);
            if is_data(access) {
                self.record(index, thread, time, *access, false);
            }
            self.release(slot, access);
            time = self.tick(thread);
            if access.action != Action::Fence {
                self.threads[slot].passed = time;
            }
        }
        if let Some(handed) = hands.taken {
            let now = &self.threads[slot].now;
            self.hand_overs.take(index, handed, |other| now.seen(other));
        }
        for later in step.other.iter().chain(&step.aside.let_go) {
            let later = usize::from(*later);
            if let Ok([mine, theirs]) = self.threads.get_disjoint_mut([slot, later]) {
                theirs.now.join(&mine.now);
            }
        }
    }

    /// A new moment of `thread`.
    fn tick(&mut self, thread: ThreadId) -> u32 {
        let now = &mut self.threads[usize::from(thread)].now;
        let time = now.seen(thread) + 1;
        now.see(thread, time);
        time
    }

    fn acquire(&mut self, slot: usize, access: &Access) {
        let view = &mut self.threads[slot];
        match access.action {
            Action::Lock | Action::Wait | Action::Wake | Action::Post => {
                self.releases.join_location(access.location, &mut view.now);
            }
            Action::Add if self.synchronising == Synchronising::AllButAdditions => {}
            Action::Read
            | Action::Update
            | Action::CasOk
            | Action::CasFail
            | Action::Tally
            | Action::Add
                if access.ordering != Ordering::Plain =>
            {
                let clock = match access.ordering.acquires() {
                    true => &mut view.now,
                    false => &mut view.acquirable,
                };
                self.releases.join_taken(access, clock);
            }
            Action::Fence => self.fence(slot, access.ordering),
            _ => {}
        }
    }

    fn fence(&mut self, slot: usize, ordering: Ordering) {
        let view = &mut self.threads[slot];
        if ordering.acquires() {
            view.now.join(&view.acquirable);
        }
        if ordering.releases() {
            view.fenced = view.now.clone();
        }
    }

    fn release(&mut self, slot: usize, access: &Access) {
        let view = &self.threads[slot];
        let mine = match access.ordering.releases() {
            true => &view.now,
            false => &view.fenced,
        };
        let mut clock = Clock::default();
        match access.action {
            Action::Unlock | Action::Wait | Action::Wake | Action::Post => {
                self.releases.join_location(access.location, &mut clock);
                clock.join(&view.now);
            }
            Action::Update | Action::CasOk | Action::Tally | Action::Add => {
                clock = mine.clone();
                self.releases.join_taken(access, &mut clock);
            }
            // Whoever reads a lock's word after this reads what was released to it.
            Action::Lock if self.releases.model == MemoryModel::C20 => {
                self.releases.join_location(access.location, &mut clock);
            }
            Action::Write if access.ordering == Ordering::Plain => {}
            Action::Write => clock = mine.clone(),
            Action::Free => {
                let allocation = access.location.allocation;
                self.releases.locations.remove(&allocation);
                return;
            }
            _ => return,
        }
        let event = EventId {
            thread: slot as ThreadId,
            step: view.steps - 1,
        };
        self.releases.put(access.location, event, clock);
    }

    fn record(
        &mut self,
        index: usize,
        thread: ThreadId,
        time: u32,
        access: Access,
        unpublished: bool,
    ) {
        let allocation = access.location.allocation;
        let Ok(at) = (self.past).binary_search_by_key(&allocation, |past| past.0) else {
            return;
        };
        let past = &mut self.past[at].1;
        let now = &self.threads[usize::from(thread)].now;
        for earlier in past.iter() {
            let plain =
                earlier.access.ordering == Ordering::Plain || access.ordering == Ordering::Plain;
            let ordered = now.seen(earlier.thread) >= earlier.time;
            if plain && !ordered && earlier.access.conflicts(&access) {
                let first = match earlier.unpublished {
                    true => Racer::Unpublished(earlier.access),
                    false => Racer::Access(earlier.access),
                };
                let race = Race {
                    first: (earlier.step, first),
                    second: (index, Racer::Access(access)),
                };
                if !self.races.iter().any(|r| r.places() == race.places()) {
                    self.races.push(race);
                }
            }
        }
        if access.action == Action::Free || unpublished {
            // What comes later is ordered after it or races with it; whoever raced with it has been told.
            past.clear();
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
            unpublished,
        };
        match past.iter_mut().find(|p| same(p)) {
            Some(old) => *old = new,
            None => past.push(new),
        }
    }
}

/// All that was written of `published` before, as one access.
fn written(published: &Published) -> Access {
    Access {
        action: Action::Write,
        location: published.location,
        read: 0,
        written: 0,
        ordering: Ordering::Plain,
        site: published.allocated,
        from: None,
        after: None,
    }
}

fn contains(outer: Location, inner: Location) -> bool {
    outer.allocation == inner.allocation
        && outer.offset <= inner.offset
        && inner.offset + inner.size <= outer.offset + outer.size
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
            | Action::SpuriousWake
            | Action::Post
    )
}
