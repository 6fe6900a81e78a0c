//! Which real-time orders make a class of executions bad.
//!
//! Equivalent executions return the same values, but not in the same real time, so a class with a bad execution may have good ones, too (the paper takes all of them to be
//! bad). An eliminator of such a *mixed* class has to rule out only what is bad: its happens-before relation is extended by a minimal bad order, for each of them.

use crate::trace::EventIndex;
use linspect_core::execution::{Activation, End, Ending};
use linspect_core::property::Property;
use linspect_explore::class::arrange;
use linspect_explore::trace::Trace;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// More real-time orders of one class than this are not looked at.
const MAX_ORDERS: usize = 20_000;

/// One class: a run of it, and how it ended.
pub(crate) struct Class<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) before: &'a [Ending],
    pub(crate) after: &'a [Ending],
    pub(crate) end: &'a End,
}

/// A way in which a class is bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadOrder {
    /// Which event must come before which, beyond happens-before: the end of one operation, the beginning of another.
    pub(crate) edges: Vec<(EventIndex, EventIndex)>,
    /// The events of the class in an order that has these edges.
    pub(crate) arrangement: Vec<EventIndex>,
}

impl BadOrder {
    /// The way of a class that is bad in any real time: `known` is an arrangement of it.
    pub(crate) fn none(known: Vec<EventIndex>) -> Self {
        Self {
            edges: Vec::new(),
            arrangement: known,
        }
    }
}

/// Per operation, which operations had returned when it was called, as bits.
type RealTime = Vec<u64>;

/// The minimal bad real-time orders of `class`; one without edges if every execution of it is bad.
///
/// `known` is a bad arrangement, used alone where there are too many orders to look at.
pub(crate) fn minimal_bad_orders<P: Property>(
    class: &Class<'_>,
    property: &mut P,
    known: &[EventIndex],
) -> Vec<BadOrder> {
    let operations = Operations::of(class.trace);
    let mut enumeration = Enumeration {
        class,
        operations: &operations,
        found: Vec::new(),
        seen: FxHashSet::default(),
        limit: MAX_ORDERS,
    };
    let everything = operations.bounds.len() <= 64 && enumeration.run();
    let mut bad: Vec<(RealTime, Vec<EventIndex>)> = Vec::new();
    let mut any_good = false;
    if everything {
        for (order, arrangement) in enumeration.found {
            if is_good(class, property, &arrangement) {
                any_good = true;
            } else {
                bad.push((order, arrangement));
            }
        }
        if !any_good {
            return vec![BadOrder::none(known.to_vec())];
        }
    } else {
        bad.push((operations.real_time(class.trace, known), known.to_vec()));
    }
    let contains = |larger: &RealTime, smaller: &RealTime| {
        smaller.iter().zip(larger).all(|(s, l)| s & !l == 0)
    };
    bad.iter()
        .filter(|(order, _)| {
            !bad.iter()
                .any(|(other, _)| other != order && contains(order, other))
        })
        .map(|(order, arrangement)| BadOrder {
            edges: operations.edges(order),
            arrangement: arrangement.clone(),
        })
        .collect()
}

fn is_good<P: Property>(class: &Class<'_>, property: &mut P, arrangement: &[EventIndex]) -> bool {
    let mut watch = property.start(class.before);
    for &event in arrangement {
        property.observe(&mut watch, &class.trace.events()[event].step);
    }
    property.holds(&watch, class.end, class.after)
}

/// The operations of a class, numbered.
struct Operations {
    number: BTreeMap<Activation, usize>,
    /// First and last event of each.
    bounds: Vec<(EventIndex, EventIndex)>,
}

impl Operations {
    fn of(trace: &Trace) -> Self {
        let mut number = BTreeMap::new();
        let mut bounds: Vec<(EventIndex, EventIndex)> = Vec::new();
        for (id, event) in trace.events().iter().enumerate() {
            if let Some(called) = event.step.called {
                number.insert(called, bounds.len());
                bounds.push((id, id));
            }
            if let Some((returned, _)) = &event.step.returned {
                bounds[number[returned]].1 = id;
            }
        }
        Self { number, bounds }
    }

    /// The real time of an arrangement.
    fn real_time(&self, trace: &Trace, arrangement: &[EventIndex]) -> RealTime {
        let mut returned = 0u64;
        let mut order = vec![0; self.bounds.len()];
        for &event in arrangement {
            self.advance(trace, event, &mut returned, &mut order);
        }
        order
    }

    fn advance(&self, trace: &Trace, event: EventIndex, returned: &mut u64, order: &mut RealTime) {
        let step = &trace.events()[event].step;
        if let Some(called) = step.called {
            order[self.number[&called]] = *returned;
        }
        if let Some((operation, _)) = &step.returned {
            *returned |= 1 << (self.number[operation] % 64);
        }
    }

    fn edges(&self, order: &RealTime) -> Vec<(EventIndex, EventIndex)> {
        let mut edges = Vec::new();
        for (later, before) in order.iter().enumerate() {
            for earlier in (0..self.bounds.len().min(64)).filter(|e| before >> e & 1 == 1) {
                edges.push((self.bounds[earlier].1, self.bounds[later].0));
            }
        }
        edges
    }
}

/// Enumerates the real-time orders of a class, each once, with an arrangement of all events.
struct Enumeration<'a> {
    class: &'a Class<'a>,
    operations: &'a Operations,
    found: Vec<(RealTime, Vec<EventIndex>)>,
    seen: FxHashSet<(Vec<usize>, RealTime)>,
    /// Beginnings of orders that are looked at; one more tells that there are more.
    limit: usize,
}

