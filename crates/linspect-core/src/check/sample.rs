//! Small random histories, for comparing deciders with the oracle [`super::brute`].
//!
//! A sample starts as a correct run: operations take effect one after the other as the specification says, each somewhere
//! inside its interval. Then some samples are spoilt: results changed or exchanged, intervals moved, operations lost.

use crate::history::{History, NEVER, Operation, Outcome, Time};
use crate::random::Random;
use crate::spec::{Builtin, Mutex, Spec, Visitor};
use crate::value::Value;

/// What samples look like.
#[derive(Clone, Debug)]
pub struct SampleShape {
    /// At most so many operations.
    pub operations: usize,
    /// How many of 100 written values repeat an earlier one.
    pub repeated: usize,
    /// How many of 100 operations only look (`peek`, `size`, …), where there are such methods.
    pub observers: usize,
    /// How many of 100 operations use a further method of the specification (`cas`, `swap`, `append`, …).
    pub further: usize,
    /// How many of 100 operations never return.
    pub pending: usize,
    /// How many of 100 operations have an unknown result.
    pub unknown: usize,
    /// How many of 100 samples are spoilt.
    pub spoilt: usize,
}

impl Default for SampleShape {
    fn default() -> Self {
        Self {
            operations: 8,
            repeated: 1,
            observers: 5,
            further: 5,
            pending: 4,
            unknown: 2,
            spoilt: 60,
        }
    }
}

/// A random history of `spec`. Whether it is linearizable is for others to say.
pub fn sample(spec: &Builtin, shape: &SampleShape, random: &mut Random) -> History {
    let mut history = spec.visit(Run {
        menu: Menu::of(spec),
        shape,
        random,
    });
    if random.percent(shape.spoilt) {
        for _ in 0..=random.below(2) {
            let mut spoilt = history.clone();
            spoil(&mut spoilt, random);
            if spec.visit(Fits(&spoilt)) {
                history = spoilt;
            }
        }
    }
    spec.visit(Respell {
        history: &mut history,
        random,
    });
    for op in &mut history.operations {
        if random.percent(shape.unknown) && !op.is_pending() {
            op.outcome = Outcome::Unknown;
        }
    }
    history.operations.sort_by_key(|op| op.call);
    name_processes(&mut history, random);
    history
}

/// The calls that samples of a specification make.
struct Menu {
    usual: &'static [(&'static str, Arguments)],
    observers: &'static [(&'static str, Arguments)],
    further: &'static [(&'static str, Arguments)],
}

/// What a call takes.
#[derive(Clone, Copy)]
enum Arguments {
    /// Nothing.
    Nothing,
    /// A value that was not written before.
    Fresh,
    /// A value that was written before, or nearly so.
    Known,
    /// Two such values.
    TwoKnown,
    /// One of few keys.
    Key,
    /// One of few keys and a fresh value.
    KeyFresh,
    /// One of few keys and two known values.
    KeyTwoKnown,
    /// One of few keys and a short text.
    KeyText,
    /// 0 or 1 and a fresh value.
    CellFresh,
    /// 1 or 2.
    Amount,
    /// One of few owners.
    Owner,
}

