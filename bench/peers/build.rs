//! Makes the ports: the objects, clients and programs as they are, with the standard library's threads, atomics and cells replaced.

use std::fs;
use std::path::Path;

fn main() {
    let out = std::env::var("OUT_DIR").expect("cargo says where");
    println!("cargo::rerun-if-changed=objects");
    println!("cargo::rerun-if-changed=programs");
    programs(Path::new(&out));
    let objects = objects();
    for peer in ["loom", "shuttle"] {
        let file = Path::new(&out).join(format!("{peer}.rs"));
        fs::write(file, ported(&objects, peer)).expect("it can be written");
    }
    plain_programs(Path::new(&out), &objects);
}

/// The objects and clients, each a module.
fn objects() -> String {
    let mut modules = String::new();
    for entry in fs::read_dir("objects").expect("there are objects") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_stem().expect("a file").to_string_lossy();
        let text = fs::read_to_string(&path).expect("it can be read");
        let lines = text.lines().filter(|line| !line.starts_with("//!"));
        let body: Vec<&str> = lines.collect();
        modules.push_str(&format!("pub mod {name} {{\n{}\n}}\n", body.join("\n")));
    }
    modules
}

/// Each client of a careless object as a program that starts its threads itself, for Linspect.
fn plain_programs(out: &Path, objects: &str) {
    let folder = out.join("plain");
    fs::create_dir_all(&folder).expect("a folder");
    for name in [
        "treiber_stack",
        "ring",
        "spin_counter",
        "ticket_counter",
        "ms_queue",
    ] {
        let main = format!("fn main() {{\n    clients::{name}::<false>();\n}}\n");
        let text = format!("#![allow(dead_code)]\n{objects}{main}");
        fs::write(folder.join(format!("{name}.rs")), text).expect("it can be written");
    }
}

fn ported(text: &str, peer: &str) -> String {
    let mut port = text.to_owned();
    for part in ["sync", "thread", "hint"] {
        port = port.replace(&format!("std::{part}"), &format!("{peer}::{part}"));
    }
    port
}

/// Cells as loom has them, for whoever has none.
const CELL: &str = "
mod cell {
    pub struct UnsafeCell<T>(std::cell::UnsafeCell<T>);
    impl<T> UnsafeCell<T> {
        pub fn new(value: T) -> Self {
            Self(std::cell::UnsafeCell::new(value))
        }
        pub fn with<R>(&self, look: impl FnOnce(*const T) -> R) -> R {
            look(self.0.get())
        }
        pub fn with_mut<R>(&self, change: impl FnOnce(*mut T) -> R) -> R {
            change(self.0.get())
        }
    }
}
";

/// A program as it is given to everybody.
struct Variant {
    name: String,
    body: String,
    is_wrong: bool,
}

/// A program, and beside it the same with the orderings with which it is right, if it names any.
fn variants(path: &Path) -> Vec<Variant> {
    let name = path
        .file_stem()
        .expect("a file")
        .to_string_lossy()
        .into_owned();
    let text = fs::read_to_string(path).expect("it can be read");
    let body: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("//!"))
        .collect();
    let body = body.join("\n");
    let changes = text
        .lines()
        .find_map(|line| line.strip_prefix("//! right with "));
    let right = changes.map(|changes| {
        let mut right = body.clone();
        for change in changes.split(", ") {
            let (constant, ordering) = change.split_once(" = ").expect("a constant");
            let declared = format!("const {constant}: Ordering = ");
            let (before, after) = right.split_once(&declared).expect("it is declared");
            let (_, after) = after.split_once(';').expect("an end");
            right = format!("{before}{declared}{ordering};{after}");
        }
        Variant {
            name: format!("{name}_right"),
            body: right,
            is_wrong: false,
        }
    });
    let is_wrong = text.lines().any(|line| line == "//! wrong");
    let own = Variant {
        name,
        body,
        is_wrong,
    };
    std::iter::once(own).chain(right).collect()
}

/// Each program as a file for Linspect and as a module for loom, and a list of them all.
fn programs(out: &Path) {
    let folder = out.join("programs");
    fs::create_dir_all(&folder).expect("a folder");
    let mut paths: Vec<_> = fs::read_dir("programs")
        .expect("there are programs")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    paths.sort();
    let (mut modules, mut list) = (String::new(), String::new());
    let variants = paths.iter().flat_map(|path| variants(path));
    for Variant {
        name,
        body,
        is_wrong,
    } in variants
    {
        let file = folder.join(format!("{name}.rs"));
        fs::write(&file, format!("{body}\n{CELL}")).expect("it can be written");
        let port = ported(&body, "loom").replace("crate::cell", "loom::cell");
        let port = port.replace("fn main()", "pub fn main()");
        modules.push_str(&format!("pub mod {name} {{\n{port}\n}}\n"));
        list.push_str(&format!(
            "WeakProgram {{ name: {name:?}, file: {file:?}, is_wrong: {is_wrong}, loom: programs::{name}::main }},\n"
        ));
    }
    let text = format!(
        "pub mod programs {{\n{modules}}}\npub(crate) const PROGRAMS: &[WeakProgram] = &[\n{list}];\n"
    );
    fs::write(out.join("programs.rs"), text).expect("it can be written");
}
