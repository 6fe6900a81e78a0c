//! Signals: handlers are kept, and called where the program raises a signal itself, by the thread that does. No signal comes from elsewhere.

use super::{Reply, Table, errno, int, ok, value};
use crate::interp::{Cpu, Stop};
use crate::memory::{Address, little_endian};
use crate::thread::After;
use crate::world::Handler;
use linspect_core::execution::FaultKind;
use linspect_core::schedule::ThreadId;

pub(super) const TABLE: Table = &[
    ("signal", |cpu, a| {
        cpu.handle_signal(a[0] as u32, a[1], RESTART)
    }),
    ("bsd_signal", |cpu, a| {
        cpu.handle_signal(a[0] as u32, a[1], RESTART)
    }),
    ("__sysv_signal", |cpu, a| {
        cpu.handle_signal(a[0] as u32, a[1], RESET)
    }),
    ("sigaction", |cpu, a| {
        let number = a[0] as u32;
        if !is_signal(number) {
            return cpu.fail_int(errno::EINVAL);
        }
        let new = match a[1] {
            0 => None,
            action => {
                let flags = little_endian(&cpu.bytes(action.wrapping_add(FLAGS), 4)?);
                let handler = little_endian(&cpu.bytes(action, 8)?);
                Some((handler, flags as u32))
            }
        };
        if a[2] != 0 {
            let old = cpu.handler(number);
            let mut action = [0; ACTION];
            action[..8].copy_from_slice(&old.address.to_le_bytes());
            action[FLAGS as usize..][..4].copy_from_slice(&old.flags.to_le_bytes());
            cpu.write_bytes(a[2], &action)?;
        }
        if let Some((address, flags)) = new {
            cpu.set_handler(number, address, flags);
        }
        ok()
    }),
    ("sigaltstack", |cpu, a| {
        if a[1] != 0 {
            const DISABLED: u32 = 2;
            let filled = cpu.memory.fill(a[1], 0, 24);
            cpu.check(filled)?;
            cpu.write_int(a[1].wrapping_add(8), DISABLED)?;
        }
        ok()
    }),
    ("raise", |cpu, a| cpu.raise(a[0] as u32)),
    ("kill", |cpu, a| match a[0] as u32 {
        super::process::OWN_ID => cpu.raise(a[1] as u32),
        _ => cpu.fail_int(errno::EPERM),
    }),
    ("pthread_kill", |cpu, a| {
        if a[0] == super::threads::handle(cpu.thread.id) {
            return cpu.raise(a[1] as u32);
        }
        Err(cpu.fault(
            FaultKind::Unsupported,
            "this machine does not model a signal to another thread",
        ))
    }),
    ("pthread_sigmask", |cpu, a| {
        cpu.change_mask(a, errno::EINVAL as i32)
    }),
    ("sigprocmask", |cpu, a| cpu.change_mask(a, -1)),
    ("sigemptyset", |cpu, a| cpu.fill_set(a[0], 0)),
    ("sigfillset", |cpu, a| cpu.fill_set(a[0], 0xff)),
    ("sigaddset", |cpu, a| {
        cpu.change_set(a, |set, signal| set | signal)
    }),
    ("sigdelset", |cpu, a| {
        cpu.change_set(a, |set, signal| set & !signal)
    }),
    ("sigismember", |cpu, a| {
        let set = little_endian(&cpu.bytes(a[0], 8)?);
        int(i32::from(set & bit(a[1] as u32) != 0))
    }),
    ("alarm", |_, _| int(0)),
];

/// The bytes of a `struct sigaction`, and where its flags are; the handler comes first.
const ACTION: usize = 152;
const FLAGS: u64 = 136;

const INFORMATION: u32 = 4;
const RESTART: u32 = 0x1000_0000;
const RESET: u32 = 0x8000_0000;

const DEFAULT: Address = 0;
const IGNORE: Address = 1;
const NO_HANDLER: u64 = u64::MAX;

/// Those that do nothing where nobody handles them: of children, urgent data, windows, and to go on.
const HARMLESS: [u32; 4] = [17, 23, 28, 18];

fn is_signal(number: u32) -> bool {
    (1..=64).contains(&number)
}

/// What a signal is in the first word of a set.
fn bit(number: u32) -> u64 {
    1_u64.checked_shl(number.wrapping_sub(1)).unwrap_or(0)
}

