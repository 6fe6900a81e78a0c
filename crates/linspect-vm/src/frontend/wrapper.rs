//! `linspect cc` and `linspect c++`: a compiler for a project's own build system.
//!
//! The command runs as it was typed, by clang, so that objects, archives, libraries and programs are what the build expects. Then each source of the command is compiled once
//! more, the way Linspect compiles it, and the bitcode goes into a section of the file that the command wrote (`carried.rs`). Archivers and linkers carry the section along.

use super::clang::{Clang, find_clang, scratch};
use super::command::{CommandError, operand};
use super::{Language, LoadError, carried, linker};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a compiler command came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Compiled {
    /// clang's own exit code.
    pub code: u8,
    /// Sources whose bitcode could not be made, and why.
    pub without_bitcode: Vec<(PathBuf, String)>,
}

/// Which compiler is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// `cc`.
    C,
    /// `c++`.
    Cxx,
}

/// Runs clang with `arguments`, and adds the bitcode of their sources to what it wrote.
pub fn compile(compiler: Compiler, arguments: &[OsString]) -> Result<Compiled, LoadError> {
    let clang = find_clang(Path::new("this build"))?;
    let arguments = spelt_out(arguments)?;
    let line = CommandLine::read(&arguments);
    let mut command = Command::new(clang.path());
    if compiler == Compiler::Cxx {
        command.arg("--driver-mode=g++");
    }
    command.args(&arguments);
    if line.is_lto {
        // Objects would be optimised bitcode.
        command.arg("-fno-lto");
    }
    let status = command.status().map_err(|reason| CommandError::Start {
        tool: clang.path().to_owned(),
        reason,
    })?;
    let mut done = Compiled {
        code: status
            .code()
            .and_then(|code| u8::try_from(code).ok())
            .unwrap_or(1),
        ..Compiled::default()
    };
    if status.success() {
        for (output, sources) in line.outputs() {
            add_bitcode(&clang, compiler, &line, &output, &sources, &mut done)?;
        }
    }
    Ok(done)
}

/// Adds the bitcode of `sources` to the file `output`.
fn add_bitcode(
    clang: &Clang,
    compiler: Compiler,
    line: &CommandLine,
    output: &Path,
    sources: &[&Operand],
    done: &mut Compiled,
) -> Result<(), LoadError> {
    // Build systems try compilers out on `/dev/null`.
    if !output.is_file() {
        return Ok(());
    }
    let mut modules = Vec::new();
    for source in sources {
        let language = match compiler {
            Compiler::Cxx => Language::Cxx,
            Compiler::C => source.language,
        };
        match bitcode(clang, language, &line.flags, &source.file) {
            Ok(module) => modules.push(module),
            Err(LoadError::Compile { messages, .. }) => {
                done.without_bitcode.push((source.file.clone(), messages));
            }
            Err(error) => return Err(error),
        }
    }
    if let Some(file) = carried::with_modules(super::read(output)?, &modules) {
        std::fs::write(output, file).map_err(|reason| LoadError::Write {
            path: output.to_owned(),
            reason,
        })?;
    }
    Ok(())
}

/// What Linspect makes of `source`, with the flags of the project.
fn bitcode(
    clang: &Clang,
    language: Language,
    flags: &[OsString],
    source: &Path,
) -> Result<Vec<u8>, LoadError> {
    let scratch = scratch()?;
    let object = scratch.path().join("out.bc");
    let mut arguments = flags.to_vec();
    arguments.extend(clang.arguments(language, scratch.path()));
    // Warnings were said by the command itself. What checks or measures the native program is not wanted here.
    arguments.extend(
        [
            "-w",
            "-Qunused-arguments",
            "-U_FORTIFY_SOURCE",
            "-fno-sanitize=all",
            "-fno-lto",
        ]
        .map(OsString::from),
    );
    arguments.extend(["-c".into(), "-emit-llvm".into(), "-o".into()]);
    arguments.extend([object.clone().into_os_string(), operand(source)]);
    clang.run(source, &arguments)?;
    super::read(&object)
}

