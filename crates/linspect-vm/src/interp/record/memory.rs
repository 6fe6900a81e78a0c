//! Memory in a recording: every piece that is accessed as one is a variable.
//!
//! A copy of a struct is recorded piece by piece, so the pieces must be known when it happens, though they may be accessed only later. A run is therefore
//! recorded twice: the first time only teaches the [`Pieces`].

use super::{Before, Operands, Place, Recorder, extend};
use crate::interp::Cpu;
use crate::interp::int::read_bits;
use crate::memory::{Address, Kind, Life, Memory};
use crate::naming;
use crate::program::{self, AtomicOp, Inst, Layout, Reg};
use linspect_core::execution::Location;
use linspect_core::statement::{Operand, Relation, Rule, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;
use std::sync::Arc;

/// No piece is longer.
const WORD: u32 = 8;

/// Where whether an allocation is alive is kept, as if it were a byte of it.
const ALIVE: u32 = u32::MAX - 1;

/// Which pieces of each allocation are accessed as one: offset and size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    of: FxHashMap<u32, BTreeSet<(u32, u32)>>,
    /// Copies of memory, in order: to, from.
    copies: Vec<(Location, Location)>,
}

impl Pieces {
    fn within(&self, range: Location) -> impl Iterator<Item = (u32, u32)> {
        let (start, end) = (range.offset, range.offset.saturating_add(range.size));
        self.of
            .get(&range.allocation)
            .into_iter()
            .flat_map(move |set| set.range((start, 0)..(end, 0)))
            .copied()
            .filter(move |&(offset, size)| offset + size <= end)
    }

    /// What was copied from is accessed in the pieces in which the copy is.
    pub(crate) fn settled(mut self) -> Self {
        for (to, from) in std::mem::take(&mut self.copies).into_iter().rev() {
            let pieces: Vec<(u32, u32)> = self.within(to).collect();
            let source = self.of.entry(from.allocation).or_default();
            let moved = |(offset, size)| (offset - to.offset + from.offset, size);
            source.extend(pieces.into_iter().map(moved));
        }
        self
    }
}

/// The pieces of memory of a recording.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// Learned in an earlier run.
    pieces: Pieces,
    /// Learned in this one.
    pub(super) seen: Pieces,
    /// Those that have a value in the recording.
    known: FxHashMap<u32, BTreeSet<(u32, u32)>>,
    named: FxHashSet<Location>,
}

impl Cells {
    pub(super) fn new(pieces: Pieces) -> Self {
        Self {
            pieces,
            ..Self::default()
        }
    }

    /// Whether some byte of the piece has a value in the recording.
    fn is_known(&self, cell: Location) -> bool {
        self.known.get(&cell.allocation).is_some_and(|set| {
            let first = cell.offset.saturating_sub(WORD);
            let end = cell.offset.saturating_add(cell.size);
            let mut near = set.range((first, 0)..(end, 0));
            near.any(|&(offset, size)| offset + size > cell.offset)
        })
    }

    fn know(&mut self, cell: Location) {
        let known = self.known.entry(cell.allocation).or_default();
        known.insert((cell.offset, cell.size));
    }
}

impl Recorder {
    /// What this run has shown of how memory is accessed.
    pub(crate) fn pieces(&mut self) -> Pieces {
        std::mem::take(&mut self.cells.seen).settled()
    }

    /// The piece at an address, accessed as one.
    pub(super) fn cell(&mut self, cpu: &Cpu<'_>, address: Address, size: u32) -> Location {
        let cell = cpu.location(address, size.into());
        let seen = self.cells.seen.of.entry(cell.allocation).or_default();
        seen.insert((cell.offset, cell.size));
        self.name_cell(cpu, cell);
        cell
    }

    /// Locals are named while they live; everything else at the end, when more is known of its type.
    fn name_cell(&mut self, cpu: &Cpu<'_>, cell: Location) {
        let base = crate::memory::address::base(cell.allocation);
        if cpu.memory.is_on_stack(base) && self.cells.named.insert(cell) {
            let name = piece_name(cpu.image, cpu.memory, cell, false);
            self.recording
                .names
                .insert(Variable::Cell(cell), Arc::from(name));
        }
    }

