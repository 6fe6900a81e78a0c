//! The search over clients: what it finds, what it says it covered, and that cores do not matter.

use linspect_core::check::Unlimited;
use linspect_core::client::{Client, Invocation};
use linspect_core::defect::Defect;
use linspect_core::execution::{End, Ending, FaultKind, Location, SiteId, Step};
use linspect_core::machine::{Machine, Retries, Site, StartError, Status, Subject};
use linspect_core::property::{Linearizable, Sound};
use linspect_core::run::{Follow, Nobody, run};
use linspect_core::schedule::{Choice, ThreadId};
use linspect_core::spec::{Counter, Queue, Spec, Stack, Unfit};
use linspect_core::value::Value;
use linspect_core::verdict::Limit;
use linspect_explore::Bounds;
use linspect_explore::clients::{self, Sizes};
use linspect_explore::search::{
    Bound, Coverage, Guarantee, Method, Outcome, Plan, SearchError, Stopped, explore, search,
    smallest_relaxation,
};
use linspect_explore::sequential::Sequential;
use linspect_explore::strategies::exhaustive;
use linspect_explore::token::Token;
use linspect_explore::toy::{Program, ToyMachine, objects};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

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

fn search_all<S: Spec + Sync>(program: &Program, spec: &S, plan: &Plan) -> Outcome {
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

#[test]
fn a_correct_object_is_exhausted() {
    let plan = Plan {
        retries: Retries::Park,
        ..Plan::exhaustive()
    };
    let program = with_two_values(objects::treiber());
    let outcome = search_all(&program, &Stack::default(), &plan);
    assert_eq!(outcome.error(), None);
    assert_eq!(outcome.stopped, None);
    let executions: u64 = outcome
        .explored
        .iter()
        .map(|e| e.coverage.executions())
        .sum();
    assert_eq!((outcome.explored.len(), executions), (223, 1_520));
}

/// Two threads that each start again when the other came between: there is a schedule for every number of rounds.
#[test]
fn loops_without_end_are_explored_deeper_and_deeper() {
    let program = Program::parse(
        "global x = 0
         op next
         again:
           a = faa x 1
           b = read x
           c = set a+1
           if b!=c goto again
           return a",
    )
    .expect("a well-formed program");
    let both = threads(&[&[call(0, ())], &[call(0, ())]]);
    let plan = Plan::exhaustive();
    let explored = explore(&program, both, Sound, &plan, &Unlimited, &|_, _| {}).expect("it runs");
    assert_eq!(explored.found, []);
    let Coverage::Bounded { executions, bounds } = explored.coverage else {
        panic!("{:?}", explored.coverage);
    };
    // Alone it takes 2 steps; 64 times that is where deepening ends.
    assert_eq!(bounds, [Bound::StepsPerThread(128)]);
    let mut machine = program.start(&explored.client).expect("it starts");
    let options = exhaustive::Options {
        bounds: Bounds {
            steps_per_thread: 128,
        },
        ..exhaustive::Options::default()
    };
    let walk = exhaustive::exhaustive(&mut machine, &options, &mut |_| ControlFlow::Continue(()));
    assert_eq!(executions, walk.executions);
}

/// Explores one client.
fn one(program: &Program, client: &Client, plan: &Plan) -> Vec<(Defect, Coverage)> {
    let explored =
        explore(program, client.clone(), Sound, plan, &Unlimited, &|_, _| {}).expect("it runs");
    explored
        .found
        .into_iter()
        .map(|f| (f.kind, explored.coverage.clone()))
        .collect()
}

#[test]
fn deadlocks_livelocks_and_faults_are_findings() {
    let crossed = threads(&[&[call(0, ())], &[call(1, 1)]]);
    let found = one(
        &objects::crossed_locks(),
        &crossed,
        &Plan::exhaustive().with(Method::Exhaustive),
    );
    assert_eq!(found[0].0, Defect::Deadlock(vec![0, 1]));
    assert_eq!(found.len(), 1, "what is wrong by itself needs no property");

    let waits = Program::parse(
        "global x = 0\nop wait\nagain:\na = read x\nif a!=0 goto end\nspin again\nend:\nreturn",
    )
    .unwrap();
    let found = one(
        &waits,
        &threads(&[&[call(0, ())], &[call(0, ())]]),
        &Plan::exhaustive(),
    );
    assert_eq!(found.len(), 1, "each waits alone, too: {found:?}");

    let both = threads(&[&[call(0, ())], &[call(0, ())]]);
    let found = one(&objects::asserting_counter(), &both, &Plan::exhaustive());
    let (Defect::Fault(fault), Coverage::Unknown { reason, .. }) = &found[0] else {
        panic!("{found:?}");
    };
    assert_eq!(
        (fault.kind, *reason),
        (FaultKind::Assertion, Stopped::Error)
    );
}

/// The kinds of errors that a client has when the object is measured by itself.
fn errors(program: &Program, client: &Client) -> Vec<Defect> {
    let spec = Sequential::new(program);
    let property = Linearizable::new(&spec, client, &program.declared).expect("its own operations");
    let plan = Plan {
        keep_going: true,
        ..Plan::exhaustive()
    };
    let explored = explore(
        program,
        client.clone(),
        property,
        &plan,
        &Unlimited,
        &|_, _| {},
    )
    .expect("it runs");
    assert!(matches!(explored.coverage, Coverage::Exhausted { .. }));
    let found = explored.found.into_iter().map(|f| f.kind);
    found.filter(Defect::is_error).collect()
}

#[test]
fn waiting_is_an_error_only_where_serial_runs_do_not_wait() {
    let crossed = threads(&[&[call(0, ())], &[call(1, 1)]]);
    assert_eq!(
        errors(&objects::crossed_locks(), &crossed),
        [Defect::Deadlock(vec![0, 1])]
    );

    let polite = Program::parse(
        "global x = 0\nglobal y = 0\n\
         op left\nwrite x 1\nagain:\na = read y\nif a==0 goto end\nspin again\nend:\nwrite x 0\nreturn\n\
         op right\nwrite y 1\nagain:\na = read x\nif a==0 goto end\nspin again\nend:\nwrite y 0\nreturn",
    )
    .unwrap();
    let both = threads(&[&[call(0, ())], &[call(1, ())]]);
    assert_eq!(errors(&polite, &both), [Defect::Livelock(vec![0, 1])]);

    // More takes than puts: somebody waits, as in every serial run.
    let buffer = objects::one_place_buffer();
    let takers = threads(&[&[call(0, 1)], &[call(1, ())], &[call(1, ())]]);
    assert_eq!(errors(&buffer, &takers), []);
}

#[test]
fn coverage_says_why_it_ended() {
    let program = objects::ms_queue();
    let client = threads(&[&[call(0, 1), call(1, ())], &[call(0, 2), call(1, ())]]);
    let queue = Queue::default();
    let covered = |plan: &Plan, limit: Option<Limit>| {
        let property = Linearizable::new(&queue, &client, &program.declared).expect("a queue");
        let explored = explore(
            &program,
            client.clone(),
            property,
            plan,
            &move |_| limit,
            &|_, _| {},
        );
        let explored = explored.expect("it runs");
        assert_eq!(explored.found, []);
        explored.coverage
    };
    let cut = Coverage::Exhausted {
        executions: 16,
        retries_cut: 48,
    };
    let cutting = Plan {
        retries: Retries::Park,
        ..Plan::exhaustive()
    };
    assert_eq!(covered(&cutting, None), cut);
    let plan = Plan {
        retries: Retries::Wake,
        ..Plan::exhaustive()
    };
    assert_eq!(
        covered(&plan, None),
        Coverage::Exhausted {
            executions: 222,
            retries_cut: 0,
        }
    );
    let Coverage::Unknown {
        executions: 1,
        reason,
        done,
    } = covered(&plan, Some(Limit::Time))
    else {
        panic!("a budget of nothing");
    };
    assert_eq!(reason.to_string(), "the time limit was reached");
    assert!(done > 0.0 && done < 1.0);
    let few = Plan {
        executions: Some(100),
        ..plan
    };
    let Coverage::Unknown {
        executions: 100,
        reason,
        done,
    } = covered(&few, None)
    else {
        panic!("a budget of 100");
    };
    assert_eq!(reason, Stopped::Executions(100));
    // 100 of 222 are done; the estimate must be of that order.
    assert!(done > 0.1 && done < 0.9, "{done}");
    let short = Plan {
        bounds: Bounds {
            steps_per_thread: 12,
        },
        ..plan
    };
    let Coverage::Bounded { bounds, .. } = covered(&short, None) else {
        panic!("retries need more steps");
    };
    assert_eq!(bounds, [Bound::StepsPerThread(12)]);
    let bounded = covered(&plan.with(Method::Bounded { preemptions: 1 }), None);
    let Coverage::Bounded { bounds, .. } = bounded else {
        panic!("{bounded:?}");
    };
    assert_eq!(bounds, [Bound::Preemptions(1)]);
    let sampled = covered(
        &plan.with(Method::Pct {
            depth: 2,
            runs: 50,
            seed: 7,
        }),
        None,
    );
    // enq and deq alone take 5 and 6 visible steps; 2 threads; 1/(2·22).
    let guarantee = Guarantee::Depth {
        depth: 2,
        threads: 2,
        steps: 22,
        probability: 1.0 / 44.0,
    };
    let Coverage::Sampled { executions, .. } = sampled else {
        panic!("{sampled:?}");
    };
    assert!((2..=50).contains(&executions), "{executions}");
    assert_eq!(
        sampled,
        Coverage::Sampled {
            executions,
            runs: 50,
            cut: None,
            seed: 7,
            guarantee
        }
    );
}

/// However often a client is run at random, no more is counted than it has classes.
#[test]
fn only_different_classes_are_counted() {
    let program = objects::early_unlock();
    let client = threads(&[&[call(0, ())], &[call(0, ())]]);
    let executions = |method| {
        let counter = Counter::default();
        let property = Linearizable::new(&counter, &client, &program.declared).expect("a counter");
        let plan = Plan {
            keep_going: true,
            ..Plan::exhaustive().with(method)
        };
        let explored = explore(
            &program,
            client.clone(),
            property,
            &plan,
            &Unlimited,
            &|_, _| {},
        );
        explored.expect("it runs").coverage.executions()
    };
    let all = executions(Method::Exhaustive);
    assert_eq!(
        executions(Method::Random {
            runs: 5_000,
            seed: 3
        }),
        all
    );
    assert_eq!(executions(Method::Random { runs: 1, seed: 3 }), 1);
}

#[test]
fn every_method_finds_the_early_unlock() {
    let program = objects::early_unlock();
    let client = threads(&[&[call(0, ())], &[call(0, ())]]);
    let counter = Counter::default();
    for method in [
        Method::Exhaustive,
        Method::Bounded { preemptions: 1 },
        Method::Random { runs: 200, seed: 1 },
        Method::Pct {
            depth: 2,
            runs: 200,
            seed: 1,
        },
        Method::Dpct {
            depth: 2,
            runs: 200,
            seed: 1,
        },
    ] {
        let plan = Plan::exhaustive().with(method);
        let property = Linearizable::new(&counter, &client, &program.declared).expect("a counter");
        let explored = explore(
            &program,
            client.clone(),
            property,
            &plan,
            &Unlimited,
            &|_, _| {},
        );
        let explored = explored.expect("it runs");
        let found = explored.error().unwrap_or_else(|| panic!("{method:?}"));
        assert_eq!(found.kind, Defect::Violation);
        // Its token brings it back.
        let token = Token {
            fingerprint: program.fingerprint(),
            client: client.clone(),
            schedule: found.schedule.clone(),
            settings: Vec::new(),
        };
        let token: Token = token.to_string().parse().expect("a token");
        let mut machine = program.start(&token.client).expect("it starts");
        let mut follow = Follow::new(&token.schedule);
        let again = run(&mut machine, &mut follow, Bounds::NONE, &mut Nobody);
        assert!(follow.is_done());
        assert_eq!(again, found.execution);
    }
}

#[test]
fn after_an_edit_the_longest_prefix_is_followed() {
    let old = objects::early_unlock();
    let client = threads(&[&[call(0, ())], &[call(0, ())]]);
    // Thread 0 locks, reads, unlocks; then thread 1 does it all.
    let order = [0, 0, 0, 1, 1, 1, 1, 0];
    let schedule = linspect_core::schedule::Schedule(order.map(Choice::of).to_vec());
    let followed = |program: &Program| {
        let mut machine = program.start(&client).expect("it starts");
        let mut follow = Follow::new(&schedule);
        let run = run(&mut machine, &mut follow, Bounds::NONE, &mut Nobody);
        (follow.followed(), run.end)
    };
    assert_eq!(followed(&old), (8, End::Complete));
    // The repaired one unlocks after the write: at the fourth choice thread 1 cannot lock.
    let new = objects::locked_counter();
    assert_ne!(old.fingerprint(), new.fingerprint());
    assert_eq!(followed(&new), (3, End::Cut));
}

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
        Sound,
        &Plan::exhaustive(),
        &Unlimited,
        &|_, _| {},
    );
    assert_eq!(
        error.expect_err("nobody puts").to_string(),
        "the client could not be started: operation 0 of the sequential prefix blocks for ever"
    );
}

