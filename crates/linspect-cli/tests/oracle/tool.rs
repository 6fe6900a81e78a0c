//! Linspect as a command, and what it says as values.

use linspect_testkit::client::{Call, Client};
use linspect_testkit::judge::Wrong;
use linspect_testkit::machine::Fault;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What one run of the command said.
#[derive(Debug)]
pub(crate) struct Finding {
    /// What is wrong; nothing if it holds.
    pub(crate) wrong: Option<Wrong>,
    /// Whether everything that was asked for was explored.
    pub(crate) is_exhausted: bool,
    /// Whether a thread wakes in the failing run though nobody wakes it.
    pub(crate) is_spurious: bool,
    /// How many executions it counts.
    pub(crate) executions: u64,
    /// How many runs it left out because a thread tried in vain in them.
    pub(crate) retries_cut: u64,
    /// The smallest test, and whether nothing can be left out of it.
    pub(crate) smallest: Option<(Client, bool)>,
    /// The threads of the failing run's steps.
    pub(crate) schedule: Vec<usize>,
    /// Whether everything was looked at that decides.
    pub(crate) is_localised: bool,
    /// The competitors at decisive races.
    pub(crate) sides: Vec<Side>,
    /// The repairs.
    pub(crate) repairs: Vec<Repair>,
}

/// A repair.
#[derive(Debug)]
pub(crate) struct Repair {
    /// The lines of its blocks.
    pub(crate) blocks: Vec<(u32, u32)>,
    /// Whether it is said that data races may stay.
    pub(crate) is_racy: bool,
}

/// Who could go first at a step, and what follows then.
#[derive(Debug)]
pub(crate) struct Side {
    pub(crate) step: usize,
    pub(crate) thread: usize,
    pub(crate) good: u64,
    pub(crate) bad: u64,
}

/// The command that is judged.
fn binary() -> PathBuf {
    std::env::var_os("LINSPECT_JUDGED")
        .map_or_else(|| env!("CARGO_BIN_EXE_linspect").into(), Into::into)
}

/// Runs `linspect test` on a file. Nothing if there was no time to decide; an error says what is wrong with the answer itself.
pub(crate) fn test(file: &Path, arguments: &[&str]) -> Result<Option<Finding>, String> {
    let output = Command::new(binary())
        .arg("test")
        .arg(file.file_name().expect("a file has a name"))
        .args(arguments)
        .args(["--json", "--budget", "20s"])
        .current_dir(file.parent().expect("a file is in a folder"))
        .output()
        .expect("the command starts");
    let said = || {
        format!(
            "{}\n{}",
            String::from_utf8_lossy(&output.stderr),
            String::from_utf8_lossy(&output.stdout)
        )
    };
    let code = output.status.code();
    if String::from_utf8_lossy(&output.stderr).contains("panicked") {
        return Err(format!("panicked: {}", said()));
    }
    let finding: Value =
        serde_json::from_slice(&output.stdout).map_err(|e| format!("{e}: {}", said()))?;
    if code == Some(3) && finding["verdict"]["reason"] == "the time limit was reached" {
        return Ok(None);
    }
    if code != Some(0) && code != Some(1) {
        return Err(format!("ended with {code:?}: {}", said()));
    }
    let finding = read(&finding).map_err(|e| format!("{e}: {finding:#}"))?;
    match (code == Some(1)) == finding.wrong.is_some() {
        true => Ok(Some(finding)),
        false => Err(format!("exit code and verdict differ: {}", said())),
    }
}

fn read(finding: &Value) -> Result<Finding, String> {
    let verdict = &finding["verdict"];
    let wrong = match verdict["answer"].as_str() {
        Some("holds") => None,
        Some("violated") => Some(Wrong::NotLinearizable),
        Some("faulty") => Some(match verdict["fault"]["kind"].as_str() {
            Some("deadlock" | "livelock") => Wrong::Stuck,
            Some("assertion failed" | "aborted") => Wrong::Fault(Fault::Assertion),
            // A cell that was taken again and is not written yet was freed before.
            Some("use after free" | "read of uninitialised memory") => {
                Wrong::Fault(Fault::UseAfterFree)
            }
            Some("bad free") => Wrong::Fault(Fault::BadFree),
            Some("data race") => Wrong::Fault(Fault::Race),
            Some("null pointer dereference" | "access out of bounds") => Wrong::Fault(Fault::Null),
            other => return Err(format!("a fault of kind {other:?}")),
        }),
        other => return Err(format!("the answer {other:?}")),
    };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let mut sides = Vec::new();
    for race in list(&finding["races"]) {
        for side in list(&race["sides"]) {
            sides.push(Side {
                step: number(&race["step"]) as usize,
                thread: number(&side["thread"]) as usize,
                good: number(&side["good"]),
                bad: number(&side["bad"]),
            });
        }
    }
    let repairs = list(&finding["repairs"]["found"]);
    let repairs = repairs.iter().map(|repair| {
        let lines = |b: &Value| (number(&b["line"]) as u32, number(&b["last_line"]) as u32);
        Repair {
            blocks: list(&repair["blocks"]).iter().map(lines).collect(),
            is_racy: !list(&repair["races_left"]).is_empty(),
        }
    });
    let steps = list(&finding["interleaving"]["steps"]);
    let wakes = |step: &Value| {
        let accesses = list(&step["accesses"]);
        accesses.iter().any(|a| a["action"] == "spurious-wake")
    };
    Ok(Finding {
        wrong,
        is_spurious: steps.iter().any(wakes),
        is_exhausted: finding["coverage"]["kind"] == "exhausted",
        executions: number(&finding["coverage"]["executions"]),
        retries_cut: finding["coverage"]["retries_cut"].as_u64().unwrap_or(0),
        smallest: smallest(finding)?,
        schedule: steps
            .iter()
            .map(|s| number(&s["thread"]) as usize)
            .collect(),
        is_localised: finding["interleaving"]["fewest_switches"] == true,
        sides,
        repairs: repairs.collect(),
    })
}

fn smallest(finding: &Value) -> Result<Option<(Client, bool)>, String> {
    let test = &finding["minimal_test"];
    if test.is_null() {
        return Ok(None);
    }
    let operations = finding["history"]["operations"]
        .as_array()
        .ok_or("no operations")?;
    let call = |id: &Value| -> Result<Call, String> {
        let operation = operations.iter().find(|o| o["id"] == *id);
        let operation = operation.ok_or_else(|| format!("no operation {id}"))?;
        let method = operation["method"].as_str().unwrap_or_default();
        let function = method.strip_prefix('f').and_then(|n| n.parse().ok());
        Ok(Call {
            function: function.ok_or_else(|| format!("the operation {method}"))?,
            argument: operation["argument"].as_i64(),
        })
    };
    let calls = |ids: &Value| -> Result<Vec<Call>, String> {
        ids.as_array().into_iter().flatten().map(call).collect()
    };
    let threads = test["threads"].as_array().into_iter().flatten();
    let client = Client {
        before: calls(&test["before"])?,
        threads: threads.map(calls).collect::<Result<_, _>>()?,
        after: calls(&test["after"])?,
    };
    Ok(Some((client, test["certified"] == true)))
}
