//! Quasi-linearizability to the letter of Round-Up's Definition 4, for any specification.
//!
//! Lu Zhang, Arijit Chattopadhyay and Chao Wang, *Round-Up: runtime checking quasi linearizability of concurrent data
//! structures*, ASE 2013. A history is k-quasi-linearizable iff it has a linearization ρ′ and a legal permutation ρ″ of it
//! such that, for each method, no operation moves by more than the method's factor between its places among the
//! operations of that method in ρ′ and in ρ″. Methods that return nothing of interest (`enqueue`) have factor 0, the
//! others `k`, as in the paper.
//!
//! Only the order within each method is compared, so the two sequences can be built in lock-step, method by method. And
//! ρ′ need not be built as a whole: orders within methods that each respect real time can always be merged into one that
//! does, because real time is an interval order (along a cycle the return times would have to grow for ever). So a
//! step of the search takes one method, its next operation in ρ′, which must be minimal in real time, and its next
//! operation in ρ″, which must be legal. An operation that so far stands in only one of the two is *outstanding* and has a
//! deadline.
//!
//! To the letter this is odd: `enqueue(1); dequeue() → nil; dequeue() → 1` passes with k = 0, because ρ″ may begin with the
//! empty dequeue, and `enqueue(1); enqueue(2); dequeue() → 2` passes with no k, because no permutation of it is legal.

use crate::check::budget::Budget;
use crate::check::explain::refusal::Refusal;
use crate::check::search::footprint;
use crate::check::search::mask::{Mask, Wide};
use crate::check::search::space::{Expected, MoveId, Space, StateId};
use crate::check::search::{Found, Op};
use crate::history::OpId;
use crate::spec::Spec;
use crate::value::Value;
use crate::verdict::{Allowed, Limit, Placed};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Decides whether `ops` satisfy Definition 4 with factor `k`.
pub(crate) fn search<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    k: u32,
    budget: &dyn Budget,
) -> Result<Found, Limit> {
    let mut walk = Walk::new(spec, ops, k);
    Ok(match walk.run(budget)? {
        None => Found::Order,
        Some(stuck) => Found::Refused(ops[stuck.waiting].id),
    })
}

/// How far one gets with `ops`, which do not satisfy Definition 4.
pub(crate) fn refusal<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    k: u32,
    budget: &dyn Budget,
) -> Result<Option<Refusal>, Limit> {
    let mut walk = Walk::new(spec, ops, k);
    let Some(stuck) = walk.run(budget)? else {
        return Ok(None);
    };
    let op = &ops[stuck.waiting];
    let state = walk.space.state(stuck.state);
    let mut results = Vec::new();
    spec.outcomes(state, op.call, &mut |result, _| results.push(result));
    results.sort();
    results.dedup();
    let partial = stuck.path.iter().map(|&(operation, state)| Placed {
        operation,
        state: spec.show(walk.space.state(state)),
    });
    Ok(Some(Refusal {
        refused: op.id,
        partial: partial.collect(),
        allowed: vec![Allowed {
            state: spec.show(state),
            results,
        }],
    }))
}

/// A place in the search.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    state: StateId,
    /// Operations that stand in ρ′.
    first: Wide,
    /// Operations that stand in ρ″.
    second: Wide,
    /// Operations that stand in one of the two, with their index among their method there; sorted.
    outstanding: SmallVec<[(u32, u32); 4]>,
}

/// The place where the search got furthest.
struct Stuck {
    path: Vec<(OpId, StateId)>,
    state: StateId,
    /// An operation that is not placed yet, by position.
    waiting: usize,
}

struct Walk<'a, S: Spec> {
    space: Space<'a, S>,
    ops: &'a [Op<'a, S>],
    acts: Vec<MoveId>,
    methods: Vec<Method>,
    seen: FxHashSet<Place>,
}

/// The operations of one method, by position, in order of their calls.
struct Method {
    ops: Vec<usize>,
    factor: u32,
}

