//! Tries clients by exploration: first like a known bad run, then every schedule as far as the effort allows.

use super::{Assurance, Tester, Trial};
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::machine::Subject;
use linspect_core::property::Property;
use linspect_core::schedule::{Choice, Schedule};
use linspect_core::spec::Unfit;
use linspect_explore::class::{Judge, Judgement};
use linspect_explore::run::run;
use linspect_explore::search::{Coverage, Kind, Plan, explore};
use linspect_explore::strategies::replay::Replay;
use linspect_explore::strategies::{Scene, Strategy};

/// Looks for runs that are bad in the same way as a known one.
pub struct Explorer<'a, S, F> {
    /// What is tested.
    pub subject: &'a S,
    /// The property of a client's runs.
    pub property: F,
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
    fn test(&mut self, client: &Client, like: &Schedule) -> Trial {
        if self.budget.exhausted(0).is_some() {
            return Trial::OutOfBudget;
        }
        // A client that does not start or does not fit shows nothing.
        let Ok(property) = (self.property)(client) else {
            return Trial::Clean(Assurance::Exhausted);
        };
        if let Some(bad) = self.imitate(client, like) {
            return bad;
        }
        let explored = explore(
            self.subject,
            client.clone(),
            property,
            &self.plan,
            self.budget,
            &|_, _| {},
        );
        let Ok(explored) = explored else {
            return Trial::Clean(Assurance::Exhausted);
        };
        let exhausted = matches!(explored.coverage, Coverage::Exhausted { .. });
        match explored.found.into_iter().find(|f| (self.wanted)(&f.kind)) {
            Some(found) => Trial::Bad(Box::new(found.execution)),
            None if exhausted => Trial::Clean(Assurance::Exhausted),
            None if self.budget.exhausted(0).is_some() => Trial::OutOfBudget,
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
    /// A run in the order of `like`, as far as the client can follow it, and the others of its class.
    fn imitate(&self, client: &Client, like: &Schedule) -> Option<Trial> {
        if like.0.is_empty() || !(self.wanted)(&Kind::Violation) {
            return None;
        }
        let bounds = self.plan.bounds;
        let mut machine = self.subject.start(client).ok()?;
        let first = run(&mut machine, &mut Imitation::of(like), bounds);
        let mut judge = Judge::new((self.property)(client).ok()?, self.plan.class_limit);
        let Judgement::Bad(schedule) = judge.judge(&first.leaf()) else {
            return None;
        };
        let mut machine = self.subject.start(client).ok()?;
        let again = run(&mut machine, &mut Replay::new(&schedule), bounds);
        let bad = !judge.is_good(&again.leaf());
        bad.then(|| Trial::Bad(Box::new(again.execution())))
    }
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
