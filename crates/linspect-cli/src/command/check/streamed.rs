//! One history, decided while it is read.

use super::{Checked, Job, Question};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::section::Section;
use crate::source::Source;
use linspect_core::check::{Stream, StreamEnd};
use linspect_core::history::History;
use linspect_core::spec::Builtin;
use linspect_core::verdict::{Criterion, Verdict};
use linspect_engine::clock_budget::ClockBudget;
use linspect_format::Recorded;
use linspect_report::Finding;
use std::time::{Duration, Instant};

/// So many operations are read before what is known is decided.
const PART: usize = 1 << 17;

/// A stream, and what its first part says of the whole.
struct Begun {
    stream: Stream,
    name: String,
    assumed: Option<&'static str>,
    header: Recorded,
}

impl Job {
    /// Reads and decides one history part by part.
    pub(crate) fn run_streamed(&self, source: &Source) -> Result<Checked, Failure> {
        let Question::Whether(criterion @ Criterion::Linearizable) = self.question else {
            return Err(refused(&NoStream::Criterion));
        };
        let start = Instant::now();
        let limits = ClockBudget::start(self.timeout, self.memory);
        let source_name = source.name();
        let mut begun: Option<Begun> = None;
        let mut over: Result<(), Failure> = Ok(());
        let mut is_violated = false;
        source.read_parts(PART, &limits, &mut |mut part| {
            self.settle_reads(&mut part);
            let last = part.lines.last().copied().unwrap_or(0);
            if begun.is_none() {
                match self.begin(&source_name, &part) {
                    Ok(new) => begun = Some(new),
                    Err(failure) => over = Err(failure),
                }
            }
            let Some(begun) = &mut begun else {
                return false;
            };
            let marks = part.lines.into_iter().zip(part.ends).collect();
            match begun.stream.take(part.history, marks) {
                Ok(()) => return true,
                Err(StreamEnd::Violated) => is_violated = true,
                Err(end) => over = Err(failure(&source_name, begun, end, last)),
            }
            false
        })?;
        over?;
        let Some(begun) = begun else {
            return Err(refused(&NoStream::Nothing { source_name }));
        };
        if !is_violated {
            match begun.stream.finish() {
                Ok(()) => {}
                Err(StreamEnd::Violated) => is_violated = true,
                Err(end) => return Err(failure(&source_name, &begun, end, 0)),
            }
        }
        let (total, pending, clients) = begun.stream.counts();
        let mut checked = if is_violated {
            // What is kept is wrong by itself, and is explained like any history.
            let (window, marks) = begun.stream.window();
            let (lines, ends) = marks.iter().copied().unzip();
            let window = Recorded {
                history: window.clone(),
                lines,
                ends,
                spec: Some(begun.name.clone()),
                ..begun.header
            };
            let reading = start.elapsed();
            self.decide(&source_name, &window, reading, limits)?
        } else {
            let about = linspect_report::Checked::new(&source_name, &begun.name, criterion);
            let nothing = History::new();
            let elapsed = start.elapsed();
            Checked {
                finding: Finding::of_history(&nothing, &Verdict::Holds(None), about),
                exit: Exit::Holds,
                smallest_k: None,
                assumed: None,
                reading: Duration::ZERO,
                deciding: elapsed,
            }
        };
        checked.assumed = begun.assumed;
        let history = &mut checked.finding.history;
        (history.total, history.pending, history.clients) = (total, pending, clients);
        Ok(checked)
    }

    /// What the first part says of the whole.
    fn begin(&self, source_name: &str, first: &Recorded) -> Result<Begun, Failure> {
        let (spec, assumed) = self.spec(source_name, first)?;
        let name = spec.name().to_owned();
        let why = why_not(&spec);
        let stream = Stream::new(spec).ok_or_else(|| {
            let source_name = source_name.to_owned();
            let name = name.clone();
            refused(&NoStream::Type {
                source_name,
                name,
                why,
            })
        })?;
        Ok(Begun {
            stream,
            name,
            assumed,
            header: Recorded {
                initial: first.initial.clone(),
                unit: first.unit.clone(),
                ..Recorded::default()
            },
        })
    }
}

/// Why a history cannot be streamed; `line` is the last that was read.
fn failure(source_name: &str, begun: &Begun, end: StreamEnd, line: u32) -> Failure {
    match end {
        StreamEnd::Misfit(misfit) => {
            let lines = begun.stream.window().1.iter().map(|(line, _)| *line);
            super::job::failure(source_name, &lines.collect::<Vec<_>>(), misfit)
        }
        StreamEnd::Unordered => {
            let source_name = source_name.to_owned();
            refused(&NoStream::Unordered { source_name, line })
        }
        StreamEnd::Ambiguous | StreamEnd::Violated => {
            let source_name = source_name.to_owned();
            refused(&NoStream::Ambiguous { source_name })
        }
    }
}

/// Why histories of `spec` are kept as a whole, if they are.
fn why_not(spec: &Builtin) -> &'static str {
    match spec {
        Builtin::Stack(_) | Builtin::Deque(_) => {
            "an element that is gone may have ordered two that are still there"
        }
        Builtin::Queue(_) | Builtin::PriorityQueue(_) | Builtin::Multiset(_) => {
            "how full it is depends on everything before"
        }
        Builtin::CasRegister(_) => {
            "what a `cas` did depends on everything before; without any, say --spec register"
        }
        Builtin::Mutex(_) | Builtin::Semaphore(_) => "who may go on depends on everything before",
        Builtin::Rendezvous(_) | Builtin::Exchanger(_) | Builtin::Barrier(_) => {
            "who met whom is searched for in all of it"
        }
        _ => "each result depends on everything before",
    }
}

/// Why a history is not decided while it is read.
#[derive(Debug, thiserror::Error)]
enum NoStream {
    #[error("only linearizability is decided while a history is read")]
    Criterion,
    #[error("{source_name}: a {name} cannot be decided while it is read: {why}")]
    Type {
        source_name: String,
        name: String,
        why: &'static str,
    },
    #[error("{source_name}: there is no operation in it")]
    Nothing { source_name: String },
    #[error(
        "{source_name}: before line {line} something was called earlier than what stands above it"
    )]
    Unordered { source_name: String, line: u32 },
    #[error(
        "{source_name}: values repeat or results are missing, so it cannot be decided while it is read"
    )]
    Ambiguous { source_name: String },
}

fn refused(why: &NoStream) -> Failure {
    Failure::Usage {
        message: why.to_string(),
        help: "drop --stream; it takes a register, kv, set, multiset, queue or priority-queue with different values, in JSON Lines in the order of calls",
        section: Section::CommandLine,
    }
}
