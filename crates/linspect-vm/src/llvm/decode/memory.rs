//! Memory: stack slots, loads and stores, addresses, atomics.

use super::arithmetic::width;
use super::constant::{Steps, sign_extend};
use super::function::FunctionDecoder;
use super::index;
use super::shape::scalar;
use super::site::origin;
use crate::llvm::opcode::ValueKind;
use crate::llvm::value::Value;
use crate::program::{AtomicOp, Failing, Inst, LockWord, MemoryOrder, Operand, Origin, Reg, StrId};
use crate::{models, stack};

/// LLVM's numbers for memory orderings.
fn order(raw: i32) -> MemoryOrder {
    match raw {
        0 => MemoryOrder::Plain,
        1 | 2 => MemoryOrder::Relaxed,
        4 => MemoryOrder::Acquire,
        5 => MemoryOrder::Release,
        6 => MemoryOrder::AcqRel,
        _ => MemoryOrder::SeqCst,
    }
}

/// LLVM's numbers for operations of `atomicrmw`.
fn atomic_op(raw: i32) -> Option<AtomicOp> {
    use AtomicOp as A;
    let all = [
        A::Xchg,
        A::Add,
        A::Sub,
        A::And,
        A::Nand,
        A::Or,
        A::Xor,
        A::Max,
        A::Min,
        A::UMax,
        A::UMin,
        A::FAdd,
        A::FSub,
        A::FMax,
        A::FMin,
        A::UIncWrap,
        A::UDecWrap,
        A::USubCond,
        A::USubSat,
    ];
    all.get(usize::try_from(raw).ok()?).copied()
}

/// The lock that `function` of `file` takes by a compare-exchange of so many bits, or else waits for. Code of others that is only called like it
/// may be what is tested.
fn lock_taken_by(function: &str, file: &str, bits: u8) -> Option<LockWord> {
    match bits {
        32 if origin(file, function) == Origin::Sync => match function {
            "std::sys::sync::mutex::futex::Mutex::lock" => Some(LockWord::Zero),
            "std::sys::sync::rwlock::futex::RwLock::write" => Some(LockWord::ReadWrite),
            _ => None,
        },
        8 if stack::is_lock(file) => {
            let method = function.strip_prefix("parking_lot::raw_mutex::")?;
            method.ends_with("::lock").then_some(LockWord::LowBit)
        }
        _ => None,
    }
}

/// Part of the names that LLVM gives to loads when it takes a copy of a whole apart (`llvm/lib/Transforms/Scalar/SROA.cpp`).
const PART_OF_COPY: &str = ".copyload";

