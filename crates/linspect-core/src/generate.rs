//! Synthetic histories of any length, right or wrong: for benchmarks, for tests, and to try the checker on.
//!
//! Clients are saturated: each calls its next operation right after the last returned. Every operation takes effect at some
//! moment between its call and its return, as the specification says; a fault breaks that in the middle.

use crate::history::{History, Operation, Outcome, Time};
use crate::random::Random;
use crate::spec::{Builtin, Spec, Visitor};
use crate::value::Value;
use menu::Menu;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

mod menu;

/// What history to make. The same workload always makes the same history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Of which object.
    pub spec: Builtin,
    /// How many operations.
    pub operations: usize,
    /// By how many clients.
    pub clients: u32,
    /// What goes wrong, if anything.
    pub fault: Option<Fault>,
    /// What all choices are made from.
    pub seed: u64,
}

/// Something that goes wrong in the middle of a history, as soon as it can be noticed.
///
/// In a history that is too short for that, or whose clients do not look, nothing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Some operations see the object as it was some time ago, and what they do to it is lost.
    Stale,
    /// For a while, operations return as if they had taken effect, and have not.
    Lost,
    /// Two operations that were far apart get each other's results.
    Reordered,
}

impl Fault {
    /// All faults.
    pub const ALL: [Self; 3] = [Self::Stale, Self::Lost, Self::Reordered];

    /// The name a user chooses it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stale => "stale",
            Self::Lost => "lost",
            Self::Reordered => "reordered",
        }
    }

    /// The fault called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

impl Workload {
    /// The history.
    pub fn generate(&self) -> History {
        self.spec.visit(Simulate(self))
    }
}

/// The longest time that an operation takes, in ticks, if it does not have to wait.
const LONGEST: usize = 2000;
/// Whatever was in flight that long ago has ended since, and others came and went.
const LONG_AGO: Time = 3 * LONGEST as Time;
/// The longest time that a client rests between two operations.
const REST: usize = 20;

struct Simulate<'w>(&'w Workload);

impl Visitor for Simulate<'_> {
    type Output = History;

    fn visit<S: Spec>(self, spec: &S) -> History {
        Simulation::new(self.0, spec).run()
    }
}

/// An operation in flight.
struct InFlight<C> {
    method: &'static str,
    argument: Value,
    call: C,
    called: Time,
    returns: Time,
}

struct Simulation<'w, S: Spec> {
    workload: &'w Workload,
    spec: &'w S,
    random: Random,
    menu: Menu,
    /// The state of each independent part that was touched.
    states: FxHashMap<Option<Value>, S::State>,
    history: History,
    mishap: Mishap<S::State>,
}

impl<'w, S: Spec> Simulation<'w, S> {
    fn new(workload: &'w Workload, spec: &'w S) -> Self {
        Self {
            workload,
            spec,
            random: Random::new(workload.seed),
            menu: Menu::new(workload),
            states: FxHashMap::default(),
            history: History {
                methods: Vec::new(),
                operations: Vec::with_capacity(workload.operations),
                keeps_turns: false,
            },
            mishap: Mishap::new(workload.fault),
        }
    }

    fn run(mut self) -> History {
        // What happens next: at what time, by which client. Every event is the effect of an operation in flight.
        let mut effects: BinaryHeap<Reverse<(Time, u32)>> = BinaryHeap::new();
        let mut in_flight: Vec<Option<InFlight<S::Call>>> = Vec::new();
        for client in 0..self.workload.clients.max(1) {
            let start = self.random.below(LONGEST) as Time;
            let (op, effect) = self.call(client, start);
            in_flight.push(Some(op));
            effects.push(Reverse((effect, client)));
        }
        while self.history.operations.len() < self.workload.operations {
            let Some(Reverse((now, client))) = effects.pop() else {
                break;
            };
            let Some(mut op) = in_flight[client as usize].take() else {
                continue;
            };
            let Some(result) = self.take_effect(&op, now) else {
                // It has to wait: it tries again somewhat later and returns after that.
                let later = now + 1 + self.random.below(LONGEST / 4) as Time;
                op.returns = op.returns.max(later + 1);
                in_flight[client as usize] = Some(op);
                effects.push(Reverse((later, client)));
                continue;
            };
            let returns = op.returns;
            self.menu.ended(&op.argument, op.method, &result);
            self.record(client, op, result);
            let next = returns + 1 + self.random.below(REST) as Time;
            let (op, effect) = self.call(client, next);
            in_flight[client as usize] = Some(op);
            effects.push(Reverse((effect, client)));
        }
        self.history.operations.sort_by_key(|op| op.call);
        self.history
    }

