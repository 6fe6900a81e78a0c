//! What std synchronises by: threads hand over relaxed atomics by it, so nothing races, and old values are seen unless it orders them.

use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier, Condvar, Mutex, OnceLock, RwLock};

pub struct Cells {
    x: AtomicI32,
    y: AtomicI32,
    mutex: Mutex<bool>,
    condition: Condvar,
    lock: RwLock<()>,
    once: OnceLock<()>,
    barrier: Barrier,
    sender: Mutex<Sender<()>>,
    receiver: Mutex<Receiver<()>>,
    owned: Mutex<Option<Arc<AtomicI32>>>,
}

impl Cells {
    pub fn new() -> Self {
        let (sender, receiver) = channel();
        Self {
            x: AtomicI32::new(0),
            y: AtomicI32::new(0),
            mutex: Mutex::new(false),
            condition: Condvar::new(),
            lock: RwLock::new(()),
            once: OnceLock::new(),
            barrier: Barrier::new(2),
            sender: Mutex::new(sender),
            receiver: Mutex::new(receiver),
            owned: Mutex::new(Some(Arc::new(AtomicI32::new(3)))),
        }
    }

    fn write(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.y.store(1, Relaxed);
        0
    }

    fn read(&self) -> i32 {
        let a = self.y.load(Relaxed);
        10 * a + self.x.load(Relaxed)
    }

    pub fn mutex_0(&self) -> i32 {
        let _guard = self.mutex.lock().unwrap();
        self.write()
    }

    pub fn mutex_1(&self) -> i32 {
        let _guard = self.mutex.lock().unwrap();
        self.read()
    }

    pub fn rwlock_0(&self) -> i32 {
        let _guard = self.lock.write().unwrap();
        self.write()
    }

    pub fn rwlock_1(&self) -> i32 {
        let _guard = self.lock.read().unwrap();
        self.read()
    }

    pub fn condition_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        *self.mutex.lock().unwrap() = true;
        self.condition.notify_one();
        0
    }

    pub fn condition_1(&self) -> i32 {
        let mut ready = self.mutex.lock().unwrap();
        while !*ready {
            ready = self.condition.wait(ready).unwrap();
        }
        self.x.load(Relaxed)
    }

    pub fn once_0(&self) -> i32 {
        self.once.get_or_init(|| self.x.store(1, Relaxed));
        self.x.load(Relaxed)
    }

    pub fn once_1(&self) -> i32 {
        self.once_0()
    }

    pub fn barrier_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.barrier.wait();
        self.y.load(Relaxed)
    }

    pub fn barrier_1(&self) -> i32 {
        self.y.store(1, Relaxed);
        self.barrier.wait();
        self.x.load(Relaxed)
    }

    pub fn channel_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        self.sender.lock().unwrap().send(()).unwrap();
        0
    }

    pub fn channel_1(&self) -> i32 {
        self.receiver.lock().unwrap().recv().unwrap();
        self.x.load(Relaxed)
    }

    /// Returns 12: the child sees 1, and its parent sees 2.
    pub fn spawn_0(&self) -> i32 {
        self.x.store(1, Relaxed);
        let child = || {
            let seen = self.x.load(Relaxed);
            self.y.store(2, Relaxed);
            seen
        };
        let seen = std::thread::scope(|scope| scope.spawn(child).join().unwrap());
        10 * seen + self.y.load(Relaxed)
    }

    /// Whoever drops the last owner sees what all owners did before they dropped theirs: one of the two gets 3 + 4.
    pub fn arc_0(&self) -> i32 {
        let mine = self.owned.lock().unwrap().as_ref().unwrap().clone();
        mine.fetch_add(4, Relaxed);
        drop(self.owned.lock().unwrap().take());
        Arc::into_inner(mine).map_or(0, AtomicI32::into_inner)
    }
}

linspect::harness! {
    cells: Cells = Cells::new();

    fn mutex_0(&self) -> i32;
    fn mutex_1(&self) -> i32;
    fn rwlock_0(&self) -> i32;
    fn rwlock_1(&self) -> i32;
    fn condition_0(&self) -> i32;
    fn condition_1(&self) -> i32;
    fn once_0(&self) -> i32;
    fn once_1(&self) -> i32;
    fn barrier_0(&self) -> i32;
    fn barrier_1(&self) -> i32;
    fn channel_0(&self) -> i32;
    fn channel_1(&self) -> i32;
    fn spawn_0(&self) -> i32;
    fn arc_0(&self) -> i32;
}
