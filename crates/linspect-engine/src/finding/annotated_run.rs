//! Runs a schedule and notes what it accesses, by name, and where.

use super::annotate::{Annotator, span};
use super::library;
use linspect_core::client::Client;
use linspect_core::execution::{Access, Action, Execution, Location, SiteId, Step, WeakExchange};
use linspect_core::machine::{Blocked, Frame, Machine, Site, StartError, Status, Subject};
use linspect_core::orderings;
use linspect_core::run::{Bounds, Follow, Observer, run};
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use linspect_report::finding::{self, Span};
use linspect_vm::Vm;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// A run, and what its accesses were called.
pub(crate) struct AnnotatedRun {
    pub(crate) execution: Execution,
    /// Per step, where it stands.
    pub(crate) places: Vec<Place>,
    /// Per step, its accesses as the report shows them.
    pub(crate) accesses: Vec<Vec<finding::Access>>,
    /// The steps that do nothing that anybody sees outside of a library.
    pub(super) hidden: BTreeSet<usize>,
    /// Who waits for ever in the end, and for what.
    pub(super) waits: Vec<finding::Wait>,
    /// Per step, the state that the harness prints after it, where it has changed.
    pub(super) states: Vec<Option<String>>,
    /// Per step, what threads may still read after it although it is no longer the newest, where that has changed.
    pub(super) older: Vec<Option<Vec<finding::Older>>>,
}

/// Where a step stands.
pub(crate) struct Place {
    /// The calls that it is in, the access last.
    pub(crate) path: Vec<SiteId>,
    /// The statement to show: a call that makes a single access stands for it, so that wrapped accesses are told apart.
    pub(crate) statement: Option<SiteId>,
}

