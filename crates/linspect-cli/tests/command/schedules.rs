//! Programs whose schedules are easily missed: processes that end early, threads that start threads, loops that wait, or never end.

use crate::linspect::{Run, run};
use std::path::Path;

fn test(name: &str, more: &[&str]) -> Run {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/schedules");
    let path = path.join(name);
    let mut arguments = vec!["test", path.to_str().expect("a plain path")];
    arguments.extend(more);
    run(&arguments)
}

fn expect(done: &Run, code: i32, words: &str) {
    let said: Vec<&str> = done.out.split_whitespace().collect();
    let said = said.join(" ");
    assert_eq!(done.code, Some(code), "{done:?}");
    assert!(said.contains(words), "`{words}` is not said: {done:?}");
}

#[test]
fn what_happens_before_the_process_ends_is_seen() {
    for end in ["-DENDS_BY_RETURN", "-DENDS_BY_EXIT", "-DENDS_AT_ONCE"] {
        for thread in ["-DJOINABLE", "-DDETACHED"] {
            for fails in ["-DFAILS_EARLY", "-DFAILS_LATE"] {
                let flags = [end, thread, fails].map(|flag| format!("--cflag={flag}"));
                let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
                expect(&test("early_exit.c", &flags), 1, "ASSERTION");
            }
        }
    }
}

#[test]
fn whoever_ends_the_process_first_is_tried() {
    expect(&test("exits_race.c", &[]), 0, "FREE OF FAULTS");
}

#[test]
fn threads_that_start_threads_are_explored() {
    expect(&test("nested_threads.c", &[]), 0, "exhausted");
    let meet = test("nested_threads.c", &["--cflag=-DNEVER_MEET"]);
    expect(&meet, 1, "ASSERTION");
}

#[test]
fn equal_calls_are_no_loop() {
    let done = test(
        "equal_calls.rs",
        &["--client", "count count count count | mark"],
    );
    expect(&done, 0, "LINEARIZABLE");
}

#[test]
fn who_gives_way_for_ever_is_livelocked() {
    let done = test("courteous.rs", &["--client", "enter | leave"]);
    expect(&done, 1, "LIVELOCK");
}

#[test]
fn runs_without_a_longest_length_are_cut_and_that_is_said() {
    let done = test(
        "hindered.c",
        &["--client", "here | there", "--races", "note"],
    );
    expect(&done, 3, "steps per thread");
    expect(&done, 3, "data race");
}

#[test]
fn an_operation_that_never_returns_is_no_fault_of_the_harness() {
    // Its counter never comes back to where it was, so nothing is proved.
    let done = test("counts_on.rs", &["--client", "[take] give | take"]);
    expect(&done, 3, "UNDECIDED");
    let done = test("turns_for_ever.c", &["--client", "[spin] stop | spin"]);
    expect(&done, 1, "LIVELOCK");
    expect(&done, 1, "turns_for_ever.c:");
}

#[test]
fn what_is_called_at_the_end_for_ever_ends() {
    expect(&test("at_exit.c", &[]), 3, "at the end");
}
