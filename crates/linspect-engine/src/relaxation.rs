//! `--relax K` and `--min-k`: whether an object is relaxed by no more than `k`, and by how much it is over everything explored.
//!
//! Which clients there are is decided by the strict object, so the same are explored for every `k`.

use super::chosen::Chosen;
use super::counterexample::Counterexample;
use super::investigate::Investigation;
use super::investigated::Investigated;
use super::program;
use super::request::Task;
use super::spec_source::{Lenient, SpecSource, failures};
use crate::clock_budget::ClockBudget;
use crate::error::Error;
use crate::events::PipelineEvent;
use crate::finding::annotate::Annotator;
use linspect_core::client::Client;
use linspect_core::history::History;
use linspect_core::machine::Subject;
use linspect_core::property::Linearizable;
use linspect_core::spec::{Erased, Spec, Visitor};
use linspect_core::value::Value;
use linspect_core::verdict::Criterion;
use linspect_diagnose::minimise::witness;
use linspect_explore::run::schedule;
use linspect_explore::search::{
    DefectiveRun, Kept, Plan, Progress, SearchError, SearchOutcome, search, smallest_relaxation,
};
use linspect_report::finding::{Checked, Finding, Verdict};
use std::time::Instant;

/// How relaxed an object may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relax {
    /// k-quasi-linearizable.
    By(u32),
    /// k-quasi-linearizable with a k to be found.
    Least,
}

/// How relaxed an object was found to be.
pub struct SmallestK {
    /// The answer in words.
    pub said: String,
    /// What happens with one less.
    pub less: Option<Finding>,
}

/// Investigates an object that should behave like `measure`: exactly, or as relaxed as is said.
pub(super) fn investigate(
    mut investigation: Investigation<'_>,
    measure: &SpecSource,
    relax: Option<Relax>,
) -> Result<Investigated, Error> {
    let Some(relax) = relax else {
        let failures = failures(investigation.code.operations())?;
        if !failures.is_empty() {
            // The fast deciders know nothing of failures.
            return measure.strictly(Lenient {
                visitor: investigation,
                failures,
            });
        }
        if let SpecSource::Builtin(builtin) = measure {
            investigation.builtin = Some(builtin.clone());
        }
        return measure.strictly(investigation);
    };
    let Some(fits) = measure.relaxed(0, Fit(&investigation)) else {
        return Err(Error::Rigid(measure.name().to_owned()));
    };
    fits?;
    if investigation.clients.is_none() {
        investigation.clients = Some(measure.strictly(Clients(&investigation))?);
    }
    match (relax, investigation.task) {
        (Relax::By(k), _) => by(investigation, measure, k),
        (_, Task::Search | Task::Orderings) => least(investigation, measure),
        // One run was seen with one k.
        _ => Err(Error::LeastOfOneRun),
    }
}

fn by(
    mut investigation: Investigation<'_>,
    measure: &SpecSource,
    k: u32,
) -> Result<Investigated, Error> {
    investigation.criterion = criterion(k);
    investigation.replay = investigation.replay.relaxed(k);
    let failures = failures(investigation.code.operations())?;
    let investigated = relaxed(measure, k, &failures, investigation);
    investigated.unwrap_or_else(|| Err(Error::Rigid(measure.name().to_owned())))
}

/// Searches with larger and larger k; where none helps, shows what is wrong with the largest.
fn least(
    mut investigation: Investigation<'_>,
    measure: &SpecSource,
) -> Result<Investigated, Error> {
    let start = Instant::now();
    let chosen = investigation.clients.clone();
    let Chosen {
        promise,
        clients,
        next,
        ..
    } = chosen.expect("they are listed");
    let most = most(&investigation, &clients)?;
    let failures = failures(investigation.code.operations())?;
    let limits = investigation.effort.limits();
    investigation.keep_to(limits);
    investigation.events.hear(PipelineEvent::Started {
        alone: clients.len() == 1,
        limits,
    });
    let found = smallest_relaxation(most, |k, first| {
        let rest = Rest {
            investigation: &investigation,
            clients: &clients,
            first,
            limits: &limits,
        };
        relaxed(measure, k, &failures, rest).expect("it can be relaxed by 0")
    })
    .map_err(Error::from)?;
    let Some(k) = found.k else {
        let failing = found.outcome.error().map(|(client, _)| client.clone());
        let method = investigation.effort.method;
        investigation.clients = failing.map(|client| Chosen::named(vec![client], method));
        let investigated = by(investigation, measure, most)?;
        let said = "smallest k: none, not only the order of elements is wrong".into();
        return Ok(Investigated {
            smallest_k: Some(SmallestK { said, less: None }),
            ..investigated
        });
    };
    let checked = Checked::new(&investigation.name, measure.name(), criterion(k))
        .of_type(investigation.code.object_type());
    let mut kept = Kept::of(&found.outcome, clients.len());
    kept.ledger.next = kept.ledger.next.or(next);
    let mut finding = investigation.nothing_found(&kept, &promise, checked);
    let raced = investigation.raced(&kept);
    if let Some(first) = raced.first().filter(|_| investigation.races.fail) {
        finding.verdict = first.verdict();
    }
    let searched = start.elapsed();
    let less = found.needed_by.as_ref().map(|(client, found)| {
        investigation.enter("looking for the smallest test that needs it");
        let less = k - 1;
        let limits = limits.rest();
        investigation.keep_to(limits);
        let not_enough = NotEnough {
            investigation: &investigation,
            client,
            found,
            k: less,
            limits,
        };
        relaxed(measure, less, &failures, not_enough).expect("it can be relaxed by 0")
    });
    let notes = investigation.notes(&kept, &raced);
    investigation.complete(&mut finding, raced);
    Ok(Investigated {
        orderings: None,
        smallest_k: Some(SmallestK {
            said: answer(k, &finding),
            less: less.transpose()?,
        }),
        finding,
        elapsed: start.elapsed(),
        searched,
        notes,
        progress: None,
        seen: investigation.seen(&kept),
        test: None,
        tree: None,
        listed: Vec::new(),
        wrong: false,
    })
}

