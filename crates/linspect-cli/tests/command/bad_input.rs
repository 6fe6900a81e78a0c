//! What cannot be checked: the message, what to do, and exit code 2; never a verdict.

use crate::linspect::{command, run, run_with};

/// Checks `input`, and expects nothing but this message, with the right name, and this advice.
fn refused(input: &[u8], message: &str, help: &str) {
    let expected = format!("error: {{}}{message}\n  help: {help}\n");
    let said = |err: &str| {
        let (said, section) = err
            .split_once("  more: docs/errors.md#")
            .expect("a section");
        assert_eq!(section.lines().count(), 1, "{err}");
        said.to_owned()
    };
    let done = run_with(&["check", "-"], input);
    assert_eq!(said(&done.err), expected.replace("{}", "standard input:"));
    assert_eq!((done.code, &*done.out), (Some(2), ""));
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), input).unwrap();
    let path = file.path().to_str().unwrap();
    let done = run(&["check", path]);
    assert_eq!(said(&done.err), expected.replace("{}", &format!("{path}:")));
    assert_eq!((done.code, &*done.out), (Some(2), ""));
}

const LINE: &str = r#"a line looks like {"process":0,"type":"invoke","f":"enqueue","value":1} (see docs/format.md)"#;

#[test]
fn bad_inputs_are_refused_with_line_reason_and_advice() {
    let call = "{\"process\":0,\"type\":\"invoke\",\"f\":\"enqueue\",\"value\":1}\n";
    let after = |line: &str| format!("{call}{line}").into_bytes();
    refused(
        &after("{\"process\":0,\"type\":\"o"),
        "2: the input ends inside a JSON object: it is truncated",
        "record it again, or cut the file after its last complete line",
    );
    refused(
        &after("{\"process\":1,\"type\":\"ok\",\"f\":\"dequeue\",\"value\":1}\n"),
        "2: process 1 ends `dequeue`, but has no call in flight",
        "every `ok`, `fail` or `info` needs an `invoke` of the same process before it",
    );
    refused(
        &after(call),
        "2: process 0 calls `enqueue` while its call of `enqueue` from line 1 is in flight",
        "a process is sequential: number the clients apart, and end a call that timed out with `info`",
    );
    refused(
        &[call.as_bytes(), b"{\"process\":\xff}\n"].concat(),
        "2: byte 12 of this line is not UTF-8",
        "write texts in UTF-8, and bytes as numbers",
    );
    refused(
        &after("{\"process\":0,\"type\":\"ok\",\"f\":\"enqueue\",\"value\":0.5}\n"),
        "2: 0.5 has a fraction, an exponent or more than 64 bits: write it as a text, \"0.5\" (column 50)",
        LINE,
    );
    refused(
        b"",
        "1: there is no operation in this history",
        "record at least one call; the process of a client is a number",
    );
}

#[test]
fn operations_that_the_object_does_not_have_are_refused() {
    let header = "{\"linspect\":1,\"spec\":\"queue\"}\n";
    let advice = "correct the recording, or choose the object that was recorded with --spec";
    refused(
        format!("{header}{{\"process\":0,\"f\":\"frob\",\"value\":1,\"call\":1,\"return\":2}}\n")
            .as_bytes(),
        "2: `frob(1)`: queue has no method `frob` (it has enqueue, dequeue, peek, size, is_empty)",
        advice,
    );
    refused(
        format!(
            "{header}{{\"process\":0,\"f\":\"dequeue\",\"value\":1,\"call\":1,\"return\":2}}\n"
        )
        .as_bytes(),
        "2: `dequeue(1)`: queue: `dequeue` takes no argument, not 1",
        advice,
    );
    refused(
        format!(
            "{header}{{\"process\":0,\"f\":\"size\",\"result\":\"x\",\"call\":1,\"return\":2}}\n"
        )
        .as_bytes(),
        "2: `size() → \"x\"`: queue: `size` returns a whole number, not \"x\"",
        advice,
    );
}

#[test]
fn names_from_outside_do_not_drive_the_terminal() {
    refused(
        b"{\"process\":0,\"type\":\"ok\",\"f\":\"\\u001b[2J\"}\n",
        "1: process 0 ends `\\u{1b}[2J`, but has no call in flight",
        "every `ok`, `fail` or `info` needs an `invoke` of the same process before it",
    );
}

#[test]
fn a_line_of_a_gigabyte_is_refused_in_little_memory() {
    use std::io::Write;
    let mut child = command(&["check", "-"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let piece = vec![b'x'; 1 << 20];
        let _ = stdin.write_all(b"{\"process\":0,\"type\":\"invoke\",\"f\":\"");
        let written = (0..1024)
            .take_while(|_| stdin.write_all(&piece).is_ok())
            .count();
        drop(stdin);
        written
    });
    let output = child.wait_with_output().unwrap();
    let written = writer.join().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("error: standard input:1: this line or form is longer than 16 MiB\n"),
        "{said}"
    );
    // It stopped reading: what it had not read could not be written.
    assert!(written < 64, "{written} MiB were read");
}

