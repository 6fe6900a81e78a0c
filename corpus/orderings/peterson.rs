// A counter under Peterson's lock with release and acquire: both may come in, and one count is lost.
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

pub struct Counter {
    wants: [AtomicBool; 2],
    turn: AtomicU32,
    count: AtomicU32,
}

impl Counter {
    fn add(&self, me: usize) -> u32 {
        let other = 1 - me;
        self.wants[me].store(true, Ordering::Release);
        self.turn.store(other as u32, Ordering::Release);
        while self.wants[other].load(Ordering::Acquire)
            && self.turn.load(Ordering::Acquire) == other as u32
        {
            std::hint::spin_loop();
        }
        let count = self.count.load(Ordering::Relaxed);
        self.count.store(count + 1, Ordering::Relaxed);
        self.wants[me].store(false, Ordering::Release);
        count
    }

    pub fn add_left(&self) -> u32 {
        self.add(0)
    }

    pub fn add_right(&self) -> u32 {
        self.add(1)
    }
}

linspect::harness! {
    c: Counter = Counter { wants: [AtomicBool::new(false), AtomicBool::new(false)], turn: AtomicU32::new(0), count: AtomicU32::new(0) };
    #[single_thread] fn add_left(&self) -> u32;
    #[single_thread] fn add_right(&self) -> u32;
}

// repair: 13 Release → SeqCst
// repair: 14 Release → SeqCst
// repair: 15 Acquire → SeqCst
