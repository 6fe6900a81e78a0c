//! A thread of the program under test, between two instructions.

use crate::copies::{Rare, Roomy};
use crate::memory::{Address, Lane, Views, Wants};
use crate::observed::Running;
use crate::program::{FunctionId, Origin, Pc, SiteId};
use crate::spin::SpinWatch;
use linspect_core::client::Invocation;
use linspect_core::execution::{Ending, Fault, Ordering};
use linspect_core::schedule::ThreadId;
use linspect_core::value::Value;
use smallvec::SmallVec;
use std::rc::Rc;

/// A function that runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Which function.
    pub(crate) function: FunctionId,
    /// The instruction that it is at; while it calls, the call.
    pub(crate) pc: Pc,
    /// Its first register in [`Thread::registers`].
    pub(crate) base: u32,
    /// Where its caller wants the result, in [`Thread::registers`].
    pub(crate) dst: u32,
    /// How high the stack was when it was entered.
    pub(crate) stack: u32,
    /// Whose code it counts as where its own sites are plumbing.
    pub(crate) origin: Origin,
    /// Where the innermost code outside the libraries stands that led here by calls; 0 if there is none.
    pub(crate) outer: SiteId,
    /// What happens when it returns.
    pub(crate) after: After,
    /// Which call of the thread this is, and how often it has jumped back. Both only tell the past apart.
    pub(crate) activation: u32,
    pub(crate) rounds: u32,
}

/// What happens when a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum After {
    /// The caller gets the result and goes on after the call.
    Result,
    /// The same, and a observed operation of a plain program has ended.
    Observed,
    /// The same, and an atomic section has ended.
    Atomic,
    /// The caller calls the same model again, at this phase.
    Again(u32),
    /// The one-time initialisation at this address has ended: the caller calls its model again, or, if it threw, the next one begins anew.
    Once(Address),
    /// An operation of the client has ended.
    Operation,
    /// The thread ends with the result.
    Thread,
    /// `main` has ended: the process ends with the result.
    Main,
    /// A function called at the end of the thread or the process has returned.
    AtExit,
}

/// What a thread waits for between two steps.
#[derive(Clone, Debug)]
pub(crate) enum Pending {
    /// Nothing: its next visible access can be made.
    Access,
    /// A lock, a semaphore or the like: see [`Gate`].
    Gate(Gate),
    /// To be woken; it is in the queue of this address. A timed wait may end at any time.
    Wait { address: Address, timed: bool },
    /// The end of a thread.
    Join(ThreadId),
    /// A change of one of these, which a loop without effect has read.
    Spin(Rc<Vec<Seen>>),
    /// Nothing: the next step can go in so many ways.
    Choose(u8),
    /// What never comes: an assumption does not hold.
    Assumed,
    /// Nothing: it has tried in vain, and stays where it is.
    Parked,
    /// Nothing: the next step is an operation without visible access, already run.
    Empty(Ending),
    /// Nothing: the next step is this fault.
    Fault(Box<Fault>),
    /// Nothing: the next step ends the life of this variable of the thread's own, which others can reach.
    EndLocal(Address),
    /// To end the process, when nobody else can go on.
    Exit,
    /// It has ended.
    Done,
}

/// A word that lets a thread pass or not, read whenever somebody asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    /// Where it is.
    pub(crate) address: Address,
    /// Which values let it pass.
    pub(crate) opens: Opens,
}

/// When a gate is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opens {
    /// A `pthread_mutex_t`: not locked.
    Mutex,
    /// A `pthread_rwlock_t`: no writer.
    Read,
    /// A `pthread_rwlock_t`: neither readers nor writer.
    Write,
    /// A word that is 0 (spin lock, Rust's futex mutex).
    Zero,
    /// A byte whose lowest bit is 0 (parking_lot's mutex).
    LowBit,
    /// A word that is not 0 (semaphore).
    Positive,
    /// A word that is not 1 (one-time initialisation by another thread).
    NotRunning,
    /// Rust's read-write lock, for reading: neither a writer nor anybody who waits.
    RustRead,
    /// Rust's read-write lock, for writing: free, or held by readers that do not know yet that a writer waits.
    RustWrite,
    /// Rust's one-time initialisation: not running.
    RustOnce,
    /// parking_lot's read-write lock, for reading: no writer, not even one that waits for readers.
    ParkingRead,
    /// The same for writing: no other writer, and nobody who may become one.
    ParkingWrite,
    /// The same for a writer that lets no readers in any more: they have gone.
    ParkingReaders,
    /// dashmap's read-write lock, for reading: no writer.
    DashmapRead,
    /// The same for writing: free.
    DashmapWrite,
}

/// A value that a thread has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) address: Address,
    pub(crate) len: u8,
    pub(crate) value: u64,
    pub(crate) site: SiteId,
}

/// The atomic access that a thread stands before, under C20.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask {
    pub(crate) address: Address,
    pub(crate) len: u8,
    pub(crate) wants: Wants,
}

/// An exception or panic on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exception {
    /// The object that landing pads receive.
    pub(crate) object: Address,
    /// The part of the object that the handler receives where it has landed.
    pub(crate) part: Address,
    /// The type information of a C++ exception; 0 for a panic.
    pub(crate) type_info: Address,
    /// For the report.
    pub(crate) message: String,
    /// Where it was thrown.
    pub(crate) site: SiteId,
}

