//! The faults of docs/found.md on real processors: how often each was seen, without Linspect.
//!
//! `cargo run --release --example natively` counts wrong results. What uses memory after it was freed needs AddressSanitizer to be seen:
//! `RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address cargo run --target x86_64-unknown-linux-gnu --example natively -- lock_free`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Barrier, Mutex};
use std::thread;

const ROUNDS: usize = 200;
const CALLS: usize = 2_000;

/// Two threads that push and then pop: while one of them has pushed and not popped, the queue is not empty. How often it said so.
fn empty_after_push<Q: Sync>(
    new: impl Fn() -> Q,
    push: impl Fn(&Q) -> bool + Sync,
    pop: impl Fn(&Q) -> bool + Sync,
) -> usize {
    let wrong = AtomicUsize::new(0);
    for _ in 0..ROUNDS {
        let (queue, start) = (new(), Barrier::new(2));
        let work = || {
            start.wait();
            for _ in 0..CALLS {
                if push(&queue) && !pop(&queue) {
                    wrong.fetch_add(1, SeqCst);
                    while !pop(&queue) {}
                }
            }
        };
        thread::scope(|s| {
            s.spawn(work);
            work();
        });
    }
    wrong.into_inner()
}

/// Others only put in; one thread that was told "full" takes out at once: it must get something. How often it got nothing.
fn full_and_empty<Q: Sync>(
    new: impl Fn() -> Q,
    others: usize,
    push: impl Fn(&Q) -> bool + Sync,
    pop: impl Fn(&Q) -> bool + Sync,
) -> usize {
    let mut wrong = 0;
    for _ in 0..ROUNDS {
        let (queue, end) = (new(), AtomicBool::new(false));
        thread::scope(|s| {
            for _ in 0..others {
                s.spawn(|| {
                    while !end.load(SeqCst) {
                        push(&queue);
                    }
                });
            }
            for _ in 0..CALLS {
                if !push(&queue) && !pop(&queue) {
                    wrong += 1;
                }
                while pop(&queue) {}
            }
            end.store(true, SeqCst);
        });
    }
    wrong
}

/// Two threads that work on the same object until both are done.
fn together<O: Sync>(object: &O, work: impl Fn(&O, usize) + Sync) {
    let start = Barrier::new(2);
    thread::scope(|s| {
        s.spawn(|| {
            start.wait();
            work(object, 0);
        });
        start.wait();
        work(object, 1);
    });
}

fn skip_set() -> usize {
    let mut wrong = 0;
    for _ in 0..40 {
        let set = crossbeam_skiplist::SkipSet::new();
        (0..20_000).for_each(|key| {
            set.insert(key);
        });
        let taken = AtomicUsize::new(0);
        together(&set, |set, _| {
            let mine = (0..20_000).filter(|key| set.remove(key).is_some()).count();
            taken.fetch_add(mine, SeqCst);
        });
        wrong += taken.into_inner() - 20_000;
    }
    wrong
}

/// Elements of one producer that another of its elements overtook.
fn ring() -> usize {
    let mut wrong = 0;
    for _ in 0..ROUNDS {
        let queue = atomic_queue::bounded::<usize>(2);
        let (mut last, mut got) = ([0; 2], 0);
        thread::scope(|s| {
            for producer in 0..2 {
                let queue = &queue;
                s.spawn(move || (1..=CALLS).for_each(|i| while !queue.push(2 * i + producer) {}));
            }
            while got < 2 * CALLS {
                if let Some(value) = queue.pop() {
                    let (i, producer) = (value / 2, value % 2);
                    wrong += usize::from(i < last[producer]);
                    (last[producer], got) = (i, got + 1);
                }
            }
        });
    }
    wrong
}

