//! Calls: parameters, results, threads, and what models of external functions do.

use super::memory::word_at;
use super::scopes::{Reach, Scope};
use super::{Before, Place, Recorder, THREADS, register};
use crate::interp::{Cpu, Stop};
use crate::program::{self, FunctionId, Inst, Reg};
use crate::thread::After;
use linspect_core::statement::{Operand, Rule, Variable};
use smallvec::{SmallVec, smallvec};

/// Registers of [`THREADS`] that hold what threads ended with, after those that hold what they were started with.
const ENDINGS: Reg = 1 << 16;

impl Recorder {
    /// A thread of a plain program begins: its parameter is what it was started with.
    pub(super) fn begin_thread(&mut self, cpu: &Cpu<'_>, place: &Place<'_>) {
        let given = register(THREADS, self.thread.into());
        if let Some(&value) = self.values.get(&given)
            && place.function.params > 0
        {
            let operands = smallvec![Operand::Variable(given)];
            self.define_as(cpu, place, 0, Rule::Copy, operands, 64, value);
        }
    }

    pub(super) fn note_call(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        inst: &Inst,
        before: &Before,
        stop: Option<&Stop>,
    ) {
        let (callee, args, count, dst) = match *inst {
            Inst::Call {
                callee,
                args,
                count,
                dst,
                ..
            } => (Some(callee), args, count, dst),
            Inst::CallIndirect {
                callee,
                args,
                count,
                dst,
                ..
            } => (cpu.resolve(cpu.get(place.base, callee)), args, count, dst),
            _ => return,
        };
        let Some(callee) = callee else { return };
        let args = args as usize..args as usize + usize::from(count);
        let args = place.function.arguments.get(args).unwrap_or_default();
        let modelled = cpu.image.models[callee as usize].is_some();
        if cpu.thread.frames.len() > place.depth {
            self.note_entry(cpu, place, args);
        }
        if modelled {
            self.note_model(cpu, place, callee, args, dst, before, stop);
        }
    }

    /// A call was entered: parameters get the arguments.
    fn note_entry(&mut self, cpu: &Cpu<'_>, place: &Place<'_>, args: &[program::Operand]) {
        let Some(&top) = cpu.thread.frames.last() else {
            return;
        };
        let function = &cpu.image.program.functions[top.function as usize];
        let (frame, _) = self.number(top.activation);
        let entered = Place {
            function,
            id: top.function,
            frame,
            base: top.base as usize,
            pc: 0,
            depth: cpu.thread.frames.len(),
            after: top.after,
            own: false,
        };
        self.claims.entering(
            cpu.image.program.text(function.name),
            self.lane,
            self.scopes.branch(self.lane),
        );
        for i in 0..function.params {
            let raw = cpu.thread.registers[entered.base + i as usize];
            // A model that calls a function of the program passes what it likes.
            let same = |a: &program::Operand| cpu.get(place.base, *a) == raw;
            let passed = args.get(i as usize).copied().filter(same);
            match passed {
                Some(argument) => {
                    let (operand, value) = self.source(cpu, place, argument);
                    let operands = smallvec![operand];
                    self.define_as(cpu, &entered, i, Rule::Copy, operands, 64, value);
                }
                None => self.define(cpu, &entered, i, Rule::Input, smallvec![], (64, 64)),
            }
        }
        for by_value in &function.by_value {
            if let Some(argument) = args.get(by_value.param as usize) {
                let to = cpu.thread.registers[entered.base + by_value.param as usize];
                let from = cpu.get(place.base, *argument);
                self.note_copy(cpu, to, from, by_value.size.into());
            }
        }
    }

    pub(super) fn note_return(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        value: program::Operand,
        count: u32,
        before: &Before,
        stop: Option<&Stop>,
    ) {
        // An observed operation may return in a step of its own: then it comes here again.
        if matches!(stop, Some(Stop::Suspended)) {
            return;
        }
        let read: SmallVec<[(Operand, i64); 2]> = (0..count)
            .map(|i| self.returned(place, value.slot(i), cpu))
            .collect();
        if let (After::Observed, Some(running)) = (place.after, &before.observed) {
            self.end_observed(cpu, place, &read, running);
        }
        self.scopes.leave(self.lane, place.frame);
        match place.after {
            After::Result | After::Observed => {
                let Some(&caller) = cpu.thread.frames.last() else {
                    return;
                };
                let (frame, _) = self.number(caller.activation);
                let back = Place {
                    function: &cpu.image.program.functions[caller.function as usize],
                    id: caller.function,
                    frame,
                    base: caller.base as usize,
                    pc: caller.pc,
                    depth: cpu.thread.frames.len(),
                    after: caller.after,
                    own: false,
                };
                // The call stands before the instruction after it.
                let call = back.function.code.get(caller.pc.wrapping_sub(1) as usize);
                let Some(Inst::Call { dst, .. } | Inst::CallIndirect { dst, .. }) = call else {
                    return;
                };
                for (i, (operand, value)) in (0..).zip(read) {
                    let operands = smallvec![operand];
                    self.define_as(cpu, &back, dst + i, Rule::Copy, operands, 64, value);
                }
            }
            After::Thread => {
                if let Some(&(operand, value)) = read.first() {
                    let ending = register(THREADS, ENDINGS + Reg::from(self.thread));
                    self.assign(ending, Rule::Copy, smallvec![operand], 64, value);
                }
            }
            _ => {}
        }
        if let Some(Stop::Operation(ending)) = stop {
            self.end_operation(cpu, ending);
        }
    }

