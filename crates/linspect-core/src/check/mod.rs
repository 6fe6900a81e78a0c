//! Step 6 of the pipeline: a history and a specification become a verdict.
//!
//! One verb at three depths: [`holds`] says yes or no, [`decide`] stops when its budget says so, and `check` also
//! explains a no. A history is first *understood* ([`Question`]): its calls are made sense of, and it is taken apart into
//! independent parts. Then each part goes to the specialised decider for its type where there is one
//! ([`pattern`]) and to the search where there is none.

#[doc(hidden)]
pub mod brute;
mod budget;
mod cover;
mod frontier;
mod intern;
mod lives;
mod mask;
mod monitor;
pub mod pattern;
mod pool_patterns;
mod priority_sweep;
mod question;
mod queue_patterns;
mod quiescent;
mod register_zones;
#[doc(hidden)]
pub mod sample;
mod search;
mod segment_tree;
mod set_element;
mod slots;
mod space;
mod stack_intervals;

pub use budget::{Budget, Unlimited};
pub use monitor::{Arena, CallId, Monitor, SLOTS};
pub use question::{Decision, Misfit, Part, Question};

use crate::history::History;
use crate::spec::{Builtin, Spec, Visitor};
use crate::verdict::{Criterion, Limit};

/// Whether `history` is linearizable.
///
/// ```
/// use linspect_core::check::holds;
/// use linspect_core::history::History;
/// use linspect_core::spec::Builtin;
///
/// let mut history = History::new();
/// history.push(0, "write", 1, (), 0, 10);
/// history.push(1, "read", (), 1, 20, 30);
/// assert!(holds(&history, &Builtin::named("register").unwrap()).unwrap());
/// history.push(1, "read", (), 2, 40, 50);
/// assert!(!holds(&history, &Builtin::named("register").unwrap()).unwrap());
/// ```
pub fn holds(history: &History, spec: &Builtin) -> Result<bool, Misfit> {
    match decide(history, spec, Criterion::Linearizable, &Unlimited)? {
        Decision::Holds(_) => Ok(true),
        Decision::Violated { .. } => Ok(false),
        Decision::Unknown(_) => unreachable!("without a budget nothing runs out"),
    }
}

/// Whether `history` satisfies `criterion`, as far as `budget` allows. Parts are decided in order; the first that fails decides.
pub fn decide(
    history: &History,
    spec: &Builtin,
    criterion: Criterion,
    budget: &dyn Budget,
) -> Result<Decision, Misfit> {
    struct Decide<'a> {
        history: &'a History,
        builtin: &'a Builtin,
        criterion: Criterion,
        budget: &'a dyn Budget,
    }
    impl Visitor for Decide<'_> {
        type Output = Result<Decision, Misfit>;
        fn visit<S: Spec>(self, spec: &S) -> Self::Output {
            Question::of_builtin(self.history, spec, self.builtin, self.criterion)
                .map(|question| question.decide_all(self.budget))
        }
    }
    spec.visit(Decide {
        history,
        builtin: spec,
        criterion,
        budget,
    })
}

/// The worse of two decisions about parts of one history: one violated part violates the whole.
fn worse(a: Decision, b: Decision) -> Decision {
    let badness = |d: &Decision| match d {
        Decision::Holds(_) => 0,
        Decision::Unknown(Limit::Interrupted | Limit::Memory | Limit::Time) => 1,
        Decision::Violated { .. } => 2,
    };
    if badness(&b) > badness(&a) { b } else { a }
}
