//! Runs a program under one schedule: random from a seed, or given.

use crate::machine::Vm;
use crate::subject::LoadedProgram;
use linspect_core::client::Client;
use linspect_core::execution::{End, Execution};
use linspect_core::machine::{StartError, Subject};
use linspect_core::random::Random;
use linspect_core::run::{self, Bounds, Follow, Nobody, Scene, Strategy};
use linspect_core::schedule::{Choice, Schedule, ThreadId};

/// Who chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chooser {
    /// Every ready thread with the same probability, from this seed.
    Random(u64),
    /// These decisions; then, if the program is not done, the first ready thread.
    Given(Schedule),
}

/// One run and what it left behind.
pub struct Ran {
    /// What happened.
    pub execution: Execution,
    /// What was chosen: run it again with [`Chooser::Given`].
    pub schedule: Schedule,
    /// The machine at the end, to ask for output and names.
    pub machine: Vm,
}

/// Runs a client, or a plain program (the client without operations), for at most `steps` steps.
pub fn run(
    code: &LoadedProgram,
    client: &Client,
    chooser: &Chooser,
    steps: usize,
) -> Result<Ran, StartError> {
    let mut machine = code.start(client)?;
    let mut dice = Dice {
        source: match chooser {
            Chooser::Random(seed) => Source::Random(Random::new(*seed)),
            Chooser::Given(schedule) => Source::Given(Follow::new(schedule)),
        },
        steps,
    };
    let mut execution = run::run(&mut machine, &mut dice, Bounds::NONE, &mut Nobody);
    if execution.end == End::Cut && execution.steps.len() == steps {
        execution.end = End::StepLimit;
    }
    Ok(Ran {
        schedule: Schedule(execution.steps.iter().map(|step| step.choice).collect()),
        execution,
        machine,
    })
}

/// Who chooses, and how often.
struct Dice<'a> {
    source: Source<'a>,
    steps: usize,
}

/// Where choices come from.
enum Source<'a> {
    Random(Random),
    Given(Follow<'a>),
}

impl Strategy for Dice<'_> {
    /// The next decision; none if a given one is not possible, because the program is another.
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        if scene.taken >= self.steps {
            return None;
        }
        match &mut self.source {
            Source::Random(random) => {
                let mut threads: Vec<ThreadId> = scene.ready.iter().map(|c| c.thread).collect();
                threads.dedup();
                let thread = *draw(random, &threads);
                let ways: Vec<Choice> = (scene.ready.iter().copied())
                    .filter(|choice| choice.thread == thread)
                    .collect();
                Some(*draw(random, &ways))
            }
            Source::Given(follow) if !follow.is_done() => follow.choose(scene),
            Source::Given(_) => scene.ready.first().copied(),
        }
    }
}

/// One of them, each as likely as the others; one alone takes no random bits.
fn draw<'a, T>(random: &mut Random, from: &'a [T]) -> &'a T {
    match from {
        [only] => only,
        _ => &from[(random.bits() % from.len() as u64) as usize],
    }
}