impl Annotator<'_> {
    /// Runs `schedule`, as far as it fits, and notes what it accessed, by name.
    pub(crate) fn annotate(
        &self,
        client: &Client,
        schedule: &Schedule,
    ) -> Result<AnnotatedRun, StartError> {
        let mut machine = self.code().start(client)?;
        let mut names = Names {
            accesses: Vec::new(),
            places: Vec::new(),
            stacks: Vec::new(),
            libraries: Vec::new(),
            states: Vec::new(),
            last: machine.show(),
            older: Vec::new(),
        };
        let follow = &mut Follow::new(schedule);
        let execution = run(&mut machine, follow, Bounds::NONE, &mut names);
        names.rename(&machine);
        let hidden = self.hide_libraries(&mut names);
        let holders = holders(&machine, &execution);
        let lock = |thread, location| self.lock_name(&machine, thread, location);
        let held = names.held(&machine, &execution, &hidden, &holders, &lock);
        let wait = |&t: &ThreadId| self.wait(&machine, t, holders.get(&t), held.get(&t));
        let mut waits: Vec<finding::Wait> = execution.end.waiting().iter().map(wait).collect();
        // Whoever only waits for these to end comes last.
        waits.sort_by_key(|wait| wait.holder.is_none());
        let older = names.changes();
        Ok(AnnotatedRun {
            execution,
            places: places(&names.stacks),
            accesses: names.accesses,
            hidden,
            waits,
            states: names.states,
            older,
        })
    }

    /// Tells what libraries do by what their user sees of it. Says which steps do nothing that is seen.
    fn hide_libraries(&self, names: &mut Names) -> BTreeSet<usize> {
        let mut hidden = BTreeSet::new();
        // Per thread, where a library was last seen to use what of the user's.
        let mut used: BTreeMap<ThreadId, (Span, String)> = BTreeMap::new();
        for (at, told) in names.accesses.iter_mut().enumerate() {
            let calls = self.sites(&names.libraries[at]);
            let Some((told, access)) = told.first_mut().zip(names.places[at].first()) else {
                continue;
            };
            let (thread, stack) = &names.stacks[at];
            let line = stack.last().map(|frame| span(&self.user_site(frame.site)));
            match library::seen_outside(&calls, access, told) {
                None => {}
                Some(Some(seen)) => {
                    *told = seen;
                    used.extend(line.map(|line| (*thread, (line, told.variable.clone()))));
                }
                // What it keeps elsewhere belongs to what it was used for.
                Some(None) => match (line, used.get(thread)) {
                    (Some(line), Some((same, variable)))
                        if line == *same && library::keeps_elsewhere(&calls, access, told) =>
                    {
                        *told = library::change(variable.clone());
                    }
                    _ => _ = hidden.insert(at),
                },
            }
        }
        hidden
    }

    fn sites(&self, ids: &[SiteId]) -> Vec<Site> {
        ids.iter().map(|&id| self.code().site(id)).collect()
    }

    /// The lock at `location` that `thread` waits for.
    fn lock_name(&self, machine: &Vm, thread: ThreadId, location: Location) -> String {
        let calls = self.sites(&machine.library_calls(thread));
        library::lock_name(&calls, &machine.name(location)).to_owned()
    }

    /// Where a thread that cannot go on stands, what it waits for, and the locks that it holds.
    fn wait(
        &self,
        machine: &Vm,
        thread: ThreadId,
        holder: Option<&ThreadId>,
        held: Option<&Vec<String>>,
    ) -> finding::Wait {
        let who = |t: ThreadId| self.thread(t);
        let site = machine.next_site(thread).filter(|site| *site != 0);
        let site = site.map(|site| self.user_site(site));
        // The loop of ours in which an operation that is a future waits says nothing to anybody.
        let is_future = |site: &Site| site.function.starts_with("linspect::wait::run");
        let is_future = site.as_ref().is_some_and(is_future);
        let what = match machine.status(thread) {
            Status::Blocked(Blocked::Spin(_)) if is_future => finding::Wait::FOR_WAKER.into(),
            Status::Blocked(Blocked::Lock { location, .. }) => {
                format!("for {}", self.lock_name(machine, thread, location))
            }
            Status::Blocked(Blocked::Join(other)) => format!("for {} to end", who(other)),
            Status::Blocked(Blocked::Exit(other)) => {
                format!("to end the process, until {} has stopped", who(other))
            }
            Status::Blocked(Blocked::Wait(location)) => {
                let calls = self.sites(&machine.library_calls(thread));
                match library::is_parked(&calls) {
                    true => finding::Wait::TO_BE_UNPARKED.into(),
                    false => format!("{}{}", finding::Wait::TO_BE_WOKEN, machine.name(location)),
                }
            }
            Status::Blocked(Blocked::Assumption) => "at an assumption that does not hold".into(),
            Status::Blocked(Blocked::Spin(locations)) if locations.is_empty() => {
                "in a loop that nothing can end".into()
            }
            Status::Blocked(Blocked::Spin(locations)) => {
                let names: Vec<String> = locations.iter().map(|l| machine.name(*l)).collect();
                format!("in a loop for a change of {}", names.join(" or "))
            }
            Status::Ready | Status::Done | Status::Blocked(Blocked::Parked) => {
                "in a loop that comes back to where it was".into()
            }
        };
        finding::Wait {
            thread: who(thread),
            what,
            holder: holder.map(|&by| who(by)),
            holds: held.cloned().unwrap_or_default(),
            span: site.filter(|_| !is_future).map(|site| span(&site)),
        }
    }
}

/// For each thread that waits for a lock, who holds that, if it can be told.
fn holders(machine: &Vm, execution: &Execution) -> BTreeMap<ThreadId, ThreadId> {
    let waiting = execution.end.waiting().iter();
    let holders = waiting.filter_map(|&thread| match machine.status(thread) {
        Status::Blocked(Blocked::Lock { location, holder }) => {
            let holder = holder.or_else(|| holder_of_word(machine, execution, location));
            Some((thread, holder?))
        }
        _ => None,
    });
    holders.collect()
}

