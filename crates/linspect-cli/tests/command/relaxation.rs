//! Relaxed objects: `--relax K` decides, `--min-k` finds the smallest.

use crate::linspect::{Run, run};

/// Tests an object of the zoo.
fn test(object: &str, file: &str, more: &[&str]) -> Run {
    let out = tempfile::tempdir().unwrap();
    let harness = format!("zoo/c/{object}/harness.c");
    let file = format!("zoo/c/{object}/{file}.c");
    let mut all = vec![
        "test",
        &harness,
        &file,
        "--out",
        out.path().to_str().unwrap(),
    ];
    all.extend(more);
    run(&all)
}

/// The smallest k of objects whose k is known by their construction, over all schedules of a client that needs it.
#[test]
fn the_smallest_k_is_that_of_the_construction() {
    let fill = "[enq(1) enq(2)] enq(3) | deq";
    for (object, file, client, k) in [
        // Segments of three cells, emptied last cell first.
        ("quasi_queue", "quasi_queue", fill, 2),
        // Segments of four.
        (
            "quasi_queue",
            "quasi_queue_b1",
            "[enq(1) enq(2) enq(3)] enq(4) | deq",
            3,
        ),
        ("bk_queue", "bk_queue", "enq(1) | enq(2) [deq deq]", 1),
        ("ubk_queue", "ubk_queue", "enq(1) | enq(2) [deq deq]", 1),
        ("k_stack", "k_stack", "push(1) | push(2) [pop pop]", 1),
        ("ms_queue", "ms_queue", fill, 0),
        (
            "treiber_stack",
            "treiber_stack",
            "push(1) | push(2) [pop pop]",
            0,
        ),
    ] {
        let done = test(object, file, &["--min-k", "--client", client]);
        assert_eq!(done.code, Some(0), "{file}: {done:?}");
        let said = format!("smallest k: {k}");
        assert!(done.out.contains(&said), "{file}: {}", done.out);
        let (headline, less) = match k {
            0 => ("✓ LINEARIZABLE".to_owned(), String::new()),
            1 => (
                "✓ 1-QUASI-LINEARIZABLE".to_owned(),
                "\n✗ NOT LINEARIZABLE".to_owned(),
            ),
            k => (
                format!("✓ {k}-QUASI-LINEARIZABLE"),
                format!("\n✗ NOT {}-QUASI-LINEARIZABLE", k - 1),
            ),
        };
        assert!(done.out.starts_with(&headline), "{file}: {}", done.out);
        assert!(done.out.contains(&less), "{file}: {}", done.out);
        assert_eq!(done.out.contains("✗"), k > 0, "{file}: {}", done.out);
    }
}

/// One number less is a violation, which can be seen again; the number itself holds.
#[test]
fn a_relaxation_is_decided() {
    let client = ["--client", "[enq(1) enq(2)] enq(3) | deq"];
    let with = |k: &str| {
        test(
            "quasi_queue",
            "quasi_queue",
            &[&["--relax", k], &client[..]].concat(),
        )
    };
    assert_eq!(with("2").code, Some(0), "{:?}", with("2"));
    assert_eq!(with("3").code, Some(0));
    let bad = with("1");
    assert_eq!(bad.code, Some(1), "{bad:?}");
    assert!(
        bad.out.starts_with("✗ NOT 1-QUASI-LINEARIZABLE · "),
        "{}",
        bad.out
    );
    // The token carries the relaxation.
    let data = test(
        "quasi_queue",
        "quasi_queue",
        &[&["--relax", "1", "--json"], &client[..]].concat(),
    );
    let finding: serde_json::Value = serde_json::from_str(&data.out).expect("JSON");
    let token = finding["replay"]["token"].as_str().expect("a token");
    let files = [
        "zoo/c/quasi_queue/harness.c",
        "zoo/c/quasi_queue/quasi_queue.c",
    ];
    let again = run(&[&["replay", token], &files[..]].concat());
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(again.out.starts_with("✗ NOT 1-QUASI"), "{}", again.out);
}

