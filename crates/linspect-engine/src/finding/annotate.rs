//! Tells a run in the words of its source: places, names, values.

use super::annotated_run::{AnnotatedRun, Place};
use linspect_core::defect::Defect;
use linspect_core::execution::{EventId, Fault, FaultKind, MemoryModel, SiteId, Step};
use linspect_core::machine::{Site, Subject};
use linspect_core::project::{CallOrigin, Projection};
use linspect_core::schedule::{Choice, ThreadId};
use linspect_diagnose::localise::{Localisation, OldRead, Side, overlooked};
use linspect_report::finding::{self, Finding, Span};
use linspect_vm::LoadedProgram;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Two numbers of runs in 64 bits each: their proportion stays, and what there was any of does not vanish. What could not be counted stays that.
fn in_proportion(good: u128, bad: u128) -> (u64, u64) {
    let most = good.max(bad);
    let too_long = (u128::BITS - most.leading_zeros()).saturating_sub(u64::BITS - 1);
    let scaled = |n: u128| match n {
        u128::MAX => u64::MAX,
        n => u64::try_from((n >> too_long).max(n.min(1))).unwrap_or(u64::MAX),
    };
    (scaled(good), scaled(bad))
}

pub(crate) struct Annotator<'a> {
    code: &'a LoadedProgram,
    /// Lines of the source files met so far.
    lines: RefCell<BTreeMap<String, Vec<String>>>,
}

impl<'a> Annotator<'a> {
    pub(crate) fn new(code: &'a LoadedProgram) -> Self {
        Self {
            code,
            lines: RefCell::new(BTreeMap::new()),
        }
    }

    /// The program.
    pub(crate) fn code(&self) -> &LoadedProgram {
        self.code
    }

    /// What is wrong with a run by itself, as the report shows it; nothing where only its history is wrong.
    pub(crate) fn defect(
        &self,
        defect: &Defect,
        annotated: &AnnotatedRun,
    ) -> Option<finding::Fault> {
        match defect {
            Defect::Fault(fault) => Some(self.fault(fault)),
            Defect::Panic(message) => Some(finding::Fault {
                kind: "aborted".into(),
                message: message.clone(),
                span: self.panicked_at(message, annotated),
                related: None,
                waits: Vec::new(),
            }),
            Defect::Deadlock(_) => Some(self.stuck("deadlock", annotated)),
            Defect::Livelock(_) => Some(self.stuck("livelock", annotated)),
            Defect::Violation | Defect::DataRace(_) => None,
        }
    }

    /// Where a panic was raised, as its message says, if the run was there.
    fn panicked_at(&self, message: &str, annotated: &AnnotatedRun) -> Option<Span> {
        let mut steps = (0..annotated.execution.steps.len()).rev();
        steps.find_map(|step| {
            let site = self.statement(annotated, step)?;
            let file = site.file.rsplit('/').next()?;
            let said = format!("{file}:{}:", site.line);
            let is_there = message.split(['/', ' ']).any(|word| word == said);
            is_there.then(|| span(&site))
        })
    }

    /// A run that ends with nobody able to go on, as the report shows it.
    fn stuck(&self, kind: &str, annotated: &AnnotatedRun) -> finding::Fault {
        let said = |wait: &finding::Wait| {
            let holder = match &wait.holder {
                Some(holder) if *holder == wait.thread => ", which it holds itself".into(),
                Some(holder) => format!(", which {holder} holds"),
                None => String::new(),
            };
            let place = wait.span.as_ref().map(|span| format!(" at {span}"));
            let place = place.unwrap_or_default();
            format!("{} waits {}{holder}{place}", wait.thread, wait.what)
        };
        let message: Vec<String> = annotated.waits.iter().map(said).collect();
        // Who is not called does not go round.
        let mut waits = annotated.waits.iter();
        let all_asleep = waits.len() > 0 && waits.all(finding::Wait::is_for_waker);
        let kind = if all_asleep { "deadlock" } else { kind };
        let mut spans = annotated.waits.iter().filter_map(|wait| wait.span.clone());
        finding::Fault {
            kind: kind.into(),
            message: message.join("; "),
            span: spans.next(),
            related: spans.next(),
            waits: annotated.waits.clone(),
        }
    }

