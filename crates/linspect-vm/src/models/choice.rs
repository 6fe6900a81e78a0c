//! Choices and assumptions: what the environment decides is tried in every way, and runs that nobody means do not count.
//!
//! `linspect_choose(n)` is a step of its own that can go in `n` ways. `linspect_assume(c)` stops a thread for ever where `c` does not hold: what others do goes on, as if it
//! had not come so far yet, and that it never goes on is no deadlock. In an atomic section nothing of the section has happened then.
//!
//! SV-COMP's functions are the same under other names (competition rules, "Definition of Verification Tasks"): `__VERIFIER_nondet_…`, `__VERIFIER_assume`, atomic sections, and functions called
//! `__VERIFIER_atomic_…`, which are atomic sections as a whole. In such programs `reach_error` is the error and `abort` an assumption.

use super::{Model, Reply, Table, int, nothing, value};
use crate::interp::{Cpu, Stop};
use crate::thread::Pending;
use linspect_core::execution::FaultKind;

pub(super) const TABLE: Table = &[
    ("linspect_choose", |cpu, a| {
        let way = cpu.choose(a[0] as u32)?;
        int(i32::from(way))
    }),
    ("linspect_cancels", |cpu, _| {
        let way = cpu.choose_among_threads(2)?;
        int(i32::from(way.unwrap_or(0)))
    }),
    ("linspect_assume", |cpu, a| cpu.assume(a[0] as u32 != 0)),
    ("linspect_atomic_begin", |cpu, _| cpu.begin_atomic()),
    ("linspect_atomic_end", |cpu, _| cpu.end_atomic()),
    ("__VERIFIER_atomic_begin", |cpu, _| cpu.begin_atomic()),
    ("__VERIFIER_atomic_end", |cpu, _| cpu.end_atomic()),
    ("__VERIFIER_assume", |cpu, a| cpu.assume(a[0] as u32 != 0)),
    ("__VERIFIER_assert", |cpu, a| match a[0] as u32 {
        0 => reach_error(cpu, a),
        _ => nothing(),
    }),
    ("__VERIFIER_error", reach_error),
    ("reach_error", reach_error),
    ("__VERIFIER_nondet_bool", |cpu, _| cpu.any(&[0, 1], 1)),
    ("__VERIFIER_nondet__Bool", |cpu, _| cpu.any(&[0, 1], 1)),
    ("__VERIFIER_nondet_char", |cpu, _| cpu.any(&signed(8), 8)),
    ("__VERIFIER_nondet_uchar", |cpu, _| cpu.any(&unsigned(8), 8)),
    ("__VERIFIER_nondet_short", |cpu, _| cpu.any(&signed(16), 16)),
    ("__VERIFIER_nondet_ushort", |cpu, _| {
        cpu.any(&unsigned(16), 16)
    }),
    ("__VERIFIER_nondet_int", |cpu, _| cpu.any(&signed(32), 32)),
    ("__VERIFIER_nondet_uint", |cpu, _| {
        cpu.any(&unsigned(32), 32)
    }),
    ("__VERIFIER_nondet_unsigned", |cpu, _| {
        cpu.any(&unsigned(32), 32)
    }),
    ("__VERIFIER_nondet_unsigned_int", |cpu, _| {
        cpu.any(&unsigned(32), 32)
    }),
    ("__VERIFIER_nondet_long", |cpu, _| cpu.any(&signed(64), 64)),
    ("__VERIFIER_nondet_longlong", |cpu, _| {
        cpu.any(&signed(64), 64)
    }),
    ("__VERIFIER_nondet_ulong", |cpu, _| {
        cpu.any(&unsigned(64), 64)
    }),
    ("__VERIFIER_nondet_ulonglong", |cpu, _| {
        cpu.any(&unsigned(64), 64)
    }),
    ("__VERIFIER_nondet_size_t", |cpu, _| {
        cpu.any(&unsigned(64), 64)
    }),
];

/// Functions whose names start so belong to SV-COMP.
const PREFIX: &str = "__VERIFIER_";
/// What is called where such a program is wrong, whether or not it does anything.
const ERROR: &str = "reach_error";
const NONDET: &str = "__VERIFIER_nondet_";
const ATOMIC: &str = "__VERIFIER_atomic_";

/// Whether a program with these symbols is written for SV-COMP.
pub(crate) fn is_task(symbols: &[&str]) -> bool {
    let is_theirs = |symbol: &&str| symbol.starts_with(PREFIX) || *symbol == ERROR;
    symbols.iter().any(is_theirs)
}

