// Atomics of 128 bits: assembly with loops, behind a question to the processor.
use portable_atomic::{AtomicI128, AtomicU128, AtomicU8};
use std::sync::atomic::Ordering::SeqCst;

fn main() {
    let sum = AtomicU128::new(5);
    let max = AtomicI128::new(i128::MIN);
    let exchanged = AtomicU128::new(7);
    let byte = AtomicU8::new(5);
    let mut swapped = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            sum.fetch_add(u128::from(u64::MAX), SeqCst);
            max.fetch_max(-1, SeqCst);
        });
        scope.spawn(|| {
            sum.fetch_add(2 * u128::from(u64::MAX), SeqCst);
            max.fetch_max(-2, SeqCst);
            sum.fetch_sub(0, SeqCst);
        });
        swapped = exchanged.swap(8, SeqCst);
        assert_eq!(exchanged.compare_exchange(8, 9, SeqCst, SeqCst), Ok(8));
        assert_eq!(exchanged.compare_exchange(8, 10, SeqCst, SeqCst), Err(9));
    });
    let set = (byte.bit_set(0, SeqCst), byte.bit_clear(1, SeqCst));
    byte.not(SeqCst);
    // In halves: printing 128 bits takes numbers of 256.
    let sum = sum.load(SeqCst);
    println!(
        "sum {} {}, max {}, swapped {} {}, set {} {}, not {}",
        (sum >> 64) as u64,
        sum as u64,
        max.load(SeqCst) as i64,
        swapped as u64,
        exchanged.load(SeqCst) as u64,
        set.0,
        set.1,
        byte.load(SeqCst)
    );
}
