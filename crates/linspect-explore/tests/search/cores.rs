//! One client on several cores: whatever they find, count and cover is what one core does.

use linspect_core::check::{Budget, Unlimited};
use linspect_core::client::{Client, Invocation};
use linspect_core::execution::MemoryModel;
use linspect_core::machine::{Machine, Retries, Subject};
use linspect_core::property::Linearizable;
use linspect_core::spec::Stack;
use linspect_core::value::Value;
use linspect_core::verdict::Limit;
use linspect_explore::search::{Coverage, Explored, Plan, Stopped, search};
use linspect_explore::strategies::Leaf;
use linspect_explore::strategies::exhaustive::{Options, exhaustive};
use linspect_explore::strategies::graph::{self, Rest, WalkPart, graphs, part};
use linspect_toy::Program;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// Treiber's stack, whose exchanges have these orderings. Fields of nodes are atomic, so that there is no race.
pub(super) fn treiber(push: &str, pop: &str) -> Program {
    let text = format!(
        "object treiber
         arena 4
         global top = 0
         op push 1 2 3
           n = alloc 2
           write.rlx n arg
         again:
           t = read.acq top
           write.rlx n+1 t
           ok = cas.{push}.rlx top t n
           if ok==0 goto again
           return
         op pop
         again:
           t = read.acq top
           if t!=0 goto some
           return nil
         some:
           x = read.rlx t+1
           ok = cas.{pop}.rlx top t x
           if ok==0 goto again
           v = read.rlx t
           if v!=0 goto value
           return nil
         value:
           return v"
    );
    weak(&text)
}

/// Threads that count again whenever others have counted, too.
pub(super) fn counting() -> Program {
    weak(
        "object counter
         global x = 0
         op push 1 2 3
         again:
           t = read.rlx x
           write.rlx x t+1
           u = read.rlx x
           d = set u-t
           if d!=1 goto again
           return
         op pop
           return nil",
    )
}

pub(super) fn weak(text: &str) -> Program {
    let mut program = Program::parse(text).expect("a program");
    program.memory = MemoryModel::C20;
    program
}

/// `a` pushes 1, 2, …, `r` pops.
pub(super) fn client(text: &str) -> Client {
    let mut pushed = 0;
    let mut call = |c: char| {
        pushed += i64::from(c == 'a');
        Invocation {
            operation: u16::from(c == 'r'),
            argument: match c {
                'a' => Value::Int(pushed),
                _ => Value::Unit,
            },
        }
    };
    let threads = text.split('/').map(|t| t.chars().map(&mut call).collect());
    Client {
        threads: threads.collect(),
        ..Client::default()
    }
}

/// What one client comes to on so many cores.
pub(super) fn on(cores: usize, program: &Program, text: &str, plan: &Plan) -> Explored {
    within(cores, program, text, plan, &Unlimited)
}

fn within(
    cores: usize,
    program: &Program,
    text: &str,
    plan: &Plan,
    budget: &(dyn Budget + Sync),
) -> Explored {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build();
    let spec = Stack::default();
    let outcome = pool.expect("a pool").install(|| {
        search(
            program,
            [client(text)].into_iter(),
            |client| Linearizable::new(&spec, client, &program.declared),
            plan,
            budget,
            &|_| {},
        )
    });
    let mut explored = outcome.expect("the harness is fine").explored;
    explored.pop().expect("one client was explored")
}

/// The same on any number of cores.
fn same(program: &Program, text: &str, plan: &Plan) -> Explored {
    let one = on(1, program, text, plan);
    for cores in [2, 5, 16] {
        assert_eq!(on(cores, program, text, plan), one, "{text}, {cores} cores");
    }
    one
}

