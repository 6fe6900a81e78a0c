//! `linspect run`: one run of a program, its outcome and its trace.

use super::settings::TypedStd;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use linspect_core::client::Client;
use linspect_core::execution::{Access, Action, End, Fault, FaultKind, Ordering, SiteId};
use linspect_core::machine::{Blocked, Machine, Site, StartError, Status, Subject};
use linspect_engine::{Loaded, Origin, RunSettings, read_token, shared_word};
use linspect_explore::races::races_of;
use linspect_explore::token::Token;
use linspect_vm::frontend::Source;
use linspect_vm::{Chooser, Code, Ran, Reuse};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Options of `linspect run`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Typed {
    /// A program with a main, in one or more files: C, C++, Rust, LLVM bitcode
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Where the random schedule starts
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// The schedule of this token instead of a random one
    #[arg(long, value_name = "TOKEN", conflicts_with = "seed")]
    schedule: Option<String>,

    /// Print every visible access
    #[arg(long)]
    trace: bool,

    /// The most steps; a program that needs more may never end
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    steps: usize,

    /// Never hand out freed memory again
    #[arg(long)]
    fresh: bool,

    /// Report memory that is never freed
    #[arg(long)]
    leaks: bool,

    /// Whether accesses inside Rust's standard library are steps [default: trusted]
    #[arg(long, value_name = "HOW")]
    std: Option<TypedStd>,

    /// One more argument for clang, such as -Iinclude
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    c_flags: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  linspect run program.c                     one random schedule
  linspect run program.c --seed 7 --trace    another one, with every visible access
  linspect run program.rs --schedule L2:…    the run that a token stands for

Exit codes: 0 it ended well, 1 it went wrong, 2 error, 3 it did not end.";

pub(crate) fn run(typed: &Typed, screen: &mut Screen) -> Result<Exit, Failure> {
    let given = typed.schedule.as_deref().map(read_token).transpose()?;
    let (settings, c_flags) = typed.settings(given.as_ref());
    let source = Source {
        files: typed.files.clone(),
        c_flags: c_flags.clone(),
        ..Source::default()
    };
    let loaded = Loaded::load(Origin::Files(source), settings.clone())?;
    let mut code = loaded.into_code();
    let given = given.map(|(token, ..)| token);
    let (client, chooser) = chosen(typed, given, &code)?;
    let mut ran = linspect_vm::run(&code, &client, &chooser, typed.steps);
    loop {
        let hidden = code.take_hidden();
        if hidden.is_empty() {
            break;
        }
        code = code.sharing(hidden);
        ran = linspect_vm::run(&code, &client, &chooser, typed.steps);
    }
    let told = Told { code: &code };
    let ran = match ran {
        Ok(ran) => ran,
        Err(StartError::Constructor(fault) | StartError::Prefix { fault, .. }) => {
            screen.print(&told.fault(&fault))?;
            return Ok(exit_of(&fault));
        }
        Err(StartError::PrefixBlocks { index }) => {
            screen.print(&format!(
                "operation {index} of the prefix blocks for ever\n"
            ))?;
            return Ok(Exit::Violation);
        }
    };
    if typed.trace {
        screen.print(&told.trace(&ran))?;
    }
    screen.print(&String::from_utf8_lossy(ran.machine.output()))?;
    if ran.machine.output().len() == linspect_vm::MOST_OUTPUT {
        screen.note("\nonly the first MiB of the output is shown");
    }
    screen.note(String::from_utf8_lossy(ran.machine.errors()).trim_end());
    let (text, exit) = told.end(&ran);
    let mut words = settings.words();
    words.extend(c_flags.iter().map(|flag| format!("--cflag={flag}")));
    words.extend(shared_word(&code));
    let token = Token {
        fingerprint: code.fingerprint(),
        client,
        schedule: ran.schedule.clone(),
        settings: words,
    };
    screen.print(&format!("{text}replay: --schedule {token}\n"))?;
    Ok(exit)
}

impl Typed {
    /// What decides what the schedule means, and the arguments for clang: as typed, else as the token says.
    fn settings(
        &self,
        given: Option<&(Token, RunSettings, Vec<String>)>,
    ) -> (RunSettings, Vec<String>) {
        let typed = RunSettings {
            allocator: self.fresh.then_some(Reuse::Fresh),
            leaks: self.leaks,
            std: self.std.map(Into::into),
            ..RunSettings::default()
        };
        match given {
            None => (typed, self.c_flags.clone()),
            Some((_, settings, flags)) if self.c_flags.is_empty() => {
                (typed.or(settings.clone()), flags.clone())
            }
            Some((_, settings, _)) => (typed.or(settings.clone()), self.c_flags.clone()),
        }
    }
}

/// The client and who chooses its steps.
fn chosen(typed: &Typed, given: Option<Token>, code: &Code) -> Result<(Client, Chooser), Failure> {
    let Some(token) = given else {
        if !code.operations().is_empty() {
            return Err(Failure::Usage {
                message: "this is a harness: it has operations to call, not a program to run"
                    .into(),
                help: "use `linspect test`, or give the --schedule that it printed",
            });
        }
        return Ok((Client::default(), Chooser::Random(typed.seed)));
    };
    if token.fingerprint != code.fingerprint() {
        return Err(Failure::Usage {
            message: "the program has changed since this token was made".into(),
            help: "run it anew without --schedule",
        });
    }
    Ok((token.client, Chooser::Given(token.schedule)))
}

fn exit_of(fault: &Fault) -> Exit {
    match fault.kind {
        FaultKind::Unsupported => Exit::Error,
        FaultKind::Limit => Exit::Inconclusive,
        _ => Exit::Violation,
    }
}

/// Says what happened, in the source's words.
struct Told<'a> {
    code: &'a Code,
}

