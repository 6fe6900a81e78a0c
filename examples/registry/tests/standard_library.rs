//! The standard library as it is: plain tests with threads, each run under all schedules.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, mpsc};
use std::thread;

#[test]
fn mutex_and_arc() {
    let count = Arc::new(Mutex::new(0));
    let other = thread::spawn({
        let count = Arc::clone(&count);
        move || *count.lock().unwrap() += 1
    });
    *count.lock().unwrap() += 1;
    other.join().unwrap();
    assert_eq!(*count.lock().unwrap(), 2);
    assert_eq!(Arc::strong_count(&count), 1);
}

#[test]
fn rw_lock() {
    let lock = RwLock::new((0, 0));
    thread::scope(|s| {
        s.spawn(|| *lock.write().unwrap() = (1, 1));
        let (a, b) = *lock.read().unwrap();
        assert_eq!(a, b);
    });
}

#[test]
fn condvar() {
    let (ready, changed) = (Mutex::new(false), Condvar::new());
    thread::scope(|s| {
        s.spawn(|| {
            *ready.lock().unwrap() = true;
            changed.notify_one();
        });
        let mut is_ready = ready.lock().unwrap();
        while !*is_ready {
            is_ready = changed.wait(is_ready).unwrap();
        }
    });
}

#[test]
fn once() {
    static ONCE: Once = Once::new();
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let work = || {
        ONCE.call_once(|| {
            RUNS.fetch_add(1, SeqCst);
        });
    };
    let other = thread::spawn(work);
    work();
    assert_eq!(RUNS.load(SeqCst), 1);
    other.join().unwrap();
}

#[test]
fn once_lock() {
    static CELL: OnceLock<usize> = OnceLock::new();
    let other = thread::spawn(|| *CELL.get_or_init(|| 3));
    let here = *CELL.get_or_init(|| 4);
    assert_eq!(other.join().unwrap(), here);
}

#[test]
fn lazy_lock() {
    static LAZY: LazyLock<usize> = LazyLock::new(|| 7);
    let other = thread::spawn(|| *LAZY);
    assert_eq!(*LAZY + other.join().unwrap(), 14);
}

#[test]
fn channel() {
    let (sender, receiver) = mpsc::channel();
    let other = thread::spawn(move || sender.send(1).is_ok());
    assert_eq!(receiver.recv(), Ok(1));
    assert!(other.join().unwrap());
}

#[test]
fn park_and_unpark() {
    static READY: AtomicBool = AtomicBool::new(false);
    let sleeper = thread::spawn(|| {
        while !READY.load(SeqCst) {
            thread::park();
        }
    });
    READY.store(true, SeqCst);
    sleeper.thread().unpark();
    sleeper.join().unwrap();
}

#[test]
fn thread_locals() {
    thread_local! {
        static LOCAL: Cell<u32> = const { Cell::new(0) };
    }
    let work = || {
        LOCAL.set(LOCAL.get() + 1);
        LOCAL.get()
    };
    let other = thread::spawn(work);
    assert_eq!((work(), other.join().unwrap()), (1, 1));
}

#[test]
fn barrier() {
    let (barrier, before) = (Barrier::new(2), AtomicUsize::new(0));
    thread::scope(|s| {
        s.spawn(|| {
            before.fetch_add(1, SeqCst);
            barrier.wait();
        });
        before.fetch_add(1, SeqCst);
        barrier.wait();
        assert_eq!(before.load(SeqCst), 2);
    });
}

#[test]
fn maps_and_texts() {
    let words = Mutex::new(HashMap::new());
    thread::scope(|s| {
        s.spawn(|| words.lock().unwrap().insert("one", format!("{:>3}", 1)));
        words.lock().unwrap().insert("two", format!("{:?}", Some("2")));
    });
    let words = words.into_inner().unwrap();
    assert_eq!((words["one"].as_str(), words["two"].as_str()), ("  1", "Some(\"2\")"));
}

#[test]
fn panics_are_caught_and_poison() {
    let lock = Arc::new(Mutex::new(0));
    let other = thread::spawn({
        let lock = Arc::clone(&lock);
        move || {
            let _guard = lock.lock().unwrap();
            panic!("on purpose");
        }
    });
    let message = other.join().unwrap_err();
    assert_eq!(message.downcast_ref::<&str>(), Some(&"on purpose"));
    assert!(lock.is_poisoned());
}
