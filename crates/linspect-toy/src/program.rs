//! What a toy program is made of.

use linspect_core::client::Declared;
use linspect_core::execution::{MemoryModel, Ordering};

/// A program: shared cells and operations on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// The initial contents of the shared cells; addresses count from 1, so that 0 can be "no cell".
    pub cells: Vec<i64>,
    /// A name per shared cell.
    pub names: Vec<String>,
    /// How many cells each thread can allocate.
    pub arena: usize,
    /// The operations, as clients see them.
    pub declared: Vec<Declared>,
    /// Their code, in the same order.
    pub operations: Vec<Operation>,
    /// `exit` ends the process at any time, as it really does: for comparison with ending it last.
    pub hasty: bool,
    /// What memory may do.
    pub memory: MemoryModel,
}

/// The code of one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// How many registers it uses.
    pub registers: usize,
    /// What it does.
    pub code: Vec<Instruction>,
}

/// What an expression is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A constant, or the address of a shared cell.
    Constant(i64),
    /// A register.
    Register(u16),
    /// The operation's argument.
    Argument,
    /// The running thread.
    Thread,
}

/// What connects two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Operator {
    Plus,
    Minus,
    Times,
    Modulo,
    Equal,
    Unequal,
    Less,
}

/// Operands connected from left to right, without precedence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The leftmost operand.
    pub first: Operand,
    /// The others, each with the operator before it.
    pub rest: Vec<(Operator, Operand)>,
}

impl From<Operand> for Expression {
    fn from(first: Operand) -> Self {
        Self {
            first,
            rest: Vec::new(),
        }
    }
}

impl From<i64> for Expression {
    fn from(n: i64) -> Self {
        Operand::Constant(n).into()
    }
}

/// What an operation returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Result {
    /// A number.
    Int(Expression),
    /// A truth value.
    Bool(Expression),
    /// Nothing worth telling.
    Unit,
    /// Explicitly nothing.
    Nil,
}

/// One instruction. The first group is visible to other threads, the second is local.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the fields are addresses, values and registers, as their names say"
)]
pub enum Instruction {
    /// `into = read at`, `into = read.acq at`: orderings are na, rlx, acq, rel, ar, and sc where none is given.
    Read {
        into: u16,
        at: Expression,
        order: Ordering,
    },
    /// `write at value`
    Write {
        at: Expression,
        value: Expression,
        order: Ordering,
    },
    /// `into = cas at expected new`, `into found = cas.ar.rlx at expected new`: how it is ordered if it succeeds and if it fails.
    Cas {
        into: u16,
        found: Option<u16>,
        at: Expression,
        expected: Expression,
        new: Expression,
        order: Ordering,
        failure: Ordering,
    },
    /// `into = dcas at1 at2 expected1 expected2 new1 new2`; a failed one counts as a write of both cells.
    Dcas {
        into: u16,
        at: [Expression; 2],
        expected: [Expression; 2],
        new: [Expression; 2],
    },
    /// `into = faa at value`, or `add at value`: nobody uses what was there
    FetchAdd {
        into: Option<u16>,
        at: Expression,
        value: Expression,
        order: Ordering,
    },
    /// `into = swap at value`
    Swap {
        into: u16,
        at: Expression,
        value: Expression,
        order: Ordering,
    },
    /// `lock at`
    Lock { at: Expression },
    /// `unlock at`
    Unlock { at: Expression },
    /// `into = trylock at`
    TryLock { into: u16, at: Expression },
    /// `wait condition lock`: releases the lock, waits to be woken, takes the lock again.
    Wait {
        condition: Expression,
        lock: Expression,
    },
    /// `wake condition`: wakes the thread that waits longest, if there is one.
    Wake { condition: Expression },
    /// `into = spawn operation argument`: a thread of its own; its operation is not part of the history.
    Spawn {
        into: u16,
        operation: u16,
        argument: Expression,
    },
    /// `join thread`
    Join { thread: Expression },
    /// `exit`: the process ends, as soon as nobody else can go on.
    Exit,
    /// `into = choose n`: the environment decides.
    Choose { into: u16, ways: u8 },

    /// `fence sc`
    Fence { order: Ordering },
    /// `into = alloc n`: fresh cells from the thread's own arena.
    Alloc { into: u16, cells: usize },
    /// `init at value`: writes a cell that no other thread can reach yet.
    Init { at: Expression, value: Expression },
    /// `into = set value`
    Set { into: u16, value: Expression },
    /// `goto L`, `if c goto L`
    Jump { condition: Expression, to: usize },
    /// `spin L`: goes back to L; waits if the last round wrote nothing, read the same values and left the registers as they were.
    Spin { to: usize },
    /// `assert c`
    Assert { condition: Expression },
    /// `return v`
    Return { result: Result },
}

impl Instruction {
    /// Whether other threads can see it: it is a step of its own.
    pub fn is_visible(&self) -> bool {
        !matches!(
            self,
            Self::Fence { .. }
                | Self::Alloc { .. }
                | Self::Init { .. }
                | Self::Set { .. }
                | Self::Jump { .. }
                | Self::Spin { .. }
                | Self::Assert { .. }
                | Self::Return { .. }
        )
    }
}
