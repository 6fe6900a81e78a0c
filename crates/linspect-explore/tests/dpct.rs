//! What D-PCT does, seen from outside: it is driven through threads of known lengths, and what it chose is compared with what CGVT promises.

use linspect_core::execution::{Activation, Aside, Ending, Step};
use linspect_core::machine::Subject;
use linspect_core::run::{Scene, Strategy};
use linspect_core::schedule::{Choice, ThreadId};
use linspect_core::value::Value;
use linspect_explore::Bounds;
use linspect_explore::strategies::dpct::Dpct;
use linspect_explore::strategies::expected::Expected;
use linspect_toy::Program;
use std::collections::BTreeMap;

/// Threads whose operations take so many steps each, whoever runs when.
type Lengths = Vec<Vec<u32>>;

/// Lets `strategy` choose until all threads are done; who took each step.
fn play(strategy: &mut dyn Strategy, lengths: &Lengths) -> Vec<ThreadId> {
    let mut left: Lengths = lengths.clone();
    let mut taken: Vec<ThreadId> = Vec::new();
    let mut last: Option<Step> = None;
    loop {
        let threads = left.iter().zip(0..);
        let ready = threads.filter(|(operations, _)| operations.iter().any(|n| *n > 0));
        let ready: Vec<Choice> = ready.map(|(_, thread)| Choice::of(thread)).collect();
        if ready.is_empty() {
            return taken;
        }
        let scene = Scene {
            ready: &ready,
            taken: taken.len(),
            last: last.as_ref(),
            next_site: &|_| None,
            next_place: &|_| None,
        };
        let choice = strategy.choose(&scene).expect("it never gives up");
        assert!(ready.contains(&choice), "it chooses what is there");
        let operations = &mut left[usize::from(choice.thread)];
        let index = operations.iter().position(|n| *n > 0).expect("it is ready");
        operations[index] -= 1;
        let activation = Activation {
            thread: choice.thread,
            index: u16::try_from(index).expect("few operations"),
        };
        let returned = operations[index] == 0;
        taken.push(choice.thread);
        last = Some(Step {
            choice,
            called: None,
            invocation: None,
            accesses: [].into_iter().collect(),
            returned: returned.then_some((activation, Ending::Returned(Value::Unit))),
            other: None,
            fault: None,
            aside: Aside::default(),
        });
    }
}

/// The steps before which a thread that could go on was left.
fn preemptions(run: &[ThreadId]) -> Vec<usize> {
    let goes_on = |at: usize| run[at..].contains(&run[at - 1]);
    let switches = (1..run.len()).filter(|&at| run[at] != run[at - 1]);
    switches.filter(|&at| goes_on(at)).collect()
}

fn expecting(seed: u64, depth: u32, expected: &Lengths) -> Dpct {
    Dpct::new(seed, depth, expected.clone())
}

/// What is expected of `threads` threads with `operations` operations of `steps` steps each.
fn alike(threads: usize, operations: usize, steps: u32) -> Lengths {
    vec![vec![steps; operations]; threads]
}

#[test]
fn a_fault_of_depth_d_takes_d_minus_one_preemptions_and_no_more() {
    let actual = alike(2, 5, 10);
    for depth in 0..7_u32 {
        let allowed = depth.saturating_sub(1) as usize;
        // Whether it knows the lengths, or thinks that they are shorter or longer.
        for expected in [10, 1, 3, 1000].map(|steps| alike(2, 5, steps)) {
            let run = |seed| play(&mut expecting(seed, depth, &expected), &actual);
            let counts = (0..300).map(|seed| preemptions(&run(seed)).len());
            let most = counts.max().expect("some runs");
            assert!(most <= allowed, "{most} preemptions for depth {depth}");
            // A hundred steps leave room for all of them, where they are expected where the steps are.
            if expected != alike(2, 5, 1000) {
                assert_eq!(most, allowed, "depth {depth}, {expected:?}");
            }
        }
    }
}

/// Two threads of four steps: the one change point is any step but the first of all, each as likely as another. In the first thread it preempts, in
/// the second there is nobody left.
#[test]
fn every_step_but_the_first_is_as_likely_to_be_the_change() {
    let lengths = alike(2, 1, 4);
    let runs = 7_000;
    let mut at: BTreeMap<Option<usize>, u32> = BTreeMap::new();
    for seed in 0..runs {
        let run = play(&mut expecting(seed, 2, &lengths), &lengths);
        *at.entry(preemptions(&run).first().copied()).or_default() += 1;
    }
    let places: Vec<Option<usize>> = at.keys().copied().collect();
    assert_eq!(places, [None, Some(1), Some(2), Some(3)]);
    // One in seven each; a thousand, give or take five standard deviations.
    for place in 1..4 {
        let count = at[&Some(place)];
        assert!((850..1150).contains(&count), "step {place}: {count}");
    }
}

