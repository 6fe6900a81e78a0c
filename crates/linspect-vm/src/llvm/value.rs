//! Handles to the values of a module: constants, arguments, instructions. Copyable; each borrows its module.
//!
//! LLVM's C API trusts its caller: asking a `load` for its `icmp` predicate reads wild memory. The methods here check first
//! and panic instead; the decoder only asks what fits, so a panic is a bug of the decoder.

use super::api::{self, Api};
use super::function::Block;
use super::opcode::{Opcode, ValueKind};
use super::types::Type;
use std::ffi::{CStr, c_char};
use std::hash::{Hash, Hasher};
use std::ptr::NonNull;

/// What every handle carries: the functions, and the context for metadata.
#[derive(Clone, Copy)]
pub(super) struct Environment<'m> {
    pub(super) api: &'m Api,
    pub(super) context: api::Context,
}

/// Copies `length` bytes of LLVM's text.
///
/// # Safety
/// `start` is null or points to `length` readable bytes.
pub(super) unsafe fn copy_text(start: *const c_char, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// A value: constant, argument, instruction, global.
#[derive(Clone, Copy)]
pub(crate) struct Value<'m> {
    environment: Environment<'m>,
    raw: NonNull<api::RawValue>,
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}
impl Eq for Value<'_> {}
impl Hash for Value<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

impl<'m> Value<'m> {
    /// # Safety
    /// `raw` is null or a value that lives as long as `'m`.
    pub(super) unsafe fn new(environment: Environment<'m>, raw: api::Value) -> Option<Self> {
        NonNull::new(raw).map(|raw| Self { environment, raw })
    }

    pub(super) fn raw(self) -> api::Value {
        self.raw.as_ptr()
    }

