//! What Rust's standard library needs: panics and system calls. Its locks are in `published.rs`; most of the library runs as it is.

use super::{Reply, Table, errno, nothing, value};
use crate::interp::{Cpu, Stop};
use crate::thread::Exception;
use linspect_core::execution::FaultKind;
use std::borrow::Cow;

pub(super) const TABLE: Table = &[
    ("_Unwind_RaiseException", |cpu, a| {
        let message = cpu.panic_message();
        let site = cpu.site();
        cpu.throw(Exception {
            object: a[0],
            part: a[0],
            type_info: 0,
            message,
            site,
        })?;
        Ok(Reply::Moved)
    }),
    ("_Unwind_DeleteException", |_, _| nothing()),
    ("_Unwind_Backtrace", |_, _| super::int(5)),
    ("_Unwind_GetIP", |_, _| value(0)),
    ("_Unwind_GetIPInfo", |_, _| value(0)),
    ("_Unwind_FindEnclosingFunction", |_, _| value(0)),
    ("syscall", system_call),
    ("__rust_alloc_error_handler_should_panic_v2", |_, _| {
        value(0)
    }),
];

/// Whether a global is one of those in which the standard library counts panics.
pub(crate) fn counts_panics(symbol: &str) -> bool {
    let counters = ["18GLOBAL_PANIC_COUNT", "17LOCAL_PANIC_COUNT"];
    symbol.contains("PANIC_COUNT")
        && flat(symbol).is_some_and(|path| {
            path.contains("9panicking11panic_count")
                && counters.iter().any(|counter| path.contains(counter))
        })
}

/// Whether a global is where the standard library notes that its runtime has ended.
pub(crate) fn is_end_of_runtime(symbol: &str) -> bool {
    is_static(symbol, "7CLEANUP", "3std2rt7cleanup7CLEANUP")
}

/// Whether a global is the standard library's buffer of the output.
pub(crate) fn is_output_buffer(symbol: &str) -> bool {
    is_static(symbol, "6STDOUT", "3std2io5stdio6STDOUT")
}

/// Whether a symbol is that of the static of this name and path.
fn is_static(symbol: &str, name: &str, path: &str) -> bool {
    symbol.contains(name) && flat(symbol).is_some_and(|flat| flat.contains(path))
}

/// The path of a Rust symbol. Both manglings write its parts with their lengths, but only the older one writes them side by side.
pub(super) fn flat(symbol: &str) -> Option<Cow<'_, str>> {
    if symbol.starts_with("_R") {
        Some(flatten(symbol).into())
    } else {
        symbol.starts_with("_ZN").then_some(symbol.into())
    }
}

/// A v0 symbol without the marks between its path's parts: `NvMNtNtNt…3sys4sync` and `…5mutex5futexNtB2_5Mutex14lock_contended`.
fn flatten(symbol: &str) -> String {
    let mut out = String::new();
    let mut rest = symbol;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits: String = rest[at..]
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        let start = at + digits.len();
        let len: usize = digits.parse().unwrap_or(0);
        match rest.get(start..start + len) {
            Some(name) if len > 0 && !name.starts_with('_') => {
                out.push_str(&digits);
                out.push_str(name);
                rest = &rest[start + len..];
            }
            _ => rest = &rest[start..],
        }
    }
    out
}

/// `syscall(2)`: a number and up to six arguments.
fn system_call(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    const GETTID: u64 = 186;
    const FUTEX: u64 = 202;
    const GETRANDOM: u64 = 318;
    const MEMBARRIER: u64 = 324;
    match a[0] {
        FUTEX => cpu.futex(&a[1..]),
        GETTID => value(1000 + u64::from(cpu.thread.id)),
        GETRANDOM => {
            cpu.random_bytes(a[1], a[2])?;
            value(a[2])
        }
        // Absent, as on an old kernel; callers have another way.
        MEMBARRIER => cpu.fail(errno::ENOSYS),
        number => Err(cpu.fault(
            FaultKind::Unsupported,
            &format!("this machine does not model system call {number}"),
        )),
    }
}

impl Cpu<'_> {
    /// What the panic hook has just printed: where, and the message.
    fn panic_message(&self) -> String {
        let text = String::from_utf8_lossy(&self.world.errors);
        let Some(at) = text.rfind("panicked at ") else {
            return "a panic".into();
        };
        let (place, rest) = text[at..].split_once('\n').unwrap_or((&text[at..], ""));
        let message = rest.split("\nnote: ").next().unwrap_or(rest).trim_end();
        let place = place.trim_end_matches(':');
        // The column says nothing to a reader of a line.
        let place = place.rsplit_once(':').map_or(place, |(place, _)| place);
        match message {
            "" => place.to_owned(),
            message => format!("{place}: {message}"),
        }
    }
}