    /// A read of a piece whose value was `value`.
    pub(super) fn reading(&mut self, cell: Location, value: i64) -> Operand {
        if !self.cells.is_known(cell) {
            self.cells.know(cell);
            self.recording.initial.insert(Variable::Cell(cell), value);
        }
        Operand::Variable(Variable::Cell(cell))
    }

    pub(super) fn write(&mut self, cell: Location, rule: Rule, operands: Operands, value: i64) {
        self.cells.know(cell);
        let width = (8 * cell.size.min(WORD)) as u8;
        self.assign(Variable::Cell(cell), rule, operands, width, value);
    }

    /// Whether `inst` is a memory instruction: it is recorded then.
    pub(super) fn note_memory(&mut self, cpu: &Cpu<'_>, place: &Place<'_>, inst: &Inst) -> bool {
        match *inst {
            Inst::Load {
                dst, addr, bits, ..
            } => {
                let address = cpu.get(place.base, addr);
                let through = self.through(cpu, place, addr);
                for (i, size, bits) in words(bits) {
                    let cell = self.cell(cpu, address.wrapping_add(u64::from(8 * i)), size);
                    let value = extend(cpu.thread.registers[place.base + (dst + i) as usize], bits);
                    let mut operands: Operands = smallvec![self.reading(cell, value)];
                    operands.extend(through);
                    self.define_as(cpu, place, dst + i, Rule::Copy, operands, bits, value);
                }
            }
            Inst::Store {
                addr, value, bits, ..
            } => {
                let address = cpu.get(place.base, addr);
                let through = self.through(cpu, place, addr);
                for (i, size, bits) in words(bits) {
                    let mut operands: Operands =
                        smallvec![self.operand(cpu, place, value.slot(i), bits)];
                    operands.extend(through);
                    let cell = self.cell(cpu, address.wrapping_add(u64::from(8 * i)), size);
                    let raw = cpu.get(place.base, value.slot(i));
                    self.write(cell, Rule::Copy, operands, extend(raw, bits));
                }
            }
            Inst::LoadRun { dst, addr, layout } => {
                let address = cpu.get(place.base, addr);
                let layout = &cpu.image.program.layouts[layout as usize];
                self.note_load_run(cpu, place, dst, address, layout);
            }
            Inst::StoreRun {
                addr,
                value,
                layout,
            } => {
                let address = cpu.get(place.base, addr);
                let layout = &cpu.image.program.layouts[layout as usize];
                self.note_store_run(cpu, place, value, address, layout);
            }
            Inst::CompareExchange { .. } => self.note_exchange(cpu, place, inst),
            Inst::AtomicUpdate { .. } => self.note_update(cpu, place, inst),
            Inst::MemCopy { dst, src, len, .. } => {
                let (to, from) = (cpu.get(place.base, dst), cpu.get(place.base, src));
                self.note_copy(cpu, to, from, cpu.get(place.base, len));
            }
            Inst::MemSet { dst, byte, len } => {
                let (to, len) = (cpu.get(place.base, dst), cpu.get(place.base, len));
                let (byte, _) = self.source(cpu, place, byte);
                let rule = match byte {
                    Operand::Constant(_) => Rule::Input,
                    Operand::Variable(_) => Rule::Function,
                };
                self.note_written(cpu, cpu.location(to, len), rule, &[byte]);
            }
            Inst::Fence { .. } => {}
            _ => return false,
        }
        true
    }

    /// The pointer that an access goes through, unless it is a constant.
    fn through(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        addr: program::Operand,
    ) -> Option<Operand> {
        addr.as_reg().map(|_| self.operand(cpu, place, addr, 64))
    }

