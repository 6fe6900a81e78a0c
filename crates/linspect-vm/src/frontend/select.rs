//! One harness or test of a linked program that was decoded as a whole: its functions get the symbols that the machine looks for, and what they do not reach is dropped.
//!
//! A program with many harnesses is linked and decoded once, and each of them is taken out of it. [`Entry::enter`] does the same to a module that has a single beginning.

use super::LoadError;
use super::entry::{Entry, in_harness, of_test};
use super::reduce::is_mangled;
use crate::harness::TEST_SETTINGS;
use crate::program::{Clause, Constant, FunctionId, GlobalId, Inst, Operand, Program, Symbol};
use crate::settled::{each_operand, other_operands};

/// What of `whole` is to run.
pub(super) fn select(mut whole: Program, entry: &Entry) -> Result<Program, LoadError> {
    let names = renamed(&whole, entry)?;
    let mut roots: Vec<FunctionId> = names.iter().map(|(id, _)| *id).collect();
    roots.extend(whole.constructors.iter().chain(&whole.destructors));
    // What was named by hand can be looked up from outside.
    roots.extend((0..).zip(&whole.functions).filter_map(|(id, function)| {
        let symbol = whole.text(function.symbol);
        let is_begin = in_harness(symbol).is_some() || of_test(symbol).is_some();
        let is_named = !function.is_declaration() && !is_mangled(symbol) && !is_begin;
        is_named.then_some(id)
    }));
    for (id, name) in names {
        whole.functions[id as usize].symbol = whole.strings.len() as u32;
        whole.strings.push(name);
    }
    // The functions of other harnesses may still be named by somebody, and must not be taken for those of this one.
    for function in &mut whole.functions {
        let symbol = &whole.strings[function.symbol as usize];
        if in_harness(symbol).is_some() || of_test(symbol).is_some() {
            let other = format!("of another: {symbol}");
            function.symbol = whole.strings.len() as u32;
            whole.strings.push(other);
        }
    }
    let (exact, reached) = (
        Reached::from(&whole, &roots, Reading::Exact),
        Reached::from(&whole, &roots, Reading::Wide),
    );
    // Nor must what is only kept for safety, such as the object of another harness.
    let nameless = whole.strings.len() as u32;
    whole.strings.push("of another".to_owned());
    for (global, is_needed) in whole.globals.iter_mut().zip(&exact.globals) {
        if !is_needed {
            global.name = nameless;
        }
    }
    Ok(reached.alone(whole))
}

/// The functions that are to run, with the symbols that the machine looks for.
fn renamed(whole: &Program, entry: &Entry) -> Result<Vec<(FunctionId, String)>, LoadError> {
    let functions = || {
        (0..)
            .zip(&whole.functions)
            .filter(|(_, f)| !f.is_declaration())
    };
    let wanted = match entry {
        Entry::Harness(name) | Entry::Test(name) => name,
        Entry::Only => "",
    };
    let mut names = Vec::new();
    for (id, function) in functions() {
        let symbol = whole.text(function.symbol);
        if let (Entry::Harness(_), Some((what, harness))) = (entry, in_harness(symbol))
            && harness == wanted
        {
            names.push((id, what.to_owned()));
        }
        let is_test = in_harness(symbol).is_none() && of_test(symbol).is_none();
        let name = whole.text(function.name);
        if matches!(entry, Entry::Test(_)) && is_test && (symbol == wanted || name == wanted) {
            names.push((id, "main".to_owned()));
            let settings = functions().find(|(_, f)| of_test(whole.text(f.symbol)) == Some(name));
            let plain = TEST_SETTINGS.trim_end_matches('@').to_owned();
            names.extend(settings.map(|(id, _)| (id, plain)));
            break;
        }
    }
    if names.is_empty() {
        let name = wanted.to_owned();
        return Err(LoadError::NoSuchEntry { name });
    }
    Ok(names)
}

/// How many slots an operand is taken to have where its instruction does not say: most have one, and a constant beside it belongs to somebody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// One, to find out what a program can do.
    Exact,
    /// Two, so that nothing is dropped that a program needs.
    Wide,
}

/// What can be reached: by calls, or through an address that something reached names.
pub(super) struct Reached {
    functions: Vec<bool>,
    globals: Vec<bool>,
}

