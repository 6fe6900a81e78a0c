//! What may be left out of a slice, and what may not.

use crate::trace::{E, Trace, c, v};
use crate::{LEVELS, certified, kept, set};
use linspect_core::statement::Relation::{Ge, Le, Lt};
use linspect_core::statement::Rule;
use linspect_diagnose::explain::Level;

/// An update that only helps the goal is sliced away, a thousand times over.
#[test]
fn recurring_invariants_need_no_statement() {
    let mut t = Trace::new(&["x"]);
    t.set(0, "x:=0", "x", &c(0)).set(0, "x:=3", "x", &c(3));
    for _ in 0..1000 {
        t.set(1, "x+=1", "x", &(v("x") + c(1)));
    }
    t.claim(0, &v("x"), Le, &c(2));
    let explained = certified(&t.recording, Level::DATA);
    assert_eq!(kept(&t, &explained), set(&["x:=3"]));
}

/// Conditions are no assumptions: a slice may not rely on a branch that it could block.
#[test]
fn a_condition_alone_explains_nothing() {
    let mut t = Trace::new(&["x"]);
    t.set(0, "x:=0", "x", &c(0))
        .set(0, "y:=x", "y", &v("x"))
        .set(0, "x:=5", "x", &c(5))
        .when(0, "[x>3]", &v("x"), Ge, &c(4))
        .end(0)
        .claim(0, &v("y"), Ge, &c(1));
    assert_eq!(
        kept(&t, &certified(&t.recording, Level::DATA)),
        set(&["x:=0", "y:=x"])
    );
}

/// `g` is decremented by `b`, which helps `g ≤ 0` but hinders `g2 - g > 0`. The second keeps the decrement in the slice, so the first cannot do
/// without `b` either: in terms of `c`, which cancels out of the second, it would be anything.
#[test]
fn a_statement_that_one_goal_keeps_is_executed_for_all() {
    let mut t = Trace::new(&["g", "g2"]);
    t.set(0, "g:=0", "g", &c(0))
        .set(0, "c:=5", "c", &c(5))
        .set(0, "g2:=-c", "g2", &(c(0) - v("c")))
        .set(0, "b:=c+1", "b", &(v("c") + c(1)))
        .set(0, "g-=b", "g", &(v("g") - v("b")))
        .when(0, "[g<1]", &v("g"), Lt, &c(1))
        .set(0, "g:=g2-g", "g", &(v("g2") - v("g")))
        .end(0)
        .claim(0, &v("g"), Le, &c(0));
    for level in LEVELS {
        certified(&t.recording, level);
    }
    let control = certified(&t.recording, Level::CONTROL);
    assert!(kept(&t, &control).is_superset(&set(&["c:=5", "b:=c+1", "g-=b"])));
    // Without the branch nothing is asked of `c`.
    let data = certified(&t.recording, Level::DATA);
    assert!(!kept(&t, &data).contains("c:=5"));
}

/// Whether a comparison gave 0 or 1 does not matter, but that it was made does: without it there is no value at all.
#[test]
fn a_truth_value_is_one_of_two() {
    let mut t = Trace::new(&[]);
    let truth = E::Apply(Rule::Compare(Lt), vec![v("x"), c(3)]);
    t.set(0, "x:=1", "x", &c(1))
        .set(0, "y:=x<3", "y", &truth)
        .claim(0, &v("y"), Ge, &c(2));
    let data = certified(&t.recording, Level::DATA);
    assert_eq!(kept(&t, &data), set(&["y:=x<3"]));
}

/// A pointer that was stored before the thread began is a name, however often it was stored; if two threads store it, their order decides.
#[test]
fn only_pointers_that_threads_could_change_are_decisions() {
    let run = |stores: &[(u16, &str)]| {
        let mut t = Trace::new(&["item", "p"]);
        t.set(0, "item:=5", "item", &c(5));
        for (thread, store) in stores {
            t.set(*thread, store, "p", &c(1 << 40));
        }
        t.set_through(1, "y:=*p", ("y", "item", "p"))
            .claim(1, &v("y"), Le, &c(4));
        t
    };
    let names = [&[(0, "p:=&item")][..], &[(0, "p:=0"), (0, "p:=&item")]];
    for t in names.map(run) {
        let slice = certified(&t.recording, Level::CONTROL);
        assert_eq!(kept(&t, &slice), set(&["item:=5", "y:=*p"]));
    }
    let t = run(&[(2, "p:=0"), (0, "p:=&item")]);
    let slice = certified(&t.recording, Level::CONTROL);
    assert_eq!(kept(&t, &slice), set(&["item:=5", "p:=&item", "y:=*p"]));
}

/// A pointer that another thread stores meanwhile could have come later.
#[test]
fn a_pointer_from_another_thread_is_a_decision() {
    let mut t = Trace::new(&["item", "p"]);
    t.set(0, "item:=5", "item", &c(5))
        .set(1, "begin", "x", &c(0))
        .set(0, "p:=&item", "p", &c(1 << 40))
        .set_through(1, "y:=*p", ("y", "item", "p"))
        .claim(1, &v("y"), Le, &c(4));
    let slice = certified(&t.recording, Level::CONTROL);
    assert_eq!(kept(&t, &slice), set(&["item:=5", "p:=&item", "y:=*p"]));
}

/// A condition of a library that could not have gone the other way decides nothing; the same in the user's code does, as in the paper's Figure 4.
#[test]
fn forced_conditions_of_libraries_are_left_out() {
    let run = |library: bool, last: u16| {
        let mut t = Trace::new(&["n"]);
        t.set(1, "begin", "x", &c(0)).set(last, "n:=3", "n", &c(3));
        t.library = library;
        t.when(1, "[n>=1]", &v("n"), Ge, &c(1));
        t.library = false;
        t.set(1, "y:=5", "y", &c(5))
            .end(1)
            .claim(1, &v("y"), Le, &c(4));
        let slice = certified(&t.recording, Level::CONTROL);
        kept(&t, &slice).contains("n:=3")
    };
    assert!(
        !run(true, 1),
        "a library looks at what its own thread wrote"
    );
    assert!(run(false, 1), "the user does");
    assert!(run(true, 2), "another thread decides");
}
