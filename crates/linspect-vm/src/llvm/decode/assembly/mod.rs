//! Inline assembly: the x86-64 instructions with which libraries spell atomics, fences and questions to the processor.
//!
//! Concurrency Kit, userspace RCU and their like write `lock; cmpxchgq $2, $1` where newer code uses C11 atomics; portable-atomic writes
//! loops around `cmpxchg16b`. The instructions on whole numbers, with jumps, are turned into the machine's own; everything else is refused by
//! name when it is reached. Loads and stores are acquire and release, locked instructions sequentially consistent, as the processor guarantees
//! them (Sewell et al., "x86-TSO: A Rigorous and Usable Programmer's Model for x86 Multiprocessors").
//!
//! Every register of the processor that a template names is a register of the function for as long as the template runs; flags are kept only if something asks for them.

mod access;
mod bits;
mod flags;
mod operate;
mod processor;
mod syntax;

use super::function::FunctionDecoder;
use super::index;
use super::shape::{Scalar, scalar};
use crate::llvm::opcode::TypeKind;
use crate::llvm::value::Value;
use crate::program::{Edge, EdgeId, Inst, IntCast, MemoryOrder, Operand, Pc, Reg};
use flags::{Flags, condition};
use std::collections::BTreeMap;
use syntax::{Dialect, Line, Slot, lines, named_register, quoted};

/// What a template works on.
struct Block {
    /// Where each register of the processor, or of the template, is kept.
    cells: BTreeMap<String, Reg>,
    flags: Flags,
    /// Values that were pushed and not popped.
    stack: Vec<Reg>,
    /// Labels that were passed, with the height of the stack there.
    labels: Vec<(String, Pc, usize)>,
    /// Jumps: the edge, the label, how many labels stood before it, the height of the stack.
    jumps: Vec<(EdgeId, String, usize, usize)>,
}

/// What the operands of a template stand for at the start.
struct Bound {
    slots: Vec<Slot>,
    inputs: Vec<(String, Operand, u32)>,
    /// The registers that are results, in order.
    results: Vec<String>,
}

