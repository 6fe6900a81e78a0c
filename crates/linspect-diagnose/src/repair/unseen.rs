//! Clients to validate a repair on: larger than those that it was made from, and not chosen by anybody.

use linspect_core::client::{Client, Declared};
use linspect_core::random::Random;
use linspect_core::spec::{Spec, Unfit};
use linspect_explore::clients::{is_allowed, prefixes, random, suffix};

/// Threads and operations per thread, in turn.
const SHAPES: [(usize, usize); 4] = [(2, 2), (3, 1), (2, 3), (3, 2)];

/// Calls in a sequential prefix.
const PREFIX: usize = 2;

/// `count` random clients of up to six operations in up to three threads, each with a prefix that reaches some state and a suffix that shows what is left.
pub fn unseen<S: Spec>(
    spec: &S,
    declared: &[Declared],
    count: usize,
    seed: u64,
) -> Result<Vec<Client>, Unfit> {
    let mut dice = Random::new(seed);
    let prefixes = prefixes(spec, declared, PREFIX)?;
    let mut clients = Vec::with_capacity(count);
    for &(threads, operations) in SHAPES.iter().cycle().take(count) {
        let mut client = random(declared, threads, operations, &mut dice);
        client.before = dice.pick(&prefixes).clone();
        client.after = suffix(spec, declared, &client)?;
        if is_allowed(&client, declared) {
            clients.push(client);
        }
    }
    Ok(clients)
}
