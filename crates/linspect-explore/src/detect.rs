//! The detection phase of CGVT: one long run of a random client, judged while it happens.

use crate::monitor::{MonitoredRun, Until, monitor_run};
use crate::strategies::Strategy;
use crate::strategies::dpct::Dpct;
use crate::strategies::expected::Expected;
use crate::strategies::pct::Pct;
use crate::strategies::random::Uniform;
use crate::strategies::slices::Slices;
use linspect_core::client::{Client, Invocation};
use linspect_core::machine::{Machine, StartError, Subject};
use linspect_core::property::Property;
use linspect_core::run::Bounds;

/// How the steps of a long run are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampler {
    /// Uniformly at random, at every step.
    Random,
    /// Freely, for a while each.
    Slices {
        /// Steps in a slice, on average.
        length: usize,
    },
    /// PCT, which is told how long the run is.
    Pct {
        /// The depth of the faults looked for.
        depth: u32,
    },
    /// D-PCT, which finds out.
    Dpct {
        /// The depth of the faults looked for.
        depth: u32,
    },
}

/// No thread of a long run takes more steps.
const LONG: Bounds = Bounds {
    steps_per_thread: 200_000,
};

/// The run of `client` that `seed` determines, up to the first return that nothing explains.
pub fn detect<S: Subject, P: Property>(
    subject: &S,
    client: &Client,
    property: &mut P,
    sampler: Sampler,
    seed: u64,
) -> Result<MonitoredRun, StartError> {
    let mut machine = subject.start(client)?;
    let mut strategy: Box<dyn Strategy> = match sampler {
        Sampler::Random => Box::new(Uniform::new(seed)),
        Sampler::Slices { length } => Box::new(Slices::new(seed, length)),
        Sampler::Pct { depth } => {
            let start = machine.snapshot();
            let expected = Expected::measure(&mut machine, LONG);
            machine.restore(&start);
            Box::new(Pct::of(seed, depth, &expected))
        }
        Sampler::Dpct { depth } => {
            let operations =
                |thread: &Vec<Invocation>| thread.iter().map(|i| i.operation).collect();
            let kinds = client.threads.iter().map(operations).collect();
            Box::new(Dpct::learning(seed, depth, kinds))
        }
    };
    Ok(monitor_run(
        &mut machine,
        &mut *strategy,
        property,
        LONG,
        Until::Lost,
    ))
}
