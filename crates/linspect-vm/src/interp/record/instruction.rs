//! What one executed instruction says.

use super::scopes::{Reach, Scope};
use super::{Before, Operands, Place, Recorder, extend, register};
use crate::interp::{Cpu, Stop};
use crate::program::{self, Compare, EdgeId, Inst, IntCast, IntOp, Intrinsic, Pc, Reg};
use linspect_core::statement::{Effect, Operand, Relation, Rule};
use smallvec::{SmallVec, smallvec};

/// A switch with more cases than this is one condition of unknown form.
const MAX_CASES: usize = 8;

impl Recorder {
    /// Records what `inst` did. One that stopped the thread before it began did nothing; the way that a branch took counts even if the thread
    /// then stopped.
    pub(super) fn note(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        inst: &Inst,
        before: &Before,
        stop: Option<&Stop>,
    ) {
        match *inst {
            Inst::Jump { .. } | Inst::Branch { .. } | Inst::Switch { .. } => {
                self.note_flow(cpu, place, inst);
            }
            Inst::Call { .. } | Inst::CallIndirect { .. } => {
                self.note_call(cpu, place, inst, before, stop);
            }
            Inst::Return { value, count } => {
                self.note_return(cpu, place, value, count, before, stop);
            }
            _ if stop.is_none() => self.note_computation(cpu, place, inst, before),
            _ => {}
        }
        if let Some(Stop::Fault(fault)) = stop {
            self.note_fault(cpu, place, inst, fault);
        }
    }

    fn note_computation(&mut self, cpu: &Cpu<'_>, place: &Place<'_>, inst: &Inst, before: &Before) {
        match *inst {
            Inst::Int {
                op,
                bits,
                dst,
                a,
                b,
            } => {
                let b = self.operand(cpu, place, b, bits);
                let operands = smallvec![self.operand(cpu, place, a, bits), b];
                let (rule, operands) = arithmetic(op, operands);
                self.define(cpu, place, dst, rule, operands, (bits, bits));
            }
            Inst::Compare {
                op,
                bits,
                dst,
                a,
                b,
            } if bits <= 64 => {
                let operands: Operands = smallvec![
                    self.operand(cpu, place, a, bits),
                    self.operand(cpu, place, b, bits)
                ];
                let addresses = bits == 64
                    && [a, b]
                        .iter()
                        .any(|o| cpu.memory.block(cpu.get(place.base, *o)).is_some());
                let relation = relation(op);
                let rule = if addresses {
                    Rule::CompareAddresses(relation)
                } else {
                    Rule::Compare(relation)
                };
                self.define(cpu, place, dst, rule, operands, (bits, 1));
            }
            Inst::Cast {
                op,
                from,
                to,
                dst,
                a,
            } if from <= 64 && to <= 64 => {
                let operands = smallvec![self.operand(cpu, place, a, from)];
                let rule = match op {
                    IntCast::Trunc => Rule::Truncate,
                    IntCast::ZExt => Rule::ZeroExtend(from),
                    IntCast::SExt => Rule::SignExtend(from),
                };
                self.define(cpu, place, dst, rule, operands, (to, to));
            }
            Inst::Copy { dst, src, count } => {
                self.copy_run(cpu, place, (0..count).map(|i| (dst + i, src.slot(i))));
            }
            Inst::Select {
                dst,
                cond,
                a,
                b,
                count,
            } => {
                let taken = cpu.get(place.base, cond) & 1 == 1;
                let cond = self.operand(cpu, place, cond, 1);
                for i in 0..count {
                    let (a, x) = self.source(cpu, place, a.slot(i));
                    let (b, y) = self.source(cpu, place, b.slot(i));
                    let value = if taken { x } else { y };
                    let operands = smallvec![cond, a, b];
                    self.define_as(cpu, place, dst + i, Rule::Select, operands, 64, value);
                }
            }
            Inst::Offset {
                dst,
                base: pointer,
                offset,
            } => {
                let pointer = self.operand(cpu, place, pointer, 64);
                let operands = smallvec![pointer, Operand::Constant(offset)];
                self.define(cpu, place, dst, Rule::Add, operands, (64, 64));
            }
            Inst::Index {
                dst,
                base: pointer,
                index,
                bits,
                ..
            } => {
                let pointer = self.operand(cpu, place, pointer, 64);
                let operands = smallvec![pointer, self.operand(cpu, place, index, bits)];
                self.define(cpu, place, dst, Rule::Function, operands, (64, 64));
            }
            Inst::Alloca { dst, .. }
            | Inst::TlsAddress { dst, .. }
            | Inst::LandingPad { dst, .. } => {
                self.define(cpu, place, dst, Rule::Input, smallvec![], (64, 64));
            }
            Inst::Intrinsic {
                op,
                bits,
                dst,
                args,
            } => self.note_intrinsic(cpu, place, (op, bits), dst, args, before),
            _ if self.note_memory(cpu, place, inst) => {}
            _ => self.note_other(cpu, place, inst),
        }
    }

