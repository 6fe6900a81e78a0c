//! What memory holds under C20: per cell its messages in modification order, and what threads know of them.
//!
//! The view machine of the "promising" line of work (Kang, Hur, Lahav, Vafeiadis and Dreyer, POPL 2017) without promises, which is RC11 (Lahav, Vafeiadis, Kang,
//! Hur and Dreyer, PLDI 2017) without its axiom for `seq_cst`, with C++20's shorter release sequences. A store may be placed before messages that exist
//! already. The newest message is also what the block's bytes are, so all that looks at bytes alone sees what sequential consistency would show.
//!
//! A cell is a run of bytes that was accessed as a whole. Cells overlap only where accesses of different sizes do; who accesses one of them anew finds the newest
//! message of all. Cells of plain accesses have one message, which says who wrote last.
//! Cells of memory that is freed go with it; memory that comes to life again at the same address is another allocation ([`Messages::life`]).

use linspect_core::execution::{EventId, Location};
use std::collections::BTreeMap;
use std::hash::Hasher;
use std::rc::Rc;

/// A value that was written.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    /// Tells it from all other messages of a run.
    id: u32,
    /// Its bytes; those of long cells are not kept.
    pub(crate) value: u128,
    /// Whether somebody has written it: memory fresh from the allocator was not.
    pub(crate) written: bool,
    /// Whose step; `None`: it was there before the concurrent part, or before anybody else could reach it.
    pub(crate) writer: Option<EventId>,
    /// What whoever acquires it gets to know.
    pub(crate) view: View,
    /// Whether it is a read-modify-write, which stands directly after what it has read.
    pub(crate) update: bool,
}

impl Message {
    /// What was there before anybody looked.
    pub(crate) fn first(value: u128) -> Self {
        Self {
            id: 0,
            value,
            written: true,
            writer: None,
            view: View::default(),
            update: false,
        }
    }
}

/// A message that is to be written.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) value: u128,
    pub(crate) writer: Option<EventId>,
    pub(crate) view: View,
    pub(crate) update: bool,
}

/// The messages of one run of bytes, in modification order; never empty.
#[derive(Clone, Debug)]
pub(crate) struct Cell(Vec<Message>);

/// Which message of each cell somebody knows of, at least; not listed: the first. Sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct View(Option<Rc<Vec<(Location, u32)>>>);

/// What a thread knows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Views {
    /// What has happened before its next access.
    pub(crate) current: View,
    /// What will have happened after an acquire fence.
    pub(crate) acquirable: View,
    /// What had happened before its last release fence.
    pub(crate) released: View,
}

/// What an atomic access wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wants {
    /// To read.
    Load,
    /// To write.
    Store,
    /// To read and write.
    Update,
    /// To write if it reads `expected`; a weak one may give up then.
    Exchange { expected: u128, weak: bool },
}

/// One way in which an atomic access can go: it uses the message at this place in modification order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// It reads it, and only that.
    Read(usize),
    /// It writes directly after it, and reads it if it reads.
    Write(usize),
    /// It reads what it expected, and gives up all the same.
    GiveUp(usize),
}

impl Way {
    /// The place in modification order.
    pub(crate) fn place(self) -> usize {
        match self {
            Self::Read(place) | Self::Write(place) | Self::GiveUp(place) => place,
        }
    }
}

/// All messages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Messages {
    cells: Rc<BTreeMap<Location, Rc<Cell>>>,
    /// By allocation with cells that ended: how often it did.
    lives: Rc<BTreeMap<u32, u32>>,
    made: u32,
    /// Whether some allocation has ended too often to be told from those before it.
    exhausted: bool,
}

/// How often an allocation with cells may end at one address: as many as locations can tell apart.
pub(super) const MOST_LIVES: u32 = 32;

impl Messages {
    /// Whether memory has come to life again at some address more often than can be told apart.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// How often an allocation with cells has ended at the address of this one.
    pub(crate) fn life(&self, allocation: u32) -> u32 {
        self.lives.get(&allocation).copied().unwrap_or(0)
    }

