//! One run of a program, as a user sees it who wants no verdict: its trace, its output, how it ended.

use crate::error::Error;
use crate::origin::Loaded;
use linspect_core::client::Client;
use linspect_core::execution::{Access, Action, End, Fault, FaultKind, Ordering, SiteId};
use linspect_core::machine::{Blocked, Machine, Site, StartError, Status, Subject};
use linspect_core::property::FaultFree;
use linspect_explore::races::races;
use linspect_explore::token::Token;
use linspect_vm::{Chooser, LoadedProgram, Ran};
use std::fmt::Write as _;

/// Who chooses the steps of a run.
#[derive(Clone, Debug)]
pub enum RunSchedule {
    /// Random numbers that start here; for programs with a `main` of their own.
    Seed(u64),
    /// Whoever chose those of an earlier run.
    Token(Token),
}

/// One run.
#[derive(Clone, Debug)]
pub struct SingleRun {
    /// Every visible access, a line each.
    pub trace: String,
    /// What it printed.
    pub output: String,
    /// Whether it printed more than is kept.
    pub output_cut: bool,
    /// What it printed to standard error.
    pub errors: String,
    /// How it ended, in words, with the data races on the way.
    pub said: String,
    /// How it ended.
    pub ended: RunEnd,
    /// The run, to see it again; none if it did not start.
    pub token: Option<Token>,
}

/// How a run ended. Several things together end as the one that is latest here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunEnd {
    /// As it should.
    Well,
    /// Not at all, as far as is known.
    Unfinished,
    /// With something wrong.
    Wrong,
    /// It could not be run to its end here.
    Impossible,
}

/// Runs a program once, for at most `steps` steps.
pub fn run_once(loaded: &Loaded, schedule: RunSchedule, steps: usize) -> Result<SingleRun, Error> {
    let (client, chooser) = chosen(schedule, &loaded.code)?;
    let mut sharing = None;
    let (code, ran) = loop {
        let code = sharing.as_ref().unwrap_or(&loaded.code);
        let ran = linspect_vm::run(code, &client, &chooser, steps);
        let hidden = code.take_hidden();
        if hidden.is_empty() {
            break (code, ran);
        }
        sharing = Some(code.sharing(hidden));
    };
    let teller = Teller { code };
    let ran = match ran {
        Ok(ran) => ran,
        Err(error) => return Ok(teller.not_started(&error)),
    };
    let (said, ended) = teller.end(&ran);
    let replay = loaded.origin.replay_command(&loaded.settings);
    Ok(SingleRun {
        trace: teller.trace(&ran),
        output: String::from_utf8_lossy(ran.machine.output()).into_owned(),
        output_cut: ran.machine.output().len() == linspect_vm::MOST_OUTPUT,
        errors: String::from_utf8_lossy(ran.machine.errors()).into_owned(),
        said,
        ended,
        token: Some(replay.token(code, &client, &ran.schedule)),
    })
}

/// The client and who chooses its steps.
fn chosen(schedule: RunSchedule, code: &LoadedProgram) -> Result<(Client, Chooser), Error> {
    match schedule {
        RunSchedule::Seed(_) if !code.operations().is_empty() => Err(Error::NotAProgram),
        RunSchedule::Seed(seed) => Ok((Client::default(), Chooser::Random(seed))),
        RunSchedule::Token(token) if token.fingerprint != code.fingerprint() => {
            Err(Error::StaleToken)
        }
        RunSchedule::Token(token) => Ok((token.client, Chooser::Given(token.schedule))),
    }
}

fn end_of(fault: &Fault) -> RunEnd {
    match fault.kind {
        FaultKind::Unsupported => RunEnd::Impossible,
        FaultKind::Limit => RunEnd::Unfinished,
        _ => RunEnd::Wrong,
    }
}

/// Says what happened, in the source's words.
struct Teller<'a> {
    code: &'a LoadedProgram,
}

