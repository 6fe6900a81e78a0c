//! `linspect man` and `linspect completions`: the command line described for `man` and for shells.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::section::Section;
use clap::CommandFactory;
use clap_complete::Shell;

/// Options of `linspect man`.
#[derive(Debug, clap::Args)]
pub(crate) struct TypedManual {
    /// The page of this command instead of that of linspect
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Options of `linspect completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = PLACES)]
pub(crate) struct TypedCompletions {
    /// Which shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const PLACES: &str = "\
Examples:
  linspect completions bash > ~/.local/share/bash-completion/completions/linspect
  linspect completions zsh  > ~/.zfunc/_linspect
  linspect completions fish > ~/.config/fish/completions/linspect.fish";

/// Prints a manual page.
pub(crate) fn manual(typed: &TypedManual, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut whole = crate::LinspectArgs::command();
    whole.build();
    let page = match &typed.command {
        None => whole,
        Some(name) => whole
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Failure::Usage {
                message: format!("there is no command `{name}`"),
                help: "see `linspect help`",
                section: Section::CommandLine,
            })?,
    };
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(page).render(&mut text);
    rendered.map_err(Failure::Output)?;
    screen.print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Holds)
}

/// Prints the completions of a shell.
pub(crate) fn completions(typed: &TypedCompletions, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(
        typed.shell,
        &mut crate::LinspectArgs::command(),
        "linspect",
        &mut text,
    );
    screen.print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Holds)
}