impl Enumeration<'_> {
    /// Whether all were found within the limit.
    fn run(&mut self) -> bool {
        let events = self.class.trace.events();
        let mut threads: Vec<Vec<EventIndex>> = Vec::new();
        for (id, event) in events.iter().enumerate() {
            let thread = usize::from(event.thread());
            if threads.len() <= thread {
                threads.resize(thread + 1, Vec::new());
            }
            if event.step.called.is_some() || event.step.returned.is_some() {
                threads[thread].push(id);
            }
        }
        let placed = vec![0; threads.len()];
        let order = vec![0; self.operations.bounds.len()];
        self.extend(&threads, &placed, 0, order, &mut Vec::new())
    }

    fn extend(
        &mut self,
        threads: &[Vec<EventIndex>],
        placed: &[usize],
        returned: u64,
        order: RealTime,
        sequence: &mut Vec<EventIndex>,
    ) -> bool {
        if self.seen.len() > self.limit {
            return false;
        }
        if !self.seen.insert((placed.to_vec(), order.clone())) {
            return true;
        }
        let events = self.class.trace.events();
        let mut ended = true;
        for (thread, own) in threads.iter().enumerate() {
            let Some(&event) = own.get(placed[thread]) else {
                continue;
            };
            ended = false;
            let clock = &events[event].clock;
            let free = threads.iter().enumerate().all(|(other, theirs)| {
                let next = theirs.get(placed[other]);
                other == thread || next.is_none_or(|&e| !events[e].is_before(clock))
            });
            if !free {
                continue;
            }
            let (mut placed, mut returned, mut order) = (placed.to_vec(), returned, order.clone());
            placed[thread] += 1;
            self.operations
                .advance(self.class.trace, event, &mut returned, &mut order);
            sequence.push(event);
            let whole = self.extend(threads, &placed, returned, order, sequence);
            sequence.pop();
            if !whole {
                return false;
            }
        }
        if ended {
            let arrangement = arrange(self.class.trace, sequence);
            self.found.push((order, arrangement));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::machine::Subject;
    use linspect_core::property::Linearizable;
    use linspect_core::run::{Bounds, Follow};
    use linspect_core::schedule::{Choice, Schedule};
    use linspect_explore::run::run;
    use linspect_explore::subject_spec::SubjectSpec;
    use linspect_toy::Program;

    /// A pair that is read one cell after the other: with `a` read before it is written and `b` after, the read is wrong only if `a` was written before
    /// `b` was. That another operation came after all of them, and need not have, has nothing to do with it.
    #[test]
    fn only_the_real_time_that_matters_is_kept() {
        let pair = Program::parse(
            "object loose_pair
             global a = 0
             global b = 0
             global c = 0
             op write_a 1
               write a arg
               return
             op write_b 1
               write b arg
               return
             op read
               x = read a
               y = read b
               return x*10+y
             op other
               z = read c
               z = read c
               return z",
        )
        .expect("a program");
        let client = pair.client("", &["write_a=1", "write_b=1", "read", "other"], "");
        let spec = SubjectSpec::new(&pair);
        let mut property = Linearizable::new(&spec, &client, pair.operations()).expect("fits");
        let mut machine = pair.start(&client).expect("starts");
        let schedule = Schedule([2, 0, 1, 2, 3, 3].map(Choice::of).to_vec());
        let run = run(&mut machine, &mut Follow::new(&schedule), Bounds::NONE);
        let class = Class {
            trace: &run.trace,
            before: &run.before,
            after: &run.after,
            end: &run.end,
        };
        let orders = minimal_bad_orders(&class, &mut property, &[0, 1, 2, 3, 4, 5]);
        let edges: Vec<_> = orders.iter().map(|o| o.edges.clone()).collect();
        assert_eq!(edges, [[(1, 2)]]);
    }

    /// Operations of two steps that have nothing to do with each other: the one before the other, or both at once. All are found if the limit is not passed, and
    /// otherwise it is known that some are missing.
    #[test]
    fn orders_are_all_there_or_known_to_be_cut() {
        let apart = Program::parse(
            "object apart
             global x = 0
             op look
               z = read x
               z = read x
               return z",
        )
        .expect("a program");
        for (threads, orders) in [(vec!["look"; 2], 3), (vec!["look"; 3], 19)] {
            let client = apart.client("", &threads, "");
            let mut machine = apart.start(&client).expect("starts");
            let turns = (0..threads.len()).flat_map(|t| [Choice::of(t as u16); 2]);
            let schedule = Schedule(turns.collect());
            let run = run(&mut machine, &mut Follow::new(&schedule), Bounds::NONE);
            let class = Class {
                trace: &run.trace,
                before: &run.before,
                after: &run.after,
                end: &run.end,
            };
            let operations = Operations::of(class.trace);
            let within = |limit| {
                let mut enumeration = Enumeration {
                    class: &class,
                    operations: &operations,
                    found: Vec::new(),
                    seen: FxHashSet::default(),
                    limit,
                };
                let whole = enumeration.run();
                (whole, enumeration.found.len(), enumeration.seen.len())
            };
            let (whole, found, beginnings) = within(MAX_ORDERS);
            assert_eq!((whole, found), (true, orders));
            assert_eq!(within(beginnings - 1), (true, orders, beginnings));
            assert!(!within(beginnings - 2).0);
            let (whole, found, _) = within(beginnings / 2);
            assert!(!whole && found < orders);
        }
    }
}
