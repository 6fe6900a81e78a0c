//! Allocation: `malloc` and its family, C++'s `operator new` and `delete`, Rust's allocator.

use super::{Reply, Table, errno, int, nothing, ok, value};
use crate::interp::{Cpu, Stop};
use crate::memory::{Address, MemoryError};
use crate::thread::Pending;
use linspect_core::execution::FaultKind;

pub(super) const TABLE: Table = &[
    ("malloc", |cpu, a| cpu.malloc(a[0], false)),
    ("calloc", |cpu, a| {
        cpu.malloc(a[0].saturating_mul(a[1]), true)
    }),
    ("realloc", |cpu, a| cpu.realloc(a[0], a[1])),
    ("reallocarray", |cpu, a| {
        cpu.realloc(a[0], a[1].saturating_mul(a[2]))
    }),
    ("free", free),
    ("cfree", free),
    ("aligned_alloc", |cpu, a| cpu.malloc(a[1], false)),
    ("memalign", |cpu, a| cpu.malloc(a[1], false)),
    ("valloc", |cpu, a| cpu.malloc(a[0], false)),
    ("posix_memalign", posix_memalign),
    ("malloc_usable_size", |cpu, a| {
        value(cpu.memory.block(a[0]).map_or(0, |b| b.len() as u64))
    }),
    ("_Znwm", new),
    ("_Znam", new),
    ("_ZnwmRKSt9nothrow_t", |cpu, a| cpu.malloc(a[0], false)),
    ("_ZnamRKSt9nothrow_t", |cpu, a| cpu.malloc(a[0], false)),
    ("_ZnwmSt11align_val_tRKSt9nothrow_t", |cpu, a| {
        cpu.malloc(a[0], false)
    }),
    ("_ZnamSt11align_val_tRKSt9nothrow_t", |cpu, a| {
        cpu.malloc(a[0], false)
    }),
    ("_ZnwmSt11align_val_t", new),
    ("_ZnamSt11align_val_t", new),
    ("_ZdlPv", free),
    ("_ZdaPv", free),
    ("_ZdlPvm", free),
    ("_ZdaPvm", free),
    ("_ZdlPvRKSt9nothrow_t", free),
    ("_ZdaPvRKSt9nothrow_t", free),
    ("_ZdlPvSt11align_val_tRKSt9nothrow_t", free),
    ("_ZdaPvSt11align_val_tRKSt9nothrow_t", free),
    ("_ZdlPvSt11align_val_t", free),
    ("_ZdaPvSt11align_val_t", free),
    ("_ZdlPvmSt11align_val_t", free),
    ("_ZdaPvmSt11align_val_t", free),
    ("__rust_alloc", |cpu, a| cpu.malloc(a[0], false)),
    ("__rust_alloc_zeroed", |cpu, a| cpu.malloc(a[0], true)),
    ("__rust_dealloc", free),
    ("__rust_realloc", |cpu, a| cpu.realloc(a[0], a[3])),
    ("__rust_no_alloc_shim_is_unstable_v2", |_, _| nothing()),
    ("__rdl_alloc", |cpu, a| cpu.malloc(a[0], false)),
    ("__rdl_alloc_zeroed", |cpu, a| cpu.malloc(a[0], true)),
    ("__rdl_dealloc", free),
    ("__rdl_realloc", |cpu, a| cpu.realloc(a[0], a[3])),
    ("mmap", mmap),
    ("mmap64", mmap),
    ("munmap", |cpu, a| {
        cpu.release(a[0])?;
        ok()
    }),
    ("mprotect", |_, _| int(0)),
    ("madvise", |_, _| int(0)),
];

fn new(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    match cpu.malloc(a[0], false)? {
        // What nobody can give.
        Reply::Value(0) => cpu.throw_bad_alloc(),
        reply => Ok(reply),
    }
}

fn free(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    cpu.release(a[0])?;
    nothing()
}

