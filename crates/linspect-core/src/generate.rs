//! Synthetic histories of any length, right or wrong: for benchmarks, for tests, and to try the checker on.
//!
//! Clients are saturated: each calls its next operation right after the last returned. Every operation takes effect at some
//! moment between its call and its return, as the specification says; a fault (`staged`) breaks that in the middle.

use crate::history::{History, NEVER, Operation, Outcome, Time};
use crate::random::Random;
use crate::spec::{Builtin, Spec, Visitor};
use crate::value::Value;
use menu::Menu;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::convert::Infallible;
use waiting::{Done, Waiting};

mod menu;
mod staged;
mod waiting;

/// What history to make. The same workload always makes the same history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Of which object.
    pub spec: Builtin,
    /// How many operations.
    pub operations: usize,
    /// By how many clients.
    pub clients: u32,
    /// How many different values are written, added or put in; a new one each time if that is not said.
    pub values: Option<usize>,
    /// How many operations never return; each of them took effect or did not. Another client goes on in its place.
    pub unknown: usize,
    /// What goes wrong, if anything.
    pub fault: Option<PlantedFault>,
    /// What all choices are made from.
    pub seed: u64,
}

/// Something that goes wrong in the middle of a history. Whatever else happens, no order of effects explains it: the clients pause,
/// one of them makes a few calls alone with values that nobody else uses, and one result is not what it had to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlantedFault {
    /// An operation sees the object as it was before.
    Stale,
    /// An operation returns as if it had taken effect, and has not.
    Lost,
    /// Two operations get each other's results.
    Reordered,
}

impl PlantedFault {
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
        let mut history = History::new();
        history.operations.reserve(self.operations);
        self.each(&mut |name, mut op| {
            op.method = history.method(name);
            history.operations.push(op);
            Ok::<(), Infallible>(())
        })
        .unwrap_or_else(|never| match never {});
        history
    }

    /// Gives `to` one operation after the other, in the order of their calls, each with the name of its method: in memory that does not depend on how many there
    /// are. Ends when `to` fails.
    pub fn each<E>(
        &self,
        to: &mut dyn FnMut(&'static str, Operation) -> Result<(), E>,
    ) -> Result<(), E> {
        self.spec.visit(Simulate { workload: self, to })
    }

    /// How many operations it needs at least for its fault to be there.
    pub fn least_operations(&self) -> usize {
        self.fault
            .map_or(0, |_| staged::steps(&mut Menu::new(self)).len() + 1)
    }
}

/// The longest time that an operation takes, in ticks, if it does not have to wait.
const LONGEST: usize = 2000;
/// The longest time that a client rests between two operations.
const REST: usize = 20;
/// So many operations are over before some are handed over.
const MANY: usize = 4096;

struct Simulate<'w, E> {
    workload: &'w Workload,
    to: &'w mut dyn FnMut(&'static str, Operation) -> Result<(), E>,
}

impl<E> Visitor for Simulate<'_, E> {
    type Output = Result<(), E>;

    fn visit<S: Spec>(self, spec: &S) -> Self::Output {
        Simulation::new(self.workload, spec).run(self.to)
    }
}

/// An operation in flight.
struct InFlight<C> {
    process: u32,
    method: &'static str,
    argument: Value,
    call: C,
    called: Time,
    returns: Time,
    fate: Fate,
}

/// What becomes of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Returns,
    /// It takes effect and never returns.
    Unseen,
    /// It never takes effect, and never returns.
    Vain,
}

struct Simulation<'w, S: Spec> {
    workload: &'w Workload,
    spec: &'w S,
    random: Random,
    menu: Menu,
    /// The state of each independent part that was touched.
    states: FxHashMap<Option<Value>, S::State>,
    /// How many operations are over.
    count: usize,
    /// Those that are not handed over yet.
    recent: Vec<Done>,
    /// Whether the fault is still to come.
    is_to_fail: bool,
    /// How many operations it takes.
    fault_takes: usize,
    /// How many operations have yet to never return.
    unknown: usize,
    /// The next process that takes the place of one that never returned.
    next_process: u32,
    /// Per client, which process it is now.
    processes: Vec<u32>,
}

