//! Deciding a history while it is read: what is over and explained is forgotten, so memory does not grow with its length.
//!
//! Operations come in the order of their calls. From time to time those that are kept, the *window*, are decided by the specialised decider of their
//! type ([`pattern`]); then whole *families* are forgotten: all operations on one value. What is left of a legal order of effects is legal without a
//! family, so what is wrong with a window is wrong with the history. That nothing is missed is a property of each type's bad patterns, which speak
//! of two values, or of one operation and what was surely there meanwhile. Let `settled` mean: returned before anything was called that has not
//! returned yet.
//!
//! * Register, map: a value that was written once, all of whose operations are settled, and after whose first return a settled operation on another value was called.
//!   Who reads it later reads what was overwritten, and is refused as one that reads what nobody wrote. The value of the settled operation that was called
//!   last stays: it overwrites all that is forgotten.
//! * Queue: a value that was put in and taken out, all settled. Of those the one that was put in last stays: whoever was put in before it and comes
//!   out later was overtaken.
//! * Priority queue, pool: the same, and none has to stay. Where takes never returned, what found nothing stays, too, and of a priority queue everything.
//! * Set: an element that was added and removed, or never added, all settled.
//!
//! Whoever has not returned when a window is decided may be explained by what comes later. So a violation counts only if all operations of its pattern
//! have returned; otherwise nothing is forgotten, and the next window is asked.
//!
//! Stacks and deques are not decided so: a value that is gone may have ordered two that are still there.

use super::decide::pattern;
use super::question::{Misfit, Question};
use super::{Ask, moments, understood};
use crate::history::{History, NEVER, OpId, Operation, Outcome, Time};
use crate::spec::{Access, Builtin, Container, RegisterDeed, RegisterLike, Set, SetCall, Spec};
use crate::value::Value;
use crate::verdict::Criterion;
use rustc_hash::{FxHashMap, FxHashSet};

/// A history that is decided while it is read.
pub struct Stream {
    spec: Builtin,
    window: History,
    /// Per operation of the window, what its reader knows it by.
    marks: Vec<(u32, u32)>,
    taken: u64,
    pending: u64,
    clients: FxHashSet<u32>,
}

/// Why a stream is over before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamEnd {
    /// No order of effects explains the window.
    Violated,
    /// Operations came in another order than that of their calls.
    Unordered,
    /// The window is no history of the specification.
    Misfit(Misfit),
    /// It is not clear who wrote what was read, or put in what was taken out.
    Ambiguous,
}

impl Stream {
    /// The types that can be decided so.
    pub const TYPES: &'static str = "register, kv, set, multiset, queue, priority-queue";

    /// A stream of operations of `spec`; nothing if its type cannot be decided so.
    pub fn new(spec: Builtin) -> Option<Self> {
        let can = match &spec {
            Builtin::Register(_) | Builtin::KvMap(_) | Builtin::Set(_) => true,
            Builtin::Queue(spec) => !spec.is_bounded(),
            Builtin::PriorityQueue(spec) => !spec.is_bounded(),
            Builtin::Multiset(spec) => !spec.is_bounded(),
            _ => false,
        };
        can.then(|| Self {
            spec,
            window: History::new(),
            marks: Vec::new(),
            taken: 0,
            pending: 0,
            clients: FxHashSet::default(),
        })
    }

    /// Takes the next operations, each with a mark of the reader's own, and decides what is known by then.
    pub fn take(&mut self, part: History, marks: Vec<(u32, u32)>) -> Result<(), StreamEnd> {
        let last = self.window.operations.last().map_or(0, |op| op.call);
        if part.operations.first().is_some_and(|op| op.call < last)
            || !part.operations.is_sorted_by_key(|op| op.call)
        {
            return Err(StreamEnd::Unordered);
        }
        self.taken += part.operations.len() as u64;
        let methods: Vec<u16> = (part.methods.iter())
            .map(|name| self.window.method(name))
            .collect();
        for mut op in part.operations {
            op.method = methods[usize::from(op.method)];
            self.pending += u64::from(op.is_pending());
            self.clients.insert(op.process);
            self.window.operations.push(op);
        }
        self.window.keeps_turns = part.keeps_turns;
        self.marks.extend(marks);
        let now = self.window.operations.last().map_or(0, |op| op.call);
        if self.decide(now)? {
            self.forget(now)?;
        }
        Ok(())
    }

