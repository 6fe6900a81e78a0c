//! Tasks on many machines, and tests that go on after a crash: whatever happens, the finding is that of one process, byte for byte.

use crate::linspect::{Run, command, repository, run};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Many clients are right, then one is wrong.
const WRONG: [&str; 5] = [
    "zoo/rust/harness/ms_queue.rs",
    "--max-operations",
    "3",
    "--threads",
    "2",
];
/// All are right, under both models.
const RIGHT: [&str; 3] = ["examples/rust/queue.rs", "--max-operations", "2"];
/// Right where every read reads what was written last, wrong with weaker orderings.
const WEAK: [&str; 3] = ["corpus/orderings/message.rs", "--max-operations", "2"];
/// Accesses race.
const RACY: [&str; 3] = ["corpus/orderings/rcu.rs", "--max-operations", "2"];
/// Some schedules of each client.
const SAMPLED: [&str; 7] = [
    "examples/rust/queue.rs",
    "--max-operations",
    "2",
    "--strategy",
    "pct",
    "--runs",
    "20",
];
/// Some seconds of clients.
const LONG: [&str; 5] = [
    "examples/rust/queue.rs",
    "--max-operations",
    "3",
    "--memory-model",
    "sc",
];

/// An empty folder of this test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("shard")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// What one process says, with no limit of time.
pub(crate) fn alone(test: &[&str]) -> Run {
    run(&[&["test"], test, &["--budget", "none", "--json"]].concat())
}

pub(crate) fn plan(folder: &Path, shards: usize, test: &[&str]) -> Run {
    let shards = shards.to_string();
    let plan = ["shard", "plan", text(folder), "--shards", &shards, "--"];
    run(&[&plan[..], test].concat())
}

pub(crate) fn merge(folder: &Path) -> Run {
    run(&["shard", "merge", text(folder), "--", "--json"])
}

pub(crate) fn tasks(folder: &Path) -> usize {
    let status = run(&["shard", "status", text(folder)]);
    let words: Vec<&str> = status.out.split_whitespace().collect();
    words[2].parse().expect("how many there are")
}

pub(crate) fn run_task(folder: &Path, task: usize) {
    let done = run(&["shard", "run", text(folder), &task.to_string()]);
    assert_eq!(done.code, Some(0), "{done:?}");
}

#[track_caller]
pub(crate) fn same(one: &Run, other: &Run) {
    assert_eq!(one.code, other.code, "{}{}", one.err, other.err);
    assert!(one.out.len() > 100, "{one:?}");
    assert_eq!(one.out, other.out);
}

