//! Which execution graphs C++20 allows, read off the text of the standard ([intro.races], [atomics.order]): happens-before, coherence, and a total order of what is `seq_cst`.
//!
//! A read-modify-write is one event. There is no load buffering, because graphs are built along program order and reads-from. Relations are sets of bits.

use super::Order;

/// The most events that a graph may have.
pub const MOST: usize = 64;

/// What an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Reads a variable.
    Read,
    /// Writes a variable.
    Write,
    /// Reads and writes one, at once.
    Update,
    /// A fence.
    Fence,
    /// Takes a mutex.
    Lock,
    /// Gives it back.
    Unlock,
}

/// An event. The first ones give each variable its first value, and belong to no thread.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Whose it is.
    pub thread: Option<usize>,
    /// Which of the thread's it is.
    pub index: usize,
    /// What it is.
    pub kind: Kind,
    /// The variable, the mutex; without meaning for a fence.
    pub place: usize,
    /// Its ordering; none if the variable is plain.
    pub order: Option<Order>,
    /// The event that wrote what it reads.
    pub from: Option<usize>,
    /// What it writes.
    pub written: i64,
}

impl Event {
    /// Whether it writes a variable.
    pub fn writes(&self) -> bool {
        matches!(self.kind, Kind::Write | Kind::Update)
    }

    /// Whether it reads or writes a variable.
    pub fn accesses(&self) -> bool {
        matches!(self.kind, Kind::Read | Kind::Write | Kind::Update)
    }

    fn is(&self, order: fn(Order) -> bool) -> bool {
        self.order.is_some_and(order)
    }
}

/// A relation of events: by event, the set of those after it.
#[derive(Clone)]
struct Relation(Vec<u64>);

impl Relation {
    fn new(events: usize) -> Self {
        Self(vec![0; events])
    }

    fn add(&mut self, a: usize, b: usize) {
        self.0[a] |= 1 << b;
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.0[a] >> b & 1 == 1
    }

    fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    fn close(&mut self) {
        for middle in 0..self.0.len() {
            for a in 0..self.0.len() {
                if self.has(a, middle) {
                    self.0[a] |= self.0[middle];
                }
            }
        }
    }

    /// First this, then `next`.
    fn then(&self, next: &Self) -> Self {
        let after = |set: &u64| {
            let members = (0..next.0.len()).filter(|b| set >> b & 1 == 1);
            members.fold(0, |all, b| all | next.0[b])
        };
        Self(self.0.iter().map(after).collect())
    }

    fn is_irreflexive(&self) -> bool {
        (0..self.0.len()).all(|a| !self.has(a, a))
    }
}

/// An execution graph, or the beginning of one.
#[derive(Clone, Default)]
pub struct Graph {
    /// In an order in which they can happen.
    pub events: Vec<Event>,
    /// By variable, its writes in modification order.
    pub writes: Vec<Vec<usize>>,
    /// By mutex, who took it and gave it back, in order.
    pub locks: Vec<Vec<usize>>,
    /// Messages that callers send each other beside it: after the first event, received before the second.
    pub messages: Vec<(usize, usize)>,
}

/// What the axioms say of a graph.
pub struct Judgement {
    /// Whether C++20 allows it.
    pub is_consistent: bool,
    /// Whether it has a data race.
    pub has_race: bool,
}

impl Graph {
    /// What C++20 says of it.
    pub fn judge(&self) -> Judgement {
        let (before, synchronised) = self.happens_before();
        let coherence = self.coherence();
        let is_coherent = before.is_irreflexive()
            && coherence.is_irreflexive()
            && before.then(&coherence).is_irreflexive();
        Judgement {
            is_consistent: is_coherent
                && self.can_be_built()
                && self.has_order(&before, &synchronised, &coherence),
            has_race: self.has_race(&before),
        }
    }

    /// Whether it is an execution under sequential consistency.
    pub fn is_sequential(&self) -> bool {
        let mut order = self.sequenced();
        order.join(&self.coherence());
        for locks in &self.locks {
            pairs(locks, |a, b| order.add(a, b));
        }
        order.close();
        order.is_irreflexive()
    }

    /// Whether nobody reads what is written only after that. Graphs are built so; messages may be sent against it.
    fn can_be_built(&self) -> bool {
        let mut order = self.sequenced();
        for (read, event) in self.events.iter().enumerate() {
            event.from.iter().for_each(|from| order.add(*from, read));
        }
        for locks in &self.locks {
            pairs(locks, |a, b| order.add(a, b));
        }
        for &(a, b) in &self.messages {
            order.add(a, b);
        }
        order.close();
        order.is_irreflexive()
    }

    /// Sequenced-before, and what comes before all threads.
    fn sequenced(&self) -> Relation {
        let mut sequenced = Relation::new(self.events.len());
        for (a, first) in self.events.iter().enumerate() {
            for (b, second) in self.events.iter().enumerate() {
                let is_before = match first.thread {
                    None => second.thread.is_some(),
                    thread => thread == second.thread && first.index < second.index,
                };
                if is_before {
                    sequenced.add(a, b);
                }
            }
        }
        sequenced
    }

