//! Exceptions and panics: unwinding through landing pads.

use super::{Cpu, Stop};
use crate::memory::Address;
use crate::program::{Clause, EdgeId, Function, Inst, NO_EDGE};
use crate::thread::{After, Exception};
use linspect_core::execution::{Ending, Fault, FaultKind};

/// What a landing pad compares with `llvm.eh.typeid.for`: a number for a type, 0 for a cleanup.
pub(super) fn selector(type_info: Address) -> u64 {
    // Type information is a global, so its allocation number is unique. A catch-all has null, which must not look like a cleanup.
    if type_info == 0 {
        1
    } else {
        u64::from(crate::memory::address::allocation(type_info))
    }
}

impl Cpu<'_> {
    /// Throws: the running call does not return but unwinds.
    pub(crate) fn throw(&mut self, exception: Exception) -> Result<(), Stop> {
        self.thread.phase = 0;
        self.thread.exceptions.push(exception);
        self.unwind()
    }

    /// The exception that has just landed, and the selector of the clause that stopped it.
    pub(super) fn landed(&self) -> (u64, u64) {
        let object = self.thread.exceptions.last().map_or(0, |e| e.object);
        (object, self.selected())
    }

    fn selected(&self) -> u64 {
        let Some(frame) = self.thread.frames.last() else {
            return 0;
        };
        let function = &self.image.program.functions[frame.function as usize];
        match function.code.get(frame.pc as usize) {
            Some(Inst::LandingPad { pad, .. }) => self.matching(function, *pad).unwrap_or(0),
            _ => 0,
        }
    }

    /// Leaves frames until a landing pad takes the current exception.
    pub(super) fn unwind(&mut self) -> Result<(), Stop> {
        loop {
            let Some(frame) = self.thread.frames.last().copied() else {
                return Err(self.uncaught());
            };
            let image = self.image;
            let function = &image.program.functions[frame.function as usize];
            let edge = unwind_edge(function, frame.pc);
            if edge != NO_EDGE && self.stops_at(function, edge) {
                let edge = function.edges[edge as usize];
                self.land_at(function, edge.target);
                self.copy_along(function, frame.base as usize, edge);
                self.stand_at(edge.target);
                return Ok(());
            }
            match frame.after {
                After::Operation => {
                    let message = self
                        .thread
                        .exceptions
                        .pop()
                        .map(|e| e.message)
                        .unwrap_or_default();
                    self.thread.exceptions.clear();
                    self.thread.caught.clear();
                    self.thread.reply.clear();
                    self.forget_panic();
                    self.pop_frame();
                    return Err(Stop::Operation(Ending::Threw(message)));
                }
                After::Observed => {
                    self.throw_observed();
                    self.pop_frame();
                }
                After::Once(control) => {
                    self.abandon_once(control)?;
                    self.pop_frame();
                }
                After::Thread | After::Main if self.thread.frames.len() == 1 => {
                    return Err(self.uncaught());
                }
                _ => {
                    self.pop_frame();
                }
            }
        }
    }

    /// An operation that panics has ended like one that `catch_unwind` called: the thread goes on, and Rust's books must not say that it still panics.
    fn forget_panic(&mut self) {
        for (global, per_thread) in self.image.panic_counts.iter().copied() {
            let address = if per_thread {
                let local = self.thread.locals.iter().find(|(g, _)| *g == global);
                local.map(|(_, address)| *address)
            } else {
                Some(self.image.globals[global as usize])
            };
            let Some(address) = address else { continue };
            let size = self.image.program.globals[global as usize].size;
            let cleared = match self.memory.read(address, 8) {
                // The global count is of threads that panic, and one bit that says that they must not.
                Ok(count) if !per_thread && count << 1 != 0 => {
                    self.memory.write(address, count - 1, 8)
                }
                Ok(_) if per_thread => self.memory.fill(address, 0, size),
                other => other.map(|_| ()),
            };
            debug_assert!(cleared.is_ok(), "std's counters are where its globals are");
        }
    }

    fn uncaught(&self) -> Stop {
        let Some(exception) = self.thread.exceptions.last() else {
            return self.fault(FaultKind::Abort, "an exception that nobody catches");
        };
        Stop::Fault(Box::new(Fault {
            kind: match exception.message.contains(": assertion") {
                true => FaultKind::Assertion,
                false => FaultKind::Abort,
            },
            message: match exception.type_info {
                0 => exception.message.clone(),
                _ => format!("nobody catches an {}", exception.message),
            },
            site: exception.site,
            related: None,
        }))
    }

    fn stops_at(&self, function: &Function, edge: EdgeId) -> bool {
        let target = function.edges[edge as usize].target as usize;
        // Copies of phis come with the edge, so the landing pad is the first instruction of its block.
        match function.code.get(target) {
            Some(Inst::LandingPad { pad, .. }) => {
                function.landing_pads[*pad as usize].cleanup
                    || self.matching(function, *pad).is_some()
            }
            _ => true,
        }
    }

    /// Notes which part of the current exception the handler at `target` receives.
    fn land_at(&mut self, function: &Function, target: u32) {
        let Some(Inst::LandingPad { pad, .. }) = function.code.get(target as usize) else {
            return;
        };
        let clauses = function.landing_pads[*pad as usize].clauses.iter();
        let catches = clauses.filter_map(|clause| match clause {
            Clause::Catch(info) => Some(self.constant(*info)),
            Clause::Filter(_) => None,
        });
        let part = catches
            .filter(|info| *info != 0)
            .find_map(|info| self.part_thrown(info));
        if let Some(exception) = self.thread.exceptions.last_mut() {
            exception.part = part.unwrap_or(exception.object);
        }
    }

    /// Where the part of the current exception is that a handler for this class receives.
    fn part_thrown(&self, caught: Address) -> Option<Address> {
        let thrown = self.thread.exceptions.last()?;
        self.part_of(thrown.object, thrown.type_info, caught)
    }

    /// The selector of the first clause that takes the current exception.
    fn matching(&self, function: &Function, pad: u32) -> Option<u64> {
        function.landing_pads[pad as usize]
            .clauses
            .iter()
            .find_map(|clause| match clause {
                Clause::Catch(info) => {
                    let info = self.constant(*info);
                    (info == 0 || self.part_thrown(info).is_some()).then(|| selector(info))
                }
                // An exception that a filter does not list ends the program; -1 says that the filter stopped it.
                Clause::Filter(allowed) => {
                    let listed = allowed
                        .iter()
                        .any(|info| self.part_thrown(self.constant(*info)).is_some());
                    (!listed).then_some(u64::from(u32::MAX))
                }
            })
    }

    fn constant(&self, operand: crate::program::Operand) -> u64 {
        operand
            .as_constant()
            .map_or(0, |index| self.image.constants[index as usize])
    }
}

fn unwind_edge(function: &Function, pc: u32) -> EdgeId {
    match function.code.get(pc as usize) {
        Some(Inst::Call { unwind, .. } | Inst::CallIndirect { unwind, .. }) => *unwind,
        _ => NO_EDGE,
    }
}
