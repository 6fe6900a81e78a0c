//! Runs threads from one scheduling point to the next, and operations that nobody else runs beside.

use super::{Driven, Vm, Who};
use crate::interp::{Cpu, Record, Stop};
use crate::memory::{Address, Life, address};
use crate::program::FunctionId;
use crate::thread::{After, Pending, Thread};
use linspect_core::client::Invocation;
use linspect_core::execution::{Access, Action, Activation, Ending, Fault, FaultKind, Ordering};
use linspect_core::machine::{Machine, Status};
use linspect_core::schedule::ThreadId;
use std::rc::Rc;
use std::sync::Arc;

/// How many functions may be called at the end of a thread or of the process, without a visible access between them.
const MOST_AT_EXIT: u32 = 10_000;

/// How often an operation of the sequential part may wait for the object's own threads.
const MOST_HELP: u32 = 1_000;

impl Vm {
    pub(super) fn enter(
        &mut self,
        who: Who,
        function: FunctionId,
        args: &[u64],
        after: After,
    ) -> Result<(), Fault> {
        match self.cpu(who, false, &mut Record::default(), |cpu| {
            cpu.enter(function, args, 0, after)
        }) {
            Err(Stop::Fault(fault)) => Err(*fault),
            _ => Ok(()),
        }
    }

    /// Runs a function to its end, with nothing visible; `what` it is, in case it waits for ever.
    pub(super) fn run_function(
        &mut self,
        who: Who,
        function: FunctionId,
        args: &[u64],
        what: &str,
    ) -> Result<(), Fault> {
        self.enter(who, function, args, After::AtExit)?;
        match self.run(who, false, &mut Record::default()) {
            Stop::Ended => Ok(()),
            Stop::Fault(fault) => Err(*fault),
            Stop::Suspended | Stop::Operation(_) => Err(Fault {
                kind: FaultKind::Misuse,
                message: format!("{what} blocks for ever"),
                site: self.thread(who).site,
                related: None,
            }),
        }
    }

    /// Destroys the object of a client, and calls what `exit` would.
    pub(super) fn tear_down(&mut self) -> Result<(), Fault> {
        if self.state.world.plain {
            return Ok(());
        }
        if let Some(function) = self.entry.teardown {
            self.run_function(Who::Sequential, function, &[], "the end of the object")?;
        }
        while let Some((function, argument)) = self.state.world.at_exit.last().copied() {
            self.world().at_exit.pop();
            let Some(function) = address::function_at(function) else {
                continue;
            };
            if let Some(result) = self.call_model(Who::Sequential, function, argument) {
                result?;
            } else {
                let arguments = [argument];
                self.run_function(Who::Sequential, function, &arguments, "a destructor")?;
            }
        }
        Ok(())
    }

    /// Calls what stands for a function that the program only declares; nothing if the machine has nothing for it.
    fn call_model(
        &mut self,
        who: Who,
        function: FunctionId,
        argument: u64,
    ) -> Option<Result<(), Fault>> {
        let model = self.image.models.get(function as usize).copied()??;
        let arguments = [argument, 0, 0, 0, 0, 0, 0, 0];
        let record = &mut Record::default();
        let stop = self.cpu(who, false, record, |cpu| model(cpu, &arguments));
        Some(match stop {
            Err(Stop::Fault(fault)) => Err(*fault),
            _ => Ok(()),
        })
    }

    /// Runs invocations one after the other, up to the first that blocks; on failure, which one and its fault.
    pub(super) fn run_sequentially(
        &mut self,
        plan: &[Invocation],
    ) -> Result<Vec<Ending>, (usize, Fault)> {
        let thread = self.thread(Who::Sequential);
        thread.plan = Rc::from(plan);
        thread.begun = 0;
        let mut endings = Vec::new();
        for index in 0..plan.len() {
            self.begin_operation(Who::Sequential);
            if let Pending::Fault(fault) = &self.thread(Who::Sequential).pending {
                return Err((index, (**fault).clone()));
            }
            let mut stop = self.run_operation();
            for _ in 0..MOST_HELP {
                if !matches!(stop, Stop::Suspended) || !self.let_others_run() {
                    break;
                }
                stop = self.run_operation();
            }
            match stop {
                Stop::Operation(ending) => endings.push(ending),
                Stop::Fault(fault) => return Err((index, *fault)),
                Stop::Suspended | Stop::Ended => break,
            }
        }
        Ok(endings)
    }