impl Teller<'_> {
    fn place(&self, site: SiteId) -> String {
        let Site { file, line, .. } = self.code.user_site(site);
        if line == 0 {
            return "somewhere".into();
        }
        format!("{file}:{line}")
    }

    /// A run that ended before it began.
    fn not_started(&self, error: &StartError) -> SingleRun {
        let (said, ended) = match error {
            StartError::Constructor(fault) | StartError::Prefix { fault, .. } => {
                (self.fault(fault), end_of(fault))
            }
            StartError::PrefixBlocks { index } => (
                format!("operation {index} of the prefix blocks for ever\n"),
                RunEnd::Wrong,
            ),
        };
        SingleRun {
            trace: String::new(),
            output: String::new(),
            output_cut: false,
            errors: String::new(),
            said,
            ended,
            token: None,
        }
    }

    fn trace(&self, ran: &Ran) -> String {
        let mut text = String::new();
        for step in &ran.execution.steps {
            for access in &step.accesses {
                let _ = writeln!(
                    text,
                    "T{} {}  {}",
                    step.choice.thread,
                    self.place(access.site),
                    describe(access, &ran.machine)
                );
            }
        }
        text
    }

    fn fault(&self, fault: &Fault) -> String {
        let mut text = format!("{}: {}\n", self.place(fault.site), fault.message);
        if let Some(related) = fault.related.filter(|site| *site != 0) {
            let _ = writeln!(text, "  see also {}", self.place(related));
        }
        text
    }

    /// How it ended, with the data races on the way.
    fn end(&self, ran: &Ran) -> (String, RunEnd) {
        let mut ended = RunEnd::Well;
        let mut text = match &ran.execution.end {
            End::Complete => match ran.machine.exit_code() {
                Some(code) => format!("ended with exit code {code}"),
                None => "ended".into(),
            },
            End::Deadlock(waiting) | End::Livelock(waiting) => {
                ended = RunEnd::Wrong;
                let mut text = String::from("deadlock: nobody can go on");
                for thread in waiting {
                    let site = ran.machine.next_site(*thread).unwrap_or(0);
                    let what = waits_for(&ran.machine.status(*thread), &ran.machine);
                    let _ = write!(text, "\n  T{thread} {} waits for {what}", self.place(site));
                }
                text
            }
            End::StepLimit => {
                ended = RunEnd::Unfinished;
                "stopped: the limit of steps was reached; it may never end".into()
            }
            End::Cut | End::Covered => {
                ended = RunEnd::Impossible;
                "stopped: the schedule does not fit".into()
            }
            End::Suffix(fault) => {
                ended = end_of(fault);
                self.fault(fault).trim_end().to_owned()
            }
            End::Fault => match ran.execution.steps.last().and_then(|s| s.fault.as_ref()) {
                Some(fault) => {
                    ended = end_of(fault);
                    self.fault(fault).trim_end().to_owned()
                }
                None => "went wrong".into(),
            },
        };
        let _ = writeln!(text, " · {} steps", ran.execution.steps.len());
        let steps = ran.execution.steps.iter();
        for race in races(steps, self.code.memory_model(), &mut FaultFree) {
            let (Some(first), Some(second)) = (race.first.1.access(), race.second.1.access())
            else {
                continue;
            };
            ended = ended.max(RunEnd::Wrong);
            let _ = writeln!(
                text,
                "data race on {}: {} and {} are not ordered",
                ran.machine.name(first.location),
                self.place(first.site),
                self.place(second.site)
            );
        }
        (text, ended)
    }
}

fn waits_for(status: &Status, machine: &impl Machine) -> String {
    match status {
        Status::Blocked(Blocked::Lock { location, holder }) => {
            let holder = holder.map_or(String::new(), |t| format!(", which T{t} holds"));
            format!("the lock {}{holder}", machine.name(*location))
        }
        Status::Blocked(Blocked::Join(thread)) => format!("the end of T{thread}"),
        Status::Blocked(Blocked::Exit(thread)) => {
            format!("the end of the process, until T{thread} has stopped")
        }
        Status::Blocked(Blocked::Wait(location)) => machine.name(*location),
        Status::Blocked(Blocked::Assumption) => "an assumption that does not hold".into(),
        Status::Blocked(Blocked::Spin(locations)) => {
            let names: Vec<String> = locations.iter().map(|l| machine.name(*l)).collect();
            format!("a change of {}", names.join(", "))
        }
        Status::Ready | Status::Done | Status::Blocked(Blocked::Parked) => "nothing".into(),
    }
}

fn describe(access: &Access, machine: &linspect_vm::Vm) -> String {
    let name = machine.name(access.location);
    let size = access.location.size;
    let read = machine.value(access.read, size);
    let written = machine.value(access.written, size);
    let what = match access.action {
        Action::Read => format!("{name} → {read}"),
        Action::Write => format!("{name} := {written}"),
        Action::Update | Action::CasOk => format!("{name} : {read} → {written}"),
        Action::CasFail => format!("{name} is {read}, compare-exchange fails"),
        Action::Lock => format!("lock {name}"),
        Action::LockFail => format!("lock {name} fails"),
        Action::Unlock => format!("unlock {name}"),
        Action::Wait => format!("wait on {name}"),
        Action::Wake | Action::Post => format!("wake those at {name}"),
        Action::SpuriousWake => format!("wake at {name} though nobody wakes it"),
        Action::Delay => "is late".into(),
        Action::Spawn => format!("starts T{}", access.location.offset),
        Action::Join => format!("joins T{}", access.location.offset),
        Action::Fence => "fence".into(),
        Action::Exit => "ends the process".into(),
        Action::Free => format!("free {name}"),
        Action::Tally => format!("count owners in {name}"),
        Action::Add => format!("add to {name}"),
    };
    let ordering = match access.ordering {
        Ordering::Plain | Ordering::SeqCst => return what,
        Ordering::Relaxed => "relaxed",
        Ordering::Acquire => "acquire",
        Ordering::Release => "release",
        Ordering::AcqRel => "acq_rel",
    };
    format!("{what} ({ordering})")
}
