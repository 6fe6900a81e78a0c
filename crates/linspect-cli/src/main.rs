//! The command `linspect`.

fn main() -> std::process::ExitCode {
    linspect_cli::linspect()
}
