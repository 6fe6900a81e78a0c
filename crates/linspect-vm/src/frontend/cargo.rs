//! Packages: cargo builds them as always, with Linspect in place of the linker.

use super::command::{CommandError, find, messages};
use super::select::select;
use super::{Entry, LoadError, helper, index, linker, loom, rustc};
use crate::program::Program;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What to build.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// The package's `Cargo.toml`.
    pub manifest: PathBuf,
    /// Where cargo may put its output; not the user's own target directory, since the flags differ.
    pub target_directory: PathBuf,
    /// Which targets, as cargo names them: `["--test", "queue"]`, `["--example", "stack"]`. Empty: all tests. Examples and binaries are
    /// built as programs, everything else as tests.
    pub selection: Vec<String>,
    /// Whether cargo's progress and the compiler's messages go to standard error as they come, instead of into the error.
    pub echo: bool,
}

/// One linked program of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// The package it belongs to.
    pub package: String,
    /// Whether it is a test program, not one with a `main` of its own.
    pub is_test: bool,
    /// Where its bundle is: load it with [`load_bundle`].
    pub bundle: PathBuf,
}

/// Builds the programs of a package. `linker` is an executable whose `main` starts with [`super::helper::answer`].
pub fn build(package: &Package, linker: &Path) -> Result<Vec<Target>, LoadError> {
    let about = rustc::find_rustc(&package.manifest)?.about()?;
    let cargo = find(["cargo".to_owned()]).ok_or_else(|| LoadError::NoCompiler {
        compiler: "cargo",
        install: "curl https://sh.rustup.rs -sSf | sh",
        file: package.manifest.clone(),
    })?;
    let folder = loom::write(&package.target_directory)?;
    let mut flags = own_flags();
    flags.extend(
        [
            "-C",
            &format!("linker={}", linker.display()),
            "-Clinker-plugin-lto",
            "-Ccodegen-units=1",
            "-Copt-level=0",
            "-Cdebuginfo=2",
            "--cfg=linspect",
            // Warnings are for everyday builds; a lint that is forbidden there must not get into the way here.
            "--cap-lints=allow",
            // cargo compiles loom anew when these sources are others.
            &format!("--cfg=linspect_loom=\"{}\"", loom::digest()),
        ]
        .map(str::to_owned),
    );
    let output = Command::new(&cargo)
        .args(verb(&package.selection))
        // `--target` keeps build scripts and procedural macros native.
        .args(["--message-format=json-render-diagnostics", "--target"])
        .arg(&about.host)
        .arg("--manifest-path")
        .arg(&package.manifest)
        .arg("--target-dir")
        .arg(&package.target_directory)
        .args(&package.selection)
        .envs(unoptimised(&package.selection))
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join(SEPARATOR))
        .env(loom::WRAPPER, std::env::var_os(WRAPPER).unwrap_or_default())
        .env(WRAPPER, linker)
        .env(loom::FOLDER, folder)
        .env(helper::MARKER, helper::LINK)
        .env(helper::PRODUCER, about.version.0.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(if package.echo {
            Stdio::inherit()
        } else {
            Stdio::piped()
        })
        .spawn()
        .and_then(Child::wait_with_output)
        .map_err(|reason| CommandError::Start {
            tool: cargo.clone(),
            reason,
        })?;
    if !output.status.success() {
        return Err(LoadError::Compile {
            compiler: "cargo".to_owned(),
            file: package.manifest.clone(),
            messages: messages(&output),
        });
    }
    Ok(targets(&String::from_utf8_lossy(&output.stdout)))
}

/// The variables that tell cargo that its profiles optimise nothing. It must know, not only rustc: whether assertions are on unless a profile says so depends on it.
fn unoptimised(selection: &[String]) -> Vec<(String, &'static str)> {
    let named = selection.windows(2).filter(|pair| pair[0] == "--profile");
    let profiles = ["dev", "test", "release", "bench"].into_iter();
    let profiles = profiles.chain(named.map(|pair| pair[1].as_str()));
    let variable = |profile: &str| {
        let profile = profile.to_uppercase().replace('-', "_");
        (format!("CARGO_PROFILE_{profile}_OPT_LEVEL"), "0")
    };
    profiles.map(variable).collect()
}