#[test]
fn nothing_is_counted_twice_and_nothing_is_lost() {
    let program = treiber("rel", "rel");
    let explored = same(&program, "ar/ar/r", &Plan::exhaustive());
    let mut machine = program.start(&client("ar/ar/r")).expect("it starts");
    machine.set_retries(Retries::Park);
    let options = graph::Options::of(MemoryModel::C20);
    let walk = graphs(&mut machine, &options, &mut |_| ControlFlow::Continue(()));
    assert!(walk.executions + walk.covered > 400, "{walk:?}");
    let counts = Coverage::Exhausted {
        executions: walk.executions,
        retries_cut: walk.covered,
    };
    assert_eq!(explored.coverage, counts);
}

/// The first wrong execution in the order of the walk is found, whoever comes to a wrong one first.
#[test]
fn the_first_error_is_found() {
    for text in ["ar/ar", "ar/ar/r", "aar/ar"] {
        let explored = same(&treiber("rlx", "rlx"), text, &Plan::exhaustive());
        assert!(explored.error().is_some(), "{text}");
    }
    let to_the_end = Plan {
        keep_going: true,
        ..Plan::exhaustive()
    };
    let explored = same(&treiber("rlx", "rlx"), "ar/ar", &to_the_end);
    assert!(explored.error().is_some());
    assert!(explored.coverage.executions() > 50, "{explored:?}");
}

#[test]
fn a_count_ends_it_at_the_same_execution() {
    for most in [1, 32, 33, 100, 200, 300, 433] {
        let plan = Plan {
            executions: Some(most),
            ..Plan::exhaustive()
        };
        let explored = same(&treiber("rel", "rel"), "ar/ar/r", &plan);
        let Coverage::Unknown { reason, .. } = explored.coverage else {
            panic!("{explored:?}")
        };
        assert_eq!(reason, Stopped::Executions(most));
    }
}

/// Rounds that are given up because too many executions reach the bound on steps are given up at the same execution.
#[test]
fn rounds_are_given_up_at_the_same_execution() {
    let plan = Plan {
        retries: Retries::Wake,
        ..Plan::exhaustive()
    };
    let explored = same(&counting(), "a/a/a", &plan);
    assert!(explored.coverage.steps_bound().is_some(), "{explored:?}");
}

/// A budget that allows so many questions.
struct Questions(AtomicU64);

impl Budget for Questions {
    fn exhausted(&self, _memory: usize) -> Option<Limit> {
        let left = |left: u64| left.checked_sub(1);
        let asked = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
        asked.is_err().then_some(Limit::Time)
    }
}

/// Whenever the budget ends, the walk does, and says so.
#[test]
fn a_budget_ends_it_on_all_cores() {
    for questions in [1, 2, 50, 200, 300] {
        let budget = Questions(questions.into());
        let program = treiber("rel", "rel");
        let explored = within(5, &program, "ar/ar/r", &Plan::exhaustive(), &budget);
        let Coverage::Unknown { reason, .. } = explored.coverage else {
            panic!("{explored:?}")
        };
        assert_eq!(reason, Stopped::Limit(Limit::Time));
    }
}

/// However a walk is cut into parts, and whoever walks them in whatever order, together they show each execution once.
#[test]
fn parts_of_a_walk_are_the_walk() {
    let program = treiber("rlx", "rlx");
    let client = client("ar/ar");
    let options = graph::Options::of(MemoryModel::C20);
    let signature = |leaf: &Leaf<'_>| leaf.trace.signature();
    let mut whole = Vec::new();
    let mut machine = program.start(&client).expect("it starts");
    graphs(&mut machine, &options, &mut |leaf| {
        whole.push((signature(leaf), leaf.progress.to_bits()));
        ControlFlow::Continue(())
    });
    assert!(whole.len() > 200, "{}", whole.len());
    for after in [1, 2, 3, 7, 20, 60] {
        // Parts that wait, in the order of the walk; one is walked, cut after a few nodes, and what is left is cut in two.
        let mut waiting = VecDeque::from([WalkPart::default()]);
        let mut seen = Vec::new();
        while let Some(branch) = waiting.pop_front() {
            let mut machine = program.start(&client).expect("it starts");
            let (mut nodes, mut left) = (0, Vec::new());
            let visit = &mut |leaf: &Leaf<'_>| {
                seen.push((signature(leaf), leaf.progress.to_bits()));
                ControlFlow::Continue(())
            };
            let breath = &mut |rest: &mut dyn Rest| {
                nodes += 1;
                if nodes <= after {
                    return ControlFlow::Continue(());
                }
                let last = rest.split();
                left.push(rest.branch());
                left.extend(last);
                ControlFlow::Break(())
            };
            part(&mut machine, &options, &branch, visit, breath);
            left.into_iter().rev().for_each(|b| waiting.push_front(b));
        }
        assert_eq!(seen, whole, "cut after {after} nodes");
    }
}