/// No relaxation helps where elements come twice.
#[test]
fn what_is_wrong_beyond_order_has_no_k() {
    let client = ["--min-k", "--client", "[enq(1)] deq | deq"];
    let done = test("quasi_queue", "quasi_queue_b2", &client);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.out.starts_with("✗ NOT "), "{}", done.out);
    let said = "smallest k: none, not only the order of elements is wrong";
    assert!(done.out.contains(said), "{}", done.out);
}

/// A budget that ends early does not make a claim.
#[test]
fn an_unfinished_search_says_at_least() {
    let client = [
        "--min-k",
        "--budget",
        "1ms",
        "--client",
        "[enq(1)] enq(2) deq | enq(3) deq",
    ];
    let done = test("bk_queue", "bk_queue", &client);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.out.contains("smallest k: at least "), "{}", done.out);
}

/// What has no order cannot be relaxed, and it is said what to do.
#[test]
fn wrong_uses_are_explained() {
    let refused = |done: Run, message: &str| {
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains(message), "{}", done.err);
        assert!(done.err.contains("help:"), "{}", done.err);
    };
    let list = |more: &[&str]| test("coarse_list", "coarse_list", more);
    refused(list(&["--min-k"]), "set has no order that could be relaxed");
    refused(
        list(&["--relax", "1"]),
        "set has no order that could be relaxed",
    );
    refused(
        test(
            "quasi_queue",
            "quasi_queue",
            &["--relax", "1", "--spec", "self"],
        ),
        "the object's own sequential behaviour has no order that could be relaxed",
    );
    refused(
        run(&["test", "zoo/c/programs/account.c", "--min-k"]),
        "a plain program has no operations whose order could be relaxed",
    );
    let both = list(&["--min-k", "--relax", "1"]);
    assert_eq!(both.code, Some(2));
    assert!(both.err.contains("cannot be used with"), "{}", both.err);
}

/// Where the harness has a golden model, that says what the order is: the object with its relaxation turned off.
#[test]
fn a_golden_model_says_what_the_order_is() {
    let lanes = "corpus/harness/c/lanes.c";
    let out = tempfile::tempdir().unwrap();
    let test = |more: &[&str]| {
        let mut all = vec!["test", lanes, "--out", out.path().to_str().unwrap()];
        all.extend(more);
        run(&all)
    };
    // 1 and 3 share a lane, so 3 overtakes 2.
    let client = ["--client", "[enq(1) enq(2)] enq(3) | deq [deq deq]"];
    let least = test(&[&["--min-k"], &client[..]].concat());
    assert_eq!(least.code, Some(0), "{least:?}");
    let headline = "✓ 1-QUASI-LINEARIZABLE (sequential model)";
    assert!(least.out.starts_with(headline), "{}", least.out);
    assert!(least.out.contains("smallest k: 1"), "{}", least.out);
    assert!(
        least.out.contains("\n✗ NOT LINEARIZABLE · "),
        "{}",
        least.out
    );
    // A built-in specification of the same object says the same.
    let queue = ["--min-k", "--spec", "queue(.empty = -1)"];
    let builtin = test(&[&queue, &client[..]].concat());
    assert!(builtin.out.contains("smallest k: 1"), "{}", builtin.out);
    // 3 and 5 go before 2 and 4.
    let longer = [
        "--client",
        "[enq(1) enq(2) enq(3)] enq(4) | enq(5) [deq deq deq deq deq]",
    ];
    let least = test(&[&["--min-k"], &longer[..]].concat());
    assert!(least.out.contains("smallest k: 2"), "{}", least.out);
    // What is no container has no order.
    let model = run(&["test", "examples/c/accounts.c", "--min-k"]);
    assert_eq!(model.code, Some(2), "{model:?}");
    let said = "sequential model has no order that could be relaxed";
    assert!(model.err.contains(said), "{}", model.err);
}
