//! The interpreter: runs one thread until its next visible access, or its end.
//!
//! Instruction families are in files of their own. A visible access needs the *grant* of the current step; without it
//! the thread stops before the instruction, with nothing changed, and runs it again in its next step.

mod access;
mod call;
mod edge;
mod fault;
mod float;
mod int;
mod intrinsic;
mod memory;
mod place;
mod record;
mod registers;
mod unwind;
mod weak;

pub(crate) use access::{Visibility, is_open};
pub(crate) use memory::digest;
pub(crate) use record::{Pieces, Recorder};
pub(crate) use weak::Whose;

use crate::image::Image;
use crate::memory::Memory;
use crate::program::{Function, Inst};
use crate::settings::Settings;
use crate::thread::Thread;
use crate::world::World;
use linspect_core::execution::{Access, Activation, Aside, Ending, Fault, FaultKind};
use linspect_core::schedule::ThreadId;
use smallvec::SmallVec;
use std::rc::Rc;

/// Why a thread stopped running.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It stands before its next visible access; see its `pending` and `site`.
    Suspended,
    /// Its current operation has ended.
    Operation(Ending),
    /// Its outermost function has returned, or it has ended itself or the process; what is to be called then may be left to do.
    Ended,
    /// Something went wrong.
    Fault(Box<Fault>),
}

/// What a step does, as it does it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) accesses: SmallVec<[Access; 1]>,
    pub(crate) other: Option<ThreadId>,
    /// What it does beside its accesses.
    pub(crate) aside: Aside,
    /// The recorded operation that returns.
    pub(crate) returned: Option<(Activation, Ending)>,
    /// Whether it is that of a step, so that a return can be told.
    pub(crate) tells: bool,
    /// A digest of what it read and wrote, unseen, of what others can reach.
    pub(crate) quiet: u64,
}

/// A thread that runs, and all that it can touch.
pub(crate) struct Cpu<'a> {
    pub(crate) image: &'a Image,
    pub(crate) settings: &'a Settings,
    pub(crate) memory: &'a mut Memory,
    pub(crate) thread: &'a mut Thread,
    /// Copied when first changed: most steps do not.
    pub(crate) world: &'a mut Rc<World>,
    pub(crate) record: &'a mut Record,
    /// Whether the thread may make a visible access.
    pub(crate) grant: bool,
    /// Whether the running model has used it.
    pub(crate) stepped: bool,
    /// Instructions that it may still run.
    pub(crate) fuel: u64,
    /// Whether threads that try in vain are parked, so that all changes of their own memory are followed.
    pub(crate) parks: bool,
    /// Who writes down every statement, if anybody does.
    pub(crate) recorder: Option<&'a mut Recorder>,
}

/// Where control goes after an instruction.
enum Flow {
    Next,
    Goto(u32),
    /// Another frame is on top, or this one goes on elsewhere.
    Switch,
}

