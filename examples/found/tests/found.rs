//! Published crates as they are, each with a harness of a few lines. Every one of them fails; docs/found.md says why.

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