/// The same program under sequential consistency.
fn strong(program: Program) -> Program {
    Program {
        memory: MemoryModel::Sc,
        ..program
    }
}

#[test]
fn nothing_is_counted_twice_and_nothing_is_lost_under_sc() {
    let program = strong(treiber("rel", "rel"));
    for retries in [Retries::Park, Retries::Wake] {
        let text = match retries {
            Retries::Park => "ar/ar/ar",
            Retries::Wake => "ar/ar/r",
        };
        let plan = Plan {
            retries,
            ..Plan::exhaustive()
        };
        let explored = same(&program, text, &plan);
        let mut machine = program.start(&client(text)).expect("it starts");
        machine.set_retries(retries);
        let walk = exhaustive(&mut machine, &Options::default(), &mut |_| {
            ControlFlow::Continue(())
        });
        assert!(walk.executions + walk.covered > 1_000, "{walk:?}");
        let counts = Coverage::Exhausted {
            executions: walk.executions,
            retries_cut: walk.covered,
        };
        assert_eq!(explored.coverage, counts);
    }
}

/// A stack whose pop forgets to look whether the top is still the same.
#[test]
fn the_first_error_is_found_under_sc() {
    let program = linspect_toy::objects::treiber_blind_pop();
    for text in ["ar/ar", "ar/ar/r", "aa/aa/rr", "aar/aar"] {
        let explored = same(&program, text, &Plan::exhaustive());
        assert!(explored.error().is_some(), "{text}");
    }
    let to_the_end = Plan {
        keep_going: true,
        ..Plan::exhaustive()
    };
    let explored = same(&program, "ar/ar/ar", &to_the_end);
    assert!(explored.error().is_some());
    assert!(explored.coverage.executions() > 200, "{explored:?}");
}

#[test]
fn a_count_ends_it_at_the_same_execution_under_sc() {
    for most in [1, 63, 64, 65, 200, 500, 1_000, 1_211] {
        let plan = Plan {
            executions: Some(most),
            ..Plan::exhaustive()
        };
        let explored = same(&strong(treiber("rel", "rel")), "ar/ar/ar", &plan);
        let Coverage::Unknown { reason, .. } = explored.coverage else {
            panic!("{explored:?}")
        };
        assert_eq!(reason, Stopped::Executions(most));
    }
}

#[test]
fn rounds_are_given_up_at_the_same_execution_under_sc() {
    let plan = Plan {
        retries: Retries::Wake,
        ..Plan::exhaustive()
    };
    let explored = same(&strong(counting()), "a/a/a", &plan);
    assert!(explored.coverage.steps_bound().is_some(), "{explored:?}");
}

#[test]
fn a_budget_ends_it_on_all_cores_under_sc() {
    for questions in [1, 2, 50, 200, 300] {
        let budget = Questions(questions.into());
        let program = strong(treiber("rel", "rel"));
        let explored = within(5, &program, "ar/ar/ar", &Plan::exhaustive(), &budget);
        let Coverage::Unknown { reason, .. } = explored.coverage else {
            panic!("{explored:?}")
        };
        assert_eq!(reason, Stopped::Limit(Limit::Time));
    }
}