/// A counter whose results may be late by up to `k`.
struct Late(u32);

impl Spec for Late {
    type State = i64;
    type Call = ();
    fn name(&self) -> &str {
        "late counter"
    }
    fn call(&self, _: &str, _: &Value) -> Result<(), Unfit> {
        Ok(())
    }
    fn initial(&self) -> i64 {
        0
    }
    fn outcomes(&self, state: &i64, (): &(), each: &mut dyn FnMut(Value, i64)) {
        (0..=i64::from(self.0)).for_each(|late| each(Value::Int(state - late), state + 1));
    }
}

#[test]
fn the_smallest_relaxation_is_found() {
    let program = objects::early_unlock();
    // All three may see 0: the last to take effect is late by 2.
    let three = threads(&[&[call(0, ())], &[call(0, ())], &[call(0, ())]]);
    let two = threads(&[&[call(0, ())], &[call(0, ())]]);
    let clients = [two, three];
    let specs: Vec<Late> = (0..5).map(Late).collect();
    let relaxation = |most| {
        let mut asked = Vec::new();
        let search_from = |k: u32, first: usize| {
            asked.push((k, first));
            let property =
                |client: &Client| Linearizable::new(&specs[k as usize], client, &program.declared);
            let rest = clients[first..].iter().cloned();
            let plan = Plan::exhaustive();
            search(&program, rest, property, &plan, &Unlimited, &|_| {})
        };
        let found = smallest_relaxation(most, search_from).expect("it runs");
        (found, asked)
    };
    let (found, asked) = relaxation(4);
    assert_eq!(found.k, Some(2));
    assert_eq!(asked, [(0, 0), (1, 0), (2, 1)]);
    let (client, bad) = found.needed_by.expect("three threads need 2");
    assert_eq!((client, bad.kind), (clients[1].clone(), Defect::Violation));
    let covered = found.outcome.explored.iter();
    let exhausted = covered.filter(|e| matches!(e.coverage, Coverage::Exhausted { .. }));
    assert_eq!(exhausted.count(), 2);
    assert_eq!(relaxation(1).0.k, None);
}
