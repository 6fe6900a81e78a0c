//! `linspect replay`: sees one run again.

use super::settings::{ProgramFiles, RunOptions};
use super::test::Test;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Files;
use crate::screen::Screen;
use linspect_engine::{RunSettings, read_token};
use std::path::PathBuf;

/// Options of `linspect replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Typed {
    /// The token that a report ends with
    #[arg(value_name = "TOKEN")]
    token: String,

    #[command(flatten)]
    program: ProgramFiles,

    #[command(flatten)]
    settings: RunOptions,

    /// Print the finding as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    outputs: Files,

    /// Where reports go
    #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
    out: PathBuf,
}

const EXAMPLES: &str = "\
A report ends with the whole command. A token knows the options of its test; those that are typed here count instead. A schedule that no longer
fits the program, because it was edited, is followed as far as it goes.

Exit codes: 0 the run is good, 1 it is bad, 2 error, 3 inconclusive (the schedule does not fit).";

/// Runs the schedule of a token and reports what happened. After an edit it is followed as far as it goes.
pub(crate) fn run(typed: Typed, screen: &mut Screen) -> Result<Exit, Failure> {
    let (token, settings, c_flags) = read_token(&typed.token)?;
    let ProgramFiles {
        files,
        c_flags: typed_flags,
    } = typed.program;
    let mut test = Test::of(files, None, typed.out);
    let flags = if typed_flags.is_empty() {
        c_flags
    } else {
        typed_flags
    };
    test.set(RunSettings::from(typed.settings).or(settings), flags);
    test.write_to(typed.json, typed.outputs);
    test.replay(token, screen)
}