    /// Decides what is left when there is no more.
    pub fn finish(&self) -> Result<(), StreamEnd> {
        self.decide(NEVER).map(drop)
    }

    /// What is kept: what can still matter, or is violated; with the reader's marks.
    pub fn window(&self) -> (&History, &[(u32, u32)]) {
        (&self.window, &self.marks)
    }

    /// How many operations were taken, how many of them never returned, and how many clients made them.
    pub fn counts(&self) -> (u64, u64, u64) {
        (self.taken, self.pending, self.clients.len() as u64)
    }

    /// Whether the window holds; `false` if that cannot be said before more is known than at `now`.
    fn decide(&self, now: Time) -> Result<bool, StreamEnd> {
        let decide = Decide {
            window: &self.window,
            spec: &self.spec,
            now,
        };
        understood(&self.window, &self.spec, Criterion::Linearizable, decide)
            .map_err(StreamEnd::Misfit)?
    }

    /// Forgets what cannot matter after `now`.
    fn forget(&mut self, now: Time) -> Result<(), StreamEnd> {
        let open = self.window.operations.iter();
        let open = open.filter(|op| op.ret >= now && !op.is_pending());
        let before = open.map(|op| op.call).min().unwrap_or(now);
        let forget = Forget {
            window: &self.window,
            spec: &self.spec,
            before,
        };
        let kept = understood(&self.window, &self.spec, Criterion::Linearizable, forget)
            .map_err(StreamEnd::Misfit)?;
        let mut is_kept = kept.iter();
        self.window
            .operations
            .retain(|_| is_kept.next() == Some(&true));
        let mut is_kept = kept.iter();
        self.marks.retain(|_| is_kept.next() == Some(&true));
        Ok(())
    }
}

/// Decides every part of a window.
struct Decide<'a> {
    window: &'a History,
    spec: &'a Builtin,
    now: Time,
}

impl Ask for Decide<'_> {
    type Output = Result<bool, StreamEnd>;

    fn ask<S: Spec>(self, question: &Question<'_, S>) -> Self::Output {
        let mut is_clear = true;
        for part in question.parts() {
            if moments::touch(self.window, &part.operations) {
                return Err(StreamEnd::Ambiguous);
            }
            match pattern::decide(self.window, self.spec, &part.operations) {
                None => return Err(StreamEnd::Ambiguous),
                Some((_, Ok(()))) => {}
                Some((_, Err(pattern))) => {
                    let is_over = |&id: &OpId| {
                        let op = &self.window.operations[id as usize];
                        op.is_pending() || op.ret < self.now
                    };
                    if pattern.operations.iter().all(is_over) {
                        return Err(StreamEnd::Violated);
                    }
                    is_clear = false;
                }
            }
        }
        Ok(is_clear)
    }
}

/// Finds, per operation of a window, whether it stays.
struct Forget<'a> {
    window: &'a History,
    spec: &'a Builtin,
    /// What returned before this is settled.
    before: Time,
}

impl Ask for Forget<'_> {
    type Output = Vec<bool>;

    fn ask<S: Spec>(self, question: &Question<'_, S>) -> Vec<bool> {
        let mut kept = vec![true; self.window.operations.len()];
        for part in question.parts() {
            match self.spec {
                Builtin::Register(spec) => self.overwritten(spec, &part.operations, &mut kept),
                Builtin::KvMap(spec) => self.overwritten(spec, &part.operations, &mut kept),
                Builtin::Set(spec) => self.removed(spec, &part.operations, &mut kept),
                Builtin::Queue(spec) => {
                    self.taken_out(spec, TakenBy::Line, &part.operations, &mut kept);
                }
                Builtin::PriorityQueue(spec) => {
                    self.taken_out(spec, TakenBy::Rank, &part.operations, &mut kept);
                }
                Builtin::Multiset(spec) => {
                    self.taken_out(spec, TakenBy::Chance, &part.operations, &mut kept);
                }
                _ => {}
            }
        }
        kept
    }
}

/// Which value is taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TakenBy {
    /// The oldest.
    Line,
    /// The best.
    Rank,
    /// Any.
    Chance,
}

/// The operations on one value.
#[derive(Default)]
struct FamilyOf {
    members: Vec<OpId>,
    puts: u32,
    takes: u32,
    /// The call of the last put.
    put: Time,
    first_return: Time,
    last_return: Time,
}

impl FamilyOf {
    fn add(&mut self, id: OpId, op: &Operation) {
        if self.members.is_empty() {
            self.first_return = NEVER;
        }
        self.members.push(id);
        self.first_return = self.first_return.min(op.ret);
        self.last_return = self.last_return.max(op.ret);
    }
}

