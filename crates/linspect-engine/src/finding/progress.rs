//! What is said of progress: a note where it is as promised, and a run where it is not.

use super::annotate::{Annotator, span};
use crate::client_text;
use crate::error::Error;
use crate::investigate::{Investigation, Oracle};
use crate::investigated::Investigated;
use crate::progress::{KnownProgress, OPERATIONS, Progress, THREADS};
use linspect_core::client::Client;
use linspect_core::machine::{Blocked, Machine, Status, Subject};
use linspect_core::run::{Bounds, Follow, Nobody, run};
use linspect_core::schedule::{Schedule, ThreadId};
use linspect_explore::progress::{ProgressGuarantee, Stall, StallKind};
use linspect_explore::search::SearchError;
use linspect_report::finding::{Checked, Fault, Span, Verdict};
use linspect_report::terminal::grouped;

/// Adds what is known of progress to what was found, if nothing is wrong otherwise: what is undecided makes the verdict so.
pub(crate) fn say_progress(found: &mut Investigated, known: Option<&KnownProgress>) {
    if !matches!(found.finding.verdict, Verdict::Holds { .. }) {
        return;
    }
    match known {
        None => {}
        Some(KnownProgress::Kept(note)) => found.notes.push(note.clone()),
        Some(KnownProgress::Undecided(reason)) => {
            let reason = reason.clone();
            found.finding.verdict = Verdict::Unknown { reason };
        }
    }
}

