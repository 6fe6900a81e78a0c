//! Runs a given schedule again, with every statement written down.

use crate::interp::{Pieces, Recorder};
use crate::machine::Vm;
use crate::subject::LoadedProgram;
use linspect_core::client::Client;
use linspect_core::execution::{End, Location};
use linspect_core::machine::{Blocked, Machine, Status, Subject};
use linspect_core::run::{Bounds, Follow, Observer, run};
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use linspect_core::statement::{RecordError, Recording};

/// Records `client` under `schedule`: once to learn how memory is accessed, once in earnest.
pub(crate) fn record(
    code: &LoadedProgram,
    client: &Client,
    schedule: &Schedule,
) -> Result<Recording, RecordError> {
    let mut rehearsal = attempt(code, client, schedule, Pieces::default())?;
    let recorder = attempt(code, client, schedule, rehearsal.pieces())?;
    Ok(recorder.recording)
}

fn attempt(
    code: &LoadedProgram,
    client: &Client,
    schedule: &Schedule,
    pieces: Pieces,
) -> Result<Box<Recorder>, RecordError> {
    let recorder = Box::new(Recorder::new(pieces));
    let mut vm = code.start_recorded(client, Some(recorder))?;
    let mut follow = Follow::new(schedule);
    let execution = run(&mut vm, &mut follow, Bounds::NONE, &mut Dated::default());
    if !follow.is_done() {
        let step = follow.followed();
        return Err(RecordError::Diverged { step });
    }
    let locks = waited_for(&vm);
    let last = execution.steps.last();
    let failed = match execution.end {
        End::Fault => last.map(|step| step.choice.thread),
        // A suffix that goes wrong is judged by what it returned before; a program ends well even if its `main` panicked.
        End::Suffix(_) if code.is_program() => Some(0),
        _ => None,
    };
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

/// Tells the recorder which step is being taken.
#[derive(Default)]
struct Dated {
    taken: u32,
}

impl Observer<Vm> for Dated {
    fn before(&mut self, vm: &mut Vm, _choice: Choice) {
        if let Some(recorder) = &mut vm.recorder {
            recorder.step = self.taken;
        }
        self.taken = self.taken.saturating_add(1);
    }
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
