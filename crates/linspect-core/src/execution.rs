//! What one run of a client did, step by step.
//!
//! A *step* of a thread is: the call of an operation, if this is its first visible access (so calls are
//! recorded as late as possible); ONE visible access, or a whole atomic section; local code up to just
//! before the next visible access; the return of the operation, if it ends there (so returns are recorded
//! as early as possible). An operation without visible access is a step of its own. Histories recorded
//! this way are *tight*: they have the strongest real-time order, and any looser recording of the same run is implied.

use crate::client::Invocation;
use crate::history::Time;
use crate::orderings::Place;
use crate::schedule::{Choice, ThreadId};
use crate::value::Value;
use smallvec::SmallVec;

/// Where in the source: an index into the subject's table of sites.
pub type SiteId = u32;

/// A run of bytes in an allocation. Allocation identities do not depend on how independent steps interleave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// Which allocation (a global, a heap block, a stack slot, a lock's identity).
    pub allocation: u32,
    /// First byte.
    pub offset: u32,
    /// Number of bytes.
    pub size: u32,
}

impl Location {
    /// Whether the two have a byte in common.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        let end = |l: &Self| u64::from(l.offset) + u64::from(l.size);
        self.allocation == other.allocation
            && u64::from(self.offset) < end(other)
            && u64::from(other.offset) < end(self)
    }
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Reads and writes in one step: fetch-and-op, exchange.
    Update,
    /// A compare-exchange that succeeded: reads and writes.
    CasOk,
    /// A compare-exchange that failed: only reads.
    CasFail,
    /// Acquires a lock (blocks while it is held).
    Lock,
    /// Tries to acquire a lock and fails: reads its state.
    LockFail,
    /// Releases a lock.
    Unlock,
    /// Starts to wait on a condition or futex.
    Wait,
    /// Wakes waiters. It neither reads nor changes memory, so it conflicts with waiting and waking only, and with the end of what is waited at.
    Wake,
    /// Wakes at a condition or futex although nobody woke it: it goes to sleep and wakes in one step, so no wake-up can meet it.
    SpuriousWake,
    /// Adds to a semaphore, which may let a waiter go on.
    Post,
    /// Starts a thread.
    Spawn,
    /// Has waited for a thread to end.
    Join,
    /// A fence.
    Fence,
    /// Frees memory: conflicts with every access to it.
    Free,
    /// Ends the process. No step comes after it, so its order with every other step matters.
    Exit,
    /// An owner counts one more, or itself out. Whoever counts one more looks at nothing of the count, and there is at least one owner more than
    /// any other counts out meanwhile: its order with others that count does not matter. So the count itself is not told: it reads 0 and
    /// writes 1, or reads 1 and writes 0.
    Tally,
    /// Adds to what is there, and nobody uses what that was: its order with others that add to the same bytes does not matter. Only told so where
    /// [`Additions::Unordered`](crate::machine::Additions::Unordered) is asked for, and then without the values, which depend on the order: it reads 0 and writes 1.
    Add,
    /// Is late: much time passes before it is told the time.
    Delay,
}

impl Action {
    /// Whether it may change what others read. Lock operations are writes of the lock.
    #[inline]
    pub fn writes(self) -> bool {
        !matches!(
            self,
            Self::Read
                | Self::CasFail
                | Self::LockFail
                | Self::SpuriousWake
                | Self::Fence
                | Self::Spawn
                | Self::Join
                | Self::Exit
                | Self::Delay
        )
    }

    /// Whether its order with a wake-up at the same place matters.
    #[inline]
    pub fn meets_wake(self) -> bool {
        matches!(self, Self::Wait | Self::Wake | Self::Free)
    }

    /// Whether it takes part in conflicts of memory. A join only orders its own two threads.
    #[inline]
    pub fn touches_memory(self) -> bool {
        !matches!(
            self,
            Self::Fence | Self::Spawn | Self::Join | Self::Exit | Self::Delay
        )
    }
}

/// A memory ordering, as written in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ordering {
    /// An ordinary access.
    Plain,
    /// `relaxed`, and LLVM's weaker `unordered`.
    Relaxed,
    /// `acquire`.
    Acquire,
    /// `release`.
    Release,
    /// `acq_rel`.
    AcqRel,
    /// `seq_cst`.
    SeqCst,
}

impl Ordering {
    /// Whether a read with it comes after what the write that it reads releases.
    pub fn acquires(self) -> bool {
        matches!(self, Self::Acquire | Self::AcqRel | Self::SeqCst)
    }

