//! Tells a data race in the words of its source: who accesses what, where, and why nothing orders the two.

use super::annotate::{Annotator, span};
use super::annotated_run::AnnotatedRun;
use crate::investigate::Investigation;
use linspect_core::client::Client;
use linspect_core::defect::Race;
use linspect_core::execution::{Access, Action, Ordering};
use linspect_core::schedule::Schedule;
use linspect_explore::races::Gap;
use linspect_report::finding;

/// What a data race is called where it is a fault.
pub(crate) const KIND: &str = "data race";

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
            kind: KIND.into(),
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
        let place = |a: &finding::RacingAccess| {
            let span = a.span.as_ref();
            span.map_or_else(|| "somewhere".to_owned(), ToString::to_string)
        };
        let note = |raced: &Raced| {
            let places: Vec<String> = raced.told.accesses.iter().map(place).collect();
            format!("note: data race between {}", places.join(" and "))
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
        let steps = &annotated.execution.steps;
        let (at, second) = race.second;
        let number = steps.get(at)?.accesses.iter().position(|a| *a == second)?;
        let variable = annotated.accesses.get(at)?.get(number)?.variable.clone();
        let sides = [race.first, race.second];
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
            let unpublished = i == 0 && race.unpublished;
            let publishes = annotator.statement(annotated, *step).map(|s| span(&s));
            finding::RacingAccess {
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
        let accesses = accesses.collect();
        Some(Raced {
            client: client.clone(),
            schedule: schedule.clone(),
            race: race.clone(),
            fresh: false,
            told: finding::DataRace {
                variable,
                accesses,
                unordered: unordered(annotator, &Gap::of(race, steps)),
                replay: self.replay.of(self.code, client, schedule),
            },
        })
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
