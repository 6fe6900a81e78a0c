//! Gives the cache of decoded programs a digest of the code that decodes, so that no entry outlives a change of it.

use std::fs;
use std::path::Path;

fn main() {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for part in [
        "src/frontend",
        "src/llvm",
        "src/program",
        "include",
        "runtime",
    ] {
        println!("cargo:rerun-if-changed={part}");
        add(Path::new(part), &mut digest);
    }
    println!("cargo:rustc-env=LINSPECT_DECODER={digest:016x}");
}

/// Adds all files under `path`, in the order of their names (FNV-1a).
fn add(path: &Path, digest: &mut u64) {
    if path.is_dir() {
        let mut entries: Vec<_> = fs::read_dir(path)
            .expect("a source directory")
            .flatten()
            .map(|e| e.path())
            .collect();
        entries.sort();
        entries.iter().for_each(|entry| add(entry, digest));
        return;
    }
    for byte in fs::read(path).expect("a source file") {
        *digest = (*digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}