    /// Elements of whole bytes and at most a word are pieces; of others only the word around is known.
    fn note_load_run(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        dst: Reg,
        address: Address,
        layout: &Layout,
    ) {
        let mut slot = dst;
        for e in &layout.elements {
            for (i, size, bits) in words(e.bits as u8) {
                let at = address.wrapping_add(u64::from(e.bit / 8 + 8 * i));
                let cell = self.cell(cpu, at, size);
                let value = extend(cpu.thread.registers[place.base + slot as usize], bits);
                let operand = self.reading(cell, word_at(cpu.memory, at, size));
                let rule = if e.bit % 8 == 0 && bits % 8 == 0 {
                    Rule::Copy
                } else {
                    Rule::Function
                };
                self.define_as(cpu, place, slot, rule, smallvec![operand], bits, value);
                slot += 1;
            }
        }
    }

    fn note_store_run(
        &mut self,
        cpu: &Cpu<'_>,
        place: &Place<'_>,
        value: program::Operand,
        address: Address,
        layout: &Layout,
    ) {
        let mut slot = 0;
        for e in &layout.elements {
            for (i, size, bits) in words(e.bits as u8) {
                let at = address.wrapping_add(u64::from(e.bit / 8 + 8 * i));
                let operand = self.operand(cpu, place, value.slot(slot), bits);
                let cell = self.cell(cpu, at, size);
                let rule = if e.bit % 8 == 0 && bits % 8 == 0 {
                    Rule::Copy
                } else {
                    Rule::Function
                };
                let now = word_at(cpu.memory, at, size);
                self.write(cell, rule, smallvec![operand], now);
                slot += 1;
            }
        }
    }

    fn note_exchange(&mut self, cpu: &Cpu<'_>, place: &Place<'_>, inst: &Inst) {
        let Inst::CompareExchange {
            dst,
            addr,
            expected,
            new,
            bits,
            ..
        } = *inst
        else {
            return;
        };
        let address = cpu.get(place.base, addr);
        let through = self.through(cpu, place, addr);
        let slots = words(bits).count() as Reg;
        let mut compared: Operands = smallvec![];
        let mut cells = SmallVec::<[Location; 2]>::new();
        for (i, size, bits) in words(bits) {
            let cell = self.cell(cpu, address.wrapping_add(u64::from(8 * i)), size);
            let old = extend(cpu.thread.registers[place.base + (dst + i) as usize], bits);
            let mut operands: Operands = smallvec![self.reading(cell, old)];
            operands.extend(through);
            self.define_as(cpu, place, dst + i, Rule::Copy, operands, bits, old);
            compared.push(Operand::Variable(super::register(place.frame, dst + i)));
            compared.push(self.operand(cpu, place, expected.slot(i), bits));
            cells.push(cell);
        }
        let rule = match slots {
            1 => Rule::Compare(Relation::Eq),
            _ => Rule::Function,
        };
        let flag = dst + slots;
        self.define(cpu, place, flag, rule, compared, (bits.min(64), 1));
        if cpu.thread.registers[place.base + flag as usize] & 1 == 0 {
            return;
        }
        // The exchange happens in the scope of its own success only.
        let truth = Operand::Variable(super::register(place.frame, flag));
        let reach = super::Reach::Lock(cells[0]);
        self.condition(truth, true, reach, place.own);
        for ((i, _, bits), cell) in words(bits).zip(cells.iter()) {
            let operand = self.operand(cpu, place, new.slot(i), bits);
            let value = extend(cpu.get(place.base, new.slot(i)), bits);
            self.write(*cell, Rule::Copy, smallvec![operand], value);
        }
        self.scopes.release(self.lane, cells[0]);
    }