/// What cargo separates encoded flags by.
const SEPARATOR: &str = "\u{1f}";

/// The environment variable that names what cargo starts in place of rustc.
const WRAPPER: &str = "RUSTC_WRAPPER";

/// The flags that the user has set, which cargo reads from the environment: `--cfg loom` for a suite of loom.
fn own_flags() -> Vec<String> {
    let encoded = std::env::var("CARGO_ENCODED_RUSTFLAGS").ok();
    let words = |text: &str, by: &str| -> Vec<String> {
        let words = text.split(by).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    match encoded {
        Some(flags) => words(&flags, SEPARATOR),
        None => words(&std::env::var("RUSTFLAGS").unwrap_or_default(), " "),
    }
}

/// What cargo is asked to do: `cargo test --examples` would build the examples' tests, not their `main`.
fn verb(selection: &[String]) -> &'static [&'static str] {
    let programs = ["--example", "--examples", "--bin", "--bins"];
    if selection
        .iter()
        .any(|word| programs.contains(&word.as_str()))
    {
        &["build"]
    } else {
        &["test", "--no-run"]
    }
}

/// The programs that cargo's messages announce.
fn targets(messages: &str) -> Vec<Target> {
    let mut targets = Vec::new();
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
            continue;
        };
        // The tests of a procedural macro are native: they run in the compiler.
        let is_macro = message["target"]["kind"]
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(|k| k == "proc-macro"));
        if is_macro {
            continue;
        }
        if let (Some(bundle), Some(name)) = (
            message["executable"].as_str(),
            message["target"]["name"].as_str(),
        ) {
            targets.push(Target {
                name: name.to_owned(),
                package: package_name(message["package_id"].as_str().unwrap_or_default()),
                is_test: message["profile"]["test"].as_bool() == Some(true),
                bundle: PathBuf::from(bundle),
            });
        }
    }
    targets.sort_by(|a, b| (&a.package, &a.name).cmp(&(&b.package, &b.name)));
    targets
}

/// The name in a package's identity: `path+file:///src/queue#0.1.0`, or `…#queue@0.1.0` where it is not the folder's.
fn package_name(id: &str) -> String {
    let (place, version) = id.rsplit_once('#').unwrap_or(("", id));
    let name = match version.split_once('@') {
        Some((name, _)) => name,
        None => place.rsplit('/').next().unwrap_or_default(),
    };
    name.to_owned()
}

/// Loads what is to run of a linked program.
pub fn load_bundle(bundle: &Path, entry: &Entry) -> Result<Program, LoadError> {
    if *entry != Entry::Only {
        return select(index::whole(bundle)?, entry);
    }
    super::cached(
        || super::cache::bundle_key(bundle),
        || {
            let parts = linker::unpack(bundle)?;
            super::assemble_parts(parts, entry)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_programs() {
        assert_eq!(verb(&["--examples".to_owned()]), ["build"]);
        assert_eq!(
            verb(&["--test".to_owned(), "queue".to_owned()]),
            ["test", "--no-run"]
        );
    }

    #[test]
    fn no_profile_is_optimised() {
        let words = ["--profile", "my-own", "--lib"].map(str::to_owned);
        let names: Vec<String> = unoptimised(&words).into_iter().map(|(n, _)| n).collect();
        assert_eq!(names.len(), 5);
        assert_eq!(names[2], "CARGO_PROFILE_RELEASE_OPT_LEVEL");
        assert_eq!(names[4], "CARGO_PROFILE_MY_OWN_OPT_LEVEL");
    }

    #[test]
    fn executables_are_picked_from_the_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","target":{"name":"lib"},"executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","package_id":"path+file:///src/queues#0.1.0","target":{"name":"queue"},"profile":{"test":true},"executable":"/t/queue-1"}"#,
            "\n",
            r#"{"reason":"compiler-artifact","target":{"name":"macros","kind":["proc-macro"]},"profile":{"test":true},"executable":"/t/macros-1"}"#,
            "\nnot json\n",
        );
        let expected = Target {
            name: "queue".to_owned(),
            package: "queues".to_owned(),
            is_test: true,
            bundle: PathBuf::from("/t/queue-1"),
        };
        assert_eq!(targets(messages), [expected]);
        assert_eq!(package_name("path+file:///src/a#b@1.0.0"), "b");
    }
}
