//! `linspect cc` and `linspect c++`: the compiler of somebody's build.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::screen::Screen;
pub(crate) use linspect_engine::frontend::wrapper::Compiler;
use linspect_engine::frontend::wrapper::compile;
use std::ffi::OsString;
use std::path::Path;

/// What is typed after `linspect cc`, where options of Linspect stand before it.
#[derive(Debug, clap::Args)]
pub(crate) struct CompilerArgs {
    /// What clang is to do
    #[arg(
        value_name = "ARGUMENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

impl CompilerArgs {
    pub(crate) fn run(&self, compiler: Compiler, screen: &mut Screen) -> Result<Exit, Failure> {
        let command = CompilerCommand {
            compiler,
            arguments: &self.arguments,
        };
        command.run(screen).map(|code| match code {
            0 => Exit::Holds,
            _ => Exit::Error,
        })
    }
}

/// A command for clang.
pub(crate) struct CompilerCommand<'a> {
    compiler: Compiler,
    arguments: &'a [OsString],
}

impl<'a> CompilerCommand<'a> {
    /// The command in `typed`, which begins with the name of the program: `linspect cc …`, or `linspect-cc …` by a link of that name.
    pub(crate) fn typed(typed: &'a [OsString]) -> Option<Self> {
        let (program, rest) = typed.split_first()?;
        let name = Path::new(program).file_name()?.to_str()?;
        let (word, arguments) = match name.strip_prefix("linspect-") {
            Some(word) => (word, rest),
            None => (rest.first()?.to_str()?, &rest[1..]),
        };
        let compiler = match word {
            "cc" => Compiler::C,
            "c++" => Compiler::Cxx,
            _ => return None,
        };
        Some(Self {
            compiler,
            arguments,
        })
    }

    /// Does it; clang's own exit code.
    pub(crate) fn run(&self, screen: &mut Screen) -> Result<u8, Failure> {
        let done = compile(self.compiler, self.arguments).map_err(|e| Failure::Load(e.into()))?;
        for (source, messages) in &done.without_bitcode {
            let first = messages.lines().next().unwrap_or_default();
            screen.note(&format!(
                "linspect: no bitcode of {}: {first}",
                source.display()
            ));
        }
        Ok(done.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(Compiler, usize)> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        CompilerCommand::typed(&words).map(|c| (c.compiler, c.arguments.len()))
    }

    #[test]
    fn two_words_and_one_are_the_same_command() {
        assert_eq!(read("/usr/bin/linspect cc -c a.c"), Some((Compiler::C, 2)));
        assert_eq!(read("linspect c++ --version"), Some((Compiler::Cxx, 1)));
        assert_eq!(read("/opt/linspect-cc -c a.c"), Some((Compiler::C, 2)));
        assert_eq!(read("linspect-c++ cc"), Some((Compiler::Cxx, 1)));
        assert_eq!(read("linspect test cc"), None);
        assert_eq!(read("linspect"), None);
    }
}
