//! Operations that are futures: their thread waits until they are done.

use crate::hooks;
use alloc::sync::Arc;
use alloc::task::Wake;
use core::future::Future;
use core::pin::pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll, Waker};

/// Whether somebody has woken the task.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}

/// Runs `future` to its end, or drops it where it waits: both are tried. Nothing if it was dropped.
pub fn block_on_or_cancel<F: Future>(future: F) -> Option<F::Output> {
    run(future, hooks::cancels)
}

/// Runs `future` to its end. Who is never woken waits for ever, and the machine sees that.
pub fn block_on<F: Future>(future: F) -> F::Output {
    run(future, || false).expect("nobody cancels it")
}

/// Runs `future` until it is done, or until somebody gives it up while it waits. It is dropped before this returns.
fn run<F: Future>(future: F, gives_up: impl Fn() -> bool) -> Option<F::Output> {
    let mut future = pin!(future);
    let woken = Arc::new(Woken(AtomicBool::new(false)));
    let waker = Waker::from(Arc::clone(&woken));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
        if gives_up() {
            return None;
        }
        while !woken.0.load(Ordering::Acquire) {
            core::hint::spin_loop();
        }
        woken.0.store(false, Ordering::Relaxed);
    }
}
