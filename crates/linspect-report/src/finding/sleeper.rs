//! Why a thread that waits to be woken sleeps for ever, as the steps of the failing run show it.
//!
//! A sleeper looked at something before it waited. Either that was changed between the look and the wait; or it was
//! changed afterwards and nothing woke the sleeper after that change; or whoever was woken was another thread; or nobody
//! changed it. Each of these is read off the run; where the run does not say which, nothing is said.

use super::{Access, Action, Finding, Step, Verdict, Wait};

/// A thread that sleeps for ever, and what it looked at before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sleeper<'a> {
    /// What the thread is called.
    pub thread: &'a str,
    /// The step at which it looked at what it waits for, from 0.
    pub looked: usize,
    /// What it read there.
    pub saw: &'a Access,
    /// What others wrote there last, where they did and the run says what.
    pub now: Option<&'a str>,
    /// The step at which it began to wait.
    pub waits: usize,
    /// Why nobody wakes it.
    pub cause: Cause,
}

/// Why nobody wakes a thread. Steps count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// What it looked at was changed before it waited.
    ChangedBefore {
        /// Where.
        change: usize,
        /// Whether the sleeper held a lock when it looked, and still when that changed.
        locked: bool,
    },
    /// What it looked at was changed while it slept, and nothing woke it after that.
    ChangedSince {
        /// Where.
        change: usize,
    },
    /// After the last change somebody was woken, but another thread.
    AnotherWoke {
        /// The last change before.
        change: usize,
        /// Where somebody was woken.
        wake: usize,
    },
    /// What it looked at is as it was: nobody changed it, or somebody changed it back.
    Unchanged,
}

impl Sleeper<'_> {
    /// The steps without which nobody understands why it sleeps, from 0: its look, what was changed, what was woken, and
    /// what whoever changed it looked at next.
    pub(crate) fn decisive(&self, steps: &[Step]) -> Vec<usize> {
        let mut decisive = vec![self.looked];
        match self.cause {
            Cause::ChangedBefore { change, .. } => {
                decisive.push(change);
                let wakes =
                    |at: &usize| steps[*at].accesses.iter().any(|a| a.action == Action::Wake);
                decisive.extend((change + 1..self.waits).find(wakes));
            }
            Cause::ChangedSince { change } => {
                decisive.push(change);
                let mine = |at: &usize| {
                    let same = steps[*at].thread == steps[change].thread;
                    same && steps[*at].operation == steps[change].operation
                };
                let next = (change + 1..steps.len()).find(mine);
                let reads =
                    |a: &Access| a.action == Action::Read && a.variable == self.saw.variable;
                decisive.extend(next.filter(|&at| steps[at].accesses.iter().any(reads)));
            }
            Cause::AnotherWoke { change, wake } => {
                decisive.extend([change, wake]);
                let waited = |at: &usize| {
                    let thread = steps[*at].thread;
                    let last = steps[..wake].iter().rfind(|step| step.thread == thread);
                    let mut accesses = last.into_iter().flat_map(|step| &step.accesses);
                    thread != steps[wake].thread && accesses.any(|a| a.action == Action::Wait)
                };
                decisive.extend((wake + 1..steps.len()).find(waited));
            }
            Cause::Unchanged => {}
        }
        decisive
    }
}