impl Menu {
    fn of(spec: &Builtin) -> Self {
        use Arguments::{
            Amount, CellFresh, Fresh, Key, KeyFresh, KeyText, KeyTwoKnown, Known, Nothing, Owner,
            TwoKnown,
        };
        let (usual, observers, further): (&[_], &[_], &[_]) = match spec {
            Builtin::Register(_) => (&[("write", Fresh), ("read", Nothing)], &[], &[]),
            Builtin::CasRegister(_) => (
                &[("write", Fresh), ("read", Nothing), ("cas", TwoKnown)],
                &[],
                &[("swap", Known)],
            ),
            Builtin::Counter(_) => (
                &[("inc", Nothing), ("read", Nothing), ("fetch_add", Amount)],
                &[],
                &[("dec", Amount), ("add_and_get", Amount)],
            ),
            Builtin::KvMap(_) => (
                &[("put", KeyFresh), ("get", Key)],
                &[("contains", Key)],
                &[("delete", Key), ("cas", KeyTwoKnown), ("append", KeyText)],
            ),
            Builtin::Set(_) => (
                &[("add", Key), ("remove", Key), ("contains", Key)],
                &[],
                &[("size", Nothing), ("read", Nothing)],
            ),
            Builtin::Multiset(_) => (
                &[("add", Fresh), ("take", Nothing)],
                &[
                    ("size", Nothing),
                    ("contains", Known),
                    ("is_empty", Nothing),
                ],
                &[("remove", Known)],
            ),
            Builtin::Queue(_) => (
                &[("enqueue", Fresh), ("dequeue", Nothing)],
                &[("peek", Nothing), ("size", Nothing), ("is_empty", Nothing)],
                &[],
            ),
            Builtin::Stack(_) => (
                &[("push", Fresh), ("pop", Nothing)],
                &[("peek", Nothing), ("size", Nothing), ("is_empty", Nothing)],
                &[],
            ),
            Builtin::Deque(_) => (
                &[
                    ("push_front", Fresh),
                    ("push_back", Fresh),
                    ("pop_front", Nothing),
                    ("pop_back", Nothing),
                ],
                &[("front", Nothing), ("back", Nothing), ("size", Nothing)],
                &[],
            ),
            Builtin::PriorityQueue(_) => (
                &[("insert", Fresh), ("poll", Nothing)],
                &[("peek", Nothing), ("size", Nothing), ("is_empty", Nothing)],
                &[],
            ),
            Builtin::PairSnapshot(_) => (&[("write", CellFresh), ("scan", Nothing)], &[], &[]),
            Builtin::Mutex(Mutex { owned: true, .. }) => (
                &[("lock", Owner), ("unlock", Owner), ("try_lock", Owner)],
                &[("is_locked", Nothing)],
                &[],
            ),
            Builtin::Mutex(_) => (
                &[
                    ("lock", Nothing),
                    ("unlock", Nothing),
                    ("try_lock", Nothing),
                ],
                &[("is_locked", Nothing)],
                &[],
            ),
            Builtin::Semaphore(_) => (
                &[
                    ("acquire", Amount),
                    ("release", Amount),
                    ("try_acquire", Amount),
                ],
                &[("available", Nothing)],
                &[],
            ),
            Builtin::Rendezvous(_) => (
                &[("send", Fresh), ("recv", Nothing)],
                &[("try_recv", Nothing)],
                &[("try_send", Fresh)],
            ),
            Builtin::Exchanger(_) => (&[("exchange", Fresh)], &[("try_exchange", Fresh)], &[]),
            Builtin::Barrier(_) => (&[("wait", Nothing)], &[], &[]),
        };
        Self {
            usual,
            observers,
            further,
        }
    }

    fn pick(&self, shape: &SampleShape, random: &mut Random) -> (&'static str, Arguments) {
        let among = |share, items: &'static [_], random: &mut Random| {
            (random.percent(share) && !items.is_empty()).then(|| *random.pick(items))
        };
        among(shape.observers, self.observers, random)
            .or_else(|| among(shape.further, self.further, random))
            .unwrap_or_else(|| *random.pick(self.usual))
    }
}

/// Makes a correct run of a specification.
struct Run<'a> {
    menu: Menu,
    shape: &'a SampleShape,
    random: &'a mut Random,
}

/// A call by its method and argument, and its result.
type Told = (&'static str, Value, Value);

/// Calls that meet, and the state after them; nothing if none of those that were tried do.
fn meeting<S: Spec>(
    spec: &S,
    menu: &Menu,
    shape: &SampleShape,
    state: &S::State,
    written: &mut Written,
    random: &mut Random,
) -> Option<(Vec<Told>, S::State)> {
    if spec.most_together() < 2 || random.percent(20) {
        return None;
    }
    let asked = (0..spec.most_together()).map(|_| {
        let (name, arguments) = menu.pick(shape, random);
        let argument = written.argument(arguments, random);
        let call = spec.call(name, &argument).ok()?;
        Some((name, argument, call))
    });
    let asked: Vec<_> = asked.collect::<Option<_>>()?;
    let calls: Vec<&S::Call> = asked.iter().map(|(_, _, call)| call).collect();
    let mut ways = Vec::new();
    spec.together(state, &calls, &mut |results, next| {
        ways.push((results.to_vec(), next));
    });
    let (results, next) = ways.get(random.below(ways.len().max(1)))?.clone();
    let told = asked.into_iter().zip(results);
    let told = told.map(|((name, argument, _), result)| (name, argument, result));
    Some((told.collect(), next))
}

impl Visitor for Run<'_> {
    type Output = History;

    fn visit<S: Spec>(self, spec: &S) -> History {
        let Self {
            menu,
            shape,
            random,
        } = self;
        let mut history = History::new();
        let mut state = spec.initial();
        let mut written = Written::new(shape);
        // Long intervals overlap much and allow nearly everything, so their length varies from sample to sample. Steps of 1
        // between effects make equal times frequent, steps of 10 make them rare.
        let step = *random.pick(&[1, 10]);
        let reach = step * random.below(5) + 1;
        let count = 1 + random.below(shape.operations);
        let mut now = 10 * reach;
        while history.operations.len() < count {
            let (name, arguments) = menu.pick(shape, random);
            let argument = written.argument(arguments, random);
            let Ok(call) = spec.call(name, &argument) else {
                continue;
            };
            now += step;
            let met = meeting(spec, &menu, shape, &state, &mut written, random);
            if let Some((all, next)) = met {
                for (name, argument, result) in all {
                    let method = history.method(name);
                    history.operations.push(Operation {
                        process: 0,
                        method,
                        argument,
                        outcome: Outcome::Returned(result),
                        call: (now - random.below(reach)) as Time,
                        ret: (now + random.below(reach)) as Time,
                    });
                }
                state = next;
                continue;
            }
            let mut outcomes = Vec::new();
            spec.outcomes(&state, &call, &mut |result, next| {
                outcomes.push((result, next));
            });
            let from = (now - random.below(reach)) as Time;
            let to = (now + random.below(reach)) as Time;
            let mut outcome = Outcome::Pending;
            if !outcomes.is_empty() {
                let (result, next) = random.pick(&outcomes).clone();
                let pending = random.percent(shape.pending);
                if !pending || random.percent(50) {
                    state = next;
                }
                if !pending {
                    outcome = Outcome::Returned(result);
                }
            }
            let method = history.method(name);
            history.operations.push(Operation {
                process: 0,
                method,
                argument,
                ret: if outcome == Outcome::Pending {
                    NEVER
                } else {
                    to
                },
                outcome,
                call: from,
            });
        }
        history
    }
}

