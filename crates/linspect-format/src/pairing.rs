//! Events into operations: every completion finds its call.

use crate::error::{Problem, ReadError};
use crate::nemesis::Nemesis;
use crate::recorded::Recorded;
use linspect_core::history::{NEVER, OpId, Operation, Outcome, Time};
use linspect_core::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A history under construction.
///
/// Without times of their own, events happen in the order in which they are told, each at a moment of its own.
#[derive(Default)]
pub(crate) struct Pairing {
    pub(crate) recorded: Recorded,
    methods: FxHashMap<Arc<str>, u16>,
    in_flight: FxHashMap<u32, OpId>,
    failed: Vec<OpId>,
    /// Whose call in flight came as `[key nil]` and is an operation on the key.
    pub(crate) keyed: FxHashSet<u32>,
    has_times: Option<bool>,
    clock: Time,
    is_unsorted: bool,
    /// How many operations were handed over before the end.
    handed_over: u64,
    /// What was done to the system.
    nemesis: Nemesis,
    /// The least time that the next moment has, where only the order counts.
    not_before: Time,
    /// Whether some operation was told as a whole, not as two events.
    has_wholes: bool,
}

/// How an operation ends.
pub(crate) enum Ending {
    /// With this outcome.
    Known(Outcome),
    /// It did not happen.
    Failed,
    /// Nobody knows: it may still happen.
    Open,
}

impl Pairing {
    /// Takes an operation's call.
    pub(crate) fn invoke(
        &mut self,
        line: u32,
        process: u32,
        method: &str,
        argument: Value,
        time: Option<Time>,
    ) -> Result<(), ReadError> {
        let call = self.moment(line, time)?;
        let id = self.add(
            line,
            process,
            method,
            argument,
            Outcome::Pending,
            call,
            NEVER,
        )?;
        match self.in_flight.insert(process, id) {
            Some(before) => Err(self.two_calls(line, process, method, before)),
            None => Ok(()),
        }
    }

    /// What `process` has in flight, its call of `method`, and since which line.
    pub(crate) fn flight(
        &self,
        line: u32,
        process: u32,
        method: &str,
    ) -> Result<(u32, &Operation), ReadError> {
        let Some(&id) = self.in_flight.get(&process) else {
            let method = method.to_owned();
            return Err(Problem::NoCall { process, method }.at(line));
        };
        let since = self.recorded.lines[id as usize];
        let operation = &self.recorded.history.operations[id as usize];
        let called = self.recorded.history.name(operation);
        if called != method {
            return Err(Problem::OtherMethod {
                process,
                method: method.to_owned(),
                called: called.to_owned(),
                since,
            }
            .at(line));
        }
        Ok((since, operation))
    }

    /// Ends what `process` has in flight; [`Pairing::flight`] said that there is something.
    pub(crate) fn end(
        &mut self,
        line: u32,
        process: u32,
        ending: Ending,
        time: Option<Time>,
    ) -> Result<(), ReadError> {
        let ret = self.moment(line, time)?;
        let Some(id) = self.in_flight.remove(&process) else {
            let method = String::from("?");
            return Err(Problem::NoCall { process, method }.at(line));
        };
        let operation = &mut self.recorded.history.operations[id as usize];
        if ret < operation.call {
            let call = operation.call;
            return Err(Problem::BackwardTime { call, ret }.at(line));
        }
        match ending {
            Ending::Known(outcome) => {
                operation.outcome = outcome;
                operation.ret = ret;
                self.recorded.ends[id as usize] = line;
            }
            Ending::Failed => self.failed.push(id),
            Ending::Open => {}
        }
        Ok(())
    }

