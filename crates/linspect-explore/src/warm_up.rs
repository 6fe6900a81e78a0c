//! What threads do to warm up: the operation after which a thread has the least left to do that is not its operations' own work.
//!
//! Objects that reclaim memory by epochs or hazard pointers, keep debts, or give each thread a number do much when a thread first comes to them. Which order such first times have
//! among threads multiplies the schedules of every client, and says nothing about later times. A client whose threads have done something before, each on its own, has none of it: it is an
//! ordinary client, with a prefix that its threads run. What it does not cover is what threads do at first beside each other, so the smallest clients are explored cold all the same.

use crate::clients::{invocations, is_allowed, suffix};
use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::execution::End;
use linspect_core::machine::Subject;
use linspect_core::run::{Bounds, Nobody, Uninterrupted, run};
use linspect_core::schedule::ThreadId;
use linspect_core::spec::Spec;

/// How many steps an operation may take that warms up, or after a warm-up.
const MOST_STEPS: u32 = 10_000;

/// The operation that threads of `subject` warm up with, if that saves them steps later: the one that saves most, of those the shortest, of those the first. If it can be, it is
/// one that changes nothing in the state that an object begins with.
///
/// How many steps it saves is seen when nobody else runs, so it does not depend on how far a search has come.
pub fn warm_up<T: Subject, S: Spec>(
    subject: &T,
    spec: &S,
    declared: &[Declared],
) -> Option<Invocation> {
    let mut calls = invocations(declared);
    // One argument of each: another one takes about as many steps.
    calls.dedup_by_key(|call| call.operation);
    let free: Vec<&Invocation> = calls.iter().filter(|c| is_free(c, declared)).collect();
    let harmless = |call: &&&Invocation| changes_nothing(spec, declared, call);
    let harmless: Vec<&Invocation> = free.iter().filter(harmless).copied().collect();
    let candidates = if harmless.is_empty() { free } else { harmless };
    let best = candidates.into_iter().filter_map(|warm| {
        let own = steps(subject, &alone(warm))?;
        let saved = calls
            .iter()
            .map(|call| saves(subject, declared, warm, call));
        let saved: i64 = saved.sum();
        (saved > 0).then_some((saved, own, warm))
    });
    // The first of several.
    let best = best.reduce(
        |a, b| match (b.0, -i64::from(b.1)) > (a.0, -i64::from(a.1)) {
            true => b,
            false => a,
        },
    );
    best.map(|(.., warm)| warm.clone())
}

/// `client` with threads that warm up with `call`, if they may.
pub fn warmed<S: Spec>(
    client: &Client,
    call: &Invocation,
    spec: &S,
    declared: &[Declared],
) -> Option<Client> {
    let threads = client.threads.len();
    let mut warm = Client {
        before: vec![call.clone(); threads],
        warm: (0..threads as ThreadId).collect(),
        ..client.clone()
    };
    warm.before.extend_from_slice(&client.before);
    warm.after = suffix(spec, declared, &warm).ok()?;
    is_allowed(&warm, declared).then_some(warm)
}

/// How many steps of `call` are saved if its thread has called `warm` before, rather than somebody else.
fn saves<T: Subject>(
    subject: &T,
    declared: &[Declared],
    warm: &Invocation,
    call: &Invocation,
) -> i64 {
    let after = |warm_thread: ThreadId| Client {
        before: vec![warm.clone()],
        warm: vec![warm_thread],
        threads: vec![vec![call.clone()], vec![warm.clone()]],
        ..Client::default()
    };
    let (own, other) = (after(0), after(1));
    if !is_allowed(&own, declared) {
        return 0;
    }
    let saved = steps(subject, &other).zip(steps(subject, &own));
    saved.map_or(0, |(other, own)| i64::from(other) - i64::from(own))
}

fn alone(call: &Invocation) -> Client {
    Client {
        threads: vec![vec![call.clone()]],
        ..Client::default()
    }
}

/// How many steps the first thread of a client takes that goes first, if all end without a fault.
fn steps<T: Subject>(subject: &T, client: &Client) -> Option<u32> {
    let mut machine = subject.start(client).ok()?;
    let bounds = Bounds {
        steps_per_thread: MOST_STEPS,
    };
    let execution = run(&mut machine, &mut Uninterrupted, bounds, &mut Nobody);
    let first = execution.steps.iter().filter(|s| s.choice.thread == 0);
    let count = u32::try_from(first.count()).ok();
    count.filter(|_| execution.end == End::Complete)
}

/// Whether anybody may call it at any time: nothing limits it, and nothing waits to take it up.
fn is_free(call: &Invocation, declared: &[Declared]) -> bool {
    let limits = &declared[usize::from(call.operation)].limits;
    let taken_up = |d: &Declared| d.limits.after == Some(call.operation);
    limits.role.is_none()
        && limits.at_most.is_none()
        && limits.after.is_none()
        && !limits.exclusive
        && !declared.iter().any(taken_up)
}

/// Whether `call` leaves an object as it was in the state that it begins with.
fn changes_nothing<S: Spec>(spec: &S, declared: &[Declared], call: &Invocation) -> bool {
    let name = &declared[usize::from(call.operation)].name;
    let Ok(call) = spec.call(name, &call.argument) else {
        return false;
    };
    let (mut all, initial) = (0, spec.initial());
    let mut same = true;
    spec.outcomes(&initial, &call, &mut |_, next| {
        all += 1;
        same &= next == initial;
    });
    all > 0 && same
}
