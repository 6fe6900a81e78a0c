//! A digest of everything that decides how a run can go on.

use crate::memory::{Kind, Life, Memory};
use crate::thread::{Pending, Thread};
use crate::world::World;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

pub(crate) fn of(memory: &Memory, threads: &[Rc<Thread>], world: &World) -> u128 {
    let mut hasher = Gathered::default();
    for (at, block) in memory.variable_blocks() {
        at.hash(&mut hasher);
        block.shared.hash(&mut hasher);
        match block.life {
            // Freed memory cannot be read; its contents are the past.
            Life::Freed(_) => hasher.write_u8(0),
            Life::Live => {
                hasher.write_u8(1);
                block.hash_contents(&mut hasher);
            }
        }
        matches!(block.kind, Kind::Heap).hash(&mut hasher);
    }
    memory.hash_free_lists(&mut hasher);
    if let Some(messages) = memory.messages() {
        messages.hash(&mut hasher);
        for thread in threads {
            messages.hash_views(&thread.views, &mut hasher);
        }
        for (thread, view) in &world.last_views {
            thread.hash(&mut hasher);
            messages.hash_view(view, &mut hasher);
        }
    }
    for thread in threads {
        hash_thread(thread, &mut hasher);
    }
    world.concurrent.hash(&mut hasher);
    world.ended.hash(&mut hasher);
    world.unjoined.hash(&mut hasher);
    world.waiting.hash(&mut hasher);
    world.exited.hash(&mut hasher);
    world.at_exit.hash(&mut hasher);
    world.keys.hash(&mut hasher);
    world.names.hash(&mut hasher);
    world.handlers.hash(&mut hasher);
    world.blocked_signals.hash(&mut hasher);
    hasher.digest()
}

fn hash_thread(thread: &Thread, hasher: &mut Gathered) {
    for frame in thread.frames.iter() {
        (frame.function, frame.pc, frame.base).hash(hasher);
    }
    thread.registers.hash(hasher);
    thread.variadic.hash(hasher);
    (
        thread.phase,
        thread.atomic,
        thread.begun,
        thread.called,
        thread.exiting,
        thread.woke_alone,
    )
        .hash(hasher);
    (thread.result, thread.errno, thread.clock, thread.random).hash(hasher);
    thread.locals.hash(hasher);
    thread.keys.hash(hasher);
    thread.at_exit.hash(hasher);
    thread.reply.hash(hasher);
    for exception in thread.exceptions.iter() {
        (exception.object, exception.type_info).hash(hasher);
    }
    for caught in thread.caught.iter() {
        (caught.exception.object, caught.handlers).hash(hasher);
    }
    std::mem::discriminant(&thread.pending).hash(hasher);
    match &thread.pending {
        Pending::Wait { address, timed } => (address, timed).hash(hasher),
        Pending::Join(other) => other.hash(hasher),
        Pending::EndLocal(address) => address.hash(hasher),
        Pending::Choose(ways) => ways.hash(hasher),
        Pending::Empty(ending) => ending.hash(hasher),
        Pending::Spin(seen) => {
            for s in seen.iter() {
                (s.address, s.len, s.value).hash(hasher);
            }
        }
        Pending::Access
        | Pending::Assumed
        | Pending::Gate(_)
        | Pending::Fault(_)
        | Pending::Exit
        | Pending::Parked
        | Pending::Done => {}
    }
}

/// How many bytes are gathered: as many as a small program needs.
const ROOM: usize = 2048;

/// A digest whose bytes are gathered before they are digested: most values are a few bytes.
struct Gathered {
    bytes: [u8; ROOM],
    len: usize,
    /// What there was no room for, and what came before it.
    earlier: Option<Xxh3>,
}

impl Default for Gathered {
    fn default() -> Self {
        Self {
            bytes: [0; ROOM],
            len: 0,
            earlier: None,
        }
    }
}

impl Gathered {
    #[inline]
    fn add<const N: usize>(&mut self, bytes: [u8; N]) {
        if self.len + N > ROOM {
            self.pass_on();
        }
        if let Some(room) = self.bytes[self.len..].first_chunk_mut() {
            *room = bytes;
            self.len += N;
        }
    }

    /// Digests what was gathered.
    #[cold]
    fn pass_on(&mut self) -> &mut Xxh3 {
        let earlier = self.earlier.get_or_insert_with(Xxh3::new);
        earlier.update(&self.bytes[..self.len]);
        self.len = 0;
        earlier
    }

    /// The digest of all that was written.
    fn digest(&mut self) -> u128 {
        match self.earlier {
            None => xxh3_128(&self.bytes[..self.len]),
            Some(_) => self.pass_on().digest128(),
        }
    }
}

impl Hasher for Gathered {
    fn write(&mut self, bytes: &[u8]) {
        match self.bytes.get_mut(self.len..self.len + bytes.len()) {
            Some(room) => {
                room.copy_from_slice(bytes);
                self.len += bytes.len();
            }
            None => self.pass_on().update(bytes),
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.add(value.to_le_bytes());
    }

    fn write_u16(&mut self, value: u16) {
        self.add(value.to_le_bytes());
    }

    fn write_u32(&mut self, value: u32) {
        self.add(value.to_le_bytes());
    }

    fn write_u64(&mut self, value: u64) {
        self.add(value.to_le_bytes());
    }

    fn write_usize(&mut self, value: usize) {
        self.add(value.to_le_bytes());
    }

    fn finish(&self) -> u64 {
        let mut all = self.earlier.clone().unwrap_or_default();
        all.update(&self.bytes[..self.len]);
        all.digest()
    }
}