    /// Whether a write with it hands on what its thread has done.
    pub fn releases(self) -> bool {
        matches!(self, Self::Release | Self::AcqRel | Self::SeqCst)
    }
}

/// What a run may do with atomics that are weaker than `seq_cst`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemoryModel {
    /// Sequential consistency: every read reads what was written last, whatever its ordering.
    #[default]
    Sc,
    /// The memory model of C++20, C and Rust without load buffering: a read may read an older message, and a write may be placed before one that
    /// was made earlier, as far as orderings allow.
    C20,
}

/// A step by its thread and its number there, from 0. It is the same in every interleaving of the same execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId {
    /// Whose step it is.
    pub thread: ThreadId,
    /// How many steps its thread has taken before it.
    pub step: u32,
}

/// One visible access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// What it does.
    pub action: Action,
    /// To what.
    pub location: Location,
    /// The bits read, zero-extended; long accesses keep a digest.
    pub read: u64,
    /// The bits written, zero-extended; long accesses keep a digest.
    pub written: u64,
    /// How it is ordered.
    pub ordering: Ordering,
    /// Where it stands in the source.
    pub site: SiteId,
    /// Under [`MemoryModel::C20`], whose write it reads, if it reads; `None`: what was there before the concurrent part, or what its own thread wrote before others could reach it.
    pub from: Option<EventId>,
    /// Under [`MemoryModel::C20`], whose write stands directly before the one that it makes in modification order, if it writes; `None`: as in `from`.
    pub after: Option<EventId>,
}

impl Access {
    /// Whether a thread goes to sleep by it until somebody wakes it. A semaphore counts down instead, and a barrier counts who has come.
    pub fn sleeps(&self) -> bool {
        self.action == Action::Wait && self.read == self.written
    }

    /// Whether the order of the two matters: a common byte and at least one write, not both of a kind that commutes; the end of the process and
    /// anything; two creations of threads, because threads are numbered in the order of their creation.
    #[inline]
    pub fn conflicts(&self, other: &Self) -> bool {
        match (self.action, other.action) {
            (Action::Exit, _) | (_, Action::Exit) | (Action::Spawn, Action::Spawn) => return true,
            (Action::Wake, action) | (action, Action::Wake) if !action.meets_wake() => {
                return false;
            }
            _ => {}
        }
        self.action.touches_memory()
            && other.action.touches_memory()
            && !(self.action == Action::Tally
                && other.action == Action::Tally
                && self.written.max(other.written) == 1)
            && !(self.action == Action::Add
                && other.action == Action::Add
                && self.location == other.location)
            && (self.action.writes() || other.action.writes())
            && self.location.overlaps(&other.location)
    }
}

/// An operation of an execution: the `index`-th of `thread`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Activation {
    /// The thread that runs it.
    pub thread: ThreadId,
    /// Its position among the operations of that thread.
    pub index: u16,
}

/// How an operation ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// It returned a value.
    Returned(Value),
    /// It ended by an exception or a panic, with this message.
    Threw(String),
}

/// One step of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The decision that led here.
    pub choice: Choice,
    /// The operation that is called in this step.
    pub called: Option<Activation>,
    /// What is called, where no client says so: a plain program decides itself which of its operations it calls, and with what.
    pub invocation: Option<Invocation>,
    /// The visible accesses: one, none for an operation without any, several for an atomic section.
    pub accesses: SmallVec<[Access; 1]>,
    /// The operation that returns in this step.
    pub returned: Option<(Activation, Ending)>,
    /// The thread that this step created or joined.
    pub other: Option<ThreadId>,
    /// What went wrong in it, if anything; the execution ends here.
    pub fault: Option<Fault>,
    /// What else it did.
    pub aside: Aside,
}

/// What a step does beside its accesses, which no other step can see or be ordered by, but which counts where data races are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aside {
    /// The fences that its thread has passed since its last step, before the accesses of this one.
    pub fences: SmallVec<[Ordering; 1]>,
    /// What others can reach from this step on.
    pub published: SmallVec<[Published; 1]>,
    /// The threads that waited at a barrier until this step: what they do from now on comes after it.
    pub let_go: SmallVec<[ThreadId; 1]>,
    /// What became of an exchange that may fail without reason, if it is one.
    pub weak_exchange: Option<WeakExchange>,
    /// Whether a thread that runs beside others has asked for the time, in this step or before.
    pub asked_time: bool,
}

