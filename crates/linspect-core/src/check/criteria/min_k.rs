//! The smallest relaxation under which a history passes.

use crate::check::{Budget, Decision, Misfit, decide};
use crate::history::History;
use crate::spec::Builtin;
use crate::verdict::{Criterion, Limit};

/// What [`min_k`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MinK {
    /// It passes from this `k` on.
    From(u32),
    /// It passes with no `k`: not the order of elements is wrong, but something else.
    Never,
    /// The check stopped first: it fails below this `k`.
    AtLeast(u32, Limit),
}

/// The smallest `k` with which `history` satisfies `criterion(k)`, one of the quasi criteria. All of them grow with `k`.
///
/// ```
/// use linspect_core::check::{MinK, Unlimited, min_k};
/// use linspect_core::history::History;
/// use linspect_core::spec::Builtin;
/// use linspect_core::verdict::Criterion;
///
/// let mut history = History::new();
/// for n in 1..=3 {
///     history.push(0, "enqueue", n, (), 10 * n as u64, 10 * n as u64 + 1);
/// }
/// history.push(0, "dequeue", (), 3, 50, 51);
/// let queue = Builtin::named("queue").unwrap();
/// let found = min_k(&history, &queue, |k| Criterion::Quasi { k }, &Unlimited);
/// assert_eq!(found, Ok(MinK::From(2)));
/// ```
pub fn min_k(
    history: &History,
    spec: &Builtin,
    criterion: impl Fn(u32) -> Criterion,
    budget: &dyn Budget,
) -> Result<MinK, Misfit> {
    let passes = |k| {
        Ok(match decide(history, spec, criterion(k), budget)? {
            Decision::Holds(_) => Ok(true),
            Decision::Violated { .. } => Ok(false),
            Decision::Unknown(limit) => Err(limit),
        })
    };
    // Nobody can overtake or be overtaken by more operations than there are.
    let most = u32::try_from(history.operations.len()).unwrap_or(u32::MAX);
    let (mut fails_below, mut k) = (0, 0);
    let passing = loop {
        match passes(k)? {
            Ok(true) => break k,
            Ok(false) if k >= most => return Ok(MinK::Never),
            Ok(false) => fails_below = k + 1,
            Err(limit) => return Ok(MinK::AtLeast(fails_below, limit)),
        }
        k = (2 * k).clamp(1, most);
    };
    let mut passing = passing;
    while fails_below < passing {
        let middle = fails_below + (passing - fails_below) / 2;
        match passes(middle)? {
            Ok(true) => passing = middle,
            Ok(false) => fails_below = middle + 1,
            Err(limit) => return Ok(MinK::AtLeast(fails_below, limit)),
        }
    }
    Ok(MinK::From(passing))
}