    /// The cell at `location`, where the bytes are `value` now, as whoever accesses it next finds it.
    pub(crate) fn look(&self, location: Location, value: u128, written: bool) -> Rc<Cell> {
        let newest = self.newest(location);
        let first = || Message {
            id: self.made,
            written,
            writer: self.last_writer(location),
            view: newest.map(|m| m.view.clone()).unwrap_or_default(),
            ..Message::first(value)
        };
        match self.cells.get(&location) {
            None => Rc::new(Cell(vec![first()])),
            Some(cell) => {
                let last = cell.last();
                let outdated = newest.is_some_and(|m| m.id > last.id) || last.value != value;
                if !outdated {
                    return Rc::clone(cell);
                }
                let mut all = cell.0.clone();
                all.push(first());
                Rc::new(Cell(all))
            }
        }
    }

    /// All cells.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (Location, &Cell)> {
        self.cells
            .iter()
            .map(|(location, cell)| (*location, &**cell))
    }

    /// The message that the bytes of `location` are, of those cells that have a byte of it.
    pub(crate) fn newest(&self, location: Location) -> Option<&Message> {
        let cells = self.overlapping(location).map(|(_, cell)| cell.last());
        cells.max_by_key(|m| m.id)
    }

    /// Whose write the newest message of the cells that begin with `location` is.
    pub(crate) fn last_writer(&self, location: Location) -> Option<EventId> {
        let same = |(l, _): &(&Location, &Rc<Cell>)| l.offset == location.offset;
        let cells = self.overlapping(location).filter(same);
        let last = cells.map(|(_, cell)| cell.last()).max_by_key(|m| m.id);
        last.and_then(|m| m.writer)
    }

    /// Whether a cell of another size has a byte of `location`, and something in it that `view` does not know of.
    pub(crate) fn mixes(&self, location: Location, view: &View) -> bool {
        self.overlapping(location)
            .any(|(other, cell)| *other != location && view.place(*other, cell) + 1 < cell.0.len())
    }

    /// Puts a message into the cell that [`Messages::look`] gave, directly after the one at `place`: its identity.
    pub(crate) fn put(&mut self, location: Location, cell: &Cell, place: usize, new: Draft) -> u32 {
        // What `look` has made up has the present number.
        self.made += 1;
        let id = self.made;
        self.made += 1;
        let mut all = cell.0.clone();
        all.insert(
            place + 1,
            Message {
                id,
                value: new.value,
                written: true,
                writer: new.writer,
                view: new.view,
                update: new.update,
            },
        );
        Rc::make_mut(&mut self.cells).insert(location, Rc::new(Cell(all)));
        id
    }

    /// A message that is always the newest, as synchronisation writes it: its identity.
    pub(crate) fn append(&mut self, location: Location, new: Draft) -> u32 {
        let cell = match self.cells.get(&location) {
            Some(cell) if self.newest(location).is_none_or(|m| m.id <= cell.last().id) => {
                Rc::clone(cell)
            }
            _ => self.look(location, new.value, true),
        };
        self.put(location, &cell, cell.0.len() - 1, new)
    }

    /// Keeps the cell that [`Messages::look`] gave.
    pub(crate) fn keep(&mut self, location: Location, cell: Rc<Cell>) {
        let known = self.cells.get(&location);
        if !known.is_some_and(|known| Rc::ptr_eq(known, &cell)) {
            self.made += 1;
            Rc::make_mut(&mut self.cells).insert(location, cell);
        }
    }

    /// Bytes were written by somebody who comes after all earlier writes: one message is left of each cell that has a byte of `location`. It carries `view`. `writer` is
    /// whose step that was, if it was one; `bits` says what a cell holds now.
    pub(super) fn settle(
        &mut self,
        location: Location,
        writer: Option<EventId>,
        view: &View,
        bits: impl Fn(Location) -> u128,
    ) {
        let touched: Vec<Location> = self.overlapping(location).map(|(l, _)| *l).collect();
        if touched.is_empty() && writer.is_none() {
            return;
        }
        let cells = Rc::make_mut(&mut self.cells);
        let mut only = |location: Location, writer: Option<EventId>| {
            self.made += 1;
            Rc::new(Cell(vec![Message {
                id: self.made,
                writer,
                view: view.clone(),
                ..Message::first(bits(location))
            }]))
        };
        for place in touched {
            // Who wrote a cell last is told by its first byte, as those who look at whole executions do.
            match cells.remove(&place) {
                Some(old) if writer.is_none() || place.offset != location.offset => {
                    cells.insert(place, only(place, old.last().writer));
                }
                _ => {}
            }
        }
        if writer.is_some() {
            cells.insert(location, only(location, writer));
        }
        self.made += 1;
    }

    /// An allocation ends, and its cells with it: `allocation` as locations have it, and as its address says.
    pub(crate) fn end(&mut self, allocation: u32, address: u32) {
        let of_it: Vec<Location> = self.of(allocation).map(|(l, _)| *l).collect();
        if of_it.is_empty() {
            return;
        }
        let cells = Rc::make_mut(&mut self.cells);
        for location in of_it {
            cells.remove(&location);
        }
        let life = Rc::make_mut(&mut self.lives).entry(address).or_default();
        *life = (*life + 1) % MOST_LIVES;
        self.exhausted |= *life == 0;
    }

    fn of(&self, allocation: u32) -> impl Iterator<Item = (&Location, &Rc<Cell>)> {
        let at = |offset| Location {
            allocation,
            offset,
            size: offset,
        };
        self.cells.range(at(0)..=at(u32::MAX))
    }

    fn overlapping(&self, location: Location) -> impl Iterator<Item = (&Location, &Rc<Cell>)> {
        self.of(location.allocation)
            .filter(move |(other, _)| other.overlaps(&location))
    }

    fn place(&self, location: Location, id: u32) -> Option<usize> {
        self.cells.get(&location)?.place(id)
    }

    /// Adds everything to a digest, messages by their places.
    pub(crate) fn hash(&self, hasher: &mut impl Hasher) {
        for (location, cell) in self.cells.iter() {
            hash_location(*location, hasher);
            for message in &cell.0 {
                hasher.write_u128(message.value);
                hasher.write_u8(u8::from(message.update) | u8::from(message.written) << 1);
                self.hash_view(&message.view, hasher);
            }
        }
        for (allocation, life) in self.lives.iter() {
            hasher.write_u32(*allocation);
            hasher.write_u32(*life);
        }
    }

    /// The same of a thread.
    pub(crate) fn hash_views(&self, views: &Views, hasher: &mut impl Hasher) {
        self.hash_view(&views.current, hasher);
        self.hash_view(&views.acquirable, hasher);
        self.hash_view(&views.released, hasher);
    }

    /// Adds what somebody knows to a digest.
    pub(crate) fn hash_view(&self, view: &View, hasher: &mut impl Hasher) {
        for (location, id) in view.entries() {
            let place = self.place(*location, *id).unwrap_or(0);
            if place > 0 {
                hash_location(*location, hasher);
                hasher.write_usize(place);
            }
        }
        hasher.write_u8(0xff);
    }
}

