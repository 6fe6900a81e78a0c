//! The instructions that need nothing but the registers of a thread and memory of its own: the larger part of all, calls among them, run without leaving one loop.
//!
//! Nothing here can be seen by others, stop the thread or go wrong. Whatever could is left to [`super::Cpu`], which begins it anew with all that it needs.

use super::int;
use crate::image::Image;
use crate::memory::address::function_at;
use crate::memory::{Memory, little_endian};
use crate::program::{Edge, EdgeId, Function, FunctionId, Inst, MemoryOrder, Operand, Pc, Reg};
use crate::thread::{After, Frame, Thread};
use smallvec::SmallVec;

/// A thread, as far as simple instructions see it.
pub(super) struct Window<'p, 'a> {
    pub(super) image: &'p Image,
    pub(super) thread: &'a mut Thread,
    pub(super) memory: &'a mut Memory,
    /// Calls in calls that a thread may be in.
    pub(super) depth: usize,
    /// Whether all changes of the thread's own heap are followed.
    pub(super) follows_heap: bool,
    /// Whether the ends of variables that others can reach are steps.
    pub(super) ends_variables: bool,
    /// Whether variables may be shared from their birth.
    pub(super) shares_variables: bool,
}

/// Where the loop was left. The top frame stands there, too.
pub(super) struct Left<'p> {
    pub(super) why: Why<'p>,
    /// Instructions that it could still have run.
    pub(super) fuel: u64,
}

/// Why the loop was left.
pub(super) enum Why<'p> {
    /// At an instruction that it does not know, or not so.
    Other(&'p Inst),
    /// After a jump back.
    Round,
    /// All instructions that it was given are run.
    Spent,
    /// There are no more instructions.
    End,
}

/// What the loop knows of the running frame.
#[derive(Clone, Copy)]
struct Running<'p> {
    function: &'p Function,
    base: usize,
    pc: Pc,
}

#[inline(always)]
fn get(registers: &[u64], constants: &[u64], operand: Operand) -> u64 {
    match operand.as_reg() {
        Some(reg) => registers[reg as usize],
        None => constants[operand.as_constant().unwrap_or(0) as usize],
    }
}

/// Copies along an edge: all sources are read before any register is written.
#[inline]
pub(super) fn copy_along(
    registers: &mut [u64],
    constants: &[u64],
    function: &Function,
    edge: Edge,
) {
    let first = edge.first_copy as usize;
    match edge.copies {
        0 => {}
        1 => {
            let (dst, src) = function.copies[first];
            registers[dst as usize] = get(registers, constants, src);
        }
        count => {
            let copies = &function.copies[first..first + count as usize];
            let values: SmallVec<[u64; 8]> = copies
                .iter()
                .map(|(_, src)| get(registers, constants, *src))
                .collect();
            for ((dst, _), value) in copies.iter().zip(values) {
                registers[*dst as usize] = value;
            }
        }
    }
}

/// Copies a run of slots, whether the two overlap or not.
#[inline]
pub(super) fn copy_run(
    registers: &mut [u64],
    constants: &[u64],
    dst: Reg,
    src: Operand,
    count: u32,
) {
    let (to, count) = (dst as usize, count as usize);
    match src.as_reg() {
        // Nothing may be anywhere.
        _ if count == 0 => {}
        Some(from) => registers.copy_within(from as usize..from as usize + count, to),
        None => {
            let from = src.as_constant().unwrap_or(0) as usize;
            registers[to..to + count].copy_from_slice(&constants[from..from + count]);
        }
    }
}

/// Why the inner loop was left, which sees only the registers of the running frame.
enum Paused<'p> {
    /// At an instruction that is about more than registers and memory of the thread's own.
    At(&'p Inst),
    /// After a jump back.
    Round,
    /// All instructions that it was given are run.
    Spent,
    /// There are no more instructions.
    End,
}

