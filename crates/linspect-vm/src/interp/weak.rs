//! Atomics under C20: which message they read, where they put theirs, and what their threads know afterwards.
//!
//! A visible atomic access can go in several ways ([`Cell::ways`](crate::memory::MessageCell::ways)); the step says which. Accesses of trusted code and plain accesses take the newest message: for a plain access that
//! does not race there is no other.

use super::access::ordering;
use super::int::mask_wide;
use super::memory::{digest, update};
use super::{Cpu, Stop, Visibility};
use crate::memory::{
    Address, Draft, MemoryError, Message, MessageCell, Messages, View, Wants, Way,
};
use crate::program::{Failing, Inst, MemoryOrder, Reg};
use crate::thread::Ask;
use linspect_core::execution::{Action, EventId, FaultKind, Location, Ordering, WeakExchange};
use linspect_core::orderings::{Kind, Place};
use std::rc::Rc;

/// The most ways that a step can go in: choices count them in a byte.
const MOST_WAYS: usize = 255;

/// Whose write an access reads, and after whose it puts its own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Whose {
    pub(crate) from: Option<EventId>,
    pub(crate) after: Option<EventId>,
}

/// A visible atomic access that knows which way it goes.
struct Chosen {
    address: Address,
    location: Location,
    cell: Rc<MessageCell>,
    way: Way,
}

impl Chosen {
    fn message(&self) -> &Message {
        self.cell.at(self.way.place())
    }

    fn len(&self) -> usize {
        self.location.size as usize
    }
}