/// What runs in place of a function of such a program, although the program brings a body.
pub(crate) fn in_task(symbol: &str) -> Option<Model> {
    match symbol {
        ERROR | "__VERIFIER_error" => Some(reach_error),
        "abort" => Some(|cpu, _| cpu.assume(false)),
        _ => None,
    }
}

/// Whether a function is an atomic section as a whole.
pub(crate) fn is_atomic(symbol: &str) -> bool {
    let rest = symbol.strip_prefix(ATOMIC);
    rest.is_some_and(|rest| !matches!(rest, "begin" | "end"))
}

/// Whether it gives numbers of which only some are tried.
pub(crate) fn is_narrowed(symbol: &str) -> bool {
    let rest = symbol.strip_prefix(NONDET);
    rest.is_some_and(|kind| !matches!(kind, "bool" | "_Bool"))
}

/// Whether it asks for choices to be left out.
pub(crate) fn assumes(symbol: &str) -> bool {
    matches!(symbol, "linspect_assume" | "__VERIFIER_assume")
}

/// The numbers that stand for all of a width: small ones and the extremes.
fn signed(bits: u32) -> [u64; 7] {
    let highest = u64::MAX >> (65 - bits);
    [0, 1, 2, 3, u64::MAX, highest, !highest]
}

fn unsigned(bits: u32) -> [u64; 5] {
    [0, 1, 2, 3, u64::MAX >> (64 - bits)]
}

fn reach_error(cpu: &mut Cpu<'_>, _: &[u64]) -> Result<Reply, Stop> {
    Err(cpu.fault(FaultKind::Assertion, "reach_error is reached"))
}

impl Cpu<'_> {
    /// One of so many ways, each of which is tried.
    fn choose(&mut self, ways: u32) -> Result<u8, Stop> {
        let refuse = |why: &str| Err(self.fault(FaultKind::Unsupported, why));
        let ways = match u8::try_from(ways) {
            Ok(0) => return Err(self.misuse("linspect_choose(0): there is nothing to choose")),
            Ok(1) => return Ok(0),
            Ok(ways) => ways,
            Err(_) => {
                return refuse("this machine cannot run linspect_choose with more than 255 ways");
            }
        };
        if self.thread.atomic > 0 {
            return refuse("this machine cannot run linspect_choose in an atomic section");
        }
        if self.is_sequential() {
            return refuse(
                "this machine cannot run linspect_choose before the threads of a client start or after they end",
            );
        }
        match self.thread.branch.take() {
            Some(way) => {
                self.grant = false;
                self.thread.spin.reset();
                Ok(way)
            }
            None => {
                self.thread.site = self.site();
                self.thread.pending = Pending::Choose(ways);
                Err(Stop::Suspended)
            }
        }
    }

    /// Whether it runs in a part of a client where nobody runs beside it.
    fn is_sequential(&self) -> bool {
        !self.world.plain && !self.world.concurrent
    }

    /// The same where threads run beside each other and can be interrupted; nothing elsewhere.
    pub(crate) fn choose_among_threads(&mut self, ways: u32) -> Result<Option<u8>, Stop> {
        match self.thread.atomic > 0 || self.is_sequential() {
            true => Ok(None),
            false => self.choose(ways).map(Some),
        }
    }

    /// Goes on only where an assumption holds.
    fn assume(&mut self, holds: bool) -> Result<Reply, Stop> {
        if holds {
            return nothing();
        }
        self.thread.site = self.site();
        self.thread.pending = Pending::Assumed;
        Err(Stop::Suspended)
    }

    fn begin_atomic(&mut self) -> Result<Reply, Stop> {
        self.step_if_concurrent()?;
        self.refuse_section()?;
        self.thread.atomic += 1;
        nothing()
    }

    /// Sections that others see as one step are more than orderings can say.
    pub(crate) fn refuse_section(&self) -> Result<(), Stop> {
        match self.is_weak() {
            true => Err(self.fault(
                FaultKind::Unsupported,
                "this machine cannot run atomic sections under C20; use --memory-model sc",
            )),
            false => Ok(()),
        }
    }

    fn end_atomic(&mut self) -> Result<Reply, Stop> {
        if self.thread.atomic == 0 {
            return Err(self.misuse("an atomic section ends that has not begun"));
        }
        self.thread.atomic -= 1;
        nothing()
    }

    /// One of these numbers, cut to so many bits.
    fn any(&mut self, numbers: &[u64], bits: u32) -> Result<Reply, Stop> {
        let way = self.choose(numbers.len() as u32)?;
        value(numbers[usize::from(way)] & u64::MAX >> (64 - bits))
    }
}
