//! The same question has the same answer, byte for byte: over runs, numbers of cores, and seeds.

use crate::linspect::{command, run};
use std::path::Path;

fn finding(arguments: &[&str], cores: &str) -> String {
    let output = command(arguments)
        .env("RAYON_NUM_THREADS", cores)
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8(output.stdout).expect("JSON is text")
}

#[test]
fn findings_are_the_same_on_every_run_core_count_and_for_every_seed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("determinism");
    let out = folder.to_str().expect("a plain path");
    // The demonstration brings the sources.
    assert_eq!(run(&["demo", "queue", "--out", out]).code, Some(0));
    let harness = folder.join("zoo/rust/harness/ms_queue.rs");
    let harness = harness.to_str().expect("a plain path");
    let test = ["test", harness, "--json", "--out", out];
    let first = finding(&test, "1");
    assert!(first.contains("\"replay\""), "{first}");
    for cores in ["1", "2", "5"] {
        assert!(finding(&test, cores) == first, "{cores} cores");
    }
    for seed in ["0", "1", "2", "3", "4"] {
        let sampled = [&test[..], &["--strategy", "pct", "--seed", seed]].concat();
        let first = finding(&sampled, "1");
        assert!(finding(&sampled, "2") == first, "seed {seed}");
    }
}
