//! Futures: a thread that runs one to its end, and a waker that several tasks share.

use crate::sync::{Arc, Mutex, Notify};
use crate::thread;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Wake, Waker};

impl Wake for Notify {
    fn wake(self: Arc<Self>) {
        self.notify();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.notify();
    }
}

/// Runs `future` to its end; the thread waits while it is pending.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let notify = Arc::new(Notify::new());
    let waker = Waker::from(Arc::clone(&notify));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        notify.wait();
    }
}

/// The waker of whoever waits.
#[derive(Debug, Default)]
pub struct AtomicWaker(Mutex<Option<Waker>>);

impl AtomicWaker {
    /// Nobody waits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Has `waker` woken by [`AtomicWaker::wake`].
    pub fn register(&self, waker: Waker) {
        match self.0.try_lock() {
            Ok(mut place) => *place = Some(waker),
            Err(_) => {
                waker.wake();
                // Whoever holds it is about to wake: the task is to try again.
                thread::yield_now();
            }
        }
    }

    /// The same for a waker that the caller keeps.
    pub fn register_by_ref(&self, waker: &Waker) {
        self.register(waker.clone());
    }

    /// Wakes who registered last.
    pub fn wake(&self) {
        if let Some(waker) = self.take_waker() {
            waker.wake();
        }
    }

    /// Takes the waker out.
    pub fn take_waker(&self) -> Option<Waker> {
        self.0.lock().expect("nobody panics with it").take()
    }
}
