//! A machine on which sections of the source are atomic: what a repair would do, without touching the code.
//!
//! A step of a thread that stands at a section runs on until it has left it. A section that would have to wait inside for another thread is not entered: the
//! thread is blocked until it can run through.
//!
//! Where the environment decides in the middle of a section (a choice, a timeout), others may come in between: each way on is a step of its own. What is right even so is right
//! without them. A choice that lets a section wait in one way and not in another is more than this machine can say; it notes that it met one.

use super::section::Sections;
use crate::trace::Racing;
use linspect_core::execution::{Action, Ending, Fault, Location, SiteId, Step};
use linspect_core::machine::{Frame, Loop, Machine, Site, Status};
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What must not be interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atomicity {
    /// Every operation: is the object wrong even then?
    Operations,
    /// These sections.
    Sections(Sections),
    /// These sections; and only before an access to one of these places may another thread come in between.
    Races(Sections, Racing),
}

impl Atomicity {
    fn sections(&self) -> Option<&Sections> {
        match self {
            Self::Operations => None,
            Self::Sections(sections) | Self::Races(sections, _) => Some(sections),
        }
    }
}

/// A machine with atomic sections.
pub struct Atomic<'a, M: Machine> {
    machine: M,
    atomicity: &'a Atomicity,
    site: &'a dyn Fn(SiteId) -> Site,
    sites: RefCell<FxHashMap<SiteId, Site>>,
    /// Per thread, what its next step would come to.
    ahead: Vec<Ahead>,
    /// Whether a choice was met that it cannot run as whoever is not interrupted would.
    strays: bool,
}

/// What the next step of a thread would come to.
#[derive(Clone, Debug, Default)]
struct Ahead {
    /// What it would wait for in the middle of a section.
    wait: Option<Status>,
    /// Where it does what others see.
    stack: Vec<Frame>,
}

/// A saved state of an [`Atomic`] machine.
pub struct Saved<S> {
    inner: S,
    ahead: Vec<Ahead>,
}

impl<S: Clone> Clone for Saved<S> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            ahead: self.ahead.clone(),
        }
    }
}

/// Which run through which section a thread is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Inside {
    section: usize,
    activation: u32,
    rounds: u32,
    /// Whether it stands in a loop that lies in the section: going round there does not leave it.
    loops: bool,
}

impl Inside {
    /// Whether `next` belongs to the same run through the section.
    fn continues(self, next: Self) -> bool {
        (self.section, self.activation) == (next.section, next.activation)
            && (self.rounds == next.rounds || self.loops || next.loops)
    }
}

/// A step of an [`Atomic`] machine.
struct Through {
    step: Step,
    /// How many steps of the plain machine it is made of.
    steps: usize,
    ahead: Ahead,
}

/// How much an access tells of what a step is about; less is more.
fn rank(step: &Step, racing: Option<&Racing>) -> u8 {
    let accesses = || step.accesses.iter().filter(|a| a.action.touches_memory());
    let is_lock = |a: Action| matches!(a, Action::Lock | Action::LockFail | Action::Unlock);
    let races = |location: Location| racing.is_none_or(|r| r.contains(location));
    let of = |a: &linspect_core::execution::Access| match a.action {
        _ if !races(a.location) => 3,
        action if is_lock(action) => 2,
        action if action.writes() => 0,
        _ => 1,
    };
    accesses().map(of).min().unwrap_or(4)
}

impl<'a, M: Machine> Atomic<'a, M> {
    /// Makes `machine` treat `atomicity` as atomic; `site` tells where its sites are.
    pub fn new(machine: M, atomicity: &'a Atomicity, site: &'a dyn Fn(SiteId) -> Site) -> Self {
        let mut this = Self {
            machine,
            atomicity,
            site,
            sites: RefCell::new(FxHashMap::default()),
            ahead: Vec::new(),
            strays: false,
        };
        this.look_ahead();
        this
    }

    /// Whether some step, of those taken back too, was not what it would be if nobody could interrupt: what was found then says nothing of a repair.
    pub fn strays(&self) -> bool {
        self.strays
    }

    /// Where the next access of `thread` stands in the sections; `None` outside.
    fn inside(&self, thread: ThreadId) -> Option<Inside> {
        let sections = self.atomicity.sections().filter(|s| !s.is_empty())?;
        let stack = self.machine.stack(thread);
        stack
            .iter()
            .find_map(|frame| self.section_of(frame, sections))
    }

    fn section_of(&self, frame: &Frame, sections: &Sections) -> Option<Inside> {
        let mut sites = self.sites.borrow_mut();
        let site = sites
            .entry(frame.site)
            .or_insert_with(|| (self.site)(frame.site));
        let (number, section) = sections
            .iter()
            .enumerate()
            .find(|(_, s)| s.contains(site))?;
        let within = |l: &Loop| section.first <= l.first_line && l.last_line <= section.last;
        Some(Inside {
            section: number,
            activation: frame.activation,
            rounds: frame.rounds,
            loops: frame.loops.iter().any(within),
        })
    }

    fn step_counted(&mut self, choice: Choice) -> (Step, usize) {
        let through = self.run_through(choice);
        if through.step.fault.is_none() {
            self.look_ahead();
        }
        (through.step, through.steps)
    }

    /// The schedule of the plain machine that `schedule` of this one stands for, and where in it each of its steps begins.
    pub fn spell_out(&mut self, schedule: &Schedule) -> (Schedule, Vec<usize>) {
        let mut plain = Vec::new();
        let mut begins = Vec::with_capacity(schedule.0.len());
        for &choice in &schedule.0 {
            begins.push(plain.len());
            let (step, steps) = self.step_counted(choice);
            plain.push(choice);
            plain.extend(std::iter::repeat_n(Choice::of(choice.thread), steps - 1));
            if step.fault.is_some() {
                break;
            }
        }
        (Schedule(plain), begins)
    }

