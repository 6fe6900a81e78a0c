// Threads, Arc, Mutex, Condvar, RwLock, mpsc, scope, thread-locals, Once, panics that are caught.
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, RwLock, mpsc};
use std::thread;

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(1) };
}
static HITS: AtomicUsize = AtomicUsize::new(0);
static NAME: OnceLock<String> = OnceLock::new();

struct Noisy<'a>(&'a AtomicUsize);
impl Drop for Noisy<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(100, Ordering::SeqCst);
    }
}

fn main() {
    let total = Arc::new(Mutex::new(0));
    let handles: Vec<_> = (1..=2)
        .map(|i| {
            let total = Arc::clone(&total);
            thread::spawn(move || {
                COUNT.with(|c| c.set(c.get() + i));
                HITS.fetch_add(1, Ordering::Relaxed);
                *total.lock().unwrap() += i;
                NAME.get_or_init(|| "name".to_string()).len() as u32 + COUNT.with(Cell::get)
            })
        })
        .collect();
    let lengths: Vec<u32> = handles.into_iter().map(|h| h.join().unwrap()).collect();
    println!("{} {} {lengths:?} {}", total.lock().unwrap(), HITS.load(Ordering::SeqCst), COUNT.with(Cell::get));

    let (sender, receiver) = mpsc::channel();
    let producer = thread::spawn(move || {
        for i in 0..3 {
            sender.send(i * i).unwrap();
        }
    });
    let received: Vec<i32> = receiver.iter().collect();
    producer.join().unwrap();
    println!("{received:?}");

    let gate = (Mutex::new(false), Condvar::new());
    let data = RwLock::new(vec![1, 2, 3]);
    let sum = thread::scope(|scope| {
        let waiter = scope.spawn(|| {
            let mut open = gate.0.lock().unwrap();
            while !*open {
                open = gate.1.wait(open).unwrap();
            }
            data.read().unwrap().iter().sum::<i32>()
        });
        data.write().unwrap().push(4);
        *gate.0.lock().unwrap() = true;
        gate.1.notify_one();
        waiter.join().unwrap()
    });
    println!("{sum} {}", Arc::strong_count(&total));

    let dropped = AtomicUsize::new(0);
    let caught = std::panic::catch_unwind(|| {
        let _noisy = Noisy(&dropped);
        if HITS.load(Ordering::SeqCst) == 2 {
            panic!("on purpose");
        }
    });
    println!("{} {}", caught.is_err(), dropped.load(Ordering::SeqCst));
    let failed = thread::spawn(|| -> i32 { panic!("in a thread") }).join();
    println!("{}", failed.is_err());
}
