//! Inline assembly: the x86-64 instructions with which C libraries spell atomics and fences.
//!
//! Concurrency Kit, userspace RCU and their like write `lock; cmpxchgq $2, $1` where newer code uses C11 atomics. The few instructions
//! they use are turned into the machine's own; everything else is refused by name when it is reached. Loads and stores
//! are acquire and release, locked instructions sequentially consistent, as the processor guarantees them (Sewell et al.,
//! "x86-TSO: A Rigorous and Usable Programmer's Model for x86 Multiprocessors").

use super::function::FunctionDecoder;
use super::shape::{Scalar, scalar};
use crate::llvm::opcode::TypeKind;
use crate::llvm::value::Value;
use crate::program::{
    AtomicOp, Compare, Inst, IntCast, IntOp, Intrinsic, MemoryOrder, Operand, Reg,
};
use std::collections::BTreeMap;

/// One operand of an assembly template, `$0`, `$1`, …
#[derive(Clone, Debug, PartialEq, Eq)]
enum Slot {
    /// Memory at this address.
    Memory(Operand),
    /// A register: what it holds is kept under this name.
    Register(String),
}

/// What the instructions have done so far.
struct State {
    slots: Vec<Slot>,
    registers: BTreeMap<String, (Operand, u32)>,
    /// The zero flag, 0 or 1.
    zero: Option<Operand>,
}

