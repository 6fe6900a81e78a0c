//! The search over clients: what it finds, what it says it covered, and that cores do not matter.

mod cores;
mod coverage;
mod harness;
mod kinds;
mod parts;
mod races;
mod relaxation;
mod unwritten;

use linspect_core::check::Unlimited;
use linspect_core::client::{Client, Invocation};
use linspect_core::defect::Defect;
use linspect_core::execution::Ending;
use linspect_core::property::Linearizable;
use linspect_core::spec::{Spec, Stack};
use linspect_core::value::Value;
use linspect_explore::clients::{self, Sizes};
use linspect_explore::search::{Coverage, Plan, SearchOutcome, search};
use linspect_toy::{Program, objects};

fn call(operation: u16, argument: impl Into<Value>) -> Invocation {
    Invocation {
        operation,
        argument: argument.into(),
    }
}

fn threads(threads: &[&[Invocation]]) -> Client {
    Client {
        threads: threads.iter().map(|t| t.to_vec()).collect(),
        ..Client::default()
    }
}

/// The object with two values to add.
fn with_two_values(mut program: Program) -> Program {
    program.declared[0].domain.truncate(2);
    program
}

fn search_all<S: Spec + Sync>(program: &Program, spec: &S, plan: &Plan) -> SearchOutcome {
    search(
        program,
        clients::enumerate(&program.declared, Sizes::default()),
        |client| Linearizable::new(spec, client, &program.declared),
        plan,
        &Unlimited,
        &|_| {},
    )
    .expect("the harness is fine")
}

#[test]
fn the_smallest_bad_client_is_found_on_any_number_of_cores() {
    let program = with_two_values(objects::treiber_blind_pop());
    let on = |cores| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(cores)
            .build()
            .expect("a pool");
        pool.install(|| search_all(&program, &Stack::default(), &Plan::exhaustive()))
    };
    let outcome = on(1);
    assert_eq!(on(2), outcome);
    assert_eq!(on(5), outcome);
    let (client, found) = outcome.error().expect("pop is not atomic");
    // Two pops of one element need a push, which must not be concurrent: its thread pops too.
    assert_eq!(
        *client,
        threads(&[&[call(0, 1), call(1, ())], &[call(1, ())]])
    );
    assert_eq!(found.kind, Defect::Violation);
    let returned: Vec<_> = found
        .execution
        .steps
        .iter()
        .filter_map(|s| s.returned.clone())
        .map(|(_, ending)| ending)
        .collect();
    let one = Ending::Returned(Value::Int(1));
    assert_eq!(returned, [Ending::Returned(Value::Unit), one.clone(), one]);
    let last = outcome.explored.len() - 1;
    for explored in &outcome.explored[..last] {
        assert!(
            matches!(explored.coverage, Coverage::Exhausted { .. }),
            "{explored:?}"
        );
    }
    assert_eq!(last, 14);
}
