//! `linspect cc` and `linspect c++`: a project is built by its own makefile, its programs do natively what they always do, and what was built is tested.

use crate::linspect::{Run, command, repository, run};
use std::path::Path;
use std::process::{Command, Output};

const MAKEFILE: &str = "\
all: libcounter.a libcounter.so program greeting
libcounter.a: counter.o unused.o
\tar rcs $@ $^
libcounter.so: counter.c
\t$(CC) $(CFLAGS) -shared -fPIC -o $@ counter.c
program: program.c libcounter.a
\t$(CC) $(CFLAGS) -MMD -o $@ program.c libcounter.a -lpthread
greeting: greeting.o
\t$(CXX) -o $@ greeting.o
joined.o: counter.o unused.o
\tld -r -o $@ $^
";

const COUNTER: &str = "\
#include \"counter.h\"
#ifdef RIGHT
int take(struct counter *c) { return c->n++; }
#else
int take(struct counter *c) { int n = c->n; c->n = n + 1; return n; }
#endif
";

/// Nobody needs it, so its constructor does not run.
const UNUSED: &str = "\
#include <stdlib.h>
__attribute__((constructor)) static void never(void) { abort(); }
int unused(void) { return 1; }
";

const PROGRAM: &str = "\
#include \"counter.h\"
#include <pthread.h>
#include <stdio.h>
static struct counter c;
static void *run(void *unused) { take(&c); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    printf(\"taken %d\\n\", c.n);
}
";

const GREETING: &str = "\
#include <iostream>
#include <string>
int main() {
    std::string name(\"everybody\");
    std::cout << \"hello \" << name << std::endl;
    return 7;
}
";

const HARNESS: &str = "\
#include <linspect.h>
#include \"counter.h\"
static struct counter one;
LINSPECT_OBJECT(struct counter *, c, (one.n = 0, &one))
LINSPECT_OP_RET(int, take, take(c))
";

/// The project in `folder`, built by its makefile with these flags for the compiler.
fn build(folder: &Path, flags: &str) {
    for (name, text) in [
        ("Makefile", MAKEFILE),
        ("counter.c", COUNTER),
        (
            "counter.h",
            "struct counter { _Atomic int n; };\nint take(struct counter *);\n",
        ),
        ("unused.c", UNUSED),
        ("program.c", PROGRAM),
        ("greeting.cpp", GREETING),
        ("harness.c", HARNESS),
    ] {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    let linspect = env!("CARGO_BIN_EXE_linspect");
    let made = Command::new("make")
        .args(["all", "joined.o"])
        .arg(format!("CC={linspect} cc"))
        .arg(format!("CXX={linspect} c++"))
        .arg(format!("CFLAGS={flags}"))
        .current_dir(folder)
        .output()
        .expect("make starts");
    let said = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "{said}");
    assert!(!said.contains("no bitcode"), "{said}");
}

fn natively(program: &Path) -> Output {
    Command::new(program).output().expect("it runs natively")
}

fn tested(folder: &Path, built: &str) -> Run {
    let (harness, built) = (folder.join("harness.c"), folder.join(built));
    let words = ["test", harness.to_str().expect("UTF-8"), "--link"];
    let out = folder.join("out");
    let more = [
        built.to_str().expect("UTF-8"),
        "--out",
        out.to_str().expect("UTF-8"),
    ];
    run(&[&words[..], &more].concat())
}

#[test]
fn what_a_makefile_built_is_tested() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    build(folder, "-O2 -Wall -Werror -D_FORTIFY_SOURCE=2 -flto");
    assert_eq!(natively(&folder.join("program")).stdout, b"taken 1\n");
    assert_eq!(natively(&folder.join("greeting")).status.code(), Some(7));
    for built in ["libcounter.a", "libcounter.so", "counter.o", "counter.c"] {
        let done = tested(folder, built);
        assert_eq!(done.code, Some(1), "{built}: {done:?}");
        assert!(
            done.out.contains("counter.c") && done.out.contains("take:5"),
            "{built}: {done:?}"
        );
    }
    // What a linker joined has both modules, and one of them ends the process at its start.
    let done = tested(folder, "joined.o");
    assert_eq!(done.code, Some(2), "{done:?}");
    for (program, said) in [("program", "taken 1\n"), ("greeting", "hello everybody\n")] {
        let done = run(&["run", folder.join(program).to_str().expect("UTF-8")]);
        assert!(done.out.starts_with(said), "{done:?}");
    }
    // The makefile's own rules are not disturbed: the dependencies of the program are those of its sources.
    let rule = std::fs::read_to_string(folder.join("program.d")).expect("a rule");
    assert!(
        rule.contains("counter.h") && !rule.contains("tmp/.tmp"),
        "{rule}"
    );
}

#[test]
fn a_right_object_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    build(folder.path(), "-DRIGHT");
    let done = tested(folder.path(), "libcounter.a");
    assert_eq!(done.code, Some(0), "{done:?}");
}

#[test]
fn machine_code_alone_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let object = folder.path().join("only.o");
    let native = natively_compiled(&repository().join("corpus/bench/straight.c"), &object);
    assert!(native.status.success(), "{native:?}");
    let done = run(&["test", object.to_str().expect("UTF-8")]);
    assert_eq!(done.code, Some(2), "{done:?}");
    assert!(done.err.contains("CC=\"linspect cc\""), "{done:?}");
    assert!(
        done.err.contains("docs/loading.md#a-projects-own-build"),
        "{done:?}"
    );
}

fn natively_compiled(source: &Path, object: &Path) -> Output {
    let compile = |compiler: &str| {
        Command::new(compiler)
            .arg("-c")
            .arg(source)
            .arg("-o")
            .arg(object)
            .output()
    };
    compile("cc")
        .or_else(|_| compile("gcc"))
        .expect("a compiler")
}

#[test]
fn the_compiler_says_what_it_always_says() {
    let done = run(&["cc", "--version"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.contains("clang version"), "{done:?}");
    let done = run(&["cc", "-c", "no-such-file.c"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.err.contains("no-such-file.c"), "{done:?}");
}

/// Rust is tested where there is no clang.
#[test]
fn rust_needs_no_clang() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("prints.rs");
    let text = "fn main() { let t = std::thread::spawn(|| println!(\"one\")); println!(\"two\"); t.join().unwrap(); }";
    std::fs::write(&file, text).expect("a file");
    let words = ["run", file.to_str().expect("UTF-8")];
    let ran = command(&words)
        .env("LINSPECT_CLANG", "/there/is/no/clang")
        .env("LINSPECT_CACHE", "")
        .output()
        .expect("the command runs");
    let err = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(0), "{err}");
    assert!(
        String::from_utf8_lossy(&ran.stdout).contains("one"),
        "{err}"
    );
}
