// verdict: NOT LINEARIZABLE
// client: exchange(1) | exchange(2) | exchange(3)
use std::sync::{Condvar, Mutex};
#[derive(Default)]
struct St {
    first: Option<u8>,
    second: Option<u8>,
}
#[derive(Default)]
pub struct Ex(Mutex<St>, Condvar);
impl Ex {
    fn exchange(&self, v: u8) -> u8 {
        let mut g = self.0.lock().unwrap();
        loop {
            match g.first {
                None => {
                    g.first = Some(v);
                    self.1.notify_all();
                    loop {
                        g = self.1.wait(g).unwrap();
                        if let Some(o) = g.second {
                            g.first = None;
                            g.second = None;
                            self.1.notify_all();
                            return o;
                        }
                    }
                }
                Some(o) => {
                    g.second = Some(v);
                    self.1.notify_all();
                    return o;
                }
            }
        }
    }
}
linspect::harness! { e: Ex = Ex::default(); fn exchange(&self, v: u8 in 1..=3) -> u8; }
