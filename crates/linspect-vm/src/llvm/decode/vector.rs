//! Parts of aggregates and vectors.

use super::constant::integer;
use super::function::FunctionDecoder;
use super::shape::lanes;
use crate::llvm::opcode::{TypeKind, ValueKind};
use crate::llvm::types::Type;
use crate::llvm::value::Value;
use crate::program::{Inst, Operand, Reg};

impl<'m> FunctionDecoder<'_, 'm> {
    /// The first slot of the part that `indices` lead to, and its type.
    fn part(&mut self, mut ty: Type<'m>, indices: &[u32]) -> (u32, Type<'m>) {
        let mut slot = 0;
        for &at in indices {
            if ty.kind() == TypeKind::Struct {
                let fields = ty.fields();
                slot += fields[..at as usize]
                    .iter()
                    .map(|&f| self.slots(f))
                    .sum::<u32>();
                ty = fields[at as usize];
            } else {
                ty = ty.element();
                slot += at * self.slots(ty);
            }
        }
        (slot, ty)
    }

    pub(super) fn extract_value(&mut self, i: Value<'m>, dst: Reg) {
        let src = self.operand(i.operand(0));
        let (slot, ty) = self.part(i.operand(0).ty(), &i.indices());
        let count = self.slots(ty);
        self.push(Inst::Copy {
            dst,
            src: src.slot(slot),
            count,
        });
    }

    pub(super) fn insert_value(&mut self, i: Value<'m>, dst: Reg) {
        let src = self.operand(i.operand(0));
        let value = self.operand(i.operand(1));
        let (slot, ty) = self.part(i.ty(), &i.indices());
        let (all, count) = (self.slots(i.ty()), self.slots(ty));
        self.push(Inst::Copy {
            dst,
            src,
            count: all,
        });
        self.push(Inst::Copy {
            dst: dst + slot,
            src: value,
            count,
        });
    }

    pub(super) fn extract_element(&mut self, i: Value<'m>, dst: Reg) {
        let Some((scalar, count)) = lanes(i.operand(0).ty()) else {
            return self.unsupported_instruction(i);
        };
        let src = self.operand(i.operand(0));
        let stride = scalar.slots();
        if let Some(lane) = constant_lane(i.operand(1), count) {
            return self.push(Inst::Copy {
                dst,
                src: src.slot(lane * stride),
                count: stride,
            });
        }
        let index = self.operand(i.operand(1));
        self.push(Inst::Extract {
            dst,
            src,
            index,
            lanes: count as u16,
            stride: stride as u8,
        });
    }

    pub(super) fn insert_element(&mut self, i: Value<'m>, dst: Reg) {
        let Some((scalar, count)) = lanes(i.ty()) else {
            return self.unsupported_instruction(i);
        };
        let src = self.operand(i.operand(0));
        let value = self.operand(i.operand(1));
        let stride = scalar.slots();
        self.push(Inst::Copy {
            dst,
            src,
            count: count * stride,
        });
        if let Some(lane) = constant_lane(i.operand(2), count) {
            return self.push(Inst::Copy {
                dst: dst + lane * stride,
                src: value,
                count: stride,
            });
        }
        let index = self.operand(i.operand(2));
        self.push(Inst::Insert {
            dst,
            value,
            index,
            lanes: count as u16,
            stride: stride as u8,
        });
    }

    pub(super) fn shuffle(&mut self, i: Value<'m>, dst: Reg) {
        let Some((scalar, count)) = lanes(i.operand(0).ty()) else {
            return self.unsupported_instruction(i);
        };
        let (a, b) = (self.operand(i.operand(0)), self.operand(i.operand(1)));
        let stride = scalar.slots();
        for (at, lane) in (0_u32..).zip(i.mask()) {
            let src: Operand = match lane {
                Some(lane) if lane < count => a.slot(lane * stride),
                Some(lane) => b.slot((lane - count) * stride),
                None => continue,
            };
            self.push(Inst::Copy {
                dst: dst + at * stride,
                src,
                count: stride,
            });
        }
    }
}

/// The lane a constant index names, if it is one and there is such a lane.
fn constant_lane(index: Value<'_>, lanes: u32) -> Option<u32> {
    if index.kind() != ValueKind::ConstantInt {
        return None;
    }
    u32::try_from(integer(index)?)
        .ok()
        .filter(|&lane| lane < lanes)
}
