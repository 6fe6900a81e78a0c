//! Calls.

use super::function::FunctionDecoder;
use super::index;
use crate::llvm::opcode::{Opcode, ValueKind};
use crate::llvm::value::Value;
use crate::program::{EdgeId, Inst, Operand, Reg};

impl<'m> FunctionDecoder<'_, 'm> {
    pub(super) fn call(&mut self, i: Value<'m>, dst: Reg, unwind: EdgeId) {
        let called = strip(i.called());
        if called.kind() == ValueKind::InlineAsm {
            return self.assembly(i, dst);
        }
        if called.kind() == ValueKind::Function && called.name().starts_with("llvm.") {
            return self.intrinsic(i, &called.name(), dst);
        }
        let mut slots = Vec::new();
        for argument in i.arguments() {
            let operand = self.operand(argument);
            let count = self.slots(argument.ty());
            slots.extend((0..count).map(|n| operand.slot(n)));
        }
        let Ok(count) = u16::try_from(slots.len()) else {
            return self.unsupported_instruction(i);
        };
        let args = self.arguments(slots);
        if let Some(&callee) = self.decoder.functions.get(&called) {
            self.push(Inst::Call {
                callee,
                args,
                count,
                dst,
                unwind,
            });
        } else {
            let callee = self.operand(called);
            self.push(Inst::CallIndirect {
                callee,
                args,
                count,
                dst,
                unwind,
            });
        }
    }

    /// Keeps `slots` as arguments; tells where they start.
    pub(super) fn arguments(&mut self, slots: impl IntoIterator<Item = Operand>) -> u32 {
        let first = index(self.out.arguments.len());
        self.out.arguments.extend(slots);
        first
    }
}

/// Looks through aliases and casts of a function.
fn strip(mut value: Value<'_>) -> Value<'_> {
    loop {
        value = match value.kind() {
            ValueKind::GlobalAlias => value.aliasee(),
            ValueKind::ConstantExpr if value.opcode() == Some(Opcode::BitCast) => value.operand(0),
            _ => return value,
        };
    }
}
