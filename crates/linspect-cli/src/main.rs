//! The command line of Linspect. Only this crate prints, reads clocks and takes signals.

mod command;
mod exit;
mod failure;
mod infer;
mod interrupt;
mod limits;
mod progress;
mod screen;
mod source;
mod units;

use clap::Parser;
use command::Command;
use screen::{Color, Screen};

/// The linearizability debugger: decides recorded histories of concurrent objects, with evidence.
#[derive(Debug, Parser)]
#[command(name = "linspect", version, max_term_width = 100, after_help = EXIT_CODES)]
struct Typed {
    #[command(subcommand)]
    command: Command,

    /// When to use colours; NO_COLOR is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

const EXIT_CODES: &str = "\
Exit codes: 0 holds, 1 violation, 2 error, 3 inconclusive (a limit was reached, or Ctrl-C).

See `linspect help COMMAND` for examples.";

fn main() -> std::process::ExitCode {
    // Linspect starts itself to read modules that nobody vouches for, and as the linker of a cargo build.
    if let Some(code) = linspect_vm::frontend::helper::answer() {
        return code;
    }
    let typed = Typed::parse();
    let mut screen = Screen::new(typed.color);
    interrupt::listen();
    let exit = typed.command.run(&mut screen).unwrap_or_else(|failure| {
        screen.failure(&failure);
        failure.exit()
    });
    exit.into()
}
