//! Memory of toy programs under C20: messages and views.
//!
//! Per cell the messages in modification order; per thread what it knows (`now`), what it would know after an acquire fence (`acquirable`) and what it
//! knew at its last release fence (`released`). A view says per cell the latest message that is known. After Kang, Hur, Lahav, Vafeiadis and Dreyer, "A Promising Semantics for
//! Relaxed-Memory Concurrency", POPL 2017, without promises, and with places in modification order instead of timestamps. What seq_cst asks beyond
//! acquire and release is asked by whoever drives ([`linspect_core::consistency`]).

use crate::retry::Flaw;
use linspect_core::execution::{EventId, Ordering};
use linspect_core::schedule::ThreadId;
use std::collections::BTreeMap;

/// Per cell the latest message that is known; nothing for the first.
type View = BTreeMap<usize, EventId>;

/// Memory as threads see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Weak {
    cells: Vec<Vec<Message>>,
    threads: Vec<Views>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Message {
    writer: Option<EventId>,
    value: i64,
    view: View,
    /// It was made by an update of the message before it.
    update: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Views {
    now: View,
    acquirable: View,
    released: View,
    /// Steps so far.
    taken: u32,
}

/// What a step wants of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Read,
    Write,
    Update,
    /// Updates if it reads this, else only reads.
    Compare(i64),
}

impl Weak {
    /// What `threads` threads see that start now.
    pub(super) fn new(memory: &[i64], threads: usize) -> Self {
        let first = |value: &i64| {
            vec![Message {
                writer: None,
                value: *value,
                view: View::new(),
                update: false,
            }]
        };
        Self {
            cells: memory.iter().map(first).collect(),
            threads: vec![Views::default(); threads],
        }
    }

    /// The messages that the next access of `thread` to `cell` may read, or after which it may write, newest first.
    pub(super) fn ways(
        &self,
        thread: ThreadId,
        cell: usize,
        wanted: Wanted,
        flaw: Option<Flaw>,
    ) -> Vec<usize> {
        let messages = &self.cells[cell];
        let known = self.place(cell, self.threads[usize::from(thread)].now.get(&cell));
        let open = |at: &usize| messages.get(at + 1).is_none_or(|next| !next.update);
        let fits = |at: &usize| match wanted {
            Wanted::Read => true,
            Wanted::Write if flaw == Some(Flaw::AppendOnly) => at + 1 == messages.len(),
            Wanted::Write | Wanted::Update => open(at),
            Wanted::Compare(expected) => messages[*at].value != expected || open(at),
        };
        (known..messages.len()).rev().filter(fits).collect()
    }

    /// Whose message that is.
    pub(super) fn writer(&self, cell: usize, message: usize) -> Option<EventId> {
        self.cells[cell][message].writer
    }

    pub(super) fn value(&self, cell: usize, message: usize) -> i64 {
        self.cells[cell][message].value
    }

    /// The newest message.
    pub(super) fn last(&self, cell: usize) -> usize {
        self.cells[cell].len() - 1
    }

    /// The contents of a cell that nobody else has seen.
    pub(super) fn init(&mut self, cell: usize, value: i64) {
        self.cells[cell][0].value = value;
    }

    /// `thread` reads a message.
    pub(super) fn read(&mut self, thread: ThreadId, cell: usize, message: usize, order: Ordering) {
        let Message { writer, view, .. } = self.cells[cell][message].clone();
        let slot = usize::from(thread);
        let mut views = std::mem::take(&mut self.threads[slot]);
        let known: View = writer.map(|w| (cell, w)).into_iter().collect();
        self.join(&mut views.now, &known);
        self.join(&mut views.acquirable, &known);
        if order != Ordering::Plain {
            self.join(&mut views.acquirable, &view);
        }
        if acquires(order) {
            self.join(&mut views.now, &view);
        }
        self.threads[slot] = views;
    }

    /// `thread` writes a message directly after `message`, which it has read if this is an update.
    pub(super) fn write(
        &mut self,
        thread: ThreadId,
        cell: usize,
        message: usize,
        value: i64,
        (update, order): (bool, Ordering),
        flaw: Option<Flaw>,
    ) {
        let slot = usize::from(thread);
        let writer = self.id(thread);
        let goes_on = update && flaw != Some(Flaw::NoReleaseSequence);
        let read = self.cells[cell][message].view.clone();
        self.cells[cell].insert(
            message + 1,
            Message {
                writer: Some(writer),
                value,
                view: View::new(),
                update,
            },
        );
        let mut views = std::mem::take(&mut self.threads[slot]);
        let own = View::from([(cell, writer)]);
        self.join(&mut views.now, &own);
        self.join(&mut views.acquirable, &own);
        let mut view = own;
        if order != Ordering::Plain {
            if flaw != Some(Flaw::NoReleaseFence) {
                self.join(&mut view, &views.released);
            }
            if releases(order) {
                self.join(&mut view, &views.now);
            }
            if goes_on {
                self.join(&mut view, &read);
            }
        }
        self.cells[cell][message + 1].view = view;
        self.threads[slot] = views;
    }

    pub(super) fn fence(&mut self, thread: ThreadId, order: Ordering) {
        let views = &mut self.threads[usize::from(thread)];
        if acquires(order) {
            views.now = views.acquirable.clone();
        }
        if releases(order) {
            views.released = views.now.clone();
        }
    }

    /// `thread` starts another one, which knows what it knows.
    pub(super) fn spawn(&mut self, thread: ThreadId) {
        let now = self.threads[usize::from(thread)].now.clone();
        self.threads.push(Views {
            acquirable: now.clone(),
            now,
            ..Views::default()
        });
    }

    /// `thread` knows from now on what `other` knows.
    pub(super) fn join_thread(&mut self, thread: ThreadId, other: ThreadId) {
        let known = self.threads[usize::from(other)].now.clone();
        let mut views = std::mem::take(&mut self.threads[usize::from(thread)]);
        self.join(&mut views.now, &known);
        self.join(&mut views.acquirable, &known);
        self.threads[usize::from(thread)] = views;
    }

    /// The step that `thread` takes now.
    pub(super) fn id(&self, thread: ThreadId) -> EventId {
        EventId {
            thread,
            step: self.threads[usize::from(thread)].taken,
        }
    }

    /// `thread` has taken its step.
    pub(super) fn stepped(&mut self, thread: ThreadId) {
        self.threads[usize::from(thread)].taken += 1;
    }

    fn place(&self, cell: usize, writer: Option<&EventId>) -> usize {
        let is = |m: &Message| m.writer.as_ref() == writer;
        let place = self.cells[cell].iter().position(is);
        place.expect("a known message is there")
    }

    fn join(&self, view: &mut View, other: &View) {
        for (&cell, writer) in other {
            if self.place(cell, Some(writer)) > self.place(cell, view.get(&cell)) {
                view.insert(cell, *writer);
            }
        }
    }
}

fn acquires(order: Ordering) -> bool {
    use Ordering as O;
    matches!(order, O::Acquire | O::AcqRel | O::SeqCst)
}

fn releases(order: Ordering) -> bool {
    use Ordering as O;
    matches!(order, O::Release | O::AcqRel | O::SeqCst)
}