/// A C++ exception in its handlers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caught {
    /// The exception.
    pub(crate) exception: Exception,
    /// How many handlers have it; negative while it is on its way again.
    pub(crate) handlers: i32,
}

/// A thread.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    /// Its number; meaningless for the sequential part of a client.
    pub(crate) id: ThreadId,
    /// Whose memory it allocates from.
    pub(crate) lane: Lane,
    /// Functions that run, outermost first.
    pub(crate) frames: Roomy<Frame>,
    /// How many calls it has made.
    pub(crate) calls: u32,
    /// Registers of all frames.
    pub(crate) registers: Roomy<u64>,
    /// Variadic arguments of frames that have them: depth and slots.
    pub(crate) variadic: Rare<(u32, Rc<[u64]>)>,
    /// What it waits for.
    pub(crate) pending: Pending,
    /// Where its next visible access stands.
    pub(crate) site: SiteId,
    /// How far the model that it is in has got.
    pub(crate) phase: u32,
    /// What the function that a model has called gave back.
    pub(crate) answer: u64,
    /// Which way the step goes that it stands before, if it can go in several.
    pub(crate) branch: Option<u8>,
    /// Where the access goes to that it stands before; 0 if it stands before something else.
    pub(crate) goes_to: Address,
    /// Under C20: the atomic access that it stands before, if it is one; which way that goes; what it knows; how many steps it has begun.
    pub(crate) ask: Option<Ask>,
    pub(crate) way: u8,
    /// Whether an exchange of it has given up though it read what it expected: that happens once at most, or loops would not end.
    pub(crate) gave_up: bool,
    /// Whether it has woken though nobody woke it: that happens once at most, for the same reason.
    pub(crate) woke_alone: bool,
    pub(crate) views: Views,
    pub(crate) steps: u32,
    /// How much it has read without a step since its last step.
    pub(crate) unseen: u16,
    /// Atomic sections that it is in.
    pub(crate) atomic: u32,
    /// Fences that it has passed since its last step.
    pub(crate) fences: SmallVec<[Ordering; 1]>,
    /// Addresses of its thread-local globals, by global; 0 until used.
    pub(crate) locals: Rare<(u32, Address)>,
    /// Values of its keys, by key.
    pub(crate) keys: Rare<(u32, u64)>,
    /// Functions to be called with an argument when it ends, last first.
    pub(crate) at_exit: Rare<(Address, u64)>,
    /// Exceptions that were thrown and not yet ended, innermost last.
    pub(crate) exceptions: Rare<Exception>,
    /// C++ exceptions that handlers have caught, the innermost last.
    pub(crate) caught: Rare<Caught>,
    /// The buffers of each `pthread_cleanup_push` that has no `pthread_cleanup_pop` yet.
    pub(crate) cleanups: Rare<Address>,
    /// Whether the whole process is ending, by this thread.
    pub(crate) exiting: bool,
    /// The result, once its outermost function has returned.
    pub(crate) result: u64,
    /// Where `errno` is; 0 until used.
    pub(crate) errno: Address,
    /// Where the tables of `ctype.h` are; 0 until used.
    pub(crate) tables: [Address; 3],
    /// Its deterministic clock, in nanoseconds.
    pub(crate) clock: u64,
    /// The state of its random numbers.
    pub(crate) random: u64,
    /// Operations that it runs.
    pub(crate) plan: Rc<[Invocation]>,
    /// How many operations it has begun.
    pub(crate) begun: u16,
    /// The observed operation of a plain program that runs.
    pub(crate) observed: Option<Rc<Running>>,
    /// Whether the current one has been recorded as called.
    pub(crate) called: bool,
    /// The parts of the current one's result so far.
    pub(crate) reply: Rare<Value>,
    /// Finds loops that only wait.
    pub(crate) spin: SpinWatch,
}

impl Thread {
    pub(crate) fn new(id: ThreadId, lane: Lane, seed: u64) -> Self {
        Self {
            id,
            lane,
            frames: Roomy::default(),
            calls: 0,
            registers: Roomy::default(),
            variadic: Rare::default(),
            pending: Pending::Access,
            site: 0,
            phase: 0,
            answer: 0,
            branch: None,
            goes_to: 0,
            ask: None,
            gave_up: false,
            woke_alone: false,
            way: 0,
            views: Views::default(),
            steps: 0,
            unseen: 0,
            atomic: 0,
            fences: SmallVec::new(),
            locals: Rare::default(),
            keys: Rare::default(),
            at_exit: Rare::default(),
            exceptions: Rare::default(),
            caught: Rare::default(),
            cleanups: Rare::default(),
            exiting: false,
            result: 0,
            errno: 0,
            tables: [0; 3],
            // Another seed is another time of day, so that what depends on the time can be told.
            clock: (seed & 0xffff_ffff) * 1_234_567,
            random: seed ^ (u64::from(lane) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            plan: Rc::default(),
            begun: 0,
            observed: None,
            called: false,
            reply: Rare::default(),
            spin: SpinWatch::default(),
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        matches!(self.pending, Pending::Done)
    }

    /// The next random number (splitmix64).
    pub(crate) fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
