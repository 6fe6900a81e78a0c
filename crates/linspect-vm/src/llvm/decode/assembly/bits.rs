//! Shifts, products, single bits and counts of bits.

use super::Block;
use super::access::Target;
use super::flags::Flags;
use super::syntax::Place;
use crate::llvm::decode::function::FunctionDecoder;
use crate::program::{AtomicOp, Compare, Inst, IntOp, Intrinsic, Operand};

impl FunctionDecoder<'_, '_> {
    /// Shifts and rotations. What they do to flags depends on the count, so nothing may ask for one that they could leave alone.
    pub(super) fn shift(
        &mut self,
        op: &str,
        operands: &[Place],
        bits: u8,
        block: &Block,
    ) -> Option<()> {
        let (to, count) = match operands {
            [to] => (to, &Place::Number(1)),
            [to, count] => (to, count),
            _ => return None,
        };
        let flags = block.flags;
        let fixed = matches!(count, Place::Number(1..=31));
        if flags.carry.is_some() || flags.overflow.is_some() || (flags.any() && !fixed) {
            return None;
        }
        let (value, count) = (self.read(to, bits, block)?, self.read(count, 8, block)?);
        if matches!(op, "rol" | "ror") {
            let op = if op == "rol" {
                Intrinsic::FunnelShiftLeft
            } else {
                Intrinsic::FunnelShiftRight
            };
            let result = self.computed_by(op, bits, &[value, value, count]);
            return self.write(to, bits, result, block);
        }
        let most = self.number(if bits == 64 { 63 } else { 31 });
        let count = self.int(IntOp::And, 64, count, most);
        let (op, value) = match op {
            "sar" => (IntOp::AShr, self.extend(value, bits, 64)),
            "shr" => (IntOp::LShr, value),
            _ => (IntOp::Shl, value),
        };
        let result = self.int(op, 64, value, count);
        let result = self.narrow(result, bits.into());
        self.judge(flags, result, bits);
        self.write(to, bits, result, block)
    }

    /// `mul`: dx:ax becomes ax times the operand.
    pub(super) fn multiply(&mut self, by: &Place, bits: u8, block: &Block) -> Option<()> {
        let register = |name: &str| Place::Register(name.to_owned(), bits.into());
        let (ax, dx) = (register("ax"), register("dx"));
        let (a, b) = (self.read(&ax, bits, block)?, self.read(by, bits, block)?);
        if bits == 32 {
            let product = self.int(IntOp::Mul, 64, a, b);
            let half = self.number(32);
            let high = self.int(IntOp::LShr, 64, product, half);
            let low = self.narrow(product, 32);
            self.write(&ax, 32, low, block)?;
            return self.write(&dx, 32, high, block);
        }
        let zero = self.number(0);
        let (a, b) = (self.pair(a, zero), self.pair(b, zero));
        let dst = self.fresh(2);
        self.push(Inst::Wide {
            op: IntOp::Mul,
            bits: 128,
            dst,
            a,
            b,
        });
        self.write(&ax, 64, Operand::reg(dst), block)?;
        self.write(&dx, 64, Operand::reg(dst + 1), block)
    }

    /// `bt`, `bts`, `btr`, `btc`: the carry is the old bit. In memory, a register may count bits beyond the word.
    pub(super) fn one_bit(
        &mut self,
        op: &str,
        to: &Place,
        at: &Place,
        bits: u8,
        locked: bool,
        block: &Block,
    ) -> Option<()> {
        let mut target = self.target(to, block)?;
        let number = self.read(at, bits, block)?;
        if let (Target::Memory(base), Place::Register(..)) = (target, at) {
            let shift = self.number(u64::from(bits.trailing_zeros()));
            let word = self.int(IntOp::AShr, bits, number, shift);
            let dst = self.fresh(1);
            self.push(Inst::Index {
                dst,
                base,
                index: word,
                bits,
                scale: u32::from(bits / 8),
            });
            target = Target::Memory(Operand::reg(dst));
        }
        let (one, last) = (self.number(1), self.number(u64::from(bits) - 1));
        let number = self.int(IntOp::And, bits, number, last);
        let mask = self.int(IntOp::Shl, bits, one, number);
        let all = self.number(u64::MAX >> (64 - u32::from(bits)));
        let (change, by) = match op {
            "bts" => (IntOp::Or, mask),
            "btr" => (IntOp::And, self.int(IntOp::Xor, bits, mask, all)),
            _ => (IntOp::Xor, mask),
        };
        let old = match (op, target) {
            ("bt", _) => self.read_from(target, bits),
            (_, Target::Memory(addr)) if locked => {
                let atomic = match change {
                    IntOp::Or => AtomicOp::Or,
                    IntOp::And => AtomicOp::And,
                    _ => AtomicOp::Xor,
                };
                self.update(atomic, addr, by, bits)
            }
            _ => {
                let old = self.read_from(target, bits);
                let new = self.int(change, bits, old, by);
                self.write_to(target, bits, new);
                old
            }
        };
        let bit = self.int(IntOp::LShr, bits, old, number);
        let bit = self.int(IntOp::And, bits, bit, one);
        self.set(block.flags.carry, bit);
        Some(())
    }

    /// Counts and positions of bits. `bsf` and `bsr` of 0, which the processor leaves open, are some number.
    pub(super) fn count(&mut self, op: &str, value: Operand, bits: u8, flags: Flags) -> Operand {
        let intrinsic = match op {
            "popcnt" => Intrinsic::CountOnes,
            "bsr" | "lzcnt" => Intrinsic::CountLeadingZeros,
            _ => Intrinsic::CountTrailingZeros,
        };
        let mut result = self.computed_by(intrinsic, bits, &[value]);
        if op == "bsr" {
            let last = self.number(u64::from(bits) - 1);
            result = self.int(IntOp::Sub, bits, last, result);
        }
        let zero = self.number(0);
        let nothing = self.compared(Compare::Eq, bits, value, zero);
        if matches!(op, "tzcnt" | "lzcnt") {
            self.judge(flags, result, bits);
            self.set(flags.carry, nothing);
        } else {
            self.set(flags.zero, nothing);
        }
        result
    }

    pub(super) fn computed_by(&mut self, op: Intrinsic, bits: u8, values: &[Operand]) -> Operand {
        let args = self.arguments(values.iter().copied());
        let dst = self.fresh(1);
        self.push(Inst::Intrinsic {
            op,
            bits,
            dst,
            args,
        });
        Operand::reg(dst)
    }
}
