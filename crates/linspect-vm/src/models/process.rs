//! The process: assertions, ends, environment. There is no file, no network and no other process.

use super::{Reply, Table, errno, int, nothing, ok, value};
use crate::interp::{Cpu, Stop};
use crate::memory::{Address, address};
use linspect_core::execution::FaultKind;

pub(super) const TABLE: Table = &[
    ("__assert_fail", |cpu, a| {
        let (what, file, function) = (cpu.c_string(a[0])?, cpu.c_string(a[1])?, a[3]);
        let function = if function == 0 {
            String::new()
        } else {
            format!(" in {}", cpu.c_string(function)?)
        };
        let message = format!(
            "assertion `{what}` failed at {file}:{}{function}",
            a[2] as u32
        );
        Err(cpu.fault(FaultKind::Assertion, &message))
    }),
    ("__assert", |cpu, a| {
        let message = format!("assertion `{}` failed", cpu.c_string(a[0])?);
        Err(cpu.fault(FaultKind::Assertion, &message))
    }),
    ("abort", |cpu, _| {
        Err(cpu.fault(FaultKind::Abort, "the program called abort"))
    }),
    ("__stack_chk_fail", |cpu, _| {
        Err(cpu.fault(FaultKind::OutOfBounds, "stack smashing detected"))
    }),
    ("exit", exit),
    ("_exit", exit_at_once),
    ("_Exit", exit_at_once),
    ("quick_exit", exit_at_once),
    ("atexit", |cpu, a| {
        cpu.world_mut().at_exit.push((a[0], 0));
        ok()
    }),
    ("__cxa_atexit", |cpu, a| {
        cpu.world_mut().at_exit.push((a[0], a[1]));
        ok()
    }),
    // No signal comes from elsewhere.
    ("pause", |cpu, _| Err(cpu.queue(0, false))),
    ("__cxa_finalize", |_, _| nothing()),
    ("getcwd", |cpu, a| {
        if a[0] != 0 && a[1] < 2 {
            cpu.fail(errno::ERANGE)?;
            return value(0);
        }
        let mut place = a[0];
        // Without a place for it, one is allocated.
        if place == 0
            && let Reply::Value(allocated) = cpu.malloc(a[1].max(2), false)?
        {
            place = allocated;
        }
        cpu.write_string(place, b"/")?;
        value(place)
    }),
    // No frame has an address.
    ("backtrace", |_, _| int(0)),
    ("backtrace_symbols", |_, _| value(0)),
    ("backtrace_symbols_fd", |_, _| nothing()),
    // What code says to ThreadSanitizer.
    ("__tsan_acquire", |_, _| nothing()),
    ("__tsan_release", |_, _| nothing()),
    ("__tsan_mutex_create", |_, _| nothing()),
    ("__tsan_mutex_destroy", |_, _| nothing()),
    ("__tsan_mutex_pre_lock", |_, _| nothing()),
    ("__tsan_mutex_post_lock", |_, _| nothing()),
    ("__tsan_mutex_pre_unlock", |_, _| int(0)),
    ("__tsan_mutex_post_unlock", |_, _| nothing()),
    ("__tsan_mutex_pre_signal", |_, _| nothing()),
    ("__tsan_mutex_post_signal", |_, _| nothing()),
    ("__tsan_mutex_pre_divert", |_, _| nothing()),
    ("__tsan_mutex_post_divert", |_, _| nothing()),
    ("getenv", |_, _| value(0)),
    ("secure_getenv", |_, _| value(0)),
    ("__uselocale", |_, _| value(0)),
    ("uselocale", |_, _| value(0)),
    ("getpid", |_, _| int(OWN_ID as i32)),
    ("getppid", |_, _| int(1)),
    ("getuid", |_, _| int(1000)),
    ("sysconf", sysconf),
    ("__sysconf", sysconf),
    ("getrlimit", getrlimit),
    ("getrlimit64", getrlimit),
    ("setrlimit", |_, _| ok()),
    ("setrlimit64", |_, _| ok()),
    ("getpagesize", |_, _| int(4096)),
    ("get_nprocs", |cpu, _| int(cpu.settings.cpus.into())),
    ("getauxval", |_, _| value(0)),
    ("__getauxval", |_, _| value(0)),
    ("sched_getaffinity", |cpu, a| cpu.processors(a[1], a[2])),
    ("sched_getcpu", |_, _| int(0)),
    ("sched_setaffinity", |_, _| ok()),
    ("__sched_cpucount", |cpu, a| {
        let set = cpu.bytes(a[1], a[0])?;
        int(set.iter().map(|b| b.count_ones() as i32).sum())
    }),
    ("sched_get_priority_min", |_, a| {
        int(i32::from(has_priorities(a[0])))
    }),
    ("sched_get_priority_max", |_, a| {
        int(99 * i32::from(has_priorities(a[0])))
    }),
    ("sched_getscheduler", |_, _| int(0)),
    ("sched_setscheduler", |_, _| ok()),
    ("sched_setparam", |_, _| ok()),
    ("sched_getparam", |cpu, a| cpu.give_number(a[1], 0)),
    ("poll", |cpu, a| {
        const READABLE: u64 = 1;
        let mut ready = 0;
        for i in 0..a[1].min(16) {
            let entry = a[0].wrapping_add(8 * i);
            let is_random = cpu.read_int(entry)? == RANDOM;
            let events = if is_random { READABLE } else { 0 };
            let told = cpu.memory.write(entry.wrapping_add(6), events, 2);
            cpu.check(told)?;
            ready += i32::from(is_random);
        }
        int(ready)
    }),
    ("open", open),
    ("open64", open),
    ("read", |cpu, a| match a[0] as u32 {
        RANDOM => {
            cpu.random_bytes(a[1], a[2])?;
            value(a[2])
        }
        _ => value(0),
    }),
    ("fopen", |cpu, _| {
        cpu.fail(errno::EPERM)?;
        value(0)
    }),
    ("fcntl", |_, _| ok()),
    ("close", |_, _| ok()),
    ("dlsym", |cpu, a| {
        let name = cpu.c_string(a[1])?;
        let function = cpu.image.function(&name);
        let modelled = function.filter(|f| cpu.image.models[*f as usize].is_some());
        value(modelled.map_or(0, address::of_function))
    }),
    ("dl_iterate_phdr", |_, _| ok()),
    ("__errno_location", |cpu, _| {
        let address = cpu.errno()?;
        value(address)
    }),
];

