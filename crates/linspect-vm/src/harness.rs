//! How a harness in C, C++ or Rust describes an object to the machine.
//!
//! A harness is ordinary code that the machine runs; it talks to the machine through functions that only the machine has:
//!
//! * `linspect_object` builds the object. It runs once per client, before everything else.
//! * Every function whose symbol starts with `linspect_declare_` runs once when the program is loaded. It calls `linspect_operation(name,
//!   function, order)`, then `linspect_value…` for each argument worth trying. Others limit who calls an operation, and when:
//!   `linspect_single_thread(operations, role)`, `linspect_at_most(operation, calls)`, `linspect_after(operation, first)`; `linspect_may_fail(operation,
//!   result)` says what an operation may return under contention. One may call
//!   `linspect_specification(name, arguments)`, one `linspect_client(text)`: then this is the client to run. Any may call
//!   `linspect_allow_race(names)`, `linspect_progress(guarantee)` and `linspect_settings(text)`, such as `budget = 10s, preemptions = 2`.
//! * An operation is a function without parameters or result. It gets its arguments from `linspect_argument(i)` and gives its result by
//!   `linspect_return_…`; several results make a list.
//! * `linspect_model` builds a sequential model, instead of the object; its operations are declared by `linspect_model_operation(name, function)`. Without
//!   any, the model is the same object built otherwise: the operations are the object's.
//! * `linspect_teardown` destroys the object at the end of every client, after its suffix. What goes wrong in it counts like what goes wrong in the suffix. Then
//!   what `exit` would call is called: the destructors of C++'s global objects.
//! * `linspect_show` and `linspect_show_model` print the state, by whatever prints or by `linspect_return_…`.
//! * Code under test may call `linspect_atomic_begin`, `linspect_atomic_end`, `linspect_assert`, `linspect_choose` and `linspect_assume`.
//!
//! `linspect.h` and the crate `linspect` wrap all this in macros.

use crate::program::FunctionId;
use crate::subject::CodeError;
use linspect_core::client::{Declared, Limits};
use linspect_core::value::Value;

/// Symbols that start so are roots of a program, even if nothing calls them.
pub const PREFIX: &str = "linspect_";
/// Symbols of functions that describe operations.
pub const DECLARE: &str = "linspect_declare_";
/// Begins the symbol of the function that says the settings of a test, whose path follows.
pub const TEST_SETTINGS: &str = "linspect_declare_settings@";
/// The symbol of the function that builds the object.
pub const OBJECT: &str = "linspect_object";
/// The symbol of the function that destroys the object.
pub const TEARDOWN: &str = "linspect_teardown";
/// The symbol of the function that builds the model.
pub const MODEL: &str = "linspect_model";
/// The symbol of the function that prints the object's state.
pub const SHOW: &str = "linspect_show";
/// The symbol of the function that prints the model's state.
pub const SHOW_MODEL: &str = "linspect_show_model";

/// What a harness has declared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Harness {
    pub(crate) operations: Vec<Operation>,
    pub(crate) spec: Option<SpecText>,
    /// Operations of the model, by name.
    pub(crate) model: Vec<(String, FunctionId)>,
    pub(crate) client: Option<String>,
    /// What may be raced for.
    pub(crate) allowed_races: Vec<String>,
    /// What is promised about operations that others hinder.
    pub(crate) progress: Option<String>,
    /// How far to go, as it says: `budget = 10s, preemptions = 2`.
    pub(crate) settings: Vec<String>,
    /// What clients keep to: which operation, and how.
    pub(crate) limits: Vec<(String, Limit)>,
}

/// A limit of an operation, as a harness says it: by names.
#[derive(Clone, Debug)]
pub(crate) enum Limit {
    Role(String),
    AtMost(u32),
    After(String),
    MayFail(String),
}

/// One operation.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) name: String,
    pub(crate) function: FunctionId,
    /// Its line: operations are numbered in the order of the source, whatever order the compiler chose.
    pub(crate) order: u32,
    pub(crate) domain: Vec<Value>,
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
    /// What the model runs for each of the object's operations: its own, or the object's if it declares none.
    pub(crate) fn model_functions(&self) -> Result<Vec<FunctionId>, CodeError> {
        if self.model.is_empty() {
            return Ok(self.operations.iter().map(|o| o.function).collect());
        }
        let has = |name: &str| self.operations.iter().any(|o| o.name == name);
        if let Some((name, _)) = self.model.iter().find(|(name, _)| !has(name)) {
            return Err(CodeError::OnlyModel(name.clone()));
        }
        let function = |operation: &Operation| {
            let own = self.model.iter().find(|(name, _)| *name == operation.name);
            own.map(|(_, function)| *function)
                .ok_or_else(|| CodeError::NotInModel(operation.name.clone()))
        };
        self.operations.iter().map(function).collect()
    }

    /// The operations as clients see them, in the order of the source.
    pub(crate) fn declared(&self) -> Result<Vec<Declared>, CodeError> {
        let mut all: Vec<Declared> = self
            .operations
            .iter()
            .map(|o| Declared {
                name: o.name.clone(),
                domain: if o.domain.is_empty() {
                    vec![Value::Unit]
                } else {
                    o.domain.clone()
                },
                limits: Limits::default(),
            })
            .collect();
        let index = |name: &String| {
            let found = self.operations.iter().position(|o| o.name == *name);
            found.ok_or_else(|| CodeError::LimitOfNothing(name.clone()))
        };
        for (operation, limit) in &self.limits {
            let limits = &mut all[index(operation)?].limits;
            match limit {
                Limit::Role(role) => limits.role = Some(role.clone()),
                Limit::AtMost(calls) => limits.at_most = Some(*calls),
                Limit::MayFail(result) => limits.may_fail = Some(result.clone()),
                Limit::After(first) => limits.after = Some(index(first)? as u16),
            }
        }
        Ok(all)
    }
}
