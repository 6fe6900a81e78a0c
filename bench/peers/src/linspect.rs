//! Our side.

use crate::{DEPTH, MOST, Subject};
use cpu_time::ThreadTime;
use linspect_core::check::Unlimited;
use linspect_core::client::{Client, Invocation};
use linspect_core::machine::Subject as _;
use linspect_core::property::Linearizable;
use linspect_core::spec::{Builtin, Spec, Visitor};
use linspect_core::value::Value;
use linspect_explore::search::{Coverage, Explored, Kind, Method, Plan, explore};
use linspect_vm::frontend::{Source, load as load_program};
use linspect_vm::{Code, Settings};
use std::path::Path;
use std::time::Duration;

/// A subject, compiled.
pub(crate) struct Loaded {
    code: Code,
    client: Client,
    spec: Builtin,
}

/// Compiles an object with its harness.
pub(crate) fn load(subject: &Subject, careful: bool) -> Loaded {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("harness");
    let mut source = Source::file(folder.join(format!("{}.rs", subject.name)));
    if !careful {
        source.rust_flags = vec!["--cfg".into(), "careless".into()];
    }
    let program = load_program(&source).unwrap_or_else(|e| panic!("{}: {e}", subject.name));
    let code = Code::new(program, Settings::default()).expect("a harness");
    let call = |&(name, argument): &(&str, Option<i64>)| {
        let mut declared = code.operations().iter();
        Invocation {
            operation: declared.position(|d| d.name == name).expect("declared") as u16,
            argument: argument.map_or(Value::Unit, Value::Int),
        }
    };
    let threads = subject.client.iter();
    let client = Client {
        threads: threads.map(|t| t.iter().map(call).collect()).collect(),
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
            let Coverage::Exhausted { executions } = explored.coverage else {
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
    assert_eq!(explored.coverage.executions(), runs);
    time
}

/// Which execution is the first bad one.
pub(crate) fn first(loaded: &Loaded, dynamic: bool, seed: u64) -> u64 {
    let (depth, runs) = (DEPTH, MOST);
    let method = if dynamic {
        Method::Dpct { depth, runs, seed }
    } else {
        Method::Pct { depth, runs, seed }
    };
    let explored = run(loaded, method).0;
    match explored.error() {
        Some(found) => assert_eq!(found.kind, Kind::Violation),
        None => assert_eq!(explored.coverage.executions(), MOST),
    }
    explored.coverage.executions()
}
