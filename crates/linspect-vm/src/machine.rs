//! The machine: a client, or a plain program, that runs one step of one thread at a time.
//!
//! The whole state is shared between snapshots and copied where it is first changed, so taking and restoring one is a pointer.

mod drive;
mod endless;
mod leaks;
mod prepared;
mod retry;
mod start;
mod ways;

use crate::deadline::Deadline;
use crate::failure;
use crate::image::Image;
use crate::interp::{Cpu, Record, Recorder, Stop, is_open};
use crate::memory::{Address, Life, Memory, address};
use crate::naming;
use crate::program::FunctionId;
use crate::settings::Settings;
use crate::stack;
use crate::thread::{Gate, Opens, Pending, Thread};
use crate::world::World;
use linspect_core::client::Invocation;
use linspect_core::consistency::{Cell, cell};
use linspect_core::execution::{
    Access, Action, Activation, Ending, EventId, Fault, FaultKind, Location, Ordering, SiteId, Step,
};
use linspect_core::machine::{Additions, Blocked, Frame, Machine, Retries, Status};
use linspect_core::schedule::{Choice, ThreadId};
use linspect_core::unwritten::Unwritten;
use linspect_core::value::Value;
use retry::Attempt;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// How long a state may take to print: one that a race has made endless must not hold up the report.
const SHOW_INSTRUCTIONS: u64 = 100_000;

/// Everything that a run can change.
#[derive(Clone)]
struct State {
    memory: Memory,
    threads: SmallVec<[Rc<Thread>; 4]>,
    /// Runs the constructor, the prefix and the suffix.
    sequential: Rc<Thread>,
    world: Rc<World>,
    /// By thread, what it has tried in vain so far, if retries are cut.
    attempts: SmallVec<[Rc<[Attempt]>; 4]>,
}

/// A saved state of a [`Vm`].
#[derive(Clone)]
pub struct Snapshot(Rc<State>);

/// Where a harness is entered, and who hears of what its threads hide.
#[derive(Clone, Default)]
pub(crate) struct Entry {
    /// By operation.
    pub(crate) operations: Arc<[FunctionId]>,
    /// Builds the object.
    pub(crate) object: Option<FunctionId>,
    /// Destroys it.
    pub(crate) teardown: Option<FunctionId>,
    /// Prints its state.
    pub(crate) show: Option<FunctionId>,
    /// Where memory was allocated that threads were seen to hide.
    pub(crate) hidden: Hidden,
    /// When long runs are given up by machines in a hurry.
    pub(crate) deadline: Deadline,
}

/// A running client or plain program.
pub struct Vm {
    image: Arc<Image>,
    settings: Arc<Settings>,
    entry: Entry,
    state: Rc<State>,
    prefix: Vec<Ending>,
    suffix: Vec<Invocation>,
    /// How many threads the client has; those after them the object has started itself.
    clients: usize,
    /// Instructions run so far, those taken back included.
    instructions: u64,
    retries: Retries,
    additions: Additions,
    /// What is read without a step.
    unwritten: Option<Arc<Unwritten>>,
    hurry: bool,
    /// A digest of what the last step read and wrote, unseen, of what others can reach.
    quiet: u64,
    /// Who writes down every statement, if anybody does.
    pub(crate) recorder: Option<Box<Recorder>>,
}

/// Where a program allocates memory that its threads were seen to hide from each other, from all machines that run it.
pub(crate) type Hidden = Arc<Mutex<BTreeSet<SiteId>>>;

/// Which thread is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Sequential,
    Thread(usize),
}

/// What became of a thread that was let run.
#[derive(Default)]
struct Driven {
    returned: Option<(Activation, Ending)>,
    fault: Option<Fault>,
}

impl Vm {
    /// Finds out what memory holds that nobody but its maker has used, from the pointers to it, so that it can be named.
    pub fn learn_types(&mut self) {
        naming::learn_types(&self.image, &mut Rc::make_mut(&mut self.state).memory);
    }

