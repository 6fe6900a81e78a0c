//! Models of what programs call but do not bring: libc, pthreads, the C++ and Rust runtimes.
//!
//! One file per family, each with a table from symbol to model. To add a model, add a line to a table. A model runs in place of
//! the call: it reads its arguments, changes memory, and replies. If it needs a visible step it claims one
//! first, before it changes anything: without the step's grant it is left and called again later.

mod attributes;
mod choice;
mod classes;
mod condition;
mod ctype;
mod cxx;
mod decimal;
mod delay;
mod exception;
mod floating;
mod format;
mod heap;
mod hooks;
mod jump;
mod math;
mod mutex;
mod number;
mod once;
mod print;
mod process;
mod published;
mod rust;
mod scan;
mod signal;
mod sort;
mod stream;
mod string;
mod threads;
mod time;

pub(crate) use choice::{assumes, in_task, is_atomic, is_narrowed, is_task};
pub(crate) use classes::CLASS_INFOS;
pub(crate) use delay::Delays;
pub(crate) use published::{
    DASHMAP_WRITER, ONCE, PARKING_READER, PARKING_UPGRADABLE, PARKING_WRITER, READERS_WAITING,
    WRITE_LOCKED, WRITERS_WAITING, is_published, published,
};
pub(crate) use rust::{counts_panics, is_end_of_runtime, is_output_buffer};
pub(crate) use stream::{STREAMS, lay_out, of_streams};
pub(crate) use time::is_clock;

use crate::interp::{Cpu, Stop, Whose};
use crate::memory::{Address, MemoryError};
use crate::program::{FunctionId, MemoryOrder};
use crate::thread::After;
use linspect_core::execution::{Action, FaultKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::OnceLock;

/// What runs in place of a function.
pub(crate) type Model = for<'a, 'b> fn(&'a mut Cpu<'b>, &'a [u64]) -> Result<Reply, Stop>;

/// What a model gives back.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// Nothing: a `void` function.
    Nothing,
    /// A scalar, zero-extended.
    Value(u64),
    /// A call of a function of the program first.
    Enter {
        function: FunctionId,
        arguments: SmallVec<[u64; 4]>,
        after: After,
    },
    /// Control has gone elsewhere already.
    Moved,
    /// The function's own code runs; then this happens.
    Itself(After),
}

/// A C `int`.
fn int(value: i32) -> Result<Reply, Stop> {
    Ok(Reply::Value(u64::from(value as u32)))
}

/// Success of functions that return an error number.
fn ok() -> Result<Reply, Stop> {
    int(0)
}

fn value(value: u64) -> Result<Reply, Stop> {
    Ok(Reply::Value(value))
}

fn nothing() -> Result<Reply, Stop> {
    Ok(Reply::Nothing)
}

type Table = &'static [(&'static str, Model)];

/// Models of functions that programs only declare.
const DECLARED: &[Table] = &[
    attributes::TABLE,
    choice::TABLE,
    classes::TABLE,
    condition::TABLE,
    ctype::TABLE,
    cxx::TABLE,
    exception::TABLE,
    heap::TABLE,
    hooks::TABLE,
    jump::TABLE,
    math::TABLE,
    mutex::TABLE,
    number::TABLE,
    once::TABLE,
    print::TABLE,
    process::TABLE,
    rust::TABLE,
    scan::TABLE,
    signal::TABLE,
    sort::TABLE,
    stream::TABLE,
    string::TABLE,
    threads::TABLE,
    time::TABLE,
];

/// The model for the symbol of a function that the program only declares.
pub(crate) fn find(symbol: &str) -> Option<Model> {
    static TABLE: OnceLock<FxHashMap<&'static str, Model>> = OnceLock::new();
    let table = TABLE.get_or_init(|| DECLARED.iter().flat_map(|t| t.iter().copied()).collect());
    table
        .get(symbol)
        .copied()
        .or_else(|| exception::by_prefix(symbol))
}

