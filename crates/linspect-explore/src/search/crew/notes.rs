//! What is told to the one who remembers parts of a walk, and what it tells: a walk begins with what is known of it, and may end with what is left for others.

use super::super::coverage::Stopped;
use super::super::recall::{Recall, WalkName};
use super::super::tally::Summary;
use super::super::walk_record::{Piece, ToldPiece, WalkRecord, WalkStopped};
use super::super::watcher::Watcher;
use super::{Part, Parts, Shared, State};
use crate::strategies::graph::WalkPart;
use linspect_core::machine::{Machine, Subject};
use linspect_core::property::Property;
use std::ops::ControlFlow;

/// What is told to the one who remembers parts of this walk.
pub(super) struct Notes<'a> {
    pub(super) recall: &'a dyn Recall,
    pub(super) walk: WalkName<'a>,
    /// What was added up of this walk, if anything was; not known where leaves were counted one by one.
    pub(super) added: Option<Option<Box<Summary>>>,
}

impl Notes<'_> {
    pub(super) fn add(&mut self, summary: &Summary) {
        if let Some(added) = &mut self.added {
            match added {
                Some(added) => added.extend(summary.clone()),
                None => *added = Some(Box::new(summary.clone())),
            }
        }
    }

    /// Notes what was added up and what was told, and which parts are left.
    pub(super) fn note(&self, parts: &Parts) {
        let Some(added) = &self.added else {
            return;
        };
        let told = |begin: &WalkPart, summary: &Summary| {
            Piece::Told(Box::new(ToldPiece::new(begin.clone(), summary.clone())))
        };
        let root = WalkPart::default();
        let added = added.iter().map(|added| told(&root, added));
        let others = parts.list.iter().map(|part| match &part.state {
            State::Told(summary) => Some(told(&part.branch, summary)),
            State::Waiting | State::Walked => Some(Piece::Left(part.branch.clone())),
            // It is over soon.
            State::Again(_) => None,
        });
        let pieces = added
            .map(Some)
            .chain(others)
            .collect::<Option<Vec<Piece>>>();
        // Who has told nothing has nothing to note: the whole walk is left.
        let is_told = |piece: &Piece| matches!(piece, Piece::Told(_));
        if let Some(pieces) = pieces.filter(|pieces| pieces.iter().any(is_told)) {
            let wrong = false;
            let record = WalkRecord { pieces, wrong };
            self.recall.note_part(&self.walk, &root, record);
        }
    }

    /// Says which parts nobody has walked, as far as the walk is known to go.
    pub(super) fn put_off(&self, parts: &mut Parts) {
        let is_known = |part: &&Part| !matches!(part.state, State::Again(None));
        let known = parts.list.iter().take_while(is_known);
        let left = known.filter(|part| matches!(part.state, State::Waiting));
        let left = left.map(|part| part.branch.clone()).collect();
        self.recall.put_off(&self.walk, left);
        parts.drop_from(0);
    }
}

impl<S: Subject, P: Property> Watcher<'_, S, P> {
    /// Walks the beginning of a walk of which nothing is known, if the rest is to be put off.
    pub(super) fn begin_walk(
        &mut self,
        shared: &Shared<'_, S, P>,
        notes: &Notes<'_>,
    ) -> ControlFlow<()> {
        let root = WalkPart::default();
        let most = notes.recall.most_leaves().filter(|most| *most > 0);
        if let Some(most) = most
            && notes.recall.part(&notes.walk, &root).is_none()
        {
            let walked = shared
                .crew
                .walk_leaves(self.plan, shared.bounds, &root, most);
            match walked {
                Ok(record) => notes.recall.note_part(&notes.walk, &root, record),
                Err(WalkStopped::Limit(limit)) => {
                    self.stopped = Some(Stopped::Limit(limit));
                    return ControlFlow::Break(());
                }
                Err(WalkStopped::Error(error)) => {
                    self.error = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Puts a part behind those that there are, as far as it is known: piece by piece, and pieces of pieces. Stops where something ends the walk.
    pub(super) fn recall_part<M: Machine>(
        &mut self,
        part: WalkPart,
        notes: &Notes<'_>,
        parts: &mut Parts,
        machine: &mut M,
        start: &M::Snapshot,
    ) -> ControlFlow<()> {
        let Some(record) = notes.recall.part(&notes.walk, &part) else {
            parts.push(part, State::Waiting);
            return ControlFlow::Continue(());
        };
        for piece in record.pieces {
            match piece {
                Piece::Told(told) => {
                    let again = State::Again(Some(told.leaves()));
                    match self.summary_of(&told, machine, start) {
                        Some(summary) => parts.push(told.begin, State::Told(Box::new(summary))),
                        // What does not show again is walked again; the leaves say where it ends.
                        None => parts.push(
                            WalkPart {
                                floor: 0,
                                ..told.begin
                            },
                            again,
                        ),
                    }
                }
                Piece::Left(left) => self.recall_part(left, notes, parts, machine, start)?,
                Piece::Ends(part) => {
                    parts.push(part, State::Again(None));
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }
}