/// Who holds a lock that is a word of memory, 0 when it is free: whoever changed it when it was 0, if since then only threads that wait for it have (they note that they do).
fn holder_of_word(machine: &Vm, execution: &Execution, word: Location) -> Option<ThreadId> {
    let waits = |thread| match machine.status(thread) {
        Status::Blocked(Blocked::Lock { location, .. }) => location.overlaps(&word),
        _ => false,
    };
    let mut holder = None;
    for step in &execution.steps {
        let thread = step.choice.thread;
        let writes = |a: &&Access| a.action.writes() && a.location.overlaps(&word);
        for access in step.accesses.iter().filter(writes) {
            holder = match (access.read, access.written) {
                (_, 0) => None,
                (0, _) => Some(thread),
                _ => holder.filter(|_| waits(thread)),
            };
        }
    }
    holder
}

/// Notes what is accessed, by name, and where.
struct Names {
    accesses: Vec<Vec<finding::Access>>,
    /// Per step, what was accessed: by the end of the run more is known of it.
    places: Vec<Vec<Access>>,
    stacks: Vec<(ThreadId, Vec<Frame>)>,
    /// Per step, the calls of libraries that it is in, the innermost last.
    libraries: Vec<Vec<SiteId>>,
    states: Vec<Option<String>>,
    /// The state that the harness printed last.
    last: Option<String>,
    /// Per step, what threads may still read, and where that is.
    older: Vec<Vec<(Location, finding::Older)>>,
}

impl Observer<Vm> for Names {
    fn before(&mut self, machine: &mut Vm, choice: Choice) {
        self.stacks
            .push((choice.thread, machine.stack(choice.thread)));
        self.libraries.push(machine.library_calls(choice.thread));
    }

    fn after(&mut self, machine: &mut Vm, step: &Step) -> ControlFlow<()> {
        machine.learn_types();
        let gave_up = step.aside.weak_exchange == Some(WeakExchange::GaveUp);
        let named = step.accesses.iter().map(|a| {
            let mut named = access(machine, a);
            if gave_up && named.action == finding::Action::CasFail {
                named.action = finding::Action::CasGiveUp;
            }
            named
        });
        self.accesses.push(named.collect());
        self.places.push(step.accesses.to_vec());
        let state = machine.show();
        self.states
            .push(state.clone().filter(|_| state != self.last));
        self.last = state.or(self.last.take());
        self.older.push(older(machine));
        ControlFlow::Continue(())
    }
}

impl Names {
    /// Names memory as it is known in the end: what a block holds is known only once it was used.
    fn rename(&mut self, machine: &Vm) {
        // What was on a stack is gone; so is what led to memory without a name of its own.
        let better = |told: &str, now: &str| {
            let named = !now.contains("memory#") || told.contains("memory#");
            told.contains('#') && !now.contains("0x") && named
        };
        for (location, older) in self.older.iter_mut().flatten() {
            let now = machine.name(*location);
            if better(&older.variable, &now) {
                older.variable = now.replace(" (freed)", "");
            }
        }
        for (told, places) in self.accesses.iter_mut().zip(&self.places) {
            for (told, place) in told.iter_mut().zip(places) {
                let now = access(machine, place);
                if better(&told.variable, &now.variable) {
                    told.variable = now.variable.replace(" (freed)", "");
                }
                if better(&told.value, &now.value) {
                    told.value = now.value;
                }
            }
        }
    }

    /// What threads may still read of atomics after each step, where that differs from the step before. What locks keep for themselves nobody reads.
    fn changes(&self) -> Vec<Option<Vec<finding::Older>>> {
        let accesses = self.places.iter().flatten();
        let atomics = accesses.filter(|access| orderings::Place::of(access).is_some());
        let atomics: BTreeSet<Location> = atomics.map(|access| access.location).collect();
        let mut last = Vec::new();
        let told = self.older.iter().map(|step| {
            let step = step.iter().filter(|(place, _)| atomics.contains(place));
            let now: Vec<finding::Older> = step.map(|(_, older)| older.clone()).collect();
            let is_new = now != last;
            last.clone_from(&now);
            is_new.then_some(now)
        });
        told.collect()
    }

