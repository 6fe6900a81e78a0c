//! Sequential operations that never end.
//!
//! A race can leave an object in a state in which an operation tries again for ever, although nobody else runs. Such an operation comes back to a state that it was
//! in: it waits for ever, and that is found long before it has run as many instructions as it may. Loops that change nothing at all are noticed sooner, by `spin`. States are compared after twice as many instructions each time
//! (after Brent, "An improved Monte Carlo factorization algorithm", 1980), and only where the same instruction is next.

use super::{Vm, Who};
use crate::fingerprint;
use crate::interp::{Record, Stop};
use crate::thread::Pending;
use linspect_core::execution::{Fault, FaultKind};

/// Instructions before an operation is suspected for the first time.
const SUSPICIOUS: u64 = 50_000;

/// Instructions that are looked at one by one then, and states that are compared.
const WATCHED: u64 = 20_000;
const COMPARED: u32 = 200;

/// Instructions before a machine in a hurry asks whether there is time left.
const UNASKED: u64 = 500_000;

/// Waits of one operation that time out before it is taken to wait for ever.
const TIMEOUTS: u32 = 1_000;

impl Vm {
    /// Runs the operation that was begun sequentially; one that never ends is suspended. Nobody can wake it, so what it waits for with a timeout times out.
    pub(super) fn run_operation(&mut self) -> Stop {
        for _ in 0..TIMEOUTS {
            let stop = self.run_until_it_waits();
            if !matches!(stop, Stop::Suspended) || !self.waits_with_timeout() {
                return stop;
            }
            // The wait is called once more, and its time is over.
            if let Ok(stop) = self.run_granted(1, true) {
                return stop;
            }
        }
        Stop::Suspended
    }

    fn waits_with_timeout(&self) -> bool {
        let state = &*self.state;
        let Pending::Wait { address, timed } = state.sequential.pending else {
            return false;
        };
        let me = state.sequential.id;
        let mut waiting = state.world.waiting.iter();
        timed && waiting.any(|w| w.thread == me && w.address == address)
    }

    fn run_until_it_waits(&mut self) -> Stop {
        let mut left = self.settings.instructions;
        let mut next = SUSPICIOUS;
        loop {
            let slice = next.min(left);
            left -= slice;
            match self.run_in_time(slice) {
                Ok(stop) => return stop,
                Err(out_of_instructions) if left == 0 => return out_of_instructions,
                Err(_) => {}
            }
            if let Some(stop) = self.go_round() {
                return stop;
            }
            next = next.saturating_mul(2);
        }
    }

    /// Goes on for a while; how the operation ended, or that it came back to where it is now.
    fn go_round(&mut self) -> Option<Stop> {
        let (place, state) = (self.place(), self.state_alone());
        let mut compared = 0;
        for _ in 0..WATCHED {
            if let Ok(stop) = self.run_for(1) {
                return Some(stop);
            }
            if self.place() == place {
                compared += 1;
                if self.state_alone() == state {
                    return Some(Stop::Suspended);
                }
            }
            if compared == COMPARED {
                break;
            }
        }
        None
    }

    /// As [`Self::run_for`], but a machine in a hurry gives up when there is no time left.
    fn run_in_time(&mut self, instructions: u64) -> Result<Stop, Stop> {
        let mut left = instructions;
        loop {
            let slice = left.min(UNASKED);
            left -= slice;
            match self.run_for(slice) {
                Err(_) if self.hurry && self.entry.deadline.has_passed() => {
                    return Ok(Stop::Fault(Box::new(Fault {
                        kind: FaultKind::Limit,
                        message: "the time limit was reached within an operation".into(),
                        site: 0,
                        related: None,
                    })));
                }
                Err(_) if left > 0 => {}
                ended => return ended,
            }
        }
    }

    /// Runs at most `instructions`; if they were not enough, the fault that would be.
    fn run_for(&mut self, instructions: u64) -> Result<Stop, Stop> {
        self.run_granted(instructions, false)
    }

    fn run_granted(&mut self, instructions: u64, grant: bool) -> Result<Stop, Stop> {
        let record = &mut Record::default();
        let (stop, left) = self.cpu_for(instructions, Who::Sequential, grant, record, |cpu| {
            (cpu.run(), cpu.fuel)
        });
        match &stop {
            Stop::Fault(fault) if left == 0 && fault.kind == FaultKind::Limit => Err(stop),
            _ => Ok(stop),
        }
    }

    /// The next instruction.
    fn place(&self) -> Option<(usize, u32, u32)> {
        let frames = &self.state.sequential.frames;
        let top = frames.last()?;
        Some((frames.len(), top.function, top.pc))
    }

    fn state_alone(&self) -> u128 {
        let state = &*self.state;
        let alone = std::slice::from_ref(&state.sequential);
        fingerprint::of(&self.image, &state.memory, alone, &state.world)
    }
}
