//! What suites of loom use is there and does natively what loom's does: one run of each model.

use loom::cell::UnsafeCell;
use loom::future::{AtomicWaker, block_on};
use loom::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use loom::sync::{Arc, Notify};
use loom::thread;
use std::panic::catch_unwind;
use std::rc::Rc;
use std::task::Poll;

loom::lazy_static! {
    static ref FIRST: usize = 3;
    static ref SECOND: Vec<u8> = vec![1, 2];
}

loom::thread_local! {
    static OWN: std::cell::Cell<u8> = const { std::cell::Cell::new(1) };
}

#[test]
fn atomics_have_the_functions_of_loom() {
    let mut count = AtomicUsize::new(1);
    count.with_mut(|count| *count += 1);
    assert_eq!(count.fetch_add(1, Ordering::SeqCst), 2);
    assert_eq!(count.compare_and_swap(3, 5, Ordering::AcqRel), 3);
    // SAFETY: there is one thread.
    assert_eq!(unsafe { count.unsync_load() }, 5);
    assert_eq!(count.into_inner(), 5);
    let pointer: AtomicPtr<u8> = AtomicPtr::default();
    assert!(pointer.load(Ordering::Relaxed).is_null());
}

#[test]
fn cells_hand_out_pointers() {
    let cell = UnsafeCell::new(1);
    // SAFETY: there is one thread.
    cell.with_mut(|value| unsafe { *value += 1 });
    // SAFETY: as above.
    assert_eq!(cell.with(|value| unsafe { *value }), 2);
    // SAFETY: as above.
    unsafe { *cell.get_mut().deref() = 7 };
    // SAFETY: as above.
    assert_eq!(unsafe { *cell.get().deref() }, 7);
    assert_eq!(cell.into_inner(), 7);
}

/// One test: models of one process share the threads that nobody joins.
#[test]
fn models_run_to_their_end() {
    a_model_waits_for_threads_that_nobody_joins();
    who_waits_is_told();
}

fn a_model_waits_for_threads_that_nobody_joins() {
    static ENDED: AtomicUsize = AtomicUsize::new(0);
    loom::model(|| {
        assert_eq!((*FIRST, SECOND.len(), OWN.get()), (3, 2, 1));
        // What is not `Send` may go along.
        let shared = Rc::new(1);
        thread::spawn(move || ENDED.fetch_add(*shared, Ordering::SeqCst));
    });
    assert_eq!(ENDED.load(Ordering::SeqCst), 1);
    let failed = catch_unwind(|| {
        loom::model(|| {
            thread::spawn(|| panic!("meant"));
        });
    });
    assert!(failed.is_err());
}

fn who_waits_is_told() {
    loom::model::Builder::new().check(|| {
        let (notify, waker) = (Arc::new(Notify::new()), Arc::new(AtomicWaker::new()));
        let ready = Arc::new(AtomicUsize::new(0));
        let (told, woken, set) = (notify.clone(), waker.clone(), ready.clone());
        let other = thread::spawn(move || {
            told.notify();
            set.store(1, Ordering::SeqCst);
            woken.wake();
        });
        notify.wait();
        block_on(std::future::poll_fn(|context| {
            waker.register_by_ref(context.waker());
            match ready.load(Ordering::SeqCst) {
                0 => Poll::Pending,
                _ => Poll::Ready(()),
            }
        }));
        other.join().expect("it does not panic");
    });
}
