//! Published crates as they are, each with a harness of a few lines. Every one of them fails; docs/found.md says why.

use magnetic::{Consumer, Producer};
use std::sync::Mutex;

linspect::harness! {
    skip_set: crossbeam_skiplist::SkipSet<u32> = crossbeam_skiplist::SkipSet::new();

    fn insert(&self, key: u32 in [1]) => { skip_set.get_or_insert(key); };
    fn remove(&self, key: u32 in [1]) -> bool => skip_set.remove(&key).is_some();
}

/// A channel of `conqueue`, whose receiver needs an owner.
struct Channel {
    sender: conqueue::QueueSender<u32>,
    receiver: Mutex<conqueue::QueueReceiver<u32>>,
}

impl Channel {
    fn new() -> Self {
        let (sender, receiver) = conqueue::Queue::unbounded();
        Self {
            sender,
            receiver: Mutex::new(receiver),
        }
    }
}

linspect::harness! {
    con_queue: Channel = Channel::new();

    fn push(&self, value: u32 in 1..=2) => con_queue.sender.push(value);
    fn pop(&self) -> Option<u32> => con_queue.receiver.lock().unwrap().pop();

    spec = queue;
}

linspect::harness! {
    lock_free_stack: lock_free_stack::lock_free_stack::Stack<u32> = lock_free_stack::lock_free_stack::Stack::new();

    fn add(&self, value: u32 in 1..=2) => { lock_free_stack.add(value); };
    fn remove_all(&self) -> u64 => lock_free_stack.remove_all().fold(0, |sum, v| sum * 10 + u64::from(v));
}

linspect::harness! {
    lock_free: lock_free::Stack<u32> = lock_free::Stack::new();

    fn push(&self, value: u32 in 1..=2);
    fn pop(&self) -> Option<u32>;

    spec = stack;
}

linspect::harness! {
    thing_buf: thingbuf::ThingBuf<u32> = thingbuf::ThingBuf::new(2);

    fn push(&self, value: u32 in 1..=2) -> bool => thing_buf.push(value).is_ok();
    fn pop(&self) -> Option<u32>;
}

linspect::harness! {
    lockfree_queue: lockfree::queue::Queue<u32> = lockfree::queue::Queue::new();

    fn push(&self, value: u32 in 1..=2);
    fn pop(&self) -> Option<u32>;

    spec = queue;
}

linspect::harness! {
    ring: atomic_queue::Queue<u32> = atomic_queue::bounded(2);

    fn push(&self, value: u32 in 1..=2) -> bool => ring.push(value);
    fn pop(&self) -> Option<u32>;
}

linspect::harness! {
    leap_map: leapfrog::LeapMap<u32, u32> = leapfrog::LeapMap::new();

    fn insert(&self, key: u32 in 1..=2, value: u32 in [7]) -> Option<u32>;
    fn remove(&self, key: u32 in 1..=2) -> Option<u32> => leap_map.remove(&key);
}

linspect::harness! {
    mpmc_queue: mpmc::Queue<u32> = mpmc::Queue::with_capacity(2);

    fn push(&self, value: u32 in 1..=2) -> bool => mpmc_queue.push(value).is_ok();
    fn pop(&self) -> Option<u32>;
}

/// The ends of `npnc`, which every thread clones for itself.
struct Ends {
    producer: Mutex<npnc::bounded::mpmc::Producer<u32>>,
    consumer: Mutex<npnc::bounded::mpmc::Consumer<u32>>,
}

impl Ends {
    fn new() -> Self {
        let (producer, consumer) = npnc::bounded::mpmc::channel(2);
        Self {
            producer: Mutex::new(producer),
            consumer: Mutex::new(consumer),
        }
    }

    fn producer(&self) -> npnc::bounded::mpmc::Producer<u32> {
        self.producer.lock().unwrap().clone()
    }

    fn consumer(&self) -> npnc::bounded::mpmc::Consumer<u32> {
        self.consumer.lock().unwrap().clone()
    }
}

linspect::harness! {
    npnc_queue: Ends = Ends::new();

    fn push(&self, value: u32 in 1..=2) -> bool => npnc_queue.producer().produce(value).is_ok();
    fn pop(&self) -> Option<u32> => npnc_queue.consumer().consume().ok();
}

linspect::harness! {
    ach_ring: ach_ring::Ring<u32, 2> = ach_ring::Ring::new();

    fn push(&self, value: u32 in 1..=2) -> bool => ach_ring.push(value).is_ok();
    fn pop(&self) -> Option<u32> => ach_ring.pop().ok();
}

