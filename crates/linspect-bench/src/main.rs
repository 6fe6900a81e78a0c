//! Linspect beside the literature: the tables of the papers, every known fault of the zoo, long random runs made small.
//!
//! `cargo run --release -p linspect-bench -- papers --only ru`

mod cgvt;
mod detection;
mod every;
mod failure;
mod long;
mod papers;
mod races;
mod repaired;
mod row;
mod rows;
mod sections;
mod slices;
mod weak;

use clap::Parser;
use failure::Failure;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Compares Linspect with the literature: every table, row by row
#[derive(Debug, Parser)]
#[command(name = "linspect-bench", version, max_term_width = 100)]
struct BenchArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// The tables of the papers; exit code 1 if a row falls short
    Papers(papers::PapersArgs),
    /// How long it takes to find every known fault of the zoo; exit code 1 if one is missed
    Detection(detection::DetectionArgs),
    /// Long random runs of every wrong object, made the smallest tests; exit code 1 if one is not certified within a second
    Minimise(every::MinimiseArgs),
    /// Faults of orderings, found without an option, and their repairs; exit code 1 if one is missed, slow, or repaired otherwise
    Weak(weak::WeakArgs),
}

fn main() -> ExitCode {
    let done = match BenchArgs::parse().what {
        What::Papers(typed) => papers::run(&typed),
        What::Detection(typed) => detection::run(&typed),
        What::Minimise(typed) => every::run(&typed),
        What::Weak(typed) => weak::run(&typed),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(2)
        }
    }
}

/// Prints results. A reader that went away, such as `head`, is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}
