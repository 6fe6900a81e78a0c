//! Minimisation of long random runs of small objects.

use linspect_core::check::Unlimited;
use linspect_core::client::{Client, Invocation};
use linspect_core::execution::{End, Execution};
use linspect_core::machine::{Machine, Status, Subject};
use linspect_core::property::{Linearizable, Property};
use linspect_core::random::Random;
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use linspect_core::spec::{Queue, Spec, Stack};
use linspect_core::value::Value;
use linspect_diagnose::localise::{Dag, fewest_switches};
use linspect_diagnose::minimise::{Assurance, CallPlace, StepOrder, Tester, Trial, minimise};
use linspect_toy::{Program, objects};

/// Tries the given order, then all interleavings if there are few states, else some at random.
struct Naive<'a, S> {
    program: &'a Program,
    spec: &'a S,
    states: usize,
    tests: u32,
    /// How many tests there may be.
    most: u32,
}

impl<S: Spec> Naive<'_, S> {
    /// A run in which `choose` picks among the ready threads.
    fn run(
        &self,
        client: &Client,
        mut choose: impl FnMut(&[ThreadId]) -> ThreadId,
    ) -> (Execution, bool) {
        let mut machine = self.program.start(client).expect("starts");
        let mut property =
            Linearizable::new(self.spec, client, self.program.operations()).expect("fits");
        let mut watch = property.start(machine.prefix());
        let mut steps = Vec::new();
        loop {
            let threads = ThreadId::try_from(machine.threads()).expect("few");
            let ready: Vec<ThreadId> = (0..threads)
                .filter(|&t| machine.status(t) == Status::Ready)
                .collect();
            if ready.is_empty() {
                break;
            }
            let step = machine.step(Choice::of(choose(&ready)));
            property.observe(&mut watch, &step);
            let fault = step.fault.is_some();
            steps.push(step);
            assert!(
                !fault && steps.len() < 100_000,
                "the client is too long for the toy object"
            );
        }
        let before = machine.prefix().to_vec();
        let after = machine.finish().expect("no fault");
        let good = property.holds(&watch, &End::Complete, &after);
        let end = End::Complete;
        (
            Execution {
                before,
                steps,
                after,
                end,
            },
            good,
        )
    }

    fn follow(
        &self,
        client: &Client,
        mut order: impl Iterator<Item = ThreadId>,
    ) -> (Execution, bool) {
        self.run(client, |ready| {
            let next = order.find(|t| ready.contains(t));
            next.unwrap_or(ready[0])
        })
    }
}

impl<S: Spec> Tester for Naive<'_, S> {
    fn is_out_of_budget(&self) -> bool {
        self.tests >= self.most
    }

    fn imitate(&mut self, client: &Client, like: &StepOrder) -> Option<Execution> {
        // The toy heap is small: what does not fit in it is no test.
        self.program.start(client).ok()?;
        let (execution, good) = self.follow(client, like.threads());
        (!good).then_some(execution)
    }

    fn test(&mut self, client: &Client, like: &StepOrder) -> Trial {
        if self.is_out_of_budget() {
            return Trial::OutOfBudget;
        }
        self.tests += 1;
        if let Some(bad) = self.imitate(client, like) {
            return Trial::Bad(Box::new(bad));
        }
        let Ok(mut machine) = self.program.start(client) else {
            return Trial::Clean(Assurance::Exhausted);
        };
        let mut property =
            Linearizable::new(self.spec, client, self.program.operations()).expect("fits");
        let dag = Dag::build(
            &mut machine,
            &mut property,
            &mut |_, _| true,
            self.states,
            &Unlimited,
        );
        match fewest_switches(&dag, &|wrong| wrong.violates) {
            Some(bad) => Trial::Bad(Box::new(self.follow(client, threads(&bad)).0)),
            None if dag.complete => Trial::Clean(Assurance::Exhausted),
            None => Trial::Clean(Assurance::Sampled),
        }
    }
}

fn threads(schedule: &Schedule) -> impl Iterator<Item = ThreadId> + '_ {
    schedule.0.iter().map(|c| c.thread)
}

