//! `linspect run`: one run of a program, its outcome and its trace.

use super::settings::TypedStd;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use linspect_engine::frontend::Source;
use linspect_engine::{
    Loaded, ProgramOrigin, Reuse, RunEnd, RunSchedule, RunSettings, Token, read_token, run_once,
};
use std::path::PathBuf;

/// Options of `linspect run`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
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

pub(crate) fn run(typed: &RunArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let given = typed.schedule.as_deref().map(read_token).transpose()?;
    let (settings, c_flags) = typed.settings(given.as_ref());
    let origin = ProgramOrigin::Files(Source {
        files: typed.files.clone(),
        c_flags,
        ..Source::default()
    });
    let schedule = match given {
        Some((token, ..)) => RunSchedule::Token(token),
        None => RunSchedule::Seed(typed.seed),
    };
    let ran = run_once(&Loaded::load(origin, settings)?, schedule, typed.steps)?;
    if typed.trace {
        screen.print(&ran.trace)?;
    }
    screen.print(&ran.output)?;
    if ran.output_cut {
        screen.note("\nonly the first MiB of the output is shown");
    }
    if ran.token.is_some() {
        screen.note(ran.errors.trim_end());
    }
    screen.print(&ran.said)?;
    if let Some(token) = &ran.token {
        screen.print(&format!("replay: --schedule {token}\n"))?;
    }
    Ok(match ran.ended {
        RunEnd::Well => Exit::Holds,
        RunEnd::Wrong => Exit::Violation,
        RunEnd::Unfinished => Exit::Inconclusive,
        RunEnd::Impossible => Exit::Error,
    })
}

impl RunArgs {
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