fn hash_location(location: Location, hasher: &mut impl Hasher) {
    hasher.write_u32(location.allocation);
    hasher.write_u32(location.offset);
    hasher.write_u32(location.size);
}

impl Cell {
    /// The newest.
    pub(crate) fn last(&self) -> &Message {
        self.0.last().expect("a cell has a message")
    }

    pub(crate) fn at(&self, place: usize) -> &Message {
        &self.0[place]
    }

    pub(crate) fn is_last(&self, place: usize) -> bool {
        place + 1 == self.0.len()
    }

    fn place(&self, id: u32) -> Option<usize> {
        self.0.iter().position(|m| m.id == id)
    }

    /// The values that whoever knows `view` may still read although they are no longer the newest, oldest first.
    pub(crate) fn older(&self, location: Location, view: &View) -> Vec<u64> {
        let places = view.place(location, self)..self.0.len() - 1;
        self.0[places].iter().map(|m| m.value as u64).collect()
    }

    /// In which ways an access can go of a thread that knows `view`: the newest message first, giving up last.
    pub(crate) fn ways(&self, location: Location, view: &View, wants: Wants) -> Vec<Way> {
        let known = view.place(location, self);
        let places = (known..self.0.len()).rev();
        // Nothing comes between an update and what it has read.
        let is_free = |place: usize| !self.0.get(place + 1).is_some_and(|m| m.update);
        match wants {
            Wants::Load => places.map(Way::Read).collect(),
            Wants::Store | Wants::Update => {
                places.filter(|p| is_free(*p)).map(Way::Write).collect()
            }
            Wants::Exchange { expected, weak } => {
                let fits = |place: &usize| self.0[*place].value == expected;
                let gives_up = places.clone().filter(|place| weak && fits(place));
                places
                    .filter_map(|place| match fits(&place) {
                        false => Some(Way::Read(place)),
                        true => is_free(place).then_some(Way::Write(place)),
                    })
                    .chain(gives_up.map(Way::GiveUp))
                    .collect()
            }
        }
    }
}