    /// Lets the object's own threads do what they can while the sequential part waits; whether they did anything.
    fn let_others_run(&mut self) -> bool {
        let world = &self.state.world;
        let mut moved = !world.spawned.is_empty() || !world.woken.is_empty();
        self.settle();
        for id in self.clients..self.state.threads.len() {
            let pending = &self.state.threads[id].pending;
            let goes_on = matches!(
                pending,
                Pending::Access | Pending::Gate(_) | Pending::Join(_)
            );
            if goes_on && self.status(id as ThreadId) == Status::Ready {
                self.let_run(Who::Thread(id));
                moved = true;
            }
        }
        self.settle();
        moved
    }

    /// Enters the next operation of a thread's plan, or ends the thread.
    pub(super) fn begin_operation(&mut self, who: Who) {
        let operations = Arc::clone(&self.entry.operations);
        let thread = self.thread(who);
        thread.called = false;
        thread.reply.clear();
        // Which operation of its plan it runs is part of a thread's state: the same reads in the next one are no round of a loop.
        thread.spin.reset();
        let Some(invocation) = thread.plan.get(usize::from(thread.begun)) else {
            return;
        };
        let function = operations[usize::from(invocation.operation)];
        thread.begun += 1;
        thread.pending = Pending::Access;
        if let Err(fault) = self.enter(who, function, &[], After::Operation) {
            self.thread(who).pending = Pending::Fault(Box::new(fault));
        }
    }

    /// Lets a thread run its own code up to its next visible access. What goes wrong there is its next step.
    pub(super) fn let_run(&mut self, who: Who) {
        if matches!(self.thread(who).pending, Pending::Fault(_)) {
            return;
        }
        let driven = self.drive(who, false, &mut Record::default());
        if let Some(fault) = driven.fault {
            self.thread(who).pending = Pending::Fault(Box::new(fault));
        }
    }

    /// Lets threads that stand before a read which is no step any more run on.
    pub(super) fn pass_unseen(&mut self) {
        for thread in 0..self.state.threads.len() {
            if matches!(self.state.threads[thread].pending, Pending::Access) {
                self.let_run(Who::Thread(thread));
            }
        }
        self.settle();
    }

    /// Lets threads that were created or woken run up to their next visible access.
    pub(super) fn settle(&mut self) {
        loop {
            let world = &self.state.world;
            if world.spawned.is_empty() && world.woken.is_empty() {
                return;
            }
            let world = self.world();
            let spawned = std::mem::take(&mut world.spawned);
            let woken = std::mem::take(&mut world.woken);
            for spawn in spawned {
                let mut thread = Thread::new(spawn.id, spawn.id + 1, self.settings.seed);
                (thread.views.current, thread.views.acquirable) = (spawn.view.clone(), spawn.view);
                thread.at_exit.extend(spawn.at_exit);
                thread.clock = thread.clock.max(spawn.clock);
                Rc::make_mut(&mut self.state).threads.push(Rc::new(thread));
                let who = Who::Thread(usize::from(spawn.id));
                if let Err(fault) =
                    self.enter(who, spawn.function, &[spawn.argument], After::Thread)
                {
                    self.thread(who).pending = Pending::Fault(Box::new(fault));
                }
                self.let_run(who);
            }
            for id in woken {
                if id != ThreadId::MAX {
                    self.let_run(Who::Thread(usize::from(id)));
                }
            }
        }
    }

    /// Runs a thread until it stands before its next visible access or has ended.
    pub(super) fn drive(&mut self, who: Who, mut grant: bool, record: &mut Record) -> Driven {
        // Outside a step of its own (it was woken) there is nobody to tell of a return: that is its next step.
        let told = grant;
        let mut driven = Driven::default();
        let mut called_at_exit = 0;
        loop {
            let stop = self.run(who, grant, record);
            grant = false;
            match stop {
                Stop::Suspended => return driven,
                Stop::Operation(ending) => {
                    let activation = self.activation(who);
                    let thread = self.thread(who);
                    if !thread.called || !told {
                        thread.pending = Pending::Empty(ending);
                        return driven;
                    }
                    driven.returned = Some((activation, ending));
                    self.begin_operation(who);
                    if self.is_idle(who) {
                        self.end_thread(who);
                        return driven;
                    }
                }
                Stop::Ended => {
                    called_at_exit += 1;
                    if called_at_exit > MOST_AT_EXIT {
                        driven.fault = Some(self.endless_exit(who));
                        return driven;
                    }
                    if !self.call_at_exit(who, &mut driven) {
                        return driven;
                    }
                }
                Stop::Fault(fault) => {
                    // After an operation has returned, what goes wrong belongs to the next one.
                    if driven.returned.is_some() {
                        self.thread(who).pending = Pending::Fault(fault);
                    } else {
                        driven.fault = Some(*fault);
                    }
                    return driven;
                }
            }
        }
    }

