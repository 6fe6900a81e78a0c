//! Models: closures that are run under all schedules.

use crate::thread;
use std::path::PathBuf;
use std::time::Duration;

/// The settings of a model. They are those of loom's own search and are kept only to be read back; Linspect has `--budget`, `--strategy` and `--preemptions`.
#[derive(Debug)]
#[non_exhaustive]
pub struct Builder {
    /// Threads at most.
    pub max_threads: usize,
    /// Changes of thread in a run at most.
    pub max_branches: usize,
    /// Runs at most.
    pub max_permutations: Option<usize>,
    /// Time at most.
    pub max_duration: Option<Duration>,
    /// Preemptions at most.
    pub preemption_bound: Option<usize>,
    /// Where loom keeps how far it got.
    pub checkpoint_file: Option<PathBuf>,
    /// How often it does.
    pub checkpoint_interval: usize,
    /// Whether loom waits for [`crate::explore`].
    pub expect_explicit_explore: bool,
    /// Whether loom notes lines.
    pub location: bool,
    /// Whether loom tells what it does.
    pub log: bool,
}

impl Builder {
    /// loom's default settings.
    pub fn new() -> Self {
        Self {
            max_threads: crate::MAX_THREADS,
            max_branches: 1_000,
            max_permutations: None,
            max_duration: None,
            preemption_bound: None,
            checkpoint_file: None,
            checkpoint_interval: 20_000,
            expect_explicit_explore: false,
            location: false,
            log: false,
        }
    }

    /// Names the file in which loom keeps how far it got.
    pub fn checkpoint_file(&mut self, file: &str) -> &mut Self {
        self.checkpoint_file = Some(file.into());
        self
    }

    /// Runs the model; ends when all its threads have, as with loom.
    ///
    /// A test can have several models. Under Linspect a run has one of them: all schedules of each are explored, not all combinations.
    pub fn check<F>(&self, f: F)
    where
        F: Fn() + Sync + Send + 'static,
    {
        if is_chosen() {
            f();
            thread::wait_for_detached();
        }
    }
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether this is the model of the run: the machine tries all of them.
#[cfg(linspect)]
fn is_chosen() -> bool {
    use std::sync::atomic::{AtomicBool, Ordering};

    static DONE: AtomicBool = AtomicBool::new(false);

    unsafe extern "C" {
        safe fn linspect_choose(ways: std::ffi::c_int) -> std::ffi::c_int;
    }

    let chosen = !DONE.load(Ordering::Relaxed) && linspect_choose(2) == 0;
    if chosen {
        DONE.store(true, Ordering::Relaxed);
    }
    chosen
}

/// Outside the machine all of them run, one after the other.
#[cfg(not(linspect))]
fn is_chosen() -> bool {
    true
}

/// Runs a model with the default settings.
pub fn model<F>(f: F)
where
    F: Fn() + Sync + Send + 'static,
{
    Builder::new().check(f);
}
