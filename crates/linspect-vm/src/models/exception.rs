//! C++ exceptions as the Itanium C++ ABI has them: thrown, caught, thrown again, and kept by `std::exception_ptr`.
//!
//! An exception object stands behind a header of four words: how many own it (each throw or handler, each `exception_ptr`), its type
//! information, its destructor, and one that is not used. A thread has the exceptions that are on their way and, apart from them, those that
//! its handlers have caught.

use super::{Reply, Table, int, nothing, ok, value};
use crate::demangle::demangled_type;
use crate::interp::{Cpu, Stop};
use crate::memory::Address;
use crate::program::FunctionId;
use crate::thread::{After, Caught, Exception};
use linspect_core::execution::FaultKind;
use smallvec::SmallVec;

pub(super) const TABLE: Table = &[
    ("__cxa_allocate_exception", |cpu, a| cpu.allocate(a[0])),
    ("__cxa_init_primary_exception", |cpu, a| {
        cpu.fill_header(a[0], a[1], a[2], 0)?;
        value(a[0])
    }),
    ("__cxa_free_exception", |cpu, a| cpu.free_exception(a[0])),
    ("__cxa_throw", |cpu, a| {
        cpu.fill_header(a[0], a[1], a[2], 1)?;
        cpu.throw_object(a[0], a[1])
    }),
    ("__cxa_rethrow", |cpu, _| cpu.rethrow()),
    ("__cxa_begin_catch", |cpu, a| {
        let part = cpu.thread.exceptions.last().map_or(a[0], |e| e.part);
        cpu.begin_catch(a[0]);
        value(part)
    }),
    ("__cxa_get_exception_ptr", |cpu, a| {
        value(cpu.thread.exceptions.last().map_or(a[0], |e| e.part))
    }),
    ("__cxa_end_catch", |cpu, _| cpu.end_catch()),
    ("_ZSt19uncaught_exceptionsv", |cpu, _| {
        int(cpu.thread.exceptions.len() as i32)
    }),
    ("_ZSt18uncaught_exceptionv", |cpu, _| {
        int(i32::from(!cpu.thread.exceptions.is_empty()))
    }),
    ("_ZSt17current_exceptionv", |cpu, a| {
        let caught = cpu.thread.caught.last();
        let object = caught.map_or(0, |caught| caught.exception.object);
        if object != 0 {
            cpu.own(object)?;
        }
        cpu.write_word(a[0], object)?;
        nothing()
    }),
    (
        "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
        |cpu, a| {
            let object = cpu.read_word(a[0])?;
            if object == 0 {
                return Err(cpu.misuse("an empty exception_ptr is thrown"));
            }
            let type_info = cpu.read_word(object.wrapping_sub(HEADER - TYPE))?;
            cpu.own(object)?;
            cpu.throw_object(object, type_info)
        },
    ),
    ("_ZNSt15__exception_ptr13exception_ptrC1EPv", |cpu, a| {
        cpu.write_word(a[0], a[1])?;
        cpu.own(a[1])?;
        nothing()
    }),
    (
        "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv",
        |cpu, a| {
            let object = cpu.read_word(a[0])?;
            cpu.own(object)?;
            nothing()
        },
    ),
    (
        "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv",
        |cpu, a| {
            let object = cpu.read_word(a[0])?;
            if object == 0 {
                return nothing();
            }
            if cpu.thread.phase == 0 && !cpu.disown(object)? {
                cpu.write_word(a[0], 0)?;
                return nothing();
            }
            let reply = cpu.destroy(object)?;
            if matches!(reply, Reply::Nothing) {
                cpu.write_word(a[0], 0)?;
            }
            Ok(reply)
        },
    ),
    (
        "_ZNKSt15__exception_ptr13exception_ptr20__cxa_exception_typeEv",
        |cpu, a| {
            let object = cpu.read_word(a[0])?;
            let type_info = match object {
                0 => 0,
                _ => cpu.read_word(object.wrapping_sub(HEADER - TYPE))?,
            };
            value(type_info)
        },
    ),
];

/// The family `std::__throw_…`, which the library's headers call.
pub(super) fn by_prefix(symbol: &str) -> Option<super::Model> {
    let rest = symbol.strip_prefix("_ZSt")?;
    rest.trim_start_matches(|c: char| c.is_ascii_digit())
        .starts_with("__throw_")
        .then_some(throw_library_error as super::Model)
}

/// An exception of the library itself, of a type that only `catch (...)` takes.
fn throw_library_error(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let text = a.first().map(|&text| cpu.memory.read_c_string(text));
    let message = match text {
        Some(Ok(text)) => String::from_utf8_lossy(text).into_owned(),
        _ => "an exception of the C++ library".into(),
    };
    cpu.throw_untyped(message)
}

/// What throws a `std::bad_alloc`. The support of C++ programs has it for all that know the type, or one that it comes from.
const THROW_BAD_ALLOC: &str = "_ZSt17__throw_bad_allocv";

/// Bytes before the object.
const HEADER: u64 = 32;
/// Where in the header the type information is, and the destructor; the number of owners comes first.
const TYPE: u64 = 8;
const DESTRUCTOR: u64 = 16;

