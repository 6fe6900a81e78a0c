//! What the failing run did *not* do: lines that a good run nearby executes and the failing one does not, and why not.
//!
//! A slice of the failing run cannot show a branch that was not taken; the two traces that the paper does not explain are of this kind. Beside a good
//! run the branch shows, and why it was not taken is a question like any other: the claim is then that the condition went the other way.

use super::definitions::Orphan;
use super::{Explained, Level, explain};
use linspect_core::client::Client;
use linspect_core::execution::{End, SiteId};
use linspect_core::machine::Subject;
use linspect_core::run::{Bounds, Follow, Nobody, Scene, Strategy, run};
use linspect_core::schedule::{Choice, Schedule, ThreadId};
use linspect_core::statement::{Claim, Effect, Recording, Relation};
use std::collections::{BTreeMap, BTreeSet};

/// A run with more steps is no contrast that anybody reads.
const LONGEST: usize = 10_000;

/// A line that only the good run executes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// Who executes it there.
    pub thread: ThreadId,
    /// Where it stands.
    pub site: SiteId,
    /// The condition that went the other way in the failing run: its last statement there, if it was reached.
    pub decided: Option<usize>,
}

/// Every line that `good` executes and `bad` does not, in the order of `good`. `line` tells lines apart.
pub fn lines_not_run<L: Ord>(
    bad: &Recording,
    good: &Recording,
    line: impl Fn(SiteId) -> L,
) -> Vec<Absent> {
    let mut seen: BTreeSet<(ThreadId, L)> = bad
        .statements
        .iter()
        .map(|s| (s.thread, line(s.site)))
        .collect();
    let outcome = |effect: &Effect| match effect {
        Effect::Condition { holds, .. } => Some(*holds),
        Effect::Assign { .. } => None,
    };
    let branches: BTreeMap<(ThreadId, SiteId), (usize, bool)> = bad
        .statements
        .iter()
        .enumerate()
        .filter(|(_, s)| !s.library)
        .filter_map(|(i, s)| Some(((s.thread, s.site), (i, outcome(&s.effect)?))))
        .collect();
    let mut absent = Vec::new();
    for statement in &good.statements {
        if !seen.insert((statement.thread, line(statement.site))) {
            continue;
        }
        let mut scope = statement.scope;
        let decided = std::iter::from_fn(|| {
            let condition = &good.statements[scope? as usize];
            scope = condition.scope;
            Some(condition)
        })
        .filter(|condition| !condition.library)
        .find_map(|condition| {
            let (at, holds) = *branches.get(&(condition.thread, condition.site))?;
            (outcome(&condition.effect) != Some(holds)).then_some(at)
        });
        absent.push(Absent {
            thread: statement.thread,
            site: statement.site,
            decided,
        });
    }
    absent
}

/// The recording up to a condition, with the claim that it goes the other way: what explains why it went as it did.
pub fn negated_branch(recording: &Recording, condition: usize) -> Option<Recording> {
    let Effect::Condition { operand, holds } = recording.statements.get(condition)?.effect else {
        return None;
    };
    let other_way = if holds { Relation::Eq } else { Relation::Ne };
    Some(Recording {
        statements: recording.statements[..condition].to_vec(),
        claim: Claim {
            any_of: vec![vec![(operand, other_way, 0)]],
        },
        ..recording.clone()
    })
}

/// Explains why a condition of a recording went as it did; gives the explanation to `then`.
pub fn explain_turn<T>(
    recording: &Recording,
    condition: usize,
    then: impl FnOnce(&Explained<'_>) -> T,
) -> Result<Option<T>, Orphan> {
    match negated_branch(recording, condition) {
        Some(negated) => Ok(Some(then(&explain(&negated, Level::FULL)?))),
        None => Ok(None),
    }
}

/// The run that goes with `schedule` up to `step`, lets `first` go there, and then each thread to its end, `first` before the others; `None` if
/// that fails by itself or does not end.
pub fn diverted_schedule<S: Subject>(
    subject: &S,
    client: &Client,
    schedule: &Schedule,
    step: usize,
    first: ThreadId,
) -> Option<Schedule> {
    let mut machine = subject.start(client).ok()?;
    let before = Schedule(schedule.0.get(..step)?.to_vec());
    let mut diverted = Diverted {
        before: Follow::new(&before),
        first,
    };
    let execution = run(&mut machine, &mut diverted, Bounds::NONE, &mut Nobody);
    let taken = || execution.steps.iter().map(|step| step.choice);
    // What the suffix then shows is not asked.
    let ended = matches!(execution.end, End::Complete | End::Suffix(_));
    ended.then(|| Schedule(taken().collect()))
}

/// Follows a schedule, then lets `first` go as long as it can, then the others in order.
struct Diverted<'a> {
    before: Follow<'a>,
    first: ThreadId,
}

impl Strategy for Diverted<'_> {
    fn choose(&mut self, scene: &Scene<'_>) -> Option<Choice> {
        if !self.before.is_done() {
            return self.before.choose(scene);
        }
        let is_first = |choice: &&Choice| choice.thread == self.first;
        let next = scene.ready.iter().find(is_first).or(scene.ready.first());
        next.copied().filter(|_| scene.taken < LONGEST)
    }
}
