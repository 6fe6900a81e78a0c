//! The histories of a class of schedules, and real time decided once per class.
//!
//! Equivalent schedules return the same values but differ in which operation returned before which was called. The tight
//! histories of a class are exactly the linear extensions of its happens-before relation restricted to the steps that carry a
//! call or a return, so nothing else needs to be explored for them: a class is bad iff some extension is.

use crate::strategies::Leaf;
use crate::tight::Tight;
use crate::trace::{Event, Trace};
use linspect_core::digest::digest;
use linspect_core::property::Property;
use linspect_core::schedule::{Schedule, ThreadId};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// What is known of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassVerdict {
    /// Every schedule of the class is good.
    Good,
    /// This schedule of the class is bad.
    Bad(Schedule),
    /// The schedule shown is good; there were too many others to look at.
    Unknown,
}

/// Judges the classes of one client's schedules.
#[derive(Clone, Debug)]
pub struct Judge<P> {
    property: P,
    /// How many points of one class may be looked at.
    limit: usize,
    /// Classes whose calls and returns were found good; many classes share them.
    good: FxHashSet<u128>,
}

impl<P: Property> Judge<P> {
    /// Judges by `property`, looking at no more than `limit` points of any one class.
    pub fn new(property: P, limit: usize) -> Self {
        Self {
            property,
            limit,
            good: FxHashSet::default(),
        }
    }

    /// The property.
    pub fn property(&mut self) -> &mut P {
        &mut self.property
    }

    /// Whether the schedule shown is good, whatever others of its class are.
    pub fn is_good(&mut self, leaf: &Leaf<'_>) -> bool {
        let mut watch = self.property.start(leaf.before);
        for step in leaf.trace.steps() {
            self.property.observe(&mut watch, step);
        }
        self.property.holds(&watch, leaf.end, leaf.after)
    }

    /// Judges the class of the schedule shown.
    pub fn judge(&mut self, leaf: &Leaf<'_>) -> ClassVerdict {
        if !self.property.sees_real_time() {
            return if self.is_good(leaf) {
                ClassVerdict::Good
            } else {
                ClassVerdict::Bad(schedule(leaf.trace, &[]))
            };
        }
        let marked = Marked::of(leaf.trace);
        let key = digest(&(&marked, leaf.end, leaf.after));
        if self.good.contains(&key) {
            return ClassVerdict::Good;
        }
        let start = self.property.start(leaf.before);
        let mut search = Search {
            property: &mut self.property,
            marked: &marked,
            leaf,
            seen: FxHashSet::default(),
            limit: self.limit,
            order: Vec::new(),
        };
        match search.extend(marked.nobody(), start) {
            Extension::Nothing => {
                self.good.insert(key);
                ClassVerdict::Good
            }
            Extension::Bad => ClassVerdict::Bad(schedule(leaf.trace, &search.order)),
            Extension::TooMuch if self.is_good(leaf) => ClassVerdict::Unknown,
            Extension::TooMuch => ClassVerdict::Bad(schedule(leaf.trace, &[])),
        }
    }
}

/// How many marked events of each thread have been placed.
type Placed = SmallVec<[u16; 6]>;

enum Extension {
    Bad,
    Nothing,
    TooMuch,
}

/// A search for a bad linear extension over pairs (what has been placed, what the property makes of it).
struct Search<'a, P: Property> {
    property: &'a mut P,
    marked: &'a Marked<'a>,
    leaf: &'a Leaf<'a>,
    seen: FxHashSet<(Placed, P::Watch)>,
    limit: usize,
    /// The extension so far, as indices of events; the bad one when one was found.
    order: Vec<usize>,
}

