//! Harnesses of published crates; docs/tried.md says what became of them.

pub struct Pair<S, R>(S, R);
impl<S, R> From<(S, R)> for Pair<S, R> {
    fn from((s, r): (S, R)) -> Self { Pair(s, r) }
}
pub struct Ends<A, B>(A, std::cell::UnsafeCell<B>);
// SAFETY: the harness lets one thread alone use the second end.
unsafe impl<A, B> Sync for Ends<A, B> {}
impl<A, B> From<(A, B)> for Ends<A, B> {
    fn from((a, b): (A, B)) -> Self { Self(a, b.into()) }
}
#[allow(clippy::mut_from_ref)]
impl<A, B> Ends<A, B> {
    fn b(&self) -> &mut B { unsafe { &mut *self.1.get() } }
}
linspect::harness! {
    async_channel: Pair<async_channel::Sender<u32>, async_channel::Receiver<u32>> = async_channel::bounded(1).into();
    fn send(&self, value: u32 in 1..=2) -> bool => async_channel.0.try_send(value).is_ok();
    fn recv(&self) -> Option<u32> => async_channel.1.try_recv().ok();
}
linspect::harness! {
    kanal: Pair<kanal::Sender<u32>, kanal::Receiver<u32>> = kanal::bounded(1).into();
    fn send(&self, value: u32 in 1..=2) -> bool => kanal.0.try_send(value).unwrap();
    fn recv(&self) -> Option<u32> => kanal.1.try_recv().unwrap();
}
linspect::harness! {
    loole: Pair<loole::Sender<u32>, loole::Receiver<u32>> = loole::bounded(1).into();
    fn send(&self, value: u32 in 1..=2) -> bool => loole.0.try_send(value).is_ok();
    fn recv(&self) -> Option<u32> => loole.1.try_recv().ok();
}
linspect::harness! {
    crossbeam_bounded: Pair<crossbeam_channel::Sender<u32>, crossbeam_channel::Receiver<u32>> = crossbeam_channel::bounded(1).into();
    fn send(&self, value: u32 in 1..=2) -> bool => crossbeam_bounded.0.try_send(value).is_ok();
    fn recv(&self) -> Option<u32> => crossbeam_bounded.1.try_recv().ok();
}
linspect::harness! {
    crossbeam_unbounded: Pair<crossbeam_channel::Sender<u32>, crossbeam_channel::Receiver<u32>> = crossbeam_channel::unbounded().into();
    fn send(&self, value: u32 in 1..=2) => crossbeam_unbounded.0.send(value).unwrap();
    fn recv(&self) -> Option<u32> => crossbeam_unbounded.1.try_recv().ok();
    spec = queue;
}
linspect::harness! {
    tokio_mpsc: Ends<tokio::sync::mpsc::UnboundedSender<u32>, tokio::sync::mpsc::UnboundedReceiver<u32>> = tokio::sync::mpsc::unbounded_channel().into();
    fn send(&self, value: u32 in 1..=2) => tokio_mpsc.0.send(value).unwrap();
    #[single_thread]
    fn recv(&self) -> Option<u32> => tokio_mpsc.b().try_recv().ok();
    spec = queue;
}
linspect::harness! {
    tokio_semaphore: tokio::sync::Semaphore = tokio::sync::Semaphore::new(1);
    fn try_acquire(&self) -> bool => tokio_semaphore.try_acquire().map(|p| p.forget()).is_ok();
    fn release(&self) => tokio_semaphore.add_permits(1);
    fn available(&self) -> usize => tokio_semaphore.available_permits();
}
linspect::harness! {
    tokio_watch: Pair<tokio::sync::watch::Sender<u32>, tokio::sync::watch::Receiver<u32>> = tokio::sync::watch::channel(0).into();
    fn send(&self, value: u32 in 1..=2) -> u32 => tokio_watch.0.send_replace(value);
    fn get(&self) -> u32 => *tokio_watch.1.borrow();
}
linspect::harness! {
    oneshot: Ends<std::cell::Cell<Option<oneshot::Sender<u32>>>, oneshot::Receiver<u32>> = { let (s, r) = oneshot::channel(); (std::cell::Cell::new(Some(s)), r).into() };
    #[at_most(1)]
    fn send(&self, value: u32 in 1..=2) -> bool => oneshot.0.take().unwrap().send(value).is_ok();
    #[single_thread]
    fn recv(&self) -> Option<u32> => oneshot.b().try_recv().ok();
}
linspect::harness! {
    futures_mpsc: Ends<futures_channel::mpsc::UnboundedSender<u32>, futures_channel::mpsc::UnboundedReceiver<u32>> = futures_channel::mpsc::unbounded().into();
    fn send(&self, value: u32 in 1..=2) => futures_mpsc.0.unbounded_send(value).unwrap();
    #[single_thread]
    fn recv(&self) -> Option<u32> => futures_mpsc.b().try_recv().ok();
    spec = queue;
}
