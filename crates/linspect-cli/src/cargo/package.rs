//! Where the package is, and what cargo makes of it.

use super::typed;
use crate::failure::Failure;
use crate::section::Section;
use linspect_engine::frontend::cargo::{self, Package, Target};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A package that was found.
pub(super) struct Located {
    /// Its `Cargo.toml`.
    pub(super) manifest: PathBuf,
    /// Where its workspace is.
    pub(super) root: PathBuf,
    /// The folder of everything that Linspect writes for it.
    target_directory: PathBuf,
    /// Where reports go.
    pub(super) reports: PathBuf,
}

impl Located {
    /// Asks cargo, and goes to the workspace, where source files are named from.
    pub(super) fn find(typed: &typed::Package) -> Result<Self, Failure> {
        Self::at(typed.manifest_path.as_deref())
    }

    pub(super) fn at(manifest: Option<&Path>) -> Result<Self, Failure> {
        let mut command = Command::new(cargo_command());
        command.args(["locate-project", "--message-format=plain"]);
        let manifest = match manifest {
            Some(path) => std::path::absolute(path).map_err(|error| Failure::Open {
                source_name: path.display().to_string(),
                error,
            })?,
            None => PathBuf::from(ask(&mut command)?.trim()),
        };
        let mut metadata = Command::new(cargo_command());
        metadata
            .args(["metadata", "--no-deps", "--format-version=1"])
            .arg("--manifest-path")
            .arg(&manifest);
        let metadata: serde_json::Value =
            serde_json::from_str(&ask(&mut metadata)?).map_err(|error| no_package(&error))?;
        let path = |field: &str| PathBuf::from(metadata[field].as_str().unwrap_or_default());
        let root = path("workspace_root");
        let target_directory = path("target_directory").join("linspect");
        std::env::set_current_dir(&root).map_err(|error| Failure::Open {
            source_name: root.display().to_string(),
            error,
        })?;
        Ok(Self {
            manifest,
            root,
            reports: target_directory.join("reports"),
            target_directory,
        })
    }

    /// Builds the test programs.
    pub(super) fn build(&self, typed: &typed::Package) -> Result<Vec<Target>, Failure> {
        let package = Package {
            manifest: self.manifest.clone(),
            target_directory: self.target_directory.clone(),
            selection: typed.words(),
            echo: true,
        };
        let linker = std::env::current_exe().map_err(|error| Failure::Open {
            source_name: "cargo-linspect".into(),
            error,
        })?;
        let mut targets =
            cargo::build(&package, &linker).map_err(|error| Failure::Load(Box::new(error)))?;
        targets.retain(|t| t.is_test != typed.programs.contains(&t.name));
        Ok(targets)
    }
}

/// The cargo that started this, or the one on the PATH.
pub(super) fn cargo_command() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn ask(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| no_package(&error))?;
    if !output.status.success() {
        return Err(no_package(&String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn no_package(reason: &dyn std::fmt::Display) -> Failure {
    Failure::Usage {
        message: format!("cargo finds no package: {reason}"),
        help: "go to a folder with a Cargo.toml, or name one with --manifest-path",
        section: Section::Packages,
    }
}
