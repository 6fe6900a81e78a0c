//! How a harness in C, C++ or Rust describes an object to the machine.
//!
//! A harness is ordinary code that the machine runs; it talks to the machine through functions that only the machine has:
//!
//! * `linspect_object` builds the object. It runs once per client, before everything else.
//! * Every function whose symbol starts with `linspect_declare_` runs once when the program is loaded. It calls `linspect_operation(name,
//!   function, order)`, then `linspect_value…` for each argument worth trying, then perhaps limits. One of them may call
//!   `linspect_specification(name, arguments)`.
//! * An operation is a function without parameters or result. It gets its arguments from `linspect_argument(i)` and gives its result by
//!   `linspect_return_…`; several results make a list.
//! * Code under test may call `linspect_atomic_begin`, `linspect_atomic_end` and `linspect_assert`.
//!
//! `linspect.h` and the crate `linspect` wrap all this in macros.

use crate::program::FunctionId;
use linspect_core::client::{Declared, Limits};
use linspect_core::value::Value;

/// Symbols that start so are roots of a program, even if nothing calls them.
pub const PREFIX: &str = "linspect_";
/// Symbols of functions that describe operations.
pub const DECLARE: &str = "linspect_declare_";
/// The symbol of the function that builds the object.
pub const OBJECT: &str = "linspect_object";

/// What a harness has declared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Harness {
    pub(crate) operations: Vec<Operation>,
    pub(crate) spec: Option<SpecText>,
}

/// One operation.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) name: String,
    pub(crate) function: FunctionId,
    /// Its line: operations are numbered in the order of the source, whatever order the compiler chose.
    pub(crate) order: u32,
    pub(crate) domain: Vec<Value>,
    pub(crate) limits: Limits,
}

/// The specification that a harness asks for, as it wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecText {
    /// Such as `queue`.
    pub name: String,
    /// Such as `.add = enqueue, .empty = -1`.
    pub arguments: String,
}

impl Harness {
    /// The operations as clients see them, in the order of the source.
    pub(crate) fn declared(&self) -> Vec<Declared> {
        self.operations
            .iter()
            .map(|o| Declared {
                name: o.name.clone(),
                domain: if o.domain.is_empty() {
                    vec![Value::Unit]
                } else {
                    o.domain.clone()
                },
                limits: o.limits.clone(),
            })
            .collect()
    }
}
