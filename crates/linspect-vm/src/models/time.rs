//! Time and randomness, deterministic: each thread has a clock that its own questions advance ([`crate::times`]) and random numbers of its own, so that what one
//! thread sees does not depend on the others beside it.

use super::{Reply, Table, int, ok, value};
use crate::interp::{Cpu, Stop};
use crate::memory::{Address, little_endian};

pub(super) const TABLE: Table = &[
    ("sched_yield", |_, _| ok()),
    ("pthread_yield", |_, _| ok()),
    ("thrd_yield", |_, _| super::nothing()),
    ("usleep", |cpu, a| {
        cpu.pass_time(u64::from(a[0] as u32).saturating_mul(1000));
        ok()
    }),
    ("sleep", |cpu, a| {
        cpu.pass_time((a[0] & 0xffff) * 1_000_000_000);
        ok()
    }),
    ("nanosleep", |cpu, a| cpu.sleep(a[0])),
    ("thrd_sleep", |cpu, a| cpu.sleep(a[0])),
    ("clock_nanosleep", |cpu, a| cpu.sleep(a[2])),
    ("clock_gettime", |cpu, a| {
        cpu.tell_time(a[1], 1)?;
        ok()
    }),
    ("clock_getres", |cpu, a| {
        if a[1] != 0 {
            cpu.write_words(a[1], [0, 1])?;
        }
        ok()
    }),
    ("timespec_get", |cpu, a| {
        cpu.tell_time(a[0], 1)?;
        int(a[1] as i32)
    }),
    ("gettimeofday", |cpu, a| {
        cpu.tell_time(a[0], 1000)?;
        ok()
    }),
    ("time", |cpu, a| {
        let now = cpu.now()? / 1_000_000_000;
        if a[0] != 0 {
            cpu.touch(a[0])?;
        }
        if a[0] != 0 {
            cpu.write_bytes(a[0], &now.to_le_bytes())?;
        }
        value(now)
    }),
    ("clock", |cpu, _| {
        let now = cpu.now()?;
        value(now / 1000 % 1_000_000_000)
    }),
    ("_ZNSt6chrono3_V212steady_clock3nowEv", |cpu, _| {
        let now = cpu.now()?;
        value(now)
    }),
    ("_ZNSt6chrono3_V212system_clock3nowEv", |cpu, _| {
        let now = cpu.now()?;
        value(now)
    }),
    (
        "_ZNSt11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEENS1_IlS2_ILl1ELl1000000000EEEE",
        |cpu, a| {
            cpu.pass_time((a[0] & 0xffff) * 1_000_000_000 + a[1] % 1_000_000_000);
            super::nothing()
        },
    ),
    ("rand", random),
    ("random", random),
    ("lrand48", random),
    // `std::random_device`: its start, a number, its end.
    (
        "_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
        |_, _| super::nothing(),
    ),
    ("_ZNSt13random_device9_M_getvalEv", random),
    ("_ZNSt13random_device7_M_finiEv", |_, _| super::nothing()),
    ("srand", |cpu, a| seed(cpu, a)),
    ("srandom", |cpu, a| seed(cpu, a)),
    ("srand48", |cpu, a| seed(cpu, a)),
    ("rand_r", |cpu, a| {
        if let Some(way) = cpu.random_choice()? {
            return value(way);
        }
        let seed = little_endian(&cpu.bytes(a[0], 4)?) as u32;
        let next = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
        cpu.write_bytes(a[0], &next.to_le_bytes())?;
        int((next >> 1) as i32)
    }),
    ("getrandom", |cpu, a| {
        cpu.random_bytes(a[0], a[1])?;
        value(a[1])
    }),
    ("getentropy", |cpu, a| {
        cpu.random_bytes(a[0], a[1])?;
        ok()
    }),
];

