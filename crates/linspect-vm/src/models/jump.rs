//! Places that could be jumped back to. Nobody jumps: `pthread_cleanup_push` notes a place for a thread that ends before `pthread_cleanup_pop`, and one that does is refused.

use super::{Reply, Table, int, nothing};
use crate::interp::{Cpu, Stop};
use linspect_core::execution::FaultKind;

pub(super) const TABLE: Table = &[
    ("_setjmp", note_place),
    ("setjmp", note_place),
    ("sigsetjmp", note_place),
    ("__sigsetjmp", note_place),
    ("longjmp", jump),
    ("_longjmp", jump),
    ("siglongjmp", jump),
    ("__longjmp_chk", jump),
    ("__pthread_register_cancel", |cpu, _| {
        cpu.thread.cleanups += 1;
        nothing()
    }),
    ("__pthread_unregister_cancel", |cpu, _| {
        cpu.thread.cleanups = cpu.thread.cleanups.saturating_sub(1);
        nothing()
    }),
];

fn note_place(_: &mut Cpu<'_>, _: &[u64]) -> Result<Reply, Stop> {
    int(0)
}

fn jump(cpu: &mut Cpu<'_>, _: &[u64]) -> Result<Reply, Stop> {
    let message = "this machine cannot run longjmp: return instead, or leave out of what is tested what jumps";
    Err(cpu.fault(FaultKind::Unsupported, message))
}

impl Cpu<'_> {
    /// Refuses the end of a thread that has something to clean up.
    pub(super) fn refuse_cleanups(&self) -> Result<(), Stop> {
        match self.thread.cleanups {
            0 => Ok(()),
            _ => Err(self.fault(
                FaultKind::Unsupported,
                "this machine cannot run pthread_exit between pthread_cleanup_push and pthread_cleanup_pop",
            )),
        }
    }
}
