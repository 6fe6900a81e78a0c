//! Clients that cannot be started because an operation of their sequential prefix goes wrong, or never ends.
//!
//! That is a finding like any other, and a small one: the operation alone, after those before it. So the operation is explored as the only one of a
//! client of its own, where it takes steps, has lines, and can be replayed.

use super::client::{Help, explore_with};
use super::coverage::{Coverage, Stopped};
use super::crew::WalkMemory;
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

/// What others who help with a client keep to.
#[derive(Clone, Copy)]
pub(super) struct Others<'a> {
    pub(super) budget: &'a (dyn Budget + Sync),
    /// Who remembers parts of the walk, if anybody does.
    pub(super) memory: Option<WalkMemory<'a>>,
}

/// Explores `client` within its `budget`, `others` who help within theirs; if its prefix does not end as it should, the operation to blame alone.
pub(super) fn explore_all<S: Subject, P: Property>(
    subject: &S,
    client: Client,
    property: &(impl Fn(&Client) -> Result<P, Unfit> + Sync),
    plan: &Plan,
    budget: &dyn Budget,
    others: Others<'_>,
    progress: &dyn Fn(u64, f64),
) -> Result<Explored, SearchError> {
    // What goes wrong on a thread that warms up goes wrong, too, where those that warm up until then are threads.
    let alone = |client: &Client, index: usize| {
        let first = if index < client.warm.len() { 0 } else { index };
        let mut threads = vec![Vec::new(); client.threads.len().max(1)];
        for at in first..=index {
            let thread = client.warms_up(at).unwrap_or(0);
            threads[usize::from(thread)].push(client.before[at].clone());
        }
        threads.retain(|thread| !thread.is_empty());
        Client {
            before: client.before[..first].to_vec(),
            threads,
            ..Client::default()
        }
    };
    let make = |client: &Client| property(client).ok();
    let explore = |client: Client| {
        let held = property(&client)?;
        let help = Help {
            property: &make,
            budget: others.budget,
            memory: others.memory,
        };
        explore_with(subject, client, held, plan, budget, progress, Some(help))
    };
    let given = client.clone();
    match explore(client) {
        Err(SearchError::Start(StartError::Prefix { index, .. })) => explore(alone(&given, index)),
        Err(error @ SearchError::Start(StartError::PrefixBlocks { index })) => {
            never_returning(subject, alone(&given, index), plan, budget)?.ok_or(error)
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
    let schedule = livelock::find(&mut machine, false, budget);
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
        sleeps: false,
        counts: true,
        returned: BTreeSet::new(),
        memory: MemoryUse::default(),
        reused: machine.has_reused(),
        fresh: false,
    }))
}