/// An operand of one instruction.
enum Place {
    Memory(Operand),
    Register(String),
    Number(u64),
}

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

    /// An instruction with operands, source first.
    fn operate(
        &mut self,
        mnemonic: &str,
        operands: &[Place],
        locked: bool,
        state: &mut State,
    ) -> Option<()> {
        use Place::{Memory, Register};
        if let ("setz" | "sete" | "setnz" | "setne", [target]) = (mnemonic, operands) {
            return self.set_flag(mnemonic, target, state);
        }
        if let ("cmpxchg16b", [Memory(addr)]) = (mnemonic, operands) {
            return self.exchange_16(*addr, state);
        }
        let (base, bits) = sized(mnemonic, operands, state)?;
        match (base, operands) {
            ("mov", [Memory(addr), Register(to)]) => {
                let dst = self.fresh(1);
                self.push(Inst::Load {
                    dst,
                    addr: *addr,
                    bits,
                    order: MemoryOrder::Acquire,
                    volatile: true,
                });
                state
                    .registers
                    .insert(to.clone(), (Operand::reg(dst), bits.into()));
            }
            ("mov", [from, Memory(addr)]) => {
                let value = self.source(from, state)?;
                self.push(Inst::Store {
                    addr: *addr,
                    value,
                    bits,
                    order: MemoryOrder::Release,
                    volatile: true,
                });
            }
            ("mov", [from, Register(to)]) => {
                let value = self.source(from, state)?;
                state.registers.insert(to.clone(), (value, bits.into()));
            }
            ("xchg", [Memory(addr), Register(with)] | [Register(with), Memory(addr)]) => {
                let value = state.registers.get(with)?.0;
                let old = self.update(AtomicOp::Xchg, *addr, value, bits);
                state.registers.insert(with.clone(), (old, bits.into()));
            }
            ("xadd", [Register(by), Memory(addr)]) if locked => {
                let value = state.registers.get(by)?.0;
                let old = self.update(AtomicOp::Add, *addr, value, bits);
                state.registers.insert(by.clone(), (old, bits.into()));
            }
            ("cmpxchg", [new, Memory(addr)]) if locked => {
                let new = self.source(new, state)?;
                let expected = state.registers.get("ax")?.0;
                let dst = self.exchange(*addr, expected, new, bits);
                state
                    .registers
                    .insert("ax".to_owned(), (Operand::reg(dst), bits.into()));
                state.zero = Some(Operand::reg(dst + 1));
            }
            ("inc" | "dec" | "not", [Memory(addr)]) if locked => {
                let (op, by) = match base {
                    "inc" => (IntOp::Add, 1),
                    "dec" => (IntOp::Sub, 1),
                    _ => (IntOp::Xor, u64::MAX >> (64 - u32::from(bits))),
                };
                let by = self.number(by);
                self.locked(op, *addr, by, bits, state)?;
            }
            ("add" | "sub" | "and" | "or" | "xor", [by, Memory(addr)]) if locked => {
                let op = match base {
                    "add" => IntOp::Add,
                    "sub" => IntOp::Sub,
                    "and" => IntOp::And,
                    "or" => IntOp::Or,
                    _ => IntOp::Xor,
                };
                let by = self.source(by, state)?;
                self.locked(op, *addr, by, bits, state)?;
            }
            ("bsr" | "bsf", [from, Register(to)]) if bits <= 64 => {
                let value = self.source(from, state)?;
                let at = self.scan(base == "bsr", value, bits, state);
                state.registers.insert(to.clone(), (at, bits.into()));
            }
            _ => return None,
        }
        Some(())
    }

    /// The position of the highest or lowest bit that is set; of 0, which the processor leaves open, some number.
    fn scan(&mut self, highest: bool, value: Operand, bits: u8, state: &mut State) -> Operand {
        let (count, flag) = (self.fresh(1), self.fresh(1));
        let op = if highest {
            Intrinsic::CountLeadingZeros
        } else {
            Intrinsic::CountTrailingZeros
        };
        let args = self.arguments([value]);
        self.push(Inst::Intrinsic {
            op,
            bits,
            dst: count,
            args,
        });
        if highest {
            let last = self.number(u64::from(bits) - 1);
            self.push(Inst::Int {
                op: IntOp::Sub,
                bits,
                dst: count,
                a: last,
                b: Operand::reg(count),
            });
        }
        let zero = self.number(0);
        self.push(Inst::Compare {
            op: Compare::Eq,
            bits,
            dst: flag,
            a: value,
            b: zero,
        });
        state.zero = Some(Operand::reg(flag));
        Operand::reg(count)
    }

    fn source(&mut self, place: &Place, state: &State) -> Option<Operand> {
        match place {
            Place::Register(name) => state.registers.get(name).map(|r| r.0),
            Place::Number(number) => Some(self.number(*number)),
            Place::Memory(_) => None,
        }
    }

    fn update(&mut self, op: AtomicOp, addr: Operand, value: Operand, bits: u8) -> Operand {
        let dst = self.fresh(1);
        self.push(Inst::AtomicUpdate {
            op,
            dst,
            addr,
            value,
            bits,
            order: MemoryOrder::SeqCst,
            discards: false,
        });
        Operand::reg(dst)
    }

    /// A locked arithmetic instruction: sets the zero flag from its result.
    fn locked(
        &mut self,
        op: IntOp,
        addr: Operand,
        by: Operand,
        bits: u8,
        state: &mut State,
    ) -> Option<()> {
        let atomic = match op {
            IntOp::Add => AtomicOp::Add,
            IntOp::Sub => AtomicOp::Sub,
            IntOp::And => AtomicOp::And,
            IntOp::Or => AtomicOp::Or,
            IntOp::Xor => AtomicOp::Xor,
            _ => return None,
        };
        let old = self.update(atomic, addr, by, bits);
        let (new, flag) = (self.fresh(1), self.fresh(1));
        let zero = self.number(0);
        self.push(Inst::Int {
            op,
            bits,
            dst: new,
            a: old,
            b: by,
        });
        self.push(Inst::Compare {
            op: Compare::Eq,
            bits,
            dst: flag,
            a: Operand::reg(new),
            b: zero,
        });
        state.zero = Some(Operand::reg(flag));
        Some(())
    }

    /// A compare-exchange; gives the register of the old value, which the flag follows.
    fn exchange(&mut self, addr: Operand, expected: Operand, new: Operand, bits: u8) -> Reg {
        let dst = self.fresh(u32::from(bits).div_ceil(64) + 1);
        self.push(Inst::CompareExchange {
            dst,
            addr,
            expected,
            new,
            bits,
            success: MemoryOrder::SeqCst,
            failure: MemoryOrder::SeqCst,
            weak: false,
        });
        dst
    }

    /// `cmpxchg16b`: dx:ax against memory, cx:bx into it.
    fn exchange_16(&mut self, addr: Operand, state: &mut State) -> Option<()> {
        let mut pair = |low: &str, high: &str| {
            let (low, high) = (state.registers.get(low)?.0, state.registers.get(high)?.0);
            let run = self.fresh(2);
            self.push(Inst::Copy {
                dst: run,
                src: low,
                count: 1,
            });
            self.push(Inst::Copy {
                dst: run + 1,
                src: high,
                count: 1,
            });
            Some(Operand::reg(run))
        };
        let (expected, new) = (pair("ax", "dx")?, pair("bx", "cx")?);
        let dst = self.exchange(addr, expected, new, 128);
        state
            .registers
            .insert("ax".to_owned(), (Operand::reg(dst), 64));
        state
            .registers
            .insert("dx".to_owned(), (Operand::reg(dst + 1), 64));
        state.zero = Some(Operand::reg(dst + 2));
        Some(())
    }

    fn set_flag(&mut self, mnemonic: &str, target: &Place, state: &mut State) -> Option<()> {
        let mut flag = state.zero?;
        if mnemonic.starts_with("setn") {
            let (dst, one) = (self.fresh(1), self.number(1));
            self.push(Inst::Int {
                op: IntOp::Xor,
                bits: 1,
                dst,
                a: flag,
                b: one,
            });
            flag = Operand::reg(dst);
        }
        match target {
            Place::Register(name) => {
                state.registers.insert(name.clone(), (flag, 8));
            }
            Place::Memory(addr) => {
                let dst = self.fresh(1);
                self.push(Inst::Cast {
                    op: IntCast::ZExt,
                    from: 1,
                    to: 8,
                    dst,
                    a: flag,
                });
                let (value, order) = (Operand::reg(dst), MemoryOrder::Plain);
                self.push(Inst::Store {
                    addr: *addr,
                    value,
                    bits: 8,
                    order,
                    volatile: false,
                });
            }
            Place::Number(_) => return None,
        }
        Some(())
    }
}

