//! From files to decoded programs: what is found in them, and what is said when it does not work.

use linspect_vm::frontend::cargo::{self, Package};
use linspect_vm::frontend::{Entry, LoadError, Source, load};
use linspect_vm::program::{Failing, Function, Inst, MemoryOrder, Origin, Program};
use std::path::{Path, PathBuf};
use std::process::Command;

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
                failing: Failing::Strong,
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

/// The access paths of the functions whose names end with `suffix`, without repetition, in order of first use.
fn paths(program: &Program, suffix: &str) -> Vec<String> {
    let mut out = Vec::new();
    for function in &program.functions {
        if program.text(function.name).ends_with(suffix) {
            for &(_, path) in &function.paths {
                let path = program.text(path).to_owned();
                if !out.contains(&path) {
                    out.push(path);
                }
            }
        }
    }
    out
}

#[test]
fn accesses_in_c_are_named_as_in_the_source() {
    let program = program("pass/treiber.c");
    assert_eq!(paths(&program, "push"), ["n->value", "head", "n->next"]);
    assert_eq!(paths(&program, "pop"), ["head", "top->next", "top->value"]);
    let push = function(&program, "push");
    let &(_, ty, offset) = push.fields.last().expect("n->next is a field");
    let ty = &program.types[ty as usize];
    assert_eq!((program.text(ty.name), ty.size, offset), ("node", 16, 8));
    let fields: Vec<_> = ty
        .fields
        .iter()
        .map(|f| (program.text(f.name), f.offset, f.size))
        .collect();
    assert_eq!(fields, [("value", 0, 4), ("next", 8, 8)]);
}

#[test]
fn accesses_in_cxx_are_named_as_in_the_source() {
    let program = program("pass/stack.cpp");
    assert_eq!(
        paths(&program, "Stack::push"),
        ["this->head", "node->next", "this->length"]
    );
    assert_eq!(
        paths(&program, "Stack::pop"),
        ["this->head", "top->next", "top->value", "this->last.popped"]
    );
    assert_eq!(paths(&program, "main"), ["nodes[i].value"]);
    assert_eq!(program.constructors.len(), 1);
}

#[test]
fn accesses_in_rust_are_named_as_in_the_source() {
    let program = program("pass/stack.rs");
    let push = paths(&program, "Stack::push");
    for path in ["self.head", "node.next", "self.length", "self.seen[at]"] {
        assert!(
            push.iter().any(|p| p == path),
            "{path} is not among {push:?}"
        );
    }
    assert_eq!(
        paths(&program, "Stack::pop")[..2],
        ["self.head", "top.next"]
    );
}

#[test]
fn inlined_atomics_keep_the_line_of_their_caller() {
    let program = program("pass/stack.rs");
    let push = function(&program, "stack::Stack::push");
    let update = push
        .code
        .iter()
        .position(|i| matches!(i, Inst::AtomicUpdate { .. }));
    let site = program.sites[push.sites[update.expect("a fetch_add")] as usize];
    assert!(program.text(site.file).contains("core/src/sync/atomic.rs"));
    let mut outer = site;
    while outer.inlined_at != 0 {
        outer = program.sites[outer.inlined_at as usize];
    }
    assert_eq!(outer.line, 27);
    assert!(program.text(outer.file).ends_with("stack.rs"));
    assert_eq!(site.origin, Origin::User);
}

#[test]
fn a_rust_harness_is_built_with_its_hooks() {
    let program = program("pass/harness.rs");
    for symbol in ["linspect_object", "linspect_declare_harness"] {
        let id = program
            .function(symbol)
            .unwrap_or_else(|| panic!("no {symbol}"));
        assert!(!program.functions[id as usize].is_declaration());
    }
    for hook in [
        "linspect_operation",
        "linspect_value",
        "linspect_return_nil",
        "linspect_specification",
    ] {
        let id = program
            .function(hook)
            .unwrap_or_else(|| panic!("no {hook}"));
        assert!(program.functions[id as usize].is_declaration());
    }
}

/// Runs the decoder as a user would; gives its exit code and what it complained about.
fn decode(path: &Path) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_linspect-decode"))
        .arg(path)
        .env("LINSPECT_CACHE", "")
        .output()
        .expect("the decoder starts");
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

