//! Programs with weaker orderings, judged by Linspect as a user runs it and by the text of C++20, as the testkit has it.

use crate::run;
use crate::tool;
use linspect_testkit::judge::Wrong;
use linspect_testkit::machine::Fault;
use linspect_testkit::random::Random;
use linspect_testkit::weak::graphs::{Executions, executions};
use linspect_testkit::weak::{Outcome, Program, Statement, draw, emit, objects};
use std::fs;

/// How many beginnings of executions a program may have here.
const MOST: usize = 200_000;

/// How a program is written and asked about.
#[derive(Clone, Copy)]
struct Manner {
    file: &'static str,
    emit: fn(&Program, &Outcome) -> String,
    arguments: &'static [&'static str],
    /// Whether the executions that it counts are those of C20.
    counts: bool,
}

const C: Manner = Manner {
    file: "program.c",
    emit: emit::c,
    arguments: &["--memory-model", "c20"],
    counts: true,
};

/// As users do: what weaker orderings allow is explored beside.
const BESIDE: Manner = Manner {
    arguments: &[],
    counts: false,
    ..C
};

const RUST: Manner = Manner {
    file: "program.rs",
    emit: emit::rust,
    ..C
};

/// What is wrong with a program, according to C++20.
fn may(executions: &Executions, outcome: &Outcome) -> Vec<Wrong> {
    let mut may = Vec::new();
    if executions.has_race {
        // What was made and is read before it was written is not ordered after that, either.
        may.push(Wrong::Fault(Fault::Race));
        may.push(Wrong::Fault(Fault::UseAfterFree));
    }
    if executions.can_be_stuck {
        may.push(Wrong::Stuck);
    }
    if executions.outcomes.contains_key(outcome) {
        may.push(Wrong::Fault(Fault::Assertion));
    }
    may
}

/// Compares one program.
fn compare(seed: u64, manner: Manner) -> Result<(), String> {
    let random = &mut Random::new(seed);
    let (program, executions, outcome) = loop {
        let program = draw::program(random);
        let Some(executions) = executions(&program, MOST) else {
            continue;
        };
        if let Some(outcome) = draw::outcome(random, &executions) {
            break (program, executions, outcome);
        }
    };
    let text = (manner.emit)(&program, &outcome);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(manner.file);
    fs::write(&path, &text).expect("the file is written");
    let show = |why: String| format!("──── seed {seed}\n{why}\n\n{text}");
    let Some(finding) = tool::test(&path, manner.arguments).map_err(show)? else {
        return Err(show("there was no time to decide".to_owned()));
    };
    let may = may(&executions, &outcome);
    match finding.wrong {
        Some(said) if may.contains(&said) => Ok(()),
        Some(said) => Err(show(format!("false alarm: {said:?}, it is {may:?}"))),
        None if !may.is_empty() => Err(show(format!("missed: it is {may:?}"))),
        None => {
            let all: u64 = executions.outcomes.values().sum();
            // Whoever waits or tries again reads in more ways than the testkit tells apart.
            let tries = |s: &Statement| matches!(s, Statement::Await(..) | Statement::Swing(..));
            let is_counted = manner.counts && !program.any(&tries);
            match is_counted && finding.executions != all {
                true => Err(show(format!("{} executions are {all}", finding.executions))),
                false => Ok(()),
            }
        }
    }
}

/// Compares one client of an object.
fn compare_object(seed: u64) -> Result<(), String> {
    let random = &mut Random::new(seed);
    let (object, calls, judged) = loop {
        let (object, calls) = draw::object(random);
        if let Some(judged) = objects::judge(&object, &calls, MOST) {
            break (object, calls, judged);
        }
    };
    let text = emit::c_object(&object);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("object.c");
    fs::write(&path, &text).expect("the file is written");
    let thread = |calls: &Vec<usize>| {
        let names: Vec<String> = calls.iter().map(|f| format!("f{f}")).collect();
        names.join(" ")
    };
    let client: Vec<String> = calls.iter().map(thread).collect();
    let client = client.join(" | ");
    let show = |why: String| format!("──── seed {seed}\n{why}\n\n{client}\n{text}");
    let arguments = ["--memory-model", "c20", "--client", &client];
    let Some(finding) = tool::test(&path, &arguments).map_err(show)? else {
        return Err(show("there was no time to decide".to_owned()));
    };
    let all: u64 = judged.executions.outcomes.values().sum();
    let is_counted = !object.any(&|s| matches!(s, Statement::Swing(..)));
    match (finding.wrong, judged.is_wrong) {
        (None, false) if is_counted && finding.executions != all => {
            Err(show(format!("{} executions are {all}", finding.executions)))
        }
        (None, false) | (Some(Wrong::NotLinearizable), true) => Ok(()),
        (said, is_wrong) => Err(show(format!("{said:?}, but wrong is {is_wrong}"))),
    }
}

#[test]
fn objects_with_weaker_orderings() {
    run(24, 74_000_000, &compare_object);
}

#[test]
fn weaker_orderings_in_c() {
    run(36, 71_000_000, &|seed| compare(seed, C));
}

#[test]
fn weaker_orderings_beside() {
    run(20, 72_000_000, &|seed| compare(seed, BESIDE));
}

#[test]
fn weaker_orderings_in_rust() {
    run(6, 73_000_000, &|seed| compare(seed, RUST));
}
