//! Harnesses of published crates; docs/tried.md says what became of them.

pub struct Ends<A, B>(std::cell::UnsafeCell<A>, std::cell::UnsafeCell<B>);
// SAFETY: the harness lets one thread alone use each end.
unsafe impl<A, B> Sync for Ends<A, B> {}
impl<A, B> From<(A, B)> for Ends<A, B> {
    fn from((a, b): (A, B)) -> Self { Self(a.into(), b.into()) }
}
#[allow(clippy::mut_from_ref, dead_code)]
impl<A, B> Ends<A, B> {
    fn a(&self) -> &mut A { unsafe { &mut *self.0.get() } }
    fn b(&self) -> &mut B { unsafe { &mut *self.1.get() } }
}

use ringbuf::traits::{Consumer, Producer, Split};
linspect::harness! {
    ringbuf: Ends<ringbuf::HeapProd<u32>, ringbuf::HeapCons<u32>> = ringbuf::HeapRb::new(1).split().into();
    #[single_thread]
    fn push(&self, value: u32 in 1..=2) -> bool => ringbuf.a().try_push(value).is_ok();
    #[single_thread]
    fn pop(&self) -> Option<u32> => ringbuf.b().try_pop();
}
linspect::harness! {
    rtrb: Ends<rtrb::Producer<u32>, rtrb::Consumer<u32>> = rtrb::RingBuffer::new(1).into();
    #[single_thread]
    fn push(&self, value: u32 in 1..=2) -> bool => rtrb.a().push(value).is_ok();
    #[single_thread]
    fn pop(&self) -> Option<u32> => rtrb.b().pop().ok();
}
linspect::harness! {
    ach_spsc: Ends<ach_spsc::heap::Sender<u32, 2>, ach_spsc::heap::Receiver<u32, 2>> = ach_spsc::heap::channel().into();
    #[single_thread]
    fn push(&self, value: u32 in 1..=2) -> bool => ach_spsc.a().try_send(value).is_ok();
    #[single_thread]
    fn pop(&self) -> Option<u32> => ach_spsc.b().try_recv();
}
linspect::harness! {
    ringbuffer_spsc: Ends<ringbuffer_spsc::RingBufferWriter<u32>, ringbuffer_spsc::RingBufferReader<u32>> = ringbuffer_spsc::ringbuffer(2).into();
    #[single_thread]
    fn push(&self, value: u32 in 1..=2) -> bool => ringbuffer_spsc.a().push(value).is_none();
    #[single_thread]
    fn pop(&self) -> Option<u32> => ringbuffer_spsc.b().pull();
}
linspect::harness! {
    may_mpsc: may_queue::mpsc::Queue<u32> = may_queue::mpsc::Queue::new();
    fn push(&self, value: u32 in 1..=2);
    #[single_thread]
    fn pop(&self) -> Option<u32>;
    spec = queue;
}
linspect::harness! {
    may_spmc: may_queue::spmc::Queue<u32> = may_queue::spmc::Queue::new();
    #[single_thread]
    fn push(&self, value: u32 in 1..=2);
    fn pop(&self) -> Option<u32>;
    spec = queue;
}
linspect::harness! {
    bus: Ends<bus::Bus<u32>, bus::BusReader<u32>> = { let mut b = bus::Bus::new(1); let r = b.add_rx(); (b, r).into() };
    #[single_thread]
    fn push(&self, value: u32 in 1..=2) -> bool => bus.a().try_broadcast(value).is_ok();
    #[single_thread]
    fn pop(&self) -> Option<u32> => bus.b().try_recv().ok();
}
linspect::harness! {
    spmc: Ends<spmc::Sender<u32>, spmc::Receiver<u32>> = spmc::channel().into();
    #[single_thread]
    fn push(&self, value: u32 in 1..=2) => spmc.a().send(value).unwrap();
    fn pop(&self) -> Option<u32> => spmc.b().try_recv().ok();
    spec = queue;
}
linspect::harness! {
    st3_lifo: Ends<st3::lifo::Worker<u32>, st3::lifo::Stealer<u32>> = { let w = st3::lifo::Worker::new(4); let s = w.stealer(); (w, s).into() };
    #[single_thread(owner)]
    fn push(&self, value: u32 in 1..=2) -> bool => st3_lifo.a().push(value).is_ok();
    #[single_thread(owner)]
    fn pop(&self) -> Option<u32> => st3_lifo.a().pop();
    fn steal(&self) -> Option<u32> => { let mine = st3::lifo::Worker::new(4); loop { match st3_lifo.b().steal_and_pop(&mine, |_| 1) { Ok((v, _)) => break Some(v), Err(st3::StealError::Empty) => break None, Err(st3::StealError::Busy) => std::thread::yield_now() } } };
}
linspect::harness! {
    st3_fifo: Ends<st3::fifo::Worker<u32>, st3::fifo::Stealer<u32>> = { let w = st3::fifo::Worker::new(4); let s = w.stealer(); (w, s).into() };
    #[single_thread(owner)]
    fn push(&self, value: u32 in 1..=2) -> bool => st3_fifo.a().push(value).is_ok();
    #[single_thread(owner)]
    fn pop(&self) -> Option<u32> => st3_fifo.a().pop();
    fn steal(&self) -> Option<u32> => { let mine = st3::fifo::Worker::new(4); loop { match st3_fifo.b().steal_and_pop(&mine, |_| 1) { Ok((v, _)) => break Some(v), Err(st3::StealError::Empty) => break None, Err(st3::StealError::Busy) => std::thread::yield_now() } } };
}
linspect::harness! {
    swmr_cell: Ends<swmr_cell::SwmrCell<u32>, ()> = (swmr_cell::SwmrCell::new(0), ()).into();
    #[single_thread]
    fn store(&self, value: u32 in 1..=2) => swmr_cell.a().store(value);
    fn load(&self) -> u32 => { let r = swmr_cell.a().local_reader(); let p = r.pin(); *p };
}
linspect::harness! {
    bbqueue: bbqueue::nicknames::Churrasco<4> = bbqueue::nicknames::Churrasco::new();
    #[single_thread]
    fn push(&self, value: u8 in 1..=2) -> bool => match bbqueue.stream_producer().grant_exact(1) { Ok(mut g) => { g[0] = value; g.commit(1); true } Err(_) => false };
    #[single_thread]
    fn pop(&self) -> Option<u8> => match bbqueue.stream_consumer().read() { Ok(g) => { let v = g[0]; g.release(1); Some(v) } Err(_) => None };
}
linspect::harness! {
    nolock_spsc: Ends<nolock::queues::spsc::bounded::BoundedReceiver<u32>, nolock::queues::spsc::bounded::BoundedSender<u32>> = nolock::queues::spsc::bounded::queue(2).into();
    #[single_thread]
    fn push(&self, value: u32 in 1..=2) -> bool => nolock_spsc.b().try_enqueue(value).is_ok();
    #[single_thread]
    fn pop(&self) -> Option<u32> => nolock_spsc.a().try_dequeue().ok();
}
linspect::harness! {
    nolock_jiffy: Ends<nolock::queues::mpsc::jiffy::Receiver<u32>, nolock::queues::mpsc::jiffy::Sender<u32>> = nolock::queues::mpsc::jiffy::queue().into();
    fn push(&self, value: u32 in 1..=2) => assert!(nolock_jiffy.b().enqueue(value).is_ok());
    #[single_thread]
    fn pop(&self) -> Option<u32> => nolock_jiffy.a().try_dequeue().ok();
    spec = queue;
}
linspect::harness! {
    npnc_spsc: Ends<npnc::bounded::spsc::Producer<u32>, npnc::bounded::spsc::Consumer<u32>> = npnc::bounded::spsc::channel(2).into();
    #[single_thread]
    fn push(&self, value: u32 in 1..=2) -> bool => npnc_spsc.a().produce(value).is_ok();
    #[single_thread]
    fn pop(&self) -> Option<u32> => npnc_spsc.b().consume().ok();
}
