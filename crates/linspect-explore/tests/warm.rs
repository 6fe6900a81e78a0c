//! Clients whose threads warm up: an ordinary client in which each thread's first operation runs before anybody else goes on.

use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::execution::Ending;
use linspect_core::machine::{Machine, StartError, Status, Subject};
use linspect_core::property::Linearizable;
use linspect_core::random::Random;
use linspect_core::schedule::{Choice, ThreadId};
use linspect_core::spec::Stack;
use linspect_core::verdict::Limit;
use linspect_explore::class;
use linspect_explore::clients::{ClientFamily, Sizes};
use linspect_explore::promise::{Depth, Promise, PromisedLevel};
use linspect_explore::search::{Keeping, Kept, Plan, Purse, keep};
use linspect_explore::strategies::exhaustive::{self, exhaustive};
use linspect_explore::strategies::naive::{self, naive};
use linspect_explore::tight::Tight;
use linspect_explore::trace::Trace;
use linspect_explore::warm_up::{warm_up, warmed};
use linspect_toy::random::{self, Shape};
use linspect_toy::{Program, ToyMachine, objects};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// What clients saw of a run: calls and returns in their order, its end and what came after.
type Seen = (Vec<String>, String, String);

fn told(trace: &Trace) -> Vec<String> {
    let mut told = Vec::new();
    for step in trace.steps() {
        told.extend(step.called.map(|called| format!("{} calls", called.thread)));
        let returned = step.returned.as_ref();
        told.extend(returned.map(|(of, ending)| format!("{} returns {ending:?}", of.thread)));
    }
    told
}

fn all(machine: &mut ToyMachine) -> BTreeSet<Seen> {
    let mut seen = BTreeSet::new();
    naive(machine, naive::Options::default(), &mut |leaf| {
        let (end, after) = (format!("{:?}", leaf.end), format!("{:?}", leaf.after));
        seen.insert((told(leaf.trace), end, after));
        ControlFlow::Continue(())
    });
    seen
}

/// The cold client, in which the first operation of each thread has run to its end in turn; what they returned. Nothing if one of them does not end.
fn by_hand(program: &Program, cold: &Client) -> Option<(ToyMachine, Vec<Ending>)> {
    let mut machine = program.start(cold).expect("no prefix");
    let mut endings = Vec::new();
    for thread in 0..cold.threads.len() as ThreadId {
        let ending = (0..1_000).find_map(|_| {
            let ready = machine.status(thread) == Status::Ready;
            let step = ready.then(|| machine.step(Choice::of(thread)))?;
            let ended = step.fault.is_some() || step.ends_process();
            let returned = step.returned.map(|(_, ending)| ending);
            returned.map(Some).or(ended.then_some(None))
        })?;
        endings.push(ending?);
    }
    Some((machine, endings))
}

/// A tenth of the programs unless all are asked for.
fn count(all: u64) -> u64 {
    match std::env::var_os("LINSPECT_LONG") {
        Some(_) => all,
        None => all / 10,
    }
}

fn histories(machine: &mut ToyMachine) -> (BTreeSet<Tight>, BTreeSet<Tight>) {
    let start = machine.snapshot();
    let (mut every, mut reduced) = (BTreeSet::new(), BTreeSet::new());
    naive(machine, naive::Options::default(), &mut |leaf| {
        every.insert(Tight::of(leaf.trace));
        ControlFlow::Continue(())
    });
    machine.restore(&start);
    exhaustive(machine, &exhaustive::Options::default(), &mut |leaf| {
        class::histories(leaf.trace, &mut |tight| {
            reduced.insert(tight);
        });
        ControlFlow::Continue(())
    });
    (every, reduced)
}