    fn note_update(&mut self, cpu: &Cpu<'_>, place: &Place<'_>, inst: &Inst) {
        let Inst::AtomicUpdate {
            op,
            dst,
            addr,
            value,
            bits,
            ..
        } = *inst
        else {
            return;
        };
        let address = cpu.get(place.base, addr);
        let through = self.through(cpu, place, addr);
        let rule = match op {
            _ if bits > 64 => Rule::Function,
            AtomicOp::Xchg => Rule::Copy,
            AtomicOp::Add => Rule::Add,
            AtomicOp::Sub => Rule::Sub,
            AtomicOp::And => Rule::And,
            AtomicOp::Or => Rule::Or,
            AtomicOp::Xor => Rule::Xor,
            _ => Rule::Function,
        };
        for (i, size, bits) in words(bits) {
            let cell = self.cell(cpu, address.wrapping_add(u64::from(8 * i)), size);
            let old = extend(cpu.thread.registers[place.base + (dst + i) as usize], bits);
            let mut operands: Operands = smallvec![self.reading(cell, old)];
            operands.extend(through);
            self.define_as(cpu, place, dst + i, Rule::Copy, operands, bits, old);
            let by = self.operand(cpu, place, value.slot(i), bits);
            let operands = if rule == Rule::Copy {
                smallvec![by]
            } else {
                smallvec![Operand::Variable(super::register(place.frame, dst + i)), by]
            };
            let now = extend(
                word_at(cpu.memory, address.wrapping_add(u64::from(8 * i)), size).cast_unsigned(),
                bits,
            );
            self.write(cell, rule, operands, now);
        }
    }

    /// A copy of memory, piece by piece.
    pub(super) fn note_copy(&mut self, cpu: &Cpu<'_>, to: Address, from: Address, len: u64) {
        if len == 0 {
            return;
        }
        let (target, source) = (cpu.location(to, len), cpu.location(from, len));
        self.cells.seen.copies.push((target, source));
        let pieces = &self.cells.pieces;
        let mut both: BTreeSet<(u32, u32)> = pieces
            .within(target)
            .map(|(offset, size)| (offset - target.offset, size))
            .collect();
        both.extend(
            pieces
                .within(source)
                .map(|(offset, size)| (offset - source.offset, size)),
        );
        let mut end = 0;
        for (at, size) in both {
            if at < end {
                continue;
            }
            end = at + size;
            let read = self.cell(cpu, from + u64::from(at), size);
            let written = self.cell(cpu, to + u64::from(at), size);
            let value = word_at(cpu.memory, to + u64::from(at), size);
            let operand = self.reading(read, value);
            self.write(written, Rule::Copy, smallvec![operand], value);
        }
    }

    /// Memory that was written in one go: its pieces, with the values they have now.
    pub(super) fn note_written(
        &mut self,
        cpu: &Cpu<'_>,
        range: Location,
        rule: Rule,
        operands: &[Operand],
    ) {
        let pieces: Vec<(u32, u32)> = self.cells.pieces.within(range).collect();
        let base = crate::memory::address::base(range.allocation);
        let mut end = 0;
        for (offset, size) in pieces {
            if offset < end {
                continue;
            }
            end = offset + size;
            let cell = self.cell(cpu, base + u64::from(offset), size);
            let value = word_at(cpu.memory, base + u64::from(offset), size);
            let operands = match rule {
                Rule::Input => smallvec![],
                _ => SmallVec::from_slice(operands),
            };
            self.write(cell, rule, operands, value);
        }
    }

    /// What a model has changed in memory, without saying how.
    pub(super) fn note_changes(&mut self, cpu: &Cpu<'_>, before: &Before) {
        let Some(earlier) = &before.memory else {
            return;
        };
        for (base, old) in cpu.memory.changes(earlier) {
            let Some(block) = cpu.memory.block(base) else {
                continue;
            };
            let allocation = cpu.memory.allocation(base).0;
            let was_alive = old.is_some_and(|b| b.life == Life::Live);
            let is_alive = block.life == Life::Live;
            if block.kind == Kind::Heap && was_alive != is_alive {
                let alive = i64::from(is_alive);
                let operands = smallvec![Operand::Constant(alive)];
                self.write(alive_cell(allocation), Rule::Copy, operands, alive);
            }
            if !is_alive {
                continue;
            }
            if let Some((first, last)) = changed(old.map_or(&[], |b| b.bytes()), block.bytes()) {
                // A piece that changed in part starts a little before.
                let first = first.saturating_sub(WORD as usize - 1);
                let len = (last + WORD as usize).min(block.len()) - first;
                let range = cpu.location(base + first as u64, len as u64);
                let old: Vec<u8> = old.map_or(Vec::new(), |b| b.bytes().to_vec());
                self.note_changed_pieces(cpu, range, &old);
            }
        }
    }

