//! One operation at a time: nothing else runs but the threads that the object started itself, where the operation waits for them. Operations that wait for each other run in
//! turn, each until it waits.

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

/// Which way an operation that runs alone takes wherever it chooses: first the first everywhere, then all others in turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    /// The way that was taken at each choice, and out of how many.
    taken: Vec<(u8, u8)>,
    /// How many choices of the present run were made.
    made: usize,
}

impl Ways {
    /// Only this way, at each choice.
    pub(crate) fn only(ways: &[u8]) -> Self {
        Self {
            taken: ways.iter().map(|&way| (way, way + 1)).collect(),
            made: 0,
        }
    }

    /// The ways that were taken.
    pub(crate) fn taken(&self) -> Vec<u8> {
        self.taken.iter().map(|(way, _)| *way).collect()
    }

    /// Goes on to ways that were not taken yet; false if all were.
    pub(crate) fn advance(&mut self) -> bool {
        self.made = 0;
        while self.taken.pop_if(|(way, of)| *way + 1 == *of).is_some() {}
        self.taken.last_mut().is_some_and(|(way, _)| {
            *way += 1;
            true
        })
    }

    /// How the next step of `thread` goes. A step that reads an old value instead of a new one makes no choice here.
    fn choose<M: Machine>(&mut self, machine: &M, thread: ThreadId) -> Choice {
        let of = machine.alternatives(thread);
        if of == 1 || machine.next_place(thread).is_some() {
            return Choice::of(thread);
        }
        if self.made == self.taken.len() {
            self.taken.push((0, of));
        }
        let (branch, _) = self.taken[self.made];
        self.made += 1;
        Choice { thread, branch }
    }
}

/// Runs the next operation of `thread`, one of the first `clients` threads, the way that `ways` says; where it waits, the object's own threads.
pub(crate) fn run<M: Machine>(
    machine: &mut M,
    clients: usize,
    thread: ThreadId,
    ways: &mut Ways,
) -> Alone {
    for _ in 0..STEPS {
        let ready = machine.status(thread) == Status::Ready;
        let Some(next) = ready.then_some(thread).or_else(|| own(machine, clients)) else {
            break;
        };
        let choice = ways.choose(machine, next);
        let step = machine.step(choice);
        if let Some((_, ending)) = step.returned {
            return Alone::Ended(ending);
        }
        if step.fault.is_some() {
            return Alone::Fails;
        }
    }
    Alone::Waits
}

/// Runs the next operations of some of the first `clients` threads in this order, each until it ends or waits, and then whoever can go on. How they ended, in the order of the
/// threads; nothing if one of them fails or waits for ever.
pub(crate) fn together<M: Machine>(
    machine: &mut M,
    clients: usize,
    threads: &[ThreadId],
) -> Option<Vec<Ending>> {
    let mut endings: Vec<Option<Ending>> = vec![None; threads.len()];
    let mut last = 0;
    for _ in 0..STEPS {
        let goes_on =
            |&at: &usize| endings[at].is_none() && machine.status(threads[at]) == Status::Ready;
        let turn = Some(last)
            .filter(goes_on)
            .or_else(|| (0..threads.len()).find(goes_on));
        let next = match turn {
            Some(at) => threads[at],
            None => own(machine, clients)?,
        };
        let step = machine.step(Choice::of(next));
        if step.fault.is_some() {
            return None;
        }
        let Some(at) = turn else { continue };
        last = at;
        if let Some((_, ending)) = step.returned {
            endings[at] = Some(ending);
            if endings.iter().all(Option::is_some) {
                return endings.into_iter().collect();
            }
        }
    }
    None
}

/// Every order of so many.
pub(crate) fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = all.iter().flat_map(|order: &Vec<usize>| {
            let left = (0..count).filter(|next| !order.contains(next));
            left.map(|next| [&order[..], &[next]].concat())
        });
        all = longer.collect();
    }
    all
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