/// `arguments` with what response files say in their place.
fn spelt_out(arguments: &[OsString]) -> Result<Vec<OsString>, LoadError> {
    let mut out = Vec::new();
    for argument in arguments {
        match argument.to_str().and_then(|text| text.strip_prefix('@')) {
            Some(file) if Path::new(file).is_file() => {
                let text = String::from_utf8_lossy(&super::read(Path::new(file))?).into_owned();
                out.extend(linker::words(&text).into_iter().map(OsString::from));
            }
            _ => out.push(argument.clone()),
        }
    }
    Ok(out)
}

/// A source of a command.
#[derive(Debug, PartialEq, Eq)]
struct Operand {
    file: PathBuf,
    language: Language,
}

/// A compiler's command line, as far as it matters.
#[derive(Debug, Default, PartialEq, Eq)]
struct CommandLine {
    sources: Vec<Operand>,
    /// What follows `-o`.
    output: Option<PathBuf>,
    /// Whether objects are wanted (`-c`), not a program.
    objects: bool,
    /// Whether no machine code is wanted.
    stops_early: bool,
    is_lto: bool,
    /// What decides how a source is read.
    flags: Vec<OsString>,
}

/// Options after which clang makes no machine code, or says something about itself.
const STOPS: [&str; 8] = [
    "-E",
    "-S",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-emit-llvm",
    "-###",
    "--precompile",
];

/// Options whose value is the next word and says how a source is read.
const VALUED: [&str; 19] = [
    "-I",
    "-D",
    "-U",
    "-F",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-Xclang",
    "-Xpreprocessor",
    "-mllvm",
    "-target",
    "--param",
    "-arch",
];

/// Options whose value is the next word and has nothing to do with how a source is read.
const VALUED_ELSEWHERE: [&str; 12] = [
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xassembler",
    "-L",
    "-l",
    "-T",
    "-u",
    "-z",
    "-e",
];

/// Options that begin so are for the native program alone: dependencies of make, instrumentation, other names for files in debug information.
const LEFT_OUT: [&str; 13] = [
    "-M",
    "-Wp,-M",
    "-Wl,",
    "-Wa,",
    "-l",
    "-L",
    "-flto",
    "-fprofile",
    "-ftest-coverage",
    "-fcoverage",
    "--coverage",
    "-save-temps",
    "-fembed-bitcode",
];
const OTHER_NAMES: [&str; 4] = [
    "-ffile-prefix-map",
    "-fdebug-prefix-map",
    "-fmacro-prefix-map",
    "-fdebug-compilation-dir",
];

impl CommandLine {
    fn read(arguments: &[OsString]) -> Self {
        let mut line = Self::default();
        let mut forced: Option<Option<Language>> = None;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let text = argument.to_string_lossy();
            let is = |names: &[&str]| names.contains(&&*text);
            if is(&["-o"]) {
                line.output = rest.next().map(PathBuf::from);
            } else if is(&["-c"]) {
                line.objects = true;
            } else if let Some(name) = text.strip_prefix("-x") {
                let next = if name.is_empty() {
                    rest.next().map(|n| n.to_string_lossy())
                } else {
                    Some(name.into())
                };
                forced = forced_language(next.as_deref());
            } else if is(&VALUED_ELSEWHERE) {
                rest.next();
            } else if is(&STOPS) {
                line.stops_early = true;
            } else if is(&VALUED) {
                line.flags.push(argument.clone());
                line.flags.extend(rest.next().cloned());
            } else if text.starts_with('-') && text != "-" {
                line.is_lto |= text.starts_with("-flto");
                let is_for_others =
                    |names: &[&str]| names.iter().any(|name| text.starts_with(name));
                if !is_for_others(&LEFT_OUT) && !is_for_others(&OTHER_NAMES) {
                    line.flags.push(argument.clone());
                }
            } else if let Some(language) = forced.unwrap_or_else(|| of_source(Path::new(argument)))
                && text != "-"
            {
                let file = PathBuf::from(argument);
                line.sources.push(Operand { file, language });
            }
        }
        line
    }

    /// The files that the command writes, each with the sources in it.
    fn outputs(&self) -> Vec<(PathBuf, Vec<&Operand>)> {
        if self.stops_early || self.sources.is_empty() {
            return Vec::new();
        }
        if self.objects {
            let object = |source: &Operand| {
                let name = source.file.file_name().unwrap_or(OsStr::new("a"));
                self.output
                    .clone()
                    .unwrap_or_else(|| Path::new(name).with_extension("o"))
            };
            return self.sources.iter().map(|s| (object(s), vec![s])).collect();
        }
        let program = self.output.clone().unwrap_or_else(|| "a.out".into());
        vec![(program, self.sources.iter().collect())]
    }
}

