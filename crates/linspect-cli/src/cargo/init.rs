//! `cargo linspect init`: an example harness, what it needs, and a workflow for continuous integration.

use super::package::Located;
use super::typed;
use crate::failure::Failure;
use crate::screen::Screen;
use crate::section::Section;
use std::path::Path;
use std::process::{Command, Stdio};

const HARNESS: &str = include_str!("init/harness.rs");
const WORKFLOW: &str = include_str!("init/workflow.yml");
const PARTS: &str = include_str!("init/parts.yml");

/// Where the crate `linspect` goes in the package: a few small files without dependencies, so that nothing has to be downloaded.
const VENDORED: &str = "vendor/linspect";

/// Writes what is not there yet.
pub(super) fn run(typed: &typed::Init, screen: &mut Screen) -> Result<(), Failure> {
    let located = Located::at(typed.manifest_path.as_deref())?;
    let package = located.manifest.parent().unwrap_or(Path::new("."));
    let manifest = read(&located.manifest)?;
    if !manifest.contains("[package]") {
        return Err(Failure::Usage {
            message: format!(
                "{} is a workspace without package",
                located.manifest.display()
            ),
            help: "go to the folder of a package, or name it with --manifest-path",
            section: Section::Packages,
        });
    }
    if depends_on_linspect(&manifest) {
        screen.note("        Kept the dependency on `linspect`");
    } else {
        vendor(&package.join(VENDORED), screen)?;
        add_dependency(&located.manifest)?;
        screen.note("       Added `linspect` to [dev-dependencies]");
    }
    write(&package.join("tests/linspect.rs"), HARNESS, screen)?;
    let workflow = located.root.join(".github/workflows/linspect.yml");
    write(&workflow, &text(typed.parts), screen)?;
    screen.note(
        "        Next `cargo linspect` tests the example; put your own type into tests/linspect.rs",
    );
    Ok(())
}

/// The workflow, in so many parts.
fn text(parts: u8) -> String {
    if parts == 1 {
        return WORKFLOW.to_owned();
    }
    let width = parts.to_string().len();
    let names: Vec<String> = (1..=parts).map(|p| format!("\"{p:0width$}\"")).collect();
    let count = parts.to_string();
    PARTS
        .replace("NAMES", &names.join(", "))
        .replace("COUNT", &count)
}

fn depends_on_linspect(manifest: &str) -> bool {
    manifest.lines().any(|line| {
        let line = line.trim();
        line.strip_prefix("linspect")
            .is_some_and(|rest| rest.trim_start().starts_with(['=', '.']))
            || line.ends_with("dependencies.linspect]")
    })
}

/// Writes the sources of the crate `linspect`.
fn vendor(folder: &Path, screen: &mut Screen) -> Result<(), Failure> {
    let manifest = format!(
        "# The crate `linspect`, as cargo-linspect brings it along.\n\
         [package]\n\
         name = \"linspect\"\n\
         version = \"{}\"\n\
         edition = \"2024\"\n\
         license = \"MIT OR Apache-2.0\"\n\
         publish = false\n\n\
         [dependencies]\n\
         linspect-macros = {{ path = \"macros\" }}\n\n\
         [lints.rust]\n\
         unexpected_cfgs = {{ level = \"warn\", check-cfg = [\"cfg(linspect)\"] }}\n",
        env!("CARGO_PKG_VERSION")
    );
    write(&folder.join("Cargo.toml"), &manifest, screen)?;
    for (name, text) in linspect::SOURCES {
        write(&folder.join("src").join(name), text, screen)?;
    }
    let manifest = format!(
        "# The macros of the crate `linspect`.\n\
         [package]\n\
         name = \"linspect-macros\"\n\
         version = \"{}\"\n\
         edition = \"2024\"\n\
         license = \"MIT OR Apache-2.0\"\n\
         publish = false\n\n\
         [lib]\n\
         path = \"../src/macros/lib.rs\"\n\
         proc-macro = true\n",
        env!("CARGO_PKG_VERSION")
    );
    write(&folder.join("macros/Cargo.toml"), &manifest, screen)?;
    for (name, text) in linspect::MACROS {
        write(&folder.join("src/macros").join(name), text, screen)?;
    }
    Ok(())
}

/// Has cargo edit the manifest, which people have formatted in their own way.
fn add_dependency(manifest: &Path) -> Result<(), Failure> {
    let output = Command::new(super::package::cargo_command())
        .args(["add", "--quiet", "--dev", "--offline", "linspect", "--path"])
        .arg(manifest.with_file_name(VENDORED))
        .arg("--manifest-path")
        .arg(manifest)
        .stdin(Stdio::null())
        .output();
    let refused = |message: String| Failure::Usage {
        message: format!("cargo could not add the dependency: {message}"),
        help: "add `linspect = { path = \"vendor/linspect\" }` to [dev-dependencies] by hand",
        section: Section::Packages,
    };
    let output = output.map_err(|error| refused(error.to_string()))?;
    if !output.status.success() {
        return Err(refused(
            String::from_utf8_lossy(&output.stderr).trim().into(),
        ));
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::Open {
        source_name: path.display().to_string(),
        error,
    })
}

/// Writes a file, unless there is one.
fn write(path: &Path, text: &str, screen: &mut Screen) -> Result<(), Failure> {
    let failed = |error| Failure::Write {
        path: path.to_owned(),
        error,
    };
    let here = std::env::current_dir().unwrap_or_default();
    let shown = path.strip_prefix(here).unwrap_or(path).display();
    if path.exists() {
        screen.note(&format!("        Kept {shown}"));
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)?;
    screen.note(&format!("       Wrote {shown}"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_is_noticed_however_it_is_written() {
        for manifest in [
            "[dev-dependencies]\nlinspect = \"0.1\"\n",
            "[dev-dependencies]\nlinspect.workspace = true\n",
            "[dev-dependencies.linspect]\npath = \"x\"\n",
        ] {
            assert!(depends_on_linspect(manifest), "{manifest}");
        }
        assert!(!depends_on_linspect(
            "[dev-dependencies]\nlinspector = \"1\"\n"
        ));
    }
}
