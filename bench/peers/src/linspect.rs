//! Our side.

use crate::{Calls, DEPTH, MOST};
use cpu_time::ThreadTime;
use linspect_core::check::Unlimited;
use linspect_core::client::{Client, Invocation};
use linspect_core::defect::Defect;
use linspect_core::execution::MemoryModel;
use linspect_core::machine::{Machine as _, Subject as _};
use linspect_core::property::{FaultFree, Linearizable};
use linspect_core::spec::{Builtin, Spec, Visitor};
use linspect_core::value::Value;
use linspect_explore::Bounds;
use linspect_explore::class::{ClassVerdict, Judge};
use linspect_explore::races::races;
use linspect_explore::run::run as run_once;
use linspect_explore::search::{Coverage, Explored, Method, Plan, explore};
use linspect_explore::strategies::random::Uniform;
use linspect_vm::frontend::{Source, load as load_program};
use linspect_vm::{LoadedProgram, Settings};
use std::path::Path;
use std::time::Duration;

/// A subject, compiled.
pub(crate) struct Loaded {
    code: LoadedProgram,
    client: Client,
    spec: Builtin,
}

/// Compiles an object with its harness.
pub(crate) fn load(object: &str, client: Calls, careful: bool) -> Loaded {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("harness");
    let mut source = Source::file(folder.join(format!("{object}.rs")));
    if !careful {
        source.rust_flags = vec!["--cfg".into(), "careless".into()];
    }
    let program = load_program(&source).unwrap_or_else(|e| panic!("{object}: {e}"));
    let code = LoadedProgram::new(program, Settings::default()).expect("a harness");
    let call = |&(name, argument): &(&str, Option<i64>)| {
        let mut declared = code.operations().iter();
        Invocation {
            operation: declared.position(|d| d.name == name).expect("declared") as u16,
            argument: argument.map_or(Value::Unit, Value::Int),
        }
    };
    let client = Client {
        threads: client
            .iter()
            .map(|t| t.iter().map(call).collect())
            .collect(),
        ..Client::default()
    };
    let spec = code.spec().expect("every harness names one").name.clone();
    let spec = Builtin::named(&spec).expect("a built-in one");
    Loaded { code, client, spec }
}

struct Explore<'a>(&'a Loaded, Method);

impl Visitor for Explore<'_> {
    type Output = (Explored, Duration);

    fn visit<S: Spec + Sync>(self, spec: &S) -> Self::Output
    where
        S::State: Send,
        S::Call: Send,
    {
        let Self(Loaded { code, client, .. }, method) = self;
        let start = ThreadTime::now();
        let property = Linearizable::new(spec, client, code.operations()).expect("it fits");
        let plan = Plan::exhaustive().with(method);
        let explored = explore(
            code,
            client.clone(),
            property,
            &plan,
            &Unlimited,
            &|_, _| {},
        );
        (explored.expect("it runs"), start.elapsed())
    }
}

fn run(loaded: &Loaded, method: Method) -> (Explored, Duration) {
    loaded.spec.visit(Explore(loaded, method))
}

/// Executions that stand for all schedules, and the time: the median of five.
pub(crate) fn exhaust(loaded: &Loaded) -> (u64, Duration) {
    let mut all: Vec<(Duration, u64)> = (0..5)
        .map(|_| {
            let (explored, time) = run(loaded, Method::Exhaustive);
            assert_eq!(explored.error(), None);
            let Coverage::Exhausted { executions, .. } = explored.coverage else {
                panic!("{:?}", explored.coverage);
            };
            (time, executions)
        })
        .collect();
    all.sort_unstable();
    (all[2].1, all[2].0)
}

/// The time that `runs` random executions take, each judged.
pub(crate) fn random(loaded: &Loaded, runs: u64) -> Duration {
    let (explored, time) = run(loaded, Method::Random { runs, seed: 1 });
    assert!(matches!(explored.coverage, Coverage::Sampled { runs: r, .. } if r == runs));
    time
}

struct FromStart<'a>(&'a Loaded, u64);

