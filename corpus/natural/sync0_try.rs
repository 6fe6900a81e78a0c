// verdict: holds
use std::sync::{
    mpsc::{sync_channel, Receiver, SyncSender},
    Mutex,
};
pub struct Ch(SyncSender<u8>, Mutex<Receiver<u8>>);
linspect::harness! { c: Ch = { let (s, r) = sync_channel(0); Ch(s, Mutex::new(r)) };
fn send(&self, v: u8 in 1..=2) => c.0.send(v).unwrap();
fn try_send(&self, v: u8 in [3]) -> bool => c.0.try_send(v).is_ok();
#[single_thread(receiver)] fn recv(&self) -> u8 => c.1.lock().unwrap().recv().unwrap();
#[single_thread(receiver)] fn try_recv(&self) -> Option<u8> => c.1.lock().unwrap().try_recv().ok();
spec = rendezvous; }