/// Whether a history has only calls and results that its specification knows.
struct Fits<'a>(&'a History);

impl Visitor for Fits<'_> {
    type Output = bool;

    fn visit<S: Spec>(self, spec: &S) -> bool {
        self.0.operations.iter().all(|op| {
            spec.call(self.0.name(op), &op.argument)
                .is_ok_and(|call| spec.outcome(&call, &op.outcome).is_ok())
        })
    }
}

/// Spells some results in another way that means the same.
struct Respell<'a> {
    history: &'a mut History,
    random: &'a mut Random,
}

impl Visitor for Respell<'_> {
    type Output = ();

    fn visit<S: Spec>(self, spec: &S) {
        let methods = self.history.methods.clone();
        for op in &mut self.history.operations {
            if op.is_pending() || !self.random.percent(10) {
                continue;
            }
            let spelling = match self.random.below(8) {
                0 => Value::Nil,
                1 => Value::Bool(true),
                2 => Value::Bool(false),
                3 => Value::text("ok"),
                4 => Value::text("empty"),
                5 => Value::Int(0),
                6 => Value::Int(1),
                _ => op.argument.clone(),
            };
            let Ok(call) = spec.call(&methods[usize::from(op.method)], &op.argument) else {
                continue;
            };
            let other = Outcome::Returned(spelling);
            if spec.outcome(&call, &other) == spec.outcome(&call, &op.outcome) {
                op.outcome = other;
            }
        }
    }
}

/// The values written so far.
struct Written {
    values: Vec<i64>,
    /// How many of 100 repeat.
    repeated: usize,
    /// How many different ones there may be.
    bound: usize,
}

impl Written {
    fn new(shape: &SampleShape) -> Self {
        Self {
            values: Vec::new(),
            repeated: shape.repeated,
            bound: 4 * shape.operations,
        }
    }

    fn fresh(&mut self, random: &mut Random) -> Value {
        if !self.values.is_empty() && random.percent(self.repeated) {
            return self.known(random);
        }
        // In no particular order, for the sake of priority queues.
        let value = loop {
            let candidate = i64::try_from(1 + random.below(self.bound)).expect("small");
            if !self.values.contains(&candidate) {
                break candidate;
            }
        };
        self.values.push(value);
        Value::Int(value)
    }

    fn known(&self, random: &mut Random) -> Value {
        if self.values.is_empty() {
            return Value::Nil;
        }
        Value::Int(*random.pick(&self.values))
    }

    fn argument(&mut self, arguments: Arguments, random: &mut Random) -> Value {
        let key = Value::text(*random.pick(&["a", "b"]));
        match arguments {
            Arguments::Nothing => Value::Unit,
            Arguments::Fresh => self.fresh(random),
            Arguments::Known => self.known(random),
            Arguments::TwoKnown => Value::list([self.known(random), self.fresh(random)]),
            Arguments::Key => key,
            Arguments::KeyFresh => Value::list([key, self.fresh(random)]),
            Arguments::KeyTwoKnown => Value::list([key, self.known(random), self.fresh(random)]),
            Arguments::KeyText => Value::list([key, Value::text("x")]),
            Arguments::CellFresh => {
                let cell = i64::from(random.percent(50));
                Value::list([Value::Int(cell), self.fresh(random)])
            }
            Arguments::Owner => Value::Int(1 + i64::from(random.percent(50))),
            Arguments::Amount => Value::Int(1 + i64::from(random.percent(30))),
        }
    }
}