    /// What a call gives back; its registers are gone by now.
    fn returned(
        &mut self,
        place: &Place<'_>,
        operand: program::Operand,
        cpu: &Cpu<'_>,
    ) -> (Operand, i64) {
        match operand.as_reg() {
            Some(reg) => {
                let variable = register(place.frame, reg);
                let value = *self.values.entry(variable).or_insert_with(|| {
                    // Never given a value.
                    self.recording.initial.insert(variable, 0);
                    0
                });
                (Operand::Variable(variable), value)
            }
            None => self.source(cpu, place, operand),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a call in all its parts")]
    fn note_model(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        callee: FunctionId,
        args: &[program::Operand],
        dst: Reg,
        before: &Before,
        stop: Option<&Stop>,
    ) {
        let function = &cpu.image.program.functions[callee as usize];
        let symbol = cpu.image.program.text(function.symbol);
        let synchronised = self.note_synchronisation(cpu, symbol, before);
        if synchronised.is_empty() {
            self.note_effects(cpu, place, symbol, args, before);
        }
        self.note_spawn(cpu, place, args, before);
        let finished = stop.is_none()
            && cpu.thread.frames.len() == place.depth
            && cpu
                .thread
                .frames
                .last()
                .is_some_and(|f| f.pc == place.pc + 1);
        if !finished {
            return;
        }
        if let Some(kind) = symbol.strip_prefix("linspect_return_") {
            self.note_reply(cpu, place, kind, args);
        }
        if function.returns == 0 {
            return;
        }
        let raw = cpu.thread.registers[place.base + dst as usize];
        let value = super::signed_word(raw);
        let (rule, operands) = match &synchronised[..] {
            [] if is_pure(symbol) => {
                let read = args.iter().map(|a| self.source(cpu, place, *a).0).collect();
                (Rule::Function, read)
            }
            [] if symbol == "linspect_argument" => {
                (Rule::Copy, smallvec![Operand::Constant(value)])
            }
            [] => (Rule::Input, smallvec![]),
            // Whether a lock could be taken follows from its state.
            cells => {
                let read = cells.iter().map(|c| Operand::Variable(Variable::Cell(*c)));
                let tried = symbol.contains("try") || symbol.contains("timed");
                if tried {
                    (Rule::Function, read.collect())
                } else {
                    (Rule::Input, smallvec![])
                }
            }
        };
        self.define_as(cpu, place, dst, rule, operands, 64, value);
    }

    /// What a model that does not synchronise changed.
    fn note_effects(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        symbol: &str,
        args: &[program::Operand],
        before: &Before,
    ) {
        let argument = |n: usize| args.get(n).map_or(0, |a| cpu.get(place.base, *a));
        match symbol {
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => {
                self.note_copy(cpu, argument(0), argument(1), argument(2));
            }
            "pthread_join" | "thrd_join" if argument(1) != 0 => {
                let size = if symbol == "pthread_join" { 8 } else { 4 };
                let joined = argument(0).wrapping_sub(1) as Reg;
                let ending = register(THREADS, ENDINGS.wrapping_add(joined));
                let cell = cpu.location(argument(1), size);
                match self.values.get(&ending).copied() {
                    Some(value) if value == word_at(cpu.memory, argument(1), size as u32) => {
                        let operands = smallvec![Operand::Variable(ending)];
                        self.write(cell, Rule::Copy, operands, value);
                    }
                    _ => self.note_changes(cpu, before),
                }
            }
            _ => self.note_changes(cpu, before),
        }
    }

    /// A thread was started: what it was given, and the condition under which.
    fn note_spawn(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        args: &[program::Operand],
        before: &Before,
    ) {
        let Some(spawn) = cpu.world.spawned.get(before.spawned) else {
            return;
        };
        let given = args
            .iter()
            .rev()
            .find(|a| cpu.get(place.base, **a) == spawn.argument);
        if let Some(given) = given {
            let (operand, value) = self.source(cpu, place, *given);
            let parameter = register(THREADS, spawn.id.into());
            self.assign(parameter, Rule::Copy, smallvec![operand], 64, value);
        }
        if let Some(condition) = self.scopes.innermost(self.lane) {
            let scope = Scope {
                condition,
                reach: Reach::Thread,
                own: true,
            };
            self.scopes.open(spawn.id + 1, scope);
        }
    }
}

/// Whether a modelled function computes its result from its arguments alone.
fn is_pure(symbol: &str) -> bool {
    matches!(
        symbol,
        "abs" | "labs" | "llabs" | "toupper" | "tolower" | "isdigit" | "isalpha" | "isspace"
    )
}
