//! The smallest test as source: it fails with the object that it was made of, and passes when that is mended.

use crate::linspect::{Run, run};
use linspect_zoo::Zoo;
use std::path::Path;

struct Example {
    /// The harness that the fault was found with.
    harness: &'static str,
    /// The other files.
    others: &'static [&'static str],
    /// A client that fails.
    client: &'static str,
    /// The file that is wrong, and the same without the fault.
    wrong: &'static str,
    right: &'static str,
    /// Where the test goes.
    test: &'static str,
    /// What it says, up to the client.
    code: &'static str,
}

const EXAMPLES: [Example; 3] = [
    Example {
        harness: "c/treiber_stack/harness.c",
        others: &["c/treiber_stack/careless_pop_stack.c"],
        client: "[push(1) push(2)] pop | pop",
        wrong: "c/treiber_stack/careless_pop_stack.c",
        right: "c/treiber_stack/treiber_stack.c",
        test: "c/treiber_stack/regression.c",
        code: "#include \"harness.c\"\n\nLINSPECT_CLIENT(\"[",
    },
    Example {
        harness: "cpp/ms_queue/harness.cpp",
        others: &["cpp/ms_queue/ms_queue.cpp"],
        client: "enqueue(1) | enqueue(2) [dequeue dequeue dequeue]",
        wrong: "cpp/ms_queue/ms_queue.cpp",
        right: "cpp/ms_queue/ms_queue_fixed.cpp",
        test: "cpp/regression.cpp",
        code: "#include \"ms_queue/harness.cpp\"\n\nLINSPECT_CLIENT(\"[",
    },
    Example {
        harness: "rust/harness/treiber_stack.rs",
        others: &[],
        client: "[push(1) push(2)] pop | pop",
        wrong: "rust/src/treiber_stack.rs",
        right: "rust/src/treiber_stack_fixed.rs",
        test: "rust/regression.rs",
        code: "#[path = \"harness/treiber_stack.rs\"]\nmod harness;\n\nlinspect::client!(\"[",
    },
];

#[test]
fn it_fails_until_the_object_is_mended() {
    for example in EXAMPLES {
        let out = tempfile::tempdir().unwrap();
        let place = |name: &str| out.path().join(name).to_str().unwrap().to_owned();
        Zoo::extract(out.path()).unwrap();
        let test = |first: &str, more: &[&str]| -> Run {
            let mut arguments = vec![
                "test".to_owned(),
                place(first),
                "--out".into(),
                place("out"),
            ];
            arguments.extend(example.others.iter().map(|f| place(f)));
            arguments.extend(more.iter().map(|&a| a.to_owned()));
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            run(&arguments)
        };
        let emitted = place(example.test);
        let found = test(
            example.harness,
            &["--client", example.client, "--emit-test", &emitted],
        );
        assert_eq!(found.code, Some(1), "{found:?}");
        let text = std::fs::read_to_string(place(example.test)).unwrap();
        assert!(text.contains(example.code), "{text}");
        assert!(text.contains("NOT LINEARIZABLE"), "{text}");

        let failed = test(example.test, &[]);
        assert_eq!(failed.code, Some(1), "{failed:?}");
        assert!(failed.out.contains("NOT LINEARIZABLE"), "{}", failed.out);

        std::fs::copy(place(example.right), place(example.wrong)).unwrap();
        let passed = test(example.test, &[]);
        assert_eq!(passed.code, Some(0), "{passed:?}");
        assert!(passed.out.contains("exhausted"), "{}", passed.out);
    }
}

/// Nothing wrong: no test, and that is said.
#[test]
fn a_right_object_gives_no_test() {
    let out = tempfile::tempdir().unwrap();
    Zoo::extract(out.path()).unwrap();
    let file = |name: &str| out.path().join(name).to_str().unwrap().to_owned();
    let (harness, stack) = (
        file("c/treiber_stack/harness.c"),
        file("c/treiber_stack/treiber_stack.c"),
    );
    let test = file("regression.c");
    let done = run(&[
        "test",
        &harness,
        &stack,
        "--client",
        "pop | pop",
        "--emit-test",
        &test,
    ]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.err.contains("nothing is wrong"), "{}", done.err);
    assert!(!Path::new(&test).exists());
}
