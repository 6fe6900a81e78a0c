//! A second opinion: guess what every read returns, whose write that is, and the order of writes; then ask the axioms. Shares no code with the walk, the machine or the axioms
//! in the library: relations are sets of pairs, and a read-modify-write is two events, as in the paper on RC11.

use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Order {
    Na,
    Rlx,
    Acq,
    Rel,
    Ar,
    Sc,
}

impl Order {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Na => "na",
            Self::Rlx => "rlx",
            Self::Acq => "acq",
            Self::Rel => "rel",
            Self::Ar => "ar",
            Self::Sc => "sc",
        }
    }

    fn acquires(self) -> bool {
        matches!(self, Self::Acq | Self::Ar | Self::Sc)
    }

    fn releases(self) -> bool {
        matches!(self, Self::Rel | Self::Ar | Self::Sc)
    }
}

/// An instruction. Locations are 0, 1, …; what is read is given to `Skip`.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Read(usize, Order),
    Write(usize, i64, Order),
    Swap(usize, i64, Order),
    Cas(usize, i64, i64, Order, Order),
    Fence(Order),
    /// The next one is left out if the last one read 0.
    SkipIfZero,
}

pub(crate) type Threads = Vec<Vec<Op>>;

/// A step: what it reads and writes, and whose write it reads.
pub(crate) type Seen = (usize, Option<i64>, Option<i64>, Option<(usize, usize)>);

/// What an execution is, to compare: the steps of each thread, and per location the order of its writes.
pub(crate) type Key = (Vec<Vec<Seen>>, Vec<(usize, Vec<(usize, usize)>)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    Fence,
}

#[derive(Clone, Debug)]
struct Event {
    thread: usize,
    /// Which step it belongs to.
    step: usize,
    kind: Kind,
    location: usize,
    value: i64,
    order: Order,
    /// It is the write of an update, whose read is the event before it.
    update: bool,
}

const START: usize = usize::MAX;

/// All that a thread may do if reads return any of `values`.
fn runs(thread: usize, ops: &[Op], values: &[i64]) -> Vec<Vec<Event>> {
    let mut done = Vec::new();
    let mut open = vec![(0, Vec::<Event>::new(), 0, 0)];
    while let Some((at, events, step, last)) = open.pop() {
        let Some(op) = ops.get(at) else {
            done.push(events);
            continue;
        };
        let event = |kind, location, value, order, update| Event {
            thread,
            step,
            kind,
            location,
            value,
            order,
            update,
        };
        let mut go = |more: Vec<Event>, steps: usize, last: i64, skip: usize| {
            let events = events.iter().cloned().chain(more).collect();
            open.push((at + 1 + skip, events, step + steps, last));
        };
        match *op {
            Op::Fence(order) => go(vec![event(Kind::Fence, 0, 0, order, false)], 0, last, 0),
            Op::Write(x, v, o) => go(vec![event(Kind::Write, x, v, o, false)], 1, last, 0),
            Op::SkipIfZero => go(vec![], 0, last, usize::from(last == 0)),
            Op::Read(x, o) => {
                for &v in values {
                    go(vec![event(Kind::Read, x, v, o, false)], 1, v, 0);
                }
            }
            Op::Swap(x, new, o) => {
                for &v in values {
                    let read = event(Kind::Read, x, v, o, false);
                    go(vec![read, event(Kind::Write, x, new, o, true)], 1, v, 0);
                }
            }
            Op::Cas(x, expected, new, o, failure) => {
                for &v in values {
                    if v == expected {
                        let read = event(Kind::Read, x, v, o, false);
                        go(vec![read, event(Kind::Write, x, new, o, true)], 1, v, 0);
                    } else {
                        go(vec![event(Kind::Read, x, v, failure, false)], 1, v, 0);
                    }
                }
            }
        }
    }
    done
}

type Pairs = BTreeSet<(usize, usize)>;

fn then(a: &Pairs, b: &Pairs) -> Pairs {
    let mut all = Pairs::new();
    for &(x, y) in a {
        all.extend(b.range((y, 0)..=(y, usize::MAX)).map(|&(_, z)| (x, z)));
    }
    all
}

fn plus(a: &Pairs) -> Pairs {
    let mut all = a.clone();
    loop {
        let more: Pairs = then(&all, a);
        let before = all.len();
        all.extend(more);
        if all.len() == before {
            return all;
        }
    }
}

