//! The C++ runtime: `std::thread`, `std::condition_variable`, how a program ends.

use super::{Reply, Table, int, nothing, value};
use crate::interp::{Cpu, Stop};
use linspect_core::execution::FaultKind;

pub(super) const TABLE: Table = &[
    ("__cxa_pure_virtual", |cpu, _| {
        Err(cpu.fault(FaultKind::Abort, "a pure virtual function was called"))
    }),
    ("_ZSt9terminatev", |cpu, _| {
        Err(cpu.fault(FaultKind::Abort, "the program calls std::terminate"))
    }),
    (
        "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
        start_thread,
    ),
    ("_ZNSt6thread4joinEv", |cpu, a| {
        let handle = cpu.read_word(a[0])?;
        cpu.join(handle)?;
        cpu.give_handle(a[0], 0)?;
        nothing()
    }),
    ("_ZNSt6thread6detachEv", |cpu, a| {
        cpu.write_pointer(a[0], 0)?;
        nothing()
    }),
    ("_ZNSt6thread20hardware_concurrencyEv", |cpu, _| {
        int(cpu.settings.cpus.into())
    }),
    ("_ZNSt6thread6_StateD1Ev", |_, _| nothing()),
    ("_ZNSt6thread6_StateD2Ev", |_, _| nothing()),
    ("_ZNSt18condition_variableC1Ev", |cpu, a| {
        let filled = cpu.memory.fill(a[0], 0, 48);
        cpu.check(filled)?;
        nothing()
    }),
    ("_ZNSt18condition_variableD1Ev", |_, _| nothing()),
    (
        "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
        |cpu, a| {
            let mutex = cpu.read_word(a[1])?;
            cpu.wait_condition(a[0], mutex, None)?;
            nothing()
        },
    ),
    ("_ZNSt18condition_variable10notify_oneEv", |cpu, a| {
        cpu.notify(a[0], 1)?;
        nothing()
    }),
    ("_ZNSt18condition_variable10notify_allEv", |cpu, a| {
        cpu.notify(a[0], u64::MAX)?;
        nothing()
    }),
    ("_ZSt15get_new_handlerv", |_, _| value(0)),
    ("__gthread_active_p", |_, _| int(1)),
    // What fits into a word needs no lock; that is what libatomic says, too.
    ("__atomic_is_lock_free", |_, a| {
        int(i32::from(matches!(a[0], 1 | 2 | 4 | 8)))
    }),
];

/// `std::thread`'s constructor hands over a state whose virtual function 2 is to be run, and 1 deletes it.
fn start_thread(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let state = cpu.read_word(a[1])?;
    let table = cpu.read_word(state)?;
    let (delete, run) = (
        cpu.read_word(table.wrapping_add(8))?,
        cpu.read_word(table.wrapping_add(16))?,
    );
    let id = cpu.spawn(run, state)?;
    if let Some(spawned) = cpu.world_mut().spawned.last_mut() {
        spawned.at_exit = Some((delete, state));
    }
    cpu.write_word(a[1], 0)?;
    cpu.give_handle(a[0], u64::from(id) + 1)?;
    nothing()
}
