//! One operation at a time: nothing else runs but the threads that the object started itself, where the operation waits for them.

use linspect_core::execution::Ending;
use linspect_core::machine::{Machine, Status};
use linspect_core::schedule::{Choice, ThreadId};

/// Steps after which an operation that runs alone counts as waiting.
const STEPS: usize = 100_000;

/// What an operation does when no other runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Alone {
    Ended(Ending),
    Waits,
    Fails,
}

/// Runs the next operation of `thread`, one of the first `clients` threads; where it waits, the object's own threads.
pub(crate) fn run<M: Machine>(machine: &mut M, clients: usize, thread: ThreadId) -> Alone {
    for _ in 0..STEPS {
        let ready = machine.status(thread) == Status::Ready;
        let Some(next) = ready.then_some(thread).or_else(|| own(machine, clients)) else {
            break;
        };
        let step = machine.step(Choice::of(next));
        if let Some((_, ending)) = step.returned {
            return Alone::Ended(ending);
        }
        if step.fault.is_some() {
            return Alone::Fails;
        }
    }
    Alone::Waits
}

/// Lets the object's own threads do what they have to do; whether they did anything.
pub(crate) fn settle<M: Machine>(machine: &mut M, clients: usize) -> bool {
    let mut moved = false;
    for _ in 0..STEPS {
        let Some(next) = own(machine, clients) else {
            break;
        };
        if machine.step(Choice::of(next)).fault.is_some() {
            return false;
        }
        moved = true;
    }
    moved
}

/// A thread that the object started itself and that can go on.
fn own<M: Machine>(machine: &M, clients: usize) -> Option<ThreadId> {
    let mut threads = clients as ThreadId..machine.threads() as ThreadId;
    threads.find(|&t| machine.status(t) == Status::Ready)
}