impl<P: Property> Search<'_, P> {
    fn extend(&mut self, mut placed: Placed, mut watch: P::Watch) -> Extension {
        let length = self.order.len();
        // An earlier return only adds to the real-time order, which can only make a history worse.
        while let Some(thread) = self.next_return(&placed) {
            self.place(&mut placed, &mut watch, thread);
        }
        if self.property.is_lost(&watch) {
            return Extension::Bad;
        }
        if !self.seen.insert((placed.clone(), watch.clone())) {
            self.order.truncate(length);
            return Extension::Nothing;
        }
        if self.seen.len() > self.limit {
            return Extension::TooMuch;
        }
        let mut last = true;
        for thread in 0..self.marked.threads.len() {
            if self.marked.next(&placed, thread).is_none() {
                continue;
            }
            last = false;
            let (mut placed, mut watch) = (placed.clone(), watch.clone());
            let length = self.order.len();
            self.place(&mut placed, &mut watch, thread);
            match self.extend(placed, watch) {
                Extension::Nothing => self.order.truncate(length),
                found => return found,
            }
        }
        if last && !self.property.holds(&watch, self.leaf.end, self.leaf.after) {
            return Extension::Bad;
        }
        self.order.truncate(length);
        Extension::Nothing
    }

    fn place(&mut self, placed: &mut Placed, watch: &mut P::Watch, thread: usize) {
        let (index, event) = self.marked.threads[thread][usize::from(placed[thread])];
        placed[thread] += 1;
        self.order.push(index);
        self.property.observe(watch, &event.step);
    }

    /// A thread whose next marked step can come now and only returns.
    fn next_return(&self, placed: &Placed) -> Option<usize> {
        (0..self.marked.threads.len()).find(|&thread| {
            let next = self.marked.next(placed, thread);
            next.is_some_and(|event| event.step.called.is_none())
        })
    }
}

/// The steps of a class that carry a call or a return.
struct Marked<'a> {
    /// Per thread, in order, with their places in the trace.
    threads: Vec<Vec<(usize, &'a Event)>>,
}

impl<'a> Marked<'a> {
    fn of(trace: &'a Trace) -> Self {
        let mut threads: Vec<Vec<_>> = Vec::new();
        for (index, event) in trace.events().iter().enumerate() {
            let thread = usize::from(event.thread());
            if threads.len() <= thread {
                threads.resize(thread + 1, Vec::new());
            }
            if event.step.called.is_some() || event.step.returned.is_some() {
                threads[thread].push((index, event));
            }
        }
        Self { threads }
    }

    /// The next marked event of `thread`, if everything marked that happens before it has been placed.
    fn next(&self, placed: &Placed, thread: usize) -> Option<&'a Event> {
        let (_, event) = self.threads[thread].get(usize::from(placed[thread]))?;
        let ready = self.threads.iter().enumerate().all(|(other, events)| {
            let next = events.get(usize::from(placed[other]));
            other == thread
                || next.is_none_or(|(_, e)| e.position > event.clock.seen(other as ThreadId))
        });
        ready.then_some(event)
    }

    fn nobody(&self) -> Placed {
        SmallVec::from_elem(0, self.threads.len())
    }
}

/// What decides the histories of the class: calls, returns, and which of them happen before which.
impl Hash for Marked<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for events in &self.threads {
            events.len().hash(hasher);
            for (_, event) in events {
                let step = &event.step;
                (step.called, &step.invocation, &step.returned).hash(hasher);
                for (other, events) in self.threads.iter().enumerate() {
                    let seen = event.clock.seen(other as ThreadId);
                    let before = events.partition_point(|(_, e)| e.position <= seen);
                    before.hash(hasher);
                }
            }
        }
    }
}

/// A schedule of the class of `trace` in which the events `first` come in this order, each as soon as what happens before it has.
fn schedule(trace: &Trace, first: &[usize]) -> Schedule {
    let events = trace.events();
    let order = arrange(trace, first);
    Schedule(order.into_iter().map(|e| events[e].step.choice).collect())
}

/// All events of `trace` in an order of its class in which the events `first` come as given, each as soon as what happens before it has.
pub fn arrange(trace: &Trace, first: &[usize]) -> Vec<usize> {
    let events = trace.events();
    let mut done = vec![false; events.len()];
    let mut order = Vec::with_capacity(events.len());
    let mut add = |index: usize| {
        if !std::mem::replace(&mut done[index], true) {
            order.push(index);
        }
    };
    for &index in first {
        for (earlier, event) in events[..index].iter().enumerate() {
            if event.is_before(&events[index].clock) {
                add(earlier);
            }
        }
        add(index);
    }
    (0..events.len()).for_each(add);
    order
}

/// Reports every tight history of the class of `trace`, each once.
pub fn histories(trace: &Trace, each: &mut dyn FnMut(Tight)) {
    let marked = Marked::of(trace);
    let mut seen = FxHashSet::default();
    let mut stack = vec![(marked.nobody(), Tight::default())];
    while let Some((placed, tight)) = stack.pop() {
        let mut last = true;
        for thread in 0..marked.threads.len() {
            if let Some(event) = marked.next(&placed, thread) {
                last = false;
                let mut placed = placed.clone();
                placed[thread] += 1;
                let mut tight = tight.clone();
                tight.push(&event.step);
                if seen.insert((placed.clone(), tight.clone())) {
                    stack.push((placed, tight));
                }
            }
        }
        if last {
            each(tight);
        }
    }
}
