//! What operands are: registers, numbers and memory; and the atomic accesses to it.

use super::Block;
use super::syntax::{Address, Place};
use crate::llvm::decode::function::FunctionDecoder;
use crate::program::{AtomicOp, Failing, Inst, IntCast, IntOp, MemoryOrder, Operand, Reg};

/// Where an instruction reads and writes, its address computed.
#[derive(Clone, Copy)]
pub(super) enum Target {
    Register(Reg),
    Memory(Operand),
}

impl FunctionDecoder<'_, '_> {
    /// Where an operand lies.
    pub(super) fn target(&mut self, place: &Place, block: &Block) -> Option<Target> {
        match place {
            Place::Register(name, ..=64) => block.cells.get(name).copied().map(Target::Register),
            Place::Memory(address, _) => self.address(address, block).map(Target::Memory),
            _ => None,
        }
    }

    /// The address of an operand in memory. There is no stack of the processor.
    pub(super) fn address(&mut self, address: &Address, block: &Block) -> Option<Operand> {
        let base = match (&address.slot, &address.base) {
            (Some(slot), None) => *slot,
            (None, Some(name)) if name != "sp" => Operand::reg(*block.cells.get(name)?),
            _ => return None,
        };
        let mut at = base;
        if let Some((name, scale)) = &address.index {
            let dst = self.fresh(1);
            self.push(Inst::Index {
                dst,
                base: at,
                index: Operand::reg(*block.cells.get(name)?),
                bits: 64,
                scale: *scale,
            });
            at = Operand::reg(dst);
        }
        if address.offset != 0 {
            let dst = self.fresh(1);
            self.push(Inst::Offset {
                dst,
                base: at,
                offset: address.offset,
            });
            at = Operand::reg(dst);
        }
        Some(at)
    }

    /// What an operand holds, in its low `bits`.
    pub(super) fn read(&mut self, place: &Place, bits: u8, block: &Block) -> Option<Operand> {
        if let Place::Number(number) = place {
            let mask = u64::MAX >> (64 - u32::from(bits));
            return Some(self.number(number.cast_unsigned() & mask));
        }
        let target = self.target(place, block)?;
        Some(self.read_from(target, bits))
    }

    pub(super) fn read_from(&mut self, target: Target, bits: u8) -> Operand {
        match target {
            Target::Register(cell) => {
                // A copy: the register may be written before the value is used.
                let value = self.narrow(Operand::reg(cell), bits.into());
                let dst = self.fresh(1);
                self.set(Some(dst), value);
                Operand::reg(dst)
            }
            Target::Memory(addr) => {
                let dst = self.fresh(1);
                self.push(Inst::Load {
                    dst,
                    addr,
                    bits,
                    order: MemoryOrder::Acquire,
                    volatile: true,
                });
                Operand::reg(dst)
            }
        }
    }

    /// Stores the low `bits` of an operand. Writing 32 bits of a register clears the upper half, writing fewer keeps the rest.
    pub(super) fn write(
        &mut self,
        place: &Place,
        bits: u8,
        value: Operand,
        block: &Block,
    ) -> Option<()> {
        let target = self.target(place, block)?;
        self.write_to(target, bits, value);
        Some(())
    }

    pub(super) fn write_to(&mut self, target: Target, bits: u8, value: Operand) {
        match target {
            Target::Register(cell) if bits >= 32 => self.set(Some(cell), value),
            Target::Register(cell) => {
                let upper = self.number(u64::MAX << bits);
                let kept = self.int(IntOp::And, 64, Operand::reg(cell), upper);
                let whole = self.int(IntOp::Or, 64, kept, value);
                self.set(Some(cell), whole);
            }
            Target::Memory(addr) => self.push(Inst::Store {
                addr,
                value,
                bits,
                order: MemoryOrder::Release,
                volatile: true,
            }),
        }
    }

    /// `xchg`; with memory it is locked.
    pub(super) fn swap(&mut self, a: &Place, b: &Place, bits: u8, block: &Block) -> Option<()> {
        let (register, other) = match (a, b) {
            (Place::Memory(..), register) => (register, a),
            (register, _) => (register, b),
        };
        let value = self.read(register, bits, block)?;
        let old = if let Place::Memory(address, _) = other {
            let address = self.address(address, block)?;
            self.update(AtomicOp::Xchg, address, value, bits)
        } else {
            let old = self.read(other, bits, block)?;
            self.write(other, bits, value, block)?;
            old
        };
        self.write(register, bits, old, block)
    }

    pub(super) fn update(
        &mut self,
        op: AtomicOp,
        addr: Operand,
        value: Operand,
        bits: u8,
    ) -> Operand {
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
    pub(super) fn locked_fence(&mut self) {
        self.push(Inst::Fence {
            order: MemoryOrder::SeqCst,
            compiler_only: false,
        });
    }

    /// A compare-exchange; gives the register of the old value, which the flag follows.
    pub(super) fn exchange(
        &mut self,
        addr: Operand,
        expected: Operand,
        new: Operand,
        bits: u8,
    ) -> Reg {
        let dst = self.fresh(u32::from(bits).div_ceil(64) + 1);
        self.push(Inst::CompareExchange {
            dst,
            addr,
            expected,
            new,
            bits,
            success: MemoryOrder::SeqCst,
            failure: MemoryOrder::SeqCst,
            failing: Failing::Strong,
        });
        self.locked_fence();
        dst
    }

    /// Two slots beside each other.
    pub(super) fn pair(&mut self, low: Operand, high: Operand) -> Operand {
        let run = self.fresh(2);
        self.set(Some(run), low);
        self.set(Some(run + 1), high);
        Operand::reg(run)
    }

    /// `cmpxchg16b` and `cmpxchg8b`: dx:ax against memory, cx:bx into it.
    pub(super) fn exchange_double(&mut self, addr: Operand, half: u8, block: &Block) -> Option<()> {
        let register = |name: &str| Place::Register(name.to_owned(), half.into());
        let (ax, dx) = (register("ax"), register("dx"));
        let (low, high) = (self.read(&ax, half, block)?, self.read(&dx, half, block)?);
        let (new_low, new_high) = (
            self.read(&register("bx"), half, block)?,
            self.read(&register("cx"), half, block)?,
        );
        if half == 64 {
            let (expected, new) = (self.pair(low, high), self.pair(new_low, new_high));
            let dst = self.exchange(addr, expected, new, 128);
            self.set(block.flags.zero, Operand::reg(dst + 2));
            self.write(&ax, 64, Operand::reg(dst), block)?;
            return self.write(&dx, 64, Operand::reg(dst + 1), block);
        }
        let shift = self.number(32);
        let mut joined = |low, high| {
            let high = self.int(IntOp::Shl, 64, high, shift);
            self.int(IntOp::Or, 64, low, high)
        };
        let (expected, new) = (joined(low, high), joined(new_low, new_high));
        let dst = self.exchange(addr, expected, new, 64);
        self.set(block.flags.zero, Operand::reg(dst + 1));
        let high = self.int(IntOp::LShr, 64, Operand::reg(dst), shift);
        let low = self.narrow(Operand::reg(dst), 32);
        self.write(&ax, 32, low, block)?;
        self.write(&dx, 32, high, block)
    }

    pub(super) fn extend(&mut self, a: Operand, from: u8, to: u8) -> Operand {
        if from == to {
            return a;
        }
        let dst = self.fresh(1);
        self.push(Inst::Cast {
            op: IntCast::SExt,
            from,
            to,
            dst,
            a,
        });
        Operand::reg(dst)
    }
}
