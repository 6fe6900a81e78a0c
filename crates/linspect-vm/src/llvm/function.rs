//! Handles to the functions of a module and to their blocks.

use super::api;
use super::types::Type;
use super::value::{Environment, Value};
use std::hash::{Hash, Hasher};
use std::ptr::NonNull;

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Function<'m>(pub(super) Value<'m>);

impl<'m> Function<'m> {
    pub(super) fn raw(self) -> api::Value {
        self.0.raw()
    }

    /// As a value.
    pub(crate) fn value(self) -> Value<'m> {
        self.0
    }

    /// Its symbol.
    pub(crate) fn name(self) -> String {
        self.0.name()
    }

    /// Whether it has no body here.
    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: a function.
        unsafe { (self.0.api().LLVMIsDeclaration)(self.raw()) != 0 }
    }

    /// Whether other modules can refer to it.
    pub(crate) fn is_exported(self) -> bool {
        // SAFETY: a function.
        unsafe { (self.0.api().LLVMGetLinkage)(self.raw()) == api::EXTERNAL_LINKAGE }
    }

    fn signature(self) -> api::Type {
        // SAFETY: a function's value type is its function type.
        unsafe { (self.0.api().LLVMGlobalGetValueType)(self.raw()) }
    }

    /// Whether it takes more arguments than its parameters.
    pub(crate) fn is_variadic(self) -> bool {
        // SAFETY: a function type.
        unsafe { (self.0.api().LLVMIsFunctionVarArg)(self.signature()) != 0 }
    }

    /// What it returns.
    pub(crate) fn return_type(self) -> Type<'m> {
        // SAFETY: a function type.
        unsafe {
            self.0
                .of_type((self.0.api().LLVMGetReturnType)(self.signature()))
        }
    }

    /// Its parameters.
    pub(crate) fn params(self) -> Vec<Value<'m>> {
        // SAFETY: a function, and the parameters exist.
        unsafe {
            (0..(self.0.api().LLVMCountParams)(self.raw()))
                .map(|i| self.0.some((self.0.api().LLVMGetParam)(self.raw(), i)))
                .collect()
        }
    }

    /// The pointee of parameter `index`, if it is passed by hidden copy.
    pub(crate) fn by_value(self, index: u32) -> Option<Type<'m>> {
        let api = self.0.api();
        // SAFETY: `byval` is a type attribute of a parameter; LLVM counts the return value as index 0.
        unsafe {
            let kind = (api.LLVMGetEnumAttributeKindForName)(c"byval".as_ptr(), 5);
            let attribute = (api.LLVMGetEnumAttributeAtIndex)(self.raw(), index + 1, kind);
            if attribute.is_null() {
                return None;
            }
            let ty = (api.LLVMGetTypeAttributeValue)(attribute);
            (!ty.is_null()).then(|| self.0.of_type(ty))
        }
    }

    /// Its blocks, entry first.
    pub(crate) fn blocks(self) -> impl Iterator<Item = Block<'m>> {
        let (api, environment) = (self.0.api(), self.0.environment());
        // SAFETY: walks the function's list of blocks.
        let first = unsafe { Block::new(environment, (api.LLVMGetFirstBasicBlock)(self.raw())) };
        // SAFETY: as above.
        std::iter::successors(first, move |b| unsafe {
            Block::new(environment, (api.LLVMGetNextBasicBlock)(b.raw.as_ptr()))
        })
    }
}

/// A basic block.
#[derive(Clone, Copy)]
pub(crate) struct Block<'m> {
    environment: Environment<'m>,
    raw: NonNull<api::RawBlock>,
}

impl PartialEq for Block<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}
impl Eq for Block<'_> {}
impl Hash for Block<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

impl<'m> Block<'m> {
    /// # Safety
    /// `raw` is null or a block that lives as long as `'m`.
    pub(super) unsafe fn new(environment: Environment<'m>, raw: api::Block) -> Option<Self> {
        NonNull::new(raw).map(|raw| Self { environment, raw })
    }

    /// How many blocks of its function come before it.
    pub(crate) fn position(self) -> usize {
        let api = self.environment.api;
        // SAFETY: walks the function's list of blocks.
        let before = |b: &Self| unsafe {
            let raw = (api.LLVMGetPreviousBasicBlock)(b.raw.as_ptr());
            Self::new(self.environment, raw)
        };
        std::iter::successors(Some(self), before).count() - 1
    }

    /// Its instructions.
    pub(crate) fn instructions(self) -> impl Iterator<Item = Value<'m>> {
        let api = self.environment.api;
        // SAFETY: walks the block's list of instructions.
        let first = unsafe {
            Value::new(
                self.environment,
                (api.LLVMGetFirstInstruction)(self.raw.as_ptr()),
            )
        };
        // SAFETY: as above.
        std::iter::successors(first, move |i| unsafe {
            Value::new(self.environment, (api.LLVMGetNextInstruction)(i.raw()))
        })
    }
}