/// The number of the process.
pub(super) const OWN_ID: u32 = 1000;

fn sysconf(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    const PAGE_SIZE: u64 = 30;
    const CPUS_CONFIGURED: u64 = 83;
    const CPUS_ONLINE: u64 = 84;
    value(match a[0] {
        PAGE_SIZE => 4096,
        CPUS_CONFIGURED | CPUS_ONLINE => cpu.settings.cpus.into(),
        _ => u64::MAX,
    })
}

/// A stack may have 8 MiB, as is usual; nothing else is limited.
fn getrlimit(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    const STACK: u32 = 3;
    let current = if a[0] as u32 == STACK {
        8 << 20
    } else {
        u64::MAX
    };
    cpu.write_word(a[1], current)?;
    cpu.write_word(a[1].wrapping_add(8), u64::MAX)?;
    ok()
}

impl Cpu<'_> {
    /// Writes the set of processors, which has so many bytes.
    pub(super) fn processors(&mut self, len: u64, to: Address) -> Result<Reply, Stop> {
        let all = (1_u64 << self.settings.cpus) - 1;
        // Nobody has a set of more than 1 024 processors.
        let mut set = vec![0; len.min(128) as usize];
        set.iter_mut()
            .zip(all.to_le_bytes())
            .for_each(|(to, byte)| *to = byte);
        self.write_bytes(to, &set)?;
        ok()
    }
}

/// Whether Linux has priorities for this way of scheduling: first come, first served, or in turn.
fn has_priorities(policy: u64) -> bool {
    matches!(policy as u32, 1 | 2)
}

/// Ends the process without calling anything before.
fn exit_at_once(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    cpu.world_mut().at_exit.clear();
    cpu.thread.at_exit.clear();
    cpu.thread.keys.clear();
    exit(cpu, a)
}

fn exit(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    if !cpu.world.plain {
        let message = format!(
            "the object ends the process, with exit code {}",
            a[0] as i32
        );
        return Err(cpu.fault(FaultKind::Abort, &message));
    }
    cpu.thread.site = cpu.site();
    cpu.thread.result = u64::from(a[0] as u32);
    cpu.thread.exiting = true;
    Err(Stop::Ended)
}

/// The descriptor of the files of random bytes.
const RANDOM: u32 = 100;

/// There are no files but those of random bytes, from which libraries read where they do not find `getrandom`.
fn open(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    match cpu.c_string(a[0])?.as_str() {
        "/dev/random" | "/dev/urandom" => int(RANDOM as i32),
        _ => cpu.fail_int(errno::EPERM),
    }
}
