//! Takes an edge of the control flow, and notices a loop that only waits.

use super::{Cpu, Flow, Stop};
use crate::program::{Edge, EdgeId, Function};
use crate::spin::Header;
use crate::thread::Pending;
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::hash::Hasher;
use std::rc::Rc;

impl Cpu<'_> {
    /// Takes an edge: copies in parallel, then goes there. A loop that only waits stops here.
    #[inline]
    pub(super) fn follow(
        &mut self,
        function: &Function,
        base: usize,
        pc: u32,
        edge: EdgeId,
    ) -> Result<Flow, Stop> {
        let edge = function.edges[edge as usize];
        self.copy_along(function, base, edge);
        if edge.target <= pc {
            if let Some(frame) = self.thread.frames.last_mut() {
                frame.rounds = frame.rounds.wrapping_add(1);
                self.thread.spin.suspect(frame.rounds);
            }
            if self.thread.spin.is_armed() {
                self.save_pc(edge.target);
                self.watch_loop(edge.target)?;
            }
        }
        Ok(Flow::Goto(edge.target))
    }

    #[inline]
    pub(super) fn copy_along(&mut self, function: &Function, base: usize, edge: Edge) {
        let first = edge.first_copy as usize;
        match edge.copies {
            0 => {}
            1 => {
                let (dst, src) = function.copies[first];
                let value = self.get(base, src);
                self.set(base, dst, value);
            }
            count => {
                let copies = &function.copies[first..first + count as usize];
                let values: SmallVec<[u64; 8]> =
                    copies.iter().map(|(_, src)| self.get(base, *src)).collect();
                for ((dst, _), value) in copies.iter().zip(values) {
                    self.set(base, *dst, value);
                }
            }
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
        for frame in &self.thread.frames {
            hasher.write_u64(u64::from(frame.function) << 32 | u64::from(frame.pc));
        }
        for register in &self.thread.registers {
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