impl Cpu<'_> {
    fn handler(&self, number: u32) -> Handler {
        let mut all = self.world.handlers.iter();
        let known = all.find(|h| h.number == number);
        known.copied().unwrap_or(Handler {
            number,
            address: DEFAULT,
            flags: 0,
        })
    }

    fn set_handler(&mut self, number: u32, address: Address, flags: u32) {
        let handlers = &mut self.world_mut().handlers;
        handlers.retain(|h| h.number != number);
        if address != DEFAULT || flags != 0 {
            handlers.push(Handler {
                number,
                address,
                flags,
            });
            handlers.sort_unstable_by_key(|h| h.number);
        }
    }

    /// `signal`: replies the handler that there was.
    fn handle_signal(&mut self, number: u32, address: Address, flags: u32) -> Result<Reply, Stop> {
        if !is_signal(number) {
            self.fail(errno::EINVAL)?;
            return value(NO_HANDLER);
        }
        let old = self.handler(number).address;
        self.set_handler(number, address, flags);
        value(old)
    }

    /// The running thread gets a signal.
    fn raise(&mut self, number: u32) -> Result<Reply, Stop> {
        if self.thread.phase != 0 || number == 0 {
            return ok();
        }
        if !is_signal(number) {
            return self.fail_int(errno::EINVAL);
        }
        let Handler { address, flags, .. } = self.handler(number);
        if address == IGNORE || address == DEFAULT && HARMLESS.contains(&number) {
            return ok();
        }
        if self.mask() & bit(number) != 0 {
            let message = "this machine does not model a signal that the thread has blocked";
            return Err(self.fault(FaultKind::Unsupported, message));
        }
        if address == DEFAULT {
            let message = format!("the program raises signal {number}, which ends it");
            return Err(self.fault(FaultKind::Abort, &message));
        }
        if flags & RESET != 0 {
            self.set_handler(number, DEFAULT, 0);
        }
        let mut arguments = vec![u64::from(number)];
        if flags & INFORMATION != 0 {
            let made = self.memory.allocate_private(self.thread.lane, 128);
            let information = self.check(made)?;
            let filled = self.memory.fill(information, 0, 128);
            self.check(filled)?;
            self.write_int(information, number)?;
            arguments.extend([information, 0]);
        }
        self.enter_reply(address, &arguments, After::Again(1))
    }

    /// The signals that the running thread has blocked.
    fn mask(&self) -> u64 {
        let mut all = self.world.blocked_signals.iter();
        all.find(|(t, _)| *t == self.thread.id).map_or(0, |b| b.1)
    }

    fn set_mask(&mut self, thread: ThreadId, mask: u64) {
        let all = &mut self.world_mut().blocked_signals;
        all.retain(|(t, _)| *t != thread);
        if mask != 0 {
            all.push((thread, mask));
            all.sort_unstable();
        }
    }

    /// `sigprocmask` and `pthread_sigmask`, which reply in different ways that there is no such change.
    fn change_mask(&mut self, a: &[u64], unknown: i32) -> Result<Reply, Stop> {
        // The step comes before anything is changed.
        for set in [a[1], a[2]].into_iter().filter(|set| *set != 0) {
            self.touch(set)?;
        }
        let old = self.mask();
        if a[1] != 0 {
            let set = little_endian(&self.bytes(a[1], 8)?);
            let mask = match a[0] as u32 {
                0 => old | set,
                1 => old & !set,
                2 => set,
                _ if unknown == -1 => return self.fail_int(errno::EINVAL),
                _ => return int(unknown),
            };
            self.set_mask(self.thread.id, mask);
        }
        if a[2] != 0 {
            let mut set = [0; 128];
            set[..8].copy_from_slice(&old.to_le_bytes());
            self.write_bytes(a[2], &set)?;
        }
        ok()
    }

    fn fill_set(&mut self, set: Address, byte: u8) -> Result<Reply, Stop> {
        self.write_bytes(set, &[byte; 128])?;
        ok()
    }

    fn change_set(&mut self, a: &[u64], change: fn(u64, u64) -> u64) -> Result<Reply, Stop> {
        if !is_signal(a[1] as u32) {
            return self.fail_int(errno::EINVAL);
        }
        let set = little_endian(&self.bytes(a[0], 8)?);
        let set = change(set, bit(a[1] as u32));
        self.write_bytes(a[0], &set.to_le_bytes())?;
        ok()
    }
}