    /// Takes a whole operation; `ret` is `None` if it has not returned.
    #[expect(
        clippy::too_many_arguments,
        reason = "an operation has this many parts"
    )]
    pub(crate) fn whole(
        &mut self,
        line: u32,
        process: u32,
        method: &str,
        argument: Value,
        outcome: Outcome,
        call: Time,
        ret: Option<Time>,
    ) -> Result<(), ReadError> {
        self.has_wholes = true;
        let call = self.moment(line, Some(call))?;
        let ret = match ret {
            Some(ret) if ret < call => return Err(Problem::BackwardTime { call, ret }.at(line)),
            Some(NEVER) => return Err(Problem::ReservedTime.at(line)),
            Some(ret) => ret,
            None => NEVER,
        };
        self.add(line, process, method, argument, outcome, call, ret)?;
        Ok(())
    }

    /// How many operations were told so far.
    pub(crate) fn told(&self) -> u64 {
        self.handed_over + self.recorded.lines.len() as u64
    }

    /// How many operations were told and not handed over.
    pub(crate) fn waiting(&self) -> usize {
        self.recorded.lines.len()
    }

    /// The operations before the first that is still in flight, which are then forgotten; nothing if there are none.
    pub(crate) fn hand_over(&mut self) -> Option<Recorded> {
        let first = self.in_flight.values().min().map(|&id| id as usize);
        let count = first.unwrap_or(self.recorded.lines.len());
        if count < self.recorded.lines.len() / 2 || count == 0 {
            return None;
        }
        let ids = OpId::try_from(count).unwrap_or(OpId::MAX);
        let mut part = Self {
            failed: self.failed.iter().copied().filter(|&id| id < ids).collect(),
            is_unsorted: self.is_unsorted,
            recorded: Recorded {
                spec: self.recorded.spec.clone(),
                initial: self.recorded.initial.clone(),
                unit: self.recorded.unit.clone(),
                has_sent_reads: self.recorded.has_sent_reads,
                lines: self.recorded.lines.drain(..count).collect(),
                ends: self.recorded.ends.drain(..count).collect(),
                ..Recorded::default()
            },
            ..Self::default()
        };
        let history = &mut self.recorded.history;
        part.recorded.history.methods.clone_from(&history.methods);
        part.recorded.history.operations = history.operations.drain(..count).collect();
        part.recorded.history.keeps_turns = self.has_times == Some(true) && !self.has_wholes;
        self.failed.retain(|&id| id >= ids);
        self.failed.iter_mut().for_each(|id| *id -= ids);
        self.in_flight.values_mut().for_each(|id| *id -= ids);
        self.handed_over += count as u64;
        part.drop_failed();
        if part.is_unsorted {
            part.sort();
        }
        Some(part.recorded)
    }

    /// The next moment has this time, unless that would not be after what was told before: the order counts.
    pub(crate) fn not_before(&mut self, time: Time) {
        self.not_before = time;
    }

    /// Takes an event of the nemesis; `time` is that of the clients' clock, if they have one.
    pub(crate) fn disturb(&mut self, f: &str, value: Option<&Value>, time: Option<Time>) {
        let now = match self.has_times {
            Some(true) => time,
            _ => Some(self.clock.max(self.not_before)),
        };
        if let Some(now) = now {
            self.nemesis.tell(f, value, now);
        }
        self.recorded.ignored += 1;
    }

    /// Notes an event that no client made.
    pub(crate) fn ignore(&mut self) {
        self.recorded.ignored += 1;
    }

    /// The finished history: sorted by calls, without what did not happen.
    pub(crate) fn finish(mut self, last_line: u32) -> Result<Recorded, ReadError> {
        self.drop_failed();
        // The events of a process come in order, whole operations in any; without a clock no moment has two events.
        self.recorded.history.keeps_turns = self.has_times == Some(true) && !self.has_wholes;
        if self.is_unsorted {
            self.sort();
        }
        if self.has_times == Some(true) {
            self.check_processes()?;
        }
        // Where everything failed, nothing happened: that is a history.
        let is_empty = self.recorded.history.operations.is_empty() && self.handed_over == 0;
        if is_empty && self.recorded.failed == 0 {
            return Err(Problem::Empty.at(last_line.max(1)));
        }
        self.recorded.disturbances = self.nemesis.finish();
        Ok(self.recorded)
    }

    /// When something happens: at `time`, or one tick after what was told before it.
    fn moment(&mut self, line: u32, time: Option<Time>) -> Result<Time, ReadError> {
        let here = time.is_some();
        if *self.has_times.get_or_insert(here) != here {
            return Err(Problem::MixedTime { here }.at(line));
        }
        match time {
            Some(NEVER) => Err(Problem::ReservedTime.at(line)),
            Some(time) => Ok(time),
            None => {
                self.clock = (self.clock + 1).max(self.not_before);
                Ok(self.clock)
            }
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "an operation has this many parts"
    )]
    fn add(
        &mut self,
        line: u32,
        process: u32,
        method: &str,
        argument: Value,
        outcome: Outcome,
        call: Time,
        ret: Time,
    ) -> Result<OpId, ReadError> {
        let method = self.method(line, method)?;
        let operations = &mut self.recorded.history.operations;
        let limit = u64::from(OpId::MAX);
        let id = OpId::try_from(operations.len()).map_err(|_| {
            let what = "operations";
            Problem::TooMany { what, limit }.at(line)
        })?;
        self.is_unsorted |= operations
            .last()
            .is_some_and(|last| (last.call, last.ret) > (call, ret));
        operations.push(Operation {
            process,
            method,
            argument,
            outcome,
            call,
            ret,
        });
        self.recorded.lines.push(line);
        self.recorded.ends.push(line);
        Ok(id)
    }

    fn method(&mut self, line: u32, name: &str) -> Result<u16, ReadError> {
        if let Some(&method) = self.methods.get(name) {
            return Ok(method);
        }
        let methods = &mut self.recorded.history.methods;
        let method = u16::try_from(methods.len()).map_err(|_| {
            let (what, limit) = ("methods", 1 << 16);
            Problem::TooMany { what, limit }.at(line)
        })?;
        let name: Arc<str> = Arc::from(name);
        methods.push(Arc::clone(&name));
        self.methods.insert(name, method);
        Ok(method)
    }

    fn drop_failed(&mut self) {
        if self.failed.is_empty() {
            return;
        }
        self.recorded.failed += self.failed.len() as u64;
        let mut happened = vec![true; self.recorded.lines.len()];
        for &id in &self.failed {
            happened[id as usize] = false;
        }
        let mut of_operation = happened.iter();
        self.recorded
            .history
            .operations
            .retain(|_| of_operation.next() == Some(&true));
        for lines in [&mut self.recorded.lines, &mut self.recorded.ends] {
            let mut of_line = happened.iter();
            lines.retain(|_| of_line.next() == Some(&true));
        }
    }

    fn sort(&mut self) {
        let recorded = &mut self.recorded;
        let operations = std::mem::take(&mut recorded.history.operations);
        let lines = recorded.lines.drain(..).zip(recorded.ends.drain(..));
        let mut told: Vec<(Operation, (u32, u32))> = operations.into_iter().zip(lines).collect();
        told.sort_by_key(|(operation, _)| (operation.call, operation.ret));
        for (operation, (line, end)) in told {
            recorded.history.operations.push(operation);
            recorded.lines.push(line);
            recorded.ends.push(end);
        }
    }

    /// With times of their own, even operations told in order may overlap within a process.
    fn check_processes(&self) -> Result<(), ReadError> {
        let mut last: FxHashMap<u32, OpId> = FxHashMap::default();
        let operations = &self.recorded.history.operations;
        for (id, operation) in (0..).zip(operations) {
            let before = last.insert(operation.process, id);
            let Some(before) = before else { continue };
            let other = &operations[before as usize];
            // A pending operation was given up: its process may go on.
            if !other.is_pending() && other.ret > operation.call {
                let line = self.recorded.lines[id as usize];
                let method = self.recorded.history.name(operation);
                return Err(self.two_calls(line, operation.process, method, before));
            }
        }
        Ok(())
    }

    fn two_calls(&self, line: u32, process: u32, method: &str, before: OpId) -> ReadError {
        let history = &self.recorded.history;
        Problem::TwoCalls {
            process,
            method: method.to_owned(),
            other: history
                .name(&history.operations[before as usize])
                .to_owned(),
            since: self.recorded.lines[before as usize],
        }
        .at(line)
    }
}
