// verdict: holds
use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};
#[derive(Default)]
struct In {
    q: VecDeque<u8>,
    w: VecDeque<Waker>,
}
#[derive(Default)]
pub struct Ch(Mutex<In>);
impl Ch {
    fn send(&self, v: u8) {
        let w = {
            let mut g = self.0.lock().unwrap();
            g.q.push_back(v);
            g.w.pop_front()
        };
        if let Some(w) = w {
            w.wake()
        }
    }
    async fn recv(&self) -> u8 {
        poll_fn(|cx: &mut Context<'_>| {
            let mut g = self.0.lock().unwrap();
            match g.q.pop_front() {
                Some(v) => Poll::Ready(v),
                None => {
                    g.w.push_back(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}
linspect::harness! { c: Ch = Ch::default(); fn send(&self, v: u8 in 1..=2); async fn recv(&self) -> u8; }