impl Investigation<'_> {
    /// Adds what is known of progress to what was found, if nothing is wrong otherwise.
    pub(crate) fn tell_progress(
        &self,
        found: &mut Investigated,
        progress: Progress,
        oracle: &Oracle<'_>,
        checked: Checked,
    ) -> Result<(), Error> {
        let Some(guarantee) = self.progress else {
            return Ok(());
        };
        match progress {
            Progress::Nothing => {}
            Progress::Kept(clients, states) => {
                found.progress = Some(KnownProgress::Kept(format!(
                    "note: {guarantee} in all {clients} clients of at most {OPERATIONS} operations in {THREADS} threads ({} states, SC){}",
                    grouped(states as u64),
                    match guarantee {
                        ProgressGuarantee::WaitFree =>
                            "; no operation takes more steps the more often another is called",
                        _ => "",
                    }
                )));
            }
            Progress::Undecided(client) => {
                let client = client_text::show(&client, self.code.operations());
                let reason = format!(
                    "whether it is {guarantee} was not decided: {client} has too many states for the time there is"
                );
                found.progress = Some(KnownProgress::Undecided(reason));
            }
            Progress::Broken(client, stall) => {
                if matches!(found.finding.verdict, Verdict::Holds { .. }) {
                    self.tell_stall(found, guarantee, &client, &stall, oracle, checked)?;
                }
            }
        }
        let known = found.progress.clone();
        say_progress(found, known.as_ref());
        Ok(())
    }

    /// Makes the run that shows what is broken the finding.
    fn tell_stall(
        &self,
        found: &mut Investigated,
        guarantee: ProgressGuarantee,
        client: &Client,
        stall: &Stall,
        oracle: &Oracle<'_>,
        checked: Checked,
    ) -> Result<(), Error> {
        let annotator = Annotator::new(self.code);
        let schedule = &stall.schedule;
        let (mut finding, annotated, projection) =
            self.describe(&annotator, client, schedule, oracle.verdict, checked)?;
        let (message, span) = self.said(&annotator, client, stall)?;
        finding.verdict = Verdict::Faulty {
            fault: Fault {
                kind: format!("not {guarantee}"),
                message,
                span,
                related: None,
                waits: Vec::new(),
            },
        };
        let steps = schedule.0.len();
        let matter: Vec<usize> = match stall.kind {
            StallKind::Round(length) => (steps - length..steps).collect(),
            StallKind::Waits(_) => (steps.saturating_sub(1)..steps).collect(),
            StallKind::Grows(_) => (0..steps).collect(),
        };
        finding.coverage = found.finding.coverage.clone();
        self.show_test(&mut finding, &projection, client, false);
        finding.interleaving = Some(annotator.interleaving_of(&annotated, &projection, &matter));
        finding.replay = Some(self.replay.of(self.code, client, schedule));
        finding.sources = Some(annotator.sources(&finding));
        found.finding = finding;
        found.test = self.emitted(client.clone());
        Ok(())
    }

    /// What keeps operations from returning, in words, and where.
    fn said(
        &self,
        annotator: &Annotator<'_>,
        client: &Client,
        stall: &Stall,
    ) -> Result<(String, Option<Span>), Error> {
        let place = |site: Option<_>| site.map(|site| span(&self.code.user_site(site)));
        let operation = |thread: ThreadId, returned: usize| {
            let calls = client.threads.get(usize::from(thread));
            let call = calls.and_then(|calls| calls.get(returned));
            call.map_or("its operation", |call| {
                &self.code.operations()[usize::from(call.operation)].name
            })
        };
        let mut machine = self.code.start(client).map_err(SearchError::from)?;
        let mut follow = |schedule: &Schedule| {
            run(
                &mut machine,
                &mut Follow::new(schedule),
                Bounds::NONE,
                &mut Nobody,
            )
        };
        let execution = follow(&stall.schedule);
        let returned = |thread: ThreadId| {
            let steps = execution.steps.iter();
            let own = steps.filter(|s| s.choice.thread == thread && s.returned.is_some());
            own.count()
        };
        let name = |thread: ThreadId| annotator.thread(thread);
        match &stall.kind {
            StallKind::Waits(thread) => {
                let site = machine.next_site(*thread);
                let (what, holder) = match machine.status(*thread) {
                    Status::Blocked(Blocked::Lock { location, holder }) => {
                        (format!("waits for {}", machine.name(location)), holder)
                    }
                    Status::Blocked(Blocked::Wait(location)) => {
                        (format!("waits for {}", machine.name(location)), None)
                    }
                    Status::Blocked(Blocked::Spin(locations)) => {
                        let names: Vec<String> =
                            locations.iter().map(|l| machine.name(*l)).collect();
                        let names = names.join(", ");
                        (format!("goes round until {names} changes"), None)
                    }
                    _ => ("waits".to_owned(), None),
                };
                let threads = 0..machine.threads() as ThreadId;
                let others = threads.filter(|t| t != thread && machine.status(*t) != Status::Done);
                let others: Vec<String> = match holder {
                    Some(holder) => vec![name(holder)],
                    None => others.map(name).collect(),
                };
                let own = operation(*thread, returned(*thread));
                let unless = match &others[..] {
                    [] => "nobody is left to end that".to_owned(),
                    [one] => format!("if {one} stops where it is"),
                    _ => format!("if {} stop where they are", others.join(" and ")),
                };
                let message = format!(
                    "{} {what}: {unless}, {own} of {0} never returns",
                    name(*thread)
                );
                Ok((message, place(site)))
            }
            StallKind::Round(length) => {
                let round = &execution.steps[execution.steps.len().saturating_sub(*length)..];
                let mut threads: Vec<ThreadId> = round.iter().map(|s| s.choice.thread).collect();
                threads.sort_unstable();
                threads.dedup();
                let calls: Vec<String> = threads
                    .iter()
                    .map(|&t| format!("{} of {}", operation(t, returned(t)), name(t)))
                    .collect();
                let site = round.first().and_then(|step| step.accesses.first());
                let message = match &calls[..] {
                    [one] => format!("{one} goes round for ever although nobody hinders it"),
                    _ => format!(
                        "{} go round for ever, and none of them returns",
                        calls.join(" and ")
                    ),
                };
                Ok((message, place(site.map(|access| access.site))))
            }
            StallKind::Grows(steps) => {
                let counts: Vec<String> = steps.iter().map(ToString::to_string).collect();
                let other = client.threads.get(1).map_or(&[][..], |calls| calls);
                let round = &other[..other.len() / steps.len()];
                let round: Vec<&str> = round
                    .iter()
                    .map(|call| &*self.code.operations()[usize::from(call.operation)].name)
                    .collect();
                let message = format!(
                    "{} of {} takes up to {} steps while {} calls {} 1 to {} times: others can keep it from returning for ever",
                    operation(0, 0),
                    name(0),
                    counts.join(", "),
                    name(1),
                    round.join(" and "),
                    steps.len()
                );
                let last = execution.steps.iter().rfind(|s| s.choice.thread == 0);
                let site = last.and_then(|step| step.accesses.first());
                Ok((message, place(site.map(|access| access.site))))
            }
        }
    }
}