    /// The next operation of a client, and when it takes effect.
    fn call(&mut self, client: u32, now: Time) -> (InFlight<S::Call>, Time) {
        let (method, argument) = self.menu.choose(client, &mut self.random);
        let call = match self.spec.call(method, &argument) {
            Ok(call) => call,
            Err(unfit) => unreachable!("the menu has only calls that exist: {unfit}"),
        };
        let effect = now + self.random.below(LONGEST / 2) as Time;
        let op = InFlight {
            method,
            argument,
            call,
            called: now,
            returns: effect + 1 + self.random.below(LONGEST / 2) as Time,
        };
        (op, effect)
    }

    /// The independent part that a call works on, where the clients make only calls that have one.
    fn part(&self, call: &S::Call) -> Option<Value> {
        match self.workload.spec {
            Builtin::KvMap(_) | Builtin::Set(_) => self.spec.part(call),
            _ => None,
        }
    }

    /// The result of an operation that takes effect now; `None` if it has to wait.
    fn take_effect(&mut self, op: &InFlight<S::Call>, now: Time) -> Option<Value> {
        let part = self.part(&op.call);
        let due = self.history.operations.len() >= self.workload.operations / 2;
        let spec = self.spec;
        let state = self
            .states
            .entry(part.clone())
            .or_insert_with(|| spec.initial());
        let now_possible = one_outcome(spec, state, &op.call, &mut self.random);
        if due && let Mishap::Stale(seen, times) = &mut self.mishap {
            let (old, changed) = seen
                .entry(part.clone())
                .or_insert_with(|| (state.clone(), None));
            // Who would have to wait sees nothing to wait for.
            if changed.is_some_and(|changed| changed + LONG_AGO <= op.called)
                && let Some((stale, _)) = one_outcome(spec, old, &op.call, &mut self.random)
                && now_possible
                    .as_ref()
                    .is_none_or(|(result, _)| stale != *result)
            {
                *times -= 1;
                if *times == 0 {
                    self.mishap = Mishap::Over;
                }
                return Some(stale);
            }
        }
        let (result, next) = now_possible?;
        if !due || self.mishap.is_over() {
            *state = next;
            return Some(result);
        }
        match &mut self.mishap {
            Mishap::Stale(seen, _) => {
                let (old, changed) = seen.entry(part).or_insert_with(|| (state.clone(), None));
                if next != *old {
                    changed.get_or_insert(now);
                }
                *state = next;
            }
            Mishap::Lost(until) => {
                if now > *until.get_or_insert(now + LONG_AGO) {
                    self.mishap = Mishap::Over;
                }
            }
            _ => *state = next,
        }
        Some(result)
    }

