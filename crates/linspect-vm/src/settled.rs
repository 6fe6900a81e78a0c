//! Globals that only what builds or destroys the object writes: reading one is no step, because nothing can come before it that matters.
//!
//! The variable of a C harness that points to the object is such a global. It must be used by plain loads and stores only, so that its
//! address never gets anywhere else.

use crate::harness;
use crate::program::{Constant, Function, GlobalId, Inst, Operand, Program, Symbol};
use rustc_hash::FxHashSet;

/// The globals of `program` that do not change once the object is built.
pub(crate) fn globals(program: &Program) -> FxHashSet<GlobalId> {
    let mut written = FxHashSet::default();
    let mut unsettled = FxHashSet::default();
    let named = |operand: Operand| -> Option<GlobalId> {
        let constant = program.constants.get(operand.as_constant()? as usize)?;
        match constant {
            Constant::Address(Symbol::Global(id), _) => Some(*id),
            _ => None,
        }
    };
    for function in &program.functions {
        // A model that is the same object built otherwise writes the same variable; what destroys the object comes after everything else.
        let constructs = [harness::OBJECT, harness::MODEL, harness::TEARDOWN]
            .contains(&program.text(function.symbol));
        for inst in &function.code {
            let mut addressed = None;
            match *inst {
                Inst::Load { addr, .. } => addressed = Some(addr),
                Inst::Store { addr, .. } if constructs => {
                    written.extend(named(addr));
                    addressed = Some(addr);
                }
                _ => {}
            }
            each_operand(inst, &mut |operand| {
                if Some(operand) != addressed {
                    unsettled.extend(named(operand));
                }
            });
        }
        unsettled.extend(other_operands(function).filter_map(named));
    }
    let pointed_at = program.globals.iter().flat_map(|g| &g.relocations);
    unsettled.extend(pointed_at.filter_map(|r| match r.symbol {
        Symbol::Global(id) => Some(id),
        Symbol::Function(_) => None,
    }));
    written.retain(|g| !unsettled.contains(g));
    written
}

/// Operands that stand beside the instructions.
pub(crate) fn other_operands(function: &Function) -> impl Iterator<Item = Operand> + '_ {
    let copied = function.copies.iter().map(|c| c.1);
    function.arguments.iter().copied().chain(copied)
}

/// The operands of an instruction that stand in it.
pub(crate) fn each_operand(inst: &Inst, each: &mut dyn FnMut(Operand)) {
    match *inst {
        Inst::Int { a, b, .. }
        | Inst::Wide { a, b, .. }
        | Inst::Compare { a, b, .. }
        | Inst::Float { a, b, .. }
        | Inst::Extended { a, b, .. }
        | Inst::FloatCompare { a, b, .. } => [a, b].into_iter().for_each(each),
        Inst::Cast { a, .. }
        | Inst::FloatNeg { a, .. }
        | Inst::FloatCast { a, .. }
        | Inst::FloatToInt { a, .. }
        | Inst::IntToFloat { a, .. } => each(a),
        Inst::Copy { src, .. } | Inst::Repack { src, .. } => each(src),
        Inst::Select { cond, a, b, .. } => [cond, a, b].into_iter().for_each(each),
        Inst::Extract { src, index, .. } => [src, index].into_iter().for_each(each),
        Inst::Insert { value, index, .. } => [value, index].into_iter().for_each(each),
        Inst::Offset { base, .. } => each(base),
        Inst::Index { base, index, .. } => [base, index].into_iter().for_each(each),
        Inst::Alloca { count, .. } => each(count),
        Inst::Load { addr, .. } | Inst::LoadRun { addr, .. } => each(addr),
        Inst::Store { addr, value, .. }
        | Inst::StoreRun { addr, value, .. }
        | Inst::AtomicUpdate { addr, value, .. } => [addr, value].into_iter().for_each(each),
        Inst::CompareExchange {
            addr,
            expected,
            new,
            ..
        } => {
            [addr, expected, new].into_iter().for_each(each);
        }
        Inst::MemCopy { dst, src, len, .. } => [dst, src, len].into_iter().for_each(each),
        Inst::MemSet { dst, byte, len, .. } => [dst, byte, len].into_iter().for_each(each),
        Inst::CallIndirect { callee, .. } => each(callee),
        Inst::Resume { value, .. } | Inst::Return { value, .. } | Inst::Switch { value, .. } => {
            each(value);
        }
        Inst::Branch { cond, .. } => each(cond),
        Inst::TlsAddress { .. }
        | Inst::Fence { .. }
        | Inst::Intrinsic { .. }
        | Inst::Call { .. }
        | Inst::LandingPad { .. }
        | Inst::Jump { .. }
        | Inst::Unreachable { .. }
        | Inst::Unsupported { .. } => {}
    }
}
