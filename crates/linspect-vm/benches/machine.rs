//! How fast the machine is: `cargo bench -p linspect-vm [-- PART]`. Figures of a machine under load say little.

use linspect_core::client::{Client, Invocation};
use linspect_core::machine::{Machine, Status, Subject};
use linspect_core::schedule::{Choice, ThreadId};
use linspect_core::value::Value;
use linspect_vm::{Chooser, LoadedProgram, Settings, Vm, frontend, run};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

fn main() {
    let wanted = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    let parts: [(&str, fn()); 3] = [
        ("straight_line", straight_line),
        ("snapshots", snapshots),
        ("first_execution", first_execution),
    ];
    for (name, part) in parts {
        if wanted.as_ref().is_none_or(|w| name.contains(w.as_str())) {
            part();
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn load(file: &str) -> LoadedProgram {
    load_with(file, "bench")
}

fn load_with(file: &str, defined: &str) -> LoadedProgram {
    let source = frontend::Source {
        files: vec![root().join(file)],
        c_flags: vec![
            format!("-I{}/include", env!("CARGO_MANIFEST_DIR")),
            format!("-D{defined}"),
        ],
        rust_flags: vec!["--cfg".into(), defined.into()],
        ..frontend::Source::default()
    };
    let program = frontend::load(&source).unwrap_or_else(|e| panic!("{e}"));
    let settings = Settings {
        instructions: u64::MAX,
        ..Settings::default()
    };
    LoadedProgram::new(program, settings).expect("something to run")
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
        threads: vec![thread(1), thread(2)],
        ..Client::default()
    };
    let mut machine = code.start(&client).expect("it starts");
    let start = machine.snapshot();
    // A run with `each` done at every step.
    let mut runs = |each: &dyn Fn(&mut Vm, ThreadId)| {
        best(|| {
            for _ in 0..ROUNDS {
                machine.restore(&start);
                while let Some(t) = (0..2).find(|t| machine.status(*t) == Status::Ready) {
                    each(&mut machine, t);
                }
            }
        })
    };
    let steps = Cell::new(0u32);
    let plain = runs(&|machine, t| {
        machine.step(Choice::of(t));
        steps.set(steps.get() + 1);
    });
    let steps = f64::from(steps.get()) / 3.0;
    // What exploration does: try a step, take it back, take it. A snapshot alone costs nothing; the copies that it makes necessary do.
    let undone = runs(&|machine, t| {
        let here = machine.snapshot();
        machine.step(Choice::of(t));
        machine.restore(&here);
        machine.step(Choice::of(t));
    });
    let rate = |seconds: f64| steps / seconds / 1e6;
    println!("steps              {:8.2} M/s", rate(plain.as_secs_f64()));
    println!(
        "  step, taken back {:8.2} M/s",
        rate((undone - plain).as_secs_f64())
    );
    println!(
        "  snapshot+copies+restore {:.2} M/s",
        rate((undone - 2 * plain).as_secs_f64())
    );
}

/// Runs of a client per measurement.
const ROUNDS: u32 = 20_000;

fn first_execution() {
    // A flag that no earlier run had makes it a program that is not in the cache.
    let fresh = std::process::id();
    for file in ["corpus/harness/c/treiber.c", "corpus/run/rust/threads.rs"] {
        for state in ["cold", "from the cache"] {
            let start = Instant::now();
            drop(load_with(file, &format!("bench{fresh}")));
            println!("{file}: {state} {:.2?}", start.elapsed());
        }
    }
}
