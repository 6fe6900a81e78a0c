//! LLVM's numbers for opcodes, kinds of types and kinds of values, as the C API keeps them stable.

/// Defines an enum over C numbers; numbers it does not list are `None` (or a given default).
macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $number:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum $name { $($variant,)* Other }

        impl $name {
            pub(super) fn from_raw(raw: i32) -> Self {
                match raw { $($number => Self::$variant,)* _ => Self::Other }
            }
        }
    };
}

numbered! {
    /// Kinds of types.
    TypeKind {
        Void = 0, Half = 1, Float = 2, Double = 3, X86Fp80 = 4, Fp128 = 5, Label = 7, Integer = 8, Function = 9,
        Struct = 10, Array = 11, Pointer = 12, Vector = 13, Metadata = 14, Token = 16,
    }
}

numbered! {
    /// Kinds of values.
    ValueKind {
        Argument = 0, BasicBlock = 1, Function = 5, GlobalAlias = 6, GlobalIFunc = 7, GlobalVariable = 8, BlockAddress = 9,
        ConstantExpr = 10, ConstantArray = 11, ConstantStruct = 12, ConstantVector = 13, UndefValue = 14,
        ConstantAggregateZero = 15, ConstantDataArray = 16, ConstantDataVector = 17, ConstantInt = 18, ConstantFP = 19,
        ConstantPointerNull = 20, ConstantTokenNone = 21, MetadataAsValue = 22, InlineAsm = 23, Instruction = 24, PoisonValue = 25,
    }
}

macro_rules! opcodes {
    ($($variant:ident = $number:literal,)*) => {
        /// Operations of instructions and constant expressions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Opcode { $($variant,)* }

        impl Opcode {
            pub(super) fn from_raw(raw: i32) -> Option<Self> {
                match raw { $($number => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

opcodes! {
    Ret = 1, Br = 2, Switch = 3, IndirectBr = 4, Invoke = 5, Unreachable = 7, FNeg = 66,
    Add = 8, FAdd = 9, Sub = 10, FSub = 11, Mul = 12, FMul = 13, UDiv = 14, SDiv = 15, FDiv = 16, URem = 17, SRem = 18, FRem = 19,
    Shl = 20, LShr = 21, AShr = 22, And = 23, Or = 24, Xor = 25,
    Alloca = 26, Load = 27, Store = 28, GetElementPtr = 29,
    Trunc = 30, ZExt = 31, SExt = 32, FPToUI = 33, FPToSI = 34, UIToFP = 35, SIToFP = 36, FPTrunc = 37, FPExt = 38,
    PtrToInt = 39, IntToPtr = 40, BitCast = 41, AddrSpaceCast = 60, PtrToAddr = 69,
    ICmp = 42, FCmp = 43, Phi = 44, Call = 45, Select = 46, VAArg = 49,
    ExtractElement = 50, InsertElement = 51, ShuffleVector = 52, ExtractValue = 53, InsertValue = 54, Freeze = 68,
    Fence = 55, AtomicCmpXchg = 56, AtomicRMW = 57, Resume = 58, LandingPad = 59,
}
