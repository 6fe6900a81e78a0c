//! Loads, stores, atomics and copies.

use super::float::{arithmetic, decode};
use super::int::{mask_wide, read_bits, sign_extend_wide, write_bits};
use super::{Cpu, Stop, Visibility};
use crate::memory::{Address, Overwritten, Wants, little_endian};
use crate::program::{
    AtomicOp, Failing, FloatKind, FloatOp, Inst, LockWord, MemoryOrder, Operand, Origin, Reg,
};
use linspect_core::execution::{Action, WeakExchange};
use linspect_core::machine::Additions;
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::hash::Hasher;

impl Cpu<'_> {
    #[inline]
    pub(super) fn load(
        &mut self,
        base: usize,
        dst: Reg,
        addr: Operand,
        bits: u8,
        order: MemoryOrder,
    ) -> Result<(), Stop> {
        let address = self.get(base, addr);
        let len = usize::from(bits.div_ceil(8));
        let visibility = if self.reads_unseen(address, len)? {
            Visibility::Own
        } else if order == MemoryOrder::Plain {
            self.admit(address, false)?
        } else {
            let visibility = self.admit_atomic(address, len, Wants::Load)?;
            if visibility == Visibility::Visible && self.is_weak() {
                self.load_message(base, dst, address, bits, order)?;
                return Ok(());
            }
            visibility
        };
        if bits > 64 {
            let bytes = self.read_checked(address, len)?;
            let value = read_bits(&bytes, 0, bits);
            self.set_wide(base, dst, value);
            self.note_read(visibility, address, len, digest(&bytes), order);
            return Ok(());
        }
        let (block, at) = match self.memory.check(address, len as u64) {
            Ok(found) => found,
            Err(e) => return Err(self.memory_fault(&e)),
        };
        let value = little_endian(&block.bytes()[at..at + len]);
        if !block.is_written(at, len) && self.must_be_written(order) {
            self.memory
                .require_written(address, len)
                .map_err(|e| self.memory_fault(&e))?;
        }
        self.set(base, dst, super::int::mask(value, bits));
        self.note_read(visibility, address, len, value, order);
        Ok(())
    }

    /// Whether the running load needs its bytes to have been written. Libraries come optimised, with loads moved to where nobody uses
    /// them, so only code of the program itself is asked.
    #[cold]
    pub(super) fn must_be_written(&self, order: MemoryOrder) -> bool {
        if self.image.program.sites[self.own_site() as usize].origin != Origin::User {
            return false;
        }
        order != MemoryOrder::Plain
            || self.thread.frames.last().is_some_and(|f| {
                self.image.deciding[f.function as usize]
                    .get(f.pc as usize)
                    .copied()
                    .unwrap_or(false)
            })
    }

    #[inline]
    fn note_read(
        &mut self,
        v: Visibility,
        address: Address,
        len: usize,
        value: u64,
        order: MemoryOrder,
    ) {
        if v == Visibility::Visible {
            self.note(Action::Read, address, len as u64, value, 0, order);
        } else {
            self.note_quiet(v, address, value);
        }
    }

    /// Notes a value that was read or written unseen.
    #[inline]
    fn note_quiet(&mut self, v: Visibility, address: Address, value: u64) {
        if v == Visibility::Quiet && self.parks {
            let mut hasher = FxHasher::default();
            hasher.write_u64(self.record.quiet);
            hasher.write_u64(address);
            hasher.write_u64(value);
            self.record.quiet = hasher.finish();
        }
    }

    fn read_checked(&self, address: Address, len: usize) -> Result<SmallVec<[u8; 32]>, Stop> {
        self.memory
            .read_bytes(address, len as u64)
            .map(SmallVec::from_slice)
            .map_err(|e| self.memory_fault(&e))
    }

    #[inline]
    pub(super) fn store(
        &mut self,
        base: usize,
        addr: Operand,
        value: Operand,
        bits: u8,
        order: MemoryOrder,
    ) -> Result<(), Stop> {
        let address = self.get(base, addr);
        let len = usize::from(bits.div_ceil(8));
        let visibility = if order == MemoryOrder::Plain {
            self.admit(address, false)?
        } else {
            let visibility = self.admit_atomic(address, len, Wants::Store)?;
            if visibility == Visibility::Visible && self.is_weak() {
                let value = self.get_sized(base, value, bits);
                self.store_message(address, value, bits, order)?;
                return Ok(());
            }
            visibility
        };
        if bits > 64 {
            let bytes = self.get_wide(base, value).to_le_bytes();
            self.put(address, &bytes[..len], visibility)?;
            if visibility == Visibility::Visible {
                self.note(
                    Action::Write,
                    address,
                    len as u64,
                    0,
                    digest(&bytes[..len]),
                    order,
                );
            }
            return Ok(());
        }
        let value = self.get(base, value);
        let changes = self.put(address, &value.to_le_bytes()[..len], visibility)?;
        if visibility == Visibility::Visible {
            self.note_store(address, len as u64, value, order, changes);
        }
        Ok(())
    }

    /// Writes bytes; what they point to escapes if they become visible, and the spin watch learns of it. Whether others could see a change.
    #[inline]
    pub(crate) fn put(
        &mut self,
        address: Address,
        bytes: &[u8],
        visibility: Visibility,
    ) -> Result<bool, Stop> {
        let own = visibility == Visibility::Own;
        if own && (self.thread.spin.is_armed() || self.parks) {
            self.watch_own_write(address, bytes);
        }
        if visibility == Visibility::Quiet {
            self.note_quiet(visibility, address, digest(bytes));
        }
        let Overwritten { differed, shared } = match self.memory.overwrite(address, bytes) {
            Ok(overwritten) => overwritten,
            Err(e) => return Err(self.memory_fault(&e)),
        };
        // Putting back what is there changes nothing that another thread could wait for.
        let changes = differed && !own;
        if changes {
            self.thread.spin.reset();
        }
        if visibility == Visibility::Quiet && self.is_weak() {
            self.note_unseen(address, bytes.len());
        }
        if shared {
            self.memory.publish_words(bytes);
        }
        Ok(changes)
    }

    /// Tells the spin watch about a write of many bytes; the thread's own stack is compared as a whole.
    fn watch_block_write(&mut self, to: Address, visibility: Visibility) {
        if visibility != Visibility::Own || !self.memory.is_on_stack(to) {
            self.thread.spin.reset();
        }
    }

    /// Tells the spin watch about a write to the thread's own heap; its stack is compared as a whole.
    #[cold]
    fn watch_own_write(&mut self, address: Address, bytes: &[u8]) {
        if self.memory.is_on_stack(address) {
            return;
        }
        match self.memory.read_bytes(address, bytes.len() as u64) {
            Ok(old) => {
                let old = digest(old);
                self.thread.spin.wrote(address, old, digest(bytes));
            }
            Err(_) => self.thread.spin.reset(),
        }
    }

    pub(super) fn memory_instruction(&mut self, base: usize, inst: &Inst) -> Result<(), Stop> {
        match *inst {
            Inst::LoadRun { dst, addr, layout } => self.load_run(base, dst, addr, layout)?,
            Inst::StoreRun {
                addr,
                value,
                layout,
            } => self.store_run(base, addr, value, layout)?,
            Inst::CompareExchange { .. } => self.compare_exchange(base, inst)?,
            Inst::AtomicUpdate { .. } => self.atomic_update(base, inst)?,
            Inst::Fence {
                order,
                compiler_only,
            } => {
                // Under sequential consistency a fence does nothing but order what would race without it.
                if !compiler_only {
                    self.note_fence(order);
                }
            }
            Inst::MemCopy { dst, src, len, .. } => {
                let (to, from, len) = (
                    self.get(base, dst),
                    self.get(base, src),
                    self.get(base, len),
                );
                self.copy_memory(to, from, len)?;
            }
            Inst::MemSet { dst, byte, len } => {
                let (to, byte, len) = (
                    self.get(base, dst),
                    self.get(base, byte),
                    self.get(base, len),
                );
                self.fill_memory(to, byte as u8, len)?;
            }
            _ => unreachable!("only memory instructions come here"),
        }
        Ok(())
    }

    fn load_run(&mut self, base: usize, dst: Reg, addr: Operand, layout: u32) -> Result<(), Stop> {
        let address = self.get(base, addr);
        let layout = &self.image.program.layouts[layout as usize];
        if layout.size == 0 {
            return Ok(());
        }
        let visibility = self.admit(address, false)?;
        let bytes = self.read_checked(address, layout.size as usize)?;
        let mut slot = dst;
        for e in &layout.elements {
            let value = read_bits(&bytes, e.bit as usize, e.bits as u8);
            self.set_sized(base, slot, e.bits as u8, value);
            slot += if e.bits > 64 { 2 } else { 1 };
        }
        self.note_read(
            visibility,
            address,
            bytes.len(),
            digest(&bytes),
            MemoryOrder::Plain,
        );
        Ok(())
    }

    fn store_run(
        &mut self,
        base: usize,
        addr: Operand,
        value: Operand,
        layout: u32,
    ) -> Result<(), Stop> {
        let address = self.get(base, addr);
        let layout = &self.image.program.layouts[layout as usize];
        if layout.size == 0 {
            return Ok(());
        }
        let visibility = self.admit(address, false)?;
        let mut bytes = self.read_checked(address, layout.size as usize)?;
        // Bits beside an element in its bytes become zero; bytes of padding stay.
        for e in &layout.elements {
            bytes[e.bit as usize / 8..(e.bit + e.bits).div_ceil(8) as usize].fill(0);
        }
        let mut slot = 0;
        for e in &layout.elements {
            let v = self.get_sized(base, value.slot(slot), e.bits as u8);
            write_bits(&mut bytes, e.bit as usize, e.bits as u8, v);
            slot += if e.bits > 64 { 2 } else { 1 };
        }
        self.put(address, &bytes, visibility)?;
        if visibility == Visibility::Visible {
            self.note(
                Action::Write,
                address,
                bytes.len() as u64,
                0,
                digest(&bytes),
                MemoryOrder::Plain,
            );
        }
        Ok(())
    }

    fn compare_exchange(&mut self, base: usize, inst: &Inst) -> Result<(), Stop> {
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
        if let Failing::Waits(lock) = failing
            && let Some(taken) = self.take_lock(address, lock, self.get(base, new))?
        {
            self.set(base, dst, 0);
            self.set(base, dst + 1, u64::from(taken));
            return Ok(());
        }
        let len = usize::from(bits.div_ceil(8));
        let wants = Wants::Exchange {
            expected: self.get_sized(base, expected, bits),
            weak: failing == Failing::Weak && !self.thread.gave_up,
        };
        let visibility = self.admit_atomic(address, len, wants)?;
        if visibility == Visibility::Visible && self.is_weak() {
            return self.exchange_message(base, inst);
        }
        let (old, old_digest) = self.read_atomic(address, bits)?;
        self.note_quiet(visibility, address, old_digest);
        let (expected, new) = (
            self.get_sized(base, expected, bits),
            self.get_sized(base, new, bits),
        );
        let exchanged = old == expected;
        if failing == Failing::Waits(LockWord::Once) {
            self.leave_once();
        }
        let new_bytes = &new.to_le_bytes()[..len];
        if exchanged {
            self.put(address, new_bytes, visibility)?;
        }
        self.set_sized(base, dst, bits, old);
        self.set(
            base,
            dst + if bits > 64 { 2 } else { 1 },
            u64::from(exchanged),
        );
        if visibility == Visibility::Visible {
            if failing == Failing::Weak {
                self.record.aside.weak_exchange = Some(WeakExchange::Decided);
            }
            let (action, written, order) = if exchanged {
                (Action::CasOk, digest(new_bytes), success)
            } else {
                (Action::CasFail, 0, failure)
            };
            self.note(action, address, len as u64, old_digest, written, order);
        }
        Ok(())
    }

    fn atomic_update(&mut self, base: usize, inst: &Inst) -> Result<(), Stop> {
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
        let len = usize::from(bits.div_ceil(8));
        let visibility = self.admit_atomic(address, len, Wants::Update)?;
        if visibility == Visibility::Visible && self.is_weak() {
            return self.update_message(base, inst);
        }
        let (old, old_digest) = match (op, discards) {
            // Whatever was there decides nothing.
            (AtomicOp::Xchg, true) => self.read_bits(address, bits)?,
            _ => self.read_atomic(address, bits)?,
        };
        self.note_quiet(visibility, address, old_digest);
        let new = update(op, bits, old, self.get_sized(base, value, bits));
        let new_bytes = &new.to_le_bytes()[..len];
        self.put(address, new_bytes, visibility)?;
        self.set_sized(base, dst, bits, old);
        if visibility == Visibility::Visible {
            let (action, read, written) = match self.tallies(op) {
                Some((read, written)) => (Action::Tally, read, written),
                None if discards && new != old && self.is_unordered(op) => (Action::Add, 0, 1),
                None => (Action::Update, old_digest, digest(new_bytes)),
            };
            self.note(action, address, len as u64, read, written, order);
        }
        Ok(())
    }

    /// Whether the order of such updates is nobody's business, if nobody uses what was there before.
    fn is_unordered(&self, op: AtomicOp) -> bool {
        self.additions == Additions::Unordered && matches!(op, AtomicOp::Add | AtomicOp::Sub)
    }

    /// What is told of an update by code that counts owners: read and written.
    pub(super) fn tallies(&self, op: AtomicOp) -> Option<(u64, u64)> {
        let counts = self.image.program.sites[self.own_site() as usize].origin == Origin::Count;
        match op {
            AtomicOp::Add if counts => Some((0, 1)),
            AtomicOp::Sub if counts => Some((1, 0)),
            _ => None,
        }
    }

    /// What an atomic holds, and what is told of it.
    fn read_atomic(&self, address: Address, bits: u8) -> Result<(u128, u64), Stop> {
        self.memory
            .require_written(address, usize::from(bits.div_ceil(8)))
            .map_err(|e| self.memory_fault(&e))?;
        self.read_bits(address, bits)
    }

    /// So many bits, and what is told of the bytes that they are in.
    fn read_bits(&self, address: Address, bits: u8) -> Result<(u128, u64), Stop> {
        let len = usize::from(bits.div_ceil(8));
        if bits > 64 {
            let bytes = self.read_checked(address, len)?;
            return Ok((read_bits(&bytes, 0, bits), digest(&bytes)));
        }
        match self.memory.read(address, len) {
            Ok(word) => Ok((u128::from(super::int::mask(word, bits)), word)),
            Err(e) => Err(self.memory_fault(&e)),
        }
    }

    /// `memcpy` and `memmove`: one step that reads and writes.
    pub(crate) fn copy_memory(&mut self, to: Address, from: Address, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let had_grant = self.grant;
        let reads = self.admit(from, false)?;
        let writes = if reads == Visibility::Visible && had_grant {
            // Both halves belong to one step.
            self.grant = true;
            let writes = self.admit(to, false);
            self.grant = false;
            writes?
        } else {
            self.admit(to, false)?
        };
        let own = (Visibility::Own, Visibility::Own);
        let value = match self.memory.read_bytes(from, len) {
            // Nobody is told.
            Ok(_) if (reads, writes) == own => 0,
            Ok(bytes) => digest(bytes),
            Err(e) => return Err(self.memory_fault(&e)),
        };
        if let Err(e) = self.memory.copy(to, from, len) {
            return Err(self.memory_fault(&e));
        }
        self.watch_block_write(to, writes);
        self.note_quiet(reads, from, value);
        if reads == Visibility::Visible {
            self.note(Action::Read, from, len, value, 0, MemoryOrder::Plain);
        }
        if writes == Visibility::Visible {
            self.note(Action::Write, to, len, 0, value, MemoryOrder::Plain);
        }
        if writes != Visibility::Own {
            self.memory.publish_range(to, len);
        }
        Ok(())
    }

    /// `memset`.
    pub(crate) fn fill_memory(&mut self, to: Address, byte: u8, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let visibility = self.admit(to, false)?;
        if let Err(e) = self.memory.fill(to, byte, len) {
            return Err(self.memory_fault(&e));
        }
        self.watch_block_write(to, visibility);
        if visibility == Visibility::Visible {
            let value = u64::from_le_bytes([byte; 8]);
            self.note(Action::Write, to, len, 0, value, MemoryOrder::Plain);
        }
        Ok(())
    }
}