fn union(of: &[&Pairs]) -> Pairs {
    of.iter().flat_map(|p| p.iter().copied()).collect()
}

fn irreflexive(a: &Pairs) -> bool {
    a.iter().all(|(x, y)| x != y)
}

fn only(a: &Pairs, f: impl Fn(usize) -> bool, g: impl Fn(usize) -> bool) -> Pairs {
    a.iter().copied().filter(|&(x, y)| f(x) && g(y)).collect()
}

/// Whether the events, with the sources of reads and the orders of writes, are an execution.
fn consistent(
    events: &[Event],
    source: &BTreeMap<usize, usize>,
    writes: &BTreeMap<usize, Vec<usize>>,
    weak: bool,
) -> bool {
    let n = events.len();
    let all = || (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
    let e = |i: usize| &events[i];
    let start = |i: usize| e(i).thread == START;
    let po: Pairs = all()
        .filter(|&(a, b)| {
            (start(a) && !start(b)) || (!start(a) && e(a).thread == e(b).thread && a < b)
        })
        .collect();
    let rf: Pairs = source.iter().map(|(&r, &w)| (w, r)).collect();
    let mut mo = Pairs::new();
    for order in writes.values() {
        for (i, &a) in order.iter().enumerate() {
            mo.extend(order[i + 1..].iter().map(|&b| (a, b)));
        }
    }
    let inverse: Pairs = rf.iter().map(|&(w, r)| (r, w)).collect();
    let fr = then(&inverse, &mo);
    let rmw: Pairs = (0..n)
        .filter(|&i| e(i).update)
        .map(|i| (i - 1, i))
        .collect();
    // Nothing comes between an update and what it reads.
    let between = then(&fr, &mo);
    if rmw.iter().any(|pair| between.contains(pair)) {
        return false;
    }
    if !weak {
        return irreflexive(&plus(&union(&[&po, &rf, &mo, &fr])));
    }
    let same: Pairs = (0..n).map(|i| (i, i)).collect();
    let atomic = |i: usize| e(i).order >= Order::Rlx;
    let write = |i: usize| e(i).kind == Kind::Write && atomic(i);
    let read = |i: usize| e(i).kind == Kind::Read && atomic(i);
    let fence = |i: usize| e(i).kind == Kind::Fence;
    let release = |i: usize| e(i).kind != Kind::Read && e(i).order.releases();
    let acquire = |i: usize| e(i).kind != Kind::Write && e(i).order.acquires();
    let sequence = union(&[&same, &plus(&then(&rf, &rmw))]);
    let sequence = only(&sequence, write, |_| true);
    let head = union(&[&same, &only(&po, fence, write)]);
    let tail = union(&[&same, &only(&po, read, fence)]);
    let sw = then(
        &then(&then(&head, &sequence), &only(&rf, |_| true, read)),
        &tail,
    );
    let sw = only(&sw, release, acquire);
    let hb = plus(&union(&[&po, &sw]));
    let eco = plus(&union(&[&rf, &mo, &fr]));
    if !irreflexive(&hb)
        || !irreflexive(&then(&hb, &eco))
        || !irreflexive(&plus(&union(&[&po, &rf])))
    {
        return false;
    }
    let sc = |i: usize| e(i).order == Order::Sc;
    let sc_fence = |i: usize| sc(i) && fence(i);
    let place = |i: usize| (e(i).kind != Kind::Fence).then_some(e(i).location);
    let near = only(&hb, |_| true, |_| true)
        .into_iter()
        .filter(|&(a, b)| place(a).is_some() && place(a) == place(b))
        .collect();
    // Both halves of an update are one evaluation in C++20: nothing is sequenced between them.
    let sb: Pairs = po.difference(&rmw).copied().collect();
    let scb = union(&[&po, &then(&then(&sb, &hb), &sb), &near, &eco]);
    let hbq = union(&[&same, &hb]);
    let left = union(&[&only(&same, sc, sc), &only(&hbq, sc_fence, |_| true)]);
    let right = union(&[&only(&same, sc, sc), &only(&hbq, |_| true, sc_fence)]);
    let base = then(&then(&left, &scb), &right);
    let fences = only(
        &union(&[&hb, &then(&then(&hb, &eco), &hb)]),
        sc_fence,
        sc_fence,
    );
    irreflexive(&plus(&union(&[&base, &fences])))
}

/// Every execution.
pub(crate) fn executions(threads: &Threads, values: &[i64], weak: bool) -> BTreeSet<Key> {
    let runs: Vec<Vec<Vec<Event>>> = threads
        .iter()
        .enumerate()
        .map(|(t, ops)| runs(t, ops, values))
        .collect();
    let mut keys = BTreeSet::new();
    let mut pick = vec![0; runs.len()];
    loop {
        let mut events: Vec<Event> = Vec::new();
        for location in 0..2 {
            events.push(Event {
                thread: START,
                step: 0,
                kind: Kind::Write,
                location,
                value: 0,
                order: Order::Na,
                update: false,
            });
        }
        for (t, &p) in pick.iter().enumerate() {
            events.extend(runs[t][p].iter().cloned());
        }
        sources(
            &events,
            0,
            &mut BTreeMap::new(),
            weak,
            &mut keys,
            threads.len(),
        );
        let Some(t) = (0..pick.len()).find(|&t| pick[t] + 1 < runs[t].len()) else {
            return keys;
        };
        pick[t] += 1;
        pick[..t].fill(0);
    }
}

fn sources(
    events: &[Event],
    at: usize,
    source: &mut BTreeMap<usize, usize>,
    weak: bool,
    keys: &mut BTreeSet<Key>,
    threads: usize,
) {
    let next = (at..events.len()).find(|&i| events[i].kind == Kind::Read);
    let Some(read) = next else {
        let mut writes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (i, e) in events.iter().enumerate() {
            if e.kind == Kind::Write {
                writes.entry(e.location).or_default().push(i);
            }
        }
        let locations: Vec<usize> = writes.keys().copied().collect();
        orders(events, source, &mut writes, &locations, weak, keys, threads);
        return;
    };
    for (w, e) in events.iter().enumerate() {
        let fits = e.kind == Kind::Write
            && e.location == events[read].location
            && e.value == events[read].value;
        if fits {
            source.insert(read, w);
            sources(events, read + 1, source, weak, keys, threads);
        }
    }
    source.remove(&read);
}

fn orders(
    events: &[Event],
    source: &BTreeMap<usize, usize>,
    writes: &mut BTreeMap<usize, Vec<usize>>,
    left: &[usize],
    weak: bool,
    keys: &mut BTreeSet<Key>,
    threads: usize,
) {
    let Some((location, rest)) = left.split_first() else {
        if consistent(events, source, writes, weak) {
            keys.insert(key(events, source, writes, threads));
        }
        return;
    };
    let original = writes[location].clone();
    // What was there at the start stays first.
    permute(&mut original.clone(), 1, &mut |order| {
        writes.insert(*location, order.to_vec());
        orders(events, source, writes, rest, weak, keys, threads);
    });
    writes.insert(*location, original);
}

fn permute(order: &mut Vec<usize>, from: usize, each: &mut dyn FnMut(&[usize])) {
    if from >= order.len() {
        return each(order);
    }
    for i in from..order.len() {
        order.swap(from, i);
        permute(order, from + 1, each);
        order.swap(from, i);
    }
}

fn key(
    events: &[Event],
    source: &BTreeMap<usize, usize>,
    writes: &BTreeMap<usize, Vec<usize>>,
    threads: usize,
) -> Key {
    let id = |i: usize| (events[i].thread != START).then_some((events[i].thread, events[i].step));
    let mut steps: Vec<Vec<Seen>> = vec![Vec::new(); threads];
    for (i, e) in events.iter().enumerate() {
        if e.thread == START || e.kind == Kind::Fence {
            continue;
        }
        let list = &mut steps[e.thread];
        if list.len() <= e.step {
            list.push((e.location, None, None, None));
        }
        let seen = &mut list[e.step];
        if e.kind == Kind::Read {
            seen.1 = Some(e.value);
            seen.3 = id(source[&i]);
        } else {
            seen.2 = Some(e.value);
        }
    }
    let orders = writes
        .iter()
        .map(|(&l, order)| (l, order.iter().filter_map(|&w| id(w)).collect::<Vec<_>>()));
    (
        steps,
        orders.filter(|(_, order)| !order.is_empty()).collect(),
    )
}
