//! Tries clients by exploration: first like a known bad run, then every schedule as far as the effort allows.

use super::{Assurance, Tester, Trial};
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::execution::{Activation, End, Ending, Execution};
use linspect_core::history::{History, OpId};
use linspect_core::machine::Subject;
use linspect_core::project::{Origin, project};
use linspect_core::property::Property;
use linspect_core::schedule::{Choice, Schedule};
use linspect_core::spec::Unfit;
use linspect_explore::Bounds;
use linspect_explore::search::{Coverage, Kind, Plan, explore};
use linspect_explore::strategies::{Scene, Strategy};
use linspect_explore::watch::{Until, Watched, watch};

/// Looks for runs that are bad in the same way as a known one.
pub struct Explorer<'a, S, F> {
    /// What is tested.
    pub subject: &'a S,
    /// The property of a client's runs.
    pub property: F,
    /// An order of effects that explains a history, if there is one.
    pub witness: &'a dyn Fn(&History) -> Option<Vec<OpId>>,
    /// Whether a finding is the kind that is being minimised.
    pub wanted: fn(&Kind) -> bool,
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

    fn imitate(&mut self, client: &Client, like: &Schedule) -> Option<Execution> {
        let mut property = (self.property)(client).ok()?;
        let mut machine = self.subject.start(client).ok()?;
        // As long as the run that is imitated, or as long as others may be.
        let length = u32::try_from(like.0.len()).unwrap_or(u32::MAX);
        let bounds = Bounds {
            steps_per_thread: self.plan.bounds.steps_per_thread.saturating_add(length),
        };
        let order = &mut Imitation::of(like);
        let watched = watch(&mut machine, order, &mut property, bounds, Until::End);
        let bad = kinds(&watched).iter().any(self.wanted);
        bad.then_some(watched.execution)
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
            Origin::Thread(activation) => Some(activation),
            Origin::Before(_) | Origin::After(_) => None,
        });
        threads.collect()
    }

    fn test(&mut self, client: &Client, like: &Schedule) -> Trial {
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
        let explore = |property, plan| {
            explore(
                self.subject,
                client.clone(),
                property,
                plan,
                self.budget,
                &|_, _| {},
            )
        };
        let mut explored = explore(property, &self.plan);
        if let Ok(first) = &explored
            && first
                .error()
                .is_some_and(|found| !(self.wanted)(&found.kind))
            && let Ok(property) = (self.property)(client)
        {
            // An error of another kind ended the search before its time.
            let to_the_end = Plan {
                keep_going: true,
                ..self.plan
            };
            explored = explore(property, &to_the_end);
        }
        let Ok(explored) = explored else {
            return Trial::Clean(Assurance::Exhausted);
        };
        let exhausted = matches!(explored.coverage, Coverage::Exhausted { .. });
        match explored.found.into_iter().find(|f| (self.wanted)(&f.kind)) {
            Some(found) => Trial::Bad(Box::new(found.execution)),
            None if exhausted => Trial::Clean(Assurance::Exhausted),
            None if self.is_out_of_budget() => Trial::OutOfBudget,
            None => Trial::Clean(Assurance::Sampled),
        }
    }
}

/// What is wrong with a run.
fn kinds(watched: &Watched) -> Vec<Kind> {
    let execution = &watched.execution;
    let mut kinds = Vec::new();
    if !watched.good {
        kinds.push(Kind::Violation);
    }
    match &execution.end {
        End::Fault => {
            let fault = execution.steps.last().and_then(|s| s.fault.clone());
            kinds.extend(fault.map(Kind::Fault));
        }
        End::Suffix(fault) => kinds.push(Kind::Fault(fault.clone())),
        End::Complete | End::Deadlock(_) | End::StepLimit | End::Cut => {}
    }
    let endings = execution.steps.iter().filter_map(|s| s.returned.as_ref());
    for ending in endings.map(|r| &r.1).chain(&execution.after) {
        if let Ending::Threw(message) = ending {
            kinds.push(Kind::Panic(message.clone()));
        }
    }
    kinds
}

/// Lets threads go in a given order, passing over those that cannot.
struct Imitation<'a> {
    order: std::slice::Iter<'a, Choice>,
}

impl<'a> Imitation<'a> {
    fn of(schedule: &'a Schedule) -> Self {
        Self {
            order: schedule.0.iter(),
        }
    }
}

impl Strategy for Imitation<'_> {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        let next = self.order.find(|c| scene.ready.contains(c));
        next.or(scene.ready.first()).copied()
    }
}
