//! The language: functions over shared variables, locks and a heap of cells. Every statement makes at most one access that others can see.

/// An integer variable of a function; the first is its argument.
pub type Local = u8;
/// A pointer variable of a function.
pub type Pointer = u8;
/// A variable of a function that holds a started thread.
pub type Handle = u8;

/// How many variables of each kind a function has.
pub const INTEGERS: usize = 4;
/// How many pointer variables a function has.
pub const POINTERS: usize = 3;
/// How many threads a function can hold.
pub const HANDLES: usize = 3;

/// An integer that needs no access to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A number.
    Number(i64),
    /// A variable of the function.
    Local(Local),
}

/// A condition on variables of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// Both are equal.
    Equal(Operand, Operand),
    /// They differ.
    Differ(Operand, Operand),
    /// The pointer points nowhere.
    Null(Pointer),
    /// It points somewhere.
    Some(Pointer),
}

/// A shared atomic integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A variable of the module.
    Variable(u8),
    /// The value in the cell that the pointer points to.
    Value(Pointer),
}

/// A shared atomic pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Link {
    /// A variable of the module.
    Root(u8),
    /// The pointer in the cell that the pointer points to.
    Next(Pointer),
}

/// What keeps others out of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// A mutex.
    Mutex(u8),
    /// A mutex if it is free; otherwise the region is left out.
    Try(u8),
    /// A read-write lock, shared.
    Read(u8),
    /// A read-write lock, alone.
    Write(u8),
}

/// Statements in order.
pub type Block = Vec<Statement>;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// `local = a + b`.
    Set(Local, Operand, Operand),
    /// `local = place`.
    Load(Local, Place),
    /// `place = value`.
    Store(Place, Operand),
    /// `local = place; place += value`, at once.
    Add(Local, Place, Operand),
    /// `local = place; place = value`, at once.
    Exchange(Local, Place, Operand),
    /// `local = place == old; if so place = new`, at once.
    Compare(Local, Place, Operand, Operand),
    /// `local = plain variable`.
    Get(Local, u8),
    /// `plain variable = value`.
    Put(u8, Operand),
    /// `pointer = link`.
    Follow(Pointer, Link),
    /// `link = pointer`, or nothing.
    Point(Link, Option<Pointer>),
    /// `pointer = link; link = other`, at once.
    Take(Pointer, Link, Option<Pointer>),
    /// `local = link == old; if so link = new`, at once.
    Swing(Local, Link, Pointer, Option<Pointer>),
    /// `pointer = a new cell with this value that points nowhere`.
    New(Pointer, Operand),
    /// Frees the cell.
    Free(Pointer),
    /// Gives the pointer this tag, where pointers have tags.
    Tag(Pointer, u8),
    /// A choice.
    If(Test, Block, Block),
    /// Again and again, until a [`Statement::Break`].
    Loop(Block),
    /// Leaves the innermost loop if the condition holds.
    Break(Test),
    /// Reads the place until it has this value.
    Spin(Place, i64),
    /// Runs the block under a lock.
    Region(Guard, Block),
    /// Waits for the condition variable; its mutex is held.
    Wait(u8),
    /// Wakes who waits for the condition variable: one, or all.
    Notify(u8, bool),
    /// The program is wrong if this does not hold.
    Assert(Test),
    /// Starts a thread that runs the function with this argument.
    Start(Handle, u8, Operand),
    /// Waits for the end of a thread.
    Join(Handle),
    /// Ends the process.
    Exit,
}

/// A function: its argument is the first integer variable, all others are 0, all pointers point nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// What it does.
    pub body: Block,
    /// What it returns.
    pub result: Operand,
    /// The arguments to try; none if it takes none.
    pub arguments: Vec<i64>,
}

/// How pointers are kept in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// As they are.
    Plain,
    /// Shifted to the left, a tag beside them.
    Shifted,
    /// A mark in the lowest bit.
    Marked,
    /// With all bits turned.
    Flipped,
}

/// What a module is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An object: its functions are operations.
    Object,
    /// A program: its first function is `main`.
    Program,
}

/// An object or a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Module {
    /// Which of both.
    pub kind: Kind,
    /// What the shared atomic integers begin with.
    pub variables: Vec<i64>,
    /// How many plain integers there are; they begin with 0.
    pub plains: usize,
    /// How many shared pointers there are; they begin with nothing.
    pub roots: usize,
    /// How many mutexes there are.
    pub mutexes: usize,
    /// How many read-write locks there are.
    pub rwlocks: usize,
    /// The mutex of each condition variable.
    pub conditions: Vec<u8>,
    /// How pointers are kept.
    pub encoding: Encoding,
    /// The operations, or `main` and what threads run.
    pub functions: Vec<Function>,
}

impl Module {
    /// Whether some statement is like this.
    pub fn any(&self, is: &dyn Fn(&Statement) -> bool) -> bool {
        fn any(block: &[Statement], is: &dyn Fn(&Statement) -> bool) -> bool {
            block.iter().any(|s| {
                is(s)
                    || match s {
                        Statement::If(_, yes, no) => any(yes, is) || any(no, is),
                        Statement::Loop(body) | Statement::Region(_, body) => any(body, is),
                        _ => false,
                    }
            })
        }
        self.functions.iter().any(|f| any(&f.body, is))
    }
}
