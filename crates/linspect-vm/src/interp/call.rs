//! Calls, returns, variadic arguments, thread-local storage.

use super::window::append_zeros;
use super::{Cpu, Stop};
use crate::demangle::demangled;
use crate::memory::Address;
use crate::memory::address::function_at;
use crate::models::Reply;
use crate::program::{Function, FunctionId, Operand, Origin, Reg};
use crate::thread::{After, Frame, Pending};
use linspect_core::execution::{Ending, FaultKind};
use linspect_core::value::Value;
use smallvec::SmallVec;
use std::rc::Rc;

impl Cpu<'_> {
    #[inline]
    pub(super) fn call(
        &mut self,
        function: &Function,
        base: usize,
        callee: FunctionId,
        args: u32,
        count: u16,
        dst: Reg,
    ) -> Result<(), Stop> {
        let args = &function.arguments[args as usize..args as usize + usize::from(count)];
        let args: SmallVec<[u64; 8]> = args.iter().map(|a| self.get(base, *a)).collect();
        self.call_values(callee, &args, (base + dst as usize) as u32)
    }

    pub(super) fn call_indirect(
        &mut self,
        function: &Function,
        base: usize,
        callee: Operand,
        args: u32,
        count: u16,
        dst: Reg,
    ) -> Result<(), Stop> {
        let address = self.get(base, callee);
        match self.resolve(address) {
            Some(callee) => self.call(function, base, callee, args, count, dst),
            None if address == 0 => {
                Err(self.fault(FaultKind::NullPointer, "call through a null pointer"))
            }
            None => Err(self.fault(
                FaultKind::OutOfBounds,
                &format!("call through a pointer to no function ({address:#x})"),
            )),
        }
    }

    /// The function at an address of the program.
    pub(crate) fn resolve(&self, address: Address) -> Option<FunctionId> {
        function_at(address).filter(|f| (*f as usize) < self.image.program.functions.len())
    }

    fn call_values(&mut self, callee: FunctionId, args: &[u64], dst: u32) -> Result<(), Stop> {
        let Some(model) = self.image.models[callee as usize] else {
            if self.image.atomic[callee as usize] {
                self.step_if_concurrent()?;
                self.refuse_section()?;
                self.enter(callee, args, dst, After::Atomic)?;
                self.thread.atomic += 1;
                return Ok(());
            }
            let after = self.after_entering(callee, args);
            self.enter(callee, args, dst, after)?;
            return Ok(());
        };
        // A program may call with too few arguments; models may rely on eight.
        let mut padded: SmallVec<[u64; 8]> = SmallVec::from_slice(args);
        padded.resize(args.len().max(8), 0);
        self.stepped = false;
        match model(self, &padded)? {
            // What a program declares to return nothing has no register to return it in.
            Reply::Value(value) if self.image.program.functions[callee as usize].returns > 0 => {
                self.thread.registers[dst as usize] = value;
            }
            Reply::Nothing | Reply::Value(_) => {}
            Reply::Enter {
                function,
                arguments,
                ..
            } if self.image.models[function as usize].is_some() => {
                return self.call_values(function, &arguments, dst);
            }
            Reply::Enter {
                function,
                arguments,
                after,
            } => {
                self.thread.phase = 0;
                self.enter(function, &arguments, dst, after)?;
                return Ok(());
            }
            Reply::Moved => return Ok(()),
            Reply::Itself(after) => {
                self.thread.phase = 0;
                self.enter(callee, args, dst, after)?;
                return Ok(());
            }
        }
        self.after_call();
        Ok(())
    }

    /// Pushes a frame for `callee`.
    pub(crate) fn enter(
        &mut self,
        callee: FunctionId,
        args: &[u64],
        dst: u32,
        after: After,
    ) -> Result<(), Stop> {
        let image = self.image;
        let function = &image.program.functions[callee as usize];
        if function.is_declaration() {
            let message = format!(
                "the program calls {}, which this machine does not model",
                demangled(image.program.text(function.symbol))
            );
            return Err(self.fault(FaultKind::Unsupported, &message));
        }
        if self.thread.frames.len() >= self.settings.depth as usize {
            let message = format!(
                "more than {} calls in calls: endless recursion?",
                self.settings.depth
            );
            return Err(self.fault(FaultKind::Limit, &message));
        }
        let base = self.thread.registers.len();
        append_zeros(&mut self.thread.registers, function.registers as usize);
        let fixed = (function.params as usize).min(args.len());
        self.thread.registers[base..base + fixed].copy_from_slice(&args[..fixed]);
        if function.variadic {
            let depth = self.thread.frames.len() as u32;
            self.thread.variadic.push((depth, Rc::from(&args[fixed..])));
        }
        let caller = self.thread.frames.last();
        let (origin, outer) = caller.map_or((Origin::User, 0), |frame| frame.passes_on(image));
        self.thread.calls = self.thread.calls.wrapping_add(1);
        self.thread.frames.push(Frame {
            function: callee,
            pc: 0,
            base: base as u32,
            dst,
            stack: self.memory.stack_height(self.thread.lane),
            origin,
            outer,
            after,
            activation: self.thread.calls,
            rounds: 0,
        });
        self.copy_by_value(function, base)
    }

    /// Gives the callee copies of the structs that it takes by value.
    fn copy_by_value(&mut self, function: &Function, base: usize) -> Result<(), Stop> {
        for by_value in &function.by_value {
            let register = base + by_value.param as usize;
            let from = self.thread.registers[register];
            let copied = self
                .memory
                .push_stack(self.thread.lane, u64::from(by_value.size), 0, function.site)
                .and_then(|to| {
                    self.memory
                        .copy(to, from, u64::from(by_value.size))
                        .map(|()| to)
                });
            match copied {
                Ok(to) => self.thread.registers[register] = to,
                Err(e) => return Err(self.memory_fault(&e)),
            }
        }
        Ok(())
    }

    pub(super) fn ret(&mut self, base: usize, value: Operand, count: u32) -> Result<(), Stop> {
        let Some(&frame) = self.thread.frames.last() else {
            return Err(Stop::Ended);
        };
        self.end_locals(frame.stack)?;
        let values = self.get_run(base, value, count);
        match frame.after {
            After::Observed => self.end_observed(&values)?,
            After::Main => self.thread.site = self.site(),
            _ => {}
        }
        self.pop_frame();
        match frame.after {
            After::Result | After::Observed | After::Atomic => {
                let dst = frame.dst as usize;
                self.thread.registers[dst..dst + values.len()].copy_from_slice(&values);
                self.after_call();
            }
            After::Once(_) => self.thread.phase = 1,
            After::Again(phase) => {
                self.thread.phase = phase;
                self.thread.answer = values.first().copied().unwrap_or(0);
            }
            After::Operation => return Err(self.end_operation()),
            After::Thread => {
                self.thread.result = values.first().copied().unwrap_or(0);
                return Err(Stop::Ended);
            }
            After::Main => {
                self.thread.result = values.first().copied().unwrap_or(0);
                self.thread.exiting = true;
                return Err(Stop::Ended);
            }
            After::AtExit => return Err(Stop::Ended),
        }
        Ok(())
    }

    /// Ends the life of the variables above `height` that others can reach, each in a step of its own: whoever uses one later is wrong.
    pub(crate) fn end_locals(&mut self, height: u32) -> Result<(), Stop> {
        if !self.world.concurrent {
            return Ok(());
        }
        while let Some((address, len)) = self.memory.lent_local(self.thread.lane, height) {
            if !self.looks_at_release() {
                return Ok(());
            }
            self.claim(Pending::Access)?;
            let (site, location) = (self.site(), self.location(address, len.max(1)));
            self.memory.end_local(address, site);
            self.note_free(address, location);
        }
        Ok(())
    }

    fn after_call(&mut self) {
        self.thread.phase = 0;
        self.go_on();
    }

    /// Removes the top frame with its registers and stack memory.
    pub(crate) fn pop_frame(&mut self) -> Frame {
        let frame = self.thread.frames.pop().expect("a frame runs");
        self.thread.registers.truncate(frame.base as usize);
        self.memory.pop_stack(self.thread.lane, frame.stack);
        if frame.after == After::Atomic {
            self.thread.atomic -= 1;
        }
        let depth = self.thread.frames.len() as u32;
        while self.thread.variadic.last().is_some_and(|v| v.0 >= depth) {
            self.thread.variadic.pop();
        }
        frame
    }

    /// The value that the current operation's hooks have built.
    fn end_operation(&mut self) -> Stop {
        let mut parts = self.thread.reply.take();
        let value = match parts.len() {
            0 => Value::Unit,
            1 => parts.remove(0),
            _ => Value::list(parts),
        };
        Stop::Operation(Ending::Returned(value))
    }

    /// Fills a `va_list` of the x86-64 ABI so that all arguments come from the overflow area.
    pub(super) fn va_start(&mut self, list: Address) -> Result<(), Stop> {
        let depth = self.thread.frames.len() as u32 - 1;
        let args = self
            .thread
            .variadic
            .iter()
            .rfind(|v| v.0 == depth)
            .map_or_else(|| Rc::from([]), |v| v.1.clone());
        let site = self.site();
        let filled = self
            .memory
            .push_stack(self.thread.lane, 8 * args.len() as u64, 0, site)
            .and_then(|area| {
                for (i, arg) in args.iter().enumerate() {
                    self.memory.write(area + 8 * i as u64, *arg, 8)?;
                }
                self.memory.write(list, 48, 4)?;
                self.memory.write(list.wrapping_add(4), 176, 4)?;
                self.memory.write(list.wrapping_add(8), area, 8)?;
                self.memory.write(list.wrapping_add(16), 0, 8)
            });
        filled.map_err(|e| self.memory_fault(&e))
    }

    /// The address of a thread-local global in this thread.
    pub(crate) fn thread_local(&mut self, global: u32) -> Result<Address, Stop> {
        if let Some((_, address)) = self.thread.locals.iter().find(|(g, _)| *g == global) {
            return Ok(*address);
        }
        let g = &self.image.program.globals[global as usize];
        let bytes = self.image.initial_bytes(global);
        let address = self
            .memory
            .push_thread_local(self.thread.lane, global, &bytes, g.size, g.site)
            .map_err(|e| self.memory_fault(&e))?;
        self.note_birth(address, g.site);
        self.thread.locals.push((global, address));
        Ok(address)
    }
}
