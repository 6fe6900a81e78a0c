//! Functions of a plain program whose calls and returns are observed as the operations of an object.
//!
//! The program's own threads are the client. A call is recorded with the first visible access inside it, a return at once, as for a harness
//! (see [`linspect_core::execution`]); an operation without visible access is a step of its own. Of nested operations the outermost counts.
//!
//! Arguments are the numbers, truth values and pointers that a function takes after the first pointer, which is the object. A pointer to a number on
//! the caller's stack is a place for a result: `bool pop(stack *s, int *value)` returns the value, or nothing.

use crate::interp::{Cpu, Stop};
use crate::memory::{Address, Kind};
use crate::naming;
use crate::program::{FunctionId, Number, Program, Shape};
use crate::stack;
use crate::subject::CodeError;
use crate::thread::{After, Pending};
use linspect_core::client::{Declared, Invocation, Limits};
use linspect_core::execution::{Activation, Ending};
use linspect_core::value::Value;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Which functions of a program are operations.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    pub(crate) operations: FxHashMap<FunctionId, u16>,
}

impl Observed {
    /// Finds the functions that were asked for: as the source names them, `push` or `Stack::push`.
    pub(crate) fn find(program: &Program, wanted: &[String]) -> Result<Self, CodeError> {
        let mut operations = FxHashMap::default();
        for (operation, name) in (0..).zip(wanted) {
            let own = (0..).zip(&program.functions).filter(|(_, function)| {
                !function.is_declaration() && !stack::is_library(program, function.site)
            });
            let found: Vec<FunctionId> = own
                .filter(|(_, f)| is_called(program.text(f.name), name))
                .map(|(id, _)| id)
                .collect();
            if found.is_empty() {
                return Err(CodeError::NoFunction {
                    name: name.clone(),
                    known: known(program),
                });
            }
            operations.extend(found.into_iter().map(|id| (id, operation)));
        }
        Ok(Self { operations })
    }

    /// The operations as histories name them.
    pub(crate) fn declared(wanted: &[String]) -> Vec<Declared> {
        let declare = |name: &String| Declared {
            name: name.rsplit("::").next().unwrap_or(name).to_owned(),
            domain: vec![Value::Unit],
            limits: Limits::default(),
        };
        wanted.iter().map(declare).collect()
    }
}

/// Whether the function with this qualified name is meant: its last parts, without generic arguments, are those of `wanted`.
fn is_called(qualified: &str, wanted: &str) -> bool {
    let parts = |name: &str| -> Vec<String> {
        let name = without_generics(name);
        name.rsplit("::").map(str::to_owned).collect()
    };
    let (name, wanted) = (parts(qualified), parts(wanted));
    name.len() >= wanted.len() && name.iter().zip(&wanted).all(|(a, b)| a == b)
}

/// `Stack<i32>::push` is `Stack::push`.
fn without_generics(name: &str) -> String {
    let mut depth = 0_usize;
    let mut plain = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain
}

/// How many functions a message lists.
const LISTED: usize = 16;

/// The program's own functions, for somebody who asked for another.
fn known(program: &Program) -> String {
    let mut names: Vec<String> = program
        .functions
        .iter()
        .filter(|f| !f.is_declaration() && !stack::is_library(program, f.site))
        .map(|f| without_generics(program.text(f.name)))
        .filter(|name| !name.contains('{'))
        .collect();
    names.sort();
    names.dedup();
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    let list = names.join(", ");
    match more {
        0 => list,
        more => format!("{list} and {more} more"),
    }
}

/// A observed operation that runs.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    pub(crate) invocation: Invocation,
    /// Where it leaves a number.
    pub(crate) out: Option<(Address, Number)>,
}

