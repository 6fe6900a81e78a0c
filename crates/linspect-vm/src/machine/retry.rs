//! Attempts that change nothing: a thread that comes back to where it was is parked for the rest of the run.
//!
//! A thread whose last accesses changed nothing that others can see, and that now goes on as it could have gone on before them, need not have made them:
//! the run without them has the same memory at every moment, the same results, and a stronger real-time order. So this run need not be seen to its end with
//! that thread: it is *parked*, and the others go on, because what they do may reverse what it has read. Two rules say when that is so; remembered are the
//! states before each access since the thread last changed anything.
//!
//! * The thread is in the same state as before one of these accesses. If all that it has read since stays so, it goes round for ever.
//! * One of the earlier accesses, at the place of the last one, would have read the same and led to the same state ("the failed exchange is the load").
//!
//! Under C20 only the first rule is applied: a failed exchange may be ordered otherwise than a load. A thread that comes round because an exchange failed without reason
//! does not wait for anything: the next time it will not fail so. It is parked all the same, for the run without that round is another one.
//!
//! Only what the thread itself has read decides this, so steps that commute still do. The state of a thread is what it can still use: registers that
//! are live, its own memory apart from variables that are written before they are read, which operation it runs, its clock and its random numbers.

use super::{State, Vm};
use crate::image::Image;
use crate::memory::{Address, address};
use crate::program::Reg;
use crate::slots::dead_bytes;
use crate::thread::{Frame, Pending, Seen, Thread};
use linspect_core::execution::{Access, Action, Ordering, Step};
use linspect_core::schedule::Choice;
use std::cell::OnceCell;
use std::rc::Rc;

/// Attempts that are remembered; a thread that needs more to come round goes on.
const MOST: usize = 64;

/// The state before an access that changed nothing, and the access; none for a hint that the thread waits.
#[derive(Clone)]
pub(super) struct Attempt {
    state: Rc<State>,
    access: Option<Access>,
}

/// A step that was only tried, and where it led.
struct Tried {
    step: Step,
    state: Rc<State>,
    quiet: u64,
}

impl Attempt {
    fn seen(&self) -> Option<Seen> {
        let access = self.access?;
        Some(Seen {
            address: address::base(access.location.allocation) + u64::from(access.location.offset),
            len: access.location.size as u8,
            value: access.read,
            site: access.site,
        })
    }
}

impl Vm {
    /// After `step`, which was taken in the state `before`: parks the thread if it tries in vain, else remembers what it tried.
    pub(super) fn watch_attempts(&mut self, before: &Rc<State>, step: &Step) {
        let thread = usize::from(step.choice.thread);
        let changes = |state: &State| state.threads[thread].spin.changes();
        // What the environment decides it may decide otherwise the next time.
        let decided = matches!(before.threads[thread].pending, Pending::Choose(_));
        let idle =
            idle_access(step).filter(|_| !decided && changes(before) == changes(&self.state));
        let Some(access) = idle else {
            self.remember(thread, Rc::default());
            return;
        };
        let known = before.attempts.get(thread).map_or(&[][..], |known| known);
        let last = Attempt {
            state: Rc::clone(before),
            access,
        };
        let attempts: Rc<[Attempt]> = known.iter().cloned().chain([last]).collect();
        let weak = self.state.memory.messages().is_some();
        if let Some(pending) = self.repeats(thread, &attempts, step) {
            self.park(thread, pending);
        } else if !weak && self.is_covered(thread, &attempts, step) {
            self.park(thread, Pending::Parked);
        } else if step.returned.is_some() || attempts.len() == MOST {
            self.remember(thread, Rc::default());
        } else {
            self.remember(thread, attempts);
        }
    }

