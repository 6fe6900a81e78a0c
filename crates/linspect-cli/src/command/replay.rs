//! `linspect replay`: sees one run again.

use super::test::{Test, TypedAllocator};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Files;
use crate::screen::Screen;
use linspect_explore::token::Token;
use std::path::PathBuf;

/// Options of `linspect replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Typed {
    /// The token that a report ends with
    #[arg(value_name = "TOKEN")]
    token: String,

    /// The same files as in the test
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The specification of the test, if one was given
    #[arg(long, value_name = "NAME")]
    spec: Option<String>,

    /// How relaxed the object was allowed to be
    #[arg(long, value_name = "K")]
    relax: Option<u32>,

    /// The functions of the test, if it was of a plain program
    #[arg(long, value_name = "FUNCTIONS", value_delimiter = ',')]
    ops: Vec<String>,

    /// What happened to freed memory in the test
    #[arg(long, value_name = "MODE", default_value = "reuse")]
    allocator: TypedAllocator,

    /// One more argument for clang, such as -Iinclude
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    c_flags: Vec<String>,

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
A report ends with the whole command. After an edit the schedule is followed as far as it goes.

Exit codes: 0 the run is good, 1 it is bad, 2 error, 3 inconclusive.";

/// Runs the schedule of a token and reports what happened. After an edit it is followed as far as it goes.
pub(crate) fn run(typed: Typed, screen: &mut Screen) -> Result<Exit, Failure> {
    let token: Token =
        typed
            .token
            .parse()
            .map_err(
                |error: linspect_explore::token::TokenError| Failure::Usage {
                    message: error.to_string(),
                    help: "copy the whole token from a report",
                },
            )?;
    let mut test = Test::of(typed.files, None, typed.out);
    test.repeat(
        typed.spec,
        typed.relax,
        typed.ops,
        typed.allocator,
        typed.c_flags,
    );
    test.write_to(typed.json, typed.outputs);
    test.replay(&token, screen)
}
