//! Sequential consistency: only the order within each process counts.
//!
//! Leslie Lamport, *How to make a multiprocessor computer that correctly executes multiprocess programs*, IEEE
//! Transactions on Computers 28(9), 1979. Deciding it is NP-complete (Gibbons and Korach, *Testing shared memories*, SIAM
//! Journal on Computing 26(4), 1997) and, unlike linearizability, it does not hold of an object because it holds of its
//! parts. So this is a plain depth-first search over (how far each process got, state), which meets no pair twice.
//!
//! Where a format lets a process have several operations open at once, those that overlap are unordered: the operations
//! of a process are dealt out to as many *chains* as needed, each in order, and an operation also waits for whatever
//! precedes it in the other chains of its process.

use crate::check::budget::Budget;
use crate::check::explain::refusal::Refusal;
use crate::check::search::footprint;
use crate::check::search::space::{Expected, MoveId, Space, StateId};
use crate::check::search::{Found, Op};
use crate::history::{History, OpId};
use crate::spec::Spec;
use crate::verdict::{Allowed, Limit, Placed};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Decides whether `ops` of `history` have an order of effects that keeps the order within each process.
pub(crate) fn search<S: Spec>(
    spec: &S,
    history: &History,
    ops: &[Op<'_, S>],
    budget: &dyn Budget,
) -> Result<Found, Limit> {
    let mut walk = Walk::new(spec, history, ops);
    Ok(match walk.run(budget)? {
        None => Found::Order,
        Some(stuck) => Found::Refused(ops[stuck.waiting].id),
    })
}

/// An order of effects of `ops`, if there is one.
pub(crate) fn order<S: Spec>(
    spec: &S,
    history: &History,
    ops: &[Op<'_, S>],
    budget: &dyn Budget,
) -> Result<Option<Vec<Placed>>, Limit> {
    let mut walk = Walk::new(spec, history, ops);
    Ok(match walk.run(budget)? {
        None => Some(walk.shown(&walk.path)),
        Some(_) => None,
    })
}

/// How far one gets with `ops`, which have no order of effects.
pub(crate) fn refusal<S: Spec>(
    spec: &S,
    history: &History,
    ops: &[Op<'_, S>],
    budget: &dyn Budget,
) -> Result<Option<Refusal>, Limit> {
    let mut walk = Walk::new(spec, history, ops);
    let Some(stuck) = walk.run(budget)? else {
        return Ok(None);
    };
    let op = &ops[stuck.waiting];
    let state = walk.space.state(stuck.state);
    let mut results = Vec::new();
    spec.outcomes(state, op.call, &mut |result, _| results.push(result));
    results.sort();
    results.dedup();
    Ok(Some(Refusal {
        refused: op.id,
        partial: walk.shown(&stuck.path),
        allowed: vec![Allowed {
            state: spec.show(state),
            results,
        }],
    }))
}

/// How far each chain got.
type Progress = SmallVec<[u32; 8]>;

/// The place where the search got furthest.
struct Stuck {
    path: Vec<(OpId, StateId)>,
    state: StateId,
    /// An operation that would be next, by position.
    waiting: usize,
}

struct Walk<'a, S: Spec> {
    space: Space<'a, S>,
    ops: &'a [Op<'a, S>],
    acts: Vec<MoveId>,
    /// Positions of operations, in order, per chain.
    chains: Vec<Vec<usize>>,
    /// Per chain, the chains of the same process.
    siblings: Vec<Vec<usize>>,
    path: Vec<(OpId, StateId)>,
    seen: FxHashSet<(Progress, StateId)>,
}

/// Where the search stands, and what it has yet to try from there.
struct Frame {
    progress: Progress,
    state: StateId,
    /// (chain, position in it, state after).
    todo: Vec<(usize, u32, StateId)>,
}

impl<'a, S: Spec> Walk<'a, S> {
    fn new(spec: &'a S, history: &History, ops: &'a [Op<'a, S>]) -> Self {
        let mut space = Space::new(spec);
        let mut known = FxHashMap::default();
        let acts = ops
            .iter()
            .map(|op| {
                *known.entry((op.text, op.outcome)).or_insert_with(|| {
                    space.add_move(op.call.clone(), Expected::Recorded(op.outcome.clone()))
                })
            })
            .collect();
        let (chains, siblings) = deal(history, ops);
        Self {
            space,
            ops,
            acts,
            chains,
            siblings,
            path: Vec::new(),
            seen: FxHashSet::default(),
        }
    }

    /// Leaves an order of effects in `path`, or says where it got stuck.
    fn run(&mut self, budget: &dyn Budget) -> Result<Option<Stuck>, Limit> {
        let start: Progress = self.chains.iter().map(|_| 0).collect();
        let mut stack = Vec::new();
        let mut furthest: Option<Stuck> = None;
        if self.enter(&mut stack, start, 0) {
            return Ok(None);
        }
        let mut work = 0_u32;
        while let Some(frame) = stack.last_mut() {
            work += 1;
            if work.is_multiple_of(256) {
                // A progress counts every chain; every frame has one, too, and what is to be tried of it.
                let heap = self.chains.len() * size_of::<u32>();
                let todo = self.chains.len() * size_of::<(usize, u32, StateId)>();
                let (seen, frames) = (self.seen.len(), stack.len());
                let memory = self.space.memory()
                    + footprint::table::<(Progress, StateId)>(seen, self.seen.capacity())
                    + footprint::list::<Frame>(frames, stack.capacity())
                    + seen * heap
                    + frames * (heap + todo);
                if let Some(limit) = budget.exhausted(memory) {
                    return Err(limit);
                }
                continue;
            }
            let Some((chain, at, state)) = frame.todo.pop() else {
                let frame = stack.pop().expect("there is one");
                self.note_stuck(&frame, &mut furthest);
                self.path.pop();
                continue;
            };
            let mut progress = frame.progress.clone();
            progress[chain] = at + 1;
            self.path
                .push((self.ops[self.chains[chain][at as usize]].id, state));
            if self.enter(&mut stack, progress, state) {
                return Ok(None);
            }
        }
        Ok(furthest)
    }

    /// Goes on from a new place. Whether everything is placed.
    fn enter(&mut self, stack: &mut Vec<Frame>, progress: Progress, state: StateId) -> bool {
        if self.is_done(&progress) {
            return true;
        }
        if !self.seen.insert((progress.clone(), state)) {
            self.path.pop();
            return false;
        }
        let todo = self.nexts(&progress, state);
        stack.push(Frame {
            progress,
            state,
            todo,
        });
        false
    }

    fn is_done(&self, progress: &Progress) -> bool {
        (0..self.chains.len()).all(|c| self.required(progress, c).is_none())
    }

    /// The next operation of chain `c` that must take effect.
    fn required(&self, progress: &Progress, c: usize) -> Option<usize> {
        let rest = &self.chains[c][progress[c] as usize..];
        rest.iter().copied().find(|&i| !self.ops[i].is_optional())
    }

    /// What can be placed next, in the order in which it is not to be tried.
    fn nexts(&mut self, progress: &Progress, state: StateId) -> Vec<(usize, u32, StateId)> {
        let mut nexts = Vec::new();
        for c in 0..self.chains.len() {
            for at in progress[c]..u32::try_from(self.chains[c].len()).expect("ids are numbers") {
                let i = self.chains[c][at as usize];
                if self.must_wait(progress, c, i) {
                    break;
                }
                let (from, to) = self.space.step(state, self.acts[i]);
                let optional = self.ops[i].is_optional();
                for n in from..to {
                    let (next, _) = self.space.next(n);
                    if !optional && self.space.is_quiet(self.acts[i]) {
                        // It changes nothing and must be placed: nothing is lost by doing it now.
                        return vec![(c, at, next)];
                    }
                    if !optional || next != state {
                        nexts.push((c, at, next));
                    }
                }
                if !optional {
                    break;
                }
            }
        }
        // Processes that are behind go first: recorded orders are mostly fair.
        nexts.sort_by_key(|&(c, at, _)| {
            std::cmp::Reverse(self.ops[self.chains[c][at as usize]].from)
        });
        nexts
    }

    /// Whether something that precedes `i` in another chain of its process has yet to be placed.
    fn must_wait(&self, progress: &Progress, c: usize, i: usize) -> bool {
        self.siblings[c].iter().any(|&other| {
            self.required(progress, other)
                .is_some_and(|j| self.ops[j].precedes(&self.ops[i]))
        })
    }

    fn note_stuck(&self, frame: &Frame, furthest: &mut Option<Stuck>) {
        let best = furthest.as_ref().map_or(0, |stuck| stuck.path.len() + 1);
        if self.path.len() < best {
            return;
        }
        let waiting = (0..self.chains.len())
            .filter_map(|c| self.required(&frame.progress, c))
            .min_by_key(|&i| (self.ops[i].to, i));
        *furthest = waiting.map(|waiting| Stuck {
            path: self.path.clone(),
            state: frame.state,
            waiting,
        });
    }

    fn shown(&self, path: &[(OpId, StateId)]) -> Vec<Placed> {
        path.iter()
            .map(|&(operation, state)| Placed {
                operation,
                state: self.space.spec().show(self.space.state(state)),
            })
            .collect()
    }
}

/// Deals the operations of each process out to chains; gives the chains and, per chain, those of the same process.
fn deal<S: Spec>(history: &History, ops: &[Op<'_, S>]) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let mut chains: Vec<Vec<usize>> = Vec::new();
    let mut of_process: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (i, op) in ops.iter().enumerate() {
        let process = history.operations[op.id as usize].process;
        let own = of_process.entry(process).or_default();
        let free = own.iter().copied().find(|&c| {
            let last = *chains[c].last().expect("chains are not empty");
            ops[last].precedes(op)
        });
        match free {
            Some(c) => chains[c].push(i),
            None => {
                own.push(chains.len());
                chains.push(vec![i]);
            }
        }
    }
    let siblings = chains
        .iter()
        .enumerate()
        .map(|(c, chain)| {
            let process = history.operations[ops[chain[0]].id as usize].process;
            let own = &of_process[&process];
            own.iter().copied().filter(|&other| other != c).collect()
        })
        .collect();
    (chains, siblings)
}
