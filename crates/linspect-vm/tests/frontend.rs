//! From files to decoded programs: what is found in them, and what is said when it does not work.

use linspect_vm::frontend::{LoadError, Source, load};
use linspect_vm::program::{Function, Inst, MemoryOrder, Program};
use std::path::PathBuf;

fn corpus(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus")
        .join(name)
}

fn program(name: &str) -> Program {
    load(&Source::file(corpus(name))).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    program
        .functions
        .iter()
        .find(|f| program.text(f.name) == name)
        .unwrap_or_else(|| panic!("no {name}"))
}

/// A file of its own with these contents.
fn scratch(name: &str, contents: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(name);
    std::fs::write(&path, contents).expect("a scratch file");
    (directory, path)
}

fn error(path: PathBuf) -> LoadError {
    load(&Source::file(path)).expect_err("it must not load")
}

#[test]
fn a_c_program_is_decoded_with_its_source_positions() {
    let program = program("pass/treiber.c");
    let pop = function(&program, "pop");
    let exchange = pop.code.iter().position(|i| {
        matches!(
            i,
            Inst::CompareExchange {
                weak: false,
                bits: 64,
                ..
            }
        )
    });
    let exchange = exchange.expect("pop exchanges the head");
    let site = program.sites[pop.sites[exchange] as usize];
    assert_eq!(site.line, 26);
    assert!(program.text(site.file).ends_with("corpus/pass/treiber.c"));
    assert_eq!(program.text(site.function), "pop");
    let acquires = |i: &&Inst| {
        matches!(
            i,
            Inst::Load {
                order: MemoryOrder::Acquire,
                ..
            }
        )
    };
    assert_eq!(pop.code.iter().filter(acquires).count(), 1);
    assert!(program.functions.iter().all(|f| {
        f.code
            .iter()
            .all(|i| !matches!(i, Inst::Unsupported { .. }))
    }));
    let head = program.global("head").expect("head is a global");
    assert_eq!(program.globals[head as usize].size, 8);
}

#[test]
fn a_missing_file_is_named() {
    let error = error(PathBuf::from("no/such/file.c"));
    assert!(matches!(error, LoadError::Read { .. }));
    assert!(error.to_string().contains("no/such/file.c"));
}

#[test]
fn an_unknown_kind_of_file_is_refused() {
    let (_keep, path) = scratch("program.zig", b"");
    assert!(matches!(error(path), LoadError::UnknownKind(_)));
}

#[test]
fn the_compilers_message_is_passed_on() {
    let (_keep, path) = scratch("broken.c", b"int main(void) { return missing; }\n");
    let text = error(path).to_string();
    assert!(
        text.contains("broken.c:1:25") && text.contains("missing"),
        "{text}"
    );
}

#[test]
fn truncated_text_and_bitcode_are_clean_errors() {
    let (_keep, path) = scratch("broken.ll", b"define i32 @main() { ret i32");
    assert!(matches!(error(path), LoadError::Module(_)));
    let (_keep, path) = scratch("broken.bc", b"BC\xC0\xDE\x35\x14");
    assert!(matches!(error(path), LoadError::Module(_)));
    let (_keep, path) = scratch("empty.bc", b"");
    assert!(matches!(error(path), LoadError::Module(_)));
}
