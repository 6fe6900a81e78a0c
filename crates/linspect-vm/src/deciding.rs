//! Which loads are a use of what they read: only such a read of unwritten memory is a fault. Copies of padding and of `MaybeUninit` are none.

use crate::program::{Function, Inst, IntOp, Operand, Pc, Reg};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

/// Which loads of `function`, by instruction, give a value that is compared, branched on, divided by or used as an address there, directly or through casts. A load that stands
/// for a part of a copy (of an `enum`, say, of which only some variants have this part) does so only if that happens before control can go another way.
pub(crate) fn loads(function: &Function) -> Vec<bool> {
    let mut decides = vec![false; function.registers as usize];
    for inst in &function.code {
        for register in decisive(inst).into_iter().filter_map(Operand::as_reg) {
            decides[register as usize] = true;
        }
    }
    for inst in function.code.iter().rev() {
        if let Inst::Cast { dst, a, .. } = *inst
            && decides[dst as usize]
            && let Some(register) = a.as_reg()
        {
            decides[register as usize] = true;
        }
    }
    let is_use = |(pc, inst): (Pc, &Inst)| match *inst {
        Inst::Load { dst, .. } if function.parts_of_copies.binary_search(&pc).is_ok() => {
            decides[dst as usize] && decides_at_once(function, pc, dst)
        }
        Inst::Load { dst, .. } => decides[dst as usize],
        _ => false,
    };
    (0..).zip(&function.code).map(is_use).collect()
}

/// What an instruction decides by.
fn decisive(inst: &Inst) -> SmallVec<[Operand; 2]> {
    match *inst {
        Inst::Compare { a, b, .. } | Inst::FloatCompare { a, b, .. } => smallvec![a, b],
        Inst::Int {
            op: IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem,
            b,
            ..
        } => smallvec![b],
        Inst::Branch { cond, .. } => smallvec![cond],
        Inst::Switch { value, .. } => smallvec![value],
        Inst::Offset { base, .. } => smallvec![base],
        Inst::Index { base, index, .. } => smallvec![base, index],
        Inst::Load { addr, .. }
        | Inst::LoadRun { addr, .. }
        | Inst::Store { addr, .. }
        | Inst::StoreRun { addr, .. }
        | Inst::CompareExchange { addr, .. }
        | Inst::AtomicUpdate { addr, .. } => smallvec![addr],
        Inst::CallIndirect { callee, .. } => smallvec![callee],
        _ => SmallVec::new(),
    }
}

/// Whether what is loaded into `register` at `pc` decides something on the one way that leads on from there.
fn decides_at_once(function: &Function, mut pc: Pc, register: Reg) -> bool {
    let mut held = FxHashSet::from_iter([register]);
    let is_held = |held: &FxHashSet<Reg>, operand: Operand| {
        operand
            .as_reg()
            .is_some_and(|register| held.contains(&register))
    };
    // A way that comes round in a circle has an end as well.
    for _ in 0..function.code.len() {
        pc += 1;
        let Some(inst) = function.code.get(pc as usize) else {
            return false;
        };
        if decisive(inst)
            .into_iter()
            .any(|operand| is_held(&held, operand))
        {
            return true;
        }
        match *inst {
            Inst::Cast { dst, a, .. } if is_held(&held, a) => {
                held.insert(dst);
            }
            Inst::Jump { edge } => {
                let edge = &function.edges[edge as usize];
                let first = edge.first_copy as usize;
                for &(to, from) in &function.copies[first..first + edge.copies as usize] {
                    if is_held(&held, from) {
                        held.insert(to);
                    }
                }
                pc = edge.target.wrapping_sub(1);
            }
            Inst::Branch { .. }
            | Inst::Switch { .. }
            | Inst::Return { .. }
            | Inst::Resume { .. }
            | Inst::Unreachable { .. } => return false,
            _ => {}
        }
    }
    false
}