    /// How the thread is parked if it was in the state before in which it is now: it waits for a change of what it has read since.
    fn repeats(&self, thread: usize, attempts: &[Attempt], step: &Step) -> Option<Pending> {
        let pending = &self.state.threads[thread].pending;
        if step.returned.is_some() || !matches!(pending, Pending::Access) {
            return None;
        }
        let same =
            |attempt: &Attempt| goes_on_alike(&self.image, &attempt.state, &self.state, thread);
        let since = attempts.iter().rposition(same)?;
        let gave_up = |state: &State| state.threads[thread].gave_up;
        if gave_up(&attempts[since].state) != gave_up(&self.state) {
            return Some(Pending::Parked);
        }
        let mut seen: Vec<Seen> = attempts[since..].iter().filter_map(Attempt::seen).collect();
        seen.sort_unstable_by_key(|s| (s.address, s.len));
        seen.dedup();
        Some(Pending::Spin(Rc::new(seen)))
    }

    /// Whether an earlier access at the place of the last one could have been in its stead.
    fn is_covered(&mut self, thread: usize, attempts: &[Attempt], step: &Step) -> bool {
        let Some((last, earlier)) = attempts.split_last() else {
            return false;
        };
        let Some(access) = last.access.filter(|a| a.ordering != Ordering::Plain) else {
            return false;
        };
        let same_place = |attempt: &&Attempt| {
            let other = attempt.access.as_ref();
            other.is_some_and(|a| a.location == access.location && a.ordering != Ordering::Plain)
        };
        if access.action == Action::Update || !earlier.iter().any(|a| same_place(&a)) {
            return false;
        }
        let mut candidates = earlier.iter().filter(same_place);
        candidates.any(|attempt| self.leads_here(thread, attempt, &access, step))
    }

    /// Whether the access of `attempt`, had it read what `access` did, would have led the thread to where it is now.
    fn leads_here(
        &mut self,
        thread: usize,
        attempt: &Attempt,
        access: &Access,
        step: &Step,
    ) -> bool {
        let Some(seen) = attempt.seen() else {
            return false;
        };
        let mut state = (*attempt.state).clone();
        let len = usize::from(seen.len);
        if state.memory.write(seen.address, access.read, len).is_err() {
            return false;
        }
        let Tried {
            step: instead,
            state: there,
            quiet,
        } = self.try_from(state, thread);
        let reads = idle_access(&instead).flatten().is_some_and(|a| {
            a.location == access.location
                && !matches!(a.action, Action::Update | Action::Add)
                && strength(a.ordering) <= strength(access.ordering)
        });
        let pending = |state: &State| std::mem::discriminant(&state.threads[thread].pending);
        let changes = |state: &State| state.threads[thread].spin.changes();
        reads
            && quiet == self.quiet
            && instead.returned == step.returned
            && changes(&there) == changes(&attempt.state)
            && pending(&there) == pending(&self.state)
            && goes_on_alike(&self.image, &there, &self.state, thread)
    }

    /// What a step of `thread` would do in `state`.
    fn try_from(&mut self, state: State, thread: usize) -> Tried {
        let (here, quiet) = (Rc::clone(&self.state), self.quiet);
        self.state = Rc::new(state);
        let step = self.take(Choice::of(thread as u16));
        Tried {
            step,
            state: std::mem::replace(&mut self.state, here),
            quiet: std::mem::replace(&mut self.quiet, quiet),
        }
    }

    fn park(&mut self, thread: usize, pending: Pending) {
        self.thread(super::Who::Thread(thread)).pending = pending;
        self.remember(thread, Rc::default());
    }

    fn remember(&mut self, thread: usize, attempts: Rc<[Attempt]>) {
        let known = self.state.attempts.get(thread);
        if attempts.is_empty() && known.is_none_or(|known| known.is_empty()) {
            return;
        }
        let all = &mut Rc::make_mut(&mut self.state).attempts;
        if all.len() <= thread {
            all.resize(thread + 1, Rc::default());
        }
        all[thread] = attempts;
    }
}

