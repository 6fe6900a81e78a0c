//! The figures of *Error Invariants for Concurrent Traces*, with the slices that the paper gives.

use crate::trace::{Trace, c, v};
use crate::{certified, kept, set};
use linspect_core::statement::Relation::{Eq, Ge, Le};
use linspect_diagnose::explain::{Dependency, Hazards, Level, Role};
use std::collections::BTreeSet;

/// Figure 4: without control dependence only the last assignment matters; with it, what let the branch be taken.
#[test]
fn figure_4_control_adds_what_opened_the_branch() {
    let mut t = Trace::new(&[]);
    t.set(0, "MIN:=100", "MIN", &c(100))
        .set(0, "bal:=300", "bal", &c(300))
        .set(0, "amount:=250", "amount", &c(250))
        .set(0, "log:=bal", "log", &v("bal"))
        .when(0, "[bal-amount>=0]", &(v("bal") - v("amount")), Ge, &c(0))
        .set(0, "bal:=0", "bal", &c(0))
        .end(0)
        .claim(0, &v("bal"), Ge, &v("MIN"));
    let data = certified(&t.recording, Level::DATA);
    assert_eq!(kept(&t, &data), set(&["MIN:=100", "bal:=0"]));
    let control = certified(&t.recording, Level::CONTROL);
    let expected = [
        "MIN:=100",
        "bal:=300",
        "amount:=250",
        "[bal-amount>=0]",
        "bal:=0",
    ];
    assert_eq!(kept(&t, &control), set(&expected));
    let before_claim: Vec<String> = data
        .slice
        .invariant(t.recording.statements.len() - 1)
        .map(|a| data.show(a))
        .collect();
    assert_eq!(before_claim, ["bal < MIN"]);
}

/// Figure 5: the overwritten deposit is in the slice only as a hazard, and the switch to it matters.
#[test]
fn figure_5_hazards_add_the_lost_write() {
    let mut t = Trace::new(&["balance"]);
    t.set(1, "bal1:=22", "bal1", &c(22))
        .set(2, "bal2:=22", "bal2", &c(22))
        .set(0, "a3:=30", "a3", &c(30))
        .set(0, "a5:=3", "a5", &c(3))
        .set(1, "L2", "balance", &(v("bal1") + v("a3")))
        .set(2, "L2'", "balance", &(v("bal2") - v("a5")))
        .claim(0, &v("balance"), Eq, &c(49));
    let data = certified(&t.recording, Level::DATA);
    assert_eq!(kept(&t, &data), set(&["bal2:=22", "a5:=3", "L2'"]));
    assert!(data.slice.switches.is_empty() || data.slice.switches.len() == 1);
    let hazard = certified(&t.recording, Level::HAZARD);
    assert_eq!(kept(&t, &hazard), set(&["bal2:=22", "a5:=3", "L2", "L2'"]));
    let only: Vec<usize> = hazard
        .slice
        .kept
        .iter()
        .filter(|(_, r)| **r == Role::Hazard)
        .map(|(i, _)| *i)
        .collect();
    assert_eq!(t.labels(only.into_iter()), set(&["L2"]));
    let switches: Vec<&str> = hazard
        .slice
        .switches
        .iter()
        .map(|&i| t.labels[t.recording.statements[i].site as usize].as_str())
        .collect();
    assert_eq!(switches, ["L2", "L2'"]);
}

fn deposit(t: &mut Trace, half: usize, i: usize, amount: &'static str) {
    let l = |s: &str| format!("d{i}:{s}");
    if half == 0 {
        t.when(1, &l("lock"), &v("l"), Eq, &c(0))
            .set(1, &l("l:=1"), "l", &c(1))
            .set(1, &l("L1"), "bal1", &v("balance"))
            .set(1, &l("l:=0"), "l", &c(0))
            .end(1);
    } else {
        t.when(1, &l("[<=MAX]"), &(v("bal1") + v(amount)), Le, &v("MAX"))
            .set(1, &l("bal+="), "bal1", &(v("bal1") + v(amount)))
            .end(1)
            .when(1, &l("lock2"), &v("l"), Eq, &c(0))
            .set(1, &l("l:=1 2"), "l", &c(1))
            .set(1, &l("L2"), "balance", &v("bal1"))
            .set(1, &l("l:=0 2"), "l", &c(0))
            .end(1);
    }
}

fn withdraw(t: &mut Trace, half: usize, i: usize, amount: &'static str) {
    let l = |s: &str| format!("w{i}:{s}");
    if half == 0 {
        t.when(2, &l("lock"), &v("l"), Eq, &c(0))
            .set(2, &l("l:=2"), "l", &c(2))
            .set(2, &l("L1'"), "bal2", &v("balance"))
            .set(2, &l("l:=0"), "l", &c(0))
            .end(2);
    } else {
        t.when(2, &l("[>=MIN]"), &(v("bal2") - v(amount)), Ge, &v("MIN"))
            .set(2, &l("bal-="), "bal2", &(v("bal2") - v(amount)))
            .end(2)
            .when(2, &l("lock2"), &v("l"), Eq, &c(0))
            .set(2, &l("l:=2 2"), "l", &c(2))
            .set(2, &l("L2'"), "balance", &v("bal2"))
            .set(2, &l("l:=0 2"), "l", &c(0))
            .end(2);
    }
}

