//! Threads of the standard library. As with loom what they are given need not be `Send`, and a model waits for all of them.

use std::sync::Mutex;
use std::{fmt, io};

pub use std::thread::{
    AccessError, LocalKey, Thread, ThreadId, current, panicking, park, yield_now,
};

/// Threads that nobody can join any more.
static DETACHED: Mutex<Vec<Detached>> = Mutex::new(Vec::new());

/// Waits for a thread.
type Detached = Box<dyn FnOnce() -> std::thread::Result<()> + Send>;

/// What is handed from thread to thread, whatever it is.
struct Handed<T>(T);

// SAFETY: loom takes closures that are not `Send`: it runs all threads in one. In the machine, too, it is the accesses that count, and those
// that race are found.
unsafe impl<T> Send for Handed<T> {}

impl<T> Handed<T> {
    /// Takes the whole value, so that a closure captures all of it.
    fn take(self) -> T {
        self.0
    }
}

/// A thread that can be joined. If it is dropped, the model waits for the thread at its end.
pub struct JoinHandle<T: 'static> {
    /// Something until it is joined or dropped.
    handle: Option<std::thread::JoinHandle<Handed<T>>>,
    thread: Thread,
}

impl<T> JoinHandle<T> {
    fn new(handle: std::thread::JoinHandle<Handed<T>>) -> Self {
        let thread = handle.thread().clone();
        let handle = Some(handle);
        Self { handle, thread }
    }

    /// Waits for the end of the thread, and gives its result.
    pub fn join(mut self) -> std::thread::Result<T> {
        let handle = self.handle.take().expect("it is joined once");
        handle.join().map(Handed::take)
    }

    /// The thread.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take()
            && let Ok(mut detached) = DETACHED.lock()
        {
            detached.push(Box::new(move || handle.join().map(drop)));
        }
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish()
    }
}

/// Waits for threads whose handles were dropped; panics as they did.
pub(crate) fn wait_for_detached() {
    loop {
        let next = DETACHED.lock().ok().and_then(|mut threads| threads.pop());
        match next.map(|wait| wait()) {
            None => return,
            Some(Ok(())) => {}
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    }
}

/// Starts a thread.
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + 'static,
    T: 'static,
{
    let f = Handed(f);
    JoinHandle::new(std::thread::spawn(move || Handed(f.take()())))
}

/// How a thread is started.
#[derive(Debug)]
pub struct Builder(std::thread::Builder);

#[allow(
    clippy::new_without_default,
    reason = "neither loom's nor the standard library's has one"
)]
impl Builder {
    /// As [`spawn`] starts it.
    pub fn new() -> Self {
        Self(std::thread::Builder::new())
    }

    /// Names it.
    pub fn name(self, name: String) -> Self {
        Self(self.0.name(name))
    }

    /// Gives it a stack of this size.
    pub fn stack_size(self, size: usize) -> Self {
        Self(self.0.stack_size(size))
    }

    /// Starts it.
    ///
    /// # Errors
    /// If the system has no more threads.
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let handle = self.0.spawn(move || Handed(f()))?;
        Ok(JoinHandle::new(handle))
    }
}
