//! `qsort` and `bsearch`. Sorts by insertion, so that where it stands fits into the phase of a model that calls back.

use super::{Reply, Table, nothing, value};
use crate::interp::{Cpu, Stop};
use crate::thread::After;
use linspect_core::execution::FaultKind;
use std::cmp::Ordering;

pub(super) const TABLE: Table = &[
    ("qsort", |cpu, a| cpu.sort(a[0], a[1], a[2], a[3])),
    ("bsearch", |cpu, a| {
        cpu.find_sorted(a[0], (a[1], a[2], a[3]), a[4])
    }),
];

impl Cpu<'_> {
    /// Halves as glibc does. The phase is `low * 2^16 + high`: what is looked for lies from element `low` to before `high`.
    fn find_sorted(
        &mut self,
        key: u64,
        (base, count, size): (u64, u64, u64),
        compare: u64,
    ) -> Result<Reply, Stop> {
        if count >= 1 << 16 {
            return Err(self.fault(
                FaultKind::Unsupported,
                "bsearch among more than 65535 elements",
            ));
        }
        let at = |element: u64| base.wrapping_add(element.wrapping_mul(size));
        let (mut low, mut high) = (0, count);
        if self.thread.phase != 0 {
            (low, high) = (
                u64::from(self.thread.phase >> 16),
                u64::from(self.thread.phase & 0xffff),
            );
            let middle = low.midpoint(high);
            match (self.thread.answer as i32).cmp(&0) {
                Ordering::Less => high = middle,
                Ordering::Equal => return value(at(middle)),
                Ordering::Greater => low = middle + 1,
            }
        }
        if low >= high {
            return value(0);
        }
        let elements = [key, at(low.midpoint(high))];
        self.enter_reply(compare, &elements, After::Again((low << 16 | high) as u32))
    }

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
        let first = self.bytes(a, size)?;
        let second = self.bytes(b, size)?;
        self.write_bytes(a, &second)?;
        self.write_bytes(b, &first)
    }
}
