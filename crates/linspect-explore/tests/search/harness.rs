//! A harness that is wrong, and a panic, cost nothing that was found.

use crate::{call, threads};
use linspect_core::check::Unlimited;
use linspect_core::client::Client;
use linspect_core::defect::Defect;
use linspect_core::execution::{Ending, Location, SiteId, Step};
use linspect_core::machine::{Machine, Site, StartError, Status, Subject};
use linspect_core::property::{FaultFree, Linearizable};
use linspect_core::schedule::{Choice, ThreadId};
use linspect_core::spec::{Counter, Unfit};
use linspect_core::value::Value;
use linspect_explore::clients::{self, Sizes};
use linspect_explore::search::{Plan, SearchError, explore, search};
use linspect_toy::{Program, ToyMachine, objects};
use std::sync::atomic::{AtomicU64, Ordering};

/// A toy on which one client makes the tool itself go wrong.
struct Cursed(Program, Client);

impl Subject for Cursed {
    type Machine = ToyMachine;
    fn operations(&self) -> &[linspect_core::client::Declared] {
        &self.0.declared
    }
    fn start(&self, client: &Client) -> Result<ToyMachine, StartError> {
        assert!(*client != self.1, "this client is cursed");
        self.0.start(client)
    }
    fn site(&self, site: SiteId) -> Site {
        self.0.site(site)
    }
    fn fingerprint(&self) -> u64 {
        0
    }
}

/// A panic while one client is explored is an error that says so, and takes nothing away that is found in another.
#[test]
fn a_panic_loses_no_finding() {
    let counter = Counter::default();
    let alone = threads(&[&[call(0, ())]]);
    let both = threads(&[&[call(0, ())], &[call(0, ())]]);
    let explored = |program: Program, clients: &[Client]| {
        let cursed = Cursed(program, alone.clone());
        search(
            &cursed,
            clients.iter().cloned(),
            |client| Linearizable::new(&counter, client, cursed.operations()),
            &Plan::exhaustive(),
            &Unlimited,
            &|_| {},
        )
    };
    let internal = SearchError::Internal("this client is cursed".into());
    let clients = [alone.clone(), both.clone()];
    let right = explored(objects::locked_counter(), &clients);
    assert_eq!(right.expect_err("nothing was found"), internal);
    let wrong = explored(objects::early_unlock(), &clients).expect("something was found");
    assert_eq!(wrong.internal, Some(internal));
    let (client, found) = wrong.error().expect("updates are lost");
    assert_eq!((client, &found.kind), (&both, &Defect::Violation));
}

/// A toy whose results depend on how often it was run.
struct Flaky(Program, AtomicU64);

struct FlakyMachine(ToyMachine, u64);

impl Subject for Flaky {
    type Machine = FlakyMachine;
    fn operations(&self) -> &[linspect_core::client::Declared] {
        &self.0.declared
    }
    fn start(&self, client: &Client) -> Result<FlakyMachine, StartError> {
        self.0
            .start(client)
            .map(|m| FlakyMachine(m, self.1.fetch_add(1, Ordering::Relaxed)))
    }
    fn site(&self, site: SiteId) -> Site {
        self.0.site(site)
    }
    fn fingerprint(&self) -> u64 {
        0
    }
}

impl Machine for FlakyMachine {
    type Snapshot = <ToyMachine as Machine>::Snapshot;
    fn threads(&self) -> usize {
        self.0.threads()
    }
    fn status(&self, thread: ThreadId) -> Status {
        self.0.status(thread)
    }
    fn next_site(&self, thread: ThreadId) -> Option<SiteId> {
        self.0.next_site(thread)
    }
    fn step(&mut self, choice: Choice) -> Step {
        let mut step = self.0.step(choice);
        self.1 += 1;
        if let Some((_, ending)) = &mut step.returned {
            *ending = Ending::Returned(Value::Int(self.1 as i64));
        }
        step
    }
    fn snapshot(&mut self) -> Self::Snapshot {
        self.0.snapshot()
    }
    fn restore(&mut self, snapshot: &Self::Snapshot) {
        self.0.restore(snapshot);
    }
    fn prefix(&self) -> &[Ending] {
        self.0.prefix()
    }
    fn finish(&mut self) -> Result<Vec<Ending>, linspect_core::execution::Fault> {
        self.0.finish()
    }
    fn fingerprint(&mut self) -> u128 {
        self.0.fingerprint()
    }
    fn name(&self, location: Location) -> String {
        self.0.name(location)
    }
}

#[test]
fn a_harness_that_is_wrong_gets_a_message_of_its_own() {
    let flaky = Flaky(objects::locked_counter(), AtomicU64::new(0));
    let client = threads(&[&[call(0, ())], &[call(0, ())]]);
    let counter = Counter::default();
    let property = Linearizable::new(&counter, &client, flaky.operations()).expect("a counter");
    let error = explore(
        &flaky,
        client.clone(),
        property,
        &Plan::exhaustive(),
        &Unlimited,
        &|_, _| {},
    );
    assert_eq!(
        error.expect_err("it is flaky"),
        SearchError::Nondeterministic { step: 3 }
    );

    let program = objects::treiber();
    let outcome = search(
        &program,
        clients::enumerate(&program.declared, Sizes::default()),
        |client| Linearizable::new(&counter, client, &program.declared),
        &Plan::exhaustive(),
        &Unlimited,
        &|_| {},
    );
    assert!(
        matches!(outcome, Err(SearchError::Unfit(Unfit::Method { .. }))),
        "{outcome:?}"
    );

    let blocks = Client {
        before: vec![call(1, ())],
        ..Client::default()
    };
    let error = explore(
        &objects::one_place_buffer(),
        blocks,
        FaultFree,
        &Plan::exhaustive(),
        &Unlimited,
        &|_, _| {},
    );
    assert_eq!(
        error.expect_err("nobody puts").to_string(),
        "the client could not be started: operation 0 of the sequential prefix blocks for ever"
    );
}