/// Bitcode of the corpus's stack.
fn bitcode() -> Vec<u8> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let object = directory.path().join("treiber.bc");
    let clang = ["clang", "clang-19", "clang-16", "clang-14"];
    let done = clang.iter().any(|clang| {
        let mut command = Command::new(clang);
        command
            .args(["-c", "-emit-llvm", "-g", "-o"])
            .arg(&object)
            .arg(corpus("pass/treiber.c"));
        command.status().is_ok_and(|s| s.success())
    });
    assert!(done, "no clang");
    std::fs::read(object).expect("clang wrote it")
}

#[test]
fn damaged_bitcode_never_takes_the_tool_down() {
    let whole = bitcode();
    let (_keep, path) = scratch("whole.bc", &whole);
    assert_eq!(decode(&path).0, Some(0));
    let rounds = if std::env::var_os("LINSPECT_LONG").is_some() {
        200
    } else {
        20
    };
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    let mut refused = 0;
    for round in 0..rounds {
        let mut bytes = whole.clone();
        if round % 4 == 0 {
            bytes.truncate(4 + next(whole.len() - 4));
        } else {
            for _ in 0..=next(8) {
                let (at, bit) = (4 + next(whole.len() - 4), next(8));
                bytes[at] ^= 1 << bit;
            }
        }
        std::fs::write(&path, &bytes).expect("a scratch file");
        let (code, said) = decode(&path);
        // Some damage leaves valid bitcode; the rest is an error with words, never a crash.
        assert!(
            code == Some(0) || (code == Some(2) && !said.is_empty()),
            "round {round}: {code:?} {said}"
        );
        refused += u32::from(code == Some(2));
    }
    assert!(refused > 0, "no damage was noticed");
}

/// A record of records of records: two lines more, and it is twice as large.
fn records(depth: u32) -> String {
    let mut text = "%t0 = type { i64, i64 }\n".to_owned();
    for n in 1..=depth {
        text += &format!("%t{n} = type {{ %t{0}, %t{0} }}\n", n - 1);
    }
    text + &format!(
        "@g = global %t{depth} zeroinitializer\ndefine i32 @main() {{\n  %v = load %t{depth}, ptr @g\n  store %t{depth} %v, ptr @g\n  ret i32 0\n}}\n"
    )
}

#[test]
fn a_module_that_takes_too_much_is_an_error_with_the_limit() {
    let decode = |depth, limit: &str| {
        let (_keep, path) = scratch("records.ll", records(depth).as_bytes());
        let output = Command::new("sh")
            .args(["-c", &format!("{limit}; exec \"$0\" \"$1\"")])
            .arg(env!("CARGO_BIN_EXE_linspect-decode"))
            .arg(&path)
            .env("LINSPECT_CACHE", "")
            .output()
            .expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    assert_eq!(decode(4, "true").0, Some(0));
    let (code, said) = decode(24, "ulimit -S -v 307200");
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("records.ll: LLVM needs more than 300 MiB of memory to read it"),
        "{said}"
    );
    let (code, said) = decode(24, "ulimit -S -t 1");
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("records.ll: LLVM needs more than 1 s of computing to read it"),
        "{said}"
    );
}

#[test]
fn a_package_is_linked_by_linspect() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a scratch directory");
        std::fs::write(&path, text).expect("a scratch file");
    };
    write(
        "Cargo.toml",
        "[package]\nname = \"demo\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n",
    );
    write("src/lib.rs", "pub fn twice(n: u32) -> u32 { n * 2 }\n");
    write(
        "tests/it.rs",
        "#[test]\nfn doubles() { assert_eq!(demo::twice(std::hint::black_box(2)), 4); }\n",
    );
    let package = Package {
        manifest: directory.path().join("Cargo.toml"),
        target_directory: directory.path().join("target"),
        selection: vec!["--test".to_owned(), "it".to_owned()],
        echo: false,
    };
    let linker = Path::new(env!("CARGO_BIN_EXE_linspect-decode"));
    let targets = cargo::build(&package, linker).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        targets.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(),
        ["it"]
    );
    let test = Entry::Test("it::doubles".to_owned());
    let program = cargo::load_bundle(&targets[0].bundle, &test).unwrap_or_else(|e| panic!("{e}"));
    let main = program.function("main").expect("the test is the main");
    let doubles = program.functions[main as usize].name;
    assert_eq!(program.text(doubles), "it::doubles");
    assert!(!function(&program, "demo::twice").is_declaration());
    let absent = Entry::Test("it::triples".to_owned());
    let error = cargo::load_bundle(&targets[0].bundle, &absent).expect_err("there is none");
    assert_eq!(
        error.to_string(),
        "there is no harness or test `it::triples` in the program"
    );
}