impl<'m> FunctionDecoder<'_, 'm> {
    pub(super) fn alloca(&mut self, i: Value<'m>, dst: Reg) {
        let ty = i.allocated_type();
        let Ok(size) = u32::try_from(self.decoder.layout.size(ty)) else {
            return self.unsupported_instruction(i);
        };
        let align = i.alignment().max(self.decoder.layout.align(ty)).max(1);
        let count = self.operand(i.operand(0));
        let name = i.name();
        let name = self
            .decoder
            .intern(name.strip_suffix(".addr").unwrap_or(&name));
        let align_log2 = align.next_power_of_two().trailing_zeros() as u8;
        self.push(Inst::Alloca {
            dst,
            size,
            count,
            align_log2,
            name,
        });
    }

    pub(super) fn load(&mut self, i: Value<'m>, dst: Reg) {
        let addr = self.operand(i.operand(0));
        self.name_access(i.operand(0));
        let (order, volatile) = (order(i.ordering()), i.is_volatile());
        match scalar(i.ty()) {
            Some(scalar) => match width(scalar) {
                Some(bits) => {
                    if i.name().contains(PART_OF_COPY) {
                        let pc = index(self.out.code.len());
                        self.out.parts_of_copies.push(pc);
                    }
                    self.push(Inst::Load {
                        dst,
                        addr,
                        bits,
                        order,
                        volatile,
                    });
                }
                None => self.unsupported_instruction(i),
            },
            None => match self.decoder.layout_of(i.ty()) {
                Some(layout) => self.push(Inst::LoadRun { dst, addr, layout }),
                None => self.unsupported_instruction(i),
            },
        }
    }

    pub(super) fn store(&mut self, i: Value<'m>) {
        let what = i.operand(0);
        let (value, addr) = (self.operand(what), self.operand(i.operand(1)));
        self.name_access(i.operand(1));
        let (order, volatile) = (order(i.ordering()), i.is_volatile());
        match scalar(what.ty()) {
            Some(scalar) => match width(scalar) {
                Some(bits) => self.push(Inst::Store {
                    addr,
                    value,
                    bits,
                    order,
                    volatile,
                }),
                None => self.unsupported_instruction(i),
            },
            None => match self.decoder.layout_of(what.ty()) {
                Some(layout) => self.push(Inst::StoreRun {
                    addr,
                    value,
                    layout,
                }),
                None => self.unsupported_instruction(i),
            },
        }
    }

    /// `getelementptr`, as an instruction or a constant expression.
    pub(super) fn element_pointer(&mut self, i: Value<'m>, dst: Reg) {
        if scalar(i.ty()).is_none() {
            return self.unsupported_instruction(i);
        }
        let mut at = self.operand(i.operand(0));
        let mut steps = Steps::new(i.stepped_type());
        let mut offset = 0_i64;
        for position in 1..i.operand_count() {
            let by = i.operand(position);
            let Some(bits) = by.ty().integer_width().filter(|&b| b <= 64) else {
                return self.unsupported_instruction(i);
            };
            if by.kind() == ValueKind::ConstantInt {
                let number = sign_extend(by.low_bits(), bits);
                offset = offset.wrapping_add(self.decoder.step(&mut steps, number));
                continue;
            }
            let index = self.operand(by);
            let Ok(scale) = u32::try_from(self.decoder.step(&mut steps, 1)) else {
                return self.unsupported_instruction(i);
            };
            self.push(Inst::Index {
                dst,
                base: at,
                index,
                bits: bits as u8,
                scale,
            });
            at = Operand::reg(dst);
        }
        if offset != 0 || at != Operand::reg(dst) {
            self.push(Inst::Offset {
                dst,
                base: at,
                offset,
            });
        }
    }

    pub(super) fn fence(&mut self, i: Value<'m>) {
        self.push(Inst::Fence {
            order: order(i.ordering()),
            compiler_only: i.is_single_thread(),
        });
    }

    pub(super) fn compare_exchange(&mut self, i: Value<'m>, dst: Reg) {
        let Some(bits) = scalar(i.operand(1).ty()).and_then(width) else {
            return self.unsupported_instruction(i);
        };
        let (success, failure) = i.exchange_orderings();
        let addr = self.operand(i.operand(0));
        let expected = self.operand(i.operand(1));
        let new = self.operand(i.operand(2));
        self.name_access(i.operand(0));
        let failing = match self.lock_taken(i.operand(1), bits) {
            Some(lock) => Failing::Waits(lock),
            // The other compare-exchange there, of who queues, is relaxed.
            None if order(success) == MemoryOrder::Acquire && self.begins_once(bits) => {
                Failing::Waits(LockWord::Once)
            }
            None if i.is_weak() => Failing::Weak,
            None => Failing::Strong,
        };
        self.push(Inst::CompareExchange {
            dst,
            addr,
            expected,
            new,
            bits,
            success: order(success),
            failure: order(failure),
            failing,
        });
    }

    /// The lock of which a compare-exchange of `expected` is the fast path.
    fn lock_taken(&self, expected: Value<'m>, bits: u8) -> Option<LockWord> {
        if expected.kind() != ValueKind::ConstantInt || expected.low_bits() != 0 {
            return None;
        }
        self.along_inlining(|function, file| lock_taken_by(function, file, bits))
    }

    /// Whether the running instruction is of the standard library's one-time initialisation.
    fn begins_once(&self, bits: u8) -> bool {
        let is_once = |function: &str, file: &str| {
            (origin(file, function) == Origin::Sync && function == models::ONCE).then_some(())
        };
        bits == 32 && self.along_inlining(is_once).is_some()
    }

    /// The first answer for a function and file that the running instruction belongs to, innermost first.
    fn along_inlining<T>(&self, answer: impl Fn(&str, &str) -> Option<T>) -> Option<T> {
        let mut site = self.site();
        while site != 0 {
            let here = &self.decoder.program.sites[site as usize];
            let text = |id: StrId| &*self.decoder.program.strings[id as usize];
            if let Some(answer) = answer(text(here.function), text(here.file)) {
                return Some(answer);
            }
            site = here.inlined_at;
        }
        None
    }

    pub(super) fn atomic_update(&mut self, i: Value<'m>, dst: Reg) {
        let bits = scalar(i.operand(1).ty()).and_then(width);
        let (Some(bits), Some(op)) = (bits, atomic_op(i.update_operation())) else {
            return self.unsupported_instruction(i);
        };
        let (addr, value) = (self.operand(i.operand(0)), self.operand(i.operand(1)));
        self.name_access(i.operand(0));
        let order = order(i.ordering());
        self.push(Inst::AtomicUpdate {
            op,
            dst,
            addr,
            value,
            bits,
            order,
            discards: !i.is_used(),
        });
    }
}
