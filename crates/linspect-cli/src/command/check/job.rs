//! One history: read, understood, decided.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::source::Source;
use linspect_core::check::{self, Budget, MinK, Misfit, Workers};
use linspect_core::history::{History, Operation};
use linspect_core::spec::{Builtin, Options, Rulebook, Spec};
use linspect_core::value::Value;
use linspect_core::verdict::{Criterion, Limit, Verdict};
use linspect_engine::clock_budget::ClockBudget;
use linspect_engine::infer::{Inferred, infer, reads_at};
use linspect_format::{Format, NilRead, Recorded};
use linspect_report::{Disturbance, Finding, Recording};
use rayon::prelude::*;
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// How to check a history.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// The specification, if it was named.
    pub(crate) spec: Option<Named>,
    /// What else was said about it.
    pub(crate) options: Options,
    /// The format, if it was named.
    pub(crate) format: Option<Format>,
    /// What to decide.
    pub(crate) question: Question,
    /// How long it may take.
    pub(crate) timeout: Option<Duration>,
    /// How many bytes it may take.
    pub(crate) memory: usize,
}

/// A specification that was asked for.
#[derive(Clone, Debug)]
pub(crate) enum Named {
    /// A built-in one.
    Builtin(String),
    /// One of the user's own.
    Model(Box<Rulebook>),
}

/// What to decide about a history.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Question {
    /// Whether it satisfies this.
    Whether(Criterion),
    /// The smallest k with which it satisfies this.
    SmallestK(fn(u32) -> Criterion),
}

/// What came of it.
pub(crate) struct Checked {
    /// What there is to say.
    pub(crate) finding: Finding,
    /// What the shell is told.
    pub(crate) exit: Exit,
    /// The smallest k, if it was asked for.
    pub(crate) smallest_k: Option<MinK>,
    /// The specification, if it was assumed because nobody said it.
    pub(crate) assumed: Option<&'static str>,
    /// How long reading took.
    pub(crate) reading: Duration,
    /// How long deciding took.
    pub(crate) deciding: Duration,
}

impl Job {
    /// Reads and decides one history.
    pub(crate) fn run(&self, source: &Source) -> Result<Checked, Failure> {
        let start = Instant::now();
        // Who says that the register starts absent says that a read of nil saw that.
        let nil_read = match self.options.initial {
            Some(Value::Nil) => NilRead::Absent,
            _ => NilRead::Unknown,
        };
        let limits = ClockBudget::start(self.timeout, self.memory);
        let mut recorded = source.read(self.format, nil_read, &limits)?;
        self.settle_reads(&mut recorded);
        let reading = start.elapsed();
        self.decide(&source.name(), &recorded, reading, limits)
    }

    /// Leaves out what reads were sent with where the object has one place to read: that is what their clients read before.
    pub(super) fn settle_reads(&self, recorded: &mut Recorded) {
        if !recorded.has_sent_reads {
            return;
        }
        let named = match &self.spec {
            Some(Named::Builtin(name)) => Some(name.clone()),
            Some(Named::Model(model)) => {
                if !recorded.sent_reads().all(|v| model.call("read", v).is_ok()) {
                    recorded.leave_out_sent_reads();
                }
                return;
            }
            None => recorded.spec.clone(),
        };
        let mut plain = recorded.clone();
        plain.leave_out_sent_reads();
        let look_there = |name: &str| {
            Builtin::with_options(name, &self.options)
                .is_ok_and(|spec| reads_at(&spec, recorded.sent_reads()))
        };
        let looks = match named {
            Some(name) => look_there(&name),
            None => match infer(&plain.history) {
                // Where every write names a place, a read that was sent with a number does, too.
                Inferred::Spec(name) => {
                    look_there(name) || matches!(infer(&recorded.history), Inferred::Spec(_))
                }
                Inferred::Ambiguous(_) => false,
                Inferred::Nothing => true,
            },
        };
        if !looks {
            *recorded = plain;
        }
    }

    /// Decides a history that was read.
    pub(crate) fn decide(
        &self,
        source_name: &str,
        recorded: &Recorded,
        reading: Duration,
        limits: ClockBudget,
    ) -> Result<Checked, Failure> {
        let start = Instant::now();
        let operations = recorded.history.operations.capacity();
        // A decider sorts what was called, how it ended and when, and the report what it tells: 480 bytes per operation were measured for a cas-register.
        let limits = limits.holding(5 * operations * size_of::<Operation>());
        let misfit = |misfit| failure(source_name, &recorded.lines, misfit);
        let mut history = Cow::Borrowed(&recorded.history);
        // A decider for one type sorts once and asks nobody: whether there is room for that is asked here.
        let limit = limits.exhausted(0);
        let (name, assumed, answer) = match &self.spec {
            Some(Named::Model(model)) => {
                let answer = match limit {
                    Some(limit) => self.unanswered(limit),
                    None => self
                        .answer_by_model(&history, model, &limits)
                        .map_err(misfit)?,
                };
                (model.name().to_owned(), None, answer)
            }
            _ => {
                let (spec, assumed) = self.spec(source_name, recorded)?;
                if let Builtin::Mutex(mutex) = &spec
                    && mutex.owned
                {
                    history = Cow::Owned(mutex.with_processes_as_owners(&history));
                }
                let answer = match limit {
                    Some(limit) => self.unanswered(limit),
                    None => self.answer(&history, &spec, &limits).map_err(misfit)?,
                };
                (spec.name().to_owned(), assumed, answer)
            }
        };
        let (criterion, verdict, smallest_k) = answer;
        let deciding = start.elapsed();
        let checked = linspect_report::Checked::new(source_name, &name, criterion);
        let mut finding = Finding::of_history(&history, &verdict, checked);
        finding.history.recording = Some(recording(recorded, &finding));
        Ok(Checked {
            exit: Exit::of(&verdict),
            finding,
            smallest_k,
            assumed,
            reading,
            deciding,
        })
    }

