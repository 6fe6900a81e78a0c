//! The execution graph that a walk builds, event by event, and what it may take back.

use crate::partial_run::Standings;
use crate::trace::Clock;
use linspect_core::consistency::{self, Cell, Effect, cell};
use linspect_core::execution::{Access, Action, EventId, MemoryModel, Ordering, Step};
use linspect_core::schedule::ThreadId;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What an event does to one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) cell: Cell,
    pub(super) effect: Effect,
}

impl Touch {
    /// What it reads, if it reads.
    pub(super) fn source(&self) -> Option<Option<EventId>> {
        match self.effect {
            Effect::Read(from) | Effect::Update(from) => Some(from),
            _ => None,
        }
    }

    pub(super) fn writes(&self) -> bool {
        matches!(self.effect, Effect::Write(_) | Effect::Update(_))
    }
}

pub(super) type Touches = SmallVec<[Touch; 1]>;

/// What has become of an event.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// The machine has taken this step.
    Taken(Arc<Step>),
    /// Its thread waits here: it has read that it must. The machine has not taken it.
    Waits,
    /// It went wrong, and its thread does nothing more. The machine has taken it back; it has read, but written nothing.
    Wrong(Arc<Step>),
}

/// An event of the graph.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// When it was added; an event that reads something else now keeps its place.
    pub(super) stamp: u32,
    pub(super) touches: Touches,
    pub(super) state: State,
    /// What is before it in program order, by what was read, and by creation, end and waking of threads; itself included.
    pub(super) past: Clock,
    /// The environment decided otherwise than it does by itself: an exchange gave up, a call ran out of time.
    pub(super) odd: bool,
    /// Whose sleep it ends.
    pub(super) wakes: SmallVec<[ThreadId; 1]>,
    /// Where the threads stood when the machine had taken it.
    pub(super) standings: Arc<Standings>,
}

/// The cell of which every creation of a thread is an update: threads are numbered in the order of their creation.
const CREATION: Cell = (u32::MAX, 0);

/// Whether it acts on a lock, a condition or a semaphore, whose operations all come one after the other, and after all other writes of its word: the slow paths of some locks are such
/// actions, and the quick ones are atomics.
pub(super) fn is_lock(action: Action) -> bool {
    use Action as A;
    matches!(
        action,
        A::Lock | A::LockFail | A::Unlock | A::Wait | A::Wake | A::Post
    )
}

/// An execution graph: program order by thread, what reads read in their touches, modification order, and an order in which the machine has run it.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// Graphs have most of their events in common with the graph that they were made from.
    pub(super) threads: Vec<Vec<Arc<Event>>>,
    pub(super) modification: BTreeMap<Cell, Vec<EventId>>,
    pub(super) order: Vec<EventId>,
    /// The next stamp.
    pub(super) next: u32,
}

impl Graph {
    pub(super) fn event(&self, id: EventId) -> &Event {
        &self.threads[usize::from(id.thread)][id.step as usize]
    }

    pub(super) fn events(&self) -> impl Iterator<Item = (EventId, &Event)> {
        let threads = self.threads.iter().enumerate();
        threads.flat_map(|(thread, events)| {
            let events = events.iter().enumerate();
            events.map(move |(step, event)| {
                let id = EventId {
                    thread: thread as ThreadId,
                    step: step as u32,
                };
                (id, &**event)
            })
        })
    }

    pub(super) fn of_thread(&self, thread: ThreadId) -> &[Arc<Event>] {
        self.threads
            .get(usize::from(thread))
            .map_or(&[], Vec::as_slice)
    }

    /// The last event of `thread`, for a change.
    pub(super) fn last_of(&mut self, thread: ThreadId) -> &mut Event {
        let last = self.threads[usize::from(thread)].last_mut();
        Arc::make_mut(last.expect("it was added"))
    }

    /// The next event of `thread`.
    pub(super) fn next_of(&self, thread: ThreadId) -> EventId {
        EventId {
            thread,
            step: self.of_thread(thread).len() as u32,
        }
    }

    /// The last write of `cell`.
    pub(super) fn last(&self, cell: Cell) -> Option<EventId> {
        self.modification.get(&cell)?.last().copied()
    }

    /// Whether `thread` has stopped: it waits, or something went wrong.
    pub(super) fn has_stopped(&self, thread: ThreadId) -> bool {
        let last = self.of_thread(thread).last();
        last.is_some_and(|e| !matches!(e.state, State::Taken(_)))
    }

    /// How many of its accesses and fences are `seq_cst`.
    pub(super) fn seq_cst(&self) -> usize {
        let steps = self.events().map(|(_, event)| match &event.state {
            State::Taken(step) | State::Wrong(step) => seq_cst(step),
            State::Waits => 0,
        });
        steps.sum()
    }

    /// Whether some fence is `seq_cst`.
    fn has_seq_cst_fence(&self) -> bool {
        self.events().any(|(_, event)| match &event.state {
            State::Taken(step) | State::Wrong(step) => fences_seq_cst(step),
            State::Waits => false,
        })
    }