impl<'w, S: Spec> Simulation<'w, S> {
    fn new(workload: &'w Workload, spec: &'w S) -> Self {
        let clients = workload.clients.max(1);
        Self {
            workload,
            spec,
            random: Random::new(workload.seed),
            menu: Menu::new(workload),
            states: FxHashMap::default(),
            count: 0,
            recent: Vec::new(),
            is_to_fail: workload.fault.is_some(),
            fault_takes: workload.least_operations(),
            unknown: workload.unknown,
            next_process: clients,
            processes: (0..clients).collect(),
        }
    }

    fn run<E>(
        mut self,
        to: &mut dyn FnMut(&'static str, Operation) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut waiting = Waiting::default();
        // What happens next: at what time, by which client. Every event is the effect of an operation in flight.
        let mut effects: BinaryHeap<Reverse<(Time, u32)>> = BinaryHeap::new();
        let mut in_flight: Vec<Option<InFlight<S::Call>>> = Vec::new();
        in_flight.resize_with(self.processes.len(), || None);
        let mut begin: Vec<(u32, Time)> = (0..)
            .zip(&self.processes)
            .map(|(client, _)| (client, self.random.below(LONGEST) as Time))
            .collect();
        let mut last_return = 0;
        while self.count < self.workload.operations {
            if self.recent.len() >= MANY {
                let called = in_flight.iter().flatten().map(|op| op.called);
                let earliest = called.chain(begin.iter().map(|&(_, now)| now)).min();
                self.recent.drain(..).for_each(|done| waiting.add(done));
                while let Some(done) = waiting.next(earliest.unwrap_or(0)) {
                    to(done.name, done.op)?;
                }
            }
            for (client, now) in begin.drain(..) {
                let is_late = self.is_late(effects.len());
                if is_late && !self.menu.is_holding(client) {
                    continue;
                }
                let (op, effect) = self.call(client, now, !is_late);
                in_flight[client as usize] = Some(op);
                effects.push(Reverse((effect, client)));
            }
            let Some(Reverse((now, client))) = effects.pop() else {
                // Everybody pauses.
                let Some(fault) = self.workload.fault.filter(|_| self.is_to_fail) else {
                    break;
                };
                self.is_to_fail = false;
                last_return = self.stage(fault, last_return + 1);
                begin = (0..)
                    .zip(&self.processes)
                    .map(|(client, _)| (client, last_return + 1 + self.random.below(REST) as Time))
                    .collect();
                continue;
            };
            let Some(mut op) = in_flight[client as usize].take() else {
                continue;
            };
            let result = match op.fate {
                Fate::Vain => Some(Value::Unit),
                Fate::Returns | Fate::Unseen => self.take_effect(&op.call),
            };
            let Some(result) = result else {
                // It has to wait: it tries again somewhat later and returns after that.
                let later = now + 1 + self.random.below(LONGEST / 4) as Time;
                op.returns = op.returns.max(later + 1);
                in_flight[client as usize] = Some(op);
                effects.push(Reverse((later, client)));
                continue;
            };
            last_return = last_return.max(op.returns);
            begin.push((client, op.returns + 1 + self.random.below(REST) as Time));
            if op.fate == Fate::Returns {
                self.menu.ended(&op.argument, op.method, &result);
            } else {
                self.menu.never_returned(client, op.fate == Fate::Unseen);
                self.processes[client as usize] = self.next_process;
                self.next_process += 1;
            }
            self.record(op, result);
        }
        self.recent.drain(..).for_each(|done| waiting.add(done));
        while let Some(done) = waiting.next(NEVER) {
            to(done.name, done.op)?;
        }
        Ok(())
    }

    /// Whether clients only give back what they hold before the fault, for which there must be room.
    fn is_late(&self, in_flight: usize) -> bool {
        // One more call may be one more value to take out.
        let needed = in_flight + self.menu.to_give_back() + 2 + self.fault_takes;
        let done = self.count;
        self.is_to_fail
            && (done >= self.workload.operations / 2 || done + needed >= self.workload.operations)
    }

    /// Empties a container, so that what is in it is known, and lets the fault happen, one call after the other. The time when
    /// it is over.
    fn stage(&mut self, fault: PlantedFault, mut now: Time) -> Time {
        if let Some(take) = self.menu.takes() {
            while self.count < self.workload.operations {
                let step = staged::Step::new(0, take, Value::Unit);
                if self.make(&step, false, &mut now) == Some(Value::Nil) {
                    break;
                }
            }
            self.menu.is_empty();
        }
        let steps = staged::steps(&mut self.menu);
        let begin = self.recent.len();
        for (at, step) in steps.iter().enumerate() {
            let lost = fault == PlantedFault::Lost && step.part == staged::Part::Changes;
            self.make(step, lost, &mut now);
            debug_assert_eq!(self.recent.len(), begin + at + 1, "nobody waits");
        }
        let looks = |part| begin + steps.iter().position(|step| step.part == part).unwrap_or(0);
        let (before, after) = (looks(staged::Part::Before), looks(staged::Part::After));
        let ops = &mut self.recent;
        let seen = ops[before].op.outcome.clone();
        match fault {
            PlantedFault::Lost => {}
            PlantedFault::Stale => ops[after].op.outcome = seen,
            PlantedFault::Reordered => {
                ops[before].op.outcome = std::mem::replace(&mut ops[after].op.outcome, seen);
            }
        }
        now
    }

    /// Makes one call alone; its result.
    fn make(&mut self, step: &staged::Step, lost: bool, now: &mut Time) -> Option<Value> {
        let client = step.client as usize;
        let argument = self.argument(
            // Two owners are needed even where there is one client.
            *self.processes.get(client).unwrap_or(&self.next_process),
            step.argument.clone(),
        );
        let call = self.understood(step.method, &argument);
        let part = self.part(&call);
        let before = self.states.get(&part).cloned();
        let result = self.take_effect(&call)?;
        if lost {
            let state = before.unwrap_or_else(|| self.spec.initial());
            self.states.insert(part, state);
        }
        let op = InFlight {
            process: self.processes[client % self.processes.len()],
            method: step.method,
            argument,
            call,
            called: *now,
            returns: *now + 1 + self.random.below(LONGEST) as Time,
            fate: Fate::Returns,
        };
        *now = op.returns + 1 + self.random.below(REST) as Time;
        self.record(op, result.clone());
        Some(result)
    }

    fn understood(&self, method: &'static str, argument: &Value) -> S::Call {
        match self.spec.call(method, argument) {
            Ok(call) => call,
            Err(unfit) => unreachable!("the menu has only calls that exist: {unfit}"),
        }
    }

    /// What a call of `process` is made with.
    fn argument(&self, process: u32, argument: Value) -> Value {
        match self.menu.knows_owners() {
            true => Value::Int(i64::from(process)),
            false => argument,
        }
    }

    /// The next operation of a client, and when it takes effect.
    fn call(&mut self, client: u32, now: Time, is_room: bool) -> (InFlight<S::Call>, Time) {
        let is_room = is_room && self.workload.unknown == 0;
        let (method, argument) = self.menu.choose(client, is_room, &mut self.random);
        let argument = self.argument(self.processes[client as usize], argument);
        let call = self.understood(method, &argument);
        let effect = now + self.random.below(LONGEST / 2) as Time;
        let op = InFlight {
            process: self.processes[client as usize],
            method,
            argument,
            call,
            called: now,
            returns: effect + 1 + self.random.below(LONGEST / 2) as Time,
            fate: self.fate(method),
        };
        (op, effect)
    }

    /// What becomes of a call of `method`. One that could explain the fault away always returns.
    fn fate(&mut self, method: &str) -> Fate {
        let left = self.workload.operations.saturating_sub(self.count).max(1);
        if self.unknown == 0 || self.random.below(left) >= self.unknown {
            return Fate::Returns;
        }
        let fate = match self.menu.is_lock(method) {
            // A lock that nobody gives back would be the end.
            Some(true) => Fate::Vain,
            Some(false) => return Fate::Returns,
            None if self.workload.fault == Some(PlantedFault::Lost)
                && self.menu.is_take(method) =>
            {
                return Fate::Returns;
            }
            None if self.random.percent(50) => Fate::Unseen,
            None => Fate::Vain,
        };
        self.unknown -= 1;
        fate
    }

    /// The independent part that a call works on, where the clients make only calls that have one.
    fn part(&self, call: &S::Call) -> Option<Value> {
        match self.workload.spec {
            Builtin::KvMap(_) | Builtin::Set(_) => self.spec.part(call),
            _ => None,
        }
    }

    /// The result of an operation that takes effect now; `None` if it has to wait.
    fn take_effect(&mut self, call: &S::Call) -> Option<Value> {
        let part = self.part(call);
        let spec = self.spec;
        let state = self
            .states
            .entry(part.clone())
            .or_insert_with(|| spec.initial());
        let (result, next) = one_outcome(spec, state, call, &mut self.random)?;
        *state = next;
        // Elements of a set that are gone are as if they had never been there.
        if *state == spec.initial() {
            self.states.remove(&part);
        }
        Some(result)
    }

    fn record(&mut self, op: InFlight<S::Call>, result: Value) {
        self.count += 1;
        let (outcome, ret) = match op.fate {
            Fate::Returns => (Outcome::Returned(result), op.returns),
            Fate::Unseen | Fate::Vain => (Outcome::Pending, NEVER),
        };
        self.recent.push(Done {
            name: op.method,
            op: Operation {
                process: op.process,
                method: 0,
                argument: op.argument,
                outcome,
                call: op.called,
                ret,
            },
        });
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

#[cfg(test)]
mod tests {
    use super::{PlantedFault, Workload};
    use crate::check::{brute, holds};
    use crate::history::History;
    use crate::spec::{Builtin, Spec, Visitor};

    fn workload(name: &str, fault: Option<PlantedFault>, seed: u64) -> Workload {
        Workload {
            spec: Builtin::named(name).expect("a built-in specification"),
            operations: 4000,
            clients: 6,
            values: None,
            unknown: 0,
            fault,
            seed,
        }
    }

    struct Brute<'h>(&'h History);

    impl Visitor for Brute<'_> {
        type Output = bool;
        fn visit<S: Spec>(self, spec: &S) -> bool {
            brute::is_linearizable(spec, self.0).expect("generated calls are fit")
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
    fn every_type_has_every_fault_at_every_size_and_nothing_else_is_wrong() {
        for name in (Builtin::NAMES.into_iter()).chain(["owned-mutex", "recursive-mutex"]) {
            for seed in 0..12 {
                for fault in [
                    None,
                    Some(PlantedFault::Stale),
                    Some(PlantedFault::Lost),
                    Some(PlantedFault::Reordered),
                ] {
                    let mut workload = workload(name, fault, seed);
                    workload.clients = 1 + (seed % 4) as u32;
                    workload.values = [None, Some(2)][seed as usize / 2 % 2];
                    workload.unknown = [0, 3][seed as usize / 4 % 2];
                    workload.operations = workload.least_operations().max(1) + 7 * seed as usize;
                    let history = workload.generate();
                    let shown = format!("{workload:?}");
                    assert_eq!(history.operations.len(), workload.operations, "{shown}");
                    let right = holds(&history, &workload.spec).expect("fit");
                    assert_eq!(right, fault.is_none(), "{shown}");
                    if history.operations.len() <= 14 {
                        let right = workload.spec.visit(Brute(&history));
                        assert_eq!(right, fault.is_none(), "by brute force: {shown}");
                    }
                }
            }
        }
    }

    #[test]
    fn long_wrong_histories_are_wrong() {
        for name in [
            "register",
            "kv",
            "set",
            "queue",
            "stack",
            "priority-queue",
            "mutex",
        ] {
            for fault in PlantedFault::ALL {
                let wrong = workload(name, Some(fault), 3);
                assert!(
                    !holds(&wrong.generate(), &wrong.spec).expect("fit"),
                    "{name} {fault:?}"
                );
            }
        }
    }

    #[test]
    fn as_many_operations_as_asked_never_return() {
        for name in [
            "register",
            "cas-register",
            "kv",
            "queue",
            "stack",
            "deque",
            "set",
            "counter",
        ] {
            let mut workload = workload(name, None, 1);
            workload.unknown = 40;
            let history = workload.generate();
            let pending = history.operations.iter().filter(|op| op.is_pending());
            let processes: std::collections::BTreeSet<u32> =
                pending.clone().map(|op| op.process).collect();
            assert_eq!(pending.count(), 40, "{name}");
            assert_eq!(
                processes.len(),
                40,
                "{name}: who never returns calls nothing else"
            );
        }
    }
}
