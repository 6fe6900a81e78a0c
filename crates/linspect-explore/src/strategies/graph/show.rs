//! The run that a graph stands for.

use super::events::{Graph, State};
use super::{Explorer, Node};
use crate::partial_run::PartialRun;
use crate::strategies::{Leaf, Visit};
use linspect_core::execution::{End, EventId, MemoryModel, Step};
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
        self.present(&node.graph, None, progress, visit)
    }

    /// Shows the run that has just gone wrong at `node`.
    pub(super) fn show_fault(
        &mut self,
        node: &Node<M::Snapshot>,
        thread: ThreadId,
        progress: f64,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let wrong = match node.graph.of_thread(thread).last().map(|e| &e.state) {
            Some(State::Wrong(step)) => Some(&**step),
            _ => None,
        };
        self.present(&node.graph, wrong, progress, visit)
    }

    /// Shows a run of `graph`, at the end of which the machine is, after the last step that was `wrong`.
    fn present(
        &mut self,
        graph: &Graph,
        wrong: Option<&Step>,
        progress: f64,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let schedule = match self.options.model {
            MemoryModel::C20 => None,
            MemoryModel::Sc => Some(sequential(graph, wrong)),
        };
        if schedule.is_some() {
            self.machine.restore(&self.start.snapshot);
        }
        let mut run = PartialRun::resume(self.machine, self.options.bounds, &self.stand);
        match schedule {
            Some(schedule) => {
                for choice in schedule {
                    run.take(choice);
                }
            }
            // It is told as it was run.
            None => {
                for id in &graph.order {
                    let event = graph.event(*id);
                    if let State::Taken(step) = &event.state {
                        run.tell((**step).clone(), (*event.standings).clone());
                    }
                }
                if let Some(step) = wrong {
                    let stand = run.standings().clone();
                    run.tell(step.clone(), stand);
                }
            }
        }
        let (end, after) = run.end();
        let covered = end == End::Covered;
        self.walk.executions += u64::from(!covered);
        self.walk.covered += u64::from(covered);
        self.walk.limited += u64::from(end == End::StepLimit);
        visit(&Leaf {
            trace: &run.trace,
            before: &run.before,
            after: &after,
            end: &end,
            progress,
        })
    }
}

/// A schedule of `graph`, and of a last step that was `wrong`, in which everybody reads what was written last.
fn sequential(graph: &Graph, wrong: Option<&Step>) -> Vec<Choice> {
    let choice = |id: EventId| {
        let event = graph.event(id);
        let branch = match &event.state {
            State::Taken(step) if event.touches.is_empty() => step.choice.branch,
            _ => 0,
        };
        Choice {
            thread: id.thread,
            branch,
        }
    };
    let before = graph
        .axioms(MemoryModel::Sc)
        .happens_before(MemoryModel::Sc);
    let mut left = graph.order.clone();
    let mut schedule = Vec::with_capacity(left.len() + 1);
    while !left.is_empty() {
        let first = |id: &EventId| {
            !left
                .iter()
                .any(|other| other != id && before.touches(*other, *id))
        };
        let at = left.iter().position(first).expect("there is no cycle");
        schedule.push(choice(left.remove(at)));
    }
    schedule.extend(wrong.map(|step| step.choice));
    schedule
}