impl<'a, S: Spec> Walk<'a, S> {
    fn new(spec: &'a S, ops: &'a [Op<'a, S>], k: u32) -> Self {
        let mut space = Space::new(spec);
        let mut methods: Vec<Method> = Vec::new();
        let mut known: FxHashMap<u16, usize> = FxHashMap::default();
        let mut acts = Vec::new();
        for (i, op) in ops.iter().enumerate() {
            acts.push(space.add_move(op.call.clone(), Expected::Recorded(op.outcome.clone())));
            let at = *known.entry(op.text.0).or_insert_with(|| {
                methods.push(Method {
                    ops: Vec::new(),
                    factor: 0,
                });
                methods.len() - 1
            });
            methods[at].ops.push(i);
            let mut tells = false;
            spec.outcomes(&spec.initial(), op.call, &mut |result, _| {
                tells |= result != Value::Unit;
            });
            if tells {
                methods[at].factor = k;
            }
        }
        Self {
            space,
            ops,
            acts,
            methods,
            seen: FxHashSet::default(),
        }
    }

    /// `None` if there is a way through.
    fn run(&mut self, budget: &dyn Budget) -> Result<Option<Stuck>, Limit> {
        let start = Place {
            state: 0,
            first: Wide::default(),
            second: Wide::default(),
            outstanding: SmallVec::new(),
        };
        let mut path: Vec<(OpId, StateId)> = Vec::new();
        let mut furthest: Option<Stuck> = None;
        // (a place, the operation that led there in ρ″, how long the path is there)
        let mut stack = vec![(start, None, 0)];
        let mut work = 0_u32;
        while let Some((place, op, depth)) = stack.pop() {
            work += 1;
            if work.is_multiple_of(64)
                && let Some(limit) = budget.exhausted(self.memory(stack.len()))
            {
                return Err(limit);
            }
            if !self.seen.insert(place.clone()) {
                continue;
            }
            path.truncate(depth);
            if let Some(op) = op {
                path.push((op, place.state));
            }
            let Some(waiting) = self.unplaced(&place) else {
                return Ok(None);
            };
            if furthest.as_ref().is_none_or(|f| path.len() > f.path.len()) {
                furthest = Some(Stuck {
                    path: path.clone(),
                    state: place.state,
                    waiting,
                });
            }
            for method in 0..self.methods.len() {
                self.advance(&place, method, &mut |next, op| {
                    stack.push((next, Some(op), path.len()));
                });
            }
        }
        Ok(furthest)
    }

    /// About how many bytes are held, with so many places still to be looked at.
    fn memory(&self, stack: usize) -> usize {
        let heap = 2 * Wide::heap(self.ops.len());
        footprint::table::<Place>(self.seen.len(), self.seen.capacity())
            + stack * size_of::<(Place, Option<OpId>, usize)>()
            + (self.seen.len() + stack) * heap
            + self.space.memory()
    }

    /// An operation that must be placed and is not, or is so in only one of the sequences.
    fn unplaced(&self, place: &Place) -> Option<usize> {
        let missing = (0..self.ops.len())
            .filter(|&i| !self.ops[i].is_optional() && !place.second.has(i))
            .min_by_key(|&i| self.ops[i].to);
        missing.or_else(|| place.outstanding.first().map(|&(i, _)| i as usize))
    }

    /// Places the next operation of a method in both sequences, in every possible way; the likeliest way last.
    fn advance(&mut self, place: &Place, method: usize, each: &mut dyn FnMut(Place, OpId)) {
        let (ops, factor) = {
            let Method { ops, factor } = &self.methods[method];
            (ops.clone(), *factor)
        };
        let index = ops.iter().filter(|&&i| place.second.has(i)).count();
        let index = u32::try_from(index).expect("ids are numbers");
        let minimal = self.minimal(place, &ops);
        for &second in ops.iter().rev().filter(|&&i| !place.second.has(i)) {
            let (from, to) = self.space.step(place.state, self.acts[second]);
            for at in from..to {
                let (state, _) = self.space.next(at);
                for &first in minimal.iter().rev() {
                    let Some(next) = step(place, state, first, second, index, factor) else {
                        continue;
                    };
                    if self.is_in_time(&next, method, index, factor) {
                        each(next, self.ops[second].id);
                    }
                }
            }
        }
    }

    /// The operations of a method that may come next in ρ′.
    fn minimal(&self, place: &Place, ops: &[usize]) -> Vec<usize> {
        let left = || ops.iter().copied().filter(|&i| !place.first.has(i));
        let earliest = left()
            .filter(|&i| !self.ops[i].is_optional())
            .map(|i| self.ops[i].to)
            .min();
        left()
            .filter(|&i| earliest.is_none_or(|to| self.ops[i].from <= to))
            .collect()
    }

    /// Whether what is outstanding can still be placed in the other sequence without moving too far.
    fn is_in_time(&self, place: &Place, method: usize, index: u32, factor: u32) -> bool {
        place.outstanding.iter().all(|&(i, at)| {
            at + factor > index || !self.methods[method].ops.contains(&(i as usize))
        })
    }
}

/// `place` with `first` next in ρ′ and `second` next in ρ″, both as number `index` of their method; nothing if one of them
/// moved by more than `factor`.
fn step(
    place: &Place,
    state: StateId,
    first: usize,
    second: usize,
    index: u32,
    factor: u32,
) -> Option<Place> {
    let mut next = place.clone();
    next.state = state;
    next.first.insert(first);
    next.second.insert(second);
    if first != second {
        for i in [first, second] {
            let id = u32::try_from(i).expect("ids are numbers");
            match next.outstanding.binary_search_by_key(&id, |&(i, _)| i) {
                Ok(at) => {
                    let (_, since) = next.outstanding.remove(at);
                    if index - since > factor {
                        return None;
                    }
                }
                Err(at) => next.outstanding.insert(at, (id, index)),
            }
        }
    }
    Some(next)
}