/// Numbers that differ from test to test, but not from run to run.
pub(crate) fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// As 1, 7 and 100 tasks, whose results come in any order: the finding of one process. So for an object that is wrong, for one that is right, and for one that only
/// weaker orderings break.
#[test]
fn any_number_of_tasks_comes_to_what_one_process_does() {
    for (name, test) in [
        ("wrong", &WRONG[..]),
        ("right", &RIGHT[..]),
        ("weak", &WEAK[..]),
        ("racy", &RACY[..]),
        ("sampled", &SAMPLED[..]),
    ] {
        let one = alone(test);
        for shards in [1, 7, 100] {
            let folder = folder(&format!("{name}-{shards}"));
            let planned = plan(&folder, shards, test);
            assert_eq!(planned.code, Some(0), "{planned:?}");
            let count = tasks(&folder);
            assert!(
                count <= shards && (shards > 7 || count == shards),
                "{count}"
            );
            // A step that has no divisor in common with their number visits all of them.
            let step = (count / 2..)
                .find(|s| gcd(*s, count) == 1)
                .expect("one is left");
            let order: Vec<String> = (0..count).map(|i| (i * step % count).to_string()).collect();
            let order: Vec<&str> = order.iter().map(String::as_str).collect();
            let done = run(&[&["shard", "run", text(&folder)], &order[..]].concat());
            assert_eq!(done.code, Some(0), "{done:?}");
            same(&merge(&folder), &one);
        }
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A third of the workers are killed in the middle; what they left is no result, and whoever runs their tasks again leaves the same bytes.
#[test]
fn workers_may_be_killed() {
    let folder = folder("killed");
    assert_eq!(plan(&folder, 12, &RIGHT).code, Some(0));
    let count = tasks(&folder);
    let mut random = random(1);
    for task in 0..count {
        let mut worker = command(&["shard", "run", text(&folder), &task.to_string()]);
        let mut worker = worker.stderr(Stdio::null()).spawn().expect("it starts");
        if task % 3 == 0 {
            std::thread::sleep(Duration::from_millis(random() % 60));
            worker.kill().expect("it is a child");
        }
        worker.wait().expect("it ends");
    }
    let missing = merge(&folder);
    let status = run(&["shard", "status", text(&folder)]);
    // The first worker is killed within moments, before it has loaded the program.
    if status.code == Some(0) {
        same(&missing, &alone(&RIGHT));
    } else {
        assert_eq!((status.code, missing.code), (Some(3), Some(2)));
        assert!(
            missing.err.contains("tasks have no result yet: "),
            "{missing:?}"
        );
        let first = status
            .out
            .lines()
            .find_map(|l| l.strip_prefix("no result yet: "));
        let first = first.and_then(|l| l.split(' ').next()).expect("a task");
        assert!(
            missing.err.contains(&format!("yet: {first}")),
            "{missing:?}"
        );
    }
    let rest = run(&["shard", "run", text(&folder)]);
    assert_eq!(rest.code, Some(0), "{rest:?}");
    same(&merge(&folder), &alone(&RIGHT));
    let result = folder.join("results/task-000001");
    let before = fs::read(&result).expect("a result");
    run_task(&folder, 1);
    assert!(fs::read(&result).expect("a result") == before);
}

/// A result that lost its end, or one byte of which is another, is no result.
#[test]
fn damaged_results_are_not_used() {
    let folder = folder("damaged");
    assert_eq!(plan(&folder, 3, &RIGHT).code, Some(0));
    assert_eq!(run(&["shard", "run", text(&folder)]).code, Some(0));
    let whole = merge(&folder);
    let path = folder.join("results/task-000001");
    let bytes = fs::read(&path).expect("a result");
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    for bytes in [&bytes[..bytes.len() - 40], &bytes[..1000], b"", &changed] {
        fs::write(&path, bytes).expect("written");
        let refused = merge(&folder);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused
                .err
                .contains("task-000001 is not used: it is damaged")
        );
        assert!(refused.err.contains("1 of 3 tasks have no result yet: 1\n"));
        let status = run(&["shard", "status", text(&folder)]);
        assert!(status.out.contains("2 of 3 tasks done"), "{status:?}");
    }
    run_task(&folder, 1);
    same(&merge(&folder), &whole);
    let plan = folder.join("plan");
    fs::write(&plan, &fs::read(&plan).expect("a plan")[1..]).expect("written");
    assert!(
        merge(&folder)
            .err
            .contains("the plan in this folder is damaged")
    );
}

/// Results of a program that was edited are not put together with those of the old one, and nobody runs a task of the old one.
#[test]
fn two_programs_are_kept_apart() {
    let root = folder("edited");
    fs::create_dir_all(&root).expect("a folder");
    let source = root.join("queue.rs");
    let old = fs::read_to_string("../../examples/rust/queue.rs").expect("an example");
    let new = old.replace("pop_front()", "pop_front().or(None)");
    assert_ne!(old, new);
    fs::write(&source, &old).expect("written");
    let test = [text(&source), "--max-operations", "2"];
    let (first, second) = (root.join("first"), root.join("second"));
    assert_eq!(plan(&first, 2, &test).code, Some(0));
    assert_eq!(run(&["shard", "run", text(&first)]).code, Some(0));
    fs::write(&source, new).expect("written");
    for refused in [run(&["shard", "run", text(&first), "0"]), merge(&first)] {
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused
                .err
                .contains("the plan was made for another program")
        );
    }
    assert_eq!(plan(&second, 2, &test).code, Some(0));
    run_task(&second, 0);
    let (from, to) = ("first/results/task-000001", "second/results/task-000001");
    fs::copy(root.join(from), root.join(to)).expect("copied");
    let refused = merge(&second);
    assert!(
        refused
            .err
            .contains("task-000001 is not used: it is of another program"),
        "{refused:?}"
    );
    assert!(refused.err.contains("1 of 2 tasks have no result yet: 1\n"));
    run_task(&second, 1);
    same(&merge(&second), &alone(&test));
}

