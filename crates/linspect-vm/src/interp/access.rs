//! Which accesses are visible, and how they are recorded.
//!
//! Visible are accesses to memory that another thread can reach, and all atomic ones. What the trusted parts of Rust's
//! standard library do is not, unless asked for.

use super::{Cpu, Stop, Whose};
use crate::memory::address::SEQUENTIAL;
use crate::memory::{Address, Block, Kind, Life, address};
use crate::models::{
    DASHMAP_WRITER, PARKING_READER, PARKING_UPGRADABLE, PARKING_WRITER, READERS_WAITING,
    WRITE_LOCKED, WRITERS_WAITING,
};
use crate::program::{MemoryOrder, Origin, SiteId};
use crate::thread::{Gate, Opens, Pending, Seen};
use linspect_core::execution::{Access, Action, Fault, FaultKind, Location, Ordering, Published};

/// How much a thread reads without a step between two steps.
const MOST_UNSEEN: u16 = 256;

/// Whether an access is one that others can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// No: it is the thread's own business.
    Own,
    /// No, but it touches what others can reach: trusted code, or no other thread runs.
    Quiet,
    /// Yes.
    Visible,
}

impl Cpu<'_> {
    /// Decides whether an access is visible, and stops the thread before it if it is and may not be made now.
    #[inline]
    pub(crate) fn admit(&mut self, address: Address, atomic: bool) -> Result<Visibility, Stop> {
        self.admit_as(Pending::Access, address, atomic)
    }

    /// [`Cpu::admit`], where the thread then stands as `pending` says.
    #[inline]
    pub(crate) fn admit_as(
        &mut self,
        pending: Pending,
        address: Address,
        atomic: bool,
    ) -> Result<Visibility, Stop> {
        let visibility = self.visibility(address, atomic)?;
        if visibility == Visibility::Visible
            && let Err(stop) = self.claim(pending)
        {
            self.thread.goes_to = address;
            return Err(stop);
        }
        Ok(visibility)
    }

    /// Whether an access is visible.
    fn visibility(&mut self, address: Address, atomic: bool) -> Result<Visibility, Stop> {
        let Some(block) = self.memory.block(address) else {
            // It will fail; nobody need see it coming.
            return Ok(Visibility::Own);
        };
        let kind = block.kind;
        let shared = block.shared
            || block.watched
            || (block.lane != self.thread.lane && self.adopt(address)?);
        if shared && self.is_internal_kind(kind) {
            return Ok(Visibility::Quiet);
        }
        if !shared && !atomic {
            return Ok(Visibility::Own);
        }
        if self.world.concurrent && self.looks_at(atomic) {
            return Ok(Visibility::Visible);
        }
        Ok(match shared {
            true => Visibility::Quiet,
            false => Visibility::Own,
        })
    }

    /// Whether this read is no step: nobody writes there. A thread that reads only such memory, round after round, is seen now and then.
    #[inline]
    pub(crate) fn reads_unseen(&mut self, address: Address, len: usize) -> Result<bool, Stop> {
        let Some(unwritten) = self.unwritten else {
            return Ok(false);
        };
        if !self.world.concurrent
            || self.thread.unseen >= MOST_UNSEEN
            || !self.is_shared(address)?
            || !unwritten.contains(&self.location(address, len as u64))
        {
            return Ok(false);
        }
        self.thread.unseen += 1;
        Ok(true)
    }

    /// Uses the grant of this step, or stops the thread here, waiting as `pending` says.
    #[inline]
    pub(crate) fn claim(&mut self, pending: Pending) -> Result<(), Stop> {
        if self.thread.atomic > 0 {
            return Ok(());
        }
        if self.grant {
            self.grant = false;
            self.thread.unseen = 0;
            return Ok(());
        }
        self.stand_before(pending);
        Err(Stop::Suspended)
    }

    fn stand_before(&mut self, pending: Pending) {
        self.thread.site = self.site();
        self.thread.pending = pending;
        self.thread.goes_to = 0;
        self.thread.ask = None;
    }

    /// Whether others can reach a block: that of another thread, which this one has reached, they can.
    pub(crate) fn is_shared(&mut self, address: Address) -> Result<bool, Stop> {
        match self.memory.block(address) {
            Some(block) => Ok(block.shared
                || block.watched
                || (block.lane != self.thread.lane && self.adopt(address)?)),
            None => Ok(false),
        }
    }

    /// Memory of another thread that was not seen to escape: it has now. Constants and dead blocks stay as they are.
    ///
    /// If its owner runs beside this thread, accesses of the owner may have been taken for its own business: the run is worth nothing.
    #[cold]
    fn adopt(&mut self, address: Address) -> Result<bool, Stop> {
        let base = address::base(self.memory.allocation(address).0);
        if self.memory.is_constant(address) || self.image.settled.contains(&base) {
            return Ok(false);
        }
        if self.world.concurrent
            && let Some(site) = self.memory.block(base).and_then(hidden_by)
        {
            return Err(Stop::Fault(Box::new(Fault {
                kind: FaultKind::Hidden,
                message: "memory was reached by a thread that was not seen to get its address"
                    .into(),
                site: self.site(),
                related: Some(site),
            })));
        }
        self.memory.publish(address);
        Ok(self.memory.block(address).is_some_and(|b| b.shared))
    }

    /// Records what others can reach from now on. What was shared before threads ran beside each other is everybody's past.
    #[inline]
    pub(crate) fn note_published(&mut self) {
        if self.memory.has_published() {
            self.record_published();
        }
    }

    fn record_published(&mut self) {
        let published = self.memory.take_published();
        if !self.record.tells || !self.world.concurrent {
            return;
        }
        for base in published {
            if let Some(block) = self.memory.block(base)
                && block.lane == self.thread.lane
            {
                let (len, allocated) = (block.len() as u64, block.site);
                let location = self.location(base, len);
                let published = Published {
                    location,
                    allocated,
                };
                self.record.aside.published.push(published);
            }
        }
    }

    /// Records a fence: with the step that it follows, or with the next one of its thread.
    pub(crate) fn note_fence(&mut self, order: MemoryOrder) {
        if !self.world.concurrent {
            return;
        }
        self.pass_fence(order);
        let ordering = ordering(order);
        if !self.record.tells || self.record.accesses.is_empty() {
            self.thread.fences.push(ordering);
            return;
        }
        let site = self.site();
        self.record.accesses.push(Access {
            action: Action::Fence,
            location: Location {
                allocation: 0,
                offset: 0,
                size: 0,
            },
            read: 0,
            written: 0,
            ordering,
            site,
            from: None,
            after: None,
        });
    }

    /// Passes the barriers of the kernel at the beginning of a step: a futex is waited for and woken behind a fence.
    pub(crate) fn pass_kernel(&mut self) {
        if self.is_weak() && self.world.concurrent {
            self.pass_fence(MemoryOrder::SeqCst);
            self.record.aside.fences.push(Ordering::SeqCst);
        }
    }

    /// Lets all threads reach memory that was just allocated, if that is how it was set up.
    pub(crate) fn note_birth(&mut self, address: Address, site: SiteId) {
        if self.settings.shared.contains(&site) {
            self.memory.publish(address);
        }
    }

    /// Whether a place is only for the books of the standard library.
    pub(crate) fn is_internal(&self, address: Address) -> bool {
        let block = self.memory.block(address);
        block.is_some_and(|block| self.is_internal_kind(block.kind))
    }

    #[inline]
    fn is_internal_kind(&self, kind: Kind) -> bool {
        let Kind::Global(id) = kind else {
            return false;
        };
        let internal = self.image.internal.get(id as usize);
        internal.is_some_and(|internal| *internal) && !self.settings.std_visible
    }

    /// Whether accesses of the running code are looked at.
    pub(crate) fn looks_at(&self, atomic: bool) -> bool {
        self.looks_at_code_of(self.origin(), atomic)
    }

    /// Whether the release of memory by the running code is looked at.
    pub(crate) fn looks_at_release(&self) -> bool {
        self.looks_at_code_of(self.passed_on(), false)
    }

    fn looks_at_code_of(&self, origin: Origin, atomic: bool) -> bool {
        if self.settings.std_visible {
            return true;
        }
        match origin {
            Origin::User | Origin::Plumbing => true,
            Origin::Sync | Origin::Count => atomic,
            Origin::Trusted => false,
        }
    }

    /// The location of an access, for the record.
    pub(crate) fn location(&self, address: Address, len: u64) -> Location {
        let (allocation, offset) = self.memory.allocation(address);
        Location {
            allocation,
            offset,
            size: u32::try_from(len).unwrap_or(u32::MAX),
        }
    }

    /// Records a visible access.
    pub(crate) fn note(
        &mut self,
        action: Action,
        address: Address,
        len: u64,
        read: u64,
        written: u64,
        order: MemoryOrder,
    ) {
        let location = self.location(address, len);
        let source = match self.is_weak() {
            true => self.take_plain(action, address, location),
            false => Whose::default(),
        };
        self.note_at(address, location, action, (read, written), order, source);
    }

    /// Records a visible store, and whether it changes what is there.
    pub(crate) fn note_store(
        &mut self,
        address: Address,
        len: u64,
        value: u64,
        order: MemoryOrder,
        changes: bool,
    ) {
        if changes || self.is_weak() {
            self.note(Action::Write, address, len, 0, value, order);
            return;
        }
        let location = self.location(address, len);
        let values = (0, value);
        self.record_access(location, Action::Write, values, order, Whose::default());
        self.thread.spin.stored_again(Seen {
            address,
            len: len as u8,
            value,
            site: self.own_site(),
        });
        self.learn_type(address);
    }

    /// Records the end of the memory that was at `location`.
    pub(crate) fn note_free(&mut self, address: Address, location: Location) {
        let (values, order) = ((0, 0), MemoryOrder::Plain);
        self.note_at(
            address,
            location,
            Action::Free,
            values,
            order,
            Whose::default(),
        );
    }

    /// Records a visible access to what `location` was when it was made: what it read and wrote, and whose message that was.
    pub(crate) fn note_at(
        &mut self,
        address: Address,
        location: Location,
        action: Action,
        (read, written): (u64, u64),
        order: MemoryOrder,
        source: Whose,
    ) {
        let len = u64::from(location.size);
        self.record_access(location, action, (read, written), order, source);
        // An exchange that puts back what was there changes nothing that another thread could wait for.
        let idle = action == Action::Update && read == written;
        if action.writes() && !idle {
            self.thread.spin.reset();
        } else if action.touches_memory() && len <= 8 {
            self.thread.spin.read(Seen {
                address,
                len: len as u8,
                value: read,
                site: self.own_site(),
            });
        } else {
            self.thread.spin.reset();
        }
        self.learn_type(address);
    }

    fn record_access(
        &mut self,
        location: Location,
        action: Action,
        (read, written): (u64, u64),
        order: MemoryOrder,
        source: Whose,
    ) {
        let site = self.site();
        // What is in an atomic section is atomic, and sections come one after the other.
        let order = match order {
            MemoryOrder::Plain if self.thread.atomic > 0 => MemoryOrder::SeqCst,
            order => order,
        };
        self.note_time(action, location, source);
        self.record.accesses.push(Access {
            action,
            location,
            read,
            written,
            ordering: ordering(order),
            site,
            from: source.from,
            after: source.after,
        });
    }

    /// Uses the field that debug information gives for the running access to learn what its block holds.
    fn learn_type(&mut self, address: Address) {
        let Some(frame) = self.thread.frames.last() else {
            return;
        };
        let fields = &self.image.program.functions[frame.function as usize].fields;
        if let Ok(at) = fields.binary_search_by_key(&frame.pc, |f| f.0) {
            let (_, ty, offset) = fields[at];
            // What is known stays.
            if (self.memory.block(address)).is_some_and(|block| block.ty.is_some()) {
                return;
            }
            let start = address.wrapping_sub(u64::from(offset));
            if self.memory.allocation(start).1 == 0 {
                self.memory.note_type(start, ty);
            }
        }
    }

    /// Lets the thread through a gate in a step of its own, or leaves it waiting there.
    ///
    /// In the sequential part of a client nobody else can open it.
    pub(crate) fn pass(&mut self, gate: Gate) -> Result<(), Stop> {
        // Nothing visible happens while such a lock is held, so it is never seen held.
        if self.is_internal(gate.address) && self.is_open(gate) {
            return Ok(());
        }
        if self.world.concurrent {
            if self.thread.atomic > 0 && !self.is_open(gate) {
                return Err(self.fault(
                    FaultKind::Misuse,
                    "a thread blocks inside an atomic section",
                ));
            }
            return self.claim(Pending::Gate(gate));
        }
        if self.is_open(gate) {
            Ok(())
        } else {
            self.thread.site = self.site();
            self.thread.pending = Pending::Gate(gate);
            Err(Stop::Suspended)
        }
    }

    pub(crate) fn is_open(&self, gate: Gate) -> bool {
        is_open(self.memory, gate)
    }
}

