//! An execution reduced to what conflicts: events in order, the cells each reads and writes.

use linspect_core::execution::{Activation, Execution, Location, Step};
use linspect_core::schedule::ThreadId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A piece of memory that accesses of one trace either touch whole or not at all.
pub type Cell = u32;

/// An event's index in its [`ConflictTrace`].
pub type EventIndex = usize;

/// One step of the concurrent part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictEvent {
    /// Who did it.
    pub thread: ThreadId,
    /// In which operation, counted over the whole trace. Numbers grow within a thread.
    pub operation: u32,
    /// The cells it only reads.
    pub reads: SmallVec<[Cell; 2]>,
    /// The cells it writes.
    pub writes: SmallVec<[Cell; 2]>,
}

impl ConflictEvent {
    /// Whether the two stand in conflict: different threads, a common cell, at least one write.
    pub fn conflicts(&self, other: &Self) -> bool {
        let meets = |a: &[Cell], b: &[Cell]| a.iter().any(|x| b.contains(x));
        self.thread != other.thread
            && (meets(&self.writes, &other.writes)
                || meets(&self.writes, &other.reads)
                || meets(&self.reads, &other.writes))
    }
}

/// The events of one execution, in the order in which they happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConflictTrace {
    /// The events.
    pub events: Vec<ConflictEvent>,
}

impl ConflictTrace {
    /// The trace of an execution's concurrent part: event `i` is step `i`.
    pub fn of(execution: &Execution) -> Self {
        Self::of_steps(execution.steps.iter())
    }

    /// The trace of these steps.
    ///
    /// Lock operations count as writes of the lock (see [`linspect_core::execution::Action::writes`]): dropping them would call
    /// correctly locked code unserializable.
    pub fn of_steps<'a>(steps: impl Iterator<Item = &'a Step> + Clone) -> Self {
        let cells = Cells::of(steps.clone());
        let mut operations = Operations::default();
        let events = steps.map(|step| event(step, &cells, &mut operations));
        Self {
            events: events.collect(),
        }
    }
}

fn event(step: &Step, cells: &Cells, operations: &mut Operations) -> ConflictEvent {
    let mut event = ConflictEvent {
        thread: step.choice.thread,
        operation: operations.current(step),
        reads: SmallVec::new(),
        writes: SmallVec::new(),
    };
    for access in step.accesses.iter().filter(|a| a.action.touches_memory()) {
        let touched = cells.within(access.location);
        if access.action.writes() {
            event.writes.extend(touched);
        } else {
            event.reads.extend(touched);
        }
    }
    event
}

/// Numbers activations in order of appearance, so that numbers grow within a thread.
#[derive(Default)]
struct Operations {
    number: FxHashMap<(ThreadId, Option<Activation>), u32>,
    running: FxHashMap<ThreadId, Activation>,
}

impl Operations {
    fn current(&mut self, step: &Step) -> u32 {
        let thread = step.choice.thread;
        if let Some(called) = step.called {
            self.running.insert(thread, called);
        }
        let activation = self.running.get(&thread).copied();
        let fresh = u32::try_from(self.number.len()).expect("fewer than 2^32 operations");
        *self.number.entry((thread, activation)).or_insert(fresh)
    }
}

/// The finest common partition of all locations accessed: cell `i` starts at `starts[i]`.
struct Cells {
    starts: Vec<(u32, u32)>,
}

impl Cells {
    fn of<'a>(steps: impl Iterator<Item = &'a Step>) -> Self {
        let mut starts: Vec<_> = steps
            .flat_map(|s| &s.accesses)
            .filter(|a| a.action.touches_memory())
            .flat_map(|a| {
                let l = a.location;
                [(l.allocation, l.offset), (l.allocation, l.offset + l.size)]
            })
            .collect();
        starts.sort_unstable();
        starts.dedup();
        Self { starts }
    }

    fn within(&self, l: Location) -> impl Iterator<Item = Cell> {
        let at = |offset| {
            self.starts
                .partition_point(|&start| start < (l.allocation, offset))
        };
        (at(l.offset)..at(l.offset + l.size))
            .map(|i| Cell::try_from(i).expect("fewer than 2^32 cells"))
    }
}

/// The places that two threads access and at least one writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Racing {
    /// Allocation, first byte, byte after the last; sorted, none touching another.
    ranges: Vec<(u32, u32, u32)>,
}

impl Racing {
    /// Those of these steps, which may be of different runs.
    pub fn of<'a>(steps: impl Iterator<Item = &'a Step> + Clone) -> Self {
        let cells = Cells::of(steps.clone());
        // Per cell: who accesses it, whether somebody else does, whether anybody writes it.
        let mut seen: Vec<Option<(ThreadId, bool, bool)>> = vec![None; cells.starts.len()];
        for step in steps {
            let thread = step.choice.thread;
            for access in step.accesses.iter().filter(|a| a.action.touches_memory()) {
                for cell in cells.within(access.location) {
                    let (first, shared, written) =
                        seen[cell as usize].get_or_insert((thread, false, false));
                    *shared |= *first != thread;
                    *written |= access.action.writes();
                }
            }
        }
        let mut ranges: Vec<(u32, u32, u32)> = Vec::new();
        for (pair, seen) in cells.starts.windows(2).zip(seen) {
            let ((allocation, from), (_, to)) = (pair[0], pair[1]);
            match ranges.last_mut() {
                _ if !matches!(seen, Some((_, true, true))) => {}
                Some(last) if (last.0, last.2) == (allocation, from) => last.2 = to,
                _ => ranges.push((allocation, from, to)),
            }
        }
        Self { ranges }
    }

    /// Whether some byte of `location` is such a place.
    pub fn contains(&self, location: Location) -> bool {
        let (from, to) = (location.offset, location.offset + location.size);
        let at = self.ranges.partition_point(|&(allocation, _, end)| {
            (allocation, end) <= (location.allocation, from)
        });
        self.ranges
            .get(at)
            .is_some_and(|&(allocation, start, _)| allocation == location.allocation && start < to)
    }
}
