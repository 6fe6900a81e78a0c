//! The histories of a class of schedules, and real time decided once per class.
//!
//! Equivalent schedules return the same values but differ in which operation returned before which was called. The tight histories of
//! a class are exactly the linear extensions of its happens-before relation restricted to the steps that carry a call or
//! a return, so nothing else needs to be explored for them.

use crate::tight::Tight;
use crate::trace::{Event, Trace};
use linspect_core::schedule::ThreadId;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// How many marked events of each thread have been placed.
type Placed = SmallVec<[u16; 6]>;

/// The steps of a class that carry a call or a return.
struct Marked<'a> {
    /// Per thread, in order.
    threads: Vec<Vec<&'a Event>>,
}

impl<'a> Marked<'a> {
    fn of(trace: &'a Trace) -> Self {
        let mut threads: Vec<Vec<&Event>> = Vec::new();
        for event in trace.events() {
            let thread = usize::from(event.thread());
            if threads.len() <= thread {
                threads.resize(thread + 1, Vec::new());
            }
            if event.step.called.is_some() || event.step.returned.is_some() {
                threads[thread].push(event);
            }
        }
        Self { threads }
    }

    /// The next marked event of `thread`, if everything marked that happens before it has been placed.
    fn next(&self, placed: &Placed, thread: usize) -> Option<&'a Event> {
        let event = self.threads[thread].get(usize::from(placed[thread]))?;
        let ready = self.threads.iter().enumerate().all(|(other, events)| {
            let next = events.get(usize::from(placed[other]));
            other == thread || next.is_none_or(|e| e.position > event.clock.seen(other as ThreadId))
        });
        ready.then_some(event)
    }

    fn nobody(&self) -> Placed {
        self.threads.iter().map(|_| 0).collect()
    }
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
