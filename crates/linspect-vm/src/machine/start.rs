//! How a machine comes to the point where its threads can be scheduled.

use super::prepared::Beginning;
use super::{Entry, State, Vm, Who};
use crate::harness::Harness;
use crate::image::Image;
use crate::interp::Recorder;
use crate::memory::{Address, Memory, Views, address};
use crate::program::FunctionId;
use crate::settings::Settings;
use crate::thread::{After, Thread};
use crate::world::World;
use linspect_core::client::{Client, Invocation};
use linspect_core::execution::{Fault, FaultKind, MemoryModel};
use linspect_core::machine::{Additions, Retries, StartError};
use linspect_core::schedule::ThreadId;
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;

impl Vm {
    /// A machine with nothing running, and nothing in its memory.
    fn new(image: Arc<Image>, settings: Arc<Settings>, entry: Entry) -> Self {
        let weak = settings.memory_model == MemoryModel::C20;
        let sequential = Rc::new(Thread::new(ThreadId::MAX, 0, settings.seed));
        Self {
            state: Rc::new(State {
                memory: Memory::new(settings.reuse, settings.memory),
                threads: SmallVec::new(),
                sequential,
                world: Rc::new(World {
                    weak,
                    ..World::default()
                }),
                attempts: SmallVec::new(),
            }),
            image,
            settings,
            entry,
            prefix: Vec::new(),
            suffix: Vec::new(),
            clients: 0,
            instructions: 0,
            retries: Retries::Wake,
            additions: Additions::Ordered,
            unwritten: None,
            hurry: false,
            quiet: 0,
            recorder: None,
        }
    }

    /// Puts the globals in their places, and notes the program's destructors, which run after everything else that runs at exit.
    fn place_globals(&mut self) -> Result<(), Fault> {
        self.prepare(Beginning::Globals, |vm| {
            let mut memory = vm.image.memory(&vm.settings).map_err(|_| Fault {
                kind: FaultKind::Limit,
                message: format!(
                    "the program's globals need more than {} bytes",
                    vm.settings.memory
                ),
                site: 0,
                related: None,
            })?;
            if vm.state.world.weak {
                memory.keep_messages();
            }
            let destructors = vm.image.program.destructors.iter();
            let at_exit = destructors.map(|&f| (address::of_function(f), 0)).collect();
            let state = Rc::make_mut(&mut vm.state);
            state.memory = memory;
            Rc::make_mut(&mut state.world).at_exit = at_exit;
            Ok(())
        })
    }

    /// Runs the functions by which a harness describes itself.
    pub(crate) fn describe(
        image: &Arc<Image>,
        settings: &Arc<Settings>,
        functions: &[FunctionId],
    ) -> Result<Harness, Fault> {
        let mut vm = Self::new(Arc::clone(image), Arc::clone(settings), Entry::default());
        vm.place_globals()?;
        for function in functions {
            vm.run_function(Who::Sequential, *function, &[], "a declaration")?;
        }
        let mut harness =
            std::mem::take(&mut Rc::make_mut(&mut Rc::make_mut(&mut vm.state).world).harness);
        harness
            .operations
            .sort_by(|a, b| (a.order, &a.name).cmp(&(b.order, &b.name)));
        Ok(harness)
    }

    /// Starts `main`; stops before its first visible access.
    pub(crate) fn start_main(
        image: &Arc<Image>,
        settings: &Arc<Settings>,
        main: FunctionId,
        entry: Entry,
        recorder: Option<Box<Recorder>>,
    ) -> Result<Self, StartError> {
        let mut vm = Self::new(Arc::clone(image), Arc::clone(settings), entry);
        let started = match recorder {
            None => vm.prepare(Beginning::Main(main), |vm| vm.run_main(main, None)),
            recorder => vm.run_main(main, recorder),
        };
        started.map_err(StartError::Constructor)?;
        Ok(vm)
    }

    /// Runs `main` up to its first visible access.
    fn run_main(&mut self, main: FunctionId, recorder: Option<Box<Recorder>>) -> Result<(), Fault> {
        self.place_globals()?;
        let seed = self.settings.seed;
        let state = Rc::make_mut(&mut self.state);
        state.threads.push(Rc::new(Thread::new(0, 1, seed)));
        let world = Rc::make_mut(&mut state.world);
        world.plain = true;
        world.ended.push(None);
        let image = Arc::clone(&self.image);
        for constructor in &image.program.constructors {
            self.run_function(Who::Thread(0), *constructor, &[], "a constructor")?;
        }
        let arguments = self.command_line()?;
        self.recorder = recorder;
        self.enter(
            Who::Thread(0),
            main,
            &[1, arguments, arguments + 8],
            After::Main,
        )?;
        self.let_run(Who::Thread(0));
        self.settle();
        Ok(())
    }

