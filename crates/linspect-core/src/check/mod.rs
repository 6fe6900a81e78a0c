//! Step 6 of the pipeline: a history and a specification become a verdict.
//!
//! One verb at three depths: [`holds`] says yes or no, [`decide`] stops when its budget says so, and [`check`] also
//! explains a no. A history is first *understood* ([`Question`]): its calls are made sense of, and it is taken apart into
//! independent parts. Then each part goes to the specialised decider for its type where there is one
//! ([`pattern`]) and to the search where there is none.

#[doc(hidden)]
pub mod brute;
mod budget;
mod criteria;
mod decide;
mod explain;
mod moments;
mod question;
#[doc(hidden)]
pub mod sample;
mod search;
mod stream;
mod workers;

pub use budget::{Budget, Unlimited};
pub use criteria::min_k::{MinK, min_k};
pub use decide::pattern;
pub use explain::answer::Answer;
pub use question::{Decision, Misfit, Part, Question, Reason};
pub use search::monitor::{Arena, CallId, Monitor, SLOTS};
pub use stream::{Stream, StreamEnd};
pub use workers::{Alone, Workers};

use self::criteria::relaxed::{Ordered, Relaxed};
use crate::history::History;
use crate::spec::{Builtin, Spec, Visitor};
use crate::verdict::Criterion;

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
    struct Decide<'a>(&'a dyn Budget);
    impl Ask for Decide<'_> {
        type Output = Decision;
        fn ask<S: Spec>(self, question: &Question<'_, S>) -> Decision {
            question.decide_all(self.0)
        }
    }
    understood(history, spec, criterion, Decide(budget))
}

/// As [`decide`], with evidence for a violation and, where that is quick, an order of effects for a history that
/// holds. Parts go to `workers`; the answer does not depend on who they are.
///
/// ```
/// use linspect_core::check::{Alone, Unlimited, check};
/// use linspect_core::history::History;
/// use linspect_core::spec::Builtin;
/// use linspect_core::verdict::{Criterion, Verdict};
///
/// let mut history = History::new();
/// history.push(0, "enqueue", 1, (), 0, 1);
/// history.push(0, "enqueue", 2, (), 2, 3);
/// history.push(1, "dequeue", (), 2, 4, 5);
/// let queue = Builtin::named("queue").unwrap();
/// let answer = check(&history, &queue, Criterion::Linearizable, &Alone, &Unlimited).unwrap();
/// let Verdict::Violated(evidence) = answer.verdict else { panic!("2 cannot overtake 1") };
/// assert_eq!(evidence.core, [0, 1, 2]);
/// assert_eq!(evidence.refused, 2);
/// ```
pub fn check(
    history: &History,
    spec: &Builtin,
    criterion: Criterion,
    workers: &dyn Workers,
    budget: &(dyn Budget + Sync),
) -> Result<Answer, Misfit> {
    struct Check<'a>(&'a dyn Workers, &'a (dyn Budget + Sync));
    impl Ask for Check<'_> {
        type Output = Answer;
        fn ask<S: Spec>(self, question: &Question<'_, S>) -> Answer {
            question.check(self.0, self.1)
        }
    }
    understood(history, spec, criterion, Check(workers, budget))
}

/// Something to do with a question, whatever its specification.
trait Ask {
    type Output;
    fn ask<S: Spec>(self, question: &Question<'_, S>) -> Self::Output;
}

/// Understands `history` and does `ask` with it.
fn understood<A: Ask>(
    history: &History,
    builtin: &Builtin,
    criterion: Criterion,
    ask: A,
) -> Result<A::Output, Misfit> {
    let (k, patience) = match criterion {
        Criterion::Quasi { k } if k > 0 => (k, true),
        Criterion::QuasiRestriction1 { k } if k > 0 => (k, false),
        Criterion::Quasi { .. } | Criterion::QuasiRestriction1 { .. } => {
            // Without any slack both are the strict criterion, for which there are faster deciders.
            return match builtin {
                Builtin::Queue(_) | Builtin::Stack(_) | Builtin::PriorityQueue(_) => {
                    understood(history, builtin, Criterion::Linearizable, ask)
                }
                _ => Err(misfit(builtin, criterion)),
            };
        }
        _ => {
            return builtin.visit(Understand {
                history,
                builtin,
                criterion,
                ask,
            });
        }
    };
    match builtin {
        Builtin::Queue(inner) => relaxed(history, inner, k, patience, ask),
        Builtin::Stack(inner) => relaxed(history, inner, k, patience, ask),
        Builtin::PriorityQueue(inner) => relaxed(history, inner, k, patience, ask),
        _ => Err(misfit(builtin, criterion)),
    }
}

/// Does something with `builtin` relaxed to causal `k`; `None` if it has no order that could be relaxed.
pub fn visit_relaxed<V: Visitor>(builtin: &Builtin, k: u32, visitor: V) -> Option<V::Output> {
    let k = usize::try_from(k).unwrap_or(usize::MAX);
    let patience = true;
    match builtin {
        Builtin::Queue(inner) => Some(visitor.visit(&Relaxed { inner, k, patience })),
        Builtin::Stack(inner) => Some(visitor.visit(&Relaxed { inner, k, patience })),
        Builtin::PriorityQueue(inner) => Some(visitor.visit(&Relaxed { inner, k, patience })),
        _ => None,
    }
}

struct Understand<'a, A> {
    history: &'a History,
    builtin: &'a Builtin,
    criterion: Criterion,
    ask: A,
}

impl<A: Ask> Visitor for Understand<'_, A> {
    type Output = Result<A::Output, Misfit>;

    fn visit<S: Spec>(self, spec: &S) -> Self::Output {
        let question = Question::of_builtin(self.history, spec, self.builtin, self.criterion)?;
        Ok(self.ask.ask(&question))
    }
}

fn relaxed<S: Ordered, A: Ask>(
    history: &History,
    inner: &S,
    k: u32,
    patience: bool,
    ask: A,
) -> Result<A::Output, Misfit> {
    let k = usize::try_from(k).unwrap_or(usize::MAX);
    let spec = Relaxed { inner, k, patience };
    let question = Question::new(history, &spec, Criterion::Linearizable)?;
    Ok(ask.ask(&question))
}

fn misfit(builtin: &Builtin, criterion: Criterion) -> Misfit {
    Misfit::Criterion {
        criterion,
        spec: builtin.name().to_owned(),
    }
}
