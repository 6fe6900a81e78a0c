//! Repair to the end: every wrong object of the zoo, until clients that nobody chose are clean, too.

use crate::row::Row;
use crate::rows::Bench;
use linspect_core::client::Client;
use linspect_core::machine::Subject;
use linspect_core::property::Linearizable;
use linspect_core::spec::{Erased, Spec, Visitor};
use linspect_diagnose::repair::{self, Diagnosis, Repair, repair, unseen};
use std::time::Instant;

/// Clients that a repair is tried on.
const UNSEEN: usize = 24;

/// The repair of an object, made from the clients that it is known to fail with.
pub(crate) struct Repaired<'a> {
    pub(crate) bench: &'a Bench<'a>,
    pub(crate) clients: &'a [Client],
}

impl Visitor for Repaired<'_> {
    type Output = Row;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Row
    where
        S::State: Send,
        S::Call: Send,
    {
        let Self { bench, clients } = self;
        let start = Instant::now();
        let erased = Erased::new(spec);
        let declared = bench.code.operations();
        let theirs = if bench.object.serial {
            "wrong even serially"
        } else {
            "repaired"
        };
        let property = |client: &Client| {
            Linearizable::new(&erased, client, declared).expect("clients fit the specification")
        };
        let others = unseen(&erased, declared, UNSEEN, 0).unwrap_or_default();
        let effort = repair::RepairOptions::default();
        let (ours, reached) = match repair(bench.code, clients, &others, &property, &effort) {
            Err(error) => (error.to_string(), false),
            Ok(Diagnosis::Clean) => ("no bad run".into(), false),
            Ok(Diagnosis::Serial(_)) => ("wrong even serially".into(), bench.object.serial),
            Ok(Diagnosis::Sections(found)) => match found.first() {
                None => ("no repair".into(), false),
                Some(best) => said(bench, best),
            },
        };
        let mut row = bench.row(theirs.into(), ours, reached, start);
        row.name = "repaired, then larger clients".into();
        row
    }
}

/// The repair and what was covered; whether everything was clean.
fn said(bench: &Bench<'_>, best: &Repair) -> (String, bool) {
    let sections = best.sections.iter().map(|s| {
        let file = bench.zoo_path(&s.file);
        let name = file.rsplit('/').next().unwrap_or(&file);
        format!("{name}:{}–{}", s.first, s.last)
    });
    let sections: Vec<String> = sections.collect();
    let recheck = best.recheck;
    let extent = if recheck.exhausted {
        "exhausted"
    } else {
        "bounded"
    };
    let made = format!(
        "{}; made from {} clients, {extent}, {} executions",
        sections.join(" + "),
        recheck.clients,
        recheck.executions
    );
    let Some(v) = &best.validation else {
        return (made, false);
    };
    let tried = format!(
        "{made}; {} unseen of up to {} operations clean, {} exhausted, {} executions, {} wrong even serially{}",
        v.clients,
        v.operations,
        v.exhausted,
        v.executions,
        v.serial,
        if v.failing.is_some() {
            ", one fails"
        } else {
            ""
        }
    );
    (
        tried,
        recheck.exhausted && v.clients > 0 && v.failing.is_none(),
    )
}
