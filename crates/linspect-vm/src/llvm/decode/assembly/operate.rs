//! x86-64 instructions on whole numbers, in the instructions of the machine.

use super::Block;
use super::access::Target;
use super::flags::{Flags, conditional};
use super::syntax::{Place, Statement};
use crate::llvm::decode::function::FunctionDecoder;
use crate::program::{AtomicOp, Compare, Inst, IntOp, Intrinsic, Operand};

/// Mnemonics that may carry a width as their last letter.
const SIZED: [&str; 36] = [
    "mov", "movabs", "lea", "xchg", "xadd", "cmpxchg", "inc", "dec", "not", "neg", "add", "adc",
    "sub", "sbb", "and", "or", "xor", "cmp", "test", "shl", "sal", "shr", "sar", "rol", "ror",
    "imul", "mul", "bt", "bts", "btr", "btc", "bsf", "bsr", "tzcnt", "lzcnt", "popcnt",
];

impl FunctionDecoder<'_, '_> {
    /// An instruction with operands; `None` if it is not known.
    pub(super) fn operate(&mut self, statement: &Statement, block: &mut Block) -> Option<()> {
        let (name, operands) = (statement.name.as_str(), &statement.operands[..]);
        if let Some((base, condition)) = conditional(name) {
            let cond = self.holds(block.flags, condition)?;
            return self.choose(base, name, operands, cond, block);
        }
        match (name, operands) {
            ("cmpxchg16b" | "cmpxchg8b", [Place::Memory(address, _)]) if statement.locked => {
                let half = if name == "cmpxchg16b" { 64 } else { 32 };
                let address = self.address(address, block)?;
                return self.exchange_double(address, half, block);
            }
            ("bswap" | "bswapl" | "bswapq", [Place::Register(_, bits)]) => {
                let bits = u8::try_from(*bits).ok()?;
                let value = self.read(&operands[0], bits, block)?;
                let swapped = self.computed_by(Intrinsic::ByteSwap, bits, &[value]);
                return self.write(&operands[0], bits, swapped, block);
            }
            _ => {}
        }
        if let Some((signed, from)) = widening(name, operands) {
            let to = width(&operands[..1])?;
            let mut value = self.read(operands.get(1)?, from, block)?;
            if signed {
                value = self.extend(value, from, to);
            }
            return self.write(&operands[0], to, value, block);
        }
        let (base, bits) = sized(name, operands)?;
        self.arithmetic_or_move(base, bits, statement, block)
    }

    /// `setcc`, `cmovcc`.
    fn choose(
        &mut self,
        base: &str,
        name: &str,
        operands: &[Place],
        cond: Operand,
        block: &Block,
    ) -> Option<()> {
        match (base, operands) {
            ("set", [to]) => self.write(to, 8, cond, block),
            ("cmov", [to @ Place::Register(..), from]) => {
                let bits = width(operands).or_else(|| suffix(name))?;
                let (a, b) = (self.read(from, bits, block)?, self.read(to, bits, block)?);
                let dst = self.fresh(1);
                self.push(Inst::Select {
                    dst,
                    cond,
                    a,
                    b,
                    count: 1,
                });
                self.write(to, bits, Operand::reg(dst), block)
            }
            _ => None,
        }
    }