/// The access of a step that changed nothing that others can see; none in it if it only hinted that it waits. Nothing for any other step.
fn idle_access(step: &Step) -> Option<Option<Access>> {
    let mut accesses = step.accesses.iter().filter(|a| a.action != Action::Fence);
    let (first, second) = (accesses.next(), accesses.next());
    if step.fault.is_some() || step.other.is_some() || second.is_some() {
        return None;
    }
    let Some(access) = first else {
        // An operation without accesses is a step of its own.
        return step.returned.is_none().then_some(None);
    };
    let idle = match access.action {
        Action::Read | Action::CasFail => true,
        Action::Update => access.read == access.written,
        _ => false,
    };
    (idle && access.location.size <= 8).then_some(Some(*access))
}

/// How much a read orders.
fn strength(ordering: Ordering) -> u8 {
    match ordering {
        Ordering::Plain | Ordering::Relaxed | Ordering::Release => 0,
        Ordering::Acquire | Ordering::AcqRel => 1,
        Ordering::SeqCst => 2,
    }
}

/// Whether a thread that stands in two states goes on alike from both, as far as its own state decides that.
fn goes_on_alike(image: &Image, one: &State, other: &State, thread: usize) -> bool {
    let (mine, theirs) = (&*one.threads[thread], &*other.threads[thread]);
    if !stand_alike(mine, theirs) || !know_alike(image, mine, theirs) {
        return false;
    }
    // Most of the time all of the stack is the same, and nobody need know which of it may still be read.
    let dead = OnceCell::new();
    let live = |address: Address| {
        let both =
            dead.get_or_init(|| [mine, theirs].map(|thread| sorted_dead_bytes(image, thread)));
        both.iter().fold(0, |live, dead| {
            let found = dead.binary_search_by_key(&address, |(address, _)| *address);
            live | found.map_or(u64::MAX, |at| dead[at].1)
        })
    };
    one.memory
        .has_unshared_stack_of(&other.memory, mine.lane, live)
}

/// Whether two states of a thread are at the same instructions, and the same but for registers and memory.
fn stand_alike(one: &Thread, other: &Thread) -> bool {
    let place = |f: &Frame| (f.function, f.pc, f.base, f.dst, f.after);
    let plain = |t: &Thread| (t.begun, t.clock, t.random, t.phase, t.answer, t.exiting);
    let counted = |t: &Thread| (t.spin.own(), t.exceptions.len(), t.caught.len());
    plain(one) == plain(other)
        && counted(one) == counted(other)
        && one.frames.len() == other.frames.len()
        && one
            .frames
            .iter()
            .map(place)
            .rev()
            .eq(other.frames.iter().map(place).rev())
        && *one.variadic == *other.variadic
        && *one.keys == *other.keys
        && *one.at_exit == *other.at_exit
        && *one.cleanups == *other.cleanups
        && *one.reply == *other.reply
}

/// Whether two states of a thread at the same instructions have the same in all registers that may still be read.
fn know_alike(image: &Image, one: &Thread, other: &Thread) -> bool {
    let running = one.frames.len().saturating_sub(1);
    let mut end = one.registers.len();
    for (depth, frame) in one.frames.iter().enumerate().rev() {
        let base = frame.base as usize;
        let (mine, theirs) = (&one.registers[base..end], &other.registers[base..end]);
        end = base;
        if mine == theirs {
            continue;
        }
        let same = |reg: Reg| mine[reg as usize] == theirs[reg as usize];
        let liveness = image.liveness(frame.function);
        let alike = if depth == running {
            liveness.before(frame.pc).all(same)
        } else {
            let function = &image.program.functions[frame.function as usize];
            let live = liveness.after(&image.program, function, frame.pc);
            live.into_iter().all(same)
        };
        if !alike {
            return false;
        }
    }
    true
}

/// The variables on the stack of a thread of which some bytes will not be read before they are written: where, and which bytes may be, in address order.
fn sorted_dead_bytes(image: &Image, thread: &Thread) -> Vec<(Address, u64)> {
    let mut dead = Vec::new();
    dead_bytes(image, thread, &mut |address, live| {
        dead.push((address, live));
    });
    dead.sort_unstable();
    dead
}