    /// The calls of standard libraries that a thread is in, inside of the innermost call of other code; the innermost last.
    pub fn library_calls(&self, thread: ThreadId) -> Vec<SiteId> {
        stack::in_library(&self.image, &self.state.threads[usize::from(thread)])
    }

    /// What the program has printed so far.
    pub fn output(&self) -> &[u8] {
        &self.state.world.output
    }

    /// What it has printed as errors so far.
    pub fn errors(&self) -> &[u8] {
        &self.state.world.errors
    }

    /// What `function` prints when nobody else runs; nothing if it fails, or waits for somebody.
    fn print(&mut self, function: FunctionId) -> Option<String> {
        let world = self.world();
        world.concurrent = false;
        world.output.clear();
        self.thread(Who::Sequential).reply.clear();
        self.run_function(Who::Sequential, function, &[], "the printer")
            .ok()?;
        let mut text = String::from_utf8_lossy(&self.state.world.output).into_owned();
        for part in self.state.sequential.reply.iter() {
            match part {
                Value::Text(part) => text.push_str(part),
                other => text.push_str(&other.to_string()),
            }
        }
        Some(text.trim().to_owned())
    }

    /// How many instructions it has run, those of steps that were taken back included.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// How the process ended, if it did: the value that `main` returned or that `exit` was given.
    pub fn exit_code(&self) -> Option<i32> {
        self.state.world.exited
    }

    /// A value of `size` bytes as a person would write it: the name of what it points to, or a number.
    pub fn value(&self, bits: u64, size: u32) -> String {
        if size == 8 && self.state.memory.block(bits).is_some() {
            return naming::pointee(&self.image, &self.state.memory, bits);
        }
        let unused = 64 - 8 * size.clamp(1, 8);
        let number = (bits << unused).cast_signed() >> unused;
        number.to_string()
    }

