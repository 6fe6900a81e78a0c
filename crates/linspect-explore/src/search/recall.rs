//! Explorations of clients that were made before, by this process or by another, and need not be made again.
//!
//! What the exploration of a client comes to depends on the program, the client and the plan alone, as long as no clock ends it. So it can be written down and
//! read again: the search then goes on as if it had just been made. Of what was found only the schedules are kept; each is run again and judged again before anybody
//! hears of it, as always. A schedule that does not show again what it showed is no reason for an error: its client is explored anew.

use super::confirm::confirm;
use super::coverage::{Coverage, Stopped};
use super::explored::Explored;
use super::walk_record::WalkRecord;
use super::{DefectiveRun, Plan};
use crate::strategies::graph::WalkPart;
use crate::stuck::Stuck;
use linspect_core::client::Client;
use linspect_core::machine::{Machine, Subject};
use linspect_core::property::Property;
use linspect_core::schedule::Schedule;
use linspect_core::spec::Unfit;

/// Who remembers explorations of one program, as it is set up for this search.
pub trait Recall: Sync {
    /// What the exploration of `client` by `plan` came to, if that is known.
    fn recall(&self, client: &Client, plan: &Plan) -> Option<Recalled>;

    /// Hears what it came to. No clock ended it, so it would come to the same again.
    fn note(&self, client: &Client, plan: &Plan, explored: &Explored);

    /// What a part of a walk came to, if that is known.
    fn part(&self, walk: &WalkName<'_>, part: &WalkPart) -> Option<WalkRecord>;

    /// Hears what a part of a walk came to so far.
    fn note_part(&self, walk: &WalkName<'_>, part: &WalkPart, record: WalkRecord);

    /// Whether it is time to hear how far a walk is.
    fn is_due(&self) -> bool;

    /// How many leaves of a walk are walked at once, if what is left then is put off; none at all: it is only asked what is left.
    fn most_leaves(&self) -> Option<u64>;

    /// Hears which parts of a walk were put off, in their order.
    fn put_off(&self, walk: &WalkName<'_>, parts: Vec<WalkPart>);
}

/// Which walk over the graphs of a client: what decides what its parts come to.
#[derive(Clone, Copy, Debug)]
pub struct WalkName<'a> {
    /// The client.
    pub client: &'a Client,
    /// How it is explored.
    pub plan: &'a Plan,
    /// Whether freed memory is never used again.
    pub fresh: bool,
    /// After how many steps a thread is stopped.
    pub steps: u32,
}

/// An exploration as it was written down.
#[derive(Clone, Debug, PartialEq)]
pub struct Recalled {
    /// What it came to, without what was found.
    pub explored: Explored,
    /// What was found, in the same order.
    pub found: Vec<RecalledRun>,
}

/// A run that showed something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecalledRun {
    /// Who went when.
    pub schedule: Schedule,
    /// What it showed, as [`told`] says it.
    pub told: String,
}

/// A defect in one word of our own: equal for equal ones.
pub fn told(run: &DefectiveRun) -> String {
    format!("{:?}", run.kind)
}

impl Recalled {
    /// The exploration as it was, what was found run again; nothing if that shows something else now.
    pub(super) fn again<S: Subject, P: Property>(
        self,
        subject: &S,
        fresh: Option<&S>,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
    ) -> Option<Explored> {
        let Self {
            mut explored,
            found,
        } = self;
        if found.is_empty() {
            return Some(explored);
        }
        let subject = match explored.fresh {
            true => fresh?,
            false => subject,
        };
        let client = explored.client.clone();
        let mut machine = subject.start(&client).ok()?;
        let start = machine.snapshot();
        let mut property = property(&client).ok()?;
        let mut stuck = Stuck::new(subject, &client);
        for RecalledRun { schedule, told: by } in found {
            let shown = confirm(&mut machine, &start, &schedule, &mut property, &mut stuck).ok()?;
            let runs = shown.defects.into_iter().map(|kind| DefectiveRun {
                kind,
                schedule: schedule.clone(),
                execution: shown.execution.clone(),
            });
            explored
                .found
                .push(runs.into_iter().find(|run| told(run) == by)?);
        }
        Some(explored)
    }
}

impl Explored {
    /// Whether it would come to the same again, given whether a clock has run out since it began.
    pub(super) fn is_repeatable(&self, is_late: bool) -> bool {
        let stopped = match self.coverage {
            Coverage::Unknown { reason, .. } => Some(reason),
            _ => None,
        };
        let by_clock = matches!(
            stopped,
            Some(Stopped::Limit(_) | Stopped::Share | Stopped::Machine | Stopped::PutOff)
        );
        !is_late && !by_clock
    }
}
