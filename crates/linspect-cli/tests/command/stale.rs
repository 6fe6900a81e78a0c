//! A verdict is about the code as it stands: whatever decides what the compilers make is changed between two runs, and the second
//! run must notice. The first run of each case holds and is kept, the second one fails.

use crate::linspect::command;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with a cache of its own.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("written");
        self
    }

    /// A compiler that is a script.
    fn script(&self, name: &str, text: &str) {
        self.write(name, &format!("#!/bin/sh\n{text}\n"));
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.path(name), executable).expect("an executable");
    }

    /// Tests in this folder; gives the exit code.
    fn test(&self, words: &[&str], variables: &[(&str, &Path)]) -> Option<i32> {
        let output = command(&[&["test", "--out", "out"], words].concat())
            .current_dir(self.0.path())
            .env("LINSPECT_CACHE", self.path("cache"))
            .envs(variables.iter().copied())
            .output();
        output.expect("it runs").status.code()
    }

    fn entries(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.path("cache")).expect("a cache");
        files.flatten().map(|file| file.path()).collect()
    }
}

const C: &str = "#include <assert.h>\nint main(void) { assert(OK); return 0; }\n";

fn clang() -> PathBuf {
    let names = (14..=22).rev().map(|v| format!("clang-{v}"));
    let path = std::env::var_os("PATH").expect("a PATH");
    let places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names
        .chain(["clang".to_owned()])
        .find_map(|name| places.iter().map(|p| p.join(&name)).find(|p| p.is_file()))
        .expect("a clang")
}

#[test]
fn where_headers_are_looked_for() {
    let place = Place::new();
    place
        .write("a/ok.h", "#define OK 1\n")
        .write("b/ok.h", "#define OK 0\n")
        .write("x.c", &format!("#include <ok.h>\n{C}"));
    for variable in ["CPATH", "C_INCLUDE_PATH"] {
        let test = |folder: &str| place.test(&["x.c"], &[(variable, &place.path(folder))]);
        assert_eq!(test("a"), Some(0), "{variable}");
        assert_eq!(test("b"), Some(1), "{variable}");
        assert_eq!(test("a"), Some(0), "{variable}");
    }
}

#[test]
fn a_header_that_was_not_there() {
    let place = Place::new();
    // It is only asked for, never included.
    let text = "#if __has_include(\"absent.h\")\n#define OK 0\n#else\n#define OK 1\n#endif\n";
    place.write("x.c", &format!("{text}{C}"));
    assert_eq!(place.test(&["x.c"], &[]), Some(0));
    place.write("absent.h", "");
    assert_eq!(place.test(&["x.c"], &[]), Some(1));
}

#[test]
fn a_header_in_front_of_another() {
    let place = Place::new();
    place
        .write("near/readme", "")
        .write("far/ok.h", "#define OK 1\n")
        .write("x.cpp", &format!("#include \"ok.h\"\n{C}"));
    let words = ["x.cpp", "--cflag=-Inear", "--cflag=-Ifar"];
    assert_eq!(place.test(&words, &[]), Some(0));
    place.write("near/ok.h", "#define OK 0\n");
    assert_eq!(place.test(&words, &[]), Some(1));
}

#[test]
fn a_header_of_a_header() {
    let place = Place::new();
    place
        .write("inner.h", "#define OK 1\n")
        .write("outer.h", "#include \"inner.h\"\n")
        .write("x.c", &format!("#include \"outer.h\"\n{C}"));
    assert_eq!(place.test(&["x.c"], &[]), Some(0));
    place.write("inner.h", "#define OK 0\n");
    assert_eq!(place.test(&["x.c"], &[]), Some(1));
}

#[test]
fn a_variable_that_rust_code_looks_at() {
    let place = Place::new();
    place.write(
        "x.rs",
        "fn main() { assert_eq!(option_env!(\"LEVEL\").unwrap_or(\"right\"), \"right\"); }\n",
    );
    assert_eq!(place.test(&["x.rs"], &[]), Some(0));
    let wrong = [("LEVEL", Path::new("wrong"))];
    assert_eq!(place.test(&["x.rs"], &wrong), Some(1));
    assert_eq!(place.test(&["x.rs"], &[]), Some(0));
}

