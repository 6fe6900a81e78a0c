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
use std::collections::{BTreeMap, BTreeSet};
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

/// A class is executed once; where an attempt in vain was cut, at most once. Additions whose results nobody uses make no classes.
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
    let rules = Rules::default();
    let Some(classes) = count::classes(oracle.code, client, &rules, MOST) else {
        return Ok(());
    };
    // Whether anybody uses what an addition read, the compiler knows best.
    let adds = |statement: &Statement| matches!(statement, Statement::Add(..));
    let least = match oracle.code.module.any(&adds) {
        true => count::classes_at_least(oracle.code, client, &rules, MOST),
        false => Some(classes),
    };
    let executions = finding.executions;
    if executions > classes as u64 {
        return Err(format!("{executions} executions, but {classes} classes"));
    }
    match least {
        Some(least) if finding.retries_cut == 0 && executions < least as u64 => Err(format!(
            "{executions} executions, but at least {least} classes"
        )),
        _ => Ok(()),
    }
}

/// Up to this many runs each is made by itself.
const EVERY: u64 = 20_000;

/// How many runs end well and badly after these steps; nothing if they cannot be made.
fn continuations(oracle: &mut Oracle<'_>, client: &Client, steps: &[usize]) -> Option<(u64, u64)> {
    let rules = Rules::default();
    // Here the first thread is the one that runs before and after the others.
    let threads: Vec<usize> = steps.iter().map(|t| t + 1).collect();
    let judge = &mut oracle.judges[0];
    let (good, bad) = count::continuations(oracle.code, client, &rules, judge, &threads)?;
    if good + bad <= EVERY {
        let every = count::every_continuation(oracle.code, client, &rules, judge, &threads, EVERY);
        assert_eq!(every, Some((good, bad)), "{client} after {steps:?}");
    }
    Some((good, bad))
}

/// Whether a client has runs that end well and runs that end badly, so that something decides.
pub(crate) fn is_decided(oracle: &mut Oracle<'_>, language: Language, client: &Client) -> bool {
    is_exact(oracle.code.module, language)
        && continuations(oracle, client, &[]).is_some_and(|(good, bad)| good > 0 && bad > 0)
}

/// The decisive races are those steps of the run at which not all who could go first lead to the same, and the numbers at them are those of all continuations.
pub(crate) fn same_races(
    oracle: &mut Oracle<'_>,
    language: Language,
    client: &Client,
    finding: &Finding,
) -> Result<(), String> {
    if !is_exact(oracle.code.module, language) || !finding.is_localised {
        return Ok(());
    }
    for step in 0..finding.schedule.len() {
        let mut sides = BTreeMap::new();
        for thread in 0..client.threads.len() {
            let schedule = [&finding.schedule[..step], &[thread]].concat();
            if let Some(counted) = continuations(oracle, client, &schedule) {
                sides.insert(thread, counted);
            }
        }
        let fates: BTreeSet<_> = sides.values().map(|(g, b)| (*g > 0, *b > 0)).collect();
        if fates.len() < 2 {
            sides.clear();
        }
        let said = finding.sides.iter().filter(|side| side.step == step);
        let said: BTreeMap<_, _> = said.map(|s| (s.thread, (s.good, s.bad))).collect();
        if said != sides {
            return Err(format!(
                "continuations: with {client} after {:?} good and bad by who goes first are {sides:?}, not {said:?}",
                &finding.schedule[..step]
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