impl<'a> Forget<'a> {
    fn op(&self, id: OpId) -> &'a Operation {
        &self.window.operations[id as usize]
    }

    fn name(&self, op: &Operation) -> &'a str {
        &self.window.methods[usize::from(op.method)]
    }

    /// Values of a register that were written over.
    fn overwritten(&self, spec: &'a impl RegisterLike, ops: &[OpId], kept: &mut [bool]) {
        let mut families: FxHashMap<&'a Value, FamilyOf> = FxHashMap::default();
        // The last calls of settled operations on two different values.
        let mut last: [Option<(Time, &'a Value)>; 2] = [None; 2];
        for &id in ops {
            let op = self.op(id);
            let (value, writes) = match spec.deed(spec.access(self.name(op)), op) {
                RegisterDeed::Read(value) => (value, 0),
                RegisterDeed::Write(value) => (value, 1),
                RegisterDeed::Irrelevant => {
                    kept[id as usize] = op.ret >= self.before && !op.is_pending();
                    continue;
                }
                RegisterDeed::LeftOut | RegisterDeed::Beyond => continue,
            };
            let family = families.entry(value).or_default();
            family.add(id, op);
            family.puts += writes;
            if op.ret >= self.before {
                continue;
            }
            // Operations come in the order of their calls.
            match last {
                [Some((_, newest)), _] if newest == value => last[0] = Some((op.call, value)),
                _ => last = [Some((op.call, value)), last[0]],
            }
        }
        for (value, family) in families {
            let (first_return, once) = match value == spec.initial() {
                true => (0, family.puts == 0),
                false => (family.first_return, family.puts == 1),
            };
            let mut others = last.iter().flatten().filter(|(_, other)| *other != value);
            let is_over = others.any(|(call, _)| *call > first_return);
            if once && is_over && family.last_return < self.before {
                forget(&family, kept);
            }
        }
    }

    /// Values of a container that were put in once and taken out once.
    fn taken_out(&self, spec: &impl Container, order: TakenBy, ops: &[OpId], kept: &mut [bool]) {
        // Who takes something out, nobody knows what, may have taken what is taken out by somebody else later: then it took nothing.
        let is_clear = ops.iter().all(|&id| {
            let op = self.op(id);
            let takes = spec.access(self.name(op)) == Some(Access::Take);
            let known = matches!(&op.outcome, Outcome::Returned(value) if *value != Value::Unit);
            known || !takes
        });
        if !is_clear && order == TakenBy::Rank {
            return;
        }
        let mut families: FxHashMap<&'a Value, FamilyOf> = FxHashMap::default();
        for &id in ops {
            let op = self.op(id);
            match (spec.access(self.name(op)), &op.outcome) {
                (Some(Access::Put), _) => {
                    let family = families.entry(&op.argument).or_default();
                    family.add(id, op);
                    family.puts += 1;
                    family.put = family.put.max(op.call);
                }
                (Some(Access::Take | Access::Peek), Outcome::Returned(value))
                    if spec.is_empty_mark(value) =>
                {
                    kept[id as usize] = !is_clear || op.ret >= self.before;
                }
                (Some(Access::Peek), Outcome::Returned(value)) => {
                    families.entry(value).or_default().add(id, op);
                }
                (Some(Access::Take), Outcome::Returned(value)) => {
                    let family = families.entry(value).or_default();
                    family.add(id, op);
                    family.takes += 1;
                }
                _ => {}
            }
        }
        families.retain(|_, family| {
            (family.puts, family.takes) == (1, 1) && family.last_return < self.before
        });
        let last_put = families.values().map(|family| family.put).max();
        for family in families.values() {
            if order != TakenBy::Line || Some(family.put) != last_put {
                forget(family, kept);
            }
        }
    }

    /// All operations on an element of a set that is surely not there.
    fn removed(&self, spec: &Set, ops: &[OpId], kept: &mut [bool]) {
        let mut family = FamilyOf::default();
        for &id in ops {
            let op = self.op(id);
            family.add(id, op);
            let said = match spec.call(self.name(op), &op.argument) {
                Ok(call) => match spec.outcome(&call, &op.outcome) {
                    Ok(Outcome::Returned(Value::Bool(said))) => Some((call, said)),
                    _ => None,
                },
                Err(_) => None,
            };
            match said {
                Some((SetCall::Add(_), true)) => family.puts += 1,
                Some((SetCall::Remove(_), true)) => family.takes += 1,
                Some((SetCall::Add(_) | SetCall::Remove(_) | SetCall::Contains(_), false))
                | Some((SetCall::Contains(_), true)) => {}
                _ => return,
            }
        }
        let is_absent = family.puts == family.takes && family.puts <= 1;
        if is_absent && family.last_return < self.before {
            forget(&family, kept);
        }
    }
}

fn forget(family: &FamilyOf, kept: &mut [bool]) {
    for &id in &family.members {
        kept[id as usize] = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::holds;
    use crate::check::sample::{SampleShape, sample};
    use crate::generate::{PlantedFault, Workload};
    use crate::random::Random;

    /// What a stream says of `history` in parts of `size` operations, and the most that it kept.
    fn streamed(history: &History, spec: &Builtin, size: usize) -> (Result<(), StreamEnd>, usize) {
        let mut stream = Stream::new(spec.clone()).expect("a type that can be streamed");
        let mut most = 0;
        for operations in history.operations.chunks(size) {
            let part = History {
                operations: operations.to_vec(),
                ..history.clone()
            };
            let marks = vec![(0, 0); operations.len()];
            if let Err(end) = stream.take(part, marks) {
                return (Err(end), most);
            }
            most = most.max(stream.window().0.operations.len());
        }
        (stream.finish(), most)
    }

    const NAMES: [&str; 6] = [
        "register",
        "kv",
        "set",
        "multiset",
        "queue",
        "priority-queue",
    ];

    #[test]
    fn a_stream_says_what_the_whole_history_says() {
        for name in NAMES {
            let spec = Builtin::named(name).expect("a built-in specification");
            let mut random = Random::new(22);
            let (mut right, mut wrong, mut forgot) = (0, 0, 0);
            let rounds = match std::env::var_os("LINSPECT_LONG") {
                Some(_) => 60_000,
                None => 2_000,
            };
            for round in 0..rounds {
                let shape = SampleShape {
                    operations: 24,
                    spoilt: 60,
                    pending: [0, 5][round % 2],
                    ..SampleShape::default()
                };
                let history = sample(&spec, &shape, &mut random);
                let (said, most) = streamed(&history, &spec, 1 + round % 5);
                let expected = holds(&history, &spec).expect("known calls");
                match said {
                    Ok(()) => assert!(expected, "{name} {history:?}"),
                    Err(StreamEnd::Violated) => assert!(!expected, "{name} {history:?}"),
                    Err(StreamEnd::Ambiguous) => continue,
                    Err(other) => panic!("{name}: {other:?} {history:?}"),
                }
                *(if expected { &mut right } else { &mut wrong }) += 1;
                forgot += usize::from(expected && most < history.operations.len());
            }
            assert!(right > 100 && wrong > 100, "{name}: {right} {wrong}");
            assert!(forgot > 30, "{name}: {forgot} of {right}");
        }
    }

    #[test]
    fn a_long_stream_is_not_kept() {
        for name in NAMES {
            for fault in [None, Some(PlantedFault::Stale), Some(PlantedFault::Lost)] {
                let workload = Workload {
                    spec: Builtin::named(name).expect("a built-in specification"),
                    operations: 40_000,
                    clients: 8,
                    values: None,
                    unknown: 0,
                    fault,
                    seed: 22,
                };
                let (said, most) = streamed(&workload.generate(), &workload.spec, 500);
                match fault {
                    None => assert_eq!(said, Ok(()), "{name}"),
                    Some(_) => assert_eq!(said, Err(StreamEnd::Violated), "{name} {fault:?}"),
                }
                // Keys of a map and elements of a set have a last value each.
                assert!(most < 5_000, "{name}: {most}");
            }
        }
    }

    #[test]
    fn operations_come_in_the_order_of_their_calls() {
        let register = Builtin::named("register").expect("a built-in specification");
        let mut stream = Stream::new(register).expect("it can be streamed");
        let mut early = History::new();
        early.push(0, "write", 1, (), 5, 6);
        assert_eq!(stream.take(early.clone(), vec![(1, 1)]), Ok(()));
        early.operations[0].call = 3;
        assert_eq!(stream.take(early, vec![(2, 2)]), Err(StreamEnd::Unordered));
        let stack = Builtin::named("stack").expect("a built-in specification");
        assert!(Stream::new(stack).is_none());
    }
}
