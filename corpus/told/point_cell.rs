use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// A point that readers copy without a lock: the version is odd while a writer is at work.
pub struct PointCell {
    version: AtomicU32,
    x: AtomicU32,
    y: AtomicU32,
}

impl PointCell {
    pub fn new() -> Self {
        PointCell { version: AtomicU32::new(0), x: AtomicU32::new(0), y: AtomicU32::new(0) }
    }

    pub fn write(&self, x: u32, y: u32) {
        let mut v = self.version.load(SeqCst);
        while v % 2 == 1 {
            std::hint::spin_loop();
            v = self.version.load(SeqCst);
        }
        self.version.store(v + 1, SeqCst);
        self.x.store(x, SeqCst);
        self.y.store(y, SeqCst);
        self.version.store(v + 2, SeqCst);
    }

    pub fn read(&self) -> (u32, u32) {
        loop {
            let v = self.version.load(SeqCst);
            let point = (self.x.load(SeqCst), self.y.load(SeqCst));
            if v % 2 == 0 && self.version.load(SeqCst) == v {
                return point;
            }
            std::hint::spin_loop();
        }
    }
}

linspect::harness! {
    cell: PointCell = PointCell::new();

    fn write(&self, x: u32 in 1..=2, y: u32 in 1..=2);
    fn read(&self) -> (u32, u32);
}

// options: -v
// client: [] write(1,1) | write(2,2) [read]
// says: read() returned [1, 2]
// says: write:22 self.x.store(x, SeqCst); object.x := 1
// says: hint: use `compare_exchange` with what was read, else retry
// never: fetch_add
