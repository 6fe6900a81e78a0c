//! The seam between whoever runs code and whoever decides what to run.
//!
//! Exploration and diagnosis see a program only through these two traits; `linspect-vm` implements them for
//! LLVM bitcode, tests implement them for toy programs.

use crate::client::{Client, Declared};
use crate::consistency::Cell;
use crate::execution::{Ending, EventId, Fault, Location, MemoryModel, SiteId, Step};
use crate::schedule::{Choice, Schedule, ThreadId};
use crate::statement::{RecordError, Recording};
use crate::unwritten::Unwritten;
use std::sync::Arc;

/// A program under test that can be started with any client.
pub trait Subject: Sync {
    /// What runs it.
    type Machine: Machine;

    /// The operations a client can call; for a plain program those of its functions that are observed.
    fn operations(&self) -> &[Declared];

    /// Whether it is a plain program: its own threads are the client.
    fn is_program(&self) -> bool {
        self.operations().is_empty()
    }

    /// Builds the object, runs the client's prefix (Ps), and stops before the first step of its threads.
    fn start(&self, client: &Client) -> Result<Self::Machine, StartError>;

    /// The same program where freed memory is never used again, if it is to be tried too: where it is used again, uses of it after it was freed
    /// can go unnoticed.
    fn fresh(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// The source position behind a site.
    fn site(&self, site: SiteId) -> Site;

    /// What its atomics may do.
    fn memory_model(&self) -> MemoryModel {
        MemoryModel::Sc
    }

    /// A digest of the program, so that a replay notices that it changed.
    fn fingerprint(&self) -> u64;

    /// Runs `client` under `schedule` again and records it statement by statement. What a fault violates is the recording's claim; what
    /// a history violates only a specification knows, so the claim stays empty then.
    fn record(&self, _client: &Client, _schedule: &Schedule) -> Result<Recording, RecordError> {
        Err(RecordError::Unsupported)
    }
}

/// Why a client could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The constructor went wrong.
    #[error("the object's constructor failed: {}", .0.message)]
    Constructor(Fault),
    /// An operation of the sequential prefix went wrong.
    #[error("operation {index} of the sequential prefix failed: {}", .fault.message)]
    Prefix {
        /// Which one.
        index: usize,
        /// How.
        fault: Fault,
    },
    /// An operation of the sequential prefix can never end.
    #[error("operation {index} of the sequential prefix blocks for ever")]
    PrefixBlocks {
        /// Which one.
        index: usize,
    },
}

/// A running client: a deterministic machine that takes one step of one thread at a time.
///
/// Between steps every live thread stands just before its next visible access. Same start, same choices: same steps, bit for bit.
pub trait Machine {
    /// A saved state.
    type Snapshot: Clone;

    /// How many threads exist so far, ended ones included.
    fn threads(&self) -> usize;

    /// Whether `thread` can go on.
    fn status(&self, thread: ThreadId) -> Status;

    /// In how many ways the next step of a ready thread can go: 1, except where the environment decides (a timeout).
    fn alternatives(&self, _thread: ThreadId) -> u8 {
        1
    }

    /// Which alternative of the next step of `thread` reads the write of `event` or, if the step only writes, places its write directly after it; `None`
    /// as event is what was there at first. `None` if there is no such alternative: always under sequential consistency.
    fn message(&self, _thread: ThreadId, _event: Option<EventId>) -> Option<u8> {
        None
    }

    /// Where in the source the next visible access of a live thread stands; `None` before an operation without any.
    fn next_site(&self, thread: ThreadId) -> Option<SiteId>;

    /// Which memory the next visible access of a live thread is to, if the machine can say so.
    fn next_place(&self, _thread: ThreadId) -> Option<Cell> {
        None
    }

    /// The calls that `thread` is in, from its operation inwards; the last frame stands before the next visible access.
    ///
    /// The default is right for a machine without functions and loops.
    fn stack(&self, thread: ThreadId) -> Vec<Frame> {
        let site = self.next_site(thread);
        site.map(Frame::at).into_iter().collect()
    }

    /// Runs the next step of a ready thread.
    ///
    /// # Panics
    /// If the thread is not ready.
    fn step(&mut self, choice: Choice) -> Step;

    /// What `step` would do. The default runs it and takes it back; a machine that knows better says so.
    fn peek(&mut self, choice: Choice) -> Step {
        let here = self.snapshot();
        let step = self.step(choice);
        self.restore(&here);
        step
    }