/// An instruction with a memory operand in Intel's syntax, which Rust uses, in that of AT&T: `not`, `qword ptr [$0]` is `notq`, `($0)`.
fn from_intel(mnemonic: &str, rest: &str) -> Option<(String, String)> {
    const SIZES: [(&str, char); 4] = [
        ("qword ptr [", 'q'),
        ("dword ptr [", 'l'),
        ("word ptr [", 'w'),
        ("byte ptr [", 'b'),
    ];
    let (size, suffix) = SIZES.iter().find(|(size, _)| rest.contains(size))?;
    let rest = rest.replacen(size, "(", 1).replacen(']', ")", 1);
    let operands: Vec<&str> = rest.split(',').map(str::trim).rev().collect();
    Some((format!("{mnemonic}{suffix}"), operands.join(", ")))
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

/// `{ax}`, `{rax}`, `{@ccz}`: a register by its name.
fn named_register(constraint: &str) -> Option<String> {
    let name = constraint.strip_prefix('{')?.strip_suffix('}')?;
    let short = name.trim_start_matches(['r', 'e']);
    Some(if short.len() == 2 {
        short.to_owned()
    } else {
        name.to_owned()
    })
}

/// Base and width of a mnemonic: `cmpxchgq` is `cmpxchg` on 64 bits; without a suffix the register tells.
fn sized<'t>(mnemonic: &'t str, operands: &[Place], state: &State) -> Option<(&'t str, u8)> {
    const BASES: [&str; 14] = [
        "bsr", "bsf", "mov", "xchg", "xadd", "cmpxchg", "inc", "dec", "not", "add", "sub", "and",
        "or", "xor",
    ];
    if BASES.contains(&mnemonic) {
        let width = operands.iter().find_map(|o| match o {
            Place::Register(name) => state.registers.get(name).map(|r| r.1),
            _ => None,
        })?;
        return Some((mnemonic, u8::try_from(width).ok()?));
    }
    let base = &mnemonic[..mnemonic.len().checked_sub(1)?];
    let bits = match mnemonic.as_bytes().last()? {
        b'b' => 8,
        b'w' => 16,
        b'l' => 32,
        b'q' => 64,
        _ => return None,
    };
    BASES.contains(&base).then_some((base, bits))
}

