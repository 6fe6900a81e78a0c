//! A digest of everything that decides how a run can go on: registers and variables on the stack that are written before they are read do not.

use crate::image::Image;
use crate::memory::{Address, Kind, Life, Memory};
use crate::program::Reg;
use crate::slots::dead_bytes;
use crate::thread::{Pending, Thread};
use crate::world::World;
use linspect_core::digest::Gathered;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

pub(crate) fn of(image: &Image, memory: &Memory, threads: &[Rc<Thread>], world: &World) -> u128 {
    let mut hasher = Gathered::<ROOM>::default();
    let mut dead: SmallVec<[(Address, u64); 16]> = SmallVec::new();
    for thread in threads {
        dead_bytes(image, thread, &mut |address, live| {
            dead.push((address, live));
        });
    }
    for (at, block) in memory.variable_blocks() {
        at.hash(&mut hasher);
        block.shared.hash(&mut hasher);
        match block.life {
            // Freed memory cannot be read; its contents are the past.
            Life::Freed(_) => hasher.write_u8(0),
            Life::Live => {
                hasher.write_u8(1);
                let is_own = matches!(block.kind, Kind::Stack(_)) && !block.shared;
                let found = dead.iter().find(|(address, _)| is_own && *address == at);
                match found {
                    Some((_, live)) => block.hash_some_contents(*live, &mut hasher),
                    None => block.hash_contents(&mut hasher),
                }
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
        hash_thread(image, thread, &mut hasher);
    }
    world.concurrent.hash(&mut hasher);
    world.ended.hash(&mut hasher);
    world.unjoined.hash(&mut hasher);
    world.detached.hash(&mut hasher);
    world.waiting.hash(&mut hasher);
    world.exited.hash(&mut hasher);
    world.at_exit.hash(&mut hasher);
    world.keys.hash(&mut hasher);
    world.times.hash(&mut hasher);
    world.names.hash(&mut hasher);
    world.handlers.hash(&mut hasher);
    world.blocked_signals.hash(&mut hasher);
    hasher.digest()
}

fn hash_thread(image: &Image, thread: &Thread, hasher: &mut Gathered<ROOM>) {
    let running = thread.frames.len().saturating_sub(1);
    for (depth, frame) in thread.frames.iter().enumerate() {
        (frame.function, frame.pc, frame.base, frame.after).hash(hasher);
        let mut add = |reg: Reg| hasher.write_u64(thread.registers[(frame.base + reg) as usize]);
        let liveness = image.liveness(frame.function);
        if depth == running {
            liveness.before(frame.pc).for_each(&mut add);
        } else {
            let function = &image.program.functions[frame.function as usize];
            let live = liveness.after(&image.program, function, frame.pc);
            live.into_iter().for_each(&mut add);
        }
    }
    thread.variadic.hash(hasher);
    (
        thread.phase,
        thread.answer,
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
    thread.cleanups.hash(hasher);
    thread.reply.hash(hasher);
    for exception in thread.exceptions.iter() {
        (exception.object, exception.part, exception.type_info).hash(hasher);
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

/// How many bytes are gathered before they are digested: as many as a small program needs.
const ROOM: usize = 2048;
