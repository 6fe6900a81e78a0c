//! Keeps of a linked module only what can be reached, with local variables in registers.
//!
//! Nothing here may remove, merge or move an access to shared memory: `simplifycfg` and everything from `-O1` up is left out, because it does.
//! `instsimplify` would drop loads whose value nobody uses, once `sroa` has dropped the variables that they were for: it may not.

use crate::llvm::{Function, Global, Module, ModuleError};
use std::collections::BTreeSet;

/// Parts of Rust's library that a run has no use for, told by a part of their symbol in either mangling. They become
/// declarations, so that what only they need is dropped.
const LEFT_OUT: [&str; 2] = ["12backtrace_rs", "3std9backtrace"];

/// The allocator's entry points, whose symbols rustc mangles in its own way.
const ALLOCATOR: [&str; 6] = [
    "__rust_alloc",
    "__rust_dealloc",
    "__rust_realloc",
    "__rust_alloc_zeroed",
    "__rust_no_alloc_shim_is_unstable_v2",
    "__rust_alloc_error_handler_should_panic_v2",
];

pub(super) fn is_mangled(symbol: &str) -> bool {
    symbol.starts_with("_Z") || symbol.starts_with("_R")
}

/// Reduces `module` to what `keep` reaches.
pub(super) fn reduce(module: &mut Module<'_>, keep: &BTreeSet<String>) -> Result<(), ModuleError> {
    module.cut(replacement);
    module.internalize(|name| keep.contains(name));
    module.run("globaldce")?;
    module.always_inline(is_atomic_wrapper);
    module.keep_calls();
    module.run("always-inline,globaldce,function(sroa)")?;
    module.run_keeping_loads("function(instsimplify)")?;
    module.spell_out_records();
    Ok(())
}

/// The name under which a function is only declared, if it is to be.
fn replacement(symbol: &str) -> Option<String> {
    if LEFT_OUT.iter().any(|part| symbol.contains(part)) {
        return Some(symbol.to_owned());
    }
    if symbol.contains("___rustc") {
        // `_RNvCs…_7___rustc12___rust_alloc`: the name without its length and the underscore that separates the two.
        let plain = ALLOCATOR
            .iter()
            .find(|name| symbol.ends_with(&format!("_{name}")));
        return plain.map(|&name| name.to_owned());
    }
    None
}

/// Whether the module refers to something that it does not define and that `is_meant`.
pub(super) fn refers_to(module: &Module<'_>, is_meant: impl Fn(&str) -> bool) -> bool {
    let functions = module
        .functions()
        .filter(|f| f.is_declaration())
        .map(Function::name);
    let globals = module
        .globals()
        .filter(|g| g.initializer().is_none())
        .map(Global::name);
    functions.chain(globals).any(|symbol| is_meant(&symbol))
}

/// Symbols that a crate may refer to although it does not depend on the crate that defines them: the panic handler and its like.
pub(super) fn is_language_item(symbol: &str) -> bool {
    symbol.contains("___rustc") || !is_mangled(symbol)
}

/// What the symbols of libstdc++'s atomics start with: `std::atomic`, `std::__atomic_base`, `std::atomic_flag`, their bit
/// arithmetic on memory orders.
const CXX_ATOMICS: [&str; 4] = [
    "St6atomicI",
    "St13__atomic_base",
    "St11atomic_flag",
    "St13__atomic_float",
];

/// Wrappers around one atomic instruction: inlined, their accesses carry the line of whoever calls them.
fn is_atomic_wrapper(symbol: &str) -> bool {
    if symbol.contains("4core4sync6atomic") {
        return true;
    }
    let Some(rest) = symbol.strip_prefix("_ZN") else {
        return symbol.starts_with("_ZStanSt12memory_order");
    };
    // Qualifiers of the member function: volatile, const.
    let rest = rest.strip_prefix('V').unwrap_or(rest);
    let rest = rest.strip_prefix('K').unwrap_or(rest);
    CXX_ATOMICS.iter().any(|name| rest.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allocator_gets_its_plain_names() {
        let symbol = "_RNvCs1yDGc8s4LjD_7___rustc12___rust_alloc";
        assert_eq!(replacement(symbol).as_deref(), Some("__rust_alloc"));
        assert_eq!(replacement("malloc"), None);
    }
}