    /// Copies that all read before any writes.
    pub(super) fn copy_run(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        copies: impl Iterator<Item = (Reg, program::Operand)>,
    ) {
        let read: SmallVec<[(Reg, Operand, i64); 4]> = copies
            .map(|(dst, src)| {
                let (operand, value) = self.source(cpu, place, src);
                (dst, operand, value)
            })
            .collect();
        for (dst, operand, value) in read {
            self.define_as(cpu, place, dst, Rule::Copy, smallvec![operand], 64, value);
        }
    }

    /// Numbers of more than 64 bits, floats and vectors: some function of what they are made from.
    fn note_other(&mut self, cpu: &Cpu<'_>, place: &Place<'_>, inst: &Inst) {
        let wide = |bits: u8| if bits > 64 { 2 } else { 1 };
        // Target slots with their first, and the runs that are read.
        let (dst, slots, reads): (Reg, u32, SmallVec<[(program::Operand, u32); 3]>) = match *inst {
            Inst::Wide { dst, a, b, .. } => (dst, 2, smallvec![(a, 2), (b, 2)]),
            Inst::Compare { dst, a, b, .. } => (dst, 1, smallvec![(a, 2), (b, 2)]),
            Inst::Cast {
                from, to, dst, a, ..
            } => (dst, wide(to), smallvec![(a, wide(from))]),
            Inst::Float { dst, a, b, .. } | Inst::FloatCompare { dst, a, b, .. } => {
                (dst, 1, smallvec![(a, 1), (b, 1)])
            }
            Inst::Extended { op, dst, a, b } => {
                let left = op.left_slots();
                (dst, op.result_slots(), smallvec![(a, left), (b, left)])
            }
            Inst::FloatNeg { dst, a, .. } | Inst::FloatCast { dst, a, .. } => {
                (dst, 1, smallvec![(a, 1)])
            }
            Inst::FloatToInt { dst, a, bits, .. } => (dst, wide(bits), smallvec![(a, 1)]),
            Inst::IntToFloat { dst, a, bits, .. } => (dst, 1, smallvec![(a, wide(bits))]),
            Inst::Extract {
                dst,
                src,
                index,
                lanes,
                stride,
            } => (
                dst,
                stride.into(),
                smallvec![(src, u32::from(lanes) * u32::from(stride)), (index, 1)],
            ),
            Inst::Insert {
                dst,
                value,
                index,
                lanes,
                stride,
            } => (
                dst,
                u32::from(lanes) * u32::from(stride),
                smallvec![(value, stride.into()), (index, 1)],
            ),
            Inst::Repack {
                dst,
                src,
                from,
                from_lanes,
                to,
                to_lanes,
            } => (
                dst,
                u32::from(to_lanes) * wide(to),
                smallvec![(src, u32::from(from_lanes) * wide(from))],
            ),
            _ => return,
        };
        let operands: Operands = reads
            .iter()
            .flat_map(|&(first, count)| (0..count).map(move |i| first.slot(i)))
            .map(|o| self.source(cpu, place, o).0)
            .collect();
        for i in 0..slots {
            let old = register(place.frame, dst + i);
            let mut operands = operands.clone();
            if matches!(inst, Inst::Insert { .. }) && self.values.contains_key(&old) {
                operands.push(Operand::Variable(old));
            }
            self.define(cpu, place, dst + i, Rule::Function, operands, (64, 64));
        }
    }