/// Where a living block was allocated by a thread of the program; none if the machine made it, or the sequential part of a client.
fn hidden_by(block: &Block) -> Option<SiteId> {
    let made = match block.kind {
        Kind::Heap | Kind::Stack(_) => true,
        Kind::ThreadLocal(global) => global != u32::MAX,
        Kind::Global(_) | Kind::Tail(_) => false,
    };
    (made && block.life == Life::Live && block.lane != SEQUENTIAL).then_some(block.site)
}

/// Whether a gate lets a thread pass. A gate in memory that is gone does: what follows finds out.
pub(crate) fn is_open(memory: &crate::memory::Memory, gate: Gate) -> bool {
    let word = |offset, len| {
        memory
            .read(gate.address.wrapping_add(offset), len)
            .unwrap_or(0)
    };
    match gate.opens {
        Opens::Mutex | Opens::Zero => word(0, 4) == 0,
        Opens::LowBit => word(0, 1) & 1 == 0,
        Opens::Read => word(4, 4) == 0,
        Opens::Write => word(0, 8) == 0,
        Opens::RustRead => {
            let word = word(0, 4) as u32;
            word & WRITE_LOCKED < WRITE_LOCKED - 1
                && word & (READERS_WAITING | WRITERS_WAITING) == 0
        }
        Opens::RustWrite => {
            let word = word(0, 4) as u32;
            match word & WRITE_LOCKED {
                0 => true,
                WRITE_LOCKED => false,
                _ => word & WRITERS_WAITING == 0,
            }
        }
        Opens::RustOnce => word(0, 4) & 3 != 1,
        Opens::ParkingRead => word(0, 8) & PARKING_WRITER == 0,
        Opens::ParkingWrite => word(0, 8) & (PARKING_WRITER | PARKING_UPGRADABLE) == 0,
        Opens::ParkingReaders => word(0, 8) < PARKING_READER,
        Opens::DashmapRead => word(0, 8) & DASHMAP_WRITER != DASHMAP_WRITER,
        Opens::DashmapWrite => word(0, 8) & DASHMAP_WRITER == 0,
        Opens::NotRunning => word(0, 4) != 1,
        Opens::Positive => memory.read(gate.address, 4).unwrap_or(1) != 0,
    }
}

pub(crate) fn ordering(order: MemoryOrder) -> Ordering {
    match order {
        MemoryOrder::Plain => Ordering::Plain,
        MemoryOrder::Relaxed => Ordering::Relaxed,
        MemoryOrder::Acquire => Ordering::Acquire,
        MemoryOrder::Release => Ordering::Release,
        MemoryOrder::AcqRel => Ordering::AcqRel,
        MemoryOrder::SeqCst => Ordering::SeqCst,
    }
}
