//! What is typed after `linspect test`, and what is meant by it.

use super::super::settings::{ProgramFiles, RunOptions};
use super::{KeptIn, Test};
use crate::failure::Failure;
use crate::files::Files;
use crate::section::Section;
use crate::units::{self, TimeLimit};
use linspect_engine::frontend::Source;
use linspect_engine::long_clients::LongClients;
use linspect_engine::{
    AskedEffort, Effort, Granularity, Method, ProgramOrigin, Request, RunSettings, TreeForm,
};
use std::path::{Path, PathBuf};

/// Options of `linspect test`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TestArgs {
    #[command(flatten)]
    program: ProgramFiles,

    /// How many cores to use, for several clients and for one [default: all]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Limits")]
    jobs: Option<u16>,

    #[command(flatten)]
    options: Options,
}

/// How to test, whatever is tested.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    settings: RunOptions,

    /// Find the smallest K for which --relax K holds, over everything that is explored
    #[arg(long, conflicts_with = "relax", help_heading = "What to test")]
    min_k: bool,

    /// This client only: `[push(1)] pop | push(2) pop [pop]` is a prefix, two threads, a suffix
    #[arg(long, value_name = "CLIENT", help_heading = "What to test")]
    client: Option<String>,

    /// Long random clients instead of all small ones: `2x50` is two threads with 50 operations each
    #[arg(
        long,
        value_name = "THREADSxOPERATIONS",
        value_parser = LongClients::parse,
        conflicts_with = "client",
        help_heading = "What to test"
    )]
    long: Option<LongClients>,

    /// The most operations that run at once [default: 4]; asked for, all clients of this size are promised
    #[arg(
        long,
        alias = "operations",
        value_name = "N",
        help_heading = "What to test"
    )]
    max_operations: Option<usize>,

    /// The most threads [default: 3]; asked for, all clients of this size are promised
    #[arg(long, value_name = "N", help_heading = "What to test")]
    threads: Option<usize>,

    /// How schedules are chosen [default: as the harness says, else exhaustive]
    #[arg(long, value_name = "STRATEGY", help_heading = "How")]
    strategy: Option<TypedStrategy>,

    /// Preemptions for `bounded` [default: as the harness says, else 2]
    #[arg(long, value_name = "N", help_heading = "How")]
    preemptions: Option<u32>,

    /// Depth of the faults that `pct` and `dpct` look for
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "How")]
    depth: u32,

    /// Runs per client for `random`, `pct`, `dpct` and `surw`
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "How")]
    runs: u64,

    /// Where random numbers start
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "How")]
    seed: u64,

    /// What counts as one event where the decisive races are named
    #[arg(
        long,
        value_name = "EVENTS",
        default_value = "all",
        help_heading = "How"
    )]
    granularity: TypedGranularity,

    /// How much processor time it may take, on all processors together; by the clock at most three times as long. `none` for no limit [default: as the harness says, else 30s; with
    /// --checkpoint and --resume none]
    #[arg(long, value_name = "TIME", value_parser = units::timeout, help_heading = "Limits")]
    budget: Option<TimeLimit>,

    /// At most so many executions of each client
    #[arg(long, value_name = "N", help_heading = "Limits")]
    executions: Option<u64>,

    /// Keep what was explored in this new folder, so that the test can go on after a crash
    #[arg(
        long,
        value_name = "FOLDER",
        conflicts_with = "resume",
        help_heading = "Limits"
    )]
    checkpoint: Option<PathBuf>,

    /// Go on with the test that was kept in this folder: the same command with --resume for --checkpoint
    #[arg(long, value_name = "FOLDER", help_heading = "Limits")]
    resume: Option<PathBuf>,

    /// How much memory the process may take
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = units::bytes, help_heading = "Limits")]
    memory: usize,

    /// Write the graph of all interleavings of the smallest test: FILE.dot to draw, FILE.json to compute with
    #[arg(long, value_name = "FILE", value_parser = tree_file, help_heading = "Output")]
    tree: Option<PathBuf>,

    /// Print the finding as JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) outputs: Files,

    /// Where reports go [default: linspect-out, for cargo in the target directory]
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Write the smallest test here, as source that includes the harness
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) emit_test: Option<PathBuf>,
}

/// A file for the graph of interleavings; its extension says in which form.
fn tree_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|e| e.to_str()) {
        Some("dot" | "json") => Ok(path),
        _ => Err("a tree is written as FILE.dot or FILE.json".into()),
    }
}

/// In which form a graph of interleavings goes to `path`.
fn form(path: &Path) -> TreeForm {
    match path.extension().is_some_and(|e| e == "json") {
        true => TreeForm::Json,
        false => TreeForm::Dot,
    }
}

const EXAMPLES: &str = "\
Examples:
  linspect test stack.rs                           a Rust file with linspect::harness! { … }
  linspect test queue_harness.c queue.c            a C harness (LINSPECT_OP …) and the object
  linspect test program.c                          a main with threads and assertions
  linspect test queue.c --functions enq,deq --spec queue
                                                   a main whose calls of enq and deq are the object's
  linspect test stack.rs --client '[push(1)] pop | pop'
  linspect test stack.rs --max-operations 6 --budget 5m
  linspect test relaxed_queue.c --min-k            how relaxed is it?
  linspect test stack.rs --emit-test stack_regression.rs

docs/harness.md says how to describe an object.

