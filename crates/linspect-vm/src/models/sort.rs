//! `qsort`: sorts by insertion, so that where it stands fits into the phase of a model that calls back.

use super::{Reply, Table, nothing};
use crate::interp::{Cpu, Stop};
use crate::thread::After;
use linspect_core::execution::FaultKind;

pub(super) const TABLE: Table = &[("qsort", |cpu, a| cpu.sort(a[0], a[1], a[2], a[3]))];

impl Cpu<'_> {
    /// The phase is `i * 2^16 + j`: elements before `i` are sorted, element `j` of those up to `i` was compared with the one before it.
    fn sort(&mut self, base: u64, count: u64, size: u64, compare: u64) -> Result<Reply, Stop> {
        if count >= 1 << 16 {
            return Err(self.fault(FaultKind::Unsupported, "qsort of more than 65535 elements"));
        }
        let at = |element: u64| base.wrapping_add(element.wrapping_mul(size));
        let (mut i, mut j) = (
            u64::from(self.thread.phase >> 16),
            u64::from(self.thread.phase & 0xffff),
        );
        if self.thread.phase == 0 {
            (i, j) = (1, 1);
        } else if (self.thread.answer as i32) > 0 {
            self.swap(at(j - 1), at(j), size)?;
            j -= 1;
        } else {
            j = 0;
        }
        if j == 0 {
            i += 1;
            j = i;
        }
        if i >= count {
            return nothing();
        }
        let elements = [at(j - 1), at(j)];
        self.enter_reply(compare, &elements, After::Again((i << 16 | j) as u32))
    }

    fn swap(&mut self, a: u64, b: u64, size: u64) -> Result<(), Stop> {
        let first = self.check(self.memory.read_bytes(a, size))?.to_vec();
        let second = self.check(self.memory.read_bytes(b, size))?.to_vec();
        let written = self
            .memory
            .write_bytes(a, &second)
            .and_then(|()| self.memory.write_bytes(b, &first));
        self.check(written)
    }
}
