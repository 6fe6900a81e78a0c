//! Shows a run step by step, by the names of its threads.

use super::annotate::Annotator;
use super::annotated_run::AnnotatedRun;
use linspect_core::execution::Execution;
use linspect_core::project::Projection;
use linspect_diagnose::localise::{Granularity, Localisation};
use linspect_report::finding::Interleaving;

impl Annotator<'_> {
    /// The run that was annotated; where it is decided is shown if that is known.
    pub(crate) fn interleaving(
        &self,
        annotated: &AnnotatedRun,
        projection: &Projection,
        localisation: Option<&Localisation>,
    ) -> Interleaving {
        Interleaving {
            steps: self.steps(annotated, projection, localisation),
            contrast: localisation.and_then(|l| self.contrast(l, annotated)),
            threads: self.threads(&annotated.execution),
            fewest_switches: localisation
                .is_some_and(|l| l.dag.complete && l.granularity == Granularity::All),
        }
    }

    /// The run that was annotated, of which only the steps at `matter` do.
    pub(crate) fn interleaving_of(
        &self,
        annotated: &AnnotatedRun,
        projection: &Projection,
        matter: &[usize],
    ) -> Interleaving {
        let mut shown = self.interleaving(annotated, projection, None);
        for (at, step) in shown.steps.iter_mut().enumerate() {
            step.matters = matter.contains(&at);
        }
        shown
    }

    /// What the threads of a run are called.
    fn threads(&self, execution: &Execution) -> Vec<String> {
        let stepped = execution.steps.iter().map(|s| s.choice.thread);
        let waiting = execution.end.waiting().iter().copied();
        let last = stepped.chain(waiting).max();
        let count = last.map_or(0, |last| last + 1);
        (0..count).map(|id| self.thread(id)).collect()
    }
}
