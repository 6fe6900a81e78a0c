//! Runs beside each other: in one folder, with one cache, some of them killed. Every verdict is about its own code, and whatever is kept is right.

use crate::linspect::command;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// A right and a wrong object of each language, under the same name in two folders.
const OBJECTS: [(&str, &str, &str, &str); 4] = [
    (
        "flag.rs",
        "use std::sync::atomic::{AtomicBool, Ordering::SeqCst};\npub struct Flag(AtomicBool);\nimpl Flag { pub fn take(&self) -> bool { TAKE } }\nlinspect::harness! { flag: Flag = Flag(AtomicBool::new(false)); fn take(&self) -> bool; }\n",
        "!self.0.swap(true, SeqCst)",
        "!self.0.load(SeqCst) && { self.0.store(true, SeqCst); true }",
    ),
    (
        "sum.rs",
        "fn main() { let t = std::thread::spawn(|| 20); assert_eq!(t.join().unwrap() + 22, TAKE); }\n",
        "42",
        "43",
    ),
    (
        "lock.c",
        "#include <assert.h>\n#include <stdatomic.h>\nstatic atomic_int n;\nint main(void) { n = 1; assert(atomic_fetch_add(&n, 1) == TAKE); return 0; }\n",
        "1",
        "2",
    ),
    (
        "list.cpp",
        "#include <atomic>\n#include <cassert>\n#include <vector>\nint main() { std::vector<int> v{1, 2}; std::atomic<int> n{v[1]}; assert(n == TAKE); }\n",
        "2",
        "1",
    ),
];

/// Writes all objects below `folder`; gives their paths, with the exit code of each.
fn write(folder: &Path, swapped: bool) -> Vec<(String, i32)> {
    let mut all = Vec::new();
    for (name, text, right, wrong) in OBJECTS {
        for (place, is_right) in [("a", !swapped), ("b", swapped)] {
            let path = format!("{place}/{name}");
            std::fs::create_dir_all(folder.join(place)).expect("a folder");
            let word = if is_right { right } else { wrong };
            std::fs::write(folder.join(&path), text.replace("TAKE", word)).expect("written");
            all.push((path, i32::from(!is_right)));
        }
    }
    all
}

fn start(folder: &Path, file: &str) -> Command {
    let mut command = command(&["test", file, "--operations", "2", "--out", "out"]);
    command
        .current_dir(folder)
        .env("LINSPECT_CACHE", folder.join("cache"));
    command
}

/// Ends `child` at some point of its life that depends on `number`.
fn kill(mut child: Child, number: usize) {
    let patience = 1_usize << (number % 18);
    for _ in 0..patience {
        if child.try_wait().expect("a child").is_some() {
            break;
        }
        std::thread::yield_now();
    }
    let _ = child.kill();
    child.wait().expect("a child");
}

#[test]
fn runs_beside_each_other_and_kills_mix_nothing() {
    let long = std::env::var_os("LINSPECT_LONG").is_some();
    let (runs, at_once) = if long { (200, 16) } else { (24, 8) };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let objects = write(folder, false);
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if number >= runs {
                        return;
                    }
                    let (file, code) = &objects[number % objects.len()];
                    let mut command = start(folder, file);
                    if number % 3 == 2 {
                        command.stdout(std::process::Stdio::null());
                        command.stderr(std::process::Stdio::null());
                        kill(command.spawn().expect("it starts"), number);
                        continue;
                    }
                    let output = command.output().expect("it runs");
                    assert_eq!(output.status.code(), Some(*code), "{file}: {output:?}");
                }
            });
        }
    });
    // What is kept is right, and is not taken for other code of the same name.
    for swapped in [false, true, false] {
        for (file, code) in write(folder, swapped) {
            let output = start(folder, &file).output().expect("it runs");
            assert_eq!(output.status.code(), Some(code), "{file}: {output:?}");
        }
    }
    // Nothing but sources, reports and cache is in the folder.
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["a", "b", "cache", "out"]);
}

#[test]
fn files_of_one_name_have_reports_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for place in ["a", "b"] {
        std::fs::create_dir(folder.join(place)).expect("a folder");
        let text = "#include <assert.h>\nint main(void) { assert(0); }\n";
        std::fs::write(folder.join(place).join("x.c"), text).expect("written");
    }
    let data = |file: &str| -> PathBuf {
        let output = start(folder, file).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let line = said.lines().find_map(|l| l.strip_prefix("data: "));
        let name = PathBuf::from(line.unwrap_or_else(|| panic!("{said}")));
        let text = std::fs::read_to_string(folder.join(&name)).expect("a report");
        let finding = linspect_report::json::read(&text).expect("a finding");
        assert_eq!(finding.checked.source, file);
        assert!(folder.join(name.with_extension("html")).is_file());
        name
    };
    assert_eq!(data("a/x.c"), Path::new("out/x.json"));
    assert_eq!(data("b/x.c"), Path::new("out/x-2.json"));
    assert_eq!(data("a/x.c"), Path::new("out/x.json"));
    assert_eq!(data("b/x.c"), Path::new("out/x-2.json"));
    // A link that somebody laid is not followed.
    std::fs::remove_file(folder.join("out/x.json")).expect("removed");
    std::os::unix::fs::symlink("notes.json", folder.join("out/x.json")).expect("a link");
    assert_eq!(data("a/x.c"), Path::new("out/x-3.json"));
    assert!(!folder.join("out/notes.json").exists());
}

#[test]
fn a_folder_that_cannot_be_written_can_be_tested() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("sources");
    std::fs::create_dir(&folder).expect("a folder");
    let objects = write(&folder, false);
    let bound = |words: &[&str]| {
        let done = Command::new("mount").args(words).arg(&folder).output();
        done.is_ok_and(|d| d.status.success())
    };
    let itself = folder.to_str().expect("a plain path");
    // Without the right to mount, at least nothing may appear there.
    let mounted = bound(&["--bind", itself]);
    assert!(!mounted || bound(&["-o", "remount,bind,ro"]));
    let out = place.path().join("out");
    let run = |file: &str| {
        command(&["test", file, "--operations", "2"])
            .arg("--out")
            .arg(&out)
            .current_dir(&folder)
            .env("LINSPECT_CACHE", place.path().join("cache"))
            .output()
            .expect("it runs")
    };
    let done: Vec<_> = objects.iter().map(|(file, _)| run(file)).collect();
    if mounted {
        let done = Command::new("umount").arg(&folder).status();
        assert!(done.expect("umount runs").success());
    }
    for ((file, code), output) in objects.iter().zip(done) {
        assert_eq!(output.status.code(), Some(*code), "{file}: {output:?}");
    }
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 2);
}