    pub(super) fn activation(&self, who: Who) -> Activation {
        match who {
            Who::Sequential => Activation {
                thread: ThreadId::MAX,
                index: 0,
            },
            Who::Thread(id) => Activation {
                thread: id as ThreadId,
                index: self.state.threads[id].begun.saturating_sub(1),
            },
        }
    }

    pub(super) fn is_idle(&mut self, who: Who) -> bool {
        let thread = self.thread(who);
        thread.frames.is_empty() && !matches!(thread.pending, Pending::Fault(_))
    }

    /// Enters what is to be called at the thread's end; without anything left, ends it. Whether there is something to run.
    pub(super) fn call_at_exit(&mut self, who: Who, driven: &mut Driven) -> bool {
        let next = self.cpu(who, false, &mut Record::default(), |cpu: &mut Cpu<'_>| {
            cpu.next_at_exit()
        });
        let Some((function, argument)) = next else {
            let concurrent = self.state.world.concurrent;
            let thread = self.thread(who);
            if thread.exiting && concurrent {
                thread.pending = Pending::Exit;
            } else {
                self.leave(who);
            }
            return false;
        };
        let Some(function) = address::function_at(function) else {
            return true;
        };
        if let Some(result) = self.call_model(who, function, argument) {
            driven.fault = result.err();
            return driven.fault.is_none();
        }
        if let Err(fault) = self.enter(who, function, &[argument], After::AtExit) {
            driven.fault = Some(fault);
            return false;
        }
        true
    }

    /// What is called at the end calls for more each time.
    fn endless_exit(&mut self, who: Who) -> Fault {
        Fault {
            kind: FaultKind::Limit,
            message: format!("more than {MOST_AT_EXIT} functions are called at the end"),
            site: self.thread(who).site,
            related: None,
        }
    }

    /// Ends a thread and its own variables, those that others can reach each in a step of its own.
    fn leave(&mut self, who: Who) {
        let concurrent = self.state.world.concurrent;
        let thread = self.thread(who);
        if !thread.exiting {
            let locals = thread.locals.clone();
            let memory = &mut Rc::make_mut(&mut self.state).memory;
            for &(_, address) in locals.iter() {
                let block = memory.block(address).filter(|b| b.life == Life::Live);
                match block {
                    Some(block) if block.shared && concurrent => {
                        self.thread(who).pending = Pending::EndLocal(address);
                        return;
                    }
                    Some(block) => memory.end_local(address, block.site),
                    None => {}
                }
            }
        }
        self.end_thread(who);
    }

    /// The end of a variable of a thread's own.
    pub(super) fn end_local(&mut self, who: Who, address: Address) -> Access {
        let block = self.state.memory.block(address);
        let (len, site) = block.map_or((1, 0), |b| (b.len().max(1), b.site));
        let location = self.location(address, u32::try_from(len).unwrap_or(u32::MAX));
        let memory = &mut Rc::make_mut(&mut self.state).memory;
        memory.end_local(address, site);
        self.leave(who);
        Access {
            action: Action::Free,
            location,
            read: 0,
            written: 0,
            ordering: Ordering::Plain,
            site,
            from: None,
            after: None,
        }
    }

    pub(super) fn end_thread(&mut self, who: Who) {
        let thread = self.thread(who);
        thread.pending = Pending::Done;
        let (result, exiting) = (thread.result, thread.exiting);
        let (lane, clock) = (thread.lane, thread.clock);
        let known = std::mem::take(&mut thread.views).current;
        thread.frames.clear();
        thread.registers.clear();
        thread.locals.clear();
        Rc::make_mut(&mut self.state).memory.pop_stack(lane, 0);
        let world = self.world();
        if let Who::Thread(id) = who {
            world.ended[id] = Some(result);
            world.times.end(id as ThreadId, clock);
            if world.weak {
                world.last_views.push((id as ThreadId, known));
            }
        }
        if exiting {
            world.exited = Some(result as i32);
        }
    }
}
