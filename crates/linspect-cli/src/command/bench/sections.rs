//! The rows of RC: which sections must be atomic.

use super::row::Row;
use super::rows::Bench;
use linspect_core::client::Client;
use linspect_core::machine::Subject;
use linspect_core::property::Linearizable;
use linspect_core::spec::{Erased, Spec, Visitor};
use linspect_diagnose::repair::{self, Diagnosis, repair};
use linspect_zoo::Section;
use std::time::Instant;

/// The sections that must be atomic.
pub(super) struct Sections<'a>(pub(super) &'a Bench<'a>);

impl Visitor for Sections<'_> {
    type Output = Row;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Row
    where
        S::State: Send,
        S::Call: Send,
    {
        let Self(bench) = self;
        let start = Instant::now();
        let show = |s: &Section| format!("{}:{}–{}", s.first.file, s.first.line, s.last.line);
        let theirs: Vec<String> = bench.object.repair.iter().map(show).collect();
        let erased = Erased::new(spec);
        let property = |client: &Client| {
            Linearizable::new(&erased, client, bench.code.operations())
                .expect("the case fits its specification")
        };
        let diagnosis = repair(
            bench.code,
            std::slice::from_ref(bench.client),
            &[],
            &property,
            &repair::Effort::default(),
        );
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
                    "{}; rank of the truth: {}; {} bad and {} good classes",
                    shown.join(" or "),
                    rank.map_or_else(|| "none".to_string(), |r| (r + 1).to_string()),
                    repairs.first().map_or(0, |r| r.bad),
                    repairs.first().map_or(0, |r| r.good),
                );
                (text, first.into_iter().any(is_true))
            }
        };
        bench.row(theirs.join(" or "), ours, reached, start)
    }
}
