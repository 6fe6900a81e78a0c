//! What a reader gets: lines, the smallest level that shows the bug, and what only the good run does.

use crate::trace::{Trace, c, v};
use crate::{certified, kept};
use linspect_core::statement::Relation::{Eq, Ge};
use linspect_diagnose::explain::{
    Dependency, Explained, Level, explain_turn, lines_not_run, smallest_level,
};

/// A slice by lines: who, in which order, what holds after each, and where a switch matters.
#[test]
fn a_view_shows_lines_switches_and_what_holds() {
    let mut t = Trace::new(&["balance"]);
    t.set(1, "seen:=balance", "seen", &v("balance"))
        .set(2, "balance:=5", "balance", &c(5))
        .set(1, "log:=1", "log", &c(1))
        .set(1, "balance:=seen+1", "balance", &(v("seen") + c(1)))
        .claim(0, &v("balance"), Ge, &c(6));
    let explained = certified(&t.recording, Level::HAZARD);
    let view = explained.view(|site| site, |thread| format!("T{thread}"));
    let label = |i: usize| t.labels[view.lines[i].site as usize].as_str();
    let lines: Vec<&str> = (0..view.lines.len()).map(label).collect();
    assert_eq!(
        lines,
        ["seen:=balance", "balance:=5", "balance:=seen+1", "assert"]
    );
    assert_eq!(view.executed, 5, "log:=1 is left out");
    let switches: Vec<bool> = view.lines.iter().map(|l| l.switch).collect();
    assert_eq!(switches, [false, true, true, true]);
    assert_eq!(view.lines[0].invariant, ["seen ≤ 4"]);
    assert!(view.lines[1].invariant.is_empty(), "the same still holds");
    assert_eq!(view.lines[2].invariant, ["balance ≤ 5"]);
    assert_eq!(view.lines[1].deed.as_deref(), Some("balance := 5"));
    let between: Vec<(&str, &str, Dependency)> = view
        .links
        .iter()
        .map(|l| (label(l.from), label(l.to), l.dependency))
        .collect();
    assert!(between.contains(&("seen:=balance", "balance:=5", Dependency::WriteAfterRead)));
    assert!(between.contains(&("balance:=5", "balance:=seen+1", Dependency::WriteAfterWrite)));
}

/// The smallest level that shows the bug is enough.
#[test]
fn climbing_stops_at_the_first_level_that_shows_the_bug() {
    let mut t = Trace::new(&["balance"]);
    t.set(1, "balance:=5", "balance", &c(5))
        .set(2, "balance:=3", "balance", &c(3))
        .claim(0, &v("balance"), Ge, &c(5));
    let lost = |e: &Explained<'_>| kept(&t, e).contains("balance:=5");
    let (explained, shown) = smallest_level(&t.recording, lost).expect("complete");
    assert!(shown);
    assert_eq!(explained.slice.level, Level::HAZARD);
    let (largest, shown) = smallest_level(&t.recording, |_| false).expect("complete");
    assert!(!shown);
    assert_eq!(largest.slice.level, Level::FULL);
}

/// A branch that was not taken is in no slice, but beside the good run it shows.
#[test]
fn what_only_the_good_run_does_is_absent() {
    let run = |first: i64| {
        let mut t = Trace::new(&["ready"]);
        t.set(1, "ready:=", "ready", &c(first));
        if first == 1 {
            t.when(2, "[ready]", &v("ready"), Eq, &c(1))
                .set(2, "use", "x", &c(7))
                .end(2);
        } else {
            t.unless(2, "[ready]", &v("ready"), Eq, &c(1)).end(2);
        }
        t
    };
    let (bad, good) = (run(0), run(1));
    let label = |t: &Trace, site: u32| t.labels[site as usize].clone();
    // Both number their labels in the order of appearance, and `use` comes last.
    let only = lines_not_run(&bad.recording, &good.recording, |site| site);
    let lines: Vec<String> = only.iter().map(|a| label(&good, a.site)).collect();
    assert_eq!(lines, ["use"]);
    assert_eq!(only[0].thread, 2);
    let decided = only[0].decided.expect("the branch was reached");
    let site = bad.recording.statements[decided].site;
    assert_eq!(label(&bad, site), "[ready]");
    // Why it was not taken: the flag was not set.
    let why = explain_turn(&bad.recording, decided, |explained| {
        explained.certify().expect("sound");
        kept(&bad, explained).contains("ready:=")
    });
    assert_eq!(why, Ok(Some(true)));
}
