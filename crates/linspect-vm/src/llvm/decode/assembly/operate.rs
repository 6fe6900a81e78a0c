//! x86-64 instructions with operands, in the instructions of the machine.

use super::syntax::{Place, State, sized};
use crate::llvm::decode::function::FunctionDecoder;
use crate::program::{
    AtomicOp, Compare, Inst, IntCast, IntOp, Intrinsic, MemoryOrder, Operand, Reg,
};

impl FunctionDecoder<'_, '_> {
    /// An instruction with operands, source first.
    pub(super) fn operate(
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
        self.locked_fence();
        Operand::reg(dst)
    }

    /// A locked instruction is a fence as well, whatever it accesses.
    fn locked_fence(&mut self) {
        self.push(Inst::Fence {
            order: MemoryOrder::SeqCst,
            compiler_only: false,
        });
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
        self.locked_fence();
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
