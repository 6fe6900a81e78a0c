//! Under C20, the ways in which the next step of a thread can go: which message it reads, or where it puts its own.

use super::Vm;
use crate::memory::{MessageCell, Messages, Way};
use crate::thread::Pending;
use linspect_core::execution::{EventId, Location};
use linspect_core::schedule::ThreadId;
use std::rc::Rc;

impl Vm {
    /// In how many ways the atomic access can go that `thread` stands before.
    pub(super) fn message_ways(&self, thread: ThreadId) -> u8 {
        let ways = self.ways(thread).map_or(1, |(_, ways)| ways.len());
        u8::try_from(ways).unwrap_or(u8::MAX)
    }

    /// Which of them uses the message that `event` wrote.
    pub(super) fn way_of_message(&self, thread: ThreadId, event: Option<EventId>) -> Option<u8> {
        let (cell, ways) = self.ways(thread)?;
        let uses = |way: &Way| match way {
            Way::Read(place) | Way::Write(place) => cell.at(*place).writer == event,
            Way::GiveUp(_) => false,
        };
        ways.iter()
            .position(uses)
            .and_then(|at| u8::try_from(at).ok())
    }

    /// What `thread` may still read although it is no longer the newest: where, and the values there, oldest first.
    pub fn older_values(&self, thread: ThreadId) -> Vec<(Location, Vec<u64>)> {
        let current = &self.state.threads[usize::from(thread)].views.current;
        let messages = self.state.memory.messages().into_iter();
        let cells = messages.flat_map(Messages::cells);
        let older = cells.map(|(location, cell)| (location, cell.older(location, current)));
        older.filter(|(_, values)| !values.is_empty()).collect()
    }

    fn ways(&self, thread: ThreadId) -> Option<(Rc<MessageCell>, Vec<Way>)> {
        let memory = &self.state.memory;
        let messages = memory.messages()?;
        let thread = &self.state.threads[usize::from(thread)];
        let ask = thread
            .ask
            .filter(|_| matches!(thread.pending, Pending::Access))?;
        let len = usize::from(ask.len);
        let (value, written) = memory.bits(ask.address, len).ok()?;
        let location = self.location(ask.address, len as u32);
        let cell = messages.look(location, value, written);
        let ways = cell.ways(location, &thread.views.current, ask.wants);
        Some((cell, ways))
    }
}