impl View {
    fn entries(&self) -> &[(Location, u32)] {
        self.0.as_ref().map_or(&[], |entries| entries)
    }

    /// The place of the message of `cell` that is known of.
    pub(crate) fn place(&self, location: Location, cell: &Cell) -> usize {
        let entries = self.entries();
        let found = entries.binary_search_by_key(&location, |(l, _)| *l);
        let id = found.ok().map(|at| entries[at].1);
        id.and_then(|id| cell.place(id)).unwrap_or(0)
    }

    /// Knows of the message `id` too.
    fn see(&mut self, location: Location, id: u32, messages: &Messages) {
        // Everybody knows of the first.
        if messages.place(location, id) == Some(0) {
            return;
        }
        self.join(&Self(Some(Rc::new(vec![(location, id)]))), messages);
    }

    /// Knows of all that `other` does, too.
    pub(crate) fn join(&mut self, other: &Self, messages: &Messages) {
        let Some(theirs) = &other.0 else {
            return;
        };
        let Some(mine) = &self.0 else {
            self.0 = Some(Rc::clone(theirs));
            return;
        };
        if Rc::ptr_eq(mine, theirs) {
            return;
        }
        let place = |entry: (Location, u32)| messages.place(entry.0, entry.1);
        let (mut i, mut j) = (0, 0);
        let mut all = Vec::with_capacity(mine.len() + theirs.len());
        while i < mine.len() || j < theirs.len() {
            let next = match (mine.get(i), theirs.get(j)) {
                (Some(a), Some(b)) if a.0 == b.0 => {
                    (i, j) = (i + 1, j + 1);
                    if a.1 == b.1 || place(*a) >= place(*b) {
                        *a
                    } else {
                        *b
                    }
                }
                (Some(a), Some(b)) if a.0 > b.0 => {
                    j += 1;
                    *b
                }
                (Some(a), _) => {
                    i += 1;
                    *a
                }
                (None, Some(b)) => {
                    j += 1;
                    *b
                }
                (None, None) => break,
            };
            // Nobody asks for messages that are gone.
            if place(next).is_some() {
                all.push(next);
            }
        }
        if all != **mine {
            self.0 = Some(Rc::new(all));
        }
    }
}

impl Views {
    /// Reads the message `id`, which carries `view`.
    pub(crate) fn read(
        &mut self,
        location: Location,
        message: &Message,
        acquires: bool,
        messages: &Messages,
    ) {
        self.current.see(location, message.id, messages);
        self.acquirable.see(location, message.id, messages);
        self.acquirable.join(&message.view, messages);
        if acquires {
            self.current.join(&message.view, messages);
        }
    }

    /// Has written the message `id`.
    pub(crate) fn wrote(&mut self, location: Location, id: u32, messages: &Messages) {
        self.current.see(location, id, messages);
        self.acquirable.see(location, id, messages);
    }

    /// What a message carries that is written now.
    pub(crate) fn carried(&self, releases: bool, messages: &Messages) -> View {
        let mut view = self.released.clone();
        if releases {
            view.join(&self.current, messages);
        }
        view
    }

    /// Passes a fence.
    pub(crate) fn fence(&mut self, acquires: bool, releases: bool) {
        if acquires {
            self.current = self.acquirable.clone();
        }
        if releases {
            self.released = self.current.clone();
        }
    }

    /// Comes after all that `view` knows.
    pub(crate) fn follow(&mut self, view: &View, messages: &Messages) {
        self.current.join(view, messages);
        self.acquirable.join(view, messages);
    }
}
