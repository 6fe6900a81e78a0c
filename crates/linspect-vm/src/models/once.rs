//! One-time initialisation: `pthread_once`, `call_once`, C++'s guards of local statics.
//!
//! The control word is 0 before, 1 while the function runs, 2 after. Who comes meanwhile waits like at a lock. It is 3 after a function that ended before
//! threads ran beside each other: that is everybody's past, so whoever comes then looks at nothing that could change, and takes no step. (A word that can be
//! freed changes by that; so this is for words that nobody can free.)

use super::{Reply, Table, nothing, ok};
use crate::interp::{Cpu, Stop};
use crate::memory::{Address, Kind};
use crate::thread::{After, Gate, Opens};
use linspect_core::execution::Action;

pub(super) const TABLE: Table = &[
    ("pthread_once", |cpu, a| cpu.once(a[0], a[1])),
    ("call_once", |cpu, a| cpu.once(a[0], a[1])),
    ("__cxa_guard_acquire", |cpu, a| cpu.guard_acquire(a[0])),
    ("__cxa_guard_release", |cpu, a| {
        cpu.step_if_concurrent()?;
        cpu.write_int(a[0].wrapping_add(4), 0)?;
        cpu.write_int(a[0], 1)?;
        cpu.note_guard(Action::Unlock, a[0], (0, 1));
        nothing()
    }),
    ("__cxa_guard_abort", |cpu, a| {
        cpu.step_if_concurrent()?;
        cpu.write_int(a[0].wrapping_add(4), 0)?;
        cpu.note_sync(Action::Unlock, a[0], 1, 0);
        nothing()
    }),
];

const RUNNING: u32 = 1;
const DONE: u32 = 2;
const DONE_BEFORE: u32 = 3;

impl Cpu<'_> {
    fn once(&mut self, control: Address, function: Address) -> Result<Reply, Stop> {
        match self.thread.phase {
            0 => {}
            // The function has returned.
            _ => {
                self.step_if_concurrent()?;
                let block = self.memory.block(control);
                let stays = block.is_some_and(|block| matches!(block.kind, Kind::Global(_)));
                let done = if stays && !self.world.concurrent {
                    DONE_BEFORE
                } else {
                    DONE
                };
                self.write_int(control, done)?;
                self.note_sync(Action::Unlock, control, RUNNING.into(), DONE.into());
                return ok();
            }
        }
        if self.memory.read(control, 4) == Ok(DONE_BEFORE.into()) {
            return ok();
        }
        self.pass(Gate {
            address: control,
            opens: Opens::NotRunning,
        })?;
        if self.read_int(control)? == DONE {
            self.note_sync(Action::Read, control, DONE.into(), 0);
            return ok();
        }
        self.write_int(control, RUNNING)?;
        self.note_sync(Action::Lock, control, 0, RUNNING.into());
        self.enter_reply(function, &[], After::Once(control))
    }

    /// The function has thrown: whoever comes next, or waits already, calls it anew.
    pub(crate) fn abandon_once(&mut self, control: Address) -> Result<(), Stop> {
        self.write_int(control, 0)?;
        self.note_sync(Action::Unlock, control, RUNNING.into(), 0);
        Ok(())
    }

    /// The guard of a local static: its first byte says that it is initialised; we use its upper half while the initialiser runs.
    fn guard_acquire(&mut self, guard: Address) -> Result<Reply, Stop> {
        self.pass(Gate {
            address: guard.wrapping_add(4),
            opens: Opens::Zero,
        })?;
        if self.read_int(guard)? & 0xff != 0 {
            self.note_guard(Action::Read, guard, (1, 0));
            return ok();
        }
        self.write_int(guard.wrapping_add(4), 1)?;
        self.note_guard(Action::Lock, guard, (0, 1));
        super::int(1)
    }

    /// Compilers look at a guard's first byte before they call: under C20 that is what has messages.
    fn note_guard(&mut self, action: Action, guard: Address, values: (u64, u64)) {
        if self.world.concurrent {
            let len = if self.is_weak() { 1 } else { 4 };
            self.note_sync_at(action, guard, len, values);
        }
    }
}