    fn note_intrinsic(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        (op, bits): (Intrinsic, u8),
        dst: Reg,
        args: u32,
        before: &Before,
    ) {
        use Intrinsic as I;
        let count = match op {
            I::SpinHint | I::VaEnd => return,
            I::VaStart | I::VaCopy => {
                self.note_changes(cpu, before);
                return;
            }
            I::TypeIdFor | I::ReturnAddress | I::FrameAddress | I::CycleCounter => 0,
            I::FunnelShiftLeft | I::FunnelShiftRight | I::FusedMulAdd => 3,
            I::SMax
            | I::SMin
            | I::UMax
            | I::UMin
            | I::SCmp
            | I::UCmp
            | I::SAddOverflow
            | I::UAddOverflow
            | I::SSubOverflow
            | I::USubOverflow
            | I::SMulOverflow
            | I::UMulOverflow
            | I::SAddSat
            | I::UAddSat
            | I::SSubSat
            | I::USubSat
            | I::SShlSat
            | I::UShlSat
            | I::FloatMin
            | I::FloatMax
            | I::CopySign
            | I::Pow
            | I::PowI
            | I::IsFpClass => 2,
            _ => 1,
        };
        let slots = if bits > 64 { 2 } else { 1 };
        let read = args as usize..args as usize + count * slots;
        let read = place.function.arguments.get(read).unwrap_or_default();
        let width = if bits > 64 || bits == 0 { 64 } else { bits };
        let operands: Operands = read
            .iter()
            .map(|o| self.operand(cpu, place, *o, width))
            .collect();
        let rule = match op {
            _ if bits > 64 => Rule::Function,
            I::SAddOverflow | I::UAddOverflow => Rule::Add,
            I::SSubOverflow | I::USubOverflow => Rule::Sub,
            I::SMulOverflow | I::UMulOverflow => Rule::Mul,
            _ if count == 0 => Rule::Input,
            _ => Rule::Function,
        };
        let result = if matches!(op, I::SCmp | I::UCmp) {
            64
        } else {
            width
        };
        for i in 0..slots as Reg {
            self.define(
                cpu,
                place,
                dst + i,
                rule,
                operands.clone(),
                (result, result),
            );
        }
        let overflows = matches!(
            op,
            I::SAddOverflow
                | I::UAddOverflow
                | I::SSubOverflow
                | I::USubOverflow
                | I::SMulOverflow
                | I::UMulOverflow
        );
        if overflows {
            let flag = dst + slots as Reg;
            self.define(cpu, place, flag, Rule::Function, operands, (1, 1));
        }
    }

    /// Control: the condition that decided, and what moves along the way taken.
    fn note_flow(&mut self, cpu: &Cpu<'_>, place: &Place<'_>, inst: &Inst) {
        let edge = match *inst {
            Inst::Jump { edge } => edge,
            Inst::Branch {
                cond,
                then,
                otherwise,
            } => {
                let holds = cpu.get(place.base, cond) & 1 == 1;
                let reach = self.branch(place);
                let cond = self.operand(cpu, place, cond, 1);
                let edge = if holds { then } else { otherwise };
                if self.joins[&place.id].ends_loop(place.pc, holds) {
                    let target = place.function.edges[edge as usize].target;
                    self.end_loop(place, cond, holds, target);
                } else {
                    self.condition(cond, holds, reach, place.own);
                }
                edge
            }
            Inst::Switch { value, bits, table } => self.note_switch(cpu, place, value, bits, table),
            _ => return,
        };
        let edge = place.function.edges[edge as usize];
        let copies = edge.first_copy as usize..(edge.first_copy + edge.copies) as usize;
        self.copy_run(cpu, place, place.function.copies[copies].iter().copied());
    }

