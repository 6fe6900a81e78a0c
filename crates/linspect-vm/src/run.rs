//! Runs a program under one schedule: random from a seed, or given.

use crate::machine::Vm;
use crate::subject::Code;
use linspect_core::client::Client;
use linspect_core::execution::{End, Execution, Step};
use linspect_core::machine::{Machine, StartError, Status, Subject};
use linspect_core::random::Random;
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
    code: &Code,
    client: &Client,
    chooser: &Chooser,
    steps: usize,
) -> Result<Ran, StartError> {
    let mut machine = code.start(client)?;
    let mut execution = Execution {
        before: machine.prefix().to_vec(),
        steps: Vec::new(),
        after: Vec::new(),
        end: End::StepLimit,
    };
    let mut schedule = Schedule::default();
    let mut dice = Dice::new(chooser);
    while execution.steps.len() < steps {
        let all = 0..machine.threads() as ThreadId;
        let ready: Vec<ThreadId> = all
            .clone()
            .filter(|t| machine.status(*t) == Status::Ready)
            .collect();
        if ready.is_empty() {
            let waiting: Vec<ThreadId> =
                all.filter(|t| machine.status(*t) != Status::Done).collect();
            execution.end = if waiting.is_empty() {
                End::Complete
            } else {
                End::Deadlock(waiting)
            };
            break;
        }
        let Some(choice) = dice.choose(&ready, schedule.0.len()) else {
            execution.end = End::Cut;
            break;
        };
        let step: Step = machine.step(choice);
        let failed = step.fault.is_some();
        schedule.0.push(choice);
        execution.steps.push(step);
        if failed {
            execution.end = End::Fault;
            break;
        }
    }
    if execution.end == End::Complete {
        match machine.finish() {
            Ok(after) => execution.after = after,
            Err(fault) => execution.end = End::Suffix(fault),
        }
    }
    Ok(Ran {
        execution,
        schedule,
        machine,
    })
}

/// The source of decisions.
enum Dice<'a> {
    Random(Random),
    Given(&'a Schedule),
}

impl<'a> Dice<'a> {
    fn new(chooser: &'a Chooser) -> Self {
        match chooser {
            Chooser::Random(seed) => Self::Random(Random::new(*seed)),
            Chooser::Given(schedule) => Self::Given(schedule),
        }
    }

    /// The next decision; none if a given one is not possible, because the program is another.
    fn choose(&mut self, ready: &[ThreadId], at: usize) -> Option<Choice> {
        match self {
            Self::Random(random) => {
                let at = random.bits() % ready.len() as u64;
                Some(Choice::of(ready[at as usize]))
            }
            Self::Given(schedule) => match schedule.0.get(at) {
                Some(choice) if ready.contains(&choice.thread) => Some(*choice),
                Some(_) => None,
                None => Some(Choice::of(ready[0])),
            },
        }
    }
}
