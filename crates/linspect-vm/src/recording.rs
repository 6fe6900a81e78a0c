//! Runs a given schedule again, with every statement written down.

use crate::interp::{Pieces, Recorder};
use crate::machine::Vm;
use crate::subject::Code;
use linspect_core::client::Client;
use linspect_core::execution::Location;
use linspect_core::machine::{Blocked, Machine, Status};
use linspect_core::schedule::{Schedule, ThreadId};
use linspect_core::statement::{RecordError, Recording};

/// Records `client` under `schedule`: once to learn how memory is accessed, once in earnest.
pub(crate) fn record(
    code: &Code,
    client: &Client,
    schedule: &Schedule,
) -> Result<Recording, RecordError> {
    let mut rehearsal = attempt(code, client, schedule, Pieces::default())?;
    let recorder = attempt(code, client, schedule, rehearsal.pieces())?;
    Ok(recorder.recording)
}

fn attempt(
    code: &Code,
    client: &Client,
    schedule: &Schedule,
    pieces: Pieces,
) -> Result<Box<Recorder>, RecordError> {
    let recorder = Box::new(Recorder::new(pieces));
    let mut vm = code.start_recorded(client, Some(recorder))?;
    let mut failed = None;
    for (step, choice) in schedule.0.iter().enumerate() {
        let possible = usize::from(choice.thread) < vm.threads()
            && vm.status(choice.thread) == Status::Ready
            && failed.is_none();
        if !possible {
            return Err(RecordError::Diverged { step });
        }
        if let Some(recorder) = &mut vm.recorder {
            recorder.step = u32::try_from(step).unwrap_or(u32::MAX);
        }
        failed = vm.step(*choice).fault.map(|_| choice.thread);
    }
    let locks = waited_for(&vm);
    let ended = (0..vm.threads() as ThreadId).all(|t| vm.status(t) == Status::Done);
    // A suffix that goes wrong is judged by what it returned before; a program ends well even if its `main` panicked.
    if failed.is_none() && ended && vm.finish().is_err() && code.is_program() {
        failed = Some(0);
    }
    let mut recorder = vm
        .finish_recording()
        .expect("a run that was started with a recorder has one");
    match failed {
        // Threads have the lanes after that of the sequential part.
        Some(thread) => recorder.take_claim(thread + 1),
        None => recorder.claim_free(&locks),
    }
    Ok(recorder)
}

/// The locks that threads wait for, if nobody can go on.
fn waited_for(vm: &Vm) -> Vec<Location> {
    let mut locks = Vec::new();
    for thread in 0..vm.threads() as ThreadId {
        match vm.status(thread) {
            Status::Ready => return Vec::new(),
            Status::Blocked(Blocked::Lock { location, .. }) => locks.push(location),
            Status::Blocked(_) | Status::Done => {}
        }
    }
    locks
}