/// What became of a compare-exchange that may fail though it finds what it expects (`compare_exchange_weak`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeakExchange {
    /// What it found decided.
    Decided,
    /// It failed without reason.
    GaveUp,
}

/// Memory that its owner has written while no other thread could reach it, and that others can reach now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// All of it.
    pub location: Location,
    /// Where it was allocated.
    pub allocated: SiteId,
}

impl Step {
    /// Whether the process ends with it.
    pub fn ends_process(&self) -> bool {
        self.accesses.iter().any(|a| a.action == Action::Exit)
    }

    /// Whether it can go in another way without reason: who goes to sleep may wake, and who asks for the time may be late.
    pub fn may_wake_or_be_late(&self) -> bool {
        self.aside.asked_time || self.accesses.iter().any(Access::sleeps)
    }

    /// Where its atomic accesses stand that are weaker than `seq_cst`, or exchanges that may fail without reason.
    pub fn weaker(&self) -> impl Iterator<Item = SiteId> + '_ {
        let may_give_up = self.aside.weak_exchange.is_some();
        let weaker = self.accesses.iter().filter(move |access| {
            let is_weaker = access.ordering != Ordering::SeqCst || may_give_up;
            Place::of(access).is_some() && is_weaker
        });
        weaker.map(|access| access.site)
    }
}

/// Something that no correct program does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// What kind of wrong.
    pub kind: FaultKind,
    /// In words, with the values.
    pub message: String,
    /// Where it happened.
    pub site: SiteId,
    /// The other place that belongs to it: the allocation of a leak, the free of a use after free.
    pub related: Option<SiteId>,
}

/// The kinds of [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// An access through a null pointer, or one nearly null.
    NullPointer,
    /// An access outside its allocation, or through a pointer to nothing.
    OutOfBounds,
    /// An access to freed memory.
    UseAfterFree,
    /// Memory freed twice, or a pointer freed that was never allocated.
    BadFree,
    /// A read of memory that was never written.
    Uninitialised,
    /// Memory that is still allocated at the end and unreachable.
    Leak,
    /// An assertion of the program.
    Assertion,
    /// `abort`, a trap, an uncaught exception or panic outside any operation.
    Abort,
    /// Misuse of a lock or thread: unlock by a stranger, join of oneself.
    Misuse,
    /// A bound of the machine was reached: instructions without a visible access, calls in calls, memory, threads.
    Limit,
    /// Something this machine cannot run: an unmodelled external, inline assembly. Says nothing about the program.
    Unsupported,
    /// Memory that counted as its owner's alone was reached by another thread, so that steps were missed. Says nothing about the program:
    /// it is to be run again with what is allocated at the related site shared from its birth.
    Hidden,
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Every thread ended.
    Complete,
    /// Nobody can move and somebody is not done: these threads wait.
    Deadlock(Vec<ThreadId>),
    /// Nobody can move and each of those who are not done goes round in a loop that nobody will end: these threads.
    Livelock(Vec<ThreadId>),
    /// The bound on steps was reached.
    StepLimit,
    /// The last step has a fault.
    Fault,
    /// Every thread ended, then the suffix (Pr) went wrong.
    Suffix(Fault),
    /// Whoever chose the steps stopped here.
    Cut,
    /// Some thread has tried in vain and was parked: a run without that attempt does the same, and is explored.
    Covered,
}

impl End {
    /// Whether threads are left that can never go on.
    pub fn is_stuck(&self) -> bool {
        matches!(self, Self::Deadlock(_) | Self::Livelock(_))
    }

    /// The threads that can never go on.
    pub fn waiting(&self) -> &[ThreadId] {
        match self {
            Self::Deadlock(waiting) | Self::Livelock(waiting) => waiting,
            _ => &[],
        }
    }
}

/// One run of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// Results of the sequential prefix, in client order.
    pub before: Vec<Ending>,
    /// The steps of the concurrent part.
    pub steps: Vec<Step>,
    /// Results of the sequential suffix; empty if the threads did not all end.
    pub after: Vec<Ending>,
    /// How it ended.
    pub end: End,
}

/// Times of a projected history: after a prefix (Ps) of `b` operations, step `i` happens at `STEP_TIME * (b + i + 1)`.
///
/// A call in step i is at that time, a return in step i half a unit later, so that a return precedes exactly the calls of later steps.
pub const STEP_TIME: Time = 2;
