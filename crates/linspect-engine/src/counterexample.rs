//! A run that is wrong, as one step of the diagnosis hands it to the next.

use crate::error::Error;
use crate::investigate::Investigation;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::Execution;
use linspect_core::machine::Subject;
use linspect_core::property::Property;
use linspect_core::run::{Bounds, Follow, Nobody, run};
use linspect_core::schedule::Schedule;
use linspect_core::spec::Unfit;
use linspect_diagnose::minimise::MinimalTest;
use linspect_explore::defects;
use linspect_explore::run::schedule;
use linspect_explore::search::{DefectiveRun, SearchError};
use linspect_explore::stuck::Stuck;

/// A run that is wrong. Minimising makes its client smaller, localising its schedule clearer; repair and explanation start from what they leave.
#[derive(Clone, Debug)]
pub(super) struct Counterexample {
    pub(super) client: Client,
    pub(super) schedule: Schedule,
    pub(super) execution: Execution,
    /// The worst of what is wrong with it.
    pub(super) defect: Defect,
    /// Whether no operation of the client can go, beyond doubt.
    pub(super) certified: bool,
}

impl Counterexample {
    /// What a search found.
    pub(super) fn found(client: &Client, found: &DefectiveRun) -> Self {
        Self {
            client: client.clone(),
            schedule: found.schedule.clone(),
            execution: found.execution.clone(),
            defect: found.kind.clone(),
            certified: false,
        }
    }

    /// The same fault in a smaller client.
    pub(super) fn smaller(&self, test: MinimalTest) -> Self {
        Self {
            certified: test.is_certified(),
            schedule: schedule(&test.execution),
            client: test.client,
            execution: test.execution,
            defect: self.defect.clone(),
        }
    }
}

impl Investigation<'_> {
    /// The run of `client` that `schedule` tells, from the start of the program; nothing if it is a good one.
    pub(super) fn counterexample<P: Property>(
        &self,
        client: &Client,
        schedule: &Schedule,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
    ) -> Result<Option<Counterexample>, Error> {
        let mut machine = self.code.start(client).map_err(SearchError::from)?;
        let follow = &mut Follow::new(schedule);
        let execution = run(&mut machine, follow, Bounds::NONE, &mut Nobody);
        property(client).map_err(SearchError::from)?;
        let defect = self.error_of(client, &execution, property);
        Ok(defect.map(|defect| Counterexample {
            client: client.clone(),
            schedule: schedule.clone(),
            execution,
            defect,
            certified: false,
        }))
    }

    /// `example` under another schedule of its client, run again by itself; nothing if that does not go wrong in the same way.
    pub(super) fn confirmed<P: Property>(
        &self,
        example: &Counterexample,
        schedule: &Schedule,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
    ) -> Option<Counterexample> {
        let again = self.counterexample(&example.client, schedule, property);
        let again = again.ok().flatten()?;
        again
            .defect
            .is_like(&example.defect)
            .then_some(Counterexample {
                certified: example.certified,
                ..again
            })
    }

    /// What is wrong with a run of `client`: the worst of it.
    pub(super) fn error_of<P: Property>(
        &self,
        client: &Client,
        execution: &Execution,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
    ) -> Option<Defect> {
        let stuck = &mut Stuck::new(self.code, client);
        defects::error(execution, &mut property(client).ok()?, stuck)
    }
}
