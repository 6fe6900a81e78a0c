//! Their side.

use crate::{DEPTH, MOST};
use cpu_time::ThreadTime;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub(crate) mod loom_port {
    include!(concat!(env!("OUT_DIR"), "/loom.rs"));
}

pub(crate) mod shuttle_port {
    include!(concat!(env!("OUT_DIR"), "/shuttle.rs"));
}

/// How long loom may take for one client, by the clock.
const PATIENCE: Duration = Duration::from_secs(60);

/// What loom needed for a client.
pub(crate) struct Exhausted {
    pub(crate) executions: u64,
    pub(crate) time: Duration,
    /// Whether it was stopped before it had seen everything.
    pub(crate) stopped: bool,
}

/// What loom needs to exhaust a client; nothing if it gives up.
pub(crate) fn exhaust(client: fn()) -> Option<Exhausted> {
    let executions = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&executions);
    let mut builder = loom::model::Builder::new();
    builder.max_duration = Some(PATIENCE);
    let clock = Instant::now();
    let start = ThreadTime::now();
    let ended = quietly(|| {
        builder.check(move || {
            counter.fetch_add(1, Ordering::Relaxed);
            client();
        });
    });
    ended.then(|| Exhausted {
        executions: executions.load(Ordering::Relaxed),
        time: start.elapsed(),
        stopped: clock.elapsed() >= PATIENCE,
    })
}

/// Executions that loom needs until it finds something wrong or has seen everything, and the time; whether it found something.
pub(crate) fn weak(program: fn()) -> crate::linspect::Tried {
    let executions = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&executions);
    let builder = loom::model::Builder::new();
    let start = ThreadTime::now();
    let passed = quietly(|| {
        builder.check(move || {
            counter.fetch_add(1, Ordering::Relaxed);
            program();
        });
    });
    crate::linspect::Tried {
        executions: executions.load(Ordering::Relaxed),
        time: start.elapsed(),
        found: !passed,
    }
}

/// Runs `what` without a word of any panic; whether there was none.
fn quietly(what: impl FnOnce()) -> bool {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let ended = catch_unwind(AssertUnwindSafe(what));
    std::panic::set_hook(hook);
    ended.is_ok()
}

fn config() -> shuttle::Config {
    let mut config = shuttle::Config::new();
    config.failure_persistence = shuttle::FailurePersistence::None;
    config.silence_warnings = true;
    config
}

/// The time that `runs` random executions take.
pub(crate) fn random(client: fn(), runs: u64) -> Duration {
    let scheduler = shuttle::scheduler::RandomScheduler::new_from_seed(1, runs as usize);
    let start = ThreadTime::now();
    shuttle::Runner::new(scheduler, config()).run(client);
    start.elapsed()
}

/// Which execution is the first bad one under shuttle's PCT.
pub(crate) fn first(client: fn(), seed: u64) -> u64 {
    let executions = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&executions);
    let scheduler =
        shuttle::scheduler::PctScheduler::new_from_seed(seed, DEPTH as usize, MOST as usize);
    // Failing is what is waited for.
    let passed = quietly(|| {
        shuttle::Runner::new(scheduler, config()).run(move || {
            counter.fetch_add(1, Ordering::Relaxed);
            client();
        });
    });
    let executions = executions.load(Ordering::Relaxed);
    assert!(!passed || executions == MOST);
    executions
}
