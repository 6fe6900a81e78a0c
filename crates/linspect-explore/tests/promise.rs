//! A promise is kept if every client that it names was covered as it says, whatever the search did in which order.

use linspect_core::check::Budget;
use linspect_core::client::Client;
use linspect_core::property::{FaultFree, Linearizable};
use linspect_core::spec::Stack;
use linspect_core::verdict::Limit;
use linspect_explore::clients::{ClientFamily, Sizes};
use linspect_explore::promise::{Depth, Promise};
use linspect_explore::search::{Keeping, Kept, Method, Plan, Purse, Stopped, keep};
use linspect_toy::{Program, objects};
use std::sync::atomic::{AtomicU64, Ordering};

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
        let left = self.1.saturating_sub(now) / u64::from(of);
        let share = AtomicU64::new(left);
        Some(Box::new(move |memory| {
            let spent = share
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1))
                .is_err();
            self.exhausted(memory).or(spent.then_some(Limit::Time))
        }))
    }
}

fn stack() -> Program {
    let mut stack = objects::treiber();
    stack.declared[0].domain.truncate(1);
    stack
}

fn kept(program: &Program, promise: &Promise, method: Method, most: u64) -> Kept {
    let spec = Stack::default();
    let family = ClientFamily::new(&spec, &program.declared, Sizes::default()).expect("a stack");
    let property = |client: &Client| Linearizable::new(&spec, client, &program.declared);
    let purse = Counted {
        asked: AtomicU64::new(0),
        most,
    };
    let plan = Plan::exhaustive().with(method);
    let clients = family.clients();
    let keeping = Keeping {
        plan: &plan,
        promise,
        purse: &purse,
        progress: &|_| {},
        beyond: &|_| true,
        memory: None,
        warm: None,
    };
    keep(program, clients, property, keeping).expect("it runs")
}

/// Whether every client that the promise names is in the ledger, covered as it says.
fn is_kept(program: &Program, promise: &Promise, kept: &Kept) -> bool {
    let spec = Stack::default();
    let family = ClientFamily::new(&spec, &program.declared, Sizes::default()).expect("a stack");
    family.clients().all(|client| {
        let entry = kept.ledger.entries.iter().find(|e| e.client == client);
        let asked = promise.levels.iter().filter(|level| level.asks(&client));
        asked.map(|level| level.depth).all(|depth| {
            let covered = entry.map(|entry| entry.covered);
            covered.is_some_and(|covered| covered.is(depth))
        })
    })
}

#[test]
fn a_promise_is_kept_as_far_as_the_budget_goes() {
    let program = stack();
    let spec = Stack::default();
    let family = ClientFamily::new(&spec, &program.declared, Sizes::default()).expect("a stack");
    let usual = Promise::usual(Sizes::default(), |n| family.count(n, usize::MAX));
    assert_eq!(usual.operations(), 4);
    let mut seen = [false; 2];
    for most in [0, 3, 10, 100, 1_000, 5_000, 60_000] {
        let kept = kept(&program, &usual, Method::Exhaustive, most);
        let whole = kept.ledger.broken(&usual).is_none();
        assert_eq!(whole, is_kept(&program, &usual, &kept), "{most}");
        seen[usize::from(whole)] = true;
        assert!(kept.error.is_none());
        // A search that ends before everything is covered says why.
        let all = kept.ledger.next.is_none();
        let exhausted = |depth| kept.ledger.entries.iter().all(|e| e.covered.is(depth));
        let covered = all && exhausted(Depth::Exhausted);
        assert!(covered || kept.stopped.is_some(), "{most}");
    }
    assert_eq!(
        seen,
        [true, true],
        "some budgets are enough and some are not"
    );
}

#[test]
fn without_a_limit_everything_is_exhausted() {
    let mut program = stack();
    // Few clients, so that all of them can be exhausted.
    program.declared[0].limits.at_most = Some(2);
    program.declared[1].limits.at_most = Some(1);
    let promise = Promise::sizes(Sizes::default(), Method::Exhaustive);
    let kept = kept(&program, &promise, Method::Exhaustive, u64::MAX);
    assert_eq!(kept.ledger.next, None);
    assert_eq!(kept.ledger.broken(&promise), None);
    assert_eq!((kept.stopped, kept.beyond), (None, None));
    let largest = kept.ledger.largest(Depth::Exhausted).expect("all levels");
    let sizes = kept.ledger.entries.iter().map(|e| e.client.size());
    assert_eq!(Some(largest.operations), sizes.max());
    // Each client once.
    let spec = Stack::default();
    let family = ClientFamily::new(&spec, &program.declared, Sizes::default()).expect("a stack");
    let tried = kept.ledger.entries.iter().map(|e| e.client.clone());
    assert!(family.clients().eq(tried));
}

/// What was asked for is promised as a whole: half of it is not enough.
#[test]
fn half_of_what_was_asked_is_not_what_was_asked() {
    let program = stack();
    let promise = Promise::sizes(Sizes::default(), Method::Exhaustive);
    let kept = kept(&program, &promise, Method::Exhaustive, 2_000);
    assert!(kept.ledger.broken(&promise).is_some());
    assert!(
        matches!(kept.stopped, Some(Stopped::Limit(Limit::Time))),
        "{:?}",
        kept.stopped
    );
    assert!(!is_kept(&program, &promise, &kept));
}

/// The only client of a program that counts its classes in thousands of millions, and its states in hundreds.
fn many_orders(last: &str) -> Program {
    let step = "x = swap a 1\n y = swap b 1\n x = swap a 0\n y = swap b 0\n";
    let text = format!(
        "global a = 0
         global b = 0
         global c = 0
         op there
           {}
           {last}
           return 0
         op back
           {}
           z = read c
           z = set z!=1
           assert z
           return 0",
        step.repeat(4),
        step.repeat(4),
    );
    Program::parse(&text).expect("a well-formed program")
}

/// What takes too long class by class is explored state by state, and that is said.
#[test]
fn states_decide_where_classes_are_too_many() {
    for (last, is_wrong) in [("write c 2", false), ("write c 1", true)] {
        let program = many_orders(last);
        let client = program.client("", &["there", "back"], "");
        let promise = Promise::named(Method::Exhaustive);
        let explored = |most| {
            let purse = Counted {
                asked: AtomicU64::new(0),
                most,
            };
            let keeping = Keeping {
                plan: &Plan::exhaustive(),
                promise: &promise,
                purse: &purse,
                progress: &|_| {},
                beyond: &|_| true,
                memory: None,
                warm: None,
            };
            let property = |_: &Client| Ok(FaultFree);
            keep(&program, [client.clone()].into_iter(), property, keeping).expect("it runs")
        };
        let kept = explored(20_000);
        assert_eq!(kept.error.is_some(), is_wrong);
        assert_eq!(kept.ledger.broken(&promise).is_some(), is_wrong);
        if !is_wrong {
            assert_eq!((kept.turned_back, kept.beyond), (None, None));
            let few = explored(60);
            assert!(few.ledger.broken(&promise).is_some());
            assert!(few.turned_back.is_some() && few.beyond.is_some(), "{few:?}");
        }
    }
}