/// What a client can see whose threads warm up is what the client without that can see after its threads were led through their first operations by hand.
#[test]
fn warm_clients_are_cold_ones_after_their_first_operations() {
    let shape = Shape {
        operations: 3,
        atomics: true,
        locks: true,
        spins: true,
        ..Shape::plain()
    };
    let (mut compared, mut stuck) = (0, 0);
    for seed in 0..count(6_000) {
        let mut rng = Random::new(700_000 + seed);
        let (program, cold) = random::program(&mut rng, shape);
        if cold.threads.iter().any(|thread| thread.len() < 2) {
            continue;
        }
        let mut warm = cold.clone();
        warm.warm = (0..cold.threads.len() as ThreadId).collect();
        for thread in &mut warm.threads {
            warm.before.push(thread.remove(0));
        }
        let expected = by_hand(&program, &cold);
        match (program.start(&warm), expected) {
            (Ok(mut machine), Some((mut by_hand, endings))) => {
                assert_eq!(machine.prefix(), endings, "seed {seed}");
                let start = machine.snapshot();
                assert_eq!(all(&mut machine), all(&mut by_hand), "seed {seed}");
                machine.restore(&start);
                let (every, reduced) = histories(&mut machine);
                assert_eq!(every, reduced, "seed {seed}");
                compared += 1;
            }
            (Err(StartError::Prefix { .. } | StartError::PrefixBlocks { .. }), None) => stuck += 1,
            (started, expected) => panic!(
                "seed {seed}: {:?}, by hand {:?}",
                started.map(drop),
                expected.map(|(_, endings)| endings)
            ),
        }
    }
    assert!(
        compared * 12 > count(6_000) && stuck > 0,
        "{compared} {stuck}"
    );
}

/// Treiber's stack whose threads first enter themselves in a list, as those of epochs do, and look at everybody in it; `pop` is wrong if asked for.
fn registering(wrong: bool) -> Program {
    let register = |op: &str| {
        format!(
            "  mine = set tid+entered
               done = read mine
               if done!=0 goto ready
             {op}enter:
               l = read list
               ok = cas list l l+1
               if ok==0 goto {op}enter
               a = read seen
               write seen a+1
               b = read seen
               c = read list
               write mine 1
             ready:"
        )
    };
    let pop = match wrong {
        true => "write top x\n ok = set 1",
        false => "ok = cas top t x",
    };
    let (push_registers, pop_registers) = (register("push"), register("pop"));
    let text = format!(
        "object registering
         arena 12
         global entered[4] = 0
         global list = 0
         global seen = 0
         global top = 0
         op push 1
           {push_registers}
           n = alloc 2
           init n arg
         again:
           t = read top
           init n+1 t
           ok = cas top t n
           if ok==0 goto again
           return
         op pop
           {pop_registers}
         again:
           t = read top
           if t!=0 goto some
           return nil
         some:
           x = read t+1
           {pop}
           if ok==0 goto again
           v = read t
           return v"
    );
    Program::parse(&text).expect("well formed")
}

/// A budget that is asked so often.
struct Counted {
    asked: AtomicU64,
    most: u64,
}

/// A part of it.
struct Part<'a>(&'a Counted, u64);

impl Purse for Counted {
    fn until(&self, part: f64) -> Box<dyn Budget + Sync + '_> {
        Box::new(Part(self, (self.most as f64 * part) as u64))
    }
}

impl Budget for Part<'_> {
    fn exhausted(&self, _memory: usize) -> Option<Limit> {
        let asked = self.0.asked.fetch_add(1, Ordering::Relaxed);
        (asked >= self.1).then_some(Limit::Time)
    }

    fn share(&self, of: u32) -> Option<Box<dyn Budget + '_>> {
        let now = self.0.asked.load(Ordering::Relaxed);
        let left = AtomicU64::new(self.1.saturating_sub(now) / u64::from(of));
        Some(Box::new(move |memory| {
            let spent = left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1))
                .is_err();
            self.exhausted(memory).or(spent.then_some(Limit::Time))
        }))
    }
}

fn kept(program: &Program, sizes: Sizes, most: u64, warm: bool) -> (Kept, Promise) {
    let spec = Stack::default();
    let declared = &program.declared;
    let family = ClientFamily::new(&spec, declared, sizes).expect("a stack");
    let promise = Promise::usual(sizes, |n| family.count(n, usize::MAX));
    let call = warm_up(program, &spec, declared).expect("threads register");
    let twin = |client: &Client| warmed(client, &call, &spec, declared);
    let promise = match warm {
        true => promise.or_warm("pop".into()),
        false => promise,
    };
    let purse = Counted {
        asked: AtomicU64::new(0),
        most,
    };
    let keeping = Keeping {
        plan: &Plan::exhaustive(),
        promise: &promise,
        purse: &purse,
        progress: &|_| {},
        beyond: &|_| false,
        memory: None,
        warm: warm.then_some(&twin),
    };
    let property = |client: &Client| Linearizable::new(&spec, client, declared);
    let kept = keep(program, family.clients(), property, keeping).expect("it runs");
    (kept, promise)
}

