//! `linspect replay`: sees one run again.

use super::minimise;
use super::settings::RunOptions;
use super::test::Test;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Files;
use crate::screen::Screen;
use crate::section::Section;
use linspect_engine::{RunSettings, read_token};
use std::path::{Path, PathBuf};

/// Options of `linspect replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReplayArgs {
    /// A finding that was saved beside its report, or the token that a report ends with
    #[arg(value_name = "FINDING.json|TOKEN")]
    run: String,

    /// With a token: the files that were tested
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// One more argument for clang, such as -Iinclude
    #[arg(
        long = "cflag",
        value_name = "FLAG",
        allow_hyphen_values = true,
        help_heading = "How"
    )]
    c_flags: Vec<String>,

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
Examples:
  linspect replay linspect-out/stack.json    the run of a finding, with the options of its test
  linspect replay L2:… stack.c               the same from the token alone

A report ends with the whole command. A token knows the options of its test; those that are typed here count instead. A schedule that no longer
fits the program, because it was edited, is followed as far as it goes.

Exit codes: 0 the run is good, 1 it is bad, 2 error, 3 inconclusive (the schedule does not fit).";

/// Runs the schedule of a token and reports what happened. After an edit it is followed as far as it goes.
pub(crate) fn run(typed: ReplayArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let is_saved = Path::new(&typed.run)
        .extension()
        .is_some_and(|e| e == "json");
    if is_saved && typed.files.is_empty() {
        let mut saved = minimise::read(Path::new(&typed.run))?;
        saved.test.report_in(typed.out);
        saved.test.write_to(typed.json, typed.outputs);
        let known = Some(saved.finding);
        return saved.test.replay(saved.token, known, screen);
    }
    let (token, settings, c_flags) = read_token(&typed.run)?;
    if typed.files.is_empty() {
        return Err(Failure::Usage {
            message: "a token does not say which files were tested".into(),
            help: "name them after the token, or give the .json file beside the report instead",
            section: Section::CommandLine,
        });
    }
    let mut test = Test::of(typed.files, None, typed.out);
    let flags = match typed.c_flags.is_empty() {
        true => c_flags,
        false => typed.c_flags,
    };
    test.set(RunSettings::from(typed.settings).or(settings), flags);
    test.write_to(typed.json, typed.outputs);
    test.replay(token, None, screen)
}