impl<'m> FunctionDecoder<'_, 'm> {
    /// Decodes a call of inline assembly, or refuses it.
    pub(super) fn assembly(&mut self, i: Value<'m>, dst: Reg) {
        let text = i.called().print();
        let mut parts = quoted(&text);
        let template = parts.next().unwrap_or_default();
        let constraints = parts.next().unwrap_or_default();
        let dialect = match text.split('"').next() {
            Some(head) if head.contains("inteldialect") => Dialect::Intel,
            _ => Dialect::Att,
        };
        let (code, edges) = (self.out.code.len(), self.out.edges.len());
        let translated = self
            .bind(i, &constraints)
            .ok_or_else(|| format!("operands `{constraints}`"))
            .and_then(|bound| self.translate(i, dst, &template, dialect, &bound));
        if let Err(refused) = translated {
            self.out.code.truncate(code);
            self.out.sites.truncate(code);
            self.out.edges.truncate(edges);
            let whole = template.split_whitespace().collect::<Vec<_>>().join(" ");
            let of = if whole == refused {
                String::new()
            } else {
                format!(" in `{whole}`")
            };
            self.unsupported(&format!("the inline assembly `{refused}`{of}"));
        }
    }

    fn translate(
        &mut self,
        i: Value<'m>,
        dst: Reg,
        template: &str,
        dialect: Dialect,
        bound: &Bound,
    ) -> Result<(), String> {
        let lines = lines(template, dialect, &bound.slots)?;
        if lines.is_empty() {
            self.push(Inst::Fence {
                order: MemoryOrder::SeqCst,
                compiler_only: true,
            });
        }
        let mut block = self.block_of(&lines, bound);
        for line in &lines {
            match line {
                Line::Label(name) => {
                    let at = index(self.out.code.len());
                    block.labels.push((name.clone(), at, block.stack.len()));
                }
                Line::Instruction(statement) => self
                    .statement(statement, &mut block)
                    .ok_or_else(|| statement.text.clone())?,
            }
        }
        self.connect(&block)?;
        let mut at = dst;
        for (name, bits) in bound.results.iter().zip(output_types(i)) {
            let count = bits.div_ceil(64);
            let src = match name.strip_prefix("@cc") {
                Some(suffix) => condition(suffix)
                    .and_then(|asked| self.holds(block.flags, asked))
                    .ok_or_else(|| name.clone())?,
                None => {
                    let cell = block.cells.get(name).ok_or_else(|| name.clone())?;
                    self.narrow(Operand::reg(*cell), bits)
                }
            };
            self.push(Inst::Copy {
                dst: at,
                src,
                count,
            });
            at += count;
        }
        Ok(())
    }

    /// What each operand of the template stands for at the start.
    fn bind(&mut self, i: Value<'m>, constraints: &str) -> Option<Bound> {
        let mut arguments = i.arguments().into_iter();
        let mut outputs = output_types(i).into_iter();
        let mut bound = Bound {
            slots: Vec::new(),
            inputs: Vec::new(),
            results: Vec::new(),
        };
        for constraint in constraints.split(',') {
            let number = bound.slots.len();
            if constraint.starts_with('~') || constraint.is_empty() {
                continue;
            }
            let output = constraint.strip_prefix('=');
            let body = output.unwrap_or(constraint).trim_start_matches('&');
            if body.starts_with('*') {
                let address = self.operand(arguments.next()?);
                bound.slots.push(Slot::Memory(address));
                continue;
            }
            let name = named_register(body).unwrap_or_else(|| format!("${number}"));
            if output.is_some() {
                bound.results.push(name.clone());
                bound.slots.push(Slot::Register(name, outputs.next()?));
                continue;
            }
            let argument = arguments.next()?;
            let bits = scalar(argument.ty()).map(Scalar::bits)?;
            let value = self.operand(argument);
            // A number ties the input to that output: they share a register.
            let name = match body.parse::<usize>() {
                Ok(tied) => match bound.slots.get(tied)? {
                    Slot::Register(name, _) => name.clone(),
                    Slot::Memory(_) => return None,
                },
                Err(_) => name,
            };
            bound.inputs.push((name.clone(), value, bits));
            bound.slots.push(Slot::Register(name, bits));
        }
        Some(bound)
    }

    /// Registers and flags as they are before the first line. What the template does not say is 0.
    fn block_of(&mut self, lines: &[Line], bound: &Bound) -> Block {
        let mut cells = BTreeMap::new();
        let wide = |bits: &u32| bits.div_ceil(64);
        for (name, value, bits) in &bound.inputs {
            let (dst, count) = (self.fresh(wide(bits)), wide(bits));
            self.push(Inst::Copy {
                dst,
                src: *value,
                count,
            });
            cells.insert(name.clone(), dst);
        }
        let outputs = bound.slots.iter().filter_map(|slot| match slot {
            Slot::Register(name, bits) => Some((name.clone(), wide(bits))),
            Slot::Memory(_) => None,
        });
        let named = lines.iter().flat_map(|line| match line {
            Line::Instruction(statement) => processor::registers(statement),
            Line::Label(_) => Vec::new(),
        });
        let needed: Vec<(String, u32)> = outputs.chain(named.map(|name| (name, 1))).collect();
        for (name, count) in needed {
            if name.starts_with("@cc") || cells.contains_key(&name) {
                continue;
            }
            let (dst, zero) = (self.fresh(count), self.number(0));
            for slot in 0..count {
                self.push(Inst::Copy {
                    dst: dst + slot,
                    src: zero,
                    count: 1,
                });
            }
            cells.insert(name, dst);
        }
        Block {
            cells,
            flags: self.flags(lines, &bound.results),
            stack: Vec::new(),
            labels: Vec::new(),
            jumps: Vec::new(),
        }
    }

    /// An edge whose target is not known yet.
    fn open_edge(&mut self) -> EdgeId {
        let id = index(self.out.edges.len());
        self.out.edges.push(Edge {
            target: 0,
            first_copy: index(self.out.copies.len()),
            copies: 0,
        });
        id
    }

    /// Leads every jump to its label.
    fn connect(&mut self, block: &Block) -> Result<(), String> {
        for (edge, to, before, height) in &block.jumps {
            let (passed, ahead) = block.labels.split_at(*before);
            let numbered = |text: &str, direction| {
                let number = text.strip_suffix(direction)?;
                number.parse::<u32>().is_ok().then(|| number.to_owned())
            };
            let found = if let Some(number) = numbered(to, 'b') {
                passed.iter().rev().find(|label| label.0 == number)
            } else if let Some(number) = numbered(to, 'f') {
                ahead.iter().find(|label| label.0 == number)
            } else {
                block.labels.iter().find(|label| label.0 == *to)
            };
            let target = found.filter(|label| label.2 == *height);
            self.out.edges[*edge as usize].target = target.ok_or_else(|| to.clone())?.1;
        }
        Ok(())
    }

    /// The low `bits` of a register of the processor.
    fn narrow(&mut self, value: Operand, bits: u32) -> Operand {
        let Ok(to @ 0..64) = u8::try_from(bits) else {
            return value;
        };
        let dst = self.fresh(1);
        self.push(Inst::Cast {
            op: IntCast::Trunc,
            from: 64,
            to,
            dst,
            a: value,
        });
        Operand::reg(dst)
    }
}

/// Widths of the values that the assembly gives back.
fn output_types(i: Value<'_>) -> Vec<u32> {
    let ty = i.ty();
    let types = if ty.kind() == TypeKind::Struct {
        ty.fields()
    } else {
        vec![ty]
    };
    types
        .into_iter()
        .filter_map(|t| scalar(t).map(Scalar::bits))
        .collect()
}