impl Told<'_> {
    fn place(&self, site: SiteId) -> String {
        let Site { file, line, .. } = self.code.user_site(site);
        if line == 0 {
            return "somewhere".into();
        }
        format!("{file}:{line}")
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
        if let Some(related) = fault.related {
            let _ = writeln!(text, "  see also {}", self.place(related));
        }
        text
    }

    /// How it ended, with the data races on the way.
    fn end(&self, ran: &Ran) -> (String, Exit) {
        let mut exit = Exit::Holds;
        let mut text = match &ran.execution.end {
            End::Complete => match ran.machine.exit_code() {
                Some(code) => format!("ended with exit code {code}"),
                None => "ended".into(),
            },
            End::Deadlock(waiting) | End::Livelock(waiting) => {
                exit = Exit::Violation;
                let mut text = String::from("deadlock: nobody can go on");
                for thread in waiting {
                    let site = ran.machine.next_site(*thread).unwrap_or(0);
                    let what = waits_for(&ran.machine.status(*thread), &ran.machine);
                    let _ = write!(text, "\n  T{thread} {} waits for {what}", self.place(site));
                }
                text
            }
            End::StepLimit => {
                exit = Exit::Inconclusive;
                "stopped: the limit of steps was reached; it may never end".into()
            }
            End::Cut | End::Covered => {
                exit = Exit::Error;
                "stopped: the schedule does not fit".into()
            }
            End::Suffix(fault) => {
                exit = exit_of(fault);
                self.fault(fault).trim_end().to_owned()
            }
            End::Fault => match ran.execution.steps.last().and_then(|s| s.fault.as_ref()) {
                Some(fault) => {
                    exit = exit_of(fault);
                    self.fault(fault).trim_end().to_owned()
                }
                None => "went wrong".into(),
            },
        };
        let _ = writeln!(text, " · {} steps", ran.execution.steps.len());
        for race in races_of(ran.execution.steps.iter()) {
            exit = exit.max(Exit::Violation);
            let (first, second) = (&race.first.1, &race.second.1);
            let _ = writeln!(
                text,
                "data race on {}: {} and {} are not ordered",
                ran.machine.name(first.location),
                self.place(first.site),
                self.place(second.site)
            );
        }
        (text, exit)
    }
}

fn waits_for(status: &Status, machine: &impl Machine) -> String {
    match status {
        Status::Blocked(Blocked::Lock { location, holder }) => {
            let holder = holder.map_or(String::new(), |t| format!(", which T{t} holds"));
            format!("the lock {}{holder}", machine.name(*location))
        }
        Status::Blocked(Blocked::Join(thread)) => format!("the end of T{thread}"),
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
        Action::Spawn => format!("starts T{}", access.location.offset),
        Action::Join => format!("joins T{}", access.location.offset),
        Action::Fence => "fence".into(),
        Action::Exit => "ends the process".into(),
        Action::Free => format!("free {name}"),
        Action::Tally => format!("count owners in {name}"),
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