#[test]
fn a_module_and_a_text_of_rust_code() {
    let place = Place::new();
    place
        .write("inner.rs", "pub const OK: bool = true;\n")
        .write("word.txt", "right")
        .write(
            "x.rs",
            "mod inner; fn main() { assert!(inner::OK && include_str!(\"word.txt\") == \"right\"); }\n",
        );
    assert_eq!(place.test(&["x.rs"], &[]), Some(0));
    place.write("word.txt", "wrong");
    assert_eq!(place.test(&["x.rs"], &[]), Some(1));
    place.write("word.txt", "right");
    assert_eq!(place.test(&["x.rs"], &[]), Some(0));
    // Two files for one module are an error.
    place.write("inner/mod.rs", "pub const OK: bool = true;\n");
    assert_eq!(place.test(&["x.rs"], &[]), Some(2));
}

#[test]
fn another_compiler_of_the_same_version() {
    let place = Place::new();
    let clang = clang();
    let clang = clang.display();
    let text = "#include <assert.h>\nint main(void) {\n#ifdef BAD\n  assert(0);\n#endif\n  char c = -1;\n  assert(c < 0);\n}\n";
    place.write("x.c", text);
    place.script("plain", &format!("exec {clang} \"$@\""));
    place.script("macro", &format!("exec {clang} -DBAD \"$@\""));
    // No macro of the program tells.
    place.script("chars", &format!("exec {clang} -funsigned-char \"$@\""));
    let test = |name: &str| place.test(&["x.c"], &[("LINSPECT_CLANG", &place.path(name))]);
    assert_eq!(test("plain"), Some(0));
    assert_eq!(test("macro"), Some(1));
    assert_eq!(test("chars"), Some(1));
    // The same script with other words, and one that looks at the environment.
    place.script("plain", &format!("exec {clang} -funsigned-char \"$@\""));
    assert_eq!(test("plain"), Some(1));
    place.script("asks", &format!("exec {clang} $WORDS \"$@\""));
    let asked = |words: &str| {
        let variables = [
            ("LINSPECT_CLANG", &*place.path("asks")),
            ("WORDS", Path::new(words)),
        ];
        place.test(&["x.c"], &variables)
    };
    assert_eq!(asked("-O0"), Some(0));
    assert_eq!(asked("-funsigned-char"), Some(1));
}

/// The script saves the header after every run of the compiler as it was before it: whatever is kept must not outlive that.
#[test]
fn a_header_saved_while_the_compiler_runs() {
    let place = Place::new();
    let clang = clang();
    let clang = clang.display();
    place.write("ok.h", "#define OK 1\n");
    place.write("x.c", &format!("#include \"ok.h\"\n{C}"));
    for round in 1..=4 {
        place
            .write("ok.h", "#define OK 1\n")
            .write("left", &"x".repeat(round));
        // Counts down; the run in which it ends saves the header when clang is done.
        place.script(
            "slow",
            &format!(
                "case \"$*\" in *x.c*)\n  left=$(cat left); echo \"${{left#x}}\" >left\n  if [ \"$left\" = x ]; then\n    {clang} \"$@\"; code=$?; echo '#define OK 0' >ok.h; exit $code\n  fi\nesac\nexec {clang} \"$@\""
            ),
        );
        let test = || place.test(&["x.c"], &[("LINSPECT_CLANG", &place.path("slow"))]);
        test();
        // What is there by now is wrong, whatever the first run saw.
        place.write("ok.h", "#define OK 0\n").write("left", "");
        assert_eq!(test(), Some(1), "round {round}");
        drop(std::fs::remove_dir_all(place.path("cache")));
    }
}

#[test]
fn an_entry_that_was_copied_over_another() {
    let place = Place::new();
    place
        .write("right.c", "int main(void) { return 0; }\n")
        .write("wrong.c", &C.replace("OK", "0"));
    assert_eq!(place.test(&["wrong.c"], &[]), Some(1));
    let wrong = place.entries();
    assert_eq!(place.test(&["right.c"], &[]), Some(0));
    let right = place.entries().into_iter().find(|e| !wrong.contains(e));
    std::fs::copy(right.expect("a second entry"), &wrong[0]).expect("copied");
    assert_eq!(place.test(&["wrong.c"], &[]), Some(1));
}

#[test]
fn nothing_waits_for_the_other_end_of_a_pipe() {
    let place = Place::new();
    place.write("x.c", "int main(void) { return 0; }\n");
    assert_eq!(place.test(&["x.c"], &[]), Some(0));
    let make = |path: &Path| {
        drop(std::fs::remove_file(path));
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo runs").success());
    };
    place.entries().iter().for_each(|entry| make(entry));
    assert_eq!(place.test(&["x.c"], &[]), Some(0));
    make(&place.path("x.c"));
    assert_eq!(place.test(&["x.c"], &[]), Some(2));
}
