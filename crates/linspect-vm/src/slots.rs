//! Which bytes of a function's stack memory may still be read: backward liveness of small variables whose address stays in the function.
//!
//! What a loop keeps in memory, such as the answer of a failed exchange that was asked `is_ok()`, is written anew in each round before anybody reads it. Two
//! states that differ only there go on alike. A variable counts if it is small, and if its address only serves to access it, here or in functions that are
//! called with it and do nothing else with it; what is known of those is what they may read and what they may leave as it was. Every other
//! variable counts as read for ever, which only tells more states apart.

use crate::image::Image;
use crate::liveness::{each_use, written};
use crate::memory::Address;
use crate::models::Model;
use crate::program::{Constant, Function, FunctionId, Inst, NO_EDGE, Operand, Pc, Program, Reg};
use crate::thread::Thread;
use smallvec::SmallVec;

/// Bytes of a variable that is looked at: one bit each.
const BYTES: u64 = 64;
/// How deep calls are followed that get the address of a variable.
const DEPTH: u32 = 4;

/// A set of bytes of a variable.
type Bytes = u64;

/// What is known about the stack memory of a function.
pub(crate) struct Slots {
    /// The registers that hold the addresses of its variables.
    variables: Vec<Reg>,
    /// By instruction and variable: what may be read from before it on.
    live: Vec<Bytes>,
    /// The same while the instruction runs, if it is a call.
    during: Vec<Bytes>,
}

/// What a function does with memory that it is given the address of.
#[derive(Clone, Copy)]
struct Summary {
    /// What it may read before it has written it.
    reads: Bytes,
    /// What it may leave as it was.
    keeps: Bytes,
}

/// What is looked up.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    pub(crate) program: &'a Program,
    /// By function: what runs instead of it.
    pub(crate) models: &'a [Option<Model>],
}

/// Where a register points: into which variable, and how far.
type Pointer = Option<(usize, u64)>;

/// What an instruction does with a variable.
#[derive(Clone, Copy)]
enum Effect {
    Reads(Bytes),
    Writes(Bytes),
    Calls(Summary),
    /// Its address gets away.
    Escapes,
}

impl Effect {
    fn reads(self) -> Bytes {
        match self {
            Self::Reads(bytes) => bytes,
            Self::Writes(_) => 0,
            Self::Calls(summary) => summary.reads,
            Self::Escapes => Bytes::MAX,
        }
    }

    /// What it may leave as it was.
    fn keeps(self) -> Bytes {
        match self {
            Self::Writes(bytes) => !bytes,
            Self::Calls(summary) => summary.keeps,
            Self::Reads(_) | Self::Escapes => Bytes::MAX,
        }
    }
}

impl Slots {
    /// Those of `function`.
    pub(crate) fn of(code: Code<'_>, function: &Function) -> Self {
        let small = function.code.iter().filter_map(|inst| match *inst {
            Inst::Alloca {
                dst, size, count, ..
            } if constant(code.program, count) == Some(1) && u64::from(size) <= BYTES => Some(dst),
            _ => None,
        });
        let all = Flow::new(code, function, small.collect(), 0);
        let escaped = all.escaped();
        let stays = all
            .roots
            .iter()
            .zip(escaped)
            .filter(|(_, escaped)| !escaped);
        let flow = Flow::new(code, function, stays.map(|(reg, _)| *reg).collect(), 0);
        let live = flow.live(0);
        Self {
            during: flow.during(&live),
            variables: flow.roots,
            live,
        }
    }

    /// Each variable by the register that holds its address, and which of its bytes may be read from before `pc` on.
    pub(crate) fn before(&self, pc: Pc) -> impl Iterator<Item = (Reg, Bytes)> + '_ {
        self.at(&self.live, pc)
    }

    /// The same while the call at `pc` runs: what it was given the address of it may still read.
    pub(crate) fn during(&self, pc: Pc) -> impl Iterator<Item = (Reg, Bytes)> + '_ {
        self.at(&self.during, pc)
    }

    fn at<'a>(&'a self, of: &'a [Bytes], pc: Pc) -> impl Iterator<Item = (Reg, Bytes)> + 'a {
        let at = self.variables.len() * pc as usize;
        self.variables.iter().copied().zip(of[at..].iter().copied())
    }
}