impl Visitor for FromStart<'_> {
    type Output = Duration;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Self::Output
    where
        S::State: Send,
        S::Call: Send,
    {
        let Self(Loaded { code, client, .. }, runs) = self;
        let start = ThreadTime::now();
        let property = Linearizable::new(spec, client, code.operations()).expect("it fits");
        let mut judge = Judge::new(property, Plan::exhaustive().class_limit);
        let mut machine = code.start(client).expect("it starts");
        let beginning = machine.snapshot();
        for seed in 0..runs {
            machine.restore(&beginning);
            let run = run_once(&mut machine, &mut Uniform::new(seed), Bounds::default());
            let found = races(run.trace.steps(), MemoryModel::Sc, judge.property());
            assert_eq!(found, []);
            assert_eq!(judge.judge(&run.leaf()), ClassVerdict::Good);
        }
        start.elapsed()
    }
}

/// The time that `runs` random executions take, each run from the start, looked through for data races and judged.
pub(crate) fn random_from_start(loaded: &Loaded, runs: u64) -> Duration {
    loaded.spec.visit(FromStart(loaded, runs))
}

/// How runs are chosen at random.
#[derive(Clone, Copy)]
pub(crate) enum Sampler {
    Surw,
    Pct,
    Dpct,
}

/// Which execution is the first bad one.
pub(crate) fn first(loaded: &Loaded, sampler: Sampler, seed: u64) -> u64 {
    let (depth, runs) = (DEPTH, MOST);
    let method = match sampler {
        Sampler::Surw => Method::Surw { runs, seed },
        Sampler::Pct => Method::Pct { depth, runs, seed },
        Sampler::Dpct => Method::Dpct { depth, runs, seed },
    };
    let is_wrong = |kind: &Defect| *kind == Defect::Violation;
    first_bad(&run(loaded, method).0, is_wrong)
}

/// Which execution was the first bad one, which is bad in the way that is looked for.
fn first_bad(explored: &Explored, is_wrong: fn(&Defect) -> bool) -> u64 {
    let Some(found) = explored.error() else {
        return MOST;
    };
    assert!(is_wrong(&found.kind), "{:?}", found.kind);
    match explored.coverage {
        Coverage::Unknown { done, .. } => (done * MOST as f64).round() as u64,
        ref other => panic!("an error ends the search: {other:?}"),
    }
}

/// Compiles a careless object with a client as a program that starts the threads itself.
pub(crate) fn load_plain(object: &str) -> LoadedProgram {
    let folder = Path::new(env!("OUT_DIR")).join("plain");
    let source = Source::file(folder.join(format!("{object}.rs")));
    let program = load_program(&source).unwrap_or_else(|e| panic!("{object}: {e}"));
    LoadedProgram::new(program, Settings::default()).expect("a program")
}

/// Which execution of such a program is the first bad one under PCT.
pub(crate) fn first_of_plain(code: &LoadedProgram, seed: u64) -> u64 {
    let (depth, runs) = (DEPTH, MOST);
    let plan = Plan::exhaustive().with(Method::Pct { depth, runs, seed });
    let client = Client::default();
    let explored = explore(code, client, FaultFree, &plan, &Unlimited, &|_, _| {});
    let fails = |kind: &Defect| matches!(kind, Defect::Fault(_));
    first_bad(&explored.expect("it runs"), fails)
}

/// What was found out about a program.
pub(crate) struct Tried {
    pub(crate) executions: u64,
    pub(crate) time: Duration,
    pub(crate) found: bool,
}

/// Explores a program with a `main` under C20 until something is wrong with it, or to its end.
pub(crate) fn weak(file: &Path) -> Tried {
    let program = load_program(&Source::file(file)).unwrap_or_else(|e| panic!("{e}"));
    let settings = Settings {
        memory_model: MemoryModel::C20,
        ..Settings::default()
    };
    let code = LoadedProgram::new(program, settings).expect("a program");
    let start = ThreadTime::now();
    let client = Client::default();
    let plan = Plan::exhaustive();
    let explored = explore(&code, client, FaultFree, &plan, &Unlimited, &|_, _| {});
    let explored = explored.expect("it runs");
    Tried {
        executions: explored.coverage.executions(),
        time: start.elapsed(),
        found: !explored.found.is_empty(),
    }
}
