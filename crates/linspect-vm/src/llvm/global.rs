//! Handles to the global variables of a module.

use super::opcode::ValueKind;
use super::types::Type;
use super::value::Value;

/// A global variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Global<'m>(pub(super) Value<'m>);

impl<'m> Global<'m> {
    /// `value` as a global variable, if it is one.
    pub(crate) fn from_value(value: Value<'m>) -> Option<Self> {
        (value.kind() == ValueKind::GlobalVariable).then_some(Self(value))
    }

    /// As a value.
    pub(crate) fn value(self) -> Value<'m> {
        self.0
    }

    /// Its symbol.
    pub(crate) fn name(self) -> String {
        self.0.name()
    }

    /// The type of what it holds.
    pub(crate) fn content_type(self) -> Type<'m> {
        // SAFETY: a global variable.
        unsafe {
            self.0
                .of_type((self.0.api().LLVMGlobalGetValueType)(self.0.raw()))
        }
    }

    /// Its initial value; `None` for a declaration.
    pub(crate) fn initializer(self) -> Option<Value<'m>> {
        // SAFETY: a global variable.
        unsafe {
            Value::new(
                self.0.environment(),
                (self.0.api().LLVMGetInitializer)(self.0.raw()),
            )
        }
    }

    /// Whether it is never written.
    pub(crate) fn is_constant(self) -> bool {
        // SAFETY: a global variable.
        unsafe { (self.0.api().LLVMIsGlobalConstant)(self.0.raw()) != 0 }
    }

    /// Whether each thread has its own.
    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: a global variable.
        unsafe { (self.0.api().LLVMIsThreadLocal)(self.0.raw()) != 0 }
    }
}
