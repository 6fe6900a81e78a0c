// verdict: DEADLOCK
use std::sync::Mutex;
pub struct Bank(Mutex<i32>, Mutex<i32>);
impl Bank {
    fn ab(&self) -> bool {
        let mut a = self.0.lock().unwrap();
        let mut b = self.1.lock().unwrap();
        if *a > 0 {
            *a -= 1;
            *b += 1;
            true
        } else {
            false
        }
    }
    fn ba(&self) -> bool {
        let mut b = self.1.lock().unwrap();
        let mut a = self.0.lock().unwrap();
        if *b > 0 {
            *b -= 1;
            *a += 1;
            true
        } else {
            false
        }
    }
    fn total(&self) -> i32 {
        let a = *self.0.lock().unwrap();
        let b = *self.1.lock().unwrap();
        a + b
    }
}
linspect::harness! { b: Bank = Bank(Mutex::new(1), Mutex::new(1)); fn ab(&self) -> bool; fn ba(&self) -> bool; fn total(&self) -> i32; }
