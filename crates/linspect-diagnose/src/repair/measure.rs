//! Figures of one failing trace, as the paper's table has them.

use super::RepairOptions;
use super::classes::Tested;
use super::eliminators::eliminators;
use crate::trace::ConflictTrace;
use linspect_core::client::Client;
use linspect_core::execution::SiteId;
use linspect_core::machine::{StartError, Subject};
use linspect_core::property::Property;

/// How large a failing trace is, and what rules it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Its events.
    pub events: usize,
    /// Pairs of its events in conflict.
    pub conflicts: usize,
    /// Its optimal eliminators, at most as many as the effort allows.
    pub eliminators: usize,
}

/// Measures the first failing trace of `client`; `None` if it has none.
pub fn measure<S: Subject, P: Property>(
    subject: &S,
    client: &Client,
    property: &dyn Fn(&Client) -> P,
    effort: &RepairOptions<'_>,
) -> Result<Option<Measure>, StartError> {
    let site = |id: SiteId| subject.site(id);
    let tested = Tested {
        subject,
        client,
        property,
        effort,
        site: &site,
    };
    let Some(execution) = tested.first_bad()? else {
        return Ok(None);
    };
    let trace = ConflictTrace::of(&execution);
    let conflicts = |(i, event)| {
        let later = trace.events.iter().skip(i + 1);
        later.filter(|e| e.conflicts(event)).count()
    };
    Ok(Some(Measure {
        events: trace.events.len(),
        conflicts: trace.events.iter().enumerate().map(conflicts).sum(),
        eliminators: eliminators(&trace, &[], effort.repairs).found.len(),
    }))
}