    pub(super) fn environment(self) -> Environment<'m> {
        self.environment
    }

    pub(super) fn api(self) -> &'m Api {
        self.environment.api
    }

    /// The value at `raw`, which LLVM gave for a question that always has an answer.
    ///
    /// # Safety
    /// As [`Value::new`].
    pub(super) unsafe fn some(self, raw: api::Value) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::new(self.environment, raw) }.expect("LLVM answers")
    }

    /// # Safety
    /// `raw` is a type of this module's context.
    pub(super) unsafe fn of_type(self, raw: api::Type) -> Type<'m> {
        // SAFETY: the caller's promise; the context lives as long as the module.
        unsafe { Type::new(self.api(), raw) }
    }

    /// Its type.
    pub(crate) fn ty(self) -> Type<'m> {
        // SAFETY: every value has a type.
        unsafe { self.of_type((self.api().LLVMTypeOf)(self.raw())) }
    }

    /// What it is.
    pub(crate) fn kind(self) -> ValueKind {
        // SAFETY: a valid value.
        ValueKind::from_raw(unsafe { (self.api().LLVMGetValueKind)(self.raw()) })
    }

    /// Its name, without sigil; empty if it has none.
    pub(crate) fn name(self) -> String {
        let mut length = 0;
        // SAFETY: the name is copied at once.
        unsafe {
            let start = (self.api().LLVMGetValueName2)(self.raw(), &raw mut length);
            copy_text(start, length)
        }
    }

    /// Whether a function, global or alias is defined here, for other modules to use.
    pub(crate) fn is_definition_for_others(self) -> bool {
        let own = [
            api::AVAILABLE_EXTERNALLY_LINKAGE,
            api::INTERNAL_LINKAGE,
            api::PRIVATE_LINKAGE,
        ];
        // SAFETY: functions, globals and aliases all have a linkage.
        unsafe {
            (self.api().LLVMIsDeclaration)(self.raw()) == 0
                && !own.contains(&(self.api().LLVMGetLinkage)(self.raw()))
        }
    }

    /// As IR text.
    pub(crate) fn print(self) -> String {
        // SAFETY: LLVM makes a C string for us, which we give back.
        unsafe {
            let raw = (self.api().LLVMPrintValueToString)(self.raw());
            let text = CStr::from_ptr(raw).to_string_lossy().trim().to_owned();
            (self.api().LLVMDisposeMessage)(raw);
            text
        }
    }

    fn is_user(self) -> bool {
        matches!(
            self.kind(),
            ValueKind::Instruction
                | ValueKind::ConstantExpr
                | ValueKind::ConstantArray
                | ValueKind::ConstantStruct
                | ValueKind::ConstantVector
                | ValueKind::Function
                | ValueKind::GlobalVariable
                | ValueKind::GlobalAlias
                | ValueKind::BlockAddress
        )
    }

    /// How many operands it has.
    pub(crate) fn operand_count(self) -> u32 {
        if !self.is_user() {
            return 0;
        }
        // SAFETY: a user, checked above.
        let count = unsafe { (self.api().LLVMGetNumOperands)(self.raw()) };
        u32::try_from(count).unwrap_or(0)
    }

    /// Operand `index`.
    pub(crate) fn operand(self, index: u32) -> Self {
        assert!(
            index < self.operand_count(),
            "operand {index} of {}",
            self.print()
        );
        // SAFETY: the operand exists.
        unsafe { self.some((self.api().LLVMGetOperand)(self.raw(), index)) }
    }

    /// All operands.
    pub(crate) fn operands(self) -> impl Iterator<Item = Self> {
        (0..self.operand_count()).map(move |i| self.operand(i))
    }

    /// The operation of an instruction or constant expression.
    pub(crate) fn opcode(self) -> Option<Opcode> {
        // SAFETY: each question goes to the kind of value it is for.
        let raw = unsafe {
            match self.kind() {
                ValueKind::Instruction => (self.api().LLVMGetInstructionOpcode)(self.raw()),
                ValueKind::ConstantExpr => (self.api().LLVMGetConstOpcode)(self.raw()),
                _ => return None,
            }
        };
        Opcode::from_raw(raw)
    }

    fn expect(self, allowed: &[Opcode]) {
        let opcode = self.opcode();
        assert!(
            opcode.is_some_and(|o| allowed.contains(&o)),
            "{} is none of {allowed:?}",
            self.print()
        );
    }

    /// The low 64 bits of a constant integer (for a splat: of its element).
    pub(crate) fn low_bits(self) -> u64 {
        assert_eq!(self.kind(), ValueKind::ConstantInt);
        // SAFETY: a constant integer.
        unsafe { (self.api().LLVMConstIntGetZExtValue)(self.raw()) }
    }

    /// A scalar constant's bits as a constant integer of `width` bits.
    pub(crate) fn as_integer(self, width: u32) -> Self {
        assert_eq!(self.kind(), ValueKind::ConstantFP);
        // SAFETY: a bitcast of a float constant to the integer type of its width folds to a constant integer.
        unsafe {
            let ty = (self.api().LLVMIntTypeInContext)(self.environment.context, width);
            self.some((self.api().LLVMConstBitCast)(self.raw(), ty))
        }
    }

    /// Element `index` of a constant data array or vector.
    pub(crate) fn data_element(self, index: u32) -> Self {
        assert!(matches!(
            self.kind(),
            ValueKind::ConstantDataArray | ValueKind::ConstantDataVector
        ));
        assert!(u64::from(index) < self.ty().length());
        // SAFETY: a data sequence, and the element exists.
        unsafe { self.some((self.api().LLVMGetElementAsConstant)(self.raw(), index)) }
    }

    /// The bytes of a constant data array of `i8`.
    pub(crate) fn data_bytes(self) -> Option<Vec<u8>> {
        if self.kind() != ValueKind::ConstantDataArray
            || self.ty().element().integer_width() != Some(8)
        {
            return None;
        }
        let mut length = 0;
        // SAFETY: an array of bytes; they are copied at once.
        unsafe {
            let start = (self.api().LLVMGetAsString)(self.raw(), &raw mut length);
            Some(std::slice::from_raw_parts(start.cast::<u8>(), length).to_vec())
        }
    }

    /// What an alias stands for.
    pub(crate) fn aliasee(self) -> Self {
        assert_eq!(self.kind(), ValueKind::GlobalAlias);
        // SAFETY: an alias.
        unsafe { self.some((self.api().LLVMAliasGetAliasee)(self.raw())) }
    }

    /// Predicate of an `icmp`, as LLVM numbers them.
    pub(crate) fn integer_predicate(self) -> i32 {
        self.expect(&[Opcode::ICmp]);
        // SAFETY: an integer comparison.
        unsafe { (self.api().LLVMGetICmpPredicate)(self.raw()) }
    }

    /// Predicate of an `fcmp`, as LLVM numbers them.
    pub(crate) fn float_predicate(self) -> i32 {
        self.expect(&[Opcode::FCmp]);
        // SAFETY: a float comparison.
        unsafe { (self.api().LLVMGetFCmpPredicate)(self.raw()) }
    }

    /// Ordering of a load, store, fence or atomicrmw, as LLVM numbers them; 0 is not atomic.
    pub(crate) fn ordering(self) -> i32 {
        self.expect(&[
            Opcode::Load,
            Opcode::Store,
            Opcode::Fence,
            Opcode::AtomicRMW,
        ]);
        // SAFETY: an instruction that has an ordering.
        unsafe { (self.api().LLVMGetOrdering)(self.raw()) }
    }

    /// Orderings of a `cmpxchg` on success and on failure.
    pub(crate) fn exchange_orderings(self) -> (i32, i32) {
        self.expect(&[Opcode::AtomicCmpXchg]);
        // SAFETY: a compare-exchange.
        unsafe {
            (
                (self.api().LLVMGetCmpXchgSuccessOrdering)(self.raw()),
                (self.api().LLVMGetCmpXchgFailureOrdering)(self.raw()),
            )
        }
    }

    /// Whether a `cmpxchg` may fail without reason.
    pub(crate) fn is_weak(self) -> bool {
        self.expect(&[Opcode::AtomicCmpXchg]);
        // SAFETY: a compare-exchange.
        unsafe { (self.api().LLVMGetWeak)(self.raw()) != 0 }
    }

    /// Whether a load or store is volatile.
    pub(crate) fn is_volatile(self) -> bool {
        self.expect(&[Opcode::Load, Opcode::Store]);
        // SAFETY: a load or store.
        unsafe { (self.api().LLVMGetVolatile)(self.raw()) != 0 }
    }

    /// Whether anything uses the value.
    pub(crate) fn is_used(self) -> bool {
        // SAFETY: any value can be asked.
        unsafe { !(self.api().LLVMGetFirstUse)(self.raw()).is_null() }
    }

    /// Whether it is a global variable that is never written.
    pub(super) fn is_constant_variable(self) -> bool {
        // SAFETY: asked only of a global variable.
        self.kind() == ValueKind::GlobalVariable
            && unsafe { (self.api().LLVMIsGlobalConstant)(self.raw()) != 0 }
    }

    /// Makes a load or store volatile, or ordinary again.
    pub(super) fn set_volatile(self, volatile: bool) {
        self.expect(&[Opcode::Load, Opcode::Store]);
        // SAFETY: a load or store; only its flag changes.
        unsafe { (self.api().LLVMSetVolatile)(self.raw(), volatile.into()) };
    }

    /// Whether a fence only binds the compiler.
    pub(crate) fn is_single_thread(self) -> bool {
        self.expect(&[Opcode::Fence]);
        // SAFETY: a fence.
        unsafe { (self.api().LLVMIsAtomicSingleThread)(self.raw()) != 0 }
    }

    /// Operation of an `atomicrmw`, as LLVM numbers them.
    pub(crate) fn update_operation(self) -> i32 {
        self.expect(&[Opcode::AtomicRMW]);
        // SAFETY: an atomicrmw.
        unsafe { (self.api().LLVMGetAtomicRMWBinOp)(self.raw()) }
    }

    /// The type a `getelementptr` steps through.
    pub(crate) fn stepped_type(self) -> Type<'m> {
        self.expect(&[Opcode::GetElementPtr]);
        // SAFETY: a getelementptr.
        unsafe { self.of_type((self.api().LLVMGetGEPSourceElementType)(self.raw())) }
    }

    /// The type an `alloca` makes room for.
    pub(crate) fn allocated_type(self) -> Type<'m> {
        self.expect(&[Opcode::Alloca]);
        // SAFETY: an alloca.
        unsafe { self.of_type((self.api().LLVMGetAllocatedType)(self.raw())) }
    }

    /// Alignment of an `alloca` or a global; 0 if none is given.
    pub(crate) fn alignment(self) -> u32 {
        if self.kind() != ValueKind::GlobalVariable {
            self.expect(&[Opcode::Alloca]);
        }
        // SAFETY: an alloca or a global variable.
        unsafe { (self.api().LLVMGetAlignment)(self.raw()) }
    }

    /// Constant indices of `extractvalue` and `insertvalue`.
    pub(crate) fn indices(self) -> Vec<u32> {
        self.expect(&[Opcode::ExtractValue, Opcode::InsertValue]);
        // SAFETY: an instruction with indices; they are copied at once.
        unsafe {
            let count = (self.api().LLVMGetNumIndices)(self.raw());
            std::slice::from_raw_parts((self.api().LLVMGetIndices)(self.raw()), count as usize)
                .to_vec()
        }
    }

    /// Lanes a `shufflevector` picks; `None` for an undefined one.
    pub(crate) fn mask(self) -> Vec<Option<u32>> {
        self.expect(&[Opcode::ShuffleVector]);
        // SAFETY: a shuffle, and the elements exist.
        unsafe {
            (0..(self.api().LLVMGetNumMaskElements)(self.raw()))
                .map(|i| u32::try_from((self.api().LLVMGetMaskValue)(self.raw(), i)).ok())
                .collect()
        }
    }

    /// Blocks a `br` or `switch` can go to.
    pub(crate) fn successors(self) -> Vec<Block<'m>> {
        self.expect(&[Opcode::Br, Opcode::Switch, Opcode::IndirectBr]);
        // SAFETY: a terminator, and the successors exist.
        unsafe {
            (0..(self.api().LLVMGetNumSuccessors)(self.raw()))
                .filter_map(|i| {
                    Block::new(
                        self.environment,
                        (self.api().LLVMGetSuccessor)(self.raw(), i),
                    )
                })
                .collect()
        }
    }

    /// The block that a `&&label` stands for.
    pub(crate) fn labelled_block(self) -> Option<Block<'m>> {
        if self.kind() != ValueKind::BlockAddress {
            return None;
        }
        let block = self
            .operands()
            .find(|o| o.kind() == ValueKind::BasicBlock)?;
        // SAFETY: a block, seen as a value.
        unsafe {
            Block::new(
                self.environment,
                (self.api().LLVMValueAsBasicBlock)(block.raw()),
            )
        }
    }

    /// The value of a `switch` for successor `index`, which is not the default (0).
    pub(crate) fn case_value(self, index: u32) -> Self {
        self.expect(&[Opcode::Switch]);
        match self.api().LLVMGetSwitchCaseValue {
            // SAFETY: a switch, and the case exists. From LLVM 22 on case values are no operands.
            Some(get) => unsafe { self.some(get(self.raw(), index)) },
            None => self.operand(2 * index),
        }
    }

    /// What a phi is, by the block control came from.
    pub(crate) fn incoming(self) -> Vec<(Block<'m>, Self)> {
        self.expect(&[Opcode::Phi]);
        // SAFETY: a phi, and the entries exist.
        unsafe {
            (0..(self.api().LLVMCountIncoming)(self.raw()))
                .filter_map(|i| {
                    let block = Block::new(
                        self.environment,
                        (self.api().LLVMGetIncomingBlock)(self.raw(), i),
                    )?;
                    Some((
                        block,
                        self.some((self.api().LLVMGetIncomingValue)(self.raw(), i)),
                    ))
                })
                .collect()
        }
    }

    /// What a call calls.
    pub(crate) fn called(self) -> Self {
        self.expect(&[Opcode::Call, Opcode::Invoke]);
        // SAFETY: a call.
        unsafe { self.some((self.api().LLVMGetCalledValue)(self.raw())) }
    }

    /// Arguments of a call.
    pub(crate) fn arguments(self) -> Vec<Self> {
        self.expect(&[Opcode::Call, Opcode::Invoke]);
        // SAFETY: a call; its first operands are the arguments.
        let count = unsafe { (self.api().LLVMGetNumArgOperands)(self.raw()) };
        (0..count).map(|i| self.operand(i)).collect()
    }

    /// Where an `invoke` goes when the callee returns, and when it throws.
    pub(crate) fn destinations(self) -> (Block<'m>, Block<'m>) {
        self.expect(&[Opcode::Invoke]);
        // SAFETY: an invoke has both.
        unsafe {
            let normal = Block::new(self.environment, (self.api().LLVMGetNormalDest)(self.raw()));
            let unwind = Block::new(self.environment, (self.api().LLVMGetUnwindDest)(self.raw()));
            (normal.expect("LLVM answers"), unwind.expect("LLVM answers"))
        }
    }

    /// Whether a landing pad is entered even if no clause matches.
    pub(crate) fn is_cleanup(self) -> bool {
        self.expect(&[Opcode::LandingPad]);
        // SAFETY: a landing pad.
        unsafe { (self.api().LLVMIsCleanup)(self.raw()) != 0 }
    }
}