impl Cpu<'_> {
    /// What all threads share, for a change.
    pub(crate) fn world_mut(&mut self) -> &mut World {
        Rc::make_mut(self.world)
    }

    /// Runs the thread until it stops.
    pub(crate) fn run(&mut self) -> Stop {
        if let Some(recorder) = self.recorder.take() {
            loop {
                if let Err(stop) = self.run_recorded(recorder) {
                    return stop;
                }
            }
        }
        loop {
            if let Err(stop) = self.run_frame() {
                return stop;
            }
        }
    }

    /// Runs the top frame until another one is on top.
    fn run_frame(&mut self) -> Result<(), Stop> {
        let image = self.image;
        let Some(frame) = self.thread.frames.last() else {
            return Err(Stop::Ended);
        };
        let function = &image.program.functions[frame.function as usize];
        let base = frame.base as usize;
        let mut pc = frame.pc;
        loop {
            let Some(inst) = function.code.get(pc as usize) else {
                return Err(self.fault(
                    FaultKind::Unsupported,
                    "control runs off the end of a function",
                ));
            };
            if self.fuel == 0 {
                self.save_pc(pc);
                return Err(self.out_of_fuel());
            }
            self.fuel -= 1;
            match self.execute(function, base, pc, inst) {
                Ok(Flow::Next) => pc += 1,
                Ok(Flow::Goto(target)) => pc = target,
                Ok(Flow::Switch) => return Ok(()),
                Err(stop) => return Err(stop),
            }
        }
    }

    #[inline]
    fn execute(
        &mut self,
        function: &Function,
        base: usize,
        pc: u32,
        inst: &Inst,
    ) -> Result<Flow, Stop> {
        match *inst {
            Inst::Int {
                op,
                bits,
                dst,
                a,
                b,
            } => {
                let (x, y) = (self.get(base, a), self.get(base, b));
                match int::compute(op, bits, x, y) {
                    Some(value) => self.set(base, dst, value),
                    None => return Err(self.arithmetic_fault(pc, y)),
                }
            }
            Inst::Compare {
                op,
                bits,
                dst,
                a,
                b,
            } if bits <= 64 => {
                let value = int::compare(op, bits, self.get(base, a), self.get(base, b));
                self.set(base, dst, u64::from(value));
            }
            Inst::Copy { dst, src, count: 1 } => {
                let value = self.get(base, src);
                self.set(base, dst, value);
            }
            Inst::Offset {
                dst,
                base: pointer,
                offset,
            } => {
                let value = self.get(base, pointer).wrapping_add_signed(offset);
                self.set(base, dst, value);
            }
            Inst::Index {
                dst,
                base: pointer,
                index,
                bits,
                scale,
            } => {
                let index = int::sign_extend(self.get(base, index), bits);
                let value = self
                    .get(base, pointer)
                    .wrapping_add_signed(index.wrapping_mul(i64::from(scale)));
                self.set(base, dst, value);
            }
            Inst::Jump { edge } => return self.follow(function, base, pc, edge),
            Inst::Branch {
                cond,
                then,
                otherwise,
            } => {
                let edge = if self.get(base, cond) & 1 == 1 {
                    then
                } else {
                    otherwise
                };
                return self.follow(function, base, pc, edge);
            }
            Inst::Load {
                dst,
                addr,
                bits,
                order,
                ..
            } => {
                return self.load(base, pc, dst, addr, bits, order);
            }
            Inst::Store {
                addr,
                value,
                bits,
                order,
                ..
            } => {
                return self.store(base, pc, addr, value, bits, order);
            }
            Inst::Call {
                callee,
                args,
                count,
                dst,
                ..
            } => {
                self.save_pc(pc);
                return self.call(function, base, callee, args, count, dst);
            }
            Inst::Return { value, count } => {
                self.save_pc(pc);
                return self.ret(base, value, count);
            }
            _ => {
                self.save_pc(pc);
                return self.execute_rare(function, base, pc, inst);
            }
        }
        Ok(Flow::Next)
    }

    /// Instructions that need not be fast.
    #[inline(never)]
    fn execute_rare(
        &mut self,
        function: &Function,
        base: usize,
        pc: u32,
        inst: &Inst,
    ) -> Result<Flow, Stop> {
        match *inst {
            Inst::Wide {
                op,
                bits,
                dst,
                a,
                b,
            } => {
                let (x, y) = (self.get_wide(base, a), self.get_wide(base, b));
                match int::compute_wide(op, bits, x, y) {
                    Some(value) => self.set_wide(base, dst, value),
                    None => return Err(self.arithmetic_fault(pc, y as u64)),
                }
            }
            Inst::Compare {
                op,
                bits,
                dst,
                a,
                b,
            } => {
                let value =
                    int::compare_wide(op, bits, self.get_wide(base, a), self.get_wide(base, b));
                self.set(base, dst, u64::from(value));
            }
            Inst::Cast {
                op,
                from,
                to,
                dst,
                a,
            } => {
                let value = int::cast(op, from, to, self.get_sized(base, a, from));
                self.set_sized(base, dst, to, value);
            }
            Inst::Copy { dst, src, count } => {
                let run = self.get_run(base, src, count);
                self.set_run(base, dst, &run);
            }
            Inst::Select {
                dst,
                cond,
                a,
                b,
                count,
            } => {
                let from = if self.get(base, cond) & 1 == 1 { a } else { b };
                let run = self.get_run(base, from, count);
                self.set_run(base, dst, &run);
            }
            Inst::Extract {
                dst,
                src,
                index,
                lanes,
                stride,
            } => {
                let lane = self.get(base, index);
                for i in 0..u32::from(stride) {
                    let value = if lane < u64::from(lanes) {
                        self.get(base, src.slot(lane as u32 * u32::from(stride) + i))
                    } else {
                        0
                    };
                    self.set(base, dst + i, value);
                }
            }
            Inst::Insert {
                dst,
                value,
                index,
                lanes,
                stride,
            } => {
                let lane = self.get(base, index);
                if lane < u64::from(lanes) {
                    for i in 0..u32::from(stride) {
                        let v = self.get(base, value.slot(i));
                        self.set(base, dst + lane as u32 * u32::from(stride) + i, v);
                    }
                }
            }
            Inst::Repack {
                dst,
                src,
                from,
                from_lanes,
                to,
                to_lanes,
            } => {
                let slots = u32::from(from_lanes) * if from > 64 { 2 } else { 1 };
                let run = self.get_run(base, src, slots);
                let run = int::repack(&run, from, from_lanes, to, to_lanes);
                self.set_run(base, dst, &run);
            }
            Inst::Float { .. }
            | Inst::FloatNeg { .. }
            | Inst::FloatCompare { .. }
            | Inst::FloatCast { .. }
            | Inst::FloatToInt { .. }
            | Inst::IntToFloat { .. } => self.float(base, inst),
            Inst::Alloca {
                dst,
                size,
                count,
                name,
                ..
            } => {
                let bytes = u64::from(size).saturating_mul(self.get(base, count));
                let site = self.site();
                let address = self
                    .memory
                    .push_stack(self.thread.lane, bytes, name, site)
                    .map_err(|e| self.memory_fault(&e))?;
                self.note_birth(address, site);
                self.set(base, dst, address);
            }
            Inst::TlsAddress { dst, global } => {
                let address = self.thread_local(global)?;
                self.set(base, dst, address);
            }
            Inst::LoadRun { .. }
            | Inst::StoreRun { .. }
            | Inst::CompareExchange { .. }
            | Inst::AtomicUpdate { .. }
            | Inst::Fence { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. } => return self.memory_instruction(base, inst),
            Inst::Intrinsic {
                op,
                bits,
                dst,
                args,
            } => {
                return self.intrinsic(function, base, op, bits, dst, args);
            }
            Inst::CallIndirect {
                callee,
                args,
                count,
                dst,
                ..
            } => {
                return self.call_indirect(function, base, callee, args, count, dst);
            }
            Inst::LandingPad { dst, .. } => {
                let (object, selector) = self.landed();
                self.set(base, dst, object);
                self.set(base, dst + 1, selector);
            }
            Inst::Resume { .. } => {
                self.unwind()?;
                return Ok(Flow::Switch);
            }
            Inst::Switch { value, bits, table } => {
                let value = self.get_sized(base, value, bits);
                let table = &function.switches[table as usize];
                let edge = match table.cases.binary_search_by_key(&value, |c| c.0) {
                    Ok(at) => table.cases[at].1,
                    Err(_) => table.default,
                };
                return self.follow(function, base, pc, edge);
            }
            Inst::Unreachable { trap } => {
                let message = if trap {
                    "the program executed a trap instruction"
                } else {
                    "control reached code that the compiler was promised is unreachable"
                };
                return Err(self.fault(FaultKind::Abort, message));
            }
            Inst::Unsupported { what } => {
                let message = format!("this machine cannot run {}", self.image.program.text(what));
                return Err(self.fault(FaultKind::Unsupported, &message));
            }
            _ => unreachable!("handled by the fast path"),
        }
        Ok(Flow::Next)
    }

    #[inline]
    fn save_pc(&mut self, pc: u32) {
        if let Some(frame) = self.thread.frames.last_mut() {
            frame.pc = pc;
        }
    }
}