/// Killed twenty times at random moments, a test goes on each time where it was, and says at last what it would have said at once.
#[test]
fn a_test_goes_on_after_twenty_kills() {
    let folder = folder("checkpoint");
    let one = alone(&LONG);
    let mut random = random(2);
    let start = Instant::now();
    let whole = run(&[&["test"], &LONG[..], &["--budget", "none", "--json"]].concat());
    let usual = start.elapsed();
    same(&whole, &one);
    for kill in 0..20 {
        let option = if folder.join("plan").exists() {
            "--resume"
        } else {
            "--checkpoint"
        };
        let mut test =
            command(&[&["test"], &LONG[..], &[option, text(&folder), "--json"]].concat());
        let mut test = test.stdout(Stdio::null()).spawn().expect("it starts");
        let share = 1 + random() % 100;
        std::thread::sleep(usual * u32::try_from(share).expect("a small number") / 100);
        test.kill().expect("it is a child");
        let ended = test.wait().expect("it ends");
        // Nothing that went wrong hides behind a kill.
        assert!(
            ended.code().is_none_or(|code| Some(code) == one.code),
            "{kill}: {ended}"
        );
    }
    let last = run(&[&["test"], &LONG[..], &["--resume", text(&folder), "--json"]].concat());
    same(&last, &one);
    // Everything is known now: the same again, and nothing new is written.
    let files = |folder: &Path| {
        fs::read_dir(folder.join("results"))
            .expect("results")
            .count()
    };
    let before = files(&folder);
    let again = run(&[&["test"], &LONG[..], &["--resume", text(&folder), "--json"]].concat());
    same(&again, &one);
    assert_eq!(files(&folder), before);
}

#[test]
fn a_checkpoint_is_of_one_program_and_one_question() {
    let folder = folder("question");
    let test = ["test", "examples/c/stack.c", "--max-operations", "2"];
    let new = |option: &str| run(&[&test[..], &[option, text(&folder), "--json"]].concat());
    let nothing = new("--resume");
    assert!(
        nothing.err.contains("there is no plan in this folder"),
        "{nothing:?}"
    );
    let first = new("--checkpoint");
    same(&new("--resume"), &first);
    let twice = new("--checkpoint");
    assert!(
        twice.err.contains("there is a plan in this folder already"),
        "{twice:?}"
    );
    let other = [
        "test",
        "examples/c/stack.c",
        "--max-operations",
        "3",
        "--resume",
    ];
    let other = run(&[&other[..], &[text(&folder), "--json"]].concat());
    assert!(
        other
            .err
            .contains("the plan was made for another list of options"),
        "{other:?}"
    );
}

#[test]
fn what_has_a_clock_is_not_cut() {
    for (option, value) in [("--budget", Some("5m")), ("--min-k", None)] {
        let test = ["examples/c/stack.c", option];
        let test = [&test[..], value.as_slice()].concat();
        let refused = plan(&folder("clock"), 3, &test);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused
                .err
                .contains(&format!("{option} cannot be used here")),
            "{refused:?}"
        );
    }
    let wrong = plan(&folder("clock"), 3, &["examples/c/stack.c", "--nothing"]);
    assert!(
        wrong
            .err
            .contains("behind `--`: error: unexpected argument '--nothing'"),
        "{wrong:?}"
    );
}

