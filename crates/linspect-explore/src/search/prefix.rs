//! Clients that cannot be started because an operation of their sequential prefix goes wrong, or never ends.
//!
//! That is a finding like any other, and a small one: the operation alone, after those before it. So the operation is explored as the only one of a
//! client of its own, where it takes steps, has lines, and can be replayed.

use super::client::explore;
use super::coverage::{Coverage, Stopped};
use super::explored::Explored;
use super::livelock;
use super::memory_use::MemoryUse;
use super::{DefectiveRun, Plan, SearchError};
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::End;
use linspect_core::machine::{Machine, StartError, Subject};
use linspect_core::property::Property;
use linspect_core::run::{Bounds, Follow, Nobody, Uninterrupted, run};
use linspect_core::schedule::Schedule;
use linspect_core::spec::Unfit;
use std::collections::BTreeSet;

/// Explores `client`; if its prefix does not end as it should, the operation to blame alone.
pub(super) fn explore_all<S: Subject, P: Property>(
    subject: &S,
    client: Client,
    property: &impl Fn(&Client) -> Result<P, Unfit>,
    plan: &Plan,
    budget: &dyn Budget,
    progress: &dyn Fn(u64, f64),
) -> Result<Explored, SearchError> {
    let alone = |client: &Client, index: usize| Client {
        before: client.before[..index].to_vec(),
        threads: vec![vec![client.before[index].clone()]],
        after: Vec::new(),
    };
    let whole = client.clone();
    match explore(subject, client, property(&whole)?, plan, budget, progress) {
        Err(SearchError::Start(StartError::Prefix { index, .. })) => {
            let blamed = alone(&whole, index);
            let held = property(&blamed)?;
            explore(subject, blamed, held, plan, budget, progress)
        }
        Err(error @ SearchError::Start(StartError::PrefixBlocks { index })) => {
            never_returning(subject, alone(&whole, index), plan, budget)?.ok_or(error)
        }
        explored => explored,
    }
}

/// What is found of a client with one operation that goes round for ever; nothing if that operation waits for something that others could do.
fn never_returning<S: Subject>(
    subject: &S,
    client: Client,
    plan: &Plan,
    budget: &dyn Budget,
) -> Result<Option<Explored>, SearchError> {
    let mut machine = subject.start(&client)?;
    let start = machine.snapshot();
    let schedule = livelock::find(&mut machine, budget);
    machine.restore(&start);
    let execution = match &schedule {
        Some(schedule) => run(
            &mut machine,
            &mut Follow::new(schedule),
            Bounds::NONE,
            &mut Nobody,
        ),
        None => run(&mut machine, &mut Uninterrupted, plan.bounds, &mut Nobody),
    };
    let End::Livelock(threads) = &execution.end else {
        return Ok(None);
    };
    let kind = Defect::Livelock(threads.clone());
    let choices = execution.steps.iter().map(|step| step.choice);
    Ok(Some(Explored {
        client,
        found: vec![DefectiveRun {
            kind,
            schedule: Schedule(choices.collect()),
            execution,
        }],
        coverage: Coverage::Unknown {
            executions: 1,
            reason: Stopped::Error,
            done: 0.0,
        },
        weaker: BTreeSet::new(),
        returned: BTreeSet::new(),
        memory: MemoryUse::default(),
        reused: machine.has_reused(),
        fresh: false,
    }))
}
