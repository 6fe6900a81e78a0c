//! An object, its harness and the runtime as one native program.

use linspect_zoo::{Language, Object};
use object::{Object as _, ObjectSymbol};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, thread};

/// A program that runs one object's operations.
pub(crate) struct Binary {
    path: PathBuf,
}

impl Binary {
    /// Compiles `object`, whose files lie below `zoo`; a warning is an error.
    pub(crate) fn build(object: &Object, zoo: &Path) -> Result<Self, String> {
        let out = zoo.join("build").join(&object.name);
        fs::create_dir_all(&out).map_err(|e| e.to_string())?;
        let harness = object.harness.as_ref().ok_or("has no harness")?;
        let mut objects = family(object.language, zoo, harness)?;
        // A Rust harness contains its object.
        if object.language != Language::Rust {
            for (i, file) in object.files.iter().enumerate() {
                let compiled = out.join(format!("{i}.o"));
                compile(object.language, &zoo.join(file), &compiled)?;
                objects.push(compiled);
            }
        }
        let path = out.join("program");
        run(Command::new(compiler(object.language)?)
            .args(&objects)
            .args(["-pthread", "-ldl", "-lm"])
            .arg("-o")
            .arg(&path))?;
        Ok(Self { path })
    }

    /// What it prints when it is started with `arguments` and reads `input`.
    pub(crate) fn run(&self, arguments: &[String], input: String) -> Result<String, String> {
        let mut child = Command::new(&self.path)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        let mut stdin = child.stdin.take().expect("piped");
        // In a thread of its own: both pipes can fill up.
        let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().map_err(|e| e.to_string())?;
        if writer.join().expect("does not panic").is_err() || !output.status.success() {
            return Err(format!("the program ended with {}", output.status));
        }
        String::from_utf8(output.stdout).map_err(|e| e.to_string())
    }
}

/// What all objects of a family share: the harness, the table of its declarations, and the runtime.
fn family(language: Language, zoo: &Path, harness: &str) -> Result<Vec<PathBuf>, String> {
    let folder = zoo.join("build").join(harness.replace('/', "-"));
    let [compiled, table, declarations, runtime] =
        ["harness.o", "table.c", "table.o", "runtime.o"].map(|name| folder.join(name));
    if !runtime.exists() {
        fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let text = if language == Language::Rust {
            compile_rust(&zoo.join(harness), &compiled, &folder)?;
            bridge_to(&harness_in(&compiled)?)
        } else {
            compile(language, &zoo.join(harness), &compiled)?;
            table_of(&declarations_in(&compiled)?)
        };
        fs::write(&table, text).map_err(|e| e.to_string())?;
        compile(Language::C, &table, &declarations)?;
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native/runtime.c");
        compile(Language::C, &source, &runtime)?;
    }
    Ok(vec![declarations, runtime, compiled])
}

/// Compiles a Rust harness, with its object and the crate `linspect`, to a static library.
fn compile_rust(source: &Path, compiled: &Path, folder: &Path) -> Result<(), String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let facade = Path::new(env!("CARGO_MANIFEST_DIR")).join("../linspect/src/lib.rs");
    let library = folder.join("liblinspect.rlib");
    let common = [
        "--edition",
        "2024",
        "--cfg",
        "linspect",
        "-C",
        "panic=abort",
    ];
    let macros = folder.join("liblinspect_macros.so");
    run(Command::new(&rustc)
        .args(["--edition", "2024", "--crate-type", "proc-macro"])
        .args(["--crate-name", "linspect_macros", "--extern", "proc_macro"])
        .arg(facade.with_file_name("macros/lib.rs"))
        .arg("-o")
        .arg(&macros))?;
    run(Command::new(&rustc)
        .args(common)
        .args(["--crate-type", "rlib", "--crate-name", "linspect"])
        .arg("--extern")
        .arg(format!("linspect_macros={}", macros.display()))
        .arg(facade)
        .arg("-o")
        .arg(&library))?;
    let mut facade = std::ffi::OsString::from("linspect=");
    facade.push(&library);
    run(Command::new(&rustc)
        .args(common)
        .args([
            "--crate-type",
            "staticlib",
            "-O",
            "-D",
            "warnings",
            "--extern",
        ])
        .arg(facade)
        .arg("-L")
        .arg(folder)
        .arg(source)
        .arg("-o")
        .arg(compiled))
}

