//! Tries clients by exploration: first like a known bad run, then every schedule as far as the effort allows.

use super::order::{Imitation, StepOrder};
use super::{Assurance, Tester, Trial};
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::{Activation, End, Execution, MemoryModel};
use linspect_core::history::{History, OpId};
use linspect_core::machine::Subject;
use linspect_core::project::{CallOrigin, project};
use linspect_core::property::Property;
use linspect_core::run::{Nobody, run};
use linspect_core::spec::Unfit;
use linspect_explore::Bounds;
use linspect_explore::defects;
use linspect_explore::races::races;
use linspect_explore::search::{
    Coverage, DefectiveRun, Explored, Method, Plan, SearchError, explore,
};
use linspect_explore::stuck::Stuck;

/// Steps that a thread may take beyond those of all threads in the run that it imitates.
const MORE_STEPS: u32 = 300;

/// Runs of a sample, in each of two ways.
const SAMPLED_RUNS: u64 = 24;

/// Looks for runs that are bad in the same way as a known one.
pub struct Explorer<'a, S, F> {
    /// What is tested.
    pub subject: &'a S,
    /// The property of a client's runs.
    pub property: F,
    /// An order of effects that explains a history, if there is one.
    pub witness: &'a dyn Fn(&History) -> Option<Vec<OpId>>,
    /// What is wrong with the known run: others must be wrong in the same way, and in no worse one.
    pub wanted: &'a Defect,
    /// How each client is explored.
    pub plan: Plan,
    /// For everything together.
    pub budget: &'a dyn Budget,
}

impl<S, P, F> Tester for Explorer<'_, S, F>
where
    S: Subject,
    P: Property,
    F: Fn(&Client) -> Result<P, Unfit>,
{
    fn is_out_of_budget(&self) -> bool {
        self.budget.exhausted(0).is_some()
    }

    fn imitate(&mut self, client: &Client, like: &StepOrder) -> Option<Execution> {
        // Where older values are read, the order in which a run is told is not real time: only the search judges that.
        if self.subject.memory_model() == MemoryModel::C20 {
            return None;
        }
        let mut property = (self.property)(client).ok()?;
        let mut machine = self.subject.start(client).ok()?;
        let bounds = as_long_as(like);
        let order = &mut Imitation::new(like, client.threads.len());
        let execution = run(&mut machine, order, bounds, &mut Nobody);
        let stuck = &mut Stuck::new(self.subject, client).guessing();
        let error = defects::error(&execution, &mut property, stuck);
        let is_wanted = match self.wanted {
            Defect::DataRace(wanted) => {
                let races = races(execution.steps.iter(), MemoryModel::Sc, &mut property);
                races.iter().any(|race| race.places() == wanted.places())
            }
            wanted => error.is_some_and(|error| error.is_like(wanted)),
        };
        is_wanted.then_some(execution)
    }

    fn sample(&mut self, client: &Client, like: &StepOrder) -> Option<Execution> {
        if let Some(bad) = self.imitate(client, like) {
            return Some(bad);
        }
        let (runs, seed) = (SAMPLED_RUNS, 0);
        let methods = [
            Method::Random { runs, seed },
            Method::Pct {
                depth: 3,
                runs,
                seed,
            },
        ];
        methods.into_iter().find_map(|method| {
            let plan = Plan {
                method,
                bounds: as_long_as(like),
                ..self.plan
            };
            let property = (self.property)(client).ok()?;
            let explored = self.explore(client, property, &plan).ok()?;
            let mut found = explored.found.into_iter();
            found.find(|f| self.wants(f)).map(|f| f.execution)
        })
    }

    fn witness(&mut self, client: &Client, execution: &Execution, steps: usize) -> Vec<Activation> {
        let cut = Execution {
            before: execution.before.clone(),
            steps: execution.steps[..steps].to_vec(),
            after: Vec::new(),
            end: End::Cut,
        };
        let projection = project(&cut, client, self.subject.operations());
        let Some(order) = (self.witness)(&projection.history) else {
            let returned = cut.steps.iter().filter_map(|s| s.returned.as_ref());
            return returned.map(|r| r.0).collect();
        };
        let origins = order.iter().map(|id| projection.origins[*id as usize]);
        let threads = origins.filter_map(|origin| match origin {
            CallOrigin::Thread(activation) => Some(activation),
            CallOrigin::Before(_) | CallOrigin::After(_) => None,
        });
        threads.collect()
    }

    fn test(&mut self, client: &Client, like: &StepOrder) -> Trial {
        if self.is_out_of_budget() {
            return Trial::OutOfBudget;
        }
        if let Some(bad) = self.imitate(client, like) {
            return Trial::Bad(Box::new(bad));
        }
        // A client that does not start or does not fit shows nothing.
        let Ok(property) = (self.property)(client) else {
            return Trial::Clean(Assurance::Exhausted);
        };
        let plan = Plan {
            // A race ends no search by itself.
            keep_going: self.plan.keep_going || !self.wanted.is_error(),
            ..self.plan
        };
        let mut explored = self.explore(client, property, &plan);
        if let Ok(first) = &explored
            && first.error().is_some_and(|found| !self.wants(found))
            && let Ok(property) = (self.property)(client)
        {
            // An error of another kind ended the search before its time.
            let to_the_end = Plan {
                keep_going: true,
                ..self.plan
            };
            explored = self.explore(client, property, &to_the_end);
        }
        let Ok(explored) = explored else {
            return Trial::Clean(Assurance::Exhausted);
        };
        let exhausted = matches!(explored.coverage, Coverage::Exhausted { .. });
        match explored.found.into_iter().find(|f| self.wants(f)) {
            Some(found) => Trial::Bad(Box::new(found.execution)),
            None if exhausted => Trial::Clean(Assurance::Exhausted),
            None if self.is_out_of_budget() => Trial::OutOfBudget,
            None => Trial::Clean(Assurance::Sampled),
        }
    }
}

impl<S, P, F> Explorer<'_, S, F>
where
    S: Subject,
    P: Property,
    F: Fn(&Client) -> Result<P, Unfit>,
{
    fn wants(&self, found: &DefectiveRun) -> bool {
        found.kind.is_like(self.wanted)
    }

    fn explore(&self, client: &Client, property: P, plan: &Plan) -> Result<Explored, SearchError> {
        let client = client.clone();
        explore(
            self.subject,
            client,
            property,
            plan,
            self.budget,
            &|_, _| {},
        )
    }
}

/// As long as the run that is imitated, and a bit more: what a fault makes go on and on costs time and shows nothing new.
fn as_long_as(like: &StepOrder) -> Bounds {
    let length = u32::try_from(like.threads().count()).unwrap_or(u32::MAX);
    Bounds {
        steps_per_thread: length.saturating_add(MORE_STEPS),
    }
}
