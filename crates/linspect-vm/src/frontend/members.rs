//! Members of archives, linked as a linker does: those that define what is still missing, and what they miss in turn.

use super::LoadError;
use super::assemble::Part;
use crate::llvm::{Context, Function, Global, Module, Value};
use std::collections::BTreeSet;

/// Links into `whole` those of `parts` that it needs. Those that nobody needs do not run their constructors either.
pub(super) fn link_needed<'c>(
    context: &'c Context<'_>,
    whole: &mut Module<'c>,
    parts: &[&Part],
) -> Result<(), LoadError> {
    let mut rest = Vec::new();
    for part in parts {
        let module = context.parse(&part.name, &part.bytes)?;
        rest.push((&part.name, defined(&module), module));
    }
    loop {
        let missing = missing(whole);
        let needed = rest
            .iter()
            .position(|(_, defined, _)| !defined.is_disjoint(&missing));
        let Some(at) = needed else {
            return Ok(());
        };
        let (name, _, module) = rest.remove(at);
        whole.link(name, module)?;
    }
}

/// What others can use of a module.
fn defined(module: &Module<'_>) -> BTreeSet<String> {
    let functions = module
        .functions()
        .filter(|f| f.value().is_definition_for_others())
        .map(Function::name);
    let globals = module
        .globals()
        .filter(|g| g.value().is_definition_for_others())
        .map(Global::name);
    let aliases = module
        .aliases()
        .filter(|alias| alias.is_definition_for_others())
        .map(Value::name);
    functions.chain(globals).chain(aliases).collect()
}

/// What a module uses and does not define.
fn missing(module: &Module<'_>) -> BTreeSet<String> {
    let functions = module
        .functions()
        .filter(|f| f.is_declaration())
        .map(Function::name);
    let globals = module
        .globals()
        .filter(|g| g.initializer().is_none())
        .map(Global::name);
    functions.chain(globals).collect()
}