/// An operation of 64 steps that is expected to take 16: when it goes on it is expected to take as many again, and the change point, if it is still to
/// come, is drawn again among what remains of both threads. So it lies in the first quarter with probability 15/31, in the second with half of the rest,
/// and in the last two with two thirds of what is left then, each alike.
#[test]
fn what_takes_longer_than_expected_is_interrupted_late_too() {
    let actual = alike(2, 1, 64);
    let runs = 4_000;
    let mut quarters = [0_u32; 4];
    for seed in 0..runs {
        let run = play(&mut expecting(seed, 2, &alike(2, 1, 16)), &actual);
        if let Some(at) = preemptions(&run).first() {
            quarters[at / 16] += 1;
        }
    }
    let first = 15.0 / 31.0;
    let second = (1.0 - first) / 2.0;
    let last = (1.0 - first - second) * 2.0 / 3.0 / 2.0;
    for (count, share) in quarters.into_iter().zip([first, second, last, last]) {
        let (runs, count) = (runs as f64, f64::from(count));
        let five_deviations = 5.0 * (runs * share * (1.0 - share)).sqrt();
        assert!(
            (count - runs * share).abs() < five_deviations,
            "{quarters:?}"
        );
    }
}

/// An operation that ends before it is expected to: what is left is drawn among what really remains. The first thread goes first in half of the runs, and
/// then half of what remains is its own; without drawing again hardly any run would be interrupted.
#[test]
fn what_ends_early_does_not_take_the_change_points_with_it() {
    let actual = vec![vec![2, 20], vec![20]];
    // The first operation was thought to be nearly everything.
    let expected = vec![vec![2_000, 20], vec![20]];
    let runs = 2_000;
    let preempted = (0..runs).filter(|&seed| {
        let run = play(&mut expecting(seed, 2, &expected), &actual);
        !preemptions(&run).is_empty()
    });
    let preempted = preempted.count();
    assert!((400..600).contains(&preempted), "{preempted} of {runs}");
}

/// Threads that were interrupted go on in the order in which they were, after whoever was not.
#[test]
fn who_is_interrupted_later_waits_longer() {
    let lengths = alike(3, 1, 10);
    let mut seen = 0;
    for seed in 0..500 {
        let run = play(&mut expecting(seed, 3, &lengths), &lengths);
        let [first, second] = preemptions(&run)[..] else {
            continue;
        };
        let (a, b) = (run[first - 1], run[second - 1]);
        if a == b {
            continue;
        }
        seen += 1;
        let third = (0..3).find(|t| *t != a && *t != b).expect("three threads");
        let mut order = run[second..].to_vec();
        order.dedup();
        let mut expected = vec![third, a, b];
        expected.retain(|t| run[second..].contains(t));
        assert_eq!(order, expected, "seed {seed}: {run:?}");
    }
    assert!(seen > 50, "{seen}");
}

/// Calls are expected to be as long as the last one of the same operation was, and those of other operations are not.
#[test]
fn lengths_are_learnt_from_calls_of_the_same_operation() {
    let actual = alike(2, 10, 20);
    let second_half = |kinds: Vec<Vec<u16>>| {
        let late = (0..2_000).filter(|&seed| {
            let run = play(&mut Dpct::learning(seed, 2, kinds.clone()), &actual);
            preemptions(&run).first().is_some_and(|at| *at > 100)
        });
        late.count()
    };
    let same = second_half(vec![vec![0; 10]; 2]);
    // Nothing that is learnt from a call is about another one.
    let different = second_half(vec![(0..10).collect(), (10..20).collect()]);
    assert!(same > 2 * different.max(1), "{same} and {different}");
}

#[test]
fn a_seed_is_a_run() {
    let lengths = alike(3, 2, 6);
    let run = |seed| play(&mut expecting(seed, 4, &lengths), &lengths);
    let runs: std::collections::BTreeSet<_> = (0..50).map(run).collect();
    assert!((0..50).all(|seed| runs.contains(&run(seed))));
    assert!(runs.len() > 30, "{} different runs", runs.len());
}

/// Lengths are counted by hand: each access is a step, and so are `spawn` and `join`. The thread that is spawned is in no operation, and nothing tells where
/// it ends.
#[test]
fn what_is_expected_is_what_takes_place_without_interruptions() {
    let program = Program::parse(
        "object counted
         global x = 0
         op two
           a = read x
           write x 1
           return 0
         op three
           a = read x
           a = read x
           a = read x
           return 0
         op parent
           t = spawn 1 0
           join t
           return 0",
    )
    .expect("it is well formed");
    let client = program.client("", &["two three", "parent"], "");
    let mut machine = program.start(&client).expect("it starts");
    let expected = Expected::measure(&mut machine, Bounds::default());
    assert_eq!(expected.lengths, [vec![2, 3], vec![2], vec![3 + 1]]);
    assert_eq!(expected.steps, 10);
    assert_eq!(expected.longest, 5);
}
