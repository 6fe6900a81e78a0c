//! The flags of the processor: which ones a piece of assembly asks for, and what conditions say of them.

use super::syntax::{Line, Statement};
use crate::llvm::decode::function::FunctionDecoder;
use crate::program::{Compare, Inst, IntOp, Operand, Reg};

/// Zero, carry, sign and overflow: where each is kept, if anything asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) zero: Option<Reg>,
    pub(super) carry: Option<Reg>,
    pub(super) sign: Option<Reg>,
    pub(super) overflow: Option<Reg>,
}

impl Flags {
    /// Whether any of them is asked for.
    pub(super) fn any(&self) -> bool {
        [self.zero, self.carry, self.sign, self.overflow]
            .iter()
            .any(Option::is_some)
    }
}

/// What a conditional instruction asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Zero,
    Carry,
    Sign,
    Overflow,
    /// Carry or zero: below or equal, unsigned.
    BelowOrEqual,
    /// Sign differs from overflow: less, signed.
    Less,
    /// That, or zero.
    LessOrEqual,
}

/// A test, and whether it must fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) test: Test,
    pub(super) negated: bool,
}

/// The condition with this suffix, as in `jne`, `setc`, `cmovge`.
pub(super) fn condition(suffix: &str) -> Option<Condition> {
    let (test, negated) = match suffix {
        "e" | "z" => (Test::Zero, false),
        "ne" | "nz" => (Test::Zero, true),
        "b" | "c" | "nae" => (Test::Carry, false),
        "ae" | "nc" | "nb" => (Test::Carry, true),
        "s" => (Test::Sign, false),
        "ns" => (Test::Sign, true),
        "o" => (Test::Overflow, false),
        "no" => (Test::Overflow, true),
        "be" | "na" => (Test::BelowOrEqual, false),
        "a" | "nbe" => (Test::BelowOrEqual, true),
        "l" | "nge" => (Test::Less, false),
        "ge" | "nl" => (Test::Less, true),
        "le" | "ng" => (Test::LessOrEqual, false),
        "g" | "nle" => (Test::LessOrEqual, true),
        _ => return None,
    };
    Some(Condition { test, negated })
}

/// A mnemonic that depends on a condition: `set`, `cmov` or `j`, and the condition.
pub(super) fn conditional(name: &str) -> Option<(&'static str, Condition)> {
    for base in ["set", "cmov", "j"] {
        let Some(suffix) = name.strip_prefix(base) else {
            continue;
        };
        if let Some(condition) = condition(suffix) {
            return Some((base, condition));
        }
        // AT&T adds the width: `cmovnel`.
        if base == "cmov"
            && let Some(condition) = suffix.strip_suffix(['w', 'l', 'q']).and_then(condition)
        {
            return Some((base, condition));
        }
    }
    None
}

impl FunctionDecoder<'_, '_> {
    /// The flags that these lines and results ask for, all clear.
    pub(super) fn flags(&mut self, lines: &[Line], results: &[String]) -> Flags {
        let asked_by = |statement: &Statement| {
            let carry = Condition {
                test: Test::Carry,
                negated: false,
            };
            match statement.name.trim_end_matches(['w', 'l', 'q']) {
                "adc" | "sbb" | "adcb" | "sbbb" => Some(carry),
                _ => conditional(&statement.name).map(|(_, condition)| condition),
            }
        };
        let mut asked: Vec<Condition> = results
            .iter()
            .filter_map(|name| condition(name.strip_prefix("@cc")?))
            .collect();
        asked.extend(lines.iter().filter_map(|line| match line {
            Line::Instruction(statement) => asked_by(statement),
            Line::Label(_) => None,
        }));
        let asks = |tests: &[Test]| asked.iter().any(|c| tests.contains(&c.test));
        let zero = asks(&[Test::Zero, Test::BelowOrEqual, Test::LessOrEqual]);
        let carry = asks(&[Test::Carry, Test::BelowOrEqual]);
        let sign = asks(&[Test::Sign, Test::Less, Test::LessOrEqual]);
        let overflow = asks(&[Test::Overflow, Test::Less, Test::LessOrEqual]);
        let mut cell = |asked: bool| {
            asked.then(|| {
                let (dst, src) = (self.fresh(1), self.number(0));
                self.push(Inst::Copy { dst, src, count: 1 });
                dst
            })
        };
        Flags {
            zero: cell(zero),
            carry: cell(carry),
            sign: cell(sign),
            overflow: cell(overflow),
        }
    }

    /// Sets a flag, if it is asked for.
    pub(super) fn set(&mut self, flag: Option<Reg>, value: Operand) {
        if let Some(dst) = flag {
            self.push(Inst::Copy {
                dst,
                src: value,
                count: 1,
            });
        }
    }

    /// Sets the zero and the sign flag from a result.
    pub(super) fn judge(&mut self, flags: Flags, result: Operand, bits: u8) {
        let zero = self.number(0);
        if flags.zero.is_some() {
            let is_zero = self.compared(Compare::Eq, bits, result, zero);
            self.set(flags.zero, is_zero);
        }
        if flags.sign.is_some() {
            let negative = self.compared(Compare::Slt, bits, result, zero);
            self.set(flags.sign, negative);
        }
    }

    /// Whether a condition holds: 0 or 1. `None` if a flag that it needs is not kept.
    pub(super) fn holds(&mut self, flags: Flags, condition: Condition) -> Option<Operand> {
        let flag = |flag: Option<Reg>| flag.map(Operand::reg);
        let value = match condition.test {
            Test::Zero => flag(flags.zero)?,
            Test::Carry => flag(flags.carry)?,
            Test::Sign => flag(flags.sign)?,
            Test::Overflow => flag(flags.overflow)?,
            Test::BelowOrEqual => {
                let (carry, zero) = (flag(flags.carry)?, flag(flags.zero)?);
                self.int(IntOp::Or, 1, carry, zero)
            }
            Test::Less | Test::LessOrEqual => {
                let (sign, overflow) = (flag(flags.sign)?, flag(flags.overflow)?);
                let less = self.int(IntOp::Xor, 1, sign, overflow);
                if condition.test == Test::Less {
                    less
                } else {
                    let zero = flag(flags.zero)?;
                    self.int(IntOp::Or, 1, less, zero)
                }
            }
        };
        if !condition.negated {
            return Some(value);
        }
        let one = self.number(1);
        Some(self.int(IntOp::Xor, 1, value, one))
    }

    /// `a op b`, in a new register.
    pub(super) fn int(&mut self, op: IntOp, bits: u8, a: Operand, b: Operand) -> Operand {
        let dst = self.fresh(1);
        self.push(Inst::Int {
            op,
            bits,
            dst,
            a,
            b,
        });
        Operand::reg(dst)
    }

    /// `a op b` as 0 or 1, in a new register.
    pub(super) fn compared(&mut self, op: Compare, bits: u8, a: Operand, b: Operand) -> Operand {
        let dst = self.fresh(1);
        self.push(Inst::Compare {
            op,
            bits,
            dst,
            a,
            b,
        });
        Operand::reg(dst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_told_from_widths() {
        let condition = |name| conditional(name).map(|(base, c)| (base, c.test, c.negated));
        assert_eq!(condition("cmovl"), Some(("cmov", Test::Less, false)));
        assert_eq!(condition("cmovel"), Some(("cmov", Test::Zero, false)));
        assert_eq!(condition("setnb"), Some(("set", Test::Carry, true)));
        assert_eq!(condition("jmp"), None);
        assert_eq!(condition("jg"), Some(("j", Test::LessOrEqual, true)));
    }
}