fn split_operands(rest: &str) -> impl Iterator<Item = &str> {
    rest.split(',').map(str::trim).filter(|o| !o.is_empty())
}

/// `$0`, `${0:q}`, `($0)`, `0($0)`, `%rax`, `$$1`.
fn place(text: &str, state: &State) -> Option<Place> {
    if let Some(number) = text.strip_prefix("$$") {
        return number.parse().ok().map(Place::Number);
    }
    if let Some(inner) = text.strip_suffix(')') {
        let (offset, inner) = inner.split_once('(')?;
        if !offset.is_empty() && offset != "0" {
            return None;
        }
        return match place(inner, state)? {
            Place::Register(name) => state.registers.get(&name).map(|r| Place::Memory(r.0)),
            _ => None,
        };
    }
    if let Some(name) = text.strip_prefix('%') {
        return named_register(&format!("{{{}}}", name.trim_start_matches('%')))
            .map(Place::Register);
    }
    let number = text
        .strip_prefix("${")
        .and_then(|t| t.split([':', '}']).next());
    let number: usize = number.or_else(|| text.strip_prefix('$'))?.parse().ok()?;
    Some(match state.slots.get(number)? {
        Slot::Memory(address) => Place::Memory(*address),
        Slot::Register(name) => Place::Register(name.clone()),
    })
}

/// The texts in quotes: template and constraints of inline assembly. LLVM escapes quotes and control characters as `\22`.
fn quoted(text: &str) -> impl Iterator<Item = String> {
    text.split('"').skip(1).step_by(2).map(|part| {
        let mut out = String::new();
        let mut rest = part.chars();
        while let Some(c) = rest.next() {
            if c != '\\' {
                out.push(c);
                continue;
            }
            let digits: String = rest.by_ref().take(2).collect();
            out.push(u8::from_str_radix(&digits, 16).map_or('\\', char::from));
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_unescaped() {
        let text = r#"ptr asm sideeffect "lock; addl $$0\0A\09nop", "=r,~{memory}""#;
        let parts: Vec<_> = quoted(text).collect();
        assert_eq!(parts, ["lock; addl $$0\n\tnop", "=r,~{memory}"]);
        assert_eq!(quoted("no quotes").count(), 0);
    }

    #[test]
    fn intel_syntax_is_turned_round() {
        let pair = |m: &str, r: &str| Some((m.to_owned(), r.to_owned()));
        assert_eq!(
            from_intel("not", "qword ptr [${0:q}]"),
            pair("notq", "(${0:q})")
        );
        assert_eq!(
            from_intel("add", "dword ptr [$0], $1"),
            pair("addl", "$1, ($0)")
        );
        assert_eq!(from_intel("addl", "$1, ($0)"), None);
    }

    #[test]
    fn registers_go_by_their_short_names() {
        assert_eq!(named_register("{rax}").as_deref(), Some("ax"));
        assert_eq!(named_register("{ax}").as_deref(), Some("ax"));
        assert_eq!(named_register("{@ccz}").as_deref(), Some("@ccz"));
        assert_eq!(named_register("q"), None);
    }

    #[test]
    fn suffixes_are_widths() {
        let state = State {
            slots: Vec::new(),
            registers: BTreeMap::new(),
            zero: None,
        };
        assert_eq!(sized("cmpxchgq", &[], &state), Some(("cmpxchg", 64)));
        assert_eq!(sized("subb", &[], &state), Some(("sub", 8)));
        assert_eq!(sized("sub", &[], &state), None);
        assert_eq!(sized("fxsave", &[], &state), None);
    }
}
