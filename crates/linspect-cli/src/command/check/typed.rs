//! What is typed after `linspect check`, and what is meant by it.

use super::job::Named;
use super::{Check, Job, Output, Question};
use crate::failure::Failure;
use crate::files::Files;
use crate::partition::Partition;
use crate::section::Section;
use crate::source::Source;
use crate::units::{self, TimeLimit};
use linspect_core::spec::{Builtin, Options};
use linspect_core::value::Value;
use linspect_core::verdict::Criterion;
use linspect_engine::clock_budget::process_memory;
use linspect_format::Format;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Options of `linspect check`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    /// Recorded histories; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<OsString>,

    /// The object they should behave like: a name, or a model in a .toml file [default: told by the file, its format or
    /// its methods]
    #[arg(long, value_name = "NAME", help_heading = "What to check")]
    spec: Option<String>,

    /// The format of the files [default: detected]
    #[arg(long, value_name = "FORMAT", help_heading = "What to check")]
    format: Option<TypedFormat>,

    /// The initial value of a register, counter or missing key; the permits of a semaphore
    #[arg(long, value_name = "VALUE", value_parser = units::value, allow_negative_numbers = true, help_heading = "What to check")]
    initial: Option<Value>,

    /// How many values a queue or stack holds at most
    #[arg(long, value_name = "N", help_heading = "What to check")]
    capacity: Option<usize>,

    /// What a container returns when there is nothing, beside nil and false
    #[arg(long, value_name = "VALUE", value_parser = units::value, allow_negative_numbers = true, help_heading = "What to check")]
    empty: Option<Value>,

    /// How many cells a snapshot has
    #[arg(long, value_name = "N", help_heading = "What to check")]
    cells: Option<usize>,

    /// How many callers of a barrier go on together
    #[arg(long, value_name = "N", help_heading = "What to check")]
    parties: Option<usize>,

    /// The largest value of a priority queue is the best
    #[arg(long, help_heading = "What to check")]
    largest_first: bool,

    /// The condition to decide
    #[arg(long, value_name = "CRITERION", help_heading = "What to check")]
    criterion: Option<TypedCriterion>,

    /// Allow an element to be overtaken, and to overtake, K times (quasi-linearizability)
    #[arg(long, value_name = "K", help_heading = "What to check")]
    relax: Option<u32>,

    /// Find the smallest K for which --relax K holds
    #[arg(long, conflicts_with = "relax", help_heading = "What to check")]
    min_k: bool,

    /// A part of the files, for one of several machines: `count:1/3` is the first of three
    #[arg(long, value_name = "PART", help_heading = "Limits")]
    partition: Option<Partition>,

    /// How long one history may take; `none` for no limit
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::timeout, help_heading = "Limits")]
    timeout: TimeLimit,

    /// How much memory the checks may take together
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes, help_heading = "Limits")]
    memory: usize,

    /// Decide while reading, in memory that does not grow with the history
    #[arg(long, conflicts_with_all = ["relax", "min_k"], help_heading = "Limits")]
    stream: bool,

    /// Print findings as JSON
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Write HTML: a file, or a folder for several histories
    #[arg(long, value_name = "OUT", help_heading = "Output")]
    html: Option<PathBuf>,

    /// Write SARIF 2.1.0, which code hosts show beside the lines
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    sarif: Option<PathBuf>,

    /// Write JUnit XML, which CI servers show as tests
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    junit: Option<PathBuf>,

    /// Print the whole report of each of several histories
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    details: bool,

    /// Say where the time went
    #[arg(long, help_heading = "Output")]
    timings: bool,
}

const EXAMPLES: &str = "\
Specifications: register, cas-register, counter, kv, set, multiset, queue, stack, deque, priority-queue,
pair-snapshot, mutex, owned-mutex (only who locked can unlock), recursive-mutex, semaphore, rendezvous,
exchanger, barrier, or a model in a .toml file.