    /// A condition that ends a loop is one for all that follows; its rounds are over.
    fn end_loop(&mut self, place: &Place<'_>, condition: Operand, holds: bool, target: Pc) {
        if matches!(condition, Operand::Constant(_)) {
            return;
        }
        let number = self.recording.statements.len() as u32;
        self.push(Effect::Condition {
            operand: condition,
            holds,
        });
        self.scopes.arrive(self.lane, place.frame, target);
        self.scopes.open(
            self.lane,
            Scope {
                condition: number,
                reach: Reach::Branch {
                    frame: place.frame,
                    join: None,
                },
                own: place.own,
            },
        );
    }

    fn branch(&mut self, place: &Place<'_>) -> Reach {
        let joins = self
            .joins
            .entry(place.id)
            .or_insert_with(|| super::Joins::of(place.function));
        Reach::Branch {
            frame: place.frame,
            join: joins.at(place.pc),
        }
    }

    fn note_switch(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        value: program::Operand,
        bits: u8,
        table: u32,
    ) -> EdgeId {
        let table = &place.function.switches[table as usize];
        let bits_of_value = cpu.get_sized(place.base, value, bits);
        let case = table
            .cases
            .binary_search_by_key(&bits_of_value, |c| c.0)
            .ok();
        let reach = self.branch(place);
        let operand = self.operand(cpu, place, value, bits.min(64));
        let compared: Vec<i64> = match case {
            Some(at) => vec![extend(table.cases[at].0 as u64, bits)],
            None => table
                .cases
                .iter()
                .map(|c| extend(c.0 as u64, bits))
                .collect(),
        };
        if bits > 64 || compared.len() > MAX_CASES {
            let decided = self.temporary();
            self.assign(decided, Rule::Function, smallvec![operand], 1, 1);
            self.condition(Operand::Variable(decided), true, reach, place.own);
        } else {
            for other in compared {
                let equal = self.temporary();
                let operands = smallvec![operand, Operand::Constant(other)];
                let truth = i64::from(case.is_some());
                self.assign(equal, Rule::Compare(Relation::Eq), operands, bits, truth);
                self.condition(Operand::Variable(equal), case.is_some(), reach, place.own);
            }
        }
        case.map_or(table.default, |at| table.cases[at].1)
    }
}

fn arithmetic(op: IntOp, operands: Operands) -> (Rule, Operands) {
    let rule = match op {
        IntOp::Add => Rule::Add,
        IntOp::Sub => Rule::Sub,
        IntOp::Mul => Rule::Mul,
        IntOp::And => Rule::And,
        IntOp::Or => Rule::Or,
        IntOp::Xor => Rule::Xor,
        IntOp::Shl => match operands[..] {
            [a, Operand::Constant(by @ 0..62)] => {
                return (Rule::Mul, smallvec![a, Operand::Constant(1 << by)]);
            }
            _ => Rule::Function,
        },
        _ => Rule::Function,
    };
    (rule, operands)
}

pub(super) fn relation(op: Compare) -> Relation {
    match op {
        Compare::Eq => Relation::Eq,
        Compare::Ne => Relation::Ne,
        Compare::Ugt => Relation::Ugt,
        Compare::Uge => Relation::Uge,
        Compare::Ult => Relation::Ult,
        Compare::Ule => Relation::Ule,
        Compare::Sgt => Relation::Gt,
        Compare::Sge => Relation::Ge,
        Compare::Slt => Relation::Lt,
        Compare::Sle => Relation::Le,
    }
}
