//! Edges of the control flow, and loops that only wait.

use super::window::copy_along;
use super::{Cpu, Stop};
use crate::program::{Edge, Function};
use crate::spin::Header;
use crate::thread::Pending;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::rc::Rc;

impl Cpu<'_> {
    /// Does the copies of an edge, without going there.
    pub(super) fn copy_along(&mut self, function: &Function, base: usize, edge: Edge) {
        let registers = &mut self.thread.registers[base..];
        copy_along(registers, &self.image.constants, function, edge);
    }

    /// The thread has jumped back to where it stands: if that is a loop that only waits, it stops here.
    pub(crate) fn come_round(&mut self) -> Result<(), Stop> {
        let Some(frame) = self.thread.frames.last_mut() else {
            return Ok(());
        };
        frame.rounds = frame.rounds.wrapping_add(1);
        self.thread.spin.suspect(frame.rounds);
        match self.thread.spin.is_armed() {
            true => {
                let target = frame.pc;
                self.watch_loop(target)
            }
            false => Ok(()),
        }
    }

    /// A loop comes round after reading shared memory, or very often: blocks the thread if it came round in the same state.
    #[cold]
    fn watch_loop(&mut self, target: u32) -> Result<(), Stop> {
        if self.thread.atomic > 0 {
            return Ok(());
        }
        let mut hasher = FxHasher::default();
        hasher.write_u64(self.thread.clock);
        hasher.write_u64(self.thread.random);
        for frame in self.thread.frames.iter() {
            hasher.write_u64(u64::from(frame.function) << 32 | u64::from(frame.pc));
        }
        for register in self.thread.registers.iter() {
            hasher.write_u64(*register);
        }
        self.memory.digest_stack(self.thread.lane, &mut hasher);
        let frame = self.thread.frames.last().expect("a frame runs");
        let header = Header {
            depth: self.thread.frames.len() as u32,
            function: frame.function,
            target,
        };
        match self.thread.spin.comes_round(header, hasher.finish()) {
            None => Ok(()),
            Some(seen) => {
                self.thread.site = seen.first().map_or(0, |s| s.site);
                self.thread.pending = Pending::Spin(Rc::new(seen));
                Err(Stop::Suspended)
            }
        }
    }
}
