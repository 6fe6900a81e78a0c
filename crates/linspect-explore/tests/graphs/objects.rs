//! Objects under weak memory: how many executions they have, and which are not linearizable whatever a client adds.

use linspect_core::client::{Client, Invocation};
use linspect_core::consistency::Graph;
use linspect_core::execution::{Activation, Ending, EventId, MemoryModel, Step};
use linspect_core::machine::Subject;
use linspect_core::property::Linearizable;
use linspect_core::random::Random;
use linspect_core::spec::Stack;
use linspect_core::value::Value;
use linspect_explore::external::{Judgement, Told, judge};
use linspect_explore::strategies::graph::{self, graphs};
use linspect_toy::Program;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Orderings of Treiber's stack: of the loads and exchanges of push and pop, and of a node's fields.
#[derive(Clone, Copy)]
pub(crate) struct Orders {
    pub(crate) push_load: &'static str,
    pub(crate) push: &'static str,
    pub(crate) pop_load: &'static str,
    pub(crate) pop: &'static str,
    pub(crate) node: &'static str,
}

const RIGHT: Orders = Orders {
    push_load: "acq",
    push: "rel",
    pop_load: "acq",
    pop: "rel",
    node: "na",
};

const RELAXED: Orders = Orders {
    push_load: "rlx",
    push: "rlx",
    pop_load: "rlx",
    pop: "rlx",
    node: "na",
};

pub(crate) fn treiber(orders: Orders) -> Program {
    let Orders {
        push_load,
        push,
        pop_load,
        pop,
        node,
    } = orders;
    let text = format!(
        "object treiber
         arena 4
         global top = 0
         op push 1 2 3
           n = alloc 2
           write.{node} n arg
         again:
           t = read.{push_load} top
           write.{node} n+1 t
           ok = cas.{push}.rlx top t n
           if ok==0 goto again
           return
         op pop
         again:
           t = read.{pop_load} top
           if t!=0 goto some
           return nil
         some:
           x = read.{node} t+1
           ok = cas.{pop}.rlx top t x
           if ok==0 goto again
           v = read.{node} t
           if v!=0 goto value
           return nil
         value:
           return v"
    );
    let mut program = Program::parse(&text).expect("a program");
    program.memory = MemoryModel::C20;
    program
}

/// `a` pushes 1, 2, …, `r` pops.
pub(crate) fn client(text: &str) -> Client {
    let mut pushed = 0;
    let mut call = |c: char| {
        pushed += i64::from(c == 'a');
        Invocation {
            operation: u16::from(c == 'r'),
            argument: if c == 'a' {
                Value::Int(pushed)
            } else {
                Value::Unit
            },
        }
    };
    Client {
        threads: text
            .split('/')
            .map(|t| t.chars().map(&mut call).collect())
            .collect(),
        ..Client::default()
    }
}

/// Executions, and how many of them are bad; `each` is told of every one.
pub(crate) fn explore(
    program: &Program,
    client: &Client,
    model: MemoryModel,
    each: &mut dyn FnMut(&[Step], bool),
) -> (u64, u64) {
    let mut machine = program.start(client).expect("it starts");
    let spec = Stack::default();
    let mut property = Linearizable::new(&spec, client, &program.declared).expect("a stack");
    let mut bad = 0;
    let walk = graphs(&mut machine, &graph::Options::of(model), &mut |leaf| {
        let execution = leaf.execution();
        let told = Told {
            before: leaf.before,
            steps: &execution.steps,
            after: leaf.after,
            end: leaf.end,
        };
        let judgement = judge(&mut property, told, model, 100_000);
        assert_ne!(judgement, Judgement::Unknown);
        let is_bad = judgement != Judgement::Good;
        bad += u64::from(is_bad);
        each(&execution.steps, is_bad);
        ControlFlow::Continue(())
    });
    (walk.executions, bad)
}

#[test]
fn treibers_stack() {
    let count = |orders, model| {
        let program = treiber(orders);
        explore(&program, &client("ar/ar"), model, &mut |_, _| {})
    };
    assert_eq!(count(RIGHT, MemoryModel::Sc), (46, 0));
    assert_eq!(count(RIGHT, MemoryModel::C20), (46, 0));
    assert_eq!(count(RELAXED, MemoryModel::C20).0, 218);
    let weak = Orders {
        push: "rlx",
        node: "rlx",
        ..RIGHT
    };
    assert_eq!(count(weak, MemoryModel::Sc), (46, 0));
    assert_eq!(count(weak, MemoryModel::C20), (122, 64));
}