Examples:
  linspect check run.jsonl                         the file says what it is, or its methods do
  linspect check run.jsonl --spec stack            push and pop could be a queue, too
  linspect check run.jsonl --spec lease.toml       an object of your own (docs/models.md)
  linspect check history.edn --initial 0           a Jepsen register that starts at 0
  linspect check logs/*.log --html reports/        many histories: a table, and a page for each
  linspect check run.jsonl --min-k                 how relaxed is this queue?
  linspect check logs/* --partition count:1/9 --json > part-1.json
                                                   a ninth; `linspect report part-*.json` shows all
  linspect generate queue --ops 1000 | linspect check -
  linspect generate kv --ops 100000000 | linspect check - --stream --timeout none

Exit codes: 0 holds, 1 violation, 2 error, 3 inconclusive. Several files: an error counts most, then a
violation, then an inconclusive check.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TypedFormat {
    /// One JSON object per line (docs/format.md)
    Jsonl,
    /// Events of Jepsen and Knossos
    Edn,
    /// The log of Jepsen's etcd test
    Etcd,
    /// EDN events with a :key
    Kv,
    /// Operations of the checker porcupine as JSON, and of etcd's robustness tests
    Porcupine,
    /// Messages between Maelstrom's clients and nodes
    Maelstrom,
    /// A trace of Apalache, Quint or TLA+ with a variable `history`
    Itf,
}

impl From<TypedFormat> for Format {
    fn from(typed: TypedFormat) -> Self {
        match typed {
            TypedFormat::Jsonl => Self::JsonLines,
            TypedFormat::Edn => Self::Edn,
            TypedFormat::Etcd => Self::Etcd,
            TypedFormat::Kv => Self::Kv,
            TypedFormat::Porcupine => Self::Porcupine,
            TypedFormat::Maelstrom => Self::Maelstrom,
            TypedFormat::Itf => Self::Itf,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TypedCriterion {
    /// Every operation takes effect at one moment between its call and its return (the default)
    Linearizable,
    /// As --relax: an element is overtaken at most K times and overtakes at most K
    Quasi,
    /// Quasi-linearizability to the letter of Round-Up's Definition 4
    QuasiLiteral,
    /// Only restriction 1 of that definition
    #[value(name = "quasi-restriction-1")]
    QuasiRestriction1,
    /// Only the order within each process counts
    Sequential,
    /// Only moments without any operation separate operations
    Quiescent,
}

/// What is typed behind `linspect check`, by itself.
#[derive(Debug, clap::Parser)]
#[command(name = "linspect check", no_binary_name = true)]
struct CheckWords {
    #[command(flatten)]
    check: CheckArgs,
}

impl Check {
    /// What these words would mean behind `linspect check`.
    pub(crate) fn of_words(words: &[String]) -> Result<Result<Self, Failure>, clap::Error> {
        let CheckWords { check } = <CheckWords as clap::Parser>::try_parse_from(words)?;
        Ok(Self::try_from(check))
    }
}

impl TryFrom<CheckArgs> for Check {
    type Error = Failure;

    fn try_from(typed: CheckArgs) -> Result<Self, Failure> {
        let sources: Vec<Source> = typed.files.into_iter().map(Source::from).collect();
        if sources.iter().filter(|source| source.is_stdin()).count() > 1 {
            return Err(Failure::Usage {
                message: "standard input can be read only once".into(),
                help: "give `-` once",
                section: Section::CommandLine,
            });
        }
        let sources = match typed.partition {
            Some(partition) => partition.of(sources),
            None => sources,
        };
        let question = question(typed.criterion, typed.relax, typed.min_k)?;
        let threads = rayon::current_num_threads().min(sources.len()).max(1);
        // A specification that does not exist is wrong for every file: say so once.
        let spec = typed.spec.map(named).transpose()?;
        Ok(Self {
            output: match (typed.json, typed.details) {
                (true, _) => Output::Json,
                (_, true) => Output::Details,
                _ => Output::Text,
            },
            sources,
            job: Job {
                spec,
                options: Options {
                    initial: typed.initial,
                    capacity: typed.capacity,
                    empty: typed.empty,
                    largest_first: typed.largest_first,
                    cells: typed.cells,
                    parties: typed.parties,
                },
                format: typed.format.map(Format::from),
                question,
                timeout: typed.timeout,
                // What the process has before it reads anything is part of it.
                memory: typed.memory.saturating_sub(process_memory()) / threads,
            },
            machines: Files {
                html: None,
                sarif: typed.sarif,
                junit: typed.junit,
            },
            html: typed.html,
            is_streamed: typed.stream,
            timings: typed.timings,
        })
    }
}

fn named(name: String) -> Result<Named, Failure> {
    let path = Path::new(&name);
    if path.extension().is_some_and(|end| end == "toml") {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::Open {
            source_name: name.clone(),
            error,
        })?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let model = linspect_format::model(&text, &stem);
        let model = model.map_err(|error| Failure::Model {
            source_name: name,
            error,
        })?;
        return Ok(Named::Model(Box::new(model)));
    }
    Builtin::named(&name).map_err(|error| Failure::Usage {
        message: error.to_string(),
        help: "choose one of them with --spec, or write a model in a .toml file (see docs/models.md)",
        section: Section::Specifications,
    })?;
    Ok(Named::Builtin(name))
}

fn question(
    typed: Option<TypedCriterion>,
    relax: Option<u32>,
    min_k: bool,
) -> Result<Question, Failure> {
    let is_relaxed = relax.is_some() || min_k;
    let of: fn(u32) -> Criterion = match typed {
        None if is_relaxed => |k| Criterion::Quasi { k },
        None | Some(TypedCriterion::Linearizable) => |_| Criterion::Linearizable,
        Some(TypedCriterion::Quasi) => |k| Criterion::Quasi { k },
        Some(TypedCriterion::QuasiLiteral) => |k| Criterion::QuasiLiteral { k },
        Some(TypedCriterion::QuasiRestriction1) => |k| Criterion::QuasiRestriction1 { k },
        Some(TypedCriterion::Sequential) => |_| Criterion::Sequential,
        Some(TypedCriterion::Quiescent) => |_| Criterion::Quiescent,
    };
    let has_k = of(0) != of(1);
    match (has_k, is_relaxed) {
        (true, false) => Err(Failure::Usage {
            message: "how relaxed may it be?".into(),
            help: "say it with --relax K, or find out with --min-k",
            section: Section::CommandLine,
        }),
        (false, true) => Err(Failure::Usage {
            message: "this criterion has no K".into(),
            help: "drop --relax and --min-k, or choose --criterion quasi",
            section: Section::CommandLine,
        }),
        _ if min_k => Ok(Question::SmallestK(of)),
        _ => Ok(Question::Whether(of(relax.unwrap_or_default()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_k_goes_with_a_quasi_criterion() {
        use TypedCriterion::{QuasiLiteral, Sequential};
        let asked = |typed, relax, min_k| match question(typed, relax, min_k) {
            Ok(Question::Whether(criterion)) => Some((criterion, false)),
            Ok(Question::SmallestK(of)) => Some((of(7), true)),
            Err(_) => None,
        };
        let whether = |criterion| Some((criterion, false));
        assert_eq!(asked(None, None, false), whether(Criterion::Linearizable));
        assert_eq!(
            asked(None, Some(2), false),
            whether(Criterion::Quasi { k: 2 })
        );
        assert_eq!(
            asked(None, None, true),
            Some((Criterion::Quasi { k: 7 }, true))
        );
        let literal = whether(Criterion::QuasiLiteral { k: 1 });
        assert_eq!(asked(Some(QuasiLiteral), Some(1), false), literal);
        assert_eq!(asked(Some(QuasiLiteral), None, false), None);
        assert_eq!(asked(Some(Sequential), Some(1), false), None);
        assert_eq!(asked(Some(Sequential), None, true), None);
    }
}
