//! Comparison with files under `tests/expected`; `LINSPECT_BLESS=1` writes them, to be read before they are committed.

use std::path::Path;

/// `got` must be the content of the expected file `name`.
pub(crate) fn check(name: &str, got: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/expected")
        .join(name);
    if std::env::var_os("LINSPECT_BLESS").is_some() {
        std::fs::write(&path, got).expect("the repository is writable when blessing");
    }
    let expected = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; bless with LINSPECT_BLESS=1", path.display()));
    assert!(
        got == expected,
        "{name} differs; bless with LINSPECT_BLESS=1 and read it.\n--- expected\n{expected}\n--- got\n{got}"
    );
}
