//! An execution to which messages from outside are added, one after the other.
//!
//! A message changes neither what is read nor what is written, so modification order, `fr` and `eco` stay as they are; what happens before what is closed, and closed again with
//! one more way in a pass over its rows.

use super::relation::Relation;
use super::seq_cst::SeqCst;
use super::{Ends, Graph, Relations};
use crate::execution::{EventId, MemoryModel};
use std::rc::Rc;

/// A consistent execution, with the messages that were added so far.
#[derive(Clone)]
pub struct Synchronised<'g> {
    fixed: Rc<Fixed<'g>>,
    /// What happens before what: under SC, what comes before what in every order of the execution.
    before: Relation,
    /// Program order, what was read, and messages.
    past: Relation,
}

/// What no message changes.
struct Fixed<'g> {
    model: MemoryModel,
    /// The events that are `seq_cst`.
    seq_cst: SeqCst<'g>,
    /// What the memory says comes after what.
    after: Relation,
    ends: Ends,
}

impl<'g> Synchronised<'g> {
    /// The execution `graph`, which must be consistent, without messages.
    pub fn of(graph: &'g Graph, model: MemoryModel) -> Self {
        let relations = Relations::of(graph);
        let before = match model {
            MemoryModel::Sc => relations.sequence().closure(),
            MemoryModel::C20 => relations.happens_before(),
        };
        let past = relations.po.clone().or(&relations.rf);
        let past = past.or(&relations.sync).closure();
        let after = relations.eco().reversed();
        Self {
            fixed: Rc::new(Fixed {
                model,
                after,
                seq_cst: SeqCst::of(graph),
                ends: Ends::of(graph),
            }),
            before,
            past,
        }
    }

    /// Whether all of `from` happens before all of `to`: if the one returns and the other calls, whether the return happens before the call.
    pub fn has(&self, from: EventId, to: EventId) -> bool {
        let ends = self.fixed.ends.inner(from, to);
        ends.is_some_and(|(from, to)| self.before.has(from, to))
    }

    /// The same with a message that is sent after `from` and received before `to`; nothing if there is no such execution.
    #[must_use]
    pub fn with(&self, from: EventId, to: EventId) -> Option<Self> {
        let (from, to) = self.fixed.ends.inner(from, to)?;
        if from == to || self.before.has(to, from) || self.past.has(to, from) {
            return None;
        }
        let before = self.before.clone().closed_with(from, to);
        let fixed = &self.fixed;
        let is_consistent = match fixed.model {
            MemoryModel::Sc => true,
            MemoryModel::C20 => {
                let hb = |from, to| before.has(from, to);
                !before.meets(&fixed.after) && fixed.seq_cst.is_ordered(hb)
            }
        };
        is_consistent.then(|| Self {
            fixed: fixed.clone(),
            before,
            past: self.past.clone().closed_with(from, to),
        })
    }
}