    /// Whether the next step of `thread` may be made of several.
    fn merges(&self, thread: ThreadId) -> bool {
        !matches!(self.atomicity, Atomicity::Sections(_)) || self.inside(thread).is_some()
    }

    /// Runs `choice` and what must follow it without interruption.
    fn run_through(&mut self, choice: Choice) -> Through {
        let thread = choice.thread;
        let racing = match self.atomicity {
            Atomicity::Races(_, racing) => Some(racing),
            _ => None,
        };
        let mut inside = self.inside(thread);
        // Asking where a thread stands takes time, and only those who look for races want to know.
        let place = |machine: &M| racing.map_or_else(Vec::new, |_| machine.stack(thread));
        let mut stack = place(&self.machine);
        let mut step = self.machine.step(choice);
        let mut best = rank(&step, racing);
        let mut steps = 1;
        let alone = matches!(self.atomicity, Atomicity::Sections(_)) && inside.is_none();
        if alone {
            let ahead = Ahead::default();
            return Through { step, steps, ahead };
        }
        loop {
            let now = self.inside(thread);
            let status = self.machine.status(thread);
            let ended = step.returned.is_some() || step.fault.is_some();
            let chooses = !ended && self.machine.alternatives(thread) > 1;
            let stays = match self.atomicity {
                Atomicity::Operations => {
                    self.strays |= chooses;
                    true
                }
                _ => !chooses && inside.zip(now).is_some_and(|(was, is)| was.continues(is)),
            };
            inside = now;
            if ended || status != Status::Ready {
                let waits = !ended && stays && matches!(status, Status::Blocked(_));
                let wait = waits.then_some(status);
                let ahead = Ahead { wait, stack };
                return Through { step, steps, ahead };
            }
            let quiet = |machine: &mut M, racing| {
                best > 2 || rank(&machine.peek(Choice::of(thread)), Some(racing)) > 2
            };
            let joins = |machine: &mut M| racing.is_some_and(|racing| quiet(machine, racing));
            if !stays && (chooses || !joins(&mut self.machine)) {
                let ahead = Ahead { wait: None, stack };
                return Through { step, steps, ahead };
            }
            let here = place(&self.machine);
            let next = self.machine.step(Choice::of(thread));
            // The last write, for it publishes what was written before; the first read.
            let rank = rank(&next, racing);
            if rank < best || rank == 0 {
                best = rank;
                stack = here;
            }
            steps += 1;
            if step.called.is_none() {
                (step.called, step.invocation) = (next.called, next.invocation);
            }
            step.accesses.extend(next.accesses);
            step.returned = next.returned;
            step.other = step.other.or(next.other);
            step.fault = next.fault;
        }
    }

    /// Finds out what the next steps would come to, above all which ready threads could not run through the section that they stand at.
    fn look_ahead(&mut self) {
        let threads = ThreadId::try_from(self.machine.threads()).expect("few threads");
        let here = self.machine.snapshot();
        let mut all = Vec::with_capacity(usize::from(threads));
        for thread in 0..threads {
            let merges = self.machine.status(thread) == Status::Ready && self.merges(thread);
            let ways = if merges {
                self.machine.alternatives(thread)
            } else {
                0
            };
            let mut ahead = (0..ways).map(|branch| {
                let through = self.run_through(Choice { thread, branch });
                self.machine.restore(&here);
                through.ahead
            });
            let first = ahead.next().unwrap_or_default();
            let strays = ahead.any(|other| other.wait.is_some() != first.wait.is_some());
            self.strays |= strays;
            all.push(first);
        }
        self.ahead = all;
    }
}

impl<M: Machine> Machine for Atomic<'_, M> {
    type Snapshot = Saved<M::Snapshot>;

    fn threads(&self) -> usize {
        self.machine.threads()
    }

    fn status(&self, thread: ThreadId) -> Status {
        let ahead = self.ahead.get(usize::from(thread));
        match ahead.and_then(|ahead| ahead.wait.as_ref()) {
            Some(wait) => wait.clone(),
            None => self.machine.status(thread),
        }
    }

    fn alternatives(&self, thread: ThreadId) -> u8 {
        self.machine.alternatives(thread)
    }

    fn next_site(&self, thread: ThreadId) -> Option<SiteId> {
        self.machine.next_site(thread)
    }

    /// Where the next step does what others see: at its last write that races, else its first read that does.
    fn stack(&self, thread: ThreadId) -> Vec<Frame> {
        match self.ahead.get(usize::from(thread)) {
            Some(ahead) if matches!(self.atomicity, Atomicity::Races(..)) => ahead.stack.clone(),
            _ => self.machine.stack(thread),
        }
    }

    fn step(&mut self, choice: Choice) -> Step {
        self.step_counted(choice).0
    }

    fn snapshot(&mut self) -> Self::Snapshot {
        Saved {
            inner: self.machine.snapshot(),
            ahead: self.ahead.clone(),
        }
    }

    fn restore(&mut self, snapshot: &Self::Snapshot) {
        self.machine.restore(&snapshot.inner);
        self.ahead.clone_from(&snapshot.ahead);
    }

    fn prefix(&self) -> &[Ending] {
        self.machine.prefix()
    }

    fn finish(&mut self) -> Result<Vec<Ending>, Fault> {
        self.machine.finish()
    }

    fn fingerprint(&mut self) -> u128 {
        self.machine.fingerprint()
    }

    fn name(&self, location: Location) -> String {
        self.machine.name(location)
    }
}
