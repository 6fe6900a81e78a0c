//! Instructions without operands, jumps, the stack, and which registers an instruction touches without naming them.

use super::Block;
use super::flags::conditional;
use super::syntax::{Address, Place, Statement};
use crate::llvm::decode::function::FunctionDecoder;
use crate::llvm::decode::index;
use crate::program::{Compare, Inst, IntOp, Intrinsic, MemoryOrder, Operand};

/// Bit 13 of `cx` in the answer to question 1: the processor has `cmpxchg16b`.
const HAS_CMPXCHG16B: u64 = 1 << 13;

/// The registers that an instruction reads or writes.
pub(super) fn registers(statement: &Statement) -> Vec<String> {
    let implied: &[&str] = match statement.name.as_str() {
        "cpuid" | "cmpxchg16b" | "cmpxchg8b" => &["ax", "bx", "cx", "dx"],
        "rdtsc" | "rdtscp" => &["ax", "cx", "dx"],
        name if name.starts_with("mul") => &["ax", "dx"],
        name if name.starts_with("cmpxchg") => &["ax"],
        _ => &[],
    };
    let mut all: Vec<String> = implied.iter().map(|&name| name.to_owned()).collect();
    for operand in &statement.operands {
        match operand {
            Place::Register(name, _) => all.push(name.clone()),
            Place::Memory(Address { base, index, .. }, _) => {
                all.extend(base.clone());
                all.extend(index.clone().map(|(name, _)| name));
            }
            Place::Number(_) | Place::Label(_) => {}
        }
    }
    all
}

impl FunctionDecoder<'_, '_> {
    /// One instruction; `None` if it is not known.
    pub(super) fn statement(&mut self, statement: &Statement, block: &mut Block) -> Option<()> {
        let fence = |order| Inst::Fence {
            order,
            compiler_only: false,
        };
        match (statement.name.as_str(), &statement.operands[..]) {
            ("mfence", []) => self.push(fence(MemoryOrder::SeqCst)),
            ("lfence", []) => self.push(fence(MemoryOrder::Acquire)),
            ("sfence", []) => self.push(fence(MemoryOrder::Release)),
            ("pause", []) => self.spin_hint(),
            ("nop" | "endbr64" | "cld", _) => {}
            (name, _) if name.starts_with("prefetch") || name.starts_with("clflush") => {}
            ("ud2" | "int3", []) => self.push(Inst::Unreachable { trap: true }),
            ("rdtsc" | "rdtscp", []) => self.time(block, statement.name == "rdtscp")?,
            ("cpuid", []) => self.features(block)?,
            ("push" | "pushq", [Place::Register(name, 64)]) => {
                let (dst, src) = (self.fresh(1), Operand::reg(*block.cells.get(name)?));
                self.push(Inst::Copy { dst, src, count: 1 });
                block.stack.push(dst);
            }
            ("pop" | "popq", [Place::Register(name, 64)]) => {
                let (dst, src) = (*block.cells.get(name)?, Operand::reg(block.stack.pop()?));
                self.push(Inst::Copy { dst, src, count: 1 });
            }
            ("jmp", [Place::Label(to)]) => {
                let edge = self.jump(to, block);
                self.push(Inst::Jump { edge });
            }
            (name, [Place::Label(to)]) => {
                let (_, condition) = conditional(name)?;
                let cond = self.holds(block.flags, condition)?;
                let then = self.jump(to, block);
                let otherwise = self.open_edge();
                self.push(Inst::Branch {
                    cond,
                    then,
                    otherwise,
                });
                self.out.edges[otherwise as usize].target = index(self.out.code.len());
            }
            _ => return self.operate(statement, block),
        }
        Some(())
    }

    fn jump(&mut self, to: &str, block: &mut Block) -> u32 {
        let edge = self.open_edge();
        let jump = (edge, to.to_owned(), block.labels.len(), block.stack.len());
        block.jumps.push(jump);
        edge
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

    /// The time stamp in dx:ax; which processor it is, the first, in cx.
    fn time(&mut self, block: &Block, processor: bool) -> Option<()> {
        let clock = self.fresh(1);
        let args = self.arguments([]);
        self.push(Inst::Intrinsic {
            op: Intrinsic::CycleCounter,
            bits: 64,
            dst: clock,
            args,
        });
        let (mask, half) = (self.number(u64::from(u32::MAX)), self.number(32));
        let low = self.int(IntOp::And, 64, Operand::reg(clock), mask);
        let high = self.int(IntOp::LShr, 64, Operand::reg(clock), half);
        let (ax, dx) = (block.cells.get("ax")?, block.cells.get("dx")?);
        self.set(Some(*ax), low);
        self.set(Some(*dx), high);
        if processor {
            let zero = self.number(0);
            self.set(Some(*block.cells.get("cx")?), zero);
        }
        Some(())
    }

    /// `cpuid`: no feature beyond those of every x86-64 is there but `cmpxchg16b`, so that libraries take their portable code.
    fn features(&mut self, block: &Block) -> Option<()> {
        let cell = |name: &str| block.cells.get(name).copied();
        let (ax, bx, cx, dx) = (cell("ax")?, cell("bx")?, cell("cx")?, cell("dx")?);
        let (zero, one) = (self.number(0), self.number(1));
        let leaf = self.narrow(Operand::reg(ax), 32);
        // Question 0: how many there are.
        let first = self.compared(Compare::Eq, 32, leaf, zero);
        let second = self.compared(Compare::Eq, 32, leaf, one);
        self.set(Some(ax), first);
        let features = self.number(HAS_CMPXCHG16B);
        self.push(Inst::Select {
            dst: cx,
            cond: second,
            a: features,
            b: zero,
            count: 1,
        });
        self.set(Some(bx), zero);
        self.set(Some(dx), zero);
        Some(())
    }
}
