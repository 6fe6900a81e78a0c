//! The command `cargo linspect`: the program `linspect` beside this one, under the name of this one. A second program with everything in it would be as large, and take as
//! long to build.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let beside = env::current_exe().map(|this| this.with_file_name("linspect"));
    let error = match &beside {
        Ok(linspect) => Command::new(linspect)
            .arg0("cargo-linspect")
            .args(env::args_os().skip(1))
            .exec(),
        Err(error) => std::io::Error::new(error.kind(), error.to_string()),
    };
    eprintln!(
        "error: cannot start the program `linspect` that belongs beside `cargo-linspect`: {error}"
    );
    ExitCode::from(2)
}
