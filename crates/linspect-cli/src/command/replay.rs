//! `linspect replay`: sees one run again.

use super::test::Test;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use linspect_explore::token::Token;
use std::path::PathBuf;

/// Options of `linspect replay`.
#[derive(Debug, clap::Args)]
pub(crate) struct Typed {
    /// The token that a report ends with
    #[arg(value_name = "TOKEN")]
    token: String,

    /// The same files as in the test
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Where reports go
    #[arg(long, value_name = "FOLDER", default_value = "linspect-out")]
    out: PathBuf,
}

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
    Test::of(typed.files, None, typed.out).replay(&token, screen)
}