impl Cpu<'_> {
    /// `operator new` has nothing to give.
    pub(super) fn throw_bad_alloc(&mut self) -> Result<Reply, Stop> {
        let thrower = self.image.function(THROW_BAD_ALLOC);
        let defined = |f: &FunctionId| !self.image.program.functions[*f as usize].is_declaration();
        match thrower.filter(defined) {
            Some(function) => Ok(Reply::Enter {
                function,
                arguments: SmallVec::new(),
                after: After::Result,
            }),
            None => self.throw_untyped("std::bad_alloc".into()),
        }
    }

    /// An exception that only `catch (...)` takes.
    fn throw_untyped(&mut self, message: String) -> Result<Reply, Stop> {
        let Reply::Value(object) = self.allocate(16)? else {
            return ok();
        };
        self.fill_header(object, 0, 0, 1)?;
        let site = self.site();
        self.throw(Exception {
            object,
            part: object,
            type_info: 0,
            message,
            site,
        })?;
        Ok(Reply::Moved)
    }

    fn allocate(&mut self, size: u64) -> Result<Reply, Stop> {
        match self.malloc(size.saturating_add(HEADER), true)? {
            Reply::Value(block) => value(block + HEADER),
            other => Ok(other),
        }
    }

    fn fill_header(
        &mut self,
        object: Address,
        type_info: Address,
        destructor: Address,
        owners: u64,
    ) -> Result<(), Stop> {
        let header = object.wrapping_sub(HEADER);
        self.write_word(header, owners)?;
        self.write_word(header.wrapping_add(TYPE), type_info)?;
        self.write_word(header.wrapping_add(DESTRUCTOR), destructor)
    }

    fn throw_object(&mut self, object: Address, type_info: Address) -> Result<Reply, Stop> {
        let message = format!("exception of type {}", self.type_name(type_info));
        let site = self.site();
        self.throw(Exception {
            object,
            part: object,
            type_info,
            message,
            site,
        })?;
        Ok(Reply::Moved)
    }

    /// The handler that the exception has landed at takes it.
    fn begin_catch(&mut self, object: Address) {
        let Some(exception) = self.thread.exceptions.pop() else {
            return;
        };
        debug_assert_eq!(exception.object, object, "what landed is caught");
        match self.thread.caught.last_mut() {
            // One that its own handler has thrown again.
            Some(caught) if caught.exception.object == exception.object && caught.handlers < 0 => {
                caught.handlers = 1 - caught.handlers;
            }
            _ => self.thread.caught.push(Caught {
                exception,
                handlers: 1,
            }),
        }
    }

    /// A handler ends. Who owns the exception last destroys it, except that one which is on its way again lives on.
    fn end_catch(&mut self) -> Result<Reply, Stop> {
        let Some(caught) = self.thread.caught.last_mut() else {
            return nothing();
        };
        let object = caught.exception.object;
        if self.thread.phase == 0 {
            let is_thrown_again = caught.handlers < 0;
            caught.handlers -= caught.handlers.signum();
            if caught.handlers != 0 {
                return nothing();
            }
            if is_thrown_again || !self.disown(object)? {
                self.thread.caught.pop();
                return nothing();
            }
        }
        let reply = self.destroy(object)?;
        if matches!(reply, Reply::Nothing) {
            self.thread.caught.pop();
        }
        Ok(reply)
    }

    fn rethrow(&mut self) -> Result<Reply, Stop> {
        let Some(caught) = self.thread.caught.last_mut() else {
            return Err(self.fault(FaultKind::Abort, "rethrow without an exception"));
        };
        caught.handlers = -caught.handlers;
        let exception = caught.exception.clone();
        self.throw(exception)?;
        Ok(Reply::Moved)
    }

    fn own(&mut self, object: Address) -> Result<(), Stop> {
        let header = object.wrapping_sub(HEADER);
        let owners = self.read_word(header)?;
        self.write_word(header, owners.wrapping_add(1))
    }

    /// One owner less; whether it was the last.
    fn disown(&mut self, object: Address) -> Result<bool, Stop> {
        let header = object.wrapping_sub(HEADER);
        let owners = self.read_word(header)?;
        self.write_word(header, owners.wrapping_sub(1))?;
        Ok(owners == 1)
    }

    /// Runs the destructor, in a first phase, and frees the object, in a second, or at once where there is none.
    fn destroy(&mut self, object: Address) -> Result<Reply, Stop> {
        if self.thread.phase == 0 {
            let destructor = self.read_word(object.wrapping_sub(HEADER - DESTRUCTOR))?;
            if destructor != 0 {
                return self.enter_reply(destructor, &[object], After::Again(1));
            }
        }
        self.free_exception(object)
    }

    fn free_exception(&mut self, object: Address) -> Result<Reply, Stop> {
        let site = self.site();
        let freed = self
            .memory
            .free(self.thread.lane, object.wrapping_sub(HEADER), site);
        self.check(freed)?;
        nothing()
    }

    /// The name in a type information: `{ vtable, name, … }`.
    fn type_name(&self, info: Address) -> String {
        self.memory
            .read(info.wrapping_add(8), 8)
            .and_then(|name| self.memory.read_c_string(name))
            .map_or_else(
                |_| "unknown".into(),
                |name| demangled_type(&String::from_utf8_lossy(name)),
            )
    }
}
