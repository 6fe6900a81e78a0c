//! Step 8: the memory accesses that decide whether a run goes wrong. After Chen, Zhang, Wu and Zhang, *Interleaving-tree Based Fine-grained Linearizability
//! Fault Localization*.

mod contrast;
mod dag;
mod granularity;
mod label;
mod old_read;
mod sequence;

pub use contrast::{Contrast, contrast};
pub use dag::{Branch, Dag, MayWait, Node, NodeId, Path, Wrong};
pub use granularity::Granularity;
pub use label::{Fate, Label};
pub use old_read::{OldRead, old_read, overlooked};
pub use sequence::{Decisive, Group, Side, decisive, fewest_switches, groups};

use crate::repair::enforce::{Atomic, Atomicity};
use crate::repair::section::Sections;
use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::execution::{SiteId, Step};
use linspect_core::machine::{StartError, Subject};
use linspect_core::property::Property;
use linspect_core::schedule::{Schedule, ThreadId};
use linspect_explore::stuck::Stuck;

/// Where a fault is decided.
#[derive(Clone, Debug)]
pub struct Localisation {
    /// All interleavings of the test.
    pub dag: Dag,
    /// What counts as one event in it: what was asked for, or every access where that could not be had.
    pub granularity: Granularity,
    /// What is one event although it makes several accesses, when folded.
    pub folded: Sections,
    /// A bad run with the fewest switches between threads, access by access.
    pub schedule: Schedule,
    /// The decisive races along it.
    pub races: Vec<Decisive>,
    /// The nearest good run, if any run is good.
    pub contrast: Option<Contrast>,
}

/// Localises the fault of `client`; `None` if none of the interleavings explored is bad.
///
/// At most `limit` states are looked at, for as long as `budget` allows; the graph says whether that was everything. A granularity at which the fault cannot be seen, or for which not everything
/// could be looked at, is refined to every access.
pub fn localise<S: Subject, P: Property>(
    subject: &S,
    client: &Client,
    property: &mut P,
    shows: &dyn Fn(Wrong) -> bool,
    granularity: Granularity,
    limit: usize,
    budget: &dyn Budget,
) -> Result<Option<Localisation>, StartError> {
    let mut stuck = Stuck::new(subject, client);
    let may_wait = &mut |steps: &[&Step], waiting: &[ThreadId]| {
        stuck.is_serial(steps.iter().copied(), waiting)
    };
    let mut machine = subject.start(client)?;
    let dag = Dag::build(&mut machine, property, may_wait, limit, budget);
    let Some(walk) = fewest_switches(&dag, shows) else {
        return Ok(None);
    };
    if granularity != Granularity::All && dag.complete {
        let all = (&dag, &walk);
        let graph = |machine: &mut Atomic<'_, S::Machine>| {
            Dag::build(machine, property, may_wait, limit, budget)
        };
        let (dag, atomicity) = granularity::coarser(subject, client, granularity, all, graph)?;
        if let Some(walk) = fewest_switches(&dag, shows) {
            let mut found = Localisation::of(dag, walk);
            found.granularity = granularity;
            found.spell_out(subject, client, &atomicity)?;
            if let Atomicity::Races(sections, _) = atomicity {
                found.folded = sections;
            }
            return Ok(Some(found));
        }
    }
    Ok(Some(Localisation::of(dag, walk)))
}

impl Localisation {
    fn of(dag: Dag, schedule: Schedule) -> Self {
        Self {
            races: decisive(&dag, &schedule),
            contrast: contrast(&dag, &schedule),
            granularity: Granularity::All,
            folded: Sections::default(),
            schedule,
            dag,
        }
    }

    /// All sequences of decisive races, as [`groups`] finds them. In a deep graph they are many and long, so only who asks pays for them.
    pub fn groups(&self) -> (Vec<Group>, bool) {
        groups(&self.dag)
    }

    /// From steps of the graph to single accesses.
    fn spell_out<S: Subject>(
        &mut self,
        subject: &S,
        client: &Client,
        atomicity: &Atomicity,
    ) -> Result<(), StartError> {
        let site = |id: SiteId| subject.site(id);
        let machine = || Ok(Atomic::new(subject.start(client)?, atomicity, &site));
        let (schedule, begins) = machine()?.spell_out(&self.schedule);
        self.schedule = schedule;
        for race in &mut self.races {
            race.step = begins[race.step];
        }
        if let Some(contrast) = &mut self.contrast {
            let (schedule, begins) = machine()?.spell_out(&contrast.schedule);
            contrast.schedule = schedule;
            contrast.differs_at = begins[contrast.differs_at];
        }
        Ok(())
    }
}