/// Only one thread pops, and it has seen an element.
fn dead_queue() -> usize {
    let mut wrong = 0;
    for _ in 0..ROUNDS {
        let queue = deadqueue::unlimited::Queue::new();
        thread::scope(|s| {
            s.spawn(|| (0..CALLS).for_each(|i| queue.push(i)));
            let mut got = 0;
            while got < CALLS {
                let seen = queue.len() > 0;
                let one = queue.try_pop().is_some();
                got += usize::from(one);
                wrong += usize::from(seen && !one);
            }
        });
    }
    wrong
}

/// Memory is used after it was freed: AddressSanitizer ends the process.
fn uses_freed_memory(name: &str) -> usize {
    for _ in 0..ROUNDS {
        match name {
            "con_queue" => {
                let (sender, receiver) = conqueue::Queue::unbounded();
                together(&(sender, Mutex::new(receiver)), |(sender, receiver), me| {
                    (0..CALLS).for_each(|i| {
                        sender.push(i);
                        if me == 0 {
                            receiver.lock().unwrap().pop();
                        }
                    });
                });
            }
            "lock_free" => together(&lock_free::Stack::new(), |stack, _| {
                (0..CALLS).for_each(|i| {
                    stack.push(i);
                    stack.pop();
                });
            }),
            _ => together(
                &lock_free_stack::lock_free_stack::Stack::new(),
                |stack, me| {
                    (0..CALLS).for_each(|i| {
                        stack.add(i);
                        if me == 0 {
                            stack.remove_all().count();
                        }
                    });
                },
            ),
        }
    }
    0
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let try_it = |name: &str, wrong: &dyn Fn() -> usize| {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            println!("{name}: {}", wrong());
        }
    };
    try_it("skip_set", &skip_set);
    try_it("thing_buf", &|| {
        empty_after_push(
            || thingbuf::ThingBuf::<usize>::new(64),
            |q| q.push(1).is_ok(),
            |q| q.pop().is_some(),
        )
    });
    try_it("lockfree_queue", &|| {
        empty_after_push(
            lockfree::queue::Queue::new,
            |q| {
                q.push(1);
                true
            },
            |q| q.pop().is_some(),
        )
    });
    try_it("mpmc_queue", &|| {
        empty_after_push(
            || mpmc::Queue::with_capacity(64),
            |q| q.push(1).is_ok(),
            |q| q.pop().is_some(),
        )
    });
    try_it("npnc_queue", &|| {
        empty_after_push(
            || {
                let (producer, consumer) = npnc::bounded::mpmc::channel(64);
                (Mutex::new(producer), Mutex::new(consumer))
            },
            |(p, _)| p.lock().map(|p| p.clone()).unwrap().produce(1).is_ok(),
            |(_, c)| c.lock().map(|c| c.clone()).unwrap().consume().is_ok(),
        )
    });
    try_it("ach_ring", &|| {
        empty_after_push(
            ach_ring::Ring::<usize, 64>::new,
            |q| q.push(1).is_ok(),
            |q| q.pop().is_ok(),
        )
    });
    try_it("single", &|| {
        full_and_empty(
            lfqueue::SingleSize::new,
            1,
            |q| q.enqueue(1).is_ok(),
            |q| q.dequeue().is_some(),
        )
    });
    try_it("scq", &|| {
        full_and_empty(
            || lfqueue::AllocBoundedQueue::new(2),
            2,
            |q| q.enqueue(1).is_ok(),
            |q| q.dequeue().is_some(),
        )
    });
    try_it("nolock_ncq", &|| {
        full_and_empty(
            || nolock::queues::mpmc::bounded::ncq::queue(2),
            2,
            |(_, s)| s.try_enqueue(1).is_ok(),
            |(r, _)| r.try_dequeue().is_ok(),
        )
    });
    try_it("ring", &ring);
    try_it("dead_queue", &dead_queue);
    for name in ["con_queue", "lock_free", "lock_free_stack"] {
        if wanted.iter().any(|w| w == name) {
            try_it(name, &|| uses_freed_memory(name));
        }
    }
}
