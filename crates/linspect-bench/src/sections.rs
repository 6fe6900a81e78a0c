//! The rows of RC: which sections must be atomic.

use crate::row::Row;
use crate::rows::Bench;
use linspect_core::client::Client;
use linspect_core::machine::StartError;
use linspect_core::machine::Subject;
use linspect_core::property::Linearizable;
use linspect_core::random::Random;
use linspect_core::spec::{Erased, Spec, Visitor};
use linspect_diagnose::repair::eliminators::eliminators;
use linspect_diagnose::repair::{self, Diagnosis, Measure, measure, repair};
use linspect_diagnose::trace::{ConflictEvent, ConflictTrace};
use linspect_zoo::ExpectedSection;
use std::time::{Duration, Instant};

/// A client is diagnosed within this time, exploration included.
const SECOND: Duration = Duration::from_secs(1);

/// A trace of ten thousand events has its eliminators within this time.
const TENTH: Duration = Duration::from_millis(100);

/// The sections that must be atomic.
pub(crate) struct Sections<'a>(pub(crate) &'a Bench<'a>);

impl Visitor for Sections<'_> {
    type Output = Row;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Row
    where
        S::State: Send,
        S::Call: Send,
    {
        let Self(bench) = self;
        let start = Instant::now();
        let show =
            |s: &ExpectedSection| format!("{}:{}–{}", s.first.file, s.first.line, s.last.line);
        let theirs: Vec<String> = bench.object.repair.iter().map(show).collect();
        let erased = Erased::new(spec);
        let property = |client: &Client| {
            Linearizable::new(&erased, client, bench.code.operations())
                .expect("the case fits its specification")
        };
        let effort = repair::RepairOptions::default();
        let clients = std::slice::from_ref(bench.client);
        let diagnosis = repair(bench.code, clients, &[], &property, &effort);
        let time = start.elapsed();
        let (ours, reached) = match diagnosis {
            Err(error) => (error.to_string(), false),
            Ok(Diagnosis::Clean) => ("no bad run".into(), false),
            Ok(Diagnosis::Serial(_)) => ("wrong even serially".into(), bench.object.serial),
            Ok(Diagnosis::Sections(repairs)) => {
                let parts = |r: &repair::Repair| -> Vec<String> {
                    let one = |s: &repair::section::Section| {
                        let file = bench.zoo_path(&s.file);
                        format!("{file}:{}–{}", s.first, s.last)
                    };
                    r.sections.iter().map(one).collect()
                };
                // The truth is one of the original sections, or several where the client needs them.
                let is_true = |r: &repair::Repair| parts(r).iter().all(|p| theirs.contains(p));
                let best = repairs.first().map(|r| r.disabled);
                let first: Vec<&repair::Repair> = repairs
                    .iter()
                    .filter(|r| Some(r.disabled) == best)
                    .collect();
                let rank = repairs.iter().position(is_true);
                let shown: Vec<String> = first.iter().map(|r| parts(r).join(" + ")).collect();
                let text = format!(
                    "{}; rank of the truth: {}; classes: {} bad, {} good, {} of them disabled; {}",
                    shown.join(" or "),
                    rank.map_or_else(|| "none".to_string(), |r| (r + 1).to_string()),
                    repairs.first().map_or(0, |r| r.bad),
                    repairs.first().map_or(0, |r| r.good),
                    repairs.first().map_or(0, |r| r.disabled),
                    measured(&measure(bench.code, bench.client, &property, &effort)),
                );
                (text, first.into_iter().any(is_true))
            }
        };
        let mut row = bench.row(theirs.join(" or "), ours, reached, start);
        row.time = time;
        row.within(SECOND)
    }
}

fn measured(measure: &Result<Option<Measure>, StartError>) -> String {
    match measure {
        Ok(Some(m)) => format!(
            "a failing trace: {} events, {} conflicts, {} eliminators",
            m.events, m.conflicts, m.eliminators
        ),
        _ => "no failing trace".into(),
    }
}

/// The eliminators of one large trace.
pub(crate) fn large() -> Row {
    const EVENTS: usize = 10_000;
    const THREADS: usize = 4;
    const OPERATION: usize = 20;
    const CELLS: usize = 500;
    let mut dice = Random::new(0);
    let mut taken = [0; THREADS];
    let mut event = || {
        let thread = dice.below(THREADS);
        let operation = thread * EVENTS + taken[thread] / OPERATION;
        taken[thread] += 1;
        let cell = u32::try_from(dice.below(CELLS)).unwrap_or(0);
        let (reads, writes) = if dice.percent(70) {
            (vec![cell], vec![])
        } else {
            (vec![], vec![cell])
        };
        ConflictEvent {
            thread: u16::try_from(thread).unwrap_or(0),
            operation: u32::try_from(operation).unwrap_or(0),
            reads: reads.into(),
            writes: writes.into(),
        }
    };
    let trace = ConflictTrace {
        events: (0..EVENTS).map(|_| event()).collect(),
    };
    let limit = repair::RepairOptions::default().repairs;
    let start = Instant::now();
    let found = eliminators(&trace, &[], limit);
    let row = Row {
        name: format!("{EVENTS} events, {THREADS} threads"),
        object: "random trace".into(),
        theirs: "eliminators within 100 ms".into(),
        ours: format!(
            "{} eliminators{}",
            found.found.len(),
            if found.cut { ", the first ones" } else { "" }
        ),
        reached: !found.found.is_empty(),
        time: start.elapsed(),
    };
    row.within(TENTH)
}
