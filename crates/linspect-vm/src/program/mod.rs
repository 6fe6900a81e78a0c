//! The decoded program: what is left of LLVM bitcode once LLVM is gone.
//!
//! This is the contract between the decoder (`llvm`), which produces it, and the interpreter, which runs it.
//!
//! **Slots.** A function's values live in *registers*: 64-bit slots, numbered from 0 in each function. A scalar of up to
//! 64 bits takes one slot, **zero-extended** (an `i8 -1` is `0xff`, an `i1` is 0 or 1, a `float` is its 32 bits,
//! a pointer its address). An integer of 65 to 128 bits takes two slots, low half first. Aggregates and vectors are runs
//! of consecutive slots, one run per element in order, nested ones flattened, no padding; an empty aggregate takes none. So
//! `{ i8, { ptr, i128 } }` takes 4 slots and `<4 x i32>` takes 4. Integers over 128 bits are not supported.
//!
//! **Vectors** do not exist at run time: the decoder unrolls every element-wise instruction into one scalar
//! instruction per lane, shuffles and element accesses with constant indices into [`Inst::Copy`].
//!
//! **Constants** are operands like registers: an [`Operand`] is a register or an index into [`Program::constants`].
//! Constant aggregates are runs of constants. `undef` and `poison` are 0. A constant expression that is not *symbol + offset* is
//! computed by instructions before its use. A thread-local global is never a constant: [`Inst::TlsAddress`] gives its address.
//!
//! **Control flow.** The blocks of a function are laid out one after the other in one vector of instructions (entry first); phis
//! are gone: an [`Edge`] carries the copies to be done, in parallel, when it is taken.
//!
//! **What cannot be decoded** is an [`Inst::Unsupported`] in its place: a program only fails if it gets there.

mod inst;
mod intrinsic;
mod operator;

pub use inst::Inst;
pub use intrinsic::Intrinsic;
pub use operator::{
    AtomicOp, Compare, ExtendedOp, Failing, FloatCompare, FloatKind, FloatOp, IntCast, IntOp,
    LockWord, MemoryOrder,
};

/// An index into [`Program::sites`]; 0 is the unknown site.
pub use linspect_core::execution::SiteId;

use serde::{Deserialize, Serialize};

/// Bumped whenever the decoded form changes, so that no cache of an older one is read.
pub const FORMAT: u32 = 4;

/// A register of a function: a 64-bit slot.
pub type Reg = u32;
/// An index into [`Program::functions`].
pub type FunctionId = u32;
/// An index into [`Program::globals`].
pub type GlobalId = u32;
/// An index into [`Program::strings`].
pub type StrId = u32;
/// An index into [`Function::edges`].
pub type EdgeId = u32;
/// An index into [`Program::layouts`].
pub type LayoutId = u32;
/// An index into a function's code.
pub type Pc = u32;

/// No edge: a call without landing pad.
pub const NO_EDGE: EdgeId = EdgeId::MAX;

/// A value used by an instruction: a register, or a constant of the program. Names the first slot of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Operand(u32);

impl Operand {
    const CONSTANT: u32 = 1 << 31;

    /// The register `reg`.
    pub fn reg(reg: Reg) -> Self {
        debug_assert!(reg < Self::CONSTANT);
        Self(reg)
    }

    /// The constant at `index` of [`Program::constants`].
    pub fn constant(index: u32) -> Self {
        debug_assert!(index < Self::CONSTANT);
        Self(index | Self::CONSTANT)
    }

    /// The slot `n` further on in the same run.
    #[must_use]
    #[inline]
    pub fn slot(self, n: u32) -> Self {
        Self(self.0 + n)
    }

    /// The register, if it is one.
    #[inline]
    pub fn as_reg(self) -> Option<Reg> {
        (self.0 & Self::CONSTANT == 0).then_some(self.0)
    }

    /// The index of the constant, if it is one.
    #[inline]
    pub fn as_constant(self) -> Option<u32> {
        (self.0 & Self::CONSTANT != 0).then_some(self.0 & !Self::CONSTANT)
    }
}

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.as_reg() {
            Some(reg) => write!(f, "r{reg}"),
            None => write!(f, "c{}", self.0 & !Self::CONSTANT),
        }
    }
}

/// One slot of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Constant {
    /// These bits, zero-extended.
    Bits(u64),
    /// The address of a symbol plus an offset in bytes; known when the program is loaded.
    Address(Symbol, i64),
}

/// Something with an address that is known when the program is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Symbol {
    /// A global; not a thread-local one.
    Global(GlobalId),
    /// A function, defined or only declared.
    Function(FunctionId),
}