    /// The locks that each thread holds in the end, in the order in which it took them; last those that others wait for and that are words of memory.
    /// Of locks of libraries that have no name, only these are told: steps that are hidden do not say that a lock is given back.
    fn held(
        &self,
        machine: &Vm,
        execution: &Execution,
        hidden: &BTreeSet<usize>,
        holders: &BTreeMap<ThreadId, ThreadId>,
        name: &dyn Fn(ThreadId, Location) -> String,
    ) -> BTreeMap<ThreadId, Vec<String>> {
        let mut held: BTreeMap<ThreadId, Vec<String>> = BTreeMap::new();
        let steps = execution.steps.iter().zip(&self.accesses).enumerate();
        for (_, (step, told)) in steps.filter(|(at, _)| !hidden.contains(at)) {
            let locks = held.entry(step.choice.thread).or_default();
            for access in told {
                match access.action {
                    finding::Action::Lock => locks.push(access.variable.clone()),
                    finding::Action::Unlock => locks.retain(|lock| *lock != access.variable),
                    _ => {}
                }
            }
        }
        for (&waiting, &holder) in holders {
            if let Status::Blocked(Blocked::Lock { location, .. }) = machine.status(waiting) {
                let (lock, locks) = (name(waiting, location), held.entry(holder).or_default());
                if !locks.contains(&lock) {
                    locks.push(lock);
                }
            }
        }
        held
    }
}

fn places(stacks: &[(ThreadId, Vec<Frame>)]) -> Vec<Place> {
    let mut accesses: BTreeMap<(ThreadId, u32), usize> = BTreeMap::new();
    for (thread, stack) in stacks {
        for frame in stack {
            *accesses.entry((*thread, frame.activation)).or_default() += 1;
        }
    }
    let place = |(thread, stack): &(ThreadId, Vec<Frame>)| {
        let several = |f: &&Frame| accesses[&(*thread, f.activation)] > 1;
        // The outermost call is the harness.
        let inner = stack.iter().skip(1).rev().find(several);
        Place {
            path: stack.iter().map(|frame| frame.site).collect(),
            statement: inner.or(stack.last()).map(|frame| frame.site),
        }
    };
    stacks.iter().map(place).collect()
}

/// What threads that go on may still read although it is no longer the newest.
fn older(machine: &Vm) -> Vec<(Location, finding::Older)> {
    let threads = (0..machine.threads()).map(|t| t as ThreadId);
    let going_on = threads.filter(|t| machine.status(*t) != Status::Done);
    let older = going_on.flat_map(|thread| {
        let values = machine.older_values(thread).into_iter();
        values.map(move |(location, values)| {
            let value = |bits: &u64| machine.value(*bits, location.size);
            let older = finding::Older {
                thread: thread.into(),
                variable: machine.name(location),
                values: values.iter().map(value).collect(),
            };
            (location, older)
        })
    });
    older.collect()
}

fn access(machine: &Vm, access: &Access) -> finding::Access {
    let writes = access.action.writes();
    let bits = if writes { access.written } else { access.read };
    finding::Access {
        variable: machine.name(access.location),
        action: action(access),
        value: machine.value(bits, access.location.size),
    }
}

fn action(access: &Access) -> finding::Action {
    match access.action {
        Action::Read => finding::Action::Read,
        Action::Write => finding::Action::Write,
        Action::Update | Action::Add => finding::Action::Update,
        Action::CasOk => finding::Action::CasOk,
        Action::CasFail => finding::Action::CasFail,
        Action::Lock => finding::Action::Lock,
        Action::LockFail => finding::Action::LockFail,
        Action::Unlock => finding::Action::Unlock,
        Action::Wait => finding::Action::Wait,
        Action::Wake | Action::Post => finding::Action::Wake,
        Action::SpuriousWake => finding::Action::SpuriousWake,
        Action::Delay => finding::Action::Delay,
        Action::Spawn => finding::Action::Spawn,
        Action::Join => finding::Action::Join,
        Action::Fence => finding::Action::Fence,
        Action::Exit => finding::Action::Exit,
        Action::Free => finding::Action::Free,
        Action::Tally if access.written == 0 => finding::Action::CountOut,
        Action::Tally => finding::Action::CountIn,
    }
}