linspect::harness! {
    single: lfqueue::SingleSize<u32> = lfqueue::SingleSize::new();

    fn enqueue(&self, value: u32 in 1..=2) -> bool => single.enqueue(value).is_ok();
    fn dequeue(&self) -> Option<u32>;
}

linspect::harness! {
    scq: lfqueue::AllocBoundedQueue<u32> = lfqueue::AllocBoundedQueue::new(2);

    fn enqueue(&self, value: u32 in [1]) -> bool => scq.enqueue(value).is_ok();
    fn dequeue(&self) -> Option<u32>;
}

type Sender = nolock::queues::mpmc::bounded::ncq::Sender<u32>;
type Receiver = nolock::queues::mpmc::bounded::ncq::Receiver<u32>;

linspect::harness! {
    nolock_ncq: (Receiver, Sender) = nolock::queues::mpmc::bounded::ncq::queue(2);

    fn enqueue(&self, value: u32 in [1]) -> bool => nolock_ncq.1.try_enqueue(value).is_ok();
    fn dequeue(&self) -> Option<u32> => nolock_ncq.0.try_dequeue().ok();
}

type Slots = magnetic::buffer::dynamic::DynamicBuffer<u32>;

linspect::harness! {
    magnetic_queue: (magnetic::mpmc::MPMCProducer<u32, Slots>, magnetic::mpmc::MPMCConsumer<u32, Slots>) =
        magnetic::mpmc::mpmc_queue(Slots::new(2).unwrap());

    fn push(&self, value: u32 in [1]) -> bool => magnetic_queue.0.try_push(value).is_ok();
    fn pop(&self) -> Option<u32> => magnetic_queue.1.try_pop().ok();
}

linspect::harness! {
    dead_queue: deadqueue::unlimited::Queue<u32> = deadqueue::unlimited::Queue::new();

    fn push(&self, value: u32 in [1]);
    fn pop(&self) -> Option<u32> => dead_queue.try_pop();
    fn len(&self) -> usize;
}

linspect::harness! {
    chash_map: chashmap::CHashMap<u32, u32> = chashmap::CHashMap::with_capacity(2);

    fn insert(&self, key: u32 in [1], value: u32 in [7]) -> Option<u32>;
    fn remove(&self, key: u32 in [1]) -> Option<u32> => chash_map.remove(&key);
    fn len(&self) -> usize;
}

linspect::harness! {
    conquer_once: conquer_once::OnceCell<u32> = conquer_once::OnceCell::uninit();

    fn get_or_init(&self, value: u32 in 1..=2) -> u32 => *conquer_once.get_or_init(|| value);
}

linspect::harness! {
    lazy_cell: lazycell::AtomicLazyCell<u32> = lazycell::AtomicLazyCell::new();

    fn fill(&self, value: u32 in 1..=2) -> bool => lazy_cell.fill(value).is_ok();
    fn get(&self) -> Option<u32>;
}

linspect::harness! {
    atomic_once: atomic_once_cell::AtomicOnceCell<u32> = atomic_once_cell::AtomicOnceCell::new();

    fn set(&self, value: u32 in 1..=2) -> bool => atomic_once.set(value).is_ok();
    fn get(&self) -> Option<u32> => atomic_once.get().copied();
}

linspect::harness! {
    one_place: concurrent_queue::ConcurrentQueue<u32> = concurrent_queue::ConcurrentQueue::bounded(1);

    fn push(&self, value: u32 in [1]) -> bool => one_place.push(value).is_ok();
    fn pop(&self) -> Option<u32> => one_place.pop().ok();
}

linspect::harness! {
    latch: countdown_latch::CountDownLatch = countdown_latch::CountDownLatch::new(2);

    fn count_down(&self);
    fn get_count(&self) -> usize;
}

linspect::harness! {
    con_vec: orx_concurrent_vec::ConcurrentVec<u32> = orx_concurrent_vec::ConcurrentVec::new();

    fn push(&self, value: u32 in [1]) -> usize;
    fn get(&self, index: usize in [0]) -> Option<u32> => con_vec.get(index).map(|element| element.copied());
}

linspect::harness! {
    arc_rcu: rcu_clean::ArcRcu<u32> = rcu_clean::ArcRcu::new(0);

    fn read(&self) -> u32 => **arc_rcu;
}

linspect::harness! {
    arena: concurrent_arena::Arena<u32, 1, 64> = concurrent_arena::Arena::with_capacity(1);

    fn insert(&self, value: u32 in [1]) -> u32 => concurrent_arena::ArenaArc::slot(&arena.insert(value));
    fn remove(&self, slot: u32 in [0]) -> bool => arena.remove(slot).is_some();
}