/// A whole program, linked and reduced to what can be reached from its roots.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Every function: defined ones have code, declared ones are modelled by symbol or unsupported when called.
    pub functions: Vec<Function>,
    /// Every global variable.
    pub globals: Vec<Global>,
    /// Slots of all constants; equal runs may be shared.
    pub constants: Vec<Constant>,
    /// How aggregates and vectors lie in memory.
    pub layouts: Vec<Layout>,
    /// Source positions; entry 0 is the unknown position.
    pub sites: Vec<Site>,
    /// All texts: symbols, file names, variable names.
    pub strings: Vec<String>,
    /// Aggregate types of the source that debug information describes, for the names of locations.
    pub types: Vec<SourceType>,
    /// `llvm.global_ctors` in the order in which they run: by priority, then as listed.
    pub constructors: Vec<FunctionId>,
    /// `llvm.global_dtors`, by priority, then as listed: they run the other way round.
    pub destructors: Vec<FunctionId>,
}

/// A function. Parameters arrive in registers `0..params`, flattened like every value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// The linker's symbol.
    pub symbol: StrId,
    /// The name in the source's words, generic arguments included, if debug information has it; else the symbol.
    pub name: StrId,
    /// Where it is defined.
    pub site: SiteId,
    /// Instructions of all blocks; empty for a declaration.
    pub code: Vec<Inst>,
    /// Parallel to `code`: where each instruction comes from.
    pub sites: Vec<SiteId>,
    /// How many registers it uses.
    pub registers: u32,
    /// How many slots its fixed parameters take.
    pub params: u32,
    /// How many slots its result takes.
    pub returns: u32,
    /// Whether it takes more arguments than its parameters.
    pub variadic: bool,
    /// Parameters passed by hidden copy (`byval`): the machine copies the pointee into the callee's frame.
    pub by_value: Vec<ByValue>,
    /// Ways from a block to the next.
    pub edges: Vec<Edge>,
    /// Copies of all edges: each edge has a range of these.
    pub copies: Vec<(Reg, Operand)>,
    /// Arguments of all calls and intrinsics, one per slot: each has a range of these.
    pub arguments: Vec<Operand>,
    /// The tables of switches.
    pub switches: Vec<Switch>,
    /// The clauses of landing pads.
    pub landing_pads: Vec<LandingPad>,
    /// Names of the source's variables, where a register holds one: register, first instruction from which it holds, name. Sorted.
    pub variables: Vec<(Reg, Pc, StrId)>,
    /// Loads that stand for a part of a copy of a whole: what they read need not have been written. Ascending.
    pub parts_of_copies: Vec<Pc>,
    /// What memory instructions (load, store, atomics) access, as the source writes it, such as `q->head`. Sorted by instruction.
    pub paths: Vec<(Pc, StrId)>,
    /// For memory instructions whose address is a field of a struct: the struct's type (index into [`Program::types`])
    /// and the byte offset of the accessed field in it, so that `address - offset` is where the struct starts. Sorted by instruction.
    pub fields: Vec<(Pc, u32, u32)>,
    /// What it takes and gives, as far as a history can show it.
    pub signature: Signature,
}

/// What a function takes and gives, as far as a history can show it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// Its parameters in order: the first register of each, and its shape.
    pub params: Vec<(Reg, Shape)>,
    /// Its result.
    pub result: Shape,
}

/// What a parameter or a result is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// Nothing, or something that a history cannot show.
    #[default]
    Opaque,
    /// A number.
    Number(Number),
    /// A pointer, perhaps to a number.
    Pointer(Option<Number>),
    /// Rust's `Option` of a number: a tag that is 0 for nothing, then the number.
    Optional(Number),
}

/// How a number is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Number {
    /// 1 to 64; 1 is a truth value.
    pub bits: u8,
    /// Whether it may be negative.
    pub signed: bool,
}

impl Function {
    /// Whether it has no body here.
    #[inline]
    pub fn is_declaration(&self) -> bool {
        self.code.is_empty()
    }
}

/// A parameter passed by hidden copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByValue {
    /// The register that holds the pointer.
    pub param: Reg,
    /// Bytes to copy.
    pub size: u32,
    /// Alignment of the copy.
    pub align: u32,
}

/// A way from one block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// The first instruction of the target block.
    pub target: Pc,
    /// First of its copies in [`Function::copies`]. All sources are read before any register is written.
    pub first_copy: u32,
    /// How many copies.
    pub copies: u32,
}

/// The table of a `switch`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// Cases: value (zero-extended) and edge, sorted by value. Values of switches over more than 64 bits keep all bits.
    pub cases: Vec<(u128, EdgeId)>,
    /// Where all other values go.
    pub default: EdgeId,
}

/// What a landing pad stops for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LandingPad {
    /// Whether it is entered even if no clause matches.
    pub cleanup: bool,
    /// Clauses in order.
    pub clauses: Vec<Clause>,
}

/// One clause of a landing pad.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Clause {
    /// Catches the type whose type information this is (an address constant, or null for everything).
    Catch(Operand),
    /// Stops everything but these types.
    Filter(Vec<Operand>),
}

