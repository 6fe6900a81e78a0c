//! Linearizability under weak memory: with whatever synchronisation a client could add.
//!
//! The order in which a run happens to be told is not real time: a thread that reads an old value has done nothing wrong if nobody told it of the new one. Program order alone is too
//! little: clients do tell each other. So a run is bad iff some set of messages, each sent by a client after one operation has returned and received before
//! another is called, is consistent with the run and leaves its operations no order that the specification allows (Golovin, Kokologiannakis and Vafeiadis, "RELINCHE: Automatically
//! Checking Linearizability under Relaxed Memory Consistency", POPL 2025). Such a set is a client that can be written down.
//!
//! More messages leave fewer orders. So if some order of the operations is allowed with these messages, a set with more of them can only be bad if it says of two operations the opposite of that order: only
//! such messages are added. Where the memory orders the operations, as it mostly does, there is none, and one order is all that is looked for.

use linspect_core::consistency::{Graph, Synchronised};
use linspect_core::execution::{Activation, Aside, End, Ending, EventId, MemoryModel, Step};
use linspect_core::property::Property;
use linspect_core::schedule::{Choice, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A message: sent after the one has returned, received before the other is called.
pub type Message = (Activation, Activation);

/// What is known of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is good whatever the client adds.
    Good,
    /// It is bad if the client sends these messages.
    Bad(Vec<Message>),
    /// There were too many sets to look at.
    Unknown,
}

/// A run to judge.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// Results of the prefix.
    pub before: &'a [Ending],
    /// The steps, in the order in which they were run.
    pub steps: &'a [Step],
    /// Results of the suffix.
    pub after: &'a [Ending],
    /// How it ended.
    pub end: &'a End,
}

/// Judges a run by `property`, looking at no more than `limit` sets of messages.
pub fn judge<P: Property>(
    property: &mut P,
    told: Told<'_>,
    model: MemoryModel,
    limit: usize,
) -> Judgement {
    if !property.sees_real_time() {
        let mut watch = property.start(told.before);
        for step in told.steps {
            property.observe(&mut watch, step);
        }
        return if property.holds(&watch, told.end, told.after) {
            Judgement::Good
        } else {
            Judgement::Bad(Vec::new())
        };
    }
    let operations = operations(told.steps);
    if operations.len() > 64 {
        return Judgement::Unknown;
    }
    let mut seen = FxHashSet::default();
    let graph = Graph::of(told.steps);
    let mut open = vec![(Synchronised::of(&graph, model), Vec::new())];
    while let Some((execution, messages)) = open.pop() {
        let order = Order::of(&operations, &execution);
        if !seen.insert(order.clone()) {
            continue;
        }
        if seen.len() > limit {
            return Judgement::Unknown;
        }
        let mut search = Linear {
            property: &mut *property,
            told,
            operations: &operations,
            order: &order,
            failed: FxHashSet::default(),
            placed: Vec::new(),
        };
        let start = search.property.start(told.before);
        if !search.extends(0, start) {
            return Judgement::Bad(messages);
        }
        let allowed = search.placed;
        for (place, &from) in allowed.iter().enumerate() {
            let sender = &operations[from];
            let Some(returned) = sender.returned else {
                continue;
            };
            for &to in &allowed[..place] {
                let receiver = &operations[to];
                let same = sender.id.thread == receiver.id.thread;
                if same || order.has(to, from) {
                    continue;
                }
                if let Some(more) = execution.with(returned, receiver.called) {
                    let mut messages = messages.clone();
                    messages.push((sender.id, receiver.id));
                    open.push((more, messages));
                }
            }
        }
    }
    Judgement::Good
}

/// An operation of a run.
struct Operation<'a> {
    id: Activation,
    called: EventId,
    call: &'a Step,
    returned: Option<EventId>,
    ret: Option<&'a Step>,
}

fn operations(steps: &[Step]) -> Vec<Operation<'_>> {
    let mut operations: Vec<Operation<'_>> = Vec::new();
    let mut taken: FxHashMap<ThreadId, u32> = FxHashMap::default();
    for step in steps {
        let thread = step.choice.thread;
        let count = taken.entry(thread).or_default();
        let event = EventId {
            thread,
            step: *count,
        };
        *count += 1;
        if let Some(id) = step.called {
            operations.push(Operation {
                id,
                called: event,
                call: step,
                returned: None,
                ret: None,
            });
        }
        if let Some((id, _)) = &step.returned
            && let Some(operation) = operations.iter_mut().find(|o| o.id == *id)
        {
            operation.returned = Some(event);
            operation.ret = Some(step);
        }
    }
    operations
}

/// Which operation has returned before which is called: per operation, the others before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Order(Vec<u64>);

impl Order {
    fn of(operations: &[Operation<'_>], execution: &Synchronised<'_>) -> Self {
        let rows = operations.iter().map(|later| {
            let earlier = operations.iter().enumerate();
            earlier.fold(0, |row, (i, earlier)| {
                let is = earlier
                    .returned
                    .is_some_and(|returned| execution.has(returned, later.called));
                row | u64::from(is) << i
            })
        });
        Self(rows.collect())
    }

    fn has(&self, from: usize, to: usize) -> bool {
        self.0[to] >> from & 1 == 1
    }
}

/// A search for an order of all operations that the property allows.
struct Linear<'a, P: Property> {
    property: &'a mut P,
    told: Told<'a>,
    operations: &'a [Operation<'a>],
    order: &'a Order,
    /// What was placed, and what the property made of it, where no order was found.
    failed: FxHashSet<(u64, P::Watch)>,
    /// The order so far.
    placed: Vec<usize>,
}

impl<P: Property> Linear<'_, P> {
    fn extends(&mut self, placed: u64, watch: P::Watch) -> bool {
        if self.property.is_lost(&watch) || self.failed.contains(&(placed, watch.clone())) {
            return false;
        }
        let mut last = true;
        for next in 0..self.operations.len() {
            let is_placed = placed >> next & 1 == 1;
            if is_placed || self.order.0[next] & !placed != 0 {
                continue;
            }
            last = false;
            let mut watch = watch.clone();
            self.place(&mut watch, next);
            self.placed.push(next);
            if self.extends(placed | 1 << next, watch) {
                return true;
            }
            self.placed.pop();
        }
        if last && self.property.holds(&watch, self.told.end, self.told.after) {
            return true;
        }
        self.failed.insert((placed, watch));
        false
    }

    /// The operation is called and returns at once; one that is pending is only called.
    fn place(&mut self, watch: &mut P::Watch, next: usize) {
        let operation = &self.operations[next];
        let mut call = mark(operation.call.choice);
        call.called = operation.call.called;
        call.invocation.clone_from(&operation.call.invocation);
        self.property.observe(watch, &call);
        if let Some(step) = operation.ret {
            let mut ret = mark(step.choice);
            ret.returned.clone_from(&step.returned);
            self.property.observe(watch, &ret);
        }
    }
}

/// A step that does nothing.
fn mark(choice: Choice) -> Step {
    Step {
        choice,
        called: None,
        invocation: None,
        accesses: SmallVec::new(),
        returned: None,
        other: None,
        fault: None,
        aside: Aside::default(),
    }
}
