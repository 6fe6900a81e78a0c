//! Links all parts, reduces the whole, decodes it, and lets LLVM go.

use super::evidence::Evidence;
use super::support::{SUPPORTS, Support};
use super::{LoadError, carried, clang, members, reduce, rustc};
use crate::llvm::decode::decode;
use crate::llvm::{Context, Llvm, Module, ModuleError, Version};
use crate::program::Program;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// Whoever wrote a module that the user gave.
pub(super) const UNKNOWN: Version = Version(0);

/// One module.
#[derive(Serialize, Deserialize)]
pub(super) struct Part {
    /// For messages.
    pub(super) name: String,
    /// The LLVM that wrote it.
    pub(super) producer: Version,
    /// Bitcode or LLVM text.
    pub(super) bytes: Vec<u8>,
}

impl Part {
    /// A module the user gave. Who wrote it is unknown: the newest LLVM there is has the best chance.
    pub(super) fn given(path: &Path, bytes: Vec<u8>) -> Result<Self, LoadError> {
        let name = path.display().to_string();
        // LLVM tells bitcode from text by the first bytes only, and takes an empty file for a text.
        if path.extension().is_some_and(|e| e == "bc") && !carried::is_bitcode(&bytes) {
            let reason = "it does not start with `BC`".to_owned();
            return Err(ModuleError::Parse { name, reason }.into());
        }
        Ok(Self {
            name,
            producer: UNKNOWN,
            bytes,
        })
    }

    /// A module that the file at `path` carries.
    pub(super) fn carried(path: &Path, module: &[u8]) -> Self {
        Self {
            name: path.display().to_string(),
            producer: UNKNOWN,
            bytes: module.to_vec(),
        }
    }

    /// Whether the user gave it, rather than a compiler that has just run.
    pub(super) fn is_given(&self) -> bool {
        self.producer == UNKNOWN
    }
}

/// Everything a program is made of.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Parts {
    /// The program's own modules.
    pub(super) own: Vec<Part>,
    /// Modules of a language's library, users before what they use: only what the program reaches of them is linked. Beside them, modules of libraries
    /// that the user gave, which are linked if somebody needs them.
    pub(super) library: Vec<Part>,
    /// Whether some of the program is C, or may be.
    pub(super) c: bool,
    /// Whether some of the program is C++, or may be.
    pub(super) cxx: bool,
    /// What the compilers looked at.
    pub(super) evidence: Evidence,
}

/// Links `parts`, keeps what can be reached from the symbols that `enter` names among the program's own, and decodes it.
pub(super) fn assemble(
    parts: &mut Parts,
    enter: impl FnOnce(&mut Module<'_>) -> Result<BTreeSet<String>, LoadError>,
) -> Result<Program, LoadError> {
    let producer = parts
        .own
        .iter()
        .chain(&parts.library)
        .map(|p| p.producer)
        .max()
        .unwrap_or(UNKNOWN);
    let is_given = parts.own.iter().chain(&parts.library).any(Part::is_given);
    let llvm = if is_given {
        Llvm::open_newest(rustc::llvm_directory)?
    } else {
        Llvm::open_for(producer, rustc::llvm_directory)?
    };
    let context = Context::new(&llvm);
    let mut whole: Option<Module<'_>> = None;
    for part in &parts.own {
        let module = context.parse(&part.name, &part.bytes)?;
        link(&mut whole, &part.name, module)?;
    }
    let keep = match &mut whole {
        Some(own) => enter(own)?,
        None => return Err(LoadError::Nothing),
    };
    let (given, distributed): (Vec<_>, Vec<_>) = parts.library.iter().partition(|p| p.is_given());
    if let Some(own) = &mut whole {
        members::link_needed(&context, own, &given)?;
    }
    for part in distributed {
        let mut module = context.parse_library(&part.name, &part.bytes)?;
        module.make_optional(reduce::is_language_item);
        link(&mut whole, &part.name, module)?;
    }
    let Some(mut whole) = whole else {
        return Err(LoadError::Nothing);
    };
    // Rust's library refers to functions of C's that are modelled; it must not take a clang to test Rust.
    let is_meant = |s: &&Support| parts.cxx || (s.of_c && parts.c);
    for support in SUPPORTS.iter().filter(is_meant) {
        if reduce::refers_to(&whole, |symbol| support.defines(symbol)) {
            let part = clang::compile_support(support, &mut parts.evidence)?;
            let mut module = context.parse_library(&part.name, &part.bytes)?;
            module.make_optional(|_| false);
            whole.link(&part.name, module)?;
        }
    }
    reduce::reduce(&mut whole, &keep)?;
    Ok(decode(&whole)?)
}

fn link<'c>(
    whole: &mut Option<Module<'c>>,
    name: &str,
    module: Module<'c>,
) -> Result<(), LoadError> {
    match whole {
        Some(whole) => Ok(whole.link(name, module)?),
        None => {
            *whole = Some(module);
            Ok(())
        }
    }
}
