//! `linspect report`: shows a saved finding again. Nothing is run; every form has the bytes of the original run.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{Files, read_finding};
use crate::screen::Screen;
use linspect_report::{Finding, json, terminal};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Options of `linspect report`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReportArgs {
    /// A finding: what --json printed, or a .json file beside a report; `-` is standard input
    #[arg(value_name = "FINDING")]
    finding: PathBuf,

    #[command(flatten)]
    files: Files,

    /// Print it as JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  linspect report linspect-out/queue.json                    the report in the terminal
  linspect report linspect-out/queue.json --html queue.html  as a page
  linspect test queue.rs --json | linspect report - --sarif queue.sarif

Exit codes: those of the run that made the finding; 2 if it cannot be read.";

/// Renders a saved finding.
pub(crate) fn run(typed: &ReportArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let finding = read(&typed.finding)?;
    if typed.json {
        screen.print(&json::write(&finding))?;
    } else {
        let options = screen.options(None);
        screen.print(&terminal::render(&finding, &options))?;
    }
    for place in typed.files.write(&finding, None)? {
        screen.note(&place);
    }
    Ok(Exit::of_finding(&finding))
}

fn read(path: &Path) -> Result<Finding, Failure> {
    let open = |error| Failure::Open {
        source_name: path.display().to_string(),
        error,
    };
    let text = match path.as_os_str() == "-" {
        true => read_finding(std::io::stdin().lock()),
        false => File::open(path).and_then(read_finding),
    };
    let text = text.map_err(open)?;
    json::read(&text).map_err(|error| Failure::Finding {
        source_name: path.display().to_string(),
        error: Box::new(error),
    })
}
