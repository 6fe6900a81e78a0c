//! Reads toy programs from text.

use crate::program::{Expression, Instruction, Operand, Operation, Operator, Program, Result};
use linspect_core::client::{Declared, Limits};
use linspect_core::execution::{MemoryModel, Ordering};
use linspect_core::value::Value;
use rustc_hash::FxHashMap;

/// Why a text is no toy program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ParseError {
    /// Where, from 1.
    pub line: usize,
    /// What is wrong and what was expected.
    pub what: String,
}

impl Program {
    /// Reads a program: `object NAME`, then `global NAME = v` or `global NAME[n] = v`, `arena n`, and operations
    /// (`op NAME values…`) with one instruction a line, as [`Instruction`] documents them.
    pub fn parse(text: &str) -> std::result::Result<Self, ParseError> {
        let mut parser = Parser::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = line.split_whitespace().collect();
            if !words.is_empty() {
                parser
                    .line(&words)
                    .map_err(|what| ParseError { line: i + 1, what })?;
            }
        }
        let last = text.lines().count();
        parser
            .end_operation()
            .map_err(|what| ParseError { line: last, what })?;
        Ok(parser.program)
    }
}

struct Parser {
    program: Program,
    globals: FxHashMap<String, i64>,
    open: Option<Open>,
}

/// The operation being read.
#[derive(Default)]
struct Open {
    registers: FxHashMap<String, u16>,
    labels: FxHashMap<String, usize>,
    jumps: Vec<(usize, String)>,
    code: Vec<Instruction>,
}

type Parsed<T> = std::result::Result<T, String>;

impl Parser {
    fn new() -> Self {
        Self {
            program: Program {
                name: String::new(),
                cells: Vec::new(),
                names: Vec::new(),
                arena: 0,
                declared: Vec::new(),
                operations: Vec::new(),
                hasty: false,
                memory: MemoryModel::Sc,
            },
            globals: FxHashMap::default(),
            open: None,
        }
    }

    fn line(&mut self, words: &[&str]) -> Parsed<()> {
        match words {
            ["object", name] => self.program.name = (*name).to_owned(),
            ["arena", cells] => self.program.arena = number(cells)?,
            ["global", name, "=", value] => self.global(name, number(value)?)?,
            ["op", name, domain @ ..] => {
                self.end_operation()?;
                self.begin_operation(name, domain)?;
            }
            [label] if label.ends_with(':') => {
                let open = self.open()?;
                let at = open.code.len();
                open.labels
                    .insert(label.trim_end_matches(':').to_owned(), at);
            }
            _ => {
                let instruction = self.instruction(words)?;
                self.open()?.code.push(instruction);
            }
        }
        Ok(())
    }

    fn global(&mut self, name: &str, value: i64) -> Parsed<()> {
        let (name, count) = match name.split_once('[') {
            Some((name, rest)) => (name, number(rest.trim_end_matches(']'))?),
            None => (name, 1),
        };
        self.globals
            .insert(name.to_owned(), self.program.cells.len() as i64 + 1);
        for i in 0..count {
            self.program.cells.push(value);
            self.program.names.push(if count == 1 {
                name.to_owned()
            } else {
                format!("{name}[{i}]")
            });
        }
        Ok(())
    }

    fn begin_operation(&mut self, name: &str, domain: &[&str]) -> Parsed<()> {
        let mut values = Vec::new();
        for word in domain {
            values.push(Value::Int(number(word)?));
        }
        if values.is_empty() {
            values.push(Value::Unit);
        }
        self.program.declared.push(Declared {
            name: name.to_owned(),
            domain: values,
            limits: Limits::default(),
        });
        self.open = Some(Open::default());
        Ok(())
    }

    fn end_operation(&mut self) -> Parsed<()> {
        let Some(mut open) = self.open.take() else {
            return Ok(());
        };
        for (at, label) in open.jumps {
            let target = *open
                .labels
                .get(&label)
                .ok_or_else(|| format!("there is no label `{label}`"))?;
            if let Instruction::Jump { to, .. } | Instruction::Spin { to } = &mut open.code[at] {
                *to = target;
            }
        }
        if !matches!(open.code.last(), Some(Instruction::Return { .. })) {
            open.code.push(Instruction::Return {
                result: Result::Unit,
            });
        }
        self.program.operations.push(Operation {
            registers: open.registers.len(),
            code: open.code,
        });
        Ok(())
    }