/// Tells `each` the variables on the stack of a thread of which some bytes will not be read before they are written: where, and which bytes may be.
pub(crate) fn dead_bytes(image: &Image, thread: &Thread, each: &mut dyn FnMut(Address, u64)) {
    let running = thread.frames.len().saturating_sub(1);
    for (depth, frame) in thread.frames.iter().enumerate() {
        let slots = image.slots(frame.function);
        let mut look = |(reg, live): (Reg, u64)| {
            if live != u64::MAX {
                each(thread.registers[(frame.base + reg) as usize], live);
            }
        };
        if depth == running {
            slots.before(frame.pc).for_each(&mut look);
        } else {
            slots.during(frame.pc).for_each(&mut look);
        }
    }
}

/// The analysis of one function.
struct Flow<'a> {
    code: Code<'a>,
    function: &'a Function,
    /// The registers that hold the addresses of the variables.
    roots: Vec<Reg>,
    /// By register.
    pointers: Vec<Pointer>,
    /// By instruction, what it does with which variable.
    effects: Vec<SmallVec<[(usize, Effect); 1]>>,
    depth: u32,
}

impl<'a> Flow<'a> {
    fn new(code: Code<'a>, function: &'a Function, roots: Vec<Reg>, depth: u32) -> Self {
        let mut flow = Self {
            code,
            function,
            roots,
            pointers: vec![None; function.registers as usize],
            effects: Vec::new(),
            depth,
        };
        flow.follow_pointers();
        if !flow.roots.is_empty() {
            let all = 0..function.code.len() as Pc;
            flow.effects = all.map(|pc| flow.effects_of(pc)).collect();
        }
        flow
    }