    fn arithmetic_or_move(
        &mut self,
        base: &str,
        bits: u8,
        statement: &Statement,
        block: &Block,
    ) -> Option<()> {
        let operands = &statement.operands[..];
        let locked = statement.locked;
        let flags = block.flags;
        match (base, operands) {
            ("mov" | "movabs", [to, from]) => {
                let value = self.read(from, bits, block)?;
                self.write(to, bits, value, block)
            }
            ("lea", [to, Place::Memory(address, _)]) => {
                let address = self.address(address, block)?;
                let address = self.narrow(address, bits.into());
                self.write(to, bits, address, block)
            }
            ("xchg", [a, b]) => self.swap(a, b, bits, block),
            ("xadd", [Place::Memory(address, _), by @ Place::Register(..)]) if locked => {
                let address = self.address(address, block)?;
                let value = self.read(by, bits, block)?;
                let old = self.update(AtomicOp::Add, address, value, bits);
                self.calculate("add", old, value, bits, flags)?;
                self.write(by, bits, old, block)
            }
            ("cmpxchg", [Place::Memory(address, _), new]) if locked => {
                let address = self.address(address, block)?;
                let new = self.read(new, bits, block)?;
                let ax = Place::Register("ax".to_owned(), bits.into());
                let expected = self.read(&ax, bits, block)?;
                let dst = self.exchange(address, expected, new, bits);
                self.calculate("cmp", expected, Operand::reg(dst), bits, flags)?;
                self.write(&ax, bits, Operand::reg(dst), block)
            }
            ("cmp" | "test", [a, b]) => {
                let (a, b) = (self.read(a, bits, block)?, self.read(b, bits, block)?);
                self.calculate(base, a, b, bits, flags).map(drop)
            }
            ("add" | "or" | "sub" | "xor", [Place::Memory(address, _), Place::Number(0)])
                if locked && address.base.as_deref() == Some("sp") =>
            {
                // The oldest full fence: nothing is added to the top of the stack.
                self.locked_fence();
                Some(())
            }
            ("add" | "adc" | "sub" | "sbb" | "and" | "or" | "xor", [to, by]) => {
                let by = self.read(by, bits, block)?;
                self.apply(base, to, by, bits, locked, block)
            }
            ("inc" | "dec" | "not", [to]) => {
                let (op, by) = match base {
                    "inc" => ("add", 1),
                    "dec" => ("sub", 1),
                    _ => ("not", u64::MAX >> (64 - u32::from(bits))),
                };
                // None of them touches the carry.
                let flags = Flags {
                    carry: None,
                    ..block.flags
                };
                let by = self.number(by);
                let target = self.target(to, block)?;
                self.apply_to(op, target, by, bits, locked, flags)
            }
            ("neg", [to]) if !locked => {
                let (zero, value) = (self.number(0), self.read(to, bits, block)?);
                let result = self.calculate("sub", zero, value, bits, flags)?;
                self.write(to, bits, result, block)
            }
            ("shl" | "sal" | "shr" | "sar" | "rol" | "ror", _) if !locked => {
                self.shift(base, operands, bits, block)
            }
            ("imul", [to @ Place::Register(..), .., by]) if !flags.any() => {
                let a = self.read(&operands[operands.len() - 2], bits, block)?;
                let b = self.read(by, bits, block)?;
                let product = self.int(IntOp::Mul, bits, a, b);
                self.write(to, bits, product, block)
            }
            ("mul", [by]) if !flags.any() && bits >= 32 => self.multiply(by, bits, block),
            ("bt" | "bts" | "btr" | "btc", [to, at]) => {
                self.one_bit(base, to, at, bits, locked, block)
            }
            ("bsf" | "bsr" | "tzcnt" | "lzcnt" | "popcnt", [to, from]) => {
                let value = self.read(from, bits, block)?;
                let result = self.count(base, value, bits, flags);
                self.write(to, bits, result, block)
            }
            _ => None,
        }
    }

    /// `to = to op by`.
    fn apply(
        &mut self,
        op: &str,
        to: &Place,
        by: Operand,
        bits: u8,
        locked: bool,
        block: &Block,
    ) -> Option<()> {
        let target = self.target(to, block)?;
        self.apply_to(op, target, by, bits, locked, block.flags)
    }

    fn apply_to(
        &mut self,
        op: &str,
        target: Target,
        by: Operand,
        bits: u8,
        locked: bool,
        flags: Flags,
    ) -> Option<()> {
        // `not` leaves the flags alone.
        let (op, flags) = match op {
            "not" => ("xor", Flags::default()),
            op => (op, flags),
        };
        if let (true, Target::Memory(addr)) = (locked, target) {
            let atomic = match op {
                "add" => AtomicOp::Add,
                "sub" => AtomicOp::Sub,
                "and" => AtomicOp::And,
                "or" => AtomicOp::Or,
                "xor" => AtomicOp::Xor,
                _ => return None,
            };
            let old = self.update(atomic, addr, by, bits);
            return self.calculate(op, old, by, bits, flags).map(drop);
        }
        let old = self.read_from(target, bits);
        let new = self.calculate(op, old, by, bits, flags)?;
        self.write_to(target, bits, new);
        Some(())
    }