    /// What `step` does to the cells of this graph.
    pub(super) fn touches(&self, step: &Step) -> Touches {
        step.accesses
            .iter()
            .filter_map(|access| self.touch(access))
            .collect()
    }

    fn touch(&self, access: &Access) -> Option<Touch> {
        let place = match access.action {
            Action::Spawn => CREATION,
            _ => cell(access.location),
        };
        let effect = match access.action {
            Action::Read | Action::CasFail => Effect::Read(access.from),
            Action::Write => Effect::Write(access.after),
            Action::Update | Action::CasOk | Action::Tally | Action::Add => {
                Effect::Update(access.from)
            }
            Action::Spawn => Effect::Update(self.last(place)),
            action if is_lock(action) => Effect::Update(self.last(place)),
            _ => return None,
        };
        Some(Touch {
            cell: place,
            effect,
        })
    }

    /// What is before the next event of `thread` if it touches this and comes after `other` has ended.
    pub(super) fn past(
        &self,
        thread: ThreadId,
        touches: &[Touch],
        joined: Option<ThreadId>,
    ) -> Clock {
        let mut past = Clock::default();
        let own = self.of_thread(thread);
        if let Some(last) = own.last() {
            past.join(&last.past);
        }
        for (_, event) in self.events() {
            let starts = own.is_empty() && event.creates(thread);
            if starts || event.wakes.contains(&thread) {
                past.join(&event.past);
            }
        }
        for from in touches.iter().filter_map(Touch::source).flatten() {
            past.join(&self.event(from).past);
        }
        if let Some(other) = joined {
            let ended = self.of_thread(other).last().map(|e| &e.past);
            let created = || self.events().find(|(_, e)| e.creates(other));
            if let Some(end) = ended.or_else(|| created().map(|(_, e)| &e.past)) {
                past.join(end);
            }
        }
        past.see(thread, own.len() as u32 + 1);
        past
    }

    /// Adds the next event of `thread`.
    pub(super) fn add(
        &mut self,
        thread: ThreadId,
        stamp: Option<u32>,
        state: State,
        touches: Touches,
    ) {
        let id = self.next_of(thread);
        let joined = match &state {
            State::Taken(step) => joined(step),
            _ => None,
        };
        let past = self.past(thread, &touches, joined);
        let stamp = stamp.unwrap_or_else(|| {
            self.next += 1;
            self.next
        });
        if matches!(state, State::Taken(_)) {
            self.order.push(id);
            for touch in &touches {
                if let Effect::Write(before) | Effect::Update(before) = touch.effect {
                    let writes = self.modification.entry(touch.cell).or_default();
                    let place = before.and_then(|b| writes.iter().position(|w| *w == b));
                    writes.insert(place.map_or(0, |place| place + 1), id);
                }
            }
        }
        let slot = usize::from(thread);
        if self.threads.len() <= slot {
            self.threads.resize(slot + 1, Vec::new());
        }
        self.threads[slot].push(Arc::new(Event {
            stamp,
            touches,
            state,
            past,
            odd: false,
            wakes: SmallVec::new(),
            standings: Arc::default(),
        }));
    }

    /// The events that go if `read` is to read a new write whose past is `past`: those added later that it does not know of. Nothing if one of them,
    /// or `read` itself, was not added as the walk adds events by itself on top of what stays: then the same is reached from elsewhere.
    pub(super) fn deleted(&self, read: EventId, past: &Clock) -> Option<Vec<EventId>> {
        let since = self.event(read).stamp;
        let goes = |(id, e): &(EventId, &Event)| e.stamp > since && !knows(past, *id);
        let deleted: Vec<EventId> = self.events().filter(goes).map(|(id, _)| id).collect();
        let maximal = |id: &EventId| self.is_maximal(*id, past);
        (maximal(&read) && deleted.iter().all(maximal)).then_some(deleted)
    }

    /// Whether `id` reads and writes last, of what was there when it was added and of what stays, and nothing of that reads it.
    fn is_maximal(&self, id: EventId, past: &Clock) -> bool {
        let event = self.event(id);
        let previous = |x: EventId| self.event(x).stamp <= event.stamp || knows(past, x);
        let reads_it = |cell: Cell| {
            let mut others = self.events().filter(|(other, _)| *other != id);
            others.any(|(other, e)| {
                let mut touches = e.touches.iter();
                touches.any(|t| t.cell == cell && t.source() == Some(Some(id))) && previous(other)
            })
        };
        if event.odd {
            return false;
        }
        event.touches.iter().all(|touch| {
            let writes = self.modification.get(&touch.cell);
            let writes = writes.map_or(&[][..], Vec::as_slice);
            let is_last = |of: Option<EventId>| {
                let place = of.and_then(|of| writes.iter().position(|w| *w == of));
                let later = &writes[place.map_or(0, |place| place + 1)..];
                !later.iter().any(|&x| x != id && previous(x))
            };
            let written = touch.writes() && matches!(event.state, State::Taken(_));
            let reads_last = touch
                .source()
                .is_none_or(|from| from.is_none_or(previous) && is_last(from));
            reads_last && (!written || (is_last(Some(id)) && !reads_it(touch.cell)))
        })
    }

