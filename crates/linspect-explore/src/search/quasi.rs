//! How relaxed an object is: the smallest k at which every explored history passes.

use super::coverage::{Coverage, Stopped};
use super::{Plan, SearchError};
use crate::class::{Judge, Judgement};
use crate::strategies::exhaustive::{self, exhaustive};
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::machine::Subject;
use linspect_core::property::Property;
use linspect_core::schedule::Schedule;
use linspect_core::spec::Unfit;
use std::ops::ControlFlow;

/// How relaxed an object is in one client.
#[derive(Clone, Debug, PartialEq)]
pub struct Relaxation {
    /// The smallest relaxation at which every history passes; nothing if not even the largest tried is enough.
    pub k: Option<u32>,
    /// A schedule that needs it, unless it is 0.
    pub schedule: Option<Schedule>,
    /// What was covered.
    pub coverage: Coverage,
}

/// The smallest `k` up to `most` for which all runs of `client` are good by `property(k)`, which must only weaken with `k`.
pub fn smallest_relaxation<S: Subject, P: Property>(
    subject: &S,
    client: &Client,
    property: impl Fn(u32) -> Result<P, Unfit>,
    most: u32,
    plan: &Plan,
    budget: &dyn Budget,
) -> Result<Relaxation, SearchError> {
    let mut machine = subject.start(client)?;
    let mut k = Some(0);
    let mut judge = Judge::new(property(0)?, plan.class_limit);
    let mut schedule = None;
    let mut executions = 0;
    let mut stopped = None;
    let mut failed = None;
    let options = exhaustive::Options {
        bounds: plan.bounds,
        order: Vec::new(),
    };
    let walk = exhaustive(&mut machine, &options, &mut |leaf| {
        executions += 1;
        while let (Some(now), Judgement::Bad(bad)) = (k, judge.judge(leaf)) {
            schedule = Some(bad);
            k = (now < most).then_some(now + 1);
            match k.map(&property).transpose() {
                Ok(Some(next)) => judge = Judge::new(next, plan.class_limit),
                Ok(None) => {}
                Err(unfit) => failed = Some(unfit),
            }
        }
        stopped = budget.exhausted(0).map(Stopped::Limit);
        if k.is_none() {
            stopped = Some(Stopped::Error);
        }
        if stopped.is_some() || failed.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if let Some(unfit) = failed {
        return Err(unfit.into());
    }
    let coverage = match stopped {
        Some(reason) => Coverage::Unknown {
            executions,
            reason,
            done: 0.0,
        },
        None if walk.limited > 0 => Coverage::Bounded {
            executions,
            bounds: vec![super::Bound::StepsPerThread(plan.bounds.steps_per_thread)],
        },
        None => Coverage::Exhausted { executions },
    };
    Ok(Relaxation {
        k,
        schedule,
        coverage,
    })
}
