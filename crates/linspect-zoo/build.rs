//! Embeds the zoo's files, so that an installed `linspect` has them.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let zoo = here.join("zoo");
    let mut files = Vec::new();
    collect(&zoo, &mut files);
    files.sort();

    let mut table = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&zoo).expect("found below it");
        let name = name.to_str().expect("zoo files have plain names");
        writeln!(table, "({name:?}, include_str!({file:?})),").expect("a String takes it");
    }
    table.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("files.rs"), table).expect("OUT_DIR is writable");
}

/// All source and description files below `folder`; build output and hidden files stay out.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder).expect("the zoo is there") {
        let path = entry.expect("the zoo is readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || name == "target" {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else {
            println!("cargo::rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
}