    /// The graph without `deleted` and without `read`.
    pub(super) fn without(&self, deleted: &[EventId], read: EventId) -> Self {
        let mut graph = self.clone();
        for id in deleted.iter().chain([&read]) {
            graph.threads[usize::from(id.thread)].truncate(id.step as usize);
        }
        let threads = &graph.threads;
        let stays = |id: &EventId| {
            let events = &threads[usize::from(id.thread)];
            events.len() > id.step as usize
        };
        graph.order.retain(stays);
        for writes in graph.modification.values_mut() {
            writes.retain(stays);
        }
        graph
    }

    /// The graph as the axioms see it.
    pub(super) fn axioms(&self, model: MemoryModel) -> consistency::Graph {
        let mut axioms = consistency::Graph::default();
        let mut created = None;
        for &id in &self.order {
            let State::Taken(step) = &self.event(id).state else {
                unreachable!("only what was taken is in the order of the run")
            };
            axioms.step(id, step);
            let creates = step.accesses.iter().any(|a| a.action == Action::Spawn);
            if creates
                && model == MemoryModel::Sc
                && let Some(before) = created.replace(id)
            {
                axioms.synchronise(before, id);
            }
        }
        for (id, event) in self.events() {
            // Under C20 it is the lock that orders who wakes and who is woken, if anything does.
            for &woken in event.wakes.iter().filter(|_| model == MemoryModel::Sc) {
                let later = self.of_thread(woken).iter();
                let mut later = (0..).zip(later).filter(|(_, e)| knows(&e.past, id));
                if let Some((step, _)) = later.next() {
                    let thread = woken;
                    axioms.synchronise(id, EventId { thread, step });
                }
            }
            match &event.state {
                State::Taken(_) => {}
                State::Waits => read_only(&mut axioms, id, &event.touches, Ordering::Relaxed),
                State::Wrong(step) => add_read(&mut axioms, id, step, &event.touches),
            }
        }
        axioms
    }
}

/// How many accesses and fences of `step` are `seq_cst`.
pub(super) fn seq_cst(step: &Step) -> usize {
    let counts = |a: &&Access| a.action == Action::Fence || a.action.touches_memory();
    let accesses = step.accesses.iter().filter(counts);
    let accesses = accesses.filter(|a| !is_lock(a.action));
    let accesses = accesses.map(|a| a.ordering);
    let all = accesses.chain(step.aside.fences.iter().copied());
    all.filter(|o| *o == Ordering::SeqCst).count()
}

/// Whether one more event at the end of a thread, of which `new` things are `seq_cst`, cannot keep `all` that are so from being ordered. If none of it is, it has a say only after a fence
/// that is: nothing comes after it, so what happens before what is the same for all others, and so is their order at each place.
pub(super) fn stays_ordered(graph: &Graph, new: usize, all: usize) -> bool {
    all < 2 || new == 0 && !graph.has_seq_cst_fence()
}

fn fences_seq_cst(step: &Step) -> bool {
    let fences = step.accesses.iter().filter(|a| a.action == Action::Fence);
    let fences = fences
        .map(|a| a.ordering)
        .chain(step.aside.fences.iter().copied());
    fences
        .into_iter()
        .any(|ordering| ordering == Ordering::SeqCst)
}

/// Adds what `step` reads, and its fences, but not what it writes.
pub(super) fn add_read(
    axioms: &mut consistency::Graph,
    id: EventId,
    step: &Step,
    touches: &[Touch],
) {
    for ordering in &step.aside.fences {
        axioms.event(id, (0, 0), Effect::Fence, *ordering);
    }
    let order = step.accesses.first().filter(|a| !is_lock(a.action));
    let order = order.map_or(Ordering::Relaxed, |a| a.ordering);
    read_only(axioms, id, touches, order);
}

fn read_only(axioms: &mut consistency::Graph, id: EventId, touches: &[Touch], order: Ordering) {
    for touch in touches {
        if let Some(from) = touch.source() {
            axioms.event(id, touch.cell, Effect::Read(from), order);
        }
    }
}

impl Event {
    fn creates(&self, thread: ThreadId) -> bool {
        let State::Taken(step) = &self.state else {
            return false;
        };
        step.other == Some(thread) && joined(step).is_none()
    }
}

/// The thread after whose end `step` comes.
fn joined(step: &Step) -> Option<ThreadId> {
    let creates = step.accesses.iter().any(|a| a.action == Action::Spawn);
    step.other.filter(|_| !creates)
}

/// Whether `id` is in this past.
pub(super) fn knows(past: &Clock, id: EventId) -> bool {
    past.seen(id.thread) > id.step
}
