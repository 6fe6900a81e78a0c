//! Clients by size alone: random ones, and those of Round-Up's tables.

use linspect_core::client::{Client, Declared, Invocation};
use linspect_core::random::Random;

/// A client of `threads` threads with `operations` random calls each, within what `declared` allows (CGVT detects with 2 × 50 to 2 × 1000).
///
/// A thread that has nothing left that it may call is shorter.
pub fn random(
    declared: &[Declared],
    threads: usize,
    operations: usize,
    random: &mut Random,
) -> Client {
    let mut client = Client {
        threads: vec![Vec::new(); threads],
        ..Client::default()
    };
    // By operation; those of one role have one owner.
    let mut owners: Vec<usize> = Vec::new();
    for d in declared {
        let same = declared[..owners.len()]
            .iter()
            .position(|o| d.limits.role.is_some() && o.limits.role == d.limits.role);
        owners.push(same.map_or_else(|| random.below(threads.max(1)), |first| owners[first]));
    }
    let mut counts = vec![0; declared.len()];
    for _ in 0..operations {
        for thread in 0..threads {
            let allowed: Vec<usize> = (0..declared.len())
                .filter(|&op| {
                    let limits = &declared[op].limits;
                    let calls = |operation| {
                        let own = client.threads[thread].iter();
                        own.filter(|i| usize::from(i.operation) == operation)
                            .count()
                    };
                    (limits.role.is_none() || owners[op] == thread)
                        && limits.at_most.is_none_or(|most| counts[op] < most)
                        && limits
                            .after
                            .is_none_or(|first| calls(op) < calls(first.into()))
                })
                .collect();
            if allowed.is_empty() {
                continue;
            }
            let operation = *random.pick(&allowed);
            counts[operation] += 1;
            client.threads[thread].push(Invocation {
                operation: operation as u16,
                argument: random.pick(&declared[operation].domain).clone(),
            });
        }
    }
    client
}

/// Round-Up's test program `a*b+c` for a container: two threads with `a` and `b` calls, and `c` calls of the main thread.
///
/// As many removals as additions (Round-Up, section V.D: otherwise results appear out of thin air): main adds before the threads
/// start, the threads do the remaining additions first, then the removals; main removes what is left at the end.
pub fn round_up(declared: &[Declared], add: u16, remove: u16, [a, b, c]: [usize; 3]) -> Client {
    let mut adds = (a + b + c) / 2;
    let mut removes = a + b + c - adds;
    let domain = &declared[usize::from(add)].domain;
    let mut next = domain.iter().cycle();
    let mut addition = || Invocation {
        operation: add,
        argument: next.next().cloned().unwrap_or_default(),
    };
    let removal = Invocation {
        operation: remove,
        argument: declared[usize::from(remove)].domain[0].clone(),
    };
    let mut client = Client {
        threads: vec![Vec::new(), Vec::new()],
        ..Client::default()
    };
    for _ in 0..c.min(adds) {
        client.before.push(addition());
        adds -= 1;
    }
    for turn in 0..a.max(b) {
        for (thread, length) in [a, b].into_iter().enumerate() {
            if turn < length {
                let call = if adds > 0 {
                    adds -= 1;
                    addition()
                } else {
                    removes = removes.saturating_sub(1);
                    removal.clone()
                };
                client.threads[thread].push(call);
            }
        }
    }
    let left = c - client.before.len();
    client.after = vec![removal; left.min(removes)];
    client
}

#[cfg(test)]
mod tests {
    use super::super::is_allowed;
    use super::*;
    use linspect_core::client::Limits;
    use linspect_toy::objects;

    #[test]
    fn random_clients_keep_to_the_limits() {
        let mut queue = objects::ms_queue();
        queue.declared[0].limits = Limits {
            role: Some("producer".into()),
            at_most: Some(5),
            ..Limits::default()
        };
        for seed in 0..200 {
            let client = random(&queue.declared, 3, 10, &mut Random::new(seed));
            assert!(is_allowed(&client, &queue.declared), "{client:?}");
            assert_eq!(client.threads.len(), 3);
        }
    }

    #[test]
    fn round_up_is_balanced() {
        let queue = objects::ms_queue();
        for (a, b, c) in [
            (2, 2, 0),
            (2, 2, 4),
            (3, 3, 4),
            (2, 3, 3),
            (3, 4, 1),
            (4, 4, 0),
        ] {
            let client = round_up(&queue.declared, 0, 1, [a, b, c]);
            assert_eq!(client.threads[0].len(), a);
            assert_eq!(client.threads[1].len(), b);
            assert_eq!(client.before.len() + client.after.len(), c);
            let all = client.before.iter().chain(client.threads.iter().flatten());
            let adds = all
                .chain(&client.after)
                .filter(|i| i.operation == 0)
                .count();
            assert_eq!(adds, (a + b + c) / 2);
        }
    }
}