impl Cpu<'_> {
    /// What happens when `callee`, which is about to be entered, returns: it is an operation, if it was asked for and none runs yet.
    pub(crate) fn after_entering(&mut self, callee: FunctionId, args: &[u64]) -> After {
        let Some(&operation) = self.image.observed.operations.get(&callee) else {
            return After::Result;
        };
        // What happens inside an atomic section has no step, so no time, of its own.
        if self.thread.observed.is_some() || self.thread.atomic > 0 {
            return After::Result;
        }
        let (argument, out) = self.taken(callee, args);
        self.thread.observed = Some(Rc::new(Running {
            invocation: Invocation {
                operation,
                argument,
            },
            out,
        }));
        self.thread.begun += 1;
        self.thread.called = false;
        After::Observed
    }

    /// The arguments of a call, and the place it is given for a number.
    fn taken(&self, callee: FunctionId, args: &[u64]) -> (Value, Option<(Address, Number)>) {
        let signature = &self.image.program.functions[callee as usize].signature;
        let mut values = Vec::new();
        let mut out = None;
        let mut object = true;
        for &(reg, shape) in &signature.params {
            let Some(&bits) = args.get(reg as usize) else {
                break;
            };
            match shape {
                Shape::Pointer(_) if std::mem::take(&mut object) => {}
                Shape::Pointer(Some(number)) if self.is_on_stack(bits) => {
                    out = Some((bits, number));
                }
                Shape::Pointer(_) => values.push(self.pointer(bits)),
                Shape::Number(number) => values.push(read(number, bits)),
                Shape::Optional(_) | Shape::Opaque => {}
            }
        }
        let argument = match values.len() {
            0 => Value::Unit,
            1 => values.remove(0),
            _ => Value::list(values),
        };
        (argument, out)
    }

    fn is_on_stack(&self, address: Address) -> bool {
        self.memory
            .block(address)
            .is_some_and(|block| matches!(block.kind, Kind::Stack(_)))
    }

    /// A pointer as a value: nothing, or the name of what it points to.
    fn pointer(&self, address: Address) -> Value {
        if address == 0 {
            return Value::Nil;
        }
        match self.memory.block(address).map(|block| block.kind) {
            Some(Kind::Heap | Kind::Tail(_)) => {
                // Types are learned as a run goes on, so that names of heap blocks change; where a block lies does not.
                let (block, offset) = self.memory.allocation(address);
                Value::text(format!("block {block:#x}+{offset}"))
            }
            _ => Value::text(naming::pointee(self.image, self.memory, address)),
        }
    }

    /// The observed operation returns `values`: now, if this step can tell of it, else in a step of its own.
    pub(crate) fn end_observed(&mut self, values: &[u64]) -> Result<(), Stop> {
        if !self.record.tells || !self.thread.called {
            self.thread.site = self.site();
            self.thread.pending = Pending::Access;
            return Err(Stop::Suspended);
        }
        // Where the step was only for the return, it is over.
        self.grant = false;
        let value = self.given(values);
        self.tell(Ending::Returned(value));
        Ok(())
    }

    /// The observed operation ends by an exception or panic. What has made no visible access is not told at all.
    pub(crate) fn throw_observed(&mut self) {
        let message = self.thread.exceptions.last().map(|e| e.message.clone());
        if self.record.tells && self.thread.called {
            self.tell(Ending::Threw(message.unwrap_or_default()));
        }
        self.thread.observed = None;
    }

    fn tell(&mut self, ending: Ending) {
        let activation = Activation {
            thread: self.thread.id,
            index: self.thread.begun - 1,
        };
        self.record.returned = Some((activation, ending));
        self.thread.observed = None;
    }

    /// The result of the operation that returns `values`.
    fn given(&self, values: &[u64]) -> Value {
        let function = self.thread.frames.last().map_or(0, |f| f.function);
        let shape = self.image.program.functions[function as usize]
            .signature
            .result;
        let first = values.first().copied();
        let result = match (shape, first) {
            (Shape::Optional(_), Some(0)) => Value::Nil,
            (Shape::Optional(number), Some(_)) => read(number, values.get(1).copied().unwrap_or(0)),
            (Shape::Number(number), Some(bits)) => read(number, bits),
            (Shape::Pointer(_), Some(bits)) => self.pointer(bits),
            _ => Value::Unit,
        };
        let out = self.thread.observed.as_ref().and_then(|r| r.out);
        let Some((address, number)) = out else {
            return result;
        };
        let bytes = usize::from(number.bits.div_ceil(8));
        let left = self.memory.read(address, bytes).unwrap_or(0);
        match result {
            Value::Bool(false) => Value::Nil,
            Value::Bool(true) | Value::Unit => read(number, left),
            status => Value::list([status, read(number, left)]),
        }
    }
}

/// A number as the source means it.
fn read(number: Number, bits: u64) -> Value {
    if number.bits == 1 {
        return Value::Bool(bits & 1 == 1);
    }
    let unused = 64 - u32::from(number.bits);
    let high = bits << unused;
    Value::Int(if number.signed {
        high.cast_signed() >> unused
    } else {
        (high >> unused).cast_signed()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_called_by_their_last_names() {
        for (name, wanted) in [
            ("push", "push"),
            ("stack::Stack<i32>::push", "push"),
            ("stack::Stack<Vec<i32>>::push", "Stack::push"),
            ("prog::{impl#0}::push<u8>", "push"),
        ] {
            assert!(is_called(name, wanted), "{name} {wanted}");
        }
        for (name, wanted) in [
            ("push_back", "push"),
            ("push", "Stack::push"),
            ("a::push", "b::push"),
        ] {
            assert!(!is_called(name, wanted), "{name} {wanted}");
        }
    }

    #[test]
    fn numbers_keep_their_sign() {
        let number = |bits, signed| Number { bits, signed };
        assert_eq!(read(number(32, true), 0xffff_ffff), Value::Int(-1));
        assert_eq!(
            read(number(32, false), 0xffff_ffff),
            Value::Int(0xffff_ffff)
        );
        assert_eq!(read(number(64, true), u64::MAX), Value::Int(-1));
        assert_eq!(read(number(1, false), 1), Value::Bool(true));
    }
}
