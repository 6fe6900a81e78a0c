//! Signs of life while something takes long.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// When the first line is printed where there is no terminal, and how often one is after that. Whoever is done before sees none.
const FIRST: Duration = Duration::from_secs(5);
const PERIOD: Duration = Duration::from_secs(30);
/// How often the one line on a terminal changes.
const BLINK: Duration = Duration::from_millis(200);

/// Says on standard error, now and then, how far something is, until it is dropped: one line that changes on a terminal, few lines elsewhere.
pub(crate) struct Progress {
    /// Dropped to end the thread at once.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Says from now on what `say` says.
    pub(crate) fn start(say: impl Fn() -> String + Send + 'static) -> Self {
        let (end, ended) = mpsc::channel::<()>();
        let live = std::io::stderr().is_terminal();
        let (mut wait, period) = if live {
            (BLINK, BLINK)
        } else {
            (FIRST, PERIOD)
        };
        let thread = std::thread::spawn(move || {
            let mut shown = false;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = period;
                let text = say();
                // Nobody to tell is no reason to fail.
                let _ = if live {
                    write!(
                        std::io::stderr(),
                        "\r{}\x1b[K",
                        cut(&text, crate::screen::width())
                    )
                } else {
                    writeln!(std::io::stderr(), "{text}")
                };
                shown = live;
            }
            if shown {
                let _ = write!(std::io::stderr(), "\r\x1b[K");
            }
        });
        Self {
            end: Some(end),
            thread: Some(thread),
        }
    }
}

/// What fits into one line.
fn cut(text: &str, width: usize) -> String {
    text.chars().take(width.saturating_sub(1)).collect()
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
