//! Why a run fails: records it, slices it, checks the slice, and puts it into the report.

use super::annotate::{Annotator, span};
use super::annotated_run::AnnotatedRun;
use crate::counterexample::Counterexample;
use linspect_core::execution::SiteId;
use linspect_core::machine::Subject;
use linspect_core::project::{Projection, project};
use linspect_core::schedule::ThreadId;
use linspect_core::statement::{Claim, RecordError, Recording};
use linspect_diagnose::explain::{
    Absent, Dependency, Explained, Flaw, Level, Line, Orphan, Role, View, diverted_schedule,
    explain, explain_turn, lines_not_run, smallest_level,
};
use linspect_diagnose::localise::Localisation;
use linspect_report::finding::explanation::{self, Explanation, Link, Reason};
use linspect_vm::LoadedProgram;
use std::collections::BTreeSet;

/// Why there is no explanation.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unexplained {
    #[error("the run cannot be recorded: {0}")]
    Record(#[from] RecordError),
    #[error("there is nothing to start from: what failed is no value of the program")]
    NoClaim,
    #[error(transparent)]
    Incomplete(#[from] Orphan),
    #[error("the explanation does not stand its own test, so it is not shown: {0}")]
    Flawed(#[from] Flaw),
}

/// What a history violates, as a claim about the results in a recording.
pub(crate) type Claims<'a> = dyn Fn(&Projection, &Recording) -> Option<Claim> + 'a;

/// A failing run that is to be explained.
pub(crate) struct Question<'a> {
    pub(crate) annotator: &'a Annotator<'a>,
    pub(crate) example: &'a Counterexample,
    /// The same run with names and places.
    pub(crate) annotated: &'a AnnotatedRun,
    /// Where it is decided, if that is known.
    pub(crate) localisation: Option<&'a Localisation>,
    pub(crate) claims: &'a Claims<'a>,
    /// This level only; else the smallest that shows what decided the run.
    pub(crate) level: Option<Level>,
}

impl Question<'_> {
    /// The explanation, checked: every step of its invariants follows, and the slice alone fails, too.
    pub(crate) fn answer(&self) -> Result<Explanation, Unexplained> {
        let recording = self.record()?;
        let reflects = |explained: &Explained<'_>| self.reflects(explained);
        let (explained, reflected) = match self.level {
            Some(level) => {
                let explained = explain(&recording, level)?;
                let reflected = reflects(&explained);
                (explained, reflected)
            }
            None => smallest_level(&recording, reflects)?,
        };
        explained.certify()?;
        let view = explained.view(|site| self.line(site), |thread| self.name(thread));
        let mut shown = self.shown(&explained, &view, reflected);
        if !reflected {
            shown.absent = self.absent(&recording);
        }
        Ok(shown)
    }

    fn code(&self) -> &LoadedProgram {
        self.annotator.code()
    }

    fn record(&self) -> Result<Recording, Unexplained> {
        let Counterexample {
            client, schedule, ..
        } = self.example;
        let mut recording = self.code().record(client, schedule)?;
        if recording.claim.any_of.is_empty() {
            let projection = project(&self.annotated.execution, client, self.code().operations());
            recording.claim = (self.claims)(&projection, &recording).ok_or(Unexplained::NoClaim)?;
        }
        if recording.claim.any_of.is_empty() {
            return Err(Unexplained::NoClaim);
        }
        Ok(recording)
    }

    /// What a thread is called; the suffix runs in the main one.
    fn name(&self, thread: ThreadId) -> String {
        match thread {
            ThreadId::MAX => "main".into(),
            thread => self.annotator.thread(thread),
        }
    }

    /// The process of a history that a thread is; the suffix is one more.
    fn process(&self, thread: ThreadId) -> u32 {
        if thread == ThreadId::MAX {
            self.example.client.threads.len() as u32
        } else {
            thread.into()
        }
    }

    fn line(&self, site: SiteId) -> (String, u32) {
        let site = self.code().user_site(site);
        (site.file, site.line)
    }

    /// Whether the slice shows one thread overwriting what another has read or written, the locks that several threads hold, or both sides of the race
    /// that doomed the run.
    fn reflects(&self, explained: &Explained<'_>) -> bool {
        let recording = explained.recording();
        if explained.interferes() || explained.holders() > 1 {
            return true;
        }
        let Some(race) = self.localisation.and_then(|found| found.races.last()) else {
            return false;
        };
        let kept: BTreeSet<(ThreadId, String, u32)> = explained
            .slice
            .kept
            .keys()
            .map(|&i| {
                let statement = &recording.statements[i];
                let (file, line) = self.line(statement.site);
                (statement.thread, file, line)
            })
            .collect();
        race.sides.iter().all(|side| {
            let place = self.annotator.competitor(side, self.annotated);
            let thread = side.step.choice.thread;
            place.is_none_or(|site| kept.contains(&(thread, site.file, site.line)))
        })
    }

    fn shown(&self, explained: &Explained<'_>, view: &View, reflects: bool) -> Explanation {
        // What runs before `main` has no place in the source.
        let placed = |line: &&Line| self.code().user_site(line.site).line != 0;
        let mut number = vec![None; view.lines.len()];
        let mut shown = 0..;
        for (line, number) in view.lines.iter().zip(&mut number) {
            *number = placed(&line).then(|| shown.next()).flatten();
        }
        let lines = view.lines.iter().filter(placed).map(|line| {
            let site = self.code().user_site(line.site);
            Reason {
                thread: self.process(line.thread),
                text: self
                    .annotator
                    .line(&site.file, site.line)
                    .unwrap_or_default(),
                span: span(&site),
                deed: line.deed.clone(),
                role: match line.role {
                    Role::Value => explanation::Role::Value,
                    Role::Guard => explanation::Role::Guard,
                    Role::Hazard => explanation::Role::Hazard,
                },
                switch: line.switch,
                invariant: line.invariant.clone(),
            }
        });
        let links = view.links.iter().filter_map(|link| {
            Some(Link {
                from: number[link.from]?,
                to: number[link.to]?,
                kind: match link.dependency {
                    Dependency::ReadAfterWrite => explanation::Dependency::Raw,
                    Dependency::WriteAfterRead => explanation::Dependency::War,
                    Dependency::WriteAfterWrite => explanation::Dependency::Waw,
                    Dependency::Control => explanation::Dependency::Control,
                },
                variable: link.variable.clone(),
            })
        });
        Explanation {
            level: explained.slice.level.name().into(),
            reflects,
            lines: lines.collect(),
            links: links.collect(),
            executed: view.executed as u64,
            statements: view.statements as u64,
            kept: view.kept as u64,
            absent: Vec::new(),
        }
    }

    /// What only good runs nearby do: one different choice at a decisive race, then each thread to its end.
    fn absent(&self, bad: &Recording) -> Vec<explanation::Absent> {
        let races = self.localisation.iter().flat_map(|l| l.races.iter().rev());
        let others = races.flat_map(|race| {
            let sides = race.sides.iter().enumerate();
            let better = sides.filter(|(i, side)| *i != race.taken && side.good > 0);
            better.map(|(_, side)| (race.step, side.step.choice.thread))
        });
        let Counterexample {
            client, schedule, ..
        } = self.example;
        let mut shown: Vec<explanation::Absent> = Vec::new();
        for (step, first) in others {
            let good = diverted_schedule(self.code(), client, schedule, step, first)
                .and_then(|schedule| self.code().record(client, &schedule).ok());
            let Some(good) = good else { continue };
            let lines = lines_not_run(bad, &good, |site| self.line(site));
            // Of the lines behind one branch the first says enough.
            let mut branches = BTreeSet::new();
            for line in lines
                .iter()
                .filter(|l| branches.insert((l.thread, l.decided)))
            {
                let missing = self.missing(bad, line);
                if !shown.contains(&missing) {
                    shown.push(missing);
                }
            }
        }
        // A branch that went the other way says more than a line that was not reached.
        shown.sort_by_key(|a| a.decided_at.is_none());
        shown.truncate(SHOWN_ABSENT);
        shown
    }

    fn missing(&self, bad: &Recording, absent: &Absent) -> explanation::Absent {
        let site = self.code().user_site(absent.site);
        let decided = absent.decided;
        let because = decided.and_then(|c| {
            let why = explain_turn(bad, c, |e| {
                e.certify().ok()?;
                Some(self.others(e, bad.statements[c].thread))
            });
            why.ok().flatten().flatten()
        });
        explanation::Absent {
            thread: self.process(absent.thread),
            text: self
                .annotator
                .line(&site.file, site.line)
                .unwrap_or_default(),
            span: span(&site),
            decided_at: decided
                .map(|c| self.code().user_site(bad.statements[c].site))
                .filter(|site| site.line != 0)
                .map(|site| span(&site)),
            because: because.unwrap_or_default(),
        }
    }

    /// The lines of other threads in a slice, as texts.
    fn others(&self, explained: &Explained<'_>, thread: ThreadId) -> Vec<String> {
        let view = explained.view(|site| self.line(site), |thread| self.name(thread));
        let lines = view.lines.iter().filter(|l| l.thread != thread);
        let text = |line: &Line| {
            let site = self.code().user_site(line.site);
            let source = self
                .annotator
                .line(&site.file, site.line)
                .unwrap_or_default();
            format!("{} {}  {source}", self.name(line.thread), span(&site))
        };
        lines.map(text).collect()
    }
}

/// More lines that did not run are not shown.
const SHOWN_ABSENT: usize = 2;