    /// What a thread is called: the first of a program is its `main`.
    pub(crate) fn thread(&self, id: ThreadId) -> String {
        match (self.code.is_program(), id) {
            (true, 0) => "main".to_owned(),
            (true, id) => format!("T{id}"),
            (false, id) => format!("T{}", id + 1),
        }
    }

    /// The steps of the report.
    pub(crate) fn steps(
        &self,
        annotated: &AnnotatedRun,
        projection: &Projection,
        localisation: Option<&Localisation>,
    ) -> Vec<finding::Step> {
        let steps = &annotated.execution.steps;
        let decisive: BTreeSet<usize> = localisation
            .iter()
            .flat_map(|l| l.races.iter().map(|r| r.step))
            .collect();
        let mut running = BTreeMap::new();
        let mut shown = Vec::with_capacity(steps.len());
        let old = self.old_reads(annotated);
        for (i, step) in steps.iter().enumerate() {
            let thread = step.choice.thread;
            if let Some(called) = step.called {
                running.insert(thread, called);
            }
            let operation = running
                .get(&thread)
                .and_then(|activation| projection.operation(CallOrigin::Thread(*activation)));
            let failed = step.fault.as_ref().map(|fault| fault.site);
            let failed = failed
                .filter(|site| *site != 0)
                .map(|site| self.user_site(site));
            let site = failed.or_else(|| self.statement(annotated, i));
            shown.push(finding::Step {
                thread: thread.into(),
                operation,
                span: site.as_ref().map(span),
                call: self.call(annotated, i, site.as_ref()),
                source: site.as_ref().and_then(|s| self.line(&s.file, s.line)),
                accesses: annotated.accesses[i].clone(),
                note: self.note(annotated, i).or_else(|| old[i].clone()),
                fault: step.fault.is_some(),
                matters: decisive.contains(&i)
                    || step.fault.is_some()
                    || is_contended(steps, i)
                    || old[i].is_some(),
                invariant: None,
                state: annotated.states[i].clone(),
                older: annotated.older[i].clone(),
            });
        }
        shown
    }

    /// Under C20, what there is to say of each step that reads what is no longer the newest.
    fn old_reads(&self, annotated: &AnnotatedRun) -> Vec<Option<String>> {
        let steps = &annotated.execution.steps;
        if self.code.memory_model() == MemoryModel::Sc {
            return vec![None; steps.len()];
        }
        let overlooked = overlooked(steps).into_iter().enumerate();
        let note = |(i, newest): (usize, Option<EventId>)| {
            let effect = annotated.accesses[i].first()?.effect();
            let writer = self.thread(newest?.thread);
            Some(format!("{effect}: old, {writer} has written it since"))
        };
        overlooked.map(note).collect()
    }

    /// Shows the read that decides under weak memory as the choice that saves the run.
    pub(crate) fn show_decisive_read(
        &self,
        finding: &mut Finding,
        read: &OldRead,
        annotated: &AnnotatedRun,
    ) {
        let access = annotated.accesses[read.step].first();
        let (Some(run), Some(access)) = (&mut finding.interleaving, access) else {
            return;
        };
        let thread = annotated.execution.steps[read.step].choice.thread;
        let place = self.statement(annotated, read.step);
        let place = place.map_or_else(String::new, |site| format!(" ({})", span(&site)));
        let all = match read.good {
            1 => "the one execution that then goes on from there is right".to_owned(),
            good => format!("all {good} executions that go on from there are right"),
        };
        run.contrast = Some(format!(
            "at step {}, let {} read the newest {}{place}: {all}",
            read.step + 1,
            self.thread(thread),
            access.variable
        ));
    }

