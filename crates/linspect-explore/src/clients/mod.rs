//! Step 2: which clients are worth running.
//!
//! [`enumerate`] gives all small ones, smallest first; [`random`] long ones, as CGVT does; [`round_up`] those of Round-Up's
//! tables. [`prefixes`] and [`suffix`] complete the concurrent part of a client with a beginning (Ps) and an end (Pr).

mod enumerate;
mod parts;
mod random;

pub use enumerate::{Sizes, enumerate};
pub use parts::{prefixes, suffix};
pub use random::{random, round_up};

use linspect_core::client::{Client, Declared, Invocation};

/// Whether `client` keeps to what `declared` allows.
pub fn is_allowed(client: &Client, declared: &[Declared]) -> bool {
    declared.iter().enumerate().all(|(operation, d)| {
        let is = |i: &Invocation| usize::from(i.operation) == operation;
        let callers = client.threads.iter().filter(|t| t.iter().any(is)).count();
        let all = client.before.iter().chain(client.threads.iter().flatten());
        let count = all.chain(&client.after).filter(|i| is(i)).count();
        let in_order = d.limits.after.is_none_or(|first| {
            client.threads.iter().all(|thread| {
                let own = thread.iter().position(is);
                let other = thread.iter().position(|i| i.operation == first);
                own.is_none_or(|own| other.is_some_and(|other| other < own))
            })
        });
        (!d.limits.single_thread || callers <= 1)
            && d.limits.at_most.is_none_or(|most| count <= most as usize)
            && in_order
    })
}
