//! The C++ runtime: exceptions, `std::thread`, `std::condition_variable`.

use super::{Reply, Table, int, nothing, ok, value};
use crate::interp::{Cpu, Stop};
use crate::memory::Address;
use crate::thread::Exception;
use linspect_core::execution::FaultKind;

pub(super) const TABLE: Table = &[
    ("__cxa_allocate_exception", |cpu, a| cpu.malloc(a[0], true)),
    ("__cxa_free_exception", |_, _| nothing()),
    ("__cxa_throw", |cpu, a| {
        let message = format!("exception of type {}", cpu.type_name(a[1]));
        let site = cpu.site();
        cpu.throw(Exception {
            object: a[0],
            type_info: a[1],
            message,
            site,
        })?;
        Ok(Reply::Moved)
    }),
    ("__cxa_rethrow", |cpu, _| {
        match cpu.thread.exceptions.pop() {
            Some(exception) => {
                cpu.throw(exception)?;
                Ok(Reply::Moved)
            }
            None => Err(cpu.fault(FaultKind::Abort, "rethrow without an exception")),
        }
    }),
    ("__cxa_begin_catch", |_, a| value(a[0])),
    ("__cxa_get_exception_ptr", |_, a| value(a[0])),
    ("__cxa_end_catch", |cpu, _| {
        if let Some(exception) = cpu.thread.exceptions.pop() {
            let site = cpu.site();
            let freed = cpu.memory.free(cpu.thread.lane, exception.object, site);
            cpu.check(freed)?;
        }
        nothing()
    }),
    ("__cxa_pure_virtual", |cpu, _| {
        Err(cpu.fault(FaultKind::Abort, "a pure virtual function was called"))
    }),
    ("_ZSt9terminatev", |cpu, _| {
        Err(cpu.fault(FaultKind::Abort, "std::terminate was called"))
    }),
    (
        "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
        start_thread,
    ),
    ("_ZNSt6thread4joinEv", |cpu, a| {
        let handle = cpu.read_word(a[0])?;
        cpu.join(handle)?;
        cpu.write_word(a[0], 0)?;
        nothing()
    }),
    ("_ZNSt6thread6detachEv", |cpu, a| {
        cpu.write_word(a[0], 0)?;
        nothing()
    }),
    ("_ZNSt6thread20hardware_concurrencyEv", |_, _| int(2)),
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
];

/// The family `std::__throw_…`, which the library's headers call.
pub(super) fn by_prefix(symbol: &str) -> Option<super::Model> {
    let rest = symbol.strip_prefix("_ZSt")?;
    rest.trim_start_matches(|c: char| c.is_ascii_digit())
        .starts_with("__throw_")
        .then_some(throw_library_error as super::Model)
}

fn throw_library_error(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    let message = match cpu.memory.read_c_string(a[0]) {
        Ok(text) => String::from_utf8_lossy(text).into_owned(),
        Err(_) => "an exception of the C++ library".into(),
    };
    let Reply::Value(object) = cpu.malloc(16, true)? else {
        return ok();
    };
    let site = cpu.site();
    cpu.throw(Exception {
        object,
        type_info: 0,
        message,
        site,
    })?;
    Ok(Reply::Moved)
}

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
    cpu.write_word(a[0], u64::from(id) + 1)?;
    nothing()
}

impl Cpu<'_> {
    /// The name in a type information: `{ vtable, name, … }`.
    fn type_name(&self, info: Address) -> String {
        self.memory
            .read(info.wrapping_add(8), 8)
            .and_then(|name| self.memory.read_c_string(name))
            .map_or_else(
                |_| "unknown".into(),
                |name| demangle(&String::from_utf8_lossy(name)),
            )
    }
}

/// `St13runtime_error` is `std::runtime_error`, `3Foo` is `Foo`, `i` is `int`; others stay as they are.
fn demangle(name: &str) -> String {
    let (scope, rest) = match name.strip_prefix("St") {
        Some(rest) => ("std::", rest),
        None => ("", name),
    };
    match rest {
        "i" => "int".into(),
        "PKc" => "const char *".into(),
        _ => {
            let plain = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{scope}{plain}")
        }
    }
}