/// What tells a program the time.
const CLOCKS: [&str; 8] = [
    "clock_gettime",
    "timespec_get",
    "gettimeofday",
    "time",
    "clock",
    "times",
    "_ZNSt6chrono3_V212steady_clock3nowEv",
    "_ZNSt6chrono3_V212system_clock3nowEv",
];

/// Whether the function with this symbol tells the time.
pub(crate) fn is_clock(symbol: &str) -> bool {
    CLOCKS.contains(&symbol)
}

fn seed(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    cpu.thread.random = a[0];
    super::nothing()
}

/// A number from 0 to 2^31 - 1, or one of those that are tried.
fn random(cpu: &mut Cpu<'_>, _: &[u64]) -> Result<Reply, Stop> {
    match cpu.random_choice()? {
        Some(way) => value(way),
        None => value(cpu.thread.next_random() >> 33),
    }
}

/// When clocks start: 2020-01-01, so that dates look like dates.
const START: u64 = 1_577_836_800_000_000_000;
/// How much a question advances the clock.
const TICK: u64 = 1_000;

impl Cpu<'_> {
    /// What a generator gives where its numbers are choices.
    fn random_choice(&mut self) -> Result<Option<u64>, Stop> {
        match self.settings.random {
            None => Ok(None),
            Some(ways) => {
                let way = self.choose_among_threads(ways.into())?;
                Ok(Some(way.map_or(0, u64::from)))
            }
        }
    }

    fn now(&mut self) -> Result<u64, Stop> {
        self.be_late()?;
        self.pass_time(TICK);
        Ok(START.saturating_add(self.thread.clock))
    }

    /// Where nobody looks at a clock time passes unnoticed, so a loop that sleeps until something changes comes round in the same state.
    fn pass_time(&mut self, nanoseconds: u64) {
        if self.image.tells_time {
            self.thread.clock = self.thread.clock.saturating_add(nanoseconds);
        }
    }

    fn sleep(&mut self, request: Address) -> Result<Reply, Stop> {
        self.wait_for(request)?;
        ok()
    }

    /// Lets the time pass that a `timespec` says.
    pub(super) fn wait_for(&mut self, span: Address) -> Result<(), Stop> {
        let nanoseconds = self.timespec(span)?;
        self.pass_time(nanoseconds);
        Ok(())
    }

    /// Lets time pass until what a `timespec` says: whoever waited in vain until then sees that it is over.
    pub(super) fn wait_until(&mut self, time: Address) -> Result<(), Stop> {
        let time = self.timespec(time)?.saturating_sub(START);
        self.thread.clock = self.thread.clock.max(time);
        Ok(())
    }

    /// A `timespec` in nanoseconds.
    fn timespec(&self, address: Address) -> Result<u64, Stop> {
        let seconds = self.read_word(address)?;
        let nanoseconds = self.read_word(address.wrapping_add(8))?;
        let whole = seconds.saturating_mul(1_000_000_000);
        Ok(whole.saturating_add(nanoseconds % 1_000_000_000))
    }

    /// Writes the present time to `to`: seconds, and the rest in so many nanoseconds.
    fn tell_time(&mut self, to: Address, nanoseconds: u64) -> Result<(), Stop> {
        let now = self.now()?;
        self.touch(to)?;
        let rest = now % 1_000_000_000 / nanoseconds;
        self.write_words(to, [now / 1_000_000_000, rest])
    }

    fn write_words(&mut self, to: Address, words: [u64; 2]) -> Result<(), Stop> {
        let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        self.write_bytes(to, &bytes)
    }

    pub(super) fn random_bytes(&mut self, to: Address, len: u64) -> Result<(), Stop> {
        // Whoever asks for nothing may say so with any address.
        if len == 0 {
            return Ok(());
        }
        // Bounds before bytes: a hostile length must not cost time.
        self.check(self.memory.check(to, len).map(|_| ()))?;
        self.touch(to)?;
        let bytes: Vec<u8> = (0..len).map(|_| self.thread.next_random() as u8).collect();
        self.write_bytes(to, &bytes)
    }
}