    fn open(&mut self) -> Parsed<&mut Open> {
        self.open
            .as_mut()
            .ok_or_else(|| "instructions belong to an operation: write `op NAME` first".to_owned())
    }

    fn instruction(&mut self, words: &[&str]) -> Parsed<Instruction> {
        use Instruction as I;
        Ok(match words {
            [r, "=", name, at] if is(name, "read") => I::Read {
                at: self.expression(at)?,
                into: self.register(r)?,
                order: orders(name)?[0],
            },
            [name, at, v] if is(name, "write") => I::Write {
                at: self.expression(at)?,
                value: self.expression(v)?,
                order: orders(name)?[0],
            },
            [r, found @ .., "=", name, at, e, n] if found.len() <= 1 && is(name, "cas") => {
                let [order, failure] = orders(name)?;
                I::Cas {
                    at: self.expression(at)?,
                    expected: self.expression(e)?,
                    new: self.expression(n)?,
                    into: self.register(r)?,
                    found: found.first().map(|r| self.register(r)).transpose()?,
                    order,
                    failure,
                }
            }
            ["fence", order] => I::Fence {
                order: ordering(order)?,
            },
            [r, "=", "dcas", a, b, ea, eb, na, nb] => I::Dcas {
                at: [self.expression(a)?, self.expression(b)?],
                expected: [self.expression(ea)?, self.expression(eb)?],
                new: [self.expression(na)?, self.expression(nb)?],
                into: self.register(r)?,
            },
            [r, "=", name, at, v] if is(name, "faa") => I::FetchAdd {
                at: self.expression(at)?,
                value: self.expression(v)?,
                into: Some(self.register(r)?),
                order: orders(name)?[0],
            },
            [name, at, v] if is(name, "add") => I::FetchAdd {
                at: self.expression(at)?,
                value: self.expression(v)?,
                into: None,
                order: orders(name)?[0],
            },
            [r, "=", name, at, v] if is(name, "swap") => I::Swap {
                at: self.expression(at)?,
                value: self.expression(v)?,
                into: self.register(r)?,
                order: orders(name)?[0],
            },
            ["lock", at] => I::Lock {
                at: self.expression(at)?,
            },
            ["unlock", at] => I::Unlock {
                at: self.expression(at)?,
            },
            [r, "=", "trylock", at] => I::TryLock {
                at: self.expression(at)?,
                into: self.register(r)?,
            },
            ["wait", c, m] => I::Wait {
                condition: self.expression(c)?,
                lock: self.expression(m)?,
            },
            ["wake", c] => I::Wake {
                condition: self.expression(c)?,
            },
            [r, "=", "spawn", op, v] => I::Spawn {
                operation: number(op)?,
                argument: self.expression(v)?,
                into: self.register(r)?,
            },
            ["join", t] => I::Join {
                thread: self.expression(t)?,
            },
            ["exit"] => I::Exit,
            [r, "=", "choose", n] => I::Choose {
                ways: number(n)?,
                into: self.register(r)?,
            },
            [r, "=", "alloc", n] => I::Alloc {
                cells: number(n)?,
                into: self.register(r)?,
            },
            ["init", at, v] => I::Init {
                at: self.expression(at)?,
                value: self.expression(v)?,
            },
            [r, "=", "set", v] => I::Set {
                value: self.expression(v)?,
                into: self.register(r)?,
            },
            ["goto", label] => self.jump(1.into(), label)?,
            ["if", c, "goto", label] => {
                let condition = self.expression(c)?;
                self.jump(condition, label)?
            }
            ["spin", label] => {
                self.jump(0.into(), label)?;
                I::Spin { to: 0 }
            }
            ["assert", c] => I::Assert {
                condition: self.expression(c)?,
            },
            ["return"] | ["return", "unit"] => I::Return {
                result: Result::Unit,
            },
            ["return", "nil"] => I::Return {
                result: Result::Nil,
            },
            ["return", "bool", v] => I::Return {
                result: Result::Bool(self.expression(v)?),
            },
            ["return", v] => I::Return {
                result: Result::Int(self.expression(v)?),
            },
            _ => return Err(format!("`{}` is no instruction", words.join(" "))),
        })
    }

