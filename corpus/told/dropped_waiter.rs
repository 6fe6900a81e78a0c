use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::sync::Mutex;
use std::task::{Poll, Waker};

/// Permits for futures. Whoever adds one wakes who has waited longest, dropped or not.
#[derive(Default)]
pub struct Permits {
    state: Mutex<(u32, VecDeque<Waker>)>,
}

impl Permits {
    pub fn add(&self) {
        let first = {
            let mut state = self.state.lock().unwrap();
            state.0 += 1;
            state.1.pop_front()
        };
        if let Some(waker) = first {
            waker.wake();
        }
    }

    pub fn take(&self) -> impl Future<Output = ()> + '_ {
        poll_fn(|context| {
            let mut state = self.state.lock().unwrap();
            if state.0 > 0 {
                state.0 -= 1;
                return Poll::Ready(());
            }
            state.1.push_back(context.waker().clone());
            Poll::Pending
        })
    }
}

linspect::harness! {
    permits: Permits = Permits::default();

    fn add(&self);
    #[cancel]
    async fn take(&self);
}

// says: nobody calls its waker
// says: hand on a wake-up that it got
// never: look again for what it waits for