impl Cpu<'_> {
    /// Turns what memory says into a fault at the running call.
    fn check<T>(&self, result: Result<T, MemoryError>) -> Result<T, Stop> {
        result.map_err(|e| self.memory_fault(&e))
    }

    fn read_int(&self, address: Address) -> Result<u32, Stop> {
        self.check(self.memory.read(address, 4)).map(|v| v as u32)
    }

    fn write_int(&mut self, address: Address, value: u32) -> Result<(), Stop> {
        self.write_number(address, u64::from(value), 4)
    }

    fn read_word(&self, address: Address) -> Result<u64, Stop> {
        self.check(self.memory.read(address, 8))
    }

    fn write_word(&mut self, address: Address, value: u64) -> Result<(), Stop> {
        self.write_number(address, value, 8)
    }

    fn write_number(&mut self, address: Address, value: u64, len: usize) -> Result<(), Stop> {
        // The thread's stack is compared as a whole when a loop comes round.
        if !self.memory.is_on_stack(address) && self.memory.read(address, len) != Ok(value) {
            self.thread.spin.reset();
        }
        let result = self.memory.write(address, value, len);
        self.check(result)
    }

    fn c_string(&self, address: Address) -> Result<String, Stop> {
        self.check(self.memory.read_c_string(address))
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// Records what a synchronisation call did, if anybody looks.
    fn note_sync(&mut self, action: Action, address: Address, read: u64, written: u64) {
        if self.world.concurrent {
            self.note_sync_at(action, address, 4, (read, written));
        }
    }

    fn note_sync_at(&mut self, action: Action, address: Address, len: u64, values: (u64, u64)) {
        let location = self.location(address, len);
        let source = match self.is_weak() {
            true => self.synchronise(action, address, location),
            false => Whose::default(),
        };
        self.note_at(
            address,
            location,
            action,
            values,
            MemoryOrder::SeqCst,
            source,
        );
    }

    /// Takes a step if other threads run.
    pub(crate) fn step_if_concurrent(&mut self) -> Result<(), Stop> {
        if self.world.concurrent {
            self.claim(crate::thread::Pending::Access)
        } else {
            Ok(())
        }
    }

    /// Writes a number where the caller says.
    fn give_number(&mut self, to: Address, number: u32) -> Result<Reply, Stop> {
        self.write_bytes(to, &number.to_le_bytes())?;
        ok()
    }

    fn misuse(&self, message: &str) -> Stop {
        self.fault(FaultKind::Misuse, message)
    }

    /// A call of the program's function at `address`, after which the model's caller goes on with `after`.
    fn enter_reply(
        &self,
        address: Address,
        arguments: &[u64],
        after: After,
    ) -> Result<Reply, Stop> {
        match self.resolve(address) {
            Some(function) => Ok(Reply::Enter {
                function,
                arguments: SmallVec::from_slice(arguments),
                after,
            }),
            None => Err(self.fault(
                FaultKind::OutOfBounds,
                &format!("call through a pointer to no function ({address:#x})"),
            )),
        }
    }

    /// Sets `errno` and replies −1.
    fn fail(&mut self, errno: u32) -> Result<Reply, Stop> {
        let address = self.errno()?;
        self.write_int(address, errno)?;
        value(u64::MAX)
    }

    /// The same for functions that return an `int`.
    fn fail_int(&mut self, errno: u32) -> Result<Reply, Stop> {
        self.fail(errno)?;
        int(-1)
    }

    fn errno(&mut self) -> Result<Address, Stop> {
        if self.thread.errno == 0 {
            let result = self.memory.allocate_private(self.thread.lane, 4);
            self.thread.errno = self.check(result)?;
        }
        Ok(self.thread.errno)
    }
}

/// Error numbers of Linux.
mod errno {
    pub(super) const EPERM: u32 = 1;
    pub(super) const EBADF: u32 = 9;
    pub(super) const EAGAIN: u32 = 11;
    pub(super) const ENOMEM: u32 = 12;
    pub(super) const EBUSY: u32 = 16;
    pub(super) const EINVAL: u32 = 22;
    pub(super) const ERANGE: u32 = 34;
    pub(super) const EDEADLK: u32 = 35;
    pub(super) const ENOSYS: u32 = 38;
    pub(super) const EOVERFLOW: u32 = 75;
    pub(super) const ETIMEDOUT: u32 = 110;
}
