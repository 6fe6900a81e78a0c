//! The run that a graph stands for.

use super::events::{Graph, State};
use super::{Explorer, Node};
use crate::partial_run::PartialRun;
use crate::strategies::{Leaf, Visit};
use linspect_core::execution::{End, EventId, MemoryModel};
use linspect_core::machine::Machine;
use linspect_core::schedule::{Choice, ThreadId};
use std::ops::ControlFlow;

impl<M: Machine> Explorer<'_, M> {
    /// Shows the run that ends at `node`, unless somebody waits there for what has come.
    pub(super) fn show(
        &mut self,
        node: &Node<M::Snapshot>,
        progress: f64,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        for (_, event) in node.graph.events() {
            match event.state {
                State::Taken(_) => {}
                // It was shown when it went wrong.
                State::Wrong(_) => return ControlFlow::Continue(()),
                State::Waits => {
                    let touch = event.touches[0];
                    if touch.source() != Some(node.graph.last(touch.cell)) {
                        self.walk.redundant += 1;
                        return ControlFlow::Continue(());
                    }
                }
            }
        }
        let schedule = self.schedule(&node.graph);
        self.present(schedule, progress, visit)
    }

    /// Shows the run that has just gone wrong at `node`.
    pub(super) fn show_fault(
        &mut self,
        node: &Node<M::Snapshot>,
        thread: ThreadId,
        progress: f64,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let mut schedule = self.schedule(&node.graph);
        if let Some(State::Wrong(step)) = node.graph.of_thread(thread).last().map(|e| &e.state) {
            schedule.push(step.choice);
        }
        self.present(schedule, progress, visit)
    }

    /// A schedule that runs `graph`: with SC, one in which everybody reads what was written last.
    fn schedule(&self, graph: &Graph) -> Vec<Choice> {
        let choice = |id: &EventId| match &graph.event(*id).state {
            State::Taken(step) if self.options.model == MemoryModel::Sc => {
                let decided = graph.event(*id).touches.is_empty();
                let branch = if decided { step.choice.branch } else { 0 };
                Choice {
                    thread: id.thread,
                    branch,
                }
            }
            State::Taken(step) => step.choice,
            _ => unreachable!("only what was taken is in the order of the run"),
        };
        if self.options.model == MemoryModel::C20 {
            return graph.order.iter().map(choice).collect();
        }
        let before = graph
            .axioms(MemoryModel::Sc)
            .happens_before(MemoryModel::Sc);
        let mut left = graph.order.clone();
        let mut schedule = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let first = |id: &EventId| {
                !left
                    .iter()
                    .any(|other| other != id && before.touches(*other, *id))
            };
            let at = left.iter().position(first).expect("there is no cycle");
            schedule.push(choice(&left.remove(at)));
        }
        schedule
    }

    /// Runs `schedule` from the start and shows it.
    fn present(
        &mut self,
        schedule: Vec<Choice>,
        progress: f64,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        self.machine.restore(&self.start.snapshot);
        let mut course = PartialRun::new(self.machine, self.options.bounds);
        for choice in schedule {
            course.take(choice);
        }
        let (end, after) = course.end();
        let covered = end == End::Covered;
        self.walk.executions += u64::from(!covered);
        self.walk.covered += u64::from(covered);
        self.walk.limited += u64::from(end == End::StepLimit);
        visit(&Leaf {
            trace: &course.trace,
            before: &course.before,
            after: &after,
            end: &end,
            progress,
        })
    }
}