/// Does something with the specification relaxed by `k`, in which operations may fail beside others; nothing if it has no order that could be relaxed.
fn relaxed<V: Visitor>(
    measure: &SpecSource,
    k: u32,
    failures: &[(String, Value)],
    visitor: V,
) -> Option<V::Output> {
    if failures.is_empty() {
        return measure.relaxed(k, visitor);
    }
    let lenient = Lenient {
        visitor,
        failures: failures.to_vec(),
    };
    measure.relaxed(k, lenient)
}

/// Nobody can overtake, or be overtaken by, more operations than there are.
fn most(investigation: &Investigation<'_>, clients: &[Client]) -> Result<u32, Error> {
    let most = match investigation.is_program() {
        true => program::first_history(investigation.code)?.operations.len(),
        false => clients.iter().map(Client::size).max().unwrap_or(0),
    };
    Ok(u32::try_from(most).unwrap_or(u32::MAX))
}

/// The answer, which claims no more than was covered.
fn answer(k: u32, finding: &Finding) -> String {
    match &finding.verdict {
        Verdict::Unknown { reason } => format!("smallest k: at least {k}, then {reason}"),
        _ if k == 0 => "smallest k: 0, what was explored is linearizable".into(),
        _ => format!("smallest k: {k} for what was explored, with less it does not hold:"),
    }
}

fn criterion(k: u32) -> Criterion {
    match k {
        0 => Criterion::Linearizable,
        k => Criterion::Quasi { k },
    }
}

/// Whether the relaxed specification has the object's operations.
struct Fit<'a>(&'a Investigation<'a>);

impl Visitor for Fit<'_> {
    type Output = Result<(), Error>;

    fn visit<S: Spec>(self, spec: &S) -> Self::Output {
        if self.0.is_program() {
            return Ok(());
        }
        super::spec_source::fits(self.0.code, spec)
    }
}

/// How many clients are listed at most: the same for every k.
const LISTED: usize = 20_000;

/// The clients to run.
struct Clients<'a>(&'a Investigation<'a>);

impl Visitor for Clients<'_> {
    type Output = Result<Chosen<'static>, Error>;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Self::Output
    where
        S::State: Send,
        S::Call: Send,
    {
        let Self(investigation) = self;
        if investigation.is_program() {
            let method = investigation.effort.method;
            return Ok(Chosen::named(vec![Client::default()], method));
        }
        let spec = Erased::new(spec);
        let family = investigation.family(&spec, investigation.code.operations())?;
        let mut clients = family.clients();
        Ok(Chosen {
            promise: investigation.promise(&family),
            clients: clients.by_ref().take(LISTED).collect(),
            next: clients.next().map(|client| client.size()),
            warm: None,
        })
    }
}

/// Searches the clients from number `first` on.
struct Rest<'a> {
    investigation: &'a Investigation<'a>,
    clients: &'a [Client],
    first: usize,
    limits: &'a ClockBudget,
}

impl Visitor for Rest<'_> {
    type Output = Result<SearchOutcome, SearchError>;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Self::Output
    where
        S::State: Send,
        S::Call: Send,
    {
        let code = self.investigation.code;
        let spec = Erased::new(spec);
        let property = |client: &Client| Linearizable::new(&spec, client, code.operations());
        let plan = Plan::exhaustive().with(self.investigation.effort.method);
        let clients = self.clients[self.first..].iter().cloned();
        search(code, clients, property, &plan, self.limits, &|progress| {
            self.investigation
                .events
                .hear(PipelineEvent::Explored(Progress {
                    client: self.first + progress.client,
                    ..progress
                }));
        })
    }
}

/// Tells of a run that is too much for `k`, with as few operations as can be.
struct NotEnough<'a> {
    investigation: &'a Investigation<'a>,
    client: &'a Client,
    found: &'a DefectiveRun,
    k: u32,
    limits: ClockBudget,
}

impl Visitor for NotEnough<'_> {
    type Output = Result<Finding, Error>;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Self::Output
    where
        S::State: Send,
        S::Call: Send,
    {
        let Self {
            investigation, k, ..
        } = self;
        let code = investigation.code;
        let spec = &Erased::new(spec);
        let property = |client: &Client| Linearizable::new(spec, client, code.operations());
        let explained = |history: &History| witness(history, spec);
        let found = Counterexample::found(self.client, self.found);
        let test = investigation.minimise(
            &found,
            &property,
            &explained,
            investigation.code.operations(),
            &self.limits,
        );
        let schedule = schedule(&test.execution);
        let checked = Checked::new(&investigation.name, spec.name(), criterion(k))
            .of_type(investigation.code.object_type());
        let judged = |history: &History| investigation.judge(spec, history);
        let annotator = Annotator::new(code);
        let (mut finding, _, projection) =
            investigation.describe(&annotator, &test.client, &schedule, &judged, checked)?;
        finding.coverage = investigation.one_schedule();
        let certified = test.is_certified();
        finding.minimal_test = investigation.minimal_test(&projection, &test.client, certified);
        let replay = investigation.replay.clone().relaxed(k);
        finding.replay = Some(replay.of(code, &test.client, &schedule));
        Ok(finding)
    }
}