    fn cpu<T>(
        &mut self,
        who: Who,
        grant: bool,
        record: &mut Record,
        run: impl FnOnce(&mut Cpu<'_>) -> T,
    ) -> T {
        self.cpu_for(self.settings.instructions, who, grant, record, run)
    }

    /// A processor that runs at most so many instructions.
    fn cpu_for<T>(
        &mut self,
        instructions: u64,
        who: Who,
        grant: bool,
        record: &mut Record,
        run: impl FnOnce(&mut Cpu<'_>) -> T,
    ) -> T {
        let state = Rc::make_mut(&mut self.state);
        let thread = match who {
            Who::Sequential => &mut state.sequential,
            Who::Thread(id) => &mut state.threads[id],
        };
        let mut cpu = Cpu {
            image: &self.image,
            settings: &self.settings,
            memory: &mut state.memory,
            thread: Rc::make_mut(thread),
            world: &mut state.world,
            record,
            grant,
            stepped: false,
            fuel: instructions,
            parks: self.retries == Retries::Park,
            additions: self.additions,
            unwritten: self.unwritten.as_deref(),
            recorder: self.recorder.as_deref_mut(),
        };
        let result = run(&mut cpu);
        self.instructions += instructions - cpu.fuel;
        result
    }

    fn run(&mut self, who: Who, grant: bool, record: &mut Record) -> Stop {
        let stop = self.cpu(who, grant, record, |cpu: &mut Cpu<'_>| {
            let stop = cpu.run();
            cpu.note_published();
            stop
        });
        if let Stop::Fault(fault) = &stop
            && fault.kind == FaultKind::Hidden
        {
            let hidden = &self.entry.hidden;
            let mut hidden = hidden.lock().unwrap_or_else(PoisonError::into_inner);
            hidden.extend(fault.related);
        }
        stop
    }

    fn thread(&mut self, who: Who) -> &mut Thread {
        let state = Rc::make_mut(&mut self.state);
        Rc::make_mut(match who {
            Who::Sequential => &mut state.sequential,
            Who::Thread(id) => &mut state.threads[id],
        })
    }

    fn world(&mut self) -> &mut World {
        Rc::make_mut(&mut Rc::make_mut(&mut self.state).world)
    }

    /// Undoes an atomic section in which an assumption did not hold: all that is left of it is what it read.
    fn take_back(&mut self, thread: ThreadId, before: Rc<State>, step: &mut Step) {
        let stopped = &self.state.threads[usize::from(thread)];
        if !matches!(stopped.pending, Pending::Assumed) || stopped.atomic == 0 {
            return;
        }
        let site = stopped.site;
        self.state = before;
        let thread = self.thread(Who::Thread(usize::from(thread)));
        (thread.pending, thread.site) = (Pending::Assumed, site);
        for access in &mut step.accesses {
            (access.action, access.written) = (Action::Read, 0);
        }
        (step.returned, step.other) = (None, None);
    }

    /// A thread that can go on and does not stand at the end of the process.
    ///
    /// Whatever threads do before the process ends, they do in a run in which it ends last, so sooner ends need not be tried.
    fn others_going_on(&self) -> Option<ThreadId> {
        let mut threads = self.state.threads.iter();
        let going_on = |t: &Rc<Thread>| {
            !matches!(t.pending, Pending::Exit) && self.status(t.id) == Status::Ready
        };
        threads.find(|t| going_on(t)).map(|t| t.id)
    }

    fn blocked(&self, gate: Gate) -> Blocked {
        let len = match gate.opens {
            Opens::LowBit => 1,
            Opens::ParkingRead
            | Opens::ParkingWrite
            | Opens::ParkingReaders
            | Opens::DashmapRead
            | Opens::DashmapWrite => 8,
            _ => 4,
        };
        let location = self.location(gate.address, len);
        let word = |offset| {
            self.state
                .memory
                .read(gate.address.wrapping_add(offset), 4)
                .unwrap_or(0)
        };
        let owner = match gate.opens {
            Opens::Mutex => word(8),
            Opens::Read | Opens::Write => word(4),
            Opens::Positive => return Blocked::Wait(location),
            _ => 0,
        };
        Blocked::Lock {
            location,
            // Owners are lanes plus one; lane 0 is the sequential part, which no thread waits for in vain.
            holder: owner.checked_sub(2).map(|id| id as ThreadId),
        }
    }

    /// The recorder, with everything named as it is called now.
    pub(crate) fn finish_recording(&mut self) -> Option<Box<Recorder>> {
        let mut recorder = self.recorder.take()?;
        recorder.name_cells(&self.image, &self.state.memory);
        Some(recorder)
    }

    fn location(&self, address: Address, len: u32) -> Location {
        let (allocation, offset) = self.state.memory.allocation(address);
        Location {
            allocation,
            offset,
            size: len,
        }
    }

    /// Takes a step, whatever becomes of the thread then.
    fn take(&mut self, choice: Choice) -> Step {
        assert!(
            self.status(choice.thread) == Status::Ready,
            "only ready threads take steps"
        );
        let who = Who::Thread(usize::from(choice.thread));
        let before = self.image.assumes.then(|| Rc::clone(&self.state));
        let mut step = Step {
            choice,
            called: None,
            invocation: None,
            accesses: SmallVec::new(),
            returned: None,
            other: None,
            fault: None,
            aside: linspect_core::execution::Aside::default(),
        };
        let activation = self.activation(who);
        let thread = self.thread(who);
        if !thread.called && (!thread.plan.is_empty() || thread.observed.is_some()) {
            thread.called = true;
            step.called = Some(activation);
            step.invocation = thread.observed.as_ref().map(|r| r.invocation.clone());
        }
        thread.steps += 1;
        thread.way = choice.branch;
        let chosen = matches!(thread.pending, Pending::Choose(_));
        thread.branch = chosen.then_some(choice.branch);
        match std::mem::replace(&mut thread.pending, Pending::Access) {
            Pending::Fault(fault) => {
                step.fault = Some((*fault).clone());
                thread.pending = Pending::Fault(fault);
                return step;
            }
            Pending::Empty(ending) => {
                step.returned = Some((activation, ending));
                self.begin_operation(who);
                if self.is_idle(who) {
                    self.end_thread(who);
                } else {
                    self.let_run(who);
                }
            }
            Pending::EndLocal(address) => step.accesses.push(self.end_local(who, address)),
            Pending::Exit => {
                step.accesses.push(Access {
                    action: Action::Exit,
                    location: Location {
                        allocation: 0,
                        offset: 0,
                        size: 0,
                    },
                    read: 0,
                    written: 0,
                    ordering: Ordering::SeqCst,
                    site: thread.site,
                    from: None,
                    after: None,
                });
                self.end_thread(who);
            }
            _ => {
                let mut record = Record {
                    tells: true,
                    ..Record::default()
                };
                record.aside.fences = std::mem::take(&mut thread.fences);
                let driven = self.drive(who, true, &mut record);
                self.quiet = record.quiet;
                step.accesses = record.accesses;
                step.aside = record.aside;
                step.aside.asked_time = self.state.world.times.asked;
                step.other = record.other;
                step.returned = driven.returned.or(record.returned);
                if let Some(fault) = driven.fault {
                    self.thread(who).pending = Pending::Fault(Box::new(fault.clone()));
                    step.fault = Some(fault);
                    return step;
                }
                if let Some(before) = before {
                    self.take_back(choice.thread, before, &mut step);
                }
            }
        }
        self.settle();
        step
    }
}

impl Machine for Vm {
    type Snapshot = Snapshot;

