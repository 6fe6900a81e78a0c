//! Makes the ports: the objects and clients as they are, with the standard library's threads and atomics replaced.

use std::fs;
use std::path::Path;

fn main() {
    let out = std::env::var("OUT_DIR").expect("cargo says where");
    println!("cargo::rerun-if-changed=objects");
    for peer in ["loom", "shuttle"] {
        let mut port = String::new();
        for entry in fs::read_dir("objects").expect("there are objects") {
            let path = entry.expect("it can be listed").path();
            let name = path.file_stem().expect("a file").to_string_lossy();
            let text = fs::read_to_string(&path).expect("it can be read");
            let lines = text.lines().filter(|line| !line.starts_with("//!"));
            let body: Vec<&str> = lines.collect();
            port.push_str(&format!("pub mod {name} {{\n{}\n}}\n", body.join("\n")));
        }
        for part in ["sync", "thread", "hint"] {
            port = port.replace(&format!("std::{part}"), &format!("{peer}::{part}"));
        }
        let file = Path::new(&out).join(format!("{peer}.rs"));
        fs::write(file, port).expect("it can be written");
    }
}