impl Reached {
    /// What can be reached from these functions of `program`.
    pub(super) fn from(program: &Program, roots: &[FunctionId], reading: Reading) -> Self {
        let mut reached = Self {
            functions: vec![false; program.functions.len()],
            globals: vec![false; program.globals.len()],
        };
        let mut pending: Vec<Symbol> = roots.iter().map(|&id| Symbol::Function(id)).collect();
        // The addresses among so many slots.
        let addresses = |operand: Operand, slots: usize| {
            let first = operand.as_constant().map(|first| first as usize);
            let run = first.and_then(|first| program.constants.get(first..));
            let run = run.unwrap_or_default().iter().take(slots);
            run.filter_map(|constant| match constant {
                Constant::Address(symbol, _) => Some(*symbol),
                Constant::Bits(_) => None,
            })
        };
        while let Some(next) = pending.pop() {
            let function = match next {
                Symbol::Global(id) => {
                    if !std::mem::replace(&mut reached.globals[id as usize], true) {
                        let relocations = &program.globals[id as usize].relocations;
                        pending.extend(relocations.iter().map(|r| r.symbol));
                    }
                    continue;
                }
                Symbol::Function(id) => {
                    if std::mem::replace(&mut reached.functions[id as usize], true) {
                        continue;
                    }
                    &program.functions[id as usize]
                }
            };
            for inst in &function.code {
                match *inst {
                    Inst::Call { callee, .. } => pending.push(Symbol::Function(callee)),
                    Inst::TlsAddress { global, .. } => pending.push(Symbol::Global(global)),
                    _ => {}
                }
                let slots = slots(program, inst, reading);
                each_operand(inst, &mut |operand| {
                    pending.extend(addresses(operand, slots));
                });
            }
            pending.extend(other_operands(function).flat_map(|operand| addresses(operand, 1)));
            for clause in function.landing_pads.iter().flat_map(|pad| &pad.clauses) {
                let types = match clause {
                    Clause::Catch(one) => std::slice::from_ref(one),
                    Clause::Filter(all) => all,
                };
                pending.extend(types.iter().flat_map(|&operand| addresses(operand, 1)));
            }
        }
        reached
    }

    /// Whether the function with this symbol is among it.
    pub(super) fn has(&self, program: &Program, symbol: &str) -> bool {
        let mut functions = program.functions.iter().zip(&self.functions);
        functions.any(|(f, is_reached)| *is_reached && program.text(f.symbol) == symbol)
    }

    /// `program` without what is not reached. Tables of constants, texts and places stay as they are.
    fn alone(&self, mut program: Program) -> Program {
        let (functions, globals) = (numbers(&self.functions), numbers(&self.globals));
        let renumbered = |symbol: Symbol| -> Option<Symbol> {
            match symbol {
                Symbol::Function(id) => functions[id as usize].map(Symbol::Function),
                Symbol::Global(id) => globals[id as usize].map(Symbol::Global),
            }
        };
        let mut is_kept = self.functions.iter();
        program.functions.retain(|_| is_kept.next() == Some(&true));
        let mut is_kept = self.globals.iter();
        program.globals.retain(|_| is_kept.next() == Some(&true));
        for constant in &mut program.constants {
            if let Constant::Address(symbol, offset) = *constant {
                // Nobody who is left names it.
                *constant = renumbered(symbol).map_or(Constant::Bits(0), |symbol| {
                    Constant::Address(symbol, offset)
                });
            }
        }
        for relocation in program.globals.iter_mut().flat_map(|g| &mut g.relocations) {
            relocation.symbol = renumbered(relocation.symbol).expect("who is reached reaches it");
        }
        for inst in program.functions.iter_mut().flat_map(|f| &mut f.code) {
            match inst {
                Inst::Call { callee, .. } => {
                    *callee = functions[*callee as usize].expect("who is reached reaches it");
                }
                Inst::TlsAddress { global, .. } => {
                    *global = globals[*global as usize].expect("who is reached reaches it");
                }
                _ => {}
            }
        }
        for list in [&mut program.constructors, &mut program.destructors] {
            for id in list {
                *id = functions[*id as usize].expect("all of them run");
            }
        }
        program
    }
}

/// How many slots an operand of `inst` has at most.
fn slots(program: &Program, inst: &Inst, reading: Reading) -> usize {
    match *inst {
        Inst::Copy { count, .. } | Inst::Select { count, .. } | Inst::Return { count, .. } => {
            count as usize
        }
        Inst::StoreRun { layout, .. } => 2 * program.layouts[layout as usize].elements.len(),
        Inst::Extract { lanes, stride, .. } => usize::from(lanes) * usize::from(stride),
        Inst::Repack { from_lanes, .. } => 2 * usize::from(from_lanes),
        // A number of 128 bits, or what a landing pad gives.
        _ if reading == Reading::Wide => 2,
        _ => 1,
    }
}

/// The new number of each that is kept.
fn numbers(kept: &[bool]) -> Vec<Option<GlobalId>> {
    let mut next = 0..;
    kept.iter()
        .map(|is_kept| is_kept.then(|| next.next()).flatten())
        .collect()
}
