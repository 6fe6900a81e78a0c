//! Breadth first: feeds the events of a recorded history to a [`Frontier`], one after the other.

use super::frontier::{Config, Frontier, Scratch, Told, Trail, TrailId};
use super::mask::{Mask, Wide};
use super::plan::{Event, Late, Plan, Slots};
use super::space::Space;
use super::{Found, Op};
use crate::check::budget::Budget;
use crate::history::{OpId, Outcome, Time};
use crate::spec::Spec;
use crate::value::Value;
use crate::verdict::{Limit, Placed};
use rustc_hash::{FxHashMap, FxHashSet};

/// Walks the events, up to the first return that nothing explains.
pub(crate) fn walk<S: Spec, M: Mask>(
    space: &mut Space<'_, S>,
    ops: &[Op<'_, S>],
    plan: &Plan,
    mut start: Option<&Start<S>>,
    scratch: &mut Scratch<M>,
    budget: &dyn Budget,
) -> Result<(Found, Frontier<M>), Limit> {
    let mut frontier = Frontier::<M>::new();
    let mut slots = Slots::default();
    let mut slot_of: FxHashMap<usize, usize> = FxHashMap::default();
    let mut found = Found::Order;
    plan.each_event(ops, |event| {
        if let Some(begin) = start
            && !matches!(event, Event::Call(i) if ops[i].from <= begin.at)
        {
            start = None;
            frontier.configs = started(space, ops, plan, begin, &frontier);
        }
        match event {
            Event::Call(i) => {
                let slot = slots.take();
                if *ops[i].outcome != Outcome::Pending {
                    slot_of.insert(i, slot);
                }
                frontier.call(space, slot, plan.open(ops, i), ops[i].is_optional());
                for before in plan.touched.get(&i).into_iter().flatten() {
                    frontier.keep_in_order(slot_of[before], slot);
                }
                Ok(true)
            }
            Event::Return(i) => {
                let slot = slot_of.remove(&i).expect("who returns was called");
                let told = match ops[i].outcome {
                    _ if plan.late == Late::Only(ops[i].id) => Told::Anything,
                    Outcome::Returned(result) if plan.late.is_told(&ops[i]) => {
                        Told::Now(space.result(result))
                    }
                    _ => Told::Before,
                };
                let alive = frontier.settle(space, scratch, slot, told, budget)?;
                slots.give_back(slot);
                if scratch.trail.is_none() {
                    frontier.tidy(space);
                }
                if !alive {
                    found = Found::Refused(ops[i].id);
                }
                Ok(alive)
            }
        }
    })?;
    Ok((found, frontier))
}

/// The configurations of `start`, for a frontier in which everything that is open there was called.
fn started<S: Spec, M: Mask>(
    space: &mut Space<'_, S>,
    ops: &[Op<'_, S>],
    plan: &Plan,
    start: &Start<S>,
    frontier: &Frontier<M>,
) -> Vec<(Config<M>, TrailId)> {
    let by_id: FxHashMap<OpId, &Op<'_, S>> = ops.iter().map(|op| (op.id, op)).collect();
    let mut configs: Vec<(Config<M>, TrailId)> = Vec::new();
    for (state, done) in &start.configs {
        let mut config = Config {
            state: space.intern(state.clone()),
            note: 0,
            placed: M::default(),
        };
        for (slot, open) in frontier.slots().iter().enumerate() {
            let Some(open) = open.filter(|open| done.contains(&open.op)) else {
                continue;
            };
            config.placed.insert(slot);
            if let Some(op) = by_id.get(&open.op).filter(|op| plan.late.is_told(op))
                && let Outcome::Returned(result) = op.outcome
            {
                let result = space.result(result);
                config.note = space.remember(config.note, slot, result);
            }
        }
        configs.push((config, 0));
    }
    configs.sort();
    configs.dedup();
    configs
}

/// Where a search begins, if not at the beginning: everything that may have happened before.
pub(crate) struct Start<S: Spec> {
    /// Operations called up to here are open, or over.
    pub(crate) at: Time,
    /// How many are over.
    pub(crate) over: usize,
    /// States, each with the open operations that took effect.
    pub(crate) configs: Vec<(S::State, Vec<OpId>)>,
}

/// Everything that may have happened when `returns` of the `ops` have returned; nothing if they violate before.
pub(crate) fn start_after<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    returns: usize,
    budget: &dyn Budget,
) -> Result<Option<Start<S>>, Limit> {
    let mut space = Space::new(spec);
    let mut plan = Plan::new(&mut space, ops);
    plan.returns.truncate(returns);
    let Some(&last) = plan.returns.last() else {
        return Ok(None);
    };
    let mut scratch = Scratch::<Wide>::default();
    let (found, frontier) = walk(&mut space, ops, &plan, None, &mut scratch, budget)?;
    if found != Found::Order {
        return Ok(None);
    }
    let configs = frontier.configs.iter().map(|(config, _)| {
        let mut placed = Vec::new();
        config.placed.each_without(&Wide::default(), |slot| {
            placed.extend(frontier.slots()[slot].map(|open| open.op));
        });
        (space.state(config.state).clone(), placed)
    });
    Ok(Some(Start {
        at: ops[last as usize].to,
        over: returns,
        configs: configs.collect(),
    }))
}

/// Every result that operation `who` of `ops` may have had as far as the returns up to its own tell, ascending.
pub(crate) fn results<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    who: OpId,
    budget: &dyn Budget,
) -> Result<Vec<Value>, Limit> {
    let mut space = Space::new(spec);
    let mut plan = Plan::with_results_told(&mut space, ops, Late::Only(who));
    let own = plan.returns.iter().position(|&i| ops[i as usize].id == who);
    plan.returns.truncate(own.map_or(0, |own| own + 1));
    match plan.widest {
        ..=64 => met::<S, u64>(space, ops, &plan, budget),
        _ => met::<S, Wide>(space, ops, &plan, budget),
    }
}

/// The results, ascending, that the one operation whose result is told late may have had.
fn met<S: Spec, M: Mask>(
    mut space: Space<'_, S>,
    ops: &[Op<'_, S>],
    plan: &Plan,
    budget: &dyn Budget,
) -> Result<Vec<Value>, Limit> {
    let mut scratch = Scratch::<M>::default();
    scratch.results = Some(FxHashSet::default());
    walk(&mut space, ops, plan, None, &mut scratch, budget)?;
    let results = scratch.results.into_iter().flatten();
    let mut results: Vec<Value> = results.map(|id| space.result_of(id).clone()).collect();
    results.sort();
    Ok(results)
}

/// An order of effects of `ops`, with the state after each; nothing if there is none.
pub(crate) fn order<S: Spec>(
    spec: &S,
    ops: &[Op<'_, S>],
    budget: &dyn Budget,
) -> Result<Option<Vec<Placed>>, Limit> {
    let mut space = Space::new(spec);
    let plan = Plan::new(&mut space, ops);
    let mut scratch = Scratch::<Wide>::default();
    scratch.trail = Some(Trail::new());
    let (found, frontier) = walk(&mut space, ops, &plan, None, &mut scratch, budget)?;
    let trail = scratch.trail.unwrap_or_default();
    let ends = frontier.configs.first().filter(|_| found == Found::Order);
    Ok(ends.map(|&(_, end)| {
        let shown = |(operation, state)| Placed {
            operation,
            state: spec.show(space.state(state)),
        };
        trail.path(end).into_iter().map(shown).collect()
    }))
}