/// Makes one change that may break a history.
fn spoil(history: &mut History, random: &mut Random) {
    let ops = &mut history.operations;
    let i = random.below(ops.len());
    let j = random.below(ops.len());
    match random.below(6) {
        // Two operations of one method exchange their results.
        0 | 1 if ops[i].method == ops[j].method && !ops[i].is_pending() && !ops[j].is_pending() => {
            let first = ops[i].outcome.clone();
            ops[i].outcome = std::mem::replace(&mut ops[j].outcome, first);
        }
        // A result becomes another of the same kind.
        2 => {
            let other = match ops[i].outcome.value() {
                Some(Value::Bool(b)) => Some(Value::Bool(!b)),
                Some(Value::Int(_)) if random.percent(30) => Some(Value::Nil),
                Some(Value::Int(_)) if random.percent(10) => Some(Value::Int(77)),
                Some(Value::Int(_) | Value::Nil) => Some(
                    ops[j]
                        .argument
                        .items()
                        .last()
                        .cloned()
                        .unwrap_or(Value::Nil),
                ),
                _ => None,
            };
            if let Some(other) = other {
                ops[i].outcome = Outcome::Returned(other);
            }
        }
        // An operation is lost.
        3 if ops.len() > 1 => drop(ops.remove(i)),
        // An operation moves in time.
        4 => {
            let by = random.below(40) as Time;
            let back = random.percent(50);
            let shift = |t: Time| if back { t.saturating_sub(by) } else { t + by };
            ops[i].call = shift(ops[i].call);
            if !ops[i].is_pending() {
                ops[i].ret = shift(ops[i].ret);
            }
        }
        // Two operations exchange their places in time.
        _ if !ops[i].is_pending() && !ops[j].is_pending() => {
            let (call, ret) = (ops[i].call, ops[i].ret);
            (ops[i].call, ops[i].ret) = (ops[j].call, ops[j].ret);
            (ops[j].call, ops[j].ret) = (call, ret);
        }
        _ => {}
    }
}

/// Gives each operation the first process that is free. In every other sample a process may go on at the moment at which its
/// last operation ended.
fn name_processes(history: &mut History, random: &mut Random) {
    let touch = random.percent(50);
    history.keeps_turns = random.percent(50);
    let mut free_from: Vec<Time> = Vec::new();
    for op in &mut history.operations {
        let at = free_from
            .iter()
            .position(|&last| last < op.call || (touch && last == op.call))
            .unwrap_or_else(|| {
                free_from.push(0);
                free_from.len() - 1
            });
        free_from[at] = op.ret;
        op.process = u32::try_from(at).expect("few processes");
    }
}

#[cfg(test)]
mod tests {
    use super::{SampleShape, sample};
    use crate::check::brute;
    use crate::history::History;
    use crate::random::Random;
    use crate::spec::{Builtin, Spec, Visitor};

    struct Oracle<'a>(&'a History);

    impl Visitor for Oracle<'_> {
        type Output = bool;

        fn visit<S: Spec>(self, spec: &S) -> bool {
            brute::is_linearizable(spec, self.0).expect("samples have only known calls")
        }
    }

    /// Counts linearizable samples of 1000.
    fn linearizable(name: &str, shape: &SampleShape) -> usize {
        let spec = Builtin::named(name).expect("a built-in specification");
        let mut random = Random::new(1);
        (0..1000)
            .filter(|_| {
                let history = sample(&spec, shape, &mut random);
                assert!(history.operations.is_sorted_by_key(|op| op.call));
                assert!(history.operations.iter().all(|op| op.call <= op.ret));
                spec.visit(Oracle(&history))
            })
            .count()
    }

    #[test]
    fn unspoilt_samples_are_linearizable() {
        for name in Builtin::NAMES {
            let shape = SampleShape {
                operations: 7,
                spoilt: 0,
                pending: 8,
                unknown: 8,
                ..SampleShape::default()
            };
            assert_eq!(linearizable(name, &shape), 1000, "{name}");
        }
    }

    #[test]
    fn spoilt_samples_are_often_not() {
        for name in Builtin::NAMES {
            let shape = SampleShape {
                operations: 7,
                spoilt: 100,
                ..SampleShape::default()
            };
            let ok = linearizable(name, &shape);
            assert!((200..950).contains(&ok), "{name}: {ok} of 1000");
        }
    }
}
