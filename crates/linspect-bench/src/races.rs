//! The rows of FGVT, Table 2: which races decide.

use crate::row::Row;
use crate::rows::Bench;
use linspect_core::check::Unlimited;
use linspect_core::machine::Subject;
use linspect_core::property::Linearizable;
use linspect_core::spec::{Erased, Spec, Visitor};
use linspect_diagnose::localise::{Dag, Granularity, Localisation, Path, localise};
use linspect_zoo::Figure;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A client is localised within this time, at both granularities.
const SECOND: Duration = Duration::from_secs(1);

/// States that localisation looks at.
const STATES: usize = 500_000;

/// The decisive races of the client; none for a correct object.
pub(crate) struct Races<'a>(pub(crate) &'a Bench<'a>);

impl Visitor for Races<'_> {
    type Output = Row;

    fn visit<S: Spec + Sync>(self, spec: &S) -> Row
    where
        S::State: Send,
        S::Call: Send,
    {
        let Self(bench) = self;
        let start = Instant::now();
        let erased = Erased::new(spec);
        let Ok(mut property) = Linearizable::new(&erased, bench.client, bench.code.operations())
        else {
            return bench.row(
                String::new(),
                "the client does not fit".into(),
                false,
                start,
            );
        };
        if bench.case.linearizable {
            return undecided(bench, &mut property, start);
        }
        let mut found = |granularity| {
            let found = localise(
                bench.code,
                bench.client,
                &mut property,
                &|wrong| wrong.violates,
                granularity,
                STATES,
                &Unlimited,
            );
            found.ok().flatten()
        };
        let pattern = match bench.case.figures.get("pattern") {
            Some(Figure::Text(text)) => text.clone(),
            _ => String::new(),
        };
        let Some(all) = found(Granularity::All) else {
            return bench.row(pattern, "no bad run".into(), false, start);
        };
        let Some(folded) = found(Granularity::Folded) else {
            return bench.row(pattern, "no bad run when folded".into(), false, start);
        };
        decided(bench, pattern, &all, &folded, start)
    }
}

/// The row of a faulty object: their word and lines against ours.
fn decided(
    bench: &Bench<'_>,
    pattern: String,
    all: &Localisation,
    folded: &Localisation,
    start: Instant,
) -> Row {
    let expected: BTreeSet<(String, u32)> = bench
        .object
        .decisive
        .iter()
        .map(|p| (p.file.clone(), p.line))
        .collect();
    let seen = |found: &Localisation| -> BTreeSet<(String, u32)> {
        paths(found)
            .map(|path| line(bench, &path, &expected))
            .collect()
    };
    let (in_all, in_folded) = (seen(all), seen(folded));
    let missing = lines(expected.difference(&in_folded));
    let besides = lines(in_folded.difference(&expected));
    let alternatives: Vec<&str> = pattern.split(", or ").collect();
    let word = shown_word(folded);
    let same = alternatives.contains(&word.as_str());
    let among = words(folded)
        .iter()
        .any(|w| alternatives.contains(&w.as_str()));
    let said = match (same, among) {
        (true, _) => "the same",
        (false, true) => "theirs is among ours",
        (false, false) => "theirs is not among ours",
    };
    let ours = format!(
        "{word} ({said}; every access: {}; {} and {} states, {} and {} edges); lines missing: {missing}, besides: {besides}",
        shown_word(all),
        folded.dag.nodes.len(),
        all.dag.nodes.len(),
        folded.dag.edges(),
        all.dag.edges(),
    );
    let whole = all.dag.complete && folded.dag.complete && expected.is_subset(&in_all);
    let row = bench.row(pattern, ours, whole && missing == "none" && among, start);
    row.within(SECOND)
}

/// The row of a correct object: nothing to decide.
fn undecided<S: Spec>(
    bench: &Bench<'_>,
    property: &mut Linearizable<'_, S>,
    start: Instant,
) -> Row {
    let theirs = "no decisive race".to_string();
    let Ok(mut machine) = bench.code.start(bench.client) else {
        return bench.row(theirs, "the client does not start".into(), false, start);
    };
    let dag = Dag::build(&mut machine, property, &mut |_, _| true, STATES, &Unlimited);
    let decisive = (0..dag.nodes.len()).filter(|&n| dag.label(n).is_decisive());
    let decisive = decisive.count();
    let (states, edges) = (dag.nodes.len(), dag.edges());
    let ours = format!("{decisive} decisive races; {states} states, {edges} edges");
    let reached = decisive == 0 && dag.nodes[dag.root()].bad == 0 && dag.complete;
    bench.row(theirs, ours, reached, start)
}

/// The labels of the races that are shown.
fn shown_word(found: &Localisation) -> String {
    word(found.races.iter().map(|r| r.label.to_string()))
}

/// The labels of all sequences.
fn words(found: &Localisation) -> BTreeSet<String> {
    let (groups, _) = found.groups();
    groups
        .iter()
        .map(|g| word(g.races.iter().map(|r| r.0.to_string())))
        .collect()
}

fn word(labels: impl Iterator<Item = String>) -> String {
    labels.collect::<Vec<_>>().join(" ")
}

/// Where the decisive races of all bad runs are fought.
fn paths(found: &Localisation) -> impl Iterator<Item = Path> {
    let shown = found.races.iter().flat_map(|r| &r.sides);
    let shown = shown.map(|s| s.path.clone());
    let (groups, _) = found.groups();
    let all = groups.into_iter().flat_map(|g| g.races);
    shown.chain(all.flat_map(|r| r.1))
}

/// The line that stands for a place in the code: one that is expected, for it may be reached through a wrapper; else the innermost of the object.
fn line(bench: &Bench<'_>, path: &Path, expected: &BTreeSet<(String, u32)>) -> (String, u32) {
    let lines: Vec<_> = path.iter().rev().map(|&site| bench.line(site)).collect();
    let of_object = |l: &&(String, u32)| bench.object.files.contains(&l.0);
    let found = lines.iter().find(|l| expected.contains(*l));
    let found = found.or_else(|| lines.iter().find(of_object));
    found.or(lines.first()).cloned().unwrap_or_default()
}

fn lines<'a>(lines: impl Iterator<Item = &'a (String, u32)>) -> String {
    let name = |file: &'a str| file.rsplit('/').next().unwrap_or(file);
    let shown: Vec<String> = lines.map(|(f, l)| format!("{}:{l}", name(f))).collect();
    if shown.is_empty() {
        "none".into()
    } else {
        shown.join(" ")
    }
}