    /// Saves the state.
    fn snapshot(&mut self) -> Self::Snapshot;

    /// Goes back to a saved state of the same start.
    fn restore(&mut self, snapshot: &Self::Snapshot);

    /// What becomes of threads that try in vain from now on. A machine that never parks them need not know.
    fn set_retries(&mut self, _retries: Retries) {}

    /// How additions whose results nobody uses are told from now on. A machine that has none need not know.
    fn set_additions(&mut self, _additions: Additions) {}

    /// Which reads are no steps from now on, if any: those of memory that nobody writes. A thread reads it with the step before or after. A machine to which all
    /// reads are steps need not know.
    fn set_unwritten(&mut self, _unwritten: Option<Arc<Unwritten>>) {}

    /// Whether an operation that takes long may be given up when there is no time left: a run that is given up ends in a fault of kind
    /// [`Limit`](crate::execution::FaultKind::Limit). By default none is, so that a run can be had again whatever the time is.
    fn set_hurry(&mut self, _hurry: bool) {}

    /// Whether freed memory was used again in any run from the start on, those that were taken back included.
    fn has_reused(&self) -> bool {
        false
    }

    /// Results of the sequential prefix.
    fn prefix(&self) -> &[Ending];

    /// When every thread is done: runs the client's suffix (Pr) up to the first operation that blocks and gives the results, or what went
    /// wrong in it.
    fn finish(&mut self) -> Result<Vec<Ending>, Fault>;

    /// A digest of everything that decides how the run can go on: memory and, per thread, its local state. Not the past.
    fn fingerprint(&mut self) -> u128;

    /// `location` as a person would name it here, such as `head->next` or `node#2.key`.
    fn name(&self, location: Location) -> String;

    /// The object's state as its harness prints it, if it does and can do so now. Changes nothing.
    fn show(&mut self) -> Option<String> {
        None
    }
}

/// A call that a thread is in, and how far it has come there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Which call: different calls of one thread have different numbers.
    pub activation: u32,
    /// Where it stands: at the next visible access, or at the call of the next frame.
    pub site: SiteId,
    /// How often it has jumped back so far, in any loop.
    pub rounds: u32,
    /// The loops around that place, outermost first.
    pub loops: Vec<Loop>,
}

impl Frame {
    /// The only call, outside any loop.
    pub fn at(site: SiteId) -> Self {
        Self {
            activation: 0,
            site,
            rounds: 0,
            loops: Vec::new(),
        }
    }
}

/// A loop that a call is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// First line of the loop.
    pub first_line: u32,
    /// Last line of the loop.
    pub last_line: u32,
}

/// What becomes of a thread that has tried something in vain: it changed nothing and will try again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retries {
    /// It goes on when something that it has read has changed.
    #[default]
    Wake,
    /// It stays where it is for the rest of the run: a run in which it did not try does the same, with fewer steps.
    Park,
}

/// How an atomic addition is told of which nobody uses what was there before.
///
/// Such additions commute: in either order they leave the same sum, and nobody learns of the order. But whoever comes second may come *after* the
/// first, as synchronisation goes, so where data races are looked for their order is not nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Additions {
    /// As any other update.
    #[default]
    Ordered,
    /// As [`Action::Add`](crate::execution::Action::Add).
    Unordered,
}

/// Whether a thread can go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can take a step.
    Ready,
    /// It waits for something; it becomes ready by a step of another thread.
    Blocked(Blocked),
    /// It has ended.
    Done,
}

/// What a blocked thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// A lock that `holder` has (several readers of a read-write lock: one of them).
    Lock {
        /// The lock.
        location: Location,
        /// Who has it.
        holder: Option<ThreadId>,
    },
    /// The end of a thread.
    Join(ThreadId),
    /// Nothing: it ends the process, which is put off for as long as others, such as this one, can go on.
    Exit(ThreadId),
    /// A condition variable, futex, barrier or semaphore.
    Wait(Location),
    /// An assumption that does not hold: it never goes on, and that is no fault.
    Assumption,
    /// A loop that read these locations, wrote nothing, and came round unchanged: it waits while all of them have the values it read.
    Spin(Vec<Location>),
    /// Nothing: it has tried in vain, and retries are cut ([`Retries::Park`]).
    Parked,
}

/// A source position.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Site {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The function, in the source's words.
    pub function: String,
    /// Where the code was inlined or called from, innermost first.
    pub inlined_at: Vec<Site>,
}
