//! LLVM, as far as Linspect needs it: opened at run time, used to read, link and reduce bitcode, and gone once a program is decoded.
//!
//! This module is the only place of the project with `unsafe` code. [`api`] lists the foreign functions; [`library`], [`module`],
//! [`types`], [`value`], [`function`], [`global`] and [`debug`] wrap them safely (lifetimes tie every handle to its module, wrong questions panic instead of reading
//! wild memory); [`decode`] is safe code on top.

#![expect(unsafe_code, reason = "the foreign function interface of LLVM")]

mod api;
mod debug;
pub(crate) mod decode;
mod function;
mod global;
mod library;
mod module;
mod opcode;
mod types;
mod value;

pub use library::LibraryError;
pub use module::ModuleError;

pub(crate) use function::Function;
pub(crate) use global::Global;
pub(crate) use library::{Llvm, OVERRIDE, Version};
pub(crate) use module::{Context, Module};
pub(crate) use value::Value;