#[test]
fn threads_warm_up_with_what_changes_nothing_and_only_where_it_saves_steps() {
    let spec = Stack::default();
    let program = registering(false);
    let call = warm_up(&program, &spec, &program.declared).expect("threads register");
    assert_eq!(program.declared[usize::from(call.operation)].name, "pop");
    for program in [objects::treiber(), objects::treiber_blind_pop()] {
        assert_eq!(warm_up(&program, &spec, &program.declared), None);
    }
    // What only some threads may call, or what must be taken up, warms up nobody.
    let mut limited = registering(false);
    limited.declared[1].limits.role = Some("consumer".into());
    let call = warm_up(&limited, &spec, &limited.declared).expect("pushes register, too");
    assert_eq!(limited.declared[usize::from(call.operation)].name, "push");
}

/// The smallest clients are covered cold; larger ones, which cold ones are too expensive for, with threads that have registered; and the ledger tells them apart.
#[test]
fn larger_clients_are_covered_warm_where_cold_ones_take_too_long() {
    let program = registering(false);
    let most = 60_000;
    let (cold, promise) = kept(&program, Sizes::default(), most, false);
    assert!(cold.ledger.broken(&promise).is_some(), "too expensive cold");
    let (warm, promise) = kept(&program, Sizes::default(), most, true);
    let exhausted = promise
        .levels
        .iter()
        .filter(|l| l.depth == Depth::Exhausted);
    for level in exhausted {
        assert!(warm.ledger.keeps(*level), "{level:?}");
        for entry in warm.ledger.of(*level) {
            assert!(level.warm || entry.covered.is(Depth::Exhausted));
            assert!(!entry.client.is_warm());
        }
    }
    let smallest = promise.levels[0];
    assert!(!smallest.warm);
    let only_warm = |level| warm.ledger.of(level).filter(move |e| e.is_warm_only(level));
    assert_eq!(only_warm(smallest).count(), 0);
    let is_warm = |level: &PromisedLevel| only_warm(*level).count() > 0;
    let is_cold = |level: &PromisedLevel| {
        let cold = PromisedLevel {
            warm: false,
            ..*level
        };
        warm.ledger.keeps(cold)
    };
    assert!(promise.levels.iter().any(is_warm));
    // Nothing that is promised cold is called covered because it is warm.
    assert!(!promise.levels.iter().any(|l| is_warm(l) && is_cold(l)));
}

/// Where cold clients take no time, nobody warms up.
#[test]
fn cheap_clients_stay_cold() {
    let program = registering(false);
    let sizes = Sizes {
        threads: 2,
        operations: 3,
    };
    let (kept, promise) = kept(&program, sizes, u64::MAX, true);
    assert_eq!(kept.ledger.broken(&promise), None);
    let entries = &kept.ledger.entries;
    let warm = |level| entries.iter().any(|e| e.is_warm_only(level));
    assert!(!promise.levels.iter().any(|level| warm(*level)));
}

/// A fault is found, warm or cold, and its client says which.
#[test]
fn faults_are_found_by_warm_clients() {
    let program = registering(true);
    let spec = Stack::default();
    let call = warm_up(&program, &spec, &program.declared).expect("threads register");
    let cold = program.client("push=1", &["pop", "pop"], "");
    let warm = warmed(&cold, &call, &spec, &program.declared).expect("pop may warm up");
    assert_eq!((warm.warm.as_slice(), warm.size()), (&[0, 1][..], 3));
    let found = |client: &Client| {
        let property = Linearizable::new(&spec, client, &program.declared).expect("a stack");
        let plan = Plan::exhaustive();
        let explored = linspect_explore::search::explore(
            &program,
            client.clone(),
            property,
            &plan,
            &linspect_core::check::Unlimited,
            &|_, _| {},
        )
        .expect("it runs");
        (explored.error().is_some(), explored.coverage.executions())
    };
    assert!(
        found(&cold).0 && found(&warm).0,
        "both pops take the same value"
    );
}
