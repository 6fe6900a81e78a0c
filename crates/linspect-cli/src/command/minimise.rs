//! `linspect minimise`: makes the test of a finding smaller, with another budget.

use super::test::{self, Output, Test};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::read_finding;
use crate::screen::Screen;
use crate::section::Section;
use crate::units::{self, TimeLimit};
use clap::Parser;
use linspect_engine::Token;
use linspect_report::finding::Finding;
use linspect_report::json;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Options of `linspect minimise`.
#[derive(Debug, clap::Args)]
pub(crate) struct MinimiseArgs {
    /// A finding, as `linspect test` writes it beside its report
    #[arg(value_name = "FINDING.json")]
    finding: PathBuf,

    /// How long it may take; `none` for no limit
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = units::timeout)]
    budget: TimeLimit,

    #[command(flatten)]
    output: Output,
}

/// The test that made a finding, as it was typed.
#[derive(Debug, Parser)]
struct Again {
    #[command(flatten)]
    test: test::TestArgs,
}

/// Loads the program of the finding and goes on from the test that it has.
pub(crate) fn run(typed: MinimiseArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let Saved { token, test, .. } = read(&typed.finding)?;
    test.minimise(token, typed.budget, typed.output, screen)
}

/// A saved finding, the run that it is about, and the test that made it.
pub(super) struct Saved {
    pub(super) finding: Finding,
    pub(super) token: Token,
    pub(super) test: Test,
}

pub(super) fn read(path: &Path) -> Result<Saved, Failure> {
    let unusable = |reason: String| Failure::Usage {
        message: format!("{}: {reason}", path.display()),
        help: "give the .json file that `linspect test` wrote",
        section: Section::Replays,
    };
    let text = File::open(path).and_then(read_finding);
    let text = text.map_err(|error| unusable(error.to_string()))?;
    let finding = json::read(&text).map_err(|error| unusable(error.to_string()))?;
    let replay = finding.replay.clone();
    let replay = replay.filter(|replay| !replay.arguments.is_empty());
    let replay = replay.ok_or_else(|| unusable("it does not say which program failed".into()))?;
    let token = replay.token.parse::<Token>();
    let token = token.map_err(|error| unusable(error.to_string()))?;
    let words = std::iter::once("linspect test".to_owned()).chain(replay.arguments);
    let again = Again::try_parse_from(words).map_err(|error| unusable(error.to_string()))?;
    Ok(Saved {
        finding,
        token,
        test: Test::try_from(again.test)?,
    })
}
