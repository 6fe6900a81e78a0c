//! Calls, and inline assembly as far as it says nothing to the machine.

use super::function::FunctionDecoder;
use super::index;
use crate::llvm::opcode::{Opcode, ValueKind};
use crate::llvm::value::Value;
use crate::program::{EdgeId, Inst, Intrinsic, MemoryOrder, Operand, Reg};

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

    fn assembly(&mut self, i: Value<'m>, dst: Reg) {
        let text = i.called().print();
        let template = quoted(&text).unwrap_or_default();
        match template.trim() {
            // A barrier for the compiler, or a value hidden from it.
            "" => {
                let arguments = i.arguments();
                let count = self.slots(i.ty());
                if let Some(&hidden) = arguments.first().filter(|a| a.ty() == i.ty()) {
                    let src = self.operand(hidden);
                    self.push(Inst::Copy { dst, src, count });
                } else if count == 0 {
                    self.push(Inst::Fence {
                        order: MemoryOrder::SeqCst,
                        compiler_only: true,
                    });
                } else {
                    self.unsupported(&format!("the inline assembly `{text}`"));
                }
            }
            "pause" | "rep; nop" | "rep nop" | "rep;nop" | "rep; nop;" | "pause;" => {
                let args = self.arguments([]);
                self.push(Inst::Intrinsic {
                    op: Intrinsic::SpinHint,
                    bits: 0,
                    dst,
                    args,
                });
            }
            "mfence" | "mfence;" => self.push(Inst::Fence {
                order: MemoryOrder::SeqCst,
                compiler_only: false,
            }),
            "lfence" | "lfence;" => self.push(Inst::Fence {
                order: MemoryOrder::Acquire,
                compiler_only: false,
            }),
            "sfence" | "sfence;" => self.push(Inst::Fence {
                order: MemoryOrder::Release,
                compiler_only: false,
            }),
            _ => self.unsupported(&format!("the inline assembly `{template}`")),
        }
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

/// The first text in quotes: the template of inline assembly. LLVM escapes quotes and control characters as `\22`.
fn quoted(text: &str) -> Option<String> {
    let start = text.find('"')? + 1;
    let length = text[start..].find('"')?;
    let mut out = String::new();
    let mut rest = text[start..start + length].chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let digits: String = rest.by_ref().take(2).collect();
        out.push(u8::from_str_radix(&digits, 16).map_or('\\', char::from));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn templates_are_unescaped() {
        let text = r#"ptr asm sideeffect "lock; addl $$0\0A\09nop", "~{memory}""#;
        assert_eq!(quoted(text).as_deref(), Some("lock; addl $$0\n\tnop"));
        assert_eq!(quoted("no quotes"), None);
    }
}
