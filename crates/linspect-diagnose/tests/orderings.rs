//! Orderings as repairs: the smallest sets, each explored again.

use linspect_core::check::Unlimited;
use linspect_core::client::{Client, Invocation};
use linspect_core::execution::{End, Execution, MemoryModel, Ordering};
use linspect_core::machine::Subject;
use linspect_core::orderings::{Kind, Orderings, Place};
use linspect_core::property::{FaultFree, Linearizable};
use linspect_core::spec::Stack;
use linspect_core::value::Value;
use linspect_diagnose::localise::{OldRead, old_read};
use linspect_diagnose::repair::orderings::{places, strengthen};
use linspect_explore::external::{Judgement, Told, judge};
use linspect_explore::strategies::graph::{self, graphs};
use linspect_toy::Program;
use std::ops::ControlFlow;

/// Treiber's stack with these orderings: the load and the exchange of push, the load and the exchange of pop.
fn treiber([push_load, push, pop_load, pop]: [&str; 4]) -> Program {
    let text = format!(
        "object treiber
         arena 4
         global top = 0
         op push 1 2
           n = alloc 2
           write.rlx n arg
         again:
           t = read.{push_load} top
           write.rlx n+1 t
           ok = cas.{push}.rlx top t n
           if ok==0 goto again
           return
         op pop
         again:
           t = read.{pop_load} top
           if t!=0 goto some
           return nil
         some:
           x = read.rlx t+1
           ok = cas.{pop}.rlx top t x
           if ok==0 goto again
           v = read.rlx t
           return v"
    );
    let mut program = Program::parse(&text).expect("a program");
    program.memory = MemoryModel::C20;
    program
}

fn client() -> Client {
    let push = |n| Invocation {
        operation: 0,
        argument: Value::Int(n),
    };
    let pop = Invocation {
        operation: 1,
        argument: Value::Unit,
    };
    Client {
        threads: vec![vec![push(1), pop.clone()], vec![push(2), pop]],
        ..Client::default()
    }
}

/// All executions, and those that are bad.
fn explored(program: &Program) -> (u64, Vec<Execution>) {
    let client = client();
    let spec = Stack::default();
    let mut property = Linearizable::new(&spec, &client, &program.declared).expect("a stack");
    let mut machine = program.start(&client).expect("it starts");
    let mut bad = Vec::new();
    let options = graph::Options::of(MemoryModel::C20);
    let walk = graphs(&mut machine, &options, &mut |leaf| {
        let execution = leaf.execution();
        let told = Told {
            before: leaf.before,
            steps: &execution.steps,
            after: leaf.after,
            end: leaf.end,
        };
        if judge(&mut property, told, MemoryModel::C20, 10_000) != Judgement::Good {
            bad.push(execution);
        }
        ControlFlow::Continue(())
    });
    (walk.executions, bad)
}

/// The stack as `orderings` order it.
fn ordered(program: &Program, orderings: &Orderings) -> [&'static str; 4] {
    let word = |function: &str, line: u32, kind: Kind| {
        let here = |place: &Place| {
            let site = program.site(place.site);
            (site.function.as_str(), site.line, place.kind) == (function, line, kind)
        };
        let found = orderings.iter().find(|(place, _)| here(place));
        match found.map_or(Ordering::Relaxed, |(_, ordering)| *ordering) {
            Ordering::Plain | Ordering::Relaxed => "rlx",
            Ordering::Acquire => "acq",
            Ordering::Release => "rel",
            Ordering::AcqRel => "ar",
            Ordering::SeqCst => "sc",
        }
    };
    [
        word("push", 3, Kind::Load),
        word("push", 5, Kind::Update),
        word("pop", 1, Kind::Load),
        word("pop", 6, Kind::Update),
    ]
}

#[test]
fn treibers_stack_is_repaired_by_a_release_and_an_acquire() {
    let program = treiber(["rlx"; 4]);
    let (executions, bad) = explored(&program);
    assert!(!bad.is_empty() && (bad.len() as u64) < executions);
    let mut written = places(&bad);
    // Those of the top of the stack; what an exchange does that fails decides nothing here.
    let is_top = |place: &Place| {
        let site = program.site(place.site);
        place.kind != Kind::Failure
            && [("push", 3), ("push", 5), ("pop", 1), ("pop", 6)]
                .contains(&(site.function.as_str(), site.line))
    };
    written.retain(|place, _| is_top(place));
    let lines: Vec<u32> = written.keys().map(|p| program.site(p.site).line).collect();
    assert!(lines.contains(&5) && lines.contains(&1), "{lines:?}");
    let mut asked = 0;
    let mut is_enough = |orderings: &Orderings| {
        asked += 1;
        Some(
            explored(&treiber(ordered(&program, orderings)))
                .1
                .is_empty(),
        )
    };
    let repairs = strengthen(&written, &mut is_enough);
    assert!(asked < 40, "{asked}");
    let told: Vec<_> = repairs.iter().map(|r| ordered(&program, r)).collect();
    assert_eq!(told, [["rlx", "rel", "acq", "rlx"]]);
    // One change alone is not enough.
    let bad = |orders| explored(&treiber(orders)).1.len();
    assert_ne!(bad(["rlx", "rel", "rlx", "rlx"]), 0);
    assert_ne!(bad(["rlx", "rlx", "acq", "rlx"]), 0);
    // Who does not know any more says nothing.
    assert!(strengthen(&written, &mut |_| None).is_empty());
}

/// A value and a flag, everything relaxed: whoever has seen the flag may read an old value.
const MESSAGE: &str = "object message
    global x = 0
    global y = 0
    op write
      write.rlx x 1
      write.rlx y 1
      return
    op read
      r = read.rlx y
      if r==0 goto done
      s = read.rlx x
      assert s==1
    done:
      return";

#[test]
fn the_read_of_something_old_decides() {
    let mut program = Program::parse(MESSAGE).expect("a program");
    program.memory = MemoryModel::C20;
    let mut decisive = [0; 2];
    for threads in [&["write", "read"][..], &["write", "read", "read"]] {
        let client = program.client("", threads, "");
        let mut machine = program.start(&client).expect("it starts");
        let options = graph::Options::of(MemoryModel::C20);
        graphs(&mut machine, &options, &mut |leaf| {
            let execution = leaf.execution();
            if execution.end == End::Fault {
                let most = 1_000;
                let found = old_read(
                    &program,
                    &client,
                    &mut FaultFree,
                    &execution,
                    most,
                    &Unlimited,
                );
                let found = found.expect("it starts");
                let read = execution.steps.len() - 1;
                let expected = OldRead {
                    step: read,
                    good: 1,
                };
                // Another reader that has not returned may still go wrong.
                let returned = execution.steps.iter().filter(|s| s.returned.is_some());
                let decides = returned.count() == threads.len() - 1;
                decisive[usize::from(decides)] += 1;
                assert_eq!(found, decides.then_some(expected), "{execution:#?}");
            }
            ControlFlow::Continue(())
        });
    }
    assert!(decisive.iter().all(|n| *n > 0), "{decisive:?}");
}
