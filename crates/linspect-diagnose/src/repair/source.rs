//! From events of a trace to lines of source.
//!
//! A block of events becomes lines of the innermost call that all its events have in common. The lines are the hull over *all* its events, not over the two end
//! ones: a loop body may jump back. A loop whose back edge the block crosses, and a loop that it enters or leaves, is taken whole; a part of a loop
//! would be another block in every round.

use super::eliminators::{Eliminator, Segment};
use super::section::{Section, Sections, optimal};
use crate::trace::{EventId, Trace};
use linspect_core::execution::SiteId;
use linspect_core::machine::{Frame, Site};
use std::sync::Arc;

/// Where each event of a trace stands: the calls of its thread, from the operation inwards.
pub(super) type Stacks = Vec<Vec<Frame>>;

/// Maps eliminators of a trace to sections of source; the optimal ones.
pub(crate) fn sections(
    trace: &Trace,
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
fn section(
    trace: &Trace,
    stacks: &Stacks,
    block: Segment,
    site: &dyn Fn(SiteId) -> Site,
) -> Option<Section> {
    let thread = trace.events[block.first].thread;
    let events: Vec<EventId> = (block.first..=block.last)
        .filter(|&e| trace.events[e].thread == thread)
        .collect();
    let depth = common_depth(&events, stacks)?;
    let frames = || events.iter().map(|&e| &stacks[e][depth]);
    let sites: Vec<Site> = frames().map(|f| site(f.site)).collect();
    let mut first = sites.iter().map(|s| s.line).min()?;
    let mut last = sites.iter().map(|s| s.line).max()?;
    // Innermost loops first, so that an outer one sees what an inner one added.
    let mut loops: Vec<_> = frames().flat_map(|f| f.loops.iter().copied()).collect();
    loops.sort_unstable_by_key(|l| (l.last_line - l.first_line, l.first_line, l.iteration));
    for l in &loops {
        let rounds = |f: &&Frame| {
            let same = |o: &&linspect_core::machine::Loop| {
                (o.first_line, o.last_line) == (l.first_line, l.last_line)
            };
            f.loops.iter().find(same).map(|o| o.iteration)
        };
        let first_round = frames().next().as_ref().and_then(rounds);
        if frames().any(|f| rounds(&f) != first_round) {
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

/// How deep the calls of all events agree: the index of the innermost common frame.
fn common_depth(events: &[EventId], stacks: &Stacks) -> Option<usize> {
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