/// Up to 8 bytes as they are, longer runs as a digest.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    if bytes.len() <= 8 {
        return little_endian(bytes);
    }
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

pub(super) fn update(op: AtomicOp, bits: u8, old: u128, value: u128) -> u128 {
    let (x, y) = (sign_extend_wide(old, bits), sign_extend_wide(value, bits));
    let float = |op| {
        let kind = if bits == 32 {
            FloatKind::F32
        } else {
            FloatKind::F64
        };
        u128::from(arithmetic(op, kind, old as u64, value as u64))
    };
    let pick = |first: bool| if first { old } else { value };
    let kind = if bits == 32 {
        FloatKind::F32
    } else {
        FloatKind::F64
    };
    let new = match op {
        AtomicOp::Xchg => value,
        AtomicOp::Add => old.wrapping_add(value),
        AtomicOp::Sub => old.wrapping_sub(value),
        AtomicOp::And => old & value,
        AtomicOp::Nand => !(old & value),
        AtomicOp::Or => old | value,
        AtomicOp::Xor => old ^ value,
        AtomicOp::Max => pick(x >= y),
        AtomicOp::Min => pick(x <= y),
        AtomicOp::UMax => old.max(value),
        AtomicOp::UMin => old.min(value),
        AtomicOp::FAdd => float(FloatOp::Add),
        AtomicOp::FSub => float(FloatOp::Sub),
        AtomicOp::FMax => pick(decode(kind, old as u64) >= decode(kind, value as u64)),
        AtomicOp::FMin => pick(decode(kind, old as u64) <= decode(kind, value as u64)),
        AtomicOp::UIncWrap => {
            if old >= value {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::UDecWrap => {
            if old == 0 || old > value {
                value
            } else {
                old - 1
            }
        }
        AtomicOp::USubCond => {
            if old >= value {
                old - value
            } else {
                old
            }
        }
        AtomicOp::USubSat => old.saturating_sub(value),
    };
    mask_wide(new, bits)
}
