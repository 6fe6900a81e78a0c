//! Jumps back to a call that has returned before, over the functions in between.

use super::{Cpu, Stop};
use crate::program::{Inst, Pc};
use crate::thread::After;
use linspect_core::execution::FaultKind;
use linspect_core::schedule::ThreadId;

/// A call in a function that runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) thread: ThreadId,
    /// How many functions run around that function.
    pub(crate) depth: u32,
    pub(crate) activation: u32,
    pub(crate) pc: Pc,
}

impl Cpu<'_> {
    /// The call that runs.
    pub(crate) fn place(&self) -> Place {
        let frame = self.thread.frames.last().expect("a frame runs");
        Place {
            thread: self.thread.id,
            depth: self.thread.frames.len() as u32 - 1,
            activation: frame.activation,
            pc: frame.pc,
        }
    }

    /// Returns from the call at `place` once more, with this value, if its function still runs; whether it does.
    pub(crate) fn go_back(&mut self, place: Place, value: u32) -> Result<bool, Stop> {
        let depth = place.depth as usize;
        let frame = match self.thread.frames.get(depth) {
            Some(f) if self.thread.id == place.thread && f.activation == place.activation => *f,
            _ => return Ok(false),
        };
        let function = &self.image.program.functions[frame.function as usize];
        let Some(Inst::Call { dst, .. } | Inst::CallIndirect { dst, .. }) =
            function.code.get(place.pc as usize)
        else {
            return Ok(false);
        };
        let left = &self.thread.frames[depth + 1..];
        let ends_quietly = |after| matches!(after, After::Result | After::Again(_) | After::Atomic);
        if !left.iter().all(|frame| ends_quietly(frame.after)) {
            let message = "this machine cannot run a longjmp out of an operation, or of what runs once or at the end";
            return Err(self.fault(FaultKind::Unsupported, message));
        }
        if let Some(first) = left.first() {
            self.end_locals(first.stack)?;
        }
        while self.thread.frames.len() > depth + 1 {
            self.pop_frame();
        }
        self.thread.registers[frame.base as usize + *dst as usize] = u64::from(value);
        self.thread.phase = 0;
        self.stand_at(place.pc + 1);
        Ok(true)
    }
}