    fn threads(&self) -> usize {
        self.state.threads.len()
    }

    fn status(&self, thread: ThreadId) -> Status {
        let state = &self.state;
        if state.world.exited.is_some() {
            return Status::Done;
        }
        match &state.threads[usize::from(thread)].pending {
            Pending::Exit => self
                .others_going_on()
                .map_or(Status::Ready, |other| Status::Blocked(Blocked::Exit(other))),
            Pending::Parked => Status::Blocked(Blocked::Parked),
            Pending::Done => Status::Done,
            Pending::Access
            | Pending::Choose(_)
            | Pending::Empty(_)
            | Pending::EndLocal(_)
            | Pending::Fault(_) => Status::Ready,
            Pending::Assumed => Status::Blocked(Blocked::Assumption),
            Pending::Gate(gate) if is_open(&state.memory, *gate) => Status::Ready,
            Pending::Gate(gate) => Status::Blocked(self.blocked(*gate)),
            Pending::Wait { timed: true, .. } => Status::Ready,
            Pending::Wait { address, .. } => {
                Status::Blocked(Blocked::Wait(self.location(*address, 4)))
            }
            Pending::Join(other) if state.world.ended[usize::from(*other)].is_some() => {
                Status::Ready
            }
            Pending::Join(other) => Status::Blocked(Blocked::Join(*other)),
            Pending::Spin(seen) => {
                let changed = seen
                    .iter()
                    .any(|s| state.memory.read(s.address, usize::from(s.len)) != Ok(s.value));
                if changed && self.retries == Retries::Park {
                    Status::Blocked(Blocked::Parked)
                } else if changed {
                    Status::Ready
                } else {
                    let locations = seen.iter().map(|s| self.location(s.address, s.len.into()));
                    Status::Blocked(Blocked::Spin(locations.collect()))
                }
            }
        }
    }

    fn alternatives(&self, thread: ThreadId) -> u8 {
        match self.state.threads[usize::from(thread)].pending {
            Pending::Choose(ways) => ways,
            Pending::Access => self.message_ways(thread),
            _ => 1,
        }
    }

