// The deque of Chase and Lev with the orderings of Lê, Pop, Cohen and Zappa Nardelli (PPoPP 2013), but without their two seq_cst fences: the owner and a thief may take the same element.
use std::sync::atomic::{AtomicIsize, AtomicU32, Ordering, fence};

pub struct Deque {
    top: AtomicIsize,
    bottom: AtomicIsize,
    slots: [AtomicU32; 8],
}

impl Deque {
    pub fn push(&self, value: u32) {
        let bottom = self.bottom.load(Ordering::Relaxed);
        self.slots[bottom as usize].store(value, Ordering::Relaxed);
        fence(Ordering::Release);
        self.bottom.store(bottom + 1, Ordering::Relaxed);
    }

    pub fn take(&self) -> Option<u32> {
        let bottom = self.bottom.load(Ordering::Relaxed) - 1;
        self.bottom.store(bottom, Ordering::Relaxed);
        let top = self.top.load(Ordering::Relaxed);
        if top > bottom {
            self.bottom.store(bottom + 1, Ordering::Relaxed);
            return None;
        }
        let value = self.slots[bottom as usize].load(Ordering::Relaxed);
        if top < bottom {
            return Some(value);
        }
        let won = self.top.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed).is_ok();
        self.bottom.store(bottom + 1, Ordering::Relaxed);
        won.then_some(value)
    }

    pub fn steal(&self) -> Option<u32> {
        loop {
            let top = self.top.load(Ordering::Acquire);
            if top >= self.bottom.load(Ordering::Acquire) {
                return None;
            }
            let value = self.slots[top as usize].load(Ordering::Relaxed);
            if self.top.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed).is_ok() {
                return Some(value);
            }
        }
    }
}

linspect::harness! {
    d: Deque = Deque { top: AtomicIsize::new(0), bottom: AtomicIsize::new(0), slots: [const { AtomicU32::new(0) }; 8] };
    #[single_thread(owner)] fn push(&self, v: u32 in 1..=2);
    #[single_thread(owner)] fn take(&self) -> Option<u32>;
    fn steal(&self) -> Option<u32>;
}

// repair: 20 Relaxed → SeqCst
// repair: 21 Relaxed → SeqCst
// repair: 38 Acquire → SeqCst
