//! Whatever a program does under SC it does under C20, too: the objects of the zoo, and all that libraries synchronise by.

use linspect_core::check::Budget;
use linspect_core::client::{Client, Invocation};
use linspect_core::execution::{Activation, End, Ending, MemoryModel};
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_core::property::FaultFree;
use linspect_core::run::Bounds;
use linspect_core::verdict::Limit;
use linspect_explore::races;
use linspect_explore::strategies::Leaf;
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::graph::{Options, graphs};
use linspect_vm::{LoadedProgram, Settings, frontend};
use linspect_zoo::{Object, Zoo};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Clients that take more runs than this, or more questions whether to go on, are left out.
fn most() -> u64 {
    if is_long() { 300 } else { 40 }
}

fn is_long() -> bool {
    std::env::var_os("LINSPECT_LONG").is_some()
}

/// They have atomic sections, which C20 does not know.
const SECTIONS: [&str; 2] = ["snark", "snark_fixed"];

/// A budget of so many questions.
struct Questions(AtomicU64);

impl Budget for Questions {
    fn exhausted(&self, _: usize) -> Option<Limit> {
        let left = self.0.load(Relaxed);
        self.0.store(left.saturating_sub(1), Relaxed);
        (left == 0).then_some(Limit::Time)
    }
}

/// What a client gets: the results of its operations, what is left behind, and how the run ended.
type Outcome = (Vec<(Activation, String)>, Vec<String>, String);

fn outcome(leaf: &Leaf<'_>) -> Outcome {
    let returned = leaf.trace.steps().filter_map(|s| s.returned.as_ref());
    let told = |ending: &Ending| format!("{ending:?}");
    let mut results: Vec<_> = returned.map(|(id, ending)| (*id, told(ending))).collect();
    results.sort();
    let end = match leaf.end {
        End::Complete => "complete".to_owned(),
        end if end.is_stuck() => "stuck".to_owned(),
        End::Fault => {
            let fault = leaf.trace.steps().last().and_then(|s| s.fault.as_ref());
            format!("{:?}", fault.map(|f| f.kind))
        }
        end => format!("{end:?}"),
    };
    (results, leaf.after.iter().map(told).collect(), end)
}

fn load(object: &Object, folder: &Path) -> LoadedProgram {
    let files = object.harness.iter().chain(&object.files);
    let source = frontend::Source {
        files: files
            .filter(|f| !f.starts_with("rust/src/"))
            .map(|f| folder.join(f))
            .collect(),
        ..frontend::Source::default()
    };
    let program = frontend::load(&source).unwrap_or_else(|e| panic!("{}: {e}", object.name));
    LoadedProgram::new(program, Settings::default()).expect("a harness")
}

/// Every two operations beside each other, from the beginning and after the first one.
fn clients(code: &LoadedProgram) -> Vec<Client> {
    let mut calls = Vec::new();
    for (operation, declared) in code.operations().iter().enumerate() {
        for argument in declared.domain.iter().take(if is_long() { 2 } else { 1 }) {
            calls.push(Invocation {
                operation: operation as u16,
                argument: argument.clone(),
            });
        }
    }
    let mut clients = Vec::new();
    for before in [vec![], calls[..1].to_vec()] {
        for (i, one) in calls.iter().enumerate() {
            for other in &calls[i..] {
                clients.push(Client {
                    before: before.clone(),
                    threads: vec![vec![one.clone()], vec![other.clone()]],
                    ..Client::default()
                });
            }
        }
    }
    clients
}

/// What `walk` shows, unless that is too much, or not defined because something races.
fn outcomes(
    model: MemoryModel,
    walk: impl FnOnce(&mut dyn FnMut(&Leaf<'_>) -> ControlFlow<()>) -> bool,
) -> Option<BTreeSet<Outcome>> {
    let (mut all, mut runs, mut races) = (BTreeSet::new(), 0, false);
    let stopped = walk(&mut |leaf| {
        races = races || !races::races(leaf.trace.steps(), model, &mut FaultFree).is_empty();
        runs += 1;
        let counts = !matches!(leaf.end, End::Covered | End::StepLimit);
        if counts {
            all.insert(outcome(leaf));
        }
        if runs > most() || *leaf.end == End::StepLimit {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    (!stopped && !races).then_some(all)
}

/// What the client of this object loses under C20.
fn compare(
    code: &LoadedProgram,
    weak: &LoadedProgram,
    client: &Client,
) -> Result<BTreeSet<Outcome>, ()> {
    let sc = outcomes(MemoryModel::Sc, |visit| {
        let mut machine = code.start(client).expect("it starts");
        machine.set_retries(Retries::Park);
        exhaustive(&mut machine, &exhaustive::Options::default(), visit).stopped
    });
    let c20 = outcomes(MemoryModel::C20, |visit| {
        let mut machine = weak.start(client).expect("it starts");
        machine.set_retries(Retries::Park);
        let budget = Questions(most().into());
        let options = Options {
            budget: &budget,
            bounds: Bounds {
                steps_per_thread: 60,
            },
            ..Options::of(MemoryModel::C20)
        };
        graphs(&mut machine, &options, visit).stopped
    });
    let (sc, c20) = (sc.ok_or(())?, c20.ok_or(())?);
    Ok(sc.difference(&c20).cloned().collect())
}

/// What became of clients: how many were compared, and how many were too large or race.
#[derive(Default)]
struct Compared {
    right: usize,
    left_out: usize,
    wrong: Vec<String>,
}

impl Compared {
    fn add(&mut self, name: &str, code: &LoadedProgram, clients: &[Client]) {
        let weak = code.with_settings(Settings {
            memory_model: MemoryModel::C20,
            ..code.settings().clone()
        });
        for client in clients {
            let compare = || compare(code, &weak, client);
            match std::panic::catch_unwind(std::panic::AssertUnwindSafe(compare)) {
                Ok(Ok(lost)) if lost.is_empty() => self.right += 1,
                Ok(Ok(lost)) => self
                    .wrong
                    .push(format!("{name}: {client:?} loses {lost:?}")),
                Ok(Err(())) => self.left_out += 1,
                Err(_) => self.wrong.push(format!("{name}: {client:?} panics")),
            }
        }
    }

    fn judge(&self) {
        let Self {
            right,
            left_out,
            wrong,
        } = self;
        assert!(
            wrong.is_empty(),
            "{} wrong:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
        assert!(*right > 3 * left_out, "{right} compared, {left_out} not");
    }
}

#[test]
fn objects_do_under_c20_what_they_do_under_sc() {
    let folder = tempfile::tempdir().expect("a folder");
    Zoo::extract(folder.path()).expect("the zoo");
    let mut compared = Compared::default();
    let objects = Zoo::bundled().expect("the zoo").objects;
    for object in objects
        .iter()
        .filter(|o| !SECTIONS.contains(&o.name.as_str()))
    {
        let code = load(object, folder.path());
        compared.add(&object.name, &code, &clients(&code));
    }
    compared.judge();
}

#[test]
fn libraries_synchronise_under_c20_as_under_sc() {
    let mut compared = Compared::default();
    for file in ["sync.c", "sync.rs"] {
        let code = crate::litmus::corpus(file);
        let mut threads: BTreeMap<String, usize> = BTreeMap::new();
        for operation in code.operations() {
            let (name, _) = operation.name.rsplit_once('_').expect("a thread's number");
            *threads.entry(name.to_owned()).or_default() += 1;
        }
        for (name, threads) in threads {
            let client = crate::litmus::client(&code, &name, threads);
            compared.add(&name, &code, &[client]);
        }
    }
    compared.judge();
}