    fn note_changed_pieces(&mut self, cpu: &Cpu<'_>, range: Location, old: &[u8]) {
        let pieces: Vec<(u32, u32)> = self.cells.pieces.within(range).collect();
        let base = crate::memory::address::base(range.allocation);
        for (offset, size) in pieces {
            let (start, end) = (offset as usize, (offset + size) as usize);
            let now = cpu.memory.read_bytes(base + u64::from(offset), size.into());
            if now.is_ok_and(|now| old.get(start..end) == Some(now)) {
                continue;
            }
            let cell = Location {
                allocation: range.allocation,
                offset,
                size,
            };
            self.note_written(cpu, cell, Rule::Input, &[]);
        }
    }

    /// Names of globals and of the heap, as they are at the end.
    pub(crate) fn name_cells(&mut self, image: &crate::image::Image, memory: &Memory) {
        let known = &self.cells.known;
        let mut cells: Vec<Location> = known
            .iter()
            .flat_map(|(&allocation, set)| {
                set.iter().map(move |&(offset, size)| Location {
                    allocation,
                    offset,
                    size,
                })
            })
            .filter(|cell| !self.cells.named.contains(cell))
            .collect();
        cells.sort_unstable();
        for cell in cells {
            // Several pieces of one size are an array's.
            let pieces = &self.cells.known[&cell.allocation];
            let alike = pieces.iter().filter(|p| p.1 == cell.size).count();
            let name = piece_name(image, memory, cell, alike > 1);
            let variable = Variable::Cell(cell);
            self.recording.names.insert(variable, Arc::from(name));
        }
    }
}

/// Whether an allocation is alive, as a piece of memory.
pub(super) fn alive_cell(allocation: u32) -> Location {
    Location {
        allocation,
        offset: ALIVE,
        size: 1,
    }
}

/// A number of `bits` in memory: words with their slot, size and bits.
fn words(bits: u8) -> impl Iterator<Item = (u32, u32, u8)> {
    let bits = bits.max(1);
    (0..u32::from(bits.div_ceil(64))).map(move |i| {
        let left = u32::from(bits) - 64 * i;
        (i, left.min(64).div_ceil(8), left.min(64) as u8)
    })
}

/// The number in memory, sign-extended from its size.
pub(super) fn word_at(memory: &Memory, address: Address, size: u32) -> i64 {
    let bytes = memory.read_bytes(address, size.into()).unwrap_or_default();
    let bits = (8 * bytes.len()).min(64) as u8;
    if bits == 0 {
        return 0;
    }
    extend(read_bits(bytes, 0, bits) as u64, bits)
}

/// The first and the last byte that differ.
fn changed(old: &[u8], new: &[u8]) -> Option<(usize, usize)> {
    let differs = |i: &usize| old.get(*i) != new.get(*i);
    let first = (0..new.len()).find(differs)?;
    Some((first, (0..new.len()).rev().find(differs)?))
}

/// `node#2.next`, or `slots[3]` in an array of no described type.
fn piece_name(
    image: &crate::image::Image,
    memory: &Memory,
    cell: Location,
    in_array: bool,
) -> String {
    let base = crate::memory::address::base(cell.allocation);
    if cell.offset == ALIVE {
        return format!("alive({})", naming::pointee(image, memory, base));
    }
    let name = naming::name(image, memory, base + u64::from(cell.offset));
    let whole = memory.block(base).map_or(0, |b| b.len() as u32);
    match name.rsplit_once('+') {
        Some((head, _)) if !head.contains('.') && cell.offset.is_multiple_of(cell.size) => {
            format!("{head}[{}]", cell.offset / cell.size)
        }
        None if in_array
            && cell.offset == 0
            && whole > cell.size
            && whole.is_multiple_of(cell.size)
            && !name.contains('.') =>
        {
            format!("{name}[0]")
        }
        _ => name,
    }
}
