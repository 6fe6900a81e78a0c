//! The command lines of Linspect: `linspect` and `cargo linspect`. Only this crate prints, reads clocks and takes signals.

mod cargo;
mod command;
mod cores;
mod exit;
mod failure;
mod files;
mod interrupt;
mod pages;
mod partition;
mod progress;
mod screen;
mod section;
mod source;
mod tips;
mod units;

use clap::Parser;
use command::Command;
use failure::Failure;
use linspect_engine::internal;
use screen::{Amount, Color, Screen};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The linearizability debugger: tests concurrent objects in C, C++ and Rust, decides recorded histories, and says why.
#[derive(Debug, Parser)]
#[command(name = "linspect", version, max_term_width = 100, after_help = EXIT_CODES)]
struct LinspectArgs {
    #[command(subcommand)]
    command: Command,

    /// When to use colours; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,

    #[command(flatten)]
    amount: Amount,
}

const EXIT_CODES: &str = "\
Examples:
  linspect demo                         a broken object taken apart
  linspect test stack.rs                an object with a harness
  linspect test queue.c --functions enq,deq   a program; these are its operations
  linspect check run.jsonl              a history that somebody recorded
  linspect report linspect-out/x.json   a finding shown again
  CC='linspect cc' make                 a project, built with bitcode in its objects

Exit codes: 0 holds, 1 violation, 2 error, 3 inconclusive (a limit was reached, or Ctrl-C).

See `linspect help COMMAND` for examples.";

/// What the program is called as: the command `linspect`, or `cargo-linspect`.
pub fn run() -> ExitCode {
    let name = std::env::args_os().next().map(PathBuf::from);
    match name.as_deref().and_then(Path::file_stem) {
        Some(stem) if stem == "cargo-linspect" => cargo_linspect(),
        _ => linspect(),
    }
}

/// The command `linspect`.
fn linspect() -> ExitCode {
    // Linspect starts itself to read modules that nobody vouches for, and as the linker of a cargo build.
    if let Some(code) = linspect_engine::frontend::helper::answer() {
        return code;
    }
    // Everything behind `cc` is clang's, whatever it looks like.
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(command) = command::compiler::CompilerCommand::typed(&arguments) {
        let mut screen = Screen::new(Color::default(), Amount::default());
        return command.run(&mut screen).map_or_else(
            |failure| {
                screen.failure(&failure);
                failure.exit().into()
            },
            ExitCode::from,
        );
    }
    let typed = LinspectArgs::try_parse().unwrap_or_else(|error| tips::with_tip(error).exit());
    let mut screen = Screen::new(typed.color, typed.amount);
    interrupt::listen();
    internal::listen();
    let done = internal::caught("running this command", || typed.command.run(&mut screen));
    let done = done.unwrap_or_else(|error| Err(Failure::Internal(error)));
    let exit = done.unwrap_or_else(|failure| {
        screen.failure(&failure);
        failure.exit()
    });
    exit.into()
}

/// The command `cargo linspect`.
fn cargo_linspect() -> ExitCode {
    if let Some(code) = linspect_engine::frontend::helper::answer() {
        return code;
    }
    // cargo passes the name of its subcommand on.
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|a| a == "linspect") {
        arguments.remove(1);
    }
    let typed = cargo::CargoArgs::try_parse_from(arguments);
    let typed = typed.unwrap_or_else(|error| tips::with_tip(error).exit());
    let mut screen = Screen::new(typed.color, typed.amount);
    interrupt::listen();
    internal::listen();
    let done = internal::caught("running this command", || typed.run(&mut screen));
    done.map_or_else(
        |error| {
            let failure = Failure::Internal(error);
            screen.failure(&failure);
            failure.exit().into()
        },
        ExitCode::from,
    )
}
