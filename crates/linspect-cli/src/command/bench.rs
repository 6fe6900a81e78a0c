//! `linspect bench`: says where the tables of the literature have gone.

use crate::failure::Failure;
use crate::section::Section;

/// Whatever is typed after `linspect bench`.
#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// The tables are no part of this command: the same words, where they mean something.
pub(crate) fn moved(typed: &BenchArgs) -> Failure {
    let words = match typed.words.is_empty() {
        true => "papers".to_owned(),
        false => typed.words.join(" "),
    };
    Failure::Usage {
        message: format!(
            "the tables of the literature are a command of their own: cargo run --release -p linspect-bench -- {words}"
        ),
        help: "run it in the sources of Linspect",
        section: Section::CommandLine,
    }
}
