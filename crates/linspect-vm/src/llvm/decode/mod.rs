//! Decodes a module into a [`Program`].
//!
//! One pass over the module numbers functions and globals, a second fills them in. What the machine cannot run becomes
//! [`Inst::Unsupported`](crate::program::Inst::Unsupported) in its place, so that only a program that gets there fails.

mod arithmetic;
mod assembly;
mod call;
mod constant;
mod function;
mod initial;
mod intrinsic;
mod memory;
mod path;
mod shape;
mod signature;
mod site;
mod types;
mod vector;

use super::debug::Node;
use super::module::{Module, ModuleError};
use super::types::{Layout, Type};
use super::value::Value;
use crate::program::{
    self, Constant, Function, FunctionId, Global, GlobalId, LayoutId, Program, StrId,
};
use function::FunctionDecoder;
use rustc_hash::FxHashMap;
use site::Sites;

/// Decodes all of `module`.
pub(crate) fn decode(module: &Module<'_>) -> Result<Program, ModuleError> {
    let mut decoder = Decoder::new(module);
    decoder.number(module);
    decoder.fill_globals(module);
    decoder.fill_functions(module);
    decoder.fill_constructors(module);
    site::show_owners_of_results(&mut decoder.program);
    match decoder.refused {
        Some(value) => Err(ModuleError::Initial { value }),
        None => Ok(decoder.program),
    }
}

/// The program so far, and what of the module is where in it.
struct Decoder<'m> {
    layout: Layout<'m>,
    program: Program,
    functions: FxHashMap<Value<'m>, FunctionId>,
    globals: FxHashMap<Value<'m>, GlobalId>,
    texts: FxHashMap<String, StrId>,
    /// Where the run of a constant starts.
    constants: FxHashMap<Value<'m>, u32>,
    /// Where single slots are, so that equal ones are shared.
    single: FxHashMap<Constant, u32>,
    layouts: FxHashMap<program::Layout, LayoutId>,
    slots: FxHashMap<Type<'m>, u32>,
    sites: Sites<'m>,
    source_types: FxHashMap<Node<'m>, u32>,
    /// The first initial value of a global that cannot be represented.
    refused: Option<String>,
}

impl<'m> Decoder<'m> {
    fn new(module: &'m Module<'_>) -> Self {
        Self {
            layout: module.layout(),
            program: Program::new(),
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            texts: FxHashMap::default(),
            constants: FxHashMap::default(),
            single: FxHashMap::default(),
            layouts: FxHashMap::default(),
            slots: FxHashMap::default(),
            sites: Sites::new(),
            source_types: FxHashMap::default(),
            refused: None,
        }
    }

    /// The id of `text`.
    fn intern(&mut self, text: &str) -> StrId {
        if text.is_empty() {
            return 0;
        }
        if let Some(&id) = self.texts.get(text) {
            return id;
        }
        let id = index(self.program.strings.len());
        self.program.strings.push(text.to_owned());
        self.texts.insert(text.to_owned(), id);
        id
    }

    /// Gives every function and global its id. Intrinsics get none: they are instructions.
    fn number(&mut self, module: &'m Module<'_>) {
        for function in module
            .functions()
            .filter(|f| !f.name().starts_with("llvm."))
        {
            self.functions
                .insert(function.value(), index(self.functions.len()));
            self.program.functions.push(Function::default());
        }
        for global in module.globals().filter(|g| !is_bookkeeping(&g.name())) {
            self.globals
                .insert(global.value(), index(self.globals.len()));
            self.program.globals.push(Global::default());
        }
    }

    fn fill_functions(&mut self, module: &'m Module<'_>) {
        for function in module.functions() {
            if let Some(&id) = self.functions.get(&function.value()) {
                self.program.functions[id as usize] = FunctionDecoder::new(self, function).decode();
            }
        }
    }
}

/// Globals that speak to the compiler, not to the program.
fn is_bookkeeping(name: &str) -> bool {
    name.starts_with("llvm.")
}

/// A count of things that LLVM already held in memory, as an index.
fn index(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 of anything in a module")
}