fn posix_memalign(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    if !a[1].is_power_of_two() || a[1] < 8 {
        return int(errno::EINVAL as i32);
    }
    cpu.touch(a[0])?;
    match cpu.malloc(a[2], false)? {
        Reply::Value(0) => int(errno::ENOMEM as i32),
        Reply::Value(address) => {
            cpu.write_pointer(a[0], address)?;
            ok()
        }
        reply => Ok(reply),
    }
}

fn mmap(cpu: &mut Cpu<'_>, a: &[u64]) -> Result<Reply, Stop> {
    const MAP_ANONYMOUS: u64 = 0x20;
    if a[3] & MAP_ANONYMOUS == 0 {
        return cpu.fail(errno::ENOSYS);
    }
    match cpu.malloc(a[1], true)? {
        Reply::Value(0) => cpu.fail(errno::ENOMEM),
        reply => Ok(reply),
    }
}

/// A request for more than this fails on every system.
const PLENTY: u64 = 1 << 38;

impl Cpu<'_> {
    /// Memory of at least one byte, so that every block has an address of its own; null, with `errno` set, if no system has so much.
    pub(super) fn malloc(&mut self, size: u64, zeroed: bool) -> Result<Reply, Stop> {
        self.thread.spin.reset();
        let site = self.site();
        match self.memory.allocate(self.thread.lane, size, zeroed, site) {
            Ok(address) => {
                self.note_birth(address, site);
                value(address)
            }
            Err(MemoryError::Limit) if size > PLENTY => {
                self.fail(errno::ENOMEM)?;
                value(0)
            }
            // That it is used up is a bound of this machine alone.
            Err(MemoryError::Limit) => {
                let mebibytes = self.memory.limit() >> 20;
                let message = match size > self.memory.limit() {
                    true => format!("{size} bytes are asked for; here are {mebibytes} MiB"),
                    false => {
                        format!("more than {mebibytes} MiB are allocated: an endless structure?")
                    }
                };
                Err(self.fault(FaultKind::Limit, &message))
            }
            Err(e) => Err(self.memory_fault(&e)),
        }
    }

    fn realloc(&mut self, old: Address, size: u64) -> Result<Reply, Stop> {
        if old == 0 {
            return self.malloc(size, false);
        }
        if size == 0 {
            self.release(old)?;
            return value(0);
        }
        let shared = self.claim_release(old)?;
        let (block, _) = self.check(self.memory.check(old, 0))?;
        let keep = (block.len() as u64).min(size);
        let Reply::Value(new) = self.malloc(size, false)? else {
            return value(0);
        };
        if new != 0 {
            let copied = self.memory.copy(new, old, keep);
            self.check(copied)?;
            if self.memory.block(new).is_some_and(|b| b.shared) {
                self.memory.publish_range(new, keep);
            }
            self.free_block(old, shared)?;
        }
        value(new)
    }

    /// Frees memory; a step of its own if others can reach it.
    fn release(&mut self, address: Address) -> Result<(), Stop> {
        if address == 0 {
            return Ok(());
        }
        let shared = self.claim_release(address)?;
        self.free_block(address, shared)
    }

    /// Takes a step to free memory if others can reach it; whether they can.
    fn claim_release(&mut self, address: Address) -> Result<bool, Stop> {
        let shared = self.world.concurrent && self.looks_at_release() && self.is_shared(address)?;
        if shared {
            self.claim(Pending::Access)?;
        }
        Ok(shared)
    }

    fn free_block(&mut self, address: Address, shared: bool) -> Result<(), Stop> {
        let len = self.memory.block(address).map_or(0, |b| b.len() as u64);
        let location = self.location(address, len.max(1));
        self.release_now(address)?;
        if shared {
            self.note_free(address, location);
        }
        Ok(())
    }

    fn release_now(&mut self, address: Address) -> Result<(), Stop> {
        self.thread.spin.reset();
        let site = self.site();
        let result = self.memory.free(self.thread.lane, address, site);
        self.check(result)
    }
}