    /// A jump whose target is known when the operation ends.
    fn jump(&mut self, condition: Expression, label: &str) -> Parsed<Instruction> {
        let open = self.open()?;
        open.jumps.push((open.code.len(), label.to_owned()));
        Ok(Instruction::Jump { condition, to: 0 })
    }

    fn register(&mut self, name: &str) -> Parsed<u16> {
        let registers = &mut self.open()?.registers;
        let next = u16::try_from(registers.len()).map_err(|_| "too many registers".to_owned())?;
        Ok(*registers.entry(name.to_owned()).or_insert(next))
    }

    fn expression(&mut self, text: &str) -> Parsed<Expression> {
        const OPERATORS: [(&str, Operator); 7] = [
            ("==", Operator::Equal),
            ("!=", Operator::Unequal),
            ("<", Operator::Less),
            ("+", Operator::Plus),
            ("-", Operator::Minus),
            ("*", Operator::Times),
            ("%", Operator::Modulo),
        ];
        let mut first = None;
        let mut rest = Vec::new();
        let mut pending = None;
        let mut left = text;
        loop {
            let end = left
                .find(['=', '!', '<', '+', '-', '*', '%'])
                .unwrap_or(left.len());
            let operand = self.operand(&left[..end])?;
            match pending.take() {
                None => first = Some(operand),
                Some(operator) => rest.push((operator, operand)),
            }
            left = &left[end..];
            if left.is_empty() {
                break;
            }
            let (sign, operator) = OPERATORS
                .iter()
                .find(|(sign, _)| left.starts_with(sign))
                .ok_or_else(|| format!("`{text}` is no expression"))?;
            pending = Some(*operator);
            left = &left[sign.len()..];
        }
        let first = first.ok_or_else(|| format!("`{text}` is no expression"))?;
        Ok(Expression { first, rest })
    }

    fn operand(&mut self, name: &str) -> Parsed<Operand> {
        if let Ok(n) = name.parse() {
            return Ok(Operand::Constant(n));
        }
        if let Some(&address) = self.globals.get(name) {
            return Ok(Operand::Constant(address));
        }
        match name {
            "arg" => Ok(Operand::Argument),
            "tid" => Ok(Operand::Thread),
            _ => match self.open()?.registers.get(name) {
                Some(&r) => Ok(Operand::Register(r)),
                None => Err(format!(
                    "`{name}` is neither a number, a global nor a register set before"
                )),
            },
        }
    }
}

/// Whether `word` is the instruction `name`, with or without orderings.
fn is(word: &str, name: &str) -> bool {
    word.split('.').next() == Some(name)
}

/// The orderings in `cas.ar.rlx`: `sc` where none is given, the second like the first.
fn orders(word: &str) -> Parsed<[Ordering; 2]> {
    let mut orders = word.split('.').skip(1).map(ordering);
    let first = orders.next().unwrap_or(Ok(Ordering::SeqCst))?;
    let second = orders.next().unwrap_or(Ok(first))?;
    Ok([first, second])
}

fn ordering(word: &str) -> Parsed<Ordering> {
    Ok(match word {
        "na" => Ordering::Plain,
        "rlx" => Ordering::Relaxed,
        "acq" => Ordering::Acquire,
        "rel" => Ordering::Release,
        "ar" => Ordering::AcqRel,
        "sc" => Ordering::SeqCst,
        _ => return Err(format!("`{word}` is no ordering")),
    })
}

fn number<T: std::str::FromStr>(word: &str) -> Parsed<T> {
    word.parse().map_err(|_| format!("`{word}` is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_line_and_the_word() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Program::parse(text).unwrap_err().to_string(), expected);
        };
        check("object o\nop a\nfoo", "line 3: `foo` is no instruction");
        check(
            "write 1 1",
            "line 1: instructions belong to an operation: write `op NAME` first",
        );
        check("op a\ngoto l", "line 2: there is no label `l`");
        check("global g = z", "line 1: `z` is no number");
    }
}
