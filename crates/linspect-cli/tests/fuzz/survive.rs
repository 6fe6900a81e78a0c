//! Feeds damaged inputs for as long as it is asked to; a failure is made small by proptest, and what does not end or fills the memory is a failure.

use crate::damage::{apply, edit};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// No input may take longer, also on a machine that is busy.
const LONGEST: Duration = Duration::from_secs(60);

/// Edits that repeat can make gigabytes of a few bytes; what readers do with so much is tested elsewhere.
const LARGEST: usize = 1 << 20;

/// No process that reads inputs may have needed more memory, in KiB.
const MOST_MEMORY: u64 = 2 << 20;

/// What a target made of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The reader took it, and what comes after the reader was tried.
    Read,
    /// An error.
    Refused,
}

impl Outcome {
    pub(crate) fn of(read: bool) -> Self {
        if read { Self::Read } else { Self::Refused }
    }
}

/// An input that is shown as text.
#[derive(Clone)]
struct Damaged(Vec<u8>);

impl std::fmt::Debug for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

/// Feeds damaged copies of `seeds` to `target`, words of `dictionary` put in here and there, for a `share`th of the time of a test.
///
/// # Panics
/// If `target` does, with the smallest input that makes it; if an input takes too long, or all too much memory; and if hardly any damaged
/// input is read, for then nothing but the reader would be tested.
pub(crate) fn survive(
    share: u32,
    seeds: &[Vec<u8>],
    dictionary: &[&str],
    target: &dyn Fn(&[u8]) -> Outcome,
) {
    assert!(!seeds.is_empty());
    for seed in seeds {
        target(seed);
    }
    let long = std::env::var_os("LINSPECT_LONG").is_some();
    let time = Duration::from_secs(if long { 600 } else { 8 }) / share;
    let input = (
        0..seeds.len(),
        vec(edit(dictionary.len(), seeds.len()), 1..5),
    );
    let damaged = input.prop_flat_map(|(seed, edits)| {
        let mut bytes = seeds[seed].clone();
        for edit in &edits {
            apply(&mut bytes, edit, dictionary, seeds);
        }
        bytes.truncate(LARGEST);
        Just(Damaged(bytes))
    });
    let watch = Watch::start();
    let (tried, read) = (Cell::new(0_u64), Cell::new(0_u64));
    let start = Instant::now();
    let mut round = 0_u64;
    while start.elapsed() < time {
        let result = runner(round).run(&damaged, |Damaged(bytes)| {
            watch.begin(&bytes);
            let outcome = target(&bytes);
            watch.end();
            tried.set(tried.get() + 1);
            read.set(read.get() + u64::from(outcome == Outcome::Read));
            Ok(())
        });
        if let Err(failure) = result {
            panic!("round {round}: {failure}");
        }
        round += 1;
    }
    let (tried, read) = (tried.get(), read.get());
    println!("{tried} inputs, {read} of them read");
    assert!(
        read * 100 > tried.saturating_sub(1000),
        "only {read} of {tried} inputs were read"
    );
    let memory = peak_memory();
    assert!(memory < MOST_MEMORY, "{memory} KiB were needed");
}

/// The inputs of a round are the same on every run.
fn runner(round: u64) -> TestRunner {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&round.to_le_bytes());
    let config = Config {
        cases: 64,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
}

/// The most memory that this process has had, in KiB; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let number = line.and_then(|l| l.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}

/// Ends the process, with the input, when one takes too long: a thread that hangs cannot be made to panic.
struct Watch(Arc<Mutex<Current>>);

impl Watch {
    fn start() -> Self {
        let current = Arc::new(Mutex::new(None));
        let watched = Arc::downgrade(&current);
        std::thread::spawn(move || {
            while let Some(current) = watched.upgrade() {
                if let Some((since, input)) = &*lock(&current)
                    && since.elapsed() > LONGEST
                {
                    eprintln!(
                        "no answer after {LONGEST:?}: {}",
                        Damaged(input.clone()).0.escape_ascii()
                    );
                    std::process::abort();
                }
                drop(current);
                std::thread::sleep(Duration::from_secs(1));
            }
        });
        Self(current)
    }

    fn begin(&self, input: &[u8]) {
        *lock(&self.0) = Some((Instant::now(), input.to_owned()));
    }

    fn end(&self) {
        *lock(&self.0) = None;
    }
}

/// Since when which input is tried.
type Current = Option<(Instant, Vec<u8>)>;

/// What is tried, also after a panic.
fn lock(current: &Mutex<Current>) -> std::sync::MutexGuard<'_, Current> {
    current
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
