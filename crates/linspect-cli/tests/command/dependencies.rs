//! What Linspect is made of: licences that allow it to be given away, sources that can be got again, nothing that talks to a network, no shell.
//!
//! These are the checks of `cargo deny` that need no network. Known advisories and yanked versions need one: `cargo audit` reads the same `Cargo.lock`.

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
const TWICE: [&str; 4] = ["embedded-io", "getrandom", "syn", "winnow"];

/// Those whose build script or procedural macro runs on the machine that builds Linspect. A new one is a surprise to look into.
const RUNS_WHILE_BUILDING: [&str; 35] = [
    "ahash",
    "clap_derive",
    "cpp_demangle",
    "crossbeam-deque",
    "crossbeam-epoch",
    "crossbeam-utils",
    "displaydoc",
    "divan-macros",
    "getrandom",
    "icu_normalizer_data",
    "icu_properties_data",
    "libc",
    "nix",
    "num-traits",
    "object",
    "parking_lot_core",
    "proc-macro2",
    "quote",
    "rayon-core",
    "ref-cast",
    "ref-cast-impl",
    "rustc_apfloat",
    "rustix",
    "schemars_derive",
    "serde",
    "serde_core",
    "serde_derive",
    "serde_json",
    "thiserror",
    "thiserror-impl",
    "yoke-derive",
    "zerocopy",
    "zerofrom-derive",
    "zerovec-derive",
    "zmij",
];

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

/// What is built here: cargo has fetched that, but not what only other platforms need.
fn packages() -> Vec<Value> {
    let version = Command::new("rustc").arg("-vV").output();
    let version = String::from_utf8(version.expect("rustc starts").stdout).expect("UTF-8");
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .args(["--filter-platform", host.expect("a host")])
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

/// The lock file speaks of all platforms, whatever was fetched.
#[test]
fn everything_comes_from_the_registry_and_is_what_it_was() {
    let text = std::fs::read_to_string(repository().join("Cargo.lock")).expect("a lock file");
    let lock: toml::Table = text.parse().expect("TOML");
    let (mut ours, mut theirs) = (0, 0);
    for package in lock["package"].as_array().expect("a list") {
        let name = package["name"].as_str().expect("a name");
        let field = |field| package.get(field).and_then(toml::Value::as_str);
        let Some(source) = field("source") else {
            ours += 1;
            assert!(name.starts_with("linspect"), "{name} has no source");
            continue;
        };
        theirs += 1;
        assert!(source.starts_with("registry+"), "{name}: {source}");
        let sum = field("checksum").unwrap_or_default();
        assert!(sum.len() == 64, "{name}: {sum}");
    }
    assert!(ours >= 9 && theirs > 100, "{ours} and {theirs}");
}

#[test]
fn what_is_there_twice_is_known() {
    let (mut seen, mut twice) = (BTreeSet::new(), BTreeSet::new());
    for package in packages() {
        let name = name(&package).to_owned();
        if !seen.insert(name.clone()) {
            twice.insert(name);
        }
    }
    assert_eq!(twice, TWICE.map(str::to_owned).into());
}

#[test]
fn what_runs_while_building_is_known() {
    let mut found = BTreeSet::new();
    for package in packages() {
        let targets = package["targets"].as_array().expect("a list").iter();
        let runs = |kind: &Value| kind == "custom-build" || kind == "proc-macro";
        let mut kinds = targets.flat_map(|t| t["kind"].as_array().expect("a list"));
        if package["source"].is_string() && kinds.any(runs) {
            found.insert(name(&package).to_owned());
        }
    }
    assert_eq!(found, RUNS_WHILE_BUILDING.map(str::to_owned).into());
}

/// A version that is not said is whatever the registry holds that day.
#[test]
fn every_dependency_says_its_version() {
    for package in packages() {
        for dependency in package["dependencies"].as_array().expect("a list") {
            let asked = dependency["req"].as_str().expect("a version");
            // What lies beside us in the repository is the version that it is.
            let is_ours = package["source"].is_null() && dependency["path"].is_null();
            assert!(!is_ours || asked != "*", "{}: {dependency}", name(&package));
        }
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