    fn record(&mut self, client: u32, op: InFlight<S::Call>, result: Value) {
        let due = self.history.operations.len() >= self.workload.operations / 2;
        let part = self.part(&op.call);
        let method = self.history.method(op.method);
        let (called, id) = (op.called, self.history.operations.len());
        self.history.operations.push(Operation {
            process: client,
            method,
            argument: op.argument,
            outcome: Outcome::Returned(result),
            call: op.called,
            ret: op.returns,
        });
        let Mishap::Reordered(firsts) = &mut self.mishap else {
            return;
        };
        let ops = &mut self.history.operations;
        if !due || ops[id].outcome == Outcome::Returned(Value::Unit) {
            return;
        }
        let first = *firsts.entry((part, method)).or_insert(id);
        if ops[first].ret + LONG_AGO <= called && ops[first].outcome != ops[id].outcome {
            let outcome = ops[id].outcome.clone();
            ops[id].outcome = std::mem::replace(&mut ops[first].outcome, outcome);
            self.mishap = Mishap::Over;
        }
    }
}

/// One of the ways in which a call may end.
fn one_outcome<S: Spec>(
    spec: &S,
    state: &S::State,
    call: &S::Call,
    random: &mut Random,
) -> Option<(Value, S::State)> {
    let mut chosen = None;
    let mut ways = 0;
    spec.outcomes(state, call, &mut |result, next| {
        ways += 1;
        if ways == 1 || random.below(ways) == 0 {
            chosen = Some((result, next));
        }
    });
    chosen
}

/// A fault that waits for its moment.
enum Mishap<State> {
    /// With the states of some time ago and when they were states no longer, and how often it shall still happen: once could
    /// be taken for the work of an operation that runs at the same time.
    Stale(FxHashMap<Option<Value>, (State, Option<Time>)>, u32),
    /// With the time until which it lasts.
    Lost(Option<Time>),
    /// With the first operation of each part and method.
    Reordered(FxHashMap<(Option<Value>, u16), usize>),
    Over,
}

impl<State> Mishap<State> {
    fn new(fault: Option<Fault>) -> Self {
        match fault {
            Some(Fault::Stale) => Self::Stale(FxHashMap::default(), 8),
            Some(Fault::Lost) => Self::Lost(None),
            Some(Fault::Reordered) => Self::Reordered(FxHashMap::default()),
            None => Self::Over,
        }
    }

    fn is_over(&self) -> bool {
        matches!(self, Self::Over)
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, Workload};
    use crate::check::holds;
    use crate::spec::Builtin;

    fn workload(name: &str, fault: Option<Fault>, seed: u64) -> Workload {
        Workload {
            spec: Builtin::named(name).expect("a built-in specification"),
            operations: 4000,
            clients: 6,
            fault,
            seed,
        }
    }

    #[test]
    fn clients_are_saturated_and_everything_is_reproducible() {
        for name in Builtin::NAMES {
            let workload = workload(name, None, 5);
            let history = workload.generate();
            assert_eq!(history, workload.generate(), "{name}");
            assert_eq!(history.operations.len(), 4000, "{name}");
            assert!(history.operations.is_sorted_by_key(|op| op.call), "{name}");
            for client in 0..6 {
                let own: Vec<_> = (history.operations.iter())
                    .filter(|op| op.process == client)
                    .collect();
                assert!(own.len() > 300, "{name}");
                assert!(own.windows(2).all(|w| w[0].precedes(w[1])), "{name}");
            }
        }
    }

    #[test]
    fn faults_are_noticed_and_nothing_else_is() {
        for name in [
            "register",
            "kv",
            "set",
            "multiset",
            "queue",
            "stack",
            "priority-queue",
        ] {
            for seed in 0..5 {
                let right = workload(name, None, seed);
                assert!(
                    holds(&right.generate(), &right.spec).expect("fit"),
                    "{name} {seed}"
                );
            }
            for fault in Fault::ALL {
                if (name, fault) == ("multiset", Fault::Reordered) {
                    continue; // which a pool may do
                }
                let noticed = (0..5).filter(|&seed| {
                    let wrong = workload(name, Some(fault), seed);
                    !holds(&wrong.generate(), &wrong.spec).expect("fit")
                });
                let noticed = noticed.count();
                assert_eq!(noticed, 5, "{name} {fault:?}");
            }
        }
    }
}