/// A global variable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Global {
    /// The linker's symbol.
    pub symbol: StrId,
    /// The name in the source's words, if debug information has it; else the symbol, demangled.
    pub name: StrId,
    /// Where it is defined.
    pub site: SiteId,
    /// Its type among [`Program::types`], if it is a struct that debug information describes.
    pub ty: Option<u32>,
    /// Bytes.
    pub size: u64,
    /// Alignment, a power of two, at least 1.
    pub align: u32,
    /// The initial bytes; shorter than `size` means zeros after them. Relocated words are zero here.
    pub bytes: Vec<u8>,
    /// Addresses to be written into it when the program is loaded.
    pub relocations: Vec<Relocation>,
    /// Whether it is never written.
    pub constant: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// Whether it is only declared: an access is an error naming it, unless the machine models it (`stdout`, `environ`).
    pub declaration: bool,
}

/// An 8-byte address inside a global's initial value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relocation {
    /// Where in the global.
    pub offset: u64,
    /// Whose address.
    pub symbol: Symbol,
    /// Plus this.
    pub addend: i64,
}

/// How a value of several slots lies in memory: what a load or store of an aggregate or a vector does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Layout {
    /// Bytes from the first to the last, padding included (LLVM's store size).
    pub size: u32,
    /// One per scalar, in slot order. Padding belongs to no element.
    pub elements: Vec<Element>,
}

/// A scalar in a [`Layout`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Element {
    /// First bit, counted from the lowest bit of the first byte. Only bit-packed vectors such as `<16 x i1>` use other than multiples of 8.
    pub bit: u32,
    /// Bits, 1 to 128; more than 64 take two slots.
    pub bits: u32,
}

/// A source position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    /// The file, as the compiler was given it.
    pub file: StrId,
    /// From 1; 0 if unknown.
    pub line: u32,
    /// From 1; 0 if unknown.
    pub column: u32,
    /// The function in the source's words.
    pub function: StrId,
    /// Where that function was inlined; 0 if it was not.
    pub inlined_at: SiteId,
    /// Whose code it is, decided along the inlining chain (innermost first; the first link that is not `Plumbing` decides).
    pub origin: Origin,
}

/// Whose code an instruction is. Decides which accesses are scheduling points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Origin {
    /// The program under test and its libraries. All C and C++.
    #[default]
    User,
    /// Code without a meaning of its own: its accesses are its caller's. `core` and `alloc` except `alloc::sync`,
    /// and the headers of the C++ library (`std::atomic`, containers).
    Plumbing,
    /// Rust's own synchronisation: `std::sync`, `std::sys::sync`. Its atomics are visible.
    Sync,
    /// Counts of owners: `alloc::sync`, and the threads of `std::thread::scope`. Their atomics are visible; what they call is their caller's doing.
    Count,
    /// Internals that are trusted, so that their accesses are no scheduling points: other `std`, and the owners it counts itself.
    Trusted,
}

/// An aggregate type of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceType {
    /// Its name, such as `Node<i32>`.
    pub name: StrId,
    /// Bytes.
    pub size: u32,
    /// Its fields, sorted by offset, flattened: a field of a nested struct is `outer.inner`.
    pub fields: Vec<Field>,
}

/// A field of a [`SourceType`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// First byte.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// Its name, such as `next`.
    pub name: StrId,
    /// The name of the struct that it points to; empty if it is no such pointer.
    pub target: StrId,
    /// The size of what it points to; 0 if it is no pointer.
    pub stride: u32,
}

impl Program {
    /// A program with nothing in it but the unknown site and the empty string.
    pub fn new() -> Self {
        Self {
            sites: vec![Site::default()],
            strings: vec![String::new()],
            ..Self::default()
        }
    }

    /// The text behind `id`.
    pub fn text(&self, id: StrId) -> &str {
        &self.strings[id as usize]
    }

    /// The function with this symbol.
    pub fn function(&self, symbol: &str) -> Option<FunctionId> {
        self.functions
            .iter()
            .position(|f| self.text(f.symbol) == symbol)
            .map(|i| i as FunctionId)
    }

    /// The global with this symbol.
    pub fn global(&self, symbol: &str) -> Option<GlobalId> {
        self.globals
            .iter()
            .position(|g| self.text(g.symbol) == symbol)
            .map(|i| i as GlobalId)
    }

    /// The program as bytes, for the cache.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(&(FORMAT, self)).expect("a program is plain data")
    }

    /// The program in `bytes`, if they are one of this [`FORMAT`]. Reads only what [`Program::to_bytes`] wrote; the cache guards against corruption.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (format, rest) = postcard::take_from_bytes::<u32>(bytes).ok()?;
        if format != FORMAT {
            return None;
        }
        postcard::from_bytes(rest).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_survives_the_cache() {
        let mut program = Program::new();
        program.constants = vec![
            Constant::Bits(u64::MAX),
            Constant::Address(Symbol::Global(0), -8),
        ];
        program.functions.push(Function {
            code: vec![Inst::Return {
                value: Operand::constant(1),
                count: 1,
            }],
            sites: vec![0],
            returns: 1,
            ..Function::default()
        });
        let bytes = program.to_bytes();
        assert_eq!(Program::from_bytes(&bytes), Some(program));
        assert_eq!(Program::from_bytes(&bytes[1..]), None);
        assert_eq!(Program::from_bytes(&[]), None);
    }

    #[test]
    fn instructions_stay_small() {
        assert!(size_of::<Inst>() <= 24);
    }
}
