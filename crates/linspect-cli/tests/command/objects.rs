//! Objects from source to report: the demonstrations, the zoo, replay.

use crate::linspect::run;
use serde_json::Value;
use std::path::Path;

/// Every demonstration shows its violation, writes a page, and succeeds.
#[test]
fn every_demonstration_succeeds() {
    let list = run(&["demo", "--list"]);
    let names: Vec<&str> = list
        .out
        .lines()
        .filter_map(|l| l.split_whitespace().next())
        .collect();
    assert_eq!(names.len(), 5, "{}", list.out);
    for name in names {
        let out = tempfile::tempdir().unwrap();
        let done = run(&["demo", name, "--out", text(out.path())]);
        assert_eq!(done.code, Some(0), "{name}: {done:?}");
        assert!(done.out.starts_with('✗'), "{name}: {}", done.out);
        let pages = std::fs::read_dir(out.path()).unwrap().flatten();
        let pages = pages.filter(|f| f.path().extension().is_some_and(|e| e == "html"));
        assert_eq!(pages.count(), 1, "{name}");
    }
}

/// The first demonstration to the letter of what matters: smallest test, decisive line, repair.
#[test]
fn the_lock_free_list_is_taken_apart() {
    let out = tempfile::tempdir().unwrap();
    let done = run(&["demo", "lock-free-list", "-v", "--out", text(out.path())]);
    for part in [
        "NOT LINEARIZABLE · LockFreeSet, as a set",
        "smallest test (certified: no operation can be removed)",
        "before  insert(1) → true",
        "1 was removed twice, but added only once.",
        "had to return false",
        "curr.next.store(mark(next), Release);",
        "make atomic (1 of 1; this client exhausted clean",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
}

/// What was found can be seen again, and is as bad the second time.
#[test]
fn a_token_replays_the_run() {
    let out = tempfile::tempdir().unwrap();
    let demo = run(&["demo", "queue", "--out", text(out.path())]);
    assert_eq!(demo.code, Some(0), "{demo:?}");
    let data = std::fs::read_to_string(out.path().join("ms_queue.json")).unwrap();
    let finding: Value = serde_json::from_str(&data).unwrap();
    let token = finding["replay"]["token"].as_str().unwrap();
    let harness = out.path().join("zoo/rust/harness/ms_queue.rs");
    let again = run(&["replay", token, text(&harness), "--out", text(out.path())]);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(
        again.out.contains("NOT LINEARIZABLE · Queue, as a queue"),
        "{}",
        again.out
    );
    let damaged = run(&["replay", &token[..token.len() - 2], text(&harness)]);
    assert_eq!(damaged.code, Some(2));
    assert!(
        damaged.err.contains("the token is damaged"),
        "{}",
        damaged.err
    );
}

/// A fixed twin passes where its buggy one fails.
#[test]
fn a_fixed_twin_holds() {
    for (name, code) in [
        ("lock_free_list", 1),
        ("lock_free_list_fixed", 0),
        ("afek_stack", 1),
        ("afek_stack_fixed", 0),
    ] {
        let out = tempfile::tempdir().unwrap();
        let done = run(&["zoo", "run", name, "--out", text(out.path())]);
        assert_eq!(done.code, Some(code), "{name}: {done:?}");
    }
}

/// What cannot be tested is said, with what to do.
#[test]
fn mistakes_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let nothing = write("nothing.c", "int x;\n");
    let broken = write("broken.c", "int main( {\n");
    let cases = [
        (
            vec!["test", text(&nothing)],
            "neither a function `main` nor a harness",
        ),
        (vec!["test", text(&broken)], "refused"),
        (vec!["test", "absent.c"], "cannot read absent.c"),
        (vec!["test", "notes.txt"], "notes.txt"),
        (
            vec!["demo", "unicorn"],
            "there is no demonstration `unicorn`",
        ),
        (
            vec!["zoo", "run", "unicorn"],
            "there is nothing called `unicorn`",
        ),
    ];
    for (arguments, message) in cases {
        let done = run(&arguments);
        assert_eq!(done.code, Some(2), "{arguments:?}: {done:?}");
        assert!(done.err.contains(message), "{arguments:?}: {}", done.err);
        assert!(done.err.contains("help:"), "{arguments:?}: {}", done.err);
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs `test` on a file of the corpus.
fn test(arguments: &[&str]) -> (Option<i32>, String) {
    let out = tempfile::tempdir().unwrap();
    let mut all = vec!["test", "-v"];
    all.extend(arguments);
    all.extend(["--out", text(out.path())]);
    let done = run(&all);
    (done.code, done.out)
}

/// A deadlock is a violation, and says who waits for what.
#[test]
fn a_deadlock_says_who_waits_for_whom() {
    let (code, said) = test(&["corpus/harness/c/philosophers.c"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("✗ DEADLOCK"), "{said}");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for lock in ["forks[0]", "forks[1]", "forks[2]"] {
        assert!(
            said.contains(&format!("waits for {lock}, which ")),
            "{said}"
        );
    }
}

/// An operation that waits alone, too, may wait; an assertion of the C++ library is reported where the program called it.
#[test]
fn a_queue_that_waits_is_not_a_deadlock() {
    let queue = "corpus/harness/cpp/blocking_queue.cpp";
    let (code, said) = test(&[queue, "--operations", "3"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("✗ ASSERTION FAILED"), "{said}");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("· BlockingQueue"), "{said}");
    let fixed = [queue, "--operations", "3", "--cflag=-DFIXED"];
    let (code, said) = test(&fixed);
    assert_eq!(code, Some(0), "{said}");
}

/// A thread that the object started itself may wait for work, and operations may wait for it; one that nothing wakes any more holds them up.
#[test]
fn a_worker_of_the_object_may_wait() {
    let worker = "corpus/harness/c/worker.c";
    let (code, said) = test(&[worker, "--max-operations", "3"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = test(&[worker, "--cflag=-DLOST"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("✗ DEADLOCK · drain"), "{said}");
    let (code, said) = test(&["corpus/harness/rust/worker.rs", "--client", "work(1)"]);
    assert_eq!(code, Some(0), "{said}");
    // Who waits for a lock waits for no work, even if no operation waits for it.
    let workers = "corpus/harness/c/two_workers.c";
    let (code, said) = test(&[workers]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = test(&[workers, "--cflag=-DCROSSED"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("✗ DEADLOCK"), "{said}");
}

/// What the standard library does for the program is told in the program's own lines and names.
#[test]
fn a_lock_of_the_library_is_shown_in_the_lines_of_the_program() {
    let (code, said) = test(&["corpus/harness/rust/cache.rs"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains(" locks object.values\n"), "{said}");
    let told = said.split("what happened").nth(1).unwrap();
    let told = told.split("the one different choice").next().unwrap();
    for line in told.lines().filter(|l| l.contains(".rs:")) {
        assert!(line.contains("cache.rs:"), "{line}");
    }
    // From the release of the lock to its acquisition one would wait for the other reader: the section begins with the first acquisition.
    let repair = said.split("make atomic (1 of 1;").nth(1).expect("a repair");
    assert!(repair.contains("cache.rs:18–21 in"), "{said}");
}

/// A Rust program that panics has failed, though it ends in good order; and a fault that half of all schedules have is found although there are too
/// many to see them all.
#[test]
fn a_panic_of_main_is_a_fault() {
    let (code, said) = test(&["corpus/harness/rust/channel.rs"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("✗ ASSERTION FAILED"), "{said}");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("Panicked: assertion `left == right` failed"),
        "{said}"
    );
    assert!(said.contains("channel.rs:14"), "{said}");
}

/// The back-off of the standard library's channels counts its rounds; a loop that waits by it is recognised all the same.
#[test]
fn a_receiver_that_backs_off_waits() {
    let (code, said) = test(&["corpus/harness/rust/message.rs"]);
    assert_eq!(code, Some(0), "{said}");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("exhausted 70 executions (7 retries cut)"),
        "{said}"
    );
}

/// Only what was published as parking_lot or dashmap is taken for it: a lock of that name that does not wait is wrong.
#[test]
fn a_lock_with_the_name_of_another_is_run_as_it_is() {
    for name in ["parking_lot", "dashmap"] {
        let (code, said) = test(&[&format!("corpus/harness/rust/{name}.rs")]);
        assert_eq!(code, Some(1), "{said}");
    }
}

/// Functions that were declared operations may wait for each other like any others.
#[test]
fn a_deadlock_of_a_program_with_operations_is_found() {
    let (code, said) = test(&[
        "corpus/harness/rust/observed_deadlock.rs",
        "--functions",
        "Tally::increment,Tally::get",
        "--spec",
        "counter",
    ]);
    assert_eq!(code, Some(1), "{said}");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    // A lock of Rust's standard library is a word of memory: who holds it is told from who took it.
    for part in [
        "main holds TALLY.calls and waits for TALLY.count",
        "T1 holds TALLY.count and waits for TALLY.calls",
        "take TALLY.count and TALLY.calls in the same order everywhere",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

/// A lock without a name that was given back is not held in the end.
#[test]
fn a_deadlock_names_no_lock_that_was_given_back() {
    let (code, said) = test(&["corpus/order/rust/park_late.rs"]);
    assert_eq!(code, Some(1), "{said}");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = "T1 waits to be unparked; main waits for T1 to end: neither can go on.";
    assert!(said.contains(sentence), "{said}");
}

/// An exchange that fails without reason is tried again: its loop does not wait for anybody. One such loop runs when a Rust program ends.
#[test]
fn an_exchange_that_gives_up_is_no_livelock() {
    for file in [
        "corpus/order/rust/arc_right.rs",
        "examples/programs/stack.rs",
    ] {
        let (code, said) = test(&[file, "--memory-model", "c20"]);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("exhausted"), "{said}");
    }
}

/// What holds says nothing of how memory is given back that no run freed. Two stacks, one of which frees its nodes.
#[test]
fn memory_that_is_never_freed_is_told() {
    let stack = |pops: &str| {
        format!(
            "#include <linspect.h>
             #include <pthread.h>
             #include <stdlib.h>
             struct node {{ int value; struct node *next; }};
             static struct node *top;
             static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
             static void push(int v) {{
                 struct node *n = malloc(sizeof *n);
                 n->value = v;
                 pthread_mutex_lock(&lock);
                 n->next = top; top = n;
                 pthread_mutex_unlock(&lock);
             }}
             static int pop(void) {{
                 pthread_mutex_lock(&lock);
                 struct node *n = top;
                 int v = n ? n->value : -1;
                 if (n) {{ top = n->next; {pops} }}
                 pthread_mutex_unlock(&lock);
                 return v;
             }}
             LINSPECT_OBJECT(struct node **, object, &top)
             LINSPECT_OP(push, push(v), int v, 1, 2)
             LINSPECT_OP_RET(int, pop, pop())
             LINSPECT_SPEC(stack, .empty = -1)"
        )
    };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stack.c");
    for (pops, told) in [("", true), ("free(n);", false)] {
        std::fs::write(&file, stack(pops)).expect("it is written");
        let done = run(&[
            "test",
            file.to_str().expect("a path"),
            "--max-operations",
            "3",
        ]);
        assert_eq!(done.code, Some(0), "{done:?}");
        assert_eq!(
            done.err.contains("no run freed what operations allocate"),
            told,
            "{done:?}"
        );
    }
}

/// What holds says nothing of an operation that never returned.
#[test]
fn an_operation_that_never_returns_is_named() {
    for (file, never) in [("never_returns", true), ("announces", false)] {
        let done = run(&["test", &format!("corpus/harness/c/{file}.c")]);
        assert_eq!(done.code, Some(0), "{done:?}");
        assert_eq!(done.err.contains("drain never returned in any run"), never);
        assert_eq!(done.err.contains("never returned"), never, "{done:?}");
    }
    // The other one did return.
    let never = "corpus/harness/c/never_returns.c";
    let done = run(&["test", never, "--client", "next | drain"]);
    assert!(done.err.contains("note: drain never returned"), "{done:?}");
}

/// Atomics of Rust's standard library are weaker than `seq_cst`, too, and a program can see that.
#[test]
fn the_standard_library_is_weak_where_it_can_be_seen() {
    for file in ["once_cells", "owners_counted"] {
        let file = format!("corpus/harness/rust/{file}.rs");
        let strong = run(&["test", &file, "--memory-model", "sc"]);
        assert_eq!(strong.code, Some(0), "{strong:?}");
        let said = "what only weaker orderings allow was not explored";
        assert!(strong.err.contains(said), "{strong:?}");
        let (code, said) = test(&[&file, "--memory-model", "c20"]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("ASSERTION FAILED"), "{said}");
    }
}

/// Orderings that are stronger than the tests need are named, and those that they need are not.
#[test]
fn orderings_that_could_be_weaker_are_named() {
    let file = "corpus/harness/rust/strong_message.rs";
    let done = run(&["orderings", file, "--max-operations", "2"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    for part in [
        "orderings · 4 of 4 are stronger",
        "strong_message.rs:11 the store `SeqCst` → `Relaxed`",
        "strong_message.rs:12 the store `SeqCst` → `Release`",
        "strong_message.rs:16 the load `SeqCst` → `Acquire`",
        "strong_message.rs:17 the load `SeqCst` → `Relaxed`",
    ] {
        assert!(done.out.contains(part), "{part}: {done:?}");
    }
    // Where races are allowed, C20 has nothing to say.
    let done = run(&[
        "orderings",
        "corpus/order/rust/seqlock.rs",
        "--max-operations",
        "2",
    ]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(
        done.err.contains("where data races are allowed"),
        "{done:?}"
    );
    let done = run(&["orderings", "corpus/orderings/message.rs"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(!done.out.contains("orderings · "), "{done:?}");
}

/// Where other tests are wrong whatever the orderings, those that this one needs are named all the same.
#[test]
fn orderings_are_repaired_where_other_faults_stay() {
    let file = "corpus/harness/rust/static_nodes.rs";
    let (code, said) = test(&[file, "--client", "push(1) | pop"]);
    assert_eq!(code, Some(1), "{said}");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "static_nodes.rs:23 the read-modify-write `Relaxed` → `Release`",
        "static_nodes.rs:31 the load `Relaxed` → `Acquire`",
        "wrong, for another reason",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

/// Whoever takes a value out must come after whoever added it. The fault replays, can be allowed, and is gone with the orderings that the fix names.
#[test]
fn a_value_is_handed_over_in_order() {
    let file = "corpus/orderings/mailbox.c";
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("a path");
    let done = run(&[
        "test",
        file,
        "--out",
        out,
        "--sarif",
        &format!("{out}/log.sarif"),
    ]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let said = done.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "UNORDERED HAND-OVER",
        "the value 1: T1 adds it by put(1) at mailbox.c:11 and T2 takes it out by take() at mailbox.c:15",
        "what T1 wrote before need not be there for T2",
        "mailbox.c:11 the read-modify-write `memory_order_relaxed` → `memory_order_release`",
        "mailbox.c:15 the read-modify-write `memory_order_relaxed` → `memory_order_acquire`",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let sarif = std::fs::read_to_string(format!("{out}/log.sarif")).expect("it was written");
    assert!(sarif.contains("\"ruleId\": \"hand-over\""), "{sarif}");
    for command in ["replay", "minimise"] {
        let again = run(&[command, &format!("{out}/mailbox.json"), "--out", out]);
        assert_eq!(again.code, Some(1), "{again:?}");
        assert!(again.out.contains("UNORDERED HAND-OVER"), "{again:?}");
    }
    for meant in [["--allow-race", "hand_over"], ["--races", "note"]] {
        let done = run(&["test", file, meant[0], meant[1]]);
        assert_eq!(done.code, Some(0), "{done:?}");
        assert_eq!(
            done.out.contains("hand-over of the value"),
            meant[1] == "note"
        );
    }
}

/// The locks of the panic hook, of the environment and of backtraces are not part of what happened.
#[test]
fn a_panic_is_told_without_what_the_standard_library_does() {
    let (code, said) = test(&["corpus/harness/rust/panics_alone.rs"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("index out of bounds"), "{said}");
    for internal in ["_RN", "std::", "HOOK", "ENV_LOCK"] {
        assert!(!said.contains(internal), "{said}");
    }
}

/// A store of what is there already is no change: a loop that waits and stores it again and again is recognised.
#[test]
fn a_waiter_that_says_so_again_and_again_waits() {
    let (code, said) = test(&["corpus/harness/c/announces.c", "--client", "take | give"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("exhausted"), "{said}");
}

/// Who waits for ever at its first step has called, too, and a loop that holds the lock is what to change.
#[test]
fn a_thread_that_never_gets_its_first_lock_is_in_the_test() {
    let (code, said) = test(&[
        "corpus/harness/c/held_for_ever.c",
        "--client",
        "serve | stop",
    ]);
    assert_eq!(code, Some(1), "{said}");
    for part in [
        "T1      serve() … never returned",
        "T2      stop() … never returned",
        "serve:10 goes round with lock, which stop:17 waits for: give lock back",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

/// Whoever returns with a lock holds up everybody, with other threads or without; but who gives it back in another operation does not.
#[test]
fn a_lock_that_is_kept_is_a_deadlock() {
    let (code, said) = test(&["corpus/harness/c/kept_lock.c"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("✗ DEADLOCK"), "{said}");
    assert!(said.contains("take() → 0"), "{said}");
    let (code, said) = test(&["corpus/harness/c/handed_lock.c"]);
    assert_eq!(code, Some(0), "{said}");
}

/// A section that leaves a data race says so.
#[test]
fn a_repair_says_which_data_races_it_leaves() {
    let (code, said) = test(&["corpus/harness/c/partly_atomic.c", "--client", "put | put"]);
    assert_eq!(code, Some(1), "{said}");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.starts_with("✗ NOT LINEARIZABLE"), "{said}");
    assert!(said.contains("put, lines 7–8, must be one step"), "{said}");
    assert!(
        said.contains("it does not end the data race on cell"),
        "{said}"
    );
}

/// A function that returns nothing may be the last that a caller has a register for. Who is woken must look again.
#[test]
fn a_semaphore_must_look_again() {
    let semaphore = "corpus/harness/cpp/semaphore.cpp";
    let (code, said) = test(&[semaphore]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("✗ NOT LINEARIZABLE"), "{said}");
    let (code, said) = test(&[semaphore, "--operations", "3", "--cflag=-DFIXED"]);
    assert_eq!(code, Some(0), "{said}");
}

/// What cannot be exhausted is sampled, and both are said.
#[test]
fn what_is_left_of_the_budget_is_used() {
    let queue = ["zoo/c/ms_queue/harness.c", "zoo/c/ms_queue/ms_queue.c"];
    let client = "enq(1) deq enq(2) deq | enq(3) deq enq(1) deq | enq(2) deq enq(3) deq";
    let (code, said) = test(&[queue[0], queue[1], "--budget", "1s", "--client", client]);
    assert_eq!(code, Some(3), "{said}");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    // Few preemptions come first; whether they come to an end depends on the machine.
    let covered = ["; ", ", but all with at most 2 preemptions; "];
    let is_covered = |more| {
        said.contains(&format!(
            " executions, not all schedules of this client{more}"
        ))
    };
    assert!(covered.iter().any(is_covered), "{said}");
    assert!(said.contains(" random executions of it · SC"), "{said}");
}
