//! Algorithm 1 of the paper, for runs of any length: what came before the fault becomes the prefix Ps, what came after it the suffix Pr.
//!
//! The paper tries every prefix of the run, the longest first, each by many runs. Here one run that imitates the recorded schedule decides, and the place is
//! found by doubling and halving, so a run of a thousand operations takes some twenty runs. That both searches look for the end of an interval is
//! a guess; what they find has been run and is bad.

use super::split::{self, calls, into_prefix, into_suffix};
use super::{StepOrder, Tester};
use linspect_core::client::Client;
use linspect_core::execution::{Activation, Execution};

/// A failing client and a bad run of it.
pub(crate) type Failing = (Client, Execution);

/// The latest moment at which everything that had taken effect can be done sequentially before: lines 4 to 10.
pub(crate) fn prefix(failing: &Failing, tester: &mut dyn Tester) -> Option<Failing> {
    let (client, execution) = failing;
    let returns = split::returns(execution);
    // What returned last was refused, and something ran beside it.
    let most = returns.len().checked_sub(2)?;
    furthest(most, |left| {
        let until = returns[most - left - 1].0;
        let order = tester.witness(client, execution, until);
        imitated(into_prefix(client, execution, &order), tester)
    })
}

/// The fewest operations called first that must be concurrent; the others can be done sequentially after: lines 11 to 17.
pub(crate) fn suffix(failing: &Failing, tester: &mut dyn Tester) -> Option<Failing> {
    let (client, execution) = failing;
    let called = calls(execution);
    // By return, so that the operation that was refused comes last.
    let mut late: Vec<Activation> = split::returns(execution).iter().map(|r| r.1).collect();
    late.extend(
        called
            .iter()
            .filter(|a| !late.contains(a))
            .copied()
            .collect::<Vec<_>>(),
    );
    let most = called.len().checked_sub(2)?;
    furthest(most, |kept| {
        let early = &called[..kept + 2];
        let late: Vec<Activation> = late
            .iter()
            .filter(|a| !early.contains(a))
            .copied()
            .collect();
        imitated(into_suffix(client, execution, &late), tester)
    })
}

fn imitated((client, like): (Client, StepOrder), tester: &mut dyn Tester) -> Option<Failing> {
    let execution = tester.imitate(&client, &like)?;
    Some((client, execution))
}

/// What `at` gives for the smallest number below `bound` from which on it gives something, found by doubling and halving.
fn furthest<T>(bound: usize, mut at: impl FnMut(usize) -> Option<T>) -> Option<T> {
    let last = bound.checked_sub(1)?;
    let mut nothing = 0;
    let mut something = 0;
    let mut step = 1;
    let mut best = loop {
        if let Some(found) = at(something) {
            break found;
        }
        if something == last {
            return None;
        }
        nothing = something + 1;
        something = last.min(something + step);
        step *= 2;
    };
    while nothing < something {
        let middle = nothing + (something - nothing) / 2;
        match at(middle) {
            Some(found) => {
                best = found;
                something = middle;
            }
            None => nothing = middle + 1,
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::furthest;

    #[test]
    fn a_threshold_is_found() {
        for bound in 0..40 {
            for threshold in 0..bound + 3 {
                let found = furthest(bound, |n| (n >= threshold).then_some(n));
                assert_eq!(found, (threshold < bound).then_some(threshold), "{bound}");
            }
        }
    }
}
