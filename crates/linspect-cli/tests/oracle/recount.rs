//! Numbers and repairs of a finding, counted and tried again.

use crate::compare::{Language, Question};
use crate::oracle::{MOST, Oracle};
use crate::tool::{Finding, Repair};
use linspect_testkit::client::Client;
use linspect_testkit::count;
use linspect_testkit::emit::Source;
use linspect_testkit::judge::{Judge, Wrong};
use linspect_testkit::language::{Guard, Kind, Module, Statement};
use linspect_testkit::machine::{Fault, Rules, Section};
use std::sync::atomic::{AtomicU64, Ordering};

/// The modules whose decisive races were counted again.
pub(crate) static RECOUNTED: AtomicU64 = AtomicU64::new(0);

/// Whether every step of Linspect is a step here, too, and nothing else.
fn is_exact(module: &Module, language: Language) -> bool {
    let odd = |s: &Statement| {
        let loops = matches!(s, Statement::Spin(..) | Statement::Loop(_));
        loops || matches!(s, Statement::Region(Guard::Try(_), _))
    };
    // To Linspect a variable that nobody writes is a constant: reading it is no step.
    let is_constant = |variable: u8| {
        let writes = |s: &Statement| matches!(s, Statement::Put(plain, _) if *plain == variable);
        !module.any(&writes)
    };
    let constant = |s: &Statement| matches!(s, Statement::Get(_, plain) if is_constant(*plain));
    // Rust's locks are made of several accesses.
    let locks = module.mutexes > 0 && language == Language::Rust;
    let other = module.roots + module.rwlocks + module.conditions.len() > 0;
    let odd = module.any(&odd) || module.any(&constant);
    module.kind == Kind::Object && !locks && !other && !odd
}

/// A class is executed once; where an attempt in vain was cut, at most once.
pub(crate) fn same_count(
    oracle: &Oracle<'_>,
    language: Language,
    question: &Question,
    finding: &Finding,
) -> Result<(), String> {
    let Question::Client(client) = question else {
        return Ok(());
    };
    if !finding.is_exhausted || !is_exact(oracle.code.module, language) {
        return Ok(());
    }
    match count::classes(oracle.code, client, &Rules::default(), MOST) {
        Some(classes) if finding.retries_cut == 0 && classes as u64 != finding.executions => Err(
            format!("{} executions, but {classes} classes", finding.executions),
        ),
        Some(classes) if finding.executions > classes as u64 => Err(format!(
            "{} executions and {} cut, but {classes} classes",
            finding.executions, finding.retries_cut
        )),
        _ => Ok(()),
    }
}

/// The numbers at decisive races are those of all continuations.
pub(crate) fn same_races(
    oracle: &mut Oracle<'_>,
    language: Language,
    client: &Client,
    finding: &Finding,
) -> Result<(), String> {
    if !is_exact(oracle.code.module, language) {
        return Ok(());
    }
    let rules = Rules::default();
    for side in &finding.sides {
        // Here the first thread is the one that runs before and after the others.
        let mut schedule = finding.schedule[..side.step].to_vec();
        schedule.push(side.thread);
        let threads: Vec<usize> = schedule.iter().map(|t| t + 1).collect();
        let judge = &mut oracle.judges[0];
        let counted = count::continuations(oracle.code, client, &rules, judge, &threads);
        if counted != Some((side.good, side.bad)) {
            return Err(format!(
                "continuations: with {client} after {schedule:?} good and bad are {counted:?}, not as in {side:?}"
            ));
        }
    }
    if !finding.sides.is_empty() {
        RECOUNTED.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}

/// With the blocks of a repair atomic nothing is wrong but the data races that it is said to leave.
pub(crate) fn repaired(
    oracle: &Oracle<'_>,
    source: &Source,
    client: &Client,
    finding: &Finding,
) -> Result<(), String> {
    for Repair { blocks, is_racy } in &finding.repairs {
        let mut sections = Vec::new();
        for &(first, last) in blocks {
            // A section may begin where a lock is given back.
            let is_in = |l: &(u32, u32)| (first..=last).any(|line| line == l.0 || line == l.1);
            let stands = |lines: &Vec<(u32, u32)>| lines.iter().any(is_in);
            let function = source.lines.iter().position(stands);
            let function =
                function.ok_or_else(|| format!("nothing stands at {first}–{last}"))? as u8;
            sections.push(Section {
                function,
                first,
                last,
            });
        }
        let rules = Rules {
            sections,
            ..Rules::default()
        };
        let judged = Judge::new(oracle.code, rules, MOST).judge(client);
        let is_told = |wrong: &Wrong| *is_racy && *wrong == Wrong::Fault(Fault::Race);
        if let Some(wrong) = judged
            && !wrong.iter().all(is_told)
        {
            return Err(format!(
                "with {blocks:?} atomic {client} is still {wrong:?}"
            ));
        }
    }
    Ok(())
}