    /// What there is to say of a step where that is no access of the user's own.
    fn note(&self, annotated: &AnnotatedRun, i: usize) -> Option<String> {
        let step = &annotated.execution.steps[i];
        if let Some(fault) = &step.fault {
            return Some(fault.message.clone());
        }
        match step.accesses.first() {
            None => Some("returns without touching shared memory".into()),
            // What a library keeps for itself says nothing to its user.
            Some(_) if annotated.hidden.contains(&i) => Some(String::new()),
            Some(_) if annotated.accesses[i].first().is_some_and(is_of_std) => Some(String::new()),
            Some(_) => None,
        }
    }

    /// Where the operation's own code called what step `i` stands in, if it stands in a helper.
    fn call(&self, annotated: &AnnotatedRun, i: usize, site: Option<&Site>) -> Option<Span> {
        let site = site?;
        // The outermost call is the harness.
        let outer = self.user_site(*annotated.places[i].path.get(1)?);
        let is_helper = outer.line != 0 && outer.function != site.function;
        is_helper.then(|| span(&outer))
    }

    /// The decisive races.
    pub(crate) fn races(
        &self,
        localisation: &Localisation,
        annotated: &AnnotatedRun,
    ) -> Vec<finding::Race> {
        let side = |s: &Side, taken: bool| {
            let site = self.competitor(s, annotated);
            let line = site.as_ref().and_then(|s| self.line(&s.file, s.line));
            let (good, bad) = in_proportion(s.good, s.bad);
            finding::Side {
                thread: s.step.choice.thread.into(),
                text: line.unwrap_or_else(|| "its next step".into()),
                span: site.as_ref().map(span),
                taken,
                good,
                bad,
                partly: !s.whole,
            }
        };
        localisation
            .races
            .iter()
            .map(|race| finding::Race {
                step: u32::try_from(race.step).unwrap_or(u32::MAX),
                sides: race
                    .sides
                    .iter()
                    .enumerate()
                    .map(|(i, s)| side(s, i == race.taken))
                    .collect(),
            })
            .collect()
    }

    /// The statement to show for a side of a race. What loses usually comes later in the same run.
    pub(crate) fn competitor(&self, side: &Side, annotated: &AnnotatedRun) -> Option<Site> {
        let same = |p: &Place| p.path[..] == side.path[..];
        match annotated.places.iter().position(same) {
            Some(step) => self.statement(annotated, step),
            None => side.step.accesses.first().map(|a| self.user_site(a.site)),
        }
    }

    /// The one different choice that saves the run.
    pub(crate) fn contrast(
        &self,
        localisation: &Localisation,
        annotated: &AnnotatedRun,
    ) -> Option<String> {
        let contrast = localisation.contrast.as_ref()?;
        let at = contrast.differs_at;
        let instead: &Choice = contrast.schedule.0.get(at)?;
        let race = localisation.races.iter().find(|r| r.step == at)?;
        let side = race.sides.iter().find(|s| s.step.choice == *instead)?;
        let place = self.competitor(side, annotated);
        let place = place.map_or_else(String::new, |site| format!(" ({})", span(&site)));
        let partial = match localisation.dag.complete {
            true => String::new(),
            false => format!(
                " (only the first {} states were looked at, here and below)",
                localisation.dag.nodes.len()
            ),
        };
        Some(format!(
            "at step {}, let {} go first{place}{partial}",
            at + 1,
            self.thread(instead.thread)
        ))
    }

    /// A fault as the report shows it.
    pub(crate) fn fault(&self, fault: &Fault) -> finding::Fault {
        let known = |site: SiteId| (site != 0).then(|| span(&self.user_site(site)));
        finding::Fault {
            kind: match fault.kind {
                FaultKind::NullPointer => "null pointer dereference",
                FaultKind::OutOfBounds => "access out of bounds",
                FaultKind::UseAfterFree => "use after free",
                FaultKind::BadFree => "bad free",
                FaultKind::Uninitialised => "read of uninitialised memory",
                FaultKind::Leak => "leak",
                FaultKind::Assertion => "assertion failed",
                FaultKind::Abort => "aborted",
                FaultKind::Misuse => "misuse",
                _ => "limit",
            }
            .into(),
            message: fault.message.clone(),
            span: known(fault.site),
            related: fault.related.and_then(known),
            waits: Vec::new(),
        }
    }

