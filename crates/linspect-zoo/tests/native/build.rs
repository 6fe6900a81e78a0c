//! An object, its harness and the runtime as one native program.

use linspect_zoo::{Language, Object};
use object::{Object as _, ObjectSymbol};
use std::fmt::Write as _;
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
        for (i, file) in object.files.iter().enumerate() {
            let compiled = out.join(format!("{i}.o"));
            compile(object.language, &zoo.join(file), &compiled)?;
            objects.push(compiled);
        }
        let path = out.join("program");
        run(Command::new(compiler(object.language)?)
            .args(&objects)
            .arg("-pthread")
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
    let harness = zoo.join(harness);
    let folder = harness.parent().ok_or("the harness lies in a folder")?;
    let [compiled, table, declarations, runtime] =
        ["harness.o", "table.c", "table.o", "runtime.o"].map(|name| folder.join(name));
    if !runtime.exists() {
        compile(language, &harness, &compiled)?;
        fs::write(&table, declarations_in(&compiled)?).map_err(|e| e.to_string())?;
        compile(Language::C, &table, &declarations)?;
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native/runtime.c");
        compile(Language::C, &source, &runtime)?;
    }
    Ok(vec![compiled, declarations, runtime])
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

/// A C table of the functions by which the harness in `compiled` declares its operations.
fn declarations_in(compiled: &Path) -> Result<String, String> {
    let data = fs::read(compiled).map_err(|e| e.to_string())?;
    let file = object::File::parse(&*data).map_err(|e| e.to_string())?;
    let mut names: Vec<&str> = file
        .symbols()
        .filter_map(|symbol| symbol.name().ok())
        .filter(|name| name.starts_with("linspect_declare_"))
        .collect();
    names.sort_unstable();
    let mut text = String::new();
    for name in &names {
        writeln!(text, "void {name}(void);").expect("a String takes it");
    }
    let list = names.join(", ");
    writeln!(text, "extern void (*const declarations[])(void);").expect("a String takes it");
    writeln!(text, "void (*const declarations[])(void) = {{{list}, 0}};")
        .expect("a String takes it");
    Ok(text)
}