#[test]
fn the_object_is_not_guessed() {
    let push = "{\"process\":0,\"f\":\"push\",\"value\":1,\"call\":1,\"return\":2}\n";
    let done = run_with(&["check", "-"], push.as_bytes());
    assert_eq!(
        done.err,
        "error: standard input: which object is this? The methods push fit queue, stack, priority-queue\n  \
         help: choose one, for example `--spec queue`\n  \
         more: docs/errors.md#specifications-and-models\n"
    );
    assert_eq!(done.code, Some(2));
    let done = run_with(&["check", "-", "--spec", "stack"], push.as_bytes());
    assert_eq!(done.code, Some(0), "{done:?}");
    let done = run_with(&["check", "-"], push.replace("push", "frob").as_bytes());
    assert!(
        done.err
            .starts_with("error: standard input: no built-in specification has the methods frob\n")
    );
    assert_eq!(done.code, Some(2));
}

#[test]
fn wrong_arguments_are_refused() {
    for (arguments, said) in [
        (
            &["check", "/no/such/file"][..],
            "error: /no/such/file: No such file or directory",
        ),
        (&["check", "/"], "error: /: is a directory"),
        (
            &["check", "-", "--spec", "frob"],
            "error: there is no specification `frob`; there are register,",
        ),
        (
            &["check", "-", "--criterion", "quasi"],
            "error: how relaxed may it be?",
        ),
        (
            &["check", "-", "--criterion", "sequential", "--relax", "1"],
            "error: this criterion has no K",
        ),
        (
            &["check", "-", "-"],
            "error: standard input can be read only once",
        ),
        (
            &["check", "-", "--timeout", "soon"],
            "error: invalid value 'soon' for '--timeout <TIME>'",
        ),
        (
            &["check", "-", "--memory", "4X"],
            "error: invalid value '4X' for '--memory <SIZE>'",
        ),
        (
            &["check"],
            "error: the following required arguments were not provided",
        ),
        (
            &["generate", "frob"],
            "error: there is no specification `frob`",
        ),
    ] {
        let done = run(arguments);
        assert_eq!((done.code, &*done.out), (Some(2), ""), "{arguments:?}");
        assert!(done.err.starts_with(said), "{arguments:?}: {}", done.err);
    }
}

/// Who gives a program where a history is meant, or a name that is nearly right, is told what to do.
#[test]
fn near_misses_are_understood() {
    let program = run(&["check", "corpus/fuzz/stack.c"]);
    assert_eq!(program.code, Some(2));
    let help = "`linspect test corpus/fuzz/stack.c` tests it";
    assert!(program.err.contains(help), "{}", program.err);
    let history = "corpus/histories/pass/queue.jsonl";
    for (typed, meant) in [
        ("qeueu", "queue"),
        ("stak", "stack"),
        ("regster", "register"),
    ] {
        let done = run(&["check", history, "--spec", typed]);
        assert_eq!(done.code, Some(2));
        let asked = format!("did you mean `{meant}`?");
        assert!(done.err.contains(&asked), "{}", done.err);
    }
    let far = run(&["check", history, "--spec", "bicycle"]);
    assert!(!far.err.contains("did you mean"), "{}", far.err);
}

/// What a program lacks is said in terms of the program, before anybody waits for it.
#[test]
fn programs_that_cannot_be_tested_say_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let alone = folder.path().join("alone.c");
    std::fs::write(&alone, "int main(void) { return 0; }\n").expect("written");
    let alone = alone.to_str().expect("UTF-8");
    let out = folder.path().join("out");
    let out = out.to_str().expect("UTF-8");

    let single = run(&["test", alone, "--out", out]);
    assert_eq!(single.code, Some(0), "{}", single.err);
    let warned = "warning: the program starts no thread";
    assert!(single.err.contains(warned), "{}", single.err);

    let blocked = run(&["test", alone, "--out", alone]);
    assert_eq!((blocked.code, &*blocked.out), (Some(2), ""));
    let said = format!("error: cannot write {alone}: ");
    assert!(blocked.err.contains(&said), "{}", blocked.err);
    assert!(!blocked.err.contains("harness"), "{}", blocked.err);

    let bare = command(&["test", alone, "--out", out])
        .env("PATH", folder.path())
        .output()
        .expect("it starts");
    let err = String::from_utf8_lossy(&bare.stderr);
    assert_eq!(bare.status.code(), Some(2), "{err}");
    assert!(
        err.starts_with("error: no clang was found on the PATH"),
        "{err}"
    );
    assert!(
        err.contains("help: install it, or put it on the PATH"),
        "{err}"
    );

    let broken = folder.path().join("broken.c");
    std::fs::write(&broken, "int main(void) { return nothing; }\n").expect("written");
    let broken = run(&["test", broken.to_str().expect("UTF-8"), "--out", out]);
    assert_eq!(broken.code, Some(2));
    assert!(
        broken.err.contains("undeclared identifier"),
        "{}",
        broken.err
    );
    assert!(broken.err.contains("--cflag"), "{}", broken.err);
}
