//! Time, for a search that goes back and forth in it: which operations are open before some return.

use super::Op;
use super::frontier::Open;
use super::mask::Mask;
use super::plan::Plan;
use crate::history::OpId;
use crate::spec::Spec;
use smallvec::SmallVec;
use std::mem::size_of;

/// Time, up to some return: which operations are open there.
pub(super) struct Timeline<'a, S: Spec, M> {
    pub(super) ops: &'a [Op<'a, S>],
    pub(super) plan: Plan,
    /// Per operation, by position, its slot.
    pub(super) slot_of: Vec<u32>,
    /// Per return, how many operations (idle ones included) are called up to it.
    called: Vec<u32>,
    /// Per operation, by position, whether it is best placed as soon as it fits.
    observes: Vec<bool>,
    /// Before which return we are.
    at: u32,
    /// The open operations, by slot.
    pub(super) slots: Vec<Option<Open>>,
    /// The slots of all open operations, of those that are placed as soon as they fit, and of those that need not take effect.
    pub(super) open: M,
    pub(super) quiet: M,
    pub(super) optional: M,
}

impl<'a, S: Spec, M: Mask> Timeline<'a, S, M> {
    /// The time of `ops`, from before the first return.
    pub(super) fn new(spec: &S, ops: &'a [Op<'a, S>], plan: Plan) -> Self {
        let (slot_of, called) = plan.slots(ops);
        let width = plan.widest;
        let observes = ops.iter().map(|op| spec.observes(op.call, op.outcome));
        let mut timeline = Self {
            observes: observes.collect(),
            ops,
            plan,
            slot_of,
            called,
            at: 0,
            slots: vec![None; width],
            open: M::default(),
            quiet: M::default(),
            optional: M::default(),
        };
        if let Some(&called) = timeline.called.first() {
            timeline.call(0, called);
        }
        timeline
    }

    pub(super) fn memory(&self) -> usize {
        (self.slot_of.capacity() + self.called.capacity()) * size_of::<u32>()
            + self.ops.len() * 3 * size_of::<u64>()
    }

    pub(super) fn open_in(&self, slot: usize) -> Open {
        self.slots[slot].expect("an open slot holds an operation")
    }

    /// The slot of the operation whose return is next.
    pub(super) fn returning_slot(&self) -> Option<usize> {
        let &i = self.plan.returns.get(self.at as usize)?;
        Some(self.slot_of[i as usize] as usize)
    }

    /// How many operations are called up to the next return.
    pub(super) fn called_so_far(&self) -> u32 {
        let all = || u32::try_from(self.ops.len()).unwrap_or(u32::MAX);
        self.called
            .get(self.at as usize)
            .copied()
            .unwrap_or_else(all)
    }

    /// The positions of open operations that are neither in `placed` nor in `slot`.
    pub(super) fn not_yet(&self, placed: &M, slot: usize) -> impl Iterator<Item = u32> {
        let mut positions = SmallVec::<[u32; 32]>::new();
        self.open.each_without(placed, |other| {
            if other != slot {
                positions.push(self.open_in(other).position);
            }
        });
        positions.into_iter()
    }

    /// The operation of return `at`.
    pub(super) fn returning(&self, at: u32) -> OpId {
        self.ops[self.plan.returns[at as usize] as usize].id
    }

    /// Whether the earlier operations of its process that the one in `slot` touches are placed.
    pub(super) fn is_turn(&self, slot: usize, placed: &M) -> bool {
        let id = self.open_in(slot).position as usize;
        let before = self.plan.touched.get(&id);
        before.into_iter().flatten().all(|&p| {
            let slot = self.slot_of[p] as usize;
            let still_open = self.slots[slot].is_some_and(|open| open.position as usize == p);
            !still_open || placed.has(slot)
        })
    }

    /// Moves to before return `at`.
    pub(super) fn go_to(&mut self, at: u32) {
        while self.at < at {
            let returned = self.plan.returns[self.at as usize] as usize;
            self.remove(returned);
            let from = self.called[self.at as usize];
            self.at += 1;
            if let Some(&to) = self.called.get(self.at as usize) {
                self.call(from, to);
            }
        }
        while self.at > at {
            let to = self.called.get(self.at as usize).copied();
            self.at -= 1;
            let from = self.called[self.at as usize];
            for i in from..to.unwrap_or(from) {
                if !self.plan.idle[i as usize] {
                    self.remove(i as usize);
                }
            }
            let returned = self.plan.returns[self.at as usize];
            self.call(returned, returned + 1);
        }
    }

    fn call(&mut self, from: u32, to: u32) {
        for i in from as usize..to as usize {
            if self.plan.idle[i] {
                continue;
            }
            let slot = self.slot_of[i] as usize;
            let open = self.plan.open(self.ops, i);
            self.slots[slot] = Some(open);
            self.open.insert(slot);
            if self.ops[i].is_optional() {
                self.optional.insert(slot);
            } else if self.observes[i] {
                self.quiet.insert(slot);
            }
        }
    }

    fn remove(&mut self, i: usize) {
        let slot = self.slot_of[i] as usize;
        self.slots[slot] = None;
        self.open.remove(slot);
        self.quiet.remove(slot);
        self.optional.remove(slot);
    }
}
