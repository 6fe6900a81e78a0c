//! Small programs with weaker orderings, and all their executions by brute force, as the text of C++20 has them.
//!
//! [`draw`] draws a program, [`emit`] writes it as C or as Rust, [`graphs`] builds every execution graph of it event by event, and [`axioms`] says which of them C++20 allows (without load buffering) and which have a
//! data race. [`objects`] says which clients of an object are not linearizable. A program is straight: what it waits for is a single value, so that its graphs have an end.

pub mod axioms;
pub mod draw;
pub mod emit;
pub mod graphs;
pub mod objects;

/// An ordering of C++20.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// `memory_order_relaxed`.
    Relaxed,
    /// `memory_order_acquire`.
    Acquire,
    /// `memory_order_release`.
    Release,
    /// `memory_order_acq_rel`.
    AcqRel,
    /// `memory_order_seq_cst`.
    SeqCst,
}

impl Order {
    /// Whether a read or a fence of this order acquires.
    pub fn acquires(self) -> bool {
        matches!(self, Self::Acquire | Self::AcqRel | Self::SeqCst)
    }

    /// Whether a write or a fence of this order releases.
    pub fn releases(self) -> bool {
        matches!(self, Self::Release | Self::AcqRel | Self::SeqCst)
    }
}

/// A variable of a thread's own.
pub type Register = u8;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A number.
    Number(i64),
    /// What a register holds.
    Register(Register),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `register = atomic`.
    Load(Register, u8, Order),
    /// `atomic = value`.
    Store(u8, Operand, Order),
    /// `register = atomic; atomic += number`, at once.
    Add(Register, u8, i64, Order),
    /// `register = atomic; atomic = number`, at once.
    Exchange(Register, u8, i64, Order),
    /// `register = atomic; if register == expected then atomic = new`, at once; the second order is that of failure.
    Compare(Register, u8, i64, i64, Order, Order),
    /// The same, but it may fail without reason: at most one in each thread.
    CompareWeak(Register, u8, i64, i64, Order, Order),
    /// `register = atomic; atomic += number`, by exchanges that are tried until one succeeds.
    Swing(Register, u8, i64, Order),
    /// A fence.
    Fence(Order),
    /// `register = plain variable`.
    Get(Register, u8),
    /// `plain variable = value`.
    Put(u8, Operand),
    /// Makes this cell, which holds a value, and lets the shared pointer point there; each cell is made once.
    Publish(u8, u8, i64, Order),
    /// If the shared pointer points somewhere: `register = what is there`.
    Follow(Register, u8, Order),
    /// If the shared pointer points somewhere, writes there.
    Overwrite(u8, i64, Order),
    /// Runs the block if the register holds this.
    If(Register, i64, Vec<Statement>),
    /// Reads the atomic until it is this.
    Await(u8, i64, Order),
    /// Runs the block with the mutex held.
    Lock(u8, Vec<Statement>),
}

/// A program: its threads start together, and `main` waits for all of them. All variables and registers begin with 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// How many atomic variables there are.
    pub atomics: usize,
    /// How many plain variables there are.
    pub plains: usize,
    /// How many shared pointers there are; they begin with nothing.
    pub pointers: usize,
    /// How many cells are made.
    pub cells: usize,
    /// How many mutexes there are.
    pub mutexes: usize,
    /// What each thread does.
    pub threads: Vec<Vec<Statement>>,
}

/// How many registers a thread has.
pub const REGISTERS: usize = 4;

/// What can be seen when all threads have ended: the registers of each thread, the atomic variables, the plain ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    /// By thread.
    pub registers: Vec<[i64; REGISTERS]>,
    /// The atomic variables, then the plain ones.
    pub finally: Vec<i64>,
}

impl Program {
    /// Whether some statement is like this.
    pub fn any(&self, is: &dyn Fn(&Statement) -> bool) -> bool {
        fn any(block: &[Statement], is: &dyn Fn(&Statement) -> bool) -> bool {
            block.iter().any(|s| {
                is(s)
                    || match s {
                        Statement::If(_, _, body) | Statement::Lock(_, body) => any(body, is),
                        _ => false,
                    }
            })
        }
        self.threads.iter().any(|thread| any(thread, is))
    }
}
