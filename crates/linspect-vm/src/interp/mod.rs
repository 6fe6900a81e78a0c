//! The interpreter: runs one thread until its next visible access, or its end.
//!
//! Instruction families are in files of their own. A visible access needs the *grant* of the current step; without it
//! the thread stops before the instruction, with nothing changed, and runs it again in its next step.

mod access;
mod call;
mod edge;
mod extended;
mod fault;
mod float;
mod int;
mod intrinsic;
mod jump;
mod memory;
mod place;
mod record;
mod registers;
mod unwind;
mod weak;
mod window;

pub(crate) use access::{Visibility, is_open};
pub(crate) use jump::Place;
pub(crate) use memory::digest;
pub(crate) use record::{Pieces, Recorder};
pub(crate) use weak::Whose;

use crate::image::Image;
use crate::memory::Memory;
use crate::program::{Inst, Pc};
use crate::settings::Settings;
use crate::thread::Thread;
use crate::world::World;
use linspect_core::execution::{Access, Activation, Aside, Ending, Fault, FaultKind};
use linspect_core::machine::Additions;
use linspect_core::schedule::ThreadId;
use linspect_core::unwritten::Unwritten;
use smallvec::SmallVec;
use std::rc::Rc;
use window::{Why, Window};

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
    /// How additions are told whose results nobody uses.
    pub(crate) additions: Additions,
    /// What is read without a step, if anything is.
    pub(crate) unwritten: Option<&'a Unwritten>,
    /// Who writes down every statement, if anybody does.
    pub(crate) recorder: Option<&'a mut Recorder>,
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
        let Err(stop) = self.run_some(u64::MAX) else {
            unreachable!("there are fewer instructions than that")
        };
        stop
    }

    /// Runs at most so many instructions, or until the thread stops.
    ///
    /// Where the thread stands is written down only where somebody could ask for it: see [`Window`].
    fn run_some(&mut self, most: u64) -> Result<(), Stop> {
        let image = self.image;
        let mut left = most;
        while left > 0 {
            if self.thread.frames.is_empty() {
                return Err(Stop::Ended);
            }
            let given = left.min(self.fuel);
            let mut window = Window {
                image,
                depth: self.settings.depth as usize,
                follows_heap: self.parks || self.thread.spin.is_armed(),
                ends_variables: self.world.concurrent,
                shares_variables: !self.settings.shared.is_empty(),
                thread: self.thread,
                memory: self.memory,
            };
            let stopped = window.run(given);
            let ran = given - stopped.fuel;
            self.fuel -= ran;
            left -= ran;
            match stopped.why {
                Why::Round => self.come_round()?,
                Why::End => {
                    let message = "control runs off the end of a function";
                    return Err(self.fault(FaultKind::Unsupported, message));
                }
                Why::Spent if left > 0 => return Err(self.out_of_fuel()),
                Why::Spent => {}
                Why::Other(inst) => self.execute(inst)?,
            }
        }
        Ok(())
    }

    /// Runs the instruction at which the thread stands, which the window does not know, or not so.
    fn execute(&mut self, inst: &Inst) -> Result<(), Stop> {
        let Some(frame) = self.thread.frames.last() else {
            return Err(Stop::Ended);
        };
        let image = self.image;
        let function = &image.program.functions[frame.function as usize];
        let base = frame.base as usize;
        match *inst {
            Inst::Load {
                dst,
                addr,
                bits,
                order,
                ..
            } => self.load(base, dst, addr, bits, order)?,
            Inst::Store {
                addr,
                value,
                bits,
                order,
                ..
            } => self.store(base, addr, value, bits, order)?,
            Inst::Call {
                callee,
                args,
                count,
                dst,
                ..
            } => return self.call(function, base, callee, args, count, dst),
            Inst::Return { value, count } => return self.ret(base, value, count),
            Inst::Int { b, .. } => return Err(self.arithmetic_fault(self.get(base, b))),
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
                    None => return Err(self.arithmetic_fault(y as u64)),
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
            Inst::Extended { op, dst, a, b } => self.extended(base, op, dst, a, b),
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
            | Inst::MemSet { .. } => self.memory_instruction(base, inst)?,
            Inst::Intrinsic {
                op,
                bits,
                dst,
                args,
            } => self.intrinsic(function, base, op, bits, dst, args)?,
            Inst::CallIndirect {
                callee,
                args,
                count,
                dst,
                ..
            } => return self.call_indirect(function, base, callee, args, count, dst),
            Inst::LandingPad { dst, .. } => {
                let (object, selector) = self.landed();
                self.set(base, dst, object);
                self.set(base, dst + 1, selector);
            }
            Inst::Resume { .. } => return self.unwind(),
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
            _ => unreachable!("the window knows it"),
        }
        self.go_on();
        Ok(())
    }

    /// The thread stands at the next instruction.
    fn go_on(&mut self) {
        if let Some(frame) = self.thread.frames.last_mut() {
            frame.pc += 1;
        }
    }

    /// The thread stands at instruction `pc` of the running function.
    fn stand_at(&mut self, pc: Pc) {
        if let Some(frame) = self.thread.frames.last_mut() {
            frame.pc = pc;
        }
    }
}
