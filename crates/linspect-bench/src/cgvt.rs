//! Table II of CGVT: a fault is detected in long random runs, and the run is made the smallest test that shows it.

use crate::failure::Failure;
use crate::long::{BAR, LongRuns};
use crate::row::Row;
use cpu_time::ProcessTime;
use linspect_core::machine::Subject;
use linspect_core::spec::{Erased, Spec, Visitor};
use linspect_engine::client_text::show as show_client;
use linspect_explore::detect::Sampler;
use linspect_vm::LoadedProgram;
use linspect_zoo::{Case, Figure, Long, Object};
use rayon::prelude::*;

/// How many runs each way to choose schedules gets.
const SEEDS: u64 = 50;

/// One row of the table.
pub(crate) struct Smallest<'a> {
    object: &'a Object,
    case: &'a Case,
    runs: LongRuns<'a>,
}

impl<'a> Smallest<'a> {
    pub(crate) fn new(
        object: &'a Object,
        case: &'a Case,
        long: &'a Long,
        code: &'a LoadedProgram,
    ) -> Result<Self, Failure> {
        let declared = long
            .declared(code.operations())
            .map_err(|error| Failure::Case {
                object: object.name.clone(),
                error: error.to_string(),
            })?;
        let runs = LongRuns {
            code,
            declared,
            threads: long.threads,
            operations: long.operations,
        };
        Ok(Self { object, case, runs })
    }

    /// How many of the runs are bad, for each way to choose schedules.
    fn rates(&self, spec: &Erased<'_>) -> String {
        let depth = self.runs.depth();
        let slices = |length| Sampler::Slices { length };
        let samplers = [
            ("switching every 1000 steps", slices(1000)),
            ("100", slices(100)),
            ("10", slices(10)),
            ("random", Sampler::Random),
            ("pct", Sampler::Pct { depth }),
            ("dpct", Sampler::Dpct { depth }),
        ];
        let rates = samplers.map(|(name, sampler)| {
            let seeds = (0..SEEDS).into_par_iter();
            let bad = seeds.filter(|&seed| self.runs.run(spec, sampler, seed).is_some());
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
        let depth = self.runs.depth();
        let detected = self.runs.detect(spec, Sampler::Dpct { depth }, 0..SEEDS);
        let minimised = detected.as_ref().map(|d| self.runs.minimise(spec, d));
        let time = start.elapsed();
        let theirs = self.figure("operations");
        let (ours, reached) = match (detected, minimised) {
            (Some(detected), Some(minimised)) => {
                let test = &minimised.test;
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
                    show_client(&test.client, &self.runs.declared),
                    1 + u8::from(test.is_revealed_late()),
                    detected.runs,
                    detected.time.as_millis(),
                    minimised.time.as_millis(),
                );
                let reached = small
                    && test.is_certified()
                    && (time < BAR || cfg!(debug_assertions))
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
