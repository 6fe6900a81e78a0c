//! A machine on which sections of the source are atomic: what a repair would do, without touching the code.
//!
//! A step of a thread that stands at a section runs on until it has left it. A section that would have to wait inside for another thread is not entered: the
//! thread is blocked until it can run through.

use super::section::Sections;
use linspect_core::execution::{Ending, Fault, Location, SiteId, Step};
use linspect_core::machine::{Frame, Loop, Machine, Site, Status};
use linspect_core::schedule::{Choice, ThreadId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What must not be interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atomicity {
    /// Every operation: is the object wrong even then?
    Operations,
    /// These sections.
    Sections(Sections),
}

/// A machine with atomic sections.
pub struct Atomic<'a, M: Machine> {
    machine: M,
    atomicity: &'a Atomicity,
    site: &'a dyn Fn(SiteId) -> Site,
    sites: RefCell<FxHashMap<SiteId, Site>>,
    /// Per thread: whether it cannot run through the section that it stands at.
    waits: Vec<Option<Status>>,
}

/// A saved state of an [`Atomic`] machine.
pub struct Saved<S> {
    inner: S,
    waits: Vec<Option<Status>>,
}

impl<S: Clone> Clone for Saved<S> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            waits: self.waits.clone(),
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
    /// What the thread waits for in the middle, if it does.
    wait: Option<Status>,
}

impl<'a, M: Machine> Atomic<'a, M> {
    /// Makes `machine` treat `atomicity` as atomic; `site` tells where its sites are.
    pub fn new(machine: M, atomicity: &'a Atomicity, site: &'a dyn Fn(SiteId) -> Site) -> Self {
        let mut this = Self {
            machine,
            atomicity,
            site,
            sites: RefCell::new(FxHashMap::default()),
            waits: Vec::new(),
        };
        this.look_ahead();
        this
    }

    /// Where the next access of `thread` stands in the sections; `None` outside.
    fn inside(&self, thread: ThreadId) -> Option<Inside> {
        let Atomicity::Sections(sections) = self.atomicity else {
            return None;
        };
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

    /// As [`Machine::step`]; also says how many steps of the plain machine that was.
    pub fn step_counted(&mut self, choice: Choice) -> (Step, usize) {
        let through = self.run_through(choice);
        if through.step.fault.is_none() {
            self.look_ahead();
        }
        (through.step, through.steps)
    }

    /// Runs `choice` and what must follow it without interruption.
    fn run_through(&mut self, choice: Choice) -> Through {
        let thread = choice.thread;
        let mut inside = self.inside(thread);
        let mut step = self.machine.step(choice);
        let mut steps = 1;
        loop {
            let goes_on = match self.atomicity {
                Atomicity::Operations => step.returned.is_none(),
                Atomicity::Sections(_) => {
                    let now = self.inside(thread);
                    let stays = inside.zip(now).is_some_and(|(was, is)| was.continues(is));
                    let same = step.returned.is_none() && stays;
                    inside = now;
                    same
                }
            };
            let status = self.machine.status(thread);
            if !goes_on || step.fault.is_some() || status != Status::Ready {
                let waits = goes_on && matches!(status, Status::Blocked(_));
                return Through {
                    step,
                    steps,
                    wait: waits.then_some(status),
                };
            }
            let next = self.machine.step(Choice::of(thread));
            steps += 1;
            step.called = step.called.or(next.called);
            step.accesses.extend(next.accesses);
            step.returned = next.returned;
            step.other = step.other.or(next.other);
            step.fault = next.fault;
        }
    }

    /// Finds out which ready threads could not run through the section that they stand at.
    fn look_ahead(&mut self) {
        let threads = ThreadId::try_from(self.machine.threads()).expect("few threads");
        let here = self.machine.snapshot();
        let mut waits = Vec::with_capacity(usize::from(threads));
        for thread in 0..threads {
            let wait = if self.machine.status(thread) == Status::Ready {
                let through = self.run_through(Choice::of(thread));
                self.machine.restore(&here);
                through.wait
            } else {
                None
            };
            waits.push(wait);
        }
        self.waits = waits;
    }
}

impl<M: Machine> Machine for Atomic<'_, M> {
    type Snapshot = Saved<M::Snapshot>;

    fn threads(&self) -> usize {
        self.machine.threads()
    }

    fn status(&self, thread: ThreadId) -> Status {
        match self.waits.get(usize::from(thread)) {
            Some(Some(wait)) => wait.clone(),
            _ => self.machine.status(thread),
        }
    }

    fn alternatives(&self, thread: ThreadId) -> u8 {
        self.machine.alternatives(thread)
    }

    fn next_site(&self, thread: ThreadId) -> Option<SiteId> {
        self.machine.next_site(thread)
    }

    fn stack(&self, thread: ThreadId) -> Vec<Frame> {
        self.machine.stack(thread)
    }

    fn step(&mut self, choice: Choice) -> Step {
        self.step_counted(choice).0
    }

    fn snapshot(&mut self) -> Self::Snapshot {
        Saved {
            inner: self.machine.snapshot(),
            waits: self.waits.clone(),
        }
    }

    fn restore(&mut self, snapshot: &Self::Snapshot) {
        self.machine.restore(&snapshot.inner);
        self.waits.clone_from(&snapshot.waits);
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
