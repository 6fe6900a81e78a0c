//! What whoever waits for a finding can hear while it is looked for.

use crate::clock_budget::ClockBudget;
use linspect_explore::search::Progress;

/// Something that happened on the way to a finding.
#[derive(Clone, Copy, Debug)]
pub enum PipelineEvent {
    /// A search begins, within these limits. It may begin again, with other settings.
    Started {
        /// Whether there is one client only.
        alone: bool,
        /// How long it may take.
        limits: ClockBudget,
    },
    /// The search has come so far. Clients run beside each other and some come again, so what is heard may be older than what was heard before.
    Explored(Progress),
    /// Something was found, and now this is done about it.
    Entered(&'static str),
}

/// Who hears of it.
pub trait Events: Sync {
    /// Hears of `event`. Several threads may tell at once.
    fn hear(&self, event: PipelineEvent);
}

/// Nobody, who hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silence;

impl Events for Silence {
    fn hear(&self, _: PipelineEvent) {}
}
