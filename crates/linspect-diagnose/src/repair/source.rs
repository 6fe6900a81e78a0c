//! From events of a trace to lines of source.
//!
//! A block of events becomes lines of the innermost call that all its events have in common. The lines are the hull over *all* its events, not over the two end
//! ones: a loop body may jump back. A loop that goes round inside the block is taken whole; a part of it would be another block in every
//! round.

use super::eliminators::{Eliminator, Segment};
use super::section::{Section, Sections, optimal};
use crate::trace::{ConflictTrace, EventIndex};
use linspect_core::execution::{Execution, SiteId};
use linspect_core::machine::{Frame, Loop, Machine, Site};
use linspect_core::run::{Bounds, Follow, Observer, run};
use linspect_core::schedule::{Choice, Schedule};
use std::sync::Arc;

/// Where each event of a trace stands: the calls of its thread, from the operation inwards.
pub(crate) type Stacks = Vec<Vec<Frame>>;

/// Runs `schedule` and notes where each of its steps stands.
pub(crate) fn stacks<M: Machine>(machine: &mut M, schedule: &Schedule) -> (Execution, Stacks) {
    let mut places = Places::default();
    let follow = &mut Follow::new(schedule);
    let execution = run(machine, follow, Bounds::NONE, &mut places);
    (execution, places.0)
}

/// Notes where each step stands.
#[derive(Default)]
struct Places(Stacks);

impl<M: Machine> Observer<M> for Places {
    fn before(&mut self, machine: &mut M, choice: Choice) {
        self.0.push(machine.stack(choice.thread));
    }
}

/// Maps eliminators of a trace to sections of source; the optimal ones.
pub(crate) fn sections(
    trace: &ConflictTrace,
    stacks: &Stacks,
    found: &[Eliminator],
    site: &dyn Fn(SiteId) -> Site,
) -> Vec<Sections> {
    let mapped = found.iter().filter_map(|eliminator| {
        let blocks: Option<Vec<Section>> = eliminator
            .iter()
            .map(|s| section(trace, stacks, *s, site))
            .collect();
        blocks.map(Sections::merge)
    });
    optimal(mapped.collect())
}

/// The lines of one block; `None` if an event has no known place.
pub(crate) fn section(
    trace: &ConflictTrace,
    stacks: &Stacks,
    block: Segment,
    site: &dyn Fn(SiteId) -> Site,
) -> Option<Section> {
    let thread = trace.events[block.first].thread;
    let events: Vec<EventIndex> = (block.first..=block.last)
        .filter(|&e| trace.events[e].thread == thread)
        .collect();
    let depth = common_depth(&events, stacks)?;
    let frames = || events.iter().map(|&e| &stacks[e][depth]);
    let sites: Vec<Site> = frames().map(|f| site(f.site)).collect();
    let mut first = sites.iter().map(|s| s.line).min()?;
    let mut last = sites.iter().map(|s| s.line).max()?;
    for pair in frames().collect::<Vec<_>>().windows(2) {
        if let Some(l) = crossed(pair[0], pair[1]) {
            first = first.min(l.first_line);
            last = last.max(l.last_line);
        }
    }
    Some(Section {
        file: Arc::from(sites[0].file.as_str()),
        function: Arc::from(sites[0].function.as_str()),
        first,
        last,
    })
}

/// The loop that went round between two places of one call: one that was entered or left on the way if there is one, else the innermost around both.
fn crossed(from: &Frame, to: &Frame) -> Option<Loop> {
    if from.rounds == to.rounds {
        return None;
    }
    let only_in =
        |a: &Frame, b: &Frame| a.loops.iter().rev().find(|l| !b.loops.contains(l)).copied();
    only_in(to, from)
        .or_else(|| only_in(from, to))
        .or_else(|| to.loops.last().copied())
}

/// How deep the calls of all events agree: the index of the innermost common frame.
fn common_depth(events: &[EventIndex], stacks: &Stacks) -> Option<usize> {
    let (first, rest) = events.split_first()?;
    let common = rest.iter().fold(stacks[*first].len(), |depth, &e| {
        let same = |(a, b): &(&Frame, &Frame)| a.activation == b.activation;
        stacks[*first]
            .iter()
            .zip(&stacks[e])
            .take(depth)
            .take_while(same)
            .count()
    });
    common.checked_sub(1)
}
