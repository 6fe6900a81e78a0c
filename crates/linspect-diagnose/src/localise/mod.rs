//! Step 8: the memory accesses that decide whether a run goes wrong. After Chen, Zhang, Wu and Zhang, *Interleaving-tree Based Fine-grained Linearizability
//! Fault Localization*.

mod contrast;
mod dag;
mod label;
mod sequence;

pub use contrast::{Contrast, contrast};
pub use dag::{Branch, Dag, Node, NodeId};
pub use label::{Fate, Label};
pub use sequence::{Decisive, Group, Side, decisive, fewest_switches, groups};

use linspect_core::machine::Machine;
use linspect_core::property::Property;
use linspect_core::schedule::Schedule;

/// Where a fault is decided.
#[derive(Clone, Debug)]
pub struct Localisation {
    /// All interleavings of the test.
    pub dag: Dag,
    /// A bad run with the fewest switches between threads.
    pub schedule: Schedule,
    /// The decisive races along it.
    pub races: Vec<Decisive>,
    /// The nearest good run, if any run is good.
    pub contrast: Option<Contrast>,
    /// All sequences of decisive races, grouped by source position.
    pub groups: Vec<Group>,
    /// Whether groups were dropped because there are too many.
    pub groups_dropped: bool,
}

/// Localises the fault of the client that `machine` is about to run; `None` if none of the interleavings explored is bad.
///
/// At most `limit` states are looked at; the graph says whether that was everything.
pub fn localise<M: Machine, P: Property>(
    machine: &mut M,
    property: &mut P,
    limit: usize,
) -> Option<Localisation> {
    let dag = Dag::build(machine, property, limit);
    let schedule = fewest_switches(&dag)?;
    let races = decisive(&dag, &schedule);
    let contrast = contrast(&dag, &schedule);
    let (groups, groups_dropped) = groups(&dag);
    Some(Localisation {
        dag,
        schedule,
        races,
        contrast,
        groups,
        groups_dropped,
    })
}