    /// Happens-before, and synchronizes-with.
    fn happens_before(&self) -> (Relation, Relation) {
        let mut synchronised = Relation::new(self.events.len());
        for (read, event) in self.events.iter().enumerate() {
            let Some(from) = event.from.filter(|_| event.order.is_some()) else {
                continue;
            };
            let acquired = self.fenced(read, event, Order::acquires, |fence, read| fence > read);
            let mut head = Some(from);
            while let Some(write) = head {
                let written = &self.events[write];
                let released = self.fenced(write, written, Order::releases, |fence, write| {
                    fence < write
                });
                for release in released {
                    acquired
                        .iter()
                        .for_each(|acquire| synchronised.add(release, *acquire));
                }
                // A release sequence goes on through read-modify-writes alone.
                head = written.from;
            }
        }
        for locks in &self.locks {
            pairs(locks, |a, b| {
                if self.events[a].kind == Kind::Unlock && self.events[b].kind == Kind::Lock {
                    synchronised.add(a, b);
                }
            });
        }
        for &(a, b) in &self.messages {
            synchronised.add(a, b);
        }
        let mut before = self.sequenced();
        before.join(&synchronised);
        before.close();
        (before, synchronised)
    }

    /// The event itself if its order is so, and the fences of its thread that are so and stand where `stands` says.
    fn fenced(
        &self,
        id: usize,
        event: &Event,
        is: fn(Order) -> bool,
        stands: fn(usize, usize) -> bool,
    ) -> Vec<usize> {
        if event.order.is_none() {
            return Vec::new();
        }
        let is_one = |(at, other): (usize, &Event)| {
            let is_fence = other.kind == Kind::Fence
                && other.thread == event.thread
                && stands(other.index, event.index);
            ((at == id || is_fence) && other.is(is)).then_some(at)
        };
        let events = self.events.iter().enumerate();
        events.filter_map(is_one).collect()
    }

    /// Coherence-ordered before.
    fn coherence(&self) -> Relation {
        let mut coherence = Relation::new(self.events.len());
        for writes in &self.writes {
            pairs(writes, |a, b| coherence.add(a, b));
        }
        for (read, event) in self.events.iter().enumerate() {
            let Some(from) = event.from else { continue };
            coherence.add(from, read);
            let writes = &self.writes[event.place];
            let later = writes.iter().skip_while(|w| **w != from).skip(1);
            later
                .filter(|later| **later != read)
                .for_each(|later| coherence.add(read, *later));
        }
        coherence.close();
        coherence
    }

    /// Whether there is a single total order of all that is `seq_cst`.
    fn has_order(&self, before: &Relation, synchronised: &Relation, coherence: &Relation) -> bool {
        let is_single = |e: &Event| e.is(|o| o == Order::SeqCst);
        let ids = 0..self.events.len();
        let single: Vec<usize> = ids.filter(|id| is_single(&self.events[*id])).collect();
        let mut sequenced = self.sequenced();
        for (id, event) in self.events.iter().enumerate() {
            if event.thread.is_none() {
                sequenced.0[id] = 0;
            }
        }
        let mut strongly = sequenced.then(&before.then(&sequenced));
        strongly.join(&sequenced);
        for &a in &single {
            for &b in &single {
                if synchronised.has(a, b) {
                    strongly.add(a, b);
                }
            }
        }
        strongly.close();
        let fence = |id: usize| self.events[id].kind == Kind::Fence;
        let to_fence = coherence.then(before);
        let from_fence = before.then(coherence);
        let between = from_fence.then(before);
        let mut order = Relation::new(self.events.len());
        for &a in &single {
            for &b in &single {
                let is_before = strongly.has(a, b)
                    || coherence.has(a, b)
                    || (fence(b) && to_fence.has(a, b))
                    || (fence(a) && from_fence.has(a, b))
                    || (fence(a) && fence(b) && between.has(a, b));
                if is_before {
                    order.add(a, b);
                }
            }
        }
        order.close();
        order.is_irreflexive()
    }

    fn has_race(&self, before: &Relation) -> bool {
        let races = |(a, first): (usize, &Event)| {
            self.events[..a].iter().enumerate().any(|(b, second)| {
                first.accesses()
                    && second.accesses()
                    && first.place == second.place
                    && (first.writes() || second.writes())
                    && (first.order.is_none() || second.order.is_none())
                    && first.thread != second.thread
                    && !before.has(a, b)
                    && !before.has(b, a)
            })
        };
        self.events.iter().enumerate().any(races)
    }
}

/// Calls `each` with any two of a list, in their order.
fn pairs(list: &[usize], mut each: impl FnMut(usize, usize)) {
    for (at, a) in list.iter().enumerate() {
        list[at + 1..].iter().for_each(|b| each(*a, *b));
    }
}
