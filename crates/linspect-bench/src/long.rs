//! Long random runs of an object, and the smallest tests made of them.

use cpu_time::ProcessTime;
use linspect_core::client::{Client, Declared};
use linspect_core::defect::Defect;
use linspect_core::property::Linearizable;
use linspect_core::random::Random;
use linspect_core::spec::Erased;
use linspect_diagnose::minimise::{Explorer, MinimalTest, minimise, witness};
use linspect_engine::clock_budget::ClockBudget;
use linspect_engine::long_clients::depth;
use linspect_explore::clients::random;
use linspect_explore::detect::{Sampler, detect};
use linspect_explore::monitor::MonitoredRun;
use linspect_explore::search::Plan;
use linspect_vm::LoadedProgram;
use std::time::Duration;

/// Detection and minimisation together may take this long. Both run in one thread, so the time of the process is what they take, whatever else the machine does.
pub(crate) const BAR: Duration = Duration::from_secs(1);

/// Executions of one smaller client.
const TRIAL: u64 = 50_000;

/// Random clients of one size.
pub(crate) struct LongRuns<'a> {
    pub(crate) code: &'a LoadedProgram,
    /// What they call.
    pub(crate) declared: Vec<Declared>,
    pub(crate) threads: usize,
    /// Of each thread.
    pub(crate) operations: usize,
}

/// A bad run.
pub(crate) struct Detected {
    pub(crate) client: Client,
    pub(crate) watched: MonitoredRun,
    /// Runs that it took.
    pub(crate) runs: u64,
    pub(crate) time: Duration,
}

/// What became of it.
pub(crate) struct Minimised {
    pub(crate) test: MinimalTest,
    pub(crate) time: Duration,
}

impl LongRuns<'_> {
    /// The depth of faults that PCT and D-PCT look for.
    pub(crate) fn depth(&self) -> u32 {
        depth(self.threads * self.operations)
    }

    fn client(&self, seed: u64) -> Client {
        random(
            &self.declared,
            self.threads,
            self.operations,
            &mut Random::new(seed),
        )
    }

    /// The run of a seed, if it is bad.
    pub(crate) fn run(
        &self,
        spec: &Erased<'_>,
        sampler: Sampler,
        seed: u64,
    ) -> Option<(Client, MonitoredRun)> {
        let client = self.client(seed);
        let mut property = Linearizable::new(spec, &client, &self.declared).ok()?;
        let watched = detect(self.code, &client, &mut property, sampler, seed).ok()?;
        (!watched.good).then_some((client, watched))
    }

    /// The first bad run.
    pub(crate) fn detect(
        &self,
        spec: &Erased<'_>,
        sampler: Sampler,
        seeds: std::ops::Range<u64>,
    ) -> Option<Detected> {
        let start = ProcessTime::now();
        let first = seeds.start;
        seeds.into_iter().find_map(|seed| {
            let (client, watched) = self.run(spec, sampler, seed)?;
            Some(Detected {
                client,
                watched,
                runs: seed + 1 - first,
                time: start.elapsed(),
            })
        })
    }

    /// The smallest test.
    pub(crate) fn minimise(&self, spec: &Erased<'_>, detected: &Detected) -> Minimised {
        let start = ProcessTime::now();
        let witness = |history: &_| witness(history, spec);
        // Times mean nothing in a build for debugging.
        let time = (!cfg!(debug_assertions)).then_some(10 * BAR);
        let limits = ClockBudget::start(time, usize::MAX);
        let mut explorer = Explorer {
            subject: self.code,
            property: |client: &Client| Linearizable::new(spec, client, &self.declared),
            witness: &witness,
            wanted: &Defect::Violation,
            plan: Plan {
                executions: Some(TRIAL),
                ..Plan::exhaustive()
            },
            budget: &limits,
        };
        let test = minimise(
            &detected.client,
            &detected.watched.execution,
            &self.declared,
            &mut explorer,
        );
        Minimised {
            test,
            time: start.elapsed(),
        }
    }
}
