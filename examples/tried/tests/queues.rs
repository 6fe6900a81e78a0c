//! Queues, stacks and channels.

linspect::harness! {
    heapless_mpmc: heapless::mpmc::Queue<u32, 2> = heapless::mpmc::Queue::new();

    fn enqueue(&self, value: u32 in 1..=2) -> bool => heapless_mpmc.enqueue(value).is_ok();
    fn dequeue(&self) -> Option<u32>;
}

/// A receiver and its sender.
pub struct Nolock<R, S>(R, S);

linspect::harness! {
    nolock_scq: Nolock<nolock::queues::mpmc::bounded::scq::Receiver<u32>, nolock::queues::mpmc::bounded::scq::Sender<u32>> = { let (r, s) = nolock::queues::mpmc::bounded::scq::queue(2); Nolock(r, s) };

    fn enqueue(&self, value: u32 in 1..=2) -> bool => nolock_scq.1.try_enqueue(value).is_ok();
    fn dequeue(&self) -> Option<u32> => nolock_scq.0.try_dequeue().ok();
}

linspect::harness! {
    nolock_ncq: Nolock<nolock::queues::mpmc::bounded::ncq::Receiver<u32>, nolock::queues::mpmc::bounded::ncq::Sender<u32>> = { let (r, s) = nolock::queues::mpmc::bounded::ncq::queue(2); Nolock(r, s) };

    fn enqueue(&self, value: u32 in 1..=2) -> bool => nolock_ncq.1.try_enqueue(value).is_ok();
    fn dequeue(&self) -> Option<u32> => nolock_ncq.0.try_dequeue().ok();
}

linspect::harness! {
    lfqueue_bounded: lfqueue::AllocBoundedQueue<u32> = lfqueue::AllocBoundedQueue::new(2);

    fn enqueue(&self, value: u32 in 1..=2) -> bool => lfqueue_bounded.enqueue(value).is_ok();
    fn dequeue(&self) -> Option<u32>;
}

linspect::harness! {
    lfqueue_single: lfqueue::SingleSize<u32> = lfqueue::SingleSize::new();

    fn enqueue(&self, value: u32 in 1..=2) -> bool => lfqueue_single.enqueue(value).is_ok();
    fn dequeue(&self) -> Option<u32>;
}

linspect::harness! {
    lf_queue: lf_queue::Queue<u32> = lf_queue::Queue::new();

    fn push(&self, value: u32 in 1..=2);
    fn pop(&self) -> Option<u32>;

    spec = queue;
}

/// A sender and its receiver.
pub struct Pair<S, R>(S, R);

impl<S, R> From<(S, R)> for Pair<S, R> {
    fn from((s, r): (S, R)) -> Self {
        Pair(s, r)
    }
}

linspect::harness! {
    two_lock_queue: Pair<two_lock_queue::Sender<u32>, two_lock_queue::Receiver<u32>> = two_lock_queue::channel(1).into();

    fn send(&self, value: u32 in 1..=2) -> bool => two_lock_queue.0.try_send(value).is_ok();
    fn recv(&self) -> Option<u32> => two_lock_queue.1.try_recv().ok();
}

linspect::harness! {
    ring_channel: Pair<ring_channel::RingSender<u32>, ring_channel::RingReceiver<u32>> = ring_channel::ring_channel(std::num::NonZeroUsize::new(1).unwrap()).into();

    fn send(&self, value: u32 in 1..=2) -> Option<u32> => ring_channel.0.send(value).unwrap();
    fn recv(&self) -> Option<u32> => ring_channel.1.try_recv().ok();
}

linspect::harness! {
    magnetic_mpmc: Pair<magnetic::mpmc::MPMCProducer<u32, magnetic::buffer::dynamic::DynamicBuffer<u32>>, magnetic::mpmc::MPMCConsumer<u32, magnetic::buffer::dynamic::DynamicBuffer<u32>>> = magnetic::mpmc::mpmc_queue(magnetic::buffer::dynamic::DynamicBuffer::new(2).unwrap()).into();

    fn push(&self, value: u32 in 1..=2) -> bool => magnetic::Producer::try_push(&magnetic_mpmc.0, value).is_ok();
    fn pop(&self) -> Option<u32> => magnetic::Consumer::try_pop(&magnetic_mpmc.1).ok();
}

linspect::harness! {
    ach_ring: ach_ring::Ring<u32, 2> = ach_ring::Ring::new();

    fn push(&self, value: u32 in 1..=2) -> bool => ach_ring.push(value).is_ok();
    fn pop(&self) -> Option<u32> => ach_ring.pop().ok();
}

linspect::harness! {
    mpmc_queue: mpmc::Queue<u32> = mpmc::Queue::with_capacity(2);

    fn push(&self, value: u32 in 1..=2) -> bool => mpmc_queue.push(value).is_ok();
    fn pop(&self) -> Option<u32>;
}

linspect::harness! {
    crossfire_mpmc: Pair<crossfire::MTx<crossfire::mpmc::Array<u32>>, crossfire::MRx<crossfire::mpmc::Array<u32>>> = crossfire::mpmc::bounded_blocking(2).into();

    fn send(&self, value: u32 in 1..=2) -> bool => crossfire_mpmc.0.try_send(value).is_ok();
    fn recv(&self) -> Option<u32> => crossfire_mpmc.1.try_recv().ok();
}

linspect::harness! {
    kovan_array: kovan_queue::array_queue::ArrayQueue<u32> = kovan_queue::array_queue::ArrayQueue::new(2);

    fn push(&self, value: u32 in 1..=2) -> bool => kovan_array.push(value).is_ok();
    fn pop(&self) -> Option<u32>;
}

linspect::harness! {
    kovan_seg: kovan_queue::seg_queue::SegQueue<u32> = kovan_queue::seg_queue::SegQueue::new();

    fn push(&self, value: u32 in 1..=2);
    fn pop(&self) -> Option<u32>;

    spec = queue;
}

linspect::harness! {
    dead_queue: deadqueue::unlimited::Queue<u32> = deadqueue::unlimited::Queue::new();

    fn push(&self, value: u32 in 1..=2);
    fn pop(&self) -> Option<u32> => dead_queue.try_pop();
    fn len(&self) -> usize;
}

linspect::harness! {
    treiber_stack: treiber_stack::TreiberStack<u32> = treiber_stack::TreiberStack::default();

    fn push(&self, value: u32 in 1..=2) => treiber_stack.push(value);
    fn pop(&self) -> Option<u32> => treiber_stack.pop().map(|v| *v);

    spec = stack;
}

linspect::harness! {
    fill_queue: utils_atomics::FillQueue<u32> = utils_atomics::FillQueue::new();

    fn push(&self, value: u32 in 1..=2);
    fn chop(&self) -> Vec<u32> => fill_queue.chop().collect::<Vec<_>>();
}
