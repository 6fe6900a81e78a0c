//! Clients to validate a repair on: all of the size of the one that it was made from, and larger ones that nobody chose.

use linspect_core::client::{Client, Declared};
use linspect_core::random::Random;
use linspect_core::spec::{Spec, Unfit};
use linspect_explore::clients::{Sizes, enumerate, is_allowed, prefixes, random, suffix};

/// Threads and operations per thread, in turn.
const SHAPES: [(usize, usize); 4] = [(2, 2), (3, 1), (2, 3), (3, 2)];

/// Calls in a sequential prefix.
const PREFIX: usize = 2;

/// The most clients of one size.
const OF_SIZE: usize = 200;

/// All clients with as many operations at once in as many threads as `like`, after each prefix of at most as many calls; the first of them if there
/// are too many.
pub fn of_size<S: Spec>(
    spec: &S,
    declared: &[Declared],
    like: &Client,
) -> Result<Vec<Client>, Unfit> {
    let operations = |client: &Client| client.threads.iter().map(Vec::len).sum::<usize>();
    let sizes = Sizes {
        threads: like.threads.len(),
        operations: operations(like),
    };
    let prefixes = prefixes(spec, declared, like.before.len() - like.warm.len())?;
    let mut clients = Vec::new();
    let same = |client: &Client| {
        operations(client) == sizes.operations && client.threads.len() == sizes.threads
    };
    for threads in enumerate(declared, sizes).filter(same) {
        for before in &prefixes {
            let mut client = Client {
                before: before.clone(),
                ..threads.clone()
            };
            client.after = suffix(spec, declared, &client)?;
            if is_allowed(&client, declared) {
                clients.push(client);
            }
            if clients.len() == OF_SIZE {
                return Ok(clients);
            }
        }
    }
    Ok(clients)
}

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