What is promised: the clients that were asked for (--client, --max-operations, --threads), each exhausted or as --strategy says. If nothing was: all clients of 2
operations in 2 threads, of 4 in 2 and of 3 in 3, each exhausted, and of 4 in 3 with at most 2 preemptions; fewer operations where these are more than 4000 clients.
It holds (exit 0) only if all of that was covered, and what was covered is said. Otherwise it is undecided (exit 3).

Exit codes: 0 holds, 1 violation, 2 error, 3 inconclusive.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TypedStrategy {
    /// All schedules, one per class of equivalent ones
    Exhaustive,
    /// Every state once, with every history: for few threads with much to do. Of data races only those that the executions show
    States,
    /// All with few preemptions
    Bounded,
    /// Uniformly at random
    Random,
    /// Probabilistic concurrency testing
    Pct,
    /// PCT that learns how long a run is
    Dpct,
    /// Selectively uniform random walk: all orders of the accesses to one place, drawn anew for each run, are about equally likely
    Surw,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TypedGranularity {
    /// Every access
    All,
    /// Accesses to what two threads access and one writes
    Conflicting,
    /// Locked regions and validated updates are one event each, too
    Folded,
}

impl From<TypedGranularity> for Granularity {
    fn from(typed: TypedGranularity) -> Self {
        match typed {
            TypedGranularity::All => Self::All,
            TypedGranularity::Conflicting => Self::Conflicting,
            TypedGranularity::Folded => Self::Folded,
        }
    }
}

/// What is typed behind `linspect test`, by itself.
#[derive(Debug, clap::Parser)]
#[command(name = "linspect test", no_binary_name = true)]
struct TestWords {
    #[command(flatten)]
    test: TestArgs,
}

impl TestArgs {
    /// What these words would mean behind `linspect test`, with no limit of time unless one is among them.
    pub(crate) fn of_words(words: &[String]) -> Result<Self, clap::Error> {
        let TestWords { mut test } = <TestWords as clap::Parser>::try_parse_from(words)?;
        test.options.budget.get_or_insert(None);
        Ok(test)
    }
}

impl TryFrom<TestArgs> for Test {
    type Error = Failure;

    fn try_from(typed: TestArgs) -> Result<Self, Failure> {
        crate::cores::limit(typed.jobs);
        let source = Source {
            files: typed.program.all(),
            c_flags: typed.program.c_flags,
            ..Source::default()
        };
        let folder = PathBuf::from("linspect-out");
        Self::new(ProgramOrigin::Files(source), &typed.options, folder)
    }
}

impl Test {
    /// The test of `origin` as `typed`; reports go to `folder` if nothing else was typed.
    pub(crate) fn new(
        origin: ProgramOrigin,
        typed: &Options,
        folder: PathBuf,
    ) -> Result<Self, Failure> {
        if typed.threads.is_some_and(|threads| threads < 2) {
            return Err(Failure::Usage {
                message: "one thread cannot go wrong by itself".into(),
                help: "allow at least --threads 2",
                section: Section::CommandLine,
            });
        }
        let request = Request {
            min_k: typed.min_k,
            client: typed.client.clone(),
            effort: Effort {
                long: typed.long,
                operations: typed.max_operations,
                threads: typed.threads,
                method: typed.method(),
                granularity: typed.granularity.into(),
                tree: typed.tree.as_deref().map(form),
                executions: typed.executions,
                budget: typed.budget(),
                memory: typed.memory,
                ..Effort::default()
            },
            ..Request::default()
        };
        Ok(Self {
            origin,
            settings: typed.settings(),
            request,
            tree: typed.tree.clone(),
            json: typed.json,
            files: typed.outputs.clone(),
            folder: typed.out.clone().unwrap_or(folder),
            explain_only: false,
            emit_test: typed.emit_test.clone(),
            kept: typed.kept(),
            asked: AskedEffort {
                budget: typed.budget.is_some() || typed.kept().is_some(),
                method: typed.strategy.is_some() || typed.long.is_some(),
                preemptions: typed.preemptions,
            },
        })
    }
}

/// The preemptions of schedules with few, if nobody says how many.
const PREEMPTIONS: u32 = 2;

impl Options {
    /// What decides what a schedule means.
    pub(crate) fn settings(&self) -> RunSettings {
        self.settings.clone().into()
    }

    /// How much processor time it may take.
    fn budget(&self) -> TimeLimit {
        match (self.budget, self.kept()) {
            (Some(typed), _) => typed,
            (None, Some(_)) => None,
            (None, None) => Effort::default().budget,
        }
    }

    /// Where explorations are kept, and whether they are gone on with.
    fn kept(&self) -> Option<KeptIn> {
        let new = self.checkpoint.clone().map(KeptIn::New);
        new.or_else(|| self.resume.clone().map(KeptIn::Before))
    }

    /// How schedules are chosen.
    fn method(&self) -> Method {
        let (depth, runs, seed) = (self.depth, self.runs, self.seed);
        match self.strategy.unwrap_or(TypedStrategy::Exhaustive) {
            TypedStrategy::Exhaustive => match self.long {
                None => Method::Exhaustive,
                Some(long) => long.method(seed),
            },
            TypedStrategy::States => Method::States,
            TypedStrategy::Bounded => Method::Bounded {
                preemptions: self.preemptions.unwrap_or(PREEMPTIONS),
            },
            TypedStrategy::Random => Method::Random { runs, seed },
            TypedStrategy::Pct => Method::Pct { depth, runs, seed },
            TypedStrategy::Dpct => Method::Dpct { depth, runs, seed },
            TypedStrategy::Surw => Method::Surw { runs, seed },
        }
    }
}