/// Figures 1 and 2: five transactions, the deposit of a3 is lost between the two halves of the last withdrawal.
fn bank_account() -> Trace {
    let mut t = Trace::new(&["balance", "l"]);
    for (name, amount) in [
        ("a1", 10),
        ("a2", 20),
        ("a3", 30),
        ("a4", 5),
        ("a5", 3),
        ("MAX", 1000),
        ("MIN", 0),
        ("balance", 0),
        ("l", 0),
    ] {
        t.set(0, name, name, &c(amount));
    }
    for (i, amount) in [(1, "a1"), (2, "a2")] {
        deposit(&mut t, 0, i, amount);
        deposit(&mut t, 1, i, amount);
    }
    withdraw(&mut t, 0, 4, "a4");
    withdraw(&mut t, 1, 4, "a4");
    withdraw(&mut t, 0, 5, "a5");
    deposit(&mut t, 0, 3, "a3");
    deposit(&mut t, 1, 3, "a3");
    withdraw(&mut t, 1, 5, "a5");
    let right = v("a1") + v("a2") + v("a3") - v("a4") - v("a5");
    t.claim(0, &v("balance"), Eq, &right);
    t
}

#[test]
fn figure_2_hazards_add_exactly_the_lost_deposit() {
    let t = bank_account();
    let data = certified(&t.recording, Level::DATA);
    let hazard = certified(&t.recording, Level::HAZARD);
    let (without, with) = (kept(&t, &data), kept(&t, &hazard));
    let added: Vec<&&str> = with.difference(&without).collect();
    assert_eq!(added, [&"d3:L2"], "{without:?}");
    assert!(without.is_subset(&with));
    // The amounts cancel: only that a3 is missing matters.
    assert!(!with.contains("a1") && !with.contains("a5") && with.contains("a3"));
    let shown: BTreeSet<String> = hazard
        .slice
        .goals
        .iter()
        .map(|g| hazard.show(&g.atom))
        .collect();
    assert!(shown.contains("balance < a3"), "{shown:?}");
    assert!(shown.contains("a4 + bal2 < a1 + a2 + a3"), "{shown:?}");
    let full = certified(&t.recording, Level::FULL);
    assert!(
        full.slice
            .kept
            .values()
            .filter(|r| **r == Role::Guard)
            .count()
            > 5
    );
    let all = Level {
        hazards: Hazards::All,
        ..Level::HAZARD
    };
    assert!(kept(&t, &certified(&t.recording, all)).is_superset(&with));
}

/// Appendix B: a removal finds the first stack empty, then an item goes there and another leaves the second. The slice has the look into the
/// first stack and the insertion after it, and the edge between them; without control dependence it is empty but for the last line.
#[test]
fn the_pool_has_the_insertion_that_came_too_late() {
    let mut t = Trace::new(&["ts_top0", "ts_top1"]);
    t.set(0, "ts_top[0]:=-1", "ts_top0", &c(-1))
        .set(0, "ts_top[1]:=-1", "ts_top1", &c(-1))
        .set(2, "ts_top[1]:=1", "ts_top1", &c(1))
        .when(2, "[ts_top[0]=-1]", &v("ts_top0"), Eq, &c(-1))
        .set(1, "ts_top[0]:=0", "ts_top0", &c(0))
        .when(1, "[ts_top[1]=1]", &v("ts_top1"), Eq, &c(1))
        .set(1, "ts_top[1]:=-1 (taken)", "ts_top1", &c(-1))
        .end(1)
        .when(2, "[ts_top[1]=-1]", &v("ts_top1"), Eq, &c(-1))
        .set(2, "v:=EMPTY", "v", &c(-1))
        .end(2)
        .end(2)
        .claim(2, &v("v"), Ge, &c(0));
    let data = certified(&t.recording, Level::DATA);
    assert_eq!(kept(&t, &data), set(&["v:=EMPTY"]));
    let full = certified(&t.recording, Level::FULL);
    let lines = kept(&t, &full);
    assert!(
        lines.is_superset(&set(&[
            "[ts_top[0]=-1]",
            "ts_top[0]:=0",
            "ts_top[1]:=-1 (taken)"
        ])),
        "{lines:?}"
    );
    let label = |i: usize| t.labels[t.recording.statements[i].site as usize].as_str();
    let war = full.slice.edges.iter().any(|e| {
        e.dependency == Dependency::WriteAfterRead
            && label(e.from) == "[ts_top[0]=-1]"
            && label(e.to) == "ts_top[0]:=0"
    });
    assert!(war, "{:?}", full.slice.edges);
    let control = certified(&t.recording, Level::CONTROL);
    assert!(
        !kept(&t, &control).contains("ts_top[0]:=0"),
        "only hazards add it"
    );
}