    /// The statement to show for a step of the run; none if it accessed nothing.
    pub(crate) fn statement(&self, annotated: &AnnotatedRun, step: usize) -> Option<Site> {
        let access = annotated.execution.steps[step].accesses.first()?;
        let site = annotated.places[step].statement.unwrap_or(access.site);
        Some(self.user_site(site))
    }

    /// Where a step stands: its calls in the user's code, outermost first, without those of the harness.
    pub(crate) fn path(&self, path: &[SiteId]) -> String {
        let places: Vec<String> = path.iter().skip(1).map(|&site| self.place(site)).collect();
        match places.is_empty() {
            true => path
                .last()
                .map_or_else(String::new, |&site| self.place(site)),
            false => places.join(" › "),
        }
    }

    /// `file:line` of a site in the user's code.
    pub(crate) fn place(&self, site: SiteId) -> String {
        span(&self.user_site(site)).to_string()
    }

    /// The innermost place that is the user's code, not the library's.
    pub(crate) fn user_site(&self, site: SiteId) -> Site {
        self.code.user_site(site)
    }

    /// The source files that the finding speaks of.
    pub(crate) fn sources(&self, finding: &Finding) -> Vec<finding::SourceFile> {
        let mut files: BTreeSet<String> = BTreeSet::new();
        let steps = finding.interleaving.iter().flat_map(|i| &i.steps);
        files.extend(
            steps
                .filter_map(|s| s.span.as_ref())
                .map(|s| s.file.clone()),
        );
        let raced = finding.data_races.iter().flat_map(|race| &race.accesses);
        files.extend(
            raced
                .filter_map(|a| a.span.as_ref())
                .map(|s| s.file.clone()),
        );
        let reasons = finding.explanation.iter().flat_map(|e| &e.lines);
        files.extend(reasons.map(|r| r.span.file.clone()));
        let repairs = finding.repairs.iter().flat_map(|r| &r.found);
        files.extend(repairs.flat_map(|r| &r.blocks).map(|s| s.file.clone()));
        files
            .into_iter()
            .filter_map(|path| {
                let text = std::fs::read_to_string(&path).ok()?;
                Some(finding::SourceFile { path, text })
            })
            .collect()
    }

    /// A line of a source file, without its indentation.
    pub(crate) fn line(&self, file: &str, line: u32) -> Option<String> {
        let mut files = self.lines.borrow_mut();
        let lines = files.entry(file.to_owned()).or_insert_with(|| {
            let text = std::fs::read_to_string(file).unwrap_or_default();
            text.lines().map(|l| l.trim().to_owned()).collect()
        });
        let line = lines.get((line as usize).checked_sub(1)?)?;
        (!line.is_empty()).then(|| line.clone())
    }
}

/// Whether it is a static of Rust's standard library, such as the lock of the panic hook.
fn is_of_std(access: &finding::Access) -> bool {
    access.variable.starts_with("std::")
}

pub(crate) fn span(site: &Site) -> Span {
    Span {
        file: site.file.clone(),
        line: site.line,
        last_line: site.line,
        function: site.function.clone(),
    }
}

/// Whether some step of another thread conflicts with this one.
fn is_contended(steps: &[Step], at: usize) -> bool {
    let this = &steps[at];
    steps
        .iter()
        .filter(|o| o.choice.thread != this.choice.thread)
        .any(|o| {
            this.accesses
                .iter()
                .any(|a| o.accesses.iter().any(|b| a.conflicts(b)))
        })
}
