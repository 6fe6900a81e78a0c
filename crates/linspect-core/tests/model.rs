//! Specifications as rules: they say what the built-in ones say.

use linspect_core::check::sample::{SampleShape, sample};
use linspect_core::check::{Decision, Question, Unlimited, holds};
use linspect_core::random::Random;
use linspect_core::spec::{Builtin, Rulebook};
use linspect_core::verdict::Criterion;

/// Compares `model` with the built-in specification `name` on random histories.
fn compare(name: &str, model: &Rulebook) {
    let count = match std::env::var_os("LINSPECT_LONG") {
        Some(_) => 20_000,
        None => 2_000,
    };
    let spec = Builtin::named(name).expect("a built-in specification");
    let (mut random, mut right, mut wrong) = (Random::new(7), 0, 0);
    for _ in 0..count {
        let history = sample(&spec, &SampleShape::default(), &mut random);
        // What `append` does to texts, rules cannot say.
        if history.methods.iter().any(|method| &**method == "append") {
            continue;
        }
        let expected = holds(&history, &spec).expect("a history of its own");
        let question = Question::new(&history, model, Criterion::Linearizable).expect("the same");
        let said = matches!(question.decide_all(&Unlimited), Decision::Holds(_));
        assert_eq!(said, expected, "{name}: {history:?}");
        right += usize::from(expected);
        wrong += usize::from(!expected);
    }
    assert!(
        right.min(wrong) > count / 40,
        "{right} right, {wrong} wrong"
    );
}

#[test]
fn a_register_with_compare_and_set() {
    let calls: [(&str, &[&str]); 4] = [
        ("read()", &["v -> v returns v"]),
        ("write(x)", &["_ -> x"]),
        (
            "cas(from, to)",
            &["from -> to returns true", "v -> v returns false"],
        ),
        ("swap(x)", &["v -> x returns v"]),
    ];
    let model = Rulebook::new("mine", "nil", None, &calls).expect("a model");
    compare("cas-register", &model);
}

#[test]
fn a_map_has_a_register_per_key() {
    let calls: [(&str, &[&str]); 7] = [
        ("get(k)", &["v -> v returns v"]),
        ("put(k, x)", &["_ -> x"]),
        ("swap(k, x)", &["v -> x returns v"]),
        (
            "put_if_absent(k, x)",
            &["nil -> x returns true", "v -> v returns false"],
        ),
        (
            "delete(k)",
            &["nil -> nil returns false", "_ -> nil returns true"],
        ),
        (
            "contains(k)",
            &["nil -> nil returns false", "v -> v returns true"],
        ),
        (
            "cas(k, from, to)",
            &["from -> to returns true", "v -> v returns false"],
        ),
    ];
    let model = Rulebook::new("mine", "nil", Some("k"), &calls).expect("a model");
    compare("kv", &model);
}

#[test]
fn a_model_that_makes_no_sense_is_an_error() {
    let said = |call: &str, rule: &str| {
        let error = Rulebook::new("mine", "0", None, &[(call, &[rule])]).expect_err("nonsense");
        error.to_string()
    };
    assert_eq!(
        said("read", "v -> v"),
        "`read`: a call looks like `enqueue(x)`"
    );
    assert_eq!(
        said("read()", "v -> w"),
        "`v -> w`: nobody says what `w` is"
    );
    assert_eq!(
        said("read()", "v"),
        "`v`: it ends where `->`: a rule looks like `state -> state returns result` should be"
    );
    assert_eq!(
        said("read()", "v + 1 -> v"),
        "`v + 1 -> v`: a sum cannot stand where something is looked for"
    );
    assert_eq!(
        said("read()", "v -> _"),
        "`v -> _`: `_` stands for nothing that could be used"
    );
    assert_eq!(
        said("read()", "[..a, ..b] -> [..b]"),
        "`[..a, ..b] -> [..b]`: a list that is looked for has one `..rest` at most"
    );
    assert_eq!(
        said("read()", "v -> v when v"),
        "`v -> v when v`: it ends where one of = != < <= > >= should be"
    );
    assert_eq!(
        said("read()", "v -> v return v"),
        "`v -> v return v`: the end should be where `return v` is"
    );
    let per = Rulebook::new("mine", "0", Some("k"), &[("read(x)", &["v -> v"])]);
    assert_eq!(
        per.expect_err("no k").to_string(),
        "`read(x)`: its first parameter must be `k`"
    );
}
