//! Operations that take effect at one moment: whoever sends through a channel without a place and whoever receives, or all callers of a barrier.
//!
//! Set-linearizability (Neiger: "Set-Linearizability", PODC 1994), also called concurrency-aware linearizability (Hemed, Rinetzky, Vafeiadis: "Modular Verification of
//! Concurrency-Aware Linearizability", DISC 2015): as linearizability, but what is put in order are sets of operations that overlap.
//!
//! The frontier places operations only when one of them returns, and all that it places then are open at that return. So a set that is placed at once has a moment at which
//! all of its operations are open. The other way round, a set has been placed when the first of its operations returns, and until then all of them are open. Of operations with
//! equal moves the elder is placed first or in the same set: exchanging them gives another order of effects, as for single ones.

use super::frontier::{Config, Frontier, Scratch, Told, TrailId, UNTOLD};
use super::mask::Mask;
use super::space::Space;
use crate::spec::Spec;

impl<M: Mask> Frontier<M> {
    /// Places two or more open operations together, in every possible way.
    pub(super) fn meet<S: Spec>(
        &self,
        space: &mut Space<'_, S>,
        scratch: &mut Scratch<M>,
        out: &mut Vec<(Config<M>, TrailId)>,
        (config, trail): (&Config<M>, TrailId),
        slot: usize,
        told: Told,
    ) {
        let mut candidates = self.unplaced(&config.placed);
        candidates.retain(|&q| self.has_its_turn(q, &config.placed));
        // Whoever is elder comes first.
        candidates.sort_by_key(|&q| self.slots()[q].map(|open| (open.ret, open.position)));
        let most = space.spec().most_together();
        let mut chosen: Vec<usize> = Vec::new();
        self.each_set(config, &candidates, most, &mut chosen, &mut |set| {
            self.place_set(space, scratch, out, (config, trail), set, slot, told);
        });
    }

    /// Calls `each` with every set of two to `most` operations, none without its elder.
    fn each_set(
        &self,
        config: &Config<M>,
        candidates: &[usize],
        most: usize,
        chosen: &mut Vec<usize>,
        each: &mut dyn FnMut(&[usize]),
    ) {
        if chosen.len() > 1 {
            each(chosen);
        }
        if chosen.len() == most {
            return;
        }
        for (at, &q) in candidates.iter().enumerate() {
            let elder = self.elder(q);
            if elder.is_some_and(|elder| !config.placed.has(elder) && !chosen.contains(&elder)) {
                continue;
            }
            chosen.push(q);
            self.each_set(config, &candidates[at + 1..], most, chosen, each);
            chosen.pop();
        }
    }

    /// Places the operations of `set` together.
    #[expect(clippy::too_many_arguments, reason = "what a step of the search needs")]
    fn place_set<S: Spec>(
        &self,
        space: &mut Space<'_, S>,
        scratch: &mut Scratch<M>,
        out: &mut Vec<(Config<M>, TrailId)>,
        (config, trail): (&Config<M>, TrailId),
        set: &[usize],
        slot: usize,
        told: Told,
    ) {
        let open = |q: usize| self.slots()[q].expect("an open slot holds an operation");
        let moves: Vec<_> = set.iter().map(|&q| open(q).act).collect();
        for (state, results) in space.meet(config.state, &moves) {
            if state == config.state && set.iter().all(|&q| self.is_optional(q)) {
                continue;
            }
            let mut next = config.clone();
            next.state = state;
            let mut fits = true;
            for (&q, &result) in set.iter().zip(&results) {
                if q == slot {
                    fits = told.allows(result);
                    continue;
                }
                next.placed.insert(q);
                if open(q).ret == UNTOLD {
                    next.note = space.remember(next.note, q, result);
                }
            }
            if !fits {
                continue;
            }
            let (&last, before) = set.split_last().expect("a set of two or more");
            let trail = before
                .iter()
                .fold(trail, |trail, &q| scratch.follow(trail, open(q).op, state));
            match set.iter().position(|&q| q == slot) {
                Some(own) => {
                    scratch.note_result(told, results[own]);
                    let trail = scratch.follow(trail, open(last).op, state);
                    scratch.finish(out, next, trail);
                }
                None => scratch.enter(next, trail, open(last).op),
            }
        }
    }
}
