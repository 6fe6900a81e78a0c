//! Inline assembly: the x86-64 instructions with which C libraries spell atomics and fences.
//!
//! Concurrency Kit, userspace RCU and their like write `lock; cmpxchgq $2, $1` where newer code uses C11 atomics. The few instructions
//! they use are turned into the machine's own; everything else is refused by name when it is reached. Loads and stores
//! are acquire and release, locked instructions sequentially consistent, as the processor guarantees them (Sewell et al.,
//! "x86-TSO: A Rigorous and Usable Programmer's Model for x86 Multiprocessors").

mod operate;
mod syntax;

use super::function::FunctionDecoder;
use super::shape::{Scalar, scalar};
use crate::llvm::opcode::TypeKind;
use crate::llvm::value::Value;
use crate::program::{Inst, IntOp, Intrinsic, MemoryOrder, Operand, Reg};
use std::collections::BTreeMap;
use syntax::{Place, Slot, State, from_intel, named_register, place, quoted, split_operands};

impl<'m> FunctionDecoder<'_, 'm> {
    /// Decodes a call of inline assembly, or refuses it.
    pub(super) fn assembly(&mut self, i: Value<'m>, dst: Reg) {
        let text = i.called().print();
        let mut quoted = quoted(&text);
        let template = quoted.next().unwrap_or_default();
        let constraints = quoted.next().unwrap_or_default();
        if self.translate(i, dst, &template, &constraints).is_none() {
            self.unsupported(&format!(
                "the inline assembly `{template}` with operands `{constraints}`"
            ));
        }
    }

    fn translate(
        &mut self,
        i: Value<'m>,
        dst: Reg,
        template: &str,
        constraints: &str,
    ) -> Option<()> {
        let outputs = output_types(i);
        let (mut state, results) = self.bind(i, constraints)?;
        let mut locked = false;
        let statements = template
            .split([';', '\n'])
            .map(str::trim)
            .filter(|s| !s.is_empty());
        let mut count = 0;
        for statement in statements {
            count += 1;
            let (mnemonic, rest) = statement
                .split_once(char::is_whitespace)
                .unwrap_or((statement, ""));
            match mnemonic {
                "lock" if rest.is_empty() => locked = true,
                "lock" => {
                    let (mnemonic, rest) = rest.trim().split_once(char::is_whitespace)?;
                    self.statement(mnemonic, rest, true, &mut state)?;
                }
                "rep" => self.spin_hint(),
                _ => {
                    self.statement(mnemonic, rest, locked, &mut state)?;
                    locked = false;
                }
            }
        }
        if count == 0 {
            self.push(Inst::Fence {
                order: MemoryOrder::SeqCst,
                compiler_only: true,
            });
        }
        let mut at = dst;
        for (name, bits) in results.into_iter().zip(outputs) {
            let value = if name.starts_with("@cc") {
                if name != "@ccz" && name != "@cce" {
                    return None;
                }
                state.zero?
            } else {
                state.registers.get(&name)?.0
            };
            self.push(Inst::Copy {
                dst: at,
                src: value,
                count: bits.div_ceil(64),
            });
            at += bits.div_ceil(64);
        }
        Some(())
    }

    /// What each operand of the template stands for at the start, and the registers that are results, in order.
    fn bind(&mut self, i: Value<'m>, constraints: &str) -> Option<(State, Vec<String>)> {
        let mut arguments = i.arguments().into_iter();
        let mut state = State {
            slots: Vec::new(),
            registers: BTreeMap::new(),
            zero: None,
        };
        let mut results = Vec::new();
        for constraint in constraints.split(',') {
            let index = state.slots.len();
            if constraint.starts_with('~') {
                continue;
            }
            let output = constraint.strip_prefix('=');
            let body = output.unwrap_or(constraint).trim_start_matches('&');
            if body.starts_with('*') {
                let address = self.operand(arguments.next()?);
                state.slots.push(Slot::Memory(address));
                continue;
            }
            let name = named_register(body).unwrap_or_else(|| format!("${index}"));
            if output.is_some() {
                results.push(name.clone());
                state.slots.push(Slot::Register(name));
                continue;
            }
            let argument = arguments.next()?;
            let bits = scalar(argument.ty()).map(Scalar::bits)?;
            let value = self.operand(argument);
            // A number ties the input to that output: they share a register.
            let name = match body.parse::<usize>() {
                Ok(tied) => match state.slots.get(tied)? {
                    Slot::Register(name) => name.clone(),
                    Slot::Memory(_) => return None,
                },
                Err(_) => name,
            };
            state.registers.insert(name.clone(), (value, bits));
            state.slots.push(Slot::Register(name));
        }
        Some((state, results))
    }

    fn spin_hint(&mut self) {
        let args = self.arguments([]);
        let dst = self.fresh(1);
        self.push(Inst::Intrinsic {
            op: Intrinsic::SpinHint,
            bits: 0,
            dst,
            args,
        });
    }

    /// One instruction.
    fn statement(
        &mut self,
        mnemonic: &str,
        rest: &str,
        locked: bool,
        state: &mut State,
    ) -> Option<()> {
        let translated = from_intel(mnemonic, rest);
        let (mnemonic, rest) = translated
            .as_ref()
            .map_or((mnemonic, rest), |(m, r)| (m.as_str(), r.as_str()));
        let fence = |order| Inst::Fence {
            order,
            compiler_only: false,
        };
        match mnemonic {
            "mfence" => self.push(fence(MemoryOrder::SeqCst)),
            "lfence" => self.push(fence(MemoryOrder::Acquire)),
            "sfence" => self.push(fence(MemoryOrder::Release)),
            "pause" => self.spin_hint(),
            "nop" | "prefetchw" | "prefetcht0" => {}
            "ud2" | "int3" => self.push(Inst::Unreachable { trap: true }),
            "rdtsc" | "rdtscp" => {
                let clock = self.fresh(1);
                let args = self.arguments([]);
                self.push(Inst::Intrinsic {
                    op: Intrinsic::CycleCounter,
                    bits: 64,
                    dst: clock,
                    args,
                });
                let (low, high) = (self.fresh(1), self.fresh(1));
                let (mask, half) = (self.number(u64::from(u32::MAX)), self.number(32));
                for (op, dst, b) in [(IntOp::And, low, mask), (IntOp::LShr, high, half)] {
                    let a = Operand::reg(clock);
                    self.push(Inst::Int {
                        op,
                        bits: 64,
                        dst,
                        a,
                        b,
                    });
                }
                for (name, value) in [("ax", Operand::reg(low)), ("dx", Operand::reg(high))] {
                    state.registers.insert(name.to_owned(), (value, 32));
                }
                if mnemonic == "rdtscp" {
                    // Which processor it is: the first.
                    let zero = self.number(0);
                    state.registers.insert("cx".to_owned(), (zero, 32));
                }
            }
            "cpuid" => {
                // No feature is there, so that libraries take their portable code.
                let zero = self.number(0);
                for name in ["ax", "bx", "cx", "dx"] {
                    state.registers.insert(name.to_owned(), (zero, 32));
                }
            }
            _ => {
                let operands: Vec<Place> = split_operands(rest)
                    .map(|o| place(o, state))
                    .collect::<Option<_>>()?;
                return self.operate(mnemonic, &operands, locked, state);
            }
        }
        Some(())
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
