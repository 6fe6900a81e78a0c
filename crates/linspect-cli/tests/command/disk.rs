//! Disks that are full and folders that cannot be written: an error that names the file, and never a part of one.

use crate::linspect::{Run, command, repository, run};
use std::path::{Path, PathBuf};
use std::process::Command;

const OBJECT: &str = "corpus/harness/rust/cache.rs";

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn refused(done: &Run, path: &Path) {
    assert_eq!(done.code, Some(2), "{done:?}");
    let expected = format!("error: cannot write {}: ", path.display());
    assert!(done.err.contains(&expected), "{expected}\n{}", done.err);
    assert!(done.err.contains("help: choose a path that can be written"));
}

/// A path below a file cannot be made by anybody, root included.
#[test]
fn what_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").expect("written");
    let below = file.join("report.dot");
    let out = folder.path().join("out");
    for option in ["--html", "--sarif", "--junit", "--tree", "--emit-test"] {
        let done = run(&["test", OBJECT, "--out", text(&out), option, text(&below)]);
        refused(&done, &below);
        // What is known is said before.
        assert!(
            done.out.contains("NOT LINEARIZABLE") || option == "--tree",
            "{option}: {done:?}"
        );
    }
    // Where reports go is tried before anything is run.
    let done = run(&["test", OBJECT, "--out", text(&below)]);
    refused(&done, &below);
    assert_eq!(done.out, "");
    let done = run(&[
        "check",
        "corpus/histories/fail/queue.jsonl",
        "--html",
        text(&below),
    ]);
    refused(&done, &below);
    assert_eq!(
        std::fs::read_to_string(&file).expect("readable"),
        "not a folder"
    );
}

#[test]
fn json_is_printed_even_if_a_file_cannot_be_written() {
    let done = run(&["test", OBJECT, "--json", "--html", "/dev/full"]);
    assert_eq!(done.code, Some(2), "{}", done.err);
    assert!(
        linspect_report::json::read(&done.out).is_ok(),
        "{}",
        done.out
    );
    assert!(
        done.err
            .contains("error: cannot write /dev/full: No space left on device")
    );
}

#[test]
fn a_full_standard_output_is_an_error() {
    for arguments in [
        &["test", OBJECT, "--json"][..],
        &["generate", "queue"],
        &["check", "corpus/histories/pass/queue.jsonl"],
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("/dev/full");
        let output = command(arguments).stdout(full).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains("cannot write to standard output: No space left on device"),
            "{said}"
        );
    }
}

/// A disk of a few pages, where this user may make one.
struct Disk(PathBuf);

impl Disk {
    fn new(folder: &Path, size: &str) -> Option<Self> {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(folder)
            .output();
        mounted
            .is_ok_and(|m| m.status.success())
            .then(|| Self(folder.to_owned()))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).output();
    }
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = Disk::new(folder.path(), "8k") else {
        // Without the right to mount there are still the tests above.
        return;
    };
    let page = disk.0.join("page.html");
    std::fs::write(&page, "the old page").expect("it fits");
    let out = tempfile::tempdir().expect("a folder");
    let done = run(&[
        "test",
        OBJECT,
        "--out",
        text(out.path()),
        "--html",
        text(&page),
    ]);
    refused(&done, &page);
    assert!(done.err.contains("No space left on device"), "{}", done.err);
    assert_eq!(
        std::fs::read_to_string(&page).expect("readable"),
        "the old page"
    );
    assert_eq!(
        std::fs::read_dir(&disk.0).expect("a folder").count(),
        1,
        "nothing is left over"
    );
    let done = run(&["test", OBJECT, "--out", text(&disk.0)]);
    refused(&done, &disk.0.join("cache.json"));
    assert_eq!(std::fs::read_dir(&disk.0).expect("a folder").count(), 1);
    // A cache that cannot be written is only slower: what does not fit whole is not there.
    let program = repository().join("corpus/fuzz/stack.c");
    for _ in 0..2 {
        let output = command(&["test", text(&program), "--operations", "2"])
            .env("LINSPECT_CACHE", &disk.0)
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}

#[test]
fn a_cache_that_cannot_be_made_is_no_failure() {
    let output = command(&["test", "corpus/fuzz/stack.c", "--operations", "2"])
        .env("LINSPECT_CACHE", "/dev/null/cache")
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn a_temporary_folder_that_cannot_be_used_is_named() {
    let output = command(&["test", "corpus/fuzz/stack.c"])
        .env("LINSPECT_CACHE", "")
        .env("TMPDIR", "/dev/null")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("error: cannot use the temporary directory: "),
        "{said}"
    );
    assert!(
        said.contains("help: set TMPDIR to a folder that can be written and has space"),
        "{said}"
    );
}