/// A client of two threads with `length` random operations each.
fn random_client(program: &Program, length: usize, random: &mut Random) -> Client {
    let declared = program.operations();
    let operations = |random: &mut Random| {
        (0..length)
            .map(|_| {
                let operation = random.below(declared.len());
                let domain = &declared[operation].domain;
                Invocation {
                    operation: operation.try_into().expect("few"),
                    argument: random.pick(domain).clone(),
                }
            })
            .collect()
    };
    Client {
        threads: vec![operations(random), operations(random)],
        ..Client::default()
    }
}

/// The random run of a seed, if it is bad.
fn bad_run<S: Spec>(
    tester: &Naive<'_, S>,
    length: usize,
    seed: u64,
) -> Option<(Client, Execution)> {
    let mut random = Random::new(seed);
    let client = random_client(tester.program, length, &mut random);
    let (execution, good) = tester.run(&client, |ready| *random.pick(ready));
    (!good).then_some((client, execution))
}

fn smallest<S: Spec>(program: &Program, spec: &S, length: usize) -> (String, bool) {
    let mut tester = Naive {
        program,
        spec,
        states: 20_000,
        tests: 0,
        most: u32::MAX,
    };
    for seed in 0..200 {
        let Some((client, execution)) = bad_run(&tester, length, seed) else {
            continue;
        };
        let test = minimise(&client, &execution, program.operations(), &mut tester);
        // What it promises: the run it gives is bad, and every operation is accounted for.
        let order = StepOrder::of(&test.execution);
        assert!(!tester.follow(&test.client, order.threads()).1);
        let places: usize = test.client.threads.iter().map(Vec::len).sum();
        assert_eq!(
            test.needed.len(),
            places + test.client.before.len() + test.client.after.len()
        );
        assert!(
            test.needed
                .iter()
                .any(|(p, _)| matches!(p, CallPlace::Thread(..)))
        );
        return (show(program, &test.client), test.is_certified());
    }
    panic!("no seed shows the fault");
}

fn show(program: &Program, client: &Client) -> String {
    let part = |operations: &[Invocation]| {
        let show = |i: &Invocation| {
            let name = &program.operations()[usize::from(i.operation)].name;
            match &i.argument {
                Value::Unit => name.clone(),
                argument => format!("{name}({argument})"),
            }
        };
        operations.iter().map(show).collect::<Vec<_>>().join(" ")
    };
    let threads: Vec<String> = client.threads.iter().map(|t| part(t)).collect();
    format!(
        "[{}] {} [{}]",
        part(&client.before),
        threads.join(" | "),
        part(&client.after)
    )
}

#[test]
fn a_blind_pop_needs_two_operations() {
    let test = smallest(&objects::treiber_blind_pop(), &Stack::default(), 5);
    assert_eq!(test, ("[push(1)] pop | pop []".to_string(), true));
}

#[test]
fn per_thread_queues_forget_an_order() {
    let (test, certified) = smallest(&objects::per_thread_queue(), &Queue::default(), 10);
    assert!(certified);
    assert_eq!(test, "[] enq(2) | enq(1) [deq]");
}

#[test]
fn two_stacks_need_little() {
    let (test, certified) = smallest(&objects::two_stacks(), &Stack::default(), 5);
    assert!(certified);
    assert_eq!(test, "[push(2)] pop | push(1) []");
}

/// However early the budget ends, what is given fails, is no larger than what was given, and is only called certified when it is.
#[test]
fn the_best_so_far_survives_the_budget() {
    let program = objects::treiber_blind_pop();
    let stack = Stack::default();
    let mut tester = Naive {
        program: &program,
        spec: &stack,
        states: 20_000,
        tests: 0,
        most: 0,
    };
    let found = (0..200).find_map(|seed| bad_run(&tester, 5, seed));
    let (client, execution) = found.expect("some seed shows the fault");
    let size = |c: &Client| c.threads.iter().map(Vec::len).sum::<usize>();
    let mut sizes = Vec::new();
    for most in 0.. {
        (tester.tests, tester.most) = (0, most);
        let test = minimise(&client, &execution, program.operations(), &mut tester);
        let order = StepOrder::of(&test.execution);
        assert!(
            !tester.follow(&test.client, order.threads()).1,
            "budget {most}"
        );
        assert_eq!(test.is_certified(), test.complete, "budget {most}");
        sizes.push(size(&test.client));
        if test.complete {
            break;
        }
    }
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    assert_eq!(sizes.first(), Some(&size(&client)), "{sizes:?}");
    assert_eq!(sizes.last(), Some(&2), "{sizes:?}");
}
