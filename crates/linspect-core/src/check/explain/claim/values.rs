//! Values that were put in and taken out, written and read: what cannot have been.
//!
//! Where a condition needs that nobody else could have written, added or taken a value, all operations that might have done
//! so count, the pending ones as well.

use super::because;
use super::deed::Deed;
use crate::history::{History, OpId, Operation, Outcome};
use crate::spec::{Builtin, DequeCall, Spec};
use crate::value::Value;
use crate::verdict::Because;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// The operations of one part of a history, by what they have to do with values.
pub(crate) struct Values<'h> {
    history: &'h History,
    spec: &'h Builtin,
    deeds: Vec<(OpId, &'h Operation, Deed)>,
    /// Per value, who gives and takes it.
    lifetimes: FxHashMap<Value, ValueLifetime>,
    /// Where the values are, for sentences: ` in cell 1`.
    place: String,
}

/// Who gives and takes a value: how many, and the first of each, by position.
#[derive(Default)]
struct ValueLifetime {
    givers: usize,
    giver: usize,
    takers: usize,
    taker: usize,
}

impl<'h> Values<'h> {
    /// Looks at the operations `ops` of one part of `history` for what `deed` says of them; nothing if it says nothing of one.
    pub(super) fn new(
        history: &'h History,
        spec: &'h Builtin,
        ops: &[OpId],
        place: String,
        deed: &dyn Fn(&str, &Operation) -> Option<Deed>,
    ) -> Option<Self> {
        let mut deeds = Vec::with_capacity(ops.len());
        let mut lifetimes: FxHashMap<Value, ValueLifetime> = FxHashMap::default();
        for (at, &id) in ops.iter().enumerate() {
            let op = &history.operations[id as usize];
            let deed = deed(history.name(op), op)?;
            match &deed {
                Deed::Gives(v) => {
                    let life = lifetimes.entry(v.clone()).or_default();
                    if life.givers == 0 {
                        life.giver = at;
                    }
                    life.givers += 1;
                }
                Deed::Takes(v) => {
                    let life = lifetimes.entry(v.clone()).or_default();
                    if life.takers == 0 {
                        life.taker = at;
                    }
                    life.takers += 1;
                }
                _ => {}
            }
            deeds.push((id, op, deed));
        }
        Some(Self {
            history,
            spec,
            deeds,
            lifetimes,
            place,
        })
    }

    /// A sentence about `anchor`; nothing if none fits.
    pub(super) fn about(&self, anchor: OpId) -> Option<Because> {
        let at = self.deeds.iter().position(|&(id, ..)| id == anchor)?;
        let look = Look {
            history: self.history,
            deeds: &self.deeds,
            lifetimes: &self.lifetimes,
            anchor: (anchor, self.deeds[at].1),
            words: Words::of(self.spec),
            place: &self.place,
            spec: self.spec,
        };
        let deed = &self.deeds[at].2;
        match self.spec {
            Builtin::Register(s) => look.register(deed, &s.initial),
            Builtin::CasRegister(s) => look.register(deed, &s.initial),
            Builtin::KvMap(s) => look.register(deed, &s.missing),
            Builtin::Set(_) => look.set(deed),
            Builtin::Mutex(mutex) => look.lock(mutex, deed),
            Builtin::Queue(_)
            | Builtin::Stack(_)
            | Builtin::Deque(_)
            | Builtin::Multiset(_)
            | Builtin::PriorityQueue(_) => look.container(deed),
            Builtin::PairSnapshot(s) => look.register(deed, &s.initial),
            Builtin::Counter(_)
            | Builtin::Semaphore(_)
            | Builtin::Rendezvous(_)
            | Builtin::Exchanger(_)
            | Builtin::Barrier(_) => None,
        }
    }
}

/// How a container's users speak.
#[derive(Clone, Copy)]
enum TakeOrder {
    First,
    Last,
    Best,
    /// At one of two ends.
    AtAnEnd,
    Any,
}

#[derive(Clone, Copy)]
struct Words {
    given: &'static str,
    taken: &'static str,
    order: TakeOrder,
}

