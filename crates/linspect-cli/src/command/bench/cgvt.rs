//! Table II of CGVT: a fault is detected in long random runs, and the run is made the smallest test that shows it.

use super::row::Row;
use crate::command::test::show_client;
use crate::failure::Failure;
use crate::limits::Limits;
use cpu_time::ProcessTime;
use linspect_core::client::{Client, Declared};
use linspect_core::machine::Subject;
use linspect_core::property::Linearizable;
use linspect_core::random::Random;
use linspect_core::spec::{Erased, Spec, Visitor};
use linspect_diagnose::minimise::{Explorer, MinimalTest, minimise, witness};
use linspect_explore::clients::random;
use linspect_explore::detect::{Sampler, detect};
use linspect_explore::search::{Kind, Plan};
use linspect_explore::watch::Watched;
use linspect_vm::Code;
use linspect_zoo::{Case, Figure, Long, Object};
use rayon::prelude::*;
use std::time::Duration;

/// How many runs each way to choose schedules gets.
const SEEDS: u64 = 50;

/// Detection and minimisation together may take this long. Both run in one thread, so the time of the process is what they take, whatever else the machine does.
const ROW: Duration = Duration::from_secs(1);

/// Executions of one smaller client.
const TRIAL: u64 = 50_000;

/// PCT and D-PCT change priorities once in so many operations: every stretch of a long run is one more attempt at a fault of depth 2.
const STRETCH: usize = 10;

/// One row of the table.
pub(super) struct Smallest<'a> {
    object: &'a Object,
    case: &'a Case,
    long: &'a Long,
    code: &'a Code,
    declared: Vec<Declared>,
}

/// A bad run.
struct Detected {
    client: Client,
    watched: Watched,
    /// Runs that it took.
    runs: u64,
}

impl<'a> Smallest<'a> {
    pub(super) fn new(
        object: &'a Object,
        case: &'a Case,
        long: &'a Long,
        code: &'a Code,
    ) -> Result<Self, Failure> {
        let declared = long
            .declared(code.operations())
            .map_err(|error| Failure::Usage {
                message: format!("{}: {error}", object.name),
                help: "correct the zoo's description",
            })?;
        Ok(Self {
            object,
            case,
            long,
            code,
            declared,
        })
    }

    fn depth(&self) -> u32 {
        let operations = self.long.threads * self.long.operations;
        u32::try_from(1 + operations / STRETCH).expect("few operations")
    }

    fn client(&self, seed: u64) -> Client {
        let Long {
            threads,
            operations,
            ..
        } = *self.long;
        random(&self.declared, threads, operations, &mut Random::new(seed))
    }

    /// The run of a seed, if it is bad.
    fn run(&self, spec: &Erased<'_>, sampler: Sampler, seed: u64) -> Option<(Client, Watched)> {
        let client = self.client(seed);
        let mut property = Linearizable::new(spec, &client, &self.declared).ok()?;
        let watched = detect(self.code, &client, &mut property, sampler, seed).ok()?;
        (!watched.good).then_some((client, watched))
    }

    /// The first bad run.
    fn detect(&self, spec: &Erased<'_>) -> Option<Detected> {
        (0..SEEDS).find_map(|seed| {
            let (client, watched) = self.run(
                spec,
                Sampler::Dpct {
                    depth: self.depth(),
                },
                seed,
            )?;
            Some(Detected {
                client,
                watched,
                runs: seed + 1,
            })
        })
    }

    fn minimise(&self, spec: &Erased<'_>, detected: &Detected) -> MinimalTest {
        let witness = |history: &_| witness(history, spec);
        let limits = Limits::start(Some(10 * ROW), usize::MAX);
        let mut explorer = Explorer {
            subject: self.code,
            property: |client: &Client| Linearizable::new(spec, client, &self.declared),
            witness: &witness,
            wanted: |kind| *kind == Kind::Violation,
            plan: Plan {
                executions: Some(TRIAL),
                ..Plan::exhaustive()
            },
            budget: &limits,
        };
        minimise(
            &detected.client,
            &detected.watched.execution,
            &self.declared,
            &mut explorer,
        )
    }

    /// How many of the runs are bad, for each way to choose schedules.
    fn rates(&self, spec: &Erased<'_>) -> String {
        let samplers = [
            ("random", Sampler::Random),
            (
                "pct",
                Sampler::Pct {
                    depth: self.depth(),
                },
            ),
            (
                "dpct",
                Sampler::Dpct {
                    depth: self.depth(),
                },
            ),
        ];
        let rates = samplers.map(|(name, sampler)| {
            let seeds = (0..SEEDS).into_par_iter();
            let bad = seeds.filter(|&seed| self.run(spec, sampler, seed).is_some());
            format!("{name} {}/{SEEDS}", bad.count())
        });
        rates.join(", ")
    }

    fn figure(&self, name: &str) -> String {
        match self.case.figures.get(name) {
            Some(Figure::Text(text)) => text.clone(),
            Some(Figure::Whole(number)) => number.to_string(),
            _ => "–".into(),
        }
    }
}

impl Visitor for Smallest<'_> {
    type Output = Row;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Row
    where
        S::State: Send,
        S::Call: Send,
    {
        let spec = &Erased::new(spec);
        let start = ProcessTime::now();
        let detected = self.detect(spec);
        let detection = start.elapsed();
        let minimised = detected.as_ref().map(|d| self.minimise(spec, d));
        let time = start.elapsed();
        let theirs = self.figure("operations");
        let (ours, reached) = match (detected, minimised) {
            (Some(detected), Some(test)) => {
                let size: usize = test.client.threads.iter().map(Vec::len).sum();
                let largest = theirs.rsplit('-').next().and_then(|n| n.parse().ok());
                let small = largest.is_some_and(|n: usize| size <= n);
                let text = format!(
                    "{size} {}: {} (type {})\n      detected in run {} of dpct, {} ms; minimised in {} ms",
                    if test.is_certified() {
                        "certified"
                    } else {
                        "not certified"
                    },
                    show_client(&test.client, &self.declared),
                    1 + u8::from(test.is_revealed_late()),
                    detected.runs,
                    detection.as_millis(),
                    (time - detection).as_millis(),
                );
                let reached = small
                    && test.is_certified()
                    && (time < ROW || cfg!(debug_assertions))
                    && !self.case.linearizable;
                (text, reached)
            }
            _ => ("no bad run".into(), self.case.linearizable),
        };
        Row {
            name: self.case.row.clone(),
            object: self.object.name.clone(),
            theirs,
            ours: format!("{ours}\n      bad runs: {}", self.rates(spec)),
            reached,
            time,
        }
    }
}