impl Finding {
    /// Of a run that ends with threads that wait to be woken and nobody else but who waits for their end: one of them, and
    /// why it sleeps. Nothing if the run does not say.
    pub fn sleeper(&self) -> Option<Sleeper<'_>> {
        let Verdict::Faulty { fault } = &self.verdict else {
            return None;
        };
        // A parked thread may wait for the end of others, too.
        let waits = fault.waits.iter();
        let waits = waits.filter(|wait| !wait.is_join() && wait.what != Wait::TO_BE_UNPARKED);
        let asleep: Option<Vec<(&str, &str)>> = waits
            .map(|wait| Some((wait.thread.as_str(), wait.woken_at()?)))
            .collect();
        let steps = &self.interleaving.as_ref()?.steps;
        let sleepers = asleep?.into_iter();
        let sleepers = sleepers.filter_map(|(thread, at)| self.asleep(steps, thread, at));
        sleepers.min_by_key(|sleeper| sleeper.cause == Cause::Unchanged)
    }

    /// Why `thread` sleeps, which waits to be woken at `place`.
    fn asleep<'a>(&self, steps: &'a [Step], thread: &'a str, place: &str) -> Option<Sleeper<'a>> {
        let has = |at: usize, action: Action, variable: &str| {
            let mut accesses = steps[at].accesses.iter();
            accesses.any(|a| a.action == action && a.variable == variable)
        };
        let mine = |at: &usize| self.client(steps[*at].thread) == thread;
        let waits = (0..steps.len()).rev().find(mine)?;
        // Where libraries wait in a way of their own, a wake-up need not name the place.
        if !has(waits, Action::Wait, place) {
            return None;
        }
        let before = (0..waits).rev().filter(mine);
        let before = before.take_while(|&at| {
            let waited = steps[at].accesses.iter().any(|a| a.action == Action::Wait);
            steps[at].operation == steps[waits].operation && !waited
        });
        let looks: Vec<usize> = before.filter(|&at| !steps[at].is_internal()).collect();
        let mut found: Option<Sleeper<'a>> = None;
        let mut seen: Vec<&str> = Vec::new();
        for &looked in &looks {
            for saw in steps[looked].accesses.iter().rev() {
                if !saw.action.is_data() || seen.contains(&saw.variable.as_str()) {
                    continue;
                }
                seen.push(&saw.variable);
                if !saw.action.reads() {
                    continue;
                }
                let Some((cause, now)) = self.why(steps, looked, saw, waits, place) else {
                    continue;
                };
                let sleeper = Sleeper {
                    thread,
                    looked,
                    saw,
                    now,
                    waits,
                    cause,
                };
                if cause != Cause::Unchanged {
                    return Some(sleeper);
                }
                // What was looked at last is most likely what it waits for.
                found = found.or(Some(sleeper));
            }
        }
        found
    }

    /// Why nobody wakes who looked and then waited, and the value that there was in the end.
    fn why<'a>(
        &self,
        steps: &'a [Step],
        looked: usize,
        saw: &Access,
        waits: usize,
        place: &str,
    ) -> Option<(Cause, Option<&'a str>)> {
        let thread = steps[waits].thread;
        let write = |at: usize| {
            let step = &steps[at];
            let writes =
                |a: &&Access| a.writes() && a.action.is_data() && a.variable == saw.variable;
            let write = step.accesses.iter().rfind(writes);
            write.filter(|_| step.thread != thread && !step.is_internal())
        };
        let differs = |at: &usize| {
            write(*at).is_some_and(|now| now.value != saw.value || now.value.is_empty())
        };
        let last = (looked + 1..steps.len())
            .rev()
            .find(|&at| write(at).is_some());
        let now = last.and_then(write).map(|now| now.value.as_str());
        let now = now.filter(|value| !value.is_empty());
        let Some(_) = last.filter(differs) else {
            return Some((Cause::Unchanged, now));
        };
        let changed_before = (looked + 1..waits).rev().find(|&at| write(at).is_some());
        if let Some(change) = changed_before.filter(differs) {
            let locked = is_locked(steps, thread, looked) && is_locked(steps, thread, change);
            return Some((Cause::ChangedBefore { change, locked }, now));
        }
        let wakes = |at: &usize| {
            let mut accesses = steps[*at].accesses.iter();
            accesses.any(|a| a.action == Action::Wake && a.variable == place)
        };
        let woke = (waits + 1..steps.len()).rev().find(wakes);
        let since = woke.unwrap_or(waits);
        let changes = || (since + 1..steps.len()).filter(|&at| write(at).is_some());
        // Rather where others were woken by the same code, else in code that does not wait itself.
        let function = |at: usize| steps[at].span.as_ref().map(|span| &span.function);
        let wakes_elsewhere =
            |at: &usize| (0..steps.len()).any(|w| wakes(&w) && function(w) == function(*at));
        let is_elsewhere = |at: &usize| function(*at) != function(looked);
        let change = changes().find(wakes_elsewhere);
        let change = change.or_else(|| changes().find(is_elsewhere));
        let change = change.or_else(|| changes().next());
        if let Some(change) = change {
            return Some((Cause::ChangedSince { change }, now));
        }
        let change = (waits + 1..since).rev().find(|&at| write(at).is_some());
        let (change, wake) = change.zip(woke)?;
        Some((Cause::AnotherWoke { change, wake }, now))
    }
}

/// Whether `thread` held a lock at step `at`. Locks of Rust's standard library are given back by an update of their word.
fn is_locked(steps: &[Step], thread: u32, at: usize) -> bool {
    let mine = steps[..at].iter().filter(|step| step.thread == thread);
    let mut given_back: Vec<&str> = Vec::new();
    for access in mine.flat_map(|step| &step.accesses).rev() {
        match access.action {
            Action::Lock if !given_back.contains(&access.variable.as_str()) => return true,
            Action::Unlock | Action::Update | Action::CasOk => given_back.push(&access.variable),
            _ => {}
        }
    }
    false
}