    /// No answer, for a limit that was reached before anything was decided.
    fn unanswered(&self, limit: Limit) -> (Criterion, Verdict, Option<MinK>) {
        let criterion = match self.question {
            Question::Whether(criterion) => criterion,
            Question::SmallestK(of) => of(0),
        };
        (criterion, Verdict::Unknown(limit), None)
    }

    fn answer(
        &self,
        history: &History,
        spec: &Builtin,
        limits: &ClockBudget,
    ) -> Result<(Criterion, Verdict, Option<MinK>), Misfit> {
        let check = |criterion| {
            check::check(history, spec, criterion, &Pool, limits).map(|answer| answer.verdict)
        };
        let of = match self.question {
            Question::Whether(criterion) => return Ok((criterion, check(criterion)?, None)),
            Question::SmallestK(of) => of,
        };
        let found = check::min_k(history, spec, of, limits)?;
        let (criterion, verdict) = match found {
            MinK::From(k) => (of(k), check(of(k))?),
            // Nobody is overtaken by more operations than there are: this fails, and says why.
            MinK::Never => {
                let most = u32::try_from(history.operations.len()).unwrap_or(u32::MAX);
                (of(most), check(of(most))?)
            }
            MinK::AtLeast(k, limit) => (of(k), Verdict::Unknown(limit)),
        };
        Ok((criterion, verdict, Some(found)))
    }

    /// As [`Job::answer`], for a model. It has no order that could be relaxed.
    fn answer_by_model(
        &self,
        history: &History,
        model: &Rulebook,
        limits: &ClockBudget,
    ) -> Result<(Criterion, Verdict, Option<MinK>), Misfit> {
        let criterion = match self.question {
            Question::Whether(criterion) => criterion,
            Question::SmallestK(of) => of(1),
        };
        let question = check::Question::new(history, model, criterion)?;
        Ok((criterion, question.check(&Pool, limits).verdict, None))
    }

    /// The specification, and what was assumed to arrive at it.
    pub(super) fn spec(
        &self,
        source_name: &str,
        recorded: &Recorded,
    ) -> Result<(Builtin, Option<&'static str>), Failure> {
        let named = match &self.spec {
            Some(Named::Builtin(name)) => Some(&**name),
            _ => None,
        };
        let (name, assumed) = match named.or(recorded.spec.as_deref()) {
            Some(name) => (name, None),
            None => {
                let name = told(source_name, recorded)?;
                (name, Some(name))
            }
        };
        let mut options = self.options.clone();
        if options.initial.is_none() {
            options.initial.clone_from(&recorded.initial);
        }
        let spec = Builtin::with_options(name, &options).map_err(|error| Failure::Spec {
            source_name: source_name.to_owned(),
            error,
        })?;
        Ok((spec, assumed))
    }
}

fn told(source_name: &str, recorded: &Recorded) -> Result<&'static str, Failure> {
    let source_name = source_name.to_owned();
    let methods = recorded.history.methods.join(", ");
    match infer(&recorded.history) {
        Inferred::Spec(name) => Ok(name),
        Inferred::Ambiguous(candidates) => Err(Failure::Ambiguous {
            source_name,
            methods,
            candidates: candidates.join(", "),
            example: candidates[0],
        }),
        Inferred::Nothing => Err(Failure::NoSpec {
            source_name,
            methods,
        }),
    }
}

/// What the file says beside the operations that `finding` keeps.
fn recording(recorded: &Recorded, finding: &Finding) -> Recording {
    let at = |op: &linspect_report::Operation| {
        let id = op.id as usize;
        (recorded.lines[id], recorded.ends[id])
    };
    let done = recorded.disturbances.iter();
    Recording {
        unit: recorded.unit.clone(),
        lines: finding.history.operations.iter().map(at).collect(),
        disturbances: done
            .map(|done| Disturbance {
                what: done.what.clone(),
                details: done.details.clone(),
                from: done.from,
                to: done.to,
            })
            .collect(),
    }
}

/// An operation that does not fit is named by its line.
pub(super) fn failure(source_name: &str, lines: &[u32], misfit: Misfit) -> Failure {
    let source_name = source_name.to_owned();
    match misfit {
        Misfit::Operation {
            operation,
            shown,
            reason,
        } => Failure::Unfit {
            source_name,
            line: lines[operation as usize],
            reason: format!("`{shown}`: {reason}"),
        },
        error @ Misfit::Criterion { .. } => Failure::Misfit { source_name, error },
    }
}

/// The threads of this process.
struct Pool;

impl Workers for Pool {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).into_par_iter().for_each(job);
    }
}