impl<'p> Window<'p, '_> {
    #[inline(always)]
    fn get(&self, base: usize, operand: Operand) -> u64 {
        get(
            &self.thread.registers[base..],
            &self.image.constants,
            operand,
        )
    }

    #[inline(always)]
    fn set(&mut self, base: usize, dst: Reg, value: u64) {
        self.thread.registers[base + dst as usize] = value;
    }

    /// Runs simple instructions for as long as there are any, and at most `fuel`.
    pub(super) fn run(&mut self, mut fuel: u64) -> Left<'p> {
        let Some(mut running) = self.running() else {
            let why = Why::End;
            return Left { why, fuel };
        };
        let why = loop {
            let inst = match self.run_registers(&mut running, &mut fuel) {
                Paused::At(inst) => inst,
                Paused::Round => break Why::Round,
                Paused::Spent => break Why::Spent,
                Paused::End => break Why::End,
            };
            let Running { function, base, pc } = running;
            match *inst {
                Inst::Alloca {
                    dst,
                    size,
                    count,
                    name,
                    ..
                } if !self.shares_variables => {
                    let bytes = u64::from(size).saturating_mul(self.get(base, count));
                    let outer = self.thread.frames.last().map_or(0, |frame| frame.outer);
                    let site = self.image.site(function, pc, outer);
                    let variable = self.memory.push_stack(self.thread.lane, bytes, name, site);
                    match variable {
                        Ok(address) => self.set(base, dst, address),
                        Err(_) => break Why::Other(inst),
                    }
                    running.pc += 1;
                }
                Inst::Call {
                    callee,
                    args,
                    count,
                    dst,
                    ..
                } if self.image.goes_there[callee as usize]
                    && self.thread.frames.len() < self.depth =>
                {
                    let args = args as usize..args as usize + usize::from(count);
                    running = self.enter(running, callee, &function.arguments[args], dst);
                }
                Inst::CallIndirect {
                    callee,
                    args,
                    count,
                    dst,
                    ..
                } if self.thread.frames.len() < self.depth => {
                    let callee = function_at(self.get(base, callee))
                        .filter(|f| self.image.goes_there.get(*f as usize) == Some(&true));
                    let Some(callee) = callee else {
                        break Why::Other(inst);
                    };
                    let args = args as usize..args as usize + usize::from(count);
                    running = self.enter(running, callee, &function.arguments[args], dst);
                }
                Inst::Return { value, count } => match self.leave(running, value, count) {
                    Some(caller) => running = caller,
                    None => break Why::Other(inst),
                },
                _ => break Why::Other(inst),
            }
        };
        if let Some(frame) = self.thread.frames.last_mut() {
            frame.pc = running.pc;
        }
        Left { why, fuel }
    }

    /// Runs the instructions of the running frame that compute with registers and move them to and from memory of the thread's own.
    #[inline(always)]
    fn run_registers(&mut self, running: &mut Running<'p>, fuel: &mut u64) -> Paused<'p> {
        let lane = self.thread.lane;
        let constants = &self.image.constants[..];
        let function = running.function;
        let code = &function.code[..];
        let registers = &mut self.thread.registers[running.base..];
        let (mut pc, mut left) = (running.pc, *fuel);
        let paused = loop {
            let Some(inst) = code.get(pc as usize) else {
                break Paused::End;
            };
            if left == 0 {
                break Paused::Spent;
            }
            left -= 1;
            match *inst {
                Inst::Int {
                    op,
                    bits,
                    dst,
                    a,
                    b,
                } => {
                    let (a, b) = (get(registers, constants, a), get(registers, constants, b));
                    match int::compute(op, bits, a, b) {
                        Some(value) => registers[dst as usize] = value,
                        None => break Paused::At(inst),
                    }
                }
                Inst::Compare {
                    op,
                    bits,
                    dst,
                    a,
                    b,
                } if bits <= 64 => {
                    let (a, b) = (get(registers, constants, a), get(registers, constants, b));
                    registers[dst as usize] = u64::from(int::compare(op, bits, a, b));
                }
                Inst::Cast {
                    op,
                    from,
                    to,
                    dst,
                    a,
                } if from <= 64 && to <= 64 => {
                    let a = get(registers, constants, a);
                    registers[dst as usize] = int::cast_narrow(op, from, to, a);
                }
                Inst::Copy { dst, src, count: 1 } => {
                    registers[dst as usize] = get(registers, constants, src);
                }
                Inst::Copy { dst, src, count } => {
                    copy_run(registers, constants, dst, src, count);
                }
                Inst::Select {
                    dst,
                    cond,
                    a,
                    b,
                    count,
                } => {
                    let holds = get(registers, constants, cond) & 1 == 1;
                    let from = if holds { a } else { b };
                    copy_run(registers, constants, dst, from, count);
                }
                Inst::Offset { dst, base, offset } => {
                    let base = get(registers, constants, base);
                    registers[dst as usize] = base.wrapping_add_signed(offset);
                }
                Inst::Index {
                    dst,
                    base,
                    index,
                    bits,
                    scale,
                } => {
                    let index = int::sign_extend(get(registers, constants, index), bits);
                    let further = index.wrapping_mul(i64::from(scale));
                    let base = get(registers, constants, base);
                    registers[dst as usize] = base.wrapping_add_signed(further);
                }
                Inst::Load {
                    dst,
                    addr,
                    bits,
                    order: MemoryOrder::Plain,
                    ..
                } if bits <= 64 => {
                    let address = get(registers, constants, addr);
                    let len = usize::from(bits.div_ceil(8));
                    let Some(bytes) = self.memory.own_bytes(lane, address, len) else {
                        break Paused::At(inst);
                    };
                    registers[dst as usize] = int::mask(little_endian(bytes), bits);
                }
                Inst::Store {
                    addr,
                    value,
                    bits,
                    order: MemoryOrder::Plain,
                    ..
                } if bits <= 64 => {
                    let address = get(registers, constants, addr);
                    if self.follows_heap && !self.memory.is_on_stack(address) {
                        break Paused::At(inst);
                    }
                    let value = get(registers, constants, value);
                    let len = usize::from(bits.div_ceil(8));
                    if !self.memory.write_own(lane, address, value, len) {
                        break Paused::At(inst);
                    }
                }
                Inst::Jump { edge } => {
                    let from =
                        std::mem::replace(&mut pc, follow(registers, constants, function, edge));
                    if pc <= from {
                        break Paused::Round;
                    }
                    continue;
                }
                Inst::Branch {
                    cond,
                    then,
                    otherwise,
                } => {
                    let taken = get(registers, constants, cond) & 1 == 1;
                    let edge = if taken { then } else { otherwise };
                    let from =
                        std::mem::replace(&mut pc, follow(registers, constants, function, edge));
                    if pc <= from {
                        break Paused::Round;
                    }
                    continue;
                }
                Inst::Switch { value, bits, table } => {
                    let low = u128::from(get(registers, constants, value));
                    let value = match bits {
                        0..=64 => low,
                        _ => low | u128::from(get(registers, constants, value.slot(1))) << 64,
                    };
                    let table = &function.switches[table as usize];
                    let edge = match table.cases.binary_search_by_key(&value, |c| c.0) {
                        Ok(at) => table.cases[at].1,
                        Err(_) => table.default,
                    };
                    let from =
                        std::mem::replace(&mut pc, follow(registers, constants, function, edge));
                    if pc <= from {
                        break Paused::Round;
                    }
                    continue;
                }
                _ => break Paused::At(inst),
            }
            pc += 1;
        };
        (running.pc, *fuel) = (pc, left);
        paused
    }

    #[inline(always)]
    fn running(&self) -> Option<Running<'p>> {
        self.thread.frames.last().map(|frame| Running {
            function: &self.image.program.functions[frame.function as usize],
            base: frame.base as usize,
            pc: frame.pc,
        })
    }

    /// Calls a function that is there, and of which nobody wants to hear.
    #[inline(always)]
    fn enter(
        &mut self,
        caller: Running<'p>,
        callee: FunctionId,
        args: &[Operand],
        dst: Reg,
    ) -> Running<'p> {
        let image = self.image;
        let function = &image.program.functions[callee as usize];
        let Thread {
            registers,
            frames,
            calls,
            lane,
            ..
        } = &mut *self.thread;
        let (registers, frames): (&mut Vec<u64>, &mut Vec<Frame>) = (registers, frames);
        let base = registers.len();
        append_zeros(registers, function.registers as usize);
        let (callers, own) = registers.split_at_mut(base);
        let callers = &callers[caller.base..];
        for (param, arg) in own[..function.params as usize].iter_mut().zip(args) {
            *param = get(callers, &image.constants, *arg);
        }
        *calls = calls.wrapping_add(1);
        let stack = self.memory.stack_height(*lane);
        if let Some(frame) = frames.last_mut() {
            frame.pc = caller.pc;
            let (origin, outer) = frame.passes_on(image);
            frames.push(Frame {
                function: callee,
                pc: 0,
                base: base as u32,
                dst: (caller.base + dst as usize) as u32,
                stack,
                origin,
                outer,
                after: After::Result,
                activation: *calls,
                rounds: 0,
            });
        }
        Running {
            function,
            base,
            pc: 0,
        }
    }

    /// Returns to the caller, if nobody wants to hear of it.
    #[inline(always)]
    fn leave(&mut self, running: Running<'p>, value: Operand, count: u32) -> Option<Running<'p>> {
        let image = self.image;
        let lane = self.thread.lane;
        let Thread {
            registers,
            frames,
            variadic,
            phase,
            ..
        } = &mut *self.thread;
        let (registers, frames): (&mut Vec<u64>, &mut Vec<Frame>) = (registers, frames);
        let [.., caller, frame] = frames.as_mut_slice() else {
            return None;
        };
        let is_simple = matches!(frame.after, After::Result)
            && variadic.is_empty()
            && !(self.ends_variables && self.memory.is_lent(lane));
        if !is_simple {
            return None;
        }
        caller.pc += 1;
        let (stack, to) = (frame.stack, frame.dst);
        match count {
            0 => {}
            1 => {
                registers[to as usize] = get(&registers[running.base..], &image.constants, value);
            }
            _ => {
                let own = |reg| Operand::reg(running.base as Reg + reg);
                let value = value.as_reg().map_or(value, own);
                copy_run(registers, &image.constants, to, value, count);
            }
        }
        frames.pop();
        registers.truncate(running.base);
        *phase = 0;
        self.memory.pop_stack(lane, stack);
        self.running()
    }
}

/// Appends so many zeros.
#[inline(always)]
pub(super) fn append_zeros(registers: &mut Vec<u64>, count: usize) {
    const ZEROS: [u64; 64] = [0; 64];
    match ZEROS.get(..count) {
        Some(zeros) => registers.extend_from_slice(zeros),
        None => registers.resize(registers.len() + count, 0),
    }
}

/// Takes an edge: where it leads.
#[inline(always)]
fn follow(registers: &mut [u64], constants: &[u64], function: &Function, edge: EdgeId) -> Pc {
    let edge = function.edges[edge as usize];
    if edge.copies > 0 {
        copy_along(registers, constants, function, edge);
    }
    edge.target
}
