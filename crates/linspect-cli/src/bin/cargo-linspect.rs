//! The command `cargo linspect`.

fn main() -> std::process::ExitCode {
    linspect_cli::cargo_linspect()
}
