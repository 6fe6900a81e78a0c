//! `setjmp` and `longjmp`, and what `pthread_cleanup_push` makes of them.
//!
//! A place that is jumped back to is noted in the program's own `jmp_buf`, so whoever copies or shares that gets what it would natively.
//! Variables in registers are as they were last: C says so of those that did not change since, and nothing of the others.

use super::{Reply, Table, int, nothing};
use crate::interp::{Cpu, Place, Stop};
use crate::memory::Address;
use linspect_core::execution::FaultKind;
use linspect_core::schedule::ThreadId;

pub(super) const TABLE: Table = &[
    ("_setjmp", note_place),
    ("setjmp", note_place),
    ("sigsetjmp", note_place),
    ("__sigsetjmp", note_place),
    ("longjmp", jump),
    ("_longjmp", jump),
    ("siglongjmp", jump),
    ("__longjmp_chk", jump),
    ("__pthread_register_cancel", |cpu, a| {
        cpu.thread.cleanups.push(a[0]);
        nothing()
    }),
    ("__pthread_unregister_cancel", |cpu, _| {
        cpu.thread.cleanups.pop();
        nothing()
    }),
    ("__pthread_unwind_next", |cpu, _| {
        let result = cpu.thread.result;
        cpu.exit_thread(result)
    }),
    ("pthread_exit", |cpu, a| cpu.exit_thread(a[0])),
    ("thrd_exit", |cpu, a| cpu.exit_thread(a[0])),
];

fn note_place(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let place = cpu.place();
    let words = [
        u64::from(place.thread) << 32 | u64::from(place.depth),
        u64::from(place.activation) << 32 | u64::from(place.pc),
    ];
    let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
    cpu.write_bytes(a[0], &bytes)?;
    int(0)
}

fn jump(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    // Nobody can tell a jump from a first return by a 0.
    let value = match a[1] as u32 {
        0 => 1,
        value => value,
    };
    let moved = cpu.jump_back(a[0], value)?;
    cpu.come_round()?;
    Ok(moved)
}

impl Cpu<'_> {
    fn jump_back(&mut self, buffer: Address, value: u32) -> Result<Reply, Stop> {
        let words = [self.read_word(buffer)?, self.read_word(buffer + 8)?];
        let place = Place {
            thread: (words[0] >> 32) as ThreadId,
            depth: words[0] as u32,
            activation: (words[1] >> 32) as u32,
            pc: words[1] as u32,
        };
        match self.go_back(place, value)? {
            true => Ok(Reply::Moved),
            false => Err(self.fault(
                FaultKind::Misuse,
                "a longjmp to a place that is none, or whose function has returned",
            )),
        }
    }

    /// Ends the thread; what it has to clean up comes first, the last first.
    fn exit_thread(&mut self, result: u64) -> Result<Reply, Stop> {
        self.thread.result = result;
        if let Some(&buffer) = self.thread.cleanups.last() {
            let moved = self.jump_back(buffer, 1)?;
            self.thread.cleanups.pop();
            return Ok(moved);
        }
        self.end_locals(0)?;
        while !self.thread.frames.is_empty() {
            self.pop_frame();
        }
        Err(Stop::Ended)
    }
}