/// By brute force: every set of messages between returns and calls, every order of the operations.
fn is_bad(steps: &[Step]) -> bool {
    struct Op {
        id: Activation,
        first: EventId,
        last: EventId,
        push: bool,
        value: Option<i64>,
    }
    let mut ops: Vec<Op> = Vec::new();
    let mut taken: BTreeMap<u16, u32> = BTreeMap::new();
    let mut pushed = 0;
    for step in steps {
        let thread = step.choice.thread;
        let count = taken.entry(thread).or_default();
        let here = EventId {
            thread,
            step: *count,
        };
        *count += 1;
        if let Some(id) = step.called {
            ops.push(Op {
                id,
                first: here,
                last: here,
                push: false,
                value: None,
            });
        }
        if let Some((id, ending)) = &step.returned {
            let op = ops.iter_mut().find(|o| o.id == *id).expect("it was called");
            op.last = here;
            match ending {
                Ending::Returned(Value::Int(v)) => op.value = Some(*v),
                Ending::Returned(Value::Unit) => op.push = true,
                _ => {}
            }
        }
    }
    // What is pushed is told by the client: 1, 2, … by thread and position.
    ops.sort_by_key(|o| o.id);
    for op in &mut ops {
        if op.push {
            pushed += 1;
            op.value = Some(pushed);
        }
    }
    let n = ops.len();
    let across: Vec<(usize, usize)> = (0..n)
        .flat_map(|a| (0..n).map(move |b| (a, b)))
        .filter(|&(a, b)| ops[a].id.thread != ops[b].id.thread)
        .collect();
    let is_linear = |before: &dyn Fn(usize, usize) -> bool| {
        let mut orders = vec![(Vec::new(), Vec::new())];
        while let Some((placed, stack)) = orders.pop() {
            let placed: Vec<usize> = placed;
            let stack: Vec<i64> = stack;
            if placed.len() == n {
                return true;
            }
            for next in (0..n).filter(|i| !placed.contains(i)) {
                if (0..n).any(|o| !placed.contains(&o) && o != next && before(o, next)) {
                    continue;
                }
                let mut stack = stack.clone();
                let fits = match (ops[next].push, ops[next].value) {
                    (true, value) => {
                        stack.push(value.expect("it was pushed"));
                        true
                    }
                    (false, value) => stack.pop() == value,
                };
                if fits {
                    let mut placed = placed.clone();
                    placed.push(next);
                    orders.push((placed, stack));
                }
            }
        }
        false
    };
    (0..1_u32 << across.len()).any(|set| {
        let mut graph = Graph::of(steps);
        for (i, &(a, b)) in across.iter().enumerate() {
            if set >> i & 1 == 1 {
                graph.synchronise(ops[a].last, ops[b].first);
            }
        }
        if !graph.is_consistent(MemoryModel::C20) {
            return false;
        }
        let hb = graph.happens_before(MemoryModel::C20);
        !is_linear(&|a, b| hb.has(ops[a].last, ops[b].first))
    })
}

#[test]
fn messages_by_brute_force() {
    const ORDERS: [&str; 5] = ["rlx", "acq", "rel", "ar", "sc"];
    let mut bad = 0;
    let mut all = 0;
    for seed in 0..super::count(200) {
        let mut rng = Random::new(seed);
        let load = |rng: &mut Random| ["rlx", "acq"][rng.below(2)];
        let orders = Orders {
            push_load: load(&mut rng),
            push: ORDERS[rng.below(5)],
            pop_load: load(&mut rng),
            pop: ORDERS[rng.below(5)],
            node: ["rlx", "na"][rng.below(2)],
        };
        let text = *rng.pick(&["a/r", "a/r/r", "ar/r", "a/rr", "aa/r", "a/a/r"]);
        let program = treiber(orders);
        explore(
            &program,
            &client(text),
            MemoryModel::C20,
            &mut |steps, judged| {
                assert_eq!(judged, is_bad(steps), "seed {seed} {text}\n{steps:#?}");
                all += 1;
                bad += u32::from(judged);
            },
        );
    }
    assert!(bad > 0 && bad < all, "{bad} of {all}");
}
