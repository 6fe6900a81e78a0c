//! Two deposits read the same balance, and one is lost.
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

static BALANCE: AtomicU32 = AtomicU32::new(100);

fn deposit(amount: u32) {
    let balance = BALANCE.load(SeqCst);
    BALANCE.store(balance + amount, SeqCst);
}

fn main() {
    let other = thread::spawn(|| deposit(30));
    deposit(20);
    other.join().unwrap();
    assert_eq!(BALANCE.load(SeqCst), 150);
}