/// What `-x` says: nothing with `none`, no source of ours with a language that is neither C nor C++.
fn forced_language(name: Option<&str>) -> Option<Option<Language>> {
    match name {
        Some("c" | "cpp-output") => Some(Some(Language::C)),
        Some("c++" | "c++-cpp-output") => Some(Some(Language::Cxx)),
        Some("none") | None => None,
        Some(_) => Some(None),
    }
}

/// What clang takes a file for.
fn of_source(file: &Path) -> Option<Language> {
    match file.extension()?.to_str()? {
        "c" | "i" => Some(Language::C),
        "cc" | "cpp" | "cxx" | "c++" | "C" | "CC" | "cp" | "CPP" | "ii" => Some(Language::Cxx),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> CommandLine {
        CommandLine::read(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    fn outputs(line: &str) -> Vec<(String, Vec<String>)> {
        let line = read(line);
        let named = |path: &Path| path.display().to_string();
        let outputs = line.outputs().into_iter();
        outputs
            .map(|(output, sources)| {
                (
                    named(&output),
                    sources.iter().map(|s| named(&s.file)).collect(),
                )
            })
            .collect()
    }

    fn expected(output: &str, sources: &[&str]) -> (String, Vec<String>) {
        (
            output.to_owned(),
            sources.iter().map(|&s| s.to_owned()).collect(),
        )
    }

    #[test]
    fn outputs_and_their_sources_are_known() {
        assert_eq!(
            outputs("-O2 -c src/a.c -o build/a.o"),
            [expected("build/a.o", &["src/a.c"])]
        );
        assert_eq!(
            outputs("-c src/a.c b.cc"),
            [expected("a.o", &["src/a.c"]), expected("b.o", &["b.cc"])]
        );
        assert_eq!(outputs("a.c b.o -lpthread"), [expected("a.out", &["a.c"])]);
        assert_eq!(
            outputs("-shared -o libx.so -Wl,-soname,libx.so.1 a.c b.c"),
            [expected("libx.so", &["a.c", "b.c"])]
        );
        assert_eq!(
            outputs("-MD -MF a.c -include b.c -c -o a.o c.c"),
            [expected("a.o", &["c.c"])]
        );
        for nothing in [
            "-E a.c",
            "-S a.c",
            "a.o b.o -o p",
            "-c a.S",
            "-x c -E -",
            "--version",
            "-MM a.c",
            "-x assembler a.c",
        ] {
            assert_eq!(outputs(nothing), [], "{nothing}");
        }
    }

    #[test]
    fn flags_of_the_native_program_alone_are_left_out() {
        let line = read(
            "-O2 -DX=1 -I inc -Wall -flto=auto -MMD -MP -MF x.d -Wl,-z,now -L. -lm --coverage -ffile-prefix-map=a=b -c a.c -o a.o -pthread",
        );
        let flags: Vec<_> = line.flags.iter().map(|f| f.to_string_lossy()).collect();
        assert_eq!(flags, ["-O2", "-DX=1", "-I", "inc", "-Wall", "-pthread"]);
        assert!(line.is_lto);
    }

    #[test]
    fn languages_can_be_forced() {
        let line = read("-x c++ a.c -x none b.c");
        let languages: Vec<_> = line.sources.iter().map(|s| s.language).collect();
        assert_eq!(languages, [Language::Cxx, Language::C]);
    }
}
