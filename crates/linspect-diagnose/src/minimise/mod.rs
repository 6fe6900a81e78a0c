//! Step 7: the smallest test that shows a fault. After Zhang, Wu and Zhang, *Localization of Linearizability Faults on the Coarse-grained Level*.
//!
//! A test is (Ps, Pc, Pr): a sequential prefix that builds a state, a concurrent part that triggers the fault, a sequential suffix that reveals it. It is *minimum*
//! (Definition 2) iff it can fail and no test without one of its operations can. The paper's Algorithm 1 shrinks from both ends and samples schedules, so it does not
//! deliver its own definition; here single operations are deleted until nothing more can go, and the result says of every deletion whether all
//! schedules were tried.

mod algorithm_1;
mod allowed;
mod delete;
mod explorer;
mod order;
mod rearrange;
mod rebuild;
mod reveal;
mod shrink;
mod split;
mod values;
mod witness;

pub use explorer::Explorer;
pub use order::StepOrder;
pub use witness::witness;

use linspect_core::client::{Client, Declared};
use linspect_core::execution::{Activation, Execution};
use linspect_explore::clients::is_allowed;

/// Looks for bad runs of clients.
pub trait Tester {
    /// Whether the budget for the whole minimisation is used up.
    fn is_out_of_budget(&self) -> bool;

    /// Runs `client` once, to the end, in the order of `like` as far as it can follow it. Gives the run if it is bad. Never asks for the budget.
    fn imitate(&mut self, client: &Client, like: &StepOrder) -> Option<Execution>;

    /// A bad run of `client` among a few of them, the one in the order of `like` first. Never asks for the budget.
    fn sample(&mut self, client: &Client, like: &StepOrder) -> Option<Execution> {
        self.imitate(client, like)
    }

    /// The operations of the threads that took effect within the first `steps` steps of a run, in an order that explains what returned by then. The
    /// order of returns is a guess that is right for operations that do not overlap.
    fn witness(
        &mut self,
        _client: &Client,
        execution: &Execution,
        steps: usize,
    ) -> Vec<Activation> {
        let returned = split::returns(execution).into_iter();
        returned.filter(|r| r.0 <= steps).map(|r| r.1).collect()
    }

    /// Looks for a bad run of `client` among all of them. `like` is the order of steps of a bad run of a larger client, to be imitated first.
    fn test(&mut self, client: &Client, like: &StepOrder) -> Trial;
}

/// What a [`Tester`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// A bad run.
    Bad(Box<Execution>),
    /// None.
    Clean(Assurance),
    /// The budget for the whole minimisation is used up.
    OutOfBudget,
}

/// How sure it is that there is no bad run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Assurance {
    /// Every schedule was covered.
    Exhausted,
    /// Some schedules were tried.
    Sampled,
}

/// One operation of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CallPlace {
    /// In the prefix.
    Before(usize),
    /// In a thread.
    Thread(usize, usize),
    /// In the suffix.
    After(usize),
}

/// A test that fails, as small as it could be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimalTest {
    /// The test.
    pub client: Client,
    /// A bad run of it.
    pub execution: Execution,
    /// Every operation, and how sure it is that the test cannot fail without it. Complete unless the budget ran out.
    pub needed: Vec<(CallPlace, Assurance)>,
    /// Whether every deletion was tried.
    pub complete: bool,
}

impl MinimalTest {
    /// Whether the test is minimum beyond doubt: every deletion was tried, over every schedule.
    pub fn is_certified(&self) -> bool {
        self.complete && self.needed.iter().all(|(_, a)| *a == Assurance::Exhausted)
    }

    /// Whether the suffix is needed to see the fault (the paper's type 2).
    pub fn is_revealed_late(&self) -> bool {
        !self.client.after.is_empty()
    }
}

/// Makes a failing test as small as possible: `execution` is a bad run of `client`.
///
/// The best test so far survives when the budget runs out.
pub fn minimise(
    client: &Client,
    execution: &Execution,
    declared: &[Declared],
    tester: &mut dyn Tester,
) -> MinimalTest {
    let mut within = allowed::Allowed {
        // Somebody who asks for a client that breaks the rules wants to see that one.
        declared: is_allowed(client, declared).then_some(declared),
        tester,
    };
    let mut best = shrink::Shrinker::new(client, execution, declared, &mut within);
    // A plain program is its own client: there is nothing to take away.
    let complete = *client == Client::default() || best.minimise();
    best.finish(complete)
}