impl Cpu<'_> {
    /// Whether atomics have messages.
    #[inline]
    pub(crate) fn is_weak(&self) -> bool {
        self.memory.messages().is_some()
    }

    /// [`Cpu::admit`] for an atomic access, which others may want to know while the thread stands before it.
    #[inline]
    pub(super) fn admit_atomic(
        &mut self,
        address: Address,
        len: usize,
        wants: Wants,
    ) -> Result<Visibility, Stop> {
        let admitted = self.admit(address, true);
        if matches!(admitted, Err(Stop::Suspended)) && self.is_weak() {
            self.thread.ask = Some(Ask {
                address,
                len: len as u8,
                wants,
            });
        }
        admitted
    }

    /// Passes a fence.
    pub(super) fn pass_fence(&mut self, order: MemoryOrder) {
        if self.is_weak() {
            let order = ordering(order);
            self.thread.views.fence(order.acquires(), order.releases());
        }
    }

    pub(super) fn load_message(
        &mut self,
        base: usize,
        dst: Reg,
        address: Address,
        bits: u8,
        order: MemoryOrder,
    ) -> Result<(), Stop> {
        let order = self.ordered(order, Kind::Load);
        let chosen = self.choose_way(address, bits, Wants::Load)?;
        let must_be_written = self.must_be_written(order);
        let value = self.read_message(&chosen, order, must_be_written)?;
        self.set_sized(base, dst, bits, mask_wide(value, bits));
        self.note_atomic(&chosen, Action::Read, value, 0, order);
        Ok(())
    }

    pub(super) fn store_message(
        &mut self,
        address: Address,
        value: u128,
        bits: u8,
        order: MemoryOrder,
    ) -> Result<(), Stop> {
        let order = self.ordered(order, Kind::Store);
        let chosen = self.choose_way(address, bits, Wants::Store)?;
        self.write_message(&chosen, value, order, false)?;
        self.note_atomic(&chosen, Action::Write, 0, value, order);
        Ok(())
    }

    pub(super) fn exchange_message(&mut self, base: usize, inst: &Inst) -> Result<(), Stop> {
        let Inst::CompareExchange {
            dst,
            addr,
            expected,
            new,
            bits,
            success,
            failure,
            failing,
        } = *inst
        else {
            unreachable!("only called for compare-exchange")
        };
        let address = self.get(base, addr);
        let expected = self.get_sized(base, expected, bits);
        let new = self.get_sized(base, new, bits);
        let weak = failing == Failing::Weak && !self.thread.gave_up;
        let chosen = self.choose_way(address, bits, Wants::Exchange { expected, weak })?;
        self.thread.gave_up |= matches!(chosen.way, Way::GiveUp(_));
        let exchanged = matches!(chosen.way, Way::Write(_));
        let order = if exchanged {
            self.ordered(success, Kind::Update)
        } else {
            self.ordered(failure, Kind::Failure)
        };
        let old = self.read_message(&chosen, order, true)?;
        if exchanged {
            self.write_message(&chosen, new, order, true)?;
        }
        self.set_sized(base, dst, bits, mask_wide(old, bits));
        let flag = dst + if bits > 64 { 2 } else { 1 };
        self.set(base, flag, u64::from(exchanged));
        match exchanged {
            true => self.note_atomic(&chosen, Action::CasOk, old, new, order),
            false => self.note_atomic(&chosen, Action::CasFail, old, 0, order),
        }
        let gave_up = matches!(chosen.way, Way::GiveUp(_));
        if gave_up {
            self.thread.spin.gave_up();
        }
        if failing == Failing::Weak {
            self.record.aside.weak_exchange = Some(match gave_up {
                true => WeakExchange::GaveUp,
                false => WeakExchange::Decided,
            });
        }
        Ok(())
    }

    pub(super) fn update_message(&mut self, base: usize, inst: &Inst) -> Result<(), Stop> {
        let Inst::AtomicUpdate {
            op,
            dst,
            addr,
            value,
            bits,
            order,
            discards,
        } = *inst
        else {
            unreachable!("only called for atomic updates")
        };
        let address = self.get(base, addr);
        let order = self.ordered(order, Kind::Update);
        let chosen = self.choose_way(address, bits, Wants::Update)?;
        let ignores = discards && op == crate::program::AtomicOp::Xchg;
        let old = self.read_message(&chosen, order, !ignores)?;
        let new = update(
            op,
            bits,
            mask_wide(old, bits),
            self.get_sized(base, value, bits),
        );
        self.write_message(&chosen, new, order, true)?;
        self.set_sized(base, dst, bits, mask_wide(old, bits));
        match self.tallies(op) {
            Some((read, written)) => {
                self.note_atomic(&chosen, Action::Tally, read.into(), written.into(), order);
            }
            None => self.note_atomic(&chosen, Action::Update, old, new, order),
        }
        Ok(())
    }

    /// How the running access is ordered, if not as the source says.
    fn ordered(&self, order: MemoryOrder, kind: Kind) -> MemoryOrder {
        if self.settings.orderings.is_empty() {
            return order;
        }
        let site = self.site();
        let other = self.settings.orderings.get(&Place { site, kind });
        match other {
            None => order,
            Some(Ordering::Plain) => MemoryOrder::Plain,
            Some(Ordering::Relaxed) => MemoryOrder::Relaxed,
            Some(Ordering::Acquire) => MemoryOrder::Acquire,
            Some(Ordering::Release) => MemoryOrder::Release,
            Some(Ordering::AcqRel) => MemoryOrder::AcqRel,
            Some(Ordering::SeqCst) => MemoryOrder::SeqCst,
        }
    }

    /// The way that the running step goes.
    fn choose_way(&mut self, address: Address, bits: u8, wants: Wants) -> Result<Chosen, Stop> {
        let len = usize::from(bits.div_ceil(8));
        let location = self.location(address, len as u64);
        let (value, written) = self
            .memory
            .bits(address, len)
            .map_err(|e| self.memory_fault(&e))?;
        let view = &self.thread.views.current;
        let Some(messages) = self.memory.messages() else {
            unreachable!("only called where atomics have messages")
        };
        if messages.mixes(location, view) {
            let message = "this machine cannot run atomic accesses of different sizes to the same bytes that are not ordered, under C20";
            return Err(self.fault(FaultKind::Unsupported, message));
        }
        if messages.is_exhausted() {
            let message = "memory with atomics was freed and used again more often than this machine can tell apart under C20";
            return Err(self.fault(FaultKind::Limit, message));
        }
        let cell = messages.look(location, value, written);
        let ways = cell.ways(location, view, wants);
        if ways.len() > MOST_WAYS {
            let message = format!(
                "an atomic access can go in more than {MOST_WAYS} ways: so many older values may be read under C20"
            );
            return Err(self.fault(FaultKind::Limit, &message));
        }
        let way = ways[usize::from(self.thread.way).min(ways.len() - 1)];
        self.memory.watch(address);
        Ok(Chosen {
            address,
            location,
            cell,
            way,
        })
    }

    fn read_message(
        &mut self,
        chosen: &Chosen,
        order: MemoryOrder,
        must_be_written: bool,
    ) -> Result<u128, Stop> {
        let message = chosen.message();
        if must_be_written && !message.written {
            let allocated = self.memory.block(chosen.address).map_or(0, |b| b.site);
            return Err(self.memory_fault(&MemoryError::Unwritten {
                address: chosen.address,
                allocated,
            }));
        }
        let value = message.value;
        if let Some(messages) = self.memory.messages_mut() {
            messages.keep(chosen.location, Rc::clone(&chosen.cell));
            let views = &mut self.thread.views;
            views.read(
                chosen.location,
                message,
                ordering(order).acquires(),
                messages,
            );
        }
        Ok(value)
    }

    fn write_message(
        &mut self,
        chosen: &Chosen,
        value: u128,
        order: MemoryOrder,
        is_update: bool,
    ) -> Result<(), Stop> {
        let place = chosen.way.place();
        let bytes = &value.to_le_bytes()[..chosen.len()];
        if chosen.cell.is_last(place) {
            self.put(chosen.address, bytes, Visibility::Visible)?;
        } else {
            // An update that puts back what it read changes nothing that another thread could wait for, wherever its place is.
            if !is_update || value != chosen.message().value {
                self.thread.spin.reset();
            }
            if (self.memory.block(chosen.address)).is_some_and(|block| block.shared) {
                self.memory.publish_words(bytes);
            }
        }
        let writer = Some(self.event());
        let Some(messages) = self.memory.messages_mut() else {
            return Ok(());
        };
        let views = &mut self.thread.views;
        let mut view = views.carried(ordering(order).releases(), messages);
        if is_update {
            view.join(&chosen.message().view, messages);
        }
        let draft = Draft {
            value,
            writer,
            view,
            update: is_update,
        };
        let id = messages.put(chosen.location, &chosen.cell, place, draft);
        views.wrote(chosen.location, id, messages);
        Ok(())
    }

    fn note_atomic(
        &mut self,
        chosen: &Chosen,
        action: Action,
        read: u128,
        written: u128,
        order: MemoryOrder,
    ) {
        let len = chosen.len();
        let of = |bits: u128| digest(&bits.to_le_bytes()[..len]);
        let beside = chosen.message().writer;
        let whose = Whose {
            from: beside.filter(|_| action != Action::Write),
            after: beside.filter(|_| action.writes()),
        };
        let (read, written) = (of(read), of(written));
        self.note_at(
            chosen.address,
            chosen.location,
            action,
            (read, written),
            order,
            whose,
        );
    }

    /// The step that runs.
    pub(crate) fn event(&self) -> EventId {
        EventId {
            thread: self.thread.id,
            step: self.thread.steps.saturating_sub(1),
        }
    }

    /// Whose write a plain access reads, or comes after. A write is the only message of what it touches from then on.
    pub(super) fn take_plain(
        &mut self,
        action: Action,
        address: Address,
        location: Location,
    ) -> Whose {
        let Some(messages) = self.memory.messages() else {
            return Whose::default();
        };
        let last = messages.last_writer(location);
        match action {
            Action::Write => {
                let writer = Some(self.event());
                self.memory
                    .settle_messages(location, writer, &View::default());
                self.memory.watch(address);
                Whose {
                    from: None,
                    after: last,
                }
            }
            Action::Read => Whose {
                from: last,
                after: None,
            },
            _ => Whose::default(),
        }
    }

    /// Trusted code has written unseen: what it did before is known to whoever reads it.
    pub(super) fn note_unseen(&mut self, address: Address, len: usize) {
        if self.world.concurrent {
            let location = self.location(address, len as u64);
            let view = self.known();
            self.memory.settle_messages(location, None, &view);
        }
    }

    /// Keeps what `address` holds as a message before a synchronisation call changes it: others may read that still.
    pub(crate) fn keep_word(&mut self, address: Address, len: usize) {
        let location = self.location(address, len as u64);
        if let Ok((value, written)) = self.memory.bits(address, len)
            && let Some(messages) = self.memory.messages_mut()
        {
            let cell = messages.look(location, value, written);
            messages.keep(location, cell);
        }
    }

    /// A synchronisation call has read or written its word, which holds what it wrote now: it always takes the newest message.
    pub(crate) fn synchronise(
        &mut self,
        action: Action,
        address: Address,
        location: Location,
    ) -> Whose {
        let writer = Some(self.event());
        let Ok((value, written)) = self.memory.bits(address, location.size as usize) else {
            return Whose::default();
        };
        let writes = action.writes();
        let Some(messages) = self.memory.messages_mut() else {
            return Whose::default();
        };
        let views = &mut self.thread.views;
        let last = match (messages.newest(location), writes) {
            (Some(last), _) => last.clone(),
            (None, true) => Message::first(value),
            (None, false) => messages.look(location, value, written).last().clone(),
        };
        let writer_before = messages.last_writer(location);
        let acquires = !matches!(action, Action::Unlock | Action::LockFail);
        follow(
            &mut views.current,
            &mut views.acquirable,
            &last,
            acquires,
            messages,
        );
        let mut whose = Whose {
            from: writer_before,
            after: None,
        };
        if writes {
            whose.after = writer_before;
            let mut view = last.view;
            if action != Action::Lock {
                view.join(&views.current, messages);
            }
            let draft = Draft {
                value,
                writer,
                view,
                update: true,
            };
            let id = messages.append(location, draft);
            views.wrote(location, id, messages);
            self.memory.watch(address);
        }
        whose
    }

    /// Comes after all that was done before whoever passed `address` last.
    pub(crate) fn acquire_from(&mut self, address: Address, len: u64) {
        let location = self.location(address, len);
        if let Some(messages) = self.memory.messages()
            && let Some(last) = messages.newest(location)
        {
            let view = last.view.clone();
            self.thread.views.follow(&view, messages);
        }
    }

    /// What a thread that starts now, or that whoever waits for this one may take over, knows.
    pub(crate) fn known(&self) -> View {
        self.thread.views.current.clone()
    }

    /// Comes after all that `view` knows.
    pub(crate) fn come_after(&mut self, view: &View) {
        if let Some(messages) = self.memory.messages() {
            self.thread.views.follow(view, messages);
        }
    }
}

fn follow(
    current: &mut View,
    acquirable: &mut View,
    last: &Message,
    acquires: bool,
    messages: &Messages,
) {
    acquirable.join(&last.view, messages);
    if acquires {
        current.join(&last.view, messages);
    }
}