    /// Builds the object, runs the prefix, and stops every thread before its first visible access.
    pub(crate) fn start_client(
        image: &Arc<Image>,
        settings: &Arc<Settings>,
        entry: &Entry,
        client: &Client,
        recorder: Option<Box<Recorder>>,
    ) -> Result<Self, StartError> {
        let mut vm = Self::new(Arc::clone(image), Arc::clone(settings), entry.clone());
        let count = client.threads.len();
        vm.clients = count;
        vm.prepare(Beginning::Object(entry.object), Self::run_constructors)
            .map_err(StartError::Constructor)?;
        let threads =
            (0..count).map(|id| Thread::new(id as ThreadId, id as u16 + 1, settings.seed));
        let threads = threads.map(Rc::new).collect();
        Rc::make_mut(&mut vm.state).threads = threads;
        for (id, invocation) in client.warm.iter().zip(&client.before) {
            vm.run_prefix(std::slice::from_ref(invocation), Some(usize::from(*id)))?;
        }
        vm.run_prefix(&client.before[client.warm.len()..], None)?;
        vm.align_clocks();
        vm.suffix.clone_from(&client.after);
        let state = Rc::make_mut(&mut vm.state);
        for &global in &image.settled {
            state.memory.withdraw(global);
        }
        Rc::make_mut(&mut state.world).concurrent = true;
        for (thread, plan) in state.threads.iter_mut().zip(&client.threads) {
            Rc::make_mut(thread).plan = Rc::from(plan.as_slice());
        }
        for thread in &mut state.threads[count..] {
            warmed_up(Rc::make_mut(thread));
        }
        vm.recorder = recorder;
        for id in 0..count {
            vm.begin_operation(Who::Thread(id));
            vm.let_run(Who::Thread(id));
        }
        vm.settle();
        Ok(vm)
    }

    /// Builds the object, in whose constructor the threads of the client have their numbers already.
    fn run_constructors(&mut self) -> Result<(), Fault> {
        self.place_globals()?;
        self.world().ended = vec![None; self.clients];
        let image = Arc::clone(&self.image);
        let constructors = image.program.constructors.iter().copied();
        for function in constructors.chain(self.entry.object) {
            self.run_function(Who::Sequential, function, &[], "a constructor")?;
        }
        Ok(())
    }

    /// What comes is later for everybody than what was.
    pub(super) fn align_clocks(&mut self) {
        let state = Rc::make_mut(&mut self.state);
        let all = state.threads.iter_mut();
        crate::times::align(all.chain(std::iter::once(&mut state.sequential)));
    }

    /// Goes on with the prefix, on a thread of the client that warms up if one is given. What the object's own threads do meanwhile is a part of it.
    fn run_prefix(
        &mut self,
        calls: &[Invocation],
        warming: Option<usize>,
    ) -> Result<(), StartError> {
        let first = self.prefix.len();
        self.align_clocks();
        let change_places = |vm: &mut Self| {
            if let Some(thread) = warming {
                let state = Rc::make_mut(&mut vm.state);
                std::mem::swap(&mut state.sequential, &mut state.threads[thread]);
            }
        };
        change_places(self);
        let endings = self.run_sequentially(calls);
        change_places(self);
        if let Some(thread) = warming {
            warmed_up(self.thread(Who::Thread(thread)));
            Rc::make_mut(&mut self.state).memory.take_published();
        }
        self.prefix
            .extend(endings.map_err(|(index, fault)| StartError::Prefix {
                index: first + index,
                fault,
            })?);
        let index = self.prefix.len();
        match index < first + calls.len() {
            true => Err(StartError::PrefixBlocks { index }),
            false => Ok(()),
        }
    }

    /// `argv` and an empty environment: the address of the array.
    fn command_line(&mut self) -> Result<Address, Fault> {
        let memory = &mut Rc::make_mut(&mut self.state).memory;
        let mut make = || {
            let name = memory.allocate_private(1, 8)?;
            memory.write_bytes(name, b"program\0")?;
            let array = memory.allocate_private(1, 24)?;
            memory.write(array, name, 8)?;
            Ok(array)
        };
        make().map_err(|_: crate::memory::MemoryError| Fault {
            kind: FaultKind::Limit,
            message: "no memory for the arguments of main".into(),
            site: 0,
            related: None,
        })
    }
}

/// What a thread has done lies before the concurrent part, so everybody knows it, and what it has shared is everybody's past.
fn warmed_up(thread: &mut Thread) {
    (thread.begun, thread.steps) = (0, 0);
    thread.views = Views::default();
    thread.fences.clear();
}
