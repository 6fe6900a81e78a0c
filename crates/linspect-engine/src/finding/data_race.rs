//! Tells a data race in the words of its source: who accesses what, where, and why nothing orders the two.

use super::annotate::{Annotator, span};
use super::annotated_run::AnnotatedRun;
use crate::investigate::Investigation;
use linspect_core::client::Client;
use linspect_core::defect::{Handed, Race, Racer};
use linspect_core::execution::{Access, Action, Ordering};
use linspect_core::machine::Subject;
use linspect_core::schedule::Schedule;
use linspect_core::spec::Goods;
use linspect_explore::races::Gap;
use linspect_report::finding::{self, RacingAccess};

/// A data race that nobody allows, and the run that shows it.
pub(crate) struct Raced {
    pub(crate) client: Client,
    pub(crate) schedule: Schedule,
    pub(crate) race: Race,
    /// Whether it was seen only where freed memory is never used again.
    pub(crate) fresh: bool,
    pub(crate) told: finding::DataRace,
}

impl Raced {
    /// The race as what is wrong.
    pub(crate) fn verdict(&self) -> finding::Verdict {
        let [first, second] = &self.told.accesses[..] else {
            unreachable!("a race has two sides");
        };
        let fault = finding::Fault {
            kind: self.told.fault().into(),
            message: format!(
                "{}: {} {}, {} {}, and nothing orders the two",
                self.told.variable, first.thread, first.does, second.thread, second.does
            ),
            span: second.span.clone(),
            related: first.span.clone(),
            waits: Vec::new(),
        };
        finding::Verdict::Faulty { fault }
    }
}

