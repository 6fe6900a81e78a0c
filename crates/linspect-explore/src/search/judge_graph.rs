//! Judges a run under C20, where it has no real time of its own: it is wrong if clients could send each other messages with which it is.

use super::watcher::{Watcher, schedule_of};
use crate::external;
use crate::strategies::Leaf;
use linspect_core::defect::Defect;
use linspect_core::execution::{MemoryModel, Step};
use linspect_core::machine::Subject;
use linspect_core::property::Property;

impl<S: Subject, P: Property> Watcher<'_, S, P> {
    /// Judges a run under C20.
    pub(super) fn judge_weak(&mut self, leaf: &Leaf<'_>) {
        let steps: Vec<Step> = leaf.trace.steps().cloned().collect();
        let told = external::Told {
            before: leaf.before,
            steps: &steps,
            after: leaf.after,
            end: leaf.end,
        };
        let limit = self.plan.class_limit;
        match external::judge(self.judge.property(), told, MemoryModel::C20, limit) {
            external::Judgement::Good => {}
            external::Judgement::Unknown => self.unjudged = true,
            external::Judgement::Bad(messages) => {
                // The messages belong to this run; a violation that was known before keeps its own.
                let known = self.leads.len();
                self.lead(Defect::Violation, schedule_of(leaf), leaf.end);
                if let Some(lead) = self.leads.get_mut(known) {
                    lead.messages = messages;
                }
            }
        }
    }
}