/// GNU parallel runs what `submit` says, on two slots; a second time nothing is left to do.
#[test]
fn gnu_parallel_runs_the_tasks() {
    let folder = folder("parallel");
    assert_eq!(plan(&folder, 10, &RIGHT).code, Some(0));
    let said = submit(&folder, "parallel", &["--slots", "2"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let binary = Path::new(env!("CARGO_BIN_EXE_linspect"));
    let bin = binary.parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(bin.to_owned()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(paths).expect("plain paths");
    for _ in 0..2 {
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", said.out.trim()]).env("PATH", &path);
        let done = shell.current_dir(repository()).output().expect("a shell");
        assert!(done.status.success(), "{done:?}");
    }
    let log = fs::read_to_string(folder.join("joblog")).expect("a log");
    assert_eq!(log.lines().count(), 1 + 10, "{log}");
    same(&merge(&folder), &alone(&RIGHT));
}

fn submit(folder: &Path, engine: &str, more: &[&str]) -> Run {
    run(&[&["shard", "submit", text(folder), "--to", engine], more].concat())
}

/// The jobs of other engines have what these require: an indexed job of Kubernetes that its schema takes, an array of Slurm, a matrix of GitHub of at most 256 jobs.
#[test]
fn jobs_have_what_their_engines_require() {
    let folder = folder("jobs");
    assert_eq!(plan(&folder, 5, &RIGHT).code, Some(0));
    let job = |engine: &str, more: &[&str], file: &str| {
        let said = submit(&folder, engine, more);
        assert_eq!(said.code, Some(0), "{said:?}");
        assert_eq!(said.out.lines().count(), 1, "one command: {said:?}");
        let job = fs::read_to_string(folder.join(file)).expect("a job");
        (said.out, job)
    };
    let image = ["--slots", "2", "--image", "a/b:1"];
    let (command, manifest) = job("kubernetes", &image, "job.json");
    assert!(command.starts_with("kubectl apply -f "), "{command}");
    let job_of_kubernetes: Value = serde_json::from_str(&manifest).expect("JSON");
    is_job_of_kubernetes(&job_of_kubernetes).expect("what Kubernetes takes");
    let spec = &job_of_kubernetes["spec"];
    assert_eq!(spec["completionMode"], "Indexed");
    assert_eq!(
        (&spec["completions"], &spec["parallelism"]),
        (&json!(5), &json!(2))
    );
    let container = &spec["template"]["spec"]["containers"][0];
    assert_eq!(container["image"], "a/b:1");
    assert!(
        container["args"][0]
            .as_str()
            .is_some_and(|a| a.contains("\"$JOB_COMPLETION_INDEX\""))
    );
    let (command, slurm) = job("slurm", &["--slots", "3"], "job.slurm");
    assert!(command.starts_with("sbatch "), "{command}");
    assert!(slurm.starts_with("#!/bin/sh\n#SBATCH "), "{slurm}");
    assert!(slurm.contains("#SBATCH --array=0-4%3\n"), "{slurm}");
    let (command, script) = job("hyperqueue", &[], "task.sh");
    assert!(command.contains("--array 0-4 "), "{command}");
    assert!(script.contains("\"$HQ_TASK_ID\""), "{script}");
    let (_, workflow) = job("github", &["--slots", "2"], "linspect-shards.yml");
    let fields = yaml(&workflow);
    let has = |field: &str, value: &str| fields.contains(&(field.to_owned(), value.to_owned()));
    assert!(has("jobs.run.strategy.matrix.job", "[0, 1]"), "{fields:#?}");
    assert!(has("jobs.merge.needs", "run"), "{fields:#?}");
    assert!(
        workflow.contains("$(seq ${{ matrix.job }} 2 4)"),
        "{workflow}"
    );
}

/// What the schema of batch/v1 Job, as Kubernetes 1.34 publishes it, says of a job; fields that it does not know are wrong, too.
fn is_job_of_kubernetes(job: &Value) -> Result<(), String> {
    let schema = include_str!("kubernetes-job.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    schema.validate(job).map_err(|error| error.to_string())
}

/// The schema is one that refuses: fields that are misspelt, missing or of another type.
#[test]
fn the_schema_of_kubernetes_refuses_other_jobs() {
    let container = json!({ "name": "a", "image": "b" });
    let job = |template: Value, more: (&str, Value)| {
        let mut job =
            json!({ "apiVersion": "batch/v1", "kind": "Job", "spec": { "template": template } });
        job["spec"][more.0] = more.1;
        is_job_of_kubernetes(&job)
    };
    let template = json!({ "spec": { "containers": [container], "restartPolicy": "Never" } });
    assert_eq!(job(template.clone(), ("completions", json!(3))), Ok(()));
    assert!(job(template.clone(), ("completion", json!(3))).is_err());
    assert!(job(template, ("completions", json!("3"))).is_err());
    let nothing = json!({ "spec": { "restartPolicy": "Never" } });
    assert!(job(nothing, ("completions", json!(3))).is_err());
}

/// The fields of a text in the plain part of YAML that jobs are written in: each with those that it stands in, and its value.
fn yaml(text: &str) -> Vec<(String, String)> {
    let mut path: Vec<(usize, &str)> = Vec::new();
    let mut fields = Vec::new();
    for line in text.lines() {
        let depth = line.len() - line.trim_start().len();
        let (key, value) = line.trim().split_once(':').expect("a field");
        // What follows a dash on its line stands two columns further right.
        path.retain(|(d, _)| *d < depth);
        let outer: Vec<&str> = path.iter().map(|(_, key)| *key).collect();
        let name = [&outer[..], &[key]].concat().join(".");
        fields.push((name, value.trim().to_owned()));
        if value.trim().is_empty() {
            path.push((depth, key));
        }
    }
    fields
}