impl Investigation<'_> {
    /// One line per race, where they are only noted.
    pub(crate) fn race_notes(&self, raced: &[Raced]) -> Vec<String> {
        if self.races.fail {
            return Vec::new();
        }
        let place = |a: &RacingAccess| {
            let span = a.span.as_ref();
            span.map_or_else(|| "somewhere".to_owned(), ToString::to_string)
        };
        let note = |raced: &Raced| {
            let places: Vec<String> = raced.told.accesses.iter().map(place).collect();
            match raced.told.hand_over {
                true => format!("note: {}", raced.told.title()),
                false => format!("note: data race between {}", places.join(" and ")),
            }
        };
        raced.iter().map(note).collect()
    }

    /// What there is to say of a race in a run; nothing if it is allowed.
    pub(crate) fn tell_race(
        &self,
        annotator: &Annotator<'_>,
        client: &Client,
        schedule: &Schedule,
        annotated: &AnnotatedRun,
        race: &Race,
    ) -> Option<Raced> {
        let gap = Gap::of(race, &annotated.execution.steps);
        let (variable, accesses) = match (&race.first.1, &race.second.1) {
            (Racer::HandOver(added), Racer::HandOver(taken)) => {
                self.hand_over(annotator, annotated, race, [added, taken], &gap)?
            }
            (first, second) => self.two_accesses(
                annotator,
                annotated,
                race,
                [first.access()?, second.access()?],
            )?,
        };
        Some(Raced {
            client: client.clone(),
            schedule: schedule.clone(),
            race: race.clone(),
            fresh: false,
            told: finding::DataRace {
                variable,
                hand_over: race.is_hand_over(),
                accesses,
                unordered: unordered(annotator, &gap),
                replay: self.replay.of(self.code, client, schedule),
            },
        })
    }

    /// What is handed over, by whom and to whom; nothing if that is allowed. Where the value goes from the one to the other is where they stand.
    fn hand_over(
        &self,
        annotator: &Annotator<'_>,
        annotated: &AnnotatedRun,
        race: &Race,
        handed: [&Handed; 2],
        gap: &Gap,
    ) -> Option<(String, Vec<RacingAccess>)> {
        if self.races.allow_hand_over() {
            return None;
        }
        let steps = &annotated.execution.steps;
        let [adds, takes] = handed.map(|h| &self.code.operations()[usize::from(h.operation)].name);
        let side = |at: usize, does: String, place: Option<Access>| RacingAccess {
            thread: annotator.thread(steps[at].choice.thread),
            does,
            span: place.map(|access| span(&annotator.user_site(access.site))),
        };
        let (what, gives, gets) = match &handed[0].goods {
            Goods::Value(value) => (
                format!("the value {value}"),
                format!("adds it by {adds}({value})"),
                format!("takes it out by {takes}()"),
            ),
            Goods::Lock => (
                "the lock".to_owned(),
                format!("gives it back by {adds}()"),
                format!("takes it by {takes}()"),
            ),
            Goods::Permits(_) => (
                "a permit".to_owned(),
                format!("gives it back by {adds}()"),
                format!("takes it by {takes}()"),
            ),
        };
        let accesses = vec![
            side(race.first.0, gives, gap.given),
            side(race.second.0, gets, gap.taken),
        ];
        Some((what, accesses))
    }

    /// What both access, and how; nothing if that is allowed.
    fn two_accesses(
        &self,
        annotator: &Annotator<'_>,
        annotated: &AnnotatedRun,
        race: &Race,
        accesses: [&Access; 2],
    ) -> Option<(String, Vec<RacingAccess>)> {
        let steps = &annotated.execution.steps;
        let at = race.second.0;
        let number = steps
            .get(at)?
            .accesses
            .iter()
            .position(|a| a == accesses[1])?;
        let variable = annotated.accesses.get(at)?.get(number)?.variable.clone();
        let sides = [(race.first.0, accesses[0]), (at, accesses[1])];
        let lines = sides.map(|(_, access)| {
            let site = annotator.user_site(access.site);
            annotator.line(&site.file, site.line).unwrap_or_default()
        });
        let is_allowed = |name: &String| {
            mentions(&variable, name) || lines.iter().all(|line| mentions(line, name))
        };
        if self.races.allowed.iter().any(is_allowed) {
            return None;
        }
        let accesses = sides.iter().enumerate().map(|(i, (step, access))| {
            let site = annotator.user_site(access.site);
            let unpublished = i == 0 && matches!(race.first.1, Racer::Unpublished(_));
            let publishes = annotator.statement(annotated, *step).map(|s| span(&s));
            RacingAccess {
                thread: annotator.thread(steps[*step].choice.thread),
                does: match (unpublished, publishes) {
                    (false, _) => does(access),
                    (true, Some(place)) => {
                        format!("let others reach it at {place}, after it allocated and wrote it")
                    }
                    (true, None) => "let others reach it, after it allocated and wrote it".into(),
                },
                span: (access.site != 0).then(|| span(&site)),
            }
        });
        Some((variable, accesses.collect()))
    }
}

/// What an access does, in words.
fn does(access: &Access) -> String {
    let atomically = match access.ordering {
        Ordering::Plain => "",
        _ => " atomically",
    };
    match access.action {
        Action::Free => "frees it".into(),
        Action::Read | Action::CasFail => format!("reads it{atomically}"),
        _ => format!("writes it{atomically}"),
    }
}

/// What comes closest to ordering a race, and why it does not.
fn unordered(annotator: &Annotator<'_>, gap: &Gap) -> String {
    let (Some(given), Some(taken)) = (gap.given, gap.taken) else {
        return "nothing that both do lies between: no lock, no atomic, no start or end of a thread"
            .into();
    };
    let place = |access: Access| annotator.place(access.site);
    let releases = format!("the write at {} does not release", place(given));
    let acquires = format!("the read of it at {} does not acquire", place(taken));
    match gap.lacks() {
        (true, true) => format!("{releases}, and {acquires}"),
        (true, false) => releases,
        (false, true) => acquires,
        (false, false) => format!(
            "the read at {} of what was written at {} comes too late or too early to order them",
            place(taken),
            place(given)
        ),
    }
}

/// Whether `name` is a word of `text`.
fn mentions(text: &str, name: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn names_are_whole_words() {
        assert!(mentions("object.data[3].value", "data"));
        assert!(mentions("self.data.get().read()", "data"));
        assert!(!mentions("object.metadata", "data"));
    }
}
