//! The commands `linspect` and, under that name, `cargo-linspect`.

fn main() -> std::process::ExitCode {
    linspect_cli::run()
}