fn compile(language: Language, source: &Path, compiled: &Path) -> Result<(), String> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../linspect-vm/include");
    let standard = match language {
        Language::C => "-std=c11",
        Language::Cpp => "-std=c++17",
        Language::Rust => return Err("is not for a C compiler".to_owned()),
    };
    run(Command::new(compiler(language)?)
        .args([
            standard, "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-I",
        ])
        .arg(include)
        .arg("-c")
        .arg(source)
        .arg("-o")
        .arg(compiled))
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The clang found first.
fn compiler(language: Language) -> Result<PathBuf, String> {
    let stem = if language == Language::Cpp {
        "clang++"
    } else {
        "clang"
    };
    let names = [String::new()]
        .into_iter()
        .chain((14..=30).rev().map(|version| format!("-{version}")))
        .map(|suffix| format!("{stem}{suffix}"));
    let path = env::var_os("PATH").unwrap_or_default();
    names
        .flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(&name)))
        .find(|candidate| candidate.is_file())
        .ok_or_else(|| format!("there is no {stem} on PATH; install one to test the zoo"))
}

/// The functions by which the harness in `compiled` declares its operations.
fn declarations_in(compiled: &Path) -> Result<Vec<String>, String> {
    let data = fs::read(compiled).map_err(|e| e.to_string())?;
    let file = object::File::parse(&*data).map_err(|e| e.to_string())?;
    let mut names: Vec<String> = file
        .symbols()
        .filter_map(|symbol| symbol.name().ok())
        .filter(|name| name.starts_with("linspect_declare_"))
        .map(str::to_owned)
        .collect();
    names.sort_unstable();
    Ok(names)
}

/// The name of the Rust harness in the library `compiled`, as it stands in its symbols: `linspect_object:ms_queue::queue`.
fn harness_in(compiled: &Path) -> Result<String, String> {
    let data = fs::read(compiled).map_err(|e| e.to_string())?;
    let archive = object::read::archive::ArchiveFile::parse(&*data).map_err(|e| e.to_string())?;
    for member in archive.members().flatten() {
        let Ok(file) = object::File::parse(member.data(&*data).map_err(|e| e.to_string())?) else {
            continue;
        };
        let mut names = file.symbols().filter_map(|s| s.name().ok());
        if let Some(name) = names.find_map(|n| n.strip_prefix("linspect_object:")) {
            return Ok(name.to_owned());
        }
    }
    Err(format!("there is no harness in {}", compiled.display()))
}

/// What the runtime calls, in terms of a Rust harness, whose symbols are no names of C.
fn bridge_to(harness: &str) -> String {
    format!(
        "void object(void) __asm__(\"linspect_object:{harness}\");\n\
         void declare(void) __asm__(\"linspect_declare_harness:{harness}\");\n\
         void linspect_object(void);\n\
         void linspect_object(void) {{ object(); }}\n\
         extern void (*const declarations[])(void);\n\
         void (*const declarations[])(void) = {{declare, 0}};\n"
    )
}

/// A C table of the functions `names`.
fn table_of(names: &[String]) -> String {
    let prototypes: String = names
        .iter()
        .map(|name| format!("void {name}(void);\n"))
        .collect();
    let list = names.join(", ");
    format!(
        "{prototypes}extern void (*const declarations[])(void);\n\
         void (*const declarations[])(void) = {{{list}, 0}};\n"
    )
}