impl Words {
    fn of(spec: &Builtin) -> Self {
        let (given, taken, order) = match spec {
            Builtin::Queue(_) => ("enqueued", "dequeued", TakeOrder::First),
            Builtin::Stack(_) => ("pushed", "popped", TakeOrder::Last),
            Builtin::Deque(_) => ("pushed", "popped", TakeOrder::AtAnEnd),
            Builtin::PriorityQueue(_) => ("inserted", "taken", TakeOrder::Best),
            Builtin::Set(_) => ("added", "removed", TakeOrder::Any),
            _ => ("added", "taken", TakeOrder::Any),
        };
        Self {
            given,
            taken,
            order,
        }
    }
}

/// One look for claims with an anchor.
pub(super) struct Look<'h> {
    pub(super) history: &'h History,
    deeds: &'h [(OpId, &'h Operation, Deed)],
    lifetimes: &'h FxHashMap<Value, ValueLifetime>,
    pub(super) anchor: (OpId, &'h Operation),
    words: Words,
    place: &'h str,
    spec: &'h Builtin,
}

pub(super) type Doer<'h> = (OpId, &'h Operation);

impl<'h> Look<'h> {
    pub(super) fn who(&self, is: impl Fn(&Deed) -> bool) -> Vec<Doer<'h>> {
        let all = self.deeds.iter().filter(|(_, _, deed)| is(deed));
        all.map(|&(id, op, _)| (id, op)).collect()
    }

    pub(super) fn shown(&self, (id, _): Doer<'h>) -> String {
        self.history.show(id).to_string()
    }

    fn called(&self, (id, _): Doer<'h>) -> String {
        self.history.show_call(id).to_string()
    }

    /// Who may have left `v` there.
    fn givers(&self, v: &Value) -> Vec<Doer<'h>> {
        self.who(
            |deed| matches!(deed, Deed::Gives(x) | Deed::MayGive(x) | Deed::Turns(_, x) if x == v),
        )
    }

    fn takers(&self, v: &Value) -> Vec<Doer<'h>> {
        self.who(|deed| matches!(deed, Deed::Takes(x) if x == v))
    }

    /// Whether somebody may have taken a value of which nobody knows.
    fn has_unknown_takes(&self) -> bool {
        self.deeds.iter().any(|(_, _, deed)| *deed == Deed::MayTake)
    }

    /// `v` came out that nobody, or only later ones, or fewer put in.
    fn out_of_nowhere(&self, v: &Value, saw: &str) -> Option<Because> {
        let Words { given, .. } = self.words;
        let (id, op) = self.anchor;
        let givers = self.givers(v);
        if givers.is_empty() {
            return Some(because(format!("{v} was {saw}, but never {given}."), [id]));
        }
        let first = *givers.iter().min_by_key(|(_, giver)| giver.call)?;
        (op.ret < first.1.call).then(|| {
            because(
                format!("{v} was {saw} before it was {given}."),
                [id, first.0],
            )
        })
    }

    /// The only one that gave `v`, if it surely did, and the only one that took it, if anybody did.
    fn life(&self, v: &Value) -> Option<(Doer<'h>, Option<Doer<'h>>)> {
        let life = self.lifetimes.get(v)?;
        let doer = |at: usize| (self.deeds[at].0, self.deeds[at].1);
        let put = doer(life.giver);
        let surely = life.givers == 1 && matches!(put.1.outcome, Outcome::Returned(_));
        (surely && life.takers < 2).then(|| (put, (life.takers == 1).then(|| doer(life.taker))))
    }

    fn container(&self, deed: &Deed) -> Option<Because> {
        let Words {
            given,
            taken,
            order,
        } = self.words;
        let (id, op) = self.anchor;
        match deed {
            Deed::Sees(v) => self.out_of_nowhere(v, "seen"),
            Deed::SeesNothing if !self.has_unknown_takes() => {
                let there = self.surely_there(op).next()?;
                let text = format!(
                    "{} said empty while {} was in it.",
                    self.called(self.anchor),
                    there.0
                );
                Some(because(
                    text,
                    [Some(id), Some(there.1.0), there.2.map(|t| t.0)]
                        .into_iter()
                        .flatten(),
                ))
            }
            Deed::Takes(v) => {
                if let Some(claim) = self.out_of_nowhere(v, taken) {
                    return Some(claim);
                }
                let (givers, takers) = (self.givers(v), self.takers(v));
                if let ([put], [first, second, ..]) = (&givers[..], &takers[..]) {
                    let text = format!("{v} was {taken} twice, but {given} only once.");
                    return Some(because(text, [put.0, first.0, second.0]));
                }
                let (put, _) = self.life(v)?;
                match order {
                    TakeOrder::First => self.overtook(v, put),
                    TakeOrder::Last => self.taken_from_below(v, put),
                    TakeOrder::Best => self.not_the_best(v, put),
                    TakeOrder::AtAnEnd => self.taken_from_within(v, put),
                    TakeOrder::Any => None,
                }
            }
            _ => None,
        }
    }

    /// Values, other than those the anchor dealt with, that were surely there all the time while `op` ran.
    fn surely_there<'s>(
        &'s self,
        op: &'s Operation,
    ) -> impl Iterator<Item = (&'h Value, Doer<'h>, Option<Doer<'h>>)> + 's {
        let stays_known = !self.has_unknown_takes();
        self.deeds.iter().filter_map(move |(put_id, put, deed)| {
            let Deed::Gives(y) = deed else { return None };
            if put.ret >= op.call {
                return None;
            }
            let (only, take) = self.life(y)?;
            let stays = match take {
                Some((_, take)) => op.ret < take.call,
                None => stays_known,
            };
            (only.0 == *put_id && stays).then_some((y, only, take))
        })
    }

    /// The anchor dequeued `y` while an older value was surely there.
    fn overtook(&self, y: &Value, put: Doer<'h>) -> Option<Because> {
        let (id, op) = self.anchor;
        let older = |(_, older, _): &(&Value, Doer<'h>, Option<Doer<'h>>)| older.1.ret < put.1.call;
        let (x, first, take) = self
            .surely_there(op)
            .filter(|(x, ..)| *x != y)
            .find(older)?;
        Some(match take {
            Some(take) => because(
                format!("{x} was enqueued before {y}, but dequeued after it."),
                [first.0, put.0, id, take.0],
            ),
            None => because(
                format!("{x} was enqueued before {y}, but only {y} was dequeued."),
                [first.0, put.0, id],
            ),
        })
    }

    /// The anchor popped `x` while a value that was pushed later was surely above it.
    fn taken_from_below(&self, x: &Value, put: Doer<'h>) -> Option<Because> {
        let (id, op) = self.anchor;
        let above = |(_, above, _): &(&Value, Doer<'h>, Option<Doer<'h>>)| put.1.ret < above.1.call;
        let (y, second, take) = self
            .surely_there(op)
            .filter(|(y, ..)| *y != x)
            .find(above)?;
        Some(because(
            format!("{x} was popped while {y}, pushed after it, was on top of it."),
            [
                Some(put.0),
                Some(second.0),
                Some(id),
                take.map(|take| take.0),
            ]
            .into_iter()
            .flatten(),
        ))
    }

    /// The anchor popped `x` at an end while a value was surely there that stood nearer to it.
    fn taken_from_within(&self, x: &Value, put: Doer<'h>) -> Option<Because> {
        let (id, op) = self.anchor;
        let here = self.is_at_front(op)?;
        let from_here = self.is_at_front(put.1)? == here;
        // Of two that came in at this end the later one is nearer to it, of two from the other end the earlier one. Who came in here is always
        // nearer than who came in there.
        let nearer = |(_, other, _): &(&Value, Doer<'h>, Option<Doer<'h>>)| {
            let other_from_here = self.is_at_front(other.1) == Some(here);
            match (from_here, other_from_here) {
                (true, true) => put.1.ret < other.1.call,
                (false, false) => other.1.ret < put.1.call,
                (from_here, _) => !from_here,
            }
        };
        let (y, second, take) = self
            .surely_there(op)
            .filter(|(y, ..)| *y != x)
            .find(nearer)?;
        let (end, place) = match here {
            true => ("front", "before"),
            false => ("back", "behind"),
        };
        Some(because(
            format!("{x} was popped at the {end} while {y} stood {place} it."),
            [
                Some(put.0),
                Some(second.0),
                Some(id),
                take.map(|take| take.0),
            ]
            .into_iter()
            .flatten(),
        ))
    }

    /// Whether `op` pushes or pops at the front of a deque, not at its back; nothing if it does neither.
    fn is_at_front(&self, op: &Operation) -> Option<bool> {
        let Builtin::Deque(deque) = self.spec else {
            return None;
        };
        match deque.call(self.history.name(op), &op.argument).ok()? {
            DequeCall::PushFront(_) | DequeCall::PopFront => Some(true),
            DequeCall::PushBack(_) | DequeCall::PopBack => Some(false),
            _ => None,
        }
    }

    /// The anchor took `x` while a value that comes before it was surely there.
    fn not_the_best(&self, x: &Value, put: Doer<'h>) -> Option<Because> {
        let (id, op) = self.anchor;
        let Builtin::PriorityQueue(spec) = self.spec else {
            return None;
        };
        let better = |y: &Value| spec.compare(y, x) == Ordering::Less;
        let (y, second, take) = self.surely_there(op).find(|(y, ..)| better(y))?;
        Some(because(
            format!("{x} was taken while {y}, which comes before it, was there."),
            [
                Some(put.0),
                Some(second.0),
                Some(id),
                take.map(|take| take.0),
            ]
            .into_iter()
            .flatten(),
        ))
    }

    fn register(&self, deed: &Deed, initial: &Value) -> Option<Because> {
        let (id, op) = self.anchor;
        let (Deed::Sees(v) | Deed::Turns(v, _)) = deed else {
            return None;
        };
        let (shown, place) = (self.shown(self.anchor), self.place);
        let givers: Vec<Doer<'h>> = self.givers(v).into_iter().filter(|g| g.0 != id).collect();
        if v != initial {
            let Some(first) = givers.iter().min_by_key(|(_, giver)| giver.call) else {
                return Some(because(
                    format!("{shown} saw {v}{place}, which nobody wrote."),
                    [id],
                ));
            };
            if op.ret < first.1.call {
                let text = format!("{shown} saw {v}{place}, which was written only later.");
                return Some(because(text, [id, first.0]));
            }
        }
        // Who was called later has not written yet.
        let before: Vec<Doer<'h>> = (givers.iter().copied())
            .filter(|giver| giver.1.call <= op.ret)
            .collect();
        self.stale(v, &before, v == initial)
            .or_else(|| self.both_changed(v, &givers, initial))
    }

    /// The anchor saw `v` after another value had surely been written over it.
    fn stale(&self, v: &Value, givers: &[Doer<'h>], is_initial: bool) -> Option<Because> {
        let (id, op) = self.anchor;
        let last = givers.iter().max_by_key(|(_, giver)| giver.ret);
        if last.is_none() && !is_initial {
            return None;
        }
        // All that may have left `v` there took effect before what began after their returns.
        let gone = |other: &Operation| {
            last.is_none_or(|(_, last)| last.ret < other.call) && other.ret < op.call
        };
        let over = |giver: &(OpId, &Operation, Deed)| {
            let (Deed::Gives(x) | Deed::Turns(_, x)) = &giver.2 else {
                return None;
            };
            // Who never returned wrote nothing for sure.
            let surely = matches!(giver.1.outcome, Outcome::Returned(_));
            (x != v && surely && gone(giver.1)).then(|| x.clone())
        };
        let (shown, place) = (self.shown(self.anchor), self.place);
        let told = |text, by| because(text, last.map(|last| last.0).into_iter().chain([by, id]));
        let mut all = self.deeds.iter().filter_map(|d| Some((over(d)?, d.0)));
        if let Some((x, by)) = all.next_back() {
            let text = format!("{shown} saw {v}{place}, but {x} had been written over it.");
            return Some(told(text, by));
        }
        // Who saw another value then saw that `v` was no longer there.
        let mut others = self.deeds.iter().filter(|(_, other, deed)| match deed {
            Deed::Sees(x) => x != v && gone(other),
            _ => false,
        });
        if let Some(&(by, witness, _)) = others.next_back() {
            let text = format!(
                "{shown} saw {v}{place}, but {} had seen another value in its place.",
                self.shown((by, witness))
            );
            return Some(told(text, by));
        }
        // Who changed the only `v` there was left none.
        let times = givers.len() + usize::from(is_initial);
        let changed = self.deeds.iter().find(|(other, changer, deed)| {
            matches!(deed, Deed::Turns(x, to) if x == v && to != v)
                && *other != id
                && changer.ret < op.call
        });
        let &(by, changer, _) = changed.filter(|_| times == 1)?;
        let text = format!(
            "{shown} saw {v}{place}, but {} had changed it, which was there only once.",
            self.shown((by, changer))
        );
        Some(told(text, by))
    }

    /// Two operations found `v` and changed it, but it was there only once.
    fn both_changed(&self, v: &Value, givers: &[Doer<'h>], initial: &Value) -> Option<Because> {
        let (id, _) = self.anchor;
        let times = givers.len() + usize::from(v == initial);
        let changers = self.who(|deed| matches!(deed, Deed::Turns(x, to) if x == v && to != v));
        let other = changers.iter().find(|other| other.0 != id)?;
        let is_changer = changers.iter().any(|changer| changer.0 == id);
        (is_changer && times == 1).then(|| {
            let text = format!(
                "{} and {} both found {v}, which was there only once.",
                self.shown(*other),
                self.shown(self.anchor)
            );
            because(text, givers.iter().map(|g| g.0).chain([other.0, id]))
        })
    }

    fn set(&self, deed: &Deed) -> Option<Because> {
        let (id, op) = self.anchor;
        let may_be_removed = |v: &Value| {
            self.deeds
                .iter()
                .any(|(_, _, deed)| matches!(deed, Deed::Takes(x) | Deed::MayTakeThis(x) if x == v))
        };
        // An addition of `v` that returned before the anchor was called.
        let added = |v: &Value| {
            let done = |g: &Doer<'h>| g.1.ret < op.call && g.0 != id;
            self.givers(v).into_iter().find(done)
        };
        let lost = |v: &Value| {
            let add = added(v).filter(|_| !may_be_removed(v))?;
            let text = format!(
                "{v} was added, but {} did not find it, and nobody removed it.",
                self.called(self.anchor)
            );
            Some(because(text, [add.0, id]))
        };
        match deed {
            Deed::Sees(v) => self.out_of_nowhere(v, "seen"),
            Deed::Misses(v) => lost(v),
            // Nobody waits for a sentence.
            Deed::SeesAll(all) if all.len().saturating_mul(self.deeds.len()) > 4_000_000 => None,
            Deed::SeesAll(all) => {
                if let Some(claim) = all.iter().find_map(|v| self.out_of_nowhere(v, "seen")) {
                    return Some(claim);
                }
                let gives = self.deeds.iter().filter_map(|(_, _, deed)| match deed {
                    Deed::Gives(v) if !all.contains(v) => Some(v),
                    _ => None,
                });
                gives.into_iter().find_map(lost)
            }
            Deed::Takes(v) => {
                if let Some(claim) = self.out_of_nowhere(v, "removed") {
                    return Some(claim);
                }
                let (givers, takers) = (self.givers(v), self.takers(v));
                let ([put], [first, second, ..]) = (&givers[..], &takers[..]) else {
                    return None;
                };
                let text = format!("{v} was removed twice, but added only once.");
                Some(because(text, [put.0, first.0, second.0]))
            }
            _ => None,
        }
    }
}