    /// The result of an operation, with its flags.
    fn calculate(
        &mut self,
        op: &str,
        a: Operand,
        b: Operand,
        bits: u8,
        flags: Flags,
    ) -> Option<Operand> {
        let first = match op {
            "add" | "adc" => IntOp::Add,
            "sub" | "sbb" | "cmp" => IntOp::Sub,
            "and" | "test" => IntOp::And,
            "or" => IntOp::Or,
            "xor" => IntOp::Xor,
            _ => return None,
        };
        let mut result = self.int(first, bits, a, b);
        if !flags.any() {
            return Some(result);
        }
        let carried = matches!(op, "adc" | "sbb");
        let mut carry = match first {
            IntOp::Add => self.compared(Compare::Ult, bits, result, a),
            IntOp::Sub => self.compared(Compare::Ult, bits, a, b),
            _ => self.number(0),
        };
        if carried {
            let old = Operand::reg(flags.carry?);
            let sum = self.int(first, bits, result, old);
            let again = match first {
                IntOp::Add => self.compared(Compare::Ult, bits, sum, result),
                _ => self.compared(Compare::Ult, bits, result, old),
            };
            carry = self.int(IntOp::Or, 1, carry, again);
            result = sum;
        }
        if flags.overflow.is_some() {
            // Both operands have a sign that the result has not (or, of a difference, a sign of their own).
            let other = if first == IntOp::Sub { b } else { result };
            let signs = self.int(IntOp::Xor, bits, a, other);
            let turned = match first {
                IntOp::Add => self.int(IntOp::Xor, bits, b, result),
                IntOp::Sub => self.int(IntOp::Xor, bits, a, result),
                _ => self.number(0),
            };
            let both = self.int(IntOp::And, bits, signs, turned);
            let zero = self.number(0);
            let overflow = self.compared(Compare::Slt, bits, both, zero);
            self.set(flags.overflow, overflow);
        }
        self.set(flags.carry, carry);
        self.judge(flags, result, bits);
        Some(result)
    }
}

/// The width that the operands tell.
fn width(operands: &[Place]) -> Option<u8> {
    let bits = operands.iter().find_map(|operand| match operand {
        Place::Register(_, bits) => Some(*bits),
        Place::Memory(_, bits) => *bits,
        Place::Number(_) | Place::Label(_) => None,
    })?;
    u8::try_from(bits).ok().filter(|bits| *bits <= 64)
}

fn suffix(name: &str) -> Option<u8> {
    match name.as_bytes().last()? {
        b'b' => Some(8),
        b'w' => Some(16),
        b'l' => Some(32),
        b'q' => Some(64),
        _ => None,
    }
}

/// Base and width of a mnemonic: `cmpxchgq` is `cmpxchg` on 64 bits; without a suffix the operands tell.
fn sized<'t>(name: &'t str, operands: &[Place]) -> Option<(&'t str, u8)> {
    if SIZED.contains(&name) {
        return width(operands).map(|bits| (name, bits));
    }
    let base = &name[..name.len().checked_sub(1)?];
    SIZED.contains(&base).then_some((base, suffix(name)?))
}

/// `movzx`, `movsbl` and their like: whether it is signed, and the width of the source.
fn widening(name: &str, operands: &[Place]) -> Option<(bool, u8)> {
    let signed = match name.get(..4)? {
        "movz" => false,
        "movs" => true,
        _ => return None,
    };
    match &name[4..] {
        "x" | "xd" => width(operands.get(1..)?).map(|from| (signed, from)),
        "bw" | "bl" | "bq" | "b" => Some((signed, 8)),
        "wl" | "wq" | "w" => Some((signed, 16)),
        "lq" if signed => Some((signed, 32)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_widths() {
        let register = [Place::Register("ax".to_owned(), 32)];
        assert_eq!(sized("cmpxchgq", &[]), Some(("cmpxchg", 64)));
        assert_eq!(sized("subb", &register), Some(("sub", 8)));
        assert_eq!(sized("sub", &register), Some(("sub", 32)));
        assert_eq!(sized("sub", &[]), None);
        assert_eq!(sized("shl", &register), Some(("shl", 32)));
        assert_eq!(sized("fxsave", &[]), None);
    }
}
