//! What Linspect is made of: licences that allow it to be given away, sources that can be got again, nothing that talks to a network, no shell.
//!
//! Known advisories are not looked up: that needs a database from the network. `cargo audit` reads the same `Cargo.lock`.

use crate::linspect::repository;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// Licences under which what is built may be passed on under MIT or Apache-2.0.
const LICENCES: [&str; 10] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSL-1.0",
    "ISC",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Those that are there twice because others need different versions. A new one is a surprise to look into.
const TWICE: [&str; 5] = ["embedded-io", "getrandom", "r-efi", "syn", "winnow"];

/// What would be there if something talked to a network.
const NETWORK: [&str; 11] = [
    "curl",
    "hyper",
    "mio",
    "native-tls",
    "openssl",
    "reqwest",
    "rustls",
    "socket2",
    "tokio",
    "ureq",
    "websocket",
];

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .current_dir(repository())
        .output()
        .expect("cargo starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    metadata["packages"].as_array().expect("a list").clone()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().expect("a name")
}

/// Whether an SPDX expression can be met with [`LICENCES`]. Old ones write `/` for `OR`.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    if let Some((open, rest)) = expression.split_once('(') {
        let (inside, after) = rest.split_once(')').expect("a closing bracket");
        let inside = if is_allowed(inside) { "MIT" } else { "none" };
        return is_allowed(&format!("{open}{inside}{after}"));
    }
    expression.split(" OR ").any(|choice| {
        choice
            .split(" AND ")
            .all(|one| LICENCES.contains(&one.trim()))
    })
}

#[test]
fn expressions_of_licences_are_understood() {
    for allowed in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0 OR MIT",
        "(MIT OR GPL-3.0) AND Unicode-3.0",
    ] {
        assert!(is_allowed(allowed), "{allowed}");
    }
    for forbidden in [
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "(MIT AND GPL-3.0) OR LGPL-2.1",
        "",
    ] {
        assert!(!is_allowed(forbidden), "{forbidden}");
    }
}

#[test]
fn every_licence_allows_what_we_do() {
    for package in packages() {
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_allowed(licence), "{}: {licence}", name(&package));
    }
}

#[test]
fn everything_comes_from_the_registry_once() {
    let mut seen = BTreeSet::new();
    for package in packages() {
        if let Some(source) = package["source"].as_str() {
            assert!(
                source.starts_with("registry+"),
                "{}: {source}",
                name(&package)
            );
        }
        let first = seen.insert(name(&package).to_owned());
        assert!(
            first || TWICE.contains(&name(&package)),
            "{} twice",
            name(&package)
        );
    }
}

/// The oldest compiler that we promise can build what we depend on, as far as that says what it needs.
#[test]
fn nothing_needs_a_newer_compiler_than_we_promise() {
    let version = |text: &str| -> Vec<u32> {
        text.split('.')
            .map(|part| part.parse().expect("a number"))
            .collect()
    };
    let packages = packages();
    let ours = packages
        .iter()
        .find(|p| name(p) == "linspect-cli")
        .expect("it is there");
    let ours = version(ours["rust_version"].as_str().expect("it is declared"));
    for package in &packages {
        let needed = package["rust_version"]
            .as_str()
            .map_or_else(Vec::new, version);
        assert!(
            needed <= [&ours[..], &[0]].concat(),
            "{}: {needed:?}",
            name(package)
        );
    }
}

#[test]
fn nothing_talks_to_a_network() {
    for package in packages() {
        assert!(!NETWORK.contains(&name(&package)), "{}", name(&package));
    }
    let ways = [
        ["std", "::net"].concat(),
        ["Tcp", "Stream"].concat(),
        ["Udp", "Socket"].concat(),
    ];
    each_source(&|path, text| {
        for way in &ways {
            assert!(!text.contains(way), "{path}: {way}");
        }
    });
}

/// Compilers are started with lists of words; no shell reads them again.
#[test]
fn nothing_goes_through_a_shell() {
    each_source(&|path, text| {
        for shell in ["sh", "bash", "/bin/sh", "cmd", "powershell"] {
            let start = format!("Command::new(\"{shell}\")");
            assert!(!text.contains(&start), "{path}: {start}");
        }
    });
}

/// Every file that becomes part of the command.
fn each_source(look: &dyn Fn(&str, &str)) {
    let mut folders = vec![repository().join("crates")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let (path, kind) = (entry.path(), entry.file_type().expect("a kind"));
            let tests = path.ends_with("tests");
            if kind.is_dir() && !tests {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source file");
                look(&path.display().to_string(), &text);
                count += 1;
            }
        }
    }
    assert!(count > 200, "{count} files");
}