    /// Finds the registers that hold an address in a variable, whatever way was taken.
    fn follow_pointers(&mut self) {
        let written_once = self.written_once();
        self.roots.retain(|&reg| written_once[reg as usize]);
        for (variable, &reg) in self.roots.iter().enumerate() {
            self.pointers[reg as usize] = Some((variable, 0));
        }
        loop {
            let mut changed = false;
            for inst in &self.function.code {
                let (dst, from, further) = match *inst {
                    Inst::Offset { dst, base, offset } => (dst, base, offset),
                    Inst::Copy { dst, src, count: 1 } => (dst, src, 0),
                    _ => continue,
                };
                let Some((variable, at)) = self.pointer(from) else {
                    continue;
                };
                let at = at.checked_add_signed(further).filter(|at| *at < BYTES);
                let known = &mut self.pointers[dst as usize];
                if let Some(at) = at
                    && known.is_none()
                    && written_once[dst as usize]
                {
                    *known = Some((variable, at));
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// By register, whether only one thing ever writes it: an instruction, or the call of the function.
    fn written_once(&self) -> Vec<bool> {
        let mut writes = vec![0_u32; self.function.registers as usize];
        let mut write = |reg: Reg| {
            if let Some(count) = writes.get_mut(reg as usize) {
                *count += 1;
            }
        };
        (0..self.function.params).for_each(&mut write);
        for inst in &self.function.code {
            let (dst, count) = match *inst {
                // Which of them is written is decided when it runs.
                Inst::Insert {
                    dst, lanes, stride, ..
                } => (dst, u32::from(lanes) * u32::from(stride)),
                _ => written(self.code.program, inst),
            };
            (dst..dst.saturating_add(count)).for_each(&mut write);
        }
        self.function.copies.iter().for_each(|(dst, _)| write(*dst));
        writes.into_iter().map(|count| count == 1).collect()
    }

    fn pointer(&self, operand: Operand) -> Pointer {
        self.pointers[operand.as_reg()? as usize]
    }

    /// By variable, whether its address gets away.
    fn escaped(&self) -> Vec<bool> {
        let mut escaped = vec![false; self.roots.len()];
        for (variable, effect) in self.effects.iter().flatten() {
            escaped[*variable] |= matches!(effect, Effect::Escapes);
        }
        for (_, src) in &self.function.copies {
            if let Some((variable, _)) = self.pointer(*src) {
                escaped[variable] = true;
            }
        }
        escaped
    }

    /// By instruction and variable: what may be read from before it on, if `exit` may be read after the function.
    fn live(&self, exit: Bytes) -> Vec<Bytes> {
        let count = self.roots.len();
        let code = &self.function.code;
        let mut live = vec![0; count * code.len()];
        let mut changed = count > 0;
        while changed {
            changed = false;
            for pc in (0..code.len()).rev() {
                let mut now: SmallVec<[Bytes; 8]> = SmallVec::from_elem(0, count);
                let leaves = match code[pc] {
                    Inst::Return { .. } | Inst::Resume { .. } => true,
                    Inst::Call { unwind, .. } | Inst::CallIndirect { unwind, .. } => {
                        unwind == NO_EDGE
                    }
                    _ => false,
                };
                if leaves {
                    now.fill(exit);
                }
                // What a call writes it has not written where it is left by an exception.
                let thrown = unwinds_to(self.function, pc as Pc);
                for next in successors(self.function, pc as Pc) {
                    let mut after: SmallVec<[Bytes; 8]> =
                        SmallVec::from_slice(&live[count * next as usize..][..count]);
                    if thrown != Some(next) {
                        self.effects[pc]
                            .iter()
                            .for_each(|(v, e)| after[*v] &= e.keeps());
                    }
                    now.iter_mut()
                        .zip(after)
                        .for_each(|(now, after)| *now |= after);
                }
                self.effects[pc]
                    .iter()
                    .for_each(|(v, e)| now[*v] |= e.reads());
                let known = &mut live[count * pc..count * (pc + 1)];
                if known != now.as_slice() {
                    known.copy_from_slice(&now);
                    changed = true;
                }
            }
        }
        live
    }

    /// By instruction and variable: what may be read after it, or by the call that it is.
    fn during(&self, live: &[Bytes]) -> Vec<Bytes> {
        let count = self.roots.len();
        let mut during = vec![0; live.len()];
        for (pc, effects) in self.effects.iter().enumerate() {
            let now = &mut during[count * pc..count * (pc + 1)];
            for next in successors(self.function, pc as Pc) {
                let after = &live[count * next as usize..][..count];
                now.iter_mut()
                    .zip(after)
                    .for_each(|(now, after)| *now |= after);
            }
            effects.iter().for_each(|(v, _)| now[*v] = Bytes::MAX);
        }
        during
    }

    /// What the instruction at `pc` does with the variables.
    fn effects_of(&self, pc: Pc) -> SmallVec<[(usize, Effect); 1]> {
        let mut effects = SmallVec::new();
        self.tell_effects(pc, &mut |variable, effect| effects.push((variable, effect)));
        effects
    }

    fn tell_effects(&self, pc: Pc, each: &mut dyn FnMut(usize, Effect)) {
        let mut accesses: SmallVec<[Operand; 2]> = SmallVec::new();
        let mut access = |operand: Operand, effect: &dyn Fn(u64) -> Effect| {
            if let Some((variable, at)) = self.pointer(operand) {
                each(variable, effect(at));
            }
            accesses.push(operand);
        };
        let layout_of = |layout: u32| &self.code.program.layouts[layout as usize];
        let length = |len: Operand| constant(self.code.program, len);
        match self.function.code[pc as usize] {
            Inst::Load { addr, bits, .. }
            | Inst::CompareExchange { addr, bits, .. }
            | Inst::AtomicUpdate { addr, bits, .. } => {
                access(addr, &|at| {
                    Effect::Reads(bytes(at, bits.div_ceil(8).into()))
                });
            }
            Inst::LoadRun { addr, layout, .. } => {
                let size = layout_of(layout).size;
                access(addr, &|at| Effect::Reads(bytes(at, size.into())));
            }
            Inst::Store { addr, bits, .. } => {
                access(addr, &|at| {
                    Effect::Writes(bytes(at, bits.div_ceil(8).into()))
                });
            }
            Inst::StoreRun { addr, layout, .. } => access(addr, &|at| {
                let elements = layout_of(layout).elements.iter();
                let element = |bit: u32, bits: u32| {
                    let first = u64::from(bit / 8);
                    bytes(at + first, u64::from((bit + bits).div_ceil(8)) - first)
                };
                Effect::Writes(elements.fold(0, |all, e| all | element(e.bit, e.bits)))
            }),
            Inst::MemCopy { dst, src, len, .. } => {
                let len = length(len);
                access(src, &|at| Effect::Reads(bytes(at, len.unwrap_or(u64::MAX))));
                access(dst, &|at| Effect::Writes(bytes(at, len.unwrap_or(0))));
            }
            Inst::MemSet { dst, len, .. } => {
                let len = length(len);
                access(dst, &|at| Effect::Writes(bytes(at, len.unwrap_or(0))));
            }
            Inst::Offset { dst, base, .. } => self.carried(dst, base, each),
            Inst::Copy { dst, src, count: 1 } => self.carried(dst, src, each),
            Inst::Compare { .. } => {}
            Inst::Call {
                callee,
                args,
                count,
                ..
            } => {
                let from = args as usize;
                let arguments = &self.function.arguments[from..from + usize::from(count)];
                for (i, argument) in arguments.iter().enumerate() {
                    if let Some((variable, at)) = self.pointer(*argument) {
                        let summary = self.summary(callee, i as Reg);
                        let effect = summary.map_or(Effect::Escapes, |summary| {
                            Effect::Calls(Summary {
                                reads: summary.reads << at,
                                // Bytes before those that it is given the address of it does not touch.
                                keeps: summary.keeps << at | !(Bytes::MAX << at),
                            })
                        });
                        each(variable, effect);
                    }
                }
            }
            _ => self.escapes(pc, &[], each),
        }
        if !accesses.is_empty() {
            self.escapes(pc, &accesses, each);
        }
    }

    /// An address is passed on; it gets away where it is not known any more.
    fn carried(&self, to: Reg, from: Operand, each: &mut dyn FnMut(usize, Effect)) {
        if let Some((variable, _)) = self.pointer(from)
            && self.pointers[to as usize].is_none()
        {
            each(variable, Effect::Escapes);
        }
    }

    /// Every address that the instruction uses gets away, if it is not one that it only accesses.
    fn escapes(&self, pc: Pc, accessed: &[Operand], each: &mut dyn FnMut(usize, Effect)) {
        let mut allowed: SmallVec<[Reg; 2]> = accessed.iter().filter_map(|o| o.as_reg()).collect();
        each_use(self.code.program, self.function, pc, &mut |reg| {
            if let Some((variable, _)) = self.pointers[reg as usize] {
                match allowed.iter().position(|a| *a == reg) {
                    Some(at) => {
                        allowed.remove(at);
                    }
                    None => each(variable, Effect::Escapes),
                }
            }
        });
    }

    /// What `callee` does with the memory that its argument points to; nothing is known if it does more than access it.
    fn summary(&self, callee: FunctionId, argument: Reg) -> Option<Summary> {
        let function = &self.code.program.functions[callee as usize];
        let known = self.depth < DEPTH
            && !function.is_declaration()
            && self.code.models[callee as usize].is_none()
            && function.by_value.is_empty()
            && argument < function.params;
        if !known {
            return None;
        }
        let flow = Flow::new(self.code, function, vec![argument], self.depth + 1);
        if flow.roots.is_empty() || flow.escaped()[0] {
            return None;
        }
        let first = |exit| flow.live(exit).first().copied();
        Some(Summary {
            reads: first(0)?,
            keeps: first(Bytes::MAX)?,
        })
    }
}

fn constant(program: &Program, operand: Operand) -> Option<u64> {
    match program.constants[operand.as_constant()? as usize] {
        Constant::Bits(bits) => Some(bits),
        Constant::Address(..) => None,
    }
}

/// `len` bytes from `at` on.
fn bytes(at: u64, len: u64) -> Bytes {
    let up_to = |end: u64| Bytes::MAX.checked_shr(BYTES.saturating_sub(end) as u32);
    let up_to = |end: u64| up_to(end).unwrap_or(0);
    up_to(at.saturating_add(len).min(BYTES)) & !up_to(at)
}

/// Where an exception goes that the call at `pc` throws, if it is caught here.
fn unwinds_to(function: &Function, pc: Pc) -> Option<Pc> {
    match function.code[pc as usize] {
        Inst::Call { unwind, .. } | Inst::CallIndirect { unwind, .. } if unwind != NO_EDGE => {
            Some(function.edges[unwind as usize].target)
        }
        _ => None,
    }
}

/// Where control may go after the instruction at `pc`.
fn successors(function: &Function, pc: Pc) -> SmallVec<[Pc; 2]> {
    let target = |edge: u32| function.edges[edge as usize].target;
    match function.code[pc as usize] {
        Inst::Jump { edge } => SmallVec::from_slice(&[target(edge)]),
        Inst::Branch {
            then, otherwise, ..
        } => SmallVec::from_slice(&[target(then), target(otherwise)]),
        Inst::Switch { table, .. } => {
            let table = &function.switches[table as usize];
            let cases = table.cases.iter().map(|(_, edge)| target(*edge));
            cases.chain([target(table.default)]).collect()
        }
        Inst::Return { .. }
        | Inst::Resume { .. }
        | Inst::Unreachable { .. }
        | Inst::Unsupported { .. } => SmallVec::new(),
        _ => {
            let next = (pc as usize + 1 < function.code.len()).then_some(pc + 1);
            next.into_iter().chain(unwinds_to(function, pc)).collect()
        }
    }
}