    fn message(&self, thread: ThreadId, event: Option<EventId>) -> Option<u8> {
        self.way_of_message(thread, event)
    }

    fn next_site(&self, thread: ThreadId) -> Option<SiteId> {
        let thread = &self.state.threads[usize::from(thread)];
        match &thread.pending {
            Pending::Empty(_) | Pending::Done => None,
            Pending::Fault(fault) => Some(fault.site),
            _ => Some(thread.site),
        }
    }

    fn next_place(&self, thread: ThreadId) -> Option<Cell> {
        let thread = &self.state.threads[usize::from(thread)];
        let address = match &thread.pending {
            Pending::Access if thread.goes_to != 0 => thread.goes_to,
            Pending::Gate(gate) => gate.address,
            _ => return None,
        };
        Some(cell(self.location(address, 0)))
    }

    fn stack(&self, thread: ThreadId) -> Vec<Frame> {
        stack::of(&self.image, &self.state.threads[usize::from(thread)])
    }

    fn step(&mut self, choice: Choice) -> Step {
        match self.retries {
            Retries::Wake => self.take(choice),
            Retries::Park => {
                let before = Rc::clone(&self.state);
                let step = self.take(choice);
                self.watch_attempts(&before, &step);
                step
            }
        }
    }

    fn set_hurry(&mut self, hurry: bool) {
        self.hurry = hurry;
    }

    fn set_retries(&mut self, retries: Retries) {
        self.retries = retries;
    }

    fn set_additions(&mut self, additions: Additions) {
        self.additions = additions;
    }

    fn set_unwritten(&mut self, unwritten: Option<Arc<Unwritten>>) {
        self.unwritten = unwritten;
        if self.unwritten.is_some() {
            self.pass_unseen();
        }
    }

    fn snapshot(&mut self) -> Snapshot {
        Snapshot(Rc::clone(&self.state))
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        self.state = Rc::clone(&snapshot.0);
    }

    fn has_reused(&self) -> bool {
        self.state.memory.has_reused()
    }

    fn prefix(&self) -> &[Ending] {
        &self.prefix
    }

    fn finish(&mut self) -> Result<Vec<Ending>, Fault> {
        self.world().concurrent = false;
        self.align_clocks();
        let suffix = self.suffix.clone();
        let endings = self.run_sequentially(&suffix).map_err(|(_, fault)| fault)?;
        // While an operation waits for ever, the object is in use.
        if endings.len() == suffix.len() {
            self.tear_down()?;
        }
        if let Some(fault) = failure::of(&self.image.program, &self.state.world) {
            return Err(fault);
        }
        // Looking for leaks takes as long as a short run.
        let leak = self.settings.leaks.then(|| self.leaks().into_iter().next());
        leak.flatten().map_or(Ok(endings), Err)
    }

    fn fingerprint(&mut self) -> u128 {
        let state = &self.state;
        crate::fingerprint::of(&self.image, &state.memory, &state.threads, &state.world)
    }

    fn show(&mut self) -> Option<String> {
        let function = self.entry.show?;
        let few = Settings {
            instructions: SHOW_INSTRUCTIONS,
            ..(*self.settings).clone()
        };
        let here = Rc::clone(&self.state);
        let (settings, instructions) = (Arc::clone(&self.settings), self.instructions);
        self.settings = Arc::new(few);
        let printed = self.print(function);
        (self.state, self.settings, self.instructions) = (here, settings, instructions);
        printed
    }

    fn name(&self, location: Location) -> String {
        let start = address::base(location.allocation) + u64::from(location.offset);
        match self.state.memory.block(start).map(|b| b.life) {
            Some(Life::Freed(_)) => format!(
                "{} (freed)",
                naming::name(&self.image, &self.state.memory, start)
            ),
            _ => naming::name(&self.image, &self.state.memory, start),
        }
    }
}
