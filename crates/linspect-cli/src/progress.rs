//! Signs of life while checks take long.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often there is a sign. Whoever is done before sees none.
const PERIOD: Duration = Duration::from_secs(5);

/// Says on standard error, now and then, how many of several checks are done, until it is dropped.
pub(crate) struct Progress {
    done: Arc<AtomicUsize>,
    /// Dropped to end the thread at once.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Begins with none of `total` done.
    pub(crate) fn start(total: usize) -> Self {
        let done = Arc::new(AtomicUsize::new(0));
        let (end, ended) = mpsc::channel();
        let counter = Arc::clone(&done);
        let start = Instant::now();
        let thread = std::thread::spawn(move || {
            while ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                let (done, seconds) = (counter.load(Ordering::Relaxed), start.elapsed().as_secs());
                // Nobody to tell is no reason to fail.
                let _ = writeln!(
                    std::io::stderr(),
                    "… {done} of {total} decided after {seconds} s (Ctrl-C ends with what is known)"
                );
            }
        });
        Self {
            done,
            end: Some(end),
            thread: Some(thread),
        }
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so itself.
            let _ = thread.join();
        }
    }
}
