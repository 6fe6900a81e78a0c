//! How fast the machine is: `cargo bench -p linspect-vm`. Figures of a machine under load say little.

use linspect_core::client::{Client, Invocation};
use linspect_core::machine::{Machine, Status, Subject};
use linspect_core::schedule::Choice;
use linspect_core::value::Value;
use linspect_vm::{Chooser, Code, Settings, frontend, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

fn main() {
    straight_line();
    snapshots();
    first_execution();
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn load(file: &str) -> Code {
    let source = frontend::Source {
        files: vec![root().join(file)],
        c_flags: vec![format!("-I{}/include", env!("CARGO_MANIFEST_DIR"))],
        ..frontend::Source::default()
    };
    let program = frontend::load(&source).unwrap_or_else(|e| panic!("{e}"));
    let settings = Settings {
        instructions: u64::MAX,
        ..Settings::default()
    };
    Code::new(program, settings).expect("something to run")
}

/// The least time of three.
fn best(mut work: impl FnMut()) -> Duration {
    (0..3)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

fn straight_line() {
    let code = load("corpus/bench/straight.c");
    let mut instructions = 0;
    let ours = best(|| {
        let ran = run(&code, &Client::default(), &Chooser::Random(0), 10).expect("it starts");
        assert_eq!(ran.machine.exit_code(), Some(0));
        instructions = ran.machine.instructions();
    });
    let rate = instructions as f64 / ours.as_secs_f64() / 1e6;
    println!("straight line      {rate:8.1} M instructions/s ({instructions} in {ours:.2?})");
    match lli() {
        Some(theirs) => println!(
            "  lli's interpreter takes {theirs:.2?}: {:.1} times as long",
            theirs.as_secs_f64() / ours.as_secs_f64()
        ),
        None => println!("  lli is not installed: nothing to compare with"),
    }
}

/// The time of lli's interpreter for the same program.
fn lli() -> Option<Duration> {
    let folder = tempfile::tempdir().ok()?;
    let bitcode = folder.path().join("straight.bc");
    for version in ["16", "19", "15", "14"] {
        let compiled = Command::new(format!("clang-{version}"))
            .args([
                "-O0",
                "-Xclang",
                "-disable-O0-optnone",
                "-c",
                "-emit-llvm",
                "-o",
            ])
            .arg(&bitcode)
            .arg(root().join("corpus/bench/straight.c"))
            .status();
        let opt = Command::new(format!("opt-{version}"))
            .args(["-passes=sroa", "-o"])
            .arg(&bitcode)
            .arg(&bitcode)
            .status();
        if !compiled.is_ok_and(|s| s.success()) || !opt.is_ok_and(|s| s.success()) {
            continue;
        }
        let start = Instant::now();
        let ran = Command::new(format!("lli-{version}"))
            .args(["--jit-kind=mcjit", "-force-interpreter"])
            .arg(&bitcode)
            .output()
            .ok()?;
        if ran.status.success() {
            return Some(start.elapsed());
        }
    }
    None
}

fn snapshots() {
    let code = load("corpus/harness/c/treiber.c");
    let call = |operation, argument: Value| Invocation {
        operation,
        argument,
    };
    let thread = |v: i64| vec![call(0, v.into()), call(1, Value::Unit)];
    let client = Client {
        before: vec![],
        threads: vec![thread(1), thread(2)],
        after: vec![],
    };
    let mut machine = code.start(&client).expect("it starts");
    const ROUNDS: u32 = 200_000;
    let time = best(|| {
        for _ in 0..ROUNDS {
            let here = machine.snapshot();
            machine.restore(&here);
        }
    });
    println!(
        "snapshot+restore   {:8.2} M/s",
        f64::from(ROUNDS) / time.as_secs_f64() / 1e6
    );
    let time = best(|| {
        for _ in 0..ROUNDS {
            let here = machine.snapshot();
            machine.step(Choice::of(0));
            machine.restore(&here);
        }
    });
    println!(
        "  with a step      {:8.2} M/s",
        f64::from(ROUNDS) / time.as_secs_f64() / 1e6
    );
    let mut steps = 0u32;
    let start = Instant::now();
    let first = machine.snapshot();
    for _ in 0..ROUNDS / 20 {
        machine.restore(&first);
        while let Some(t) = (0..2).find(|t| machine.status(*t) == Status::Ready) {
            machine.step(Choice::of(t));
            steps += 1;
        }
    }
    println!(
        "steps              {:8.2} M/s",
        f64::from(steps) / start.elapsed().as_secs_f64() / 1e6
    );
}

fn first_execution() {
    for file in ["corpus/harness/c/treiber.c", "corpus/run/rust/threads.rs"] {
        let start = Instant::now();
        drop(load(file));
        println!(
            "{file}: loaded in {:.2?} (from the cache unless this is the first time)",
            start.elapsed()
        );
    }
}
